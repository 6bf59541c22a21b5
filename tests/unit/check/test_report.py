"""The report of `check`."""

from __future__ import annotations

import pytest

from asmgen.check import wasted
from tests.unit.check.files import Checker

LOAD, WAIT, USE, END = "global_load_dword v1, v0, s[0:1]\n", "s_waitcnt vmcnt(0)\n", "v_add_u32 v2, v1, v1\n", "s_endpgm\n"


def test_one_line_says_what_was_looked_at(checker: Checker) -> None:
    outcome = checker.run(LOAD + WAIT + USE + END, "gfx942")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == f"{checker.path}: nothing missing in 1 function, 4 instructions\n"
    assert checker.run(LOAD + USE + END, "gfx942").out == f"{checker.path}: 1 missing in 1 function, 3 instructions\n"


def test_text_on_standard_output_stands_alone(checker: Checker) -> None:
    outcome = checker.run(LOAD + WAIT + USE + END, "gfx942", "--fix", "-o", "-")
    assert outcome.out == LOAD + WAIT + USE + END


def test_a_repair_is_told(checker: Checker) -> None:
    output = checker.path.with_name("out.s")
    outcome = checker.run(LOAD + USE + END, "gfx942", "--fix", "-o", str(output))
    assert outcome.status == 0
    assert outcome.out.endswith(f"1 missing in 1 function, 3 instructions, inserted in {output}\n")
    assert "s_waitcnt vmcnt(0)" in output.read_text(encoding="utf-8")


def test_what_no_wait_mends_stays_an_error_of_a_repair(checker: Checker) -> None:
    outcome = checker.run("v_lshlrev_b64 v[0:1], v7, v[2:3]\ns_endpgm\n", "gfx90a", "--fix", "-o", str(checker.path.with_name("out.s")))
    assert outcome.status == 1
    assert "1 wrong" in outcome.out


def test_a_barrier_touches_nothing(checker: Checker) -> None:
    err = checker.run("ds_write_b32 v0, v1\ns_barrier\ns_endpgm\n", "gfx942").err
    assert "touches" not in err
    assert "tells other waves" in err


@pytest.mark.parametrize(
    ("between", "words"), [("s_nop 2\n", "missing 1 more wait state before"), ("s_nop 1\n", "missing 2 more wait states before")]
)
def test_states_are_counted(checker: Checker, between: str, words: str) -> None:
    text = "v_readfirstlane_b32 s0, v0\n" + between + "v_readlane_b32 s1, v1, s0\ns_endpgm\n"
    assert words in checker.run(text, "gfx942").err


def test_nobody_looks_for_waste_too_long_and_check_says_so(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    text = LOAD + WAIT + WAIT + USE + END
    assert "CHK003" in checker.run(text, "gfx942", "--notes").err
    monkeypatch.setattr(wasted, "STEPS", 0)
    outcome = checker.run(text, "gfx942", "--notes")
    assert outcome.found() == [(1, "CHK004")]
    assert outcome.status == 0
