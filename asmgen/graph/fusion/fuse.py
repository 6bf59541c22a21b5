"""Fuse: a graph becomes kernels.

A pointwise graph is a single kernel with all its outputs. Reductions of the same dims over the same axes
are a single kernel, even if a reduction needs the result of another. The kernel also has the pointwise ops
before and after them, and the tensors it reads that the graph returns. A reduction over other dims or axes
that needs their results is a later kernel, which may also do earlier reductions (`late_reductions.py`).
Scans of the same dims, along the same axis, in the same direction and in the same parts, are a kernel in the
same way; their results have the dims of the operands. So are sorts of the same dims along the same axis with
as many results. A matrix product is a kernel with the pointwise ops after it; products that share a factor
may be a single kernel (`siblings.py`), and so may a product and reductions of it (`epilogues.py`). Only
results of reductions and scans, and values that kernels would compute too often (`keep.py`,
`repeated_values.py`), pass between kernels. All other pointwise values are computed again. A computed factor
of a product is stored by the kernel that makes the last of its operands if that has its elements, such as
relu(x w) as a factor of the next layer.

    m = reduce_max[axes=1](x)      kernel 1 returns m, which goes to the buffer m
    s = reduce_sum[axes=0](m)      kernel 2 has m as a parameter of that name

Afterwards every statement of a module feeds its `@return`. The exception are parameters that no kernel
uses: the first kernel has them, since they are arguments of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from asmgen.graph.block_dots import PRODUCTS, has_several
from asmgen.graph.fusion.keep import ComputedFactor, Kept, Verdict, computed_factors, moved_from, stored
from asmgen.graph.ops import (
    LITERAL,
    PARAM,
    REDUCTIONS,
    RETURN,
    SCANS,
    SCATTER_ADD,
    SLICE,
    SORTS,
    TRANSPOSE,
)
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Sizes
from asmgen.ir.builder import fresh_name
from asmgen.ir.named_dims import named_dims
from asmgen.ir.program import Module, Statement, Value, argument_name, definitions, tensor_type
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.graph.fusion.siblings import Joint, Siblings
    from asmgen.graph.fusion.ways import Order, Way

    IsJoint = Callable[[Siblings, Mapping[Value, Statement]], Joint]

Dims = Sizes


class Output(NamedTuple):
    """An output of a kernel: the value, the name of its buffer, and the number of the graph's result; None
    for a value that only later kernels read."""

    value: Value
    name: str
    result: int | None


class FusedKernel(NamedTuple):
    """A kernel's graph, which returns the values of `outputs` in their order."""

    module: Module
    outputs: tuple[Output, ...]


class _Group(NamedTuple):
    """What reductions have in common that share a kernel: how many kernels come before, operand dims and
    result dims; scans also have an axis and a direction, and sorts an axis. Kept values of the same level and
    dims have a kernel, by its `number`, and so has each product and addition to memory."""

    level: int
    dims: Dims
    row_dims: Dims
    way: Way | Order | None = None
    number: int = 0


_CONSTANTS = _Group(0, (), ())  # the kernel of kept constants, such as zeros to which kernels add
_POINTWISE = _Group(1 << 30, (), ())  # the kernel of values that no reduction's kernel makes; it is last


def _way_of(statement: Statement) -> Way | Order | None:
    from asmgen.graph.fusion.ways import way_of

    return way_of(statement)


def _joints(defined: Mapping[Value, Statement], is_joint: IsJoint) -> list[tuple[Siblings, Joint]]:
    """The products that share a factor, and whether they are a single kernel."""
    if not has_several(defined.values()):
        return []
    from asmgen.graph.fusion.siblings import decided

    return decided(defined, lambda group: is_joint(group, defined))


def _running(module: Module) -> frozenset[Value]:
    """The values that later layers continue; they have several products."""
    if not has_several(module.statements):
        return frozenset()
    from asmgen.graph.fusion.running import running_values

    return running_values(module)


class Partition:
    """Distributes the statements of a graph over kernels. `taken` are names of other kernels; `is_stored`
    says which computed factors of products are stored, and `verdicts` keeps its answers; `is_joint` and
    `joints` do the same for products that share a factor. `kept` are the values that are stored to be
    read again. `epilogues` has the reductions that kernels of products do too (`epilogues.py`), and their
    products. Unless `moves_results`, no kernel stores results of a product in other dims or in another order
    than it makes them."""

    def __init__(
        self,
        module: Module,
        taken: set[str],
        is_stored: Callable[[ComputedFactor], Verdict] = stored,
        is_joint: IsJoint | None = None,
        epilogues: Mapping[Value, tuple[Statement, ...]] | None = None,
        kept: Kept | None = None,
        moves_results: bool = True,
    ) -> None:
        self._module = module
        self._epilogues = epilogues or {}
        self._row_dims = {
            dot.result: tensor_type(reduced).dims for reduced, dots in self._epilogues.items() for dot in dots
        }
        self._taken = taken
        self.defined = definitions(module)
        self._places = {
            result: place for place, each in enumerate(module.statements) for result in each.results
        }
        # The names of buffers: of the arguments, and of the results of kernels.
        parameters = [statement for statement in module.statements if statement.op is PARAM]
        self._buffers = {argument_name(statement) for statement in parameters}
        self._buffers.update(named_dims([tensor_type(statement.result) for statement in parameters]))
        # A value -> the results of reductions that it is made of, and whether each of its elements is made of
        # those at its own place alone.
        self._needs: dict[Value, dict[Value, bool]] = {}
        self._is_in_place = not moves_results
        self._moves = moves_results and any(each.op in (SLICE, TRANSPOSE) for each in module.statements)
        self._group: dict[Value, _Group] = {}  # the result of a reduction, or a kept value -> its kernel
        kept = kept or Kept.of(module)
        self._kept = kept.apart
        self._of_kept: dict[_Group, _Group] = {}  # by a group without its number
        self._is_stored = is_stored
        self._factors = computed_factors(module)
        self._running = _running(module) | kept.beside
        self.running: list[tuple[Value, bool]] = []  # each with whether a kernel stores it
        self.verdicts: list[tuple[ComputedFactor, Verdict]] = []
        self.joints = _joints(self.defined, is_joint) if is_joint is not None else []
        # A product -> those that are in its kernel.
        self._siblings = {
            dot: group.dots for group, joint in self.joints if joint.is_joint for dot in group.dots
        }
        self._added: dict[Value, _Group] = {}  # the results of additions to memory -> their kernels
        self._before: dict[Value, dict[Value, bool]] = {}  # a value -> the needs of its operands
        for statement in module.statements:
            self._visit(statement)
        self._delay()
        self._delay_products()
        self._parts: dict[_Group, list[Output]] = {}  # what each kernel to be returns, in order
        self._sent: dict[Value, str] = {}  # what later kernels need -> its buffer

    def kernels(self) -> list[FusedKernel]:
        """The kernels, in launch order."""
        return_ = self._module.statements[-1]
        for number, value in enumerate(return_.operands):
            home = self._product_of_moved(value) or self._home(value)
            self._parts.setdefault(home, []).append(Output(value, self._fresh(value), number))
        # a kernel only needs results of kernels of lower levels, which may be parts because of it alone
        for group in sorted(
            dict.fromkeys((*self._group.values(), _POINTWISE)), key=lambda group: -group.level
        ):
            if group in self._parts:
                self._require(group)
        self._name_added()
        order = sorted(self._parts, key=lambda group: group.level)
        return [
            FusedKernel(
                self._build(group, self._kernel_name(number), is_first=not number),
                tuple(self._parts[group]),
            )
            for number, group in enumerate(order)
        ]

    def _name_added(self) -> None:
        """An addition to memory has the buffer of its result, in which an earlier kernel puts the start."""
        for value, group in self._added.items():
            if group not in self._parts:
                continue
            start = self.defined[value].operands[0]
            outputs, (result,) = self._parts[self._group[start]], self._parts[group]
            self._sent[start] = result.name
            outputs[:] = [
                output._replace(name=result.name) if output.value is start else output for output in outputs
            ]

    def _fresh(self, value: Value) -> str:
        return fresh_name(value.name, self._buffers)

    def _kernel_name(self, number: int) -> str:
        if not number:
            return self._module.name
        return fresh_name(f"{self._module.name}_{number}", self._taken)

    def _visit(self, statement: Statement) -> None:
        needs: dict[Value, bool] = {}
        for operand in statement.operands:
            for need, in_place in self._needs[operand].items():
                stays = in_place and not statement.op.moves_elements
                needs[need] = stays and needs.get(need, True)
        self._before.update((result, needs) for result in statement.results)
        if statement.op in REDUCTIONS or statement.op in SCANS or statement.op in SORTS:
            dims, row_dims = tensor_type(statement.operands[0]).dims, tensor_type(statement.result).dims
            way = None if statement.op in REDUCTIONS else _way_of(statement)
            level = 0
            for need, in_place in needs.items():
                other = self._group[need]
                is_same = in_place and other[1:] == (dims, row_dims, way, 0)
                level = max(level, other.level + (not is_same))
            own = _Group(level, dims, row_dims, way)
            self._group[statement.result] = self._group_of_products(statement, needs) or own
            needs = {statement.result: True}
        elif statement.results and statement.result in self._factors:
            needs = self._visit_factor(statement, needs)
        elif needs and statement.results and statement.result in self._running:
            needs = self._visit_running(statement.result, needs)
        elif statement.results and (
            statement.result in self._kept or statement.op in (SCATTER_ADD, *PRODUCTS)
        ):
            dims = tensor_type(statement.result).dims
            level = max([self._group[need].level + 1 for need in needs], default=0)
            row_dims = self._row_dims.get(statement.result, dims)
            own = _Group(level, dims, row_dims, None, len(self._group) + 1)
            if statement.op is not SCATTER_ADD and statement.op not in PRODUCTS:
                alike = _CONSTANTS if self._is_constant(statement.result) else own._replace(number=0)
                own = self._of_kept.setdefault(alike, own)
            self._group[statement.result] = self._group_of_siblings(statement, level) or own
            needs = {statement.result: True}
            if statement.op is SCATTER_ADD:
                self._added[statement.result] = self._group[statement.result]
        self._needs.update((result, needs) for result in statement.results)

    def _delay(self) -> None:
        """Let later kernels of the same dims do reductions, if that saves kernels."""
        of_rows = {group for group in self._group.values() if group.way is None and not group.number}
        if len({group[1:] for group in of_rows}) == len(of_rows):
            return
        from asmgen.graph.fusion.late_reductions import Place, later_levels

        places = {value: Place(group.level, group[1:]) for value, group in self._group.items()}
        self._move(later_levels(places, self._before, self.defined))

    def _delay_products(self) -> None:
        """Let products come after reductions that the pointwise ops after them need."""
        alone = [value for value in self._group if self.defined[value].op in PRODUCTS]
        if not alone or len(self._group) == len(alone):
            return
        from asmgen.graph.fusion.late_products import later_products

        levels = {value: group.level for value, group in self._group.items()}
        results = [value for value in self._module.statements[-1].operands if value not in levels]
        moved = later_products(results, levels, (self._needs, self._before), self.defined)
        groups = list(self._group.values())
        self._move({value: level for value, level in moved.items() if groups.count(self._group[value]) == 1})

    def _move(self, levels: Mapping[Value, int]) -> None:
        for value, level in levels.items():
            self._group[value] = self._group[value]._replace(level=level)

    def _is_constant(self, value: Value) -> bool:
        """Whether the elements of a value of known dims are numbers that the graph states."""
        source = self.defined[moved_from(self.defined, value)]
        return source.op is LITERAL and isinstance(tensor_type(value).elements, int)

    def _group_of_siblings(self, statement: Statement, level: int) -> _Group | None:
        """The kernel of a product's siblings, unless the product needs a result of that kernel or of a later
        kernel."""
        for dot in self._siblings.get(statement, ()):
            group = self._group.get(dot.result)
            if group is not None and group.level >= level:
                return group
        return None

    def _group_of_products(self, reduction: Statement, needs: Iterable[Value]) -> _Group | None:
        """The kernel of products that does a reduction too, unless the reduction needs a value of a
        later kernel."""
        dots = self._epilogues.get(reduction.result, ())
        groups = {self._group[dot.result] for dot in dots if dot.result in self._group}  # others come later
        if len(groups) != 1:
            return None
        (home,) = groups
        is_ready = all(self._group[need] == home or self._group[need].level < home.level for need in needs)
        return home if is_ready else None

    def _visit_factor(self, statement: Statement, needs: dict[Value, bool]) -> dict[Value, bool]:
        """The needs of a computed factor: itself if it is stored."""
        value = statement.result
        self._needs[value] = needs
        home = self._home(value) if needs else _POINTWISE
        is_beside = home is not _POINTWISE
        readers = tuple(self._factors[value])
        factor = ComputedFactor(value, readers, self.defined, self._places, self._group, is_beside)
        verdict = self._is_stored(factor)
        self.verdicts.append((factor, verdict))
        is_continued = is_beside and value in self._running
        if not verdict.is_stored and not is_continued and value not in self._kept:
            return needs
        dims = tensor_type(value).dims
        level = max([self._group[need].level + 1 for need in needs], default=0)
        own = _Group(level, dims, dims, None, len(self._group) + 1)
        self._group[value] = home if is_beside else own
        return {value: True}

    def _visit_running(self, value: Value, needs: dict[Value, bool]) -> dict[Value, bool]:
        """The needs of a running value: itself if a kernel that makes one of its operands can store it."""
        self._needs[value] = needs
        home = self._home(value)
        self.running.append((value, home is not _POINTWISE))
        if home is _POINTWISE:
            return needs
        self._group[value] = home
        return {value: True}

    def _home(self, value: Value) -> _Group:
        """The kernel that makes a returned value: the last kernel that the value needs, if the value has
        the dims of that kernel, or had them before a reshape, or has results of reductions at other places,
        and the kernel's results are needed at their places."""
        if not self._needs[value]:
            return self._reader(value)
        if self.defined[value].op is SCATTER_ADD:
            group = self._group[value]
            return group if group not in self._parts else _POINTWISE
        latest = max([self._group[need] for need in self._needs[value]], key=lambda group: group.level)
        dims = (*self._dims_of(value, latest), latest.row_dims)
        if self._is_in_place and latest.number and tensor_type(value).dims not in dims:
            return _POINTWISE
        made = in_dims(self.defined, value, dims)
        made = made or self._before_moves(value, latest)
        if made is None or latest in self._added.values():
            return _POINTWISE
        early = all(
            in_place if self._group[need] == latest else self._group[need].level < latest.level
            for need, in_place in self._needs[made].items()
        )
        return latest if early else _POINTWISE

    def _before_moves(self, value: Value, group: _Group) -> Value | None:
        """The results of a kernel of reductions that a value has at other places."""
        if group.way is not None or group.number or not self._moves:
            return None
        from asmgen.graph.fusion.moved_results import moved_result

        moved = moved_result(self.defined, value, group.row_dims)
        return None if moved is None else moved.rows

    def _product_of_moved(self, value: Value) -> _Group | None:
        """The kernel of a product alone of which a returned value has results at other places, or values
        computed from them at their places."""
        products = [need for need in self._needs[value] if self.defined[need].op in PRODUCTS]
        if not self._moves or len(products) != 1:
            return None
        from asmgen.graph.fusion.moved_results import moved_result

        (product,) = products
        group, dims = self._group[product], tensor_type(product).dims
        moved = moved_result(self.defined, value, dims)
        if moved is None:
            return None
        is_alone = sum([other == group for other in self._group.values()]) == 1
        needs = self._needs[moved.rows]
        before = [self._group[need].level < group.level for need in needs if need != product]
        return group if is_alone and needs.get(product) and all(before) else None

    def _dims_of(self, value: Value, group: _Group) -> list[Dims]:
        """The dims of the results that a kernel makes for a value. Products may differ in them."""
        needs = [need for need in self._needs[value] if self._group[need] == group]
        products = [need for need in needs if self.defined[need].op in PRODUCTS]
        return [tensor_type(need).dims for need in products] or [group.dims]

    def _reader(self, value: Value) -> _Group:
        """The kernel that makes a returned value which needs no reduction: the first that reads a tensor of
        the value's dims which the value is made of too, so that it is read once."""
        made_of = self._pointwise([value])
        for reduced, group in self._group.items():
            if reduced in self._added or in_dims(self.defined, value, (group.dims,)) is None:
                continue
            dims = (tensor_type(value).dims, group.dims)
            shared = {each for each in made_of if tensor_type(each).dims in dims}
            if not shared.isdisjoint(self._pointwise(self.defined[reduced].operands)):
                return group
        return _POINTWISE

    def _pointwise(self, values: Iterable[Value]) -> set[Value]:
        """The values and everything they are made of, up to results of reductions."""
        reached: set[Value] = set()
        pending = list(values)
        while pending:
            value = pending.pop()
            if value not in reached and value not in self._group:
                reached.add(value)
                pending.extend(self.defined[value].operands)
        return reached

    def _require(self, group: _Group) -> None:
        """Make the earlier kernels return the values that this kernel needs from them."""
        for need in self._outside(group):
            if need in self._sent:
                continue
            outputs = self._parts.setdefault(self._group[need], [])
            name = next((output.name for output in outputs if output.value is need), "")
            if not name:
                name = self._fresh(need)
                outputs.append(Output(need, name, None))
            self._sent[need] = name

    def _outside(self, group: _Group) -> list[Value]:
        """The results of other kernels' reductions that a kernel is made of."""
        return [
            value for value in self._reached(group) if value in self._group and self._group[value] != group
        ]

    def _reached(self, group: _Group) -> dict[Value, None]:
        """Every value that a kernel is made of, up to other kernels' reductions."""
        reached: dict[Value, None] = {}
        pending = [output.value for output in self._parts[group]]
        while pending:
            value = pending.pop()
            if value in reached:
                continue
            reached[value] = None
            if self._group.get(value, group) == group:
                pending.extend(self.defined[value].operands)
        return reached

    def _build(self, group: _Group, name: str, is_first: bool) -> Module:
        places = {self._places[value] for value in self._reached(group)}
        if is_first:
            needed = {value for other in self._parts for value in self._reached(other)}
            parameters = [each.result for each in self._module.statements if each.op is PARAM]
            places |= {self._places[value] for value in parameters if value not in needed}
        statements: list[Statement] = []
        for statement in [self._module.statements[place] for place in sorted(places)]:
            is_own = self._group.get(statement.results[0], group) == group
            statements.append(_plain(statement) if is_own else self._received(statement))
        returned = tuple([output.value for output in self._parts[group]])
        place = self._module.statements[-1].place
        return Module(name, (*statements, Statement(RETURN, returned, (), {}, (), place)))

    def _received(self, statement: Statement) -> Statement:
        """An earlier kernel's result as a parameter."""
        name = self._sent[statement.result]
        return Statement(PARAM, (), (statement.result,), {"name": name}, (), statement.place)


def _plain(statement: Statement) -> Statement:
    """A `@param` without its statement about the argument of the program."""
    if statement.op is not PARAM or len(statement.attributes) == 1:
        return statement
    return replace(statement, attributes={"name": statement.attributes["name"]})
