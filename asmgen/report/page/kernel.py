"""A kernel of the page from its report: the figures at the top, and the tables of the panel."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.report.model import FILES, FileReport, KernelReport, ListedInstruction, LivePoint, LiveValue
from asmgen.report.page.data import Fact, KernelPage, Listing, Panel, Profile, Section
from asmgen.report.text import (
    APPLIED,
    WITHOUT_METADATA,
    attempt_text,
    limit_text,
    plural,
    step_text,
    summary,
    workgroup_text,
)
from asmgen.report.waves import WAVE_LIMIT
from regalloc.spill.notes import spill_line


def kernel_page(
    report: KernelReport,
    listing: Listing,
    profile: Profile | None = None,
    points: Sequence[str] | None = None,
) -> KernelPage:
    """The page of a kernel; `listing` is that of its code, and `profile` has the clocks of the same code.
    `points` are the texts of the report's points in the code, if they are others than in the report."""
    texts = [point.site.text for point in report.points] if points is None else points
    return KernelPage(
        report.name,
        f"{report.target} · {workgroup_text(report)} · {plural(len(listing.text), 'instruction')}",
        _facts(report), listing, _panels(report, _Lines(texts, listing)), profile,
    )  # fmt: skip


def _facts(report: KernelReport) -> tuple[Fact, ...]:
    occupancy = report.occupancy
    facts = [
        Fact(
            "Occupancy", f"{occupancy.waves} of {occupancy.most}",
            f"waves a SIMD, by {', '.join(occupancy.limiting)}",
            "good" if occupancy.limiting == (WAVE_LIMIT,) else "",
        )
    ]  # fmt: skip
    facts += [
        Fact(f"{file.name}s", str(file.used), f"{file.lower_bound} live, {file.taken} taken")
        for file in report.files
        if file.lower_bound or file.taken
    ]
    facts.append(Fact("LDS", str(report.lds_bytes), "bytes a workgroup"))
    scratch = report.scratch_bytes
    facts.append(Fact("Scratch", str(scratch), "bytes a work-item", "warn" if scratch else ""))
    if report.spills is not None:
        facts.append(Fact("Spills", str(report.spills), "registers", "warn" if report.spills else "good"))
    return tuple(facts)


class _Lines:
    """The lines of a report's points: of the points with the same text, the first has the first line with it,
    and so on. A point without its line was changed by a pass after allocation."""

    def __init__(self, points: Sequence[str], listing: Listing) -> None:
        by_text: dict[str, list[int]] = {}
        for line, text in enumerate(listing.text):
            by_text.setdefault(text, []).append(line)
        lines = {text: iter(found) for text, found in by_text.items()}
        self._lines = [next(lines[text], -1) if text in lines else -1 for text in points]

    def of(self, *sites: ListedInstruction | None) -> int:
        """The line of the first of some points that has a line, -1 if none has."""
        lines = [self._lines[site.point] for site in sites if site is not None]
        return next((line for line in lines if line >= 0), -1)


def _panels(report: KernelReport, lines: _Lines) -> tuple[Panel, ...]:
    registers = Panel(
        "Registers",
        tuple(
            section
            for file in report.files
            if file.lower_bound or file.taken
            for section in _file_sections(report, file, lines)
        ),
    )
    panels = [registers, Panel("Occupancy", _occupancy(report))]
    vector = report.file("VGPR")
    if vector.attempts:
        panels.append(Panel("Fewer VGPRs", (_attempts(vector, lines),)))
    if report.at:
        panels.append(Panel("At", tuple(_at(point, lines) for point in report.at)))
    return tuple(panels)


def _at(point: LivePoint, lines: _Lines) -> Section:
    values = [value for of_file in point.values for value in of_file]
    counts = [plural(count, name) for count, name in zip(point.pressure, FILES, strict=True) if count]
    text = f"Point {_site(point.site)}: {', '.join(counts)}."
    return _values(f"Live at {point.place}", text, values, lines)


def _attempts(file: FileReport, lines: _Lines) -> Section:
    rows = tuple((str(attempt.frees), str(attempt.bound), attempt_text(attempt)) for attempt in file.attempts)
    columns = ("#frees", "#live at most", "what")
    text = f"{file.lower_bound} VGPRs are live at the peak. {APPLIED.capitalize()}."
    return Section(
        "What to try",
        text,
        columns,
        rows,
        tuple(lines.of(attempt.definition, attempt.there) for attempt in file.attempts),
    )


def _file_sections(report: KernelReport, file: FileReport, lines: _Lines) -> list[Section]:
    sections = [Section(f"{file.name}s", summary(file))]
    if file.peak is not None:
        where = f" of {len(report.points)} on virtual registers" if report.registers == "virtual" else ""
        text = f"Peak at point {_site(file.peak)}{where}. The values that are live there:"
        sections.append(_values(f"{file.name}s at the peak", text, file.values, lines))
    ladder = [(str(file.lower_bound), "lower bound: the largest pressure")]
    ladder += [(f"{step.count:+}", step_text(step)) for step in file.steps]
    ladder.append((str(file.taken), "taken by a wave"))
    columns = ("#registers", "from pressure to registers taken")
    sections.append(Section(f"{file.name}s taken", "", columns, tuple(ladder)))
    return sections


def _values(title: str, text: str, values: Sequence[LiveValue], lines: _Lines) -> Section:
    rows = tuple(
        (
            value.name,
            str(value.units) if value.units == value.size else f"{value.units} of {value.size}",
            value.registers if value.registers != value.name else "",
            f"{_defined(value)}\nlast use {_site(value.last_use)}" if value.last_use else _defined(value),
        )
        for value in values
    )
    defined = tuple(lines.of(*value.definitions, value.last_use) for value in values)
    columns = ("value", "#live", "in", "from its definition to its last use")
    return Section(title, text, columns, rows, defined)


def _defined(value: LiveValue) -> str:
    if not value.definitions:
        return value.origin
    first, *others = value.definitions
    return f"{_site(first)} (+{len(others)})" if others else _site(first)


def _site(site: ListedInstruction) -> str:
    source = " ".join(part for part in (site.op, site.place.rpartition("/")[2]) if part)
    return f"{site.point}: {site.text}" + (f" [{source}]" if source else "")


def _occupancy(report: KernelReport) -> tuple[Section, ...]:
    occupancy = report.occupancy
    following = occupancy.next_step or "none, the target runs no more"
    text = (
        f"{occupancy.waves} of {occupancy.most} waves a SIMD, limited by {', '.join(occupancy.limiting)}. "
        f"Next: {following}."
    )
    rows = tuple((str(limit.waves), limit_text(limit)) for limit in occupancy.limits)
    sections = [Section("Occupancy", text, ("#waves", "left by"), rows)]
    memory = (
        f"{report.lds_bytes} bytes of LDS a workgroup, {report.scratch_bytes} bytes of scratch a work-item"
    )
    if not report.has_metadata:
        memory += f"; {WITHOUT_METADATA}"
    sections.append(Section("Memory", memory))
    if report.spilled:
        spilled = tuple((str(value.cost), spill_line(value)) for value in report.spilled)
        sections.append(Section("Spilled", "", ("#cost", "value"), spilled))
    if report.spill_lines:
        rows = tuple(
            (line.place, str(line.stores), str(line.loads), str(line.bytes), str(line.moves), str(line.cost))
            for line in report.spill_lines
        )
        columns = ("line", "#stores", "#loads", "#bytes", "#moves", "#cost")
        text = "Accesses of scratch, and spill code without memory (moves). Each counts ten times a loop."
        sections.append(Section("Scratch and spill code by source line", text, columns, rows))
    return tuple(sections)
