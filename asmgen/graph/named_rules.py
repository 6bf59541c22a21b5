"""What a graph may do with a dim that only the launch knows. What it may not is refused at its statement,
GEN903.

    y = add(x, b)                        x {n,1024}, b {1024}: n rows
    y = softmax[axis=1](x)               x {4096,n}: strides of n
    y = reduce_sum[axes=0](x)            parts of it in loops, and a launch that combines them
    y = cumsum[axis=0](x)                pieces of the rows in loops
    y = slice[axes=0, starts=0, ends=8](x)      refused: where it ends depends on n
    y = reshape[dims={n,4}](x)           x {4,n}, refused by `asmgen.gridwise.cut`: an index by n
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.graph import ops
from asmgen.index.size import Size
from asmgen.ir.program import Attribute, Module, Op, Statement
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError

_HELP = "write {} as a number, and compile once for each"

# The ops that look at one axis, or some, and not at the others, and the attribute that names them.
_ALONG: dict[Op, str] = {
    ops.SLICE: "axes", ops.STEP: "axes", ops.GATHER: "axis", ops.PAD: "", ops.DOT: "",
}  # fmt: skip


def check_named(module: Module) -> None:
    """Raises `InputError` GEN903 at the first statement that needs more of a named dim than is lowered."""
    for statement in module.statements:
        _check_slice(statement)
        if any(isinstance(size, Size) for operand in statement.operands for size in _dims(operand.type)):
            _check_op(statement)


def _check_slice(statement: Statement) -> None:
    """A part whose ends only the launch knows is one of what is reduced in parts (`asmgen.gridwise.partial`):
    nothing clamps the ends to the dim.
    """
    if statement.op is not ops.SLICE:
        return
    for end in (*_numbers(statement.attributes["starts"]), *_numbers(statement.attributes["ends"])):
        if isinstance(end, Size):
            _refuse(statement, f"slice begins or ends at {end}", end)


def _check_op(statement: Statement) -> None:
    if statement.op not in _ALONG:
        return
    operand = statement.operands[0].type
    name = _ALONG[statement.op]
    axes = statement.attributes[name] if name else tuple(range(len(_dims(operand))))
    for axis in _numbers(axes):
        size = _dims(operand)[axis]
        if isinstance(size, Size) and not _is_untouched(statement, axis):
            _refuse(statement, f"{statement.op.name} is along {size}", size)


def _is_untouched(statement: Statement, axis: int) -> bool:
    """Whether a pad puts nothing around an axis."""
    if statement.op is not ops.PAD:
        return False
    pads = _numbers(statement.attributes["pads"])
    return not pads[axis] and not pads[axis + len(pads) // 2]


def _dims(type_: object) -> Sequence[int]:
    return type_.dims if isinstance(type_, TensorType) else ()


def _numbers(value: Attribute) -> tuple[int, ...]:
    return tuple(_integers(value if isinstance(value, tuple) else (value,)))


def _integers(values: Sequence[Attribute]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value


def _refuse(statement: Statement, what: str, size: int) -> None:
    raise InputError(
        statement.place or statement.op.name,
        "GEN903",
        f"{what}, which only the launch knows, wanted a plain number",
        help=_HELP.format(size),
    )
