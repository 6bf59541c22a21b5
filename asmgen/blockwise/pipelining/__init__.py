"""Pipelining: a loop with stages becomes a prologue, a loop and an epilogue. The result is an ordinary tile
program: it prints, reads back and keeps the rules.

    total = for[k = 0 to 4096 step 64](zero) (acc) {
      t = tile_load[at={row, c1 + k}](x) -> f32, {1,64} @ row
      stage()
      next = add(acc, t) -> f32, {1,64} @ row
      yield(next)
    } -> f32, {1,64} @ row

becomes a loop that loads the tile of the next trip:

    t_1 = tile_load[at={row, c1}](x) -> f32, {1,64} @ row
    acc_1, t_3 = for[k = 0 to 4032 step 64](zero, t_1) (acc, t_2) {
      next = add(acc, t_2) -> f32, {1,64} @ row
      t = tile_load[at={row, c1 + k + 64}](x) -> f32, {1,64} @ row
      yield(next, t)
    } -> f32, {1,64} @ row, f32, {1,64} @ row
    total = add(acc_1, t_3) -> f32, {1,64} @ row

- `order`: the order of an iteration.
- `trips`: the trips of a loop as indices.
- `copying`, `within`: copies of statements for other trips.
- `rewrite`: the three parts.

`asmgen.blockwise.rules.stages` has the rules for stages.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.actions import Stage
from asmgen.blockwise.program import Kernel, TileProgram
from isa.diagnostics import InputError
from isa.target import Target


def pipelined(program: TileProgram) -> TileProgram:
    """The program without stages (`pipelined_kernel`)."""
    machine = program.target.target
    return replace(program, kernels=tuple([pipelined_kernel(kernel, machine) for kernel in program.kernels]))


def pipelined_kernel(kernel: Kernel, target: Target) -> Kernel:
    """The kernel without stages. Raises `InputError` BLK003, for a kernel that was built `InternalError`, if
    the result breaks a rule: for example, if no barrier is left between accesses of two waves.
    """
    if not any(isinstance(statement.op, Stage) for statement in kernel.walk()):
        return kernel
    from asmgen.blockwise.pipelining.rewrite import rewritten
    from asmgen.blockwise.rules.verify import check

    made = rewritten(kernel)
    try:
        check(made, target)
    except InputError as broken:
        message = f"after pipelining, {broken.message}"
        raise InputError(broken.place, broken.code, message, help=broken.help) from broken
    return made
