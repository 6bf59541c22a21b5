"""The bytes of memory that workgroups touch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Unit
from isa.timing.trace import Trace, TracedWave

LINE = 64  # bytes: the smallest transfer of memory
_DWORD = 4
_SAMPLES = 16  # accesses of an instruction
_GROUPS = 3
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT})


def bytes_a_group(trace: Trace) -> float:
    """The bytes of the lines that the vector accesses of a workgroup touch, each line once; the mean of some
    workgroups of a trace."""
    size = trace.waves_a_group
    count = len(trace.waves) // size
    some = {i * (count - 1) // (_GROUPS - 1) for i in range(_GROUPS)}
    return sum(_bytes(trace, trace.waves[group * size : (group + 1) * size]) for group in some) / len(some)


def together(group_bytes: float, groups: int, buffer_bytes: int) -> float:
    """How many workgroups use a line that one of them touches, if those of the launch together use all bytes
    of its buffers; 1 if these are not known."""
    return max(1.0, group_bytes * groups / buffer_bytes) if buffer_bytes else 1.0


def used_parts(trace: Trace) -> dict[int, float]:
    """For each instruction that accesses memory by lanes, the part of the lines it touches that its lanes
    use; by some of its accesses."""
    sums: dict[int, tuple[int, int, int]] = {}
    for wave in trace.waves[: trace.waves_a_group]:
        for step, access in wave.accesses.items():
            instruction = int(wave.steps[step])
            count, used, touched = sums.get(instruction, (0, 0, 0))
            if trace.instructions[instruction].row.unit not in _VECTOR_MEMORY or count == _SAMPLES:
                continue
            addresses = access.addresses.reshape(-1)
            lines = np.unique(np.concatenate((addresses // LINE, (addresses + access.size - 1) // LINE)))
            used += min(addresses.size * access.size, len(lines) * LINE)
            sums[instruction] = count + 1, used, touched + len(lines) * LINE
    return {instruction: used / touched for instruction, (_, used, touched) in sums.items() if touched}


def _bytes(trace: Trace, waves: tuple[TracedWave, ...]) -> int:
    touched: list[NDArray[np.int64]] = []
    is_vector = [instr.row.unit in _VECTOR_MEMORY for instr in trace.instructions]
    for wave in waves:
        for step, access in wave.accesses.items():
            if not is_vector[int(wave.steps[step])]:
                continue
            addresses = access.addresses.reshape(-1)
            touched.append(addresses // LINE)
            if access.size > _DWORD:
                touched.append((addresses + access.size - 1) // LINE)
    return len(np.unique(np.concatenate(touched))) * LINE if touched else 0
