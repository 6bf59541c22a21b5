"""The work of waves: the instructions that they executed and the memory that these accessed.

The emulator records a trace; the clock model replays it. A trace has no times.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.target import Target


class Access(NamedTuple):
    """The memory that an executed instruction accessed.

    * `lanes`: the lanes that accessed memory, in order
    * `addresses`: bytes from the start of LDS, or the address in global memory; shape (accesses a lane,
      number of `lanes`). Instructions such as ds_read2_b32 make two accesses a lane. A scalar load has one
      lane, lane 0.
    * `size`: bytes of each access
    """

    lanes: NDArray[np.intp]
    addresses: NDArray[np.int64]
    size: int


class TracedWave(NamedTuple):
    """The instructions and addresses of a wave.

    * `group`, `number`: its workgroup's place in the grid, and its number in the workgroup
    * `steps`: the executed instructions in order, as indices of `Trace.instructions`
    * `idle`: for each step, whether EXEC was 0
    * `accesses`: by step. A step that accesses memory and is not here accessed unknown memory, for which the
      model assumes consecutive lanes.
    """

    group: int
    number: int
    steps: NDArray[np.int32]
    idle: NDArray[np.bool_]
    accesses: Mapping[int, Access]


class Trace(NamedTuple):
    """The traced waves of a launch.

    * `instructions`, `addresses`: the program in the order of its code, and the byte address of each
      instruction
    * `waves`: in the order of their workgroups and numbers; the workgroups are complete
    * `groups`: the workgroups of the launch, of which those of `waves` are a part
    * `waves_a_group`: waves of each workgroup
    """

    target: Target
    instructions: tuple[Instr, ...]
    addresses: tuple[int, ...]
    waves: tuple[TracedWave, ...]
    groups: int
    waves_a_group: int
