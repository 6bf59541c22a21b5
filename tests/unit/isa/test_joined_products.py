"""Matrix instructions that the emulator does in one step give what they give one by one."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator.state.global_memory import Memory
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import EXEC_PAIR, Waves
from isa.emulator.steps.block_plans import BlockDecoder, BlockPlan
from isa.targets import parse_target
from tests.unit.isa.programs import code_of

PRODUCT = "v_mfma_f32_16x16x16_f16"
INDEPENDENT = tuple(f"{PRODUCT} v[{d}:{d + 3}], v[0:1], v[2:3], v[{d}:{d + 3}]" for d in (8, 12, 16))


def decoded(lines: list[str], machine: str = "gfx942:xnack-") -> BlockPlan:
    code = code_of("\n".join([*lines, "s_endpgm"]), machine)
    return BlockDecoder(code, RegisterLayout(256, 256, target=parse_target(machine).target)).block(0)


def waves_of(count: int, random: np.random.Generator) -> Waves:
    """Waves with all lanes on, with small floats in their registers."""
    memory = Memory()
    memory.freeze()
    waves = Waves(count, 1, 64, 128, memory, 64, 64)
    floats = random.integers(-4, 5, (*waves.u32.shape, 2)).astype(np.float16)
    waves.u32[:] = floats.view(np.uint32)[..., 0]
    waves.s64[EXEC_PAIR] = 2**64 - 1
    waves.mode_bits[:] = 0x3F0
    waves.choose(np.arange(count))
    return waves


def after(plan: BlockPlan, together: bool, count: int, seed: int) -> np.ndarray:
    waves = waves_of(count, np.random.default_rng(seed))
    with np.errstate(all="ignore"):
        for _, step in plan.together if together else plan.steps:
            step(waves)
    return waves.u32.copy()


def random_lines(random: np.random.Generator) -> list[str]:
    """Products of few registers, so that many need each other's results, among instructions that move these registers."""
    lines: list[str] = []
    for _ in range(14):
        a, b, c, d = (int(4 * random.integers(5)) for _ in range(4))
        c = d if random.random() < 0.7 else c
        kind = random.random()
        if kind < 0.6:
            lines.append(f"{PRODUCT} v[{d}:{d + 3}], v[{a}:{a + 1}], v[{b}:{b + 1}], v[{c}:{c + 3}]")
        elif kind < 0.7:
            lines.append(f"v_mfma_f32_4x4x4_16b_f16 v[{d}:{d + 3}], v[{a}:{a + 1}], v[{b}:{b + 1}], v[{c}:{c + 3}] cbsz:1")
        elif kind < 0.8:
            lines.append(f"v_mov_b32_e32 v{a + int(random.integers(4))}, v{b}")
        elif kind < 0.85:
            lines.append(f"v_xor_b32_e32 v{a}, v{b}, v{c}")
        elif kind < 0.93:
            lines += ["s_mov_b32 s40, 3", "s_set_gpr_idx_on s40, gpr_idx(DST)", f"v_mov_b32_e32 v{a}, v{b}", "s_set_gpr_idx_off"]
        else:
            lines.append(f"s_add_u32 s{a}, s{b}, 1")
    return lines


@pytest.mark.parametrize("seed", range(60))
def test_a_block_of_joined_products_writes_what_its_instructions_write(seed: int) -> None:
    plan = decoded(random_lines(np.random.default_rng(seed)))
    for count in (1, 3, 6):
        np.testing.assert_array_equal(after(plan, True, count, seed), after(plan, False, count, seed))


def test_independent_products_are_one_step_past_other_instructions() -> None:
    assert len(decoded(list(INDEPENDENT)).together) == 1
    apart = [INDEPENDENT[0], "s_add_u32 s4, s4, 1", INDEPENDENT[1], "v_mov_b32_e32 v30, v8", INDEPENDENT[2]]
    assert [index for index, _ in decoded(apart).together] == [0, 1, 3]


@pytest.mark.parametrize(
    "between",
    [
        "v_mov_b32_e32 v0, v30",  # writes A of the second product
        "v_mov_b32_e32 v30, v12",  # reads its D
        "v_mov_b32_e32 v13, v30",  # writes its C
    ],
)
def test_a_product_stays_behind_an_instruction_that_shares_its_registers(between: str) -> None:
    assert len(decoded([INDEPENDENT[0], between, INDEPENDENT[1]]).together) == 3


def test_a_product_stays_behind_an_instruction_whose_registers_are_indexed() -> None:
    indexed = ["s_set_gpr_idx_on s40, gpr_idx(SRC0)", "v_mov_b32_e32 v30, v31", "s_set_gpr_idx_off"]
    steps = [index for index, _ in decoded([INDEPENDENT[0], *indexed, INDEPENDENT[1]]).together]
    assert steps[0] == 0 and steps[-1] == 4


def test_a_product_stays_behind_a_relative_move() -> None:
    first, second = (f"v_wmma_f32_16x16x16_f16 v[{d}:{d + 7}], v[0:7], v[8:15], v[{d}:{d + 7}]" for d in (16, 24))
    plan = decoded([first, "v_movrels_b32_e32 v40, v41", second], "gfx1100")
    assert len(plan.together) == 3
    assert len(decoded([first, "v_mov_b32_e32 v40, v41", second], "gfx1100").together) == 2


@pytest.mark.parametrize(
    "second",
    [
        f"{PRODUCT} v[8:11], v[0:1], v[2:3], v[8:11]",  # adds to the first result
        f"{PRODUCT} v[12:15], v[8:9], v[2:3], v[12:15]",  # multiplies it
        "v_mfma_f32_4x4x4_16b_f16 v[12:15], v[0:1], v[2:3], v[12:15]",  # is another instruction
        f"{PRODUCT} v[12:15], v[0:1], v[2:3], 0",  # has a constant
    ],
)
def test_products_of_other_kinds_or_of_results_are_steps_of_their_own(second: str) -> None:
    assert len(decoded([INDEPENDENT[0], second]).together) == 2
