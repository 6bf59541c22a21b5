"""`amdgpu`: matrix instructions, which are those of the target that have the shape and the types."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.lanewise.matrices import matrix_names, matrix_row, operand_types, semantics_of
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.integers import as_signed, as_unsigned, lanes_of
from asmgen.mlir.lowered import Lowered
from asmgen.mlir.source import Operation
from isa.table import table_of

# Attributes that change what an instruction reads or gives, and what they are where they do not.
_PLAIN: dict[str, object] = {
    "cbsz": 0, "abid": 0, "blgp": "none", "reducePrecision": False, "negateA": False, "negateB": False,
    "negateC": False, "subwordOffset": 0, "opsel": False, "unsignedA": False, "unsignedB": False,
    "clamp": False,
}  # fmt: skip


def multiply(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`mfma` and `wmma`: the product of A and B added to C, over a whole wave."""
    check_plain(lower, operation)
    values = [as_signed(lower.builder, lower.lane(operand)) for operand in operation.operands]
    shape = tuple([operation.integer(name) for name in ("m", "n", "k")])
    by = _instruction(lower, shape, operation.integer("blocks", 1), [str(lanes_of(one)) for one in values])
    if by is None:
        sizes = "x".join(map(str, shape))
        types = ", ".join(str(operand.type) for operand in operation.operands)
        got = f"{operation.name} {sizes} of {types} on {lower.target}"
        raise lower.refused(operation, "MLIR056", got, "a shape and types that the target multiplies")
    return (as_unsigned(lower.builder, lower.builder.matrix(by, *values)),)


def check_plain(lower: Lowering, operation: Operation) -> None:
    """`InputError` MLIR056 for an attribute that changes what the instruction reads or gives."""
    for name, plain in _PLAIN.items():
        given = operation.attributes.get(name, plain)
        if given != plain and str(given) != plain:
            raise lower.refused(
                operation, "MLIR056", f"{operation.name} with {name} = {given}", "one without"
            )


def _instruction(lower: Lowering, shape: tuple[int, ...], blocks: int, types: Sequence[str]) -> str | None:
    """The target's instruction of a shape whose operands have these types."""
    table = table_of(lower.target.target)
    for name in matrix_names(table):
        row = matrix_row(table, name)
        assert row is not None, name
        what = semantics_of(row).shape
        is_shape = (what.size, what.size, what.inner) == shape and what.blocks == blocks
        if is_shape and operand_types(row) == list(types):
            return name
    return None


ROWS = rows({"amdgpu.mfma": multiply, "amdgpu.wmma": multiply})
