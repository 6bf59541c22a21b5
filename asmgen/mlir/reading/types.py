"""MLIR's types as the records of `types`."""

from __future__ import annotations

import re

from iree.compiler import ir

from asmgen.ir.types import ELEMENT_TYPES, ElementType
from asmgen.mlir.types import (
    ArrayType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemrefType,
    OtherType,
    PointerType,
    ScalarType,
    Space,
    StructType,
    TensorType,
    Type,
    VectorType,
    memory_element,
)

_SCALARS: dict[str, ScalarType] = {
    **{f"i{width}": IntegerType(width) for width in (1, 8, 16, 32, 64)},
    **{name: FloatType(name) for name in ("f16", "bf16", "f32", "f64")},
}
# By number in LLVM; the empty text is the default.
_LLVM_SPACES = {"": Space.GLOBAL, "0": Space.GLOBAL} | {str(space.value): space for space in Space}
_POINTER = re.compile(r"ptr(?:<(\d*)>)?\Z")
_COUNTED = re.compile(r"(array|vector)<(\d+) ?x ?(.*)>\Z", re.DOTALL)
_STRUCT = re.compile(r"struct<(packed )?\((.*)\)>\Z", re.DOTALL)
_FLOATS = {
    "f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64", "f8E4M3FN": "fp8e4m3fn", "f8E5M2": "fp8e5m2",
    "f8E4M3FNUZ": "fp8e4m3fnuz", "f8E5M2FNUZ": "fp8e5m2fnuz",
}  # fmt: skip
# A number, or a word of the GPU dialect.
_SPACES = _LLVM_SPACES | {f"#gpu.address_space<{space.name.lower()}>": space for space in Space}
_BOUNDS = re.compile(r"#(?:stable|m)hlo\.(?:bounds<([\d?, ]+)>|type_extensions<bounds = \[([\d?, ]+)\]>)\Z")
_DYNAMIC = ir.ShapedType.get_dynamic_size()
_DYNAMIC_STRIDE = ir.ShapedType.get_dynamic_stride_or_offset()


def type_of(given: ir.Type) -> Type:
    """A type; `OtherType` if kernels do not compute with it."""
    scalar = _scalar(given)
    if not isinstance(scalar, OtherType):
        return scalar
    if isinstance(given, ir.VectorType):
        element = _scalar(given.element_type)
        return OtherType(str(given)) if given.scalable else VectorType(tuple(given.shape), element)
    if isinstance(given, ir.MemRefType):
        return _memref(given)
    if isinstance(given, ir.RankedTensorType):
        dims = tuple([None if dim == _DYNAMIC else dim for dim in given.shape])
        return TensorType(dims, _tensor_element(given.element_type), scalar.text, _bounds(given))
    if isinstance(given, ir.FunctionType):
        inputs = tuple([type_of(each) for each in given.inputs])
        return FunctionType(inputs, tuple([type_of(each) for each in given.results]))
    return llvm_type(scalar.text) if scalar.text.startswith("!llvm.") else scalar


def _scalar(given: ir.Type) -> ScalarType:
    text = str(given)
    if isinstance(given, ir.IndexType):
        return IndexType()
    if isinstance(given, ir.IntegerType) and given.is_signless:
        return IntegerType(given.width)
    return FloatType(_FLOATS[text]) if text in _FLOATS else OtherType(text)


def _bounds(given: ir.RankedTensorType) -> tuple[int | None, ...]:
    """The bounds of dynamic dims in StableHLO's or MHLO's encoding; empty for a tensor without bounds."""
    match = _BOUNDS.match(str(given.encoding)) if given.encoding is not None else None
    words = [word.strip() for word in (match[1] or match[2]).split(",")] if match is not None else []
    return tuple([None if word == "?" else int(word) for word in words])


def _tensor_element(given: ir.Type) -> ElementType | OtherType:
    """The type of gen text; integers without a sign are signed, as StableHLO has them."""
    if isinstance(given, ir.IntegerType) and given.is_unsigned:
        return ELEMENT_TYPES.get(f"u{given.width}", OtherType(str(given)))
    return memory_element(_scalar(given)) or OtherType(str(given))


def _memref(given: ir.MemRefType) -> Type:
    text = str(given)
    element = type_of(given.element_type)
    space = _SPACES.get(_space_text(given))
    try:
        strides, offset = given.get_strides_and_offset()
    except RuntimeError:
        return OtherType(text)
    if space is None or not isinstance(element, IntegerType | IndexType | FloatType | VectorType):
        return OtherType(text)
    return MemrefType(
        tuple([None if dim == _DYNAMIC else dim for dim in given.shape]),
        element,
        tuple([None if stride == _DYNAMIC_STRIDE else stride for stride in strides]),
        None if offset == _DYNAMIC_STRIDE else offset,
        space,
        text,
    )


def _space_text(given: ir.MemRefType) -> str:
    space = given.memory_space
    if space is None:
        return ""
    return str(space.value) if isinstance(space, ir.IntegerAttr) else str(space)


def llvm_type(text: str) -> Type:
    """A printed type of the LLVM dialect, with or without `!llvm.`. Types other than scalars, pointers,
    arrays, vectors and structs without a name are an `OtherType`."""
    plain = text.strip().removeprefix("!llvm.")
    if plain in _SCALARS:
        return _SCALARS[plain]
    pointer = _POINTER.match(plain)
    if pointer is not None and (pointer[1] or "") in _LLVM_SPACES:
        return PointerType(_LLVM_SPACES[pointer[1] or ""])
    counted = _COUNTED.match(plain)
    if counted is not None:
        return _counted(text, counted[1], int(counted[2]), llvm_type(counted[3]))
    struct = _STRUCT.match(plain)
    if struct is None or struct[1]:
        return OtherType(text)
    fields = tuple([llvm_type(part) for part in _parts(struct[2])])
    return OtherType(text) if any(isinstance(field, OtherType) for field in fields) else StructType(fields)


def _counted(text: str, kind: str, count: int, element: Type) -> Type:
    if kind == "vector":
        is_scalar = isinstance(element, IntegerType | FloatType)
        return VectorType((count,), element) if is_scalar else OtherType(text)
    return OtherType(text) if isinstance(element, OtherType) else ArrayType(count, element)


def _parts(text: str) -> list[str]:
    """The parts of a list, split at the commas outside of brackets."""
    parts: list[str] = [""]
    depth = 0
    for letter in text:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]
