"""Common subexpressions: an instruction that repeats a dominating instruction becomes a copy of its
result."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cache

from asmgen.passes.dead import is_removable
from asmgen.passes.ssa import Rewriter, Site, is_copy
from isa.instruction import ExecMode, Instr, ModifierValue, Operand, Row, Trait
from isa.lane_masks import writes_exec
from isa.moves import find_move
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, FIRST_VIRTUAL, SCC, Register, RegisterClass
from regalloc.flags import reads_scc, scc_awaited_at_ends, scc_sources

_Key = tuple[Row, tuple[Operand, ...], tuple[tuple[str, ModifierValue], ...], bool]


class Shared(NamedTuple):
    """An instruction that became a copy of `register`, the result of the instruction at `earlier`."""

    site: Site
    instr: Instr
    earlier: Site
    register: Register


def share_common(
    rewriter: Rewriter, scc_reads: frozenset[Site], rows: Container[Row] | None = None
) -> list[Shared]:
    """Replace repeated computations by copies: those of some rows, or all. The copies are propagated and die
    later. Returns the replaced computations.

    Computations on a copy that was made here are those on its source, so that a whole chain is shared at
    once.
    """
    shared: list[Shared] = []
    copied: dict[Operand, Register] = {}
    seen: dict[tuple[_Key, _Key | None], list[tuple[Site, Register]]] = {}
    masks = _ExecStates(rewriter)
    for site, instr in rewriter.sites():
        if rows is not None and instr.row not in rows:
            continue
        is_carried = reads_scc(instr) and _is_pure_with_scc(instr.row)
        result = only_result(instr) if is_carried or is_pure(instr) else None
        if result is None or not reads_values(instr, rewriter):
            continue
        if is_copy(instr) and rewriter.is_part(result):
            continue  # a part of a tuple has to be moved there whatever it is
        carry = _scc_before(site, rewriter, copied) if is_carried else None
        if is_carried and carry is None:
            continue
        known = seen.setdefault((_key(instr, copied), carry), [])
        for earlier, register in known:
            if register.count == result.count and _reaches(earlier, site, instr, masks, rewriter):
                if site not in scc_reads and _copy(rewriter, site, instr, result, register):
                    shared.append(Shared(site, instr, earlier, register))
                    copied[result] = register
                break
        else:
            known.append((site, result))
    return shared


def _key(instr: Instr, copied: Mapping[Operand, Register]) -> _Key:
    """The CSE key: instructions with equal keys, and one result at most, compute the same result and the
    same SCC. `copied` has the sources of copies."""
    operands = instr.operands
    for place in instr.row.defines:
        operands = operands[:place] + operands[place + 1 :]
    if copied:
        operands = tuple([copied.get(operand, operand) for operand in operands])
    if (
        Trait.COMMUTES in instr.row.traits
        and not instr.modifiers
        and len(operands) == 2
        and operands[0] != operands[1]
    ):
        first, second = operands
        if (isinstance(first, Register), first) > (isinstance(second, Register), second):
            operands = (second, first)
    return instr.row, operands, instr.modifiers, instr.contract


def _scc_before(site: Site, rewriter: Rewriter, copied: Mapping[Operand, Register]) -> _Key | None:
    """The key of the instruction that computes the SCC which the instruction at `site` reads; None if its
    block has none before it, or if the SCC depends on more than values."""
    before = reversed(rewriter.code[site.block][: site.position])
    writer = next((instr for instr in before if instr.units.writes_scc), None)
    if writer is None or not is_pure(writer) or len(writer.row.defines) > 1:
        return None
    return _key(writer, copied) if reads_values(writer, rewriter) else None


def only_result(instr: Instr) -> Register | None:
    """The virtual register that an instruction spells as its only result; None if it has no result or
    several."""
    defines = instr.row.defines
    if len(defines) != 1:
        return None
    result = instr.operands[defines[0]]
    return result if isinstance(result, Register) and result.first >= FIRST_VIRTUAL else None


def is_pure(instr: Instr) -> bool:
    """Whether the result depends on nothing but virtual registers and constants, and, lane by lane, not on
    EXEC."""
    return _is_pure(instr.row)


@cache
def _is_pure(row: Row) -> bool:
    return SCC not in row.reads and _is_pure_with_scc(row)


@cache
def _is_pure_with_scc(row: Row) -> bool:
    """Whether the result depends on values and on no state but SCC."""
    if row.events or row.ties or Trait.CROSS_LANE in row.traits or not is_removable(row):
        return False
    if row.exec_mode not in (ExecMode.SCALAR, ExecMode.MASKED):
        return False
    if any(register not in (EXEC, SCC) for register in row.reads):
        return False
    return not (row.exec_mode is ExecMode.SCALAR and EXEC in row.reads)


def reads_values(instr: Instr, rewriter: Rewriter) -> bool:
    """Whether every register read is a value of the program: virtual, or filled before the first instruction
    for good."""
    for i in instr.row.uses:
        operand = instr.operands[i]
        if not isinstance(operand, Register) or operand.first >= FIRST_VIRTUAL:
            continue
        if not rewriter.is_entry_value(operand):
            return False
    return True


class _ExecState(NamedTuple):
    """EXEC at an instruction, within its block: how often it was written, and whether only ever given
    back."""

    writes: int
    is_restored: bool


class _ExecStates:
    """The state of EXEC at every instruction of a block, computed on demand."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._code = rewriter.code
        self._found: dict[int, list[_ExecState]] = {}

    def at(self, site: Site) -> _ExecState:
        states = self._found.get(site.block)
        if states is None:
            states = self._found[site.block] = self._of(self._code[site.block])
        return states[site.position]

    @staticmethod
    def _of(code: Sequence[Instr]) -> list[_ExecState]:
        state, states = _ExecState(0, True), list[_ExecState]()
        for instr in code:
            states.append(state)
            if writes_exec(instr):
                gives_back = is_copy(instr) and isinstance(instr.operands[1], Register)
                state = _ExecState(state.writes + 1, state.is_restored and gives_back)
        return states


def _reaches(earlier: Site, later: Site, instr: Instr, masks: _ExecStates, rewriter: Rewriter) -> bool:
    """Whether `earlier` always precedes `later`, in every lane, and its operands still have the values that
    `later` would read.

    Lanes of a block have passed through every block that dominates it, unless EXEC is widened past them, or
    was narrowed within the earlier block. A lane mask has zeros outside of EXEC, so it belongs to a single
    EXEC.
    """
    is_vector = instr.row.exec_mode is ExecMode.MASKED
    before, after = masks.at(earlier), masks.at(later)
    if earlier.block == later.block:
        return not is_vector or before == after
    if is_vector and (before.writes or not after.is_restored or _is_scalar(instr, rewriter)):
        return False
    flow = rewriter.flow
    graph = flow.linear if instr.row.exec_mode is ExecMode.SCALAR else flow.logical
    if later.block not in graph.reachable or not graph.dominates(earlier.block, later.block):
        return False
    uses = [operand for i in instr.row.uses if isinstance(operand := instr.operands[i], Register)]
    return all(rewriter.may_read(use, instr.row, later.block) for use in uses)


def _is_scalar(instr: Instr, rewriter: Rewriter) -> bool:
    result = only_result(instr)
    return result is not None and rewriter.kernel.register_class(result) is RegisterClass.SGPR


def _copy(rewriter: Rewriter, site: Site, instr: Instr, result: Register, source: Register) -> bool:
    """Replace an instruction by a copy, if a copy exists. Returns whether it did."""
    move = find_move(rewriter.table, rewriter.kernel.register_class(result), result.count)
    if move is None or (is_copy(instr) and instr.operands[1] == source):
        return False
    legal = rewriter.is_legal(move, (result, source))
    if legal:
        rewriter.replace(site, Instr(move, (result, source), (), instr.origin, False, instr.comment))
    return legal


def scc_awaited(rewriter: Rewriter) -> frozenset[Site]:
    """The sites that write an SCC that is read, in a kernel without replaced instructions."""
    ends = scc_awaited_at_ends(rewriter.kernel)
    return frozenset(
        [
            Site(number, position)
            for number, code in enumerate(rewriter.code)
            for position in scc_sources(code, ends[number]).values()
        ]
    )
