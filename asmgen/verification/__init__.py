"""`--verify`: programs run on the emulator, sanitizer on, and are held against the float64 reference of their
graph."""

from __future__ import annotations

from asmgen.verification.report import OutputVerdict, Verification
from asmgen.verification.verify import hold, verify

__all__ = ["OutputVerdict", "Verification", "hold", "verify"]
