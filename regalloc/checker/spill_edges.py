"""What certainly holds where a block begins, for the check of spill code: what all edges to it bring.

Scratch, AGPRs and vector registers flow along logical edges, lanes of VGPRs and scalar registers along linear
ones. On an edge the parameters of a block get the values of its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from isa.instruction import Immediate
from isa.program import Block, Edge
from isa.registers import Register
from regalloc.cfg import ControlFlow
from regalloc.checker.spill_programs import Programs
from regalloc.checker.spill_repeats import Repeats
from regalloc.checker.spill_state import ACCUMULATORS, Held, State, Value, is_of_lanes, met_of
from regalloc.checker.state import constant


class Edges:
    """The edges of both programs."""

    def __init__(self, programs: Programs, flow: ControlFlow, repeats: Repeats) -> None:
        self._programs = programs
        self._flow = flow
        self._repeats = repeats

    def enter(self, number: int, leaving: Mapping[int, State]) -> State:
        """What holds where a block begins: what every predecessor that has been walked leaves."""
        memory: Held = {}
        brought: Held = {}
        fresh: set[Value] | None = None
        is_vector = self._programs.is_vector
        for graph, is_logical in ((self._flow.linear, False), (self._flow.logical, True)):
            arriving = [
                self._pass_edge(leaving[one], one, number, is_logical)
                for one in graph.predecessors[number]
                if one in leaving
            ]
            for state in arriving:
                fresh = set(state.fresh) if fresh is None else fresh & state.fresh
            memory |= met_of([
                {place: held for place, held in state.memory.items() if is_of_lanes(place) is is_logical}
                for state in arriving
            ])  # fmt: skip
            brought |= met_of([
                {unit: held for unit, held in state.brought.items() if is_vector(unit) is is_logical}
                for state in arriving
            ])  # fmt: skip
        return State(memory, brought, fresh or set())

    def _pass_edge(self, left: State, source: int, target: int, is_logical: bool) -> State:
        """The state after an edge: parameters have the values of its arguments instead of their old ones."""
        old, new = self._programs.before.blocks[target], self._programs.after.blocks[target]
        parameters = old.vector_parameters if is_logical else old.scalar_parameters
        kept = new.vector_parameters if is_logical else new.scalar_parameters
        if not parameters:
            return left
        self._programs.point = f"{self._programs.before.blocks[source].label}: edge to {old.label}"
        given = _edge(self._programs.before.blocks[source], old.label, is_logical)
        handed = _edge(self._programs.after.blocks[source], old.label, is_logical)
        if len(kept) != len(handed.arguments) or len(parameters) != len(given.arguments):
            raise self._programs.fail("arguments do not match the parameters")
        state = left.copy()
        arguments = dict(zip(kept, handed.arguments, strict=True))
        for one in kept:
            if self._programs.is_new_agpr(one):
                self._pass_agprs(one, arguments[one], left, state)
        named: dict[Value, set[Value]] = {}
        for parameter, argument in zip(parameters, given.arguments, strict=True):
            if parameter in arguments:
                self._same_argument(argument, arguments[parameter], state)
            for k, unit in enumerate(parameter.units):
                value = constant(argument, k) if isinstance(argument, Immediate) else argument.first + k
                named.setdefault(value, set()).add(unit)
        for table in (state.memory, state.brought):
            for key, held in table.items():
                alive = {value for value in held if not _is_parameter(value, parameters)}
                fresh = {unit for value in held for unit in named.get(value, ())}
                table[key] = frozenset(alive | fresh)
        self._repeats.forget(state.fresh, {unit for parameter in parameters for unit in parameter.units})
        return state

    def _pass_agprs(self, to: Register, argument: Register | Immediate, left: State, state: State) -> None:
        """Give a parameter of spill code's own what its argument holds."""
        if not isinstance(argument, Register) or argument.count != to.count:
            raise self._programs.fail(f"{argument} is handed on for {self._programs.name(to.first)}")
        for k, unit in enumerate(to.units):
            state.memory[ACCUMULATORS, unit] = self._programs.values(argument.first + k, left)

    def _same_argument(
        self, argument: Register | Immediate, handed: Register | Immediate, state: State
    ) -> None:
        if isinstance(argument, Immediate) or isinstance(handed, Immediate):
            if argument != handed:
                raise self._programs.fail(f"{handed} is handed on for {argument}")
            return
        self._programs.same(argument, handed, state)


def _is_parameter(value: Value, parameters: Iterable[Register]) -> bool:
    return any(value in parameter.units for parameter in parameters)


def _edge(block: Block, target: str, is_logical: bool) -> Edge:
    return next(edge for edge in (block.logical if is_logical else block.linear) if edge.target == target)
