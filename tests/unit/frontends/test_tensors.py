"""Functions of tensors in MLIR: the command line, places, entries, and refusals. tests/tensors has the ops."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.compiled import CompiledProgram
from asmgen.frontends.tensors.interpret.machine import CONTROL
from asmgen.frontends.tensors.interpret.machine import TABLE as TABLE_OF_SEMANTICS
from asmgen.frontends.tensors.stablehlo import shapes
from asmgen.frontends.tensors.table import TABLE
from asmgen.graph.printer import print_program
from asmgen.verification.verify import hold
from tests.commands import run
from tests.device import chosen_device

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tensors.md").read_text(encoding="utf-8")
EXAMPLE = "examples/tensors/rownorm.mlir"
_ROW = re.compile(r"^\| `(?!func)(\w+)` \| (.*) \|$", re.MULTILINE)

TWO = """\
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @bad(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
gpu.module @kernels {
  gpu.func @k(%m: memref<64xf32>) kernel { gpu.return }
}
"""


def test_the_page_lists_every_op() -> None:
    listed = {f"{dialect}.{op}" for dialect, ops in _ROW.findall(PAGE) for op in re.findall(r"`(\w+)`", ops)}
    assert listed == set(TABLE)


@pytest.mark.broad
@pytest.mark.usefixtures("few_sizes")
def test_the_commands_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seeds = (ROOT / "docs" / "seed-stages.md").read_text(encoding="utf-8").partition("## Tensor modules")[2]
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE + seeds, re.DOTALL) for line in block.splitlines()]
    said: dict[str, str] = {}
    for command in commands:
        status, said[command] = run(command)
        assert status == 0, f"{command}\n{said[command]}"
    assert said[commands[0]] == "rownorm x:tensor<64x100xf32> -> tensor<64x100xf32>\n"
    assert "reduce_max = reduce_max[axes={1}](x) -> f32, {64,1}  # examples/tensors/rownorm.mlir:5:26\n" in said[commands[1]]
    assert len(commands) == 17


def test_the_programs_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = tmp_path / "page.py"
    _ = path.write_text("".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)))
    _ = runpy.run_path(str(path))  # it asserts its results


def test_the_printed_graph_compiles_to_the_same_code() -> None:
    def code(program: CompiledProgram) -> list[str]:
        lines = [line.partition(";")[0].rstrip() for line in program.kernels[0].assembly.splitlines()]
        return [line for line in lines if not line.lstrip().startswith((".loc", ".file"))]

    text = (ROOT / EXAMPLE).read_text(encoding="utf-8")
    program = asmgen.compile(text)
    assert program.graph is not None
    assert code(program) == code(asmgen.compile(print_program(program.graph), nan="propagate"))
    assert code(program) != code(asmgen.compile(text, nan="ieee"))


def test_an_entry_is_compiled_with_the_functions_that_it_calls(tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    _ = path.write_text(TWO)
    assert run(f"python -m asmgen kernel {path} --entry calls")[0] == 0
    status, said = run(f"python -m asmgen kernel {path} --entry other")
    assert status == 1 and "MLIR006" in said and "k, twice, bad, calls" in said
    assert run(f"python -m asmgen list {path}")[1].splitlines() == [
        "k m:memref<64xf32> block=? grid=?",
        "bad x:tensor<4xf32> -> tensor<4xf32>",
        "calls x:tensor<4xf32> -> tensor<4xf32>, tensor<4xf32>",
    ]
    _, said = run(f"python -m asmgen kernel {path}")
    assert said.startswith("k for"), "a file of kernels"


@pytest.mark.parametrize("option", ["--grid 2", "--size x=3 --verify"])
def test_a_tensor_program_states_its_launch(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    status, said = run(f"python -m asmgen kernel {EXAMPLE} {option}")
    assert status == 1 and "CLI005" in said


def test_a_program_returns_all_results() -> None:
    text = TWO.partition("gpu.module")[0].replace("@calls", "@main")
    x = np.arange(4, dtype=np.float32)
    twice, more = asmgen.compile(text)(x, device=chosen_device())
    np.testing.assert_array_equal(twice, 2 * x)
    np.testing.assert_array_equal(more, 4 * x)


MHLO = """\
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func private @sums(%x: tensor<9x4xf16>) -> tensor<4xf32> attributes {__byteir_reduction_fusion__} {
    %0 = mhlo.constant dense<0.0> : tensor<f32>
    %1 = mhlo.convert %x : (tensor<9x4xf16>) -> tensor<9x4xf32>
    %2 = mhlo.reduce(%1 init: %0) across dimensions = [0] : (tensor<9x4xf32>, tensor<f32>) -> tensor<4xf32>
      reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %3 = mhlo.add %a, %b : tensor<f32>
      mhlo.return %3 : tensor<f32>
    }
    %4 = "mhlo.compare"(%2, %0) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %2 : tensor<4xf32>
  }
}
"""


def test_an_operation_without_a_line_has_its_place_in_the_file() -> None:
    """JAX names operations by locations, of which some have no line of Python."""
    text = (
        '#loc2 = loc("sum")\n#loc1 = loc("sum:"(#loc2))\n#loc3 = loc("a.py":7:3)\n'
        "func.func @main(%a: tensor<4xf32> loc(unknown)) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.custom_call @f(%a) : (tensor<4xf32>) -> tensor<4xf32> loc(#LOC)\n  return %0 : tensor<4xf32> loc(#loc1)\n} loc(#loc2)\n"
    )
    for location, place in (("loc1", "<text>.mlir:5:8: "), ("loc2", "<text>.mlir:5:8: "), ("loc3", "a.py:7:3: ")):
        with pytest.raises(asmgen.InputError) as caught:
            _ = asmgen.compile(text.replace("#LOC", f"#{location}"))
        assert str(caught.value).startswith(f"{place}error[TNS001]: stablehlo.custom_call @f")


def test_attributes_that_nothing_reads_are_traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mlir"
    _ = path.write_text(
        'func.func @main(%a: tensor<4x8xf32> {mhlo.layout_mode = "default"}, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {\n'
        "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]"
        " : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>\n  return %0 : tensor<4x4xf32>\n}\n"
    )
    assert main(["kernel", str(path), "--trace", "attributes", "--emit", "graph", "-o", "-"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"attributes: main: mhlo.layout_mode = default of argument 0 at {path}:1:1",
        f"attributes: main: precision_config = [highest, highest] of stablehlo.dot_general at {path}:2:8",
    ]


def test_ops_of_mhlo_are_those_of_stablehlo() -> None:
    program = asmgen.compile("\n".join(line for line in MHLO.splitlines() if "%4" not in line))
    x = np.arange(36, dtype=np.float16).reshape(9, 4)
    np.testing.assert_array_equal(program(x, device=chosen_device())[0], x.astype(np.float32).sum(0))
    assert program.graph is not None
    places = [str(statement.place) for statement in program.graph.modules[0].statements]
    assert places[:3] == [f"<text>.mlir:{place}" for place in ("2:27", "4:10", "5:21")]
    with pytest.raises(asmgen.InputError) as refused:
        _ = asmgen.compile(MHLO)
    assert "<text>.mlir:10:29: error[MLIR002]" in str(refused.value), "the columns are those of the file"


SPLIT = """\
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
func.func private @Unknown0(%arg0: tensor<24x37xf16>) -> tensor<37xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<37xf32>) -> tensor<37xf32>
  %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [4, 6, 37] : tensor<24x37xf16> into tensor<4x6x37xf16>
  %2 = tensor.empty() : tensor<4x37xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x37xf32>) -> tensor<4x37xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%expanded : tensor<4x6x37xf16>) outs(%3 : tensor<4x37xf32>) {
  ^bb0(%in: f16, %out: f32):
    %6 = arith.extf %in : f16 to f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<4x37xf32>
  %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", "parallel"]}
      ins(%4 : tensor<4x37xf32>) outs(%1 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<37xf32>
  return %5 : tensor<37xf32>
}
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_a_reduction_in_two_steps_of_linalg(target: str) -> None:
    x = (np.arange(24 * 37, dtype=np.float16) % 64).reshape(24, 37)
    (sums,) = asmgen.compile(SPLIT, target=target)(x, device=chosen_device())
    np.testing.assert_array_equal(sums, x.astype(np.float32).sum(0))


SOFTMAX = """\
func.func @main(%x: tensor<?x33xf32>, %y: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %columns = stablehlo.constant dense<33> : tensor<1xi32>
  %rows = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x33xf32>) -> tensor<i32>
  %0 = stablehlo.add %x, %y : tensor<?x33xf32>
  %top = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<?x33xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %1, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %tops = stablehlo.dynamic_broadcast_in_dim %top, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x33xf32>
  %2 = stablehlo.subtract %0, %tops : tensor<?x33xf32>
  %3 = stablehlo.exponential %2 : tensor<?x33xf32>
  %sum = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x33xf32>, tensor<f32>) -> tensor<?xf32>
  %sums = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x33xf32>
  %4 = stablehlo.divide %3, %sums : tensor<?x33xf32>
  return %4 : tensor<?x33xf32>
}
"""
DYNAMIC_LINALG = """\
#whole = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<?x33xf32>, %y: tensor<?x33xf32>, %b: tensor<33xf32>) -> tensor<?x33xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x33xf32>
  %e = tensor.empty(%n) : tensor<?x33xf32>
  %0 = linalg.generic {indexing_maps = [#whole, #whole, #column, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %b : tensor<?x33xf32>, tensor<?x33xf32>, tensor<33xf32>) outs(%e : tensor<?x33xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<?x33xf32>
  return %0 : tensor<?x33xf32>
}
"""


def test_one_code_object_serves_every_size() -> None:
    """`%x` and `%y` are added, so their dims are one dim: `x_0`."""
    softmax, added = asmgen.compile(SOFTMAX), asmgen.compile(DYNAMIC_LINALG)
    b = np.arange(33, dtype=np.float32)
    for rows in (1, 2, 5, 31, 64, 100):
        x = np.random.default_rng(rows).standard_normal((rows, 33), np.float32)
        power = np.exp(2.0 * x.astype(np.float64))
        (share,) = softmax(x, x, device=chosen_device())
        np.testing.assert_allclose(share, power / power.sum(1, keepdims=True), rtol=1e-5)
        (sums,) = added(x, x, b, device=chosen_device())
        np.testing.assert_array_equal(sums, x + x + b)
    with pytest.raises(asmgen.InputError, match="x_0"):
        _ = softmax(np.zeros((2, 33), np.float32), np.zeros((3, 33), np.float32), device="emulator")


def test_a_body_that_does_more_than_reduce_is_refused() -> None:
    text = SPLIT.replace("%7 = arith.addf %out, %6 : f32", "%7 = arith.subf %out, %6 : f32")
    with pytest.raises(asmgen.InputError) as refused:
        _ = asmgen.compile(text)
    message = "linalg.generic: its body is not an associative combination of each result with a value, got arith.subf"
    assert f"<text>.mlir:12:8: error[TNS004]: {message}" in str(refused.value)


def test_verify_finds_a_rule_that_misreads_its_op(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph and the code agree then; the interpreter of the MLIR does not."""
    text = function("stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>", "3x3xf32", "3x3xf32")
    right = hold(asmgen.compile(text), "emulator")
    assert not right.is_broken
    monkeypatch.setattr(shapes, "permuted", lambda x, _order: x)
    wrong = hold(asmgen.compile(text), "emulator")
    (check,) = wrong.checks
    assert check.is_broken and check.run.endswith("the semantics of its ops in numpy")


def test_verify_says_that_an_op_is_not_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TABLE_OF_SEMANTICS, "stablehlo.abs")
    text = function("stablehlo.abs %x : tensor<4xf32>", "4xf32", "4xf32")
    report = hold(asmgen.compile(text), "emulator")
    assert report.notes[-1] == "not compared with the semantics of its ops in numpy: stablehlo.abs at <text>.mlir:2:8 is not interpreted"


def test_every_rule_has_semantics() -> None:
    known = {*TABLE_OF_SEMANTICS, *CONTROL}
    assert {name for name in TABLE if name not in known and not name.startswith("linalg.")} == set()


def function(op: str, of: str, to: str) -> str:
    return f"func.func @main(%x: tensor<{of}>) -> tensor<{to}> {{\n  %0 = {op}\n  return %0 : tensor<{to}>\n}}\n"


UNKNOWN_SHAPE = """\
func.func @main(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<?x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""
BLOCKS = """\
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  cf.cond_br %c, ^a(%x : tensor<4xf32>), ^b
^a(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
^b:
  %z = stablehlo.negate %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (TWO.partition("func.func @calls")[0].replace("@bad", "@main"), ":6:8: error[TNS001]: stablehlo.custom_call"),
        ("func.func @main(%x: tensor<4xi4>) -> tensor<4xi4> {\n  return %x : tensor<4xi4>\n}\n", ":1:17: error[TNS002]: tensor<4xi4>"),
        (BLOCKS, ":3:3: error[TNS004]: cf.cond_br goes to another block"),
        (UNKNOWN_SHAPE, ":2:8: error[TNS003]: stablehlo.dynamic_reshape: tensor<?x3xf32> has a dynamic dim that no operand gives"),
        (
            function("stablehlo.reduce_precision %x, format = e4m9 : tensor<4xf32>", "4xf32", "4xf32"),
            ":2:8: error[TNS004]: stablehlo.reduce_precision: got 4 exponent and 9 mantissa bits",
        ),
        (
            function("call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>", "4xf32", "4xf32"),
            ":2:8: error[TNS004]: func.call: more than 64 calls in each other",
        ),
    ],
)  # fmt: skip
def test_refusals_have_the_place_of_the_op(text: str, wanted: str) -> None:
    with pytest.raises(asmgen.InputError) as refused:
        _ = asmgen.compile(text)
    assert str(refused.value).startswith(f"<text>.mlir{wanted}")
