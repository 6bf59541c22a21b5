"""Scalars by value: their places in the kernarg segment, and the parts that a kernel reads."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.forms import SCALARS
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.runtime.hip import kernarg_bytes
from isa.diagnostics import InputError
from isa.targets import TARGETS

VALUES = {
    "bool": True, "i8": -5, "u8": 200, "i16": -30000, "u16": 60000, "i32": -(2**31), "u32": 2**32 - 2, "i64": -(2**62) - 3, "u64": 2**64 - 9,
    "f16": 0.333251953125, "f32": -1.5e30, "f64": 0.1,
}  # fmt: skip
ALL_TYPES = "\n".join(
    f"{name} = @param:{name} -> {name}\nout_{name} = @param:out_{name} -> {name}, {{64}}\nstore(out_{name}, lane, {name})" for name in SCALARS
)


def text_of(body: str, results: str, target: str = "gfx942") -> str:
    """Statements in a kernel of one wave."""
    return f"stage lanewise {target}\nlaunch[grid={{1,1,1}}, block={{64,1,1}}]\nlane = local_id -> u32\n{body}\n@return({results})\n"


@pytest.mark.parametrize("target", TARGETS)
def test_every_type(target: str) -> None:
    """The segment is too long to be preloaded: each scalar is loaded, and small scalars are parts of a
    dword."""
    results = ", ".join(f"out_{name}" for name in SCALARS)
    program = asmgen.compile(text_of(ALL_TYPES, results, target), target=target)
    found = program(*[VALUES[name] for name in SCALARS], device="emulator")
    for name, array in zip(SCALARS, found, strict=True):
        assert array.dtype == np.dtype(ELEMENT_TYPES[name].numpy)
        assert (array == np.array(VALUES[name], array.dtype)).all(), name


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("names", [("u8", "i8", "bool", "u16"), ("f16", "i64"), ("i32", "f64")])
def test_few_are_preloaded(names: tuple[str, ...], target: str) -> None:
    """If the target preloads arguments, they are in SGPRs when the kernel starts."""
    lines = [f"{name} = @param:{name} -> {name}" for name in names]
    lines += [f"out_{name} = @param:out_{name} -> {name}, {{64}}\nstore(out_{name}, lane, {name})" for name in names]
    program = asmgen.compile(text_of("\n".join(lines), ", ".join(f"out_{name}" for name in names), target), target=target)
    assert (program.kernels[0].preload_dwords > 0) is TARGETS[target].preload
    for name, array in zip(names, program(*[VALUES[name] for name in names], device="emulator"), strict=True):
        assert (array == np.array(VALUES[name], array.dtype)).all(), name


def test_where_they_are() -> None:
    """Each at a multiple of its own size; the metadata says by_value, without an address space or an access."""
    text = text_of("a = @param:a -> i8\nb = @param:b -> f64\nc = @param:c -> f16\nout = @param:out -> i8, {64}\nstore(out, lane, a)", "out")
    kernel = asmgen.compile(text).kernels[0]
    assert [(a.name, a.offset, a.size, a.kind, a.type) for a in kernel.arguments] == [
        ("a", 0, 1, "by_value", "i8"), ("b", 8, 8, "by_value", "f64"), ("c", 16, 2, "by_value", "f16"), ("out", 24, 8, "global_buffer", "i8"),
    ]  # fmt: skip
    told = ('- .name: "c"', ".offset: 16", ".size: 2", ".value_kind: by_value", '.type_name: "f16"', '- .name: "out"')
    assert "\n".join(f"{' ' * (6 if line.startswith('-') else 8)}{line}" for line in told) in kernel.assembly
    values = [np.array(-1, np.int8), np.array(2.0), np.array(1.0, np.float16)]
    assert kernarg_bytes(kernel.arguments, [*values, np.zeros(64, np.int8)], {3: 0x1234}) == bytes.fromhex(
        "ff00000000000000 0000000000000040 003c000000000000 3412000000000000"
    )


def test_a_last_byte_is_in_a_whole_dword() -> None:
    text = text_of("out = @param:out -> i8, {64}\na = @param:a -> i8\nstore(out, lane, a)", "out")
    assert ".amdhsa_kernarg_size 12\n" in asmgen.compile(text).kernels[0].assembly


def test_arithmetic_of_scalars_is_the_scalar_units() -> None:
    body = """
n = @param:n -> i32
m = @param:m -> i32
out = @param:out -> i32, {64}
s = add(n, m) -> i32
t = mul(s, n) -> i32
store(out, lane, t)"""
    program = asmgen.compile(text_of(body, "out"))
    assert "s_mul_i32" in program.kernels[0].assembly and "v_mul" not in program.kernels[0].assembly
    (found,) = program(np.int8(7), 5, device="emulator")
    assert (found == 84).all()


def test_parameters_in_any_order() -> None:
    """Results need not come last among the parameters."""
    body = """
out = @param:out -> f32, {64}
s = @param:s -> f32
a = @param:a -> f32, {64}
x = load(a, lane) -> f32
y = mul(x, s) -> f32
store(out, lane, y)"""
    (found,) = asmgen.compile(text_of(body, "out"))(2, np.arange(64, dtype=np.float32), device="emulator")
    np.testing.assert_array_equal(found, 2.0 * np.arange(64))


@pytest.mark.parametrize(
    ("type_name", "given", "code"),
    [
        ("i32", 2.0, "CALL006"), ("i32", True, "CALL006"), ("i32", 2**31, "CALL007"), ("u8", -1, "CALL007"), ("bool", 1, "CALL006"),
        ("f32", "1", "CALL006"), ("f32", None, "CALL006"), ("i64", np.zeros(1, np.int64), "CALL006"), ("f16", [1.0], "CALL006"),
    ],
)  # fmt: skip
def test_what_is_no_such_number_is_refused(type_name: str, given: object, code: str) -> None:
    program = asmgen.compile(text_of(f"s = @param:s -> {type_name}\nout = @param:out -> {type_name}, {{64}}\nstore(out, lane, s)", "out"))
    with pytest.raises(InputError, match="argument s") as caught:
        _ = program(given, device="emulator")
    assert caught.value.code == code


@pytest.mark.parametrize("given", [3, np.int64(3), np.uint8(3), np.array(3, np.int16), np.float32(3), 3.0])
def test_what_a_float_takes(given: object) -> None:
    program = asmgen.compile(text_of("s = @param:s -> f32\nout = @param:out -> f32, {64}\nstore(out, lane, s)", "out"))
    assert (program(given, device="emulator")[0] == 3).all()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (text_of("v = @param:v -> f32x4\nout = @param:out -> f32, {64}", "out"), "GEN012"),
        (text_of("v = @param:v -> bf16\nout = @param:out -> f32, {64}", "out"), "GEN012"),
        (text_of("n = @param:n -> i32", "n"), "GEN016"),
        (text_of("out = @param:out -> f32, {64}", "out, out"), "GEN016"),
    ],
)  # fmt: skip
def test_bad_parameters_and_results(text: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text)
    assert caught.value.code == code
