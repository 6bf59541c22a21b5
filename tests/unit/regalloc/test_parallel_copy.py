"""Parallel copies put in order: every register ends with the former value of its source."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from isa.instruction import Immediate
from isa.registers import sgpr
from isa.text.printing import format_instr
from regalloc import allocate_and_rewrite
from regalloc.scan.parallel_copy import Lanes, Move, build_moves, sequentialise
from tests.rows import TABLE
from tests.unit.regalloc.programs import allocated, lines, machine

SPARE = 99


def ordered(pairs: dict[int, int | Immediate]) -> list[Move]:
    spares = iter(range(SPARE, SPARE + 20))
    return sequentialise([Move(target, source) for target, source in pairs.items()], lambda lanes: next(spares))


def texts(moves: list[Move]) -> list[str]:
    return [format_instr(instr) for instr in build_moves(moves, lambda: sgpr(90, 2), TABLE)]


def run(moves: list[Move], registers: dict[int, object]) -> dict[int, object]:
    held = dict(registers)
    for move in moves:
        if move.exchange:
            assert not isinstance(move.source, Immediate)
            held[move.target], held[move.source] = held[move.source], held[move.target]
            continue
        held[move.target] = move.source.bits if isinstance(move.source, Immediate) else held[move.source]
    return held


COPIES = st.dictionaries(st.integers(0, 9), st.one_of(st.integers(0, 12), st.integers(100, 104).map(Immediate)), max_size=10)


@given(COPIES, st.booleans())
def test_any_copies_end_as_if_made_at_once(pairs: dict[int, int | Immediate], scarce: bool) -> None:
    before: dict[int, object] = {unit: f"old {unit}" for unit in range(13)}
    moves = sequentialise([Move(a, b) for a, b in pairs.items()], lambda lanes: None) if scarce else ordered(pairs)
    after = run(moves, before)
    for unit in range(13):
        source = pairs.get(unit, unit)
        assert after[unit] == (source.bits if isinstance(source, Immediate) else before[source])


def test_a_chain_needs_no_spare_register() -> None:
    assert ordered({1: 2, 2: 3, 3: 4}) == [Move(1, 2), Move(2, 3), Move(3, 4)]


def test_a_cycle_goes_through_a_spare_register() -> None:
    assert ordered({1: 2, 2: 1}) == [Move(SPARE, 1), Move(1, 2), Move(2, SPARE)]


def test_a_cycle_with_a_reader_outside_is_opened_by_it() -> None:
    moves = ordered({1: 2, 2: 1, 5: 1})
    assert moves[0] == Move(5, 1)
    assert len(moves) == 4


def test_a_copy_to_itself_is_none() -> None:
    assert ordered({1: 1}) == []


def test_aligned_scalar_pairs_move_at_once() -> None:
    assert texts([Move(4, 8), Move(5, 9), Move(7, 10), Move(8, 11)]) == ["s_mov_b64 s[4:5], s[8:9]", "s_mov_b32 s7, s10", "s_mov_b32 s8, s11"]


def test_constants_and_vectors_move_one_by_one() -> None:
    assert texts([Move(2, Immediate(7)), Move(258, 260), Move(259, 261), Move(260, 5)]) == [
        "s_mov_b32 s2, 7", "v_mov_b32_e32 v2, v4", "v_mov_b32_e32 v3, v5", "v_mov_b32_e32 v4, s5",
    ]  # fmt: skip


def test_moves_of_all_lanes_share_one_change_of_exec() -> None:
    moves = [Move(256, 257), Move(258, 259, whole=True), Move(260, 261, whole=True)]
    assert texts(moves) == [
        "v_mov_b32_e32 v0, v1", "s_mov_b64 s[90:91], exec", "s_mov_b64 exec, -1", "v_mov_b32_e32 v2, v3", "v_mov_b32_e32 v4, v5",
        "s_mov_b64 exec, s[90:91]",
    ]  # fmt: skip


def test_without_a_spare_register_a_cycle_is_exchanged() -> None:
    moves = sequentialise([Move(256, 257), Move(257, 258), Move(258, 256)], lambda lanes: None)
    assert texts(moves) == ["v_swap_b32 v0, v1", "v_swap_b32 v1, v2"]


def test_without_a_spare_register_a_cycle_of_all_lanes_is_exchanged_in_all_lanes() -> None:
    moves = sequentialise([Move(256, 257, whole=True), Move(257, 256, whole=True)], lambda lanes: None)
    assert texts(moves) == ["s_mov_b64 s[90:91], exec", "s_mov_b64 exec, -1", "v_swap_b32 v0, v1", "s_mov_b64 exec, s[90:91]"]


def test_a_cycle_of_some_moves_of_all_lanes_needs_a_register_for_active_lanes_alone() -> None:
    """v2 is free in the active lanes. It takes v1, which active lanes alone read; v0 goes to v1 in all lanes."""
    asked: list[Lanes] = []
    cycle = [Move(256, 257), Move(257, 256, whole=True)]
    moves = sequentialise(cycle, lambda lanes: (asked.append(lanes), 258)[1])
    assert asked == [Lanes.MIXED]
    assert moves == [Move(258, 257), Move(257, 256, whole=True), Move(256, 258)]


ROTATION = """
register %i sgpr
register %j sgpr
register %a vgpr
register %b vgpr
register %c vgpr
register %p sgpr
register %q sgpr
block entry
  v_add_u32_e32 %x, 1, v0
  linear head(0x0, 0x1, 0x2)
  logical head(%x, v0, 0x7)
block head scalar(%i, %p, %q) vector(%a, %b, %c)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  s_add_u32 %j, %i, 1
  linear head(%j, %q, %p)
  logical head(%b, %c, %a)
block exit
  ds_write_b32 %a, %b
  ds_write_b32 %c, %p
  terminator s_endpgm
""".replace("register %a vgpr", "register %x vgpr\nregister %a vgpr").replace("%c, %p\n  terminator", "%c, %a\n  terminator")


def test_values_that_change_places_around_a_loop() -> None:
    """Three vectors rotate and two scalars swap at the back edge: cycles of copies, checked."""
    text, allocation = allocated(ROTATION)
    assert allocation.statistics.vgprs == 4  # the three, and a register that the cycle borrows
    body = text[text.index("block body") : text.index("block exit")]
    assert len([line for line in body if line.startswith("v_mov_b32_e32")]) == 4
    assert len([line for line in body if line.startswith("s_mov_b32")]) == 3


KEPT = ROTATION.replace("register %i sgpr", "register %i sgpr\nregister %kept sgpr\nregister %keptv vgpr").replace(
    "block entry\n", "block entry\n  s_add_u32 %kept, s2, 5\n  v_add_u32_e32 %keptv, 3, v0\n"
).replace("block exit\n", "block exit\n  ds_write_b32 %keptv, %keptv\n  s_add_u32 %use, %kept, 1\n").replace(
    "register %kept sgpr", "register %kept sgpr\nregister %use sgpr"
)  # fmt: skip


def test_a_cycle_borrows_no_register_of_a_value_that_lives_on() -> None:
    """A vector and a scalar that are no business of the loop live through it: the cycles' registers are not theirs."""
    text, allocation = allocated(KEPT)
    body = [line.partition("  #")[0] for line in text[text.index("block body") : text.index("block exit")]]
    head = [line.partition("  #")[0] for line in text[: text.index("block head")]]
    kept = {line.split()[1].rstrip(",") for line in head if line.startswith(("s_add_u32", "v_add_u32_e32 v")) and line.endswith((", 5", "3, v0"))}
    assert len(kept) == 2
    written = {line.split()[1].rstrip(",") for line in body if line.startswith(("s_mov", "v_mov"))}
    assert not kept & written
    assert allocation.statistics.vgprs == 5  # the three, the register that lives on, and a register that the cycle borrows


def test_exchanges_where_every_register_is_taken() -> None:
    """Three registers and three values: the rotation has nothing to go through, and is checked as exchanges."""
    rewritten, _ = allocate_and_rewrite(machine(ROTATION), max_vgprs=3)
    assert len([line for line in lines(rewritten) if line.startswith("v_swap_b32")]) == 2
