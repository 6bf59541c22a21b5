"""What no wait mends. The sources of the rules stand beside them in asmgen/check/mistakes.py."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker, Found

GIVE = "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n"
NOP = "s_nop 0\n"
END = "s_endpgm\n"
RDNA = pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx1100:wave64"])


@RDNA
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (NOP + GIVE + END, []),
        (GIVE + NOP + END, []),  # nothing comes before it
        ("v_mov_b32 v0, v1\n" + GIVE + END, [(2, "CHK012")]),
        (NOP + GIVE + "v_mov_b32 v0, v1\n" + END, [(3, "CHK010")]),
        (NOP + GIVE + "s_load_b32 s0, s[2:3], 0x0\n" + END, [(3, "CHK010")]),
        (NOP + GIVE + "s_cbranch_scc0 a\ns_endpgm\na: global_store_b32 v0, v1, s[0:1]\n" + END, [(5, "CHK010")]),
        ("global_store_b32 v0, v1, s[0:1]\n" + NOP + GIVE + END, []),
        ("scratch_store_b32 off, v0, off\n" + NOP + GIVE + END, [(3, "CHK011")]),
        ("scratch_load_b32 v0, off, off\n" + NOP + GIVE + END, []),
        # a store to scratch on one path, no NOP on the other
        ("s_cbranch_scc0 a\nscratch_store_b32 off, v0, off\ns_nop 0\na: " + GIVE + END, [(4, "CHK011"), (4, "CHK012")]),
    ],
)
def test_vgprs_given_back(checker: Checker, target: str, text: str, found: Found) -> None:
    assert [(line, code) for line, code in checker.found(text, target) if code != "CHK003"] == found


@RDNA
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s_clause 0x1\nglobal_load_b32 v1, v0, s[0:1]\ns_nop 0\ns_endpgm\n", [(1, "CHK015")]),
        ("s_clause 0x1\nglobal_load_b32 v1, v0, s[0:1]\nglobal_store_b32 v0, v2, s[2:3]\ns_endpgm\n", [(1, "CHK015")]),
        ("s_clause 0x1\nglobal_load_b32 v1, v0, s[0:1]\nglobal_load_b32 v2, v0, s[2:3]\ns_endpgm\n", []),
        ("s_clause 0x2\nglobal_load_b32 v1, v0, s[0:1]\ns_nop 0\nglobal_load_b32 v2, v0, s[2:3]\ns_endpgm\n", []),
    ],
)
def test_clauses_of_what_may_not_be_in_them(checker: Checker, target: str, text: str, found: Found) -> None:
    assert [(line, code) for line, code in checker.found(text, target) if code != "CHK003"] == found


@RDNA
def test_what_is_put_in_breaks_no_clause(checker: Checker, target: str) -> None:
    """The second load needs the result of the load before the clause: a wait goes between, and the clause
    goes."""
    text = "global_load_b32 v1, v0, s[0:1]\ns_clause 0x1\nglobal_load_b32 v2, v0, s[2:3]\nglobal_load_b32 v3, v1, s[2:3]\ns_endpgm\n"
    fixed = checker.path.with_name("fixed.s")
    _ = checker.run(text, target, "--fix", "-o", str(fixed))
    lines = [line.partition(";")[0].strip() for line in fixed.read_text(encoding="utf-8").splitlines()]
    assert "s_clause 0x1" not in lines
    assert lines[lines.index("global_load_b32 v3, v1, s[2:3]") - 1].startswith("s_wait")


@pytest.mark.parametrize(("target", "wait"), [("gfx1100", "s_waitcnt_vscnt null, 0x0\n"), ("gfx1201", "s_wait_storecnt 0x0\n")])
def test_scratch_is_given_back_once_stores_are_done(checker: Checker, target: str, wait: str) -> None:
    store = "scratch_store_b32 off, v0, off\n"
    assert checker.found(store + wait + NOP + GIVE + END, target) == []
    assert (4, "CHK011") in checker.found(store + wait.replace("0x0", "0x1") + NOP + GIVE + END, target)


def test_the_nop_before_the_message_is_not_wasted(checker: Checker) -> None:
    text = "global_store_b32 v0, v1, s[0:1]\n" + NOP + GIVE + END
    assert checker.found(text, "gfx1100") == []
    assert NOP + GIVE in checker.run(text, "gfx1100", "--fix", "--strip", "-o", "-").out


SHIFT = "v_lshlrev_b64 v[0:1], v{}, v[2:3]\n"


@pytest.mark.parametrize(
    ("text", "target", "wrong"),
    [
        (SHIFT.format(7), "gfx90a", True),
        (SHIFT.format(7).replace("v_lshlrev_b64", "v_ashrrev_i64"), "gfx90a", True),
        (SHIFT.format(255), "gfx90a", True),
        (SHIFT.format(6), "gfx90a", False),
        (SHIFT.format(3), "gfx90a", False),
        (SHIFT.format(7), "gfx942", False),
        (SHIFT.format(7) + "v_mov_b32 v8, v0\n", "gfx90a", False),
        (SHIFT.format(7) + "v_mov_b32 v9, v0\n", "gfx90a", True),
        (SHIFT.format(255) + "v_accvgpr_write_b32 a0, v0\n", "gfx90a", True),
        ("v_lshlrev_b64 v[0:1], 7, v[2:3]\n", "gfx90a", False),
        ("v_lshlrev_b64 v[0:1], s7, v[2:3]\n", "gfx90a", False),
    ],
)
def test_a_shift_by_the_last_vgpr(checker: Checker, text: str, target: str, wrong: bool) -> None:
    outcome = checker.run(text + END, target)
    assert outcome.found() == ([(1, "CHK013")] if wrong else [])
    assert outcome.status == wrong


@pytest.mark.parametrize(("declared", "wrong"), [(8, True), (9, False)])
def test_a_declared_vgpr_is_the_way_out(checker: Checker, declared: int, wrong: bool) -> None:
    text = (
        f'.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n.text\nk:\n{SHIFT.format(7)}{END}.section .rodata\n'
        f".amdhsa_kernel k\n.amdhsa_next_free_vgpr {declared}\n.amdhsa_accum_offset 12\n.end_amdhsa_kernel\n"
    )
    outcome = checker.run(text)
    assert outcome.status == wrong
    assert (".amdhsa_next_free_vgpr 9 at least" in outcome.err) == wrong


@pytest.mark.parametrize(
    ("load", "target", "found"),
    [
        ("s_load_dwordx2 s[0:1], s[0:1], 0x4", "gfx942", [(1, "CHK014")]),
        ("s_load_dwordx4 s[0:3], s[2:3], 0x8", "gfx942:xnack+", [(1, "CHK014")]),
        ("s_load_dwordx2 s[0:1], s[0:1], 0x8", "gfx942", [(1, "CHK005")]),  # as clang has it of an aligned address
        ("s_load_dwordx2 s[4:5], s[0:1], s4", "gfx90a", [(1, "CHK005")]),
        ("s_load_dwordx2 s[2:3], s[0:1], 0x4", "gfx942", []),
        ("s_load_dword s0, s[0:1], 0x4", "gfx942", []),
        ("s_load_dwordx2 s[0:1], s[0:1], 0x4", "gfx942:xnack-", []),
        ("s_load_b64 s[0:1], s[0:1], 0x4", "gfx1100", []),
    ],
)
def test_a_load_over_its_own_address(checker: Checker, load: str, target: str, found: Found) -> None:
    outcome = checker.run(load + "\n" + END, target, "--notes")
    assert outcome.found() == found
    assert outcome.status == ((1, "CHK014") in found)
