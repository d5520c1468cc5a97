"""The machine's vectors: as many numbers of one kind as are worked on at once, for intrinsics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import types
from .jit import ir


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
