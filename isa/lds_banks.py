"""Banks of LDS: which lanes of an access are served together, and on how many banks.

LDS is made of banks of 32 bits, word w in bank w modulo their number. A wave's access is served in *phases*:
the lanes of a phase go together if no two of them access different words of the same bank. Otherwise the
phase is repeated until all lanes are served, a *conflict*. Lanes that access the same word share it.

Each record has its source. Not published, and assumed: gfx90a behaves as gfx942, with the same documented LDS
(32 banks, 64 KB); reads behave as writes if only one of them was measured; gfx950 writes 12 and 16 bytes as
gfx942 does; RDNA serves 12 bytes as 16; a phase takes its clock although its lanes are off.

The compiler places tiles by these records (`asmgen.blockwise.layout`), and the clock model takes an access's
clocks from them (`isa.timing.lds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isa.named_tuple import NamedTuple
from isa.trust import Trust

WORD = 4  # bytes of a bank's word

Lanes = tuple[int, ...]


class LdsAccess(NamedTuple):
    """How LDS serves an access of `bytes` for each lane: by `banks` banks, the lanes of each of `phases`
    together.

    The phases are those of 32 or of 64 lanes. More lanes repeat them.
    """

    bytes: int
    stores: bool
    banks: int
    phases: tuple[Lanes, ...]
    source: str
    trust: Trust

    def of_lanes(self, lanes: int) -> tuple[Lanes, ...]:
        """The phases of a wave of `lanes` lanes."""
        known = 1 + max(lane for phase in self.phases for lane in phase)
        return tuple(
            [
                tuple([lane + first for lane in phase])
                for first in range(0, lanes, known)
                for phase in self.phases
            ]
        )

    def cycles(self, addresses: Sequence[int]) -> int:
        """The number of cycles that a wave's access takes.

        `addresses` are in bytes, an address for each lane; an access of less than a word takes the word.
        """
        return sum(
            self._turns([addresses[lane] for lane in phase]) for phase in self.of_lanes(len(addresses))
        )

    def conflicts(self, addresses: Sequence[int]) -> int:
        """How many of the `cycles` would not be needed without conflicts."""
        return self.cycles(addresses) - len(self.of_lanes(len(addresses)))

    def _turns(self, addresses: Iterable[int]) -> int:
        firsts = {address // WORD for address in addresses}
        words = {first + word for first in firsts for word in range(self.bytes // WORD)}
        wanted = [0] * self.banks
        for word in words:
            wanted[word % self.banks] += 1
        return max(wanted)


def _consecutive(lanes: int, of: int) -> tuple[Lanes, ...]:
    """Phases of `lanes` consecutive lanes, of a wave of `of`."""
    return tuple([tuple(range(first, first + lanes)) for first in range(0, of, lanes)])


def _quads(*phases: tuple[int, ...]) -> tuple[Lanes, ...]:
    """Phases of groups of four lanes, each given by its number."""
    return tuple([tuple([4 * quad + lane for quad in phase for lane in range(4)]) for phase in phases])


# {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27}, and {0-3,12-15,20-27} {4-11,16-19,28-31}
_CROSSED = _quads((0, 5), (1, 4), (2, 7), (3, 6))
_HALVES = _quads((0, 3, 5, 6), (1, 2, 4, 7))


class _Phases(NamedTuple):
    """Phases of accesses of `bytes`, and their source."""

    bytes: int
    phases: tuple[Lanes, ...]
    source: str
    trust: Trust = Trust.MEASURED


def _reads(banks: int, *known: _Phases) -> tuple[LdsAccess, ...]:
    return tuple([LdsAccess(of.bytes, False, banks, of.phases, of.source, of.trust) for of in known])


def _writes(banks: int, *known: _Phases) -> tuple[LdsAccess, ...]:
    return tuple([LdsAccess(of.bytes, True, banks, of.phases, of.source, of.trust) for of in known])


def _assumed(accesses: tuple[LdsAccess, ...], source: str) -> tuple[LdsAccess, ...]:
    return tuple([access._replace(source=source, trust=Trust.ASSUMED) for access in accesses])


_EMPIRICAL = "amd-shark-ai, docs/empirical-lds"
_KITTENS = "HipKittens, paper_experiments/phases"
_CK_TILE = "CK-Tile documentation, LDS bank conflicts"
_CDNA3_READ = "as gfx942 reads"
_CDNA3_WRITE = "as gfx942 writes"

CDNA3_LDS = (
    *_reads(
        32,
        _Phases(4, _consecutive(32, 64), _EMPIRICAL),
        _Phases(8, _consecutive(16, 64), _EMPIRICAL),
        _Phases(12, _CROSSED, "as 16 bytes", Trust.ASSUMED),
        _Phases(16, _CROSSED, _EMPIRICAL),
    ),
    *_writes(
        32,
        _Phases(4, _consecutive(32, 64), _CDNA3_READ, Trust.ASSUMED),
        _Phases(8, _consecutive(16, 64), _CDNA3_READ, Trust.ASSUMED),
        _Phases(12, _consecutive(8, 64), "as 16 bytes", Trust.ASSUMED),
        _Phases(16, _consecutive(8, 64), _CK_TILE, Trust.DOCUMENTED),
    ),
)
CDNA2_LDS = _assumed(CDNA3_LDS, "as gfx942")
CDNA4_LDS = (
    *_reads(
        64,
        _Phases(4, _consecutive(64, 64), _EMPIRICAL),
        _Phases(8, _consecutive(32, 64), _EMPIRICAL),
        _Phases(16, _HALVES, _EMPIRICAL),
    ),
    *_reads(32, _Phases(12, _CROSSED, _KITTENS)),
    *_writes(64, _Phases(4, _consecutive(64, 64), "as gfx950 reads", Trust.ASSUMED)),
    *_writes(
        32,
        _Phases(8, _consecutive(16, 64), _KITTENS),
        _Phases(12, _consecutive(8, 64), _CDNA3_WRITE, Trust.ASSUMED),
        _Phases(16, _consecutive(8, 64), _CDNA3_WRITE, Trust.ASSUMED),
    ),
)
_RDNA3_PHASES = (
    _Phases(4, _consecutive(32, 32), _EMPIRICAL),
    _Phases(8, _consecutive(16, 32), _EMPIRICAL),
    _Phases(12, _CROSSED, "as 16 bytes", Trust.ASSUMED),
    _Phases(16, _CROSSED, _EMPIRICAL),
)
_RDNA4_PHASES = (
    *_RDNA3_PHASES[:2],
    _Phases(12, _consecutive(8, 32), "as 16 bytes", Trust.ASSUMED),
    _Phases(16, _consecutive(8, 32), _EMPIRICAL),
)
RDNA3_LDS = _reads(32, *_RDNA3_PHASES) + _assumed(_writes(32, *_RDNA3_PHASES), "as gfx1100 reads")
RDNA4_LDS = _reads(32, *_RDNA4_PHASES) + _assumed(_writes(32, *_RDNA4_PHASES), "as gfx1201 reads")
