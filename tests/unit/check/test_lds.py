"""LDS under way: at a barrier, and what loads bring straight to it."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker, Found

END, BARRIER = "s_endpgm\n", "s_barrier\n"
FILL = "global_load_lds_dword v0, s[0:1]\n"
FILLS = (
    ("gfx90a", "buffer_load_dword v0, s[4:7], 0 offen lds\n"),
    ("gfx942", "buffer_load_dword v0, s[4:7], 0 offen lds\n"),
    ("gfx942", FILL),
    ("gfx950", "global_load_lds_dwordx4 v0, s[0:1]\n"),
)
READ, USE = "ds_read_b32 v1, v2\n", "s_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v1\n"
DONE, AGAIN = "s_waitcnt lgkmcnt(0)\n", "s_cbranch_scc0 again\n"


def vmcnt(count: int) -> str:
    return f"s_waitcnt vmcnt({count})\n"


def errors(found: Found) -> Found:
    return [(line, code) for line, code in found if code == "CHK001"]


@pytest.mark.parametrize(("target", "fill"), FILLS)
def test_lds_is_read_before_its_load_is_there(checker: Checker, target: str, fill: str) -> None:
    assert errors(checker.found(fill + READ + USE + END, target)) == [(2, "CHK001")]
    assert errors(checker.found(fill + vmcnt(0) + READ + USE + END, target)) == []
    fixed = checker.run(fill + READ + USE + END, target, "--fix", "-o", "-")
    assert "s_waitcnt vmcnt(0)" in fixed.out.splitlines()[1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # the wait has to be before the barrier, so that other waves know
        (FILL + BARRIER + READ + USE, [(2, "CHK001")]),
        (FILL + vmcnt(0) + BARRIER + READ + USE, []),
        # two loads, and at most one was waited for
        (FILL + FILL + vmcnt(2) + READ + USE, [(4, "CHK001")]),
        (FILL + FILL + vmcnt(1) + READ + USE, [(4, "CHK007")]),
        # a wait that no such load is done for says nothing of them
        ("global_load_dword v8, v9, s[0:1]\n" + FILL + vmcnt(1) + READ + USE, [(4, "CHK001")]),
        # the next part is filled while the present part is read
        (FILL + vmcnt(0) + BARRIER + FILL + READ + USE + vmcnt(0) + BARRIER + READ + USE, [(5, "CHK007")]),
        # a barrier for the waves' pace, before the barrier after the wait
        (FILL + BARRIER + vmcnt(0) + BARRIER + READ + USE, []),
        # around a loop
        (FILL + vmcnt(0) + "again:\n" + BARRIER + FILL + READ + USE + vmcnt(0) + AGAIN, [(6, "CHK007")]),
        (FILL + "again:\n" + BARRIER + READ + USE + FILL + AGAIN, [(3, "CHK001")]),
    ],
)  # fmt: skip
def test_loads_straight_to_lds(checker: Checker, text: str, found: Found) -> None:
    shown = [(line, code) for line, code in checker.found(text + END, "gfx942:xnack-") if code != "CHK003"]
    assert shown == found


def test_waits_for_loads_straight_to_lds_are_not_stripped(checker: Checker) -> None:
    """Which part they fill the text does not tell, so that no analysis could put them back."""
    text = FILL + FILL + vmcnt(1) + READ + USE + vmcnt(0) + READ + USE + END
    stripped = checker.run(text, "gfx942", "--strip", "--fix", "-o", "-").out
    kept = [line.strip() for line in stripped.splitlines() if "vmcnt" in line]
    assert kept == ["s_waitcnt vmcnt(1)", "s_waitcnt vmcnt(0)"]


SPLIT = "s_barrier_signal -1\ns_barrier_wait -1\n"


@pytest.mark.parametrize(("target", "barrier"), [("gfx942", BARRIER), ("gfx1100", BARRIER), ("gfx1201", SPLIT)])
def test_an_lds_access_is_under_way_at_a_barrier(checker: Checker, target: str, barrier: str) -> None:
    """A write has to be seen by others after it: an error. A read is this wave's own: a note."""
    names = {"gfx942": ("ds_write_b32", "ds_read_b32"), "gfx1100": ("ds_store_b32", "ds_load_b32")}
    write, read = names.get(target, names["gfx1100"])
    outcome = checker.run(f"{write} v2, v4\n{barrier}{END}", target)
    assert (outcome.status, outcome.found()) == (1, [(2, "CHK001")])
    outcome = checker.run(f"{read} v1, v2\n{barrier}{END}", target)
    assert (outcome.status, outcome.found()) == (0, [(2, "CHK006")])
    outcome = checker.run(f"ds_add_u32 v2, v4\n{barrier}{END}", target)
    assert (outcome.status, errors(outcome.found())) == (1, [(2, "CHK001")])
    fixed = checker.run(f"{write} v2, v4\n{barrier}{END}", target, "--fix", "-o", "-").out
    assert checker.run(fixed, target).found() == []


def test_a_read_after_a_wait_is_no_note(checker: Checker) -> None:
    assert checker.found(READ + DONE + BARRIER + "v_mov_b32 v3, v1\n" + END, "gfx942") == []
