"""Control flow of a kernel by hand: lanes that are off, branches of the wave, loops, labels.

A divergent `where` runs its two sides in turn, as `if` of the compiler does (`select.control.branches`):

    before: saved := exec, exec := exec & condition; none left: to `other`
    where
    other:  exec := saved & ~exec; lanes that keep their values, or the lanes of `otherwise`
    join:   exec := saved

`other` is there only if the values of lanes meet at `join`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from asmgen.assembly.conditions import Condition, Conditions
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Symbols
from asmgen.assembly.values import Registers
from asmgen.assembly.variables import variable_of
from isa.lane_masks import MaskOperation
from isa.program import Block, Edge
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass


class Flow:
    """The control flow of a kernel: the regions that are open, the innermost last."""

    def __init__(self, recorder: Recorder, symbols: Symbols, conditions: Conditions) -> None:
        self.recorder = recorder
        self.symbols = symbols
        self.conditions = conditions
        self.has_labels = False
        self._open: list[Region] = []
        self._last: Region | None = None

    def divergent(self) -> tuple[Region, ...]:
        """The open regions in which lanes may be off."""
        return tuple(region for region in self._open if region.is_divergent)

    @property
    def may_repeat(self) -> bool:
        """Whether the program may come here again: in a loop, or after a label."""
        return self.has_labels or any(isinstance(region, Loop | While) for region in self._open)

    def open(self, region: Region, condition: Condition | None) -> None:
        """Begin a region, with what its condition says of indices."""
        self._open.append(region)
        self.symbols.facts.append([] if condition is None else self.conditions.facts(condition))

    def close(self, region: Region) -> None:
        """End the innermost region."""
        opened = self._open.pop()
        assert opened is region
        _ = self.symbols.facts.pop()
        self._last = region

    def finish(self) -> None:
        """Leave lanes off at the end of the program, if a `where` is the last that happens."""
        if isinstance(self._last, Where) and self._last.is_last():
            self._last.keep_lanes_off()


class Region:
    """A part of the program with its own lanes or its own way."""

    is_divergent = False

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._recorder = flow.recorder

    def _open(self, condition: Condition | None = None) -> None:
        self._flow.open(self, condition)

    def _close(self) -> None:
        self._flow.close(self)


class Where(Region):
    """The lanes for which a condition is true. `otherwise` are the others, directly after it."""

    is_divergent = True

    def __init__(self, flow: Flow, condition: Condition) -> None:
        super().__init__(flow)
        self._condition = condition
        self._saved: Register | None = None
        self._before: Block | None = None
        self._joined: Block | None = None
        self._first = 0  # the first variable that is made inside

    def __enter__(self) -> None:
        self._recorder.require_open()
        self._recorder.at("where")
        recorder = self._recorder
        mask = self._flow.conditions.lanes(self._condition)
        self._saved = recorder.mask()
        recorder.put_mask(MaskOperation.AND_SAVE_EXEC, self._saved, mask)
        self._then, self._other, self._join = (recorder.label(stem) for stem in ("then", "other", "join"))
        self._before = recorder.block
        edges = (Edge(self._join), Edge(self._then))
        recorder.end(edges, (Edge(self._then), Edge(self._join)), "s_cbranch_execz")
        _ = recorder.start(self._then)
        self._first = recorder.variables()
        self._open(self._condition)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is not None:
            return
        assert self._before is not None
        assert self._saved is not None
        recorder = self._recorder
        recorder.goes_to(self._join)
        if _writes_older(recorder.kernel.blocks, self._then, self._first, recorder.kernel.register_class):
            self._go_through_other()
            recorder.goes_to(self._join)
        self._joined = recorder.start(self._join)
        recorder.put_mask(MaskOperation.MOVE, recorder.masks.exec, self._saved)

    def _go_through_other(self) -> None:
        """Begin the block of the lanes that are off in `where`, after its own."""
        assert self._before is not None
        assert self._saved is not None
        recorder, before = self._recorder, self._before
        recorder.block.linear = (Edge(self._other),)
        before.linear = before.logical = ()
        before.terminator = None
        after = recorder.block
        recorder.block = before
        lanes = (Edge(self._then), Edge(self._other))
        recorder.end((Edge(self._other), Edge(self._then)), lanes, "s_cbranch_execz")
        recorder.block = after
        _ = recorder.start(self._other)
        recorder.put_mask(MaskOperation.AND_NOT, recorder.masks.exec, self._saved, recorder.masks.exec)

    def is_last(self) -> bool:
        """Whether nothing follows in the kernel, and no value meets at the join."""
        recorder, joined = self._recorder, self._joined
        if joined is None or recorder.block is not joined or len(joined.instructions) != 1:
            return False
        return all(block.label != self._other for block in recorder.kernel.blocks)

    def keep_lanes_off(self) -> None:
        """Leave the other lanes off at the end of the kernel: EXEC need not be saved."""
        assert self._joined is not None
        assert self._before is not None
        self._joined.instructions.clear()
        recorder, before = self._recorder, self._before
        saving = before.instructions.pop()
        current, recorder.block, recorder.origin = recorder.block, before, saving.origin
        mask = saving.operands[1]
        recorder.put_mask(MaskOperation.AND, recorder.masks.exec, recorder.masks.exec, mask)
        recorder.block = current

    def otherwise(self) -> Otherwise:
        """`with w.otherwise():` the lanes for which the condition is false."""
        return Otherwise(self._flow, self)

    def begin_other(self) -> None:
        """Take back the join, and begin the block of the other lanes. `InputError` HND022 if something came
        in between."""
        recorder, blocks = self._recorder, self._recorder.kernel.blocks
        if self._joined is None or recorder.block is not self._joined or len(self._joined.instructions) != 1:
            raise self._recorder.fault(
                "HND022", "otherwise() is not directly after its k.where(...), wanted it there"
            )
        blocks.pop()
        if blocks[-1].label == self._other:
            recorder.block = blocks[-1]
            recorder.block.linear = recorder.block.logical = ()
        else:
            recorder.block = blocks[-1]
            self._go_through_other()
        self._joined = None

    def end_other(self) -> None:
        """Begin the join after the block of the other lanes."""
        assert self._saved is not None
        recorder = self._recorder
        recorder.goes_to(self._join)
        _ = recorder.start(self._join)
        recorder.put_mask(MaskOperation.MOVE, recorder.masks.exec, self._saved)


def _writes_older(
    blocks: list[Block], first_block: str, first: int, class_of: Callable[[Register], RegisterClass]
) -> bool:
    """Whether the blocks from one on write a vector variable that was made before them."""
    number = next(i for i, block in enumerate(blocks) if block.label == first_block)
    return any(
        isinstance(operand := instr.operands[i], Register)
        and FIRST_VIRTUAL <= operand.first < first
        and class_of(operand) is not RegisterClass.SGPR
        for block in blocks[number:]
        for instr in block.instructions
        for i in instr.row.defines
    )


class Otherwise(Region):
    """The other lanes of a `where`."""

    is_divergent = True

    def __init__(self, flow: Flow, where: Where) -> None:
        super().__init__(flow)
        self._where = where

    def __enter__(self) -> None:
        self._recorder.at("otherwise")
        self._where.begin_other()
        self._open()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is None:
            self._where.end_other()


class UniformIf(Region):
    """A branch of the whole wave; `otherwise` is the other way, directly after it."""

    def __init__(self, flow: Flow, condition: Condition) -> None:
        super().__init__(flow)
        self._condition = condition
        self._before: Block | None = None
        self._end: Block | None = None
        self._joined: Block | None = None

    def __enter__(self) -> None:
        self._recorder.require_open()
        self._recorder.at("uniform_if")
        recorder = self._recorder
        self._flow.conditions.scc(self._condition)
        self._then, self._other, self._join = (recorder.label(stem) for stem in ("then", "else", "join"))
        self._before = recorder.block
        edges = (Edge(self._join), Edge(self._then))
        recorder.end(edges, edges, "s_cbranch_scc0")
        _ = recorder.start(self._then)
        self._open(self._condition)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is not None:
            return
        self._end = None if self._recorder.is_ended else self._recorder.block
        self._joined = self._recorder.follow(self._join)

    def otherwise(self) -> UniformOtherwise:
        """`with u.otherwise():` the way if the condition is false."""
        return UniformOtherwise(self._flow, self)

    def begin_other(self) -> None:
        """Take back the join, and begin the other way. `InputError` HND022 if something came in between."""
        assert self._before is not None
        recorder = self._recorder
        if self._joined is None or recorder.block is not self._joined or self._joined.instructions:
            raise self._recorder.fault(
                "HND022", "otherwise() is not directly after its uniform_if, wanted it there"
            )
        _ = recorder.kernel.blocks.pop()
        recorder.block = self._before
        self._before.terminator = None
        edges = (Edge(self._other), Edge(self._then))
        recorder.end(edges, edges, "s_cbranch_scc0")
        _ = recorder.start(self._other)

    def end_other(self) -> None:
        """Begin the join after the other way."""
        _ = self._recorder.follow(self._join)


class UniformOtherwise(Region):
    """The other way of a `uniform_if`."""

    def __init__(self, flow: Flow, first: UniformIf) -> None:
        super().__init__(flow)
        self._first = first

    def __enter__(self) -> None:
        self._recorder.at("otherwise")
        self._first.begin_other()
        self._open()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is None:
            self._first.end_other()


class Loop(Region):
    """A loop that the whole wave makes alike: a counter from `start` below `stop`."""

    def __init__(
        self, flow: Flow, start: Any, stop: Any, step: int, carry: tuple[Registers[Any], ...]
    ) -> None:
        super().__init__(flow)
        self._start, self._stop, self._step, self._carry = start, stop, step, carry

    def __enter__(self) -> Any:
        flow, recorder = self._flow, self._recorder
        recorder.require_open()
        recorder.at("loop")
        if self._step < 1:
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

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is not None:
            return
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
    """A loop while a condition holds: lanes leave one by one, or the whole wave at once."""

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

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if kind is not None:
            return
        recorder = self._recorder
        if not recorder.is_ended:
            recorder.goes_to(self._header)
        recorder.is_ended = False
        _ = recorder.start(self._done)
        if self._saved is not None:
            recorder.put_mask(MaskOperation.MOVE, recorder.masks.exec, self._saved)
