"""`--verify`: programs run on the emulator with the sanitizer on, and their results are compared with the
float64 reference of their graph.
"""

from __future__ import annotations

from asmgen.verification.report import OutputVerdict, Verification
from asmgen.verification.verify import hold, verify

__all__ = ["OutputVerdict", "Verification", "hold", "verify"]
