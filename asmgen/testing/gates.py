"""Gates on what a kernel takes, so that a change that costs registers or occupancy is seen where it is
made."""

from __future__ import annotations

from typing import cast

from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.testing.subjects import kernels_of
from isa.diagnostics import InputError


def assert_resources(
    subject: CompiledProgram | CompiledKernel,
    *,
    vgprs: int | None = None,
    agprs: int | None = None,
    sgprs: int | None = None,
    lds_bytes: int | None = None,
    scratch_bytes: int | None = None,
    spills: int | None = None,
    occupancy: int | None = None,
) -> None:
    """Every kernel takes at most what is given of each resource, and reaches at least the occupancy (waves a
    SIMD).

    The resources are those of `kernel.resources`: `vgprs` counts AGPRs too, sizes are in bytes, scratch of
    one work-item. Raises AssertionError that names each kernel beyond a gate and everything that it takes.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    most = {
        "vgprs": vgprs,
        "agprs": agprs,
        "sgprs": sgprs,
        "lds_bytes": lds_bytes,
        "scratch_bytes": scratch_bytes,
        "spills": spills,
    }
    for name, gate in {**most, "occupancy": occupancy}.items():
        if gate is not None and not isinstance(cast("object", gate), int | float):
            raise InputError("asmgen.testing", "TST003", f"got {name}={gate!r}, wanted a number")
    beyond: list[str] = []
    for kernel in kernels_of(subject):
        taken = _taken(kernel)
        broken = [
            f"{name} is {taken[name]}, wanted at most {gate}"
            for name, gate in most.items()
            if gate is not None and taken[name] > gate
        ]
        if occupancy is not None and taken["occupancy"] < occupancy:
            broken.append(f"occupancy is {taken['occupancy']}, wanted at least {occupancy}")
        if broken:
            everything = ", ".join(f"{name} {amount}" for name, amount in taken.items())
            beyond.append(f"{kernel.name} for {kernel.target}: {'; '.join(broken)}\n  takes {everything}")
    if beyond:
        beyond.append("  `print(program.report())`, or `python -m asmgen report`, shows what is live where")
        raise AssertionError("\n".join(beyond))


def _taken(kernel: CompiledKernel) -> dict[str, int]:
    found = kernel.resources
    return {
        "vgprs": found.vgprs, "agprs": found.agprs, "sgprs": found.sgprs, "lds_bytes": found.lds_bytes,
        "scratch_bytes": found.scratch_bytes, "spills": found.spills, "occupancy": found.occupancy,
    }  # fmt: skip
