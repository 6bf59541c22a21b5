"""Small programs for tests of the emulator: a body of instructions between a fixed beginning and end.

The beginning leaves `in[lane]` in v1, the lane's byte offset in v10, the buffers in s[4:5] (in) and s[6:7] (out); the
end stores v2 to `out[lane]` of every lane. One workgroup, v0 as the hardware fills it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from isa.diagnostics import Place
from isa.emulator import run_image
from isa.emulator.code import Code, Operation
from isa.emulator.descriptor import Descriptor
from isa.emulator.faults import Check
from isa.emulator.image import Image
from isa.emulator.launch import Settings
from isa.instruction import Origin
from isa.program import Argument
from tests.rows import parse_instr

Array = np.ndarray[Any, Any]
BEGIN = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[4:5]
s_waitcnt vmcnt(0)
"""
END = """
s_mov_b64 exec, -1
s_nop 7
global_store_dword v10, v2, s[6:7]
s_endpgm
"""
BUFFERS = (Argument("in", 0, 8), Argument("out", 8, 8))


def code_of(text: str) -> Code:
    """Labels and instructions, one a line; the place of each is its line."""
    operations: list[Operation] = []
    labels: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition(";")[0].strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(operations)
        elif line:
            place = Place("test.s", number, 1)
            operations.append(replace(parse_instr(line, place), origin=Origin("", place)))
    return Code("test", operations, labels)


def image_of(text: str, arguments: tuple[Argument, ...] = BUFFERS, **descriptor: Any) -> Image:
    """A kernel with the kernarg pointer in s[0:1] and the workgroup's number in s2; further fields of its descriptor by name."""
    fields: dict[str, Any] = {"workgroup_ids": (True, False, False), "vgprs": 64, "agpr_offset": 48, "mode": 0x3F0} | descriptor
    size = max((argument.offset + argument.size for argument in arguments), default=0)
    return Image("test", "gfx942:xnack-", code_of(text), Descriptor(**fields), arguments, size, 1024, None, Place("test.s"))


def launch(
    text: str, values: Sequence[Any], *, grid: int = 1, block: int = 64, sanitize: bool | frozenset[Check] = False,
    settings: Settings = Settings(), undefined: Sequence[int] = (1,), **descriptor: Any,
) -> list[Array]:  # fmt: skip
    image = image_of(text, **descriptor)
    return run_image(image, (grid, 1, 1), (block, 1, 1), values, sanitize=sanitize, settings=settings, undefined=undefined)


def out_of(
    body: str, x: Array, *, sanitize: bool | frozenset[Check] = True, waves: int = 1, settings: Settings = Settings(), **descriptor: Any,
) -> Array:  # fmt: skip
    """What a body makes of `x`, 32 bits a lane, as the type of `x`."""
    arguments = [x, np.zeros(64 * waves, x.dtype)]
    return launch(BEGIN + body + END, arguments, block=64 * waves, sanitize=sanitize, settings=settings, **descriptor)[1]
