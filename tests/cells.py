"""One small program for each op of the graph, with each element type that the op's row takes.

The rows say which: an op that they have and no program is found for is an error of this file.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.graph.infer import dequantize, quantize
from asmgen.graph.ops import DOT, GRAPH_OPS
from asmgen.ir.program import Op
from asmgen.ir.types import ELEMENT_TYPES

ELEMENTS = tuple(dict.fromkeys(element.name for element in ELEMENT_TYPES.values()))
_ROWS, _COLUMNS = 3, 5
_SHAPE = f"{{{_ROWS},{_COLUMNS}}}"
_ATTRIBUTES = {
    "softmax": "axis=1", "logsoftmax": "axis=1", "argmax": "axis=1", "argmin": "axis=0", "pad": "pads={1,0,0,2}",
    "reverse": "axes={1}", "concat": "axis=1", "slice": "axes={1}, starts={1}, ends={4}", "step": "axes={1}, steps={2}",
    "transpose": "permutation={1,0}", "reshape": f"dims={{{_COLUMNS},{_ROWS}}}", "unsqueeze": "axes={0}",
    "multibroadcast": f"out_lens={{2,{_ROWS},{_COLUMNS}}}", "broadcast": f"axis=0, out_lens={_SHAPE}", "groupnorm": "groups=1",
    "cumsum": "axis=1", "cumprod": "axis=1", "cummax": "axis=1", "cummin": "axis=1", "squeeze": "axes={1}",
}  # fmt: skip
_SHAPES = {"broadcast": (f"{{{_ROWS}}}",), "squeeze": (f"{{{_ROWS},1}}",), "instancenorm": (_SHAPE + "", "{5}", "{5}")}


class Cell(NamedTuple):
    """A program of one op on one element type; `other` is the second type of a conversion."""

    op: str
    element: str
    other: str
    text: str

    def __str__(self) -> str:
        return f"{self.op} {self.element}" + (f" {self.other}" if self.other else "")


def cells() -> list[Cell]:
    """Every op but `dot` with every type of its row; a conversion with every type that it can have as its result."""
    return [cell for op in GRAPH_OPS.values() if op is not DOT and op.maximum != 0 for cell in _cells_of(op)]


def _cells_of(op: Op) -> list[Cell]:
    found: list[Cell] = []
    for element in (name for name in ELEMENTS if name in op.types):
        if any(spec.name == "target_type" for spec in op.attributes):
            bits = ELEMENT_TYPES[element].bits
            to = [name for name in ELEMENTS if op.name != "bit_cast" or ELEMENT_TYPES[name].bits == bits]
            found += [Cell(op.name, element, name, _text(op, [element], f"target_type={name}")) for name in to]
        else:
            found.append(Cell(op.name, element, "", _text(op, _operands(op, element), _ATTRIBUTES.get(op.name, ""))))
    return found


def _operands(op: Op, element: str) -> list[str]:
    """The types of the operands."""
    if op.name == "where":
        return ["bool", element, element]
    if op.name == "gather":
        return [element, "i32"]
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
