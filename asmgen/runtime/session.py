"""Launches on the emulator, in order, on buffers that stay in memory between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from asmgen.runtime.emulation import Launch, Limits, emulate, image_of
from isa.emulator.launching.arguments import ArgumentValue, KernelCall, Pointer, Resident
from isa.emulator.program.image import Image
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.runtime.watching.findings import Findings
    from asmgen.runtime.watching.watching import Watching

Array = np.ndarray[Any, Any]
Sizes = tuple[int, int, int]


class Buffer(Struct):
    """A buffer of a session: its content, and which of its bytes have a value; None if all have."""

    name: str
    content: Array
    defined: Array | None = None


class Within(NamedTuple):
    """An argument: the address of byte `offset` of a buffer."""

    buffer: str
    offset: int = 0


SessionArgument = ArgumentValue | Within


class SessionLaunch(Struct, frozen=True):
    """A launch of a kernel with `lds_bytes` of LDS in addition to the kernel's own."""

    kernel: str
    grid: Sizes
    block: Sizes
    args: tuple[SessionArgument, ...]
    lds_bytes: int = 0


class Session:
    """Runs launches on `buffers`. Their addresses are the same in every launch, so a kernel may store a
    pointer that a later kernel follows."""

    def __init__(
        self, buffers: Sequence[Buffer], limits: Limits, watching: Watching | None, findings: Findings | None
    ) -> None:
        self.buffers = {buffer.name: buffer for buffer in buffers}
        self._limits = limits
        self._watching = watching
        self._findings = findings
        self._images: dict[tuple[str, str], Image] = {}

    def run(self, program: str | bytes, name: str, step: SessionLaunch) -> None:
        """Launch a kernel of a program, and keep the new content of the buffers. `name` is the program's name
        in messages."""
        names, args = list(self.buffers), step.args
        given = [
            Pointer(len(args) + names.index(value.buffer), value.offset)
            if isinstance(value, Within)
            else value
            for value in args
        ]
        buffers = list(self.buffers.values())
        resident = tuple(Resident(each.name, each.content, each.defined) for each in buffers)
        call = KernelCall(step.grid, step.block, tuple(given), lds_bytes=step.lds_bytes, resident=resident)
        launch = Launch(program, name, step.kernel, call)
        image = self._images.get((name, step.kernel))
        if image is None:
            image = self._images[name, step.kernel] = image_of(launch)
        after = emulate(launch, self._limits, self._watching, self._findings, image)
        undefined = [each for each in buffers if each.defined is not None]
        for buffer, content in zip(buffers, after.resident, strict=True):
            buffer.content = content
        for buffer, defined in zip(undefined, after.defined, strict=False):
            buffer.defined = None if defined.all() else defined.copy()
