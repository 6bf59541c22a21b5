"""A report as text: charts of block characters, tables, and the ladder from pressure to registers taken."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from asmgen.report.model import (
    FILES,
    Attempt,
    Change,
    FileReport,
    KernelReport,
    Limit,
    ListedInstruction,
    LivePoint,
    LiveValue,
    Point,
    ResultMemory,
    SpillLine,
    Step,
)
from asmgen.report.waves import LDS, VGPRS, WAVE_LIMIT, WHOLE_WORKGROUPS
from regalloc.spill.notes import spill_line

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ROWS = 6
_WIDE = 90  # columns from which on there is room beside the chart
_LEAST_LABEL = 4  # characters of a block's label that tell something
_BOLD, _DIM, _RED, _CYAN, _OFF = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[36m", "\x1b[0m"


WITHOUT_METADATA = (
    "the file has no metadata of the kernel: its spills and the size of its workgroups are not known"
)


class Style(Struct, frozen=True):
    """How wide a line may be, and whether there are colours."""

    width: int
    colour: bool

    def paint(self, text: str, code: str) -> str:
        return f"{code}{text}{_OFF}" if self.colour and text else text


PLAIN = Style(110, False)


def render(kernels: Sequence[KernelReport], style: Style) -> str:
    """The report, kernel by kernel; ends with a line break."""
    return "\n\n".join("\n".join(_kernel_lines(kernel, style)) for kernel in kernels) + "\n"


def _kernel_lines(kernel: KernelReport, style: Style) -> list[str]:
    spills = "" if kernel.spills is None else f", {plural(kernel.spills, 'spill')}"
    size = f"{plural(len(kernel.points), 'instruction')} on {kernel.registers} registers"
    lines = [
        f"{style.paint(kernel.name, _BOLD)} for {kernel.target}, {workgroup_text(kernel)}, {size}",
        f"  {kernel.lds_bytes} bytes of LDS, {kernel.scratch_bytes} bytes of scratch a work-item{spills}",
    ]
    if not kernel.has_metadata:
        lines.append(f"  {WITHOUT_METADATA}")
    lines += [f"  {memory_text(result)}" for result in kernel.results if result.over or result.reason]
    lines += [f"    {spill_line(value)}" for value in kernel.spilled]
    if kernel.spill_lines:
        lines.append("  scratch and spill code by source line:")
        lines += [f"    {spilling_text(line)}" for line in kernel.spill_lines]
    for index, file in enumerate(kernel.files):
        if file.lower_bound or file.taken:
            lines += ["", *_file_lines(kernel, index, file, style)]
    for point in kernel.at:
        lines += ["", *_at_lines(point, style)]
    return [*lines, "", *_occupancy_lines(kernel, style)]


def memory_text(result: ResultMemory) -> str:
    """`result 0 is in the memory of weights`, or why it is not."""
    if result.over:
        return f"result {result.number} is in the memory of {result.over}"
    return f"result {result.number} has memory of its own: {result.reason}"


def spilling_text(line: SpillLine) -> str:
    """`k.cl:12: 2 stores and 6 loads of scratch, 128 bytes, 1 loop deep, cost 80`."""
    accesses = [
        plural(count, word) for count, word in ((line.stores, "store"), (line.loads, "load")) if count
    ]
    parts = [f"{' and '.join(accesses)} of scratch", plural(line.bytes, "byte")] if accesses else []
    if line.moves:
        parts.append(plural(line.moves, "instruction") + " of spill code without memory")
    if line.depth:
        parts.append(f"{plural(line.depth, 'loop')} deep")
    return f"{line.place or 'no line'}: {', '.join(parts)}, cost {line.cost}"


def workgroup_text(kernel: KernelReport) -> str:
    """The workgroup, and whether the kernel is bound to it."""
    size = "x".join(str(size) for size in kernel.workgroup)
    return f"workgroups of {size}" if kernel.fixed_workgroup else f"workgroups of up to {kernel.workgroup[0]}"


def plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _file_lines(kernel: KernelReport, index: int, file: FileReport, style: Style) -> list[str]:
    name = f"{file.name}s"
    lines = [f"{style.paint(name, _BOLD)}  {summary(file)}"]
    if file.peak is None:
        return [*lines, *_ladder(file, style)]
    lines += _chart(kernel.points, index, file, style)
    lines += [f"  peak: {_site(file.peak, style.width - 8)}", *_table(file.values, style)]
    lines += _ladder(file, style)
    if file.attempts and wants_registers(kernel):
        lines += _attempts(file, kernel.occupancy.waves, style)
    return lines


def _at_lines(point: LivePoint, style: Style) -> list[str]:
    """The values live at a point, by file."""
    lines = [f"{style.paint(f'at {point.place}', _BOLD)}  {_site(point.site, style.width - 8)}"]
    for name, pressure, values in zip(FILES, point.pressure, point.values, strict=True):
        if pressure:
            lines += [f"  {plural(pressure, name)}", *_table(values, style)]
    return lines


def wants_registers(kernel: KernelReport) -> bool:
    """Whether fewer VGPRs would give a wave or save a spill."""
    return VGPRS in kernel.occupancy.limiting or bool(kernel.spills) or bool(kernel.spilled)


def _attempts(file: FileReport, waves: int, style: Style) -> list[str]:
    following = next(
        (f" for {more} waves, up to {most} VGPRs" for more, most in file.waves[::-1] if more > waves), ""
    )
    lines = [f"  what to try{following}: {APPLIED}", style.paint("    frees  live at most", _DIM)]
    for attempt in file.attempts:
        text = f"  {attempt.frees:>7}  {attempt.bound:>12}  {attempt_text(attempt)}"
        lines.append(shorten(text, style.width))
    return lines


APPLIED = "each change was applied and its live registers counted"
_CHANGES = {
    Change.RECOMPUTE: "recompute {value}{costs} before {there}",
    Change.DEFINE_LATER: "define {value} later, before {there}",
    Change.LOAD_LATER: "load {value} later, before {there}",
    Change.USE_EARLIER: "use {value} before the peak: {there}",
    Change.AGPRS: "keep {value} in AGPRs{costs} until {there}",
    Change.SMALLER_TILE: "smaller tile: {value}",
    Change.TOGETHER: "together, without AGPRs and conflicting changes{costs}",
}


def attempt_text(attempt: Attempt) -> str:
    """The effect of a change, and its cost."""
    costs = [plural(attempt.agprs, "AGPR")] if attempt.change is Change.AGPRS else []
    if attempt.instructions > 0:
        costs.append(f"{plural(attempt.instructions, 'instruction')} more")
    text = f" ({', '.join(costs)})" if costs else ""
    return _CHANGES[attempt.change].format(value=attempt.value, there=_short(attempt.there), costs=text)


def summary(file: FileReport) -> str:
    """A single line: live, used, declared, taken."""
    declared = "not declared" if file.declared is None else f"{file.declared} declared"
    mismatch = "" if file.declared in (None, file.used) else " (differs from use)"
    return f"{file.lower_bound} live at most, {file.used} used, {declared}{mismatch}, {file.taken} taken"


def _chart(points: Sequence[Point], index: int, file: FileReport, style: Style) -> list[str]:
    """Columns are points; a column of several points shows the highest. Beside the rows are the most
    registers with which a SIMD runs a number of waves."""
    assert file.peak is not None, "without a peak there is no curve"
    label, marks = len(str(file.lower_bound)), _wave_marks(file) if style.width >= _WIDE else {}
    beside = max((len(mark) + 2 for mark in marks.values()), default=0)
    columns = _columns(len(points), max(20, style.width - label - 5 - beside))
    heights = [max(points[i].pressure[index] for i in column) for column in columns]
    lines: list[str] = []
    for row in range(_ROWS - 1, -1, -1):
        cells = "".join(_cell(height / file.lower_bound * _ROWS - row) for height in heights)
        number = str(file.lower_bound) if row == _ROWS - 1 else ""
        mark = style.paint(f"  {marks[row]}", _DIM) if row in marks else ""
        cells = cells.ljust(len(columns)) if mark else cells.rstrip()
        lines.append(f"  {number:>{label}} ┤{style.paint(cells, _CYAN)}{mark}")
    peak = next(i for i, column in enumerate(columns) if file.peak.point in column)
    starts = [
        next((points[i].block for i in column if i == 0 or points[i - 1].block != points[i].block), "")
        for column in columns
    ]
    ticks, names = _block_marks(starts, columns)
    lines.append(f"  {0:>{label}} └{ticks}")
    lines.append(f"  {'':>{label}}  {style.paint(names, _DIM)}")
    lines.append(
        f"  {'':>{label}}  {' ' * peak}{style.paint('▲', _RED)} point {file.peak.point} of {len(points)}"
    )
    return lines


def _wave_marks(file: FileReport) -> dict[int, str]:
    """By row of the chart, the occupancy steps in it."""
    marks: dict[int, list[str]] = {}
    for waves, most in file.waves:
        if most < file.lower_bound:
            row = most * _ROWS // file.lower_bound
            marks.setdefault(row, []).append(f"{waves} waves up to {most}")
    return {row: ", ".join(texts) for row, texts in marks.items()}


def _columns(count: int, width: int) -> list[range]:
    """The points that each column of a chart shows; a point takes several columns if there are few points."""
    if count <= width:
        times = min(4, width // count)
        return [range(i, i + 1) for i in range(count) for _ in range(times)]
    return [range(i * count // width, (i + 1) * count // width) for i in range(width)]


def _cell(height: float) -> str:
    return _BLOCKS[max(0, min(8, round(height * 8)))]


def _block_marks(starts: list[str], columns: list[range]) -> tuple[str, str]:
    """The axis with a tick at the start of each block, and the blocks' labels below, as far as there is
    room."""
    ticks, names = list("─" * len(columns)), ""
    for i, start in enumerate(starts):
        if start and len(names) <= i and (i == 0 or columns[i] != columns[i - 1]):
            room = len(columns) - i
            if room >= min(len(start), _LEAST_LABEL):
                names = names.ljust(i) + shorten(start, room) + " "
            ticks[i] = "┬"
    return "".join(ticks), names.rstrip()


def _site(site: ListedInstruction, width: int) -> str:
    source = " ".join(part for part in (site.op, f"at {site.place}" if site.place else "") if part)
    text = f"{site.point}: {site.text}" + (f"  [{source}]" if source else "")
    return shorten(text, width)


def shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(1, width - 1)] + "…"


def _table(values: Sequence[LiveValue], style: Style) -> list[str]:
    rows = [("value", "live", "in", "defined", "last use", "source")]
    for value in values:
        live = str(value.units) if value.units == value.size else f"{value.units} of {value.size}"
        in_ = value.registers if value.registers != value.name else ""
        rows.append(
            (
                value.name, live, in_, defined_text(value), _short(value.last_use) or "never read",
                source_text(value),
            )
        )  # fmt: skip
    wide: list[int] = [min(max(len(row[i]) for row in rows), 24) for i in range(3)]
    source = min(max(len(row[5]) for row in rows), 28)
    rest = max(style.width - 4 - sum(wide) - source - 2 * 5, 24)
    wide = [*wide, rest // 2, rest // 2, source]
    lines: list[str] = []
    for number, row in enumerate(rows):
        text = (
            "    "
            + "  ".join(
                shorten(cell, width).ljust(width) for cell, width in zip(row, wide, strict=True)
            ).rstrip()
        )
        lines.append(style.paint(text, _DIM) if number == 0 else text)
    return lines


def defined_text(value: LiveValue) -> str:
    """The origin of a value."""
    if not value.definitions:
        return value.origin
    first, *others = value.definitions
    return f"{_short(first)} (+{len(others)})" if others else _short(first)


def _short(site: ListedInstruction | None) -> str:
    return f"{site.point}: {site.text}" if site is not None else ""


def source_text(value: LiveValue) -> str:
    """The source op of a value, and its place."""
    if not value.definitions:
        return ""
    site = value.definitions[0]
    return " ".join(part for part in (site.op, site.place.rpartition("/")[2]) if part)


def _ladder(file: FileReport, style: Style) -> list[str]:
    """The lower bound, every step, and the registers taken."""
    lines = [f"  {file.lower_bound:>5}  lower bound: the largest pressure"]
    lines += [shorten(f"  {step.count:>+5}  {step_text(step)}", style.width) for step in file.steps]
    return [*lines, f"  {file.taken:>5}  taken by a wave"]


def step_text(step: Step) -> str:
    registers = f" ({step.registers})" if step.registers else ""
    return f"{step.reason}{registers}: {step.detail}"


def _occupancy_lines(kernel: KernelReport, style: Style) -> list[str]:
    occupancy = kernel.occupancy
    waves = f"{occupancy.waves} of {occupancy.most} waves a SIMD"
    lines = [f"{style.paint('occupancy', _BOLD)}  {waves}, limited by {', '.join(occupancy.limiting)}"]
    lines += [f"  {limit.waves:>3}  {limit_text(limit)}" for limit in occupancy.limits]
    return [*lines, f"  next: {occupancy.next_step or 'none, the target runs no more'}"]


def limit_text(limit: Limit) -> str:
    """A resource: its amount, and how far it may move."""
    unit = " bytes" if limit.resource == LDS else ""
    if limit.resource == WAVE_LIMIT:
        return "wave limit of the target"
    if limit.resource == WHOLE_WORKGROUPS:
        return f"whole workgroups of {plural(limit.amount, 'wave')}"
    text = f"{limit.resource}: {limit.amount}{unit}"
    if limit.fewer is not None:
        return f"{text}, {limit.fewer}{unit} fewer for the next wave"
    return f"{text}, {limit.spare}{unit} more cost no wave" if limit.spare is not None else text
