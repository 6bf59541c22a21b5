"""How long LDS is busy with an access, from the addresses of its lanes.

    64 lanes of gfx942 read 16 bytes each, consecutive      8 phases, 8 clocks
    the same lanes, rows of 128 bytes                       8 lanes of a phase want the same banks: 64 clocks

`isa.lds_banks` has the phases and banks of the targets; the compiler asks the same records. Here are the
instructions: accesses of two addresses are served in turn, updates of a word by several lanes too
(SQ_LDS_ADDR_CONFLICT counts them), and lanes that are exchanged have no conflicts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Row, Trait
from isa.lds_banks import WORD, LdsAccess
from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.batches import Rows, rows_of
from isa.timing.patterns import Patterns, patterns
from isa.timing.trace import Access
from isa.trust import Latency, Trust


class LdsCost(NamedTuple):
    """The clocks that LDS is busy with an access, and how many of them conflicts take."""

    clocks: int
    conflicts: int


class LdsRates(NamedTuple):
    """A target's numbers of LDS besides its banks.

    * `returned`: clocks that the way back from LDS to two SIMDs (on RDNA, to a SIMD) is busy with a register
      of a wave
    * `queue`: the most accesses of two SIMDs that wait for LDS; on RDNA, of a SIMD for their way to LDS
    * `sent`: clocks that the way of two SIMDs to LDS is busy with a register of a store, while its wave
      waits; 0 if stores wait in the queue
    """

    returned: Latency
    queue: Latency
    sent: Latency


_BLOCKS = "amd-shark-ai docs/empirical-lds, blocks of 64 reads"
_TUTORIAL = "AMD's tutorial kernels, docs/lds_throughput"
_TRACES = "tinygrad SQTT traces, ds_load_b128 against ds_load_b32"

_CDNA3 = LdsRates(
    returned=Latency(4, _BLOCKS, Trust.DERIVED),  # 64 bytes a clock
    queue=Latency(8, _TUTORIAL, Trust.MEASURED),
    sent=Latency(4, _TUTORIAL + ", gfx942: ds_write_b128 issues for 4 and 16 clocks", Trust.MEASURED),
)
_CDNA2 = LdsRates(
    returned=_CDNA3.returned._replace(trust=Trust.ASSUMED),
    queue=_CDNA3.queue._replace(trust=Trust.ASSUMED),
    sent=_CDNA3.sent._replace(trust=Trust.ASSUMED),
)
_CDNA4 = _CDNA3._replace(
    returned=Latency(2, _TUTORIAL, Trust.MEASURED),  # 128 bytes a clock
    sent=_CDNA3.sent._replace(trust=Trust.ASSUMED),
)
_RDNA3 = LdsRates(
    returned=Latency(2, _TRACES, Trust.ASSUMED),
    queue=Latency(8, _TRACES + ", discover_ops", Trust.DERIVED),
    sent=Latency(0, _TRACES, Trust.DERIVED),
)
_RDNA4 = _RDNA3._replace(returned=Latency(2, _TRACES, Trust.DERIVED))

LDS_RATES: dict[str, LdsRates] = {
    "gfx90a": _CDNA2,
    "gfx942": _CDNA3,
    "gfx950": _CDNA4,
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA4,
}


class LdsClocks:
    """The costs of a target's LDS accesses. The cost of a pattern of addresses is computed once."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._known: dict[Hashable, int] = {}
        self._places: dict[LdsCost, int] = {}
        self.table: list[LdsCost] = []

    def cost(self, row: Row, access: Access | None) -> LdsCost:
        """The cost of an access; if it is unknown, of consecutive lanes, or of lanes that are exchanged."""
        if access is None:
            access = consecutive(row, self._target.wave_size)
        return self.table[int(self.costs(row, (access,))[0])]

    def costs(self, row: Row, accesses: Sequence[Access]) -> NDArray[np.intp]:
        """The costs of accesses of the same row, as places of `table`. Without any lane an access costs
        nothing."""
        return self.costs_of(row, rows_of(accesses))

    def costs_of(self, row: Row, rows: Rows) -> NDArray[np.intp]:
        """As `costs`, of accesses in batches."""
        found = np.full(len(rows.row), self._place(LdsCost(0, 0)), np.intp)
        for some in patterns(rows, WORD):
            found[some.numbers] = self._of_patterns(row, some)[some.of]
        return found

    def _of_patterns(self, row: Row, some: Patterns) -> NDArray[np.intp]:
        kind = row.traits.isdisjoint(_STORES), Trait.ATOMIC in row.traits, some.size, some.lanes.tobytes()
        keys = [(kind, pattern.tobytes()) for pattern in some.addresses]
        fresh = [number for number, key in enumerate(keys) if key not in self._known]
        if fresh:
            loads, updates, size, _ = kind
            served = self._target.lds_access(size, not loads)
            unknown = some._replace(addresses=some.addresses[fresh])
            for number, cost in zip(
                fresh, _count(served, self._target.wave_size, unknown, updates), strict=True
            ):
                self._known[keys[number]] = self._place(cost)
        return np.array([self._known[key] for key in keys])

    def _place(self, cost: LdsCost) -> int:
        """The place of a cost in the table."""
        if cost not in self._places:
            self._places[cost] = len(self.table)
            self.table.append(cost)
        return self._places[cost]


def consecutive(row: Row, wave_size: int) -> Access:
    """An access of consecutive lanes."""
    lanes = np.arange(wave_size)
    size = min(max(row.memory_bytes, WORD), _WIDEST)
    return Access(lanes, (lanes * size)[None], size)


_STORES = frozenset({Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})
_WIDEST = 16  # bytes of a lane's access
_NO_WORD = np.iinfo(np.int64).min


def _count(served: LdsAccess, wave_size: int, some: Patterns, updates: bool) -> list[LdsCost]:
    """The costs of patterns. A phase takes its clock although its lanes are off."""
    count, each, _ = some.addresses.shape
    phases = np.array(served.of_lanes(wave_size))
    reached = _words(some.addresses, some.size)
    words = np.full((count, each, wave_size, reached.shape[-1]), _NO_WORD)
    words[:, :, some.lanes] = reached
    by_phase = words[:, :, phases].reshape(count * each * len(phases), -1)
    turns = np.maximum(_most_of_a_bank(by_phase, served.banks, updates), 1)
    clocks = turns.reshape(count, -1).sum(axis=1)
    return [LdsCost(spent, spent - each * len(phases)) for spent in clocks.tolist()]


def _words(addresses: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The words of accesses, in a last axis. An access that is not aligned reaches into a word more."""
    first, last = addresses // WORD, (addresses + size - 1) // WORD
    words = first[..., None] + np.arange(1 + int((last - first).max()))
    return np.where(words <= last[..., None], words, _NO_WORD)


def _most_of_a_bank(words: NDArray[np.int64], banks: int, updates: bool) -> NDArray[np.intp]:
    """For each row of words the most that are in the same bank. Lanes share a word, unless they update it."""
    if not updates:
        words = np.sort(words, axis=1)
    wanted = words != _NO_WORD
    if not updates:
        wanted[:, 1:] &= words[:, 1:] != words[:, :-1]
    rows, _ = np.nonzero(wanted)
    counts = np.bincount(rows * banks + words[wanted] % banks, minlength=len(words) * banks)
    return counts.reshape(len(words), banks).max(axis=1)
