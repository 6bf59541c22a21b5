"""From a graph to a gridwise program: the algorithm of each reduction is chosen, then launches are cut, then
each gets its schedule.

The launches are the kernels of `graph/fusion/fuse.py`: reductions of the same dims over the same axes, and
the pointwise ops around them. If a later launch needs a result of the program, it reads that buffer; any
other value that it needs is a temporary with the name of the value.

The grid of a launch follows from its schedule, so the tile program is made together with the launch.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.rules.codes import NotShownWithin
from asmgen.blockwise.schedules.choices import Choice
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.schedule import schedule_of
from asmgen.graph.block_dots import PRODUCTS, reduces_products
from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.fusion.keep import Kept, moves_computed
from asmgen.graph.needed import needed
from asmgen.graph.ops import ADD, ADDITIONS, DOT_GENERAL, MUL, PARAM, REDUCTIONS, SUB
from asmgen.graph.rewritings.rows import ops_of
from asmgen.gridwise.choose import (
    Parts,
    chosen,
    clocks_of_kernel,
    clocks_of_launch,
    multiplying,
    share_wanted,
    shares_of,
    verdict_of_epilogue,
    verdict_of_factor,
    verdict_of_siblings,
    verdict_of_sums,
)
from asmgen.gridwise.lower import grid_of, launched_if, numbered
from asmgen.gridwise.prepare import prepare
from asmgen.gridwise.program import (
    Buffer,
    Dim,
    GridFile,
    Launch,
    LaunchProgram,
    Parameter,
    Result,
    Shape,
    Temporary,
)
from asmgen.gridwise.verify import check, check_outputs, check_statements
from asmgen.index import Index, constant
from asmgen.index.nodes import NotAnIndex
from asmgen.ir.named_dims import named_dims, tensors, unclamped
from asmgen.ir.program import Module, Program, Statement, Value, argument_name, tensor_type
from asmgen.ir.types import F32, F64, ElementType, row_major
from asmgen.options import EXACT, MATRIX_PRECISIONS, TF32
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.targets import TargetId

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.choosing.parts import Share
    from asmgen.blockwise.schedules.choosing.prologue import ShapesOfReaders
    from asmgen.gridwise.few import Cases
    from asmgen.gridwise.stated import Stated

_OfProducts = Mapping[Value, tuple[Statement, ...]]  # reductions, and the products of their kernels
# Products that need as many launches apart are joined if their estimate is at most this part of the clocks
# apart. Measured on gfx950: at an estimate of 0.84 or less, eight cases of 2 to 64 rows take 0.6 to 0.95 of
# the clocks apart; at 0.88, 48 rows take 0.89, and 64 rows take 1.05
_NOT_APART = "BLK003"  # the rule of races does not show that elements have places of their own
_GAIN = 0.86


class Cut(NamedTuple):
    """The gridwise programs of a file, and the tile program of each launch in their order."""

    file: GridFile
    tiles: TileProgram


def cut(
    graphs: Program,
    target: TargetId,
    propagates_nan: bool = False,
    parts: Parts = share_wanted,
    room: int | None = None,
    stated: Stated | None = None,
    precision: str = EXACT,
) -> Cut:
    """A program for each graph of a file. Raises `InputError` at the first size that is not lowered.

    `propagates_nan` is the rule of max and min; `parts` says how workgroups share a reduction; `room` is
    the number of registers that a lane may have, if the user limits it. `stated` are schedules that the user
    states (`asmgen.gridwise.stated`). `precision` is that of f32 factors of matrix products; `InputError`
    OPT010 if the target does not have it.
    """
    _check_precision(precision, target.target)
    taken = {module.name for module in graphs.modules}
    asked = _Asked(target, propagates_nan, parts, room, stated or {}, precision)
    pieces = [_cut_whole(module, asked, taken) for module in graphs.modules]
    file = GridFile(target, tuple([program for program, _ in pieces]))
    if stated:
        from asmgen.gridwise.stated import require_launches

        require_launches(stated, [launch.name for program in file.programs for launch in program.launches])
    return Cut(file, numbered(file, [kernel for _, kernels in pieces for kernel in kernels]))


def _check_precision(precision: str, target: Target) -> None:
    from asmgen.blockwise.matrix import fastest

    if precision == TF32 and fastest(F32, target, rounds=True) == fastest(F32, target):
        others = ", ".join([each for each in MATRIX_PRECISIONS if each != TF32])
        message = f"{target.name} has no matrix instruction that rounds f32 to tf32, wanted one of {others}"
        help = "gfx942 multiplies tf32; bf16x3 loses at most 2**-14 of each product on every target"
        raise InputError("matrix_precision", "OPT010", message, help=help)


class _Asked(NamedTuple):
    """The arguments of `cut`, besides the graphs."""

    target: TargetId
    propagates_nan: bool
    parts: Parts
    room: int | None
    stated: Stated
    precision: str
    moves_results: bool = True  # whether kernels store results at other places

    @property
    def rounds_factors(self) -> bool:
        """Whether matrix instructions may round f32 factors."""
        return self.precision == TF32

    def graph(self, kernel: FusedKernel) -> Graph:
        outputs = tuple([output.name for output in kernel.outputs])
        return Graph(kernel.module, outputs, self.propagates_nan, self.room, self.rounds_factors)


def _cut_whole(module: Module, asked: _Asked, taken: set[str]) -> tuple[LaunchProgram, list[Kernel]]:
    """If no schedule accepts a module with clamped slices of named dims, try dims so large that no slice is
    clamped."""
    names = _named_dims(module)
    if not names:
        return _cut_module(module, asked, taken)
    graph = needed(module)
    try:
        return _cut_named(graph, names, asked, taken)
    except InputError:
        large = unclamped(graph)
        if not large:
            raise
    from asmgen.graph.at_sizes import module_at

    return _cut_named(module_at(graph, large), names, asked, taken)


def _named_dims(module: Module) -> Sequence[str]:
    return named_dims(type_ for type_, _ in tensors(module))


def _cut_named(
    module: Module, names: Sequence[str], asked: _Asked, taken: set[str]
) -> tuple[LaunchProgram, list[Kernel]]:
    """The kernels of a module with named dims are right for every size. Raises `InputError` GEN903 for a size
    that is not an index expression, such as a quotient of two dims, and for an access that is not shown to be
    in its buffer.
    """
    from asmgen.graph.named_rules import check_named

    check_named(module)
    try:
        return _cut_module(module, asked, taken)
    except NotAnIndex as error:
        raise _refused(module, names, f"{error} is asked for", error.place) from error
    except NotShownWithin as error:
        raise _refused(module, names, "an access is not shown to be in its buffer") from error


def _refused(module: Module, names: Sequence[str], why: str, place: Place | None = None) -> InputError:
    return InputError(
        place or module.statements[-1].place or module.name,
        "GEN903",
        f"{module.name} is not lowered for every {' and '.join(names)}: {why}",
        help=f"write {names[0]} as a number, and compile once for each",
    )


def _cut_module(module: Module, asked: _Asked, taken: set[str]) -> tuple[LaunchProgram, list[Kernel]]:
    """Kernels store results at other places if it is shown that no workgroup stores what another stores, and
    launches of their own move the results otherwise."""
    check_statements(module)
    if not ADDITIONS.isdisjoint(ops_of(module)) and not _adds_in_memory(F64, asked.target.target):
        from asmgen.graph.rewritings.scatters import in_order

        module = in_order(module, F64)
    simple, of_products = _prepared(module, asked, taken)
    simple, kernels = _with_sums_in_readers(simple, of_products, asked, taken)
    kept, kernels = _with_repeated_stored(simple, kernels, of_products, asked, taken)
    for kernel in kernels:
        check_outputs(kernel.module, {output.value: output.name for output in kernel.outputs})
    cases = _with_parts(simple, kernels, kept, of_products, asked, taken)
    kernels = [kernel for kernel, _ in cases]
    graphs = [asked.graph(kernel) for kernel in kernels]
    taken |= {kernel.module.name for kernel in kernels}
    donated = {argument_name(each) for each in module.statements if "donated" in each.attributes}
    results = {output.name for kernel in kernels for output in kernel.outputs if output.result is not None}
    whens = [when for _, when in cases]
    try:
        launches, tiles = _launches(graphs, whens, asked, donated | results if donated else set())
    except (InputError, NotShownWithin) as error:
        is_of_places = isinstance(error, NotShownWithin) or error.code == _NOT_APART
        if not is_of_places or not asked.moves_results or not any(graph.moves_results for graph in graphs):
            raise
        return _cut_module(module, asked._replace(moves_results=False), taken)
    program = _program(module, kernels, launches)
    check(program)
    if not donated:
        return program, tiles
    from asmgen.gridwise.in_place import in_place

    of_name = {graph.module.name: graph for graph in graphs}
    return in_place(module, program, tiles, lambda name, choice: _scheduled(of_name[name], choice, asked))


def _with_parts(
    module: Module,
    kernels: list[FusedKernel],
    kept: Kept,
    of_products: _OfProducts,
    asked: _Asked,
    taken: set[str],
) -> Cases:
    """The kernels with reductions and scans in parts, and the condition of each. Reductions of few elements
    of named dims are whole (`asmgen.gridwise.few`), unless results are in the memory of arguments: such a
    result has a single writer."""
    rounded = _rounded_alike if _adds_products(module) else list[FusedKernel]
    shares = shares_of([asked.graph(kernel) for kernel in kernels], asked.parts, asked.target.target)
    if not shares:
        return [(kernel, None) for kernel in rounded(kernels)]
    from asmgen.gridwise.few import few_of, for_all_sizes, in_versions
    from asmgen.gridwise.parts import in_parts

    def divided(shares: Mapping[Value, Share]) -> list[FusedKernel]:
        if not any(share.parts > 1 for share in shares.values()):
            return rounded(kernels)
        nans = asked.propagates_nan
        return rounded(in_parts(module, shares, again, asked.target.target, nans).kernels)

    def again(graph: Module) -> list[FusedKernel]:
        return _kernels(graph, of_products, asked, taken, Kept.of(graph) | kept)

    is_donated = any("donated" in each.attributes for each in module.statements)
    few = None if is_donated else few_of(module, shares)
    cases = None if few is None else in_versions(divided(shares), divided(few.shares), few.is_many)
    return cases or [(kernel, None) for kernel in divided(for_all_sizes(shares))]


def _rounded_alike(kernels: list[FusedKernel]) -> list[FusedKernel]:
    from asmgen.graph.fusion.alike import rounded_alike

    return rounded_alike(kernels)


def _adds_in_memory(element: ElementType, target: Target) -> bool:
    """Whether a target has an instruction that adds an element to memory. Other targets compare and swap in a
    loop, in which all lanes wait for each other if they add to the same element."""
    from asmgen.lanewise.atomic_ops import ATOMIC, row_name
    from isa.table import table_of

    return table_of(target).find(row_name(ATOMIC, "add", element), "saddr") is not None


def _adds_products(module: Module) -> bool:
    """Whether a sum or a difference comes after a product."""
    ops = [statement.op for statement in module.statements]
    return MUL in ops and not {ADD, SUB}.isdisjoint(ops[ops.index(MUL) :])


def _prepared(module: Module, asked: _Asked, taken: set[str]) -> tuple[Module, _OfProducts]:
    """The graph of the launches, and the reductions that kernels of products take."""
    products = multiplying(asked.target.target, asked.precision)
    simple = prepare(module, asked.propagates_nan, products)
    if _has_several_products(module):
        from asmgen.graph.rewritings.joined_rows import may_join_rows

        if may_join_rows(module) and not _named_dims(module):
            joined = prepare(module, asked.propagates_nan, products, joins_rows=True)
            apart, together = [_planned(each, asked, taken) for each in (simple, joined)]
            simple = joined if _is_better(together, apart) else simple
    if not reduces_products(simple):
        return simple, {}
    from asmgen.gridwise.epilogue import reduced_by_products

    kernels = _kernels(simple, {}, asked, taken)
    is_taken = partial(verdict_of_epilogue, target=asked.target.target, rounds=asked.rounds_factors)
    reduced = reduced_by_products(simple, kernels, is_taken, asked.propagates_nan)
    return reduced.module, reduced.of_products


def _has_several_products(module: Module) -> bool:
    return sum([each.op in PRODUCTS or each.op is DOT_GENERAL for each in module.statements]) > 1


class _Planned(NamedTuple):
    """The launches of a prepared graph, and their estimated clocks."""

    launches: int
    clocks: float


def _planned(module: Module, asked: _Asked, taken: set[str]) -> _Planned:
    target, kernels = asked.target.target, _kernels(module, {}, asked, taken)
    each = [clocks_of_launch(asked.graph(kernel), asked.parts, target) for kernel in kernels]
    return _Planned(len(each), sum(each))


def _is_better(together: _Planned, apart: _Planned) -> bool:
    """Whether products are better joined: in fewer launches, or in certainly fewer clocks."""
    is_fewer = together.launches < apart.launches
    gain = 1 if is_fewer else _GAIN
    return together.launches <= apart.launches and together.clocks < gain * apart.clocks


def _with_sums_in_readers(
    module: Module, of_products: _OfProducts, asked: _Asked, taken: set[str]
) -> tuple[Module, list[FusedKernel]]:
    """The graph in which kernels compute the sums of few elements that they read, if that takes less time
    than a launch, and its kernels."""
    kernels = _kernels(module, of_products, asked, taken)
    if len(kernels) == 1 or REDUCTIONS.keys().isdisjoint(ops_of(module)):
        return module, kernels
    from asmgen.graph.fusion.short_reductions import in_readers

    again = partial(_kernels, of_products=of_products, asked=asked, taken=taken)
    placed = in_readers(module, kernels, again, partial(verdict_of_sums, target=asked.target.target))
    return placed.module, placed.kernels


def _with_repeated_stored(
    module: Module, kernels: list[FusedKernel], of_products: _OfProducts, asked: _Asked, taken: set[str]
) -> tuple[Kept, list[FusedKernel]]:
    """The values that kernels would compute again and therefore store, and the kernels."""
    if len(kernels) == 1 and not moves_computed(module):
        return Kept(), kernels
    from asmgen.graph.fusion.repeated_values import with_repeated_stored

    always = Kept.of(module)
    tiles: ShapesOfReaders = {}
    placed = with_repeated_stored(
        module,
        kernels,
        lambda kept: _kernels(module, of_products, asked, taken, always | kept, tiles),
        lambda kernel: clocks_of_kernel(asked.graph(kernel), asked.parts, asked.target.target),
    )
    return placed.kept, placed.kernels


def _kernels(
    module: Module,
    of_products: _OfProducts,
    asked: _Asked,
    taken: set[str],
    kept: Kept | None = None,
    tiles: ShapesOfReaders | None = None,
) -> list[FusedKernel]:
    target = asked.target.target
    is_stored = partial(verdict_of_factor, target=target, known=tiles)
    is_joint = partial(verdict_of_siblings, target=target, rounds=asked.rounds_factors, cuts=False)
    moves = asked.moves_results
    return Partition(module, set(taken), is_stored, is_joint, of_products, kept, moves).kernels()


def _launches(
    graphs: Sequence[Graph], whens: Sequence[Index | None], asked: _Asked, placed: Set[str]
) -> tuple[list[Launch], list[Kernel]]:
    """The launches with their conditions, and the kernel of each that does not run the kernel of an equal
    launch before it. A launch that accesses a buffer of `placed`, or has a stated schedule, has a kernel of
    its own."""
    if len(graphs) == 1:
        launch, kernel = _launch(graphs[0], None, asked)
        return [launch], [kernel]
    from asmgen.gridwise.sharing import Form, form_of, relaunched

    first: dict[Hashable, tuple[Launch, Form]] = {}
    launches: list[Launch] = []
    kernels: list[Kernel] = []
    for graph, when in zip(graphs, whens, strict=True):
        name = graph.module.name
        form = form_of(graph.module, graph.outputs)
        if form is not None and not placed.isdisjoint(form.buffers):
            form = None
        key = None if form is None else (form.key, when)
        if form is not None and key in first and name not in asked.stated:
            launch, earlier = first[key]
            buffers = dict(zip(earlier.buffers, form.buffers, strict=True))
            launches.append(relaunched(launch, buffers, name, graph.module))
            continue
        launch, kernel = _launch(graph, when, asked)
        launches.append(launch)
        kernels.append(kernel)
        if form is not None:
            _ = first.setdefault(key, (launch, form))
    return launches, kernels


def _launch(graph: Graph, when: Index | None, asked: _Asked) -> tuple[Launch, Kernel]:
    target = asked.target.target
    choice = None
    if asked.stated:
        from asmgen.gridwise.stated import stated_for

        choice = stated_for(graph, asked.stated, target)
    return _scheduled(graph, choice or chosen(graph, target), asked, when)


def _scheduled(
    graph: Graph, choice: Choice, asked: _Asked, when: Index | None = None
) -> tuple[Launch, Kernel]:
    body, name, writes = graph.module, graph.module.name, graph.outputs
    reads = tuple([argument_name(statement) for statement in body.statements if statement.op is PARAM])
    tiles = launched_if(schedule_of(graph, choice, asked.target.target), when)
    x, y, z = grid_of(tiles)
    grid = tuple([constant(count) for count in ((x, y, z) if z != 1 else (x, y) if y != 1 else (x,))])
    return Launch(name, reads, writes, grid, choice, body, when=when), tiles


def _program(module: Module, kernels: list[FusedKernel], launches: list[Launch]) -> LaunchProgram:
    """Parameters, what passes between launches, then results; each in the order in which it is made."""
    parameters = [
        Parameter(argument_name(statement), shape_of(statement.result))
        for statement in module.statements
        if statement.op is PARAM
    ]
    results: dict[int, Buffer] = {}
    kept: dict[str, Buffer] = {}
    of_results = {output.name for kernel in kernels for output in kernel.outputs if output.result is not None}
    for launch, kernel in zip(launches, kernels, strict=True):
        for value, name, number in kernel.outputs:
            shape = Shape(*shape_of(value)[:2])
            if number is not None:
                results[number] = Result(name, shape)
            elif name not in of_results and name not in kept:
                last = [each.name for each in launches if name in each.reads][-1]
                kept[name] = Temporary(name, shape, first=launch.name, last=last)
    in_order = [results[number] for number in sorted(results)]
    buffers = (*parameters, *kept.values(), *in_order)
    return LaunchProgram(module.name, _dims(buffers), buffers, tuple(launches))


def _dims(buffers: Iterable[Buffer]) -> tuple[Dim, ...]:
    """The named dims of buffers."""
    sizes = [size for buffer in buffers for size in (*buffer.shape.sizes, *(buffer.shape.strides or ()))]
    symbols = [symbol for size in sizes for symbol in sorted(size.symbols, key=lambda symbol: symbol.name)]
    return tuple([Dim(symbol.name, symbol.high, None, symbol.low) for symbol in dict.fromkeys(symbols)])


def shape_of(value: Value) -> Shape:
    """The shape of a value."""
    type_ = tensor_type(value)
    strides = (
        None
        if type_.strides == row_major(type_.dims)
        else tuple([constant(stride) for stride in type_.strides])
    )
    return Shape(type_.element, tuple([constant(dim) for dim in type_.dims]), strides)
