"""What goes along the paths of a function: the accesses under way, the open hazards, the VGPRs that were
given back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from asmgen.check.certain import certain_counters
from asmgen.passes.forward import Joinable, entry_states
from asmgen.passes.waits import waitcnt
from asmgen.passes.waits.counters import Counters
from asmgen.passes.waits.hazards import Remedies
from isa.hazards import Required, RuleSet, Window
from isa.instruction import Instr, Trait
from isa.program import Block, Kernel

WAITING = frozenset({Trait.WAIT, Trait.NOP, Trait.WAIT_ALU})  # of instructions that only wait

State = TypeVar("State", bound=Joinable)
Lack = TypeVar("Lack")
Lack_co = TypeVar("Lack_co", covariant=True)
WaitLack = tuple[
    str, int, Instr
]  # the counter, the number of accesses that may stay under way, and the access waited for


class Analysis(Protocol[State, Lack_co]):
    """How a state goes through instructions. A missing wait or NOP is inserted, in the state, before it goes
    on."""

    def empty(self) -> State:
        """The state at the start of a function."""
        ...

    def step(self, state: State, instr: Instr) -> Sequence[Lack_co]:
        """Pass an instruction; the waits that it lacks."""
        ...

    def leave(self, state: State, block: Block) -> Sequence[Lack_co]:
        """Pass the end of a block; the waits that are lacking there."""
        ...

    def alike(self, first: State, second: State) -> bool:
        """Whether the instructions that follow lack the same in both states."""
        ...


class Waits:
    """Waits for counters."""

    def __init__(self, kernel: Kernel) -> None:
        self._entry = certain_counters(kernel)
        self._asks_for_loads = any(Trait.AFTER_LOADS in instr.row.traits for instr in kernel.instructions())

    def empty(self) -> Counters:
        return self._entry.copy()

    def step(self, state: Counters, instr: Instr) -> Sequence[WaitLack]:
        needs = waitcnt.meet(state, instr)
        return () if needs is None else [(name, count, producer) for name, (count, producer) in needs.items()]

    def leave(self, state: Counters, block: Block) -> Sequence[WaitLack]:
        return ()

    def alike(self, first: Counters, second: Counters) -> bool:
        return first.alike(second, self._asks_for_loads)


class _Observer(Remedies):
    """Inserts missing waits as the pass does, and notes why."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.table)
        self.noted: list[Required] = []

    def remedy(
        self, window: Window, needs: Sequence[Required], consumer: Instr | None, result: list[Instr]
    ) -> None:
        self.noted += needs
        super().remedy(window, needs, consumer, result)


class States:
    """Wait states, and waits for the ALUs."""

    def __init__(self, kernel: Kernel, rules: RuleSet) -> None:
        self._rules = rules
        self._observer = _Observer(kernel)
        self._following = {
            block.label: after.label for block, after in zip(kernel.blocks, kernel.blocks[1:], strict=False)
        }

    def empty(self) -> Window:
        return Window(self._rules)

    def step(self, state: Window, instr: Instr) -> Sequence[Required]:
        self._observer.meet(state, instr, [])
        return self._noted()

    def leave(self, state: Window, block: Block) -> Sequence[Required]:
        self._observer.leave(state, block, self._following.get(block.label, ""), [])
        return self._noted()

    def alike(self, first: Window, second: Window) -> bool:
        return first.state() == second.state()

    def _noted(self) -> Sequence[Required]:
        if not self._observer.noted:
            return ()
        noted, self._observer.noted = self._observer.noted, []
        return noted


class FixedPoint(Generic[State, Lack]):
    """An analysis at its fixed point: the state at each block's entry, and the lacks of each instruction.

    `lacks` has the lacks of a block, by its label: pairs of an instruction's position in the block and its
    lack; the position is None after the last instruction. `kept` has the state before each wait and NOP, by
    its block and its position there.
    """

    def __init__(self, kernel: Kernel, analysis: Analysis[State, Lack]) -> None:
        self.kernel = kernel
        self.analysis = analysis
        self.lacks: dict[str, list[tuple[int | None, Lack]]] = {}
        self.kept: dict[tuple[str, int], State] = {}
        self.entries = entry_states(kernel, analysis.empty(), self._pass_through)

    def _pass_through(self, block: Block, state: State) -> None:
        """Pass through a block again if its entry changes, so that its missing waits are those of the fixed
        point."""
        lacks: list[tuple[int | None, Lack]] = []
        for position, instr in enumerate(block.code):
            if instr.row.traits & WAITING:
                self.kept[block.label, position] = state.copy()
            lacks += [(position, lack) for lack in self.analysis.step(state, instr)]
        lacks += [(None, lack) for lack in self.analysis.leave(state, block)]
        self.lacks[block.label] = lacks
