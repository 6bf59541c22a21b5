"""Each op of StableHLO, linalg and tensor against numpy, on a target in turn. Ops that asmgen does not read are refused by their name."""

from __future__ import annotations

from importlib import import_module

import pytest

import asmgen
from isa.diagnostics import InputError
from tests.rows import MACHINES, in_turn, spread
from tests.tensors.case import Case
from tests.tensors.not_read import NOT_READ
from tests.tensors.running import check

GROUPS = ("arithmetic", "functions", "moving", "indexed", "reducing", "products", "control", "linalg", "tensor_ops")
CASES: dict[str, Case] = {case.name: case for group in GROUPS for case in import_module(f"tests.tensors.cases.{group}").CASES}
READ = [name for name, case in CASES.items() if not NOT_READ & {case.op, name}]

pytestmark = pytest.mark.broad


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in READ for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)


@pytest.mark.parametrize("name", in_turn([name for name in CASES if name not in READ], of=3))
def test_an_op_that_is_not_read_is_refused(name: str) -> None:
    """The message names an op of the module at its line; an op of linalg may be refused at the `tensor.empty` before it."""
    case = CASES[name]
    with pytest.raises(InputError, match=r"<text>\.mlir:\d+:\d+: error\[(?:TNS00\d|MLIR002)\]") as caught:
        _ = asmgen.compile(case.text)
    message = str(caught.value)
    line = case.text.splitlines()[int(message.split(":")[1]) - 1]
    assert any(op in message for op in line.replace("(", " ").replace('"', " ").split() if "." in op)
