"""Whether each access of lanewise names memory of its kind: a buffer, LDS or scratch."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Module, Op, Statement
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import ATOMIC_OPS, GLOBAL_ATOMICS
from isa.diagnostics import InputError

_BUFFER, _LDS, _SCRATCH = "a buffer", "LDS of lds_allocate", "scratch of scratch_allocate"
_MADE_BY = {
    PARAM: _BUFFER, LITERAL: _BUFFER, ops.LDS_ALLOCATE: _LDS, ops.SCRATCH_ALLOCATE: _SCRATCH,
}  # fmt: skip
_LDS_ATOMICS = [op for op in ATOMIC_OPS if op not in GLOBAL_ATOMICS]
# by op, the kind of memory that operands name
_WANTED: dict[Op, Sequence[tuple[int, str]]] = {
    **dict.fromkeys(
        (ops.LOAD, ops.VECTOR_LOAD, ops.STORE, ops.VECTOR_STORE, *GLOBAL_ATOMICS), ((0, _BUFFER),)
    ),
    **dict.fromkeys((ops.LDS_LOAD, ops.LDS_TRANSPOSE_LOAD, ops.LDS_STORE, *_LDS_ATOMICS), ((0, _LDS),)),
    **dict.fromkeys((ops.SCRATCH_LOAD, ops.SCRATCH_STORE), ((0, _SCRATCH),)),
    ops.LOAD_TO_LDS: ((0, _BUFFER), (2, _LDS)),
}


def check_memories(module: Module) -> None:
    """Raises `InputError` GEN126 for an access of memory of another kind."""
    statements = list(module.walk())
    kinds = {s.result: _MADE_BY[s.op] for s in statements if s.op in _MADE_BY}
    for statement in statements:
        for position, wanted in _WANTED.get(statement.op, ()):
            operand = statement.operands[position]
            if kinds.get(operand) != wanted:
                raise _refused(statement, position, kinds.get(operand, "no memory"), wanted)


def _refused(statement: Statement, position: int, had: str, wanted: str) -> InputError:
    name = statement.operands[position].name
    message = f"{statement.op.name}: operand {position + 1}, {name}, is {had}, wanted {wanted}"
    return InputError(statement.place or statement.op.name, "GEN126", message)
