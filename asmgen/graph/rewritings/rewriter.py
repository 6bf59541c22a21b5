"""A copy of a module in which some statements become several.

The last statement in the place of a statement has its result, so later statements do not change.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import CONVERT, IOTA, SLICE
from asmgen.graph.rounded import WIDEN
from asmgen.index.size import Size
from asmgen.ir.program import Attribute, Attributes, Module, Op, Statement, Value
from asmgen.ir.types import U32, ElementType, computed, tensor
from isa.diagnostics import InternalError


class Rewriter:
    """Writes the statements of the copy. `origin` is the statement that others replace."""

    def __init__(self, module: Module) -> None:
        self._name = module.name
        self._builder = GraphBuilder(
            [value.name for statement in module.statements for value in statement.results]
        )
        self._defined: dict[Value, Statement] = {}
        self._looked_at = 0

    def module(self) -> Module:
        return Module(self._name, tuple(self._builder.statements))

    def keep(self, statement: Statement) -> None:
        self._builder.statements.append(statement)

    def definition(self, value: Value) -> Statement:
        """The statement of the copy that defines a value."""
        for statement in self._builder.statements[self._looked_at :]:
            self._defined.update(dict.fromkeys(statement.results, statement))
        self._looked_at = len(self._builder.statements)
        return self._defined[value]

    def apply(
        self,
        op: Op,
        operands: tuple[Value, ...],
        origin: Statement,
        name: str = "",
        **attributes: Attribute,
    ) -> Value:
        """A statement before the last in place of `origin`; its result is named after both: by `name`, or by
        the op."""
        stem = self._builder.fresh(f"{origin.result.name}_{name or op.name}")
        return self._builder.apply(op, operands, _whole(op, attributes), stem, origin.place)

    def finish(self, op: Op, operands: tuple[Value, ...], origin: Statement, **attributes: Attribute) -> None:
        """The last statement in the place of `origin`."""
        whole = _whole(op, attributes)
        operands, (type_,) = self._builder.infer(op, operands, whole, origin.place)
        if type_ != origin.result.type:
            raise InternalError(
                "gridwise", origin.result.name, f"{op.name} gives {type_}, and it is {origin.result.type}"
            )
        self._builder.statements.append(Statement(op, operands, origin.results, whole, (), origin.place))

    def widened(self, operand: Value, origin: Statement) -> Value:
        """An operand in the type in which it is computed."""
        element = operand.type.element
        wide = computed(element)
        if wide is element:
            return operand
        if element.is_float:
            return self.apply(WIDEN, (operand,), origin)
        return self.apply(CONVERT, (operand,), origin, target_type=wide.name)

    def literal(self, number: float, element: ElementType, origin: Statement) -> Value:
        """A number as a tensor of rank 0, which broadcasts."""
        name = self._builder.fresh(f"{origin.result.name}_number")
        return self._builder.literal(name, (number,), tensor(element, ()), origin.place)

    def size(self, size: Size, origin: Statement) -> Value:
        """A size that only the launch knows, as an u32 of dims {1}: the last of the indices from 0 to it. The
        indices are never stored, so a kernel computes the size from its arguments."""
        after = size + 1
        indices = self.apply(IOTA, (), origin, "indices", axis=0, out_lens=(after,))
        last = self.apply(SLICE, (indices,), origin, "last", axes=(0,), starts=(size,), ends=(after,))
        return self.apply(CONVERT, (last,), origin, "size", target_type=U32.name)

    def literals(
        self, numbers: Sequence[float], dims: tuple[int, ...], element: ElementType, origin: Statement
    ) -> Value:
        """Numbers as a tensor of these dims."""
        name = self._builder.fresh(f"{origin.result.name}_numbers")
        return self._builder.literal(name, tuple(numbers), tensor(element, dims), origin.place)


def _whole(op: Op, given: Attributes) -> Attributes:
    """The attributes with the defaults of those that are not given."""
    values = {spec.name: given.get(spec.name, spec.default) for spec in op.attributes}
    return {name: value for name, value in values.items() if value is not None}
