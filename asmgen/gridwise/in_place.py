"""Results that are written to the memory of donated arguments.

    a = @param:a[donated=true, result=0] -> f32, {64,1000}      add = result[over=a] -> f32, {64,1000}

A result may be over an argument if

- no launch after the first that writes the result reads the argument, and
- in a launch that reads the argument and writes the result, no workgroup writes an element that another
  accesses, and no wave writes an element that another may still read. The tile program of the launch says so,
  with one buffer for both (`asmgen.blockwise.rules.races`), and
- in such a launch no load of an element of the argument comes after a store of that element.

The kernels then have a single parameter for both, so the passes order its loads and stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from asmgen.blockwise.actions import Barrier
from asmgen.blockwise.actions import Parameter as BufferOf
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.races.accesses import accesses
from asmgen.blockwise.rules.races.buffers import BufferQuestions, is_by_data
from asmgen.blockwise.rules.races.judge import races
from asmgen.blockwise.rules.races.meeting import Order
from asmgen.blockwise.rules.races.path import Access, Path
from asmgen.blockwise.rules.races.walk import follow
from asmgen.graph.donations import Donation, donations
from asmgen.gridwise.program import GridFile, LaunchProgram, Result
from asmgen.gridwise.verify import misplaced
from asmgen.index.search import TooManyParts
from asmgen.ir.program import Module, Program, Region

_ANY_WAVES = Order((True, True, True, True), 1, may_go_on=True)


def in_place(
    module: Module, program: LaunchProgram, kernels: Sequence[Kernel]
) -> tuple[LaunchProgram, list[Kernel]]:
    """The program with results over the arguments that the graph donates, as far as that is legal."""
    made = list(kernels)
    for donation in sorted(donations(module), key=lambda each: each.result is None):
        for number in _candidates(donation, program):
            if not refusal(program, made, donation.parameter, number):
                name = program.results[number].name
                made = [in_one_buffer(kernel, donation.parameter, name) for kernel in made]
                program = _over(program, name, donation.parameter)
                break
    return program, made


def _candidates(donation: Donation, program: LaunchProgram) -> Sequence[int]:
    return range(len(program.results)) if donation.result is None else (donation.result,)


def _over(program: LaunchProgram, result: str, parameter: str) -> LaunchProgram:
    buffers = [
        replace(each, over=parameter) if isinstance(each, Result) and each.name == result else each
        for each in program.buffers
    ]
    return replace(program, buffers=tuple(buffers))


def refusal(program: LaunchProgram, kernels: Sequence[Kernel], parameter: str, number: int) -> str:
    """Why a result cannot be over an argument; empty if it can. `kernels` are those of the launches."""
    result = program.results[number]
    if result.over:
        return f"result {number} is over {result.over}"
    why = misplaced(program, result, parameter)
    if why:
        return why
    for launch, kernel in zip(program.launches, kernels, strict=True):
        if parameter in launch.reads and result.name in launch.writes:
            why = race_in(in_one_buffer(kernel, parameter, result.name), parameter)
            if why:
                return f"{launch.name}: {why}"
    return ""


def in_one_buffer(kernel: Kernel, parameter: str, result: str) -> Kernel:
    """The kernel with the buffer of an argument in the place of that of a result."""
    buffers = {each.op.name: each for each in kernel.statements if isinstance(each.op, BufferOf)}
    if result not in buffers:
        return kernel
    replaced = buffers[result]
    if parameter not in buffers:
        renamed = replace(replaced, op=BufferOf(parameter))
        statements = tuple([renamed if each is replaced else each for each in kernel.statements])
        return replace(kernel, statements=statements)
    kept = [each for each in kernel.statements if each is not replaced]
    return replace(kernel, statements=_on(kept, replaced.result, buffers[parameter].result))


def _on(
    statements: Sequence[TileStatement], before: TileValue, after: TileValue
) -> tuple[TileStatement, ...]:
    """Statements on another buffer, also inside of regions."""
    return tuple(
        [
            replace(
                each,
                operands=tuple([after if operand is before else operand for operand in each.operands]),
                regions=tuple(
                    [
                        Region(region.parameters, _on(region.statements, before, after))
                        for region in each.regions
                    ]
                ),
            )
            for each in statements
        ]
    )


def race_in(kernel: Kernel, buffer: str) -> str:
    """How accesses of a buffer race, or come too late; empty if none do. Accesses without a known place may
    race."""
    value = next(
        each.result for each in kernel.statements if isinstance(each.op, BufferOf) and each.op.name == buffer
    )
    for statement in kernel.walk():
        if value in statement.operands:
            known = [each for each in accesses(statement, (), None) if each.memory is value]
            if not known or any(is_by_data(each) for each in known):
                return f"the elements of {buffer} that it accesses depend on data"
    race = next(races(kernel), None)
    return _late_read(kernel, value) if race is None else race.rule


def _late_read(kernel: Kernel, buffer: TileValue) -> str:
    """That a load of a buffer comes after a store to an element that it reads, in any trip of a loop; empty
    if none does. Such a load would read the result instead of the argument."""
    questions = BufferQuestions(kernel)
    late: list[TileStatement] = []

    def judge(path: Path, access: Access) -> None:
        if path.access.tile.writes and not access.tile.writes and not late:
            late.extend([access.statement] if _may_meet(questions, path, access) else [])

    statements = _without_barriers(kernel.statements)  # which end a path, and order no load before a store
    follow(replace(kernel, statements=statements), frozenset((buffer,)), judge)
    return f"{buffer.name} is read again after it is written" if late else ""


def _may_meet(questions: BufferQuestions, path: Path, access: Access) -> bool:
    """Whether a wave at the end of a path may access an element that a wave accessed at its start."""
    if not questions.may_meet(path.access, access):
        return False
    try:
        return questions.on_path(path, access, _ANY_WAVES) is not None
    except TooManyParts:
        return True


def _without_barriers(statements: Sequence[TileStatement]) -> tuple[TileStatement, ...]:
    """Statements without barriers, also inside of regions."""
    return tuple(
        [
            replace(
                each,
                regions=tuple(
                    [
                        Region(region.parameters, _without_barriers(region.statements))
                        for region in each.regions
                    ]
                ),
            )
            if each.regions
            else each
            for each in statements
            if not isinstance(each.op, Barrier)
        ]
    )


def refusals(graphs: Program, file: GridFile, kernels: Sequence[Kernel]) -> dict[int, str]:
    """Why a result has memory of its own although an argument is donated for it, by the number of the result
    in the file."""
    rest, found, first = list(kernels), dict[int, str](), 0
    for module, program in zip(graphs.modules, file.programs, strict=True):
        own, rest = rest[: len(program.launches)], rest[len(program.launches) :]
        taken = {result.over for result in program.results}
        for donation in donations(module):
            for number in _candidates(donation, program) if donation.parameter not in taken else ():
                if not program.results[number].over:
                    why = refusal(program, own, donation.parameter, number)
                    _ = found.setdefault(first + number, f"{donation.parameter} is donated, and {why}")
        first += len(program.results)
    return found


def donation_lines(graphs: Program, file: GridFile, kernels: Sequence[Kernel]) -> Iterator[str]:
    """A line for each donated argument: the result that is over it, or why none is."""
    rest = list(kernels)
    for module, program in zip(graphs.modules, file.programs, strict=True):
        own, rest = rest[: len(program.launches)], rest[len(program.launches) :]
        over = {result.over: number for number, result in enumerate(program.results)}
        for donation in donations(module):
            name = donation.parameter
            if name in over:
                yield f"{module.name}: {name} is donated: result {over[name]} is written in its memory"
                continue
            whys = [refusal(program, own, name, number) for number in _candidates(donation, program)]
            which = "no result is" if donation.result is None else f"result {donation.result} is not"
            yield f"{module.name}: {name} is donated, and {which} written in its memory: {whys[0]}"
