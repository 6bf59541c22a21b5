"""Sorts of any type as sorts of integers: each element becomes a key, an integer with the same order.

    y = sort[axis=1](x)                     x is f32
    b = bit_cast[target_type=i32](x)
    k = b ^ (b >> 31 & 0x7fffffff)          the order of the numbers, -0 before +0
    k = where(isnan(x), 0x7fffffff, k)      NaN is the last
    s = top_k[k=n, largest=false](k)
    y = bit_cast[target_type=f32](s ^ (s >> 31 & 0x7fffffff))

Sorts in descending order have the complement of the key, so that equal elements stay in their order. After
this pass every sort is a `top_k` or a `top_k_indices` of the least keys: of i32, u32, i64 or u64; or an
ascending `sort` or `argsort` of keys along an axis with a size that the launch knows.

If indices are asked for, a key of 16 bits or fewer and the index of its element are a single u32: the sort of
that gives the elements and the indices. A single element is found by a reduction.
"""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.index.size import Dim, Size
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Attribute, Module, Op, Statement, Value, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, I32, I64, U32, ElementType, NumberKind, computed, tensor
from isa.named_tuple import NamedTuple

_INDEX_BITS = 16  # of a u32 of key and index
_BITS_OF = {bits: ELEMENT_TYPES[f"i{bits}"] for bits in (8, 16, 32, 64)}


def with_sort_keys(module: Module) -> Module:
    """The module with sorts of keys alone."""
    return _Sorts(module).module()


class _Order(NamedTuple):
    """What sorts of an operand have in common that are a single sort of its keys."""

    operand: Value
    axis: int
    first: Dim  # as many of the order
    descends: bool

    @classmethod
    def of(cls, statement: Statement) -> _Order:
        (x,), attributes = statement.operands, statement.attributes
        axis, dims = attributes["axis"], tensor_type(x).dims
        assert isinstance(axis, int), "the parser reads an integer"
        axis %= len(dims)
        first = attributes.get("k", dims[axis])
        assert isinstance(first, int | Size), "its inference refuses others"
        return cls(x, axis, first, bool(attributes.get("descending", attributes.get("largest", False))))


class _Sorts:
    """Rewrites a module. Keys and sorts are made once for all statements of the same order."""

    def __init__(self, module: Module) -> None:
        self._original = module
        names = [value.name for statement in module.statements for value in statement.results]
        self._builder = GraphBuilder(names)
        self._indexed = {
            _Order.of(statement) for statement in module.statements if ops.SORTS.get(statement.op)
        }
        self._origin: Statement = module.statements[0]
        self._made: dict[tuple[object, ...], Value] = {}

    def module(self) -> Module:
        for statement in self._original.statements:
            if statement.op not in ops.SORTS or 0 in tensor_type(statement.result).dims:
                self._builder.statements.append(statement)
                continue
            self._origin = statement
            order = _Order.of(statement)
            made = self._indices(order) if ops.SORTS[statement.op] else self._elements(order)
            self._builder.statements.append(
                Statement(ops.IDENTITY, (made,), statement.results, {}, (), statement.place)
            )
        return Module(self._original.name, tuple(self._builder.statements))

    # Statements

    def _apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        """A statement, made once for equal operands and attributes."""
        key = (op, operands, tuple(attributes.items()))
        if key not in self._made:
            given = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
            whole = {name: value for name, value in given.items() if value is not None}
            name = self._builder.fresh(self._origin.result.name)
            self._made[key] = self._builder.apply(op, operands, whole, name, self._origin.place)
        return self._made[key]

    def _number(self, number: int, element: ElementType) -> Value:
        key = (number, element)
        if key not in self._made:
            name = self._builder.fresh(f"{self._origin.result.name}_number")
            type_ = tensor(element, ())
            self._made[key] = self._builder.literal(name, (number,), type_, self._origin.place)
        return self._made[key]

    def _converted(self, x: Value, element: ElementType) -> Value:
        if x.type.element is element:
            return x
        return self._apply(ops.CONVERT, x, target_type=element.name)

    def _cast(self, x: Value, element: ElementType) -> Value:
        if x.type.element is element:
            return x
        return self._apply(ops.BIT_CAST, x, target_type=element.name)

    # Sorts

    def _elements(self, order: _Order) -> Value:
        element = order.operand.type.element
        if order in self._indexed and element.bits <= _INDEX_BITS:
            whole = self._apply(ops.DIV, self._packed(order), self._number(1 << _INDEX_BITS, U32))
            key = self._apply(ops.SUB, self._cast(whole, I32), self._number(_bias(order), I32))
        else:
            key = self._least(order, self._key(order))
        return self._element(key, order)

    def _indices(self, order: _Order) -> Value:
        """The indices, as i64."""
        if order.operand.type.element.bits <= _INDEX_BITS:
            mask = self._number((1 << _INDEX_BITS) - 1, U32)
            return self._converted(self._apply(ops.BITWISE_AND, self._packed(order), mask), I64)
        if order.first == 1:
            return self._apply(ops.ARGMIN, self._key(order), axis=order.axis)
        return self._first(order, self._key(order), ops.ARGSORT, ops.TOP_K_INDICES)

    def _packed(self, order: _Order) -> Value:
        """The least numbers of a key in the upper half and an index in the lower half."""
        x = order.operand
        key = self._apply(ops.ADD, self._key(order), self._number(_bias(order), I32))
        index = self._apply(ops.IOTA, axis=order.axis, out_lens=tensor_type(x).dims)
        upper = self._apply(ops.MUL, self._cast(key, U32), self._number(1 << _INDEX_BITS, U32))
        return self._least(order, self._apply(ops.ADD, upper, self._cast(index, U32)))

    def _least(self, order: _Order, keys: Value) -> Value:
        if order.first == 1:
            return self._apply(ops.REDUCE_MIN, keys, axes=(order.axis,))
        return self._first(order, keys, ops.SORT, ops.TOP_K)

    def _first(self, order: _Order, keys: Value, whole: Op, part: Op) -> Value:
        """As many of the least keys, or of their places, as the order has."""
        if isinstance(order.first, Size):
            return self._apply(whole, keys, axis=order.axis)
        return self._apply(part, keys, k=order.first, axis=order.axis, largest=False)

    # Keys

    def _key(self, order: _Order) -> Value:
        """An integer that is the less, the earlier its element comes."""
        x, element = order.operand, order.operand.type.element
        if not element.is_float:
            wide = self._converted(x, I32 if element.bits < I32.bits else element)
            return self._complement(wide) if order.descends else wide
        bits = self._cast(x, _BITS_OF[element.bits])
        wide = self._converted(bits, computed(bits.type.element))
        key = self._of_bits(wide, element, order.descends)
        last = _last(element)
        number = self._number(-1 - last if order.descends else last, wide.type.element)
        is_nan = self._apply(ops.ISNAN, self._cast(bits, element))
        return self._apply(ops.WHERE, is_nan, number, key)

    def _element(self, key: Value, order: _Order) -> Value:
        """The element of a key."""
        element = order.operand.type.element
        if not element.is_float:
            return self._converted(self._complement(key) if order.descends else key, element)
        bits = self._to_bits(key, element, order.descends)
        return self._cast(self._converted(bits, _BITS_OF[element.bits]), element)

    def _complement(self, x: Value) -> Value:
        element = x.type.element
        low, high = integer_range(element)
        return self._apply(ops.SUB, self._number(int(high) if low == 0 else -1, element), x)

    def _of_bits(self, bits: Value, element: ElementType, descends: bool) -> Value:
        """The bits of numbers below 0, of which the greater magnitude is the greater integer, in the opposite
        order before those of 0; or the complement of that."""
        number = bits.type.element
        if not descends:
            changed = self._apply(
                ops.BITWISE_AND, self._sign(bits), self._number(_magnitude(element), number)
            )
        else:
            count = self._apply(ops.BITWISE_AND, self._sign(bits), self._number(element.bits - 1, number))
            changed = self._apply(ops.LEFT_SHIFT, self._number(-1, number), count)
        return self._apply(ops.BITWISE_XOR, bits, changed)

    def _to_bits(self, key: Value, element: ElementType, descends: bool) -> Value:
        """The bits of a key."""
        if not descends:
            return self._of_bits(key, element, descends)
        rest = self._number(-1 - _magnitude(element), key.type.element)
        return self._apply(ops.BITWISE_XOR, key, self._apply(ops.BITWISE_OR, self._sign(key), rest))

    def _sign(self, x: Value) -> Value:
        """-1 if an integer is below 0, else 0."""
        element = x.type.element
        return self._apply(ops.RIGHT_SHIFT, x, self._number(element.bits - 1, element))


def _magnitude(element: ElementType) -> int:
    """The bits of a float but the sign."""
    return (1 << element.bits - 1) - 1


def _last(element: ElementType) -> int:
    """The key of NaN, of which the bits are a NaN: the greatest number of the bits, or beyond it if the type
    has a single NaN, with the bits of -0."""
    half = 1 << element.bits - 1
    return half - 1 if FLOAT_FORMATS[element.name].negative_zero else half


def _bias(order: _Order) -> int:
    """The number that makes keys of up to 16 bits positive."""
    is_signed = order.operand.type.element.kind in (NumberKind.SIGNED, NumberKind.FLOAT)
    return 1 << _INDEX_BITS - 1 if is_signed else order.descends << _INDEX_BITS
