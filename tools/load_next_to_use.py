"""Random straight programs in which every load is next to its use, as a hand or a simple code generator
writes them: what a scheduler is for.

A program reads two buffers and writes a third. Each of its steps loads a number, computes some with it and
earlier ones, and stores one now and then; some steps take a transcendental function or a number of another
lane. The number of a program is its seed, whatever the target.
"""

from __future__ import annotations

from random import Random

from asmgen.options import Options
from asmgen.pipeline import Compilation, advance
from isa.build import build
from isa.instruction import Instr, Operand
from isa.program import Abi, Argument, Block, Kernel
from isa.registers import Register, RegisterClass, sgpr, vgpr
from isa.targets import parse_target
from regalloc.verify import verify

PROGRAMS = range(30)
_NUMBER = 4  # bytes
_STEPS = (6, 16)
_ARITHMETIC = ("v_add_f32_e32", "v_mul_f32_e32", "v_sub_f32_e32", "v_max_f32_e32")


def compiled_trace(seed: int, target: str, schedule: bool) -> list[Instr]:
    """The instructions of a program as they are emitted; it has one block."""
    compilation = Compilation(parse_target(target), Options(schedule=schedule))
    compilation.machine.append(program_of(seed, target))
    advance(compilation, "asm")
    return list(compilation.finished[0].instructions())


def program_of(seed: int, target: str) -> Kernel:
    """The machine program of a seed, on virtual registers."""
    kernel = _Writer(seed, target).run()
    verify(kernel)
    return kernel


class _Writer:
    def __init__(self, seed: int, target: str) -> None:
        self._random = Random(seed)
        self._kernel = Kernel(
            f"program_{seed}",
            parse_target(target),
            arguments=(
                Argument("x", 0, 8, access="read_only", type="f32"),
                Argument("y", 8, 8, access="read_only", type="f32"),
                Argument("out", 16, 8, access="write_only", type="f32"),
            ),
            workgroup=(64, 1, 1),
            abi=Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0)))),
            blocks=[Block("entry")],
        )
        self._values: list[Register] = []

    def run(self) -> Kernel:
        pointers = [self._new(RegisterClass.SGPR, 2) for _ in range(3)]
        for number, pointer in enumerate(pointers):
            self._emit("s_load_dwordx2", pointer, sgpr(0, 2), 8 * number)
        at = self._new(RegisterClass.VGPR)
        self._emit("v_lshlrev_b32_e32", at, 2, vgpr(0))
        steps = self._random.randint(*_STEPS)
        for step in range(steps):
            self._step(pointers, at, step)
            if step == steps - 1 or self._random.random() < 0.25:
                self._emit(
                    "global_store_dword", at, self._values[-1], pointers[2], form="saddr",
                    offset=256 * _NUMBER * step % 4096,
                )  # fmt: skip
        block = self._kernel.blocks[0]
        block.terminator = Instr(self._kernel.table.row("s_endpgm"), ())
        return self._kernel

    def _step(self, pointers: list[Register], at: Register, step: int) -> None:
        loaded = self._new(RegisterClass.VGPR)
        source = self._random.choice(pointers[:2])
        self._emit("global_load_dword", loaded, at, source, form="saddr", offset=_NUMBER * step)
        self._values.append(loaded)
        for _ in range(self._random.randint(2, 5)):
            result = self._new(RegisterClass.VGPR)
            chance = self._random.random()
            if chance < 0.1:
                self._emit("v_exp_f32_e32", result, self._values[-1])
            elif chance < 0.2:
                self._emit("ds_bpermute_b32", result, at, self._values[-1])
            else:
                other = self._random.choice(self._values[-6:])
                self._emit(self._random.choice(_ARITHMETIC), result, self._values[-1], other)
            self._values.append(result)

    def _new(self, register_class: RegisterClass, count: int = 1) -> Register:
        return self._kernel.new_register(register_class, count, count)

    def _emit(self, operation: str, *operands: Operand | int, form: str = "", offset: int = 0) -> None:
        row = self._kernel.table.row(operation, form)
        made = build(row, *operands)
        if offset:
            made = made.as_row(row, made.operands, (("offset", offset),))
        self._kernel.blocks[0].instructions.append(made)
