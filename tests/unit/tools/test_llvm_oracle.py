"""LLVM's answers for short sequences."""

from __future__ import annotations

import pytest

from tools.llvm_hazards.oracle import Oracle
from tools.llvm_hazards.translate import Refusal


@pytest.mark.needs_llvm("llc-22", "llvm-mc-22")
def test_a_sequence_on_which_llvm_crashes_is_refused_and_others_are_answered() -> None:
    """LLVM 22 reads a memory operand of ds_permute_b32 that its form with AGPRs lacks."""
    crash, other = ["ds_permute_b32 a3, v0, a3"], ["s_mov_b32 s0, 1"]
    refused, answered = Oracle("gfx90a").run([crash, other], ("post-RA-hazard-rec",))
    assert isinstance(refused, Refusal) and "crash" in str(refused)
    assert not isinstance(answered, Refusal) and [index for index, _ in answered if index is not None] == [0]
