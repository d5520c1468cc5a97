"""Single machine instructions that Python and numba have no names for, most of them on 64-bit words."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from ..jit import if_processor_has, inline, intrinsic, ir

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Number of one bits in a uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def lowest(typingctx: Any, word: Any) -> Any:
    """Index of the lowest one bit of a uint64 that is not zero."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def highest(typingctx: Any, word: Any) -> Any:
    """Index of the highest one bit of a uint64 that is not zero."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.xor(builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1)), ir.Constant(ir.IntType(64), 63))

    return types.uint64(types.uint64), codegen


@intrinsic
def high_product(typingctx: Any, a: Any, b: Any) -> Any:
    """The high 64 bits of the 128-bit product of two uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def square_root(typingctx: Any, real: Any) -> Any:
    """The root of a float32; numpy's is a function of another library."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [ir.FloatType()]), args)

    return types.float32(types.float32), codegen


@inline
def spread(bits, mask):
    """``pdep`` for any processor."""
    out = ZERO
    while mask:
        own = mask & (ZERO - mask)
        out |= own & (ZERO - (bits & ONE))
        bits >>= ONE
        mask ^= own
    return out


@inline
def gather(word, mask):
    """``pext`` for any processor."""
    out, place = ZERO, ZERO
    while mask:
        own = mask & (ZERO - mask)
        out |= np.uint64(word & own != ZERO) << place
        place += ONE
        mask ^= own
    return out


def _instruction(name: str, other: Any) -> Any:
    """An instruction of x86 on two words, if the processor that is compiled for has it, else a function like it."""

    @intrinsic
    def instruction(typingctx: Any, word: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * 2)
            return builder.call(builder.module.declare_intrinsic(name, (), kind), args)

        return types.uint64(types.uint64, types.uint64), codegen

    return if_processor_has("bmi2", instruction, other)


pdep = _instruction("llvm.x86.bmi.pdep.64", spread)
"""The lowest bits of a uint64, placed where a mask has one bits."""

pext = _instruction("llvm.x86.bmi.pext.64", gather)
"""The bits of a uint64 where a mask has one bits, moved together at the lowest places."""


@inline
def select(word, k):
    """Index of the one bit number ``k`` (from 0, the lowest first) of a uint64 with more than ``k`` one bits."""
    return lowest(pdep(ONE << k, word))
