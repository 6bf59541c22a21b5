"""The clocks of a program next to the clocks that its bytes need at least, and the seconds of its compile."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from functools import partial
from math import inf, prod
from types import FrameType

from msgspec import Struct

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT, PARAM
from asmgen.index.size import at, numbers
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import TensorType
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.diagnostics import InputError, InternalError
from isa.targets import TARGETS
from isa.timing.caches import CACHES
from isa.timing.chips import CHIPS
from tools.cpu import timed
from tools.search_cliffs.programs import RandomProgram

LEAST_OF_LAUNCH = 2000  # clocks of a launch of a single load and a store, about, on any target
LANES_OF_UNIT = 128  # of a compute unit, that multiply numbers of 32 bits at the same time, about


class Judged(Struct, frozen=True):
    """A program on a target: its clocks, those of its bytes, its launches, and the seconds of its compile.

    `note` says why it has no clocks: it was refused, or not done in time, which is infinite.
    """

    program: RandomProgram
    target: str
    clocks: float
    bound: float
    launches: int
    seconds: float
    note: str = ""

    @property
    def factor(self) -> float:
        """How often the bound fits in the clocks."""
        return self.clocks / self.bound


def bytes_of(program: RandomProgram) -> int:
    """The bytes of all arguments and results of a program."""
    statements = parse(program.text, "program.gen").modules[-1].statements
    params = [each.result for each in statements if each.op is PARAM]
    types = [tensor_type(value) for value in dict.fromkeys([*params, *statements[-1].operands])]
    return sum([_elements(type_, program) * type_.element.bytes for type_ in types])


def multiplications_of(program: RandomProgram) -> int:
    """The multiplications of its products of matrices."""
    statements = parse(program.text, "program.gen").modules[-1].statements
    return sum([_multiplications(statement, program) for statement in statements if statement.op is DOT])


def bound_clocks(program: RandomProgram, target: str) -> float:
    """The clocks of a launch that reads all arguments once and writes all results once, or of a launch that
    only multiplies, on all lanes."""
    machine, bytes_ = TARGETS[target], bytes_of(program)
    rate = CACHES[target].with_buffers(bytes_).memory_rate.value * machine.compute_units
    lanes = machine.compute_units * LANES_OF_UNIT
    work = max(bytes_ / rate, multiplications_of(program) / lanes)
    return work + LEAST_OF_LAUNCH + CHIPS[target].launch_clocks


def _elements(type_: TensorType, program: RandomProgram) -> int:
    return prod(numbers(at(type_.dims, program.dims)))


def _multiplications(dot: Statement, program: RandomProgram) -> int:
    a, _ = [tensor_type(operand) for operand in dot.operands]
    (k,) = numbers(at(a.dims[-1:], program.dims))
    return _elements(tensor_type(dot.result), program) * k


class _GivenUp(BaseException):
    """The time limit is over. Not an `Exception`, so the compiler does not catch it."""


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise _GivenUp


def judged(program: RandomProgram, target: str, limit: float = 60.0) -> Judged:
    """Compile a program, and ask the model for the clocks of its launches; both within `limit` CPU
    seconds."""
    _ = signal.signal(signal.SIGVTALRM, _give_up)
    bound, seconds, clocks = bound_clocks(program, target), limit, list[float]()
    try:
        _ = signal.setitimer(signal.ITIMER_VIRTUAL, limit, max(limit, 0.01))  # again if a callback lost it
        compiled, seconds = timed(partial(asmgen.compile, program.text, target=target))
        clocks = clocks_of(compiled, program.dims)
    except (InputError, InternalError) as error:
        note = f"{type(error).__name__}: {error}".split("\n")[0]
        return Judged(program, target, 0, bound, 0, seconds if clocks else 0, note)
    except _GivenUp:
        return Judged(program, target, inf, bound, 0, seconds, f"not done in {limit:g} CPU seconds")
    finally:
        _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return Judged(program, target, sum(clocks), bound, len(clocks), seconds)


def clocks_of(compiled: CompiledProgram, dims: Mapping[str, int]) -> list[float]:
    """The clocks of each launch, with those of its start and its end."""
    launches = launches_of_program(compiled, "random", (), dims)
    known: dict[int, float] = {}
    for launch in launches:
        if id(launch) not in known:
            profile = profile_launch(launch).profile
            known[id(launch)] = profile.launch_clocks + profile.overhead_ns * profile.megahertz / 1000
    return [known[id(launch)] for launch in launches]
