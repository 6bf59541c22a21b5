"""The range of each named dim of a program: from 0 or 1 up to the reach of a 32-bit offset in bytes.

    x {n,1024} of f32      n is at most 1,048,575, for which x has less than 2^32 bytes
    two of it mirrored     n is at least 3
    @param:x[most={8,-1}]  n is at most 8
    a sort along n         n is at most 4,096

If every result of a program is empty for a dim of 0, the program does nothing there, so that its kernels
have a dim of at least 1. The sizes of the results must show that too if they are simplified for this range:
min(n, 1) is 1 from n = 1 on, so that n begins at 0. A program with a maximum over the dim begins at 1, since
no elements have no maximum. Each of two named dims of a tensor may be as large as it may be if the other is
1; the launch checks the bytes of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asmgen.index import Index
from asmgen.index.expression import dim_symbol
from asmgen.index.nodes import Symbol
from asmgen.index.size import (
    Dim,
    Size,
    at,
    ceilings_of,
    floors_of,
    has_minimum,
    size_of,
    symbols_of,
)
from asmgen.ir.program import Module, Needs, Statement, Value
from asmgen.ir.types import I32, TensorType, tensor
from isa.diagnostics import InputError, Place

MOST_BYTES = 1 << 32  # of a buffer: the reach of a byte offset of 32 bits
LEAST_BYTES = (
    2  # an element counts as at least so many, so that a difference of an index and a size is an i32
)
LEAST_RANGE = 64  # a dim that is always smaller gains nothing by a name
PROVISIONAL = 65535  # the largest value of a dim while its range is not known
PROVISIONAL_LOW = 32768  # and the smallest: no slice that takes fewer elements is clamped
_RESERVED = frozenset(
    {"block", "row", "other", "part", "min", "floordiv", "mod", "to", "step", "wave"}
)  # in index expressions

Ranges = Mapping[str, Index]


def why_reserved(name: str) -> str:
    """Why a dim cannot have a name; empty if it can."""
    is_coordinate = name[:1] in ("c", "v", "d") and name[1:].isdigit()
    return f"{name} is a word of index expressions" if name in _RESERVED or is_coordinate else ""


def ranges_of(modules: Iterable[Module], is_clamped: bool = True) -> dict[str, dict[str, Index]]:
    """The range of each named dim of each module, by the module's name. Without clamped slices, a dim has
    at least the elements that slices take. Raises `InputError` GEN014 for a size without a range."""
    return {module.name: _ranges(module, is_clamped) for module in modules}


def unclamped(module: Module) -> dict[str, Dim]:
    """The named dims of a module, large enough that no slice is clamped; empty if they are large enough
    already."""
    ranges = _ranges(module, is_clamped=False)
    now = {
        symbol.name: symbol.low
        for type_, _ in tensors(module)
        for symbol in symbols_of((type_.span, *type_.dims))
    }
    is_less = any(range_.low > now.get(name, 0) for name, range_ in ranges.items())
    return {name: size_of(range_) for name, range_ in ranges.items()} if is_less else {}


def named_dims(types: Iterable[TensorType]) -> tuple[str, ...]:
    """The names in dims and strides, in their order."""
    names = [symbol.name for type_ in types for symbol in symbols_of((*type_.dims, *type_.strides))]
    return tuple(dict.fromkeys(names))


def tensors(module: Module) -> list[tuple[TensorType, Place | None]]:
    """The types of a module's tensors, each with the place of its statement."""
    return [
        (value.type, statement.place)
        for statement in module.statements
        for value in statement.results
        if isinstance(value.type, TensorType)
    ]


def _ranges(module: Module, is_clamped: bool) -> dict[str, Index]:
    least, bounds = _floors(module, is_clamped), _bounds(module)
    most: dict[str, int] = {}
    returned = [value.type for value in module.statements[-1].operands]
    results = [type_ for type_ in returned if isinstance(type_, TensorType)]
    written = [(tensor(type_.element, type_.dims), module.statements[-1].place) for type_ in results]
    for type_, place in (*tensors(module), *_places_of(module), *written):
        for symbol in dict.fromkeys(symbols_of((type_.span, *type_.dims))):
            limit = _limit(type_, symbol, {name: low for name, (low, _) in least.items()})
            if limit < LEAST_RANGE:
                _refuse_large(symbol.name, limit, place, module.name)
            most[symbol.name] = min(most.get(symbol.name, limit), limit)
    most = {name: min(limit, bounds.get(name, limit)) for name, limit in most.items()}
    from_one = {name: size_of(dim_symbol(name, 1, limit)) for name, limit in most.items()}
    shapes = [dims for type_ in results for dims in (type_.dims, at(type_.dims, from_one))]
    ranges: dict[str, Index] = {}
    for name, limit in most.items():
        low, place = least.get(name, (0, None))
        if max(low, 1) > limit:
            _refuse_small(name, max(low, 1), limit, place, module.name)
        is_one = all(0 in at(dims, {name: 0}) for dims in shapes) or _is_needed(name, module)
        ranges[name] = dim_symbol(name, max(low, int(is_one)), limit)
    return ranges


def _bounds(module: Module) -> dict[str, int]:
    """The largest value of each named dim that an argument states a bound for, or a statement needs."""
    bounds: dict[str, int] = {}
    for statement in module.statements:
        for need in needs_of(statement):
            for symbol, most in ceilings_of(need.expression + 1).items():
                bounds[symbol.name] = min(bounds.get(symbol.name, most), most)
        stated = statement.attributes.get("most", ()) if not statement.operands else ()
        type_ = statement.results[0].type if stated else None
        if not isinstance(stated, tuple) or not isinstance(type_, TensorType):
            continue
        for dim, most in zip(type_.dims, stated, strict=True):
            if isinstance(dim, Size) and isinstance(most, int) and most >= 0:
                bounds[str(dim)] = min(bounds.get(str(dim), most), most)
    return bounds


def needs_of(statement: Statement) -> list[Size]:
    """The sizes that a statement needs not to be negative."""
    needed = _sizes_by(statement.op.needs, statement)
    return [*needed, *_taken_elements(statement)] if statement.op.needs_elements else needed


def _taken_elements(statement: Statement) -> list[Size]:
    """The elements of a clamped slice less 1, along axes of a maximum."""
    before, after = statement.operands[0].type, statement.results[0].type
    if not isinstance(before, TensorType) or not isinstance(after, TensorType):
        return []
    less = [
        dim - 1
        for dim, left in zip(before.dims, after.dims, strict=False)
        if dim != left and has_minimum(dim)
    ]
    return [size for size in less if isinstance(size, Size)]


def _sizes_by(needs: Needs | None, statement: Statement) -> list[Size]:
    if needs is None:
        return []
    types = tuple([operand.type for operand in statement.operands])
    return [size for size in needs(statement.op, types, statement.attributes) if isinstance(size, Size)]


def _floors(module: Module, is_clamped: bool) -> dict[str, tuple[int, Place | None]]:
    """The smallest value of each dim that the statements allow, and the place of the first statement that
    requires it."""
    floors: dict[str, tuple[int, Place | None]] = {}
    for statement in module.statements:
        unclamped = [] if is_clamped else _sizes_by(statement.op.unclamped, statement)
        for need in (*needs_of(statement), *unclamped):
            for symbol, low in floors_of(need.expression + 1, MOST_BYTES).items():
                if low > floors.get(symbol.name, (0, None))[0]:
                    floors[symbol.name] = low, statement.place
    return floors


def _places_of(module: Module) -> list[tuple[TensorType, Place | None]]:
    """The indices among which a statement chooses, each an i32: for argmax those along its axis."""
    places: list[tuple[TensorType, Place | None]] = []
    for statement in module.statements:
        if not statement.op.finds_places:
            continue
        type_, axis = statement.operands[0].type, statement.attributes["axis"]
        if isinstance(type_, TensorType) and isinstance(axis, int):
            places.append((tensor(I32, (type_.dims[axis],)), statement.place))
    return places


def _is_needed(name: str, module: Module) -> bool:
    """Whether a statement removes the dim from a tensor and needs elements to do so, as a maximum does."""
    return any(
        statement.op.needs_elements
        and any(_has(name, value) for value in statement.operands)
        and not any(_has(name, value) for value in statement.results)
        for statement in module.walk()
    )


def _has(name: str, value: Value) -> bool:
    return isinstance(value.type, TensorType) and name in [
        symbol.name for symbol in symbols_of(value.type.dims)
    ]


def _limit(type_: TensorType, of: Symbol, least: Mapping[str, int]) -> int:
    """The largest value of a dim for which the bytes of a tensor are a number of 32 bits, with the other
    named dims at 1 or at `least`. A byte counts as `LEAST_BYTES`."""
    span, element_bytes = type_.span, max(type_.element.bytes, LEAST_BYTES)
    if not isinstance(span, Size):
        return MOST_BYTES - 1
    low, high = 0, MOST_BYTES - 1
    while low < high:
        middle = (low + high + 1) // 2
        values = {
            symbol: middle if symbol is of else max(1, least.get(symbol.name, 0))
            for symbol in span.expression.symbols
        }
        fits = span.expression.evaluate(values, 0) * element_bytes < MOST_BYTES
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def _refuse_large(name: str, limit: int, place: Place | None, module: str) -> None:
    raise InputError(
        place or module,
        "GEN014",
        f"a tensor has 2^32 bytes or more for {name} above {limit}, wanted a dim that may be {LEAST_RANGE}",
        help=f"write {name} as a number, or the other dims smaller",
    )


def _refuse_small(name: str, low: int, most: int, place: Place | None, module: str) -> None:
    raise InputError(
        place or module,
        "GEN014",
        f"{name} is at least {low} here, and at most {most} by the tensors that have it, wanted such a dim",
        help="take fewer elements",
    )
