"""Calls of compiled functions by address: the function is chosen at run time, not when its callers are compiled."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from numba import types
from numba.extending import intrinsic


def by_address(signature: Any) -> Any:
    """A function of an address and the arguments of ``signature`` that calls what is compiled at the address.

    The function called must be compiled for exactly this signature and must still be loaded. What it returns is lost if
    it raises; all bits are set then, which no caller here takes for a result.
    """

    @intrinsic
    def call(typingctx: Any, address: Any, *arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, typed: Any, args: Any) -> Any:
            kind = context.call_conv.get_function_type(signature.return_type, signature.args)
            function = builder.inttoptr(args[0], kind.as_pointer())
            given = [builder.extract_value(args[1], i) for i in range(len(signature.args))]
            status, result = context.call_conv.call_function(
                builder, function, signature.return_type, signature.args, given
            )
            return builder.select(status.is_error, result.type(-1), result)

        return signature.return_type(types.uint64, types.StarArgTuple(signature.args)), codegen

    return call


_code_of: Any = attrgetter("library")
"""What numba has compiled, as its code generator holds it."""


def address_of(function: Any, signature: Any) -> int:
    """The address of a compiled function for a signature; valid while the function exists."""
    compiled = function.overloads[tuple(signature.args)]
    return int(_code_of(compiled).get_pointer_to_function(compiled.fndesc.llvm_func_name))


@intrinsic
def address_of_record(typingctx: Any, record: Any) -> Any:
    """The address of a record."""
    if not isinstance(record, types.Record):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], context.get_value_type(types.uint64))

    return types.uint64(record), codegen


def record_at(kind: Any) -> Any:
    """A function that takes an address for the record of a type that lies there."""

    @intrinsic
    def record(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.uint64), codegen

    return record


@intrinsic
def real_at(typingctx: Any, address: Any, place: Any) -> Any:
    """The float32 number ``place`` of those that lie from an address on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.inttoptr(args[0], context.get_value_type(types.float32).as_pointer())
        return builder.load(builder.gep(first, [args[1]]))

    return types.float32(types.uint64, types.uint64), codegen
