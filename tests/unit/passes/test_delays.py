"""Delays: each case states the code and the code that is wanted. Expectations are LLVM's, asked by hand:

python -m tools.llvm_hazards gfx1100 amdgpu-insert-delay-alu < sequence
"""

from __future__ import annotations

import re
from random import Random

import pytest

from asmgen.passes.waits.delays import insert_delays
from isa.instruction import Encoding, Row, Trait, Unit
from isa.targets import parse_target
from tests.fuzzers import fuzzer_of, grouped
from tests.unit.passes.assembly import code_of, kernel_of, lines_of
from tools.fuzz.programs import machine_program
from tools.fuzz.running import Fuzzer
from tools.judge.judging import DELAYS
from tools.llvm_hazards import Refusal
from tools.llvm_hazards.decode import BLOCK

CASES: tuple[tuple[str, str], ...] = (
    (
        "the vector instruction just before",
        "v_add_f32_e32 v0, v1, v2 | + VALU_DEP_1 | v_add_f32_e32 v3, v0, v0",
    ),
    (
        "the fourth before",
        "v_add_f32_e32 v0, v1, v2 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | + VALU_DEP_4 | v_add_f32_e32 v3, v0, v0",
    ),
    (
        "no delay needed because the fifth before is done",
        "v_add_f32_e32 v0, v1, v2 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v3, v0",
    ),
    ("a result is there after five cycles", "v_add_f32_e32 v0, v1, v2 | s_nop 2 | + VALU_DEP_1 | v_add_f32_e32 v3, v0, v0"),
    ("no delay needed because five cycles are over", "v_add_f32_e32 v0, v1, v2 | s_nop 3 | v_add_f32_e32 v3, v0, v0"),
    ("a quarter-rate product takes eight", "v_mul_lo_u32 v0, v1, v2 | s_nop 5 | + VALU_DEP_1 | v_mov_b32_e32 v3, v0"),
    ("no delay needed because eight cycles are over", "v_mul_lo_u32 v0, v1, v2 | s_nop 6 | v_mov_b32_e32 v3, v0"),
    ("a transcendental result", "v_exp_f32_e32 v0, v1 | + TRANS32_DEP_1 | v_add_f32_e32 v3, v0, v0"),
    (
        "vector instructions do not count for the transcendental unit",
        "v_exp_f32_e32 v0, v1 | v_mov_b32_e32 v9, v8 | v_mov_b32_e32 v9, v8 | + TRANS32_DEP_1 | v_add_f32_e32 v3, v0, v0",
    ),
    (
        "the third transcendental one before",
        "v_exp_f32_e32 v0, v1 | v_exp_f32_e32 v9, v8 | v_exp_f32_e32 v9, v8 | + TRANS32_DEP_3 | v_add_f32_e32 v3, v0, v0",
    ),
    (
        "no delay needed because three more transcendental ones have issued",
        "v_exp_f32_e32 v0, v1 | v_exp_f32_e32 v9, v8 | v_exp_f32_e32 v9, v8 | v_exp_f32_e32 v9, v8 | v_add_f32_e32 v3, v0, v0",
    ),
    ("a scalar result is there a cycle later", "s_mov_b32 s0, s1 | + SALU_CYCLE_1 | v_mov_b32_e32 v1, s0"),
    ("no delay needed because a cycle is over", "s_mov_b32 s0, s1 | s_nop 0 | v_mov_b32_e32 v1, s0"),
    (
        "two dependences in one",
        "v_exp_f32_e32 v0, v1 | v_add_f32_e32 v1, v2, v3 | + TRANS32_DEP_1 SAME VALU_DEP_1 | v_add_f32_e32 v4, v0, v1",
    ),
    (
        "the vector instruction issued before the transcendental one: waiting for the latter covers it",
        "v_add_f32_e32 v4, v1, v1 | v_exp_f32_e32 v0, v1 | + TRANS32_DEP_1 | v_add_f32_e32 v5, v4, v0",
    ),
    (
        "a delay holds another for the next instruction",
        "v_add_f32_e32 v0, v1, v2 | + VALU_DEP_1 NEXT VALU_DEP_1 | v_add_f32_e32 v3, v0, v5 | v_add_f32_e32 v4, v3, v3",
    ),
    (
        "or for one up to five instructions further",
        "v_mov_b32_e32 v0, v1 | + VALU_DEP_1 SKIP_2 VALU_DEP_1 | v_mov_b32_e32 v8, v0 | s_nop 0 | v_mov_b32_e32 v5, v9 | v_mov_b32_e32 v7, v5",
    ),
    (
        "a full one holds no third",
        "v_mov_b32_e32 v0, v1 | + VALU_DEP_1 NEXT VALU_DEP_1 | v_mov_b32_e32 v0, v0 | v_mov_b32_e32 v0, v0 | + VALU_DEP_1 | v_mov_b32_e32 v0, v0",
    ),
    ("no delay needed because it was there for the first reader", "s_mov_b32 s0, s1 | + SALU_CYCLE_1 | s_mov_b32 s2, s0 | s_mov_b32 s3, s0"),
    (
        "no delay needed because a memory instruction waits for the vector ALU",
        "v_add_f32_e32 v0, v1, v2 | ds_store_b32 v2, v4 | v_add_f32_e32 v1, v0, v0",
    ),
    (
        "no delay needed because a scalar instruction waits for SGPRs that the vector ALU writes, and so for what issued before",
        "v_mov_b32_e32 v9, v8 | v_cmp_eq_u32_e64 s1, v1, v2 | s_mov_b32 s5, s6 | v_mov_b32_e32 v3, s1 | v_mov_b32_e32 v4, v9",
    ),
    (
        "a NOP does not wait for them",
        "v_mov_b32_e32 v9, v8 | v_cmp_eq_u32_e64 s1, v1, v2 | s_nop 0 | + VALU_DEP_1 NEXT VALU_DEP_3 | v_mov_b32_e32 v3, s1 | v_mov_b32_e32 v4, v9",
    ),
    ("no delay needed because VCC of the short encodings is forwarded", "v_cmp_lt_f32_e32 vcc_lo, v0, v1 | v_cndmask_b32_e32 v1, v2, v3, vcc_lo"),
    ("a mask in an SGPR is not", "v_cmp_lt_f32_e64 s0, v0, v1 | + VALU_DEP_1 | v_cndmask_b32_e64 v1, v2, v3, s0"),
    (
        "an accumulator is read",
        "v_mul_f32_e32 v0, v1, v2 | + VALU_DEP_1 NEXT VALU_DEP_1 | v_fmac_f32_e32 v0, v3, v4 | v_fmac_f32_e32 v0, v3, v4",
    ),
    (
        "the nearest on any path decides",
        "v_add_f32_e32 v0, v1, v2 | s_cbranch_scc0 x | v_mov_b32_e32 v5, v6 | x: | + VALU_DEP_1 | v_add_f32_e32 v1, v0, v0",
    ),
    (
        "around a loop",
        "v_mov_b32_e32 v5, v6 | loop: | + VALU_DEP_1 | v_add_f32_e32 v0, v0, v1 | s_cbranch_scc0 loop",
    ),
)  # fmt: skip
DELAY = re.compile(r"\+ (\w+)(?: (\w+) (\w+))?\Z")


def spelt(line: str) -> str:
    """`+ VALU_DEP_1 NEXT VALU_DEP_2` as the instruction that it stands for."""
    found = DELAY.match(line)
    if found is None:
        return line
    first, skip, second = found.groups()
    skipped = f" | instskip({skip})" if skip not in (None, "SAME") else ""
    return f"s_delay_alu instid0({first}){skipped}" + (f" | instid1({second})" if second else "")


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize(("reason", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_exact(reason: str, wanted: str, target: str) -> None:
    lines = wanted.split(" | ")
    bare = "\n".join(line for line in lines if not line.startswith("+"))
    assert code_of(insert_delays(kernel_of(bare, target))) == [spelt(line) for line in lines if not line.endswith(":")], reason


def test_a_scalar_float_takes_three_cycles() -> None:
    code = "s_add_f32 s0, s1, s2\nv_mov_b32_e32 v0, s0"
    assert code_of(insert_delays(kernel_of(code, "gfx1201")))[1] == "s_delay_alu instid0(SALU_CYCLE_3)"


def test_a_transcendental_result_in_an_sgpr_hides_the_comparison_before() -> None:
    code = "v_cmp_lg_f16_e64 vcc_lo, v8, 35\nv_s_log_f16 s2, s9\ns_cselect_b64 exec, 20, vcc"
    assert code_of(insert_delays(kernel_of(code, "gfx1201")))[2] == "s_delay_alu instid0(VALU_DEP_1)"


def test_halves_of_a_register_are_there_one_by_one() -> None:
    low, high = "v_add_f16_e32 v0.l, v1.l, v2.l", "v_add_f16_e32 v3.l, v0.h, v0.h"
    assert code_of(insert_delays(kernel_of(f"{low}\n{high}", "gfx1100"))) == [low, high]
    assert code_of(insert_delays(kernel_of(f"{low}\nv_mov_b32_e32 v3, v0", "gfx1100")))[1] == "s_delay_alu instid0(VALU_DEP_1)"


def test_a_move_to_every_lane_does_not_wait_for_the_old_value() -> None:
    sum_, move = "v_add_f32_e32 v6, v0, v1", "v_mov_b32_dpp v6, v5 row_share:3 row_mask:0xf bank_mask:0xf"
    delay = "s_delay_alu instid0(VALU_DEP_1)"
    assert code_of(insert_delays(kernel_of(f"{sum_}\n{move}", "gfx1100"))) == [sum_, delay, move]
    assert code_of(insert_delays(kernel_of(f"{sum_}\n{move} bound_ctrl:1", "gfx1100"))) == [sum_, f"{move} bound_ctrl:1"]


def test_a_target_without_delays_stays_as_it_is() -> None:
    code = "v_add_f32_e32 v0, v1, v2\nv_add_f32_e32 v3, v0, v0"
    assert code_of(insert_delays(kernel_of(code))) == code.splitlines()


RDNA = ("gfx1100", "gfx1201", "gfx1100:wave64", "gfx1201:wave64")
INSERTED = re.compile(r"S_DELAY_ALU \.id0_([A-Z0-9_]+?)(?:_skip_([A-Z0-9_]+?)_id1_([A-Z0-9_]+))?\s*\Z")


def of_llvm(inserted: str) -> str:
    found = INSERTED.match(inserted)
    assert found is not None, inserted
    return spelt("+ " + " ".join(part for part in found.groups() if part))


def is_compared(row: Row) -> bool:
    """Left out are rows of which LLVM knows less, or other things: it does not say that s_cmov, v_pk_fmac_f16 and the dot products of
    dual instructions read what they write, nor that the DPP8 forms of transcendental instructions are such, nor that a matrix
    result of halves keeps the others, nor that v_mqsad_pk_u16_u8 takes as long as other results of 64 bits; and it says that
    v_permlane16, and v_mov by DPP with bound_ctrl and whole masks, read the register that they write, for which our rows have no
    operand. A clause of random instructions is none."""
    keeps_halves = row.unit is Unit.MATRIX and Trait.HALF_WRITE in row.traits
    of_other_reads = row.operation.startswith("s_cmov") or row.operation in {"v_pk_fmac_f16", "v_mqsad_pk_u16_u8"}
    is_odd = of_other_reads or not row.traits.isdisjoint({Trait.PERMLANE, Trait.CLAUSE}) or keeps_halves or row.form == "bound"
    return not (is_odd or (row.encoding is Encoding.DUAL and "dot2acc" in row.name) or (row.unit is Unit.TRANS and row.form.startswith("dpp8")))


def compare(fuzzer: Fuzzer, count: int) -> None:
    """LLVM's delays and ours, instruction by instruction, of random programs that have none."""
    pool = fuzzer.pool.copy()
    for instr in pool.instructions():
        if not is_compared(instr.row):
            pool.drop(instr)
    kernels = [machine_program(pool.program(Random(f"{fuzzer.seed}/{number}")), fuzzer.target) for number in range(count)]
    texts = [lines_of(kernel) for kernel in kernels]
    delays = 0
    for kernel, text, answer in zip(kernels, texts, fuzzer.judge.oracle.run(texts, DELAYS), strict=True):
        assert not isinstance(answer, Refusal), answer
        theirs = [of_llvm(line) if tag is None else text[tag] for tag, line in answer if line != BLOCK and (tag is not None or "DELAY" in line)]
        ours = [line for line in lines_of(insert_delays(kernel)) if not line.endswith(":")]
        assert ours == theirs, text
        delays += len(ours) - sum(not line.endswith(":") for line in text)
    assert delays > count // 2  # else there was hardly anything to compare


@pytest.mark.broad
@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("target", grouped(RDNA))
def test_random_programs_have_llvms_delays(target: str) -> None:
    compare(fuzzer_of(target), 200)


@pytest.mark.slow
@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("seed", range(200, 204))
@pytest.mark.parametrize("target", RDNA)
def test_more_of_them(target: str, seed: int) -> None:
    compare(Fuzzer(parse_target(target), seed), 2000)


@pytest.mark.broad
@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("target", grouped(RDNA))
def test_idempotent(target: str) -> None:
    pool = fuzzer_of(target).pool
    for number in range(50):
        once = insert_delays(machine_program(pool.program(Random(number)), pool.target))
        assert lines_of(insert_delays(once)) == lines_of(once)
