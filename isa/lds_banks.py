"""Banks of LDS: which lanes of an access are served together, and on how many banks.

LDS is made of banks of 32 bits, word w in bank w modulo their number. A wave's access is served in *phases*:
the lanes of a phase go together if no two of them access different words of the same bank. Otherwise the
phase is repeated until all lanes are served, a *conflict*. Lanes that access the same word share it.

Sources, all of them measurements: for gfx942 and gfx950 AMD's notes "empirical LDS" (amd-shark-ai) and the
phase experiments of the HipKittens paper; for gfx1100 and gfx1201 the LDS throughput tables of ROCm's Gluon
tutorials. Assumptions, not published: gfx90a behaves as gfx942, with the same documented LDS (32 banks,
64 KB); reads behave as writes if only one of them was measured; gfx950 writes 12 and 16 bytes as gfx942 does;
RDNA serves 12 bytes as 16.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isa.named_tuple import NamedTuple

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


def _accesses(banks: int, phases: dict[int, tuple[Lanes, ...]], stores: bool) -> tuple[LdsAccess, ...]:
    return tuple([LdsAccess(size, stores, banks, lanes) for size, lanes in phases.items()])


_CDNA3_READS = {4: _consecutive(32, 64), 8: _consecutive(16, 64), 12: _CROSSED, 16: _CROSSED}
_CDNA3_WRITES = _CDNA3_READS | {12: _consecutive(8, 64), 16: _consecutive(8, 64)}
_CDNA4_READS = {4: _consecutive(64, 64), 8: _consecutive(32, 64), 16: _HALVES}
_CDNA4_WRITES = {8: _consecutive(16, 64), 12: _consecutive(8, 64), 16: _consecutive(8, 64)}
_RDNA3_PHASES = {4: _consecutive(32, 32), 8: _consecutive(16, 32), 12: _CROSSED, 16: _CROSSED}
_RDNA4_PHASES = _RDNA3_PHASES | {12: _consecutive(8, 32), 16: _consecutive(8, 32)}

CDNA3_LDS = _accesses(32, _CDNA3_READS, False) + _accesses(32, _CDNA3_WRITES, True)
CDNA4_LDS = (
    *_accesses(64, _CDNA4_READS, False), LdsAccess(12, False, 32, _CROSSED),
    LdsAccess(4, True, 64, _consecutive(64, 64)), *_accesses(32, _CDNA4_WRITES, True),
)  # fmt: skip
RDNA3_LDS = _accesses(32, _RDNA3_PHASES, False) + _accesses(32, _RDNA3_PHASES, True)
RDNA4_LDS = _accesses(32, _RDNA4_PHASES, False) + _accesses(32, _RDNA4_PHASES, True)
