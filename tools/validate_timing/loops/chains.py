"""Loops of a single kind of instruction, in chains or independent.

The chains are those of Meta's Triton (pull request 2507); the steady rates are those of AMD's tutorial
(docs/lds_throughput.md, and section 4.4 of v8_sliceMN), which its scheduler keeps too.
"""

from __future__ import annotations

from tools.validate_timing.loops.gemm import GFX950_4_WAVES
from tools.validate_timing.loops.writing import Line, Loop, Skeleton, Where, lanes_at, lines, same

UNROLLED = 64
_WORDS = same(lanes_at(range(0, 256, 4), 4))


def matrix_chains(chains: int) -> Loop:
    """Matrix instructions, each of which adds to the result of the instruction `chains` before it."""
    texts = [
        f"v_mfma_f32_16x16x32_f16 v[{d}:{d + 3}], v[64:67], v[68:71], v[{d}:{d + 3}]"
        for d in [4 * (i % chains) for i in range(UNROLLED)]
    ]
    return Loop("gfx950", lines(*texts), waves=1)


def vector_chain() -> Loop:
    return Loop("gfx950", lines(*["v_fma_f32 v0, v0, v1, v2"] * UNROLLED), waves=1)


def lds_chains(chains: int) -> Loop:
    """Reads of LDS, each of which needs an index that the read `chains` before it loaded."""
    body: list[Line] = []
    for _ in range(UNROLLED // chains):
        body += [Line(f"ds_read_b32 v{chain}, v{chain}", _WORDS) for chain in range(chains)]
        body += lines("s_waitcnt lgkmcnt(0)")
        body += lines(*[f"v_lshl_add_u32 v{chain}, v{chain}, 2, v8" for chain in range(chains)])
    return Loop("gfx950", tuple(body), waves=1)


def load_chain() -> Loop:
    """Loads of memory, each of a line that no cache has, at an address that the load before gave."""
    body: list[Line] = []
    for number in range(16):
        body += [Line("global_load_dword v0, v0, s[0:1]", _new_line(number)), *lines("s_waitcnt vmcnt(0)")]
    return Loop("gfx950", tuple(body), waves=1)


def _new_line(number: int) -> Where:
    return lambda wave, trip: lanes_at([(1 << 32) + 4096 * (16 * trip + number)] * 64, 4)


READS = GFX950_4_WAVES.loop(Skeleton("R64"))
"""Reads of 16 bytes a lane by all SIMDs, without a wait."""


LOADS = GFX950_4_WAVES.loop(Skeleton("G11"))
"""A burst of loads of 16 bytes a lane to LDS by all SIMDs."""


def nth_load(number: int) -> int:
    """The line of a load of the burst."""
    return [place for place, line in enumerate(LOADS.body) if line.where is not None][number - 1]
