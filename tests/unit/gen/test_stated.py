"""Gridwise and blockwise texts that do not state what lanewise makes of their shapes are refused where they stand."""

from __future__ import annotations

import pytest

import asmgen
from isa.diagnostics import InputError

POINTWISE = """stage gridwise gfx942
module @m {
  launch[grid={2,1,1}, block={64,1,1}, vector=4]
  x = @param:x -> f32, {500}
  y = @param:y -> f32, {500}
  s = neg(x)
  c = copy(s, y)
  @return(c)
}
"""
ROWS = """stage blockwise gfx942
module @m {
  launch[grid={4,1,1}, block={256,1,1}, vector=4]
  x = @param:x -> f32, {4, 1024}
  y = @param:y -> f32, {4, 1}
  z = @param:z -> f32, {4, 1}
  lds = lds_allocate[size=4] -> f32, {4}
  s = gridwise_reduce[op=sum, algo=block, reduce_elements=1024, block_size=256](x, lds) -> f32, {4, 1}
  c = copy(s, y)
  d = copy(s, z)
  @return(c, d)
}
"""


def refusal(text: str) -> tuple[str, str, str]:
    with pytest.raises(InputError) as caught:
        asmgen.compile(text)
    return caught.value.code, str(caught.value.place), caught.value.message


@pytest.mark.parametrize("text", [POINTWISE, ROWS])
def test_what_fits_is_compiled(text: str) -> None:
    assert asmgen.compile(text).kernels


@pytest.mark.parametrize(
    ("text", "old", "new", "code", "line", "wanted"),
    [
        (POINTWISE, "grid={2,1,1}", "grid={1,1,1}", "GEN111", 3, "the launch has 64 work-items, wanted 125"),
        (POINTWISE, "neg(x)", "softmax[axis=0](x)", "GEN112", 6, "got softmax, wanted pointwise ops"),
        (ROWS, "grid={4,1,1}", "grid={2,1,1}", "GEN111", 3, "wanted grid={4,1,1}, got {2,1,1}"),
        (ROWS, "block={256,1,1}", "block={64,1,1}", "GEN111", 3, "wanted block={256,1,1}, got {64,1,1}"),
        (ROWS, "vector=4", "vector=2", "GEN111", 3, "wanted vector=4, got 2"),
        (ROWS, "algo=block", "algo=lane", "GEN111", 8, "wanted algo=block, got lane"),
        (ROWS, "(x, lds)", "(x)", "GEN111", 8, "wanted LDS of 4 elements as operand 2"),
        (ROWS, "lds_allocate[size=4] -> f32, {4}", "lds_allocate[size=2] -> f32, {2}", "GEN111", 8, "wanted LDS of 4 elements"),
        (ROWS, "c = copy(s, y)", "barrier\n  c = copy(s, y)", "GEN112", 9, "got barrier"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, old: str, new: str, code: str, line: int, wanted: str) -> None:
    found = refusal(text.replace(old, new))
    assert found[:2] == (code, f"<text>.gen:{line}:3")
    assert wanted in found[2]


def test_a_result_is_of_whole_rows_or_one_for_each() -> None:
    changed = ROWS.replace("z -> f32, {4, 1}", "z -> f32, {2, 2}").replace("  lds =", "  w = @param:w -> f32, {2, 2}\n  lds =")
    code, place, message = refusal(changed.replace("copy(s, z)", "copy(w, z)"))
    assert (code, place) == ("GEN111", "<text>.gen:11:3")
    assert "wanted a buffer of {4,1024} or {4,1}" in message
