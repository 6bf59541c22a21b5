"""Faults of matrix products: the steps of the loop, the tiles of workgroups, the matrices of a batch."""

from __future__ import annotations

from tests.mutants.planting import fault

_INT4 = "int4_linear(m=1,n=12,k=256,group=32,dtype=f16)"
_SCALED = "fp8_linear(m=32,n=32,k=256,block=32,dtype=fp8e4m3fnuz)"
_COMPUTED = "a product of exponentials"
_MICROSCALED = "microscaled numbers"
_JOINT = "products that share a factor"
_ROWS = "softmax of a product"
_PRODUCT = "gemm(m=33,n=17,k=200,dtype=f16)"
FAULTS = (
    fault(
        "product_reads.Reader.tile", "constant(0) if dim == 1 else index", "constant(0)",
        "every matrix of a batch is the first", "batched_gemm(batch=3,m=9,n=20,k=40,dtype=f16)",
    ),
    fault(
        "_Reduced._reduce", "not is_within(index, dim)", "False", "columns beyond the matrix are in the sum of a row", _ROWS,
    ),
    fault(
        "product_reads.Reader.tile", "counter + row", "counter + 1 + row", "b begins at its second row",
        _PRODUCT,
    ),
    fault(
        "product_reads.Reader.tile", "start + row", "row", "each workgroup multiplies the first rows of a",
        "gemm(m=48,n=17,k=200,dtype=f16)",
    ),
    fault(
        "product_reads.Reader.tile", "k == 1 or not self._buffers.is_only_read(value)", "k == 1",
        "elements beyond k are computed from zeros: the sum has exp(0) for each", _COMPUTED,
    ),
    fault(
        "asmgen.blockwise.schedules.elements.maps._unpacked", "at[axis] // count", "ZERO",
        "every number is of the first byte", _INT4,
    ),
    fault(
        "Body._unpacked", "key.at[axis] % count", "(key.at[axis] + 1) % count",
        "the two numbers of a byte change places", _INT4,
    ),
    fault(
        "asmgen.graph.rewritings.block_scales._Writer._repeated",
        "lens.append(dim)\nif block > 1:\n    axes.append(len(lens))\n    lens.append(block)",
        "if block > 1:\n    axes.append(len(lens))\n    lens.append(block)\nlens.append(dim)",
        "scales and zero points belong to other groups", _INT4,
    ),
    fault(
        "asmgen.graph.rewritings.block_scales._Writer.write", "repeated[1:]", "repeated[2:]",
        "the zero points are left out", _INT4,
    ),
    fault(
        "asmgen.graph.rewritings.codes._Writer._power", "1 << _FRACTION", "0", "every scale is the least power of two", _MICROSCALED,
    ),
    fault(
        "asmgen.graph.rewritings.codes._Writer._power", "(is_nan, self.literal(_NAN, U32, origin), bits)", "(is_nan, bits, bits)",
        "the scale that is not a number is infinite", _MICROSCALED,
    ),
    fault(
        "asmgen.graph.rewritings.codes._Writer._small", "(magnitude, sign)", "(magnitude, magnitude)", "small floats have no sign",
        _MICROSCALED,
    ),
    fault(
        "_Product._turn_of_group", "counter // SCALED", "counter * 0", "each trip has the scales of the first",
        "microscaled product@gfx950",
    ),
    fault(
        "asmgen.blockwise.lowering.ops.product.by_instruction", "reversed(of_factors) if is_turned else of_factors", "of_factors",
        "the scales of rows and of columns change places", "microscaled product@gfx950",
    ),
    fault(
        "asmgen.blockwise.lowering.ops.unpack._shifted", "place * -bits + (_WORD - bits)", "place * 0 + (_WORD - bits)",
        "every zero point is the lower one of its byte", _INT4,
    ),
    fault(
        "asmgen.select.arithmetic.split_bits._halves", "(_LOWER, _UPPER)", "(_LOWER, _LOWER)",
        "the second four weights of each eight are the first four", _INT4,
    ),
    fault(
        "product_reads.Reader.tile", "is_within(at[1 - number], k)", "is_within(at[number], k)",
        "weights beyond k are multiplied", "int4_linear(m=8,n=20,k=320,group=32,dtype=f16)",
    ),
    fault(
        "_Product._scales", "counter // block", "counter * 0",
        "every block of k has the scales of the first", _SCALED,
    ),
    fault(
        "_Product._turn_of_group", "builder.pointwise(ADD, total, builder.pointwise(MUL, part, scale))",
        "builder.pointwise(MUL, part, scale)", "the sums of earlier blocks are dropped", _SCALED,
    ),
    fault(
        "_Product._scales", "(*batch, number, column)", "(*batch, constant(0), column)",
        "the weights of every block have the scales of the first", _SCALED,
    ),
    fault(
        "Multiplier.contracted", "tiles[1, dot.operands[1], column]", "tiles[1, self._strips[0].dot.operands[1], 0]",
        "every product has the second factor of the first", _JOINT,
    ),
    fault(
        "_define_products", "sums.items()", "zip(sums, [*sums.values()][::-1], strict=True)",
        "two products change places", _JOINT,
    ),
)  # fmt: skip
