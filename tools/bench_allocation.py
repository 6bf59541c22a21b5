"""`python -m tools.bench_allocation`: CPU time of register allocation, on 10,000 to 100,000 instructions.

The programs are a chain of loops over a sliding window of live values, with tuples filled part by part,
accumulators (tied operands) and values carried around each loop. Allocation is nearly linear. Exits 1 if the
largest program takes too long, too much memory, or too many times the time of the smallest.
"""

from __future__ import annotations

import gc
import resource
import sys

from msgspec import Struct

from isa.build import build
from isa.instruction import Immediate, Label, Operand
from isa.program import Abi, Block, Edge, Kernel
from isa.registers import Register, RegisterClass, sgpr, vgpr
from isa.table import table_named
from isa.targets import parse_target
from regalloc import allocate, check, rewrite
from regalloc.verify import verify
from tools.cpu import timed
from tools.reasons import exit_status

row = table_named("gfx942").row
SIZES = (10_000, 40_000)
MANY = 100_000
# limits for MANY instructions: CPU seconds, times the time for the first size, bytes
MOST_SECONDS, MOST_TIMES, MOST_BYTES = 12, 12, 2e9
WINDOW = 48
BODY = 150


class _Writer:
    def __init__(self) -> None:
        self.kernel = Kernel(
            "bench",
            parse_target("gfx942"),
            abi=Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0)))),
        )
        self.block = Block("entry")
        self.kernel.blocks.append(self.block)
        self.count = 0

    def new(self, count: int = 1, register_class: RegisterClass = RegisterClass.VGPR) -> Register:
        return self.kernel.new_register(register_class, count, min(count, 2))

    def emit(self, mnemonic: str, *operands: Operand | int) -> None:
        self.block.instructions.append(build(row(mnemonic), *operands))
        self.count += 1

    def open(
        self, label: str, scalars: tuple[Register, ...] = (), vectors: tuple[Register, ...] = ()
    ) -> None:
        self.block = Block(label, scalars, vectors)
        self.kernel.blocks.append(self.block)


def chain_of_loops(instructions: int) -> Kernel:
    """A program of about `instructions` instructions."""
    writer = _Writer()
    window = [writer.new() for _ in range(WINDOW)]
    for i, register in enumerate(window):
        writer.emit("v_add_u32_e32", register, i, vgpr(0))
    number = 0
    while writer.count < instructions:
        window = _loop(writer, window, number)
        number += 1
    for register in window:
        writer.emit("ds_write_b32", vgpr(0), register)
    writer.block.terminator = build(row("s_endpgm"))
    return writer.kernel


def _loop(writer: _Writer, window: list[Register], number: int) -> list[Register]:
    head, body, leave = f"head{number}", f"body{number}", f"exit{number}"
    counter, following = writer.new(1, RegisterClass.SGPR), writer.new(1, RegisterClass.SGPR)
    carried = tuple(writer.new() for _ in range(4))
    writer.block.linear = (Edge(head, (Immediate(0),)),)
    writer.block.logical = (Edge(head, tuple(window[:4])),)
    writer.open(head, (counter,), carried)
    writer.emit("s_cmp_lt_u32", counter, 8)
    writer.block.terminator = build(row("s_cbranch_scc0"), Label(leave))
    writer.block.linear = writer.block.logical = (Edge(leave), Edge(body))
    writer.open(body)
    inner = [*window[4:], *carried]
    for step in range(BODY // 5):
        inner = _step(writer, inner, step)
    writer.emit("s_add_u32", following, counter, 1)
    writer.block.linear = (Edge(head, (following,)),)
    writer.block.logical = (Edge(head, tuple(inner[-4:])),)
    writer.open(leave)
    outer = [*window[4:], *carried]
    for _ in range(4):
        outer.append(writer.new())
        writer.emit("v_xor_b32_e32", outer[-1], outer[0], outer[1])
        outer = outer[1:]
    return outer


def _step(writer: _Writer, values: list[Register], step: int) -> list[Register]:
    """Five instructions: a pair filled part by part, an operation on it, an accumulation, a sum."""
    pair, result, total, last = writer.new(2), writer.new(2), writer.new(), writer.new()
    first, second = values[step % len(values)], values[(7 * step + 1) % len(values)]
    writer.emit("v_add_u32_e32", pair.part(0), first, second)
    writer.emit("v_xor_b32_e32", pair.part(1), second, first)
    writer.emit("v_lshlrev_b64", result, 3, pair)
    writer.emit("v_fmac_f32_e32", total, result.part(0), second, values[-1])
    writer.emit("v_add_u32_e32", last, total, result.part(1))
    return [*values[1:], last]


class Timing(Struct, frozen=True):
    """CPU seconds of each step for a program."""

    instructions: int
    verify: float
    allocate: float
    rewrite: float
    check: float
    vgprs: int

    @property
    def total(self) -> float:
        """Allocation as it always runs: allocate, rewrite and check."""
        return self.allocate + self.rewrite + self.check


def measure(instructions: int) -> Timing:
    """Time each step once on a program of that size, with the garbage collector off as in a compile."""
    kernel = chain_of_loops(instructions)
    count = sum(len(block.instructions) for block in kernel.blocks)
    gc.collect()
    gc.disable()
    try:
        return _steps(kernel, count)
    finally:
        gc.enable()


def _steps(kernel: Kernel, count: int) -> Timing:
    _, verify_time = timed(lambda: verify(kernel))
    allocation, allocate_time = timed(lambda: allocate(kernel))
    rewritten, rewrite_time = timed(lambda: rewrite(kernel, allocation))
    _, check_time = timed(lambda: check(kernel, allocation, rewritten))
    return Timing(count, verify_time, allocate_time, rewrite_time, check_time, allocation.statistics.vgprs)


def main() -> int:
    measure(500)
    timings = [measure(size) for size in (*SIZES, MANY)]
    for timing in timings:
        sys.stdout.write(
            f"{timing.instructions:6} instructions: {timing.total:.2f} s CPU (allocate "
            f"{timing.allocate:.2f}, rewrite {timing.rewrite:.2f}, "
            f"check {timing.check:.2f}; verify {timing.verify:.2f}), {timing.vgprs} VGPRs\n"
        )
    times = timings[-1].total / timings[0].total
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sys.stdout.write(
        f"{times:.2f} times the time for {timings[-1].instructions / timings[0].instructions:.2f} times the "
        f"size; peak memory {memory / 1e6:.0f} MB\n"
    )
    figures = (
        ("seconds", timings[-1].total, MOST_SECONDS),
        ("times the time", times, MOST_TIMES),
        ("bytes", memory, MOST_BYTES),
    )
    reasons = [f"{got:.4g} {name}, wanted at most {most:g}" for name, got, most in figures if got > most]
    return exit_status("bench_allocation", reasons)


if __name__ == "__main__":
    sys.exit(main())
