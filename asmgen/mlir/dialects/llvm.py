"""`llvm`: arithmetic by the rules of `arith` and `math`, calls, atomic operations and fences."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.dialects import arith, arith_integers, conversions, func, math
from asmgen.mlir.dialects.atomics import combined_atomically
from asmgen.mlir.dialects.llvm_memory import view_at
from asmgen.mlir.dialects.rocdl import BARRIERS
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation, Symbol

_SAME = {
    "mlir.constant": "arith.constant", "add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli",
    "sdiv": "arith.divsi", "udiv": "arith.divui", "srem": "arith.remsi", "urem": "arith.remui",
    "and": "arith.andi", "or": "arith.ori", "xor": "arith.xori", "shl": "arith.shli", "ashr": "arith.shrsi",
    "lshr": "arith.shrui", "icmp": "arith.cmpi", "fcmp": "arith.cmpf", "select": "arith.select",
    "fadd": "arith.addf", "fsub": "arith.subf", "fmul": "arith.mulf", "fdiv": "arith.divf",
    "frem": "arith.remf", "fneg": "arith.negf", "sitofp": "arith.sitofp", "uitofp": "arith.uitofp",
    "fptosi": "arith.fptosi", "fptoui": "arith.fptoui", "fpext": "arith.extf", "fptrunc": "arith.truncf",
    "sext": "arith.extsi", "zext": "arith.extui", "trunc": "arith.trunci", "bitcast": "arith.bitcast",
    "intr.maximum": "arith.maximumf", "intr.minimum": "arith.minimumf", "intr.maxnum": "arith.maxnumf",
    "intr.minnum": "arith.minnumf", "intr.smax": "arith.maxsi", "intr.smin": "arith.minsi",
    "intr.umax": "arith.maxui", "intr.umin": "arith.minui", "intr.abs": "math.absi",
    "intr.ceil": "math.ceil", "intr.copysign": "math.copysign", "intr.cos": "math.cos",
    "intr.ctlz": "math.ctlz", "intr.ctpop": "math.ctpop", "intr.cttz": "math.cttz", "intr.exp": "math.exp",
    "intr.exp2": "math.exp2", "intr.fabs": "math.absf", "intr.floor": "math.floor", "intr.fma": "math.fma",
    "intr.fmuladd": "math.fma", "intr.log": "math.log", "intr.log10": "math.log10",
    "intr.log2": "math.log2", "intr.pow": "math.powf", "intr.rint": "math.roundeven",
    "intr.round": "math.round", "intr.roundeven": "math.roundeven", "intr.sin": "math.sin",
    "intr.sqrt": "math.sqrt", "intr.tanh": "math.tanh", "intr.trunc": "math.trunc",
}  # fmt: skip
# Functions of AMD's device library that convert-gpu-to-rocdl calls, without the suffix of the type.
_LIBRARY = {
    name: f"math.{name}"
    for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "exp2", "log",
        "log10", "log2", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
    )
}  # fmt: skip
_CALLED = {
    f"__ocml_{name}_{suffix}": row for name, row in (_LIBRARY | {"pow": "math.powf"}).items()
    for suffix in ("f16", "f32", "f64")
}  # fmt: skip
_ROWS = {**arith.ROWS, **arith_integers.ROWS, **conversions.ROWS, **math.ROWS}


def call(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A call of a function of the file is inlined; a call of the device library becomes an op of `math`."""
    callee = operation.attributes.get("callee")
    if not isinstance(callee, Symbol):
        raise lower.refused(operation, "MLIR032", "a call of a pointer", "a call of a function by its name")
    row = _ROWS.get(_CALLED.get(callee.path[-1], ""))
    if row is None or row.rule is None:
        return func.call(lower, operation)
    return row.rule(lower, operation)


# The kind of memref.atomic_rmw for each operation of LLVM.
_KINDS = {
    "xchg": "assign", "add": "addi", "and": "andi", "or": "ori", "xor": "xori", "max": "maxs",
    "min": "mins", "umax": "maxu", "umin": "minu", "fadd": "addf", "fmax": "maxnumf", "fmin": "minnumf",
    "fmaximum": "maximumf", "fminimum": "minimumf",
}  # fmt: skip
_OF_WORKGROUP = ("workgroup", "workgroup-one-as", "wavefront", "singlethread")


def combine(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`atomicrmw`, with the scope of the device. Only barriers order other accesses around it."""
    kind = operation.text("bin_op")
    if kind not in _KINDS:
        wanted = "xchg, add, and, or, xor, max, min, umax, umin, fadd, fmax or fmin"
        raise lower.refused(operation, "MLIR053", f"llvm.atomicrmw {kind}", wanted)
    pointer, value = operation.operands
    view = view_at(lower, lower.pointer(pointer), operation)
    return (combined_atomically(lower, operation, view, (), value, _KINDS[kind]),)


def fence(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A barrier orders the memory of its workgroup, so a fence of the workgroup next to it does nothing."""
    scope = operation.text("syncscope") or "the system"
    if scope not in _OF_WORKGROUP or not _is_next_to_barrier(lower, operation):
        got = f"a fence of {scope} by itself"
        raise lower.refused(operation, "MLIR055", got, 'syncscope("workgroup") next to a barrier')
    return ()


def _is_next_to_barrier(lower: Lowering, fence: Operation) -> bool:
    for operation in lower.module.operation.walk():
        for block in (block for region in operation.regions for block in region.blocks):
            if fence in block.operations:
                place = block.operations.index(fence)
                around = block.operations[max(place - 1, 0) : place + 2]
                return any(lower.table.get(neighbour.name) in BARRIERS for neighbour in around)
    return False


ROWS = {
    **{f"llvm.{name}": _ROWS[row] for name, row in _SAME.items()},
    **rows({"llvm.call": call, "llvm.atomicrmw": combine, "llvm.fence": fence}),
}
