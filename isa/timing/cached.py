"""What the accesses of a trace cost, from their addresses: banks of LDS, lines of vector accesses, and the
caches that have them.

The units that serve an access:

* LDS and the way back from it; the address unit of the vector cache; the scalar cache
* each further cache, and memory: busy for the bytes that the levels before did not have, at the unit's share
  of its rate (`isa.timing.shares`)

A line that no cache has comes from memory: what was in the caches before the launch is not known.
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
from isa.timing.shares import shares
from isa.timing.trace import Access, Trace

_SCALAR, _LDS, _BACK, _TO, _SENDS, _ADDRESSES, _FIRST_LEVEL = range(7)
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
        most = self._unit.bytes.value * self._parts
        self._shares = shares(self._caches, target, most, trace.groups, together)

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
        queue = self._rates.queue.clocks
        # stores of CDNA wait with their data; on RDNA they wait to send them
        waiting, sending = (queue * (self._simds // pair), 0) if self._rates.sent.clocks else (0, queue)
        further = [ServiceUnit(level.name) for level in self._caches.vector[1:]]
        return (
            ServiceUnit("scalar cache"), ServiceUnit("LDS", self._simds, waiting),
            ServiceUnit("way back from LDS", pair), ServiceUnit("way to LDS", pair, sending),
            ServiceUnit("way to memory", self._simds),
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
        latency = self._machine.vector_memory if _loads(instr) else self._caches.store
        services = self._sends(instr), Service(_ADDRESSES, asked.clocks)
        return Cost(
            self._port(instr), services, max(0, latency.clocks - sum(each.clocks for each in services))
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
        """The latency is that of a load of a register without conflicts. Phases return while others are
        served."""
        sent, first = _sent_registers(instr), self._machine.access_issue.clocks
        slow = self._rates.sent.clocks
        to = Service(_TO, (sent - 1) * slow if slow else sent * first)
        row, rate = instr.row, self._rates.returned.clocks
        back = Service(_BACK, rate * sum(row.operands[i].count for i in row.defines))
        services = [to, Service(_LDS, cost.clocks, cost.conflicts), back]
        usual = (0 if slow else first) + cost.clocks - cost.conflicts + rate
        latency = max(0, self._machine.lds.clocks - usual)
        used = tuple([service for service in services if service.clocks])
        return Cost(self._port(instr), used, latency, self._holds(instr))

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
        line, target = self._coalescing.line, self._trace.target
        numbers: dict[tuple[int, int, tuple[int, ...]], int] = {}
        for step, place in zip(steps, asked, strict=True):
            instr, wave = self._trace.instructions[step.instruction], self._trace.waves[step.wave]
            first, coalesced = int(step.access.addresses[0, 0]) // line, self._coalescing.table[place]
            lines = [first + other for other in coalesced.lines]
            if _loads(instr):
                missing = caches.load(wave.number % target.simds // self._simds, lines)
            else:
                missing = caches.store(lines)
            key = step.instruction, place, missing
            if key not in numbers:
                numbers[key] = self._number(self._vector_cost(instr, coalesced, missing))
            yield numbers[key]

    def _vector_cost(self, instr: Instr, asked: Coalesced, missing: Sequence[int]) -> Cost:
        loads = _loads(instr)
        services = [
            self._sends(instr),
            Service(_ADDRESSES, asked.clocks, 0, len(asked.lines) if loads else 0),
        ]
        levels = self._caches.vector
        latency = levels[0].latency.clocks
        for place, count in enumerate(missing):
            if count:
                moved = count * levels[place].line.value
                services.append(Service(_FIRST_LEVEL + place, ceil(moved / self._shares[place].rate)))
                latency = self._shares[place].latency
        latency = latency if loads else self._caches.store.clocks
        return Cost(self._port(instr), tuple(services), latency - 1)

    def _sends(self, instr: Instr) -> Service:
        """The way of addresses and data to the address unit. Addresses are of two registers at most."""
        data = max(0, _sent_registers(instr) - 2)
        return Service(_SENDS, self._machine.address.clocks + data * self._machine.access_issue.clocks)


def _loads(instr: Instr) -> bool:
    """Whether an access reads memory and does not change it."""
    return instr.row.traits.isdisjoint(_STORES)


def _sent_registers(instr: Instr) -> int:
    """The registers that an access sends to its unit, one at least."""
    row = instr.row
    sent = [i for i in row.uses if not row.operands[i].tied and isinstance(instr.operands[i], Register)]
    return max(1, sum(row.operands[i].count for i in sent))
