"""A register that the report holds for dead may be overwritten: kernels run so on the emulator still agree with numpy."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from asmgen.report.live import live_sets
from isa.build import build
from isa.emulator import load
from isa.emulator.blocks import kernel_of
from isa.emulator.code import Code, Operation
from isa.emulator.image import Image
from isa.emulator.runner import run_image
from isa.instruction import Instr, Trait
from isa.registers import EXEC, FIRST_VGPR, VCC, Register, sgpr
from tests.rows import row
from tests.unit.isa.test_emulator_kernels import CASES, check, compiled

SAVED = sgpr(98, 2)
GARBAGE = 0x7FA5A5A5


def overwritten(image: Image, vgprs: int, at_once: int) -> Image:
    """The kernel with garbage in dead registers before each of its instructions, in every lane; up to `at_once` of them, chosen anew."""
    kernel, chosen = kernel_of(image), random.Random(image.name)
    sets = live_sets(kernel)
    candidates = [*range(FIRST_VGPR, FIRST_VGPR + vgprs), *range(SAVED.first), *VCC.units]
    old = image.code.instructions
    operations: list[Operation] = []
    moved: list[int] = []
    position = 0
    for number, block in enumerate(kernel.blocks):
        before = sets.before(number)
        count = len(block.instructions)
        for index in [*range(count), *([count + 1] if block.terminator is not None else [])]:
            moved.append(len(operations))
            dead = sorted(set(candidates) - before[index])
            operations += _garbage(chosen.sample(dead, min(at_once, len(dead))))
            operations.append(old[position])
            position += 1
        if block.terminator is None and position < len(old) and Trait.BRANCH in old[position].row.traits:
            moved.append(len(operations))
            operations.append(old[position])
            position += 1
    assert position == len(old)
    labels = {name: moved[index] for name, index in image.code.labels.items() if index < len(moved)}
    return replace(image, code=Code(image.code.name, operations, labels))


def _garbage(units: list[int]) -> list[Instr]:
    """Writes of the units in all lanes; neither SCC nor EXEC changes."""
    scalars = [build(row("s_mov_b32"), Register(unit), GARBAGE) for unit in units if unit < FIRST_VGPR]
    vectors = [build(row("v_mov_b32_e32"), Register(unit), GARBAGE) for unit in units if unit >= FIRST_VGPR]
    if not vectors:
        return scalars
    full, back = build(row("s_mov_b64"), EXEC, -1), build(row("s_mov_b64"), EXEC, SAVED)
    return [*scalars, build(row("s_mov_b64"), SAVED, EXEC), full, *vectors, back]


@pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objdump-22")
@pytest.mark.parametrize("name", sorted(CASES))
def test_dead_registers_may_hold_anything(name: str) -> None:
    case = CASES[name]()
    image = load(compiled(name, "-O2", True), name)
    garbled = overwritten(image, min(image.descriptor.vgprs, image.descriptor.agpr_offset), 12)
    assert len(garbled.code.operations) > 2 * len(image.code.operations)
    check(case, run_image(garbled, case.grid, case.block, case.args, undefined=case.undefined))
