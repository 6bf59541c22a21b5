"""What selection decided, in words: one line a buffer of the workgroup's LDS."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.ir.shapes import format_type
from asmgen.select.selection import Selection, buffer_type


def lds_offsets(selection: Selection) -> Iterator[str]:
    """Where each buffer lies, and the total."""
    name = selection.emitter.kernel.name
    for buffer, offset in selection.lds_offsets.items():
        type_ = buffer_type(buffer)
        size = type_.elements * type_.element.bytes
        yield f"{name}: {buffer.name} -> {format_type(type_)}, {size} bytes at {offset}"
    if selection.lds_bytes:
        yield f"{name}: in all {selection.lds_bytes} bytes"
