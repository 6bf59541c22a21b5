"""Waits that are stronger than needed, and notes that are only counted unless they are asked for."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

END = "s_endpgm\n"
LOADS = "".join(f"global_load_dword v{number}, v9, s[0:1] offset:{4 * number}\n" for number in range(4))
STORE = "global_store_dword v9, v0, s[0:1]\n"


@pytest.mark.parametrize(
    ("text", "line", "counts"),
    [
        (LOADS + "s_waitcnt vmcnt(0)\nv_mov_b32 v8, v0\n", 5, ("vmcnt(3)", "vmcnt(0)")),
        (LOADS + "s_waitcnt vmcnt(1)\nv_mov_b32 v8, v1\n", 5, ("vmcnt(2)", "vmcnt(1)")),
        (LOADS + "s_waitcnt vmcnt(0)\nv_mov_b32 v8, v0\ns_waitcnt vmcnt(0)\nv_mov_b32 v8, v3\n", 5, ("vmcnt(3)", "vmcnt(0)")),
        (LOADS + "s_waitcnt vmcnt(0)\nv_mov_b32 v8, v0\nv_mov_b32 v8, v3\n", 0, ()),  # one wait for both
        (LOADS + "s_waitcnt vmcnt(3)\nv_mov_b32 v8, v0\n", 0, ()),
        # around the loop, only the load of the trip before counts
        ("v_mov_b32 v7, v9\nagain:\ns_waitcnt vmcnt(0)\nv_mov_b32 v8, v0\n" + LOADS + "s_cbranch_scc1 again\n", 3, ("vmcnt(3)", "vmcnt(0)")),
        ("v_mov_b32 v7, v9\nagain:\ns_waitcnt vmcnt(0)\nv_mov_b32 v8, v3\n" + LOADS + "s_cbranch_scc1 again\n", 0, ()),
        # scalar loads come in any order
        ("s_load_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x4\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s6, s4\n", 0, ()),
        # before a barrier the wait may be for other waves
        (STORE + STORE + "s_waitcnt vmcnt(0)\ns_barrier\n", 0, ()),
    ],
)  # fmt: skip
def test_a_wait_that_is_stronger_than_needed(checker: Checker, text: str, line: int, counts: tuple[str, ...]) -> None:
    outcome = checker.run(text + END, "gfx942", "--notes")
    found = [(line, code) for line, code in outcome.found() if code != "CHK003"]
    assert (outcome.status, found) == (0, [(line, "CHK040")] if counts else [])
    if counts:
        assert "required {}, has {}".format(*counts) in outcome.err


def test_the_wait_that_suffices_is_the_fix(checker: Checker) -> None:
    """The wait of the note is right: neither too weak nor stronger than needed."""
    for target, wait, looser in (
        ("gfx942", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(3)"),
        ("gfx1100", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(3)"),
        ("gfx1201", "s_wait_loadcnt 0x0", "s_wait_loadcnt 0x3"),
    ):
        text = LOADS.replace("dword", "b32" if target != "gfx942" else "dword") + wait + "\nv_mov_b32 v8, v0\n" + END
        (finding,) = checker.document(text, target)["findings"]
        assert (finding["code"], finding["fix"]) == ("CHK040", [looser])
        assert checker.found(text.replace(wait, looser), target) == []


def test_notes_on_right_code_are_counted(checker: Checker) -> None:
    text = LOADS + "s_waitcnt vmcnt(0)\ns_waitcnt vmcnt(0)\nv_mov_b32 v8, v3\ns_load_dwordx2 s[0:1], s[0:1], 0x8\n" + END
    outcome = checker.run(text, "gfx942")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.endswith("9 instructions; notes on correct code: 2 CHK003, 1 CHK005 (--notes prints them)\n")
    shown = checker.run(text, "gfx942", "--notes")
    assert shown.found() == [(5, "CHK003"), (6, "CHK003"), (8, "CHK005")]
    assert shown.out.endswith("9 instructions\n")


def test_a_finding_as_json(checker: Checker) -> None:
    document = checker.document("ds_write_b32 v0, v1\ns_barrier\nv_lshlrev_b64 v[0:1], v7, v[2:3]\n" + END, "gfx90a")
    assert (document["missing"], document["wrong"], document["notes"], document["refused"]) == (1, 1, {}, [])
    missing, wrong = document["findings"]
    assert (missing["code"], missing["kind"], missing["function"]) == ("CHK001", "error", "f.s")
    assert (missing["missing"], missing["position"], missing["fix"]) == ("s_waitcnt lgkmcnt(0)", "before", ["s_waitcnt lgkmcnt(0)"])
    assert (missing["consumer"]["text"], missing["consumer"]["line"]) == ("s_barrier", 2)
    assert (missing["producer"]["text"], missing["producer"]["line"], missing["producer"]["bytes"]) == ("ds_write_b32 v0, v1", 1, None)
    assert "lgkmcnt counts ds_write_b32 as under way" in missing["rule"]
    assert (wrong["code"], wrong["missing"], wrong["fix"], wrong["producer"]) == ("CHK013", None, None, None)


def test_states_as_json_say_what_to_put_in(checker: Checker) -> None:
    text = "v_readfirstlane_b32 s0, v0\nv_readlane_b32 s1, v1, s0\n" + END
    (finding,) = checker.document(text, "gfx942")["findings"]
    assert (finding["code"], finding["missing"], finding["fix"]) == ("CHK002", "4 more wait states", ["s_nop 3"])


def test_json_and_repaired_text_do_not_share_standard_output(checker: Checker) -> None:
    outcome = checker.run(LOADS + END, "gfx942", "--fix", "-o", "-", "--format", "json")
    assert (outcome.status, outcome.out) == (1, "")
    assert "error[CHK033]" in outcome.err
