"""A program at other sizes: sizes that the compiler treats differently, and values of named dims.

A size of a program is a number above 1 that occurs among the dims of its parameters and results. A size at a
time takes the values of a ladder: less than a wave, a wave, its tails, several waves, several workgroups,
rows that stay in registers and rows that do not. The other sizes are few, or many: as many as the varied size
if that is not too large, so that peaks are tried at every place of a row. Every resulting graph is lowered to
lanes, and the first of each form is kept. A form has the size of a workgroup and the ops of its lanes, with
their types and numbers of lanes. It has neither the literals nor the number of workgroups.

Named dims take the values of another ladder: nothing, a single element, the tails of accesses, waves and
workgroups, and several workgroups. Odd values come first, since every setting of the emulator runs at the
first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from msgspec.structs import replace

from asmgen.compilation import Source
from asmgen.compiler import launch_of, start
from asmgen.graph.array_sizes import Values, named_dims_of
from asmgen.graph.at_sizes import parameter_at
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.index.nodes import Symbol
from asmgen.index.size import Sizes, numbers
from asmgen.ir.constants import repeated
from asmgen.ir.program import Attribute, Module, Program, Stage, Statement, Value, literal_numbers
from asmgen.ir.types import TensorType, row_major, tensor
from asmgen.lanewise.ops import LAUNCH
from asmgen.options import Options
from asmgen.pipeline import advance, collector_off
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.targets import TargetId

Resized = dict[int, int]
Form = tuple[int, frozenset[object]]

LADDER = (1, 3, 16, 63, 64, 65, 130, 256, 300, 1000, 1024, 1030, 5000, 9001, 36000)
_MANY, _FEW = 70, 3
_MOST_ELEMENTS = 1 << 17  # of a tensor
_MOST_STATEMENTS, _TIMES_OWN = 3000, 2  # of the lanes' program of another size: in all, and of the program's
_MOST_SIZES = 4  # of a program that are varied: the largest sizes
_STRUCTURAL = ("size", "lanes", "waves", "op", "block")  # attributes that belong to a form


class Resizing(NamedTuple):
    """The graphs of other forms, each with a name such as `{300, 70}`, and why sizes were left out."""

    programs: list[tuple[str, Program]]
    notes: list[str]


def resized_programs(graph: Program, target: TargetId, options: Options) -> Resizing:
    """The graphs of the forms that `graph` itself does not have. Graphs with very long code are left out: to
    compile them would take longer than everything else."""
    resizing = Resizing([], [])
    with collector_off():
        known, own = _forms(graph, target, options)
        most = max(_MOST_STATEMENTS, _TIMES_OWN * own)
        for sizes in _choices(graph):
            other = resized(graph, sizes)
            if other is None:
                continue
            forms, statements = _forms(other, target, options)
            if forms <= known:
                continue
            known |= forms
            if statements > most:
                resizing.notes.append(
                    f"not tried at {_name(other)}: {statements} statements, wanted at most {most}"
                )
            else:
                resizing.programs.append((_name(other), other))
    return resizing


def _name(graph: Program) -> str:
    dims = dict.fromkeys(_dims(s.result) for m in graph.modules for s in m.statements if s.op is PARAM)
    return " ".join("{" + ", ".join(map(str, shape)) + "}" for shape in dims)


def _dims(value: Value) -> Sizes:
    return value.type.dims if isinstance(value.type, TensorType) else ()


def _sizes(graph: Program) -> list[int]:
    """The sizes of a program, the largest first."""
    return sorted(
        {
            dim
            for m in graph.modules
            for s in m.walk()
            for value in s.results
            for dim in _dims(value)
            if isinstance(dim, int) and dim > 1
        },
        reverse=True,
    )


def _choices(graph: Program) -> Iterator[Resized]:
    sizes = _sizes(graph)
    for varied in sizes[:_MOST_SIZES]:
        for value in LADDER:
            square = value if value * value <= _MOST_ELEMENTS else 0
            for others in (max(_MANY, square), _FEW) if len(sizes) > 1 else (_FEW,):
                yield {size: value if size == varied else others for size in sizes}


class _TooLarge(Exception):
    """A tensor has more than `_MOST_ELEMENTS`."""


def resized(graph: Program, sizes: Resized) -> Program | None:
    """The graph with every size replaced; None if its ops do not allow that, or if it becomes too large."""
    try:
        modules = tuple(_resized_module(module, sizes) for module in graph.modules)
    except (InputError, _TooLarge):
        return None
    values = [value for module in modules for statement in module.statements for value in statement.results]
    if any(isinstance(value.type, TensorType) and value.type.size > _MOST_ELEMENTS for value in values):
        return None
    return replace(graph, modules=modules)


def _resized_module(module: Module, sizes: Resized) -> Module:
    builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])
    new: dict[Value, Value] = {}
    for statement in module.statements[:-1]:
        new[statement.result] = _resized_statement(
            builder, statement, tuple(new[operand] for operand in statement.operands), sizes
        )
    last = module.statements[-1]
    assert last.op is RETURN, "a graph ends in its return"
    return builder.finish(module.name, tuple(new[operand] for operand in last.operands), last.place)


def _resized_statement(
    builder: GraphBuilder, statement: Statement, operands: tuple[Value, ...], sizes: Resized
) -> Value:
    result = statement.result
    if statement.op is PARAM:
        return builder.param(
            result.name, str(statement.attributes["name"]), _resized_type(result, sizes), statement.place
        )
    if statement.op is LITERAL:
        type_ = _resized_type(result, sizes)
        values = repeated(literal_numbers(statement), type_.size)
        return builder.literal(result.name, values, type_, statement.place)
    attributes = dict(statement.attributes)
    for spec in statement.op.attributes:
        if spec.holds_sizes:
            attributes[spec.name] = _replaced(attributes[spec.name], sizes)
    return builder.apply(statement.op, operands, attributes, result.name, statement.place)


def _replaced(value: Attribute, sizes: Resized) -> Attribute:
    numbers = value if isinstance(value, tuple) else (value,)
    return tuple(sizes.get(number, number) if isinstance(number, int) else number for number in numbers)


def _resized_type(value: Value, sizes: Resized) -> TensorType:
    """The type with other dims; its strides have the old order, the old gaps and the old zeros."""
    type_ = value.type
    assert isinstance(type_, TensorType), "a graph's values are tensors"
    dims = tuple(sizes.get(dim, dim) for dim in type_.shape)
    if prod(dims) > _MOST_ELEMENTS:  # before the numbers of a literal are made
        raise _TooLarge
    if type_.is_packed:
        return tensor(type_.element, dims, row_major(dims))
    strides = list(numbers(type_.strides))
    old_step, new_step = 1, 1
    for axis in sorted(range(type_.rank), key=lambda axis: (strides[axis], type_.shape[axis])):
        stride = strides[axis]
        if stride:
            strides[axis] = stride // old_step * new_step + stride % old_step
            old_step, new_step = stride * type_.shape[axis], strides[axis] * dims[axis]
    return tensor(type_.element, dims, tuple(strides))


def _forms(graph: Program, target: TargetId, options: Options) -> tuple[set[Form], int]:
    """The form of each kernel, which identifies a way of lowering, and the number of statements. A refused
    program has no form."""
    compilation = start(Source.of_program("--verify", graph), target, options)
    try:
        advance(compilation, Stage.LANEWISE.value)
        modules = compilation.stages.programs[Stage.LANEWISE].modules
    except InputError:
        return set(), 0
    forms = {(index, frozenset(_facts(module, target))) for index, module in enumerate(modules)}
    return forms, sum(1 for module in modules for _ in module.walk())


def _facts(module: Module, target: TargetId) -> Iterator[object]:
    _grid, block = launch_of(module, target)
    yield block
    for statement in module.walk():
        if statement.op is not LAUNCH:
            types = tuple(
                str(value.type) for value in statement.results if not isinstance(value.type, TensorType)
            )
            yield statement.op.name, types, *(statement.attributes.get(name) for name in _STRUCTURAL)


LAUNCH_LADDER = (67, 1, 2, 3, 63, 64, 65, 255, 1000, 1027, 5003)
_SHORT = 13  # of a row, if there are many
NO_SIZES: Mapping[str, int] = {}
_MOST_ELEMENTS_OF_LAUNCH = 1 << 16  # of a parameter, past the first values


def launch_sizes(parameters: Sequence[Statement]) -> list[Values]:
    """The values of the ladder at which no parameter is large; with several names each has another value."""
    dims = list(named_dims_of(parameters).items())
    chosen: list[Values] = []
    for number, _ in enumerate(LAUNCH_LADDER):
        values = {
            name: min(max(LAUNCH_LADDER[(number + place) % len(LAUNCH_LADDER)], symbol.low), symbol.high)
            for place, (name, symbol) in enumerate(dims)
        }
        if number < 2 or _largest(parameters, values) <= _MOST_ELEMENTS_OF_LAUNCH:
            chosen.append(values)
    for values in _many_of_one(dims) if len(dims) > 1 else ():
        if _largest(parameters, values) <= _MOST_ELEMENTS_OF_LAUNCH:
            chosen.append(values)
    return chosen


def _many_of_one(dims: Sequence[tuple[str, Symbol]]) -> Iterator[Values]:
    """Each dim in turn large and the next small, for many short rows."""
    names = [name for name, _ in dims]
    for number, name in enumerate(names):
        small = names[(number + 1) % len(names)]
        wanted = {name: LAUNCH_LADDER[-1], small: _SHORT}
        yield {name: min(max(wanted.get(name, 1), symbol.low), symbol.high) for name, symbol in dims}


def sizes_text(values: Mapping[str, int]) -> str:
    """`n=67, m=1`."""
    return ", ".join([f"{name}={value}" for name, value in values.items()])


def _largest(parameters: Sequence[Statement], values: Mapping[str, int]) -> int:
    types = [parameter_at(parameter, values).result.type for parameter in parameters]
    return max([type_.size for type_ in types if isinstance(type_, TensorType)], default=0)
