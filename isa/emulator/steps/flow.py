"""Control flow: the effect of operations that end a block on the waves. Branches and calls move them;
barriers and the end of the program stop them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.operands.operands import PLAIN_BITS, scalar_reader, scalar_value, scalar_writer
from isa.emulator.program.code import Code, Jump, Operation, ends_block
from isa.emulator.program.reports import fault_at, place_of, refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.turns import Turns
from isa.emulator.state.waves import Waves
from isa.emulator.steps.barrier_steps import WORKGROUP, barrier_number
from isa.emulator.steps.plan import semantics_of
from isa.instruction import Immediate, Instr, Label, Trait
from isa.lane_masks import lane_masks
from isa.registers import Register
from isa.semantics.control import Branch, Control

_HOLDING = frozenset({Trait.END, Trait.BARRIER})
_CALLS = (Control.SET_PC, Control.SWAP_PC, Control.CALL)

Leave = Callable[
    [Waves, Turns], int
]  # the group's common next counter, or -1 if `Turns` has a counter for each wave


class Flow:
    """The control flow of a program on a register layout."""

    def __init__(self, code: Code, layout: RegisterLayout) -> None:
        self._code = code
        self._layout = layout
        self._arrivals: dict[int, int] = {}  # the operations at addresses that calls and returns went to

    def leave(self, index: int) -> Leave:
        """The effect of the control operation at `index`; if it is another operation, the waves go on to
        it."""
        operation = self._code.operations[index]
        if isinstance(operation, Jump):
            return _always(self._code.labels[operation.label])
        if not isinstance(operation, Instr) or not leaves(operation):
            return _always(index)
        if not ends_block(operation):
            return partial(self._stop, operation, index)
        meaning = semantics_of(operation)
        if isinstance(meaning, Branch):
            return self._branch(operation, meaning, index)
        if meaning in _CALLS:
            return partial(self._call, operation, index)
        return partial(self._halt, operation, meaning, index)

    def _stop(self, instr: Instr, index: int, w: Waves, turns: Turns) -> int:
        message = f"the program stops itself, by {instr.row.mnemonic}"
        raise fault_at(self._code, index, "EMU019", message, "--trace - shows the way to this instruction")

    def _halt(self, instr: Instr, meaning: Any, index: int, w: Waves, turns: Turns) -> int:
        """The end of the program, or a barrier."""
        if meaning is Control.END:
            turns.ended[w.indexes] = True
            w.barrier.settle()
        elif meaning is Control.BARRIER:
            turns.waiting[w.indexes] = True
            turns.counters[w.indexes] = index + 1
        elif meaning is Control.AWAIT:
            if barrier_number(instr, self._layout) != WORKGROUP or w.per_group == 1:
                return index + 1
            self._await(w, w.indexes, index, turns)
        else:
            raise refusal(instr, "it is not modelled by the emulator")
        return -1

    def _await(self, w: Waves, group: NDArray[np.intp], index: int, turns: Turns) -> None:
        """The second half of a split barrier."""
        if not w.barrier.may_wait(group):
            message = "a wave waits at a barrier at which it has not signalled its arrival"
            raise fault_at(self._code, index, "EMU015", message, "put s_barrier_signal before it")
        turns.counters[group] = index + 1
        turns.waiting[group[~w.barrier.pass_opened(group)]] = True

    def _branch(self, instr: Instr, branch: Branch, index: int) -> Leave:
        target = instr.operands[0]
        if not isinstance(target, Label):
            raise InputError(place_of(instr), "EMU013", f"{instr.row.mnemonic} got {target}, wanted a label")
        there = self._labelled(instr, target)
        if branch.register is None:
            return _always(there)
        register = branch.register.part(0, min(branch.register.count, lane_masks(self._layout.lanes).units))
        read = scalar_value(register, PLAIN_BITS[register.count], self._layout)
        nonzero = branch.nonzero

        def leave(w: Waves, turns: Turns) -> int:
            value = read(w)
            if w.width == 1:
                return there if bool(value) is nonzero else index + 1
            taken = np.count_nonzero(value)
            if 0 < taken < w.width:
                turns.counters[w.indexes] = np.where((value != 0) == nonzero, there, index + 1)
                return -1
            return there if bool(taken) is nonzero else index + 1

        return leave

    def _call(self, instr: Instr, index: int, w: Waves, turns: Turns) -> int:
        """s_setpc, s_swappc, s_call: go to an address or a label; a destination gets the return address."""
        goal = instr.operands[-1]
        if isinstance(goal, Label):
            targets = np.array([self._labelled(instr, goal)])
        else:
            assert isinstance(goal, Register)
            addresses, back = np.unique(scalar_reader(goal, "u64", self._layout)(w), return_inverse=True)
            targets = np.array([self._arrival(instr, index, int(address)) for address in addresses])[back]
        for define in instr.row.defines:
            result = instr.operands[define]
            assert isinstance(result, Register)
            scalar_writer(result, self._layout)(w, np.full(w.width, self._code.following(index), np.uint64))
        if (targets == targets[0]).all():
            return int(targets[0])
        turns.counters[w.indexes] = targets
        return -1

    def _labelled(self, instr: Instr, label: Label) -> int:
        if label.name not in self._code.labels:
            raise InputError(
                place_of(instr),
                "EMU014",
                f"{instr.row.mnemonic} goes to {label.name}, wanted a label of this kernel",
            )
        return self._code.labels[label.name]

    def _arrival(self, instr: Instr, index: int, address: int) -> int:
        goal = self._arrivals.get(address)
        if goal is None:
            goal = self._code.index_at(address)
            if goal is None:
                for function in self._code.unread:
                    if function.start <= address < function.end:
                        raise function.error
                message = (
                    f"{instr.row.mnemonic} goes to {address:#x}, which is not the start of an instruction of "
                    f"{self._code.name} or its functions begins"
                )
                help = "check the registers that the address comes from: --trace - shows them"
                raise fault_at(self._code, index, "EMU017", message, help)
            self._arrivals[address] = goal
        return goal


def _always(index: int) -> Leave:
    return lambda w, turns: index


def holds(operation: Operation) -> bool:
    """Whether waves may stay here: at a barrier, or because the program ends."""
    return isinstance(operation, Instr) and not _HOLDING.isdisjoint(operation.row.traits)


def leaves(operation: Operation) -> bool:
    """Whether what follows an operation in the code may not be what runs next."""
    if ends_block(operation) or not isinstance(operation, Instr):
        return ends_block(operation)
    meaning = semantics_of(operation)
    first = operation.operands[0] if operation.operands else None
    return meaning is Control.TRAP or (
        meaning is Control.HALT and isinstance(first, Immediate) and bool(first.bits & 1)
    )
