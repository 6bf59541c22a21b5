"""Spill code: programs that need more registers than there are, and each way of being wrong that the check finds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from isa.diagnostics import InputError, InternalError
from isa.instruction import Instr, Trait
from isa.mir import print_kernel
from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc import check, compute_liveness, rewrite
from regalloc.spill import allocate_with_spills
from regalloc.spill_checker import check_spills
from regalloc.spill_memory import RELOAD, SPILL, spill_counts
from regalloc.verify import verify
from tests.unit.regalloc.programs import machine
from tests.unit.regalloc.test_shortage import wide

CROSSED = """
register %a vgpr
register %b vgpr
register %x vgpr
register %y vgpr
register %i sgpr
register %j sgpr
block entry
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, v0
  linear head(0x0)
  logical head(%a, %b)
block head scalar(%i) vector(%x, %y)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%y, %x)
block exit
  ds_write_b32 %x, %y
  terminator s_endpgm
"""


def spilled(kernel: Kernel, max_vgprs: int | None = None) -> Kernel:
    """The kernel with its spill code, which every check accepts."""
    verify(kernel)
    found, allocation, _ = allocate_with_spills(kernel, max_vgprs=max_vgprs)
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


def test_parameters_in_memory_are_exchanged_on_the_way() -> None:
    """Both lie in memory, and the loop hands each the other's value: both are read before one is written."""
    found = spilled(machine(CROSSED), max_vgprs=2)
    body = next(block for block in found.blocks if block.label == "body")
    kinds = [Trait.LOAD in instr.row.traits for instr in body.instructions if instr.origin in (SPILL, RELOAD)]
    assert kinds == sorted(kinds, reverse=True)


def test_an_instruction_that_needs_more_than_there_is() -> None:
    with pytest.raises(InputError) as raised:
        allocate_with_spills(machine(wide(1)), max_vgprs=4)
    assert str(raised.value).splitlines() == [
        "gemm.py:18:1: error[RA002]: ds_read_b128 needs 5 VGPRs at once, the budget is 4",
        "  note: in block entry; --max-vgprs 4; everything else that may be spilled is spilled there",
        "  help: --max-vgprs 6 or more, or a smaller workgroup",
    ]


# ---- what the check finds

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
