"""What clang makes for every target: registers counted from the code are those of its metadata, waves are those of its comments."""

from __future__ import annotations

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from asmgen.report.model import KernelReport
from asmgen.report.sources import report_compiled
from isa.targets import TARGETS, parse_target
from tests.rows import MACHINES, spread

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objdump-22")]

ROOT = Path(__file__).parents[3]
PEERS = ROOT / "tools" / "clang-kernels"
KERNELS = ROOT / "tests" / "unit" / "isa" / "kernels"
CLANG = ("clang-22", "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w")
OF_ALL = (
    PEERS / "softmax.cl", PEERS / "sgemm128.cl", PEERS / "gelu_erf.cl", PEERS / "vecadd_n.cl", PEERS / "diverge.cl",
    KERNELS / "scratch.cl", KERNELS / "divergence.cl",
)  # fmt: skip
OF_SOME = {
    "gfx90a": ("hgemm_mfma16",), "gfx942": ("hgemm_mfma16", "row_sum_wave", "transpose_v4"), "gfx950": ("hgemm_mfma", "layernorm"),
    "gfx1100": ("hgemm_wmma", "row_sum_shfl"), "gfx1201": ("hgemm_wmma", "rmsnorm"),
}  # fmt: skip
SOURCES = [
    *((machine, source) for machine in (*MACHINES, "gfx90a:xnack-") for source in OF_ALL),
    *((machine, PEERS / f"{name}.cl") for machine, names in OF_SOME.items() for name in names),
]


@cache
def built(source: Path, machine: str, *options: str) -> bytes:
    """What clang makes of a source for a machine; a code object, or text with -S."""
    target = parse_target(machine)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "kernel"
        defined = f"-DWAVE={target.target.wave_size}"
        subprocess.run([*CLANG, f"-mcpu={target.clang}", *target.clang_options, defined, *options, str(source), "-o", str(path)], check=True)
        return path.read_bytes()


def reports(source: Path, machine: str) -> tuple[KernelReport, ...]:
    return report_compiled(built(source, machine, "-O2"), source.name, None).kernels


def assembly_of(source: Path, machine: str) -> str:
    return built(source, machine, "-O2", "-S").decode()


def waves_of_clang(assembly: str, kernel: str) -> int:
    """The occupancy in the comments behind a kernel."""
    found = re.search(r"^; Occupancy: (\d+)$", assembly[assembly.index(f"\n{kernel}:") :], re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(("machine", "name"), spread([(machine, str(source.relative_to(ROOT))) for machine, source in SOURCES], 1))
def test_what_is_counted_is_what_clang_declares(machine: str, name: str) -> None:
    """Each difference between the largest pressure and the registers of a wave has its reasons; clang's count
    of waves is ours."""
    source = ROOT / name
    assembly = assembly_of(source, machine)
    target = parse_target(machine).target
    for kernel in reports(source, machine):
        assert kernel.registers == "physical"
        for file in kernel.files:
            has_count = target.has_agprs or file.name != "AGPR"
            assert file.declared == (file.used if has_count else None), (kernel.name, file.name)
            assert file.lower_bound + sum(step.count for step in file.steps) == file.taken
            assert file.lower_bound <= file.used
        assert kernel.file("VGPR").lower_bound > 0
        assert kernel.occupancy.waves == waves_of_clang(assembly, kernel.name), kernel.name


@pytest.mark.parametrize("machine", MACHINES)
def test_assembly_and_code_object_of_one_kernel_say_the_same(machine: str) -> None:
    source = KERNELS / "divergence.cl"
    of_text = report_compiled(assembly_of(source, machine), source.name, None).kernels
    assert [_said(kernel) for kernel in of_text] == [_said(kernel) for kernel in reports(source, machine)]


def _said(kernel: KernelReport) -> tuple[object, ...]:
    """The assembler puts NOPs before a loop that begins at a multiple of a cache line."""
    return kernel.name, kernel.file("VGPR").steps, [point.live for point in kernel.points if point.site.text != "s_nop 0"], kernel.occupancy


WHERE_WAVES_DIFFER = [pytest.param(machine, marks=pytest.mark.slow if machine in ("gfx950", "gfx1201") else ()) for machine in MACHINES]
VGPRS = (8, 25, 72, 97, 120, 144, 193, 256)
LDS = (8192, 40960, 61440)


@pytest.mark.parametrize("machine", WHERE_WAVES_DIFFER)
def test_every_step_of_the_occupancy_is_clangs(machine: str, tmp_path: Path) -> None:
    """Kernels that ask for as many registers, or as much LDS, as that; the metadata counts what no instruction names."""
    source = tmp_path / "steps.cl"
    head = "__attribute__((reqd_work_group_size(256, 1, 1))) kernel void"
    of_vgprs = [f'{head} v{count}(global int *p) {{ __asm__ volatile("" ::: "v{count - 1}"); p[0] = 1; }}' for count in VGPRS]
    of_lds = [f"{head} l{size}(global int *p) {{ local volatile int x[{size // 4}]; x[0] = 1; p[0] = x[3]; }}" for size in LDS]
    source.write_text("\n".join([*of_vgprs, *of_lds]), encoding="utf-8")
    assembly = assembly_of(source, machine)
    kernels = reports(source, machine)
    assert len(kernels) == len(VGPRS) + len(LDS)
    assert {kernel.name: kernel.occupancy.waves for kernel in kernels} == {kernel.name: waves_of_clang(assembly, kernel.name) for kernel in kernels}
    for kernel in kernels:
        asked = kernel.file("VGPR")
        assert asked.declared == (int(kernel.name[1:]) if kernel.name.startswith("v") else asked.used)
        assert asked.taken >= (asked.declared or 0)
        assert asked.lower_bound + sum(step.count for step in asked.steps) == asked.taken


def test_all_of_gfx950s_lds(tmp_path: Path) -> None:
    """What no other target has: more than 64 KiB for a workgroup."""
    source = tmp_path / "large.cl"
    sizes = (61440, 81920, 92160, TARGETS["gfx950"].lds_bytes)
    head = "__attribute__((reqd_work_group_size(256, 1, 1))) kernel void"
    lines = (f"{head} l{size}(global int *p) {{ local volatile int x[{size // 4}]; x[0] = 1; p[0] = x[3]; }}" for size in sizes)
    source.write_text("\n".join(lines), encoding="utf-8")
    assembly = assembly_of(source, "gfx950")
    waves = {kernel.name: kernel.occupancy.waves for kernel in reports(source, "gfx950")}
    assert waves == {f"l{size}": waves_of_clang(assembly, f"l{size}") for size in sizes}
    assert waves["l61440"] > waves["l163840"]
