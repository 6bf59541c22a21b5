"""Faults in the lowering of pointwise outputs: which lane has which element, and where it lies."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/gen/indexing.py",
        ("None and dim > 1:", "None and dim > 2:", "dims of two elements do not move", "mul_add"),
        (
            "original[group[-1]] for", "original[group[0]] for",
            "merged dims step by their outermost stride", "bias of channels",
        ),
        (
            "all(strides[merged", "any(strides[merged",
            "dims are merged that not every buffer walks alike", "bias of channels",
        ),
        (
            ") > 1 and space", ") > 2 and space",
            "a lane's vector runs over the end of a dim", "mul f32 {3,3} by {3,1}",
        ),
    ),
    *faults_in(
        "asmgen/gen/section_lowering.py",
        (
            "if lanes == section", "if lanes >= section",
            "lanes behind the end are not masked", "outputs of two shapes",
        ),
        ("section.lanes, U32", "section.lanes - 1, U32", "the last lane writes nothing", "vecadd(n=261)"),
        (
            "elements - vector, U32)", "elements - vector - 1, U32)",
            "the last element is not written", "vecadd(n=261)",
        ),
        (
            "(*dims[:-1], dims[-1] // vector)", "dims",
            "a lane's number counts elements where it counts vectors", "bias of channels",
        ),
        (
            "strides == row_major", "len(strides) == len",
            "every buffer is read row-major", "mul f32 {3,3} by {3,1}",
        ),
        (
            "= strides[-1] if", "= 1 if",
            "a vector of a broadcast or transposed buffer is read as it lies", "abs transposed",
        ),
        (
            "elements % vector:", "elements % vector > 1:",
            "the last lane runs over the end by three elements", "vecadd(n=261)",
        ),
        (
            "builder.mul(coordinates[-1], builder.constant(vector, U32))", "coordinates[-1]",
            "coordinates count vectors where they count elements", "abs transposed",
        ),
    ),
    *faults_in(
        "asmgen/gen/evaluate.py",
        (
            "reversed(dims[1:]):", "reversed(dims[:-1]):",
            "coordinates are taken apart by the sizes of the wrong dims", "bias of channels",
        ),
        ("builder.mul(quotient, size)", "quotient", "a remainder forgets to multiply", "abs transposed"),
        (
            "builder.constant(divisor - 1, U32)", "builder.constant(divisor - 2, U32)",
            "a remainder by a power of two loses its lowest bit", "add NCHW by NHWC",
        ),
        ("(lane * stride", "(stride", "the third element of a strided vector is the second", "contiguous"),
        ("stride == 1 else", "stride else", "strides are taken for 1", "abs transposed"),
        (
            "] if source is target else self._widened(self.narrowed(operands[0], source))", "]",
            "an f16 sum is not rounded before it is converted", "rounded sum",
        ),
    ),
    *faults_in(
        "asmgen/gen/layout.py",
        (
            "len(where) - operand.rank :", ": operand.rank",
            "a broadcast lines up the first dims", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            "axis % len(where) if where else 0", "0",
            "a broadcast from an axis begins at the first", "bias of channels",
        ),
    ),
    *faults_in(
        "asmgen/gen/lanewise.py",
        ("constant(threads,", "constant(64,", "workgroups overlap", "vecadd(n=100003)"),
    ),
)  # fmt: skip
