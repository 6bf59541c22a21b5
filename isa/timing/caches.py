"""The caches of the targets, and which level has a line.

A compute unit sees its own first cache, and a share of each cache that it has in common with others: its part
of the cache if all use the cache alike, and its part of the bytes that the cache moves in a clock. Each cache
forgets the line of a set that was used least recently.

Latencies are from the issue of a load to its data if nothing else is under way. Numbers that the sources give
in nanoseconds are taken at the products' clocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from isa.named_tuple import NamedTuple
from isa.trust import Figure, Latency, Trust

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Lines = TypeVar("_Lines", int, "NDArray[np.int64]")

MEMORY = "memory"  # the name of the level behind the last cache
KB = 1 << 10
MB = 1 << 20


_NOT_SPREAD = Figure(0, "not known", Trust.ASSUMED)


class Level(NamedTuple):
    """A cache.

    * `size`, `line`: bytes; `ways`: lines of a set
    * `sharers`: compute units that share it
    * `latency`: of a hit
    * `rate`: bytes a clock that it gives a compute unit if all sharers ask
    * `spread`: 1 if lines that are a power of two apart are in different sets (`placed`)
    """

    name: str
    size: Figure
    line: Figure
    ways: Figure
    sharers: Figure
    latency: Latency
    rate: Figure
    spread: Figure = _NOT_SPREAD


_OWN_LINE = Figure(0, "not known: a line of the first cache", Trust.ASSUMED)
_ONE_DIE = Figure(1, "AMD's product page", Trust.DOCUMENTED)


class Caches(NamedTuple):
    """A target's caches.

    * `vector`: from the compute unit's own on, those of vector accesses
    * `memory`, `memory_rate`: of a load that no cache has, and bytes a clock for a compute unit
    * `resident_rate`: the same of a launch of which the last cache has the buffers, from and to that cache
    * `together`: bytes of memory that arrive at the same time, whichever loads ask for them
    * `rate_of`: the name of the memory or of the cache that has `memory_rate`
    * `resident_rate_of`: the name of the cache that has `resident_rate`
    * `scalar`, `scalar_memory`: the scalar cache, and the latency of a scalar load that it does not have
    * `store`: from the issue of a store to its end, for the counter
    * `dies`: workgroups go to so many dies in turn. Each has the cache of its compute units
    """

    vector: tuple[Level, ...]
    memory: Latency
    memory_rate: Figure
    resident_rate: Figure
    scalar: Level
    scalar_memory: Latency
    store: Latency
    together: Figure = _OWN_LINE
    resident_rate_of: str = "Infinity Cache"
    rate_of: str = MEMORY
    dies: Figure = _ONE_DIE

    @property
    def of_die(self) -> Level | None:
        """The cache that the compute units of a die share; None if there is a single die."""
        sharers = self.vector[-1].sharers.value / self.dies.value
        return next((level for level in self.vector[:-1] if level.sharers.value == sharers), None)

    def with_buffers(self, buffer_bytes: int) -> Caches:
        """The caches for a launch with buffers of so many bytes (0: unknown). Buffers that fit in the
        last cache are there: the launches before have written or read them."""
        if 0 < buffer_bytes <= self.vector[-1].size.value:
            return self._replace(memory_rate=self.resident_rate, rate_of=self.resident_rate_of)
        return self


_SYSINFO = "rocprofiler-compute, sysinfo of tested machines"
_ROOFLINE = "rocprof-compute, rooflines of MI250 and MI300A"
_TOPOLOGY = "the Linux driver's cache tables"
_CDNA3_PAPER = "AMD CDNA 3 white paper"
_RDNA_PAPER = "AMD RDNA white paper"
_ROCJITSU = "rocjitsu's timing fork, model of MI300X and MI350X"
_TRACES = "tinygrad SQTT traces"
_TUTORIAL = "AMD's tutorial kernels, docs/tcp_bound_tile_model"
_META_MODEL = "Meta Triton, AMDLatencyModel: a conservative estimate"
_CHEESE = "Chips and Cheese, RDNA 3 power saving: 150.3 ns"
_PRODUCT = "AMD's product page"


def _documented(value: float, source: str) -> Figure:
    return Figure(value, source, Trust.DOCUMENTED)


def _peak(value: float, source: str) -> Figure:
    return Figure(value, source, Trust.PEAK)


def _measured(value: float, source: str) -> Figure:
    return Figure(value, source, Trust.MEASURED)


def _assumed(value: float, source: str) -> Figure:
    return Figure(value, source, Trust.ASSUMED)


def _clocks(clocks: int, source: str, trust: Trust = Trust.ASSUMED) -> Latency:
    return Latency(clocks, source, trust)


_LINE = _documented(128, _SYSINFO)
_OWN = _documented(1, _SYSINFO)
_SCALAR_CDNA = Level(
    "scalar cache", _documented(16 * KB, _TOPOLOGY), _documented(64, _TOPOLOGY), _assumed(4, "as RDNA"),
    _documented(2, _SYSINFO), _clocks(20, "LLVM SISchedule.td", Trust.DOCUMENTED),
    _documented(64, "a line a clock"),
)  # fmt: skip
_SCALAR_RDNA = Level(
    "scalar cache", _documented(16 * KB, _TOPOLOGY), _documented(64, _RDNA_PAPER),
    _documented(4, _RDNA_PAPER), _documented(2, _RDNA_PAPER),
    _clocks(28, _TRACES + " of gfx1200", Trust.DERIVED), _documented(64, "a line a clock"),
)  # fmt: skip

_CDNA2 = Caches(
    vector=(
        Level(
            "L1", _documented(16 * KB, _SYSINFO), _documented(64, _SYSINFO), _assumed(64, _CDNA3_PAPER), _OWN,
            _clocks(105, _ROCJITSU), _measured(52.25, _ROOFLINE),
        ),
        Level(
            "L2", _documented(8 * MB, _SYSINFO), _LINE, _assumed(16, _CDNA3_PAPER),
            _documented(104, _SYSINFO), _clocks(273, _ROCJITSU), _measured(28.46, _ROOFLINE),
        ),
    ),
    memory=_clocks(798, _ROCJITSU),
    memory_rate=_measured(7.86, _ROOFLINE),
    resident_rate=_measured(7.86, _ROOFLINE + ": it has no cache behind L2"),
    scalar=_SCALAR_CDNA,
    scalar_memory=_clocks(1500, _TRACES + " of gfx950"),
    store=_clocks(441, "rocprofiler-compute, MI300X under load"),
    resident_rate_of=MEMORY,
)  # fmt: skip
_CDNA3 = Caches(
    vector=(
        Level(
            "L1", _documented(32 * KB, _SYSINFO), _LINE, _assumed(64, _CDNA3_PAPER), _OWN,
            _clocks(105, _ROCJITSU), _measured(51.03, _ROOFLINE),
        ),
        Level(
            "L2", _documented(4 * MB, _SYSINFO), _LINE, _documented(16, _CDNA3_PAPER),
            _documented(38, _SYSINFO), _clocks(273, _ROCJITSU), _measured(39.22, _ROOFLINE),
        ),
        Level(
            "Infinity Cache", _documented(256 * MB, _CDNA3_PAPER), _LINE, _documented(16, _CDNA3_PAPER),
            _documented(304, _SYSINFO), _clocks(567, _ROCJITSU), _peak(26.9, _CDNA3_PAPER),
        ),
    ),
    memory=_clocks(798, _ROCJITSU),
    memory_rate=Figure(5.91, _ROOFLINE + ", over the 304 compute units of MI300X", Trust.DERIVED),
    resident_rate=_assumed(8.28, "gfx950's ratio to memory"),
    scalar=_SCALAR_CDNA,
    scalar_memory=_clocks(1500, _TRACES + " of gfx950"),
    store=_clocks(441, "rocprofiler-compute, MI300X under load", Trust.MEASURED),
    dies=_documented(8, "Composable Kernel pull request 3652: workgroups go to the XCDs in turn"),
)  # fmt: skip
_CDNA4 = _CDNA3._replace(
    vector=(
        _CDNA3.vector[0]._replace(latency=_clocks(120, _ROCJITSU), rate=_assumed(51.03, "as gfx942")),
        _CDNA3.vector[1]._replace(
            sharers=_documented(32, "HipKittens, its list of XCDs"), latency=_clocks(312, _ROCJITSU),
            rate=_measured(45.0, _TUTORIAL + ": 22.75 clocks for each KB of a tile"),
        ),
        _CDNA3.vector[2]._replace(
            sharers=_documented(256, "HipKittens, its list of XCDs"), latency=_clocks(648, _ROCJITSU),
            rate=_assumed(28.0, "gfx942's bytes a second"),
        ),
    ),
    memory=_clocks(790, _META_MODEL, Trust.DOCUMENTED),
    memory_rate=_measured(9.44, "TileLang pull request 2248: an elementwise add of 51.5 GB, at 2.4 GHz"),
    resident_rate=Figure(13.0, "FlyDSL, softmax backward of 50 to 201 MB less its start", Trust.DERIVED),
    scalar_memory=_clocks(1500, _TRACES, Trust.DERIVED),
    store=_clocks(441, "as gfx942"),
)  # fmt: skip
_RDNA3 = Caches(
    vector=(
        Level(
            "L0", _documented(32 * KB, _TOPOLOGY), _documented(128, _RDNA_PAPER), _assumed(4, _RDNA_PAPER),
            _OWN, _clocks(76, _TRACES + " of gfx1200"), _assumed(64, "as CDNA"),
        ),
        Level(
            "L1", _documented(256 * KB, _TOPOLOGY), _documented(128, _RDNA_PAPER), _assumed(16, _RDNA_PAPER),
            _documented(8, "the Linux driver's topology"), _clocks(130, "between L0 and the Infinity Cache"),
            _assumed(64, _RDNA_PAPER),
        ),
        Level(
            "L2", _documented(6 * MB, _TOPOLOGY), _documented(128, _RDNA_PAPER), _documented(16, _RDNA_PAPER),
            _documented(96, "the Linux driver's topology"), _clocks(240, "between L0 and the Infinity Cache"),
            _assumed(32, "128 bytes a clock for each of 24 channels"),
        ),
        Level(
            "Infinity Cache", _documented(96 * MB, _TOPOLOGY), _documented(64, _RDNA_PAPER),
            _assumed(16, _CDNA3_PAPER), _documented(96, "the Linux driver's topology"),
            _clocks(376, _CHEESE, Trust.MEASURED), _peak(22, "AMD's product page, 5.3 TB/s"),
        ),
    ),
    memory=_clocks(490, _TRACES + ", E_3", Trust.DERIVED),
    memory_rate=_peak(4.0, _PRODUCT),
    resident_rate=_assumed(10.0, "gfx950's share of the peak of its last cache"),
    scalar=_SCALAR_RDNA._replace(latency=_clocks(28, _TRACES + " of gfx1200")),
    scalar_memory=_clocks(1100, _TRACES, Trust.DERIVED),
    store=_clocks(323, _TRACES, Trust.DERIVED),
)  # fmt: skip
_RDNA4 = _RDNA3._replace(
    vector=(
        _RDNA3.vector[0]._replace(
            latency=_clocks(76, _TRACES + " of gfx1200", Trust.DERIVED),
            spread=Figure(1, _TRACES + ", r_32_16 of gfx1200: rows of 4,096 bytes", Trust.DERIVED),
        ),
        _RDNA3.vector[2]._replace(
            size=_documented(8 * MB, _TOPOLOGY), sharers=_documented(64, "the Linux driver's topology"),
            latency=_clocks(290, "gfx1100's nanoseconds"), rate=_assumed(32, "as gfx1100"),
        ),
        _RDNA3.vector[3]._replace(
            size=_documented(64 * MB, _TOPOLOGY), sharers=_documented(64, "the Linux driver's topology"),
            latency=_clocks(450, "gfx1100's nanoseconds"), rate=_assumed(22, "as gfx1100"),
        ),
    ),
    memory=_clocks(734, _TRACES + ", r_2_8_16 of gfx1201", Trust.DERIVED),
    together=Figure(256, _TRACES + ", r_2_8_16 of gfx1200", Trust.DERIVED),
    memory_rate=_peak(3.37, _PRODUCT),
    resident_rate=_assumed(10.0, "gfx950's share of the peak of its last cache"),
    scalar=_SCALAR_RDNA,
    scalar_memory=_clocks(1700, _TRACES, Trust.DERIVED),
    store=_clocks(368, _TRACES, Trust.DERIVED),
)  # fmt: skip

CACHES: dict[str, Caches] = {
    "gfx90a": _CDNA2,
    "gfx942": _CDNA3,
    "gfx950": _CDNA4,
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA4,
}


def sets_of(level: Level, units: int) -> tuple[int, int]:
    """The sets and the ways of the part of a cache that belongs to `units` compute units."""
    part = min(1.0, units / level.sharers.value)
    return max(1, int(level.size.value * part // (level.line.value * level.ways.value))), int(
        level.ways.value
    )


def placed(lines: _Lines, sets: int) -> _Lines:
    """Other numbers for the lines of a cache that spreads them over its sets: modulo `sets`, each is the
    line's set. Which lines share a set is not known; these numbers depend on all bits of an address."""
    return lines - lines % sets + (lines + lines // sets + lines // sets**2) % sets


class Lru:
    """A cache's lines; each set forgets the line that was used least recently."""

    def __init__(self, size: int, line: int, ways: int, spread: bool = False) -> None:
        """`size` in bytes; at least a set. `spread` is whether lines are spread over the sets."""
        self._ways, self._spread = ways, spread
        self._sets: list[dict[int, None]] = [{} for _ in range(max(1, size // (line * ways)))]

    @classmethod
    def share(cls, level: Level, units: int) -> Lru:
        """The part of a cache that belongs to `units` compute units."""
        sets, ways = sets_of(level, units)
        return cls(sets * ways, 1, ways, level.spread.value > 0)

    def touch(self, line: int) -> bool:
        """Whether the cache has a line; from now on it has."""
        return self.touch_all((line,))[0]

    def touch_all(self, lines: Iterable[int]) -> list[bool]:
        """Whether the cache has each of some lines, which are touched in turn."""
        sets, ways, hits = self._sets, self._ways, list[bool]()
        for line in lines:
            held = sets[(placed(line, len(sets)) if self._spread else line) % len(sets)]
            hit = line in held
            if hit:
                del held[line]
            elif len(held) == ways:
                del held[next(iter(held))]
            held[line] = None
            hits.append(hit)
        return hits

    def missing(self, lines: Iterable[int]) -> list[int]:
        """Those of some lines that the cache does not have; from now on it has all."""
        return [line for line in lines if not self.touch(line)]


class Hierarchy:
    """Caches behind each other: a line that a cache does not have is asked of the next. Compute units have
    a first cache of their own each, and the others together."""

    def __init__(self, levels: Sequence[Level], units: int) -> None:
        """The share of `units` compute units."""
        self._sizes = [int(level.line.value) for level in levels]
        self._firsts = [Lru.share(levels[0], 1) for _ in range(units)]
        self._further = [Lru.share(level, units) for level in levels[1:]]

    def load(self, unit: int, lines: Sequence[int]) -> tuple[int, ...]:
        """How many lines each level does not have, each in its own lines; the last asks memory. `lines` are
        the first level's."""
        missing = self._firsts[unit].missing(lines)
        return len(missing), *self._asked(missing)

    def store(self, lines: Sequence[int]) -> tuple[int, ...]:
        """The same for a store, which goes past the first level to the others."""
        return len(lines), *self._asked(lines)

    def _asked(self, lines: Sequence[int]) -> list[int]:
        asked: list[int] = []
        for level, cache in enumerate(self._further, 1):
            lines = cache.missing(_as_lines(lines, self._sizes[level - 1], self._sizes[level]))
            asked.append(len(lines))
        return asked


def _as_lines(lines: Sequence[int], size: int, wanted: int) -> Sequence[int]:
    """Lines of `size` bytes as lines of `wanted` bytes."""
    if size == wanted or not lines:
        return lines
    if size > wanted:
        parts = size // wanted
        return [line * parts + part for line in lines for part in range(parts)]
    return list(dict.fromkeys([line * size // wanted for line in lines]))
