"""Instructions with the source lines that a code object or assembly text names."""

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


def without_own_lines(image: Image) -> Image:
    """A kernel of assembly text that its reader does not have: the instructions that come from no source have
    no place, instead of their lines of the text."""
    code = image.code
    operations = [
        replace(operation, origin=Origin(origin.op))
        if isinstance(operation, Instr) and (origin := operation.origin) and origin.line is None
        else operation
        for operation in code.operations
    ]
    return replace(image, code=replace(code, operations=operations))
