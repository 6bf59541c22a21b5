"""The gate of --fail-above."""

from __future__ import annotations

from asmgen.report.model import KernelReport
from asmgen.report.result import Report
from isa.diagnostics import InputError


def check_vgprs(report: Report, limit: int) -> None:
    """Raise `InputError` REP001 where a kernel uses more VGPRs than `limit`; AGPRs count, as the metadata
    counts them."""
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
