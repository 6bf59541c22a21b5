"""Each op of StableHLO, linalg and tensor against numpy, on a target in turn."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.rows import MACHINES, spread
from tests.tensors.case import Case
from tests.tensors.running import check

GROUPS = ("arithmetic", "functions", "moving", "indexed", "reducing", "products", "control", "linalg", "tensor_ops")
CASES: dict[str, Case] = {case.name: case for group in GROUPS for case in import_module(f"tests.tensors.cases.{group}").CASES}
pytestmark = pytest.mark.broad


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in CASES for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)
