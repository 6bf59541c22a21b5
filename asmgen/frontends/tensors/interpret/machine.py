"""Runs blocks: operations in order, calls, and control flow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from asmgen.frontends.tensors.interpret import combining, elementwise, indexed, loops, moving, tm_tensor
from asmgen.frontends.tensors.interpret.call import Call, Semantics, Unknown
from asmgen.frontends.tensors.interpret.values import Array, Value
from asmgen.mlir.source import Block, Operation, Region, Ssa, Symbol
from asmgen.mlir.tensor_functions import body_of

_MOST_TRIPS = 10_000
TABLE: dict[str, Semantics] = {
    **elementwise.SEMANTICS, **moving.SEMANTICS, **combining.SEMANTICS,
    **indexed.SEMANTICS, **loops.SEMANTICS, **tm_tensor.SEMANTICS,
}  # fmt: skip


class Machine:
    """Runs the functions of a file."""

    def __init__(self, functions: Mapping[str, Operation]) -> None:
        self._functions = functions
        self._values: dict[Ssa, Value] = {}

    def block(self, block: Block, given: Sequence[Value]) -> tuple[Value, ...]:
        """Run a block with values for its arguments; the operands of its end."""
        self._values.update(zip(block.arguments, given, strict=True))
        for operation in block.operations[:-1]:
            operands = tuple([self._values[each] for each in operation.operands])
            results = self._results(operation, operands)
            self._values.update(zip(operation.results, results, strict=True))
        return tuple([self._values[each] for each in block.terminator.operands])

    def _results(self, operation: Operation, operands: tuple[Value, ...]) -> Sequence[Value]:
        control = CONTROL.get(operation.name)
        if control is not None:
            return control(self, operation, operands)
        semantics = TABLE.get(operation.name)
        if semantics is None and operation.dialect == "linalg":
            semantics = TABLE["linalg.*"]
        if semantics is None:
            raise Unknown(operation)
        return semantics(Call(operation, operands, self.block))

    def called(self, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        attribute = "callee" if "callee" in operation.attributes else "decomposition"
        return self.block(self.function(operation.symbol(attribute).path[-1]), operands)

    def function(self, name: str) -> Block:
        body = body_of(self._functions[name])
        assert body is not None, "the front end has found the body"
        return body


def _array(value: Value) -> Array:
    assert not isinstance(value, tuple), "the operand is a tensor"
    return value


def _call(machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return machine.called(operation, operands)


def _if(machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    region = operation.regions[0 if _array(operands[0]).item() else 1]
    return machine.block(region.blocks[0], ())


def _case(machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    index, count = int(_array(operands[0]).item()), len(operation.regions)
    return machine.block(operation.regions[index if 0 <= index < count else count - 1].blocks[0], ())


def _while(machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    condition, body = [region.blocks[0] for region in operation.regions]
    for _ in range(_MOST_TRIPS):
        (goes_on,) = machine.block(condition, operands)
        if not _array(goes_on).item():
            return operands
        operands = machine.block(body, operands)
    raise Unknown(operation)


def _with_body(machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    """An op with a function of the file as its body."""
    called = operation.attributes["called_computations"]
    name = called[0] if isinstance(called, tuple) else None
    assert isinstance(name, Symbol), "the front end has read the attribute"
    region = Region([machine.function(name.path[-1])])
    with_region = replace(operation, regions=(region,))
    return TABLE[operation.name](Call(with_region, tuple(operands), machine.block))


def _tuple(_machine: Machine, _operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [tuple(operands)]


def _element(_machine: Machine, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    items = operands[0]
    assert isinstance(items, tuple), "the operand is a tuple"
    return [items[operation.integer("index")]]


CONTROL: Mapping[str, Callable[[Machine, Operation, Sequence[Value]], Sequence[Value]]] = {
    "func.call": _call, "stablehlo.composite": _call, "stablehlo.if": _if, "stablehlo.case": _case,
    "stablehlo.while": _while, "stablehlo.tuple": _tuple, "stablehlo.get_tuple_element": _element,
    "scf.if": _if, "stablehlo.dynamic_reduce_window": _with_body,
}  # fmt: skip
