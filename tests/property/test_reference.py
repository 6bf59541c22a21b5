"""The reference's ranges contain the results of honest programs on random graphs, and refuse a wrong last
bit.

The honest programs are numpy: one keeps every op in its own type (f16 ops round to f16), the other computes
f16 in f32 and narrows when a value is converted or returned. Both round each op correctly, so that `contract`
may be off or on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.gentext.parser import parse
from asmgen.graph.reference import Rules, compare, evaluate
from asmgen.ir.program import Program, Statement, Value
from asmgen.ir.types import ELEMENT_TYPES, TensorType
from tests.property.graphs import RandomGraph, random_graph

Array = NDArray[Any]


def _of_f64(function: Callable[[Any], Any]) -> Callable[[Array], Array]:
    """Correctly rounded, but for the rare double rounding."""
    return lambda x: np.asarray(function(x.astype(np.float64)), np.float64).astype(x.dtype)


def _divide(a: Array, b: Array) -> Array:
    if a.dtype != np.int32:
        return a / b
    wide, divisor = a.astype(np.int64), np.where(b == 0, 1, b.astype(np.int64))
    return np.where(b == 0, 0, np.trunc(wide / divisor)).astype(np.int64).astype(np.int32)


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": _divide, "max": np.fmax, "min": np.fmin, "abs": np.abs, "neg": np.negative,
    "relu": lambda x: np.fmax(x, x.dtype.type(0)), "clip": lambda x, low, high: np.fmin(np.fmax(x, low), high), "floor": np.floor, "ceil": np.ceil,
    "sqrt": np.sqrt, "rsqrt": _of_f64(lambda x: 1 / np.sqrt(x)), "recip": lambda x: x.dtype.type(1) / x, "exp": _of_f64(np.exp),
    "log": _of_f64(np.log), "tanh": _of_f64(np.tanh), "erf": _of_f64(np.vectorize(math.erf, otypes=[np.float64])),
    "sigmoid": _of_f64(lambda x: 1 / (1 + np.exp(-x))),
    "equal": np.equal, "less": np.less, "greater": np.greater, "where": np.where, "not": np.logical_not, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor, "identity": np.copy, "contiguous": np.copy,
}  # fmt: skip


class Numpy:
    """Runs a graph with numpy; `wide_f16` keeps f16 values in f32 between ops."""

    def __init__(self, wide_f16: bool) -> None:
        self._wide = wide_f16
        self._values: dict[Value, Array] = {}

    def run(self, program: Program, inputs: list[Array]) -> list[Array]:
        given = iter(inputs)
        with np.errstate(all="ignore"):
            for statement in program.modules[0].statements[:-1]:
                self._values[statement.result] = self._kept(next(given) if statement.op.name == "@param" else self._result(statement))
            return [self._narrow(value) for value in program.modules[0].statements[-1].operands]

    def _kept(self, array: Array) -> Array:
        return array.astype(np.float32) if self._wide and array.dtype == np.float16 else array

    def _narrow(self, value: Value) -> Array:
        return self._values[value].astype(value.type.element.numpy)

    def _result(self, statement: Statement) -> Array:
        type_ = statement.result.type
        assert isinstance(type_, TensorType)
        if statement.op.name == "@literal":
            return np.array(statement.attributes["values"], type_.element.numpy).reshape(type_.shape)
        if statement.op.name == "multibroadcast":
            return np.broadcast_to(self._values[statement.operands[0]], type_.shape)
        if statement.op.name == "convert":
            return _converted(self._narrow(statement.operands[0]), str(statement.attributes["target_type"]))
        return FUNCTIONS[statement.op.name](*(self._values[operand] for operand in statement.operands))


def _converted(x: Array, target: str) -> Array:
    dtype = ELEMENT_TYPES[target].numpy
    if target == "i32" and x.dtype.kind == "f":
        whole = np.trunc(np.where(np.isnan(x), 0, x).astype(np.float64))
        return np.clip(whole, -(2**31), 2**31 - 1).astype(np.int32)
    return x.astype(np.float32).astype(dtype) if target == "f16" and x.dtype.kind != "f" else x.astype(dtype)


def check(graph: RandomGraph) -> None:
    program = parse(graph.text, "graph.gen")
    for wide_f16 in (False, True):
        outputs = Numpy(wide_f16).run(program, graph.inputs)
        for rules in (Rules(), Rules(contract=False)):
            for range_, output in zip(evaluate(program, graph.inputs, rules), outputs, strict=True):
                found = compare(range_, output)
                assert not found.is_broken, f"{graph}\nwide_f16={wide_f16} {rules}: {found}"


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_honest_programs_are_within_the_ranges(first: int) -> None:
    for seed in range(first, first + 50):
        check(random_graph(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(20000, 24000, 500))
def test_more_honest_programs_are_within_the_ranges(first: int) -> None:
    for seed in range(first, first + 500):
        check(random_graph(seed))


def test_a_wrong_last_bit_of_an_exact_graph_is_refused() -> None:
    """Graphs of one rounding at most allow one result: any other is out of bounds, element by element."""
    refused = 0
    for seed in range(200):
        graph = random_graph(seed, most_ops=1)
        program = parse(graph.text, "graph.gen")
        outputs = Numpy(wide_f16=False).run(program, graph.inputs)
        for range_, output in zip(evaluate(program, graph.inputs), outputs, strict=True):
            if output.dtype.kind != "f" or (range_.low < range_.high).any():
                continue
            with np.errstate(all="ignore"):
                off = np.nextafter(output, output.dtype.type(np.inf))
            moved = (off != output) & ~np.isnan(output)
            assert compare(range_, off).broken == moved.sum(), graph
            refused += int(moved.sum())
    assert refused > 10000
