"""The types of what compiled functions take and return: named as in numba, described without it.

Importing numba takes longer than playing a thousand hands, so nothing that Python needs to call compiled functions may
import it. The descriptions here serve both sides: ``to_numba`` gives numba's own type when a function is compiled, and
``flatten`` turns a Python value into the arguments of the machine code, by numba's calling convention: a scalar is
itself, a record its address, a tuple its items, an array its owner, parent, size, item size, address, shape, strides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index
from types import MappingProxyType
from typing import Any

import numpy as np


class Type:
    """A type: ``T[:, ::1]`` is a contiguous array of it, and ``T(a, b)`` the signature of what takes a and b."""

    to_numba: Any
    """Makes the type of numba's ``types``."""
    machine: Any
    """The types of ctypes of the arguments that a value becomes."""
    flatten: Any
    """Makes these arguments of a value; raises ``TypeError`` if it is of another type."""
    new: Any
    """Makes memory of ctypes for a value that is returned."""

    def __getitem__(self, axes: Any) -> Array:
        return Array(self, len(axes) if isinstance(axes, tuple) else 1)

    def __call__(self, *arguments: Any) -> Signature:
        return Signature(self, arguments)

    @cached_property
    def numba(self) -> Any:
        """The type as numba has it."""
        import numba

        return self.to_numba(numba.types)

    def read(self, memory: Any) -> Any:
        """The value in this memory."""
        return memory.value


@dataclass(frozen=True)
class Scalar(Type):
    """A number or truth value, by its name in numpy."""

    _MACHINE = MappingProxyType({"bool": "c_uint8", "float32": "c_float", "float64": "c_double"})

    name: str

    @cached_property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name)

    def to_numba(self, types: Any) -> Any:
        return getattr(types, {"bool": "boolean"}.get(self.name, self.name))

    def is_of(self, dtype: np.dtype) -> bool:
        """Whether a numpy type is this one."""
        return bool(dtype == self.dtype)

    @property
    def machine(self) -> tuple[Any, ...]:
        return (getattr(ctypes, self._MACHINE.get(self.name, f"c_{self.name}")),)

    def flatten(self, value: Any) -> tuple[Any, ...]:
        convert: Callable[[Any], Any] = {"f": float, "b": bool}.get(self.dtype.kind, index)
        return (convert(value),)

    def new(self) -> Any:
        return self.machine[0]()


@dataclass(frozen=True)
class Nothing(Type):
    """What a function returns that returns nothing."""

    def to_numba(self, types: Any) -> Any:
        return types.void

    def new(self) -> Any:
        return ctypes.c_void_p()


@dataclass(frozen=True)
class Record(Type):
    """A record of a numpy structured type, passed by address."""

    dtype: np.dtype

    def to_numba(self, types: Any) -> Any:
        import numba

        return numba.from_dtype(self.dtype)

    machine = (ctypes.c_void_p,)

    def zeros(self) -> Any:
        """An array of one empty record, whose fields are attributes too; the record is valid as long as the array."""
        return np.zeros(1, np.dtype((np.record, self.dtype)))

    def over(self, numbers: np.ndarray) -> Any:
        """The record that lies in an array of numbers, the same memory."""
        return numbers.view(np.dtype((np.record, self.dtype)))[0]

    def flatten(self, value: Any) -> tuple[Any, ...]:
        if not (isinstance(value, np.void) and self.is_of(value.dtype)):
            raise TypeError(f"{type(value).__name__} is not a record of {', '.join((self.dtype.names or ())[:3])}, ...")
        return (np.frombuffer(value, np.uint8).ctypes.data,)  # ``__array_interface__`` would list all fields

    def is_of(self, dtype: np.dtype) -> bool:
        """Whether a numpy type is this one; comparing all fields takes longer than many a call."""
        if dtype is self.dtype or dtype is self.__dict__.get("last"):
            return True
        same = bool(dtype == self.dtype)
        if same:
            self.__dict__["last"] = dtype
        return same


@dataclass(frozen=True)
class Array(Type):
    """A contiguous array."""

    item: Any
    dimensions: int
    readonly: bool = False

    def to_numba(self, types: Any) -> Any:
        return types.Array(self.item.numba, self.dimensions, "C", readonly=self.readonly)

    @cached_property
    def machine(self) -> tuple[Any, ...]:
        number, address = ctypes.c_ssize_t, ctypes.c_void_p
        return (address, address, number, number, address, *(number,) * (2 * self.dimensions))

    def flatten(self, value: Any) -> tuple[Any, ...]:
        if not (
            isinstance(value, np.ndarray)
            and self.item.is_of(value.dtype)
            and value.ndim == self.dimensions
            and value.flags.c_contiguous
            and value.flags.aligned
            and (self.readonly or value.flags.writeable)
        ):
            raise TypeError(
                f"{type(value).__name__} is not a contiguous array of {self.dimensions} dimensions, {self.item}"
            )
        return (None, None, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)


@dataclass(frozen=True)
class Tuple(Type):
    """A tuple, or one with names, of class ``kind``."""

    items: tuple[Any, ...]
    kind: type

    def to_numba(self, types: Any) -> Any:
        items = [item.numba for item in self.items]
        return types.BaseTuple.from_types(items, None if self.kind is tuple else self.kind)

    @cached_property
    def machine(self) -> tuple[Any, ...]:
        return tuple(part for item in self.items for part in item.machine)

    def flatten(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, self.kind) or len(value) != len(self.items):
            raise TypeError(f"{type(value).__name__} is not a {self.kind.__name__} of {len(self.items)}")
        return flattened(self.items, value)

    def new(self) -> Any:
        [kind] = set(self.machine)
        return (kind * len(self.machine))()

    def read(self, memory: Any) -> Any:
        return self.kind(memory)


@dataclass(frozen=True)
class Signature:
    """What a function returns, and what it takes."""

    returned: Type
    arguments: tuple[Any, ...]

    @property
    def numba(self) -> Any:
        """The signature as numba has it."""
        return self.returned.numba(*(numba_type(argument) for argument in self.arguments))

    @cached_property
    def machine(self) -> tuple[Any, ...]:
        """The types of ctypes of all arguments."""
        return tuple(part for argument in self.arguments for part in argument.machine)


def numba_type(kind: Any) -> Any:
    """A type or signature as numba has it; numba's own stays as it is."""
    return kind.numba if isinstance(kind, Type | Signature) else kind


def flattened(kinds: Iterable[Any], values: Iterable[Any]) -> tuple[Any, ...]:
    """The arguments that several values become."""
    return tuple(part for kind, value in zip(kinds, values, strict=True) for part in kind.flatten(value))


void = Nothing()
boolean = Scalar("bool")
uint8, uint32, uint64 = Scalar("uint8"), Scalar("uint32"), Scalar("uint64")
int16, int32, int64 = Scalar("int16"), Scalar("int32"), Scalar("int64")
float32, float64 = Scalar("float32"), Scalar("float64")
