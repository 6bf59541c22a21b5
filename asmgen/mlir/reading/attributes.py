"""MLIR's attributes as Python values: numbers, types, maps, elements, and words of enumerations."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from iree.compiler import ir
from iree.compiler.dialects import _llvm_enum_gen as llvm  # the dialect's ops take 50 ms to load
from iree.compiler.dialects import arith

from asmgen.mlir.reading.types import type_of
from asmgen.mlir.source import AffineMap, Attribute, Binary, Dense, Dim, Expression, IntegerSet, Symbol, Text
from asmgen.mlir.types import FloatType, IntegerType, OtherType, TensorType, Type, memory_element
from isa.diagnostics import InternalError

if TYPE_CHECKING:
    import numpy as np

_PRINTED_ELEMENTS = re.compile(r'dense<(?:"0x(?P<bytes>[0-9A-F]*)"|(?P<listed>.*))> : [^>]*>\Z', re.DOTALL)
_NUMBER = re.compile(r"[^\s,\[\]]+")
_BITS = "0x"  # begins the bits of an infinity or a NaN

Elements = ir.DenseIntElementsAttr | ir.DenseFPElementsAttr


def elements_of(given: Elements) -> Dense | Text:
    """The elements in row-major order; the text if neither kernels nor tensors have the type."""
    type_ = type_of(given.type)
    scalar = type_of(given.type.element_type)
    is_tensor = isinstance(type_, TensorType) and not isinstance(type_.element, OtherType)
    if isinstance(scalar, OtherType) and not is_tensor:
        return Text(str(given))
    try:
        values = (next(iter(given)),) if given.is_splat else tuple(given)
    except TypeError:  # the bindings give no elements of this type
        read = _printed(str(given), scalar)
        return Text(str(given)) if read is None else Dense(type_, read)
    return Dense(type_, values)


def _printed(text: str, type_: Type) -> tuple[int | float, ...] | None:
    """The numbers of a printed `dense<...>`: a list, or the bytes of all elements as a string."""
    printed = _PRINTED_ELEMENTS.match(text)
    if printed is None or not isinstance(type_, FloatType | IntegerType):
        return None
    if printed["bytes"] is not None:
        return _of_bytes(bytes.fromhex(printed["bytes"]), type_)
    words = [each[0] for each in _NUMBER.finditer(printed["listed"])]
    if isinstance(type_, IntegerType):
        return tuple([int(word) for word in words])
    return tuple([_float(word, type_) for word in words])


def _float(word: str, type_: FloatType) -> float:
    """A float from its decimals, rounded to the type, or from its bits."""
    if word.startswith(_BITS):
        (value,) = _of_bytes(bytes.fromhex(word.removeprefix(_BITS))[::-1], type_)
        return value
    import numpy as np

    return float(np.array(float(word)).astype(_dtype(type_)))


def _of_bytes(bytes_: bytes, type_: FloatType | IntegerType) -> tuple[int | float, ...]:
    """Numbers of little-endian bytes. Each integer has whole bytes; its sign is the top bit of its width."""
    if isinstance(type_, IntegerType):
        size = -(-type_.width // 8)
        words = [int.from_bytes(bytes_[i : i + size], "little") for i in range(0, len(bytes_), size)]
        top = 1 << (type_.width - 1)
        return tuple([((word & 2 * top - 1) ^ top) - top for word in words])
    import numpy as np

    return tuple(np.frombuffer(bytes_, _dtype(type_)).astype(np.float64).tolist())


def _dtype(type_: FloatType) -> np.dtype[Any]:
    from asmgen.ir.arrays import numpy_dtype

    element = memory_element(type_)
    assert element is not None, type_
    return numpy_dtype(element)


# Enumerations that the parser keeps as numbers, by op and attribute.
_NUMBERED = {
    ("arith.cmpi", "predicate"): arith.CmpIPredicate,
    ("arith.cmpf", "predicate"): arith.CmpFPredicate,
    ("memref.atomic_rmw", "kind"): arith.AtomicRMWKind,
    ("llvm.icmp", "predicate"): llvm.ICmpPredicate,
    ("llvm.fcmp", "predicate"): llvm.FCmpPredicate,
    ("llvm.atomicrmw", "bin_op"): llvm.AtomicBinOp,
    ("affine.parallel", "reductions"): arith.AtomicRMWKind,
}
# `#gpu<dim x>`, `#gpu.dim<x>`, `#vector.kind<add>`, `#index<cmp_predicate(slt)>`
_PRINTED_WORD = re.compile(r"#[\w.]+<(?:\w+[ (])?(\w+)\)?>\Z")


def numbered(operation: str, attribute: str, number: int) -> Text | None:
    """The word of a number; None if the attribute is not an enumeration."""
    kind = _NUMBERED.get((operation, attribute))
    return Text(kind(number).name.lower().removeprefix("_")) if kind is not None else None


def word_of(printed: str) -> str:
    """The word of a printed enumeration; any other attribute as it is."""
    match = _PRINTED_WORD.match(printed)
    return match[1].lower() if match else printed


_SET = re.compile(r"affine_set<(.*) : \((.*)\)>\Z")
_RELATION = re.compile(r"\s*[=>]= 0\s*\Z")
_LISTS = (
    ir.DenseI8ArrayAttr,
    ir.DenseI16ArrayAttr,
    ir.DenseI32ArrayAttr,
    ir.DenseI64ArrayAttr,
    ir.DenseBoolArrayAttr,
    ir.DenseF32ArrayAttr,
    ir.DenseF64ArrayAttr,
)
_BINARIES = (
    (ir.AffineAddExpr, "+"),
    (ir.AffineMulExpr, "*"),
    (ir.AffineModExpr, "mod"),
    (ir.AffineFloorDivExpr, "floordiv"),
    (ir.AffineCeilDivExpr, "ceildiv"),
)


def attribute_named(operation: ir.Operation, name: str) -> Attribute:
    """An operation's attribute of a name."""
    return _read(partial(operation.attributes.__getitem__, name))


def _read(get: Callable[[], ir.Attribute]) -> Attribute:
    """The attribute; `Text` if the bindings have no class for it, as for dense<...> of complex numbers."""
    try:
        given = get()
    except TypeError as error:
        return Text(str(error))
    return attribute_of(given)


def attribute_of(given: ir.Attribute) -> Attribute:
    """An attribute; `Text` if the lowering does not read its kind."""
    if isinstance(given, ir.BoolAttr | ir.IntegerAttr | ir.FloatAttr | ir.StringAttr):
        return given.value
    if isinstance(given, ir.UnitAttr):
        return True
    if isinstance(given, ir.TypeAttr):
        return type_of(given.value)
    if isinstance(given, ir.FlatSymbolRefAttr):
        return Symbol((given.value,))
    if isinstance(given, ir.SymbolRefAttr):
        return Symbol(tuple(given.value))
    if isinstance(given, ir.ArrayAttr):
        return tuple([_read(partial(given.__getitem__, i)) for i in range(len(given))])
    if isinstance(given, ir.DictAttr):
        return {each.name: _read(partial(given.__getitem__, each.name)) for each in given}
    if isinstance(given, _LISTS):
        return tuple(given)
    if isinstance(given, ir.DenseIntElementsAttr | ir.DenseFPElementsAttr):
        return elements_of(given)
    if isinstance(given, ir.AffineMapAttr):
        return _map_of(given.value)
    if isinstance(given, ir.IntegerSetAttr):
        return _set_of(given)
    return Text(word_of(str(given)))


def _map_of(given: ir.AffineMap) -> AffineMap:
    return AffineMap(given.n_dims, given.n_symbols, tuple([expression_of(each) for each in given.results]))


def _set_of(given: ir.IntegerSetAttr) -> IntegerSet:
    """The bindings give a set only as text. Its constraints are read as the results of a map."""
    match = _SET.match(str(given))
    assert match is not None, str(given)
    inputs, constraints = match[1], match[2].split(",")
    results = ", ".join([_RELATION.sub("", constraint) for constraint in constraints])
    map_ = ir.Attribute.parse(f"affine_map<{inputs} -> ({results})>")
    assert isinstance(map_, ir.AffineMapAttr)
    made = _map_of(map_.value)
    pairs = zip(made.results, constraints, strict=True)
    return IntegerSet(
        made.dims, made.symbols, tuple([(expression, "==" in text) for expression, text in pairs])
    )


def expression_of(given: ir.AffineExpr) -> Expression:
    """The tree of an affine expression."""
    if isinstance(given, ir.AffineConstantExpr):
        return given.value
    if isinstance(given, ir.AffineDimExpr):
        return Dim(given.position)
    if isinstance(given, ir.AffineSymbolExpr):
        return Dim(given.position, is_symbol=True)
    for kind, op in _BINARIES:
        if isinstance(given, kind):
            return Binary(op, expression_of(given.lhs), expression_of(given.rhs))
    raise InternalError("mlir", str(given), "an affine expression of a kind that the parser has no class for")
