"""`--verify`: programs run on the emulator, sanitizer on, and are held against the float64 reference of their graph."""

from __future__ import annotations

from asmgen.verification.report import Check, Report
from asmgen.verification.verify import hold, verify

__all__ = ["Check", "Report", "hold", "verify"]
