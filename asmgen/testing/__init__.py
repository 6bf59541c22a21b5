"""What the tests of your own kernels need: golden assembly, FileCheck lines, gates on resources
(docs/testing.md).

Each function raises an AssertionError that shows what differs; none needs pytest. The option
`--update-golden` of pytest comes with the plugin `asmgen.testing.plugin`.
"""

from __future__ import annotations

from asmgen.testing.assertions import assert_filecheck, assert_golden, assert_resources

__all__ = ["assert_filecheck", "assert_golden", "assert_resources"]
