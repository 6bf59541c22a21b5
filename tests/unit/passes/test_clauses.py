"""How far apart two members of a soft clause still meet: as far as LLVM looks back, which AGPR 0 in the function decides."""

from __future__ import annotations

import pytest

from asmgen.passes.waits.hazards import insert_nops
from isa.instruction import Trait
from isa.targets import parse_target
from tests.unit.passes.assembly import code_of, kernel_of
from tools.judge.judging import oracle_for
from tools.llvm_hazards import Refusal
from tools.llvm_hazards.decode import BLOCK

# The first member, those in between, and the member that overwrites the first's operand.
CLAUSES = {
    "global loads": ("global_load_dword v1, v[2:3], off", "global_load_dword v{}, v[4:5], off", "global_load_dword v2, v[4:5], off"),
    "a store first": ("global_store_dword v[2:3], v1, off", "global_load_dword v{}, v[4:5], off", "global_load_dword v1, v[4:5], off"),
    "flat and buffer": ("flat_load_dword v1, v[2:3]", "buffer_load_dword v{}, v4, s[0:3], 0 offen", "flat_load_dword v3, v[4:5]"),
    "scalar loads": ("s_load_dword s1, s[2:3], 0x0", "s_load_dword s{}, s[4:5], 0x0", "s_load_dword s2, s[4:5], 0x0"),
}
SHORT = ("v_mov_b32 v0, v9", "v_accvgpr_write_b32 a1, v9")
LONG = ("v_accvgpr_write_b32 a0, v9", "v_accvgpr_read_b32 v0, a0", "global_load_dwordx2 a[0:1], v[8:9], off")


def clause(kind: str, between: int, before: str) -> list[str]:
    first, others, last = CLAUSES[kind]
    return [before, "s_nop 7", "s_nop 7", first, *(others.format(20 + number) for number in range(between)), last]


def is_broken(sequence: list[str], target: str) -> bool:
    """Whether our pass puts a NOP before the last member, the only place at which a NOP may be wanted."""
    kernel = insert_nops(kernel_of("\n".join(sequence), target))
    nops = [index for index, instr in enumerate(kernel.blocks[0].instructions) if Trait.NOP in instr.row.traits]
    assert nops in ([1, 2], [1, 2, len(sequence) - 1]), code_of(kernel)
    return len(nops) > 2


@pytest.mark.parametrize("kind", CLAUSES)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942:xnack+"])
def test_a_conflict_counts_as_far_back_as_the_function_says(kind: str, target: str) -> None:
    for before, most in [*((before, 4) for before in SHORT), *((before, 18) for before in LONG)]:
        for between in (1, most, most + 1, most + 2):
            assert is_broken(clause(kind, between, before), target) == (between <= most), (before, between)


def test_agpr_0_behind_the_clause_counts_too() -> None:
    assert is_broken(clause("global loads", 9, SHORT[0]), "gfx942") is False
    assert is_broken([LONG[0], *clause("global loads", 9, SHORT[0])[1:]], "gfx942")
    kernel = kernel_of("\n".join([*clause("global loads", 9, SHORT[0]), "s_nop 7", LONG[0]]), "gfx942")
    assert len(insert_nops(kernel).blocks[0].instructions) == len(kernel.blocks[0].instructions) + 1


def test_who_calls_may_touch_agpr_0() -> None:
    called = "\n".join([*clause("global loads", 9, SHORT[0]), "s_swappc_b64 s[30:31], s[34:35]"])
    assert "s_nop 0" in code_of(insert_nops(kernel_of(called, "gfx942")))


@pytest.mark.broad
@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx942:xnack+", "gfx942:xnack-", "gfx950"])
def test_llvm_breaks_the_same_clauses(target: str) -> None:
    cases = [clause(kind, between, before) for kind in CLAUSES for before in (*SHORT, *LONG) for between in (0, 1, 4, 5, 6, 18, 19, 20)]
    oracle = oracle_for(parse_target(target))
    for case, answer in zip(cases, oracle.run(cases, ("post-RA-hazard-rec",)), strict=True):
        assert not isinstance(answer, Refusal), (case, answer)
        put_in = [text for index, text in answer if index is None and text != BLOCK and not text.startswith("S_ENDPGM")]
        assert len(put_in) == is_broken(case, target), (case, put_in)
