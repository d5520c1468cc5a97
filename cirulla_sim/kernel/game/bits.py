"""Single machine instructions on 64-bit words that Python and numba have no names for."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..jit import inline

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


@inline
def select(word, k):
    """Index of the one bit number ``k`` (from 0, the lowest first) of a uint64 with more than ``k`` one bits."""
    # The two lowest bits are dropped by masks, not by branches, as k is unpredictable; holdings of three need no more.
    second = word & (word - ONE)
    third = second & (second - ONE)
    word ^= (word ^ second) & (ZERO - np.uint64(k > ZERO))
    word ^= (second ^ third) & (ZERO - np.uint64(k > ONE))
    while k > TWO:
        word &= word - ONE
        k -= ONE
    return lowest(word)
