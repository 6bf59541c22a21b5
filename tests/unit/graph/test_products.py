"""Products of matrices and contractions in other words: each form computes what `dot` and `dot_general` do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.keep import is_read
from asmgen.graph.ops import DOT, DOT_GENERAL, REDUCE_SUM
from asmgen.graph.reference import evaluate
from asmgen.graph.rewritings import products
from asmgen.graph.rewritings.contractions import with_dots
from asmgen.graph.rewritings.products import with_sums
from asmgen.ir.program import Module, Program, Stage, definitions, tensor_type
from asmgen.verification import hold

Array = NDArray[Any]


def graph_of(text: str) -> Program:
    return parse(text + "@return(z)\n", "products.gen")


def product_of(first: str, second: str, of: str = "dot(a, b)", element: str = "i32") -> Program:
    return graph_of(f"a = @param:a -> {element}, {{{first}}}\nb = @param:b -> {element}, {{{second}}}\nz = {of}\n")


def value(program: Program, module: Module) -> Array:
    """The result of a module for the program's parameters."""
    generator = np.random.default_rng(3)
    types = [tensor_type(statement.result) for statement in program.modules[0].statements if statement.op.name == "@param"]
    arrays = [generator.integers(-99, 99, type_.shape).astype(np.int32) for type_ in types]
    (result,) = evaluate(Program(Stage.GRAPH, (module,)), arrays)
    return np.asarray(result.value)


SHAPES = [("3,8", "8,5"), ("2,3,8", "8,5"), ("3,8", "2,8,5"), ("2,1,3,8", "4,8,5"), ("2,3,8", "2,8,5")]


@pytest.mark.parametrize("parts", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_a_product_in_parts_is_the_product(first: str, second: str, parts: int) -> None:
    program = product_of(first, second)
    (module,) = program.modules
    made = with_sums(module, lambda _defined: lambda _dot: parts)
    np.testing.assert_array_equal(value(program, made), value(program, module))
    dots = [statement for statement in made.statements if statement.op is DOT]
    assert len(dots) == min(parts, 1)
    if parts > 1:
        assert tensor_type(dots[0].result).dims[0] == parts
        assert any(statement.op is REDUCE_SUM for statement in made.statements)


@pytest.mark.parametrize(("first", "second"), [*SHAPES, ("8", "8,5"), ("3,8", "8"), ("8", "8"), ("8", "2,8,5"), ("3,0", "0,5"), ("3,8", "8,1")])
def test_a_sum_is_the_product(first: str, second: str) -> None:
    program = product_of(first, second)
    (module,) = program.modules
    np.testing.assert_array_equal(value(program, with_sums(module, lambda _defined: lambda _dot: 0)), value(program, module))


@pytest.mark.parametrize(("first", "second"), [("8,3", "8,1"), ("8,3", "8"), ("2,8,3", "2,8,1"), ("2,8,3", "8,1"), ("8,3", "2,8,1"), ("2,8,3", "8")])
@pytest.mark.parametrize("element", ["i32", "i8"])
def test_a_turned_matrix_by_a_column_is_a_sum_of_columns(first: str, second: str, element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summed axis is before the rows, which are neighbours in memory."""
    monkeypatch.setattr(products, "_LEAST_ROWS", 1)
    monkeypatch.setattr(products, "_LEAST_COLUMNS", 1)
    monkeypatch.setattr(products, "_LEAST_BYTES", 1)
    order = "{0,2,1}" if first.count(",") == 2 else "{1,0}"
    text = f"a = @param:a -> {element}, {{{first}}}\nb = @param:b -> {element}, {{{second}}}\nt = transpose[permutation={order}](a)\nz = dot(t, b)\n"
    program = graph_of(text)
    (module,) = program.modules
    made = with_sums(module, lambda _defined: lambda _dot: 0)
    np.testing.assert_array_equal(value(program, made), value(program, module))
    (total,) = [statement for statement in made.statements if statement.op is REDUCE_SUM]
    assert tensor_type(total.operands[0]).dims[-2:] == (8, 3) and tensor_type(total.result).dims[-2:] == (1, 3)


@pytest.mark.parametrize(
    ("first", "is_of_columns"), [("40000,8", True), ("100,20000", True), ("80000,4", False), ("64,40000", False), ("1000,200", False)]
)
def test_large_turned_matrices_are_summed_by_columns(first: str, is_of_columns: bool) -> None:
    """Few rows do not fill lines of memory, and few columns are no long sums."""
    k, m = first.split(",")
    text = f"a = @param:a -> f32, {{{first}}}\nb = @param:b -> f32, {{{k},1}}\nt = transpose[permutation={{1,0}}](a)\nz = dot(t, b)\n"
    made = with_sums(graph_of(text).modules[0], lambda _defined: lambda _dot: 0)
    (total,) = [statement for statement in made.statements if statement.op is REDUCE_SUM]
    assert (tensor_type(total.result).dims[-2:] == (1, int(m))) is is_of_columns


@pytest.mark.parametrize(
    ("first", "second", "attributes"),
    [
        ("4,5,6", "6,4,7", "[lhs_contract={0,2}, rhs_contract={1,0}]"),
        ("4,5,6", "6,7,4", "[lhs_batch={0}, rhs_batch={2}, lhs_contract={2}, rhs_contract={0}]"),
        ("3,4", "3,4", "[lhs_batch={0,1}, rhs_batch={0,1}]"),
        ("3,4", "4,3", "[lhs_contract={0,1}, rhs_contract={1,0}]"),
        ("3", "4,2", ""),
        ("2,3,0", "0,5", "[lhs_contract={2}, rhs_contract={0}]"),
    ],
)
def test_a_contraction_is_a_product_of_grouped_axes(first: str, second: str, attributes: str) -> None:
    program = product_of(first, second, f"dot_general{attributes}(a, b)")
    (module,) = program.modules
    made = with_dots(module)
    assert all(statement.op is not DOT_GENERAL for statement in made.statements)
    np.testing.assert_array_equal(value(program, made), value(program, module))


def test_axes_that_are_in_order_are_not_moved() -> None:
    (module,) = product_of("2,3,8", "2,8,5", "dot_general[lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}](a, b)").modules
    assert [statement.op.name for statement in with_dots(module).statements] == ["@param", "@param", "dot", "identity", "@return"]


@pytest.mark.parametrize(
    ("factor", "read"),
    [
        ("transpose[permutation={1,0}](a)", True),
        ("convert[target_type=f16](a)", True),
        ("relu(a)", False),
        ("pad[pads={0,0,0,0}, value=1](a)", False),
    ],
)
def test_factors_that_are_computed_are_kept(factor: str, read: bool) -> None:
    (module,) = graph_of(f"a = @param:a -> f32, {{4,4}}\nf = {factor}\nz = dot(f, f)\n").modules
    defined = definitions(module)
    (dot,) = [statement for statement in module.statements if statement.op is DOT]
    assert is_read(defined, dot.operands[0]) is read


@pytest.mark.parametrize("k", [8192, 8191])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_few_results_of_long_sums_are_computed_in_parts(target: str, k: int) -> None:
    """In a launch, if all parts have the same length; if not, another launch adds them up."""
    program = asmgen.compile(str_of(f"8,{k}", f"{k},16"), target=target, verify_passes=True)
    assert len(program.kernels) == (1 if k == 8192 else 2)
    assert program.kernels[0].workgroups[0] > 1 or len(program.kernels) == 2
    assert not hold(program).is_broken


def str_of(first: str, second: str) -> str:
    parameters = f"a = @param:a -> f16, {{{first}}}\nb = @param:b -> f16, {{{second}}}\nc = @param:c -> f16, {{16}}\n"
    return f"{parameters}d = dot(a, b)\nz = add(d, c)\n@return(z)\n"


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("type_", [np.float32, np.float16, np.int8])
def test_weights_of_channels_are_summed_in_the_order_of_the_images(type_: Any, target: str) -> None:
    """They take one launch, as sums of products do."""
    def of(x: Any, w: Any) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
        return np.einsum("bchwij,cij->bchw", windows, w)

    random = np.random.default_rng(1)
    x, w = [random.integers(-1, 2, dims).astype(type_) for dims in ((2, 5, 9, 11), (5, 3, 3))]
    program = asmgen.compile(of, target=target, inputs=[x, w], assembler="builtin")
    assert len(program.launches) == 1
    np.testing.assert_array_equal(program(x, w, device="emulator")[0], of(x, w))
