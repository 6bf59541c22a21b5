"""A launch on the emulator, watched or not, on memory of its own or on memory that stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from asmgen.options import MAX_STEPS
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings, execute, layout_of
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import with_source_lines

if TYPE_CHECKING:
    from asmgen.runtime.watching.findings import Findings
    from asmgen.runtime.watching.watching import Watching

Array = np.ndarray[Any, Any]


class Limits(Struct, frozen=True):
    """How a launch runs: its limits, whether the sanitizer looks for faults, and what receives the number of
    workgroups that are done, and of how many."""

    max_steps: int = MAX_STEPS
    max_seconds: float | None = None
    sanitize: bool = True
    progress: Callable[[int, int], None] | None = None


class Launch(Struct, frozen=True):
    """A kernel of assembly text or of a code object (None: the only kernel), and how it is launched."""

    program: str | bytes
    name: str
    kernel: str | None
    call: KernelCall


class Emulated(Struct, frozen=True):
    """The array arguments and the resident buffers after a launch, and for each resident buffer that was
    undefined in part, which of its bytes have a value now."""

    arrays: list[Array]
    resident: list[Array]
    defined: list[Array]


def image_of(launch: Launch) -> Image:
    """The kernel of a launch, with source lines."""
    image = load(launch.program, launch.kernel, launch.name)
    return with_source_lines(image, launch.program) if isinstance(launch.program, bytes) else image


def emulate(
    launch: Launch, limits: Limits, watching: Watching | None = None, findings: Findings | None = None,
    image: Image | None = None,
) -> Emulated:  # fmt: skip
    """Run a launch. `watching` shows what happens; `findings` takes the sanitizer's findings; without it the
    first finding ends the run. Raises InputError for bad input and for a program that goes wrong."""
    image, call = image or image_of(launch), launch.call
    settings = Settings(step_limit=limits.max_steps, seconds=limits.max_seconds, progress=limits.progress)
    checker = None
    if limits.sanitize:
        from isa.emulator.sanitizer.sanitizer import Sanitizer

        checker = Sanitizer(image, preload=True, report=None if findings is None else findings.report)
    watched = None if watching is None else watching.launch(image, call)
    observers = () if watched is None else tuple(watched.observers)
    try:
        after = execute(image, call, layout_of(image), settings, checker, observers=observers)
    finally:
        if watched is not None:
            watched.end()
    count = len(after) - len(call.resident)
    return Emulated(after[:count], after[count:], [] if checker is None else checker.written())
