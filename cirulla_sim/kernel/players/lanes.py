"""Sixteen reals at once, as the machine's vectors: one for each total of table cards, 0 to 15, or value of a card.

A set of lanes is a word, bit ``i`` for lane ``i``. Results do not depend on the width of the machine's vectors.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

LANES = 16
_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_SHUFFLE = ir.VectorType(ir.IntType(32), LANES)


class Lanes(types.Type):
    """The type of sixteen reals."""

    def __init__(self) -> None:
        super().__init__("lanes")


lanes = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _splat(builder: Any, scalar: Any) -> Any:
    vector = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(vector, ir.Constant(_VECTOR, ir.Undefined), ir.Constant(_SHUFFLE, [0] * LANES))


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The vector at a place of an array, counted through the whole of it."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.bitcast(builder.gep(array.data, [args[1]]), _VECTOR.as_pointer())


@intrinsic
def load(typingctx: Any, array: Any, first: Any) -> Any:
    """The sixteen reals of an array from place ``first`` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature, args), align=4)

    return lanes(array, types.uint64), codegen


@intrinsic
def store(typingctx: Any, array: Any, first: Any, vector: Any) -> Any:
    """Write sixteen reals into an array from place ``first`` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature, args), align=4)
        return context.get_dummy_value()

    return types.void(array, types.uint64, vector), codegen


@intrinsic
def splat(typingctx: Any, real: Any) -> Any:
    """The same real in all lanes."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, args[0])

    return lanes(types.float32), codegen


@intrinsic
def plus(typingctx: Any, left: Any, right: Any) -> Any:
    """The sums."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(*args)

    return lanes(lanes, lanes), codegen


@intrinsic
def times(typingctx: Any, left: Any, right: Any) -> Any:
    """The products."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fmul(*args)

    return lanes(lanes, lanes), codegen


@intrinsic
def over(typingctx: Any, left: Any, right: Any) -> Any:
    """The quotients."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fdiv(*args)

    return lanes(lanes, lanes), codegen


@intrinsic
def most(typingctx: Any, left: Any, right: Any) -> Any:
    """The larger ones."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return lanes(lanes, lanes), codegen


@intrinsic
def flipped(typingctx: Any, vector: Any) -> Any:
    """The last lane first."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.shuffle_vector(
            args[0], ir.Constant(_VECTOR, ir.Undefined), ir.Constant(_SHUFFLE, list(range(LANES))[::-1])
        )

    return lanes(lanes), codegen


def _comparison(sign: str, says: str) -> Any:
    @intrinsic
    def compare(typingctx: Any, left: Any, right: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            bits = builder.bitcast(builder.fcmp_ordered(sign, *args), ir.IntType(LANES))
            return builder.zext(bits, ir.IntType(64))

        return types.uint64(lanes, lanes), codegen

    compare.__doc__ = says
    return compare


greater = _comparison(">", "The set of lanes where ``left`` is greater.")
equal = _comparison("==", "The set of lanes where both are equal.")


@intrinsic
def chosen(typingctx: Any, where: Any, left: Any, right: Any) -> Any:
    """The lanes of ``left`` in a set of lanes, those of ``right`` elsewhere."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.trunc(args[0], ir.IntType(LANES))
        return builder.select(builder.bitcast(bits, ir.VectorType(ir.IntType(1), LANES)), *args[1:])

    return lanes(types.uint64, lanes, lanes), codegen
