"""The memory that the waves of a thread trace accessed, by running its kernel on the emulator.

A trace has offsets of instructions and no addresses. Its listing and its launch are enough to run the kernel:
the arguments are taken as pointers to zeros, of which the addresses in a buffer do not depend. Waves that go
another way on the emulator than in the trace keep unknown addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.code import Code, Operation
from isa.emulator.program.image import Image
from isa.emulator.recording.record import record
from isa.instruction import Immediate, Instr, Label, Trait
from isa.objects.descriptor import Descriptor, default_mode
from isa.program import Argument
from isa.timing.trace import Trace, TracedWave

_ARGUMENTS = 8  # pointers that a kernel may load
_BUFFER = 1 << 23  # words of a buffer
_LDS = 1 << 16

Sizes = tuple[int, int, int]


def with_accesses(trace: Trace, grid: Sequence[int], block: Sequence[int]) -> Trace:
    """The trace with the accesses of those waves that go the same way on the emulator."""
    groups = sorted({wave.group for wave in trace.waves})
    found = _emulated(trace, _three(grid or (len(groups),)), _three(block), groups)
    waves: list[TracedWave] = []
    for wave in trace.waves:
        emulated = found.get((wave.group, wave.number), wave)
        count = len(wave.steps)
        if np.array_equal(emulated.steps[:count], wave.steps):
            accesses = {step: access for step, access in emulated.accesses.items() if step < count}
            waves.append(wave._replace(accesses=accesses))
        else:
            waves.append(wave)
    return trace._replace(waves=tuple(waves))


def _three(sizes: Sequence[int]) -> Sizes:
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def _emulated(
    trace: Trace, grid: Sizes, block: Sizes, groups: Sequence[int]
) -> Mapping[tuple[int, int], TracedWave]:
    """The waves on the emulator by workgroup and number; none if the kernel cannot be run."""
    image = _image(trace)
    if image is None or len(groups) > prod(grid):
        return {}
    buffer = np.zeros(_BUFFER, np.uint32)
    try:
        recording = record(image, KernelCall(grid, block, tuple([buffer] * _ARGUMENTS)), groups)
    except InputError:
        return {}
    return {(wave.group, wave.number): wave for wave in recording.trace.waves}


def _image(trace: Trace) -> Image | None:
    """The listing as a kernel, with labels in place of the words that its branches count."""
    places = {address: place for place, address in enumerate(trace.addresses)}
    labels: dict[str, int] = {}
    operations: list[Operation] = []
    for instr, address in zip(trace.instructions, trace.addresses, strict=True):
        if not instr.row.traits.isdisjoint(_BRANCHES):
            target = places.get(address + 4 + 4 * _words(instr))
            if target is None:
                return None
            labels[f"L{target}"] = target
            operands = [
                Label(f"L{target}") if isinstance(each, Immediate) else each for each in instr.operands
            ]
            instr = replace(instr, operands=tuple(operands))
        operations.append(instr)
    pointers = tuple([Argument(f"p{i}", 8 * i, 8) for i in range(_ARGUMENTS)])
    return Image(
        "traced", trace.target.name, Code("traced", operations, labels), _descriptor(trace), pointers,
        8 * _ARGUMENTS, 1024, None, Place("traced"),
    )  # fmt: skip


_BRANCHES = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH})


def _words(instr: Instr) -> int:
    """The words that a branch counts from its end."""
    bits = next((operand.bits for operand in instr.operands if isinstance(operand, Immediate)), 0)
    return (bits & 0xFFFF ^ 0x8000) - 0x8000


def _descriptor(trace: Trace) -> Descriptor:
    target = trace.target
    return Descriptor(
        lds_bytes=_LDS, workitem_dimensions=3, vgprs=256, agpr_offset=256, mode=default_mode(target),
        wave_size=target.wave_size, ids_in_ttmp=target.workgroup_ids_in_ttmp, user_sgprs=_first_number(trace),
    )  # fmt: skip


def _first_number(trace: Trace) -> int:
    """The SGPR with the workgroup's number: the first besides the pointer to the arguments that is read and
    not written before."""
    written: set[int] = {0, 1}
    found: set[int] = set()
    for instr in trace.instructions:
        found.update(unit for unit in instr.units.read if unit < trace.target.sgprs and unit not in written)
        written.update(instr.units.written)
    return min(found, default=2)
