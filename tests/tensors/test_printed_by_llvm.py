"""Modules of linalg as LLVM's mlir-opt prints them: the parser that asmgen uses is of another version."""

from __future__ import annotations

import subprocess

import pytest

from tests.rows import MACHINES
from tests.tensors.cases import linalg
from tests.tensors.on_cpu import spelt_for_llvm
from tests.tensors.running import check

OPT = "mlir-opt-22"
CASES = {case.name: case for case in linalg.CASES}


@pytest.mark.needs_llvm(OPT)
@pytest.mark.parametrize(("number", "name"), [pytest.param(i, name, marks=() if i % 4 == 0 else pytest.mark.slow) for i, name in enumerate(CASES)])
def test_what_llvm_prints_is_read(number: int, name: str) -> None:
    case = CASES[name]
    printed = subprocess.run([OPT], input=spelt_for_llvm(case.text), capture_output=True, text=True, check=True).stdout
    check(case._replace(text=printed), MACHINES[number % len(MACHINES)])
