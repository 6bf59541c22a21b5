"""C, HIP and OpenCL kernels through clang: a file of them for a target and a level at a time, as a code object."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from isa.targets import TargetId, parse_target
from tests.unit.isa.kernel_builds import buffer_flags

SOURCES = Path(__file__).parent / "sources"
CLANG = "clang-22"
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
_TRIPLE = ("-target", "amdgcn-amd-amdhsa", "-nogpulib", "-ffreestanding")
_LANGUAGES: dict[str, tuple[str, ...]] = {
    ".c": ("-x", "c", "-std=c17", "-fvisibility=default", *_TRIPLE),
    ".cl": (
        "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-cl-fp32-correctly-rounded-divide-sqrt", *_TRIPLE,
    ),
    ".hip": ("-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc"),
}  # fmt: skip


@cache
def compiled(file: str, level: str, machine: str) -> bytes:
    """The kernels of one file for a target id, as `gfx1100:wave64`."""
    return compiled_text((SOURCES / file).read_text(), Path(file).suffix, level, machine)


def compiled_text(text: str, language: str, level: str, machine: str) -> bytes:
    """The code object of a source text in the language of a file suffix. CalledProcessError if clang refuses
    it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "kernels.co"
        command = [*_command(language, level, machine), "-o", str(path), "-"]
        subprocess.run(command, input=text, text=True, check=True)
        return path.read_bytes()


def assembly_of(text: str, language: str, level: str, machine: str) -> str:
    """The assembly of a source text, as clang prints it."""
    command = [*_command(language, level, machine), "-S", "-o", "-", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _command(language: str, level: str, machine: str) -> list[str]:
    target = parse_target(machine)
    processor = f"--offload-arch={target.clang}" if language == ".hip" else f"-mcpu={target.clang}"
    defines = [f"-DWAVE={target.target.wave_size}", f"-DBUFFER_FLAGS={buffer_flags(target.target):#x}"]
    options = [processor, *_wave_option(target), *defines, "-ffp-contract=off", "-w", f"-I{SOURCES}", level]
    return [CLANG, *_LANGUAGES[language], *options]


def _wave_option(target: TargetId) -> list[str]:
    if len(target.target.wave_sizes) == 1:
        return []
    return ["-mwavefrontsize64" if target.target.wave_size == 64 else "-mno-wavefrontsize64"]
