"""Result types of numbers with a scale for each block: `dequantize`.

    dequantize[blocks={128}](x: {n,k}, scale: {n,k/128})               a scale for each 128 numbers of a row
    dequantize[blocks={128,128}](x: {n,k}, scale: {n/128,k/128})       a scale for each square
    dequantize[blocks={1,32}](x, scale, zero_point: {n,k/32})          (x - zero point) scale
    dequantize[blocks={32}](x: fp4e2m1fn, scale: fp8e8m0fnu)           OCP microscaling: the result is f32

The blocks are of the last axes; along other axes each element has a scale. (Rules and codes:
`asmgen.graph.infer`.)
"""

from __future__ import annotations

from typing import NoReturn

from asmgen.graph.infer.checks import Types, check_element, fail, integers, tensors
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import Dims, format_list
from asmgen.ir.types import E8M0, ELEMENT_TYPES, F32, ElementType, TensorType, tensor
from isa.diagnostics import Place

_MATRIX = 2  # axes


def dequantize(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    x, scale, *zero_point = tensors(op, types, place)
    check_element(op, x, 0, place)
    result = _result_of(op, scale.element, attributes, place)
    if zero_point and zero_point[0].element is not x.element:
        fail(
            op, place, "GEN301",
            f"operand 3 has type {zero_point[0].element}, wanted {x.element} as operand 1 has",
            "unpack the zero points as the numbers are unpacked",
        )  # fmt: skip
    blocks = blocks_of(op, attributes, x, place)
    for number, operand in enumerate((scale, *zero_point), 2):
        _check_dims(op, number, operand, x, blocks, place)
    return (tensor(result, x.dims),)


def _result_of(op: Op, scale: ElementType, attributes: Attributes, place: Place | None) -> ElementType:
    """The stated type, or the scale's: a power of two is an f32."""
    if not scale.is_float and scale is not E8M0:
        help = f"bit_cast[target_type={E8M0}] of exponents" if scale.bits == E8M0.bits else ""
        fail(op, place, "GEN301", f"operand 2 has type {scale}, wanted a float type or {E8M0}", help)
    name = str(attributes.get("target_type") or (F32.name if scale is E8M0 else scale.name))
    if not ELEMENT_TYPES[name].is_float:
        fail(op, place, "GEN303", f"target_type is {name}, wanted a float type")
    return ELEMENT_TYPES[name]


def blocks_of(op: Op, attributes: Attributes, x: TensorType, place: Place | None) -> tuple[int, ...]:
    """The size of a block along each axis of x."""
    given = integers(op, attributes, "blocks", place)
    if not 0 < len(given) <= x.rank or min(given) < 1:
        wanted = f"1 to {x.rank} sizes of 1 or more, those of the last axes of {format_list(x.dims)}"
        fail(op, place, "GEN303", f"blocks is {format_list(given)}, wanted {wanted}")
    blocks = (*(1,) * (x.rank - len(given)), *given)
    for axis, (dim, block) in enumerate(zip(x.dims, blocks, strict=True)):
        if isinstance(dim, int) and dim % block:
            _fail_to_divide(op, axis, dim, block, place)
    return blocks


def _fail_to_divide(op: Op, axis: int, dim: int, block: int, place: Place | None) -> NoReturn:
    fitting = next(size for size in range(block, 0, -1) if dim % size == 0)
    fail(
        op, place, "GEN303",
        f"blocks of {block} do not divide axis {axis} of size {dim}, wanted a divisor of {dim}",
        f"blocks of {fitting} do; or pad the axis to {-(-dim // block) * block}",
    )  # fmt: skip


def _check_dims(
    op: Op, number: int, operand: TensorType, x: TensorType, blocks: tuple[int, ...], place: Place | None
) -> None:
    pairs = list(zip(x.dims, blocks, strict=True))
    wanted = tuple([dim // block if isinstance(dim, int) else dim for dim, block in pairs])
    if operand.rank == x.rank and _times(operand.dims, blocks) == x.dims:
        return
    listed = format_list(blocks)
    text = format_list(wanted)
    if any(not isinstance(dim, int) and block > 1 for dim, block in pairs):
        text = f"dims that are {format_list(x.dims)} if they are multiplied by {listed}"
    fail(
        op, place, "GEN302",
        f"operand {number} has shape {format_list(operand.dims)}, wanted {text}: a number for each block of "
        f"{listed} of {format_list(x.dims)}",
        _advice(operand, wanted, x),
    )  # fmt: skip


def _times(dims: Dims, blocks: tuple[int, ...]) -> Dims:
    return tuple([dim * block for dim, block in zip(dims, blocks, strict=True)])


def _advice(operand: TensorType, wanted: Dims, x: TensorType) -> str:
    if operand.dims == wanted[::-1] and operand.rank == _MATRIX:
        return "transpose[permutation={1,0}] turns it"
    if tuple([dim for dim in operand.dims if dim != 1]) == tuple([dim for dim in wanted if dim != 1]):
        return f"reshape[dims={format_list(wanted)}] gives it that shape"
    fitting = [
        dim // given if isinstance(dim, int) and isinstance(given, int) and given and dim % given == 0 else 0
        for dim, given in zip(x.dims, operand.dims, strict=False)
    ]
    if operand.rank == x.rank and all(fitting):
        return f"blocks={format_list(fitting)} goes with that shape"
    return ""
