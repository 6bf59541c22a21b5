"""`dense<...>` of each element type in each form that MLIR has, next to numpy's and ml_dtypes' numbers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.mlir.file import read_module
from asmgen.mlir.source import Attribute, Dense
from isa.diagnostics import InputError
from tests.device import chosen_device

FLOATS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}
WIDTHS = (1, 2, 4, 7, 8, 12, 16, 32, 64, 128)  # of integers
OTHERS = ("complex<f32>", "complex<i16>", "tf32", "f80", "f128", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN")
MANY = 101  # MLIR prints more than 100 elements as a string of their bytes


def _values(*attributes: str) -> list[Attribute]:
    """The attributes that the reader takes from an operation."""
    named = ", ".join(f"t.a{number} = {attribute}" for number, attribute in enumerate(attributes))
    module = read_module(f"module attributes {{{named}}} {{}}", "dense.mlir")
    return [module.operation.attributes[f"t.a{number}"] for number in range(len(attributes))]


@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_numpys(name: str) -> None:
    dtype = np.dtype(FLOATS[name])
    listed = np.array([0.0, 1.0, -1.5, 0.1, 3.14159, 57344.0 / 256, 2.0**-9, 1 / 3]).astype(dtype)
    bits = np.arange(MANY, dtype=f"u{dtype.itemsize}")
    inexact = "[0.0, 1.0], [-1.5, 0.1], [3.14159, 224.0], [0.001953125, 0.3333333333333333]"
    nan = int(np.array(np.nan, dtype).view(bits.dtype))
    found = _values(
        f"dense<[{inexact}]> : tensor<4x2x{name}>",
        f"dense<0.1> : tensor<3x{name}>",
        f'dense<"0x{bits.tobytes().hex()}"> : tensor<{MANY}x{name}>',
        f"dense<> : tensor<0x{name}>",
        f"dense<[0x{nan:0{2 * dtype.itemsize}x}, 2.0]> : vector<2x{name}>",
    )
    wanted: list[Any] = [
        listed,
        np.array([0.1]).astype(dtype),
        bits.view(dtype),
        [],
        np.array([np.nan, 2.0]),
    ]
    for dense, expected in zip(found, wanted, strict=True):
        assert isinstance(dense, Dense)
        np.testing.assert_array_equal(dense.values, np.asarray(expected).astype(np.float64))


@pytest.mark.parametrize("width", WIDTHS)
def test_integers_have_their_sign(width: int) -> None:
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    many = [low + 37 * i % (1 << width) for i in range(MANY)]
    printed = {low: "true", high: "false"} if width == 1 else {}
    texts = [printed.get(one, str(one)) for one in (low, high, *many)]
    found = _values(
        f"dense<[{texts[0]}, {texts[1]}]> : vector<2xi{width}>",
        f"dense<{texts[0]}> : tensor<5xi{width}>",
        f"dense<[{', '.join(texts[2:])}]> : tensor<{MANY}xi{width}>",
        f"dense<> : tensor<0x3xi{width}>",
    )
    wanted = [(low, high), (low,), tuple(many), ()]
    for dense, expected in zip(found, wanted, strict=True):
        assert isinstance(dense, Dense)
        assert tuple(one % (1 << width) for one in map(int, dense.values)) == tuple(one % (1 << width) for one in expected)


@pytest.mark.parametrize("name", OTHERS)
def test_other_elements_are_read_and_looked_at_by_nobody(name: str) -> None:
    """A file may have them next to its kernels."""
    number = "1" if "i16" in name else "1.0"
    one = f"({number}, {number})" if name.startswith("complex") else number
    found = _values(f"dense<{one}> : tensor<2x{name}>", f"dense<> : tensor<0x{name}>", f"[dense<{one}> : tensor<2x{name}>]")
    assert not any(isinstance(each, Dense) for each in found)


_KERNEL = """module {{
  memref.global "private" constant @beside : memref<2x{type}> = dense<[1.5, -2.0]>
  gpu.module @m {{
    gpu.func @k(%x: memref<4x{type}>) private(%own: memref<6x{type}, #gpu.address_space<private>>) kernel {{
      %i = arith.constant 0 : index
      %v = arith.constant dense<[1.5, -2.0, 0.1, 0x{nan}]> : vector<4x{type}>
      vector.store %v, %own[%i] : memref<6x{type}, #gpu.address_space<private>>, vector<4x{type}>
      %w = vector.load %own[%i] : memref<6x{type}, #gpu.address_space<private>>, vector<4x{type}>
      vector.store %w, %x[%i] : memref<4x{type}>, vector<4x{type}>
      gpu.return
    }}
  }}
}}
"""


@pytest.mark.parametrize(("name", "nan"), [("f16", "7e00"), ("bf16", "7fc0"), ("f8E4M3FN", "7f"), ("f8E5M2", "7e")])
def test_a_kernel_stores_a_constant_by_way_of_private_memory(name: str, nan: str) -> None:
    text = _KERNEL.format(type=name, nan=nan)
    dtype = np.dtype(FLOATS[name])
    program = asmgen.compile(text, target="gfx1201")
    (found,) = program.kernel("k").launch(grid=(1, 1, 1), block=(1, 1, 1), args=[np.zeros(4, dtype)], device=chosen_device())
    wanted = np.array([1.5, -2.0, 0.1, np.nan]).astype(dtype)
    np.testing.assert_array_equal(found.astype(np.float64), wanted.astype(np.float64))


_HOST = """module {{
  memref.global "private" constant @c : memref<{count}x{type}> = {value}
  func.func @main(%y: memref<{count}x{type}>) {{
    %c = memref.get_global @c : memref<{count}x{type}>
    memref.copy %c, %y : memref<{count}x{type}> to memref<{count}x{type}>
    %one = arith.constant 1 : index
    gpu.launch blocks(%a, %b, %d) in (%g0 = %one, %g1 = %one, %g2 = %one)
        threads(%e, %f, %g) in (%b0 = %one, %b1 = %one, %b2 = %one) {{
      gpu.terminator
    }}
    return
  }}
}}
"""


@pytest.mark.parametrize("type_", ["f16", "bf16", "i8", "i1"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_global_of_the_host_begins_with_its_elements(type_: str, count: int) -> None:
    dtype = np.dtype({**FLOATS, "i8": np.int8, "i1": np.bool_}[type_])
    wanted = np.array([1, 0, 1][:count]).astype(dtype)
    words = {"i8": ("0", "1"), "i1": ("false", "true")}.get(type_, ("0.0", "1.0"))
    listed = ", ".join(words[int(one)] for one in wanted)
    value = f"dense<[{listed}]>" if count else "dense<>"
    program = asmgen.compile(_HOST.format(type=type_, count=count, value=value), target="gfx942")
    (found,) = program.host("main").run(args=[np.zeros(count, dtype)], device=chosen_device())
    np.testing.assert_array_equal(found, wanted)


def test_a_global_whose_elements_are_a_resource_is_refused() -> None:
    program = asmgen.compile(_HOST.format(type="f32", count=3, value="dense_resource<blob>"), target="gfx942")
    with pytest.raises(InputError, match=r"\[MLIR074\]: the value of c is dense_resource<blob>.*dense<"):
        _ = program.host("main").run(args=[np.zeros(3, np.float32)], device="emulator")
