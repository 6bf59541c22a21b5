"""A register that is dead by the report may be overwritten: kernels run so on the emulator still agree with
numpy."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from asmgen.report.live import live_sets
from isa.build import build
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.blocks import kernel_of
from isa.emulator.program.code import Code, Operation
from isa.emulator.program.image import Image
from isa.emulator.runner import run_image
from isa.instruction import Instr, Trait
from isa.lane_masks import MaskOperation, lane_masks
from isa.registers import FIRST_VGPR, VCC, Register, sgpr
from isa.table import Table, table_named
from isa.targets import parse_target
from tests.rows import MACHINES, spread
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.kernel_cases import agrees
from tests.unit.isa.test_emulator_kernels import KERNELS
from tests.unit.report.live_walk import sets_before

pytestmark = pytest.mark.broad

SAVED = 98  # the SGPR, or the pair, that keeps EXEC
GARBAGE = 0x7FA5A5A5
# branches within branches, loops that lanes leave in turn, halves of registers, masks of carries, switches, workgroups
CHOSEN = (
    "divergence", "loop", "lds_reduction", "scratch", "cross_lane", "atomics", "doubles", "long_division", "halves", "narrow_memory",
    "nested_loops", "switches", "early_exits", "selections", "escape_times", "wave_reductions", "half_tiles", "softmax",
)  # fmt: skip
PAIRS = [(machine, name) for machine in MACHINES for name in CHOSEN if KERNELS[name].runs_on(parse_target(machine))]


def overwritten(image: Image, vgprs: int, at_once: int) -> Image:
    """The kernel with garbage in dead registers before each of its instructions, in every lane; up to `at_once` of them, chosen anew."""
    kernel, chosen = kernel_of(image), random.Random(image.name)
    sets, table = live_sets(kernel), table_named(image.target)
    candidates = [*range(FIRST_VGPR, FIRST_VGPR + vgprs), *range(SAVED), *VCC.units]
    old = image.code.instructions
    operations: list[Operation] = []
    moved: list[int] = []
    position = 0
    for number, block in enumerate(kernel.blocks):
        before = sets_before(sets, number)
        count = len(block.instructions)
        for index in [*range(count), *([count + 1] if block.terminator is not None else [])]:
            moved.append(len(operations))
            dead = sorted(set(candidates) - before[index])
            operations += _garbage(table, chosen.sample(dead, min(at_once, len(dead))))
            operations.append(old[position])
            position += 1
        if block.terminator is None and position < len(old) and Trait.BRANCH in old[position].row.traits:
            moved.append(len(operations))
            operations.append(old[position])
            position += 1
    assert position == len(old)
    labels = {name: moved[index] for name, index in image.code.labels.items() if index < len(moved)}
    every_sgpr = replace(image.descriptor, sgprs=SAVED + 2)
    return replace(image, code=Code(image.code.name, operations, labels), descriptor=every_sgpr)


def _garbage(table: Table, units: list[int]) -> list[Instr]:
    """Writes of the units in all lanes; neither SCC nor EXEC changes."""
    scalars = [build(table.row("s_mov_b32"), Register(unit), GARBAGE) for unit in units if unit < FIRST_VGPR]
    vectors = [build(table.row("v_mov_b32_e32"), Register(unit), GARBAGE) for unit in units if unit >= FIRST_VGPR]
    if not vectors:
        return scalars
    masks = lane_masks(table.target.wave_size)
    move, saved = table.row(masks.operations[MaskOperation.MOVE]), sgpr(SAVED, masks.units)
    return [*scalars, build(move, saved, masks.exec), build(move, masks.exec, -1), *vectors, build(move, masks.exec, saved)]


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize(("machine", "name"), spread(PAIRS, 1))
def test_dead_registers_may_hold_anything(machine: str, name: str) -> None:
    kernel = KERNELS[name]
    case = kernel.reference(parse_target(machine))
    image = load(compiled(kernel.file, "-O2", True, machine, kernel.options), kernel.entry or name)
    garbled = overwritten(image, min(image.descriptor.vgprs, image.descriptor.agpr_offset), 12)
    assert len(garbled.code.operations) > 2 * len(image.code.operations)
    agrees(case, run_image(garbled, KernelCall(case.grid, case.block, tuple(case.args), frozenset(case.undefined))))
