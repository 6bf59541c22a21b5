"""One small program for each op of the graph, with each element type that the op's row takes.

The rows say which. An op with an attribute that has no default is the first case of `tests.op_cases`.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.graph.infer.elementwise import dequantize, quantize
from asmgen.graph.infer.products import results_of
from asmgen.graph.ops import GRAPH_OPS
from asmgen.ir.program import Op
from asmgen.ir.types import ELEMENT_TYPES
from tests.op_cases import CASES, Case

ELEMENTS = tuple(dict.fromkeys(element.name for element in ELEMENT_TYPES.values()))
_ROWS, _COLUMNS = 3, 5
_SHAPE = f"{{{_ROWS},{_COLUMNS}}}"
_PRODUCTS = (GRAPH_OPS["dot"], GRAPH_OPS["dot_general"])  # their results have few types
_SHAPES = {"dot": (_SHAPE, "{5,4}"), "instancenorm": (_SHAPE, "{5}", "{5}"), "nll_loss": (_SHAPE, "{3}"), "scatter_add": (_SHAPE, "{3}", _SHAPE)}
# softmax has no case
_CASES = {"softmax": Case("softmax", ((_ROWS, _COLUMNS),), "[axis=1]")} | {case.op: case for case in reversed(CASES)}


class Cell(NamedTuple):
    """A program of one op on one element type; `other` is the second type of a conversion."""

    op: str
    element: str
    other: str
    text: str

    def __str__(self) -> str:
        return f"{self.op} {self.element}" + (f" {self.other}" if self.other else "")


def cells() -> list[Cell]:
    """Every op with every type of its row; a conversion with every result type that it can have."""
    return [cell for op in GRAPH_OPS.values() if op.maximum != 0 for cell in _cells_of(op)]


def _cells_of(op: Op) -> list[Cell]:
    found: list[Cell] = []
    for element in (name for name in ELEMENTS if name in op.types):
        if op in _PRODUCTS:
            to = [each.name for each in results_of(ELEMENT_TYPES[element])]
            found += [Cell(op.name, element, name, _text(op, [element] * 2, f"target_type={name}")) for name in to]
        elif any(spec.name == "target_type" and spec.default is None for spec in op.attributes):
            bits = ELEMENT_TYPES[element].bits
            to = [name for name in ELEMENTS if (ELEMENT_TYPES[name].bits == bits if op.name == "bit_cast" else _is_result(name, element))]
            rest = "depth=5, " if any(spec.name == "depth" for spec in op.attributes) else ""
            found += [Cell(op.name, element, name, _text(op, [element], f"{rest}target_type={name}")) for name in to]
        elif op.has_body or any(spec.default is None for spec in op.attributes):
            found.append(Cell(op.name, element, "", _CASES[op.name].text(element)))
        else:
            found.append(Cell(op.name, element, "", _text(op, _operands(op, element), "")))
    return found


def _is_result(name: str, element: str) -> bool:
    """Whether a conversion has this type: nothing is rounded to a code."""
    return name == element or not ELEMENT_TYPES[name].is_code


def _operands(op: Op, element: str) -> list[str]:
    """The types of the operands."""
    if op.name == "where":
        return ["bool", element, element]
    if op.name in ("gather", "take_along_axis", "nll_loss"):
        return [element, "i32"]
    if op.name == "scatter_add":
        return [element, "i32", element]
    if op.infer in (quantize, dequantize):
        is_float = ELEMENT_TYPES[element].is_float
        return [element, element if is_float or op.infer is quantize else "f32"]
    return [element] * max(op.minimum, 2 if op.maximum is None else 1)


def _text(op: Op, operands: list[str], attributes: str) -> str:
    """The program: parameters x0, x1, ..., and the op."""
    shapes = _SHAPES.get(op.name, (_SHAPE,) * len(operands))
    lines = [f"x{i} = @param:x{i} -> {e}, {dims}" for i, (e, dims) in enumerate(zip(operands, shapes, strict=True))]
    given = ", ".join(f"x{i}" for i in range(len(operands)))
    return "\n".join([*lines, f"z = {op.name}[{attributes}]({given})" if attributes else f"z = {op.name}({given})", "@return(z)"])
