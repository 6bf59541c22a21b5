"""MLIR's attributes as Python values."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from iree.compiler import ir

from asmgen.mlir.affine_maps import AffineMap, Binary, Dim, Expression, IntegerSet
from asmgen.mlir.elements import elements_of
from asmgen.mlir.enumerations import word_of
from asmgen.mlir.read_types import type_of
from asmgen.mlir.source import Attribute, Symbol, Text
from isa.diagnostics import InternalError

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
    """What `get` gives; `Text` if the bindings have no class for it, as for dense<...> of complex numbers."""
    try:
        given = get()
    except TypeError as error:
        return Text(str(error))
    return attribute_of(given)


def attribute_of(given: ir.Attribute) -> Attribute:
    """An attribute; `Text` if the lowering does not look into its kind."""
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
    """The bindings give a set as text alone: its constraints are read as the results of a map."""
    found = _SET.match(str(given))
    assert found is not None, str(given)
    inputs, constraints = found[1], found[2].split(",")
    results = ", ".join([_RELATION.sub("", one) for one in constraints])
    map_ = ir.Attribute.parse(f"affine_map<{inputs} -> ({results})>")
    assert isinstance(map_, ir.AffineMapAttr)
    made = _map_of(map_.value)
    pairs = zip(made.results, constraints, strict=True)
    return IntegerSet(made.dims, made.symbols, tuple([(one, "==" in text) for one, text in pairs]))


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
