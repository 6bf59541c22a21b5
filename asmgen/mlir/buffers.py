"""Functions of linalg on buffers, as functions of tensors.

    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>)     func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>)
      linalg.exp ins(%a) outs(%b)                            %b0 = linalg.exp ins(%a) outs(%b)
      %v = memref.subview %b[0] [2] [1]                      %v0 = tensor.extract_slice %b0[0] [2] [1]
      linalg.abs ins(%v) outs(%v)                            %v1 = linalg.abs ins(%v0) outs(%v0)
      return                                                 %b1 = tensor.insert_slice %v1 into %b0[0] [2] [1]
                                                             return %b1

A buffer has a tensor as its contents: that of its argument or allocation, then the result of the last
operation that wrote it. A view is read out of the contents of its buffer and written into them. The results
of the function are those that it returns, then the contents of each argument that it writes, in order.
Arguments do not overlap. An operation on buffers that is not in these tables stays as it is, and has no rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from asmgen.mlir.source import Attribute, Block, Dense, Operation, Region, Ssa
from asmgen.mlir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemrefType,
    TensorType,
    memory_element,
)
from isa.diagnostics import InputError

_LINALG = "linalg"
_ALLOCATES = frozenset(["memref.alloc", "memref.alloca"])
_MOVES = frozenset(["memref.copy", "func.return"])
_READS: Final = {"memref.dim": "tensor.dim", "memref.load": "tensor.extract"}
_VIEWS: Final = {
    "memref.cast": ("tensor.cast", "tensor.cast"),
    "memref.collapse_shape": ("tensor.collapse_shape", "tensor.expand_shape"),
    "memref.expand_shape": ("tensor.expand_shape", "tensor.collapse_shape"),
    "memref.subview": ("tensor.extract_slice", "tensor.insert_slice"),
}
"""The operations that read a view out of a buffer's contents and write it into them."""


def is_of_buffers(function: Operation) -> bool:
    """Whether a function copies or returns buffers, or has operations of linalg on them, and none of the GPU
    dialect."""
    operations = list(function.walk())
    has_buffers = any(
        each.name in _MOVES or each.dialect == _LINALG
        for each in operations
        if any(isinstance(operand.type, MemrefType) for operand in each.operands)
    )
    return has_buffers and not {"gpu", "scf"}.intersection(each.dialect for each in operations)


def of_tensors(function: Operation, constants: Mapping[str, Dense]) -> Operation:
    """The function on the contents of its buffers; `constants` are the elements of the constant globals.

    `InputError` TNS002 for a buffer that is not a tensor, TNS004 for a body that reads a buffer which its own
    operation writes, or for a write through a reshaped view of a dynamic size.
    """
    return _Function(function, constants).made()


class _Function:
    def __init__(self, function: Operation, constants: Mapping[str, Dense]) -> None:
        self._function, self._constants = function, constants
        self._contents: dict[Ssa, Ssa] = {}
        self._views: dict[Ssa, Operation] = {}
        self._written: dict[Ssa, None] = {}
        self._operations: list[Operation] = []

    def made(self) -> Operation:
        given = self._function
        block = given.body
        arguments = tuple([self._argument(each) for each in block.arguments])
        for each in block.operations[:-1]:
            self._operation(each)
        end = block.terminator
        returned = [self._of(each) for each in end.operands]
        written = [self._contents[each] for each in block.arguments if each in self._written]
        self._operations.append(Operation(end.name, (*returned, *written), end.attributes, end.place))
        body = Region([Block(block.number, arguments, self._operations)])
        return Operation(given.name, given.operands, given.attributes, given.place, given.results, (body,))

    def _of(self, value: Ssa) -> Ssa:
        """The contents of a buffer or of a view, as they are now; another value is itself."""
        view = self._views.get(value)
        if view is None:
            return self._contents.get(value, value)
        operands = tuple([self._of(each) for each in view.operands])
        return self._add(_VIEWS[view.name][0], operands, view.attributes, value)

    def _argument(self, argument: Ssa) -> Ssa:
        if isinstance(argument.type, MemrefType):
            _check_layout(argument)
            self._contents[argument] = Ssa(_tensor(argument), argument.name, argument.place)
        return self._of(argument)

    def _operation(self, given: Operation) -> None:
        if given.name == "memref.dealloc":
            return
        if given.name in _VIEWS:
            self._views[given.result] = given
        elif given.name == "memref.copy":
            self._write(given.operands[1], self._of(given.operands[0]))
        elif given.name == "bufferization.to_tensor":
            self._contents[given.result] = self._of(given.operands[0])
        elif given.name in _ALLOCATES:
            self._contents[given.result] = self._add("tensor.empty", given.operands, {}, given.result)
        elif given.name == "memref.get_global" and given.symbol("name").path[-1] in self._constants:
            constant = self._constants[given.symbol("name").path[-1]]
            self._contents[given.result] = self._add("arith.constant", (), {"value": constant}, given.result)
        elif given.name == "memref.store":
            operands = tuple([self._of(each) for each in given.operands])
            self._write(given.operands[1], self._add("tensor.insert", operands, {}, given.operands[1]))
        else:
            self._computed(given)

    def _computed(self, given: Operation) -> None:
        """An operation of another dialect, on the contents; it writes the buffers that are its results."""
        name = _READS.get(given.name, given.name)
        operands = tuple([self._of(each) for each in given.operands])
        outs = _outs(given) if given.dialect == _LINALG and not given.results else ()
        regions = tuple([self._region(each, outs) for each in given.regions])
        made = Operation(
            name, operands, given.attributes, given.place, given.results, regions, given.successors
        )
        self._operations.append(made)
        if outs:
            made.results = tuple([Ssa(_tensor(each), each.name, given.place, made) for each in outs])
            for buffer, result in zip(outs, made.results, strict=True):
                self._write(buffer, result)

    def _region(self, region: Region, outs: Sequence[Ssa]) -> Region:
        """A body in which loads from buffers are elements of tensors."""
        return Region([self._block(each, outs) for each in region.blocks])

    def _block(self, block: Block, outs: Sequence[Ssa]) -> Block:
        return Block(block.number, block.arguments, [self._in_body(each, outs) for each in block.operations])

    def _in_body(self, given: Operation, outs: Sequence[Ssa]) -> Operation:
        if given.name != "memref.load":
            return given
        buffer, *indices = given.operands
        if self._buffer(buffer) in [self._buffer(each) for each in outs]:
            message = f"the body reads %{buffer.name}, which its operation writes, wanted another buffer"
            raise InputError(given.place, "TNS004", message)
        operands = (self._of(buffer), *indices)
        read = Operation(_READS[given.name], operands, given.attributes, given.place, given.results)
        (result,) = given.results
        result.owner = read
        return read

    def _buffer(self, value: Ssa) -> Ssa:
        """The buffer that a view is of."""
        while value in self._views:
            value = self._views[value].operands[0]
        return value

    def _write(self, buffer: Ssa, contents: Ssa) -> None:
        view = self._views.get(buffer)
        if view is None:
            self._contents[buffer] = contents
            self._written[buffer] = None
            return
        of, *places = view.operands
        name, attributes = _VIEWS[view.name][1], view.attributes
        operands = [contents]
        if name == "tensor.insert_slice":
            operands += [self._of(of), *places]
        if name == "tensor.expand_shape":
            if None in of.memref.dims:
                message = f"%{buffer.name} has a dynamic size, wanted a number to write through {view.name}"
                raise InputError(view.place, "TNS004", message)
            attributes = {**attributes, "static_output_shape": tuple(dim or 0 for dim in of.memref.dims)}
        self._write(of, self._add(name, tuple(operands), attributes, of))

    def _add(self, name: str, operands: Sequence[Ssa], attributes: dict[str, Attribute], buffer: Ssa) -> Ssa:
        """Append an operation with a result of a buffer's type."""
        made = Operation(name, tuple(operands), attributes, buffer.place)
        result = Ssa(_tensor(buffer), buffer.name, buffer.place, made)
        made.results = (result,)
        self._operations.append(made)
        return result


def _outs(operation: Operation) -> Sequence[Ssa]:
    """The buffers that an operation of linalg writes."""
    groups = operation.segments()
    return groups[1] if len(groups) > 1 else operation.operands[-1:]


def _check_layout(argument: Ssa) -> None:
    """Refuse an argument with strides, and of i1, which has a byte of its own layout in memory."""
    type_ = argument.memref
    steps: list[int | None] = []
    step = 1
    for dim in reversed(type_.dims):
        steps.append(step)
        step = step * dim if dim is not None else step
    is_plain = type_.offset == 0 and (None in type_.dims or list(type_.strides) == steps[::-1])
    is_bit = isinstance(type_.element, IntegerType) and type_.element.width == 1
    if is_bit or not is_plain:
        raise _no_tensor(argument)


def _no_tensor(buffer: Ssa) -> InputError:
    wanted = "wanted a memref of numbers without a layout"
    message = f"{buffer.memref} is not a tensor in row-major order, {wanted}"
    return InputError(buffer.place, "TNS002", message)


def _tensor(buffer: Ssa) -> TensorType:
    """The type of the contents of a buffer."""
    type_ = buffer.memref
    element = type_.element
    number = memory_element(element) if isinstance(element, IntegerType | IndexType | FloatType) else None
    if number is None:
        raise _no_tensor(buffer)
    text = "".join(f"{'?' if dim is None else dim}x" for dim in type_.dims)
    return TensorType(type_.dims, number, f"tensor<{text}{element}>")
