"""Functions of linalg on buffers, as functions of tensors.

    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>)     func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>)
      linalg.exp ins(%a) outs(%b)                            %b0 = linalg.exp ins(%a) outs(%b)
      linalg.add ins(%a, %b) outs(%b)                        %b1 = linalg.add ins(%a, %b0) outs(%b0)
      return                                                 return %b1

A buffer has a tensor as its contents: that of its argument or allocation, then the result of the last
operation that wrote it. The results of the function are those that it returns, then the contents of each
argument that it writes, in order. Arguments do not overlap. An operation that makes another view of a buffer
stays as it is, and has no rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.source import Block, Operation, Region, Ssa
from asmgen.mlir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemrefType,
    TensorType,
    memory_element,
)
from isa.diagnostics import InputError

_ALLOCATES = frozenset(["memref.alloc", "memref.alloca"])
_READS = {"bufferization.to_tensor": None, "memref.dim": "tensor.dim"}
"""Operations that read the contents of a buffer, with their names for tensors; None for the contents."""


def is_of_buffers(function: Operation) -> bool:
    """Whether a function has operations of linalg on buffers, and none of the GPU dialect."""
    names = [each.name.partition(".")[0] for each in function.walk()]
    has_buffers = any(
        each.name.startswith("linalg.") and any(isinstance(ssa.type, MemrefType) for ssa in each.operands)
        for each in function.walk()
    )
    return has_buffers and not {"gpu", "scf"}.intersection(names)


def of_tensors(function: Operation) -> Operation:
    """The function on the contents of its buffers. `InputError` TNS002 for a buffer that is no tensor."""
    return _Function(function).made()


class _Function:
    def __init__(self, function: Operation) -> None:
        self._function = function
        self._contents: dict[Ssa, Ssa] = {}
        self._written: dict[Ssa, None] = {}

    def made(self) -> Operation:
        given = self._function
        block = given.body
        arguments = tuple([self._argument(each) for each in block.arguments])
        operations = [made for each in block.operations for made in self._operation(each)]
        written = [self._contents[each] for each in block.arguments if each in self._written]
        end = block.terminator
        returned = (*[self._of(each) for each in end.operands], *written)
        operations[-1] = Operation(end.name, returned, end.attributes, end.place)
        body = Region([Block(block.number, arguments, operations)])
        return Operation(given.name, given.operands, given.attributes, given.place, given.results, (body,))

    def _of(self, value: Ssa) -> Ssa:
        return self._contents.get(value, value)

    def _argument(self, argument: Ssa) -> Ssa:
        if isinstance(argument.type, MemrefType):
            self._contents[argument] = Ssa(_tensor(argument), argument.name, argument.place)
        return self._of(argument)

    def _operation(self, given: Operation) -> list[Operation]:
        if given.name == "memref.dealloc":
            return []
        if given.name == "memref.copy":
            self._write(given.operands[1], self._of(given.operands[0]))
            return []
        if given.name in _READS and _READS[given.name] is None:
            self._contents[given.result] = self._of(given.operands[0])
            return []
        operands = tuple([self._of(each) for each in given.operands])
        name = _READS.get(given.name) or given.name
        if given.name in _ALLOCATES:
            name = "tensor.empty"
        made = Operation(
            name, operands, given.attributes, given.place, given.results, given.regions, given.successors
        )
        if given.name in _ALLOCATES:
            self._contents[given.result] = self._result(made, given.result)
            made.results = (self._contents[given.result],)
        elif given.name.startswith("linalg.") and not given.results:
            outs = _outs(given)
            made.results = tuple([self._result(made, each) for each in outs])
            for buffer, result in zip(outs, made.results, strict=True):
                self._write(buffer, result)
        return [made]

    def _result(self, owner: Operation, buffer: Ssa) -> Ssa:
        return Ssa(_tensor(buffer), buffer.name, owner.place, owner)

    def _write(self, buffer: Ssa, contents: Ssa) -> None:
        self._contents[buffer] = contents
        self._written[buffer] = None


def _outs(operation: Operation) -> Sequence[Ssa]:
    """The buffers that an operation of linalg writes."""
    groups = operation.segments()
    return groups[1] if len(groups) > 1 else operation.operands[-1:]


def _tensor(buffer: Ssa) -> TensorType:
    """The type of the contents of a buffer."""
    type_ = buffer.type
    assert isinstance(type_, MemrefType), "a buffer is a memref"
    element = type_.element
    number = memory_element(element) if isinstance(element, IntegerType | IndexType | FloatType) else None
    if isinstance(element, IntegerType) and element.width == 1:
        number = None  # i1 in memory has a byte of its own layout
    steps: list[int | None] = []
    step = 1
    for dim in reversed(type_.dims):
        steps.append(step)
        step = step * dim if dim is not None else step
    is_plain = type_.offset == 0 and (None in type_.dims or list(type_.strides) == steps[::-1])
    if number is None or not is_plain:
        message = f"{type_} is no tensor in row-major order, wanted a memref of numbers without a layout"
        raise InputError(buffer.place, "TNS002", message)
    text = "".join(f"{'?' if dim is None else dim}x" for dim in type_.dims)
    return TensorType(type_.dims, number, f"tensor<{text}{element}>")
