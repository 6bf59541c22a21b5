"""`python -m tools.planted_flaws`: loops of matrix products with one flaw each, by the clock model.

| flaw | planted in |
|---|---|
| a bank conflict | the tile text of a loop of ours: two rows in LDS begin with the same access |
| a drained wait | the tile text: a wait for copies to LDS leaves none under way |
| one buffer less | the choice: copies run one trip ahead in place of two |
| missing stagger | the tile text: the halves of the waves are in step |
| wrong priority | the same text: waves that read have priority over those that multiply |
| missing stagger | AMD's loop of eight waves (`tools.validate_timing`): both waves of a SIMD do the same |
| wrong priority | the same loop |

A row has the clocks of a trip without and with the flaw, the part of the matrix rate that it loses, and what
a source measured. Exits 1 if a flaw loses nothing, or less than another flaw that was measured to lose less.
docs/timing.md has the table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from msgspec import Struct

import asmgen
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.gentext.parser import parse
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.targets import parse_target
from tools.validate_timing.loops.gemm import GFX950_8_WAVES, PING_PONG_950, PING_PONG_950_WAITS
from tools.validate_timing.loops.running import clocks_a_trip

_PRODUCT = """a = @param:a -> f16, {2048,4096}
b = @param:b -> f16, {2048,4096}
t = transpose[permutation={1,0}](b)
c = dot(a, t)
@return(c)
"""
_SWIZZLES = (("1:8 2:16 4:32 8:0", "1:0 2:8 4:16 8:32"), ("8:1 16:2 32:4 0:8", "0:1 8:2 16:4 32:8"))
_SWIZZLED = "gfx942", Contract(256, 256, 64, 8, 1, "v_mfma_f32_16x16x16_f16", 2)
_SLICED = "gfx950", Contract(256, 256, 64, 4, 2, "v_mfma_f32_16x16x32_f16", 2, copies=16, slices=2)
_STAGGERED = "gfx942", Contract(256, 256, 32, 8, 2, "v_mfma_f32_16x16x16_f16", 3, staggered=1)
_AHEAD = "gfx950", Contract(128, 128, 64, 4, 3, "v_mfma_f32_16x16x32_f16", 3, copies=16)
_BEHIND = "gfx950", Contract(128, 128, 64, 4, 2, "v_mfma_f32_16x16x32_f16", 2, copies=16)


class Flaw(Struct, frozen=True):
    """A flaw: the clocks of a trip without and with it, and the part of the rate that a source lost by it."""

    name: str
    loop: str
    without: Callable[[], float]
    planted: Callable[[], float]
    published: float | None = None
    source: str = "no figure known"

    @property
    def lost(self) -> float:
        return 1 - self.without() / self.planted()


@cache
def tile_text(target: str, choice: Contract) -> str:
    """The tile text of the product by a choice."""
    (module,) = parse(_PRODUCT, "product.gen").modules
    machine = parse_target(target)
    return print_program(TileProgram(machine, (schedule(module, choice, machine.target),)))


@cache
def trip_of(text: str, target: str) -> float:
    """The clocks of a trip of the loop of a tile text, in the middle of a wave."""
    (launch,) = launches_of_program(asmgen.compile(text, target=target), "product.gen", (), {})
    timeline = profile_launch(launch).timeline
    steps, issue = timeline.trace.waves[0].steps, timeline.waves[0].issue
    counts = np.bincount(steps)
    heads = np.flatnonzero(steps == int(counts.argmax()))
    return float(np.median(np.diff(np.asarray(issue)[heads])))


def with_conflicts(text: str) -> str:
    """A tile text in which two rows of LDS next to each other begin with the same access, as in the swizzle
    that AMD's tutorial measured: row bits 1, 2 and 3 say which, in place of 0, 1 and 2."""
    for swizzle, wrong in _SWIZZLES:
        assert swizzle in text, "the product has other tiles"
        text = text.replace(swizzle, wrong)
    return text


def drained(text: str) -> str:
    """A tile text with waits that leave no copy under way."""
    return re.sub(r"async_wait\[pending=\d+\]\(\)", "async_wait()", text)


def in_step(text: str) -> str:
    """A tile text with waves that do the same at the same time."""
    assert ", staggered=true]" in text
    return text.replace(", staggered=true]", "]")


def with_wrong_priority(text: str) -> str:
    """A tile text in which waves that read have priority over those that multiply."""
    swapped = {"1": "0", "0": "1"}
    return re.sub(r"priority\[level=([01])\]", lambda level: f"priority[level={swapped[level[1]]}]", text)


def _by(loop: tuple[str, Contract], plant: Callable[[str], str] = str) -> Callable[[], float]:
    target, choice = loop
    return lambda: trip_of(plant(tile_text(target, choice)), target)


def _ping_pong(is_staggered: bool = True, priorities: str = "Pp") -> Callable[[], float]:
    swapped = PING_PONG_950._replace(text=PING_PONG_950.text.translate(str.maketrans("Pp", priorities)))
    loop = GFX950_8_WAVES.loop(swapped, PING_PONG_950_WAITS)
    return lambda: clocks_a_trip(loop if is_staggered else loop._replace(shifted=None))


def flaws() -> Iterator[Flaw]:
    """The rows of the table."""
    yield Flaw(
        "a bank conflict", "ours, gfx942, 256x256x64, 8 waves", _by(_SWIZZLED),
        _by(_SWIZZLED, with_conflicts), 0.099, "AMD's tutorial, inter_wave",
    )  # fmt: skip
    yield Flaw(
        "one buffer less", "ours, gfx950, 128x128x64, 4 waves", _by(_AHEAD), _by(_BEHIND), 1 - 70 / 78,
        "rocm-libraries pull request 3828",
    )  # fmt: skip
    ours, theirs = "ours, gfx950, 256x256x64, 4 waves", "AMD's, gfx950, 256x256x64, 8 waves"
    yield Flaw("a drained wait", ours, _by(_SLICED), _by(_SLICED, drained))
    halves = "ours, gfx942, 256x256x32, 8 waves"
    yield Flaw("missing stagger", halves, _by(_STAGGERED), _by(_STAGGERED, in_step))
    yield Flaw("wrong priority", halves, _by(_STAGGERED), _by(_STAGGERED, with_wrong_priority))
    yield Flaw("missing stagger", theirs, _ping_pong(), _ping_pong(is_staggered=False))
    yield Flaw("wrong priority", theirs, _ping_pong(), _ping_pong(priorities="pP"))


def main() -> int:
    print(f"{'flaw':<17}{'loop':<36}{'without':>9}{'with':>9}{'lost':>8}{'published':>11}  source")
    made = list(flaws())
    for flaw in made:
        published = "" if flaw.published is None else f"{flaw.published:.1%}"
        clocks = f"{flaw.without():>9,.0f}{flaw.planted():>9,.0f}{flaw.lost:>8.1%}"
        print(f"{flaw.name:<17}{flaw.loop:<36}{clocks}{published:>11}  {flaw.source}", flush=True)
    known = sorted([(flaw.published, flaw.lost) for flaw in made if flaw.published is not None])
    in_order = all(one[1] <= other[1] for one, other in pairwise(known))
    return 0 if in_order and all(flaw.lost > 0 for flaw in made) else 1


if __name__ == "__main__":
    sys.exit(main())
