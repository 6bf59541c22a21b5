"""Instructions of code objects with the source lines that the object names."""

from __future__ import annotations

from msgspec.structs import replace

from isa.emulator.program.image import Image
from isa.instruction import Instr, Origin
from isa.objects.source_lines import line_table


def with_source_lines(image: Image, data: bytes) -> Image:
    """A kernel of a code object with the source lines of the object in its instructions, if there are any."""
    table = line_table(data)
    if not table.starts:
        return image
    code = image.code
    operations = [
        replace(operation, origin=Origin("", place))
        if isinstance(operation, Instr) and (place := table.at(address))
        else operation
        for operation, address in zip(code.operations, code.object_addresses, strict=True)
    ]
    return replace(image, code=replace(code, operations=operations))
