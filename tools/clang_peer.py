"""Compiles the kernels of tools/clang-kernels (OpenCL C without libraries) with clang-22."""

from __future__ import annotations

import subprocess
from pathlib import Path

CLANG = "clang-22"
_KERNELS = Path(__file__).parent / "clang-kernels"
SOURCES = {
    "vecadd": "vecadd_v4", "relu": "relu_v4", "muladd": "muladd_v4", "gelu": "gelu_tanh_v4",
    "gelu_erf": "gelu_erf", "row_sum": "row_sum",
    "row_max": "row_max", "softmax": "softmax", "layernorm": "layernorm", "rmsnorm": "rmsnorm",
}  # fmt: skip


def compile_command(
    source: str,
    output: str,
    target: str = "gfx942",
    options: tuple[str, ...] = ("-S",),
    offsets: bool = True,
) -> list[str]:
    """The command that compiles a file of clang-kernels to assembly text, or with empty `options` to a linked
    code object. With `offsets` it uses 32-bit offsets, as ours do."""
    language = ["-O3", "-x", "cl", "-cl-std=CL2.0", "-w", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}"]
    addresses = ["-DOFF32"] if offsets else []
    paths = ["-I", str(_KERNELS), "-o", output, str(_KERNELS / f"{source}.cl")]
    return [CLANG, *language, "-nogpulib", *addresses, *options, *paths]


def compile_to_assembly(kernel: str, output: str) -> None:
    """Compile a catalogue kernel's OpenCL form for gfx942. Raises CalledProcessError if clang refuses."""
    _ = subprocess.run(compile_command(SOURCES[kernel], output), check=True, capture_output=True)


def compile_to_object(kernel: str, output: str) -> None:
    """As `compile_to_assembly`, to a code object."""
    _ = subprocess.run(compile_command(SOURCES[kernel], output, options=()), check=True, capture_output=True)
