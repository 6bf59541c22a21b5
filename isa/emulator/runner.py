"""The emulator's front door: run a kernel of an assembly file, a code object, or a machine program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from numpy.typing import NDArray

from isa.diagnostics import Place
from isa.emulator.launching.arguments import ArgumentValue, Dimensions, KernelCall
from isa.emulator.launching.launch import Settings, execute, layout_of
from isa.emulator.launching.machine import STEP_LIMIT, Checker
from isa.emulator.observers import Observer
from isa.emulator.program.assembly import load_assembly
from isa.emulator.program.code import code_of_kernel
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import with_source_lines
from isa.emulator.sanitizer.faults import ALL_CHECKS, Check
from isa.emulator.state.register_layout import RegisterLayout, vector_registers_used
from isa.emulator.steps.block_plans import Steps
from isa.objects.descriptor import USER_ROLES, Descriptor, default_mode
from isa.program import Kernel
from isa.semantics.mode import Approximation


def load(
    source: str | bytes, kernel: str | None = None, name: str = "<assembly>", *, to_run: bool = True
) -> Image:
    """The kernel `kernel`, or the only kernel, of assembly text (str) or of a code object (bytes). InputError
    LOAD0xx.

    With `to_run` False the image is only for analysis: it has the kernel's own code without the functions
    that it calls, and the kernel needs no metadata.
    """
    if isinstance(source, str):
        return load_assembly(source, name, kernel, to_run)
    from isa.emulator.program.codeobject import load_code_object

    return load_code_object(source, name, kernel, to_run)


def run(
    source: str | bytes,
    kernel: str | None,
    grid: Dimensions,
    block: Dimensions,
    args: Sequence[ArgumentValue],
    *,
    sanitize: bool | frozenset[Check] = False,
    approximation: Approximation = Approximation.NEAREST,
    entry: str = "preload",
    undefined: Sequence[int] = (),
    name: str = "",
    progress: Callable[[int, int], None] | None = None,
    step_limit: int = STEP_LIMIT,
    seconds: float | None = None,
    lds_bytes: int = 0,
) -> list[NDArray[Any]]:
    """Emulate a launch, and return the array arguments as they are afterwards, in order.

    * `grid` counts workgroups, `block` work-items.
    * `undefined` lists the positions of arguments with undefined content: the kernel must write it before
      it reads it.
    * `sanitize` is True for every check, or the set of the wanted checks.
    * `progress` is called with the number of finished workgroups and the number of all workgroups.
    * A chunk of waves that runs more than `step_limit` instructions counts as endless, and so does a run of
      more than `seconds`.
    * `lds_bytes` of LDS are added to the LDS that the kernel declares.

    Raises InputError for bad input and for a program that goes wrong, and its subclass SanitizerError if
    `sanitize` finds a fault.
    """
    image = load(source, kernel, name or ("<assembly>" if isinstance(source, str) else "<code object>"))
    if isinstance(source, bytes):
        image = with_source_lines(image, source)
    settings = Settings(approximation, entry, step_limit=step_limit, seconds=seconds, progress=progress)
    launch = KernelCall(grid, block, tuple(args), frozenset(undefined), lds_bytes)
    return run_image(image, launch, sanitize=sanitize, settings=settings)


def run_image(
    image: Image, launch: KernelCall, *, sanitize: bool | frozenset[Check] = False,
    settings: Settings = Settings(), layout: RegisterLayout | None = None, checker: Checker | None = None,
    observers: Sequence[Observer] = (), steps: Steps | None = None,
) -> list[NDArray[Any]]:  # fmt: skip
    """As `run`, on a loaded kernel. `checker` runs in place of the sanitizer; `observers` only watch. `steps`
    are the decoded instructions of other orders of the code, on the same layout."""
    layout = layout or layout_of(image)
    if sanitize and checker is None:
        from isa.emulator.sanitizer.sanitizer import Sanitizer

        checker = Sanitizer(image, settings.entry == "preload", ALL_CHECKS if sanitize is True else sanitize)
    return execute(image, launch, layout, settings, checker, steps, observers)


def image_of_kernel(kernel: Kernel) -> Image:
    """A machine program as a loaded kernel; virtual registers may be in it."""
    entry = dict(kernel.abi.entry)
    target = kernel.target.target
    vgprs, agprs = vector_registers_used(code_of_kernel(kernel).instructions)
    _, y, z = kernel.axes
    ids = ("workgroup_id_x" in entry, "workgroup_id_y" in entry, "workgroup_id_z" in entry)
    has_offset = "private_segment_wavefront_offset" in entry
    descriptor = Descriptor(
        lds_bytes=kernel.lds_bytes,
        scratch_bytes=kernel.scratch_bytes,
        wave_size=target.wave_size,
        ids_in_ttmp=target.workgroup_ids_in_ttmp,
        user=tuple(role for role, _ in USER_ROLES if role in entry),
        preload_dwords=kernel.abi.preload_dwords,
        user_sgprs=target.user_sgpr_count(0, sum(ids)),
        workgroup_ids=ids,
        workitem_dimensions=3 if z > 1 else 2 if y > 1 else 1,
        vgprs=max(vgprs, 1) + agprs,
        agpr_offset=max(vgprs, 1),
        mode=default_mode(target),
        scratch_offset=has_offset,
        spread=target.spreads,
    )
    size = max((argument.offset + argument.size for argument in kernel.arguments), default=0)
    code = code_of_kernel(kernel)
    return Image(
        kernel.name,
        str(kernel.target),
        code,
        descriptor,
        kernel.arguments,
        size,
        prod(kernel.workgroup),
        None if kernel.abi.any_block else kernel.workgroup,
        Place(kernel.name),
    )


def layout_of_kernel(kernel: Kernel, image: Image) -> RegisterLayout:
    """The registers of a machine program, and of its `image`."""
    descriptor = image.descriptor
    agprs = descriptor.vgprs - descriptor.agpr_offset
    return RegisterLayout(descriptor.agpr_offset, agprs, kernel.owners, kernel.target.target)


def run_kernel(
    kernel: Kernel, grid: Dimensions, args: Sequence[ArgumentValue], *,
    sanitize: bool | frozenset[Check] = False,
    approximation: Approximation = Approximation.NEAREST, undefined: Sequence[int] = (),
) -> list[NDArray[Any]]:  # fmt: skip
    """Emulate a machine program, before or after allocation, with its own workgroup size.

    A program that has neither waits nor wait states yet is run with `sanitize=False`.
    """
    image = image_of_kernel(kernel)
    layout = layout_of_kernel(kernel, image)
    launch = KernelCall(grid, kernel.workgroup, tuple(args), frozenset(undefined))
    return run_image(image, launch, sanitize=sanitize, settings=Settings(approximation), layout=layout)
