"""What a function lacks and what it could do without, by the analyses that the compiler's own passes run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asmgen.check.listing import Function
from asmgen.check.mistakes import gives_back, mistakes_in
from asmgen.passes import waitcnt
from asmgen.passes.counters import Counters
from asmgen.passes.forward import entry_states
from asmgen.passes.hazards import Remedies
from isa.hazards import Required, Window, rules_for
from isa.instruction import Instr, Label, Trait
from isa.program import Block, Kernel
from isa.targets import TargetId
from isa.text import format_instr
from isa.waits import waits_for

WAITING = frozenset({Trait.WAIT, Trait.NOP, Trait.WAIT_ALU})
# Rows before which a wait may order memory for others, which registers do not show.
_ORDERED = frozenset({Trait.BARRIER, Trait.SIGNAL, Trait.CACHE, Trait.ATOMIC, Trait.STORE, Trait.SIDE_EFFECT})
_WORK = 4_000_000  # instructions to look at again, one wait or NOP after the other taken away


@dataclass(frozen=True, slots=True)
class Missing:
    """What should stand before instruction `index` (behind it, with `behind`), and what makes it necessary."""

    index: int
    code: str
    text: str
    rule: str
    producer: Instr
    behind: bool = False


def missing_in(function: Function, target: TargetId) -> list[Missing]:
    """The waits and wait states that a function lacks, in the order of its instructions."""
    kernel = function.kernel(target)
    found = [*_missing_waits(function, kernel), *_missing_states(function, kernel, target)]
    return sorted(found, key=lambda missing: (missing.index, missing.code))


def _missing_waits(function: Function, kernel: Kernel) -> list[Missing]:
    def pass_through(block: Block, counters: Counters) -> None:
        for instr in block.code:
            _ = waitcnt.meet(counters, instr)

    states = entry_states(kernel, Counters(kernel.table.target), pass_through)
    position = _positions(function)
    found: list[Missing] = []
    for block in kernel.blocks:
        counters = states[block.label]
        for instr in block.code:
            for name, (count, producer) in (waitcnt.meet(counters, instr) or {}).items():
                wanted = "; ".join(format_instr(wait.instr) for wait in waits_for(kernel.table, {name: count}))
                rule = f"{name} counts what {producer.row.mnemonic} has under way, and this {_wants(instr)}"
                found.append(Missing(position[id(instr)], "CHK001", wanted, rule, producer))
    return found


def _wants(instr: Instr) -> str:
    """Why an instruction has to wait."""
    if Trait.SIGNAL in instr.row.traits:
        return "tells other waves that it is done"
    return "is to come after the loads" if Trait.AFTER_LOADS in instr.row.traits else "touches it"


class _Observer(Remedies):
    """Puts in what is missing as the pass does, and notes why."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.table)
        self.noted: list[tuple[Instr | None, Required]] = []

    def remedy(self, window: Window, needs: Sequence[Required], consumer: Instr | None, result: list[Instr]) -> None:
        self.noted += [(consumer, needed) for needed in needs]
        super().remedy(window, needs, consumer, result)


def _missing_states(function: Function, kernel: Kernel, target: TargetId) -> list[Missing]:
    observer = _Observer(kernel)
    following = {block.label: after.label for block, after in zip(kernel.blocks, kernel.blocks[1:], strict=False)}

    def pass_through(block: Block, window: Window) -> None:
        _ = observer.put_in(block, window, following.get(block.label, ""))

    states = entry_states(kernel, Window(rules_for(target, function.instructions)), pass_through)
    position = _positions(function)
    found: list[Missing] = []
    for block, (_, end) in zip(kernel.blocks, function.block_ranges(), strict=True):
        observer.noted.clear()
        pass_through(block, states[block.label])
        for consumer, needed in observer.noted:
            index = end - 1 if consumer is None else position[id(consumer)]
            rule = f"{needed.rule.name} ({needed.rule.source})"
            found.append(Missing(index, "CHK002", needed.text, rule, needed.producer, consumer is None))
    return found


def _positions(function: Function) -> dict[int, int]:
    return {id(instr): index for index, instr in enumerate(function.instructions)}


def waiting(instr: Instr) -> bool:
    """Whether an instruction only waits."""
    return bool(instr.row.traits & WAITING)


def has_to_stay(function: Function, index: int) -> bool:
    """Whether a wait stands where it may order memory for others: before a barrier, cache control, an atomic, a store, a message
    or a jump away, behind cache control, or where a function begins. Before a jump away it may be for whoever is there. A NOP
    stays before the message that gives the VGPRs back."""
    traits = function.instructions[index].row.traits
    code = function.instructions
    behind = next((code[i] for i in range(index + 1, len(code)) if not _passes_time(code[i])), None)
    if not traits & {Trait.WAIT, Trait.WAIT_ALU}:
        return behind is not None and gives_back(behind)
    before = next((code[i] for i in range(index - 1, -1, -1) if not _passes_time(code[i])), None)
    if behind is None or _jumps_away(behind):
        return True
    if Trait.WAIT_ALU in traits:
        return False
    return before is None or Trait.CACHE in before.row.traits or (bool(behind.row.traits & _ORDERED) and Trait.END not in behind.row.traits)


def _jumps_away(instr: Instr) -> bool:
    """To where a register says: a call, or back to the caller."""
    return Trait.BRANCH in instr.row.traits and not isinstance(instr.operands[-1], Label)


def _passes_time(instr: Instr) -> bool:
    return waiting(instr) or Trait.DELAY in instr.row.traits


def wasted_in(function: Function, target: TargetId) -> list[int] | None:
    """The waits and NOPs without which the function, taken one at a time, lacks nothing more than it does; those left out that
    have to stay. None where the function is too long to look at it again for each of them."""
    candidates = [i for i, instr in enumerate(function.instructions) if waiting(instr) and not has_to_stay(function, i)]
    if len(candidates) * len(function.instructions) > _WORK:
        return None
    lacking = _lacking(function, target)
    return [i for i in candidates if _lacking(function.without(frozenset({i})), target) <= lacking]


def _lacking(function: Function, target: TargetId) -> int:
    return len(missing_in(function, target)) + len(mistakes_in(function, target))
