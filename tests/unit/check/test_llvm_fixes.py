"""What LLVM 22.1 misses and its developers have found since: `check` asks for it."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

END = "s_endpgm\n"
IDLE = "v_mov_b32 v100, 0\n"
LARGE = "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:31], v[0:15]\n"  # 16 passes


@pytest.mark.parametrize(("between", "missing"), [(18, "2 more wait states"), (19, "1 more wait state"), (20, "")])
@pytest.mark.parametrize("use", ["v_mov_b32 v40, v3\n", "v_mfma_f32_16x16x16_f16 v[40:43], v[2:3], v[44:45], v[40:43]\n"])
def test_a_result_of_sixteen_passes_is_read_twenty_states_later(checker: Checker, use: str, between: int, missing: str) -> None:
    """llvm-project PR 222040: LLVM looks back 19 states, and gfx950 wants 20 (CDNA4 ISA 7.5)."""
    outcome = checker.run(LARGE + IDLE * between + use + END, "gfx950")
    assert outcome.found() == ([(between + 2, "CHK002")] if missing else [])
    assert missing in outcome.err
    fixed = checker.run(LARGE + IDLE * between + use + END, "gfx950", "--fix", "-o", "-").out
    assert checker.run(fixed, "gfx950").status == 0


F16 = "v_mfma_f32_16x16x16_f16 v[0:3], v[16:17], v[18:19], v[0:3]\n"
TWICE = "v_mfma_f32_16x16x32_f16 v[0:3], v[8:11], v[12:15], v[0:3]\n"  # twice the depth in the same passes
BF16 = F16.replace("_f16 ", "_bf16 ")
F32 = "v_mfma_f32_16x16x4_f32 v[0:3], v16, v18, v[0:3]\n"


@pytest.mark.parametrize(
    ("first", "second", "target", "states"),
    [
        (TWICE, F16, "gfx950", 6),
        (F16, TWICE, "gfx950", 6),
        (TWICE, TWICE, "gfx950", 0),
        (F16, F16, "gfx950", 0),
        (F16, BF16, "gfx950", 0),  # of one pace
        (F16, F32, "gfx942", 5),
        (F32, F16, "gfx942", 0),  # an XDL instruction reads its accumulator late enough
    ],
)
def test_matrix_instructions_that_share_an_accumulator(checker: Checker, first: str, second: str, target: str, states: int) -> None:
    """llvm-project PR 218363: an accumulator is forwarded between instructions of one pace alone."""
    outcome = checker.run(first + second + END, target)
    assert outcome.found() == ([(2, "CHK002")] if states else [])
    assert f"missing {states} more wait states" in outcome.err or not states
    assert checker.found(first + IDLE * states + second + END, target) == []


C_APART = "v_mfma_f32_16x16x16_f16 v[0:3], v[16:17], v[18:19], v[4:7]\n"  # 4 passes
WMMA = "v_wmma_f32_16x16x16_f16 v[0:7], v[{a}], v[{b}], v[24:31]\n"


@pytest.mark.parametrize("write", ["v_mov_b32 v5, 0\n", "v_pk_mul_f32 v[6:7], v[20:21], v[20:21]\n", "ds_read_b32 v7, v20\n"])
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_c_is_overwritten_while_it_is_read(checker: Checker, target: str, write: str) -> None:
    """llvm-project issue 222932, on gfx1250: C was left out although A and B were guarded. The same of our
    targets."""
    assert checker.found(C_APART + write + END, target) == [(2, "CHK002")]
    assert checker.found(C_APART + IDLE * 3 + write + END, target) == []


@pytest.mark.parametrize(("target", "a", "b"), [("gfx1100", "8:15", "16:23"), ("gfx1201", "8:11", "16:19")])
def test_rdna_guards_what_a_product_reads(checker: Checker, target: str, a: str, b: str) -> None:
    """Its matrix instructions have read A, B and C before another instruction writes them (llvm-project PR 76143)."""
    product = WMMA.format(a=a, b=b)
    for register in (9, 17, 25):
        codes = [code for _, code in checker.found(f"{product}v_mov_b32 v{register}, 0\n{END}", target)]
        assert "CHK002" not in codes
