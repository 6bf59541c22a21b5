"""Programs as MIGraphX prints them."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.frontends.migraphx import read_migraphx
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from isa.diagnostics import InputError
from tests.device import chosen_device

FUSED = """module: "main"
y = @param:y -> float_type, {12}, {1}
x = @param:x -> float_type, {8}, {1}
@2 = pad[mode=0,pads={2, 2},value=0](x) -> float_type, {12}, {1}
@3 = pointwise(@2,y), [main:pointwise0] -> float_type, {12}, {1}
@4 = @return(@3), target_id=0

module: "main:pointwise0"
main:pointwise0:x1 = @param:x1 -> float_type, {1}, {0}
main:pointwise0:x0 = @param:x0 -> float_type, {1}, {0}
main:pointwise0:@2 = add(main:pointwise0:x1,main:pointwise0:x0) -> float_type, {1}, {0}
main:pointwise0:@3 = @return(main:pointwise0:@2), target_id=0
"""
SOFTMAX = """x = @param:x -> half_type, {2, 3, 40}, {120, 40, 1}, target_id=0
@1 = @literal{0.5} -> half_type, {1}, {0}, target_id=0
@2 = multibroadcast[out_lens={2, 3, 40},out_dyn_dims={}](@1) -> half_type, {2, 3, 40}, {0, 0, 0}, target_id=0
@3 = mul(x,@2) -> half_type, {2, 3, 40}, {120, 40, 1}, target_id=0
@4 = softmax[axis=2](@3) -> half_type, {2, 3, 40}, {120, 40, 1}, target_id=0
@5 = argmax[axis=2,select_last_index=1](@4) -> int64_type, {2, 3, 1}, {3, 1, 1}, target_id=0
@6 = @return(@4,@5), target_id=0
"""


def test_it_is_the_graph_of_gen_text() -> None:
    text = """module @main {
x = @param:x -> f16, {2,3,40}
v1 = @literal{0.5} -> f16, {1}
v2 = multibroadcast[out_lens={2,3,40}](v1)
v3 = mul(x, v2)
v4 = softmax[axis=2](v3)
v5 = argmax[axis=2, select_last_index=true](v4)
@return(v4, v5)
}"""
    literal = "{1}, {0}"  # as MIGraphX prints a value of one element
    found = print_program(read_migraphx(SOFTMAX, "a.txt"))
    assert found.replace(literal, "{1}") == print_program(parse(text, "a.gen"))


PRODUCT = """module: "main"
b = @param:b -> half_type, {2, 8, 16}, {128, 16, 1}
a = @param:a -> half_type, {2, 4, 16}, {64, 16, 1}
main:@2 = transpose[permutation={0, 2, 1}](b) -> half_type, {2, 16, 8}, {128, 1, 16}, target_id=0
main:@3 = dot(a,main:@2) -> half_type, {2, 4, 8}, {32, 8, 1}, target_id=0
main:@4 = @return(main:@3), target_id=0
"""


def test_a_product_with_a_transposed_factor() -> None:
    b, a = [np.arange(size).reshape(2, -1, 16).astype(np.float16) % 7 for size in (256, 128)]
    (result,) = asmgen.compile(PRODUCT, target="gfx942")(b, a, device=chosen_device())
    np.testing.assert_array_equal(result, a @ b.swapaxes(1, 2))


def test_a_quantised_product_has_the_type_of_its_sums() -> None:
    text = PRODUCT.replace("half_type", "int8_type").replace("= dot(a,main:@2) -> int8_type", "= quant_dot(a,main:@2) -> int32_type")
    b, a = [np.arange(size).reshape(2, -1, 16).astype(np.int8) for size in (256, 128)]
    (result,) = asmgen.compile(text, target="gfx942")(b, a, device=chosen_device())
    np.testing.assert_array_equal(result, a.astype(np.int32) @ b.astype(np.int32).swapaxes(1, 2))
    assert result.dtype == np.int32
    with pytest.raises(InputError, match=r"GEN301.*target_type is f32 for operands of i8, wanted i8 or i16 or i32"):
        _ = asmgen.compile(text.replace("-> int32_type", "-> float_type"), target="gfx942")


def test_a_module_that_is_called_after_it_is_printed() -> None:
    program = asmgen.compile(FUSED, target="gfx1100")
    assert len(program.kernels) == 1
    y, x = np.arange(12, dtype=np.float32), np.ones(8, np.float32)
    (result,) = program(y, x, device=chosen_device())
    assert np.array_equal(result, y + np.pad(x, 2))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("x = @param:x -> float_type, {8}, {1}\n@1 = @literal{ ... } -> float_type, {8}, {1}\n@2 = @return(@1)\n", "GEN015", 2),
        ("x = @param:x -> float_type, {8}, {1}\n@1 = gpu::gemm(x,x) -> float_type, {8}, {1}\n@2 = @return(@1)\n", "GEN00", 2),
        ("x = @param:x -> float_type, {8}, {1}\n@1 = relu(@7) -> float_type, {8}, {1}\n@2 = @return(@1)\n", "GEN004", 2),
    ],
)
def test_refused_at_its_line(text: str, code: str, line: int) -> None:
    with pytest.raises(InputError) as error:
        _ = asmgen.compile(text, target="gfx942")
    assert error.value.code.startswith(code), str(error.value)
    assert f":{line}" in str(error.value)
