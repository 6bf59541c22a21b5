"""Joins the loads of a lane that read neighbours in memory, and loads each element once.

    a = load[offset=0](x, i)                           v = vector_load[size=2, offset=0](x, i)
    b = load[offset=4](x, i)             becomes       a = extract[index=0](v)
    c = load[offset=0](x, i)                           b = extract[index=1](v)
                                                       c = extract[index=0](v)

Programs that compute with the columns of a matrix, such as the coordinates of points, load so. Stencils and
filters load vectors that overlap. Only loads of the same region and index are joined, of buffers that the
kernel does not write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Attribute, Module, Statement, Value, tensor_type, with_others, with_regions
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.cleanup import written_buffers
from asmgen.lanewise.records import Access, Touched
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import CACHE_LINE, WIDEST_ACCESS

OVERLAP = 2  # how often vectors load each element, in the mean, if they are joined


def join_loads(module: Module) -> Module:
    """The module with fewer loads of the same elements."""
    loads = [statement.operands for statement in module.walk() if statement.op in ops.LOADS]
    if len(loads) == len(set(loads)):
        return module
    taken = {value.name for statement in module.walk() for value in statement.results}
    return replace(module, statements=_Joiner(written_buffers(module), taken).joined(module.statements))


class _Load(NamedTuple):
    """A load of the elements from `begin` to `end`, counted from its index; `place` is that in the region."""

    begin: int
    end: int
    place: int
    statement: Statement


class _Joiner:
    """`written` are the buffers that the kernel writes, and `taken` the names of values."""

    def __init__(self, written: frozenset[Value], taken: set[str]) -> None:
        self._written = written
        self._taken = taken

    def joined(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """The statements of a region."""
        instead: dict[int, list[Statement]] = {}
        for run in _runs(statements, self._written):
            instead.update(self._instead(run))
        return with_others(statements, instead, lambda statement: with_regions(statement, self.joined))

    def _instead(self, run: Sequence[_Load]) -> dict[int, list[Statement]]:
        """The statements in place of each load: loads of pieces of the run, and extracts of its elements."""
        pieces, loaded = self._pieces(run), set[_Load]()
        instead: dict[int, list[Statement]] = {}
        for load in sorted(run, key=lambda load: load.place):
            parts = [piece for piece in pieces if piece.begin < load.end and load.begin < piece.end]
            new = [piece.statement for piece in parts if piece not in loaded]
            loaded.update(parts)
            instead[load.place] = [*new, *self._taken_out(load, parts)]
        return instead

    def _pieces(self, run: Sequence[_Load]) -> list[_Load]:
        """Loads of all elements of a run, each as wide as an instruction, or as the loads if they are all
        of the same elements."""
        first = min(run, key=lambda load: load.begin)
        end = max([load.end for load in run])
        if all((load.begin, load.end) == (first.begin, end) for load in run):
            return [self._piece(first, first.begin, end)]
        size = first.statement.result.type.element.bytes
        pieces: list[_Load] = []
        begin = first.begin
        while begin < end:
            room = min(WIDEST_ACCESS, _left_of_line(first, (begin - first.begin) * size))
            pieces.append(self._piece(first, begin, min(begin + max(1, room // size), end)))
            begin = pieces[-1].end
        return pieces

    def _piece(self, first: _Load, begin: int, end: int) -> _Load:
        of = first.statement
        type_ = LaneType(of.result.type.element, end - begin)
        further = (begin - first.begin) * type_.element.bytes
        bytes_ = Touched.of(of).bytes
        moved = (bytes_[0] + further, bytes_[1] + further, *bytes_[2:]) if bytes_ else ()
        op = ops.VECTOR_LOAD if type_.lanes > 1 else ops.LOAD
        whole = {
            **of.attributes,
            "size": type_.lanes,
            "offset": Access.of(of).offset + further,
            "bytes": moved,
        }
        attributes = {spec.name: whole[spec.name] for spec in op.attributes}
        result = Value(fresh_name(of.result.name, self._taken), type_)
        return _Load(begin, end, 0, Statement(op, of.operands, (result,), attributes, (), of.place))

    def _taken_out(self, load: _Load, parts: Sequence[_Load]) -> list[Statement]:
        """The statements that make the value of a load of pieces."""
        statements: list[Statement] = []
        for piece in parts:
            begin, end = max(load.begin, piece.begin), min(load.end, piece.end)
            type_ = LaneType(load.statement.result.type.element, end - begin)
            result = load.statement.result
            if len(parts) > 1:
                result = Value(fresh_name(result.name, self._taken), type_)
            attributes: dict[str, Attribute] = {"index": begin - piece.begin, "size": type_.lanes}
            operands = (piece.statement.result,)
            statements.append(
                Statement(ops.EXTRACT, operands, (result,), attributes, (), load.statement.place)
            )
        if len(parts) > 1:
            operands = tuple([statement.result for statement in statements])
            statements.append(
                Statement(ops.PACK, operands, load.statement.results, {}, (), load.statement.place)
            )
        return statements


def _runs(statements: Iterable[Statement], written: frozenset[Value]) -> Iterator[list[_Load]]:
    """Loads that are joined: at least two, of successive elements."""
    groups: dict[tuple[Value, Value, int], list[_Load]] = {}
    for place, statement in enumerate(statements):
        if statement.op in ops.LOAD_FENCES:
            yield from _of_groups(groups.values())
            groups = {}
        elif statement.op in ops.LOADS and statement.operands[0] not in written:
            buffer, index = statement.operands
            access, size = Access.of(statement), tensor_type(buffer).element.bytes
            begin, rest = divmod(access.offset, size)
            load = _Load(begin, begin + access.size, place, statement)
            groups.setdefault((buffer, index, rest), []).append(load)
    yield from _of_groups(groups.values())


def _of_groups(groups: Iterable[list[_Load]]) -> Iterator[list[_Load]]:
    for loads in groups:
        if len(loads) > 1:
            yield from [run for run in _of_group(loads) if len(run) > 1]


def _of_group(loads: list[_Load]) -> Iterator[list[_Load]]:
    """Loads of successive elements: vectors that overlap, then single elements, and then the same vectors.
    Elements below a register's size are joined only if they are single and fill a register."""
    left = loads
    if loads[0].statement.result.type.element.bytes >= DWORD:
        runs = list(_connected(loads))
        yield from [run for run in runs if _do_overlap(run)]
        left = [load for run in runs if not _do_overlap(run) for load in run]
        yield from _connected([load for load in left if load.end - load.begin == 1])
        left = [load for load in left if load.end - load.begin > 1]
    else:
        singles = [load for load in loads if load.end - load.begin == 1]
        runs = [run for run in _connected(singles) if _fills(run)]
        yield from runs
        joined = {load for run in runs for load in run}
        left = [load for load in left if load not in joined]
    same: dict[tuple[int, int], list[_Load]] = {}
    for load in left:
        same.setdefault((load.begin, load.end), []).append(load)
    yield from same.values()


def _connected(loads: Iterable[_Load]) -> Iterator[list[_Load]]:
    run: list[_Load] = []
    end = 0
    for load in sorted(loads, key=lambda load: load.begin):
        if run and load.begin > end:
            yield run
            run = []
        end = max(end, load.end) if run else load.end
        run.append(load)
    if run:
        yield run


def _fills(run: Sequence[_Load]) -> bool:
    """Whether small elements fill a register: taking them out then costs less than a load of each."""
    element = run[0].statement.result.type.element
    return (run[-1].end - run[0].begin) * element.bytes >= DWORD and element is not BOOL


def _left_of_line(load: _Load, further: int) -> int:
    """The bytes from an address, so many bytes after that of a load, to the end of its line; those that an
    instruction loads if lanes begin at different places of their lines."""
    bytes_ = Touched.of(load.statement).bytes
    if not bytes_ or bytes_[3] or (bytes_[2] % CACHE_LINE and bytes_[0] != bytes_[1]):
        return WIDEST_ACCESS
    return CACHE_LINE - (bytes_[0] + further) % CACHE_LINE


def _do_overlap(run: Sequence[_Load]) -> bool:
    loaded = sum(load.end - load.begin for load in run)
    return loaded >= OVERLAP * (max([load.end for load in run]) - run[0].begin)
