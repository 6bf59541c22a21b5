"""Neighbours of a constant of the choosers or of the scheduler, half of it and double, judged on the
scoreboard's programs and on smaller shapes: clocks by the clock model, and the scoreboard's own figures."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from tools.bench_peers import CASES
from tools.judge_choices.changed import Changed
from tools.judge_choices.measured import Measured
from tools.scoreboard.cases import Case

SCHEDULES = "asmgen/blockwise/schedules"
CHOOSING = f"{SCHEDULES}/choosing"
PAGES = f"{SCHEDULES}/pages"
ORDERS = "asmgen/passes/schedule"
CONSTANTS = (
    f"{SCHEDULES}/work.py:GROUPS_OF_UNIT", f"{SCHEDULES}/work.py:BYTES_OF_GROUP",
    f"{SCHEDULES}/work.py:BYTES_OF_COLUMNS", f"{SCHEDULES}/work.py:BYTES_OF_PARTS",
    f"{CHOOSING}/choose.py:OF_WAVE", f"{CHOOSING}/choose.py:OF_CHOICE",
    f"{CHOOSING}/choose.py:MOST_OF_COLUMNS", f"{CHOOSING}/choose.py:MOST_ACCESSES",
    f"{CHOOSING}/light.py:MOST_ACCESSES", f"{CHOOSING}/light.py:LEAST_WAVES",
    f"{CHOOSING}/room.py:MOST_HELD", f"{CHOOSING}/room.py:STREAMED", f"{CHOOSING}/room.py:UNROLLED",
    f"{CHOOSING}/row.py:MOST_OF_WAVE", f"{CHOOSING}/row.py:LONGEST_OF_WAVE",
    f"{CHOOSING}/row.py:MOST_OF_GROUP", f"{CHOOSING}/row.py:FEW_OF_LANE",
    f"{CHOOSING}/row.py:PASSED_ON", f"{CHOOSING}/parts.py:MOST_OF_WAVES",
    f"{CHOOSING}/column.py:ROWS_OF_LANE", f"{PAGES}/scan.py:MOST_HELD",
    f"{ORDERS}/scheduler.py:FEWEST", f"{ORDERS}/scheduler.py:LEAST_GAIN",
    f"{ORDERS}/scheduler.py:SPARE_VECTORS", f"{ORDERS}/scheduler.py:SPARE_PART",
    f"{ORDERS}/scheduler.py:MOST_SCALARS", f"{ORDERS}/lists.py:TRIES",
    f"{ORDERS}/views.py:SERVED_TOGETHER", f"{ORDERS}/views.py:READ_TOGETHER",
    f"{ORDERS}/gaps.py:REACH", f"{ORDERS}/gaps.py:MOST_VISITED", f"{ORDERS}/sparing.py:TRIES",
)  # fmt: skip
_ROW_OPS = (
    "reduce_sum[axes=1]", "reduce_sum[axes=0]", "argmax[axis=1]", "softmax[axis=1]", "softmax[axis=0]",
    "cumsum[axis=1]",
)  # fmt: skip
_SHAPES = ((64, 256), (4096, 64), (256, 2048), (512, 8192), (32, 32768))


Constant = int | tuple[tuple[int, int], ...]


class NoConstantError(Exception):
    """A module gives a name no value."""


class Verdict(NamedTuple):
    """A constant's neighbour on a target. `changed`: programs with other code, of `programs`. Ratios are of
    the neighbour to the constant: the geometric mean of clocks over the changed programs, the best and the
    worst of these, and the worst of instructions, cycles and VGPRs."""

    constant: str
    value: str
    target: str
    programs: int
    changed: int = 0
    mean: float = 1.0
    best: str = ""
    worst: str = ""
    figures: str = ""


def small_cases() -> list[Case]:
    """Rows and columns of sizes that the scoreboard has not."""
    return [
        Case(f"{op} {rows}x{columns}", _text(op, rows, columns), rows * columns, (), fast_math=True)
        for op in _ROW_OPS
        for rows, columns in _SHAPES
    ]


def _text(op: str, rows: int, columns: int) -> str:
    return f"x = @param:x -> f32, {{{rows},{columns}}}\no = {op}(x)\n@return(o)\n"


def verdicts(changed: Changed, constants: Sequence[str], targets: Sequence[str]) -> Iterator[Verdict]:
    """The verdicts on each neighbour."""
    cases = [*(case for case in CASES if not case.large), *small_cases()]
    for target in targets:
        usual = changed.measure({}, target, cases)
        known = [measured.code for measured in usual]
        for constant in constants:
            path, name = constant.split(":")
            for value, text in neighbours(changed.text(path), name):
                verdict = Verdict(constant, value, target, len(cases))
                try:
                    other = changed.measure({path: text}, target, cases, known)
                except RuntimeError as error:
                    yield verdict._replace(worst=f"fails: {error}")
                    continue
                yield judged(verdict, [case.title for case in cases], usual, other)


def judged(
    verdict: Verdict, titles: Sequence[str], usual: Sequence[Measured], other: Sequence[Measured]
) -> Verdict:
    """The verdict with the ratios of measurements."""
    pairs = [
        (title, one, two)
        for title, one, two in zip(titles, usual, other, strict=True)
        if one.code != two.code and two.figures is not None
    ]
    if not pairs:
        return verdict
    clocks = sorted([(two.clocks / one.clocks, title) for title, one, two in pairs])
    mean = exp(sum(log(ratio) for ratio, _ in clocks) / len(clocks))
    figures = sorted(
        [(ratio, name, title) for title, one, two in pairs for name, ratio in _figures(one, two)]
    )
    ratio, name, title = figures[-1]
    return verdict._replace(
        changed=len(pairs),
        mean=mean,
        best=f"{clocks[0][0]:.3f} {clocks[0][1]}",
        worst=f"{clocks[-1][0]:.3f} {clocks[-1][1]}",
        figures=f"{ratio:.3f} {name} {title}",
    )


def _figures(one: Measured, two: Measured) -> Iterator[tuple[str, float]]:
    assert one.figures is not None, "the usual values are all measured"
    assert two.figures is not None, "a changed program is measured"
    yield "instructions", two.figures.instructions / one.figures.instructions
    yield "VGPRs", two.figures.vgprs / one.figures.vgprs
    if one.figures.cycles and two.figures.cycles:
        yield "cycles", two.figures.cycles / one.figures.cycles


def neighbours(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Half and double of a constant of a file, each with the text of the file. In a table of pairs, the
    second numbers of the pairs change."""
    node = _value(ast.parse(text), name)
    value: Constant = ast.literal_eval(node)
    for factor in (0.5, 2):
        shown = _scaled(value, factor)
        if shown != value:
            yield str(shown), _replaced(text, node, str(shown))


def _scaled(value: Constant, factor: float) -> Constant:
    if isinstance(value, int):
        return max(1, int(value * factor))
    return tuple([(first, max(1, int(second * factor))) for first, second in value])


def _value(tree: ast.Module, name: str) -> ast.expr:
    """The value that a module gives a name."""
    for statement in tree.body:
        if not isinstance(statement, ast.Assign):
            continue
        (assigned,) = statement.targets
        if isinstance(assigned, ast.Name) and assigned.id == name:
            return statement.value
        if isinstance(assigned, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            for each, value in zip(assigned.elts, statement.value.elts, strict=True):
                if isinstance(each, ast.Name) and each.id == name:
                    return value
    raise NoConstantError(name)


def _replaced(text: str, node: ast.expr, value: str) -> str:
    lines = text.splitlines(keepends=True)
    assert node.end_lineno is not None and node.end_col_offset is not None, "the parser sets the ends"
    before = "".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    after = lines[node.end_lineno - 1][node.end_col_offset :] + "".join(lines[node.end_lineno :])
    return before + value + after
