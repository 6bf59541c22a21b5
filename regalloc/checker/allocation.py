"""Proof that an allocation keeps the meaning of a kernel, independent of the allocator.

The checker walks the original and the rewritten program side by side. For every physical unit it follows the
set of values that the unit certainly contains along the edges to a fixed point (the idea is regalloc2's
symbolic checker). A value is a virtual unit, a physical unit of the original program, which has to be in that
very register, or a constant. An operand of the rewritten program must contain the value that the original
reads there. The checker uses nothing of the allocator but the places of block parameters and the mark on
inserted copies, and it follows the copies by their effect.

Values of lanes flow along logical edges, values of the wave along linear edges. While a lane waits at a
logical edge the wave may run other blocks; a write there that ignores EXEC destroys the lane's value in that
register. The result of such a write is also present in lanes that are off. The result of a copy under EXEC is
not, and a reader that ignores EXEC needs its operand in every lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isa.diagnostics import InternalError
from isa.instruction import ExecMode, Immediate, Instr, Operand, Trait
from isa.program import Edge, Kernel
from isa.registers import EXEC, FIRST_VGPR, FIRST_VIRTUAL, Register
from regalloc.allocation import Allocation
from regalloc.cfg import build_control_flow
from regalloc.checker.lanes import changes_exec, is_vector, lane_values, parked_writes
from regalloc.checker.operands import operand_fault
from regalloc.checker.pairs import STAGE, Pair, pair_programs, physical_units
from regalloc.checker.values import IN_ALL_LANES, Effects, State, Values, constant, effects_of, is_full, meet
from regalloc.dataflow import Worklist

_NOTHING: Values = frozenset()  # the contents of an unknown register


def check(kernel: Kernel, allocation: Allocation, rewritten: Kernel) -> None:
    """Prove `rewritten` against `kernel`. Raises InternalError at the first operand that may contain another
    value."""
    _Checker(kernel, allocation, rewritten).run()


class _Checker:
    def __init__(self, kernel: Kernel, allocation: Allocation, rewritten: Kernel) -> None:
        self.kernel = kernel
        self.target = kernel.target
        self.wave_size = kernel.target.target.wave_size
        self.exchange = kernel.table.find("v_swap_b32")
        self.units = allocation.units
        # VGPRs with scalars in their lanes belong to the wave, like SGPRs, regardless of EXEC
        self.of_wave = {unit for register in kernel.spill_lanes for unit in register.units}
        self.reserved = allocation.reserved
        self.usable = allocation.usable
        self.usable_for_copies = frozenset[int]().union(*self.usable.values())
        self.flow = build_control_flow(kernel)
        self.pairs = pair_programs(kernel, self.units, rewritten)
        self.effects: list[list[Effects]] = [[] for _ in self.pairs]
        parts_lanes = changes_exec(kernel)
        self.lanes = lane_values(kernel, self.flow) if parts_lanes or not kernel.fills_waves else set[int]()
        self.present = physical_units(kernel, rewritten) | set(self.units.values())
        self.copied: set[int] = set()  # values that copies may have taken to a second register
        self.parked = parked_writes(kernel, rewritten, self.flow) if parts_lanes else {}
        self.mixed: set[int] = set()  # vector registers that copies have put scalar values into
        self.label = ""
        self.current: Instr | None = None

    def _fail(self, message: str) -> InternalError:
        where = self.current.row.mnemonic if self.current is not None else "copies at the end"
        return InternalError(STAGE, f"{self.kernel.name}:{self.label}: {where}", message)

    def run(self) -> None:
        """Walk the blocks until no state changes; every operand is judged on the way, so the last walk judges
        all.

        The state of a block that has not been walked is None, and promises everything.
        """
        graph = self.flow.linear
        leaving: list[State | None] = [None] * len(self.pairs)
        entering: list[State | None] = [None] * len(self.pairs)
        waiting = Worklist(graph.order)
        for block in waiting:
            state = self._enter(block, leaving)
            if state == entering[block]:
                continue
            entering[block] = state
            left = self._walk(block, dict(state))
            if left != leaving[block]:
                leaving[block] = left
                waiting.add((*graph.successors[block], *self.flow.logical.successors[block]))

    def _enter(self, block: int, leaving: Sequence[State | None]) -> State:
        """The contents of every register at the start of a block: scalars from linear predecessors, vectors
        from logical predecessors."""
        state: State = {}
        for graph, vector in ((self.flow.linear, False), (self.flow.logical, True)):
            arriving: State | None = None
            if block == 0:
                arriving = {
                    unit: frozenset((unit, unit + IN_ALL_LANES) if unit in self.of_wave else (unit,))
                    for unit in self.present
                    if self._is_of_lanes(unit) is vector
                }
            for before in graph.predecessors[block]:
                left = leaving[before]
                if left is not None:
                    passed = self._pass_edge(left, before, block, vector)
                    arriving = passed if arriving is None else meet(arriving, passed)
            state.update(arriving or {})
        return state

    def _is_of_lanes(self, unit: int) -> bool:
        """Whether the contents of a register flow along logical edges."""
        return unit >= FIRST_VGPR and unit not in self.of_wave

    def _pass_edge(self, left: State, before: int, block: int, vector: bool) -> State:
        """The state of a file after an edge: parameters take the values of their arguments."""
        source, target = self.kernel.blocks[before], self.kernel.blocks[block]
        of_wave = self.of_wave
        state = {
            unit: values
            for unit, values in left.items()
            if (unit >= FIRST_VGPR and unit not in of_wave) is vector  # as `_is_of_lanes`, of every register
        }
        if vector:
            for unit in self.parked.get((before, block), ()):
                state.pop(unit, None)
        parameters = target.vector_parameters if vector else target.scalar_parameters
        edges = [
            edge for edge in (source.logical if vector else source.linear) if edge.target == target.label
        ]
        bound = self._bind(state, parameters, edges[0]) if parameters else state
        for edge in edges[1:]:
            bound = meet(bound, self._bind(state, parameters, edge))
        for unit in self.mixed & bound.keys() if vector else ():
            bound[unit] = frozenset(value for value in bound[unit] if self._lives_with_lanes(value))
        return bound

    def _lives_with_lanes(self, value: int) -> bool:
        """Whether a value is a lane's own: the wave may compute a scalar anew while the lane waits."""
        unit = value & (IN_ALL_LANES - 1)
        return value < 0 or is_vector(self.kernel, unit)

    def _bind(self, state: State, parameters: tuple[Register, ...], edge: Edge) -> State:
        if len(parameters) != len(edge.arguments):
            counts = f"{len(edge.arguments)} arguments for {len(parameters)} parameters"
            raise InternalError(STAGE, f"{self.kernel.name}: edge to {edge.target}", counts)
        bound: dict[int, int] = {}
        for parameter, argument in zip(parameters, edge.arguments, strict=True):
            for k, unit in enumerate(parameter.units):
                bound[unit] = constant(argument, k) if isinstance(argument, Immediate) else argument.first + k
        stale = {*bound, *(unit + IN_ALL_LANES for unit in bound)}
        after = {unit: values - stale for unit, values in state.items()}
        for unit, value in bound.items():
            place = self.units[unit]
            held = state.get(place, frozenset())
            if value in held:
                after[place] = after[place] | {unit}
                if value not in self.lanes or value + IN_ALL_LANES in held:
                    after[place] = after[place] | {unit + IN_ALL_LANES}
        return after

    def _walk(self, number: int, state: State) -> State:
        pair, effects = self.pairs[number], self.effects[number]
        is_first = not effects
        self.label = pair.original.label
        named: set[int] = set()
        for index, step in enumerate(pair.steps):
            original, rewritten = step.original, step.rewritten
            self.current = original
            if step.copies and rewritten is None:
                named.update(self._vanished_before(pair, index, state))
            for copy in step.copies:
                self._copy(copy, state)
            if is_first:
                effects.append(effects_of(original, rewritten))
            if rewritten is not None:
                self._reads(effects[index], state)
                if is_first:
                    self._judge(original, rewritten)
                self._writes(effects[index], state)
            elif index not in named and not self._vanished(original, state):
                raise self._fail("a move was removed, but its register does not contain its source")
        self.current = None
        for copy in pair.tail:
            self._copy(copy, state)
        return state

    def _copy(self, copy: Instr, state: State) -> None:
        """A copy that allocation put in: a plain move, which may write nothing besides its target, or an
        exchange."""
        target = copy.operands[0]
        if copy.row is self.exchange:
            self._exchange(copy, state)
            return
        if (
            Trait.MOVE not in copy.row.traits
            or copy.row.writes
            or copy.modifiers
            or len(copy.operands) != 2
            or not isinstance(target, Register)
        ):
            raise self._fail(f"{copy.row.mnemonic} was put in, and is not a plain move")
        source = copy.operands[1]
        self._may_copy_to(target)
        moved = [self._value_of(source, k, state) for k in range(target.count)]
        masked = copy.row.exec_mode is not ExecMode.SCALAR and not is_full(state, self.wave_size)
        for unit, values in zip(target.units, moved, strict=True):
            state[unit] = frozenset(value for value in values if value < IN_ALL_LANES) if masked else values
            self.copied |= values
        if target.first >= FIRST_VGPR and isinstance(source, Register) and source.first < FIRST_VGPR:
            self.mixed.update(target.units)

    def _exchange(self, copy: Instr, state: State) -> None:
        first, second = copy.operands[:2]
        if (
            not isinstance(first, Register)
            or not isinstance(second, Register)
            or copy.operands[2:] != (first, second)
        ):
            raise self._fail("an exchange was put in that is none")
        self._may_copy_to(first)
        self._may_copy_to(second)
        held = state.get(first.first, frozenset()), state.get(second.first, frozenset())
        masked = not is_full(state, self.wave_size)
        for unit, values in zip((second.first, first.first), held, strict=True):
            state[unit] = frozenset(value for value in values if value < IN_ALL_LANES) if masked else values
            self.copied |= values

    def _value_of(self, source: Operand, k: int, state: State) -> Values:
        if isinstance(source, Immediate):
            return frozenset((constant(source, k),))
        if isinstance(source, Register):
            return state.get(source.first + k, frozenset())
        raise self._fail("a copy reads neither a register nor a constant")

    def _vanished_before(self, pair: Pair, index: int, state: State) -> Iterator[int]:
        """Those of the moves from a step on, left out next to each other, that may come before its copies."""
        for number in range(index, len(pair.steps)):
            if pair.steps[number].rewritten is not None:
                return
            if self._vanished(pair.steps[number].original, state):
                yield number

    def _vanished(self, original: Instr, state: State) -> bool:
        """Record the result of a removed move if its source is in the register of the result.

        Values do not change between two instructions of the original, so the order relative to inserted
        copies is free.
        """
        target, source = original.operands
        if not isinstance(target, Register) or not isinstance(source, Register):
            return False
        named = [
            (unit, self.units.get(unit, unit), value)
            for unit, value in zip(target.units, source.units, strict=True)
        ]
        if any(value not in state.get(place, ()) for _, place, value in named):
            return False
        for unit, place, _ in named:
            if unit in self.copied:
                self._forget(unit, state)
            state[place] = state[place] | {unit}
            self.copied.update(state[place])
        return True

    def _judge(self, original: Instr, rewritten: Instr) -> None:
        """Check the registers of an instruction's operands, regardless of their contents."""
        fault = operand_fault(rewritten, self.target)
        if fault:
            raise self._fail(fault)
        for index in original.row.defines:
            result, place = original.operands[index], rewritten.operands[index]
            if isinstance(result, Register) and isinstance(place, Register):
                self._may_write(result, place)

    def _reads(self, effects: Effects, state: State) -> None:
        everywhere = effects.everywhere
        for value, place in effects.reads:
            held = state.get(place, _NOTHING)
            if value not in held:
                raise self._fail(
                    f"{Register(place)} is read for {self._name(value)} and may contain {self._names(held)}"
                )
            if everywhere and value in self.lanes and value + IN_ALL_LANES not in held:
                raise self._fail(
                    f"{Register(place)} is read for {self._name(value)} in all lanes and was copied under "
                    "EXEC"
                )

    def _writes(self, effects: Effects, state: State) -> None:
        copied = self.copied
        for value in effects.values:
            if value in copied:
                self._forget(value, state)
        state.update(effects.written)

    def _may_write(self, result: Register, place: Register) -> None:
        """Whether a result is in a register that allocation may use for it, or in a register that the program
        itself names."""
        is_virtual = result.first >= FIRST_VIRTUAL
        usable = self.usable[self.kernel.register_class(result)] if is_virtual else None
        first, count = place
        for unit in range(first, first + count):
            if unit in self.reserved:
                raise self._fail(f"{Register(unit)} is reserved and is written")
            if usable is not None and unit not in usable:
                raise self._fail(
                    f"{Register(unit)} is written for {self._name(result.first)}, which may not be there"
                )

    def _may_copy_to(self, place: Register) -> None:
        """A copy writes a register that allocation was given."""
        for unit in place.units:
            if unit not in self.usable_for_copies and unit not in EXEC.units:
                raise self._fail(f"{Register(unit)} is written by a copy, which may not use it")

    def _forget(self, value: int, state: State) -> None:
        """Forget the copies of an old value, from an earlier trip of a loop, when the value is computed
        again."""
        for unit, values in state.items():
            if value in values:
                state[unit] = values - {value, value + IN_ALL_LANES}

    def _name(self, value: int) -> str:
        if value < 0:
            return f"constant 0x{-1 - value:x}"
        if value < FIRST_VIRTUAL:
            return f"the program's {Register(value)}"
        owner = self.kernel.owners[value - FIRST_VIRTUAL]
        return f"%{owner.name}" if owner.count == 1 else f"%{owner.name}.{value - owner.first}"

    def _names(self, values: Values) -> str:
        return ", ".join(self._name(value) for value in sorted(values) if value < IN_ALL_LANES) or "anything"
