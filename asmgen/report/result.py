"""The report of a source, its forms, and the gate of `--fail-above`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from asmgen.report.document import to_json
from asmgen.report.flow import to_dot
from asmgen.report.model import KernelReport
from asmgen.report.places import PLACES
from asmgen.report.text import PLAIN, Style, render
from isa.diagnostics import InputError
from isa.emulator.program.image import Image

_NO_TEXTS: Mapping[str, str] = {}


class Assembled(Struct, frozen=True):
    """The code of a kernel, and the text that each point of its report has in the code."""

    image: Image
    points: tuple[str, ...]


class Report(Struct, frozen=True):
    """The kernels of a source, in launch order or in the file's order, and the kernels of a file that cannot
    be analysed, with the reason. `assembled` loads the code of the kernels, which only the page needs."""

    kernels: tuple[KernelReport, ...]
    assembled: Callable[[], tuple[Assembled, ...]]
    refused: Mapping[str, InputError] = field(default_factory=dict[str, InputError])

    def __repr__(self) -> str:
        refused = f"; refused: {', '.join(self.refused)}" if self.refused else ""
        return f"<report on {', '.join(kernel.name for kernel in self.kernels)}{refused}; str() shows it>"

    def __str__(self) -> str:
        return self.to_text(PLAIN)

    def to_dot(self) -> str:
        """The flow graph with the pressure of each block, in the DOT language."""
        return to_dot(self.kernels)

    def to_text(self, style: Style) -> str:
        """Charts of block characters and tables, as wide and as coloured as `style` says."""
        return render(self.kernels, style)

    def to_json(self) -> str:
        """The document of docs/reports.md."""
        return to_json(self.kernels, {name: str(error) for name, error in self.refused.items()})

    def to_html(self, texts: Mapping[str, str] = _NO_TEXTS) -> str:
        """A page without external resources. `texts` are source texts by name; other sources are read if
        they are files below the current folder."""
        from asmgen.report.page.data import Page
        from asmgen.report.page.html import to_html
        from asmgen.report.page.kernel import kernel_page
        from asmgen.report.page.listing import listing_of
        from asmgen.report.page.sources import source_text

        text_of = partial(source_text, texts)
        pages = [
            kernel_page(kernel, listing_of(code.image, text_of), points=code.points)
            for kernel, code in zip(self.kernels, self.assembled(), strict=True)
        ]
        return to_html(Page(tuple(pages)))


def check_vgprs(report: Report, limit: int) -> None:
    """Raise `InputError` REP001 if a kernel uses more VGPRs than `limit`; AGPRs count, as in the metadata."""
    above = [kernel for kernel in report.kernels if _vgprs(kernel) > limit]
    if not above:
        return
    worst = max(above, key=_vgprs)
    others = ", ".join(f"{kernel.name} {_vgprs(kernel)}" for kernel in above if kernel is not worst)
    file = worst.file("VGPR")
    notes = (
        [f"{file.lower_bound} are live at once, at {file.peak.text}{_where(file.peak.place)}"]
        if file.peak is not None
        else []
    )
    if others:
        notes.append(f"above it as well: {others}")
    raise InputError(
        "--fail-above", "REP001", f"{worst.name} uses {_vgprs(worst)} VGPRs, wanted at most {limit}",
        tuple(notes),
    )  # fmt: skip


def _where(place: str) -> str:
    return f" ({place})" if place else ""


def _vgprs(kernel: KernelReport) -> int:
    file = kernel.file("VGPR")
    return max(file.used, file.declared or 0)


def check_places(report: Report, places: Sequence[str]) -> None:
    """Raise `InputError` REP005 for a place of --at that is in no kernel."""
    known = {point.place for kernel in report.kernels for point in kernel.at}
    for place in places:
        if place not in known:
            raise InputError(
                f"--at {place}", "REP005", f"no kernel of the report has this point, wanted {PLACES}",
                help="`--format html` shows the lines of the code and the registers that are live at each",
            )  # fmt: skip
