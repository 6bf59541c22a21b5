"""Loops of a kernel by hand: of the whole wave with a counter, and while a condition is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asmgen.assembly.conditions import Condition
from asmgen.assembly.control import Flow, Region
from asmgen.assembly.values import Registers, is_whole
from asmgen.assembly.variables import variable_of
from isa.lane_masks import MaskOperation
from isa.program import Edge
from isa.registers import Register


class Loop(Region):
    """A loop that the whole wave makes alike: a counter from `start` below `stop`."""

    name = "loop"
    repeats = True

    def __init__(
        self, flow: Flow, start: Any, stop: Any, step: int, carry: tuple[Registers[Any], ...]
    ) -> None:
        super().__init__(flow)
        self._start, self._stop, self._step, self._carry = start, stop, step, carry

    def __enter__(self) -> Any:
        flow, recorder = self._flow, self._recorder
        recorder.require_open()
        recorder.at("loop")
        if not is_whole(self._step) or self._step < 1:
            raise recorder.fault("HND023", f"got the step {self._step}, wanted a number from 1 on")
        start, stop = flow.symbols.index_of(self._start), flow.symbols.index_of(self._stop)
        for index in (start, stop):
            if not flow.symbols.is_uniform_index(index):
                message = (
                    f"the loop's bound {index.text} differs between lanes, wanted a bound for the whole wave"
                )
                raise recorder.fault(
                    "HND023", message, "with k.while_(lambda: i < n): ... for lanes that end apart"
                )
            if not index.bounds.is_u32:
                message = f"the loop's bound {index.text} is from {index.low} to {index.high}, wanted a u32"
                raise recorder.fault("HND023", message)
        carried = tuple(variable_of(recorder, value) for value in self._carry)
        self._counter = recorder.sgpr()
        recorder.move(self._counter, flow.symbols.part(start))
        self._limit = flow.symbols.part(stop)
        self._is_entered = start.high < stop.low
        self._header, self._body, self._done = (recorder.label(stem) for stem in ("loop", "body", "done"))
        recorder.loops.append(recorder.block)
        recorder.goes_to(self._header)
        _ = recorder.start(self._header)
        if not self._is_entered:
            self._test(self._counter, self._body)
            _ = recorder.start(self._body)
        self._index = flow.symbols.counter(self._counter, start, max(stop.high - 1, start.low), self._step)
        self._open()
        return (self._index, *carried) if carried else self._index

    def _test(self, counter: Register, way: str) -> None:
        """End the block: to `done` if the counter has reached the limit."""
        limit, recorder = self._limit, self._recorder
        recorder.put("s_cmp_lt_u32", counter, limit)
        edges = (Edge(self._done), Edge(way))
        recorder.end(edges, edges, "s_cbranch_scc0")

    def _leave(self) -> None:
        recorder = self._recorder
        self._flow.symbols.end_counter(self._index)
        if not recorder.is_ended:
            recorder.put("s_add_u32", self._counter, self._counter, self._step)
            if self._is_entered:
                self._test(self._counter, self._header)
            else:
                recorder.goes_to(self._header)
        recorder.is_ended = False
        _ = recorder.start(self._done)


class While(Region):
    """A loop while a condition is true: each lane leaves by itself, or the whole wave leaves at once."""

    name = "while_"
    repeats = True

    def __init__(self, flow: Flow, condition: Callable[[], Condition]) -> None:
        super().__init__(flow)
        self._condition = condition
        self._saved: Register | None = None

    def __enter__(self) -> None:
        flow, recorder = self._flow, self._recorder
        recorder.require_open()
        recorder.at("while_")
        saved = recorder.mask()
        recorder.put_mask(MaskOperation.MOVE, saved, recorder.masks.exec)
        header, body, self._done = (recorder.label(stem) for stem in ("while", "body", "done"))
        recorder.loops.append(recorder.block)
        recorder.goes_to(header)
        self._header = recorder.start(header).label
        condition = self._condition()
        recorder.at("while_")
        edges = (Edge(self._done), Edge(body))
        self.is_divergent = not flow.conditions.is_uniform(condition)
        if self.is_divergent:
            self._saved = saved
            mask = flow.conditions.lanes(condition)
            recorder.put_mask(MaskOperation.AND, recorder.masks.exec, recorder.masks.exec, mask)
            recorder.end(edges, edges, "s_cbranch_execz")
        else:
            flow.conditions.scc(condition)
            recorder.end(edges, edges, "s_cbranch_scc0")
        _ = recorder.start(body)
        self._open()

    def _leave(self) -> None:
        recorder = self._recorder
        if not recorder.is_ended:
            recorder.goes_to(self._header)
        recorder.is_ended = False
        _ = recorder.start(self._done)
        if self._saved is not None:
            recorder.put_mask(MaskOperation.MOVE, recorder.masks.exec, self._saved)
