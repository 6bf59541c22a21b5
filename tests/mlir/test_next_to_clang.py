"""The programs of examples/ next to the same in OpenCL C by clang -O3: registers and instructions."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from math import prod
from pathlib import Path

import pytest

import asmgen
from tests.mlir.judge import EXAMPLES, FEW

SOURCE = Path(__file__).parent / "opencl" / "programs.cl"
PROGRAMS = ("basic", "vecadd", "relu", "fence", "diverge", "dotproduct", "sgemm")
_INSTRUCTION = re.compile(r"\s+((?:s|v|ds|global|flat)_\w+)")
pytestmark = pytest.mark.needs_llvm("clang-22")


@cache
def by_clang(target: str) -> str:
    command = [
        "clang-22", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w",
        "-O3", "-S", "-o", "-", str(SOURCE),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def blocks(assembly: str, name: str) -> list[list[str]]:
    """The instructions of a kernel up to its end, block by block."""
    found: list[list[str]] = [[]]
    for line in assembly[assembly.index(f"\n{name}:") :].splitlines()[2:]:
        if line.startswith(".L"):
            found.append([])
        match = _INSTRUCTION.match(line)
        if match:
            found[-1].append(match[1])
        if "s_endpgm" in line:
            break
    return found


@pytest.mark.parametrize("target", FEW)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_more_than_clang(name: str, target: str) -> None:
    (kernel,) = asmgen.compile(EXAMPLES / f"{name}.mlir", target=target).kernels
    clang = by_clang(target)
    registers = re.search(rf"\.set (?:\.L)?{name}\.num_vgpr, (?:max\()?(\d+)", clang)
    assert registers is not None
    taken, target_ = kernel.resources, kernel.target.target
    waves = target_.occupancy(max(int(registers[1]), 1), taken.sgprs, taken.lds_bytes, prod(kernel.block))
    assert taken.occupancy >= waves
    ours, theirs = (sum(map(len, blocks(text, name))) for text in (kernel.assembly, clang))
    assert ours <= theirs


def test_multiply_adds_of_sgemm() -> None:
    """Instructions of the inner loop for each multiply-add: at most 1.1 of clang's."""

    def each(assembly: str) -> float:
        inner = max(blocks(assembly, "sgemm"), key=lambda block: sum("fma" in one for one in block))
        return len(inner) / sum("fma" in one for one in inner)

    (kernel,) = asmgen.compile(EXAMPLES / "sgemm.mlir").kernels
    assert each(kernel.assembly) <= 1.1 * each(by_clang("gfx942"))
