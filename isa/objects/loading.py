"""A code object in memory: its sections at their addresses, with relocations applied (AMDGPUUsage,
"Relocation Records")."""

from __future__ import annotations

from typing import Protocol

from isa.diagnostics import InputError, Place
from isa.objects.elf import LoadedRelocation, LoadedSection

_ABS32_LO, _ABS32_HI, _ABS64, _REL32, _REL64, _ABS32, _RELATIVE64 = 1, 2, 3, 4, 5, 6, 13
_REL32_LO, _REL32_HI = 10, 11
_NONE = 0
# bytes that are filled in, whether the distance from the place is meant, and by how many bits it is shifted
_FORMS = {
    _ABS32_LO: (4, False, 0), _ABS32_HI: (4, False, 32), _ABS64: (8, False, 0), _REL32: (4, True, 0),
    _REL64: (8, True, 0), _ABS32: (4, False, 0), _REL32_LO: (4, True, 0), _REL32_HI: (4, True, 32),
    _RELATIVE64: (8, False, 0),
}  # fmt: skip


class Parts(Protocol):
    """The parts of a code object that loading needs."""

    def sections(self) -> list[LoadedSection]: ...
    def relocations(self) -> list[LoadedRelocation]: ...


def loaded_sections(elf: Parts, base: int, place: Place) -> tuple[LoadedSection, ...]:
    """The sections of an object with its address 0 loaded at `base`.

    Raises InputError LOAD028 for a relocation of an unknown kind or outside of the sections, LOAD029 for an
    undefined symbol.
    """
    sections = elf.sections()
    contents = [bytearray(section.content) for section in sections]
    for relocation in elf.relocations():
        if relocation.type != _NONE:
            _apply(relocation, sections, contents, base, place)
    return tuple(
        section._replace(address=section.address + base, content=bytes(content))
        for section, content in zip(sections, contents, strict=True)
    )


def _apply(
    relocation: LoadedRelocation,
    sections: list[LoadedSection],
    contents: list[bytearray],
    base: int,
    place: Place,
) -> None:
    form = _FORMS.get(relocation.type)
    if form is None:
        raise InputError(
            place,
            "LOAD028",
            f"a relocation of type {relocation.type} at {relocation.address:#x}, which is not known",
            help="link it again with ld.lld -shared",
        )
    size, relative, shift = form
    if relocation.value is None:
        raise InputError(
            place,
            "LOAD029",
            f"{relocation.symbol} is not defined in the code object, and {relocation.address:#x} refers to "
            "it",
            help="link it with the object that defines it",
        )
    start = base if relocation.type == _RELATIVE64 else relocation.value + base * bool(relocation.value)
    value = start + relocation.addend - (relocation.address + base) * relative
    raw = (value >> shift & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    for section, content in zip(sections, contents, strict=True):
        at = relocation.address - section.address
        if at >= 0 and at + size <= len(content):
            content[at : at + size] = raw
            return
    message = f"the relocation at {relocation.address:#x} is in no section that is loaded"
    raise InputError(place, "LOAD028", message, help="link it again with ld.lld -shared")
