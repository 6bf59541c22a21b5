"""Code objects: the places at which they are cut, and wrong fields of their ELF header (offsets of the ELF-64
specification)."""

from __future__ import annotations

SIZES = (0, 1, 3, 4, 16, 40, 63, 64, 100, 500, 1000, 2000, 4000)


def _number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "little")


PATCHES = (
    # the magic, the class, the byte order
    (0, b"PK\x03\x04"), (0, b"#!/b"), (0, bytes(16)), (4, b"\x01"), (4, b"\x07"), (5, b"\x02"), (5, b"\x00"),
    # e_type
    (16, _number(1, 2)), (16, _number(2, 2)), (16, _number(4, 2)), (16, _number(0xFFFF, 2)),
    # e_machine
    (18, _number(62, 2)), (18, _number(0, 2)), (18, _number(0xFFFF, 2)),
    # e_phoff, e_phnum
    (32, _number(2**64 - 1, 8)), (32, _number(2**63, 8)), (56, _number(0xFFFE, 2)),
    # e_shoff
    (40, _number(2**64 - 1, 8)), (40, _number(2**63, 8)), (40, _number(1 << 40, 8)), (40, _number(1, 8)),
    # the machine in e_flags
    (48, _number(0x2F, 1)), (48, _number(0, 1)), (48, _number(0xFF, 1)),
    # e_shnum, e_shstrndx
    (60, _number(0xFFFF, 2)), (60, _number(1, 2)), (62, _number(0xFFFF, 2)), (62, _number(1, 2)),
)  # fmt: skip
