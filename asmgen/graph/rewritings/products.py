"""Matrix products before launches are cut: those that have kernels of their own, and the others as sums of
products, for the kernels of reductions.

A product of few results is cut along k: workgroups sum parts of it, and another launch adds these up, in the
same order each time. The parts are one more batch axis:

    dot(a, b)                 a is {8,4096}, b is {4096,512}
    p = dot(a', b')           {16,8,512} of {16,8,256} and {16,256,512}
    s = reduce_sum(p)         over the parts

If a few products along k are left over, such as the last of 4097, the other launch computes them:

    z = add(s, mul(a'', b''))      {8,512}, of {8,1} and {1,512}

Other products are sums:

    dot(a, b)                 a is {..., m, k}, b is {..., k, n}
    p = mul(a, b)             {..., m, k, n}, of {..., m, k, 1} and {..., 1, k, n}
    s = reduce_sum(p)         over k

If the elements of a column are neighbours in memory, because b is a vector or transposed or n is 1, then k is
the last axis of p: {..., m, n, k}. If n is 1 and a is transposed and large, p is {..., k, m}.
Small floats and integers are multiplied and summed in 32 bits, then rounded once.
"""

from __future__ import annotations

from asmgen.graph.block_dots import PRODUCTS, ProductParts
from asmgen.graph.ops import ADD, CONVERT, DOT, MUL, REDUCE_SUM, RESHAPE, SLICE, SQUEEZE, TRANSPOSE, UNSQUEEZE
from asmgen.graph.rewritings.moves import turning
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import most
from asmgen.ir.program import Attribute, Module, Op, Statement, Value, definitions, tensor_type
from asmgen.ir.types import TensorType, computed

# A turned matrix by a column is the sum of columns from so many rows, columns and bytes on; f64 counts as of
# four bytes. Of 48 products of f32 on gfx90a, gfx942 and gfx1201, {4096,4096} takes 0.16 to 0.3 of the
# clocks, {24,11008} of 32 matrices 0.12 to 0.28, and only {40,2000} of 8 matrices more, 1.05 on gfx90a.
# {4,100000} would take 1.28 on gfx1201, {16384,20} of f16 1.26 there, {40,200} of 100 matrices of i8 1.28,
# and {128,64} of 32 matrices of f32 1.13 on gfx942
_LEAST_ROWS, _LEAST_COLUMNS, _LEAST_BYTES, _MOST_OF_ELEMENT = 8, 96, 1 << 20, 4


def with_sums(module: Module, parts: ProductParts) -> Module:
    """The module with each `dot` in so many parts along k as `parts` says, and as a sum if that is 0;
    statements that become unused stay."""
    writer, parts_of = _Writer(module), parts(definitions(module))
    for statement in module.statements:
        if statement.op not in PRODUCTS:
            writer.keep(statement)
        elif count := parts_of(statement):
            writer.multiply(statement, count)
        else:
            writer.write(statement)
    return writer.module()


class _Writer(Rewriter):
    """Writes the statements of a product in its place."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self._defined = definitions(module)
        self._parts: dict[tuple[Value, int, int, int], Value] = {}  # of factors that products may share

    def multiply(self, dot: Statement, parts: int) -> None:
        """The product in a kernel of its own, cut into parts along k."""
        if parts == 1:
            self.keep(dot)
            return
        a, b = dot.operands[:2]
        rank = max(tensor_type(factor).rank for factor in (a, b))
        axes = (-1, -2, -1, -2)  # of k, or of its blocks, in factors and scales
        pairs = zip(dot.operands, axes, strict=False)
        factors = [self._cut(dot, factor, axis, parts, rank) for factor, axis in pairs]
        wide = computed(tensor_type(a).element)
        given = {"target_type": wide.name} if dot.op is DOT else {}
        product = self.apply(dot.op, tuple(factors), dot, **given)
        total = self.apply(REDUCE_SUM, (product,), dot, axes=(0,))
        left = self._left(dot, parts)
        if not left:
            self._finish_sum(dot, total, 0)
            return
        total = self.apply(SQUEEZE, (total,), dot, axes=(0,))
        for other in left[:-1]:
            total = self.apply(ADD, (total, other), dot)
        self._finish(dot, ADD, (total, left[-1]))

    def _left(self, dot: Statement, parts: int) -> list[Value]:
        """The products of the places along k that are left over: of a column of the first factor and a row of
        the second."""
        a, b = dot.operands[:2]
        axis_of_a, axis_of_b = tensor_type(a).rank - 1, tensor_type(b).rank - 2
        k = tensor_type(a).dims[-1]
        made: list[Value] = []
        for before in reversed(range(_left_over(dot, parts))):
            starts, ends = (k - before - 1,), (k - before,)
            column = self.apply(SLICE, (a,), dot, axes=(axis_of_a,), starts=starts, ends=ends)
            row = self.apply(SLICE, (b,), dot, axes=(axis_of_b,), starts=starts, ends=ends)
            made.append(self.apply(MUL, (self.widened(column, dot), self.widened(row, dot)), dot))
        return made

    def _cut(self, dot: Statement, factor: Value, axis: int, parts: int, rank: int) -> Value:
        """A factor with its parts along k, which is `axis`, as the first axis, and `rank` others."""
        asked = factor, axis, parts, rank
        if asked not in self._parts:
            self._parts[asked] = self._cut_anew(dot, *asked)
        return self._parts[asked]

    def _cut_anew(self, dot: Statement, factor: Value, axis: int, parts: int, rank: int) -> Value:
        dims = tensor_type(factor).dims
        place = len(dims) + axis
        left = _left_over(dot, parts)
        if left:
            ends = (dims[place] - left,)
            factor = self.apply(SLICE, (factor,), dot, axes=(place,), starts=(0,), ends=ends)
            dims = tensor_type(factor).dims
        apart = (*dims[:place], parts, dims[place] // parts, *dims[place + 1 :])
        split = self.apply(RESHAPE, (factor,), dot, dims=apart)
        others = [each for each in range(len(apart)) if each != place]
        moved = self.apply(TRANSPOSE, (split,), dot, permutation=(place, *others))
        missing = tuple(range(1, 1 + rank - len(dims)))
        return self.apply(UNSQUEEZE, (moved,), dot, axes=missing) if missing else moved

    def write(self, dot: Statement) -> None:
        a, b = dot.operands
        if _is_sum_of_columns(tensor_type(a), tensor_type(b)):
            self._sum_columns(dot)
            return
        turned = self._turned(dot, b)
        is_matrix = [tensor_type(operand).rank > 1 for operand in (a, b)]
        if turned is not None:
            left = self._unsqueezed(dot, a, -2) if is_matrix[1] else a
            right = self._unsqueezed(dot, turned, -3) if all(is_matrix) else turned
        else:
            left = self._unsqueezed(dot, a, -1)
            right = self._unsqueezed(dot, b, -3) if is_matrix[0] else b
        self._sum(dot, left, right, -2 if turned is None else -1)

    def _sum_columns(self, dot: Statement) -> None:
        """The product by a column: the sums of the columns of the first operand, turned."""
        a, b = dot.operands
        rows = self.apply(TRANSPOSE, (a,), dot, permutation=turning(tensor_type(a).rank))
        column = b if tensor_type(b).rank > 1 else self._unsqueezed(dot, b, -1)
        product = self.apply(MUL, (self.widened(rows, dot), self.widened(column, dot)), dot)
        total = self.apply(REDUCE_SUM, (product,), dot, axes=(-2,))
        if column is not b:
            self._finish_sum(dot, total, -2)
            return
        row = self.apply(SQUEEZE, (total,), dot, axes=(-2,))
        self._finish(dot, UNSQUEEZE, (row,), axes=(-1,))

    def _turned(self, dot: Statement, b: Value) -> Value | None:
        """The second operand as {..., n, k} if the elements of a column are neighbours in it, or a vector."""
        type_ = tensor_type(b)
        if type_.rank == 1:
            return b
        made = self._defined[b]
        order = turning(type_.rank)
        if made.op is TRANSPOSE and made.attributes["permutation"] == order:
            return made.operands[0]
        if type_.dims[-1] == 1 or type_.strides[-2] == 1:
            return self.apply(TRANSPOSE, (b,), dot, permutation=order)
        return None

    def _sum(self, dot: Statement, left: Value, right: Value, axis: int) -> None:
        product = self.apply(MUL, (self.widened(left, dot), self.widened(right, dot)), dot)
        self._finish_sum(dot, self.apply(REDUCE_SUM, (product,), dot, axes=(axis,)), axis)

    def _finish_sum(self, dot: Statement, total: Value, axis: int) -> None:
        """The result of a product: a sum without its summed axis, in the type of the result."""
        self._finish(dot, SQUEEZE, (total,), axes=(axis,))

    def _finish(self, dot: Statement, op: Op, operands: tuple[Value, ...], **attributes: Attribute) -> None:
        """The result of an op on sums, in the type of the result."""
        element = tensor_type(dot.result).element
        if element is tensor_type(operands[0]).element:
            self.finish(op, operands, dot, **attributes)
        else:
            wide = self.apply(op, operands, dot, op.name, **attributes)
            self.finish(CONVERT, (wide,), dot, target_type=element.name)

    def _unsqueezed(self, dot: Statement, operand: Value, axis: int) -> Value:
        return self.apply(UNSQUEEZE, (operand,), dot, axes=(axis,))


def _is_sum_of_columns(a: TensorType, b: TensorType) -> bool:
    """Whether a large matrix with rows that are neighbours in memory is multiplied by a column."""
    is_column = b.rank == 1 or b.dims[-1] == 1
    if not is_column or a.rank < 2 or a.strides[-2] != 1 or a.strides[-1] == 1:
        return False
    is_long = most(a.dims[-2]) >= _LEAST_ROWS and most(a.dims[-1]) >= _LEAST_COLUMNS
    return is_long and most(a.elements) * min(a.element.bytes, _MOST_OF_ELEMENT) >= _LEAST_BYTES


def _left_over(dot: Statement, parts: int) -> int:
    """How many products along k no part has. The scales of blocks along k never have such parts."""
    k = tensor_type(dot.operands[0]).dims[-1]
    assert isinstance(k, int), "a product of unknown length has no parts"
    return k % parts
