"""Functions of linalg on buffers: the arguments that a function writes are its results."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.tensors.case import numbers
from tests.tensors.running import agree, results

PROGRAM = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%a: memref<ROWSx6xf32>, %b: memref<ROWSx6xf32>, %s: memref<ROWSxf32>, %w: memref<6x3xf32>) -> memref<ROWSx3xf32> {
  %c0 = arith.constant 0 : index
  %t = memref.alloc(SIZE) : memref<ROWSx6xf32>
  linalg.abs ins(%a : memref<ROWSx6xf32>) outs(%t : memref<ROWSx6xf32>)
  linalg.add ins(%t, %b : memref<ROWSx6xf32>, memref<ROWSx6xf32>) outs(%b : memref<ROWSx6xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%b : memref<ROWSx6xf32>) outs(%s : memref<ROWSxf32>) {
  ^bb0(%p: f32, %o: f32):
    %y = arith.addf %p, %o : f32
    linalg.yield %y : f32
  }
  %z = arith.constant 0.0 : f32
  %r = memref.alloc(SIZE) : memref<ROWSx3xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<ROWSx3xf32>)
  linalg.matmul ins(%a, %w : memref<ROWSx6xf32>, memref<6x3xf32>) outs(%r : memref<ROWSx3xf32>)
  memref.copy %b, %t : memref<ROWSx6xf32> to memref<ROWSx6xf32>
  memref.dealloc %t : memref<ROWSx6xf32>
  return %r : memref<ROWSx3xf32>
}
"""


def _check(text: str, rows: int, target: str) -> None:
    a, b, s, w = numbers(801, (rows, 6)), numbers(802, (rows, 6)), numbers(803, (rows,)), numbers(804, (6, 3))
    changed = np.abs(a) + b
    agree(results(text, (a, b, s, w), target), [a @ w, changed, changed.sum(1) + s])


def test_named_ops_and_generic_on_buffers() -> None:
    _check(PROGRAM.replace("ROWS", "4").replace("SIZE", ""), 4, "gfx942")


def test_buffers_of_a_dynamic_size() -> None:
    text = PROGRAM.replace("ROWS", "?").replace("SIZE", "%n").replace("  %t =", "  %n = memref.dim %a, %c0 : memref<?x6xf32>\n  %t =")
    for rows in (1, 5, 40):
        _check(text, rows, "gfx1100")


def test_the_interpreter_reads_buffers_too() -> None:
    from asmgen.verification.verify import hold

    report = hold(asmgen.compile(PROGRAM.replace("ROWS", "4").replace("SIZE", "")), chosen_device())
    assert not report.is_broken
    assert not report.notes


VIEWS = """
memref.global "private" constant @table : memref<6xi32> = dense<[5, 4, 3, 2, 1, 0]> {alignment = 64 : i64}
func.func @main(%a: memref<4x6xf32>) -> memref<6xf32> {
  %table = memref.get_global @table : memref<6xi32>
  %rows = memref.subview %a[1, 0] [2, 6] [1, 1] : memref<4x6xf32> to memref<2x6xf32, strided<[6, 1], offset: 6>>
  %column = memref.subview %rows[0, 2] [2, 1] [1, 1] : memref<2x6xf32, strided<[6, 1], offset: 6>> to memref<2xf32, strided<[6], offset: 8>>
  linalg.exp ins(%column : memref<2xf32, strided<[6], offset: 8>>) outs(%column : memref<2xf32, strided<[6], offset: 8>>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  linalg.map ins(%flat : memref<24xf32>) outs(%flat : memref<24xf32>) (%p: f32, %o: f32) {
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %s = arith.addf %p, %f : f32
    linalg.yield %s : f32
  }
  %first = memref.subview %a[0, 0] [1, 6] [1, 1] : memref<4x6xf32> to memref<6xf32>
  %r = memref.alloc() : memref<6xf32>
  linalg.map ins(%table : memref<6xi32>) outs(%r : memref<6xf32>) (%p: i32, %o: f32) {
    %i = arith.index_cast %p : i32 to index
    %x = memref.load %first[%i] : memref<6xf32>
    linalg.yield %x : f32
  }
  %c2 = arith.constant 2 : index
  %e = memref.load %a[%c2, %c2] : memref<4x6xf32>
  memref.store %e, %r[%c2] : memref<6xf32>
  return %r : memref<6xf32>
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_views_read_and_write_their_buffer(target: str) -> None:
    """A view of a view, a flat view, a constant buffer, loads from a view in a body and alone, and a store."""
    a = numbers(805, (4, 6), least=-2, most=2)
    changed = a.copy()
    changed[1:3, 2] = np.exp(changed[1:3, 2].astype(np.float64)).astype(np.float32)
    changed += np.arange(24, dtype=np.float32).reshape(4, 6)
    wanted = changed[0, ::-1].copy()
    wanted[2] = changed[2, 2]
    agree(results(VIEWS, (a,), target), [wanted, changed], ulps=4)


def test_a_function_that_only_moves_buffers() -> None:
    text = "func.func @main(%a: memref<4x6xf32>) -> memref<24xf32> {\n  %v = memref.collapse_shape %a [[0, 1]] : memref<4x6xf32> into memref<24xf32>\n  return %v : memref<24xf32>\n}\n"
    a = numbers(806, (4, 6))
    agree(results(text, (a,), "gfx950"), [a.reshape(24)])


@pytest.mark.parametrize(
    "body, place, message",
    [
        ("%v = memref.reinterpret_cast %a to offset: [0], sizes: [24], strides: [1] : memref<4x6xf32> to memref<24xf32>", "3:8", "TNS001]: memref.reinterpret_cast"),
        ("linalg.map outs(%a : memref<4x6xf32>) (%o: f32) {\n  %x = memref.load %a[%c, %c] : memref<4x6xf32>\n  linalg.yield %x : f32\n}", "4:8", "TNS004]: the body reads %a"),
    ],
)  # fmt: skip
def test_other_operations_on_buffers_are_refused(body: str, place: str, message: str) -> None:
    text = f"func.func @main(%a: memref<4x6xf32>) {{\n  %c = arith.constant 0 : index\n  {body}\n  linalg.abs ins(%a : memref<4x6xf32>) outs(%a : memref<4x6xf32>)\n  return\n}}\n"
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text)
    assert str(caught.value).startswith(f"<text>.mlir:{place}: error[{message}")


def test_a_buffer_with_strides_is_refused() -> None:
    type_ = "memref<4x6xf32, strided<[8, 1]>>"
    text = f"func.func @main(%a: {type_}) {{\n  linalg.abs ins(%a : {type_}) outs(%a : {type_})\n  return\n}}\n"
    with pytest.raises(InputError, match=r"<text>\.mlir:1:17: error\[TNS002\]"):
        _ = asmgen.compile(text)
