"""Small integers packed in larger integers: `unpack`.

    unpack[bits=4](x: u8 {n,k})            u8 {n,2*k}: the lower four bits of each byte, then the upper four
    unpack[bits=4, axis=0](x: i32 {k,n})   i8 {8*k,n}: eight from each word, the lowest bits first

Numbers of an unsigned operand are unsigned, those of a signed operand signed: `bit_cast` before it says
otherwise. (Rules and codes: `asmgen.graph.infer`.)
"""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_element, fail, normal_axis, one_integer, tensors
from asmgen.ir.program import Attributes, Op, Statement, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, U8, NumberKind, tensor
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple

_I8 = ELEMENT_TYPES["i8"]
_WIDTHS = (1, 2, 4, 8)


class Packing(NamedTuple):
    """Each element along `axis` has `each` numbers of `bits` bits, the first in its lowest bits."""

    axis: int
    bits: int
    each: int

    @classmethod
    def of(cls, unpack: Statement) -> Packing:
        x, attributes = tensor_type(unpack.operands[0]), unpack.attributes
        axis, bits = attributes["axis"], attributes["bits"]
        assert isinstance(axis, int) and isinstance(bits, int), "the parser reads integers"
        return cls(axis % x.rank, bits, x.element.bits // bits)


def unpack(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    check_element(op, x, 0, place)
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    bits = one_integer(op, attributes, "bits", place)
    widths = [width for width in _WIDTHS if width < x.element.bits]
    if bits not in widths:
        wanted = " or ".join(str(width) for width in widths)
        fail(op, place, "GEN303", f"bits is {bits}, wanted {wanted} for elements of {x.element}")
    dims = (*x.dims[:axis], x.dims[axis] * (x.element.bits // bits), *x.dims[axis + 1 :])
    return (tensor(_I8 if x.element.kind is NumberKind.SIGNED else U8, dims),)
