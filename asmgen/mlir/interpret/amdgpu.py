"""The `amdgpu` ops and matrix ops of the interpreter.

Permutations follow the document of the dialect, matrix layouts the manuals (CDNA3 ISA, section 7; RDNA3 and
RDNA4 ISA, "WMMA").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from asmgen.ir.program import Scope
from asmgen.mlir.interpret import exchange
from asmgen.mlir.interpret.numbers import rounded, signed, wrapped
from asmgen.mlir.interpret.places import (
    Number,
    Place,
    dtype_of,
    from_memory,
    read,
    to_memory,
    write,
)
from asmgen.mlir.interpret.run import Controlled, Meeting, Plain, Steps, Thread, meet
from asmgen.mlir.source import Operation
from asmgen.mlir.types import FloatType, IntegerType, ScalarType, Type, VectorType
from isa.named_tuple import NamedTuple


def _zero(type_: Type) -> Number:
    if isinstance(type_, VectorType):
        return [_zero(type_.element)] * type_.elements
    return from_memory(dtype_of(type_).type(0), type_)


# Lanes


_BROADCASTS = frozenset({"row_bcast_15", "row_bcast_31"})  # lanes without a source keep their value


def _source(kind: str, lane: int, wave: int, argument: object) -> int | None:
    """The source lane of a lane; None if it is out of bounds."""
    row, place = lane // 16 * 16, lane % 16
    if isinstance(argument, tuple):
        numbers = cast("tuple[int, ...]", argument)
        return lane // 4 * 4 + numbers[lane % 4]
    by = argument if isinstance(argument, int) else 0
    match kind:
        case "row_shl":
            return row + place + by if place + by < 16 else None
        case "row_shr":
            return row + place - by if place >= by else None
        case "row_ror":
            return row + (place - by) % 16
        case "wave_shl" | "wave_shr":
            there = lane + (1 if kind == "wave_shl" else -1)
            return there if 0 <= there < wave else None
        case "wave_rol" | "wave_ror":
            return (lane + (1 if kind == "wave_rol" else -1)) % wave
        case "row_mirror":
            return row + 15 - place
        case "row_half_mirror":
            return lane // 8 * 8 + 7 - lane % 8
        case "row_bcast_15":
            return row - 1 if row else None
        case _:
            return 31 if lane >= 32 else None


def _permute(thread: Thread, operation: Operation) -> Steps:
    kind, argument = operation.text("kind"), operation.attributes.get("permArgument")
    rows, banks = operation.integer("row_mask", 15), operation.integer("bank_mask", 15)
    zero = bool(operation.attributes.get("bound_ctrl")) and kind not in _BROADCASTS

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = {each.lane: i for i, each in enumerate(threads)}
        results: list[Number] = []
        for each, (old, _) in zip(threads, values, strict=True):
            lane = each.lane
            there = _source(kind, lane, thread.launch.wave, argument)
            if not rows >> lane // 16 & 1 or not banks >> lane % 16 // 4 & 1:
                results.append((old,))
            elif there is None or there not in places:
                results.append((_zero(operation.result.type) if zero else old,))
            else:
                results.append((values[places[there]][1],))
        return results

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def _swizzle(thread: Thread, operation: Operation) -> Steps:
    masks = [operation.integer(name) for name in ("and_mask", "or_mask", "xor_mask")]

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = {thread.lane: i for i, thread in enumerate(threads)}
        results: list[Number] = []
        for thread in threads:
            there = thread.lane // 32 * 32 + ((thread.lane % 32 & masks[0] | masks[1]) ^ masks[2]) % 32
            results.append((values[places[there]][0] if there in places else _zero(operation.result.type),))
        return results

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


# Buffers


def _element(
    thread: Thread, operation: Operation, groups: Sequence[Sequence[Number]], count: int
) -> Place | None:
    """The first element of an access; None if the access is out of bounds."""
    (place,), numbers, added = groups
    linear = sum(signed(number, 32) * stride for number, stride in zip(numbers, place.strides, strict=True))
    linear += operation.integer("indexOffset", 0) + sum(signed(offset, 32) for offset in added)
    extents = [size * stride for size, stride in zip(place.sizes, place.strides, strict=True)]
    is_checked = bool(operation.attributes.get("boundsCheck", True))
    if is_checked and not 0 <= linear <= max(extents, default=1) - count:
        return None
    return Place(place.memory, place.offset + linear, (), ())


def _groups(thread: Thread, operation: Operation) -> list[list[Number]]:
    return [[thread.value(operand) for operand in group] for group in operation.segments()]


def _load(thread: Thread, operation: Operation) -> Sequence[Number]:
    type_ = operation.result.type
    at = _element(
        thread, operation, _groups(thread, operation), type_.elements if isinstance(type_, VectorType) else 1
    )
    return (_zero(type_) if at is None else read(at, (), type_, operation),)


def _store(thread: Thread, operation: Operation) -> Sequence[Number]:
    (value,), *groups = _groups(thread, operation)
    at = _element(thread, operation, groups, len(_elements(value)))
    if at is not None:
        write(at, (), value, operation)
    return ()


def _atomic(kind: str) -> Plain:
    def run(thread: Thread, operation: Operation) -> Sequence[Number]:
        (value,), *groups = _groups(thread, operation)
        type_ = operation.result.type
        at = _element(thread, operation, groups, 1)
        if at is None:
            return (_zero(type_),)
        old = read(at, (), type_, operation)
        write(at, (), exchange.combine(kind, old, value, type_), operation)
        return (old,)

    return run


def _swap(thread: Thread, operation: Operation) -> Sequence[Number]:
    (value,), (expected,), *groups = _groups(thread, operation)
    type_ = operation.result.type
    at = _element(thread, operation, groups, 1)
    if at is None:
        return (_zero(type_),)
    old = read(at, (), type_, operation)
    dtype = at.memory.dtype
    if to_memory(old, dtype).tobytes() == to_memory(expected, dtype).tobytes():
        write(at, (), value, operation)
    return (old,)


# Matrices

Layout = Callable[[int, int, int, int], tuple[tuple[int, int], tuple[int, int]]]
"""For a lane, an element, the lines of a factor and its elements in a lane: the line and the inner index of
the element of A, and the row and the column of that of D."""


def _multiply(layout: Layout) -> Controlled:
    """A matrix instruction with operands spread over the wave by a layout."""

    def run(thread: Thread, operation: Operation) -> Steps:
        def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
            assert len(threads) == thread.launch.wave, "a matrix instruction takes a whole wave"
            type_ = operation.operands[0].type
            element = type_.element if isinstance(type_, VectorType) else type_
            assert isinstance(element, IntegerType | FloatType), type_
            are_signed = [not operation.attributes.get(name) for name in ("unsignedA", "unsignedB")]
            shape = _Shape(operation.integer("m"), operation.integer("k"), element, are_signed)
            return _products(operation, values, layout, shape)

        return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))

    return run


_NAMED = re.compile(r"rocdl\.(mfma|wmma)\.\w+\.(\d+)x\d+x(\d+)\.?(x?f32|f16|bf16|iu?8)(\.1k)?\Z")
_ONE_BLOCK = (
    "mfma.f32.32x32x2f32", "mfma.f32.16x16x4f32", "mfma.f32.32x32x4.xf32", "mfma.f32.16x16x8.xf32",
    "mfma.f32.32x32x8f16", "mfma.f32.16x16x16f16", "mfma.f32.16x16x32.f16", "mfma.f32.32x32x16.f16",
    "mfma.f32.32x32x4bf16", "mfma.f32.16x16x8bf16", "mfma.f32.32x32x8bf16.1k", "mfma.f32.16x16x16bf16.1k",
    "mfma.f32.16x16x32.bf16", "mfma.f32.32x32x16.bf16", "mfma.i32.32x32x8i8", "mfma.i32.16x16x16i8",
    "mfma.i32.32x32x16.i8", "mfma.i32.16x16x32.i8", "mfma.i32.32x32x32.i8", "mfma.i32.16x16x64.i8",
    "wmma.f32.16x16x16.f16", "wmma.f32.16x16x16.bf16", "wmma.f16.16x16x16.f16",
    "wmma.i32.16x16x16.iu8",
)  # fmt: skip
_ELEMENTS = {
    "i8": IntegerType(8),
    "iu8": IntegerType(8),
    "f16": FloatType("f16"),
    "bf16": FloatType("bf16"),
    "f32": FloatType("f32"),
}


def _multiply_named(thread: Thread, operation: Operation) -> Steps:
    """A matrix instruction of `rocdl` with a single block. The operands have the bits of the factors."""
    named = _NAMED.match(operation.name)
    assert named is not None, operation.name
    are_signed = [named[4] != "iu8" or bool(operation.attributes.get(name)) for name in ("signA", "signB")]
    shape = _Shape(int(named[2]), int(named[3]), _ELEMENTS[named[4].removeprefix("x")], are_signed)
    *given, added = thread.operands(operation)
    types = [operand.type for operand in operation.operands]
    factors = [_of_bits(factor, type_, shape.element) for factor, type_ in zip(given, types, strict=False)]
    layout = _of_rdna if named[1] == "wmma" else _of_cdna

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        assert len(threads) == thread.launch.wave, "a matrix instruction takes a whole wave"
        return _products(operation, values, layout, shape)

    return (yield Meeting(operation, Scope.WAVE, (*factors, added), meet))


def _of_bits(value: Number, type_: Type, wanted: ScalarType) -> list[Number]:
    """The elements in the bits of a number or a vector."""
    scalar = type_.element if isinstance(type_, VectorType) else type_
    dtype = dtype_of(scalar)
    bits = np.array([to_memory(element, dtype) for element in _elements(value)], dtype)
    return [from_memory(element, wanted) for element in bits.view(dtype_of(wanted))]


class _Shape(NamedTuple):
    """The number of lines of a factor, their length, the element type, and whether integers of A and of B
    are signed."""

    size: int
    inner: int
    element: ScalarType
    are_signed: list[bool]


def _products(
    operation: Operation,
    values: list[tuple[Number, ...]],
    layout: Layout,
    shape: _Shape,
) -> list[Number]:
    size, inner, kind, are_signed = shape
    result = operation.result.type
    assert isinstance(result, VectorType)
    factors = [np.zeros((size, inner)) for _ in range(2)]
    for lane, given in enumerate(values):
        for factor, number, is_signed in zip(factors, given[:2], are_signed, strict=True):
            elements = _elements(number)
            for i, value in enumerate(elements):
                line, k = layout(lane, i, size, len(elements))[0]
                factor[line, k] = float(value) if isinstance(kind, FloatType) else _whole(value, is_signed)
    product = factors[0] @ factors[1].T
    products: list[Number] = []
    for lane, given in enumerate(values):
        made: list[Number] = []
        for i, c in enumerate(given[2]):
            row, column = layout(lane, i, size, len(_elements(given[0])))[1]
            element = result.element
            if isinstance(element, FloatType):
                made.append(rounded(float(c) + product[row, column], element))
            else:
                made.append(wrapped(c + int(product[row, column]), element))
        products.append((made,))
    return products


def _whole(byte: Number, is_signed: bool) -> int:
    return signed(byte, 8) if is_signed else signed(byte, 8) % 256


def _elements(number: Number) -> list[Number]:
    return cast("list[Number]", number) if isinstance(number, list) else [number]


def _of_cdna(lane: int, element: int, size: int, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    line, group = lane % size, lane // size
    row = 8 * (element // 4) + 4 * group + element % 4
    return (line, count * group + element), (row, line)


def _of_rdna(lane: int, element: int, size: int, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """On RDNA3 two lanes have the same whole line; on RDNA4 each lane has half of a line."""
    line, group = lane % size, lane // size
    if count == size:
        return (line, element), (2 * element + group, line)
    return (line, count * group + element), (8 * group + element, line)


PLAIN: dict[str, Plain] = {
    "amdgpu.raw_buffer_load": _load,
    "amdgpu.raw_buffer_store": _store,
    "amdgpu.raw_buffer_atomic_fadd": _atomic("add"),
    "amdgpu.raw_buffer_atomic_fmax": _atomic("maxnumf"),
    "amdgpu.raw_buffer_atomic_smax": _atomic("maxsi"),
    "amdgpu.raw_buffer_atomic_umin": _atomic("minui"),
    "amdgpu.raw_buffer_atomic_cmpswap": _swap,
}
CONTROLLED: dict[str, Controlled] = {
    "amdgpu.dpp": _permute,
    "amdgpu.swizzle_bitmode": _swizzle,
    "amdgpu.lds_barrier": meet,
    "amdgpu.mfma": _multiply(_of_cdna),
    "amdgpu.wmma": _multiply(_of_rdna),
    **{f"rocdl.{name}": _multiply_named for name in _ONE_BLOCK},
}
