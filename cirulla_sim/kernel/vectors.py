"""The machine's vectors: as many numbers of one kind as are worked on at once, and the intrinsics that do so."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from . import types
from .jit import intrinsic, ir


class Vector(types.Type):
    """The type of ``lanes`` numbers, each of the type of LLVM that ``element`` makes."""

    def __init__(self, name: str, lanes: int, element: Callable[[], Any]) -> None:
        self._name, self._lanes, self._element = name, lanes, element

    @property
    def llvm(self) -> Any:
        """The type as LLVM has it."""
        return ir.VectorType(self._element(), self._lanes)

    def to_numba(self, types: Any) -> Any:
        """The type made of numba's ``types``, which it learns here."""
        from numba.core.datamodel import models
        from numba.extending import register_model

        vector = self.llvm

        class Numbers(types.Type):  # type: ignore[misc, name-defined]
            pass

        @register_model(Numbers)
        class _Model(models.PrimitiveModel):
            def __init__(self, manager: Any, kind: Any) -> None:
                super().__init__(manager, kind, vector)

        return Numbers(self._name)


def everywhere(builder: Any, vector: Any, lane: int) -> Any:
    """A vector with the number of one lane in all lanes."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), vector.type.count), [lane] * vector.type.count)
    return builder.shuffle_vector(vector, vector, places)


def repeated(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of one number in all lanes."""
    undefined = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    return everywhere(builder, builder.insert_element(undefined, number, ir.IntType(32)(0)), 0)


def operation(returned: Any, *taken: Any) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function of LLVM's builder and arguments of the types ``taken`` an intrinsic, with what it generates."""

    def made(build: Callable[..., Any]) -> Any:
        def typed(typingctx: Any, *arguments: Any) -> Any:
            return returned(*taken), lambda context, builder, signature, args: build(builder, *args)

        names = ("typingctx", *(f"argument_{number}" for number in range(len(taken))))
        parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        typed.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        typed.__doc__ = build.__doc__
        return intrinsic(typed)

    return made


def access(kind: Vector, align: int, step: int = 1) -> tuple[Any, Any]:
    """What reads a vector from an array and what writes one: of array and place (and vector).

    Place ``n`` is that of number ``n * step``, counted through the whole of the array.
    """

    def pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        first = builder.mul(args[1], args[1].type(step))
        return builder.bitcast(builder.gep(array.data, [first]), kind.llvm.as_pointer())

    @intrinsic
    def load(typingctx: Any, array: Any, place: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(pointer(context, builder, signature, args), align=align)

        return kind(array, types.uint64), codegen

    @intrinsic
    def store(typingctx: Any, array: Any, place: Any, vector: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], pointer(context, builder, signature, args), align=align)
            return context.get_dummy_value()

        return types.void(array, types.uint64, kind), codegen

    return load, store
