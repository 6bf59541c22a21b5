"""Checks the rules of tile programs. An error names the broken rule and the statement.

- A name is defined once, before its use, and not used outside the region that it is in.
- Every layout has the bits of the kernel's lanes and waves, which are powers of two.
- The type of a result follows from the operands (`asmgen.blockwise.rules.infer`), and a stated type is
  that type.
- An attribute names ids of the workgroup, counters of the loops around it, and the coordinates and data of
  its own op.
- A region ends in its one `yield`, of the types that the loop carries.
- The tiles in LDS that are accessed between two barriers fit in the LDS of the target.
- A result of the program is a buffer that the kernel writes, and results are numbered from 0.
- A loop with stages keeps the rules for them (`asmgen.blockwise.rules.stages`).
- Between an access of LDS or of a buffer by a wave and the write of the same element by another wave is a
  barrier, and no two workgroups access an element that either writes (`asmgen.blockwise.rules.races`).
- An element of LDS is written before it is read (`asmgen.blockwise.rules.unwritten`).
- Scans that go on in other workgroups have words of their own (`asmgen.blockwise.rules.over_workgroups`).
- Workgroups add up tiles once, and go on wave by wave (`asmgen.blockwise.rules.summed_parts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.blockwise.actions import (
    Action,
    AsyncCopy,
    AsyncWait,
    Barrier,
    Contract,
    For,
    Iterate,
    LdsLoad,
    Parameter,
    Pointwise,
    TileStore,
    Waves,
    Yield,
    indices_of,
)
from asmgen.blockwise.layout.layout import Layout, is_power_of_two
from asmgen.blockwise.layout.text import layout_difference
from asmgen.blockwise.op_table import TileOpRow, row_of
from asmgen.blockwise.program import Kernel, TileRegion, TileStatement, TileValue
from asmgen.blockwise.rules.access import is_reserved, own_symbols
from asmgen.blockwise.rules.codes import BrokenRule, broken
from asmgen.blockwise.rules.copies import check_copy, check_target
from asmgen.blockwise.rules.infer import infer
from asmgen.blockwise.rules.lds_bytes import lds_bytes_of
from asmgen.blockwise.rules.over_workgroups import faults_over_workgroups
from asmgen.blockwise.rules.product import check_instruction, check_scales
from asmgen.blockwise.rules.races.judge import races
from asmgen.blockwise.rules.stages import stage_faults
from asmgen.blockwise.rules.summed_parts import faults_of_summed_parts
from asmgen.blockwise.rules.transposes import check_transposing
from asmgen.blockwise.rules.unwritten import unwritten
from asmgen.blockwise.types import MOST_OF_LANE, LdsType, TileType, Type
from asmgen.index import Symbol
from asmgen.ir.program import Relaunch, walk
from asmgen.ir.relaunches import fault as relaunch_fault
from asmgen.ir.types import TensorType
from asmgen.lanewise.records import NO_RESULT
from isa.diagnostics import InputError, InternalError, Place, nearest_names
from isa.named_tuple import NamedTuple
from isa.target import Target

MOST_WAVES = 32


class Fault(NamedTuple):
    """A broken rule and its place, which is None in a program that was built and not read from a text."""

    rule: str
    place: Place | None
    code: str = BrokenRule.code


def check(kernel: Kernel, target: Target) -> None:
    """Raise `InputError` for the first broken rule of a text, BLK012 if the target cannot copy so to LDS and
    BLK003 otherwise, `InternalError` for one of a program that was built.
    """
    for rule, place, code in faults(kernel, target):
        if place is not None:
            raise InputError(place, code, rule)
        raise InternalError("blockwise", kernel.name, rule)


def faults(kernel: Kernel, target: Target) -> Iterator[Fault]:
    """The broken rules, in the order of the statements."""
    try:
        _check_launch(kernel, target)
    except BrokenRule as rule:
        yield Fault(str(rule), kernel.place)
        return
    known = frozenset((*kernel.grid, *kernel.dims))
    found = list(_Scope(kernel, target).region(kernel.statements, set(), known))
    found = found or [
        Fault(f"{row_of(statement.op).name}: {rule}", statement.place)
        for rule, statement in (*faults_over_workgroups(kernel), *faults_of_summed_parts(kernel))
    ]
    yield from found or [
        Fault(f"{row_of(fault.statement.op).name}: {fault.rule}", fault.statement.place)
        for fault in (*stage_faults(kernel), *races(kernel), *unwritten(kernel))
    ]


def _check_launch(kernel: Kernel, target: Target) -> None:
    if not is_power_of_two(kernel.waves) or not 1 <= kernel.waves <= MOST_WAVES:
        broken(f"a workgroup of {kernel.waves} waves, wanted a power of two up to {MOST_WAVES}")
    if kernel.lanes != target.wave_size:
        broken(f"waves of {kernel.lanes} lanes, and the target's have {target.wave_size}")
    if kernel.waves * kernel.lanes > target.max_workgroup:
        broken(
            f"a workgroup of {kernel.waves * kernel.lanes} lanes, and the target's has "
            f"{target.max_workgroup} at most"
        )
    names = [symbol.name for symbol in kernel.grid]
    if len(names) > 3 or len(set(names)) != len(names) or any(is_reserved(name) for name in names):
        broken(
            f"the ids of the workgroup are {', '.join(names)}, wanted three at most, of "
            f"different names, none as c0, v0 or wave"
        )
    _check_results(kernel)
    total = lds_bytes_of(kernel)
    if total > target.lds_bytes:
        broken(f"the tiles in LDS have {total} bytes, and the target has {target.lds_bytes} for a workgroup")


def check_relaunches(kernels: Sequence[Kernel], relaunches: Sequence[Relaunch]) -> None:
    """A relaunch names parameters of its kernel, and the file states its results.

    Raises `InputError` BLK003 at the relaunch.
    """
    of_name = {kernel.name: kernel for kernel in kernels}
    for relaunch in relaunches:
        kernel = of_name[relaunch.kernel]
        names = {each.result: each.op.name for each in kernel.statements if isinstance(each.op, Parameter)}
        stored = {each.operands[1] for each in kernel.walk() if isinstance(each.op, TileStore)}
        written = [name for value, name in names.items() if value in stored]
        wrong = relaunch_fault(relaunch, [*names.values()], written)
        if wrong:
            raise InputError(
                relaunch.place or relaunch.kernel,
                "BLK003",
                wrong,
                help="docs/architecture.md describes relaunches",
            )
    if relaunches and not any(each.results for each in (*kernels, *relaunches)):
        message = "the file launches a kernel again and states no results, wanted results(NAME: 0)"
        raise InputError(relaunches[0].place or relaunches[0].kernel, "BLK003", message)


def check_result_numbers(launches: Sequence[Kernel | Relaunch]) -> None:
    """The results that the kernels and relaunches of a file state are numbered from 0, each number once.

    Raises `InputError` BLK003 at the kernel with the first number that is taken or too high.
    """
    count = sum(len(launch.results) for launch in launches)
    taken: dict[int, str] = {}
    for launch in launches:
        for name, number in launch.results:
            if number >= count or number in taken:
                why = f"has {taken[number]} already" if number in taken else "leaves a number out"
                wanted = f"wanted the numbers from 0 to {count - 1}, each once"
                message = f"results({name}: {number}) {why}; the file states {count} results, {wanted}"
                raise InputError(launch.place or "results", "BLK003", message)
            taken[number] = name


def check_results_over(kernels: Sequence[Kernel]) -> None:
    """A result that a buffer states is a result that the kernel writes there, by its `results(...)`.

    Raises `InputError` BLK003 at the buffer.
    """
    for kernel in kernels:
        numbers = dict(kernel.results)
        for statement in kernel.statements:
            if isinstance(statement.op, Parameter) and statement.op.result != NO_RESULT:
                name, number = statement.op.name, statement.op.result
                if numbers.get(name) != number:
                    known = f"results({name}: {number})"
                    message = (
                        f"{name} states result {number}, and the kernel does not, wanted {known} in its head"
                    )
                    help = "leave [result=...] out if the buffer is not an argument"
                    raise InputError(statement.place or kernel.name, "BLK003", message, help=help)


def _check_additions(kernel: Kernel) -> None:
    """A kernel that adds to a buffer has no other access of it: nothing would order them."""
    added = {s.operands[1] for s in kernel.walk() if isinstance(s.op, TileStore) and s.op.adds}
    for statement in kernel.walk() if added else ():
        is_addition = isinstance(statement.op, TileStore) and statement.op.adds
        others = statement.operands[2:] if is_addition else statement.operands
        shared = [operand for operand in others if operand in added]
        if shared:
            broken(
                f"{shared[0].name} is added to, and {row_of(statement.op).name} accesses it; use two kernels"
            )


def _check_results(kernel: Kernel) -> None:
    """A result is a buffer that the kernel writes, named once. A result without elements needs no store."""
    parameters = {s.op.name: s.result for s in kernel.statements if isinstance(s.op, Parameter)}
    stored = {s.operands[1] for s in kernel.walk() if isinstance(s.op, TileStore)}
    for name, _ in kernel.results:
        if name not in parameters:
            broken(f"{name} is not a buffer of the kernel, which has {', '.join(parameters) or 'none'}")
        type_ = parameters[name].type
        is_empty = isinstance(type_, TensorType) and 0 in type_.dims
        if parameters[name] not in stored and not is_empty:
            broken(
                f"results({name}: ...) names a buffer that the kernel does not write; store a tile to {name}"
            )
    _check_additions(kernel)
    names = [name for name, _ in kernel.results]
    for name in names:
        if names.count(name) > 1:
            broken(f"results(...) names {name} twice, wanted each buffer once")


class _Scope:
    """Goes through the statements of a kernel, with the names that are defined at each of them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self._kernel = kernel
        self._target = target
        self._part: Waves | None = None  # the waves of the region around
        self._part_of: dict[TileValue, Waves | None] = {}  # the waves that have a tile, None for all
        self._taken: set[str] = set()

    def region(
        self, statements: tuple[TileStatement, ...], visible: set[TileValue], symbols: frozenset[Symbol]
    ) -> Iterator[Fault]:
        for statement in statements:
            try:
                self._statement(statement, visible, symbols)
            except BrokenRule as rule:
                yield Fault(f"{row_of(statement.op).name}: {rule}", statement.place, rule.code)
                return
            for region in statement.regions:
                yield from self._inside(statement.op, region, visible, symbols)
            visible |= set(statement.results)

    def _inside(
        self, action: Action, region: TileRegion, visible: set[TileValue], symbols: frozenset[Symbol]
    ) -> Iterator[Fault]:
        """The rules of a loop's region, or of a region of some waves."""
        if isinstance(action, For):
            inner = visible | set(region.parameters)
            yield from self.region(region.statements, inner, symbols | {action.counter})
            yield from self._other_parts(region)
        elif isinstance(action, Waves):
            self._part = action
            yield from self.region(region.statements, set(visible), symbols)
            self._part = None

    def _statement(
        self, statement: TileStatement, visible: set[TileValue], symbols: frozenset[Symbol]
    ) -> None:
        row = row_of(statement.op)
        check_count(row, len(statement.operands))
        for operand in statement.operands:
            if operand not in visible:
                broken(f"{operand.name} is not defined here")
            self._check_part(statement.op, operand)
        self._define(statement.results)
        parts = [self._part for _ in statement.results]
        if isinstance(statement.op, For):
            parts = [self._part_of.get(operand) for operand in statement.operands]
            self._part_of |= zip(statement.regions[0].parameters, parts, strict=False)
        elif isinstance(statement.op, Waves):
            parts = [statement.op for _ in statement.results]
        self._part_of |= zip(statement.results, parts, strict=False)
        self._check_types(row, statement)
        _check_symbols(statement, symbols)
        if len(statement.regions) != row.has_region:
            broken(f"it has {len(statement.regions)} regions, wanted {int(row.has_region)}")
        if isinstance(statement.op, For):
            self._check_loop(statement.op, statement, symbols)
        if isinstance(statement.op, Waves):
            self._check_waves(statement.op, statement)

    def _check_part(self, action: Action, operand: TileValue) -> None:
        """A tile is read by the waves that have it. A loop of all waves carries any tile."""
        part = self._part_of.get(operand)
        if not isinstance(operand.type, TileType) or part == self._part:
            return
        if not (self._part is None and isinstance(action, For | Yield)):
            around = "wanted a region of these waves around its reader"
            broken(f"{operand.name} is a tile of {_of_part(part)}, {around}")

    def _other_parts(self, region: TileRegion) -> Iterator[Fault]:
        """The tiles that a loop yields in the place of tiles of other waves."""
        last = region.statements[-1]
        for value, parameter in zip(last.operands, region.parameters, strict=False):
            own, carried = self._part_of.get(value), self._part_of.get(parameter)
            if own != carried:
                has = f"{value.name} is a tile of {_of_part(own)}"
                rule = f"{has}, and the loop carries a tile of {_of_part(carried)}"
                yield Fault(f"yield: {rule}", last.place)

    def _count(self, value: TileValue) -> int:
        """The number of the waves that have a tile."""
        part = self._part_of.get(value)
        return part.count if part is not None else self._kernel.waves

    def _check_waves(self, action: Waves, statement: TileStatement) -> None:
        (region,), waves = statement.regions, self._kernel.waves
        if not is_power_of_two(action.count) or action.first % action.count or action.stop > waves:
            broken(
                f"the waves from {action.first} to before {action.stop}, wanted some of the {waves}, "
                f"in a number that is a power of two and divides the first"
            )
        for inner in walk(region.statements):
            if isinstance(inner.op, Barrier | Waves) or (isinstance(inner.op, For) and inner.op.staggered):
                what = "a staggered loop" if isinstance(inner.op, For) else row_of(inner.op).name
                broken(f"{what} is in it, which all waves have to reach; end the region before it")
        check_region(region, tuple([value.type for value in statement.results]))

    def _define(self, values: tuple[TileValue, ...]) -> None:
        for value in values:
            if value.name in self._taken:
                broken(f"{value.name} is defined a second time")
            self._taken.add(value.name)

    def _check_types(self, row: TileOpRow, statement: TileStatement) -> None:
        stated = tuple([value.type for value in statement.results])
        if not isinstance(statement.op, Waves):
            written = stated[0] if row.states_type and stated else None
            types = infer(statement.op, tuple([operand.type for operand in statement.operands]), written)
            check_results(types, stated)
        if isinstance(statement.op, Contract) and statement.op.by:
            a, b, c, *scales = [each.type for each in statement.operands if isinstance(each.type, TileType)]
            check_instruction((a, b, c), statement.op.by, self._target)
            check_scales(scales, (a, b, c), statement.op.by, self._target)
        if isinstance(statement.op, LdsLoad) and statement.op.by:
            tile, lds = statement.result.type, statement.operands[0].type
            assert isinstance(tile, TileType) and isinstance(lds, LdsType), "its rule has checked them"
            check_holders(tile.layout, self._kernel.lanes, self._count(statement.result))
            check_transposing(statement.op, tile, lds, self._target)
        if isinstance(statement.op, AsyncCopy):
            waves = self._part.count if self._part is not None else self._kernel.waves
            check_holders(statement.op.layout, self._kernel.lanes, waves)
            lds = statement.operands[1].type
            assert isinstance(lds, LdsType), "its rule has checked it"
            check_copy(statement.op, lds, self._target)
        if isinstance(statement.op, AsyncWait):
            check_target(self._target)
        for value in statement.results:
            if isinstance(value.type, TileType):
                check_holders(value.type.layout, self._kernel.lanes, self._count(value))

    def _check_loop(self, action: For, statement: TileStatement, symbols: frozenset[Symbol]) -> None:
        counter, (region,) = action.counter, statement.regions
        if action.step < 1:
            broken(f"the step is {action.step}, wanted a positive number")
        if action.staggered and self._kernel.waves == 1:
            broken("a staggered loop parts the waves in two halves, and the kernel has a single wave")
        inside = [one.op for one in walk(region.statements) if isinstance(one.op, For)]
        if action.staggered and any(loop.staggered for loop in inside):
            broken("a staggered loop is in a staggered loop, wanted a single staggered loop of the two")
        if is_reserved(counter.name) or counter.name in {symbol.name for symbol in symbols}:
            broken(f"the counter {counter.name} has the name of another index")
        self._define(region.parameters)
        check_results(
            tuple([value.type for value in statement.operands]),
            tuple([value.type for value in region.parameters]),
        )
        check_region(region, tuple([value.type for value in statement.results]))


def _of_part(part: Waves | None) -> str:
    return f"waves[{part.first} to {part.stop}]" if part is not None else "all waves"


def check_count(row: TileOpRow, count: int) -> None:
    if count < row.least or (row.most is not None and count > row.most):
        wanted = f"at least {row.least}" if row.most is None else f"{row.least}"
        broken(f"{count} operands, wanted {wanted}")


def check_results(inferred: tuple[Type, ...], stated: tuple[Type, ...]) -> None:
    """The types that a statement states are those that follow from its operands."""
    if len(inferred) != len(stated):
        broken(f"{len(stated)} values, wanted {len(inferred)}")
    for want, have in zip(inferred, stated, strict=True):
        if want == have:
            continue
        if isinstance(want, TileType) and isinstance(have, TileType) and want.element is have.element:
            broken(
                f"the layout does not follow from the operands: they differ in "
                f"{layout_difference(have.layout, want.layout)}"
            )
        broken("the type does not follow from the operands")


def check_region(region: TileRegion, carried: tuple[Type, ...]) -> None:
    ends = [isinstance(statement.op, Yield) for statement in region.statements]
    if not ends or not ends[-1] or any(ends[:-1]):
        broken("its region does not end in its only yield")
    check_results(carried, tuple([value.type for value in region.yielded]))


def check_holders(layout: Layout, lanes: int, waves: int) -> None:
    """The layout has the bits of a kernel's lanes and waves."""
    if (layout.lane_count, layout.wave_count) != (lanes, waves):
        has = f"{len(layout.lanes)} lane bits and {len(layout.waves)} wave bits"
        broken(
            f"the layout has {has}, wanted {lanes.bit_length() - 1} and "
            f"{waves.bit_length() - 1} for {waves} waves of {lanes}"
        )
    if layout.register_count > MOST_OF_LANE:
        broken(f"a lane has {layout.register_count} elements of the tile, wanted {MOST_OF_LANE} at most")


def _check_symbols(statement: TileStatement, symbols: frozenset[Symbol]) -> None:
    own = _own_symbols(statement)
    by_name = {symbol.name: symbol for symbol in (*symbols, *own)}
    for index in indices_of(statement.op):
        for used in sorted(index.symbols, key=lambda symbol: symbol.name):
            known = by_name.get(used.name)
            if known is None:
                broken(
                    f"{used.name} is not an index here, "
                    f"wanted one of {nearest_names(used.name, sorted(by_name))}"
                )
            if known is not used:
                broken(
                    f"{used.name} is taken from {used.low} to {used.high}, and is from "
                    f"{known.low} to {known.high}"
                )


def _own_symbols(statement: TileStatement) -> frozenset[Symbol]:
    """The coordinates of the op's tile, and the data among its operands."""
    types = tuple([value.type for value in (*statement.results, *statement.operands)])
    layout = access_layout(statement.op, types)
    data = max(0, len(statement.operands) - row_of(statement.op).least)
    if layout is None:
        return frozenset()
    return own_symbols(layout, 0 if isinstance(statement.op, Pointwise | Iterate) else data)


def access_layout(action: object, types: tuple[Type, ...]) -> Layout | None:
    """The layout for the coordinates in an op's attributes: that of its result, or of its first operand that
    is a tile. A loop has none: its bounds have no coordinates.
    """
    if isinstance(action, For):
        return None
    if isinstance(action, AsyncCopy):
        return action.layout
    return next((type_.layout for type_ in types if isinstance(type_, TileType)), None)
