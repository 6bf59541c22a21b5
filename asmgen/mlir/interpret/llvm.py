"""The LLVM dialect and `rocdl` in the interpreter: pointers into bytes, structs as lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from asmgen.ir.program import Scope
from asmgen.mlir.interpret import exchange
from asmgen.mlir.interpret.numbers import bits_of, signed
from asmgen.mlir.interpret.places import Array, Bytes, Number, dtype_of, from_memory, to_memory
from asmgen.mlir.interpret.run import (
    Controlled,
    Meeting,
    Plain,
    Steps,
    Thread,
    chosen,
    constant_of,
    elementwise_of,
    meet,
)
from asmgen.mlir.source import Operation
from asmgen.mlir.types import ArrayType, StructType, Type, VectorType, field_offset, size_of
from isa.diagnostics import InputError

_DYNAMIC = -(1 << 31)
# Functions of AMD's device library that convert-gpu-to-rocdl calls, and their ops.
_LIBRARY = {
    f"__ocml_{function}_{suffix}": "math.powf" if function == "pow" else f"math.{function}"
    for function in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "exp2", "log",
        "log10", "log2", "pow", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
    )
    for suffix in ("f16", "f32", "f64")
}  # fmt: skip


def _accessed(pointer: Bytes, type_: Type, operation: Operation) -> tuple[Array, Type]:
    """The numbers at a pointer as an array that shares its memory, and their type."""
    count, scalar = (type_.elements, type_.element) if isinstance(type_, VectorType) else (1, type_)
    dtype = dtype_of(scalar)
    end = pointer.offset + count * dtype.itemsize
    if not 0 <= pointer.offset <= end <= pointer.memory.size:
        got = f"{operation.name} of bytes {pointer.offset} to {end - 1} of memory of {pointer.memory.size}"
        raise InputError(operation.place, "MLIR090", f"{got}, wanted bytes inside the memory")
    return pointer.memory[pointer.offset : end].view(dtype), scalar


def _load(thread: Thread, operation: Operation) -> Sequence[Number]:
    (pointer,) = thread.operands(operation)
    type_ = operation.result.type
    numbers, scalar = _accessed(pointer, type_, operation)
    elements = [from_memory(number, scalar) for number in numbers]
    return (elements if isinstance(type_, VectorType) else elements[0],)


def _store(thread: Thread, operation: Operation) -> Sequence[Number]:
    value, pointer = thread.operands(operation)
    numbers, _ = _accessed(pointer, operation.operands[0].type, operation)
    parts = cast("list[Number]", value) if isinstance(value, list) else [value]
    numbers[:] = [to_memory(part, numbers.dtype) for part in parts]
    return ()


def _element_pointer(thread: Thread, operation: Operation) -> Sequence[Number]:
    pointer, *given = thread.operands(operation)
    dynamic = iter(
        [
            signed(operand, bits_of(ssa.type))
            for operand, ssa in zip(given, operation.operands[1:], strict=True)
        ]
    )
    type_: Any = operation.attributes["elem_type"]
    offset = pointer.offset
    for position, constant in enumerate(operation.integers("rawConstantIndices")):
        number = next(dynamic) if constant == _DYNAMIC else constant
        if position == 0:
            offset += number * (size_of(type_) or 0)
        elif isinstance(type_, StructType):
            offset += field_offset(type_, number) or 0
            type_ = type_.fields[number]
        else:
            type_ = type_.element
            offset += number * (size_of(type_) or 0)
    return (Bytes(pointer.memory, offset),)


def _alloca(thread: Thread, operation: Operation) -> Sequence[Number]:
    (count,) = thread.operands(operation)
    type_: Any = operation.attributes["elem_type"]
    return (Bytes(np.zeros(count * (size_of(type_) or 0), np.uint8), 0),)


def _address_of(thread: Thread, operation: Operation) -> Sequence[Number]:
    symbol = operation.symbol("global_name")
    name = symbol.path[-1]
    if name not in thread.shared:
        declared = next(
            inner for inner in thread.launch.module.operation.walk()
            if inner.name == "llvm.mlir.global" and inner.text("sym_name") == name
        )  # fmt: skip
        type_: Any = declared.attributes["global_type"]
        thread.shared[name] = Bytes(np.zeros(size_of(type_) or 0, np.uint8), 0)
    return (thread.shared[name],)


def _undefined(thread: Thread, operation: Operation) -> Sequence[Number]:
    return (_nothing(operation.result.type),)


def _nothing(type_: Type) -> Number:
    if isinstance(type_, StructType):
        return [_nothing(field) for field in type_.fields]
    if isinstance(type_, ArrayType):
        return [_nothing(type_.element)] * type_.count
    if isinstance(type_, VectorType):
        return [_nothing(type_.element)] * type_.elements
    try:
        return from_memory(dtype_of(type_).type(0), type_)
    except AssertionError:
        return None  # a pointer


def _insert_value(thread: Thread, operation: Operation) -> Sequence[Number]:
    container, value = thread.operands(operation)
    return (_with(container, operation.integers("position"), value),)


def _with(container: Number, position: Sequence[int], value: Number) -> Number:
    if not position:
        return value
    return [
        _with(field, position[1:], value) if number == position[0] else field
        for number, field in enumerate(container)
    ]


def _extract_value(thread: Thread, operation: Operation) -> Sequence[Number]:
    (field,) = thread.operands(operation)
    for number in operation.integers("position"):
        field = field[number]
    return (field,)


_KINDS = {
    "add": "add", "and": "and", "or": "or", "xor": "xor", "max": "maxsi", "min": "minsi", "umax": "maxui",
    "umin": "minui", "fadd": "add", "fmax": "maxnumf", "fmin": "minnumf", "fmaximum": "maximumf",
    "fminimum": "minimumf",
}  # fmt: skip


def _atomic(thread: Thread, operation: Operation) -> Sequence[Number]:
    pointer, value = thread.operands(operation)
    type_ = operation.result.type
    numbers, _ = _accessed(pointer, type_, operation)
    old = from_memory(numbers[0], type_)
    kind = operation.text("bin_op")
    new = value if kind == "xchg" else exchange.combine(_KINDS[kind], old, value, type_)
    numbers[0] = to_memory(new, numbers.dtype)
    return (old,)


def _call(thread: Thread, operation: Operation) -> Steps:
    symbol = operation.symbol("callee")
    name = symbol.path[-1]
    if name in _LIBRARY:
        return [elementwise_of(_LIBRARY[name], operation, thread.operands(operation))]
    functions = thread.launch.module.operation.walk()
    called = next(function for function in functions if function.attributes.get("sym_name") == name)
    return (yield from thread.region(called.regions[0], thread.operands(operation)))


def _mbcnt(thread: Thread, operation: Operation) -> Sequence[Number]:
    mask, base = thread.operands(operation)
    first = 32 if operation.name == "rocdl.mbcnt.hi" else 0
    below = (1 << max(0, min(32, thread.lane - first))) - 1
    return (base + (mask & below).bit_count(),)


def _permute(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = {each.lane: i for i, each in enumerate(threads)}
        wave = thread.launch.wave
        lanes = [address // 4 % wave for address, _ in values]
        return [(values[places[lane]][1] if lane in places else 0,) for lane in lanes]

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def _first_lane(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        return [values[0]] * len(threads)

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def _read_lane(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = {thread.lane: i for i, thread in enumerate(threads)}
        return [(values[places[lane]][0],) for _, lane in values]

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def _same(thread: Thread, operation: Operation) -> Sequence[Number]:
    return thread.operands(operation)


# LLVM's names of the ops of `arith` and `math`.
_ARITH = {
    "add": "addi", "sub": "subi", "mul": "muli", "sdiv": "divsi", "udiv": "divui", "srem": "remsi",
    "urem": "remui", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli", "ashr": "shrsi",
    "lshr": "shrui", "icmp": "cmpi", "fcmp": "cmpf", "fadd": "addf", "fsub": "subf", "fmul": "mulf",
    "fdiv": "divf", "frem": "remf", "fneg": "negf", "sitofp": "sitofp", "uitofp": "uitofp",
    "fptosi": "fptosi", "fptoui": "fptoui", "fpext": "extf", "fptrunc": "truncf", "sext": "extsi",
    "zext": "extui", "trunc": "trunci", "bitcast": "bitcast", "intr.maximum": "maximumf",
    "intr.minimum": "minimumf", "intr.maxnum": "maxnumf", "intr.minnum": "minnumf", "intr.smax": "maxsi",
    "intr.smin": "minsi", "intr.umax": "maxui", "intr.umin": "minui",
}  # fmt: skip
_MATH = {
    "abs": "absi", "ceil": "ceil", "copysign": "copysign", "cos": "cos", "ctlz": "ctlz", "ctpop": "ctpop",
    "cttz": "cttz", "exp": "exp", "exp2": "exp2", "fabs": "absf", "floor": "floor", "fma": "fma",
    "fmuladd": "fma", "log": "log", "log10": "log10", "log2": "log2", "pow": "powf", "rint": "roundeven",
    "round": "round", "roundeven": "roundeven", "sin": "sin", "sqrt": "sqrt", "tanh": "tanh",
    "trunc": "trunc",
}  # fmt: skip


def _computed(name: str) -> Plain:
    """The rule of another op."""

    def run(thread: Thread, operation: Operation) -> Sequence[Number]:
        given = thread.operands(operation)[: 1 if name in _OF_ONE else None]
        return (elementwise_of(name, operation, given),)

    return run


_OF_ONE = ("math.absi", "math.ctlz", "math.cttz")
PLAIN: dict[str, Plain] = {
    **{f"llvm.{name}": _computed(f"arith.{other}") for name, other in _ARITH.items()},
    **{f"llvm.intr.{name}": _computed(f"math.{other}") for name, other in _MATH.items()},
    "llvm.mlir.constant": lambda thread, operation: (constant_of(operation),),
    "llvm.select": chosen,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.getelementptr": _element_pointer,
    "llvm.alloca": _alloca,
    "llvm.mlir.addressof": _address_of,
    "llvm.mlir.undef": _undefined,
    "llvm.mlir.poison": _undefined,
    "llvm.mlir.zero": _undefined,
    "llvm.insertvalue": _insert_value,
    "llvm.extractvalue": _extract_value,
    "llvm.addrspacecast": _same,
    "llvm.freeze": _same,
    "llvm.atomicrmw": _atomic,
    "llvm.fence": lambda thread, operation: (),
    **{
        f"rocdl.workitem.id.{axis}": lambda thread, operation, i=i: (thread.item[i],)
        for i, axis in enumerate("xyz")
    },
    **{
        f"rocdl.workgroup.id.{axis}": lambda thread, operation, i=i: (thread.group[i],)
        for i, axis in enumerate("xyz")
    },
    "rocdl.mbcnt.lo": _mbcnt,
    "rocdl.mbcnt.hi": _mbcnt,
}
CONTROLLED: dict[str, Controlled] = {
    "llvm.call": _call,
    "rocdl.barrier": meet,
    "rocdl.s.barrier": meet,
    "rocdl.ballot": exchange.ballot,
    "rocdl.ds_bpermute": _permute,
    "rocdl.readfirstlane": _first_lane,
    "rocdl.readlane": _read_lane,
}
