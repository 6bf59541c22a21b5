"""Custom calls that change nothing on one device: they state a value's place. Any other call is refused."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from isa.diagnostics import InputError

Rule = Callable[[OpCall], Results]
_ON_ONE_DEVICE = (
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
    "xla.sdy.FuncResultSharding", "local_xla.sdy.FuncResultSharding",
)  # fmt: skip


def _custom_call(call: OpCall) -> Results:
    operation = call.operation
    target = operation.text("call_target_name")
    if target not in _ON_ONE_DEVICE:
        wanted = ", ".join([f"@{each}" for each in _ON_ONE_DEVICE])
        message = f"{operation.name} @{target} is not a call that becomes a graph, wanted {wanted}"
        help = "the called code is not known; write it as ops, or as a composite"
        raise InputError(operation.place, "TNS001", message, help=help)
    given, results = [[str(each.type) for each in ssa] for ssa in (operation.operands, operation.results)]
    if given != results:
        got = f"@{target} gives {', '.join(results)} of {', '.join(given)}"
        call.refuse(f"{got}, wanted the same type: a program runs on one device")
    return call.items


RULES: dict[str, Rule] = {"stablehlo.custom_call": _custom_call}
