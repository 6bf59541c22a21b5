"""Loops of a single kind of instruction, in chains or independent.

The chains are those of Meta's Triton (pull request 2507, third_party/tlx/tools/microbench/amd_latency.py):
it times whole loops of four waves, and takes nothing away for their counters and branches. Triton 3.9
compiles the same loops to trips of eight steps. The steady rates are those of AMD's tutorial
(docs/lds_throughput.md, and section 4.4 of v8_sliceMN), which its scheduler keeps too.
"""

from __future__ import annotations

from tools.validate_timing.loops.gemm import GFX950_4_WAVES
from tools.validate_timing.loops.writing import Line, Loop, Skeleton, Where, lanes_at, lines, same

STEPS = 8
"""Steps of a trip of Meta's loops, as Triton 3.9 compiles them, with a counter and a branch."""
_WORDS = same(lanes_at([0] * 64, 4))
_COUNTER = lines("s_add_i32 s2, s2, -8", "s_cmp_lg_u32 s2, 0")


def matrix_chains(chains: int) -> Loop:
    """Matrix instructions, each of which adds to the result of the instruction `chains` before it."""
    matrices = lines(
        *[
            f"v_mfma_f32_16x16x32_f16 v[{d}:{d + 3}], v[64:67], v[68:71], v[{d}:{d + 3}]"
            for d in [4 * (i % chains) for i in range(STEPS * chains)]
        ]
    )
    before = lines("s_waitcnt lgkmcnt(0)", "s_nop 0")
    return Loop("gfx950", (*before, matrices[0], *_COUNTER, *matrices[1:]), waves=4)


def vector_chain() -> Loop:
    fused = lines(*["v_fma_f32 v1, s3, v1, v2"] * STEPS)
    return Loop("gfx950", (*fused[1:], *_COUNTER, fused[0]), waves=4)


def lds_chains(chains: int) -> Loop:
    """Reads of LDS, each of which needs an index that the read `chains` before it loaded. The last chain of a
    step makes its address behind the reads of the others."""
    others, last = range(chains - 1), chains - 1
    step: list[Line] = []
    for chain in others:
        step += lines(f"s_waitcnt lgkmcnt({last - chain})", f"v_and_b32 v{chain}, 63, v{chain}")
    step += lines(*[f"v_lshl_add_u32 v{chain}, v{chain}, 2, 0" for chain in others])
    step += lines("s_waitcnt lgkmcnt(0)", f"v_and_b32 v{last}, 63, v{last}")
    step += [Line(f"ds_read_b32 v{chain}, v{chain}", _WORDS) for chain in others]
    step += lines(f"v_lshl_add_u32 v{last}, v{last}, 2, 0")
    step += [Line(f"ds_read_b32 v{last}, v{last}", _WORDS)]
    return Loop("gfx950", (*step, *_COUNTER, *step * (STEPS - 1)), waves=4)


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
