"""The page on LDS and memory in the clock model, with a table of its records: docs/memory.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from isa.lds_banks import LdsAccess
from isa.named_tuple import NamedTuple
from isa.targets import TARGETS
from isa.timing.address_units import ADDRESS_UNITS
from isa.timing.caches import CACHES, Level
from isa.timing.channels import CHANNELS
from isa.timing.lds import LDS_RATES
from isa.trust import Figure, Latency, Trust

_PREAMBLE = """\
# LDS and memory in the clock model

The clock model (`isa/timing`) gets the cost of an access from the addresses of its lanes. This page has the rules and all numbers, with a
source for each. `python -m tools.pages memory` prints it. The letters after a number say how reliable it is ([Numbers](#numbers)).

| file of `isa` | has |
|---|---|
| `lds_banks.py` | banks and phases of LDS by target, width and direction. The compiler places tiles in LDS by the same records |
| `timing/lds.py` | clocks of an LDS access |
| `timing/address_units.py` | the address units of the first caches |
| `timing/coalescing.py` | requests and cache lines of a vector access |
| `timing/returns.py` | the order in which loads return on RDNA 4 |
| `timing/caches.py` | the caches; `Hierarchy` follows accesses in order |
| `timing/streams.py` | the same result for all accesses of a trace at once |
| `timing/shares.py` | a compute unit's share of the caches and of memory |
| `timing/cached.py` | the cost of each access of a trace: its units and its latency |

Accesses with the same distances between their addresses cost the same. The model computes such a cost a single time: a known pattern takes
up to two microseconds, a new pattern five to twelve.

## LDS

LDS serves the lanes of a *phase* together. A phase takes as many clocks as the largest number of different words that it needs from one
bank, and at least one clock.

| access | rule | trust |
|---|---|---|
| lanes that load the same word | share it | measured |
| lanes that update the same word | take turns | `SQ_LDS_ADDR_CONFLICT` counts them; their time is assumed |
| `ds_read2`, `ds_write2` | one address after the other | assumed |
| `ds_read_*_tr_*` (gfx950) | as a load of its width | assumed |
| bytes and halves | as words | assumed |
| addresses that are not aligned | a word more | assumed |
| `ds_permute`, `ds_bpermute`, `ds_swizzle` | as a load of a word, without conflicts | assumed |
| loads to LDS | as a store of consecutive lanes | assumed |
| lanes that are off | their phase takes its clock | assumed |

An access goes through the way to LDS, LDS, and the way back. On CDNA a store keeps its wave until LDS has its data.

"""

_CHECKS = """\
## Checks of LDS

| measurement | the model |
|---|---|
| bank conflicts of 15 strides and widths on MI300X (`SQ_LDS_BANK_CONFLICT`) | all exact |
| 70 times of 64 reads on MI300X, MI350X, W7900 and RX 9070 XT | all within 10 % |
| ten ratios of the slowest to the fastest of these | all within 10 % |
| a swizzle in steps of two rows on gfx942: 13.3 and 14 clocks an access, and 8.00 in steps of one row | 13.33, 14.00 and 8.00 |
| `ds_load_b128` on gfx1200: 37 to 41 clocks until the wait ends; `ds_load_b32`: 32 | 38 and 32 |

The source of the 70 times runs several workgroups on an LDS. Three to five numbers of each target describe these neighbours. They are
fitted to the table itself (`tools/validate_timing/lds_neighbours.py`). The clocks that LDS takes for a read are not.

The tutorial kernels give 13.3 and 14 clocks as means over all LDS accesses of a loop: a read takes 16 clocks and a write 8, and the two
loops have 32 reads with 16 writes, and 24 reads with 8 writes.

## Vector accesses

The *address unit* takes lanes in groups: as many lanes as fill 64 bytes at the width of the access, and at least four. A group makes a
request for each 64 bytes that its lanes touch. Groups do not share requests:

| access on gfx942 | requests | clocks |
|---|---|---|
| 64 lanes load consecutive dwords | 4 | 4 |
| 64 lanes load 16 consecutive bytes each | 16 | 16 |
| 64 lanes load 16 bytes each, from 64 lines | 64 | 64 |
| 64 lanes load 16 bytes each, from 8 lines in turn | 64 | 64 |

An access asks the first cache for each line once. A cache has sets; each set forgets the line that was used least recently. Stores go past
the first cache. A line that no cache has comes from memory, since the contents of the caches before the launch are unknown. If an access of
another wave asked for the line since the last wait, the line is still on its way: the access waits as long, but moves no bytes.

A compute unit owns its first cache. It gets a share of the others:

* **Size**: the cache is divided evenly between its compute units.
* **Rate**: bytes a clock if all units ask. If a launch has fewer workgroups than the machine has units, the workgroups share the whole rate.
* **Lines that several workgroups use**: a cache passes a line on once for all workgroups of its units. So each of *n* such workgroups pays
  for 1/*n* of the transfer, and only one of them waits for the next level. `profile` estimates *n* from the buffers of the launch.

On CDNA a load takes places in the first cache before its data are there. 32 KB under way are the most, which bounds small tiles: a step of
K takes 22.7 to 22.9 clocks for each KB on gfx950, from which the rate of gfx950's L2 is.

Before RDNA 4, the loads of a compute unit return their data in the order of their issue. The data of a load take as many clocks on the way back as its
requests took, so a load that hits waits for an earlier load that misses. Thread traces show it: loads with 64 requests return 64 clocks
apart on gfx950, those with 32 requests return 16 clocks apart on RDNA, whichever wave issued them.

On RDNA 4, a load of a wave returns as soon as its data are there, whatever other waves wait for (`isa/timing/returns.py`). The loads of a
wave keep their order, and those of a clause stay together. AMD's slides say so
([Chips and Cheese](https://chipsandcheese.com/p/rdna-4s-out-of-order-memory-accesses)), and two traces show it: in `r_2_8_16` of gfx1200
and gfx1201, the loads of the first clause of all waves return before those of the second clause of any. All waves that load from 256 bytes
of memory get their data at the same time, and a wave that comes later finds them in the first cache.

If all workgroups of a launch store the same lines, the channels of L2 that have these lines bound the launch
(`isa/timing/channels.py`). In a trace of gfx1201, 256 workgroups store the same 1,024 bytes. Four channels take 64 bytes a clock each, so
each of 64 compute units stores 256 bytes in 64 clocks. The trace shows 128 clocks between stores of a SIMD, and the oldest wave stores first.

Scalar loads hit the scalar cache, or take the latency of a cold load. Waves that ask for a line that is on its way wait until it is
there: in the traces, all waves of a compute unit pass the wait for their arguments at the same time.

The address unit of RDNA bounds two loops of tinygrad's traces, `r_2_8_16` on gfx1100 and `r_32_16` on gfx1200; memory bounds `r_2_8_16` on
gfx1201. [timing.md](timing.md) has their trips.

## Not modelled

* Translation of addresses (TLB), and conflicts of channels of L2 and memory, but for stores of all workgroups to the same lines
* Accesses of other compute units, beyond their share
* The stops of loads at the address unit of RDNA while many lines are under way

## Numbers

"""

_LEVELS: Sequence[tuple[str, Callable[[Level], Figure | Latency]]] = (
    ("bytes", lambda level: level.size),
    ("bytes of a line", lambda level: level.line),
    ("lines of a set", lambda level: level.ways),
    ("compute units that share it", lambda level: level.sharers),
    ("clocks to data", lambda level: level.latency),
    ("bytes a clock for a compute unit", lambda level: level.rate),
    ("spreads lines over its sets", lambda level: level.spread),
)


class _Row(NamedTuple):
    """A row of the table: a number for each target; None for a target without it."""

    name: str
    numbers: tuple[Figure | Latency | None, ...]


def memory() -> str:
    """The whole page."""
    return _PREAMBLE + _phases() + "\n" + _CHECKS + _marks() + _numbers()


def _phases() -> str:
    lines = ["| target | access | banks | phases of a wave's lanes | source |", "|---|---|---|---|---|"]
    for name, target in TARGETS.items():
        for access in target.lds_accesses:
            direction = "store" if access.stores else "load"
            cells = [name, f"{direction} of {access.bytes} bytes", str(access.banks), _lanes(access)]
            lines.append(f"| {' | '.join(cells)} | {mark(access.trust)}, {access.source} |")
    return "\n".join(lines) + "\n"


def _lanes(access: LdsAccess) -> str:
    """The lanes of the first phase, and how many phases there are."""
    phase = access.phases[0]
    runs: list[list[int]] = []
    for lane in phase:
        if runs and runs[-1][-1] + 1 == lane:
            runs[-1].append(lane)
        else:
            runs.append([lane])
    first = ", ".join(f"{run[0]}-{run[-1]}" for run in runs)
    known = 1 + max(lane for each in access.phases for lane in each)
    return f"{len(access.phases)} of {known} lanes, the first {first}"


def _marks() -> str:
    lines = ["| mark | the number was |", "|---|---|"]
    lines += [f"| {mark(trust)} | {trust.value} |" for trust in Trust]
    return "\n".join(lines) + "\n\n"


def _numbers() -> str:
    lines = [f"| number | {' | '.join(TARGETS)} |", f"|---{'|---' * len(TARGETS)}|"]
    for row in _rows():
        cells = [_cell(number) if number is not None else "" for number in row.numbers]
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _rows() -> list[_Row]:
    rows = [
        _Row("LDS: clocks of the way back, a register", _of(lambda name: LDS_RATES[name].returned)),
        _Row("LDS: clocks of the way to it, a register of a store", _of(lambda name: LDS_RATES[name].sent)),
        _Row("LDS: accesses that wait", _of(lambda name: LDS_RATES[name].queue)),
        _Row("address unit: requests a clock", _of(lambda name: ADDRESS_UNITS[name].requests)),
        _Row("address unit: bytes back a clock", _of(lambda name: ADDRESS_UNITS[name].bytes)),
        _Row(
            "address unit: groups of four from this width", _of(lambda name: ADDRESS_UNITS[name].narrow_from)
        ),
        _Row("address unit: accesses that wait", _of(lambda name: ADDRESS_UNITS[name].queue)),
        _Row("first cache: loads under way fill it", _of(lambda name: ADDRESS_UNITS[name].fills)),
        _Row("first cache: loads return as data arrive", _of(lambda name: ADDRESS_UNITS[name].as_ready)),
        _Row("channel of L2: bytes of addresses", _of(lambda name: CHANNELS[name].bytes)),
        _Row("channel of L2: bytes that it stores a clock", _of(lambda name: CHANNELS[name].stored)),
        _Row("channels of L2: stores of a SIMD that wait", _of(lambda name: CHANNELS[name].waiting)),
    ]
    for level in dict.fromkeys(level.name for caches in CACHES.values() for level in caches.vector):
        rows += _level_rows(level, [_level(name, level) for name in TARGETS])
    rows += [
        _Row("memory: clocks to data", _of(lambda name: CACHES[name].memory)),
        _Row("memory: bytes that arrive together", _of(lambda name: CACHES[name].together)),
        _Row("memory: bytes a clock for a compute unit", _of(lambda name: CACHES[name].memory_rate)),
        _Row(
            "memory: the same if the last cache has the buffers", _of(lambda name: CACHES[name].resident_rate)
        ),
        _Row("stores: clocks to their end", _of(lambda name: CACHES[name].store)),
    ]
    rows += _level_rows("scalar cache", [CACHES[name].scalar for name in TARGETS])
    rows.append(_Row("cold scalar load: clocks to data", _of(lambda name: CACHES[name].scalar_memory)))
    return rows


def _of(number: Callable[[str], Figure | Latency]) -> tuple[Figure | Latency, ...]:
    return tuple([number(name) for name in TARGETS])


def _level(target: str, name: str) -> Level | None:
    return next((level for level in CACHES[target].vector if level.name == name), None)


def _level_rows(name: str, levels: Sequence[Level | None]) -> list[_Row]:
    return [
        _Row(f"{name}: {what}", tuple([number(level) if level else None for level in levels]))
        for what, number in _LEVELS
    ]


def _cell(number: Figure | Latency) -> str:
    value = number.clocks if isinstance(number, Latency) else number.value
    shown = f"{value:,.0f}" if value == int(value) else f"{value:g}"
    return f"{shown} {mark(number.trust)}, {number.source}"


def mark(trust: Trust) -> str:
    """The letter of a trust in the tables of pages."""
    return "X" if trust is Trust.DERIVED else trust.name[0]
