"""Packed integers and scales of blocks: the reference beside numpy, and the mistakes that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.reference import evaluate
from asmgen.ir.program import tensor_type
from asmgen.ir.shapes import format_list
from isa.diagnostics import InputError


def _numbers(packed: np.ndarray, bits: int, axis: int) -> np.ndarray:
    """Numbers of a few bits by Python's integers, an element at a time."""

    def split(row: np.ndarray) -> np.ndarray:
        signed, found = row.dtype.kind == "i", []
        for element in row.tolist():
            for place in range(8 * row.dtype.itemsize // bits):
                number = element >> bits * place & (1 << bits) - 1
                found.append(number - (1 << bits) if signed and number >> bits - 1 else number)
        return np.array(found)

    return np.apply_along_axis(split, axis, packed)


@pytest.mark.parametrize("type_", ["i8", "u8", "i16", "u16", "i32", "u32"])
@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("axis", [0, -1])
def test_numbers_come_from_the_lowest_bits_on(type_: str, bits: int, axis: int) -> None:
    text = f"x = @param:x -> {type_}, {{3,5}}\ny = unpack[bits={bits}, axis={axis}](x)\n@return(y)\n"
    dtype = np.dtype(f"{type_[0]}{int(type_[1:]) // 8}")
    packed = np.random.default_rng(4).integers(0, 256, 15 * dtype.itemsize, np.uint8).view(dtype).reshape(3, 5)
    (found,) = evaluate(parse(text, "u.gen"), [packed])
    assert found.element.name == f"{type_[0]}8"
    assert (found.value == _numbers(packed, bits, axis)).all()
    assert (found.low == found.high).all()


def test_each_block_has_its_scale_and_zero_point() -> None:
    text = """x = @param:x -> u8, {4,6}
s = @param:s -> f32, {2,3}
z = @param:z -> u8, {2,3}
y = dequantize[blocks={2,2}](x, s, z)
@return(y)
"""
    random = np.random.default_rng(5)
    x, z = (random.integers(0, 16, dims, np.uint8) for dims in ((4, 6), (2, 3)))
    scale = random.standard_normal((2, 3)).astype(np.float32)
    (found,) = evaluate(parse(text, "d.gen"), [x, scale, z])
    ones = np.ones((2, 2))
    wanted = (x.astype(np.float64) - np.kron(z, ones)) * np.kron(scale, ones)
    assert np.allclose(found.value, wanted, rtol=1e-7, atol=0)


BAD = (
    ("q = unpack[bits=3](x)", "GEN303", "bits is 3, wanted 1 or 2 or 4 for elements of u8"),
    ("q = unpack[bits=8](x)", "GEN303", "bits is 8, wanted 1 or 2 or 4"),
    ("q = unpack[bits=4](s)", "GEN301", "operand 1 has type f32, wanted one of i8 u8 i16 u16 i32 u32"),
    ("q = dequantize[blocks={3}](x, s)", "GEN303", "blocks of 3 do not divide axis 1 of size 8, wanted a divisor of 8 / blocks of 2 do"),
    ("q = dequantize[blocks={2}](x, s)", "GEN302", "operand 2 has shape {6,2}, wanted {6,4}: a number for each block of {1,2} / blocks={1,4}"),
    ("q = dequantize[blocks={4}](x, t)", "GEN302", "operand 2 has shape {2,6}, wanted {6,2} / transpose[permutation={1,0}] turns it"),
    ("q = dequantize[blocks={4}](x, c)", "GEN302", "operand 2 has shape {6,2,1}, wanted {6,2} / reshape[dims={6,2}]"),
    ("q = dequantize[blocks={4}](x, s, t)", "GEN301", "operand 3 has type f32, wanted u8 as operand 1 has / unpack the zero points"),
    ("q = dequantize[blocks={4}](x, x)", "GEN301", "operand 2 has type u8, wanted a float type"),
    ("q = dequantize[blocks={1,2,4}](x, s)", "GEN303", "blocks is {1,2,4}, wanted 1 to 2 sizes of 1 or more"),
    ("q = dequantize[blocks={4}](n, s)", "GEN302", "wanted dims that are {6,n} if they are multiplied by {1,4}"),
)


@pytest.mark.parametrize(("line", "code", "message"), BAD)
def test_mistakes_are_refused_at_their_place_with_a_way_out(line: str, code: str, message: str) -> None:
    dims = {"x": "u8, {6,8}", "s": "f32, {6,2}", "t": "f32, {2,6}", "c": "f32, {6,2,1}", "n": "u8, {6,n}"}
    text = "".join(f"{name} = @param:{name} -> {type_}\n" for name, type_ in dims.items())
    with pytest.raises(InputError) as caught:
        _ = parse(f"{text}{line}\n@return(q)\n", "bad.gen")
    assert str(caught.value.place).startswith("bad.gen:6:")
    wanted, _, help = message.partition(" / ")
    assert caught.value.code == code
    assert wanted in caught.value.message
    assert help in caught.value.help


def test_scales_of_named_dims() -> None:
    text = "x = @param:x -> u8, {n,4*g}\ns = @param:s -> f32, {n,g}\ny = dequantize[blocks={4}](x, s)\n@return(y)\n"
    assert format_list(tensor_type(parse(text, "named.gen").modules[0].statements[-2].result).dims) == "{n,4*g}"
