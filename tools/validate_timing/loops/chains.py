"""Loops of a single kind of instruction, in chains or independent.

The chains are those of Meta's Triton (pull request 2507); the steady rates are those of AMD's tutorial
(docs/lds_throughput.md, and section 4.4 of v8_sliceMN), which its scheduler keeps too.
"""

from __future__ import annotations

from tools.validate_timing.loops.gemm import GFX950_4_WAVES
from tools.validate_timing.loops.writing import Line, Loop, Skeleton, lanes_at, lines, same

UNROLLED = 64
_WORDS = same(lanes_at(range(0, 256, 4), 4))
_READ = "ds_read_b32 v{0}, v{0}"


def matrix_chains(chains: int) -> Loop:
    """Matrix instructions, each of which adds to the result of the one `chains` before it."""
    texts = [
        f"v_mfma_f32_16x16x32_f16 v[{d}:{d + 3}], v[64:67], v[68:71], v[{d}:{d + 3}]"
        for d in [4 * (i % chains) for i in range(UNROLLED)]
    ]
    return Loop("gfx950", lines(*texts), waves=1)


def vector_chain() -> Loop:
    return Loop("gfx950", lines(*["v_fma_f32 v0, v0, v1, v2"] * UNROLLED), waves=1)


def lds_chains(chains: int) -> Loop:
    """Reads of LDS, each of which needs the address that the one `chains` before it read."""
    body: list[Line] = []
    for _ in range(UNROLLED // chains):
        body += [Line(_READ.format(chain), _WORDS) for chain in range(chains)]
        body += lines("s_waitcnt lgkmcnt(0)")
    return Loop("gfx950", tuple(body), waves=1)


def load_chain() -> Loop:
    where = same(lanes_at([1 << 32] * 64, 4))
    body = (Line("global_load_dword v0, v0, s[0:1]", where), *lines("s_waitcnt vmcnt(0)"))
    return Loop("gfx950", body * 16, waves=1)


READS_ONLY = GFX950_4_WAVES.loop(Skeleton("R64"))
"""Reads of 16 bytes a lane by all SIMDs, without a wait."""

LOADS_ONLY = GFX950_4_WAVES.loop(Skeleton("G64"))
"""Loads of 16 bytes a lane to LDS."""
