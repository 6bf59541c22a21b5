"""`rocdl.mfma` and `rocdl.wmma`: each instruction of a target next to the products of the tables' rows, and
those of one block next to the interpreter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.lanewise.matrices import matrix_names, matrix_row, multiplied, operand_types, semantics_of
from asmgen.mlir.dialects.matrix import INSTRUCTIONS
from asmgen.verification.mlir.kernel import verify_kernel
from isa.diagnostics import InputError
from isa.table import table_of
from isa.targets import TARGETS
from tests.device import chosen_device
from tests.mlir.judge import ALL
from tests.rows import spread

_DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "u8": np.uint8, "i32": np.int32,
    "fp8e4m3fn": ml_dtypes.float8_e4m3fn, "fp8e5m2": ml_dtypes.float8_e5m2,
    "fp8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "fp8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
}  # fmt: skip
_MOST = 16  # elements of a vector


def _has(target: str, name: str) -> bool:
    return matrix_row(table_of(TARGETS[target]), INSTRUCTIONS[name]) is not None


def _count(type_: str) -> int:
    return int(type_.partition("x")[2] or 1)


CASES = [(target, name) for name in INSTRUCTIONS for target in ALL if _has(target, name)]


def _in_llvm(type_: str, name: str) -> str:
    """The type that LLVM's intrinsic has: bytes are in words, the first instructions of bf16 take i16."""
    element, _, _ = type_.partition("x")
    count = _count(type_)
    if element in ("i8", "u8") or element.startswith("fp8"):
        words = {4: "i32", 8: "i64", 16: "vector<4xi32>"}
        return "vector<2xi32>" if "wmma" in name and count == 8 else words[count]
    is_first = element == "bf16" and ("wmma" in name or not name.endswith(".bf16"))
    return f"vector<{count}x{'i16' if is_first else element}>" if count > 1 else element


def _text(name: str, types: Sequence[str]) -> str:
    a, b, c = (_in_llvm(type_, name) for type_ in types)
    plain, items = (", 0, 0, none", 64) if "mfma" in name else ("", 32)
    if name.endswith("iu8"):
        are = [str(type_.startswith("i")).lower() for type_ in types[:2]]
        plain = f" <{{signA = {are[0]}, signB = {are[1]}}}>"
    return f"""gpu.module @m {{ gpu.func @k(%x: memref<?x{a}>, %y: memref<?x{b}>, %z: memref<?x{c}>) kernel
    attributes {{known_block_size = array<i32: {items}, 1, 1>}} {{
  %i = gpu.thread_id x
  %a = memref.load %x[%i] : memref<?x{a}>
  %b = memref.load %y[%i] : memref<?x{b}>
  %c = memref.load %z[%i] : memref<?x{c}>
  %d = rocdl.{name} %a, %b, %c{plain} : ({a}, {b}, {c}) -> {c}
  memref.store %d, %z[%i] : memref<?x{c}>
  gpu.return }} }}"""


def _passed(matrix: Any, type_: str) -> Any:
    """The bits of an array [lane, element] as an array of the memref's elements."""
    scalar = type_.removeprefix("vector<").removesuffix(">").rpartition("x")[2]
    dtype = _DTYPES.get(scalar, np.dtype(f"i{int(scalar[1:]) // 8}") if scalar[0] == "i" else None)
    made = np.ascontiguousarray(matrix).view(dtype)
    return made if "vector" in type_ else made.reshape(len(made))


@pytest.mark.parametrize(("target", "name"), spread(CASES, 1))
def test_each_instruction_multiplies(target: str, name: str) -> None:
    for types in _operand_types(target, name):
        _check_product(target, name, types)


def _operand_types(target: str, name: str) -> list[tuple[str, ...]]:
    """Each signless result once."""
    row = matrix_row(table_of(TARGETS[target]), INSTRUCTIONS[name])
    assert row is not None
    return [types for types in operand_types(row) if not types[2].startswith("u")]


def _check_product(target: str, name: str, types: tuple[str, ...]) -> None:
    table = table_of(TARGETS[target])
    wave = TARGETS[target].wave_size
    random = np.random.default_rng(len(name))
    a, b, c = (random.integers(-7, 8, (wave, _count(type_))).astype(_DTYPES[type_.partition("x")[0]]) for type_ in types)
    program = asmgen.compile(_text(name.removeprefix("rocdl."), types), target=target)
    given = [_passed(matrix, _in_llvm(type_, name)) for matrix, type_ in zip((a, b, c), types, strict=True)]
    after = program.kernel("k").launch(grid=(1, 1, 1), block=(wave, 1, 1), args=given, device=chosen_device())
    wanted = multiplied(table, INSTRUCTIONS[name], a, b, c)
    np.testing.assert_array_equal(after[2].reshape(wanted.shape[0], -1).view(wanted.dtype), wanted)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_a_name_says_the_shape_and_the_types(name: str) -> None:
    """By the names alone: LLVM's, and the semantics of the row."""
    said = re.fullmatch(r"rocdl\.(?:mfma|wmma)\.(\w+)\.(\d+)x(\d+)x(\d+)\.?(xf32|f\w+|bf\w+|iu?8)((?:[.]\w+)?)", name)
    assert said is not None, name
    rows = [matrix_row(table_of(TARGETS[target]), INSTRUCTIONS[name]) for target in ALL]
    found = [semantics_of(row) for row in rows if row is not None]
    assert found, f"no target has {INSTRUCTIONS[name]}"
    for what in found:
        assert (what.shape.size, what.shape.size, what.shape.inner) == tuple(map(int, said.groups()[1:4]))
        factors = [one.removesuffix("_fnuz") for one in (what.first, what.second)]
        first, _, second = said[5].partition("_")
        second = second or said[6].removeprefix(".").removeprefix("1k") or first
        assert factors == [one.removeprefix("x").removeprefix("i" if "iu" in one else "") for one in (first, second)]
        assert what.result == said[1]


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("gfx942", "mfma.f32.16x16x16f16"),
        ("gfx90a", "mfma.f32.32x32x8bf16.1k"),
        ("gfx950", "mfma.i32.16x16x64.i8"),
        ("gfx942", "mfma.i32.32x32x16.i8"),
        ("gfx90a", "mfma.f32.16x16x8bf16"),
        ("gfx1201", "wmma.f32.16x16x16.bf16"),
        ("gfx1201", "wmma.i32.16x16x16.iu8"),
    ],
)
def test_the_interpreter_multiplies_too(target: str, name: str) -> None:
    for types in _operand_types(target, f"rocdl.{name}")[1:] or _operand_types(target, f"rocdl.{name}"):
        program = asmgen.compile(_text(name, types), target=target)
        block = (TARGETS[target].wave_size, 1, 1)
        found = verify_kernel(program, 0, (1, 1, 1), block, chosen_device())
        assert not found.is_broken, found.lines


@pytest.mark.parametrize(
    ("change", "target", "told"),
    [
        ((", 0, 0, none", ", 1, 0, none"), "gfx942", "MLIR056.*with cbsz = 1, wanted cbsz = 0"),
        ((", 0, 0, none", ", 0, 0, bcast_first_32"), "gfx942", "MLIR056.*blgp = bcast_first_32"),
        (("", ""), "gfx1100", "MLIR056.*rocdl.mfma.f32.16x16x16f16 on gfx1100.*that the target has"),
    ],
)
def test_what_is_refused(change: tuple[str, str], target: str, told: str) -> None:
    text = _text("mfma.f32.16x16x16f16", ["f16x4", "f16x4", "f32x4"]).replace(*change)
    with pytest.raises(InputError, match=rf"7:8: error\[{told}"):
        _ = asmgen.compile(text, target=target)


def test_operands_of_other_sizes_are_refused() -> None:
    """LLVM's parser lets the operands of wmma have any type: those of RDNA4 are half as long as RDNA3's."""
    text = _text("wmma.f32.16x16x16.f16", ["f16x16", "f16x16", "f32x8"])
    with pytest.raises(InputError, match=r"7:8: error\[MLIR056\].*vector<16xf16>.*wanted .* the bits of f16x8"):
        _ = asmgen.compile(text, target="gfx1201")


def test_the_numbers_of_llvm_22_are_read() -> None:
    text = _text("mfma.f32.16x16x16f16", ["f16x4", "f16x4", "f32x4"])
    assert asmgen.compile(text.replace(", 0, 0, none", ", 0, 0, 0"), target="gfx942").kernels


def test_every_dense_instruction_has_a_name() -> None:
    """Each but those whose result is longer than a vector."""
    for target in ALL:
        table = table_of(TARGETS[target])
        rows = {name: matrix_row(table, name) for name in matrix_names(table)}
        held = {name for name, row in rows.items() if row and max(map(_count, operand_types(row)[0])) <= _MOST}
        assert held <= set(INSTRUCTIONS.values())
