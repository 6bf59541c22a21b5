"""MLIR's types as the records of `types`."""

from __future__ import annotations

from iree.compiler import ir

from asmgen.mlir.llvm_types import SPACES, llvm_type
from asmgen.mlir.types import (
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemrefType,
    OtherType,
    ScalarType,
    Space,
    Type,
    VectorType,
)

_FLOATS = {
    "f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64", "f8E4M3FN": "fp8e4m3fn", "f8E5M2": "fp8e5m2",
    "f8E4M3FNUZ": "fp8e4m3fnuz", "f8E5M2FNUZ": "fp8e5m2fnuz",
}  # fmt: skip
# As numbers, as the GPU dialect names them, and as IREE prints numbers.
_SPACES = {
    **SPACES, "#gpu.address_space<global>": Space.GLOBAL, "#gpu.address_space<workgroup>": Space.WORKGROUP,
    "#gpu.address_space<private>": Space.PRIVATE,
}  # fmt: skip
_DYNAMIC = ir.ShapedType.get_dynamic_size()
_DYNAMIC_STRIDE = ir.ShapedType.get_dynamic_stride_or_offset()


def type_of(given: ir.Type) -> Type:
    """A type; `OtherType` where it is none that a kernel computes with."""
    scalar = _scalar(given)
    if not isinstance(scalar, OtherType):
        return scalar
    if isinstance(given, ir.VectorType):
        element = _scalar(given.element_type)
        return OtherType(str(given)) if given.scalable else VectorType(tuple(given.shape), element)
    if isinstance(given, ir.MemRefType):
        return _memref(given)
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
