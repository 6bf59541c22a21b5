"""Each op of StableHLO, linalg and tensor against numpy, on a target in turn."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.rows import MACHINES, spread
from tests.tensors.case import Case
from tests.tensors.running import check

GROUPS = ("arithmetic", "functions", "moving", "indexed", "reducing", "products", "control", "linalg", "tensor_ops", "together", "constants")
CASES: dict[str, Case] = {case.name: case for group in GROUPS for case in import_module(f"tests.tensors.cases.{group}").CASES}
pytestmark = pytest.mark.broad


def _parameters() -> list[object]:
    """Every third case of an op is ordinary, on a machine in turn; the other cases are slow, on a machine in turn."""
    names: dict[str, list[str]] = {}
    for name, case in CASES.items():
        names.setdefault(case.op, []).append(name)
    ordinary = [name for of_op in names.values() for name in of_op[::3]]
    others = [name for of_op in names.values() for i, name in enumerate(of_op) if i % 3]
    pairs = spread([(machine, name) for name in ordinary for machine in MACHINES], each=1)
    return [*pairs, *[pytest.param(MACHINES[i % len(MACHINES)], name, marks=pytest.mark.slow) for i, name in enumerate(others)]]


@pytest.mark.parametrize("machine, name", _parameters())
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)
