"""Products of small floats with scales: the factors are multiplied as they are, and the scales multiply sums.

    a = dequantize[blocks={K}](qa: {m,k}, sa)       b = dequantize[blocks={N,K}](qb: {n,k}, sb), transposed
    dot(a, b)                                       the sum over the blocks of k of sa sb dot(qa, qb)

Scales may be powers of two. Microscaling floats become floats of 8 bits, in which they are exact.

With a scale for each whole row of k this is a product of qa and qb, and two multiplications. Otherwise it is
`block_dot(qa, qb, sa, sb)` with the scales of each block of k, repeated for rows and columns: {m,k/K} and
{k/K,n}.

Exact arithmetic gives the same. In f32 the products of two floats of 8 bits are exact, and the sum of a block
is scaled once, so the result is within the bound of the dequantized factors (docs/numerics.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.infer.checks import Types, fail, tensors
from asmgen.graph.ops import (
    CONVERT,
    DEQUANTIZE,
    DOT,
    FLOATS,
    GRAPH_ONLY,
    MUL,
    MULTIBROADCAST,
    REDUCTIONS,
    RESHAPE,
    TRANSPOSE,
    UNSQUEEZE,
)
from asmgen.ir.program import Attribute, Attributes, Module, Op, Statement, Value, tensor_type
from asmgen.ir.shapes import format_list
from asmgen.ir.types import E8M0, ELEMENT_TYPES, F32, ElementType, tensor
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple

# for the definitions of a graph, in how many parts along k a product of it is multiplied; 0 is as a sum
ProductParts = Callable[[Mapping[Value, Statement]], Callable[[Statement], int]]
_BYTE = 8  # bits
_LEAST_BLOCK = 32  # products along k: the most of a matrix instruction of any target
_MATRIX = 2  # axes
_TURNED = (1, 0)
_EIGHT_BITS = ("fp8e4m3fn", "fp8e4m3fnuz")  # which have all microscaling floats of 6 and 4 bits


def _infer(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    a, b, of_a, of_b = tensors(op, types, place)
    (*batch, m, k), n = a.dims, b.dims[-1]
    blocks = of_a.dims[-1]
    wanted = ((*batch, k, n), (*batch, m, blocks), (*batch, blocks, n))
    for number, (operand, dims) in enumerate(zip((b, of_a, of_b), wanted, strict=True), 2):
        if operand.dims != dims:
            fail(
                op,
                place,
                "GEN302",
                f"operand {number} is {format_list(operand.dims)}, wanted {format_list(dims)}",
            )
    if of_a.element is not of_b.element or of_a.element not in (F32, E8M0):
        fail(op, place, "GEN301", f"scales are {of_a.element} and {of_b.element}, wanted f32 or {E8M0}")
    return (tensor(F32, (*batch, m, n)),)


BLOCK_DOT = Op("block_dot", GRAPH_ONLY, 4, 4, _infer, (), types=FLOATS)
PRODUCTS = frozenset({DOT, BLOCK_DOT})


def has_several(statements: Iterable[Statement]) -> bool:
    """Whether several of the statements are products."""
    return sum(statement.op in PRODUCTS for statement in statements) > 1


def reduces_products(module: Module) -> bool:
    """Whether a graph has products and reductions."""
    ops = {statement.op for statement in module.statements}
    return not (ops.isdisjoint(PRODUCTS) or ops.isdisjoint(REDUCTIONS))


def has_powers(product: Statement) -> bool:
    """Whether the scales are powers of two, which the matrix instruction multiplies by."""
    return product.op is BLOCK_DOT and tensor_type(product.operands[2]).element is E8M0


def block_of(product: Statement) -> int:
    """How many products along k have a scale of their own, by which a sum is multiplied; 0 without such
    scales."""
    if product.op is not BLOCK_DOT or has_powers(product):
        return 0
    k, blocks = tensor_type(product.operands[0]).dims[-1], tensor_type(product.operands[2]).dims[-1]
    assert isinstance(k, int) and isinstance(blocks, int), "only known sizes become block_dot"
    return k // blocks


class _Scaled(NamedTuple):
    """A factor before its scales: the numbers, the scales and the sizes of blocks, with rows along the first
    axis and k along the second, and whether the factor is the transpose."""

    numbers: Value
    scales: Value
    block: tuple[int, int]
    is_turned: bool

    @property
    def element(self) -> ElementType:
        return tensor_type(self.numbers).element


def with_block_dots(module: Module, parts: ProductParts) -> Module:
    """The module with products of scaled numbers for each of which `parts` says that a kernel multiplies the
    numbers."""
    defined = {value: statement for statement in module.statements for value in statement.results}
    builder = GraphBuilder([value.name for value in defined])
    for statement in module.statements:
        pair = _factors(statement, defined)
        if pair is None or not _Writer(builder, statement).write(*pair, parts):
            builder.statements.append(statement)
    return Module(module.name, tuple(builder.statements))


def _factors(dot: Statement, defined: Mapping[Value, Statement]) -> tuple[_Scaled, _Scaled] | None:
    if dot.op is not DOT or tensor_type(dot.result).element is not F32:
        return None
    a, b = _scaled(defined, dot.operands[0]), _scaled(defined, dot.operands[1])
    if a is None or b is None or len({each.element for each in (a, b) if not each.element.is_code}) > 1:
        return None
    of_k = _along_k(a, 0), _along_k(b, 1)
    is_whole = min(of_k) == tensor_type(dot.operands[0]).dims[-1]
    if max(of_k) % min(of_k) or (min(of_k) % _LEAST_BLOCK and not is_whole):
        return None
    return a, b


def _scaled(defined: Mapping[Value, Statement], value: Value) -> _Scaled | None:
    statement = defined[value]
    is_turned = statement.op is TRANSPOSE and statement.attributes["permutation"] == _TURNED
    if is_turned:
        statement = defined[statement.operands[0]]
    if statement.op is not DEQUANTIZE or len(statement.operands) > _MATRIX:
        return None
    if tensor_type(statement.result).element is not F32:
        return None
    numbers, scales = statement.operands
    x, scale = tensor_type(numbers), tensor_type(scales)
    is_small = (x.element.is_float or x.element.is_code) and x.element.bits == _BYTE
    is_small = is_small and scale.element in (F32, E8M0)
    if not is_small or x.rank != _MATRIX or not all(isinstance(dim, int) for dim in x.dims):
        return None
    from asmgen.graph.infer.blocks import blocks_of  # few graphs have such factors

    first, second = blocks_of(statement.op, statement.attributes, x, statement.place)
    return _Scaled(numbers, scales, (first, second), is_turned)


def _along_k(factor: _Scaled, number: int) -> int:
    """The size of a block along k of the first factor, or of the second."""
    return factor.block[factor.is_turned ^ (number == 0)]


def _types(a: _Scaled, b: _Scaled) -> list[ElementType]:
    """The types in which the factors may be multiplied. Microscaling floats of 6 and 4 bits are numbers of
    the types of `_EIGHT_BITS`."""
    plain = [each.element for each in (a, b) if not each.element.is_code]
    exact = [ELEMENT_TYPES[name] for name in _EIGHT_BITS]
    return [each for each in plain[:1] or exact if len(plain) > 1 or each in exact]


class _Writer:
    """Writes a product of scaled numbers in the place of a `dot`."""

    def __init__(self, builder: GraphBuilder, dot: Statement) -> None:
        self._builder = builder
        self._dot = dot

    def write(self, a: _Scaled, b: _Scaled, parts: ProductParts) -> bool:
        """Whether a kernel multiplies the numbers; otherwise nothing is written."""
        return any(self._write_as(element, a, b, parts) for element in _types(a, b))

    def _write_as(self, element: ElementType, a: _Scaled, b: _Scaled, parts: ProductParts) -> bool:
        """The same with factors of this type."""
        if self._write_with_powers(element, a, b, parts):
            return True
        block = min(_along_k(a, 0), _along_k(b, 1))
        before = len(self._builder.statements)
        first, second = [self._turned(each, self._numbers(each, element)) for each in (a, b)]
        plain = self._apply(DOT, first, second, target_type=F32.name)
        product = self._builder.statements[-1]
        if not parts({each.result: each for each in self._builder.statements})(product):
            del self._builder.statements[before:]
            return False
        a, b = [each._replace(scales=self._as_f32(each.scales)) for each in (a, b)]
        of_a, of_b = self._scales(a, 0, block), self._scales(b, 1, block)
        if tensor_type(of_a).dims[-1] == 1:
            scaled = self._apply(MUL, plain, of_a)
            self._finish(MUL, scaled, of_b)
            return True
        self._builder.statements.remove(product)
        self._finish(BLOCK_DOT, first, second, of_a, of_b)
        return True

    def _write_with_powers(self, element: ElementType, a: _Scaled, b: _Scaled, parts: ProductParts) -> bool:
        """The same if the matrix instruction multiplies by the scales."""
        scales = [tensor_type(each.scales).element for each in (a, b)]
        if scales != [E8M0, E8M0] or {_along_k(a, 0), _along_k(b, 1)} != {_LEAST_BLOCK}:
            return False
        before = len(self._builder.statements)
        first, second = [self._turned(each, self._numbers(each, element)) for each in (a, b)]
        of_a, of_b = [self._scales(each, number, _LEAST_BLOCK) for number, each in enumerate((a, b))]
        _ = self._apply(BLOCK_DOT, first, second, of_a, of_b)
        product = self._builder.statements.pop()
        is_taken = bool(parts({each.result: each for each in self._builder.statements})(product))
        if is_taken:
            self._finish(BLOCK_DOT, first, second, of_a, of_b)
        else:
            del self._builder.statements[before:]
        return is_taken

    def _numbers(self, factor: _Scaled, element: ElementType) -> Value:
        if factor.element is element:
            return factor.numbers
        return self._apply(CONVERT, factor.numbers, target_type=element.name)

    def _as_f32(self, scales: Value) -> Value:
        if tensor_type(scales).element is F32:
            return scales
        return self._apply(CONVERT, scales, target_type=F32.name)

    def _turned(self, factor: _Scaled, value: Value) -> Value:
        return self._apply(TRANSPOSE, value, permutation=_TURNED) if factor.is_turned else value

    def _scales(self, factor: _Scaled, number: int, block: int) -> Value:
        """The scales of a factor for each of its rows or columns, and each block of k."""
        along = factor.is_turned ^ (number == 0)
        times = [factor.block[0], factor.block[1]]
        times[along] //= block
        dims = tensor_type(factor.scales).dims
        apart = self._apply(UNSQUEEZE, factor.scales, axes=(1, 3))
        spread = self._apply(MULTIBROADCAST, apart, out_lens=(dims[0], times[0], dims[1], times[1]))
        whole = tuple([dim * count for dim, count in zip(dims, times, strict=True)])
        return self._turned(factor, self._apply(RESHAPE, spread, dims=whole))

    def _apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        name = self._builder.fresh(f"{self._dot.result.name}_{op.name}")
        return self._builder.apply(op, operands, attributes, name, self._dot.place)

    def _finish(self, op: Op, *operands: Value) -> None:
        operands, _ = self._builder.infer(op, operands, {}, self._dot.place)
        self._builder.statements.append(Statement(op, operands, self._dot.results, {}, (), self._dot.place))
