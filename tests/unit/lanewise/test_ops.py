"""The stages' ops: docs/architecture.md lists every row, with its stages, attributes, defaults and operands."""

from __future__ import annotations

import re
from pathlib import Path

from asmgen.index import Index
from asmgen.ir.program import Attribute, Op
from asmgen.lanewise import ops
from asmgen.lanewise.ops import STAGE_OPS
from asmgen.lanewise.result_types import MAX_PACKED

ROOT = Path(__file__).parents[3]
STAGES = {
    "lanewise on": ops.LANEWISE_ON,
    "final": ops.FINAL_ONLY,
}
FORM = re.compile(r"`([a-z_0-9]+)(?:\[([^\]]*)\])?\(([^)]*)\)`")


def documented() -> list[tuple[str, str, str, str]]:
    """Name, attributes, operands and stages of every form in the waist's table."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## The waist")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [(*form, cells[-1]) for cells in rows for form in FORM.findall(cells[0])]


def shown(value: Attribute) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Index):
        return value.text
    return "{}" if value == () else str(value)


def attributes_of(op: Op) -> str:
    return ", ".join(spec.name if spec.default is None else f"{spec.name}={shown(spec.default)}" for spec in op.attributes)


def operands_taken(text: str) -> tuple[int, int | None]:
    """How many operands a form shows: `name?` may be left out, `name...` stands for any number."""
    names = text.split(", ") if text else []
    any_number = any(name.endswith("...") for name in names)
    maximum = sum(not name.endswith("...") for name in names)
    return maximum - sum(name.endswith("?") for name in names), None if any_number else maximum


def test_the_table_has_every_op_once() -> None:
    assert sorted(name for name, *_ in documented()) == sorted(STAGE_OPS)


def test_the_table_agrees_with_the_rows() -> None:
    for name, attributes, operands, stages in documented():
        op = STAGE_OPS[name]
        assert attributes == attributes_of(op), name
        assert STAGES[stages] == op.stages, name
        minimum, maximum = operands_taken(operands)
        assert minimum == op.minimum, name
        assert maximum == (None if op.maximum == MAX_PACKED else op.maximum), name  # `pack` takes any number of elements of a vector
