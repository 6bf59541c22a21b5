"""A kernel's graph, with the facts that schedules ask of it, and the work that it is (`Work`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.choices import Body
from asmgen.blockwise.schedules.elements.indices import Data, Indices, total
from asmgen.blockwise.schedules.elements.joined_dims import as_one_row, joined
from asmgen.blockwise.schedules.elements.maps import Leaf, leaves
from asmgen.blockwise.schedules.elements.merged_dims import (
    Dims,
    conditions_of_elements,
    coordinate_symbols,
    even_divisor,
    innermost,
    is_along,
    is_packed,
    is_streamed,
    merged,
    widest_of_shared,
)
from asmgen.blockwise.schedules.elements.sections import Section, sections
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import (
    CLIP,
    CONCAT,
    IOTA,
    LITERAL,
    MAX,
    MIN,
    PARAM,
    REDUCTIONS,
    RELU,
    SCANS,
    SCATTER_ADD,
    SLICE,
    SORTS,
    TRANSPOSE,
    scanned,
)
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index import Index, Symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, Size, Sizes, at_most, most, number, symbols_of
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import BOOL, F16, TensorType, row_major
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.elements.squares import Axes
    from asmgen.graph.fusion.moved_results import MovedResult
    from asmgen.graph.fusion.ways import Order, Way

# Bytes that caches give lanes while memory gives a byte: elements that lanes share are work too. With 4,
# np.where(ids[:, None] == np.arange(37), x[:, None], 0).sum(0) of 20,011 rows takes 15.4 us on gfx942 in
# place of 63.3, and 12.6 on gfx1201 in place of 32.7. With 1, the same of {5000,16,64} takes 11.1 us on
# gfx942, and 9.5 with 4.
BYTES_OF_CACHES = 4
_NAN_WINS = frozenset({MAX, MIN, RELU, CLIP})  # if NaN wins in max and min
MOST_BOOLS = 32  # of a lane at a time: each is a mask in two SGPRs
# Rows of each of two buffers, and results, from which on a lane reads rows for several results
# (`choosing.pairs`).
LEAST_OF_PAIRS, RESULTS_OF_PAIRS = 8, 32768
FEW_ELEMENTS = 1024  # a buffer with fewer does not make vectors longer


class Graph:
    """A kernel's graph, with cached facts about it. `outputs` are the names of the buffers of its results, if
    given. `propagates_nan` is the rule of max and min. `room` is the number of registers that a lane may
    have, if the compile limits it. `rounds_factors` says that matrix instructions may round f32 factors.
    """

    def __init__(
        self,
        module: Module,
        outputs: tuple[str, ...] = (),
        propagates_nan: bool = False,
        room: int | None = None,
        rounds_factors: bool = False,
    ) -> None:
        self.module = module
        self.rounds_factors = rounds_factors
        self.outputs = outputs
        self.propagates_nan = propagates_nan
        self.room = room
        self.defined = definitions(module)
        self.reductions = tuple([statement for statement in module.statements if statement.op in REDUCTIONS])
        self.scans = tuple([statement for statement in module.statements if statement.op in SCANS])
        self.sorts = tuple([statement for statement in module.statements if statement.op in SORTS])
        added = [statement for statement in module.statements if statement.op is SCATTER_ADD]
        self.scatter = added[0] if added else None
        self.of_rows = self.reductions or self.scans or self.sorts
        self.returns = module.statements[-1].operands
        self.place = module.statements[-1].place  # of the stores

    @cached_property
    def work(self) -> Work:
        """The work of the kernel, as schedules choose by it."""
        return _work_of(self)

    @cached_property
    def work_of_one_row(self) -> Work:
        """The same with all reduced dims as a single dim."""
        return _work_of(self, is_of_one_row=True)

    @cached_property
    def products(self) -> tuple[Statement, ...]:
        """The matrix products."""
        return tuple([statement for statement in self.module.statements if statement.op in PRODUCTS])

    @property
    def has_even_products(self) -> bool:
        """Whether the results of its products have the same dims."""
        return len({tensor_type(product.result).dims for product in self.products}) == 1

    @property
    def body(self) -> Body:
        """The kind of the kernel."""
        if self.products:
            return Body.PRODUCT
        if self.scatter is not None:
            return Body.ADDITIONS
        if self.sorts:
            return Body.SORTS
        return Body.REDUCTIONS if self.reductions else Body.SCANS if self.scans else Body.POINTWISE

    @property
    def named(self) -> frozenset[Symbol]:
        """The named dims in the types of its values."""
        types = [value.type for value in self.defined if isinstance(value.type, TensorType)]
        return frozenset([symbol for type_ in types for symbol in symbols_of((*type_.dims, *type_.strides))])

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The outputs by dims, for kernels without reductions."""
        return sections(self.defined, self.returns)

    @cached_property
    def transposed(self) -> Axes | None:
        """The axes of a kernel without reductions that reads along another axis than it writes."""
        if self.of_rows:
            return None
        from asmgen.blockwise.schedules.elements.squares import axes_of

        return axes_of(self.defined, self.returns)

    @cached_property
    def dims(self) -> Sizes:
        """The dims of the reduced or scanned operand."""
        return tensor_type(self.of_rows[0].operands[0]).dims

    @cached_property
    def row_dims(self) -> Sizes:
        """The dims of the results of reductions, and of the rows of scans and sorts."""
        if self.scans or self.sorts:
            axis = self.way.axis if self.scans else self._order.axis
            return (*self.dims[:axis], 1, *self.dims[axis + 1 :])
        return tensor_type(self.reductions[0].result).dims

    @cached_property
    def result_dims(self) -> Sizes:
        """The dims of the results of reductions, scans or sorts."""
        return tensor_type(self.of_rows[0].result).dims

    @cached_property
    def way(self) -> Way:
        """The way of the scans."""
        from asmgen.graph.fusion.ways import Way

        return Way.of(self.scans[0])

    @cached_property
    def _order(self) -> Order:
        from asmgen.graph.fusion.ways import Order

        return Order.of(self.sorts[0])

    @cached_property
    def axes(self) -> Dims:
        """The reduced dims."""
        return tuple(
            [
                axis
                for axis, (dim, kept) in enumerate(zip(self.dims, self.row_dims, strict=True))
                if dim != kept
            ]
        )

    @cached_property
    def levels(self) -> list[list[Statement]]:
        """The reductions in groups: each needs only results of those before it."""
        reached: dict[Value, int] = {}
        levels: list[list[Statement]] = []
        for value, statement in self.defined.items():
            deepest = max((reached.get(operand, 0) for operand in statement.operands), default=0)
            if statement.op in REDUCTIONS:
                levels += [[] for _ in range(deepest + 1 - len(levels))]
                levels[deepest].append(statement)
                deepest += 1
            reached[value] = deepest
        return levels

    @cached_property
    def made(self) -> tuple[Value, ...]:
        """The outputs before any reshape to dims that are neither those of the reduced operand nor those of
        results; of moved results, all of these before that.
        """
        wanted = (self.dims,) if self.scans else (self.dims, self.result_dims)
        moved = self.moved_rows
        return tuple(
            [
                moved[value].rows if value in moved else in_dims(self.defined, value, wanted) or value
                for value in self.returns
            ]
        )

    @cached_property
    def moved_rows(self) -> dict[Value, MovedResult]:
        """The outputs that are results of reductions at other places."""
        if not self.reductions or self.products:
            return {}
        return self._moved(self.result_dims)

    @cached_property
    def moved_products(self) -> dict[Value, MovedResult]:
        """The outputs that are results of its single product at other places."""
        if len(self.products) != 1 or self.reductions:
            return {}
        return self._moved(tensor_type(self.products[0].result).dims)

    @property
    def moves_results(self) -> bool:
        """Whether results of reductions or of products have other places or other dims in the outputs."""
        dims = {tensor_type(product.result).dims for product in self.products}
        is_reshaped = bool(dims) and any(tensor_type(value).dims not in dims for value in self.returns)
        return is_reshaped or bool(self.moved_rows or self.moved_products)

    def _moved(self, dims: Sizes) -> dict[Value, MovedResult]:
        """The outputs that are results of these dims at other places."""
        if not any(statement.op in (SLICE, TRANSPOSE) for statement in self.module.statements):
            return {}
        from asmgen.graph.fusion.moved_results import moved_result

        found = {value: moved_result(self.defined, value, dims) for value in self.returns}
        return {value: moved for value, moved in found.items() if moved is not None}

    @property
    def whole(self) -> tuple[Value, ...]:
        """Those over all of the dims."""
        apart = self.result_dims if self.sorts and self.result_dims != self.dims else self.row_dims
        return tuple([value for value in self.made if tensor_type(value).dims != apart])


def _work_of(graph: Graph, is_of_one_row: bool = False) -> Work:
    reads = sum(_bytes(statement.result) for statement in graph.module.statements if statement.op is PARAM)
    limit = 1 << max(1, MOST_BOOLS // max(2, _bools(graph))).bit_length() - 1
    return _of_rows(graph, reads, limit, is_of_one_row) if graph.of_rows else _pointwise(graph, reads, limit)


class _Reads(NamedTuple):
    """The elements that reductions, scans and sorts read, from their operands, the `roots`: the conditions of
    elements, the address of each in its buffer, and the coordinates that it depends on (`used`). `streamed`
    are the addresses in buffers with elements of their own along all of the dims."""

    roots: Sequence[Value]
    conditions: Set[Below]
    addresses: Mapping[Leaf, Index]
    used: Mapping[Leaf, frozenset[Symbol]]
    streamed: Mapping[Leaf, Index]


def _reads(graph: Graph, symbols: Indices) -> _Reads:
    roots = [each for statement in graph.of_rows for each in scanned(statement)] + [*graph.whole]
    conditions: set[Below] = set()
    data, seen = Data(), set[Leaf]()
    reached = [
        leaf for root in roots for leaf in leaves(graph.defined, root, symbols, conditions, data, seen)
    ]
    read = dict.fromkeys([leaf for leaf in reached if _is_read(graph, leaf)])
    addresses = {leaf: total(leaf.indices, tensor_type(leaf.value).strides) for leaf in read}
    used = {leaf: data.reached(address.symbols) for leaf, address in addresses.items()}
    streamed = {
        leaf: address for leaf, address in addresses.items() if is_streamed(used[leaf], symbols, graph.axes)
    }
    return _Reads(roots, conditions, addresses, used, streamed)


def _of_rows(graph: Graph, bytes_read: int, limit: int, is_of_one_row: bool) -> Work:
    """The work of reductions, scans and sorts; with all reduced dims as a single dim if `is_of_one_row`."""
    symbols = coordinate_symbols(graph.dims)
    reads = _reads(graph, symbols)
    of_outputs = [total(symbols, row_major(graph.dims)) for _ in graph.whole[:1]]
    apart = merged(graph.dims, graph.axes, symbols, [*reads.addresses.values(), *of_outputs])
    element = _narrowest(reads, symbols, apart[-1] if apart else ())
    is_sum = len(graph.levels) == 1 and not graph.whole
    of_pairs = is_sum and not reads.conditions and not graph.moved_rows
    of_pairs = of_pairs and _is_of_pairs(apart, graph, symbols, [reads.used[leaf] for leaf in reads.streamed])
    groups = apart if of_pairs else joined(apart, graph.dims, graph.axes, bool(graph.whole))
    groups = as_one_row(groups, graph.axes) if is_of_one_row else groups
    dims = tuple([prod([graph.dims[axis] for axis in group]) for group in groups])
    in_memory = (*reads.streamed.values(), *of_outputs)
    divisor = even_divisor(graph.dims, apart) if groups != apart else WIDEST_ACCESS
    of_elements = (
        conditions_of_elements(reads.conditions, symbols, graph.axes) if is_sum else len(reads.conditions)
    )
    in_bytes = [(tensor_type(leaf.value).element.bytes, address) for leaf, address in reads.addresses.items()]
    widest = widest_of_shared(in_bytes, symbols, graph.axes)
    is_last_reduced = bool(apart) and apart[-1][0] in graph.axes
    run = most(innermost(apart, graph.dims, graph.axes, is_kept=False)) if is_last_reduced else 0
    return Work(
        dims=dims,
        groups=groups,
        reduced=tuple([position for position, group in enumerate(groups) if group[0] in graph.axes]),
        element=element,
        widest_access=min(limit, divisor, widest),
        streams=max(1, len(reads.streamed) - (_of_other_rows(graph, reads, symbols) if is_sum else 0)),
        levels=len(graph.levels),
        whole=bool(graph.whole),
        is_packed=groups == apart and all(is_packed(each, symbols, groups, dims) for each in in_memory),
        bytes=max(bytes_read, prod([most(dim) for dim in dims]) * element // BYTES_OF_CACHES),
        along=sum(is_along(own, symbols, graph.axes) for own in reads.used.values()),
        conditions=of_elements + _masks(graph),
        seeks=_seeks(graph),
        room=graph.room,
        stretch=innermost(apart, graph.dims, graph.axes, is_kept=True),
        run=run,
        issues=_issues(graph, prod(graph.dims)),
        has_pairs=all(tensor_type(leaf.value).element is F16 for leaf in reads.streamed),
        of_pairs=of_pairs,
    )


def _narrowest(reads: _Reads, symbols: Indices, last: Dims) -> int:
    """Bytes of an element of the narrowest buffer with elements of its own along the last dims. A mask of
    rows has none, and is read by the element."""
    own = [leaf for leaf in reads.streamed if is_along(reads.used[leaf], symbols, last)]
    return min([tensor_type(leaf.value).element.bytes for leaf in own or reads.streamed], default=4)


def _of_other_rows(graph: Graph, reads: _Reads, symbols: Indices) -> int:
    """The streamed buffers that other rows of a concatenation are read from."""
    if not any(statement.op is CONCAT for statement in graph.module.statements):
        return 0
    from asmgen.blockwise.schedules.elements.other_rows import of_other_rows

    return of_other_rows(graph.defined, reads.roots, symbols, graph.axes, reads.streamed.keys())


def _seeks(graph: Graph) -> bool:
    """Whether a reduction uses the index of an element."""
    statements = [statement for statement in graph.module.statements if statement.op is IOTA]
    return any(tensor_type(statement.result).dims != graph.row_dims for statement in statements)


def _is_of_pairs(
    groups: tuple[Dims, ...], graph: Graph, symbols: Indices, streamed: Sequence[frozenset[Symbol]]
) -> bool:
    """Whether the last group alone is reduced, and each buffer that is read along it has elements of its own
    along one of the two groups before at most, but some buffer along each of them."""
    if len(groups) < 3 or [group[0] in graph.axes for group in groups].index(True) != len(groups) - 1:
        return False
    pair = groups[-3:-1]
    sizes = [most(prod([graph.dims[axis] for axis in group])) for group in pair]
    if min(sizes) < LEAST_OF_PAIRS or most(prod(graph.row_dims)) < RESULTS_OF_PAIRS:
        return False
    of_rows, of_columns = [
        [any(as_symbol(symbols[axis]) in used for axis in group if symbols[axis].terms) for used in streamed]
        for group in pair
    ]
    return any(of_rows) and any(of_columns) and not any(map(all, zip(of_rows, of_columns, strict=True)))


def _issues(graph: Graph, elements: Dim) -> int:
    """About how many instructions compute an element of the values that have so many elements."""
    pointwise = [statement for statement in graph.module.statements if statement.op.pointwise]
    each = [one.op.issues for one in pointwise if tensor_type(one.result).elements == elements]
    return sum(each)


def _masks(graph: Graph) -> int:
    """The most conditions that an op keeps for an element. If NaN wins in max and min, an element may be
    tested for NaN twice, in a reduction and for an output, and its mask is kept between them.
    """
    ops = [statement.op for statement in graph.module.statements]
    keeps_rows = bool(graph.of_rows) and bool(graph.whole)
    is_asked_twice = graph.propagates_nan and keeps_rows and not _NAN_WINS.isdisjoint(ops)
    return max([op.masks for op in ops], default=0) + is_asked_twice


def _bools(graph: Graph) -> int:
    """The most bools that are live at once for an element, if the statements are computed in their order."""
    last = {
        operand: position
        for position, statement in enumerate(graph.module.statements)
        for operand in statement.operands
    }
    live: set[Value] = set()
    most_live = 0
    for position, statement in enumerate(graph.module.statements):
        live.update([value for value in statement.results if tensor_type(value).element is BOOL])
        most_live = max(most_live, len(live))
        live = {value for value in live if last.get(value, position) > position}
    return most_live


def _bytes(value: Value) -> int:
    """The bytes of a buffer, at most."""
    type_ = tensor_type(value)
    return most(type_.elements) * type_.element.bytes


def _pointwise(graph: Graph, reads: int, limit: int) -> Work:
    """A vector has 16 bytes of the narrowest buffer, so that every access of it has 16 bytes; or of the
    widest, if a vector would take more than two accesses of that: each would touch the lines of all."""
    from asmgen.blockwise.schedules.elements.cut_rows import cut_row

    sections = graph.sections
    elements = max([section.elements for section in sections], key=most, default=1)
    params = [statement.result for statement in graph.module.statements if statement.op is PARAM]
    large = [value for value in params if tensor_type(value).elements == elements]
    narrow, wide = _element_bytes(graph, params, most(elements))
    limit = min(limit, WIDEST_ACCESS // (narrow if wide <= 2 * narrow else wide))
    row = sections[0].row if len(sections) == 1 else 0
    columns = sections[0].columns if len(sections) == 1 else 0
    cut = 0 if row else cut_row(sections, limit)
    widest = max([section.vector(limit, row + cut > 0) for section in sections], default=1)
    conditions = max([section.conditions for section in sections], default=0) + _masks(graph)
    return Work(
        dims=(_dealt(sections),),
        groups=((),),
        reduced=(),
        element=narrow,
        widest_access=widest,
        streams=len(large),
        levels=0,
        whole=True,
        is_packed=True,
        bytes=reads,
        conditions=conditions,
        room=graph.room,
        widest_element=wide,
        columns=columns,
        of_columns=sum(tensor_type(value).elements == columns for value in params),
        row=row,
        cut=cut,
        parts=max([len(section.stored) for section in sections], default=1) // max(1, len(graph.returns)),
        stretch=sections[0].of_block if sections and sections[0].shares_rows and not sections[0].flat else 1,
        issues=_issues(graph, elements),
    )


def _dealt(sections: Sequence[Section]) -> Dim:
    """The elements that lanes have at different places: sections of as many elements share lanes, others have
    lanes of their own (`pages.pointwise`). All share them if only the launch knows a number of elements."""
    counts = dict.fromkeys([section.elements for section in sections])
    if any(isinstance(count, Size) for count in counts):
        return max(counts, key=most)
    return sum([number(count) for count in counts]) or 1


def _element_bytes(graph: Graph, params: Sequence[Value], elements: int) -> tuple[int, int]:
    """Bytes of an element of the narrowest and of the widest buffer of a pointwise kernel. Buffers of few
    elements do not count; those of less than a quarter of the elements are never the widest.
    """
    many = [value for value in params if most(tensor_type(value).elements) > FEW_ELEMENTS]
    streamed = [value for value in params if 4 * most(tensor_type(value).elements) >= elements]
    narrow = [tensor_type(value).element.bytes for value in (*many, *graph.returns)]
    wide = [tensor_type(value).element.bytes for value in (*streamed, *graph.returns)]
    return min(narrow, default=1), max(wide, default=1)


def _is_read(graph: Graph, leaf: Leaf) -> bool:
    return (
        graph.defined[leaf.value].op in (PARAM, LITERAL)
        and bool(leaf.indices)
        and not at_most(tensor_type(leaf.value).elements, 1).is_shown
    )
