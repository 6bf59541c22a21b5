"""`func`: calls of functions. They are inlined."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation, Symbol

_FUNCTIONS = ("gpu.func", "func.func", "llvm.func")


def call(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The body of the function, with the operands as its arguments."""
    symbol = operation.symbol("callee")
    function = find_function(lower, operation, symbol)
    if symbol.path[-1] in lower.calls:
        raise lower.refused(
            operation,
            "MLIR031",
            f"{symbol} calls itself",
            "functions without recursion, since calls are inlined",
        )
    if not function.regions[0].blocks:
        raise lower.refused(operation, "MLIR032", f"{symbol} has no body", "a function with a body")
    lower.calls.append(symbol.path[-1])
    results = lower_region(
        lower, function.regions[0], [lower.value(operand) for operand in operation.operands]
    )
    _ = lower.calls.pop()
    return results


def find_function(lower: Lowering, operation: Operation, symbol: Symbol) -> Operation:
    """The function that a symbol names, in any module of the file."""
    for candidate in lower.module.operation.walk():
        if candidate.name in _FUNCTIONS and candidate.text("sym_name") == symbol.path[-1]:
            return candidate
    raise lower.refused(operation, "MLIR032", f"{symbol} is not in the file", "a function of the file")


ROWS = rows({"func.call": call}, ends=("func.return",))
