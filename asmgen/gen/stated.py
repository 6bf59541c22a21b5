"""Does the text of a gridwise or blockwise program state what lanewise makes of it?

Lanewise works out again how lanes share the elements, from the shapes. What gridwise stated agrees; a text
that a user wrote or changed may not, and is refused (`InputError` GEN111, GEN112) before a kernel would leave
elements out.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.gen.layout import is_walked
from asmgen.gen.row_plan import RowPlan
from asmgen.gen.tiling import Section, tensor_type
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.ir.program import Attribute, Module, Statement
from asmgen.lanewise.ops import COPY, LAUNCH, LDS_ALLOCATE
from asmgen.lanewise.reduction_ops import GRIDWISE_REDUCE
from isa.diagnostics import InputError

_KNOWN = frozenset({LAUNCH, PARAM, LITERAL, LDS_ALLOCATE, GRIDWISE_REDUCE, COPY, RETURN})


def check_ops(module: Module) -> None:
    """Every statement is one that lanewise takes apart."""
    for statement in module.statements:
        if statement.op not in _KNOWN and not is_walked(statement):
            raise InputError(
                statement.place or module.name, "GEN112",
                        f"got {statement.op.name}, wanted pointwise ops, broadcasts or gridwise_reduce "
                        f"here"
            )  # fmt: skip


def check_sections(launch: Statement, sections: Sequence[Section], lanes: int) -> None:
    """The launch has a lane for every vector of every output; `lanes` is how many it has."""
    needed = max((section.lanes for section in sections), default=0)
    if lanes < needed:
        raise InputError(
            launch.place or "launch",
            "GEN111",
            f"the launch has {lanes} work-items, wanted {needed} for the elements of the outputs",
        )


def check_reductions(reductions: Sequence[Statement], copies: Sequence[Statement]) -> None:
    """All reductions have operands and results of the same dims, and what is copied has the dims of one of
    them."""
    dims, row_dims = tensor_type(reductions[0].operands[0]).dims, tensor_type(reductions[0].result).dims
    for reduction in reductions:
        if (tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims) != (dims, row_dims):
            raise _refused(reduction, f"{_shown(dims)} to {_shown(row_dims)}, as the kernel's first")
    for copy in copies:
        if tensor_type(copy.operands[1]).dims not in (dims, row_dims):
            raise _refused(
                copy, f"a buffer of {_shown(dims)} or {_shown(row_dims)}, as the kernel's reductions"
            )


def check_plan(launch: Statement, plan: RowPlan, wave: int) -> None:
    """Launch, algorithms and LDS are those of the plan."""
    layout = plan.layout
    wanted: dict[str, Attribute] = {
        "grid": (plan.groups, 1, 1),
        "block": (layout.block, 1, 1),
        "vector": layout.vector,
    }
    _check_attributes(launch, wanted)
    for reduction in plan.reductions:
        stated = plan.stated()
        _check_attributes(
            reduction, {name: stated[name] for name in ("algo", "reduce_elements", "block_size")}
        )
        waves = layout.lanes // wave
        if waves > 1 and (len(reduction.operands) < 2 or tensor_type(reduction.operands[1]).elements < waves):
            raise _refused(reduction, f"LDS of {waves} elements as operand 2")


def _check_attributes(statement: Statement, wanted: dict[str, Attribute]) -> None:
    for name, value in wanted.items():
        if statement.attributes[name] != value:
            raise _refused(statement, f"{name}={_shown(value)}, got {_shown(statement.attributes[name])}")


def _refused(statement: Statement, wanted: str) -> InputError:
    return InputError(
        statement.place or statement.op.name,
        "GEN111",
        f"{statement.op.name} does not fit the shapes, wanted {wanted}",
    )


def _shown(value: Attribute) -> str:
    return f"{{{','.join(str(v) for v in value)}}}" if isinstance(value, tuple) else str(value)
