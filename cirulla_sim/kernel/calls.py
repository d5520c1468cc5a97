"""Calling compiled functions by their address, so that a function can be chosen when its callers are compiled."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
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


def address_of(function: Any, signature: Any) -> int:
    """The address of a compiled function for a signature; valid as long as the function is kept."""
    compiled = function.overloads[tuple(signature.args)]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def by_reference(kind: Any) -> tuple[Any, Any]:
    """Two functions for large values of a type: its address, and the value at an address.

    A function called by address takes every field of a value as an argument; their address is one. The value lies in
    the frame of the function that asked for its address, and is gone when that returns.
    """

    @intrinsic
    def address(typingctx: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = cgutils.alloca_once(builder, args[0].type)
            builder.store(args[0], place)
            return builder.ptrtoint(place, context.get_value_type(types.uint64))

        return types.uint64(kind), codegen

    @intrinsic
    def value(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(builder.inttoptr(args[0], context.get_value_type(kind).as_pointer()))

        return kind(types.uint64), codegen

    return address, value
