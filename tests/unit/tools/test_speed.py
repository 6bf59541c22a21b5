"""The speed that is promised, in CPU time and with room for a loaded machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from asmgen.kernels import CATALOGUE
from tools.bench_compile import child_cpu, compile_text, own_cpu
from tools.clang_peer import SOURCES, compile_to_assembly

ROOT = Path(__file__).parents[3]


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("name", SOURCES)
def test_a_warm_compile_takes_less_than_half_of_clangs_time(name: str) -> None:
    kernel = CATALOGUE[name]
    text = kernel.text(kernel.settings(()))
    _ = compile_text(text, name)
    ours = median(own_cpu(lambda: compile_text(text, name)) for _ in range(5))
    theirs = median(child_cpu(lambda: compile_to_assembly(name, os.devnull)) for _ in range(3))
    assert ours < theirs / 2


def test_a_cold_command_takes_about_half_a_second() -> None:
    command = [sys.executable, "-m", "asmgen", "kernel", "vecadd", "--emit", "asm", "-o", os.devnull]
    taken = median(child_cpu(lambda: subprocess.run(command, cwd=ROOT, check=True)) for _ in range(3))
    assert taken < 800  # milliseconds
