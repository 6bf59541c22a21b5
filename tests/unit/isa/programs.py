"""Small programs for tests of the emulator: a body of instructions between a fixed beginning and end, for gfx942 or another machine.

The beginning leaves `in[lane]` in v1, the lane's byte offset in v10, the buffers in s[4:5] (in) and s[6:7] (out); the
end stores v2 to `out[lane]` of every lane. One workgroup, v0 as the hardware fills it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from isa.diagnostics import Place
from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.program.code import Code, Operation
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.faults import Check
from isa.instruction import Origin
from isa.objects.descriptor import Descriptor, default_mode
from isa.program import Argument
from isa.table import table_named
from isa.targets import TARGETS, parse_target
from isa.text.parsing import parse_instr

Array = np.ndarray[Any, Any]
BEGIN = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[4:5]
s_waitcnt vmcnt(0)
"""
RDNA3_BEGIN = """
s_load_b128 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_waitcnt lgkmcnt(0)
global_load_b32 v1, v10, s[4:5]
s_waitcnt vmcnt(0)
"""
RDNA4_BEGIN = """
s_load_b128 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_wait_kmcnt 0x0
global_load_b32 v1, v10, s[4:5]
s_wait_loadcnt 0x0
"""
END = """
s_mov_b64 exec, -1
s_nop 7
global_store_dword v10, v2, s[6:7]
s_endpgm
"""
RDNA_END = """
s_mov_b64 exec, -1
global_store_b32 v10, v2, s[6:7]
s_endpgm
"""
_RDNA = {"rdna3": (RDNA3_BEGIN, RDNA_END), "rdna4": (RDNA4_BEGIN, RDNA_END)}
FRAMES = {name: _RDNA.get(target.generation, (BEGIN, END)) for name, target in TARGETS.items()}
ORIGINAL = "gfx942:xnack-"
BUFFERS = (Argument("in", 0, 8), Argument("out", 8, 8))


def code_of(text: str, machine: str = ORIGINAL) -> Code:
    """Labels and instructions, one a line; the place of each is its line."""
    operations: list[Operation] = []
    labels: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition(";")[0].strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(operations)
        elif line:
            place = Place("test.s", number, 1)
            operations.append(replace(parse_instr(line, table_named(machine), place), origin=Origin("", place)))
    return Code("test", operations, labels)


def image_of(text: str, arguments: tuple[Argument, ...] = BUFFERS, machine: str = ORIGINAL, **descriptor: Any) -> Image:
    """A kernel with the kernarg pointer in s[0:1] and the workgroup's number in s2; further fields of its descriptor by name."""
    target = parse_target(machine).target
    fields: dict[str, Any] = {
        "workgroup_ids": (True, False, False), "vgprs": 64, "agpr_offset": 48 if target.has_agprs else 64, "mode": default_mode(target),
        "wave_size": target.wave_size, "ids_in_ttmp": target.workgroup_ids_in_ttmp,
        "spread": target.spreads,
    } | descriptor  # fmt: skip
    size = max((argument.offset + argument.size for argument in arguments), default=0)
    return Image("test", machine, code_of(text, machine), Descriptor(**fields), arguments, size, 1024, None, Place("test.s"))


def launch(
    text: str, values: Sequence[Any], *, grid: int = 1, block: int = 64, sanitize: bool | frozenset[Check] = False,
    settings: Settings = Settings(), undefined: Sequence[int] = (1,), machine: str = ORIGINAL, **descriptor: Any,
) -> list[Array]:  # fmt: skip
    image = image_of(text, machine=machine, **descriptor)
    return run_image(image, KernelCall((grid, 1, 1), (block, 1, 1), tuple(values), frozenset(undefined)), sanitize=sanitize, settings=settings)


def out_of(
    body: str, x: Array, *, sanitize: bool | frozenset[Check] = True, waves: int = 1, settings: Settings = Settings(), **descriptor: Any,
) -> Array:  # fmt: skip
    """The result of a body for `x`, 32 bits a lane, as the type of `x`."""
    arguments = [x, np.zeros(64 * waves, x.dtype)]
    return launch(BEGIN + body + END, arguments, block=64 * waves, sanitize=sanitize, settings=settings, **descriptor)[1]


def out_on(machine: str, body: str, x: Array, *, sanitize: bool | frozenset[Check] = False, **descriptor: Any) -> Array:
    """The result of a body for `x`, 32 bits a lane of whole waves, on a machine; its end is the target's."""
    begin, end = FRAMES[parse_target(machine).target.name]
    arguments = [x, np.zeros(len(x), x.dtype)]
    return launch(begin + body + end, arguments, block=len(x), sanitize=sanitize, machine=machine, **descriptor)[1]
