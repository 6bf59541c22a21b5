"""Random machine programs with values that may be in VGPRs or AGPRs: fragments of matrices and accumulators, in loops and outside.

Registers are of class AV if each operand that names them takes AGPRs, and sometimes of class VGPR all the same, so that the choice of files has
both. Some accumulators are read by the vector ALU, inside a loop or after it. Programs of gfx950 have matrix instructions with factors of eight
registers. `file_program` gives the kernel and its mix; `python -m tests.property.file_programs 7` prints one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from isa.build import build
from isa.instruction import Immediate, Operand
from isa.mir.printer import print_kernel
from isa.program import Edge, Kernel
from isa.registers import Register, RegisterClass, vgpr
from isa.targets import parse_target
from tests.property.machine_programs import ARRIVED, NOTHING, Scope, describe
from tests.property.wide_programs import WideGenerator

S, V, AV = RegisterClass.SGPR, RegisterClass.VGPR, RegisterClass.AV
TARGETS = ("gfx90a", "gfx942", "gfx950")


class FileGenerator(WideGenerator):
    """Writes one program. `accumulating` counts the loops with accumulators around the point."""

    def __init__(self, seed: int, size: int) -> None:
        super().__init__(seed, size)
        self.target = TARGETS[seed % len(TARGETS)]
        self.kernel.target = parse_target(self.target)
        self.accumulating = 0

    def emit(self, mnemonic: str, *operands: Operand | int, form: str = "", modifiers: Mapping[str, int] = NOTHING) -> None:
        found = self.kernel.table.find(mnemonic, form) or self.kernel.table.spelt(mnemonic, form)
        self.block.instructions.append(replace(build(found, *operands), modifiers=tuple(modifiers.items())))

    def kinds(self, exec_nonzero: bool) -> list[Callable[[Scope], None]]:
        kinds = [*super().kinds(exec_nonzero), self.passes_through]
        if self.parted:
            return kinds
        kinds += [self.matrix_chain] * 2 + [self.accumulating_loop] * (3 if not self.accumulating else 1)
        return kinds + [self.eight_registers] * 2 if self.target == "gfx950" else kinds

    def either(self) -> RegisterClass:
        """AV, or VGPRs now and then."""
        return AV if self.random.random() < 0.6 else V

    def address(self) -> Register:
        """The beginning of the lane's part of LDS."""
        address = self.new(V)
        self.emit("v_lshlrev_b32_e32", address, 4, vgpr(0))
        return address

    def fill_lds(self, scope: Scope) -> Register:
        """The address of four values in the lane's part of LDS."""
        address, filled = self.address(), self.new(V, 4)
        for part in range(4):
            self.emit("v_add_u32_e32", filled.part(part), self.vector(scope), self.vector(scope))
        self.emit("ds_write_b128", address, filled)
        return address

    def loaded(self, scope: Scope, count: int, register_class: RegisterClass | None = None) -> Register:
        """A register of two or a multiple of four units from LDS."""
        address, register = self.fill_lds(scope), self.new(register_class or self.either(), count)
        if count == 2:
            self.emit("ds_read_b64", register, address)
        else:
            for part in range(0, count, 4):
                self.emit("ds_read_b128", register.part(part, 4), address)
        self.emit("s_waitcnt", modifiers=ARRIVED)
        return register

    def observe(self, scope: Scope, register: Register) -> None:
        """Make a part of a register a value of the program: by the vector ALU if that may read it, else through LDS."""
        part = register.part(self.random.randrange(register.count))
        result = self.new(V)
        if self.kernel.register_class(register) is V and self.random.random() < 0.5:
            self.emit("v_xor_b32_e32", result, part, self.vector(scope))
        else:
            address = self.address()
            self.emit("ds_write_b32", address, part)
            self.emit("ds_read_b32", result, address)
            self.emit("s_waitcnt", modifiers=ARRIVED)
        scope.vectors.append(result)

    def passes_through(self, scope: Scope) -> None:
        """Four values that come from LDS and go there again, and nothing else."""
        self.mix["passes through"] += 1
        self.observe(scope, self.loaded(scope, 4, AV))

    def multiply(self, register_class: RegisterClass, one: Register, other: Register, added: Register | int) -> Register:
        result = self.new(register_class, 4)
        self.emit("v_mfma_f32_16x16x16_f16", result, one, other, added)
        return result

    def matrix_chain(self, scope: Scope) -> None:
        """Products that add to each other, from a constant or from values, also of a part of wider fragments."""
        self.mix["matrix chain"] += 1
        fragments = self.loaded(scope, 4)
        file = self.either()
        total: Register | int = 0
        if self.random.random() < 0.5:
            total = self.loaded(scope, 4, file)
        for _ in range(self.random.randrange(1, 4)):
            total = self.multiply(file, fragments.part(0, 2), fragments.part(self.random.choice((0, 2)), 2), total)
        assert isinstance(total, Register)
        self.observe(scope, total)

    def eight_registers(self, scope: Scope) -> None:
        """A product of factors of eight registers each, with scales or without."""
        self.mix["eight registers"] += 1
        one, other = self.loaded(scope, 8), self.loaded(scope, 8)
        file = self.either()
        added = self.loaded(scope, 4, file)
        result = self.new(file, 4)
        if self.random.random() < 0.5:
            self.emit("v_mfma_f32_16x16x128_f8f6f4", result, one, other, added)
        else:
            self.emit("v_mfma_scale_f32_16x16x128_f8f6f4", result, one, other, added, self.vector(scope), self.vector(scope))
        self.observe(scope, result)

    def accumulating_loop(self, scope: Scope) -> None:
        """A loop that carries accumulators. It may rescale an accumulator by the vector ALU, which keeps it
        in VGPRs, and exchange two."""
        self.mix["accumulating loop"] += 1
        head, body, leave = self.label("head"), self.label("body"), self.label("exit")
        count = self.random.randrange(1, 5)
        files = [self.either() for _ in range(count)]
        first = tuple(self.start(scope, file) for file in files)
        counter, totals = self.new(S), tuple(self.new(file, 4) for file in files)
        outside = self.loaded(scope, 4)
        self.end(None, (Edge(head, (Immediate(0),)),), (Edge(head, first),))
        self.open(head, (counter,), totals)
        self.emit("s_cmp_lt_u32", counter, self.random.randrange(1, 4))
        self.branch("s_cbranch_scc0", leave, body)
        self.open(body)
        inner = scope.copy()
        self.accumulating += 1
        if self.accumulating < 2:
            self.straight(inner, 2, exec_nonzero=True)
        fragment = self.loaded(inner, 2)
        results = [
            self.multiply(file, fragment, outside.part(2 * (k % 2), 2), total) for k, (file, total) in enumerate(zip(files, totals, strict=True))
        ]
        if self.random.random() < 0.3:
            results = [self.rescaled(inner, one) if self.kernel.register_class(one) is V else one for one in results]
        if len(set(files)) == 1 and self.random.random() < 0.2:
            self.mix["rotation"] += 1
            results = results[1:] + results[:1]
        self.accumulating -= 1
        following = self.new(S)
        self.emit("s_add_u32", following, counter, 1)
        self.end(None, (Edge(head, (following,)),), (Edge(head, tuple(results)),))
        self.open(leave)
        for total in totals:
            self.observe(scope, total)

    def start(self, scope: Scope, file: RegisterClass) -> Register | Immediate:
        """The first value of an accumulator: a constant, inline or not, values from LDS, or computed
        values."""
        choice = self.random.randrange(4)
        if choice == 0:
            return Immediate(0)
        if choice == 1:
            return Immediate(self.random.getrandbits(128))
        if choice == 2 or file is AV:
            return self.loaded(scope, 4, file)
        filled = self.new(V, 4)
        for part in range(4):
            self.emit("v_xor_b32_e32", filled.part(part), self.vector(scope), self.vector(scope))
        return filled

    def rescaled(self, scope: Scope, register: Register) -> Register:
        result = self.new(V, register.count)
        for part in range(register.count):
            self.emit("v_mul_f32_e32", result.part(part), self.vector(scope), register.part(part))
        return result


def file_program(seed: int, size: int = 3) -> tuple[Kernel, Counter[str]]:
    """The program of a seed, and its parts."""
    generator = FileGenerator(seed, size)
    return generator.program(), generator.mix


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        made, its_mix = file_program(int(argument))
        sys.stdout.write(f"# {describe(int(argument), its_mix)}\n{print_kernel(made)}")
