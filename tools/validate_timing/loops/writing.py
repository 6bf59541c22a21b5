"""Traces of loops that are written by hand: a body of assembly, run a number of times by the waves of a
workgroup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.size import code_bytes
from isa.table import Table, table_of
from isa.targets import TARGETS
from isa.text.parsing import parse_instr
from isa.timing.trace import Access, Trace, TracedWave

Where = Callable[[int, int], Access]
"""The memory that a line accesses, by wave and trip."""

BACK = "s_cbranch_scc1 0"  # to the head of the loop; the trace has the way of a wave


class Line(NamedTuple):
    """A line of assembly, and the memory that it accesses."""

    text: str
    where: Where | None = None


class Loop(NamedTuple):
    """A loop of a workgroup.

    * `body`: a trip, without the branch at its end
    * `before`: what each wave does once before
    * `shifted`: waves from this number on wait at another barrier before the loop, and the others at another
      barrier after it, so that they are a barrier behind
    * `groups`: workgroups of the launch, and `together`: how many of them use a line of memory
    """

    target: str
    body: tuple[Line, ...]
    waves: int
    before: tuple[Line, ...] = ()
    shifted: int | None = None
    trips: int = 8
    groups: int = 1
    together: float = 1


def lines(*texts: str) -> tuple[Line, ...]:
    return tuple([Line(text) for text in texts])


def lanes_at(addresses: Iterable[int], size: int) -> Access:
    """An access of all lanes, each of `size` bytes at its own address."""
    at = np.array(list(addresses), np.int64)
    return Access(np.arange(len(at)), at[None], size)


def same(access: Access) -> Where:
    """The same memory for each wave and trip."""
    return lambda wave, trip: access


class WrittenLoop(NamedTuple):
    """The trace of a loop. `heads` are the steps of each wave at which a trip begins."""

    trace: Trace
    heads: tuple[tuple[int, ...], ...]


def write(loop: Loop) -> WrittenLoop:
    """The trace of a loop's workgroup."""
    barrier = lines("s_barrier") if loop.shifted is not None else ()
    parts = (loop.before, barrier, (*loop.body, Line(BACK)), barrier, lines("s_endpgm"))
    written = [line for part in parts for line in part]
    starts = [sum(len(part) for part in parts[:i]) for i in range(len(parts))]
    target = TARGETS[loop.target]
    instructions = tuple(_parsed([line.text for line in written], table_of(target)))
    waves: list[TracedWave] = []
    heads: list[tuple[int, ...]] = []
    for wave in range(loop.waves):
        late = loop.shifted is not None and wave >= loop.shifted
        order = [0] + [1] * late + [2] * loop.trips + [3] * (loop.shifted is not None and not late) + [4]
        steps: list[int] = []
        accesses: dict[int, Access] = {}
        at: list[int] = []
        for place, part in enumerate(order):
            trip = order[:place].count(part)
            if part == 2:
                at.append(len(steps))
            for offset, line in enumerate(parts[part]):
                if line.where is not None:
                    accesses[len(steps)] = line.where(wave, trip)
                steps.append(starts[part] + offset)
        heads.append(tuple(at))
        waves.append(TracedWave(0, wave, np.array(steps, np.int32), np.zeros(len(steps), np.bool_), accesses))
    addresses = _addresses(instructions, loop.target)
    return WrittenLoop(
        Trace(target, instructions, addresses, tuple(waves), loop.groups, loop.waves), tuple(heads)
    )


def _parsed(texts: Sequence[str], table: Table) -> Iterator[Instr]:
    known: dict[str, Instr] = {}
    for text in texts:
        if text not in known:
            known[text] = parse_instr(text, table, "a written loop")
        yield known[text]


def _addresses(instructions: Sequence[Instr], target: str) -> tuple[int, ...]:
    addresses = [0]
    for instr in instructions[:-1]:
        addresses.append(addresses[-1] + code_bytes(instr, TARGETS[target]))
    return tuple(addresses)


class Skeleton(NamedTuple):
    """The order of the kinds of instruction in a loop: `M6 R M2 R` is six of kind M, one of kind R, and so
    on."""

    text: str

    def kinds(self) -> Iterator[str]:
        for token in self.text.split():
            yield from token[0] * int(token[1:] or 1)

    def without(self, kinds: str) -> Skeleton:
        """The skeleton without instructions of some kinds."""
        return Skeleton(" ".join([token for token in self.text.split() if token[0] not in kinds]))
