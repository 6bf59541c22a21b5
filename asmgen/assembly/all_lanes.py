"""`with k.all_lanes():` in a `where`: code for every lane of the wave.

The wave leaves its `where` before the region, and comes back to the same lanes after it:

    where                       lanes := the active lanes
    join                        every lane is on
    if any of `lanes`: region
    where lanes                 the rest of the `where`

Values meet as after any `where`. A register that is written in the `where` is 0 in the other lanes.
"""

from __future__ import annotations

from types import TracebackType

from asmgen.assembly.control import (
    Flow,
    LaneRegion,
    Region,
    UniformIf,
    made_since,
    put_before_last,
    put_zeros,
)
from asmgen.assembly.symbols import Fact
from asmgen.assembly.values import registers
from isa.program import Block
from isa.registers import Register, RegisterClass


class AllLanes(Region):
    """Every lane that runs the kernel."""

    name = "all_lanes"

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow)
        self._left: list[LaneRegion] = []
        self._facts: list[list[Fact]] = []
        self._masks: list[Register] = []  # of the regions that are left, the outermost first
        self._branch: UniformIf | None = None
        self._before: Block | None = None
        self._first = 0  # the first register that the region makes

    def __enter__(self) -> None:
        flow, recorder = self._flow, self._recorder
        recorder.require_open()
        recorder.at("all_lanes")
        for region in reversed(flow.lane_regions()):
            if not isinstance(region, LaneRegion):
                message = (
                    "got k.all_lanes() in a loop or a branch of a region, wanted it directly in the region "
                    "of k.where(...)"
                )
                raise recorder.fault("HND024", message, "put the loop around, and k.where(...) inside of it")
            self._masks.insert(0, region.suspend())
            self._left.insert(0, region)
        self._facts = flow.leave(self._left)
        self._open()
        if self._left:
            self._before, self._first = recorder.block, recorder.variables()
            lanes = registers(recorder, self._masks[-1], RegisterClass.SGPR)
            self._branch = UniformIf(flow, lanes)
            self._branch.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        flow, recorder = self._flow, self._recorder
        if self._branch is not None:
            assert self._before is not None
            if kind is None:
                made = made_since(recorder, self._branch.then, self._first)
                put_before_last(recorder, self._before, lambda: put_zeros(recorder, made))
            self._branch.__exit__(kind, fault, trace)
        super().__exit__(kind, fault, trace)
        if kind is not None:
            flow.come_back(self._left, self._facts)

    def _leave(self) -> None:
        self._flow.come_back(self._left, self._facts)
        self._recorder.at("all_lanes")
        for region, mask in zip(self._left, self._masks, strict=True):
            region.resume(mask)
