"""The error for a damaged number of an ELF file's headers has its offset."""

from __future__ import annotations

import struct

import pytest

from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError
from isa.objects.bounds import fault_in
from isa.objects.kernels import object_kernel_names
from isa.targets import parse_target
from tests.unit.isa.test_assembler import KERNEL

DATA = assemble_text(KERNEL, parse_target("gfx942"), "k.s")
SEGMENTS, SECTIONS = struct.unpack_from("<QQ", DATA, 32)
COUNT, NAMES = struct.unpack_from("<HH", DATA, 60)


def section_headers(kind: int) -> list[int]:
    """The offsets of the headers of the sections of a type."""
    return [at for at in range(SECTIONS, SECTIONS + 64 * COUNT, 64) if struct.unpack_from("<I", DATA, at + 4)[0] == kind]


(NOTE,), (DYNSYM,), (HASH,) = section_headers(7), section_headers(11), section_headers(5)
(NOTE_AT,) = struct.unpack_from("<Q", DATA, NOTE + 24)
(SYMBOLS_AT,) = struct.unpack_from("<Q", DATA, DYNSYM + 24)


def changed(at: int, value: int, size: int) -> bytes:
    data = bytearray(DATA)
    data[at : at + size] = value.to_bytes(size, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("at", "value", "size", "told"),
    [
        (4, 1, 1, 4), (5, 2, 1, 5), (32, 1 << 60, 8, 32), (54, 1, 2, 54), (56, 9999, 2, 32), (40, 1 << 60, 8, 40), (58, 1, 2, 58),
        (60, 0, 2, 40), (60, 999, 2, 40), (62, 77, 2, 62), (SEGMENTS + 32, 1 << 40, 8, SEGMENTS), (NOTE + 24, 1 << 63, 8, NOTE),
        (NOTE + 32, 1 << 30, 8, NOTE), (NOTE, 5000, 4, NOTE), (NOTE + 40, 99, 4, NOTE), (DYNSYM + 56, 8, 8, DYNSYM), (DYNSYM + 40, 1, 4, DYNSYM),
        (HASH + 40, 1, 4, HASH), (SYMBOLS_AT + 24, 5000, 4, SYMBOLS_AT + 24), (NOTE_AT + 4, 1 << 31, 4, NOTE_AT), (NOTE_AT, 1 << 31, 4, NOTE_AT),
    ],
)  # fmt: skip
def test_a_damaged_number_is_told_with_its_offset(at: int, value: int, size: int, told: int) -> None:
    data = changed(at, value, size)
    fault = fault_in(data)
    assert fault is not None and fault.offset == told, fault
    with pytest.raises(InputError) as caught:
        object_kernel_names(data, "k.co")
    assert caught.value.code == "LOAD021" and f"offset {told:#x}" in caught.value.message


def test_a_whole_file_has_no_fault() -> None:
    assert fault_in(DATA) is None


@pytest.mark.parametrize("length", [4, 63, 64, 200, len(DATA) - 1])
def test_a_file_that_is_cut_has_one(length: int) -> None:
    assert fault_in(DATA[:length]) is not None


@pytest.mark.parametrize("flags", [0xFF, 0x241, 0xA41])
def test_flags_of_no_target_or_of_features_that_it_lacks(flags: int) -> None:
    with pytest.raises(InputError) as caught:
        object_kernel_names(changed(48, flags, 4), "k.co")
    assert caught.value.code == "LOAD023" and "offset 0x30" in caught.value.message
