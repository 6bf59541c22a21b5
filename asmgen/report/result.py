"""The report of a source, and the forms in which it is written."""

from __future__ import annotations

from msgspec import Struct

from asmgen.report.document import to_json
from asmgen.report.html import to_html
from asmgen.report.model import KernelReport
from asmgen.report.text import PLAIN, Style, render


class Report(Struct, frozen=True):
    """The kernels of a source, in launch order or as they are named."""

    kernels: tuple[KernelReport, ...]

    def __repr__(self) -> str:
        return f"<report on {', '.join(kernel.name for kernel in self.kernels)}; str() shows it>"

    def __str__(self) -> str:
        return self.to_text(PLAIN)

    def to_text(self, style: Style) -> str:
        """Charts of block characters and tables, as wide and as coloured as `style` says."""
        return render(self.kernels, style)

    def to_json(self) -> str:
        """The document of docs/reports.md."""
        return to_json(self.kernels)

    def to_html(self) -> str:
        """One page without external resources."""
        return to_html(self.kernels)
