"""Runs of accesses that memory serves in groups, and `s_clause` before them on targets that have it.

The scheduler puts accesses next to each other. This pass marks the resulting runs: of the same kind, to the
same buffer or at the same address of lanes, without a wait in between. After this pass nothing but s_nop may
be inserted into a run. Scalar loads read the kernel's arguments, which are in a line or two of the scalar
cache, so a clause is not worth its instruction.
"""

from __future__ import annotations

from isa.build import build
from isa.clauses import ClauseKind, broken_at, clause_addresses, clause_kind
from isa.instruction import Instr, Trait, Unit
from isa.program import Block, Kernel

_NO_RESULT = frozenset({Trait.STORE, Trait.LDS_DMA})
_LEFT_ALONE = (None, ClauseKind.SCALAR_LOAD)


def is_global_load(instr: Instr) -> bool:
    """Whether an instruction loads from global memory to registers."""
    row = instr.row
    return row.unit is Unit.VMEM and Trait.LOAD in row.traits and row.traits.isdisjoint(_NO_RESULT)


def is_lds_load(instr: Instr) -> bool:
    """Whether an instruction loads from LDS."""
    return instr.row.unit is Unit.LDS and Trait.LOAD in instr.row.traits


def form_clauses(kernel: Kernel) -> Kernel:
    """A kernel with an `s_clause` before each run of memory instructions, or the kernel itself if the target
    has no clauses. Existing clauses are replaced."""
    longest = kernel.table.target.longest_clause
    if not longest:
        return kernel
    return kernel.with_blocks([_with_clauses(kernel, block, longest) for block in kernel.blocks])


def without_broken(kernel: Kernel) -> Kernel:
    """The kernel without the clauses that something was put in between."""

    def kept(block: Block) -> list[Instr]:
        code = block.code
        return [
            instr
            for index, instr in enumerate(block.instructions)
            if Trait.CLAUSE not in instr.row.traits or broken_at(code, index) is None
        ]

    return kernel.with_blocks([block.with_instructions(kept(block)) for block in kernel.blocks])


def _with_clauses(kernel: Kernel, block: Block, longest: int) -> Block:
    result: list[Instr] = []
    run: list[Instr] = []
    row = kernel.table.row("s_clause")

    def close() -> None:
        last = run.index(_last_member(run)) if run else 0
        if last:
            result.append(build(row, last, origin=run[0].origin))
        result.extend(run)
        run.clear()

    for instr in block.instructions:
        if Trait.CLAUSE in instr.row.traits:
            continue
        is_nop = Trait.NOP in instr.row.traits
        if run and (len(run) == longest or not (is_nop or _is_with(_last_member(run), instr))):
            close()
        if run or clause_kind(instr) not in _LEFT_ALONE:
            run.append(instr)
        else:
            result.append(instr)
    close()
    return block.with_instructions(result)


def _last_member(run: list[Instr]) -> Instr:
    """The last instruction of a run that is no NOP."""
    return next(instr for instr in reversed(run) if Trait.NOP not in instr.row.traits)


def _is_with(before: Instr, instr: Instr) -> bool:
    """Whether an instruction may follow another in a clause. The same address of lanes in two buffers counts
    as the same place, as in LLVM."""
    is_alike = clause_kind(instr) is clause_kind(before)
    return is_alike and not clause_addresses(instr).isdisjoint(clause_addresses(before))
