"""Labels and branches by hand, and the end of the program."""

from __future__ import annotations

from asmgen.assembly.control import Flow, Region
from asmgen.assembly.values import Target
from isa.diagnostics import InputError
from isa.instruction import Label, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Edge
from isa.registers import EXEC


class _Branch(NamedTuple):
    """A branch to a label, its place among the regions of lanes, and the error if the label never comes."""

    label: str
    lanes: tuple[Region, ...]
    missing: InputError


class Labels:
    """The labels of a kernel, and the branches to them."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._recorder = flow.recorder
        self._labels: dict[str, tuple[Region, ...]] = {}
        self._branches: list[_Branch] = []

    def begin(self, name: str) -> Target:
        """Begin the code that branches to `name` go to. `InputError` HND015 for a name that is none or is
        taken."""
        self._recorder.at("label")
        if not str(name).isidentifier():
            raise self._recorder.fault("HND015", f"got the label {name!r}, wanted letters, digits and _")
        if name in self._labels:
            raise self._recorder.fault("HND015", f"label {name} is there already, wanted a name of its own")
        self._labels[name] = self._flow.divergent()
        self._flow.has_labels = True
        _ = self._recorder.follow(f"label.{name}")
        return Target(name)

    def branch(self, row: Row, given: tuple[object, ...]) -> None:
        """A branch by its instruction, to a label that is there or comes later."""
        recorder, name = self._recorder, row.mnemonic
        recorder.at(name)
        recorder.require_open()
        target = given[0] if len(given) == 1 else None
        label = target.name if isinstance(target, Target) else target
        if not isinstance(label, str):
            raise recorder.fault("HND015", f"{name}: got {given}, wanted the name of a label")
        if EXEC in row.reads:
            message = f"{name} branches by EXEC, wanted k.where(...), which skips code without lanes"
            raise recorder.fault("HND014", message)
        missing = recorder.fault("HND015", f"{name} goes to {label}, wanted one of the kernel's labels")
        self._branches.append(_Branch(label, self._flow.divergent(), missing))
        to = f"label.{label}"
        if Trait.CONDITIONAL_BRANCH not in row.traits:
            recorder.goes_to(to)
            recorder.is_ended = True
            return
        after = recorder.label("after")
        edges = (Edge(to), Edge(after))
        recorder.end(edges, edges)
        recorder.block.terminator = recorder.instr(row, Label(to))
        _ = recorder.start(after)

    def check(self) -> None:
        """`InputError` HND015 for a branch without its label, HND017 for a branch in or out of a `where`."""
        for branch in self._branches:
            if branch.label not in self._labels:
                raise branch.missing
            if self._labels[branch.label] != branch.lanes:
                message = (
                    f"the branch to {branch.label} leaves or enters a k.where(...), wanted its own lanes"
                )
                raise InputError(branch.missing.place, "HND017", message)
