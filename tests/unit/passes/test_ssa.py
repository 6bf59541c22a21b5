"""How often registers are read, by instructions and as arguments of edges."""

from __future__ import annotations

from asmgen.passes.ssa import Rewriter
from isa.registers import RegisterClass
from tests.unit.regalloc.programs import machine

PROGRAM = """
register %once vgpr
register %twice vgpr
register %never vgpr
register %p vgpr
register %q vgpr
block entry
  v_mov_b32_e32 %once, 1
  v_mov_b32_e32 %twice, 2
  v_mov_b32_e32 %never, %twice
  linear next
  logical next(%once, %twice)
block next vector(%p, %q)
  terminator s_endpgm
"""


def test_arguments_of_edges_are_reads() -> None:
    kernel = machine(PROGRAM)
    rewriter = Rewriter(kernel)
    owners = {owner.name.removeprefix("%"): owner.register for owner in kernel.owners if owner.register_class is RegisterClass.VGPR}
    reads = {name: rewriter.use_counts.get(register.first, 0) for name, register in owners.items()}
    assert reads == {"once": 1, "twice": 2, "never": 0, "p": 0, "q": 0}
    assert [name for name, register in owners.items() if rewriter.is_used_once(register)] == ["once"]
