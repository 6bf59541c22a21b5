"""The pipes that instructions keep busy: of the ALU, of LDS and of memory.

A pipe takes an instruction while the wave issues others, and no second instruction until it is free. In a
block with matrix instructions the waves of a workgroup do the same at about the same time. Such a wave gets
its part of a pipe: its next instruction finds the pipe free once the other waves have had their turn.

    gfx942, four waves, a SIMD each       v_mfma_f32_16x16x16_f16 keeps the matrix pipe for 16 clocks,
                                          ds_read_b128 keeps LDS for 32, 8 for each of the waves
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate

from asmgen.passes.clauses import is_global_load
from isa.instruction import Instr, Row, Trait, Unit
from isa.lds_banks import WORD
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.target import WIDEST_ACCESS, Target
from isa.timing.caches import CACHES
from isa.timing.machine import MACHINES
from isa.timing.row_clocks import MATRIX_PIPE, row_clocks
from isa.timing.row_clocks import PIPES as ALU_PIPES

LDS_PIPE, COPY_PIPE = range(ALU_PIPES, ALU_PIPES + 2)  # after the pipes of the ALU
PIPES = ALU_PIPES + 2

_STORES = frozenset({Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})
_ACCESSES = _STORES | {Trait.LOAD}

Pipe = tuple[int, int]  # a pipe, and the clocks for which an instruction keeps it


class Waves(NamedTuple):
    """The waves of a workgroup that share a SIMD, and those that share a compute unit. A workgroup processor
    has two compute units, and each of them serves its own waves."""

    of_simd: int
    of_unit: int

    @classmethod
    def of(cls, kernel: Kernel) -> Waves:
        target = kernel.target.target
        x, y, z = kernel.workgroup
        waves = -(-x * y * z // target.wave_size)
        return cls(-(-waves // target.simds), -(-waves // max(1, target.compute_units // target.units)))


class Pipes(NamedTuple):
    """The pipes of a block's instructions by number, and the pipe, if any, that should never be idle."""

    of: Mapping[int, Pipe]
    binding: int | None


NO_PIPES = Pipes({}, None)


def alu_pipes(kernel: Kernel, code: Sequence[Instr]) -> Pipes:
    """The pipes of the ALU that instructions keep busy for longer than they issue, as of a lone wave."""
    target = kernel.target.target.name
    found = [(number, _alu_pipe(instr.row, target)) for number, instr in enumerate(code)]
    return Pipes({number: pipe for number, pipe in found if pipe is not None}, None)


def shared_pipes(kernel: Kernel, code: Sequence[Instr]) -> Pipes:
    """The same for a wave among those of its workgroup, with the pipes of LDS and of copies from memory to
    LDS, if no pipe is busier than that of the products, and LDS is as busy, or there are copies. Otherwise
    other waves hide the waits of a wave.

    If LDS has room for a single trip, all waves wait twice: until it is written, and until it is read. No
    product should come in between, since the waves of another workgroup multiply meanwhile. That is so unless
    LDS has no room for another workgroup. If a SIMD has a single wave then, nothing hides its waits, and all
    its accesses have turns.

    4096 cubed of f16 on gfx950 takes 168 thousand clocks, 180 with the pipes of a lone wave. With less work
    for LDS, launches would take 0.9 to 1.15 times their clocks, with more up to 1.06 times. By
    `contract[m=256, n=256, k=32, waves=4, by=v_mfma_f32_32x32x8_f16, stages=2, slices=2]` on gfx942 it takes
    303 thousand, 421 with the pipes of a lone wave; 295 with a second factor {n,k}, 330 without turns for
    loads."""
    target, alone = kernel.target.target, alu_pipes(kernel, code)
    barriers = sum(Trait.BARRIER in instr.row.traits for instr in code)
    is_alone = fills_lds(kernel)
    if (barriers > 1 and not is_alone) or all(instr.row.unit is not Unit.MATRIX for instr in code):
        return alone
    waves = Waves.of(kernel)
    is_lone = is_alone and waves.of_simd == 1
    level = 1 if is_alone else 0  # the accesses of a workgroup that is alone are bound by the second cache
    shared = {number: (pipe, clocks * waves.of_simd) for number, (pipe, clocks) in alone.of.items()}
    for number, instr in enumerate(code):
        traits = instr.row.traits
        if instr.row.unit is Unit.LDS and not traits.isdisjoint(_ACCESSES):
            shared[number] = LDS_PIPE, lds_clocks(instr.row, target) * waves.of_unit
        elif Trait.LDS_DMA in traits or (is_lone and instr.row.unit is Unit.VMEM and Trait.LOAD in traits):
            shared[number] = COPY_PIPE, memory_clocks(instr.row, target, waves.of_unit, level)
    busy = [sum(clocks for which, clocks in shared.values() if which == pipe) for pipe in range(PIPES)]
    keeps_up = busy[LDS_PIPE] == busy[MATRIX_PIPE] or busy[COPY_PIPE] > 0 or is_lone
    return Pipes(shared, MATRIX_PIPE) if keeps_up and busy[MATRIX_PIPE] == max(busy) else alone


def loads_that_wait(kernel: Kernel, code: Sequence[Instr]) -> dict[int, Pipe]:
    """The loads that find no room in the first cache, if all waves of the workgroup load as a block does:
    each waits until earlier loads of all waves have arrived. Other instructions lose nothing between them:

        global_load %a, ...                global_load %a, ...
        global_load %b, ...                global_load %b, ...     the cache is full
        global_load %c, ...          is    v_lshlrev %place, ...
        v_lshlrev %place, ...              global_load %c, ...
        ds_write %place, %a                ds_write %place, %a     issues earlier

    There are none if an instruction of the block waits for a load: loads should be early then, since memory
    takes longer than the scheduler expects. The product `values decode` of `tools.bench_peers` takes 31,988
    clocks on gfx942 with them, 18,424 without."""
    target, loads = kernel.target.target, [at for at, instr in enumerate(code) if is_global_load(instr)]
    waves, room = Waves.of(kernel).of_unit, CACHES[target.name].vector[0].size.value
    taken = [code[at].row.memory_bytes * target.wave_size * waves for at in loads]
    if sum(taken) <= room:
        return {}
    from isa.timing.address_units import ADDRESS_UNITS

    if not ADDRESS_UNITS[target.name].fills.value:
        return {}
    read = frozenset[int]().union(*[instr.units.read for instr in code])
    if any(not read.isdisjoint(code[at].units.written) for at in loads):
        return {}
    return {
        at: (COPY_PIPE, memory_clocks(code[at].row, target, waves, 1))
        for at, so_far in zip(loads, accumulate(taken), strict=True)
        if so_far > room
    }


def fills_lds(kernel: Kernel) -> bool:
    """Whether LDS has no room for another workgroup."""
    return 2 * kernel.lds_bytes > kernel.target.target.lds_file


@cache
def _alu_pipe(row: Row, target: str) -> Pipe | None:
    clocks = row_clocks(row, MACHINES[target])
    return (clocks.pipe, clocks.pipe_hold) if clocks.pipe_hold > clocks.hold else None


def lds_clocks(row: Row, target: Target) -> int:
    """The clocks of an access of LDS without conflicts, a clock for each phase of a wave's lanes."""
    size = min(max(row.memory_bytes, WORD), WIDEST_ACCESS)
    return len(target.lds_access(size, not row.traits.isdisjoint(_STORES)).of_lanes(target.wave_size))


def memory_clocks(row: Row, target: Target, waves: int, level: int = 0) -> int:
    """The clocks in which a cache moves the data of an access for so many waves."""
    rate = CACHES[target.name].vector[level].rate.value
    return max(1, int(row.memory_bytes * target.wave_size * waves / rate))
