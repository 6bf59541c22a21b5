"""C kernels through clang: a file of them for a target at a time, as assembly text or as a code object."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from isa.target import Target
from isa.targets import parse_target
from tests.unit.isa.kernel_cases import has_row_share

SOURCES = Path(__file__).parent / "kernels"
CLANG = "clang-22"
OPTIONS = (
    "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-ffp-contract=off", "-cl-fp32-correctly-rounded-divide-sqrt",
    "-fno-strict-float-cast-overflow", "-w",
)  # fmt: skip


@cache
def compiled(file: str, level: str, assembly: bool, machine: str, extra: tuple[str, ...] = ()) -> str | bytes:
    """The kernels of one file for a target id, `gfx1100:wave64` for waves of 64 lanes if those are not the
    target's own."""
    target = parse_target(machine)
    options = [f"-mcpu={target.clang}", f"-DWAVE={target.target.wave_size}", f"-DBUFFER_FLAGS={buffer_flags(target.target):#x}", *extra]
    options += ["-DROW_SHARE"] if has_row_share(target) else []
    if len(target.target.wave_sizes) > 1:
        options.append("-mwavefrontsize64" if target.target.wave_size == 64 else "-mno-wavefrontsize64")
    command = [CLANG, *OPTIONS, *options, level, str(SOURCES / f"{file}.cl")]
    if assembly:
        return subprocess.run([*command, "-S", "-o", "-"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "kernels.co"
        subprocess.run([*command, "-o", str(path)], check=True)
        return path.read_bytes()


def buffer_flags(target: Target) -> int:
    """The last word of a raw buffer's resource: 32-bit data; bounds, if it has a way to check them, are
    checked by the byte's offset."""
    return 0x31014000 if target.bounds_in_resource else 0x00027000
