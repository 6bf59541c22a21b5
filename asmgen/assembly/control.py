"""Control flow of a kernel by hand: lanes that are off, and branches of the wave. `loops`, `labels` and
`all_lanes` have the rest.

A divergent `where` runs its two sides in turn, as `if` of the compiler does (`select.control.branches`):

    before: saved := exec, exec := exec & condition; none left: to `other`
    where
    other:  exec := saved & ~exec; lanes that keep their values, or the lanes of `otherwise`
    join:   exec := saved

`other` is there only if the values of lanes meet at `join`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import TracebackType

from asmgen.assembly.conditions import Condition, Conditions
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Fact, Symbols
from isa.diagnostics import InputError
from isa.instruction import Immediate
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
        self._waiting: dict[int, tuple[Region, InputError]] = {}  # made and not entered

    def divergent(self) -> tuple[Region, ...]:
        """The open regions in which lanes may be off."""
        return tuple(region for region in self._open if region.is_divergent)

    @property
    def may_repeat(self) -> bool:
        """Whether the program may come here again: in a loop, or after a label."""
        return self.has_labels or any(region.repeats for region in self._open)

    def lane_regions(self) -> list[Region]:
        """The open regions from the first on in which lanes may be off."""
        first = next((i for i, region in enumerate(self._open) if region.is_divergent), len(self._open))
        return self._open[first:]

    def leave(self, regions: Sequence[Region]) -> list[list[Fact]]:
        """Take the innermost regions off, and return the facts about indices that their conditions state."""
        if not regions:
            return []
        facts = self.symbols.facts[-len(regions) :]
        del self._open[-len(regions) :], self.symbols.facts[-len(regions) :]
        return facts

    def come_back(self, regions: Sequence[Region], facts: list[list[Fact]]) -> None:
        """Put regions that were taken off back on."""
        self._open += regions
        self.symbols.facts += facts

    def made(self, region: Region, name: str) -> None:
        """Note a region that is to be entered."""
        message = f"k.{name}(...) is not entered, wanted: with k.{name}(...): ..."
        self._waiting[id(region)] = region, self.recorder.fault("HND011", message)

    def open(self, region: Region, condition: Condition | None) -> None:
        """Begin a region, with what its condition says of indices."""
        _ = self._waiting.pop(id(region), None)
        self._open.append(region)
        self.symbols.facts.append([] if condition is None else self.conditions.facts(condition))

    def close(self, region: Region) -> None:
        """End the innermost region."""
        opened = self._open.pop()
        assert opened is region
        _ = self.symbols.facts.pop()
        self._last = region

    def finish(self) -> None:
        """Leave lanes off at the end of the program if nothing follows its last `where`. `InputError`
        HND011 for a region that was not entered."""
        for _, fault in self._waiting.values():
            raise fault
        if isinstance(self._last, Where) and self._last.is_last():
            self._last.keep_lanes_off()


class Region(ABC):
    """A part of the program with its own lanes or its own way."""

    name = ""
    is_divergent = False
    repeats = False

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._recorder = flow.recorder
        flow.made(self, self.name)

    def _open(self, condition: Condition | None = None) -> None:
        self._flow.open(self, condition)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flow.close(self)
        if self.repeats:
            _ = self._recorder.loops.pop()
        if kind is None:
            self._leave()

    @abstractmethod
    def _leave(self) -> None:
        """Put the code at the end of the region."""


class LaneRegion(Region):
    """A region that the wave may leave for a while."""

    @abstractmethod
    def suspend(self) -> Register:
        """Leave the lanes of the region: the mask for `resume`."""

    @abstractmethod
    def resume(self, mask: Register) -> None:
        """Go on with the lanes of the region."""


class Where(LaneRegion):
    """The lanes for which a condition is true. `otherwise` are the others, directly after it."""

    name = "where"
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
        self._begin(self._flow.conditions.lanes(self._condition))
        self._open(self._condition)

    def _begin(self, mask: Register) -> None:
        """Leave the lanes of a mask on."""
        recorder = self._recorder
        self._saved = recorder.mask()
        recorder.put_mask(MaskOperation.AND_SAVE_EXEC, self._saved, mask)
        self._then, self._other, self._join = (recorder.label(stem) for stem in ("then", "other", "join"))
        self._before = recorder.block
        edges = (Edge(self._join), Edge(self._then))
        recorder.end(edges, (Edge(self._then), Edge(self._join)), "s_cbranch_execz")
        _ = recorder.start(self._then)
        self._first = recorder.variables()

    def _leave(self) -> None:
        self.end()

    def end(self, meets: bool = False) -> None:
        """Put the other lanes on again. With `meets`, values that the region has made are read later."""
        assert self._saved is not None
        recorder = self._recorder
        recorder.goes_to(self._join)
        if meets or _writes_older(recorder, self._then, self._first):
            self._go_through_other()
            recorder.goes_to(self._join)
        self._joined = recorder.start(self._join)
        recorder.put_mask(MaskOperation.MOVE, recorder.masks.exec, self._saved)

    def suspend(self) -> Register:
        active = self.note_lanes()
        self.end(meets=True)
        return active

    def resume(self, mask: Register) -> None:
        self._begin(mask)

    def note_lanes(self) -> Register:
        """The lanes that are on now; none of them if the wave does not come here. Registers that the region
        writes are 0 then, so that code after `resume` may read them."""
        assert self._before is not None
        recorder = self._recorder
        active = recorder.mask()
        made = made_since(recorder, self._then, self._first)
        put_before_last(recorder, self._before, lambda: put_zeros(recorder, [active, *made]))
        recorder.put_mask(MaskOperation.MOVE, active, recorder.masks.exec)
        return active

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


def made_since(recorder: Recorder, label: str, first: int) -> list[Register]:
    """The registers from number `first` on that the blocks from a label on write."""
    kernel = recorder.kernel
    number = next(i for i, block in enumerate(kernel.blocks) if block.label == label)
    made = {
        kernel.owner(register).first: kernel.owner(register)
        for block in kernel.blocks[number:]
        for instr in block.instructions
        for register in instr.defined()
        if register.is_virtual and register.first >= first
    }
    return [Register(owner.first, owner.count) for owner in made.values()]


def put_zeros(recorder: Recorder, made: list[Register]) -> None:
    """Write 0 to registers."""
    for register in made:
        for i in range(register.count):
            recorder.move(register.part(i), Immediate(0))


def put_before_last(recorder: Recorder, block: Block, put: Callable[[], None]) -> None:
    """Append instructions to a block, before its last instruction."""
    last, current = block.instructions.pop(), recorder.block
    recorder.block = block
    put()
    block.instructions.append(last)
    recorder.block = current


def _writes_older(recorder: Recorder, label: str, first: int) -> bool:
    """Whether the blocks from a label on write a vector variable that was made before register `first`."""
    kernel = recorder.kernel
    number = next(i for i, block in enumerate(kernel.blocks) if block.label == label)
    return any(
        isinstance(operand := instr.operands[i], Register)
        and FIRST_VIRTUAL <= operand.first < first
        and kernel.register_class(operand) is not RegisterClass.SGPR
        for block in kernel.blocks[number:]
        for instr in block.instructions
        for i in instr.row.defines
    )


class Otherwise(LaneRegion):
    """The other lanes of a `where`."""

    name = "where(...).otherwise"
    is_divergent = True

    def __init__(self, flow: Flow, where: Where) -> None:
        super().__init__(flow)
        self._where = where
        self._is_resumed = False

    def __enter__(self) -> None:
        self._recorder.at("otherwise")
        self._where.begin_other()
        self._open()

    def _leave(self) -> None:
        if self._is_resumed:
            self._where.end()
        else:
            self._where.end_other()

    def suspend(self) -> Register:
        active = self._where.note_lanes()
        self._leave()
        return active

    def resume(self, mask: Register) -> None:
        self._is_resumed = True
        self._where.resume(mask)


class UniformIf(Region):
    """A branch of the whole wave; `otherwise` is the other way, directly after it."""

    name = "uniform_if"

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
        self.then, self._other, self._join = (recorder.label(stem) for stem in ("then", "else", "join"))
        self._before = recorder.block
        edges = (Edge(self._join), Edge(self.then))
        recorder.end(edges, edges, "s_cbranch_scc0")
        _ = recorder.start(self.then)
        self._open(self._condition)

    def _leave(self) -> None:
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
        edges = (Edge(self._other), Edge(self.then))
        recorder.end(edges, edges, "s_cbranch_scc0")
        _ = recorder.start(self._other)

    def end_other(self) -> None:
        """Begin the join after the other way."""
        _ = self._recorder.follow(self._join)


class UniformOtherwise(Region):
    """The other way of a `uniform_if`."""

    name = "uniform_if(...).otherwise"

    def __init__(self, flow: Flow, first: UniformIf) -> None:
        super().__init__(flow)
        self._first = first

    def __enter__(self) -> None:
        self._recorder.at("otherwise")
        self._first.begin_other()
        self._open()

    def _leave(self) -> None:
        self._first.end_other()
