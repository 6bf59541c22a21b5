"""Places that are known when a module is read, and comparisons of floats: the results are numpy's."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from asmgen.frontends.tensors.lowering import graph_of
from asmgen.frontends.tensors.stablehlo.known_places import at_places
from asmgen.frontends.traced import numpy_calls
from asmgen.frontends.traced.array import Array as Traced
from asmgen.frontends.traced.array import Tracer
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.needed import needed
from asmgen.graph.ops import LITERAL
from asmgen.graph.reference import evaluate_module
from asmgen.ir.program import Module, literal_numbers
from asmgen.ir.types import F32, tensor
from asmgen.mlir.file import read_module
from isa.diagnostics import Place
from tests.rows import MACHINES
from tests.tensors import test_indices
from tests.tensors.case import Array, constant, main
from tests.tensors.running import agree, results

WHERE = Place("test", 1, 1)


def _taken(size: int, places: Sequence[int]) -> Module | None:
    """A graph of the rows of an array at places."""
    builder = GraphBuilder()
    x = builder.param("x", "x", tensor(F32, (size, 3)), WHERE)
    made = at_places(Traced(x, Tracer(builder, numpy_calls)), 0, places)
    return None if made is None else builder.finish("rows", (made.value,), WHERE)


def test_places_on_a_line_are_taken_without_an_index() -> None:
    generator = np.random.default_rng(1)
    lines = itertools.product((0, 1, 2, 3, 5, 9), (-7, -1, 0, 4), (1, 2, 3, 7), (1, 2, 3, 8))
    for by, plus, over, size in lines:
        count = int(generator.integers(1, 12))
        places = np.clip((by * np.arange(count) + plus) // over, 0, size - 1)
        for each in (places, places[::-1]) if len(set(np.diff(places))) < 2 else (places,):
            module = _taken(size, each.tolist())
            assert module is not None, f"{each} of {size}"
            assert all(statement.op.name not in ("gather", "literal") for statement in module.statements)
            x = np.arange(size * 3, dtype=np.float32).reshape(size, 3)
            (result,) = evaluate_module(module, iter([x]))
            np.testing.assert_array_equal(result.value, x[each])


def test_other_places_need_an_index() -> None:
    for places in ([0, 2, 1], [0, 1, 1, 4], [3, 0, 0, 1]):
        assert _taken(5, places) is None


def test_negative_indices_that_are_constants_count_from_the_end() -> None:
    x, i = test_indices.X, np.array([-1, -2, -3, -4, -5, -6, -7, -8, -9], np.int32)
    body = constant("i", i) + "\n" + test_indices.WRAPPED + test_indices.GATHER
    for each, indices in ((body, i), (body.replace("%k : (", "%i : ("), np.maximum(i, 0))):
        text = main(each, {"x": x}, x[indices])
        agree(results(text, (x,), MACHINES[0]), [x[indices]])


def _compared(a: Array, b: Array) -> dict[str, Array]:
    """The result of each predicate of `arith.cmpf`."""
    unordered = np.isnan(a) | np.isnan(b)
    ordered = {
        "eq": a == b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b, "ne": (a != b) & ~unordered, "rd": ~unordered,
    }  # fmt: skip
    names = {"ne": ("one", "une"), "rd": ("ord", "uno")}
    wanted = {names.get(name, (f"o{name}",))[0]: array for name, array in ordered.items()}
    wanted |= {f"u{name}": array | unordered for name, array in ordered.items() if name != "rd"}
    return wanted | {"uno": unordered, "false": a != a, "true": unordered | ~unordered}


def test_comparisons_of_floats_with_nan() -> None:
    numbers = np.array([np.nan, -np.inf, -1, -0.0, 0, 2, np.inf], np.float32)
    a, b = np.repeat(numbers, 7), np.tile(numbers, 7)
    wanted = _compared(a, b)
    wanted["false"][:] = False
    constant = _compared(a, np.full_like(a, 2))
    constant["false"][:] = False
    lines = ["%n = arith.constant dense<2.0> : tensor<49xf32>"]
    lines += [f"%r{number} = arith.cmpf {name}, %a, %b : tensor<49xf32>" for number, name in enumerate(wanted)]
    lines += [f"%r{16 + number} = arith.cmpf {name}, %a, %n : tensor<49xf32>" for number, name in enumerate(wanted)]
    expected = [*wanted.values(), *[constant[name] for name in wanted]]
    text = main("\n".join(lines), {"a": a, "b": b}, *expected)
    agree(results(text, (a, b), MACHINES[0]), expected)


def test_tables_that_follow_from_no_argument_are_literals() -> None:
    """If four statements compute the floats. With fewer statements, each element computes its number of an
    iota."""
    lines = """%i = stablehlo.iota dim = 0 : tensor<5xf32>
%h = stablehlo.constant dense<0.5> : tensor<5xf32>
%a = stablehlo.add %i, %h : tensor<5xf32>
%b = stablehlo.multiply %a, %h : tensor<5xf32>
%c = stablehlo.floor %b : tensor<5xf32>
%w = stablehlo.subtract %b, %c : tensor<5xf32>
%p = stablehlo.multiply %x, %w : tensor<5xf32>
%r = stablehlo.add %p, %a : tensor<5xf32>"""
    x, places = np.array([3, -1, 2, 8, 5], np.float32), np.arange(5, dtype=np.float32) + np.float32(0.5)
    text = main(lines, {"x": x}, x * (places / 2 - np.floor(places / 2)) + places)
    (module,) = graph_of(read_module(text, "tables.mlir")).modules
    sizes = [len(literal_numbers(each)) for each in needed(module).statements if each.op is LITERAL]
    assert sorted(sizes) == [1, 5]
    agree(results(text, (x,), MACHINES[0]), [x * (places / 2 - np.floor(places / 2)) + places])
