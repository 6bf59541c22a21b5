"""Random graphs that move elements: a random graph with ops between its own that keep dims.

y = add(a, b)    becomes    m = reverse[axes={0}](a)
                            y = add(m, b)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import numpy as np
from msgspec.structs import replace

import asmgen.graph.ops as ops
from asmgen.gentext.parser import parse
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.printer import print_program
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Attribute, Module, Op, Program, Stage, Statement, Value, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, I32, tensor
from isa.diagnostics import InputError
from tests.property.graphs import RandomGraph, random_graph
from tests.property.reduction_graphs import random_reduction_graph

_FLOATS = ("bf16", "f64", "fp8e4m3fn", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")
_INTEGERS = ("i8", "u8", "i16", "u16", "u32", "i64", "u64")
_MOST_OPS = 7
_SHARE = 0.3  # of the operands that are moved


def random_moving_graph(seed: int) -> RandomGraph:
    """A random graph, every second with reductions, with moved operands and results."""
    random = Random(seed)
    graph = _of_other_types(Random(seed + 1), random_reduction_graph(seed) if seed % 2 else random_graph(seed, _MOST_OPS))
    module = parse(graph.text, "moving.gen").modules[0]
    moved = _Mover(random, module).module()
    return replace(graph, text=print_program(Program(Stage.GRAPH, (moved,))))


def _of_other_types(random: Random, graph: RandomGraph) -> RandomGraph:
    """One graph of two has another small float, or f64, in the place of f16, and another integer of i32."""
    if random.random() < 0.5:
        return graph
    names = {"f16": random.choice(_FLOATS), "i32": random.choice(_INTEGERS)}
    text = re.sub(r"\b(f16|i32)\b", lambda match: names[match[0]], graph.text)
    try:
        _ = parse(text, "moving.gen")
    except InputError:  # a literal that the other type cannot represent
        return graph
    types = {numpy_dtype(ELEMENT_TYPES[name]): numpy_dtype(ELEMENT_TYPES[other]) for name, other in names.items()}
    with np.errstate(all="ignore"):
        inputs = [array.astype(types.get(array.dtype, array.dtype)) for array in graph.inputs]
    return replace(graph, text=text, inputs=inputs)


class _Mover:
    def __init__(self, random: Random, module: Module) -> None:
        self._random = random
        self._module = module
        self._new: dict[Value, Value] = {}
        self._builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])

    def module(self) -> Module:
        statements = self._builder.statements
        for statement in self._module.statements:
            if not statement.operands:
                statements.append(statement)
                continue
            operands = tuple([self._maybe(self._new.get(operand, operand)) for operand in statement.operands])
            if statement.op is ops.RETURN:
                statements.append(Statement(statement.op, operands))
                continue
            name = statement.result.name
            self._new[statement.result] = self._builder.apply(statement.op, operands, statement.attributes, name)
        return Module(self._module.name, tuple(statements))

    def _maybe(self, value: Value) -> Value:
        type_ = tensor_type(value)
        if not type_.rank or not type_.size or self._random.random() > _SHARE:
            return value
        return self._random.choice(MOVES)(self, value)

    def apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        given = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
        whole = {name: value for name, value in given.items() if value is not None}
        return self._builder.apply(op, operands, whole, self._builder.fresh("moved"))

    def axis(self, value: Value) -> tuple[int, int]:
        """One of the axes, from either end, and its size."""
        dims = tensor_type(value).shape
        axis = self._random.randrange(len(dims))
        return self._random.choice((axis, axis - len(dims))), dims[axis]

    def reverse(self, value: Value) -> Value:
        rank = tensor_type(value).rank
        return self.apply(ops.REVERSE, value, axes=tuple(self._random.sample(range(rank), self._random.randint(1, rank))))

    def roll(self, value: Value) -> Value:
        axis, size = self.axis(value)
        place = self._random.randint(0, size)
        last = self.apply(ops.SLICE, value, axes=(axis,), starts=(place,), ends=(size,))
        first = self.apply(ops.SLICE, value, axes=(axis,), starts=(0,), ends=(place,))
        return self.apply(ops.CONCAT, last, first, axis=axis)

    def shift(self, value: Value) -> Value:
        axis, size = self.axis(value)
        count = self._random.randint(0, size - 1)
        kept = self.apply(ops.SLICE, value, axes=(axis,), starts=(count,), ends=(size,))
        pads = [0] * 2 * tensor_type(value).rank
        pads[(axis % tensor_type(value).rank) + self._random.choice((0, tensor_type(value).rank))] = count
        mode = self._random.choice(("constant", "edge", "reflect"))
        mode = "edge" if mode == "reflect" and count >= size - count else mode
        number = self._random.choice((0, 1)) if mode == "constant" else 0
        return self.apply(ops.PAD, kept, pads=tuple(pads), mode=mode, value=number)

    def scramble(self, value: Value) -> Value:
        """Other dims, and their axes in another order, by which the dims are as they were."""
        dims = tensor_type(value).dims
        order = self._random.sample(range(len(dims)), len(dims))
        shaped = self.apply(ops.RESHAPE, value, dims=tuple([dims[order.index(axis)] for axis in range(len(dims))]))
        return self.apply(ops.TRANSPOSE, shaped, permutation=tuple(order))

    def flatten(self, value: Value) -> Value:
        flat = self.apply(ops.RESHAPE, value, dims=(-1,))
        return self.apply(ops.RESHAPE, self.reverse(flat), dims=tensor_type(value).dims)

    def take(self, value: Value) -> Value:
        axis, size = self.axis(value)
        count = min(size, 64)
        numbers = tuple([self._random.randint(-size - 1, size) for _ in range(count)])
        indices = self._builder.literal(self._builder.fresh("indices"), numbers, tensor(I32, (count,)))
        taken = self.apply(ops.GATHER, value, indices, axis=axis)
        if count == size:
            return taken
        rest = self.apply(ops.SLICE, value, axes=(axis,), starts=(count,), ends=(size,))
        return self.apply(ops.CONCAT, taken, rest, axis=axis)

    def every_other(self, value: Value) -> Value:
        axis, _ = self.axis(value)
        twice = self.apply(ops.CONCAT, value, value, axis=axis)
        return self.apply(ops.STEP, twice, axes=(axis,), steps=(2,))

    def wrap(self, value: Value) -> Value:
        axis = self._random.randint(0, tensor_type(value).rank)
        return self.apply(ops.SQUEEZE, self.apply(ops.UNSQUEEZE, value, axes=(axis,)), axes=(axis,))


Move = Callable[[_Mover, Value], Value]
MOVES: tuple[Move, ...] = (
    _Mover.reverse, _Mover.roll, _Mover.shift, _Mover.scramble, _Mover.flatten, _Mover.take, _Mover.every_other, _Mover.wrap,
)  # fmt: skip
