"""Wrong graphs: a reduction that drops elements or counts them twice, an op replaced by another.

A kernel is made wrong by compiling such a graph. The elements that a reduction misses are a parameter of
their own, a bool for each element of a row, so that a single compile serves every choice.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.graph import ops
from asmgen.graph.compose.decompose import decompose
from asmgen.graph.ops import REDUCTIONS
from asmgen.graph.rewritings.contractions import with_dots
from asmgen.graph.rewritings.products import with_sums
from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Attribute, Module, Op, Program, Statement, Value, tensor_type
from asmgen.ir.types import BOOL, ElementType, tensor

PREFIX = "wrong_"  # of the names of kernels made here
CHOICE = "choice"  # the parameter that says which elements of a row are affected
Rewrite = Callable[["Writer", Statement], Statement]

_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": float("-inf"), "min": float("inf")}
_AGAIN = {
    "sum": ops.ADD,
    "mean": ops.ADD,
    "prod": ops.MUL,
}  # what counts an element once more; max and min do not
TAKEN_FOR = {
    ops.REDUCE_SUM: ops.REDUCE_MAX, ops.REDUCE_MEAN: ops.REDUCE_MAX, ops.REDUCE_MAX: ops.REDUCE_MIN,
    ops.REDUCE_MIN: ops.REDUCE_MAX, ops.REDUCE_PROD: ops.REDUCE_SUM, ops.ADD: ops.MAX, ops.SUB: ops.ADD,
    ops.MUL: ops.ADD, ops.DIV: ops.MUL, ops.MAX: ops.MIN, ops.MIN: ops.MAX, ops.LESS: ops.GREATER,
    ops.GREATER: ops.LESS, ops.EQUAL: ops.LESS, ops.LOGICAL_AND: ops.LOGICAL_OR,
    ops.LOGICAL_OR: ops.LOGICAL_AND, ops.LOGICAL_XOR: ops.LOGICAL_OR, ops.RELU: ops.ABS, ops.ABS: ops.NEG,
    ops.NEG: ops.ABS, ops.CEIL: ops.FLOOR, ops.FLOOR: ops.CEIL, ops.TANH: ops.ERF, ops.ERF: ops.TANH,
}  # fmt: skip


class Writer(Struct):
    """Appends statements to a module that is being rewritten."""

    statements: list[Statement]
    names: set[str]

    def apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        given = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
        whole = {name: value for name, value in given.items() if value is not None}
        (type_,) = op.infer(op, tuple(operand.type for operand in operands), whole, None)
        return self.define(op, operands, Value(fresh_name("wrong", self.names), type_), whole)

    def define(self, op: Op, operands: tuple[Value, ...], result: Value, attributes: dict[str, Attribute]) -> Value:
        self.statements.append(Statement(op, operands, (result,), attributes))
        return result


def decomposed(graph: Program) -> Program:
    """The graph with softmax, norms and matrix products decomposed, so that their reductions can be changed."""
    return replace(graph, modules=tuple(with_sums(with_dots(decompose(module)), lambda _defined: lambda _dot: 0) for module in graph.modules))


def _all_reductions(graph: Program) -> list[Statement]:
    return [s for module in decomposed(graph).modules for s in module.statements if s.op in REDUCTIONS]


def reductions(graph: Program) -> dict[int, Statement]:
    """The reductions of a graph by number, without those over dims of 1. The numbers do not depend on the sizes."""
    return {number: found for number, found in enumerate(_all_reductions(graph)) if reduced_axes(found)}


def reduced_axes(reduction: Statement) -> tuple[int, ...]:
    dims, kept = tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims
    return tuple(axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left)


def row_length(reduction: Statement) -> int:
    operand, result = tensor_type(reduction.operands[0]), tensor_type(reduction.result)
    return operand.size // result.size


def swappable(graph: Program) -> list[int]:
    """The numbers of statements of the decomposed graph whose op can be replaced; only reductions if there are any."""
    statements = [statement for module in decomposed(graph).modules for statement in module.statements]
    found = [number for number, s in enumerate(statements) if s.op in TAKEN_FOR and not _reduces_nothing(s)]
    reducing = [number for number in found if statements[number].op in REDUCTIONS]
    return reducing or found


def _reduces_nothing(statement: Statement) -> bool:
    return statement.op in REDUCTIONS and not reduced_axes(statement)


def without_chosen(program: CompiledProgram, number: int) -> CompiledProgram:
    """The program in which a reduction replaces the chosen elements of every row by its identity element."""

    def lose(writer: Writer, reduction: Statement) -> Statement:
        (value,) = reduction.operands
        type_ = tensor_type(value)
        neutral = _representable(_NEUTRAL[REDUCTIONS[reduction.op]], type_.element)
        single = Value(fresh_name("neutral", writer.names), tensor(type_.element, (1,) * type_.rank))
        _ = writer.define(ops.LITERAL, (), single, {"values": (neutral,)})
        return _with_chosen(writer, reduction, writer.apply(ops.MULTIBROADCAST, single, out_lens=type_.dims))

    return _rewritten(program, reductions_at(number), lose)


def with_chosen_twice(program: CompiledProgram, number: int) -> CompiledProgram:
    """The program in which a reduction other than max and min counts the chosen elements of every row twice."""

    def repeat(writer: Writer, reduction: Statement) -> Statement:
        (value,) = reduction.operands
        return _with_chosen(writer, reduction, writer.apply(_AGAIN[REDUCTIONS[reduction.op]], value, value))

    return _rewritten(program, reductions_at(number), repeat)


def counts_again(reduction: Statement) -> bool:
    return REDUCTIONS[reduction.op] in _AGAIN


def with_op_swapped(program: CompiledProgram, number: int) -> CompiledProgram:
    """The program in which a statement computes another op."""

    def swap(_writer: Writer, statement: Statement) -> Statement:
        return replace(statement, op=TAKEN_FOR[statement.op])

    def chosen(graph: Program) -> Statement:
        return [statement for module in graph.modules for statement in module.statements][number]

    return _rewritten(program, chosen, swap)


def reductions_at(number: int) -> Callable[[Program], Statement]:
    return lambda graph: _all_reductions(graph)[number]


def _with_chosen(writer: Writer, reduction: Statement, other: Value) -> Statement:
    (value,) = reduction.operands
    dims = tensor_type(value).dims
    axes = reduced_axes(reduction)
    choice = Value(
        fresh_name(CHOICE, writer.names),
        tensor(BOOL, tuple(dim if axis in axes else 1 for axis, dim in enumerate(dims))),
    )
    _ = writer.define(ops.PARAM, (), choice, {"name": CHOICE})
    where = writer.apply(ops.MULTIBROADCAST, choice, out_lens=dims)
    return replace(reduction, operands=(writer.apply(ops.WHERE, where, other, value),))


def _representable(number: float, element: ElementType) -> int | float:
    if element.is_float:
        return number
    least = -(1 << (element.bits - 1))
    return least if number == float("-inf") else -least - 1 if number == float("inf") else int(number)


def _rewritten(program: CompiledProgram, choose: Callable[[Program], Statement], rewrite: Rewrite) -> CompiledProgram:
    assert program.graph is not None, "only programs that come from a graph are made wrong"
    graph = decomposed(program.graph)
    chosen = choose(graph)
    modules: list[Module] = []
    for module in graph.modules:
        writer = Writer([], {value.name for statement in module.statements for value in statement.results})
        for statement in module.statements:
            writer.statements.append(rewrite(writer, statement) if statement is chosen else statement)
        modules.append(Module(f"{PREFIX}{module.name}", tuple(writer.statements)))
    return asmgen.compile(replace(graph, modules=tuple(modules)), target=str(program.target))
