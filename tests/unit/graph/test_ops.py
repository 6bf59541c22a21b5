"""Rows of ops are found by name. (test_parser.py compares the rows with the page.)"""

from __future__ import annotations

import pytest

from asmgen.graph.ops import GRAPH_OPS, graph_op
from isa.diagnostics import InternalError


def test_a_row_is_found_by_name() -> None:
    assert graph_op("add") is GRAPH_OPS["add"]
    with pytest.raises(InternalError):
        _ = graph_op("load")
