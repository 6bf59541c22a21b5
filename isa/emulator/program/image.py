"""A loaded kernel, whatever it was loaded from."""

from __future__ import annotations

from msgspec import Struct

from isa.diagnostics import Place
from isa.emulator.program.code import Code
from isa.objects.descriptor import Descriptor
from isa.objects.elf import LoadedSection
from isa.objects.metadata import NOT_COUNTED, KernelMetadata, RegisterCounts
from isa.program import Argument
from isa.targets import TargetId


class Image(Struct, frozen=True, eq=False):
    """A kernel ready to launch: its code, the hardware's setup, and the arguments of its metadata. Images
    compare by identity, so facts about an image can be cached."""

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
    ] = ()  # data in memory with the code, if the code can address it from its own address
    has_metadata: bool = True  # without, its arguments are not known, nor how large a workgroup may be

    @classmethod
    def of(
        cls, metadata: KernelMetadata, target: TargetId, code: Code, descriptor: Descriptor, place: Place,
        sections: tuple[LoadedSection, ...] = (),
    ) -> Image:  # fmt: skip
        """A kernel with metadata."""
        return cls(
            name=metadata.name,
            target=str(target),
            code=code,
            descriptor=descriptor,
            arguments=metadata.arguments,
            kernarg_size=metadata.kernarg_size,
            largest_workgroup=metadata.largest_workgroup,
            required=metadata.required,
            place=place,
            counts=metadata.counts,
            sections=sections,
        )
