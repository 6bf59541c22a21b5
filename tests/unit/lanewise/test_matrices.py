"""`matrix` against numpy, with elements placed and read by AMD's published layouts, and the errors."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.matrices import matrix_names, matrix_row
from isa.diagnostics import InputError
from isa.table import table_named
from tests.device import chosen_device
from tests.unit.isa.test_matrix import layout_of

Array = NDArray[Any]
DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "u8": np.uint8, "i32": np.int32}
TEXT = """stage lanewise {target}
launch[grid={{1,1,1}}, block={{{lanes},1,1}}]
a = @param:a -> {factor}, {{{factors}}}
b = @param:b -> {factor}, {{{factors}}}
c = @param:c -> {result}, {{{results}}}
d = @param:d -> {result}, {{{results}}}
lane = local_id -> u32
size_a = @literal{{{each}}} -> u32
size_c = @literal{{{of_c}}} -> u32
i = mul(lane, size_a) -> u32
j = mul(lane, size_c) -> u32
x = {load}(a, i) -> {factor}{times}
y = {load}(b, i) -> {factor}{times}
z = vector_load[size={of_c}](c, j) -> {result}x{of_c}
r = matrix[by={by}](x, y, z) -> {result}x{of_c}
vector_store[size={of_c}](d, j, r)
@return(d)
"""


class Case(NamedTuple):
    """An instruction: elements a lane has of A and of C, and their types."""

    target: str
    by: str
    each: int
    of_c: int
    factor: str = "f16"
    result: str = "f32"

    @property
    def lanes(self) -> int:
        return table_named(self.target).target.wave_size

    @property
    def text(self) -> str:
        sizes = {"factors": self.each * self.lanes, "results": self.of_c * self.lanes, "lanes": self.lanes}
        load = f"vector_load[size={self.each}]" if self.each > 1 else "load"
        times = f"x{self.each}" if self.each > 1 else ""
        return TEXT.format(**self._asdict(), **sizes, load=load, times=times)


BYTES = "v_wmma_i32_16x16x16_iu8"
WMMA = "v_wmma_f32_16x16x16_f16"
MFMA = "v_mfma_f32_16x16x16_f16"
CASES = (
    Case("gfx90a", MFMA, 4, 4),
    Case("gfx942", "v_mfma_f32_32x32x8_f16", 4, 16),
    Case("gfx950", "v_mfma_f32_16x16x32_f16", 8, 4),
    Case("gfx942", "v_mfma_f32_16x16x4_f32", 1, 4, "f32"),
    Case("gfx1100", WMMA, 16, 8),
    Case("gfx1100:wave64", WMMA, 16, 4),
    Case("gfx1201", WMMA, 8, 8),
    Case("gfx1201:wave64", WMMA, 4, 4),
    Case("gfx1201", "v_wmma_f16_16x16x16_f16", 8, 8, "f16", "f16"),
    Case("gfx1100", BYTES, 16, 8, "i8", "i32"),
    Case("gfx1201:wave64", BYTES, 4, 4, "i8", "i32"),
)


def placed(case: Case, matrix: str, values: Array, **index: Array) -> Array:
    """[lane, element] of an operand whose matrix is `values`."""
    layout = layout_of(case.target, row_of(case))
    width = 8 * values.itemsize
    elements = np.zeros((case.lanes, case.of_c if matrix.startswith("D") else case.each), values.dtype)
    for spot in layout.spots(matrix, width, **index):
        elements[spot.lane, spot.bit // width] = values
    return elements


def row_of(case: Case) -> Any:
    row = matrix_row(table_named(case.target), case.by)
    assert row is not None
    return row


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.target}-{case.by}")
def test_products(case: Case) -> None:
    draw = np.random.default_rng(0)
    layout = layout_of(case.target, row_of(case))
    n, inner = layout.size, layout.inner
    a, b = (draw.integers(-4, 5, shape).astype(DTYPES[case.factor]) for shape in ((n, inner), (inner, n)))
    c = draw.integers(-9, 10, (n, n)).astype(DTYPES[case.result])
    i, k = np.indices((n, inner))
    row, column = np.indices((n, n))
    wanted = placed(case, "D[i][j]", (a.astype("f8") @ b + c).astype(c.dtype), i=row, j=column)
    given = [
        placed(case, "A[i][k]", a, i=i, k=k),
        placed(case, "B[k][j]", b, k=k.T, j=i.T),
        placed(case, "D[i][j]", c, i=row, j=column),
    ]
    flat = [array.reshape(-1) for array in given]
    (after,) = asmgen.compile(case.text, target=case.target)(*flat, device=chosen_device())
    np.testing.assert_array_equal(after.reshape(wanted.shape), wanted)
    memory = np.zeros_like(flat[2])
    interpret(parse(case.text, "m.gen").modules[0], [*flat, memory], wave=case.lanes, table=table_named(case.target))
    np.testing.assert_array_equal(memory.reshape(wanted.shape), wanted)


@pytest.mark.parametrize("target", ["gfx1100", "gfx1100:wave64", "gfx1201", "gfx1201:wave64"])
@pytest.mark.parametrize(("first", "second"), [("i8", "u8"), ("u8", "i8"), ("u8", "u8")])
def test_each_factor_is_signed_or_not(target: str, first: str, second: str) -> None:
    """Bytes of all values, whose largest is 255 or 127."""
    case = next(case for case in CASES if case.by == BYTES)
    lanes, is_twice = table_named(target).target.wave_size, target.startswith("gfx1100")
    case = case._replace(target=target, each=16 if is_twice else 256 // lanes, of_c=256 // lanes)
    draw, layout = np.random.default_rng(0), layout_of(target, row_of(case))
    a, b = [draw.integers(0, 256, (16, 16)).astype(np.uint8).view(DTYPES[each]) for each in (first, second)]
    i, k = np.indices((16, 16))
    assert layout.size == layout.inner == 16
    wanted = placed(case, "D[i][j]", a.astype(np.int32) @ b.astype(np.int32), i=i, j=k)
    given = [placed(case, "A[i][k]", a, i=i, k=k), placed(case, "B[k][j]", b, k=i, j=k), np.zeros_like(wanted)]
    text = case.text
    for name, element in (("a", first), ("b", second), ("x", first), ("y", second)):
        text = re.sub(rf"(?m)^({name} = .*) -> i8", rf"\1 -> {element}", text)
    (after,) = asmgen.compile(text, target=target)(*[each.reshape(-1) for each in given], device=chosen_device())
    np.testing.assert_array_equal(after.reshape(wanted.shape), wanted)


def test_text_reads_back() -> None:
    for case in CASES:
        printed = print_program(parse(case.text, "m.gen"))
        assert f"matrix[by={case.by}](x, y, z)" in printed
        assert print_program(parse(printed, "m.gen")) == printed


def test_a_sum_that_begins_with_zero_has_a_constant_addend() -> None:
    text = CASES[0].text.replace("z = vector_load[size=4](c, j)", "z = @literal{0.0, 0.0, 0.0, 0.0}")
    (kernel,) = asmgen.compile(text, target="gfx90a").kernels
    assert "v_mfma_f32_16x16x16f16 v[6:9], v[2:3], v[4:5], 0 " in kernel.assembly


REFUSED = {
    "by=v_mfma_f32_16x16x16_f61": "GEN122.*v_mfma_f32_16x16x16_f61 is not a matrix instruction of gfx90a .*did you mean",
    f"by={WMMA}": "GEN122.*is not a matrix instruction of gfx90a",
    "by=v_smfmac_f32_16x16x32_f16": "GEN122.*with dense factors",
    "by=v_add_f32": "GEN122.*is not a matrix instruction",
    "by=v_wmma_i32_16x16x16_iu8": "GEN122.*is not a matrix instruction of gfx90a",
    "by=v_mfma_f32_32x32x8_f16": "GEN122.*are f16x4, f16x4, f32x4, wanted f16x4, f16x4, f32x16",
}


@pytest.mark.parametrize("by", list(REFUSED))
def test_an_instruction_that_the_target_has_not_is_refused(by: str) -> None:
    text = CASES[0].text.replace(f"by={MFMA}", by)
    with pytest.raises(InputError, match=f"(?s){REFUSED[by]}"):
        _ = asmgen.compile(text, target="gfx90a")


def test_a_wave_that_is_not_whole_is_refused() -> None:
    text = CASES[0].text.replace("block={64,1,1}", "block={96,1,1}")
    with pytest.raises(InputError, match=r"GEN121.*whole waves of 64 lanes and the workgroup has 96"):
        _ = asmgen.compile(text, target="gfx90a")


def test_every_name_that_is_offered_has_a_row() -> None:
    for target in dict.fromkeys(case.target for case in CASES):
        table = table_named(target)
        names = matrix_names(table)
        assert {case.by for case in CASES if case.target == target} <= set(names)
        assert all(matrix_row(table, name) is not None for name in names)
