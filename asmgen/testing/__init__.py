"""Assertions for the tests of your own kernels: golden assembly, FileCheck lines, gates on resources
(docs/testing.md).

Each function raises an AssertionError that shows the difference; none needs pytest. The plugin
`asmgen.testing.plugin` adds the option `--update-golden` to pytest.
"""

from __future__ import annotations

from asmgen.testing.assertions import assert_filecheck, assert_golden, assert_resources

__all__ = ["assert_filecheck", "assert_golden", "assert_resources"]
