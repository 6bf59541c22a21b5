"""Results that are written to the memory of donated arguments.

    a = @param:a[donated=true, result=0] -> f32, {64,1000}      add = result[over=a] -> f32, {64,1000}

A result may be over an argument if

- no launch after the first that writes the result reads the argument, and
- in a launch that reads the argument and writes the result, no workgroup writes an element that another
  accesses, and no wave writes an element that another may still read. The tile program of the launch says so,
  with one buffer for both (`asmgen.gridwise.one_buffer`), and
- in such a launch no load of an element of the argument comes after a store of that element.

The kernels then have a single parameter for both, so the passes order its loads and stores. A pointwise
launch with elements in two vectors gets another schedule, with each element in a vector of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Choice, Pointwise
from asmgen.graph.donations import Donation, donations
from asmgen.gridwise.one_buffer import shared_buffer
from asmgen.gridwise.program import GridFile, Launch, LaunchProgram, Result
from asmgen.gridwise.verify import misplaced
from asmgen.ir.program import Module, Program

Scheduled = tuple[Launch, Kernel]


def in_place(
    module: Module,
    program: LaunchProgram,
    kernels: Sequence[Kernel],
    scheduled: Callable[[str, Choice], Scheduled],
) -> tuple[LaunchProgram, list[Kernel]]:
    """The program with results over the arguments that the graph donates, as far as that is legal.
    `kernels` are those of the program's launches with a kernel of their own; the others access neither
    donated arguments nor results. `scheduled` makes a launch, by its name, with another choice."""
    program, made = _in_own_vectors(module, program, kernels, scheduled)
    for donation in sorted(donations(module), key=lambda each: each.result is None):
        for number in _candidates(donation, program):
            placed, why = _placed(program, made, donation.parameter, number)
            if not why:
                made = placed
                program = _over(program, program.results[number].name, donation.parameter)
                break
    return program, made


def _in_own_vectors(
    module: Module,
    program: LaunchProgram,
    kernels: Sequence[Kernel],
    scheduled: Callable[[str, Choice], Scheduled],
) -> tuple[LaunchProgram, list[Kernel]]:
    """The program with `rest=1` for pointwise launches that can write a result over an argument only so."""
    launches, made = list(program.kernels), list(kernels)
    for parameter, result in _pairs(module, program):
        for i, launch in enumerate(launches):
            if parameter not in launch.reads or result not in launch.writes:
                continue
            choice = launch.choice
            if not isinstance(choice, Pointwise) or choice.rest or _is_shared(made[i], parameter, result):
                continue
            other, kernel = scheduled(launch.name, replace(choice, row=None, rows=None, rest=1))
            if _is_shared(kernel, parameter, result):
                launches[i], made[i] = other, kernel
    other_launches = {launch.name: launch for launch in launches}
    whole = [other_launches.get(launch.name, launch) for launch in program.launches]
    return replace(program, launches=tuple(whole)), made


def _pairs(module: Module, program: LaunchProgram) -> Iterator[tuple[str, str]]:
    """The donated arguments, each with the results that some launches could write in its memory."""
    for donation in donations(module):
        for number in _candidates(donation, program):
            result = program.results[number]
            if not misplaced(program, result, donation.parameter):
                yield donation.parameter, result.name


def _is_shared(kernel: Kernel, parameter: str, result: str) -> bool:
    """Whether a kernel that reads an argument may write a result in its memory."""
    return not shared_buffer(kernel, parameter, result, is_read=True)[1]


def _candidates(donation: Donation, program: LaunchProgram) -> Sequence[int]:
    return range(len(program.results)) if donation.result is None else (donation.result,)


def _over(program: LaunchProgram, result: str, parameter: str) -> LaunchProgram:
    buffers = [
        replace(each, over=parameter) if isinstance(each, Result) and each.name == result else each
        for each in program.buffers
    ]
    return replace(program, buffers=tuple(buffers))


def _placed(
    program: LaunchProgram, kernels: Sequence[Kernel], parameter: str, number: int
) -> tuple[list[Kernel], str]:
    """The kernels of the launches with a result over an argument, and why it cannot be there; empty if it
    can."""
    result = program.results[number]
    if result.over:
        return [], f"result {number} is over {result.over}"
    why = misplaced(program, result, parameter)
    if why:
        return [], why
    placed: list[Kernel] = []
    for launch, kernel in zip(program.kernels, kernels, strict=True):
        is_read = parameter in launch.reads and result.name in launch.writes
        shared, why = shared_buffer(kernel, parameter, result.name, is_read)
        if why:
            return [], f"{launch.name}: {why}"
        placed.append(shared)
    return placed, ""


def refusals(graphs: Program, file: GridFile, kernels: Sequence[Kernel]) -> dict[int, str]:
    """Why a result has memory of its own although an argument is donated for it, by the number of the result
    in the file."""
    rest, found, first = list(kernels), dict[int, str](), 0
    for module, program in zip(graphs.modules, file.programs, strict=True):
        own, rest = rest[: len(program.kernels)], rest[len(program.kernels) :]
        taken = {result.over for result in program.results}
        for donation in donations(module):
            for number in _candidates(donation, program) if donation.parameter not in taken else ():
                if not program.results[number].over:
                    _, why = _placed(program, own, donation.parameter, number)
                    _ = found.setdefault(first + number, f"{donation.parameter} is donated, and {why}")
        first += len(program.results)
    return found


def donation_lines(graphs: Program, file: GridFile, kernels: Sequence[Kernel]) -> Iterator[str]:
    """A line for each donated argument: the result that is over it, or why none is."""
    rest = list(kernels)
    for module, program in zip(graphs.modules, file.programs, strict=True):
        own, rest = rest[: len(program.kernels)], rest[len(program.kernels) :]
        over = {result.over: number for number, result in enumerate(program.results)}
        for donation in donations(module):
            name = donation.parameter
            if name in over:
                yield f"{module.name}: {name} is donated: result {over[name]} is written in its memory"
                continue
            whys = [_placed(program, own, name, number)[1] for number in _candidates(donation, program)]
            which = "no result is" if donation.result is None else f"result {donation.result} is not"
            yield f"{module.name}: {name} is donated, and {which} written in its memory: {whys[0]}"
