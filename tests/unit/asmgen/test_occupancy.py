"""How many waves a SIMD runs, and how many VGPRs a workgroup leaves a wave: clang's count for kernels made to
ask for so much.

clang does not round LDS up to the hardware's granule, so that the sizes here are multiples of every target's.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest

from isa.targets import parse_target
from tests.rows import MACHINES

pytestmark = pytest.mark.needs_llvm("clang-22")

CLANG = ("clang-22", "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w", "-O2", "-S", "-o", "-", "-")
# VGPRs, bytes of LDS, work-items of the workgroup
ASKED = (
    (8, 0, 256), (24, 0, 64), (64, 0, 256), (72, 0, 128), (73, 0, 128), (84, 0, 256), (85, 0, 256), (96, 0, 256), (97, 0, 256), (120, 0, 256),
    (128, 0, 512), (129, 0, 512), (144, 0, 256), (168, 0, 256), (169, 0, 256), (192, 0, 256), (193, 0, 256), (217, 0, 256), (241, 0, 256),
    (256, 0, 256), (8, 5120, 64), (8, 10240, 32), (8, 10240, 128), (8, 20480, 64), (8, 20480, 512), (8, 30720, 256), (8, 40960, 256),
    (8, 61440, 64), (8, 61440, 1024), (8, 0, 640), (8, 0, 704), (8, 0, 768), (8, 5120, 704), (97, 20480, 256),
)  # fmt: skip


@cache
def waves_of_clang(machine: str, asked: tuple[tuple[int, int, int], ...]) -> tuple[int, ...]:
    """What clang says behind each kernel of its occupancy."""
    target = parse_target(machine)
    lines: list[str] = []
    for number, (vgprs, lds, threads) in enumerate(asked):
        head = f"__attribute__((reqd_work_group_size({threads}, 1, 1))) kernel void k{number}(global int *p)"
        touch = f"local volatile int x[{lds // 4}]; x[__builtin_amdgcn_workitem_id_x()] = 1; p[0] = x[3];" if lds else ""
        lines.append(f'{head} {{ __asm__ volatile("" ::: "v{vgprs - 1}"); {touch} }}')
    command = [*CLANG, f"-mcpu={target.clang}", *target.clang_options]
    text = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True).stdout
    return tuple(int(found) for found in re.findall(r"^; Occupancy: (\d+)$", text, re.MULTILINE))


@pytest.mark.broad
@pytest.mark.parametrize("machine", MACHINES)
def test_occupancy_is_clangs(machine: str) -> None:
    target = parse_target(machine).target
    ours = tuple(target.occupancy(vgprs, 16, lds, threads) for vgprs, lds, threads in ASKED)
    assert dict(zip(ASKED, ours, strict=True)) == dict(zip(ASKED, waves_of_clang(machine, ASKED), strict=True))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_workgroup_gets_its_budget_and_no_register_more(machine: str) -> None:
    """Every wave of a workgroup is resident at once: by clang's count with the budget, and not with one VGPR more."""
    target = parse_target(machine).target
    for threads in (512, 768, 1024):
        needed = -(-threads // target.wave_size)
        budget = target.workgroup_vgprs(threads)
        sizes = tuple(size for size in (budget, budget + 1) if size <= target.arch_vgprs)
        fits = [waves * target.simds >= needed for waves in waves_of_clang(machine, tuple((size, 0, threads) for size in sizes))]
        assert fits == [size <= budget for size in sizes], threads
