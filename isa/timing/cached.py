"""The costs of a trace's accesses, from their addresses: banks of LDS, lines of vector accesses, and the
caches that have them.

The units that serve an access:

* LDS and the way back from it; the address unit of the vector cache; the scalar cache
* the channels of L2, for stores of all workgroups to the same lines (`isa.timing.channels`)
* each further cache, and memory: busy for the bytes that the levels before did not have, at the unit's share
  of its rate (`isa.timing.shares`)

A line that no cache has comes from memory: the caches' contents before the launch are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VGPR, Register
from isa.timing.address_units import ADDRESS_UNITS
from isa.timing.batches import Rows, located
from isa.timing.caches import CACHES, MEMORY, Caches, sets_of
from isa.timing.channels import CHANNELS, L2_CHANNELS, Stored, request_clocks, stored_by_all
from isa.timing.coalescing import REQUEST, Coalesced, Coalescing
from isa.timing.lds import LDS_RATES, LdsClocks, LdsCost, consecutive
from isa.timing.machine import Machine
from isa.timing.memory import (
    LDS,
    LDS_NAME,
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
from isa.timing.patterns import different_rows
from isa.timing.shares import Users, shares
from isa.timing.streams import Touches, fetched_by, misses, missing_lines
from isa.timing.trace import Trace

_SCALAR, _LDS, _BACK, _TO, _SENDS, _ADDRESSES, _FIRST_LEVEL = range(7)
"""The units before those of the further caches."""

_STORES = frozenset({Trait.STORE, Trait.ATOMIC})
_BARRIERS = frozenset({Trait.BARRIER, Trait.SIGNAL})


class CachedMemory:
    """A model of memory. `users` are those of a line; `buffer_bytes` are those of the launch's buffers, 0 if
    they are not known. `caches` are those of the target if they are not given."""

    def __init__(
        self, users: Users = Users(), buffer_bytes: int = 0, caches: Caches | None = None
    ) -> None:  # fmt: skip
        self._users = users
        self._caches = caches
        self._buffer_bytes = buffer_bytes

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        caches = (self._caches or CACHES[trace.target.name]).with_buffers(self._buffer_bytes)
        return _Model(trace, machine, self._users, caches).costs()


class _Known(NamedTuple):
    """Steps with known accesses, in an order in which the waves take turns.

    * `at`: the place of each among all steps of all waves
    * `groups`: the places of their workgroups in the grid
    * `waves`: the numbers of their waves in their workgroups, and `epochs`: the waits that these have passed
    * `instructions`: which they execute
    * `rows`: their addresses
    """

    at: NDArray[np.intp]
    groups: NDArray[np.intp]
    waves: NDArray[np.intp]
    epochs: NDArray[np.int64]
    instructions: NDArray[np.intp]
    rows: Rows

    def of(self, places: NDArray[np.intp]) -> _Known:
        return _Known(
            self.at[places], self.groups[places], self.waves[places], self.epochs[places],
            self.instructions[places], self.rows.of(places),
        )  # fmt: skip


class _Model:
    """The costs of a trace."""

    def __init__(self, trace: Trace, machine: Machine, users: Users, caches: Caches) -> None:
        target = trace.target
        self._trace = trace
        self._machine = machine
        self._caches = caches
        self._rates = LDS_RATES[target.name]
        self._lds = LdsClocks(target)
        self._unit = ADDRESS_UNITS[target.name]
        self._channels = CHANNELS[target.name]
        # of each instruction by which all workgroups store the same lines, the clocks of a request
        self._shared_stores: dict[int, float] = {}
        self._coalescing = Coalescing(target, int(self._caches.vector[0].line.value))
        self._places = np.array([place_of(instr) for instr in trace.instructions], np.int32)
        self._table: dict[Cost, int] = {}
        self._has_barriers = any(not instr.row.traits.isdisjoint(_BARRIERS) for instr in trace.instructions)
        # compute units of the unit that the trace runs on, and SIMDs of a compute unit
        self._parts = max(1, target.compute_units // target.units)
        self._simds = target.simds // self._parts
        most = self._unit.bytes.value * self._parts
        self._as_ready = self._unit.as_ready.value > 0
        self._users = users
        self._shares = cache(partial(shares, self._caches, target, most, trace.groups, users.launch))

    def costs(self) -> Costs:
        of_steps = accessed(self._trace, self._places)
        if not of_steps:
            return Costs(self._units(), tuple(self._table), ())
        every = np.concatenate(of_steps)
        known = self._known()
        self._price_unknown(every, known)
        places = self._places[known.instructions]
        for place, priced in (
            (LDS, self._of_lds), (VECTOR_CACHE, self._of_vectors), (SCALAR_CACHE, self._of_scalars),
        ):  # fmt: skip
            own = known.of(np.flatnonzero(places == place))
            if len(own.at):
                every[own.at] = priced(own)
        ends = np.cumsum([len(steps) for steps in of_steps])
        return Costs(self._units(), tuple(self._table), tuple(np.split(every, ends[:-1])))

    def _price_unknown(self, every: NDArray[np.int32], known: _Known) -> None:
        """Give the usual costs to those of the steps that access memory without known addresses."""
        is_unknown = every != NO_COST
        is_unknown[known.at] = False
        unknown = np.flatnonzero(is_unknown)
        if len(unknown):
            instructions = np.concatenate([wave.steps for wave in self._trace.waves])[unknown]
            numbers, of = np.unique(instructions, return_inverse=True)
            some: list[int] = numbers.tolist()
            usual = [self._number(self._usual(self._trace.instructions[number])) for number in some]
            every[unknown] = np.array(usual, np.int32)[of]

    def _known(self) -> _Known:
        waves, trace = self._trace.waves, self._trace
        waits = np.array([Trait.WAIT in instr.row.traits for instr in trace.instructions])
        steps = np.concatenate([wave.steps for wave in waves])
        lengths = np.array([len(wave.steps) for wave in waves])
        firsts = np.cumsum(lengths) - lengths
        passed = np.concatenate(([0], np.cumsum(waits[steps])))
        known = located(waves)
        at = firsts[known.waves] + known.steps
        epochs = passed[at + 1] - passed[firsts[known.waves]]
        groups, numbers = np.array([(wave.group, wave.number) for wave in waves], np.intp)[known.waves].T
        every = _Known(at, groups, numbers, epochs, steps[at].astype(np.intp), known.rows)
        order = np.lexsort((known.waves, known.steps))
        return every.of(order[known.rows.counts()[order] > 0])

    def _numbers(
        self, columns: Sequence[NDArray[Any]], cost: Callable[[Sequence[int]], Cost]
    ) -> NDArray[np.intp]:
        """The numbers of the costs of rows of some columns; `cost` gives the cost of a row."""
        rows = np.stack(columns, axis=1).astype(np.int64)
        chosen, of = different_rows(rows)
        return np.array([self._number(cost(row)) for row in rows[chosen].tolist()])[of]

    def _units(self) -> tuple[ServiceUnit, ...]:
        pair = max(1, self._simds // 2)
        queue = self._rates.queue.clocks
        # stores of CDNA wait with their data; on RDNA they wait to send them
        waiting, sending = (queue * (self._simds // pair), 0) if self._rates.sent.clocks else (0, queue)
        stores = int(self._channels.waiting.value) * self._simds
        further = [ServiceUnit(level.name) for level in self._caches.vector[1:]]
        return (
            ServiceUnit("scalar cache"), ServiceUnit(LDS_NAME, self._simds, waiting),
            ServiceUnit("way back from LDS", pair), ServiceUnit("way to LDS", pair, sending),
            ServiceUnit("way to memory", self._simds),
            ServiceUnit(
                "address unit", self._simds, int(self._unit.queue.value), self._room(),
                as_ready=self._as_ready,
            ),
            *further, ServiceUnit(MEMORY), ServiceUnit("way back from memory", self._simds),
            ServiceUnit(L2_CHANNELS, self._simds, stores, fair=False),
        )  # fmt: skip

    def _room(self) -> int:
        """The lines that loads under way may have in the first cache; 0 if they have no place there yet."""
        first = self._caches.vector[0]
        return int(first.size.value / first.line.value) if self._unit.fills.value else 0

    def _number(self, cost: Cost) -> int:
        return self._table.setdefault(cost, len(self._table))

    # instructions of unknown accesses

    def _usual(self, instr: Instr) -> Cost:
        """The cost of an instruction with unknown accesses: of consecutive lanes, in the first cache."""
        row = instr.row
        if row.unit is Unit.SMEM:
            return Cost(self._port(instr), (Service(_SCALAR, 1),), self._machine.scalar_memory.clocks - 1)
        if row.unit is Unit.LDS:
            return self._lds_cost(instr, self._lds.cost(row, None))
        access = consecutive(row, self._trace.target.wave_size)
        asked = self._coalescing.table[int(self._coalescing.costs((access,))[0])]
        latency = self._machine.vector_memory if _loads(instr) else self._caches.store
        services = [self._sends(instr)]
        if not (self._as_ready and _loads(instr)):
            services.append(Service(_ADDRESSES, asked.clocks))
        return Cost(
            self._port(instr),
            tuple(services),
            max(0, latency.clocks - asked.clocks - self._sends(instr).clocks),
            returns=self._returns(instr, asked),
        )

    def _port(self, instr: Instr) -> int:
        """The clocks for which an access keeps its port. Data of CDNA go to LDS through it, a register in the
        time of an issue."""
        sent = _sent_registers(instr) if self._holds(instr) else 1
        return self._machine.access_issue.clocks * sent

    def _holds(self, instr: Instr) -> bool:
        """Whether an access stops its wave until its data are in LDS, as writes of CDNA do."""
        sends = instr.row.unit is Unit.LDS and not instr.row.traits.isdisjoint(_STORES)
        return sends and self._rates.sent.clocks > 0

    # LDS

    def _of_lds(self, known: _Known) -> NDArray[np.intp]:
        instructions = self._trace.instructions
        numbers: dict[Row, int] = {}
        kinds = np.array([numbers.setdefault(instr.row, len(numbers)) for instr in instructions])
        order = np.argsort(kinds[known.instructions], kind="stable")
        ends = np.flatnonzero(np.diff(kinds[known.instructions[order]])) + 1
        found = np.empty(len(known.at), np.intp)
        for own in np.split(order, ends):
            row = instructions[int(known.instructions[own[0]])].row
            found[own] = self._lds.costs_of(row, known.rows.of(own))
        return self._numbers(
            (known.instructions, found),
            lambda row: self._lds_cost(instructions[row[0]], self._lds.table[row[1]]),
        )

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

    def _of_scalars(self, known: _Known) -> NDArray[np.intp]:
        level = self._caches.scalar
        line = int(level.line.value)
        firsts, ends = np.zeros((2, len(known.at)), np.int64)
        for own, batch in known.rows.by_batch():
            firsts[own] = batch.addresses.min(axis=(1, 2)) // line
            ends[own] = (batch.addresses.max(axis=(1, 2)) + batch.size - 1) // line
        counts = ends + 1 - firsts
        owners = np.repeat(np.arange(len(counts)), counts)
        lines = firsts[owners] + _within(counts)
        missed = misses(lines, *sets_of(level, int(level.sharers.value)))
        fetches = np.full(len(counts), -1)
        np.maximum.at(fetches, owners, fetched_by(lines, missed, known.epochs[owners]))
        missing = fetches >= 0
        alone = np.bincount(fetches[missing], minlength=len(lines))[fetches] < 2
        stays = known.groups != known.groups[owners[fetches]]
        stays = missing & np.isin(fetches, fetches[stays & missing])
        columns = known.instructions, counts, missing, np.where(alone, -1, fetches), stays
        return self._numbers(columns, self._scalar_cost)

    def _scalar_cost(self, row: Sequence[int]) -> Cost:
        """The cost of a load of a number of lines, some of them missing or not; `fetch` numbers the line that
        other loads fetch too; `stays` says whether these are of other workgroups."""
        instruction, lines, missing, fetch, stays = row
        hit = self._caches.scalar.latency.clocks
        latency = self._caches.scalar_memory.clocks if missing else hit
        port = self._port(self._trace.instructions[instruction])
        return Cost(port, (Service(_SCALAR, lines),), latency, line=fetch, hit=hit, stays=bool(stays))

    # vector accesses

    def _of_vectors(self, known: _Known) -> NDArray[np.intp]:
        asked, first = self._coalescing.located(known.rows)
        table = self._coalescing.table
        counts = np.array([len(coalesced.lines) for coalesced in table])
        every = np.concatenate([coalesced.lines for coalesced in table]).astype(np.int64)
        starts = np.cumsum(counts) - counts
        owners = np.repeat(np.arange(len(asked)), counts[asked])
        lines = first[owners] + every[starts[asked][owners] + _within(counts[asked])]
        loads = np.array([_loads(instr) for instr in self._trace.instructions])[known.instructions]
        units = known.waves % self._trace.target.simds // self._simds
        touches = Touches(owners, lines, units[owners], loads[owners], known.epochs[owners])
        self._shared_stores = self._share_stores(known, owners, lines)
        levels = self._caches.vector
        together = max(1, int(self._caches.together.value // levels[0].line.value))
        missing = missing_lines(levels, self._parts, touches, len(asked), together)
        owner, shared = self._shared_loads(known, missing.fetches)
        return self._numbers(
            (known.instructions, asked, missing.deepest, owner, shared, *missing.counts.T),
            lambda row: self._vector_cost(row[0], table[row[1]], row[2], row[3], row[4], row[5:]),
        )

    def _shared_loads(
        self, known: _Known, fetches: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """For each access the wave and the instruction that fetch its line; -1 if no other wave waits for the
        line, or if loads return in order, so that all wait for the first. `fetches` has the access that
        fetches the line of each access.

        Workgroups with barriers do not share their lines here. Their waves are together anyway, and those of
        several workgroups drift apart, so that loops never come back to an earlier state: 4,096 cubed of f16
        takes 239,379 clocks on gfx1201, 239,623 with shared lines in five times the time."""
        none = np.full(len(fetches), -1)
        if not self._as_ready or self._has_barriers:
            return none, none
        ends = np.cumsum([len(wave.steps) for wave in self._trace.waves])
        waves = ends.searchsorted(known.at, "right")
        own = np.arange(len(fetches))
        is_shared = (waves[fetches] != waves) | np.isin(own, fetches[waves[fetches] != waves])
        return np.where(is_shared, waves[fetches], -1), np.where(is_shared, known.instructions[fetches], -1)

    def _share_stores(
        self, known: _Known, owners: NDArray[np.intp], lines: NDArray[np.int64]
    ) -> dict[int, float]:
        """For each instruction by which all workgroups store the same lines, the clocks of a request."""
        is_store = np.array([Trait.STORE in instr.row.traits for instr in self._trace.instructions])
        own = np.flatnonzero(is_store[known.instructions[owners]])
        instructions, groups = known.instructions[owners[own]], known.groups[owners[own]]
        stored = Stored(instructions, groups, lines[own] * self._coalescing.line)
        shared = stored_by_all(stored, len({wave.group for wave in self._trace.waves}))
        if not shared:
            return {}
        units = min(self._trace.groups, self._trace.target.compute_units)
        shared_lines = stored.of(np.isin(instructions, shared))
        return dict.fromkeys(shared, request_clocks(self._channels, shared_lines, units))

    def _vector_cost(
        self, instruction: int, asked: Coalesced, deepest: int, owner: int, fetch: int, missing: Sequence[int]
    ) -> Cost:
        """The cost of an access to lines that caches lack, `missing` of them in each level. A load waits for
        a line that the first `deepest` levels lack. If other waves wait for it too, wave `owner` fetches it
        by instruction `fetch`."""
        instr, own = self._trace.instructions[instruction], self._shares(self._users.die.get(instruction))
        loads = _loads(instr)
        room = len(asked.lines) if loads else 0
        services = [self._sends(instr)]
        if not (self._as_ready and loads):
            services.append(Service(_ADDRESSES, asked.clocks, 0, room))
        for place, count in enumerate(missing):
            if count:
                moved = count * self._caches.vector[place].line.value
                services.append(Service(_FIRST_LEVEL + place, ceil(moved / own[place].rate)))
        if instruction in self._shared_stores:
            moved = min(asked.requests, len(asked.lines) * self._coalescing.line // REQUEST)
            clocks = ceil(self._shared_stores[instruction] * moved)
            services.insert(0, Service(_FIRST_LEVEL + len(missing) + 1, clocks))
        latency = own[deepest - 1].latency if deepest else self._caches.vector[0].latency.clocks
        latency = latency if loads else self._caches.store.clocks
        return Cost(
            self._port(instr), tuple(services), latency - 1, returns=self._returns(instr, asked),
            hit=self._caches.vector[0].latency.clocks - 1, owner=owner,
            shared=owner * len(self._trace.instructions) + fetch if owner >= 0 else -1,
        )  # fmt: skip

    def _returns(self, instr: Instr, asked: Coalesced) -> Service | None:
        """The way back of a load's data, request by request. The waves of a compute unit share it, and a load
        that misses delays the next."""
        if not _loads(instr):
            return None
        unit = _ADDRESSES if self._as_ready else _FIRST_LEVEL + len(self._caches.vector)
        return Service(unit, asked.clocks)

    def _sends(self, instr: Instr) -> Service:
        """The way of addresses and data to the address unit. Addresses are of two registers at most."""
        data = max(0, _sent_registers(instr) - 2)
        return Service(_SENDS, self._machine.address.clocks + data * self._machine.access_issue.clocks)


def _within(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, ... for each of some counts in turn."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)


def _loads(instr: Instr) -> bool:
    """Whether an access reads memory and does not change it."""
    return instr.row.traits.isdisjoint(_STORES)


def _sent_registers(instr: Instr) -> int:
    """The vector registers that an access sends to its unit, at least 1. Scalar registers, such as the
    resource of a buffer, come another way."""
    row, sent = instr.row, 0
    for number in row.uses:
        operand = instr.operands[number]
        if not row.operands[number].tied and isinstance(operand, Register) and operand.first >= FIRST_VGPR:
            sent += row.operands[number].count
    return max(1, sent)
