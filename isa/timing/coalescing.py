"""Cache lines of a vector access of memory, and how long the address unit of the first cache is busy with it.

The address unit takes lanes in groups: as many as fit 64 bytes at the size of the access, or four. A group
makes a request for each 64 bytes that its lanes touch, so lanes of different groups share nothing there:

    64 lanes of gfx942 load 16 bytes each, consecutive      16 groups of 4 lanes, 16 clocks
    the same, each lane from another line                   16 groups of 4 requests, 64 clocks

The lines go to the caches (`isa.timing.caches`), each line once an access.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.address_units import ADDRESS_UNITS
from isa.timing.batches import Rows, rows_of
from isa.timing.patterns import Patterns, patterns
from isa.timing.trace import Access

REQUEST = 64  # bytes
_LEAST_LANES = 4
_WORD = 4  # bytes: smaller accesses are as many to a group


class Coalesced(NamedTuple):
    """The requests of an access to the first cache: `requests`, which take `clocks`, of `lines`, counted from
    the line of the first lane's first address."""

    clocks: int
    requests: int
    lines: tuple[int, ...]


class Coalescing:
    """The requests of a target's vector accesses. Those of a pattern of addresses are computed once."""

    def __init__(self, target: Target, line: int) -> None:
        """`line` is the size of the first cache's lines in bytes."""
        self.line = line
        self.table: list[Coalesced] = []
        self._unit = ADDRESS_UNITS[target.name]
        self._known: dict[Hashable, int] = {}

    def costs(self, accesses: Sequence[Access]) -> NDArray[np.intp]:
        """What accesses ask for, as places of `table`; `NOTHING` of an access without lanes."""
        return self.located(rows_of(accesses))[0]

    def located(self, rows: Rows) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """What accesses ask for, and the lines from which theirs are counted."""
        found, first = np.full(len(rows.row), NOTHING, np.intp), np.zeros(len(rows.row), np.int64)
        for some in patterns(rows, self.line):
            found[some.numbers] = self._of_patterns(some)[some.of]
            first[some.numbers] = some.bases // self.line
        return found, first

    def lines(self, access: Access) -> tuple[int, ...]:
        """The lines of an access, by their numbers."""
        places, firsts = self.located(rows_of((access,)))
        first = int(firsts[0])
        return tuple([first + line for line in self.table[int(places[0])].lines])

    def _of_patterns(self, some: Patterns) -> NDArray[np.intp]:
        kind = some.size, some.lanes.tobytes()
        keys = [(kind, pattern.tobytes()) for pattern in some.addresses]
        for key, pattern in zip(keys, some.addresses, strict=True):
            if key not in self._known:
                self._known[key] = len(self.table)
                self.table.append(self._count(some.lanes, pattern, some.size))
        return np.array([self._known[key] for key in keys])

    def _count(self, lanes: NDArray[np.intp], addresses: NDArray[np.int64], size: int) -> Coalesced:
        together = _LEAST_LANES
        if size < self._unit.narrow_from.value:
            together = 1 << (REQUEST // max(size, _WORD)).bit_length() - 1
        requests = 0
        for each in addresses:
            spans = _pieces(each, size, REQUEST)
            groups = np.repeat(lanes // together, spans.shape[1])
            requests += len(np.unique(groups << _SEGMENT_BITS | spans.reshape(-1) & _SEGMENT))
        sent = requests / self._unit.requests.value
        returned = addresses.size * size / self._unit.bytes.value
        lines = np.unique(_pieces(addresses, size, self.line))
        return Coalesced(max(1, int(np.ceil(max(sent, returned)))), requests, tuple(lines.tolist()))


NOTHING = -1
_SEGMENT_BITS = 48  # of a piece's number
_SEGMENT = (1 << _SEGMENT_BITS) - 1


def _pieces(addresses: NDArray[np.int64], size: int, piece: int) -> NDArray[np.int64]:
    """The first and the last pieces of memory that each access touches, with its first axes flattened."""
    addresses = addresses.reshape(-1)
    ends = np.stack((addresses, addresses + size - 1), axis=1)
    return ends // piece
