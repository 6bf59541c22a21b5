"""The note of a code object: its metadata as msgpack, in the order and the widths of LLVM's writer."""

from __future__ import annotations

import struct
from typing import Any, cast

from isa.objects.content import ALLOC, NOTE, Section

_NT_AMDGPU_METADATA = 32
_OWNER = b"AMDGPU\0"


def metadata_note(metadata: Any) -> Section:
    """The section .note of metadata: mappings, lists, strings, integers and booleans (AMDGPUUsage, "Code
    Object Metadata")."""
    import msgpack

    packed = msgpack.packb(_sorted(metadata))
    header = struct.pack("<III", len(_OWNER), len(packed), _NT_AMDGPU_METADATA)
    return Section(".note", NOTE, ALLOC, 4, data=bytearray(header + _padded(_OWNER) + _padded(packed)))


def _sorted(value: Any) -> Any:
    """Mappings by the bytes of their keys."""
    if isinstance(value, dict):
        items = cast(dict[str, Any], value)
        return {key: _sorted(items[key]) for key in sorted(items, key=str.encode)}
    return [_sorted(item) for item in cast(list[Any], value)] if isinstance(value, list) else value


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
