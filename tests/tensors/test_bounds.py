"""Bounds of dynamic dims: a size above its bound is refused when it is given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.graph.printer import print_program
from asmgen.ir.program import Stage
from tests.device import chosen_device

ENCODINGS = ("#stablehlo.bounds<4, ?>", "#stablehlo.type_extensions<bounds = [4, ?]>")
SUM = """
func.func @main(%x: tensor<?x?xf32, #B>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<?x?xf32, #B>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def text(encoding: str = ENCODINGS[0]) -> str:
    return SUM.replace("#B", encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_size_above_its_bound_is_refused(encoding: str) -> None:
    program = asmgen.compile(text(encoding))
    for rows in (0, 4):
        x = np.arange(rows * 70, dtype=np.float32).reshape(rows, 70)  # the other dim has no bound
        np.testing.assert_array_equal(program(x, x, device=chosen_device())[0], x + x)
    with pytest.raises(asmgen.InputError, match=r"argument x: error\[CALL010\]: x_0 is 5, wanted at most 4"):
        _ = program(np.zeros((5, 70), np.float32), np.zeros((5, 70), np.float32), device=chosen_device())


def test_a_printed_graph_keeps_the_bound() -> None:
    graph = asmgen.compile(text()).compilation.stages.programs[Stage.GRAPH]
    printed = print_program(graph)
    assert "x = @param:x[most={4,-1}] -> f32, {x_0,x_1}" in printed
    with pytest.raises(asmgen.InputError, match="x_0 is 5, wanted at most 4"):
        _ = asmgen.compile(printed)(np.zeros((5, 7), np.float32), np.zeros((5, 7), np.float32), device=chosen_device())
    with pytest.raises(asmgen.InputError, match=r"1 number, wanted a number for each of the 2 axes"):
        _ = asmgen.compile(printed.replace("most={4,-1}", "most={4}"))


def test_a_profile_of_a_size_above_its_bound_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sum.mlir"
    _ = path.write_text(text())
    assert main(["profile", str(path), "--size", "x_0=5", "--size", "x_1=64"]) == 1
    assert "x_0 is 5, wanted at most 4" in capsys.readouterr().err


def test_a_bound_of_nothing_is_refused() -> None:
    with pytest.raises(asmgen.InputError, match=r"GEN014\]: x_0 is at least 1 here, and at most 0"):
        _ = asmgen.compile(text("#stablehlo.bounds<0, ?>"))
