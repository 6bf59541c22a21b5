"""How scans and sorts go along their axis: kernels do several that go the same way."""

from __future__ import annotations

from asmgen.graph.infer.reduce import parts_of_workgroups
from asmgen.graph.ops import SCANS, SORTS, preceding
from asmgen.index.size import Dim
from asmgen.ir.program import Statement, tensor_type
from isa.named_tuple import NamedTuple


class Way(NamedTuple):
    """Along which axis a scan goes, whether from its end on, in how many parts of how many elements, and
    whether workgroups pass on what precedes a part.
    """

    axis: int
    is_reversed: bool
    part: int
    parts: Dim
    is_passed_on: bool = False

    @classmethod
    def of(cls, scan: Statement) -> Way:
        axis, part = scan.attributes["axis"], scan.attributes["part"]
        assert isinstance(axis, int) and isinstance(part, int), "the parser reads integers"
        axis %= tensor_type(scan.result).rank
        is_passed_on = bool(scan.attributes["passed_on"])
        return cls(axis, bool(scan.attributes["reverse"]), part, parts_of(scan, axis, part), is_passed_on)


class Order(NamedTuple):
    """Along which axis a sort goes."""

    axis: int

    @classmethod
    def of(cls, sort: Statement) -> Order:
        axis = sort.attributes["axis"]
        assert isinstance(axis, int), "the parser reads integers"
        return cls(axis % tensor_type(sort.result).rank)


def parts_of(scan: Statement, axis: int, part: int) -> Dim:
    """The number of parts of a scan of `part` elements each, or of a single part if that is 0."""
    if scan.attributes["passed_on"]:
        return parts_of_workgroups(tensor_type(scan.result).dims[axis], part)
    if before := preceding(scan):
        return tensor_type(before[0]).dims[axis]
    return -(-tensor_type(scan.result).dims[axis] // part) if part else 1


def way_of(statement: Statement) -> Way | Order | None:
    """The way of a scan or a sort; None for other ops."""
    if statement.op in SORTS:
        return Order.of(statement)
    return Way.of(statement) if statement.op in SCANS else None
