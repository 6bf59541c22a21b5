"""Which web is in which file, and the copies between the files."""

from __future__ import annotations

import pytest

from isa.diagnostics import InputError
from isa.mir.parser import parse_kernel
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VIRTUAL, RegisterClass
from regalloc import build_pools, check, rewrite
from regalloc.allocate import allocate
from regalloc.allocation import CROSSING
from regalloc.files.choose import choose_files
from regalloc.verify import verify
from tests.unit.regalloc.programs import lines, machine

V, A, AV = RegisterClass.VGPR, RegisterClass.AGPR, RegisterClass.AV

# A loop adds products to two accumulators. The vector ALU reads one accumulator afterwards, the other is stored.
LOOP = """register %i sgpr
register %j sgpr
register %f {fragment} 2 align 2
register %x vgpr 4 align 2
register %y {other} 4 align 2
register %p vgpr 4 align 2
register %q {other} 4 align 2
register %s vgpr
register %w vgpr 4 align 2
register %l sgpr 2 align 2
block entry
  {before}
  linear head(0x0)
  logical head({start}, 0x0)
block head scalar(%i) vector(%x, %y)
  ds_read_b64 %f, v0
  v_mfma_f32_16x16x16_f16 %p, %f, %f, %x
  v_mfma_f32_16x16x16_f16 %q, %f, %f, %y
  {inside}
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  linear head(%j)
  logical head({next}, %q)
block exit
  v_add_f32_e32 %s, %p[0], %p[3]
  ds_write_b32 v0, %s
  ds_write_b128 v0, %q
  terminator s_endpgm
"""
PARTS = {"fragment": "av", "other": "av", "before": "s_nop 0", "start": "0x0", "inside": "s_nop 0", "next": "%p"}


def loop(**parts: str) -> Kernel:
    kernel = machine(LOOP.format(**(PARTS | parts)))
    verify(kernel)
    return kernel


def choose(kernel: Kernel, vgprs: int, agprs: int = 256, is_crowded: bool = False) -> Kernel:
    """The kernel with its files, in so many registers."""
    made = choose_files(kernel, build_pools(kernel, frozenset(range(FIRST_AGPR + agprs, FIRST_VIRTUAL)), vgprs), is_crowded=is_crowded)
    verify(made)
    return made


def filed(kernel: Kernel, vgprs: int = 256) -> Kernel:
    """The same, and its allocation is proven."""
    made = choose(kernel, vgprs)
    allocation = allocate(made, frozenset(), vgprs)
    check(made, allocation, rewrite(made, allocation))
    return made


def file_of(kernel: Kernel, name: str) -> RegisterClass:
    return next(owner.register_class for owner in kernel.owners if owner.name == name)


def copies(kernel: Kernel) -> dict[str, int]:
    """The number of copies between the files in each block that has any."""
    counts = {block.label: sum(instr.origin == CROSSING for instr in block.instructions) for block in kernel.blocks}
    return {label: count for label, count in counts.items() if count}


def test_everything_is_in_vgprs_while_they_suffice() -> None:
    made = filed(loop())
    assert all(owner.register_class is not A and owner.register_class is not AV for owner in made.owners)
    assert not copies(made)


def test_a_kernel_without_either_is_left_alone() -> None:
    kernel = loop(fragment="vgpr", other="vgpr")
    assert choose_files(kernel, build_pools(kernel, frozenset(), None)) is kernel


def test_accumulators_move_first_and_those_without_copies_before() -> None:
    """Of 11 live VGPRs one accumulator has to go, and the accumulator that is only stored costs no copy."""
    made = filed(loop(), vgprs=10)
    assert [file_of(made, name) for name in "xypqf"] == [V, A, V, A, V]
    assert not copies(made)


def test_an_accumulator_is_read_back_after_its_loop() -> None:
    made = filed(loop(), vgprs=6)
    assert [file_of(made, name) for name in "xypqf"] == [A, A, A, A, V]
    assert copies(made) == {"exit": 2}
    exit = lines(made)[lines(made).index("block exit") :]
    assert [line.split("!")[0].split(" ", 1)[1].split("%")[-1].strip() for line in exit[1:3]] == ["p[0]", "p[3]"]
    assert all(line.startswith("v_accvgpr_read_b32") for line in exit[1:3])


def test_an_accumulator_that_the_vector_unit_reads_in_its_loop_stays() -> None:
    made = filed(loop(inside="v_add_f32_e32 %w[0], %p[0], %p[1]"), vgprs=10)
    assert [file_of(made, name) for name in "xypq"] == [V, A, V, A]


@pytest.mark.parametrize(
    ("before", "start", "wanted"),
    [
        ("s_nop 0", "0x0", {"exit": 2}),
        ("s_nop 0", "0x12345678000000400000000200000001", {"entry": 8, "exit": 2}),  # a literal of four words
        ("ds_read_b128 %w, v0", "%w", {"exit": 2}),
        ("\n  ".join(f"v_add_f32_e32 %w[{k}], 1.0, v0" for k in range(4)), "%w", {"entry": 4, "exit": 2}),
    ],
)
def test_what_an_accumulator_begins_with(before: str, start: str, wanted: dict[str, int]) -> None:
    assert copies(filed(loop(before=before, start=start), vgprs=6)) == wanted


def test_agprs_have_to_suffice() -> None:
    made = choose(loop(), vgprs=6, agprs=4)
    assert [file_of(made, name) for name in "xy"] == [V, A]


@pytest.mark.parametrize(("before", "file"), [("s_mov_b64 exec, 7", V), ("s_nop 0", A)])
def test_a_result_that_is_read_across_lanes_stays_where_lanes_are_off(before: str, file: RegisterClass) -> None:
    """v_readlane may read a lane that EXEC has switched off, and a copy under EXEC would not have it."""
    text = LOOP.format(**(PARTS | {"before": before})).replace("block exit\n", "block exit\n  v_readlane_b32 s5, %p[0], 3\n")
    kernel = machine(text)
    verify(kernel)
    assert file_of(choose(kernel, vgprs=6), "p") is file


def test_an_operand_of_the_vector_unit_is_in_no_either_file() -> None:
    with pytest.raises(InputError, match=r"src1 is .*, which may be in either file, wanted a VGPR"):
        _ = machine("register %a av\nregister %b vgpr\nblock entry\n  v_add_u32_e32 %b, 1, %a\n  terminator s_endpgm\n")


def test_the_class_is_spelt_in_text() -> None:
    text = print_kernel(loop())
    assert "register %f av 2 align 2" in text
    assert print_kernel(parse_kernel(text, "again.mir")) == text


# Four products with accumulators that the vector ALU computes, and reads under two masks.
STRAIGHT = """register %f vgpr 2 align 2
{registers}
register %s vgpr
register %t vgpr
block entry
  ds_read_b64 %f, v0
{code}
  s_mov_b64 exec, 7
  v_add_f32_e32 %s, %d0[0], %d1[0]
  ds_write_b32 v0, %s
  s_mov_b64 exec, -1
  v_add_f32_e32 %t, %d0[0], %d1[0]
  ds_write_b32 v0, %t
  ds_write_b128 v0, %d2
  ds_write_b128 v0, %d3
  terminator s_endpgm
"""


def test_accumulators_that_the_vector_unit_computes() -> None:
    """A copy to AGPRs follows each of its four writers, and a copy from AGPRs is not used under another EXEC."""
    numbers = range(4)
    registers = "\n".join(f"register %{name}{k} vgpr 4 align 2" for k in numbers for name in "cd")
    filled = [f"  v_add_f32_e32 %c{k}[{part}], 1.0, v0" for k in numbers for part in range(4)]
    products = [f"  v_mfma_f32_16x16x16_f16 %d{k}, %f, %f, %c{k}" for k in numbers]
    kernel = machine(STRAIGHT.format(registers=registers, code="\n".join(filled + products)))
    verify(kernel)
    made = choose(kernel, vgprs=6)
    assert [file_of(made, f"d{k}") for k in numbers] == [A, A, A, A]
    assert copies(made) == {"entry": 16 + 4}
