"""Sixteen reals at once, as the machine's vectors: one for each total of table cards, 0 to 15, or value of a card.

A set of lanes is a word, bit ``i`` for lane ``i``. Results do not depend on the width of the machine's vectors.
"""

from __future__ import annotations

from typing import Any

from .. import types
from ..jit import intrinsic, ir, processor_has

LANES = 16


class Lanes(types.Type):
    """The type of sixteen reals."""

    def to_numba(self, types: Any) -> Any:
        """The type made of numba's ``types``, which it learns here."""
        from numba.core.datamodel import models
        from numba.extending import register_model

        class Sixteen(types.Type):  # type: ignore[misc, name-defined]
            pass

        @register_model(Sixteen)
        class _Model(models.PrimitiveModel):
            def __init__(self, manager: Any, kind: Any) -> None:
                super().__init__(manager, kind, _vector())

        return Sixteen("lanes")


lanes = Lanes()


def _vector() -> Any:
    """LLVM's type of sixteen reals."""
    return ir.VectorType(ir.FloatType(), LANES)


def _shuffle() -> Any:
    """And of sixteen places of lanes."""
    return ir.VectorType(_int(), LANES)


def _int() -> Any:
    return ir.IntType(32)


def _splat(builder: Any, scalar: Any) -> Any:
    vector = builder.insert_element(ir.Constant(_vector(), ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(vector, ir.Constant(_vector(), ir.Undefined), ir.Constant(_shuffle(), [0] * LANES))


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The vector at a place of an array, counted through the whole of it."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.bitcast(builder.gep(array.data, [args[1]]), _vector().as_pointer())


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
def minus(typingctx: Any, left: Any, right: Any) -> Any:
    """The differences."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fsub(*args)

    return lanes(lanes, lanes), codegen


@intrinsic
def total(typingctx: Any, vector: Any) -> Any:
    """The sum of the lanes, always added up in the same order."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        [vector] = args
        for half in (8, 4, 2, 1):
            order = ir.Constant(_shuffle(), [(lane + half) % LANES for lane in range(LANES)])
            vector = builder.fadd(vector, builder.shuffle_vector(vector, vector, order))
        return builder.extract_element(vector, _int()(0))

    return types.float32(lanes), codegen


@intrinsic
def weight_ahead(typingctx: Any, vector: Any, weights: Any) -> Any:
    """The sum of the weights of the lanes that are greater than each, or equal and lower; of lanes 1 to 10."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector, weights = args
        ahead = zero = ir.Constant(_vector(), [0.0] * LANES)
        for lane in range(1, 11):
            one, weight = (_lane_everywhere(builder, each, lane) for each in (vector, weights))
            later = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [other > lane for other in range(LANES)])
            equal = builder.and_(builder.fcmp_ordered("==", one, vector), later)
            first = builder.or_(builder.fcmp_ordered(">", one, vector), equal)
            ahead = builder.fadd(ahead, builder.select(first, weight, zero))
        return ahead

    return lanes(lanes, lanes), codegen


def _lane_everywhere(builder: Any, vector: Any, lane: int) -> Any:
    return builder.shuffle_vector(vector, vector, ir.Constant(_shuffle(), [lane] * LANES))


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
            args[0], ir.Constant(_vector(), ir.Undefined), ir.Constant(_shuffle(), list(range(LANES))[::-1])
        )

    return lanes(lanes), codegen


def _shifted_in_register(builder: Any, vector: Any, count: Any, fill: Any) -> Any:
    lane = ir.Constant(_shuffle(), list(range(LANES)))
    counts = builder.insert_element(
        ir.Constant(_shuffle(), ir.Undefined), builder.trunc(count, ir.IntType(32)), _int()(0)
    )
    counts = builder.shuffle_vector(counts, ir.Constant(_shuffle(), ir.Undefined), ir.Constant(_shuffle(), [0] * LANES))
    kind = ir.FunctionType(_vector(), [_vector(), _shuffle()])
    permute = builder.module.declare_intrinsic("llvm.x86.avx512.permvar.sf.512", (), kind)
    moved = builder.call(permute, [vector, builder.sub(lane, counts)])  # only the lowest four bits count
    return builder.select(builder.icmp_unsigned(">=", lane, counts), moved, _splat(builder, fill))


def _shifted_in_memory(builder: Any, vector: Any, count: Any, fill: Any) -> Any:
    from numba.core.cgutils import alloca_once

    memory = alloca_once(builder, ir.ArrayType(ir.FloatType(), 2 * LANES))
    low, high = (builder.gep(memory, [_int()(0), _int()(place)]) for place in (0, LANES))
    builder.store(_splat(builder, fill), builder.bitcast(low, _vector().as_pointer()), align=4)
    builder.store(vector, builder.bitcast(high, _vector().as_pointer()), align=4)
    first = builder.gep(low, [builder.sub(ir.IntType(64)(LANES), count)])
    return builder.load(builder.bitcast(first, _vector().as_pointer()), align=4)


@intrinsic
def shifted(typingctx: Any, vector: Any, count: Any, fill: Any) -> Any:
    """The lanes moved up by ``count``, 0 to 15; the lowest are ``fill``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return (_shifted_in_register if processor_has("avx512f") else _shifted_in_memory)(builder, *args)

    return lanes(lanes, types.uint64, types.float32), codegen


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
