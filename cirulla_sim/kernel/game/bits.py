"""Single machine instructions that Python and numba have no names for, most of them on 64-bit words."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from ..jit import if_processor_has, inline, ir
from ..vectors import operation

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)


popcount = operation(types.uint64, types.uint64)(lambda builder, word: builder.ctpop(word))
"""Number of one bits in a uint64."""

lowest = operation(types.uint64, types.uint64)(lambda builder, word: builder.cttz(word, ir.IntType(1)(1)))
"""Index of the lowest one bit of a uint64 that is not zero."""

highest = operation(types.uint64, types.uint64)(
    lambda builder, word: builder.xor(builder.ctlz(word, ir.IntType(1)(1)), ir.IntType(64)(63))
)
"""Index of the highest one bit of a uint64 that is not zero."""


@operation(types.uint64, types.uint64, types.uint64)
def high_product(builder: Any, a: Any, b: Any) -> Any:
    """The high 64 bits of the 128-bit product of two uint64."""
    wide = ir.IntType(128)
    product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
    return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))


square_root = operation(types.float32, types.float32)(
    lambda builder, real: builder.call(builder.module.declare_intrinsic("llvm.sqrt", [ir.FloatType()]), [real])
)
"""The root of a float32; numpy's is a function of another library."""

real_at = operation(types.float32, types.uint64, types.uint64)(
    lambda builder, address, place: builder.load(
        builder.gep(builder.inttoptr(address, ir.FloatType().as_pointer()), [place])
    )
)
"""The float32 number of a place among those that lie from an address on."""


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

    @operation(types.uint64, types.uint64, types.uint64)
    def instruction(builder: Any, word: Any, mask: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * 2)
        return builder.call(builder.module.declare_intrinsic(name, (), kind), [word, mask])

    return if_processor_has("bmi2", instruction, other)


pdep = _instruction("llvm.x86.bmi.pdep.64", spread)
"""The lowest bits of a uint64, placed where a mask has one bits."""

pext = _instruction("llvm.x86.bmi.pext.64", gather)
"""The bits of a uint64 where a mask has one bits, moved together at the lowest places."""


@inline
def select(word, k):
    """Index of the one bit number ``k`` (from 0, the lowest first) of a uint64 with more than ``k`` one bits."""
    return lowest(pdep(ONE << k, word))
