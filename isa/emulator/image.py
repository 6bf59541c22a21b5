"""A loaded kernel, whatever it was loaded from."""

from __future__ import annotations

from msgspec import Struct

from isa.diagnostics import Place
from isa.emulator.code import Code
from isa.objects.descriptor import Descriptor
from isa.objects.elf import LoadedSection
from isa.objects.metadata import NOT_COUNTED, RegisterCounts
from isa.program import Argument


class Image(Struct, frozen=True, eq=False):
    """A kernel ready to launch: its code, what the hardware sets up, and its arguments as the metadata lists
    them. Two of them are the same only as one object, so that what is known of one can be kept."""

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
    sections: tuple[
        LoadedSection, ...
    ] = ()  # what lies in memory with the code, where the code can reach it from its own address
    has_metadata: bool = True  # without, its arguments are not known, nor how large a workgroup may be
