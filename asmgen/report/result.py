"""The report of a source, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from asmgen.report.document import to_json
from asmgen.report.html import to_html
from asmgen.report.model import KernelReport
from asmgen.report.text import PLAIN, Style, render
from isa.diagnostics import InputError


class Report(Struct, frozen=True):
    """The kernels of a source, in launch order or as they are named, and those of a file that cannot be
    analysed, with the reason."""

    kernels: tuple[KernelReport, ...]
    refused: Mapping[str, InputError] = field(default_factory=dict[str, InputError])

    def __repr__(self) -> str:
        refused = f"; refused: {', '.join(self.refused)}" if self.refused else ""
        return f"<report on {', '.join(kernel.name for kernel in self.kernels)}{refused}; str() shows it>"

    def __str__(self) -> str:
        return self.to_text(PLAIN)

    def to_text(self, style: Style) -> str:
        """Charts of block characters and tables, as wide and as coloured as `style` says."""
        return render(self.kernels, style)

    def to_json(self) -> str:
        """The document of docs/reports.md."""
        return to_json(self.kernels, {name: str(error) for name, error in self.refused.items()})

    def to_html(self) -> str:
        """One page without external resources."""
        return to_html(self.kernels)
