"""MHLO spellings, functions chosen by name, donated arguments, and printed graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.frontends.tensors.lowering import graph_of
from asmgen.graph.ops import EXP
from asmgen.graph.printer import print_program
from asmgen.ir.program import Stage
from asmgen.mlir.file import read_module
from asmgen.options import PROPAGATE
from tests.device import chosen_device
from tests.rows import MACHINES, spread
from tests.tensors.case import Case, numbers
from tests.tensors.running import agree, check
from tests.tensors.test_cases import CASES

# ops with the same attributes in both dialects
MHLO = tuple(
    f"stablehlo.{name}"
    for name in (
        "add: f32", "divide: f32", "maximum: f32, NaN wins", "and: i32", "exponential: f32", "logistic: f32", "not: i1", "convert: f32 to i32 truncates",
        "compare: LT f32", "select: a mask", "clamp: scalars as limits", "constant: a list", "reduce: a sum of rows", "reverse: (0,)",
    )
)  # fmt: skip
TWO = """
func.func @double(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.add %a, %a : tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @square(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<6xf32>
  return %0 : tensor<6xf32>
}
"""


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in MHLO for machine in MACHINES], each=1))
def test_mhlo_means_the_same(machine: str, name: str) -> None:
    case = CASES[name]
    check(Case(case.op, case.about, case.text.replace("stablehlo.", "mhlo."), case.inputs, case.wanted, case.ulps, case.scale), machine)


@pytest.mark.parametrize("entry", ["double", "square"])
def test_an_entry_is_chosen_by_its_name(entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    assert main(["kernel", str(path), "--entry", entry, "--verify"]) == 0
    assert entry in capsys.readouterr().out


def test_an_unknown_entry_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    assert main(["kernel", str(path), "--entry", "triple"]) == 1
    message = capsys.readouterr().err
    assert "triple" in message
    assert "double" in message
    assert "square" in message


def test_a_donated_argument_gives_the_same_results() -> None:
    text = """
func.func @main(%a: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4x8xf32> {jax.buffer_donor = true}) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  %1 = stablehlo.multiply %a, %a : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
"""
    a, b = numbers(6, (4, 8)), numbers(7, (4, 8))
    wanted = [a + b, np.square(a)]  # the call may write to both arrays
    agree(asmgen.compile(text)(a, b, device=chosen_device()), wanted)


def test_a_printed_graph_compiles_to_the_same_assembly() -> None:
    program = asmgen.compile(CASES["stablehlo.program: softmax of rows"].text)
    graph = program.compilation.stages.programs[Stage.GRAPH]
    again = asmgen.compile(print_program(graph), nan=PROPAGATE)
    assert [_instructions(kernel.assembly) for kernel in again.kernels] == [_instructions(kernel.assembly) for kernel in program.kernels]


def _instructions(assembly: str) -> list[str]:
    """The instructions, without places and comments."""
    lines = [line.partition(";")[0].strip() for line in assembly.splitlines() if line.startswith("\t")]
    return [line for line in lines if line and not line.startswith(".") and "main" not in line and "text" not in line]


LISTS = """
func.func @main(%a: tensor<4x6xf32>, %i: tensor<2x1xi32>) -> (tensor<6x4xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<7x6xf32>) {
  %z = mhlo.constant dense<0.0> : tensor<f32>
  %0 = "mhlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = "mhlo.slice"(%a) {limit_indices = dense<[4, 5]> : tensor<2xi64>, start_indices = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} : (tensor<4x6xf32>) -> tensor<2x2xf32>
  %2 = "mhlo.reduce_window"(%a, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = mhlo.add %p, %q : tensor<f32>
    mhlo.return %s : tensor<f32>
  }) {window_dimensions = dense<2> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  %3 = "mhlo.gather"(%a, %i) {dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 6]> : tensor<2xi64>} : (tensor<4x6xf32>, tensor<2x1xi32>) -> tensor<2x6xf32>
  %4 = "mhlo.pad"(%a, %z) {edge_padding_low = dense<0> : tensor<2xi64>, edge_padding_high = dense<0> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x6xf32>
  return %0, %1, %2, %3, %4 : tensor<6x4xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<7x6xf32>
}
"""


def test_lists_of_mhlo_are_dense() -> None:
    """MHLO prints lists of numbers as dense elements, a number alone for all of them."""
    a, i = numbers(8, (4, 6)), np.array([[3], [1]], np.int32)
    apart = np.zeros((7, 6), np.float32)
    apart[::2] = a
    windows = a.reshape(2, 2, 3, 2).sum((1, 3))
    agree(asmgen.compile(LISTS)(a, i, device=chosen_device()), [a.T, a[1:4:2, 1:5:3], windows, a[[3, 1]], apart])


@pytest.mark.parametrize("element, value, wanted", [("i32", "0", -1), ("i32", "1", -2), ("ui8", "1", 254), ("i1", "true", 0), ("i1", "false", 1)])
def test_not_of_a_number_that_is_known(element: str, value: str, wanted: int) -> None:
    text = f"""
func.func @main(%a: tensor<4x{element}>) -> tensor<4x{element}> {{
  %c = stablehlo.constant dense<{value}> : tensor<{element}>
  %n = stablehlo.not %c : tensor<{element}>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<{element}>) -> tensor<4x{element}>
  %r = stablehlo.or %a, %b : tensor<4x{element}>
  return %r : tensor<4x{element}>
}}
"""
    zeros = np.zeros(4, {"i32": np.int32, "ui8": np.uint8, "i1": np.bool_}[element])
    assert asmgen.compile(text)(zeros, device=chosen_device())[0].tolist() == [wanted] * 4


@pytest.mark.parametrize("a, b, wanted", [(-7, 3, -1), (7, -3, 1), (-6, 3, 0)])
def test_remainder_of_numbers_that_are_known(a: int, b: int, wanted: int) -> None:
    """It has the sign of the dividend, as in C."""
    text = f"""
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {{
  %a = stablehlo.constant dense<{a}> : tensor<i32>
  %b = stablehlo.constant dense<{b}> : tensor<i32>
  %r = stablehlo.remainder %a, %b : tensor<i32>
  %s = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %y = stablehlo.add %x, %s : tensor<4xi32>
  return %y : tensor<4xi32>
}}
"""
    assert asmgen.compile(text)(np.zeros(4, np.int32), device=chosen_device())[0].tolist() == [wanted] * 4


def test_a_part_of_a_shape_begins_where_it_is_stated() -> None:
    text = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<1xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %5 = stablehlo.slice %4 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %6 = stablehlo.dynamic_broadcast_in_dim %y, %5, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %6 : tensor<?xf32>
}
"""
    (result,) = asmgen.compile(text)(np.zeros((3, 70), np.float32), np.ones(1, np.float32), device=chosen_device())
    assert result.tolist() == [1.0] * 70


def test_the_gradient_of_a_max_pool_is_a_single_launch() -> None:
    case = CASES["stablehlo.select_and_scatter: two dims"]
    assert len(asmgen.compile(case.text).kernels) == 1


@pytest.mark.parametrize(("factor", "is_gate"), [("%h", True), ("%a", True), ("%b", False)])
def test_the_erfc_of_a_gelu_is_a_difference_from_1(factor: str, is_gate: bool) -> None:
    """The rewriting of gelu knows it as such; elsewhere a difference from 1 is 0 at large arguments."""
    text = f"""func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {{
  %half = stablehlo.constant dense<0.5> : tensor<8xf32>
  %scale = stablehlo.constant dense<0.707106769> : tensor<8xf32>
  %h = stablehlo.multiply %half, %a : tensor<8xf32>
  %n = stablehlo.negate %a : tensor<8xf32>
  %m = stablehlo.multiply %n, %scale : tensor<8xf32>
  %e = chlo.erfc %m : tensor<8xf32> -> tensor<8xf32>
  %r = stablehlo.multiply {factor}, %e : tensor<8xf32>
  return %r : tensor<8xf32>
}}"""
    graph = graph_of(read_module(text, "gelu.mlir"))
    assert is_gate == all(statement.op is not EXP for statement in graph.modules[0].statements)
