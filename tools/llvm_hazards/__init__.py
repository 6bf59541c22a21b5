"""LLVM as the judge of waits and wait states: the instructions that its own passes insert into assembly.

printf 'v_mov_b32 v0, v1\\nv_readfirstlane_b32 s0, v0\\n' | python -m tools.llvm_hazards gfx942
Oracle("gfx942", "-xnack").run([["v_mov_b32 v0, v1", "v_readfirstlane_b32 s0, v0"], ...], passes)
"""

from __future__ import annotations

from tools.llvm_hazards.oracle import Answer, Oracle, Refusal

__all__ = ["Answer", "Oracle", "Refusal"]
