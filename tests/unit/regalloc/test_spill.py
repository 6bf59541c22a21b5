"""Spill code: programs that need more registers than there are, and each way of being wrong that the check finds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError, InternalError
from isa.instruction import Instr, Trait
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VIRTUAL, Register, RegisterClass, vgpr
from regalloc import build_pools, check, compute_liveness, rewrite
from regalloc.allocation import RELOAD, SPILL
from regalloc.checker.spills import check_spills
from regalloc.spill.allocate import allocate_with_spills
from regalloc.spill.facts import gather_spill_facts
from regalloc.spill.memory import spill_counts
from regalloc.verify import verify
from tests.unit.regalloc.programs import machine
from tests.unit.regalloc.test_shortage import wide

CROSSED = """
register %a vgpr
register %b vgpr
register %c vgpr
register %d vgpr
register %w vgpr
register %x vgpr
register %y vgpr
register %z vgpr
register %i sgpr
register %j sgpr
block entry
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, v0
  v_add_u32_e32 %c, 3, v0
  v_add_u32_e32 %d, 4, v0
  linear head(0x0)
  logical head(%a, %b, %c, %d)
block head scalar(%i) vector(%w, %x, %y, %z)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%x, %w, %z, %y)
block exit
  ds_write_b32 v0, %w
  ds_write_b32 v0, %x
  ds_write_b32 v0, %y
  ds_write_b32 v0, %z
  terminator s_endpgm
"""


NO_AGPRS = frozenset(range(FIRST_AGPR, FIRST_VIRTUAL))


def spilled(kernel: Kernel, max_vgprs: int | None = None, reserved: frozenset[int] = NO_AGPRS) -> Kernel:
    """The kernel with its spill code, which every check accepts."""
    verify(kernel)
    found, allocation, _ = allocate_with_spills(kernel, reserved, max_vgprs)
    verify(found)
    check_spills(kernel, found)
    check(found, allocation, rewrite(found, allocation))
    return found


def many_scalars(count: int) -> str:
    """Scalars that are all live at once: each is computed, then all are added up."""
    registers = "".join(f"register %s{i} sgpr\nregister %t{i} sgpr\n" for i in range(count))
    made = "".join(f"  s_add_u32 %s{i}, s2, {i}\n" for i in range(count))
    added = "".join(f"  s_add_u32 %t{i}, %s{i}, {f'%t{i - 1}' if i else 's2'}\n" for i in range(count))
    return f"{registers}register %v vgpr\nblock entry\n{made}{added}  v_mov_b32_e32 %v, %t{count - 1}\n  ds_write_b32 v0, %v\n  terminator s_endpgm\n"


def test_a_program_that_fits_is_left_alone() -> None:
    kernel = machine(wide(4))
    assert allocate_with_spills(kernel)[0] is kernel


def test_values_that_a_loop_only_carries_leave_first() -> None:
    """Four quadruples live across a loop that does not read them: no spill code is inside the loop.

    One of them could stay, but would leave for the first that comes back: the sum, which is read last, is a loop's.
    """
    found = spilled(machine(wide(4)), max_vgprs=8)
    assert compute_liveness(found).pressure[RegisterClass.VGPR].units <= 8
    assert found.scratch_bytes == 4 * 4 * 4
    for block in found.blocks:
        has_spill_code = any(instr.origin in (SPILL, RELOAD) for instr in block.instructions)
        assert has_spill_code == (block.label in ("entry", "exit")), block.label


def test_parts_of_a_tuple_go_in_one_access() -> None:
    text = print_kernel(spilled(machine(wide(4)), max_vgprs=8))
    assert len(re.findall(r"scratch_store_dwordx4", text)) == len(re.findall(r"scratch_load_dwordx4", text)) == 4


def test_agprs_come_before_scratch() -> None:
    """A value that is only loaded and stored is never a VGPR: LDS reads and writes AGPRs itself."""
    found = spilled(machine(wide(4)), max_vgprs=8, reserved=frozenset())
    text = print_kernel(found)
    assert found.scratch_bytes == 0 and spill_counts(found).vgprs == 0
    assert len(re.findall(r"ds_read_b128 %acc\d", text)) == len(re.findall(r"ds_write_b128 v0, %acc\d", text)) == 4
    assert len(re.findall(r"register %acc\d agpr 4", text)) == 4
    assert "v_accvgpr" not in text


def test_what_agprs_have_no_room_for_goes_to_scratch() -> None:
    """Of four quadruples two are in the eight AGPRs that there are, the others in scratch."""
    found = spilled(machine(wide(4)), max_vgprs=8, reserved=frozenset(range(FIRST_AGPR + 8, FIRST_VIRTUAL)))
    assert found.scratch_bytes == 2 * 4 * 4
    values = allocate_with_spills(machine(wide(4)), frozenset(range(FIRST_AGPR + 8, FIRST_VIRTUAL)), 8).spilled
    assert sorted(value.memory for value in values) == ["AGPRs", "AGPRs", "scratch", "scratch"]


def test_vgprs_and_agprs_of_one_file() -> None:
    """If 16 registers are asked for the sake of occupancy, 8 VGPRs leave 8 AGPRs, and 16 leave none."""
    few = allocate_with_spills(machine(wide(6)), max_vgprs=8, max_unified=16)
    assert few.allocation.statistics.agprs <= 8 and few.kernel.scratch_bytes > 0
    assert allocate_with_spills(machine(wide(6)), max_vgprs=16, max_unified=16).allocation.statistics.agprs == 0


def test_parameters_in_agprs_are_exchanged_on_the_way() -> None:
    """The loop carries one of two in an AGPR, and each other's value is handed on."""
    found = spilled(machine(CROSSED), max_vgprs=4, reserved=frozenset())
    head = next(block for block in found.blocks if block.label == "head")
    assert {found.register_class(one) for one in head.vector_parameters} == {RegisterClass.VGPR, RegisterClass.AGPR}
    assert found.scratch_bytes == 0


def test_scalars_go_to_lanes_of_one_register() -> None:
    found = spilled(machine(many_scalars(120)))
    assert len(found.spill_lanes) == 1
    assert found.scratch_bytes == 0
    assert 0 < spill_counts(found).sgprs <= 64


def test_constants_are_made_again() -> None:
    body = wide(3).replace("  linear head(0x0)\n", "  v_mov_b32_e32 %k, 0x1234\n  linear head(0x0)\n", 1)
    body = body.replace("  ds_write_b32 v0, %sum", "  ds_write_b32 %k, %sum").replace("block entry", "register %k vgpr\nblock entry")
    text = print_kernel(spilled(machine(body), max_vgprs=6))
    assert len(re.findall(r"v_mov_b32_e32 .*0x1234", text)) == 2


def test_addresses_are_computed_again() -> None:
    """%k is two places after v0, which stays in its register: nothing is stored for it."""
    body = wide(3).replace("  linear head(0x0)\n", "  v_lshlrev_b32_e32 %k, 2, v0\n  linear head(0x0)\n", 1)
    body = body.replace("  ds_write_b32 v0, %sum", "  ds_write_b32 %k, %sum\n  ds_write_b32 v0, %sum")
    found = spilled(machine(body.replace("block entry", "register %k vgpr\nblock entry")), max_vgprs=6)
    again = [instr for instr in found.instructions() if instr.row.name == "v_lshlrev_b32"]
    assert [instr.origin == RELOAD for instr in again] == [False, True]
    assert spill_counts(found).vgprs == 12


def test_arguments_are_loaded_again() -> None:
    """140 SGPRs of arguments, and the pointer to them is read last: no lane keeps any of them."""
    pairs = range(70)
    registers = "".join(f"register %p{i} sgpr 2 align 2\nregister %t{i} sgpr\n" for i in pairs)
    loaded = "".join(f"  s_load_dwordx2 %p{i}, s[0:1], {8 * i:#x}\n" for i in pairs)
    added = "".join(f"  s_add_u32 %t{i}, %p{i}[1], {f'%t{i - 1}' if i else 's2'}\n" for i in pairs)
    last = "  s_load_dword %last, s[0:1], 0x0\n  v_mov_b32_e32 %v, %t69\n  ds_write_b32 v0, %v\n  terminator s_endpgm\n"
    found = spilled(machine(f"{registers}register %last sgpr\nregister %v vgpr\nblock entry\n{loaded}{added}{last}"))
    again = [instr for instr in found.instructions() if instr.origin == RELOAD]
    assert again and {instr.row.name for instr in again} == {"s_load_dword"}
    assert not found.spill_lanes and spill_counts(found).sgprs == 0


def test_arguments_that_are_more_than_there_are_registers() -> None:
    """Four values are handed on next to v0, and no more than four are in registers at once."""
    found = spilled(machine(CROSSED), max_vgprs=4)
    assert compute_liveness(found).pressure[RegisterClass.VGPR].units <= 4
    head = next(block for block in found.blocks if block.label == "head")
    assert len(head.vector_parameters) == 3


def test_tuples_are_handed_on_part_by_part() -> None:
    """A loop turns eight values that are two registers of four: six registers suffice, v0 among them."""
    parts = range(8)
    filled = "".join(f"  v_add_u32_e32 %w{k // 4}[{k % 4}], {k + 1}, v0\n" for k in parts)
    turned = "".join(f"  v_add_u32_e32 %n{k // 4}[{k % 4}], 1, %x{(k + 1) % 8 // 4}[{(k + 1) % 4}]\n" for k in parts)
    written = "".join(f"  ds_write_b32 v0, %x{k // 4}[{k % 4}]\n" for k in parts)
    registers = "".join(f"register %{name}{k} vgpr 4 align 2\n" for name in "wxn" for k in range(2))
    body = f"""{registers}register %i sgpr
register %j sgpr
block entry
{filled}  linear head(0x0)
  logical head(%w0, %w1)
block head scalar(%i) vector(%x0, %x1)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
{turned}  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%n0, %n1)
block exit
{written}  terminator s_endpgm
"""
    for reserved in (NO_AGPRS, frozenset[int]()):
        assert compute_liveness(spilled(machine(body), 6, reserved)).pressure[RegisterClass.VGPR].units <= 6


def test_lanes_are_on_after_the_mask_came_back_from_memory() -> None:
    """A store of the parameter goes after the restore of EXEC; its SGPRs are read from lanes before (wide
    program 3870)."""
    body = """register %a vgpr
register %x vgpr
register %again sgpr 2 align 2
block entry
  v_add_u32_e32 %a, 1, v0
  linear join
  logical join(%a)
block join vector(%x)
  v_readlane_b32 %again[0], v31, 0 !origin ["reload"]
  v_readlane_b32 %again[1], v31, 1 !origin ["reload"]
  s_mov_b64 exec, %again
  ds_write_b32 v0, %x
  terminator s_endpgm
"""
    kernel = machine(body)
    facts = gather_spill_facts(kernel, build_pools(kernel, frozenset(), None)[RegisterClass.VGPR])
    assert facts.heads == [0, 3]
    (parameter,) = kernel.blocks[1].vector_parameters
    assert facts.storing_slot(parameter.first, 1, 3) == (1, 3)


def test_a_loop_stores_a_spilled_sum_over_the_sum_before() -> None:
    """Eight sums in five VGPRs: each of the five that leave is loaded once and stored once a trip, and the back edge moves none."""
    sums = range(8)

    def all_of(name: str) -> str:
        return ", ".join(f"%{name}{k}" for k in sums)

    registers = "".join(f"register %{name}{k} vgpr\n" for name in "asn" for k in sums)
    body = f"""{registers}register %i sgpr
register %j sgpr
block entry
{"".join(f"  v_add_u32_e32 %a{k}, {k}, v0" + chr(10) for k in sums)}  linear head(0x0)
  logical head({all_of("a")})
block head scalar(%i) vector({all_of("s")})
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
{"".join(f"  v_add_u32_e32 %n{k}, %s{k}, v0" + chr(10) for k in sums)}  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head({all_of("n")})
block exit
{"".join(f"  ds_write_b32 v0, %s{k}" + chr(10) for k in sums)}  terminator s_endpgm
"""
    for reserved in (NO_AGPRS, frozenset[int]()):
        looped = next(block for block in spilled(machine(body), 5, reserved).blocks if block.label == "body")
        assert [instr.origin for instr in looped.instructions if instr.origin in (SPILL, RELOAD)].count(SPILL) == 5
        assert sum(instr.origin == RELOAD for instr in looped.instructions) == 5


def test_tuples_written_in_turns_are_put_together_in_memory() -> None:
    """Four quadruples are written a part of each in turn: seven registers, while sixteen are live."""
    registers = "".join(f"register %w{k} vgpr 4 align 2\n" for k in range(4))
    written = "".join(f"  v_add_u32_e32 %w{k}[{part}], {4 * k + part}, v0\n" for part in range(4) for k in range(4))
    stored = "".join(f"  ds_write_b128 v0, %w{k}\n" for k in range(4))
    found = spilled(machine(f"{registers}block entry\n{written}{stored}  terminator s_endpgm\n"), max_vgprs=7)
    loads = [instr for instr in found.instructions() if instr.origin == RELOAD]
    assert loads and all(instr.row.memory_bytes == 16 for instr in loads)


def test_what_lies_in_the_middle_of_the_file_is_moved_for_a_tuple() -> None:
    """The address of eight scalars is read while they are written, and lies at s[4:5] of fourteen SGPRs: it
    cannot leave there. With another place for it, two masks that both want VCC are in the way."""
    found = spilled(
        machine("""register %at sgpr 2 align 2
register %wide sgpr 8 align 4
register %m sgpr 2 align 2
register %n sgpr 2 align 2
register %x vgpr
register %y vgpr
register %z vgpr
block entry
  s_load_dwordx2 %at, s[0:1], 0x0
  s_load_dwordx8 %wide, %at, 0x0
  v_cmp_lt_u32_e32 %m, 7, v0
  v_cmp_gt_u32_e32 %n, 9, v0
  v_cndmask_b32_e32 %x, v0, v0, %m
  v_cndmask_b32_e32 %y, v0, %x, %n
  v_mov_b32_e32 %z, s2
  ds_write_b32 %z, %y
  terminator s_endpgm
"""),
        reserved=NO_AGPRS | set(range(14, 102)),
    )
    assert not spill_counts(found).sgprs and sum(instr.origin == SPILL for instr in found.instructions()) == 4


def test_the_budget_that_is_named_suffices_and_fewer_may() -> None:
    """On CDNA the stores' operands go to AGPRs part by part: five VGPRs are enough, and ten were asked for."""
    source = build_kernel("softmax", [])
    with pytest.raises(InputError) as raised:
        _ = asmgen.compile(source, target="gfx942", max_vgprs=3)
    named = re.search(r"help: --max-vgprs (\d+), which suffices \(fewer may\)", str(raised.value))
    assert named is not None
    for budget in (5, int(named[1])):
        (kernel,) = asmgen.compile(source, target="gfx942", max_vgprs=budget).kernels
        assert kernel.resources.vgprs <= budget


def test_parameters_in_memory_are_exchanged_on_the_way() -> None:
    """One of two lies in memory, and the loop hands each the other's value: it is read before it is written."""
    found = spilled(machine(CROSSED), max_vgprs=4)
    body = next(block for block in found.blocks if block.label == "body")
    code = [instr for instr in body.instructions if instr.origin in (SPILL, RELOAD)]
    store = next(i for i, instr in enumerate(code) if Trait.STORE in instr.row.traits)
    place = code[store].modifier("offset")
    assert [i < store for i, instr in enumerate(code) if i != store and instr.modifier("offset") == place] == [True]


def test_an_instruction_that_needs_more_than_there_is() -> None:
    with pytest.raises(InputError) as raised:
        allocate_with_spills(machine(wide(1)), max_vgprs=4)
    assert str(raised.value).splitlines() == [
        "gemm.py:18:1: error[RA002]: ds_read_b128 needs 5 VGPRs at once, the budget is 4",
        "  note: in block entry; --max-vgprs 4; everything else that may be spilled is spilled there",
        "  help: --max-vgprs 6, which suffices (fewer may), or a smaller workgroup",
    ]


# ---- the findings of the check

Change = Callable[[list[Instr]], list[Instr]]


def nth(origin: object, count: int) -> Callable[[list[Instr]], int]:
    return lambda code: [i for i, instr in enumerate(code) if instr.origin == origin][count]


def without_store(code: list[Instr]) -> list[Instr]:
    at = nth(SPILL, 0)(code)
    return code[:at] + code[at + 1 :]


def store_after_reload(code: list[Instr]) -> list[Instr]:
    at = nth(SPILL, 0)(code)
    return [*code[:at], *code[at + 1 :], code[at]]


def other_place(code: list[Instr], origin: object) -> list[Instr]:
    """The first store or load goes to the place of the second."""
    one, other = nth(origin, 0)(code), nth(origin, 1)(code)
    operands = (*code[one].operands[:2], *code[other].operands[2:])
    changed = replace(code[one], modifiers=code[other].modifiers, operands=operands)
    return [*code[:one], changed, *code[one + 1 :]]


def stored_register(code: list[Instr]) -> list[Instr]:
    """The first store writes the register of the second."""
    one, other = nth(SPILL, 0)(code), nth(SPILL, 1)(code)
    operands = tuple(code[other].operands[i] if i == 1 else operand for i, operand in enumerate(code[one].operands))
    return [*code[:one], replace(code[one], operands=operands), *code[one + 1 :]]


def missing_instruction(code: list[Instr]) -> list[Instr]:
    at = next(i for i, instr in enumerate(code) if instr.origin not in (SPILL, RELOAD))
    return code[:at] + code[at + 1 :]


def foreign_store(code: list[Instr]) -> list[Instr]:
    """Something that is no spill code, marked as such."""
    at = next(i for i, instr in enumerate(code) if instr.origin not in (SPILL, RELOAD) and Trait.MOVE not in instr.row.traits)
    return [*code[: at + 1], replace(code[at], origin=SPILL), *code[at + 1 :]]


CHANGES: dict[str, tuple[str, Change]] = {
    "a store is lost": ("entry", without_store),
    "a store goes to another value's place": ("entry", lambda code: other_place(code, SPILL)),
    "a reload takes another value's place": ("exit", lambda code: other_place(code, RELOAD)),
    "a store takes another register": ("entry", stored_register),
    "an instruction is lost": ("exit", missing_instruction),
    "other code says it is spill code": ("entry", foreign_store),
}


def changed(kernel: Kernel, label: str, change: Change) -> Kernel:
    return kernel.with_blocks([block.with_instructions(change(block.instructions)) if block.label == label else block for block in kernel.blocks])


@pytest.mark.parametrize("name", CHANGES)
def test_wrong_spill_code_is_found(name: str) -> None:
    label, change = CHANGES[name]
    kernel = machine(wide(4))
    with pytest.raises(InternalError):
        check_spills(kernel, changed(spilled(kernel, max_vgprs=8), label, change))


@pytest.mark.parametrize(
    "change", [without_store, store_after_reload, lambda code: other_place(code, SPILL), stored_register],
    ids=["lost", "late", "a lane written twice", "another register"],
)  # fmt: skip
def test_wrong_lanes_are_found(change: Change) -> None:
    kernel = machine(many_scalars(120))
    with pytest.raises(InternalError):
        check_spills(kernel, changed(spilled(kernel), "entry", change))


def test_a_program_may_not_write_where_lanes_are_kept() -> None:
    kernel = machine(many_scalars(120))
    found = spilled(kernel)
    with pytest.raises(InternalError):
        check_spills(kernel, replace(found, spill_lanes=()))


def test_lanes_are_not_in_a_vgpr_that_the_program_names() -> None:
    """Of v0 to v3 the program is given v0 and writes v3: lanes of v2 have the scalars."""
    body = many_scalars(120).replace("block entry\n", "block entry\n  v_mov_b32_e32 v3, v0\n  ds_write_b32 v0, v3\n")
    assert spilled(machine(body), max_vgprs=4).spill_lanes == (vgpr(2),)


def test_more_lanes_than_there_may_be() -> None:
    with pytest.raises(InputError) as raised:
        allocate_with_spills(machine(many_scalars(1000)), max_vgprs=8)
    assert str(raised.value).splitlines() == [
        "test: error[RA002]: 15 VGPRs must keep 897 spilled SGPRs in their lanes, but only 7 may",
        "  note: --max-vgprs 8",
        "  help: --max-vgprs 18 or more, or a smaller workgroup",
    ]
    assert len(spilled(machine(many_scalars(1000)), max_vgprs=18).spill_lanes) == 15


def test_scalars_are_exchanged_where_every_sgpr_is_taken() -> None:
    """Two parameters and five scalars fill s0 to s4 and VCC, so that one of these makes room for the
    exchange."""
    kept = "".join(f"register %c{k} sgpr\nregister %d{k} sgpr\n" for k in range(5))
    made = "".join(f"  s_add_u32 %c{k}, s2, {k}\n" for k in range(5))
    read = "".join(f"  s_add_u32 %d{k}, %c{k}, {f'%d{k - 1}' if k else '%a'}\n" for k in range(5))
    body = f"""register %a sgpr
register %b sgpr
register %x sgpr
register %y sgpr
register %v vgpr
{kept}block entry
  s_add_u32 %x, s2, 8
  s_add_u32 %y, s2, 9
{made}  linear head(%x, %y)
  logical head
block head scalar(%a, %b)
  s_cmp_lt_u32 %a, %b
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  linear head(%b, %a)
  logical head
block exit
{read}  v_mov_b32_e32 %v, %d4
  ds_write_b32 v0, %v
  terminator s_endpgm
"""
    assert spill_counts(spilled(machine(body), reserved=NO_AGPRS | set(range(5, 102)))).sgprs


VCC_TWICE = """
register %a sgpr 2 align 2
register %b sgpr 2 align 2
register %x vgpr
register %y vgpr
register %z vgpr
block entry
  v_cmp_lt_u32_e32 %a, v0, v0
  v_cmp_gt_u32_e32 %b, 7, v0
  v_cndmask_b32_e32 %x, 1, v0, %b
  v_cndmask_b32_e32 %y, 2, v0, %a
  v_cndmask_b32_e32 %z, 3, %x, %b
  ds_write_b32 v0, %y
  ds_write_b32 v0, %z
  terminator s_endpgm
"""


def test_what_is_in_vcc_goes_to_another_sgpr_and_back() -> None:
    """SGPRs are free, and VCC alone is wanted by two masks at once: two copies split the live range of a
    mask; lanes of a VGPR took two writes and two reads."""
    kernel = machine(VCC_TWICE)
    spilled, allocation, values = allocate_with_spills(kernel)
    assert {value.memory for value in values} == {"SGPRs"} and not spilled.spill_lanes
    check_spills(kernel, spilled)
    check(spilled, allocation, rewrite(spilled, allocation))


def test_a_copy_of_another_sgpr_is_found() -> None:
    kernel = machine(VCC_TWICE)
    spilled = allocate_with_spills(kernel).kernel
    (block,) = spilled.blocks
    found = [number for number, instr in enumerate(block.instructions) if instr.origin == RELOAD]
    first = block.instructions[found[0]]
    target, source = first.operands
    assert isinstance(source, Register)
    wrong = first.as_row(first.row, (target, Register(source.first + 1)), first.modifiers)
    code = [wrong if number == found[0] else instr for number, instr in enumerate(block.instructions)]
    with pytest.raises(InternalError):
        check_spills(kernel, spilled.with_blocks([block.with_instructions(code)]))
