"""Joins the stores of a lane to neighbours in memory.

    store[offset=0](z, i, red)                           v = pack(red, green, blue)
    store[offset=4](z, i, green)           becomes       vector_store[size=3, offset=0](z, i, v)
    store[offset=8](z, i, blue)

Programs that compute records, such as pixels or small matrices, store so. Only stores of the same region and
index are joined, to buffers that the kernel does not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Attribute, Module, Statement, Value, tensor_type, with_others, with_regions
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.records import Access, Touched
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS

_READS = frozenset({ops.LOAD, ops.VECTOR_LOAD, ops.LOAD_TO_LDS, *GLOBAL_ATOMICS})
# A store passes no other statement that has effects, such as a barrier or an atomic operation.
_PASSED = frozenset({*ops.STORES, *ops.LOADS, ops.LDS_LOAD, ops.LDS_STORE})


def join_stores(module: Module) -> Module:
    """The module with fewer stores of the same elements."""
    read = frozenset([statement.operands[0] for statement in module.walk() if statement.op in _READS])
    taken = {value.name for statement in module.walk() for value in statement.results}
    return replace(module, statements=_Joiner(read, taken).joined(module.statements))


class _Store(NamedTuple):
    """A store of `size` elements from `begin` on, counted from its index; `place` is that in the region."""

    begin: int
    size: int
    place: int
    statement: Statement

    @property
    def end(self) -> int:
        return self.begin + self.size


class _Joiner:
    """`read` are the buffers that the kernel reads, and `taken` the names of values."""

    def __init__(self, read: frozenset[Value], taken: set[str]) -> None:
        self._read = read
        self._taken = taken

    def joined(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """The statements of a region."""
        instead: dict[int, list[Statement]] = {}
        for run in self._runs(statements):
            instead |= {store.place: [] for store in run}
            instead[max([store.place for store in run])] = list(self._as_one(run))
        return with_others(statements, instead, lambda statement: with_regions(statement, self.joined))

    def _runs(self, statements: Sequence[Statement]) -> Iterator[list[_Store]]:
        """Stores that are joined: at least two, of successive elements, in the order of the elements."""
        groups: dict[Value, list[_Store]] = {}
        for place, statement in enumerate(statements):
            if statement.regions or (statement.op.effects and statement.op not in _PASSED):
                yield from _of_groups(groups)
                groups = {}
            elif statement.op in ops.STORES and statement.operands[0] not in self._read:
                buffer, index = statement.operands[:2]
                access, element = Access.of(statement), tensor_type(buffer).element
                begin, rest = divmod(access.offset, element.bytes)
                store, group = _Store(begin, access.size, place, statement), groups.setdefault(buffer, [])
                if group and not _goes_with(store, index, group):
                    yield from _of_groups({buffer: group})
                    group.clear()
                if not rest and element is not BOOL:
                    group.append(store)
        yield from _of_groups(groups)

    def _as_one(self, run: Sequence[_Store]) -> Iterator[Statement]:
        """A value of all elements, and its store."""
        of = run[0].statement
        place = run[-1].statement.place
        element = tensor_type(of.operands[0]).element
        type_ = LaneType(element, run[-1].end - run[0].begin)
        value = Value(fresh_name(of.operands[2].name, self._taken), type_)
        yield Statement(
            ops.PACK, tuple([store.statement.operands[2] for store in run]), (value,), {}, (), place
        )
        whole: dict[str, Attribute] = {**of.attributes, "size": type_.lanes}
        attributes = {spec.name: whole[spec.name] for spec in ops.VECTOR_STORE.attributes}
        yield Statement(ops.VECTOR_STORE, (*of.operands[:2], value), (), attributes, (), place)


def _goes_with(store: _Store, index: Value, group: Sequence[_Store]) -> bool:
    """Whether a store may be joined with others of the buffer: it has the same index, and other elements."""
    of = group[0].statement
    return (
        index is of.operands[1]
        and store.statement.attributes["streams"] == of.attributes["streams"]
        and _touched(store.statement) == _touched(of)
        and all(store.end <= other.begin or other.end <= store.begin for other in group)
    )


def _touched(statement: Statement) -> tuple[object, ...]:
    """The attributes of the touched memory that must be equal in all stores of a run."""
    touched, offset = Touched.of(statement), Access.of(statement).offset
    ends = tuple([end - offset for end in touched.bytes[:2]])
    return (touched.slot, touched.at, ends, touched.bytes[2:])


def _of_groups(groups: dict[Value, list[_Store]]) -> Iterator[list[_Store]]:
    for buffer, stores in groups.items():
        size = tensor_type(buffer).element.bytes
        ordered = sorted(stores, key=lambda store: store.begin)
        yield from [run for run in _connected(ordered, WIDEST_ACCESS // size) if len(run) > 1]


def _connected(ordered: Sequence[_Store], most: int) -> Iterator[list[_Store]]:
    """Runs of successive elements, as many as an instruction stores."""
    run = list(ordered[:1])
    for before, store in pairwise(ordered):
        if store.begin != before.end or store.end - run[0].begin > most:
            yield run
            run = []
        run.append(store)
    yield run
