"""Bytes of scratch in loops, counted in assembly text."""

from __future__ import annotations

from tools.bench_spills import Spilled, spilled

TEXT = """kernel:
\tscratch_store_dwordx2 off, v[0:1], off offset:4
.Lhead:
\tscratch_load_dwordx4 v[0:3], off, off offset:16
\tscratch_store_b32 off, v0, off offset:16
\tbuffer_load_dword v1, off, s[0:3], 0 offset:4
\tbuffer_load_dword v1, v2, s[4:7], 0 offen
\ts_cbranch_scc1 .Lexit
\ts_branch .Lhead
.Lexit:
\tscratch_load_b128 v[0:3], off, off offset:16
\ts_endpgm
    .vgpr_count:     12
"""


def test_scratch_is_counted_by_what_an_instruction_moves() -> None:
    """A branch forward makes no loop; a buffer that is not the wave's own scratch is none."""
    assert spilled(TEXT) == Spilled(vgprs=12, total=8 + 16 + 4 + 4 + 16, in_loops=16 + 4 + 4)
