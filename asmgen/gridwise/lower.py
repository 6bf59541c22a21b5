"""From launches to tile programs: the schedule of a launch writes its body as tiles, with the buffers' names.

The launch states a grid, and the schedule computes a grid from its choices. They must be the same, or the
text is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from asmgen.blockwise.actions import Parameter as BufferOf
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.schedules.choices import choice_text
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit, misfit_of_powers
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.schedules.work import ALL_GROUPS
from asmgen.blockwise.types import MOST_OF_LANE, TileType
from asmgen.graph.compose.compose import is_composed
from asmgen.graph.compose.decompose import is_decomposed
from asmgen.graph.ops import DOT_GENERAL
from asmgen.gridwise import rules
from asmgen.gridwise.program import GridFile, Launch, LaunchProgram, Result
from asmgen.gridwise.rules import Fault
from asmgen.index import Index, constant
from asmgen.index.size import Dim, size_of
from asmgen.ir.program import Relaunch, Statement
from isa.target import Target


def tile_program(file: GridFile, propagates_nan: bool = False) -> TileProgram:
    """The kernels of a file, in the order of its launches. Raises `InputError` for a choice or an op that no
    schedule has, and for a grid that is not its schedule's. `propagates_nan` is the rule of max and min.
    """
    target = file.target.target
    return numbered(
        file,
        [
            tile_kernel(program, launch, target, propagates_nan)
            for program in file.programs
            for launch in program.kernels
        ],
    )


def numbered(file: GridFile, kernels: Sequence[Kernel]) -> TileProgram:
    """The tile program of a file. With several launches, or a kernel that stores nothing, each launch lists
    the buffers that are results, as numbers over the whole file.
    """
    place = {result.name: result.over or result.name for each in file.programs for result in each.results}
    is_plain = all(name == memory for name, memory in place.items())
    is_single = sum([len(each.launches) for each in file.programs]) == 1
    if is_single and is_plain and all(0 not in each.dims for each in file.programs[0].types.values()):
        return TileProgram(file.target, tuple(kernels))
    renumbered: list[Kernel] = []
    relaunches: list[Relaunch] = []
    remaining, first = iter(kernels), 0
    for program in file.programs:
        numbers = {result.name: number for number, result in enumerate(program.results, first)}
        first += len(numbers)
        last = {name: launch.name for launch in program.launches for name in launch.writes}
        of_name = {launch.name: launch for launch in program.kernels}
        for launch in program.launches:
            own = [name for name in launch.writes if name in numbers and last[name] == launch.name]
            results = tuple([(place[name], numbers[name]) for name in own])
            if launch.runs:
                buffers = _other_buffers(of_name[launch.runs], launch)
                relaunches.append(Relaunch(launch.runs, len(renumbered), buffers, results))
                continue
            over = {place[name]: numbers[name] for name in own if place[name] != name}
            renumbered.append(_over(replace(next(remaining), results=results), over))
    return TileProgram(file.target, tuple(renumbered), tuple(relaunches))


def _other_buffers(first: Launch, launch: Launch) -> tuple[tuple[str, str], ...]:
    """The buffers of a launch of the kernel of `first`, by the parameters of the kernel."""
    pairs = zip((*first.reads, *first.writes), (*launch.reads, *launch.writes), strict=True)
    return tuple(dict([pair for pair in pairs if pair[0] != pair[1]]).items())


def _over(kernel: Kernel, numbers: Mapping[str, int]) -> Kernel:
    """The kernel with the number of the result that is in the memory of an argument stated there."""
    if not numbers:
        return kernel
    statements = [
        replace(each, op=replace(each.op, result=numbers[each.op.name]))
        if isinstance(each.op, BufferOf) and each.op.name in numbers
        else each
        for each in kernel.statements
    ]
    return replace(kernel, statements=tuple(statements))


def tile_kernel(
    program: LaunchProgram, launch: Launch, target: Target, propagates_nan: bool = False
) -> Kernel:
    broken = next(choice_faults(launch, target), None)
    if broken:
        broken.raise_(program.name)
    unfit = misfit(Graph(launch.body), launch.choice, target)
    if unfit:
        Fault(rules.FITS, f"{launch.name}: {unfit}", launch.place).raise_(program.name)
    kernel = schedule(launch.body, launch.choice, target, launch.writes, propagates_nan)
    kernel = launched_if(kernel, program.when_of(launch))
    most = most_of_lane(kernel)
    if most > MOST_OF_LANE:
        words = f"{launch.name}: a lane has {most} elements of a tile, wanted {MOST_OF_LANE} at most"
        Fault(rules.FITS, words, launch.place).raise_(program.name)
    grid, shared = program.grid_of(launch), grid_of(kernel)
    if grid != shared:
        Fault(
            rules.SHARED,
            f"the grid of {launch.name} is {grid}, and its schedule has work for {shared}",
            launch.place,
        ).raise_(program.name)
    over = [result for result in program.results if result.over]
    return _in_place(program, launch, kernel, over) if over else kernel


def launched_if(kernel: Kernel, when: Index | None) -> Kernel:
    """The kernel without workgroups if the condition is 0."""
    if when is None:
        return kernel
    first, *others = kernel.workgroups
    count = when * first if isinstance(first, int) else constant(first).smaller(when * ALL_GROUPS)
    counts = (size_of(count), *others)
    dims = dict.fromkeys((*kernel.dims, *sorted(when.symbols, key=lambda symbol: symbol.name)))
    return replace(kernel, counts=counts, dims=tuple(dims))


def _in_place(program: LaunchProgram, launch: Launch, kernel: Kernel, results: Sequence[Result]) -> Kernel:
    """The kernel of a launch with one buffer for each of these results and the parameter that it is over."""
    from asmgen.gridwise.one_buffer import shared_buffer

    for result in results:
        is_read = result.over in launch.reads and result.name in launch.writes
        kernel, race = shared_buffer(kernel, result.over, result.name, is_read)
        if race:
            Fault(rules.IN_PLACE, f"{launch.name}: {race}", launch.place).raise_(program.name)
    return kernel


def most_of_lane(kernel: Kernel) -> int:
    """The largest number of elements of a tile in a lane."""
    types = [value.type for statement in kernel.walk() for value in statement.results]
    return max([type_.layout.register_count for type_ in types if isinstance(type_, TileType)], default=0)


def choice_faults(launch: Launch, target: Target) -> Iterator[Fault]:
    """The faults of a launch's choices, whatever its grid."""
    choice, fault = launch.choice, partial(Fault, place=launch.place)
    for statement in launch.body.statements:
        if is_composed(statement) or is_decomposed(statement.op) or statement.op is DOT_GENERAL:
            place = None if launch.place is None else statement.place
            yield Fault(rules.LOWERED, f"{launch.name} has {statement.op.name} of {_types(statement)}", place)
            return
    body = Graph(launch.body).body
    if choice.body is not body:
        yield fault(rules.PAGE, f"{launch.name} has {body.value}, and is lowered by {choice_text(choice)}")
        return
    unfit = misfit_of_powers(choice, target)
    if unfit:
        yield fault(rules.POWERS, f"{launch.name}: {unfit}")


def _types(statement: Statement) -> str:
    return ", ".join(
        dict.fromkeys([value.type.element.name for value in (*statement.operands, *statement.results)])
    )


def grid_of(kernel: Kernel) -> tuple[Dim, Dim, Dim]:
    """The workgroups along x, y and z."""
    x, y, z = (*kernel.workgroups, 1, 1, 1)[:3]
    return x, y, z
