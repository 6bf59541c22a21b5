"""The sizes of named dims at a launch, read from the shapes of the arrays and checked.

x {n,1024} and b {n}, called with arrays of (5, 1024) and (5,):      n is 5
with arrays of (5, 1024) and (6,):                                   CALL009, n is 5 in x and 6 in b
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NoReturn

import numpy as np

from asmgen.graph.at_sizes import parameter_at
from asmgen.index.expression import only
from asmgen.index.nodes import Symbol
from asmgen.index.size import Size, at, number, numbers, size_of, symbols_of
from asmgen.ir.arrays import Array
from asmgen.ir.named_dims import MOST_BYTES
from asmgen.ir.program import Module, Statement, argument_name, tensor_type
from asmgen.ir.shapes import format_list
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError, close_names

MOST_ELEMENTS = 1 << 32  # of a tensor: the reach of an index of 32 bits

Values = dict[str, int]
Shape = tuple[int, ...]


def named_dims_of(parameters: Sequence[Statement]) -> dict[str, Symbol]:
    """The named dims in the types of parameters, in their order."""
    types = [statement.result.type for statement in parameters]
    tensors = [type_ for type_ in types if isinstance(type_, TensorType)]
    sizes = [size for type_ in tensors for size in (*type_.dims, *type_.strides)]
    return {dim.name: dim for dim in symbols_of(sizes)}


def sizes_of(parameters: Sequence[Statement], shapes: Sequence[Shape]) -> Values:
    """The value of each named dim for arrays of these shapes. Raises `InputError`: CALL009 if two arrays
    give a dim different values, CALL010 for a value that the program cannot have, CALL011 for a dim that
    no array gives."""
    dims = named_dims_of(parameters)
    values: Values = {}
    said: dict[str, str] = {}
    for statement, shape in zip(parameters, shapes, strict=True):
        type_, name = statement.result.type, argument_name(statement)
        if not isinstance(type_, TensorType):
            continue
        if len(shape) != type_.rank:
            continue  # its shape does not matter here, or is refused as such
        for dim, size in zip(type_.dims, shape, strict=True):
            if not isinstance(dim, Size) or str(dim) not in dims:
                continue
            if values.setdefault(str(dim), size) != size:
                _refuse_other(str(dim), values[str(dim)], said[str(dim)], size, name)
            _ = said.setdefault(str(dim), name)
    if len(values) < len(dims):
        _solve(parameters, shapes, values, said)
    for name, dim in dims.items():
        if name not in values:
            _check_ranks(name, parameters, shapes)
            raise InputError(
                "arguments",
                "CALL011",
                f"no argument has the dim {name} itself, wanted its value",
                help=f"a @param of {{{name}}} says it, or of {{2*{name}}}",
            )
        _check_range(dim, values[name], f"argument {said[name]}")
    for statement in parameters:
        check_bytes(statement, values, "argument")
    return values


def dims_of(sizes: Mapping[str, tuple[int, ...]]) -> Values:
    """The value of each named dim, given as the sizes of an axis. `InputError` PRF002 for several sizes."""
    for name, several in sizes.items():
        if len(several) != 1:
            message = f"got {len(several)} sizes of {name}, wanted one number, the value of the dim"
            raise InputError("--size", "PRF002", message, help=f"--size {name}={several[0]}")
    return {name: several[0] for name, several in sizes.items()}


def sizes_given(parameters: Sequence[Statement], dims: Mapping[str, int]) -> Values:
    """The values of the named dims as `dims` states them. Raises `InputError` as `check_dims`, and CALL010
    for a value that the program cannot have."""
    check_dims(parameters, dims)
    known = named_dims_of(parameters)
    for name, value in dims.items():
        _check_range(known[name], value, f"--size {name}")
    for statement in parameters:
        check_bytes(statement, dims, "argument")
    return dict(dims)


def check_dims(parameters: Sequence[Statement], dims: Mapping[str, int]) -> None:
    """Refuse a named dim without a size (PRF001), and a size of no dim (PRF002)."""
    known = named_dims_of(parameters)
    missing = [name for name in known if name not in dims]
    if missing:
        message = f"the sizes of {', '.join(missing)} are not known, wanted a size for each named dim"
        help = " ".join(f"--size {name}=N" for name in missing)
        raise InputError("--size", "PRF001", message, help=help)
    for name in dims:
        if name not in known:
            wanted = f"one of {', '.join(known)}" if known else "none: every size is known"
            message = f"got a size of {name}, wanted {wanted}"
            raise InputError("--size", "PRF002", message, help=close_names(name, known))


def _check_ranks(dim: str, parameters: Sequence[Statement], shapes: Sequence[Shape]) -> None:
    """CALL004 for an array of the wrong rank, if its shape should give a dim."""
    for statement, shape in zip(parameters, shapes, strict=True):
        type_ = statement.result.type
        if dim in named_dims_of((statement,)) and isinstance(type_, TensorType) and len(shape) != type_.rank:
            wanted = f"wanted {type_.rank} axes: {format_list(type_.dims)}"
            place = f"argument {argument_name(statement)}"
            raise InputError(place, "CALL004", f"got an array of shape {shape}, {wanted}")


def _solve(
    parameters: Sequence[Statement], shapes: Sequence[Shape], values: Values, said: dict[str, str]
) -> None:
    """Add the dims that arrays have as a part of a size, such as n in {2*n + 1}, in turn. Raises `InputError`
    CALL009 if no value of the dim gives the size."""
    sizes = [
        (dim, size, argument_name(statement))
        for statement, shape in zip(parameters, shapes, strict=True)
        if isinstance(statement.result.type, TensorType) and len(shape) == statement.result.type.rank
        for dim, size in zip(statement.result.type.dims, shape, strict=True)
        if isinstance(dim, Size)
    ]
    for _ in sizes:
        for dim, size, name in sizes:
            missing = [symbol for symbol in dim.expression.symbols if symbol.name not in values]
            if len(missing) != 1 or not (times := dim.expression.coefficient(missing[0])):
                continue
            rest = at((dim - size_of(only(missing[0])) * times,), values)[0]
            if isinstance(rest, Size):
                continue
            value, left = divmod(size - rest, times)
            if left or value < 0:
                _refuse_unsolved(dim, size, name)
            values[missing[0].name], said[missing[0].name] = value, name


def _refuse_unsolved(dim: Size, size: int, name: str) -> NoReturn:
    raise InputError(
        f"argument {name}",
        "CALL009",
        f"a dim is {size}, wanted {dim}",
        help="pass an array of such a shape",
    )


def _refuse_other(dim: str, value: int, first: str, other: int, name: str) -> NoReturn:
    raise InputError(
        f"argument {name}",
        "CALL009",
        f"{dim} is {other} here and {value} in argument {first}, wanted one value of a name",
        help="give the dims different names if their sizes differ",
    )


def _check_range(dim: Symbol, value: int, place: str) -> None:
    if value > dim.high:
        raise InputError(
            place,
            "CALL010",
            f"{dim.name} is {value}, wanted at most {dim.high}",
            help="call the program with parts of the arrays: the source or a sort bounds the dim, or a "
            "buffer would have 2^32 bytes",
        )


def check_bytes(statement: Statement, values: Mapping[str, int], what: str) -> None:
    """CALL010 if the buffer of an argument or a result is larger than an offset reaches."""
    type_ = parameter_at(statement, values).result.type
    if isinstance(type_, TensorType) and number(type_.span) * type_.element.bytes > MOST_BYTES:
        raise InputError(
            f"{what} {argument_name(statement)}",
            "CALL010",
            f"the buffer has {type_.span * type_.element.bytes} bytes, wanted at most 2^32",
            help="call the program with parts of the arrays",
        )


def wide_of(modules: Iterable[Module]) -> tuple[Statement, ...]:
    """The statements with a result of several named dims. Each dim may be as large as the buffers allow that
    have no other named dim."""
    return tuple(
        [
            statement
            for module in modules
            for statement in module.statements
            for value in statement.results
            if isinstance(value.type, TensorType) and len(set(symbols_of(value.type.dims))) > 1
        ]
    )


def check_elements(statement: Statement, values: Mapping[str, int]) -> None:
    """CALL010 if a tensor, in a buffer or not, has more elements than an index reaches."""
    dims = numbers(at(tensor_type(statement.result).dims, values))
    if prod(dims) > MOST_ELEMENTS:
        raise InputError(
            statement.place or statement.result.name,
            "CALL010",
            f"{statement.result.name} has {prod(dims)} elements, wanted at most 2^32: an index has 32 bits",
            help="call the program with parts of the arrays",
        )


def scalars_of(values: Mapping[str, int]) -> dict[str, Array]:
    """The named dims as the arguments that kernels take by value."""
    return {name: np.array(value, np.uint32) for name, value in values.items()}
