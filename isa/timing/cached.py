"""What the accesses of a trace cost, from their addresses: banks of LDS, lines of vector accesses, and the
caches that have them.

The units that serve an access:

* LDS and the way back from it; the address unit of the vector cache; the scalar cache
* each further cache, and memory: busy for the bytes that the levels before did not have, at the compute
  unit's share of its rate. If a launch has fewer workgroups than the machine has units, these share what the
  others leave, up to the rate of the first cache.

A line that no cache has comes from memory: what was in the caches before the launch is not known. If
workgroups on several units use the same line, memory gives it once, and each pays for its part (`together`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np

from isa.instruction import Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import Register
from isa.timing.caches import CACHES, Hierarchy, Lru
from isa.timing.coalescing import ADDRESS_UNITS, Coalesced, Coalescing
from isa.timing.lds import LDS_RATES, LdsClocks, LdsCost, consecutive
from isa.timing.machine import Machine
from isa.timing.memory import (
    LDS,
    NO_COST,
    SCALAR_CACHE,
    VECTOR_CACHE,
    Cost,
    Costs,
    Service,
    ServiceUnit,
    accessed,
    place_of,
)
from isa.timing.trace import Access, Trace

_SCALAR, _LDS, _BACK, _TO, _ADDRESSES, _FIRST_LEVEL = range(6)
"""The units before those of the further caches."""

_STORES = frozenset({Trait.STORE, Trait.ATOMIC})


class CachedMemory:
    """A model of memory. `together` is the number of workgroups that use a line which one of them touches, on
    average over the launch."""

    def __init__(self, together: float = 1.0) -> None:
        self._together = together

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        return _Model(trace, machine, self._together).costs()


class _Step(NamedTuple):
    """A step of a wave with a known access."""

    wave: int
    step: int
    instruction: int
    access: Access


class _Model:
    """The costs of a trace."""

    def __init__(self, trace: Trace, machine: Machine, together: float) -> None:
        target = trace.target
        self._trace = trace
        self._machine = machine
        self._caches = CACHES[target.name]
        self._rates = LDS_RATES[target.name]
        self._lds = LdsClocks(target)
        self._unit = ADDRESS_UNITS[target.name]
        self._coalescing = Coalescing(target, int(self._caches.vector[0].line.value))
        self._places = np.array([place_of(instr) for instr in trace.instructions], np.int32)
        self._table: dict[Cost, int] = {}
        # compute units of the unit that the trace runs on, and SIMDs of a compute unit
        self._parts = max(1, target.compute_units // target.units)
        self._simds = target.simds // self._parts
        self._together = together

    def costs(self) -> Costs:
        known = self._known()
        usual = np.full(len(self._places), NO_COST, np.int32)
        for number, instr in enumerate(self._trace.instructions):
            if self._places[number] != NO_COST:
                usual[number] = self._number(self._usual(instr))
        of_steps = accessed(self._trace, self._places)
        for wave, steps in zip(self._trace.waves, of_steps, strict=True):
            some = steps != NO_COST
            steps[some] = usual[wave.steps[some]]
        for place, priced in (
            (LDS, self._of_lds),
            (VECTOR_CACHE, self._of_vectors),
            (SCALAR_CACHE, self._of_scalars),
        ):
            own = [step for step in known if self._places[step.instruction] == place]
            for step, number in zip(own, priced(own), strict=True):
                of_steps[step.wave][step.step] = number
        return Costs(self._units(), tuple(self._table), of_steps)

    def _known(self) -> list[_Step]:
        """The steps with accesses, in an order in which the waves take turns."""
        steps = [
            _Step(number, step, int(wave.steps[step]), access)
            for number, wave in enumerate(self._trace.waves)
            for step, access in wave.accesses.items()
            if access.addresses.size
        ]
        return sorted(steps, key=lambda each: (each.step, each.wave))

    def _units(self) -> tuple[ServiceUnit, ...]:
        pair = max(1, self._simds // 2)
        waiting = self._rates.queue.clocks * (self._simds // pair)
        further = [ServiceUnit(level.name) for level in self._caches.vector[1:]]
        return (
            ServiceUnit("scalar cache"), ServiceUnit("LDS", self._simds, waiting),
            ServiceUnit("way back from LDS", pair), ServiceUnit("way to LDS", pair),
            ServiceUnit("address unit", self._simds, int(self._unit.queue.value), self._room()),
            *further, ServiceUnit("memory"),
        )  # fmt: skip

    def _room(self) -> int:
        """The lines that loads under way may have in the first cache; 0 if they have no place there yet."""
        first = self._caches.vector[0]
        return int(first.size.value / first.line.value) if self._unit.fills.value else 0

    def _number(self, cost: Cost) -> int:
        return self._table.setdefault(cost, len(self._table))

    # instructions of unknown accesses

    def _usual(self, instr: Instr) -> Cost:
        """The cost of an instruction whose accesses are not known: of consecutive lanes, in the first
        cache."""
        row = instr.row
        if row.unit is Unit.SMEM:
            return Cost(self._port(instr), (Service(_SCALAR, 1),), self._machine.scalar_memory.clocks - 1)
        if row.unit is Unit.LDS:
            return self._lds_cost(instr, self._lds.cost(row, None))
        access = consecutive(row, self._trace.target.wave_size)
        asked = self._coalescing.table[int(self._coalescing.costs((access,))[0])]
        latency = self._machine.vector_memory if row.traits.isdisjoint(_STORES) else self._caches.store
        return Cost(
            self._port(instr), (Service(_ADDRESSES, asked.clocks),), max(0, latency.clocks - asked.clocks)
        )

    def _port(self, instr: Instr) -> int:
        """The clocks for which an access keeps its port. Data of CDNA go to LDS through it, a register in the
        time of an issue."""
        sent = _sent_registers(instr) if self._holds(instr) else 1
        return self._machine.access_issue.clocks * sent

    def _holds(self, instr: Instr) -> bool:
        """Whether an access holds its wave until its data are in LDS, as writes of CDNA do."""
        sends = instr.row.unit is Unit.LDS and not instr.row.traits.isdisjoint(_STORES)
        return sends and self._rates.sent.clocks > 0

    # LDS

    def _of_lds(self, steps: Sequence[_Step]) -> Iterator[int]:
        by_row: dict[Row, list[int]] = {}
        for place, step in enumerate(steps):
            by_row.setdefault(self._trace.instructions[step.instruction].row, []).append(place)
        found = np.empty(len(steps), np.intp)
        for row, own in by_row.items():
            found[own] = self._lds.costs(row, [steps[place].access for place in own])
        numbers: dict[tuple[int, int], int] = {}
        for step, place in zip(steps, found.tolist(), strict=True):
            key = step.instruction, place
            if key not in numbers:
                instr = self._trace.instructions[step.instruction]
                numbers[key] = self._number(self._lds_cost(instr, self._lds.table[place]))
            yield numbers[key]

    def _lds_cost(self, instr: Instr, cost: LdsCost) -> Cost:
        row = instr.row
        back = sum(row.operands[i].count for i in row.defines) * self._rates.returned.clocks
        services = Service(_LDS, cost.clocks, cost.conflicts), Service(_BACK, max(1, back))
        latency = max(0, self._machine.lds.clocks - 1 - services[1].clocks)
        if self._holds(instr):
            sent = (_sent_registers(instr) - 1) * self._rates.sent.clocks
            services = Service(_TO, sent), services[0]
            return Cost(self._port(instr), services, latency, holds=True)
        return Cost(self._port(instr), services, latency)

    # scalar loads

    def _of_scalars(self, steps: Sequence[_Step]) -> Iterator[int]:
        level = self._caches.scalar
        line, cache = int(level.line.value), Lru.share(level, int(level.sharers.value))
        for step in steps:
            access = step.access
            first = int(access.addresses.min()) // line
            end = (int(access.addresses.max()) + access.size - 1) // line
            missing = cache.missing(range(first, end + 1))
            latency = self._caches.scalar_memory if missing else level.latency
            port = self._port(self._trace.instructions[step.instruction])
            yield self._number(Cost(port, (Service(_SCALAR, end + 1 - first),), latency.clocks))

    # vector accesses

    def _of_vectors(self, steps: Sequence[_Step]) -> Iterator[int]:
        asked: list[int] = self._coalescing.costs([step.access for step in steps]).tolist()
        caches = Hierarchy(self._caches.vector, self._parts)
        rates, line, target = self._shares(), self._coalescing.line, self._trace.target
        numbers: dict[tuple[int, int, tuple[int, ...]], int] = {}
        for step, place in zip(steps, asked, strict=True):
            instr, wave = self._trace.instructions[step.instruction], self._trace.waves[step.wave]
            first, coalesced = int(step.access.addresses[0, 0]) // line, self._coalescing.table[place]
            lines = [first + other for other in coalesced.lines]
            if instr.row.traits.isdisjoint(_STORES):
                missing = caches.load(wave.number % target.simds // self._simds, lines)
            else:
                missing = caches.store(lines)
            key = step.instruction, place, missing
            if key not in numbers:
                numbers[key] = self._number(self._vector_cost(instr, coalesced, missing, rates))
            yield numbers[key]

    def _vector_cost(
        self, instr: Instr, asked: Coalesced, missing: Sequence[int], rates: Sequence[float]
    ) -> Cost:
        levels = self._caches.vector
        stores = not instr.row.traits.isdisjoint(_STORES)
        services = [Service(_ADDRESSES, asked.clocks, 0, 0 if stores else len(asked.lines))]
        deepest = 0
        for place, count in enumerate(missing):
            if count:
                moved = count * levels[place].line.value
                services.append(Service(_FIRST_LEVEL + place, ceil(moved / rates[place])))
                deepest = place + 1
        latency = self._caches.store.clocks if stores else self._latency(deepest)
        return Cost(self._port(instr), tuple(services), latency - 1)

    def _latency(self, deepest: int) -> int:
        """The latency of a load of which the levels before `deepest` lack a line. Of the units that use the
        line, a single one waits for the deepest level; the others find it on the way, in caches that they
        share with it."""
        latencies = [level.latency.clocks for level in self._caches.vector] + [self._caches.memory.clocks]
        expected = float(latencies[deepest])
        for place in range(deepest - 1, 0, -1):
            passing = self._users(place - 1) / self._users(place)
            expected = passing * expected + (1 - passing) * latencies[place]
        return ceil(expected)

    def _users(self, level: int) -> float:
        """The units that use a line, of those that share a level's cache."""
        share = self._caches.vector[level].sharers.value / self._trace.target.compute_units
        return max(1.0, self._together * share)

    def _shares(self) -> list[float]:
        """The bytes a clock that each level after the first, and memory, gives the unit. A level is asked
        once for the workgroups of the units that share the level before; workgroups are spread evenly."""
        target, levels = self._trace.target, self._caches.vector
        busy = min(1.0, self._trace.groups / target.units)
        most = ADDRESS_UNITS[target.name].bytes.value * self._parts
        rates = [level.rate.value for level in levels[1:]] + [self._caches.memory_rate.value]
        sharers = [level.sharers.value / target.compute_units for level in levels[:-1]] + [1.0]
        return [
            min(most, rate * self._parts / busy * max(1.0, self._together * share))
            for rate, share in zip(rates, sharers, strict=True)
        ]


def _sent_registers(instr: Instr) -> int:
    """The registers that an access sends to its unit, one at least."""
    row = instr.row
    return max(1, sum(row.operands[i].count for i in row.uses if isinstance(instr.operands[i], Register)))
