"""What the tests of your own kernels need: golden assembly, FileCheck lines, gates on resources
(docs/testing.md).

Each function raises an AssertionError that shows what differs; none needs pytest. The option
`--update-golden` of pytest comes with the plugin `asmgen.testing.plugin`.
"""

from __future__ import annotations

from asmgen.testing.checks import assert_filecheck
from asmgen.testing.gates import assert_resources
from asmgen.testing.golden import assert_golden

__all__ = ["assert_filecheck", "assert_golden", "assert_resources"]
