"""Statements of every op with one mistake each, made from the rows of the ops.

A statement that is right is written from the row, then one of its attributes, its operands or their type is
wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from asmgen.graph.ops import EVERY_TYPE
from asmgen.ir.program import AttributeKind, AttributeSpec, Op

Given = Sequence[tuple[str, str]]

RIGHT = {
    "axis": "1", "axes": "{1}", "pads": "{0,1,0,1}", "starts": "{0}", "ends": "{2}", "steps": "{2}", "permutation": "{1,0}",
    "dims": "{6,4}", "out_lens": "{4,6}", "target_type": "f32", "groups": "2", "alpha": "1", "epsilon": "1e-5", "value": "0",
    "mode": "constant", "select_last_index": "true", "exclusive": "true", "reverse": "true",
    "sizes": "{2}", "shifts": "{-3}", "strides": "{2}", "dilations": "{1}", "combine": "max", "count_pads": "true", "part": "0", "passed_on": "false",
    "k": "2", "largest": "true", "descending": "true",
    "depth": "3", "reduction": "mean", "ignore_index": "2", "size": "9", "by": "1", "plus": "0", "over": "1", "out_sizes": "{9}",
    "scales": "{}", "align_corners": "false", "bins": "5", "deterministic": "true",
    "lhs_batch": "{0}", "rhs_batch": "{0}", "lhs_contract": "{2}", "rhs_contract": "{1}",
    "blocks": "{3}", "bits": "4", "result": "0",
}  # fmt: skip
_POOLS = ("reduce_window", "max_pool", "avg_pool")
OTHERS = {("squeeze", "axes"): "{0}", ("concat", "axis"): "0", ("interpolate", "mode"): "linear"} | {(name, "pads"): "{0,1}" for name in _POOLS}
DIMS = {"broadcast": "{6}", "squeeze": "{1,6}"}
OPERANDS: dict[str, tuple[str, ...]] = {
    "layernorm": ("f32, {4,6}", "f32, {6}", "f32, {6}"),
    "rmsnorm": ("f32, {4,6}", "f32, {6}"),
    "instancenorm": ("f32, {2,4,3}", "f32, {4}", "f32, {4}"),
    "groupnorm": ("f32, {2,4,3}", "f32, {4}", "f32, {4}"),
    "dot": ("f32, {4,6}", "f32, {6,4}"),
    "dot_general": ("f32, {2,4,6}", "f32, {2,6,5}"),
    "gather": ("f32, {4,6}", "i32, {3}"),
    "take_along_axis": ("f32, {4,6}", "i32, {4,3}"),
    "scatter_add": ("f32, {4,6}", "i32, {3}", "f32, {4,3}"),
    "histogram": ("i32, {4,6}", "f32, {4,6}"),
    "nll_loss": ("f32, {4,6}", "i32, {4}", "f32, {6}"),
    "where": ("bool, {4,6}", "f32, {4,6}", "f32, {4,6}"),
    "quantizelinear": ("f32, {4,6}", "f32, {4,6}", "i8, {4,6}"),
    "dequantize": ("i8, {4,6}", "f32, {4,2}", "i8, {4,2}"),
    "dequantizelinear": ("i8, {4,6}", "f32, {4,6}", "i8, {4,6}"),
}
BODY = " (x) {\n  more = less(x, x)\n  @return(more, x)\n}"  # of a loop
HUGE = "99999999999999999999"
WRONG = {
    AttributeKind.INTEGER: ("1.5", "zzz", "{}", "{0,1}", HUGE, "nan", "true"),
    AttributeKind.FLOAT: ("zzz", "{1,2}", "true", "1e999"),
    AttributeKind.LIST: ("zzz", "{0.5}", "{nan}", "{true}", "1.5"),
    AttributeKind.BOOL: ("3", "zzz", "{1}", "1.5"),
    AttributeKind.WORD: ("zzz", "3", "{1}"),
    AttributeKind.TYPE: ("f99", "3", "{f32}", "1.5"),
}
MANY = "{0,0,0,0,0,0,1}"
OF_ONE = {
    "axis": ("99", "-99"), "groups": ("99", "-99"), "part": ("-1",),
    "k": ("0", "-1", "99"), "bins": ("0", "-1", "99999999"),
    "axes": ("{99}", "{-99}", f"{{{HUGE}}}", MANY), "pads": ("{99}", "{-1,0,0,0}", MANY), "permutation": ("{0,0}", "{2,0}", MANY),
    "dims": ("{5,5}", "{-1,-1}", MANY), "starts": (MANY,), "ends": (MANY,), "steps": (MANY, "{0}"), "shifts": (MANY,),
    "sizes": (MANY, "{0}", "{-1}", "{99}", "{}"), "strides": (MANY, "{0}"), "dilations": (MANY, "{0}", "{99}"),
    "blocks": (MANY, "{0}", "{-3}", "{4}", "{2,3}", "{1,1,3}", "{}"), "bits": ("0", "-4", "3", "16", "64"),
    "result": ("-1", "9"), "depth": ("-1",), "size": (MANY, "{-1}"), "by": ("-1",), "over": ("0",), "out_sizes": (MANY, "{0}", "{}"),
    "scales": (MANY, "{0}", "{2}"), "align_corners": (), "ignore_index": ("3000000000",),
}  # fmt: skip


class Mistake(NamedTuple):
    """A program with a mistake in its line `line`, and the mistake."""

    what: str
    text: str
    line: int


def right_one(op: Op) -> str:
    """A program of one statement that is right."""
    return _program(op, _attributes(op)).text


def mistakes(op: Op) -> Iterator[Mistake]:
    """Programs of one statement, each with one mistake."""
    given = _attributes(op)
    for number, spec in enumerate(op.attributes):
        before, after = given[:number], given[number + 1 :]
        for value in (*WRONG[spec.kind], *OF_ONE.get(spec.name, ())):
            yield _program(op, [*before, (spec.name, value), *after], f"{spec.name}={value}")
        yield _program(op, [*given, given[number]], f"{spec.name} twice")
        if spec.default is None:
            yield _program(op, [*before, *after], f"no {spec.name}")
    yield _program(op, [*given, ("zzz", "1")], "an attribute that it does not have")
    if op.minimum:
        yield _program(op, given, "an operand too few", op.minimum - 1)
    if op.maximum is not None:
        yield _program(op, given, "an operand too many", op.maximum + 1)
    for type_ in sorted(EVERY_TYPE - op.types) if op.types else ():
        yield _program(op, given, f"operands of {type_}", element=type_)


def _attributes(op: Op) -> list[tuple[str, str]]:
    return [(spec.name, _right(op, spec)) for spec in op.attributes]


def _right(op: Op, spec: AttributeSpec) -> str:
    return OTHERS.get((op.name, spec.name)) or RIGHT[spec.name]


def _operand(op: Op, number: int, element: str) -> str:
    known = OPERANDS.get(op.name, ())
    if not element and number < len(known):
        return known[number]
    usual = "f32" if not op.types or "f32" in op.types else min(op.types)
    dims = known[number].partition(", ")[2] if number < len(known) else DIMS.get(op.name, "{4,6}")
    return f"{element or usual}, {dims}"


def _program(op: Op, given: Given, what: str = "", count: int | None = None, element: str = "") -> Mistake:
    count = op.minimum if count is None else count
    lines = [f"p{number} = @param:p{number} -> {_operand(op, number, element)}" for number in range(count)]
    attributes = ", ".join(f"{name}={value}" for name, value in given)
    operands = ", ".join(f"p{number}" for number in range(count))
    body = BODY if op.has_body else ""
    lines += [f"r = {op.name}{f'[{attributes}]' if attributes else ''}({operands}){body}", "@return(r)", ""]
    return Mistake(f"{op.name}: {what}", "\n".join(lines), count + 1)
