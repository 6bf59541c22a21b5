"""Hazards: the remedy of a rule before each instruction that would meet the hazard, and no longer than the
rule asks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asmgen.passes.forward import rewritten
from isa.diagnostics import InternalError
from isa.hazards import Remedy, Required, Window, rules_for, states_of
from isa.hazards.alu import wait_for, waits
from isa.instruction import Immediate, Instr, Label, Origin, Trait
from isa.program import Block, Kernel
from isa.registers import Register, register_name
from isa.table import Table

LONGEST_NOP = 16  # CDNA3 ISA, S_NOP: the low four bits count 1 to 16 states


def insert_nops(kernel: Kernel, entry: Window | None = None) -> Kernel:
    """A kernel that keeps every rule of `isa.hazards`, along all linear paths and around loops.

    `entry` is the window at the kernel's entry; without it no hazard is open there.

    Runs after the last pass that moves or removes instructions. Existing NOPs and waits count, and so does
    the jump that the emitter adds if the next block is not the successor. The pass finds nothing to do on its
    own output.
    """
    remedies = Remedies(kernel.table)
    window = window_of(kernel, remedies) if entry is None else entry
    following = {
        block.label: after.label for block, after in zip(kernel.blocks, kernel.blocks[1:], strict=False)
    }

    def pass_through(block: Block, window: Window) -> list[Instr]:
        return remedies.put_in(block, window, following.get(block.label, ""))

    return kernel.with_blocks(rewritten(kernel, window, pass_through))


def window_of(kernel: Kernel, remedies: Remedies) -> Window:
    """No hazard open yet; it follows those that an instruction of the kernel may meet."""
    return Window(rules_for(kernel.target, [*kernel.instructions(), remedies.jump]))


class Remedies:
    """The instructions of a target that keep rules."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.nop = table.row("s_nop")
        self.jump = Instr(table.row("s_branch"), (Label(""),))

    def put_in(self, block: Block, window: Window, following: str) -> list[Instr]:
        """A block's instructions, without the terminator, with the remedies they need. `window` is advanced
        to the end of the block."""
        result: list[Instr] = []
        for instr in block.code:
            self.meet(window, instr, result)
            if instr is not block.terminator:
                result.append(instr)
        self.leave(window, block, following, result)
        return result

    def leave(self, window: Window, block: Block, following: str, result: list[Instr]) -> None:
        """Advance past the last instruction of a block, and add the remedies needed there to `result`.
        `following` is the label of the next block in the layout."""
        if block.terminator is None:
            self.remedy(window, window.pressing(), None, result)
            if block.linear and block.linear[0].target != following:
                window.issue(self.jump)

    def meet(self, window: Window, instr: Instr, result: list[Instr]) -> None:
        """Let `instr` issue after the remedies it needs, which are added to `result`."""
        self.give(window, window.needs(instr), instr, result)

    def give(self, window: Window, needs: list[Required], instr: Instr, result: list[Instr]) -> None:
        """Like `meet`, for known needs."""
        pressing = window.pressing() if window.rules.early else []
        if pressing:
            standing = {needed.rule.remedy for needed in needs} | {
                remedy for remedy in Remedy if remedy.alu_wait in waits(instr)
            }
            needs = [*needs, *(needed for needed in pressing if needed.rule.remedy not in standing)]
        if needs:
            self.remedy(window, needs, instr, result)
        window.issue(instr)

    def remedy(
        self, window: Window, needs: Sequence[Required], consumer: Instr | None, result: list[Instr]
    ) -> None:
        """Add remedies, waits first, since later remedies may read registers that are waited for."""
        waited = [needed for needed in needs if needed.rule.remedy.alu_wait is not None]
        if waited:
            self._wait(window, waited, result)
        for needed in needs:
            if needed.rule.remedy is Remedy.STATES:
                self._states(window, needed, consumer, result)
            elif needed.rule.remedy is Remedy.VECTOR_NOP:
                self._put(window, Instr(self.table.row("v_nop"), ()), needed, result)
            elif needed.rule.remedy is Remedy.MOVE:
                self._put(window, self._move(consumer, needed), needed, result)

    def _move(self, consumer: Instr | None, needed: Required) -> Instr:
        """The first source of the consumer, which is live and in a VGPR, moved to itself: v_nop would be
        discarded."""
        source = (
            next((o for i in consumer.row.uses if isinstance(o := consumer.operands[i], Register)), None)
            if consumer is not None
            else None
        )
        if source is None:
            raise InternalError("hazards", needed.rule.name, "there is no register to move")
        return Instr(self.table.row("v_mov_b32_e32"), (source.part(0), source.part(0)))

    def _put(self, window: Window, instr: Instr, needed: Required, result: list[Instr]) -> None:
        window.issue(instr)
        result.append(replace(instr, comment=_purpose(needed)))

    def _wait(self, window: Window, needs: Sequence[Required], result: list[Instr]) -> None:
        """A wait for all fields, merged with a wait directly before it."""
        before = result.pop() if result and Trait.WAIT_ALU in result[-1].row.traits else None
        fields = [wait for needed in needs if (wait := needed.rule.remedy.alu_wait) is not None]
        wait = wait_for(self.table.row("s_waitcnt_depctr"), fields, before)
        window.issue(wait)
        purposes = [_purpose(needed) for needed in needs]
        comment = "; ".join(
            [before.comment, *purposes] if before is not None and before.comment else purposes
        )
        result.append(replace(wait, comment=comment))

    def _states(self, window: Window, needed: Required, consumer: Instr | None, result: list[Instr]) -> None:
        """`s_nop` instructions; an `s_nop` directly before is lengthened."""
        comment, states = _purpose(needed), needed.states
        for nop in self._nops(states, "", None):
            window.issue(nop)
        if result and result[-1].row is self.nop:
            before = result.pop()
            states += states_of(before)
            comment = f"{before.comment}; {comment}" if before.comment else comment
        result += self._nops(states, comment, consumer.origin if consumer is not None else None)

    def _nops(self, states: int, comment: str, origin: Origin | None) -> list[Instr]:
        """The fewest `s_nop`s for so many states."""
        counts = [LONGEST_NOP] * (states // LONGEST_NOP) + [states % LONGEST_NOP] * (states % LONGEST_NOP > 0)
        return [Instr(self.nop, (Immediate(count - 1),), origin=origin, comment=comment) for count in counts]


def _purpose(needed: Required) -> str:
    return f"{needed.rule.name}: {register_name(needed.register)} of {needed.producer.row.mnemonic}"
