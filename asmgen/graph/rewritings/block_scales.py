"""Numbers with a scale for each block as pointwise ops: the scales are repeated, which moves no element.

    dequantize[blocks={128}](q, s)      q is {n,512}, s is {n,4}
    e = unsqueeze[axes={2}](s)          {n,4,1}
    b = multibroadcast(e)               {n,4,128}
    w = dequantizelinear(q, reshape(b))

The difference of two integers of 8 bits is an f16, so with scales of f16 both ops are of f16, and the product
is rounded once all the same.
"""

from __future__ import annotations

from asmgen.graph.infer.blocks import blocks_of
from asmgen.graph.ops import (
    CONVERT,
    DEQUANTIZE,
    DEQUANTIZELINEAR,
    MUL,
    MULTIBROADCAST,
    RESHAPE,
    SUB,
    UNSQUEEZE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Dim
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import F16, F32, F64

_SMALL = 8  # bits of integers with differences that are f16


def with_repeated_scales(module: Module) -> Module:
    """The module without `dequantize`."""
    writer = _Writer(module)
    for statement in module.statements:
        if statement.op is DEQUANTIZE:
            writer.write(statement)
        else:
            writer.keep(statement)
    return writer.module()


class _Writer(Rewriter):
    """Writes the statements of a `dequantize` in its place."""

    def write(self, origin: Statement) -> None:
        if origin.result.type.element is not origin.operands[1].type.element:
            self._write_rounded(origin)
            return
        x, *others = origin.operands
        repeated = [self._repeated(origin, operand) for operand in others]
        element, scale = tensor_type(x).element, repeated[0]
        if tensor_type(scale).element is not F16 or element.is_float or element.bits > _SMALL:
            self.finish(DEQUANTIZELINEAR, (x, *repeated), origin)
            return
        moved, *zero = [
            self.apply(CONVERT, (operand,), origin, target_type=F16.name) for operand in (x, *repeated[1:])
        ]
        if zero:
            moved = self.apply(SUB, (moved, *zero), origin)
        self.finish(MUL, (moved, scale), origin)

    def _write_rounded(self, origin: Statement) -> None:
        """A result of another type than the scale's is computed in f32 or f64, and rounded once."""
        x, scale, *zero = origin.operands
        to = origin.result.type.element
        wide = F64 if F64 in (to, scale.type.element) else F32
        if scale.type.element is not wide:
            scale = self.apply(CONVERT, (scale,), origin, target_type=wide.name)
        given = (x, *[self._repeated(origin, operand) for operand in (scale, *zero)])
        if to is wide:
            self.finish(DEQUANTIZELINEAR, given, origin)
            return
        product = self.apply(DEQUANTIZELINEAR, given, origin)
        self.finish(CONVERT, (product,), origin, target_type=to.name)

    def _repeated(self, origin: Statement, operand: Value) -> Value:
        """The number of each block for each of its elements."""
        x = tensor_type(origin.operands[0])
        blocks, dims = blocks_of(origin.op, origin.attributes, x, origin.place), tensor_type(operand).dims
        if dims == x.dims:
            return operand
        axes: list[int] = []
        lens: list[Dim] = []
        for dim, block in zip(dims, blocks, strict=True):
            lens.append(dim)
            if block > 1:
                axes.append(len(lens))
                lens.append(block)
        apart = self.apply(UNSQUEEZE, (operand,), origin, axes=tuple(axes))
        spread = self.apply(MULTIBROADCAST, (apart,), origin, out_lens=tuple(lens))
        return self.apply(RESHAPE, (spread,), origin, dims=x.dims)
