"""The float64 reference: the outputs of a graph and their bounds. Imports numpy, but no pass."""

from __future__ import annotations

from asmgen.graph.reference.compare import Comparison, compare, error_bound
from asmgen.graph.reference.evaluate import Rules, evaluate, evaluate_module
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Range

__all__ = [
    "Comparison",
    "FloatRange",
    "IntegerRange",
    "Range",
    "Rules",
    "compare",
    "error_bound",
    "evaluate",
    "evaluate_module",
]
