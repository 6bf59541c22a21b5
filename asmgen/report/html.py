"""A report as an HTML page: the curves as SVG, everything else as tables. No script, no external resource."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from asmgen.report.model import FileReport, KernelReport, ListedInstruction, LiveValue, Point
from asmgen.report.text import WITHOUT_METADATA, limit_text, plural, step_text, summary, workgroup_text
from regalloc.allocation import SpilledValue
from regalloc.spill.notes import spill_line

_LETTER = 7  # units that a letter of a label takes
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 960, 190, 34, 8, 22
_STEPS = 900
_STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1c2430; --soft: #667085; --line: #d5dae1; --fill: #2f6fbf; --peak: #c2352b; --paper: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ee; --soft: #98a2b3; --line: #3a4352; --fill: #6aa5ee; --peak: #ff7a6e; --paper: #12161c;
  }
}
body {
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 2rem auto; max-width: 1000px; padding: 0 1rem;
}
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
section { border-top: 1px solid var(--line); padding-top: 1.5rem; margin-top: 1.5rem; }
section:first-of-type { border: 0; margin: 0; padding: 0; }
p { margin: .3rem 0; } .soft { color: var(--soft); }
code, td.code { font: 13px/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); }
td, th { padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number {
  text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%;
}
svg { display: block; width: 100%; height: auto; margin: .6rem 0; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
svg .peak { fill: var(--peak); } svg line.peak { stroke: var(--peak); }
svg .area { fill: var(--fill); opacity: .3; }
svg .curve { fill: none; stroke: var(--fill); stroke-width: 1.5; }
svg .grid { stroke: var(--line); }
"""


def to_html(kernels: Sequence[KernelReport]) -> str:
    """The page of a report; ends with a line break."""
    title = ", ".join(kernel.name for kernel in kernels)
    body = "\n".join(_kernel(kernel) for kernel in kernels)
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}: registers</title><style>{_STYLE}</style>"
    )  # fmt: skip
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def _kernel(kernel: KernelReport) -> str:
    spills = "" if kernel.spills is None else f", {plural(kernel.spills, 'spill')}"
    instructions = plural(len(kernel.points), "instruction")
    memory = f"{kernel.lds_bytes} bytes of LDS, {kernel.scratch_bytes} bytes of scratch a work-item{spills}"
    target = escape(kernel.target)
    parts = [
        f"<section><h1>{escape(kernel.name)}</h1>",
        f"<p>{target}, {workgroup_text(kernel)}, {instructions} on {kernel.registers} registers</p>",
        f'<p class="soft">{memory}</p>',
        *([] if kernel.has_metadata else [f'<p class="soft">{WITHOUT_METADATA}</p>']),
        _occupancy(kernel),
        *([_spilled(kernel.spilled)] if kernel.spilled else []),
        *(
            _file(kernel, index, file)
            for index, file in enumerate(kernel.files)
            if file.lower_bound or file.taken
        ),
        "</section>",
    ]
    return "\n".join(parts)


def _occupancy(kernel: KernelReport) -> str:
    occupancy = kernel.occupancy
    rows = [(str(limit.waves), escape(limit_text(limit))) for limit in occupancy.limits]
    following = occupancy.next_step or "none, the target runs no more"
    return (
        f"<h2>Occupancy</h2><p>{occupancy.waves} of {occupancy.most} waves a SIMD, limited by "
        f"{escape(', '.join(occupancy.limiting))}. "
        f"Next: {escape(following)}.</p>" + _table((("waves", "number"), ("left by", "")), rows)
    )


def _spilled(values: Sequence[SpilledValue]) -> str:
    rows = [(str(value.cost), f"<code>{escape(spill_line(value))}</code>") for value in values]
    return "<h2>Spilled</h2>" + _table((("cost", "number"), ("value", "")), rows)


def _file(kernel: KernelReport, index: int, file: FileReport) -> str:
    parts = [f"<h2>{file.name}s</h2><p>{escape(summary(file))}</p>"]
    if file.peak is not None:
        parts += [
            _chart(kernel.points, index, file),
            f"<p>Peak at {_site(file.peak)}</p>",
            _values(file.values),
        ]
    rows = [(str(file.lower_bound), "lower bound: the largest pressure")]
    rows += [(f"{step.count:+}", escape(step_text(step))) for step in file.steps]
    rows.append((str(file.taken), "taken by a wave"))
    parts.append(_table((("registers", "number"), ("from pressure to registers taken", "")), rows))
    return "\n".join(parts)


def _values(values: Sequence[LiveValue]) -> str:
    rows = [
        (
            f"<code>{escape(value.name)}</code>",
            str(value.units) if value.units == value.size else f"{value.units} of {value.size}",
            f"<code>{escape(value.registers)}</code>",
            "<br>".join(_site(site) for site in value.definitions) or escape(value.origin),
            _site(value.last_use) if value.last_use is not None else "never read",
        )
        for value in values
    ]
    return _table(
        (("live at the peak", ""), ("units", "number"), ("in", ""), ("defined", ""), ("last use", "")), rows
    )


def _site(site: ListedInstruction) -> str:
    source = " ".join(part for part in (site.op, f"at {site.place}" if site.place else "") if part)
    tail = f' <span class="soft">{escape(source)}</span>' if source else ""
    return f'<span class="soft">{site.point}</span> <code>{escape(site.text)}</code>{tail}'


def _table(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """`columns` are headings with the class of their cells; cells are HTML already."""
    lines = ["<table><tr>" + "".join(_cell("th", name, kind) for name, kind in columns) + "</tr>"]
    for row in rows:
        lines.append(
            "<tr>"
            + "".join(_cell("td", text, kind) for text, (_, kind) in zip(row, columns, strict=True))
            + "</tr>"
        )
    return "\n".join([*lines, "</table>"])


def _cell(tag: str, text: str, kind: str) -> str:
    return f'<{tag} class="{kind}">{text}</{tag}>' if kind else f"<{tag}>{text}</{tag}>"


def _chart(points: Sequence[Point], index: int, file: FileReport) -> str:
    """A step curve of the pressure, with tooltips for its points, and the starts of blocks under the axis."""
    assert file.peak is not None, "without a peak there is no curve"
    plot, count = _HEIGHT - _TOP - _BOTTOM, len(points)
    across = (_WIDTH - _LEFT - 4) / count

    def x(i: int) -> str:
        return f"{_LEFT + i * across:.1f}"

    def y(units: int) -> str:
        return f"{_TOP + plot * (1 - units / file.lower_bound):.1f}"

    # of a long program each step of the curve is the highest of several points
    every = -(-count // _STEPS)
    highest = [
        max(points[i : i + every], key=lambda point: point.pressure[index]) for i in range(0, count, every)
    ]
    stretches = [(x(i * every), x(min((i + 1) * every, count)), point) for i, point in enumerate(highest)]
    path = " ".join(
        f"{start},{y(point.pressure[index])} {end},{y(point.pressure[index])}"
        for start, end, point in stretches
    )
    label = f"live {file.name}s, at most {file.lower_bound}"
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">']
    for units in (0, file.lower_bound):
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH}" y1="{y(units)}" y2="{y(units)}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{float(y(units)) + 4:.1f}" text-anchor="end">{units}</text>')
    parts.append(
        f'<polygon class="area" points="{x(0)},{y(0)} {path} {x(count)},{y(0)}"/>'
        f'<polyline class="curve" points="{path}"/>'
    )  # fmt: skip
    parts += _block_marks(points, x, y(0))
    peak = file.peak.point
    middle = _LEFT + (peak + 0.5) * across
    parts.append(
        f'<line class="peak" x1="{middle:.1f}" x2="{middle:.1f}" y1="{_TOP}" y2="{y(0)}" '
        'stroke-dasharray="3 3"/>'
    )  # fmt: skip
    for start, end, point in stretches:
        tip = escape(f"{point.site.point}: {point.site.text}\n{point.pressure[index]} {file.name}s")
        width = f"{float(end) - float(start):.2f}"
        parts.append(
            f'<rect x="{start}" y="{_TOP}" width="{width}" height="{plot}" fill="transparent">'
            f"<title>{tip}</title></rect>"
        )  # fmt: skip
    return "\n".join([*parts, "</svg>"])


def _block_marks(points: Sequence[Point], x: Callable[[int], str], base: str) -> list[str]:
    """A tick at the start of each block, and its label if there is room."""
    parts: list[str] = []
    free_from = 0.0
    for i, point in enumerate(points):
        if i and points[i - 1].block == point.block:
            continue
        at = float(x(i))
        parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{base}" y2="{_HEIGHT - _BOTTOM + 5}"/>')
        end = at + _LETTER * len(point.block)
        if at >= free_from and (i == 0 or end <= _WIDTH):
            parts.append(f'<text x="{at}" y="{_HEIGHT - 6}">{escape(point.block)}</text>')
            free_from = end + 8
    return parts
