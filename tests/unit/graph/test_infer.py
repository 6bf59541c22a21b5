"""Shape and type inference: broadcasting as numpy's, and each family of ops against numpy on arrays of its shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asmgen.gentext.parser import parse
from asmgen.index.size import numbers
from asmgen.ir.shapes import broadcast_dims
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]
shapes: st.SearchStrategy[tuple[int, ...]] = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def infer(statement: str, *parameters: str) -> TensorType:
    lines = [f"p{i} = @param:p{i} -> {type_}" for i, type_ in enumerate(parameters)]
    type_ = parse("\n".join([*lines, f"y = {statement}", "@return(y)"]), "t.gen").modules[0].statements[-2].result.type
    assert isinstance(type_, TensorType)
    return type_


@given(st.lists(shapes, min_size=1, max_size=3).map(tuple))
def test_broadcasting_is_numpys(given_shapes: tuple[tuple[int, ...], ...]) -> None:
    try:
        wanted = np.broadcast_shapes(*given_shapes)
    except ValueError:
        wanted = None
    assert broadcast_dims(given_shapes) == wanted


@given(shapes, st.data())
def test_multibroadcast_reaches_the_elements_that_numpy_does(dims: tuple[int, ...], data: st.DataObject) -> None:
    part = tuple(data.draw(st.sampled_from((1, dim))) for dim in dims)[data.draw(st.integers(0, len(dims))) :]
    array = np.arange(int(np.prod(part))).reshape(part)
    braces = ["{" + ",".join(map(str, numbers)) + "}" for numbers in (dims, part)]
    type_ = infer(f"multibroadcast[out_lens={braces[0]}](p0)", braces[1])
    if array.size:
        viewed = np.lib.stride_tricks.as_strided(array, type_.shape, tuple(stride * array.itemsize for stride in numbers(type_.strides)))
        assert (viewed == np.broadcast_to(array, dims)).all()
    assert type_.dims == dims


ShapeCase = tuple[str, list[str], Callable[[list[Array]], Array]]
SHAPE_CASES: list[ShapeCase] = [
    ("reduce_sum[axes={0,-1}](p0)", ["{2,3,4}"], lambda p: p[0].sum((0, 2), keepdims=True)),
    ("reduce_mean(p0)", ["{2,3}"], lambda p: p[0].mean(keepdims=True)),
    ("reduce_max[axes=1](p0)", ["{0,3}"], lambda p: p[0].max(1, keepdims=True)),
    ("reduce_prod(p0)", ["{0,3}"], lambda p: p[0].prod(keepdims=True)),
    ("softmax[axis=-2](p0)", ["{2,3}"], lambda p: p[0]),
    ("layernorm(p0, p1, p1)", ["{2,3}", "{3}"], lambda p: p[0]),
    ("instancenorm(p0, p1, p1)", ["{2,3,5}", "{3}"], lambda p: p[0]),
    ("dot(p0, p1)", ["{5,1,2,3}", "{4,3,7}"], lambda p: np.matmul(p[0], p[1])),
    ("dot(p0, p1)", ["{3}", "{4,3,7}"], lambda p: np.matmul(p[0], p[1])),
    ("dot(p0, p1)", ["{5,2,3}", "{3}"], lambda p: np.matmul(p[0], p[1])),
    ("dot(p0, p1)", ["{3}", "{3}"], lambda p: np.matmul(p[0], p[1])),
    ("dot(p0, p1)", ["{2,0}", "{0,3}"], lambda p: np.matmul(p[0], p[1])),
    (
        "dot_general[lhs_batch=1, rhs_batch=-1, lhs_contract={0,3}, rhs_contract={1,0}](p0, p1)",
        ["{2,5,3,4}", "{4,2,7,5}"],
        lambda p: np.einsum("abcd,daeb->bce", p[0], p[1]),
    ),
    ("pad[pads={1,0,2,3}](p0)", ["{2,3}"], lambda p: np.pad(p[0], ((1, 2), (0, 3)))),
    ("pad[pads={2,2}, mode=reflect](p0)", ["{3}"], lambda p: np.pad(p[0], 2, mode="reflect")),
    ("gather[axis=1](p0, p1)", ["{2,3,4}", "i32, {5,6}"], lambda p: np.take(p[0], p[1], axis=1)),
    ("gather(p0, p1)", ["{3}", "i64, {}"], lambda p: np.take(p[0], p[1], axis=0)),
    ("reverse[axes={0,-1}](p0)", ["{2,3}"], lambda p: np.flip(p[0], (0, 1))),
    ("concat[axis=-1](p0, p1, p0)", ["{2,3}", "{2,1}"], lambda p: np.concatenate([p[0], p[1], p[0]], -1)),
    ("slice[axes={0,1}, starts={1,-2}, ends={9,-1}](p0)", ["{3,4}"], lambda p: p[0][1:9, -2:-1]),
    ("slice[axes=0, starts=2, ends=1](p0)", ["{3,4}"], lambda p: p[0][2:1]),
    ("step[axes={1}, steps={2}](p0)", ["{3,5}"], lambda p: p[0][:, ::2]),
    ("transpose[permutation={2,0,1}](p0)", ["{2,3,4}"], lambda p: p[0].transpose(2, 0, 1)),
    ("reshape[dims={0,-1}](p0)", ["{2,3,4}"], lambda p: p[0].reshape((2, 12))),
    ("reshape[dims={}](p0)", ["{1,1}"], lambda p: p[0].reshape(())),
    ("squeeze[axes={0,-1}](p0)", ["{1,3,1}"], lambda p: np.squeeze(p[0])),
    ("unsqueeze[axes={0,3}](p0)", ["{2,3}"], lambda p: np.expand_dims(p[0], (0, 3))),
    ("contiguous(p0)", ["{2,3}, {1,2}"], lambda p: p[0]),
    ("broadcast[axis=1, out_lens={2,3,4}](p0)", ["{3}"], lambda p: np.broadcast_to(p[0][:, None], (2, 3, 4))),
    ("where(p0, p1, p2)", ["bool, {3}", "{2,1}", "{}"], lambda p: np.where(p[0], p[1], p[2])),
    ("clip(p0, p1, p1)", ["{2,3}", "{}"], lambda p: p[0]),
]


@pytest.mark.parametrize(("statement", "parameters", "function"), SHAPE_CASES)
def test_shapes_are_numpys(statement: str, parameters: list[str], function: Callable[[list[Array]], Array]) -> None:
    arrays: list[Array] = []
    for parameter in parameters:
        dims = parse(f"x = @param:x -> {parameter}\n@return(x)\n", "t.gen").modules[0].statements[0].result.type
        assert isinstance(dims, TensorType)
        arrays.append(np.zeros(dims.shape, dims.element.numpy))
    assert infer(statement, *parameters).dims == function(arrays).shape


@pytest.mark.parametrize(
    ("statement", "parameter", "strides"),
    [
        ("transpose[permutation={1,0}](p0)", "{2,3}, {1,5}", (5, 1)),
        ("step[axes={1}, steps={2}](p0)", "{2,5}", (5, 2)),
        ("slice[axes={1}, starts={1}, ends={3}](p0)", "{2,5}", (5, 1)),
        ("squeeze[axes={1}](p0)", "{2,1,3}", (3, 1)),
        ("unsqueeze[axes={1}](p0)", "{2,3}", (3, 3, 1)),
        ("abs(p0)", "{2,3}, {1,5}", (3, 1)),
        ("contiguous(p0)", "{2,3}, {1,5}", (3, 1)),
    ],
)  # fmt: skip
def test_strides_of_views(statement: str, parameter: str, strides: tuple[int, ...]) -> None:
    assert infer(statement, parameter).strides == strides


@pytest.mark.parametrize(
    ("statement", "parameters", "element"),
    [
        ("less(p0, p0)", ["f16, {2}"], "bool"), ("equal(p0, p0)", ["bool, {2}"], "bool"), ("isnan(p0)", ["{2}"], "bool"),
        ("argmax[axis=0](p0)", ["{2}"], "i64"), ("reduce_any(p0)", ["i32, {2}"], "bool"), ("convert[target_type=u8](p0)", ["{2}"], "u8"),
        ("bit_cast[target_type=i8](p0)", ["u8, {2}"], "i8"), ("quantizelinear(p0, p0)", ["{2}"], "u8"),
        ("quantizelinear(p0, p0, p1)", ["{2}", "i8, {2}"], "i8"),
        ("dequantizelinear(p0, p1)", ["i8, {2}", "f16, {}"], "f16"), ("where(p0, p0, p0)", ["bool, {2}"], "bool"),
        ("gather(p0, p1)", ["u8, {2}", "i32, {1}"], "u8"),
    ],
)  # fmt: skip
def test_element_types(statement: str, parameters: list[str], element: str) -> None:
    assert infer(statement, *parameters).element.name == element


@pytest.mark.parametrize(
    ("statement", "parameters", "code", "message"),
    [
        ("bit_cast[target_type=f16](p0)", ["{2}"], "GEN301", "target_type f16 has 16 bits, wanted 32"),
        ("not(p0)", ["{2}"], "GEN301", "type f32, wanted one of bool"),
        ("gather(p0, p0)", ["{2}"], "GEN301", "type f32, wanted i32 or i64"),
        ("gather(p0, p1)", ["{0}", "i32, {1}"], "GEN302", "wanted something to gather from"),
        ("dot(p0, p0)", ["{2,3}"], "GEN302", "do not multiply"),
        ("dot(p0, p1)", ["{3}", "{4}"], "GEN302", "do not multiply"),
        ("dot(p0, p1)", ["{}", "{4}"], "GEN302", "operand 1 is a number"),
        ("dot(p0, p1)", ["{2,3,4}", "{3,4,5}"], "GEN302", "batch dims {2} and {3} do not broadcast"),
        ("dot[target_type=f16](p0, p0)", ["{3,3}"], "GEN301", "wanted f32"),
        ("dot_general[lhs_batch=0, rhs_batch=0, lhs_contract=0, rhs_contract=1](p0, p0)", ["{3,3}"], "GEN303", "have axis 0"),
        ("dot_general[lhs_contract=1](p0, p0)", ["{3,3}"], "GEN303", "as many axes"),
        ("dot_general[lhs_contract=1, rhs_contract=0](p0, p0)", ["{3,4}"], "GEN302", "pair axis 1 of {3,4} and axis 0"),
        ("concat[axis=0](p0, p1)", ["{2,3}", "{2,4}"], "GEN302", "operand 2 has shape {2,4}"),
        ("reshape[dims={4}](p0)", ["{2,3}"], "GEN302", "{4} has 4 elements, wanted 6"),
        ("reshape[dims={-1,-1}](p0)", ["{2,3}"], "GEN303", "at most a single -1"),
        ("reshape[dims={0,-1}](p0)", ["{0,3}"], "GEN303", "wanted what can be inferred"),
        ("squeeze[axes=0](p0)", ["{2,3}"], "GEN302", "size 2, wanted 1"),
        ("transpose[permutation={0}](p0)", ["{2,3}"], "GEN303", "wanted each of the 2 axes once"),
        ("transpose[permutation={0,0}](p0)", ["{2,3}"], "GEN303", "wanted each axis once"),
        ("pad[pads={1}](p0)", ["{2}"], "GEN303", "wanted 2 numbers >= 0"),
        ("pad[pads={-1,0}](p0)", ["{2}"], "GEN303", "wanted 2 numbers >= 0"),
        ("pad[pads={2,0}, mode=reflect](p0)", ["{2}"], "GEN303", "wanted less than the size"),
        ("pad[pads={2,0}, mode=edge](p0)", ["{0}"], "GEN303", "wanted an edge"),
        ("step[axes=0, steps=0](p0)", ["{2}"], "GEN303", "1 number >= 1"),
        ("slice[axes=0, starts={0,1}, ends=1](p0)", ["{2}"], "GEN303", "wanted as many of each"),
        ("multibroadcast[out_lens={3}](p0)", ["{2}"], "GEN302", "{2} does not broadcast to {3}"),
        ("multibroadcast[out_lens={-3}](p0)", ["{1}"], "GEN303", "wanted dims >= 0"),
        ("broadcast[axis=1, out_lens={2,3}](p0)", ["{2}"], "GEN302", "does not lie in {2,3} from axis 1 on"),
        ("layernorm(p0, p1)", ["{2,3}", "{2}"], "GEN302", "wanted a shape that broadcasts to {2,3}"),
        ("instancenorm(p0, p1, p1)", ["{2,3,4}", "{4}"], "GEN302", "wanted {3}"),
        ("softmax[axis=0](p0)", ["{}"], "GEN303", "wanted none, the operand has rank 0"),
        ("argmin[axis=0](p0)", ["{0,0}"], "", ""),
        ("argmin[axis=0](p0)", ["{0,2}"], "GEN302", "the argmin of nothing has no value"),
        ("reduce_min[axes=0](p0)", ["{0,2}"], "GEN302", "the reduce_min of nothing has no value"),
    ],
)  # fmt: skip
def test_refusals(statement: str, parameters: list[str], code: str, message: str) -> None:
    if not code:
        _ = infer(statement, *parameters)
        return
    with pytest.raises(InputError) as caught:
        _ = infer(statement, *parameters)
    assert caught.value.code == code
    assert message in caught.value.message
    assert caught.value.help
    assert "wanted" in caught.value.message
