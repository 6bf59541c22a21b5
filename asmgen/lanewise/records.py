"""The attributes of lanewise's ops as records with types.

A statement has its attributes by name, as in text. Code that reads them asks for the record of the op:

    access = Access.of(statement)
    access.offset                       an int

The op's row has checked each attribute when the statement was made (`infer`), so another kind of value is an
`InternalError`.
"""

from __future__ import annotations

from typing import NoReturn, cast

from asmgen.graph.ops import LITERAL
from asmgen.index import Index, constant, symbol
from asmgen.index.size import Dim, Size
from asmgen.ir.constants import Constants, Numbers
from asmgen.ir.program import Statement
from asmgen.ir.types import LaneType
from asmgen.lanewise.result_types import UNNAMED
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple

Number = int | float | bool
Sizes = tuple[int, int, int]
Grid = tuple[Dim, Dim, Dim]


def _bad(statement: Statement, name: str, wanted: str) -> NoReturn:
    message = f"{statement.op.name} has {name}={statement.attributes.get(name)!r}, wanted {wanted}"
    raise InternalError("attributes", str(statement.place or statement.op.name), message)


def _integer(statement: Statement, name: str) -> int:
    value = statement.attributes.get(name)
    return value if isinstance(value, int) else _bad(statement, name, "an integer")


def trip_of(loop: Statement) -> str:
    """The name of the trip number of a `for`; empty if it has none."""
    name = _word(loop, "trip")
    return "" if name == UNNAMED else name


def slots_of(allocation: Statement) -> int:
    """How many slots of the same size `lds_allocate` has."""
    return _integer(allocation, "slots")


def _word(statement: Statement, name: str) -> str:
    value = statement.attributes.get(name)
    return value if isinstance(value, str) else _bad(statement, name, "a word")


def _integers(statement: Statement, name: str) -> tuple[int, ...]:
    value = statement.attributes.get(name)
    if not isinstance(value, tuple):
        _bad(statement, name, "integers")
    return tuple(item if isinstance(item, int) else _bad(statement, name, "integers") for item in value)


def _sizes(statement: Statement, name: str) -> Sizes:
    sizes = _integers(statement, name)
    return (sizes[0], sizes[1], sizes[2]) if len(sizes) == 3 else _bad(statement, name, "three sizes")


def _grid(statement: Statement) -> Grid:
    value = statement.attributes.get("grid")
    found = [size for size in value if isinstance(size, int | Size)] if isinstance(value, tuple) else []
    return (found[0], found[1], found[2]) if len(found) == 3 else _bad(statement, "grid", "three sizes")


def numbers_of(literal: Statement) -> Numbers:
    """The values of a `@literal`, row-major or lane by lane."""
    value = literal.attributes.get("values")
    if isinstance(value, Constants):
        return value
    if not isinstance(value, tuple):
        _bad(literal, "values", "numbers")
    return tuple(
        item if isinstance(item, int | float) else _bad(literal, "values", "numbers") for item in value
    )


def splat_literal(statement: Statement) -> Number | None:
    """The number in every lane of a lane literal; None for other statements, tensors, and literals with
    different lanes."""
    if statement.op is not LITERAL or not isinstance(statement.result.type, LaneType):
        return None
    values = numbers_of(statement)
    first = values[0]
    return first if all(repr(value) == repr(first) for value in values) else None


def axis_of(statement: Statement) -> int:
    """The coordinate that `workgroup_id` or `local_id` gives."""
    return _integer(statement, "axis")


def size_of(allocation: Statement) -> int:
    """Elements of an `lds_allocate`."""
    return _integer(allocation, "size")


def lane_of(statement: Statement) -> int:
    """The number in the wave that `is_lane` asks for, or the number in the row of a `row_broadcast`."""
    return _integer(statement, "lane")


def mask_of(statement: Statement) -> int:
    """The bits of the lane's number in which the lanes of a `lane_exchange` differ."""
    return _integer(statement, "mask")


def instruction_of(statement: Statement) -> str:
    """The operation that a `matrix` or an `lds_transpose_load` names."""
    return _word(statement, "by")


def classes_of(statement: Statement) -> int:
    """The float classes that `is_class` tests, a bit each."""
    return _integer(statement, "mask")


def scales_numerator(statement: Statement) -> bool:
    """Whether `div_scale` scales the numerator, and not the denominator."""
    return bool(_integer(statement, "numerator"))


NO_RESULT = -1


class LaunchAttributes(NamedTuple):
    """`launch`: the grid in workgroups, the workgroup in work-items, and for each output the number of a
    result of the program, or `NO_RESULT` if only later kernels read it. Without numbers all outputs are
    results, in order. `open` names the part of the launch that is unknown at compile time: `none`, the
    `grid`, or the `block` too."""

    grid: Grid
    block: Sizes
    results: tuple[int, ...]
    open: str

    @classmethod
    def of(cls, statement: Statement) -> LaunchAttributes:
        results = _integers(statement, "results")
        return cls(_grid(statement), _sizes(statement, "block"), results, _word(statement, "open"))

    @property
    def has_any_grid(self) -> bool:
        """Whether the launch says the grid, and `grid` nothing."""
        return self.open != "none"

    @property
    def has_any_block(self) -> bool:
        """Whether the launch says the shape of a workgroup, of at most as many work-items as `block` has."""
        return self.open == "block"

    @property
    def lanes(self) -> int:
        """Work-items of a workgroup: the most that it may have."""
        x, y, z = self.block
        return x * y * z


class Access(NamedTuple):
    """A load, a store or an atomic operation: elements that a lane moves, and bytes added to the address."""

    size: int
    offset: int

    @classmethod
    def of(cls, statement: Statement) -> Access:
        size = _integer(statement, "size") if "size" in statement.attributes else 1
        return cls(size, _integer(statement, "offset"))


def pending_of(wait: Statement) -> int:
    """How many `load_to_lds` may be under way after an `async_wait`."""
    return _integer(wait, "pending")


def level_of(priority: Statement) -> int:
    """The priority that a statement sets."""
    return _integer(priority, "level")


class Touched(NamedTuple):
    """The memory that an access may touch, as its attributes `slot`, `at` and `bytes` state it: a slot of the
    buffer, and for each active lane the bytes of its value from a byte between `at + n` and `at + n + spread`
    of the slot on, for an n of first, first + step, ..., last. Empty `bytes` are any bytes of the slot.

    The symbols of the indices are the same in all lanes of a workgroup: `trip` of a loop around, `workgroup0`
    to `workgroup2` for the ids of the workgroup, and the names of arguments by value.
    """

    slot: Index = constant(0)
    at: Index = constant(0)
    bytes: tuple[int, int, int, int] | tuple[()] = ()

    @classmethod
    def of(cls, statement: Statement) -> Touched:
        """The attributes have these types by the op's row; `asmgen.lanewise.verify.touched` checks texts."""
        stated = statement.attributes
        slot, at = cast("Index", stated["slot"]), cast("Index", stated["at"])
        return cls(slot, at, cast("tuple[int, int, int, int]", stated["bytes"]))


ANY_BYTES = Touched()


def workgroup_symbol(axis: int) -> Index:
    """The symbol that is the id of a workgroup along an axis."""
    return symbol(f"workgroup{axis}")


class Multiple(NamedTuple):
    """`multiple`: the factor, and the largest number that is multiplied by it."""

    by: int
    most: int

    @classmethod
    def of(cls, statement: Statement) -> Multiple:
        return cls(_integer(statement, "by"), _integer(statement, "most"))


class Extract(NamedTuple):
    """`extract`: the first lane, and how many."""

    first: int
    size: int

    @classmethod
    def of(cls, statement: Statement) -> Extract:
        return cls(_integer(statement, "index"), _integer(statement, "size"))


class Reduction(NamedTuple):
    """`lane_reduce`, `dpp_reduce`, `reduce_waves`: the combining op, the number of lanes or waves, 0 for a
    vector's lanes, and whether `dpp_reduce` keeps a NaN."""

    op: str
    over: int
    keeps_nan: bool = False

    @classmethod
    def of(cls, statement: Statement) -> Reduction:
        counted = next((name for name in ("lanes", "waves") if name in statement.attributes), None)
        keeps_nan = bool(statement.attributes.get("keeps_nan"))
        return cls(_word(statement, "op"), 0 if counted is None else _integer(statement, counted), keeps_nan)


def lanes_together(statement: Statement) -> int:
    """How many lanes an op goes over: `dpp_reduce`, `dpp_scan`, `lane_before`."""
    return _integer(statement, "lanes")


class LaneScan(NamedTuple):
    """`dpp_scan` and `lane_before`: over how many lanes, and whether from the last on."""

    lanes: int
    reverse: bool

    @classmethod
    def of(cls, statement: Statement) -> LaneScan:
        return cls(_integer(statement, "lanes"), bool(statement.attributes["reverse"]))


class LaneStep(NamedTuple):
    """`lane_step`: of a reduction, a scan or a reversed scan, and how many lanes are combined already."""

    way: str
    combined: int

    @classmethod
    def of(cls, statement: Statement) -> LaneStep:
        return cls(_word(statement, "way"), _integer(statement, "combined"))


class Atomic(NamedTuple):
    """An atomic operation: its kind, empty for a compare and swap; its order, its scope, and bytes added to
    the address."""

    op: str
    order: str
    scope: str
    offset: int

    @classmethod
    def of(cls, statement: Statement) -> Atomic:
        op = _word(statement, "op") if "op" in statement.attributes else ""
        scope = _word(statement, "scope") if "scope" in statement.attributes else "workgroup"
        return cls(op, _word(statement, "order"), scope, _integer(statement, "offset"))
