"""A loaded kernel, whatever it was loaded from."""

from __future__ import annotations

from dataclasses import dataclass

from isa.diagnostics import InputError, Place, close_names
from isa.emulator.code import Code
from isa.emulator.descriptor import Descriptor
from isa.emulator.metadata import NOT_COUNTED, RegisterCounts
from isa.program import Argument


@dataclass(frozen=True, slots=True)
class Image:
    """A kernel ready to launch: its code, what the hardware sets up, and its arguments as the metadata lists them."""

    name: str
    target: str
    code: Code
    descriptor: Descriptor
    arguments: tuple[Argument, ...]
    kernarg_size: int
    largest_workgroup: int
    required: tuple[int, int, int] | None
    place: Place
    counts: RegisterCounts = NOT_COUNTED
    constants: tuple[tuple[int, bytes], ...] = ()  # read-only data that the code reaches from its own address: where it lies, its bytes
    has_metadata: bool = True  # without, its arguments are not known, nor how large a workgroup may be


def choose(names: list[str], wanted: str | None, place: Place) -> str:
    """The name of the kernel to run: the wanted one, or the only one."""
    if wanted is None:
        if len(names) == 1:
            return names[0]
        raise InputError(place, "LOAD002", f"the file has {len(names)} kernels, and none was named; it has {', '.join(sorted(names)) or 'none'}")
    if wanted not in names:
        known = ", ".join(sorted(names)) or "(the file has none)"
        raise InputError(place, "LOAD003", f"there is no kernel {wanted!r}, wanted one of {known}", help=close_names(wanted, names))
    return wanted
