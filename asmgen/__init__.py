"""asmgen: tensor programs to AMDGPU code objects, and an emulator to prove them on.

    program = asmgen.compile(source, target="gfx942")
    outputs = program(*arrays, device="auto")

Nothing heavy is imported before it is needed: `import asmgen` does not load numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isa.diagnostics import InputError, InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np

    from asmgen.compiled import CompiledProgram
    from asmgen.frontends.traced.spec import Spec
    from asmgen.ir.program import Program

__all__ = ["InputError", "InternalError", "compile", "run", "spec"]


def compile(
    source: str | Path | Program | Callable[..., object],
    target: str = "gfx942",
    inputs: Sequence[object] | None = None,
    **options: object,
) -> CompiledProgram:
    """Compile a path, gen text, a graph, or a function that is traced with `inputs` (specs or example
    arrays).

    `options` are the fields of `asmgen.options.Options`. In max and min of a traced function a NaN wins, as
    in numpy, unless `nan="ieee"` is given. Raises `InputError` for whatever cannot be accepted.
    """
    from asmgen.compiler import compile_source
    from asmgen.options import PROPAGATE, make_options

    if callable(source):
        options = {"nan": PROPAGATE, **options}
    return compile_source(source, target, make_options(options), inputs)


def run(
    source: str | bytes | Path,
    *,
    kernel: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    args: Sequence[object],
    device: str = "emulator",
    allow_include: bool = False,
    max_steps: int | None = None,
    max_seconds: float | None = None,
    lds_bytes: int = 0,
    sanitize: bool = True,
    target: str | None = None,
) -> list[np.ndarray[Any, Any]]:
    """Run one kernel of a code object, of assembly text, or of a file of either. `grid` counts workgroups.

    `args` are numbers and arrays: numpy's, or any by DLPack or the buffer protocol. Gives the array arguments
    as they are afterwards, in order; those given stay as they are. `allow_include` lets assembly text read
    other files (.include, .incbin). The emulator counts a kernel as endless after `max_steps` instructions,
    else after those of some seconds, and after `max_seconds`; and at once where no wave gets any further. A
    workgroup has `lds_bytes` of LDS besides what the kernel declares (`extern __shared__`); a `local` pointer
    of OpenCL takes its number of bytes as its argument. Its sanitizer looks for faults of the program
    (docs/sanitizer.md) unless `sanitize` is False. `target` chooses among the code objects of a fat binary,
    or of a host program that holds one. Raises `InputError` for what cannot be run, and for what
    the sanitizer finds.
    """
    from asmgen.runtime.run import run as run_kernel

    return run_kernel(
        source, kernel, grid, block, args, device, allow_include=allow_include, max_steps=max_steps,
        max_seconds=max_seconds,
        lds_bytes=lds_bytes, sanitize=sanitize, target=target,
    )  # fmt: skip


def spec(
    element: object, dims: tuple[int | str, ...] | int | str, strides: tuple[int, ...] | int | None = None
) -> Spec:
    """What an argument of a traced function is: its type, its shape, and strides counted in elements.

    The type is gen's name ("f32"), numpy's, or a numpy dtype; a dim that only the launch knows is a name.
    Raises `InputError` for what is none, or no shape.
    """
    from asmgen.frontends.traced.spec import spec as make_spec

    return make_spec(element, dims, strides)
