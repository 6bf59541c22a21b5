"""The limits of an index of 32 bits: a tensor that is too large is refused at its statement.

r = concat[axis=0](x, x)      GRW018 if r has more than 2^32 elements
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.gridwise import rules
from asmgen.gridwise.verify import LARGEST_BUFFER
from asmgen.index.size import most, most_where_alone
from asmgen.ir.program import Module, Statement, Value, tensor_type
from isa.diagnostics import InputError, Place


def check_statements(module: Module) -> None:
    """`InputError` GRW018 for a parameter or literal that reaches over too many elements, and for a computed
    tensor with an axis that an index does not go along, though none of it is kept."""
    for statement in module.statements:
        for value in statement.results:
            _check_tensor(statement, value)


def check_outputs(kernels: Iterable[FusedKernel]) -> None:
    """Raises `InputError` GRW018 for a buffer with too many elements."""
    for kernel in kernels:
        places = {
            result: statement.place for statement in kernel.module.statements for result in statement.results
        }
        for value, name, _ in kernel.outputs:
            count = tensor_type(value).elements
            if most_where_alone(count) > LARGEST_BUFFER:
                what = f"{name} reaches over {count} elements"
                raise _too_far(what, LARGEST_BUFFER, places.get(value) or name)


def _check_tensor(statement: Statement, value: Value) -> None:
    type_, place = tensor_type(value), statement.place or value.name
    if not statement.operands and most_where_alone(type_.span) > LARGEST_BUFFER:
        raise _too_far(f"{value.name} reaches over {type_.span} elements", LARGEST_BUFFER, place)
    longest = max(type_.dims, key=most, default=0)
    if most_where_alone(type_.elements) > LARGEST_BUFFER and most(longest) >= LARGEST_BUFFER:
        raise _too_far(f"{value.name} has an axis of {longest} elements", LARGEST_BUFFER - 1, place)


def _too_far(what: str, most: int, place: Place | str) -> InputError:
    return InputError(
        place,
        rules.REACH.code,
        f"{what}, wanted at most {most}",
        (f"the rule: {rules.REACH.says}",),
        rules.REACH.help,
    )
