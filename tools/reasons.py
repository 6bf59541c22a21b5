"""The exit status of a tool that judges: 1 if anything is wrong; the faults are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable


def exit_status(tool: str, reasons: Iterable[str]) -> int:
    """1 after a line on standard error for each reason; 0 without reasons."""
    status = 0
    for reason in reasons:
        print(f"{tool}: {reason}", file=sys.stderr)
        status = 1
    return status
