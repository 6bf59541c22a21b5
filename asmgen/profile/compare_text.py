"""A comparison of two builds as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from asmgen.profile.compare import TIME, Aligned, Comparison, Figure, worst
from asmgen.profile.document import VERSION
from asmgen.report.text import Style, shorten

SHOWN = 10
_NAME = 24


def render(comparisons: Sequence[Comparison], style: Style) -> str:
    """The launches of two builds, and the time of all; ends with a line break."""
    parts = ["\n".join(_lines(each, style)) for each in comparisons]
    count = sum(each.times for each in comparisons)
    if count > 1:
        parts.append("\n".join(_table(f"{count} launches", [_total(comparisons)])))
    return "\n\n".join(parts) + "\n"


def _total(comparisons: Sequence[Comparison]) -> Figure:
    """The time of all launches."""
    pairs = [(each.times, figure) for each in comparisons for figure in each.figures if figure.name == TIME]
    before = sum(times * figure.before for times, figure in pairs)
    after = sum(times * figure.after for times, figure in pairs)
    return Figure(TIME, before, after)


def to_json(comparisons: Sequence[Comparison]) -> str:
    """The fields of `Comparison`; ends with a line break."""
    document = {"version": VERSION, "launches": [to_builtins(each) for each in comparisons]}
    return json.dumps(document, indent=1) + "\n"


def _lines(each: Comparison, style: Style) -> Iterator[str]:
    repeated = f"; {each.times} times" if each.times > 1 else ""
    yield f"{each.before} for {each.target_before} -> {each.after} for {each.target_after}{repeated}"
    yield from _table("", each.figures)
    yield ""
    yield from _table("clocks of a wave by cause", each.causes)
    changed = [figure for figure in each.sources if figure.before != figure.after][:SHOWN]
    if changed:
        yield ""
        yield from _table("by source line", changed)
    instructions = worst(each.lines, SHOWN)
    if instructions:
        yield ""
        yield "  line before  after  clocks before    after  instruction"
        yield from (shorten(_instruction(line), style.width) for line in instructions)


def _table(title: str, figures: Sequence[Figure]) -> Iterator[str]:
    yield f"  {title:<{_NAME}} {'before':>12} {'after':>12}  change"
    for figure in figures:
        if not figure.before and not figure.after:
            continue
        name = shorten(figure.name, _NAME)
        change = f"{figure.change:+.1%}" if figure.before != figure.after else "same"
        yield f"  {name:<{_NAME}} {_number(figure.before):>12} {_number(figure.after):>12}  {change}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.2f}"


def _instruction(line: Aligned) -> str:
    before = str(line.before) if line.before >= 0 else "-"
    after = str(line.after) if line.after >= 0 else "-"
    return f"  {before:>11} {after:>6}  {line.clocks_before:>13,.0f} {line.clocks_after:>8,.0f}  {line.text}"
