"""Calls of compiled functions by address: the function is chosen at run time, not when its callers are compiled."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from . import types
from .jit import Entry, intrinsic
from .types import Signature


def by_address(signature: Signature) -> Any:
    """A function of an address and the arguments of ``signature`` that calls what is compiled at the address.

    The function called must be compiled for exactly this signature and must still be loaded. What it returns is lost if
    it raises; all bits are set then, which no caller here takes for a result.
    """

    @intrinsic
    def call(typingctx: Any, address: Any, *arguments: Any) -> Any:
        from numba.types import StarArgTuple

        taken = signature.numba

        def codegen(context: Any, builder: Any, typed: Any, args: Any) -> Any:
            kind = context.call_conv.get_function_type(taken.return_type, taken.args)
            function = builder.inttoptr(args[0], kind.as_pointer())
            given = [builder.extract_value(args[1], i) for i in range(len(taken.args))]
            status, result = context.call_conv.call_function(builder, function, taken.return_type, taken.args, given)
            return builder.select(status.is_error, result.type(-1), result)

        return signature.returned(types.uint64, StarArgTuple(taken.args)), codegen

    return call


_code_of: Any = attrgetter("library")
"""What numba has compiled, as its code generator holds it."""


def address_of(function: Any, signature: Signature) -> int:
    """The address of an entry point, or of a function that numba compiled for a signature; valid while it exists."""
    if isinstance(function, Entry):
        return function.address
    compiled = function.overloads[tuple(signature.numba.args)]
    return int(_code_of(compiled).get_pointer_to_function(compiled.fndesc.llvm_func_name))


def record_at(kind: types.Record) -> Any:
    """A function that takes an address for the record of a type that lies there."""

    @intrinsic
    def record(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return kind(types.uint64), codegen

    return record


@intrinsic
def real_at(typingctx: Any, address: Any, place: Any) -> Any:
    """The float32 number ``place`` of those that lie from an address on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.inttoptr(args[0], context.get_value_type(signature.return_type).as_pointer())
        return builder.load(builder.gep(first, [args[1]]))

    return types.float32(types.uint64, types.uint64), codegen
