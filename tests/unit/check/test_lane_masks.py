"""gfx1100 in waves of 64: a lane mask that VALU has read is written again, and read only after a wait."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker, Found

MACHINE = "gfx1100:wave64"
READ = "v_cndmask_b32_e64 v0, v1, v2, s[4:5]\nv_cndmask_b32_e64 v0, v1, v2, s[6:7]\n"
WRITE = "v_cmp_lt_u32_e64 s[4:5], v3, v4\nv_cmp_lt_u32_e64 s[6:7], v3, v4\n"
WAIT = "s_waitcnt_depctr depctr_va_sdst(0)\n"
END = "s_endpgm\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (READ + WRITE + WAIT + READ + END, []),  # LLVM merges the two waits
        (READ + WRITE + READ + END, [(5, "CHK002")]),
        (READ + WRITE + END, []),  # nothing reads the masks
        (READ + WRITE + "s_branch on\non:\n" + READ + END, [(7, "CHK002")]),
        (READ + WRITE + "s_swappc_b64 s[30:31], s[34:35]\n" + END, [(5, "CHK002")]),  # the callee may read them
        (READ + WRITE + "s_setpc_b64 s[30:31]\n", [(5, "CHK002")]),
        (READ + "s_mov_b64 s[4:5], s[8:9]\ns_mov_b64 s[6:7], s[8:9]\ns_waitcnt_depctr depctr_sa_sdst(0)\n" + READ + END, []),
        (READ + "s_mov_b64 s[4:5], s[8:9]\ns_and_b64 s[6:7], s[4:5], s[8:9]\n" + END, [(4, "CHK002")]),
    ],
)
def test_a_wait_may_stand_anywhere_before_the_reader(checker: Checker, text: str, found: Found) -> None:
    assert [(line, code) for line, code in checker.found(text, MACHINE) if code != "CHK003"] == found


def test_a_repair_leaves_a_merged_wait_alone(checker: Checker) -> None:
    text = READ + WRITE + WAIT + READ + END
    assert checker.run(text, MACHINE, "--fix", "-o", "-").out == text
