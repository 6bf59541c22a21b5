"""Random machine programs that ask more of registers than `machine_programs`: deeper, wider, with less choice.

Structures are in each other up to six deep (by the seed: seed 13 has as many), tuples have up to sixteen registers, instructions as many operands
as rows have, and some values have to be in VCC or are in physical registers from the beginning. `wide_program`
gives the kernel and its mix; `python -m tests.property.wide_programs 7` prints a kernel.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import RegisterClass, vgpr
from tests.property.machine_programs import ARRIVED, Generator, Scope, describe

S, V = RegisterClass.SGPR, RegisterClass.VGPR
DEEPEST = 6
OWN = range(1, 4)  # the VGPRs that programs name themselves


class WideGenerator(Generator):
    """Writes one program. `parted` counts the branches of lanes around the point: EXEC is full if it is 0."""

    def __init__(self, seed: int, size: int) -> None:
        super().__init__(seed, size)
        self.parted = 0
        self.deepest = seed % (DEEPEST + 1)

    def kinds(self, exec_nonzero: bool) -> list[Callable[[Scope], None]]:
        kinds = [*super().kinds(exec_nonzero), self.implied_op, self.implied_op, self.own_register, self.carry_of_lanes, self.sixteen_scalars]
        return [*kinds, self.matrix_op] if not self.parted else kinds

    def parts(self) -> int:
        return self.random.randrange(1, 3) if not self.depth else 1

    def enters(self) -> bool:
        is_there = self.depth < self.deepest and self.random.random() < 0.7
        self.mix["deepest"] = max(self.mix["deepest"], self.depth + is_there)
        return is_there

    def divergent_if(self, scope: Scope) -> None:
        self.parted += 1
        super().divergent_if(scope)
        self.parted -= 1

    def divergent_loop(self, scope: Scope) -> None:
        self.parted += 1
        super().divergent_loop(scope)
        self.parted -= 1

    # ---- straight lines

    def implied_op(self, scope: Scope) -> None:
        """A short comparison, whose result has to be in VCC, and a select by it; another value is there between."""
        self.mix["precoloured"] += 1
        mask, other, result, second = self.new(S, 2), self.new(S, 2), self.new(V), self.new(V)
        self.emit("v_cmp_lt_u32_e32", mask, self.vector(scope), self.vector(scope))
        is_crossed = self.random.random() < 0.3
        if is_crossed:
            self.emit("v_cmp_gt_u32_e32", other, self.vector(scope), self.vector(scope))
        self.emit("v_cndmask_b32_e32", result, self.vector(scope), self.vector(scope), mask)
        scope.vectors.append(result)
        if is_crossed:
            self.emit("v_cndmask_b32_e32", second, result, self.vector(scope), other)
            scope.vectors.append(second)

    def own_register(self, scope: Scope) -> None:
        """A value in a physical register of the program's choice."""
        self.mix["physical"] += 1
        own, result = vgpr(self.random.choice(OWN)), self.new(V)
        self.emit("v_mov_b32_e32", own, self.vector(scope))
        self.vector_op(scope)
        self.emit("v_add_u32_e32", result, own, self.vector(scope))
        scope.vectors.append(result)

    def carry_of_lanes(self, scope: Scope) -> None:
        """A sum with a carry in and a carry out, which keeps the parts of its result that it does not write:
        six operands."""
        self.mix["six operands"] += 1
        mask, carry, result = self.new(S, 2), self.new(S, 2), self.new(V)
        self.emit("v_cmp_lt_u32_e32", mask, self.vector(scope), self.vector(scope))
        self.emit(
            "v_addc_co_u32_sdwa", result, carry, self.vector(scope), self.vector(scope), mask, self.vector(scope),
            form="preserve", modifiers={"dst_sel": self.random.choice((0, 4))},
        )  # fmt: skip
        scope.vectors.append(result)

    def sixteen_scalars(self, scope: Scope) -> None:
        """Sixteen scalars that come at once, of which some are read."""
        count = self.random.choice((4, 8, 16))
        self.mix[f"tuple of {count}"] += 1
        loaded = self.kernel.new_register(S, count, 4)
        pointers = next(owner.register for owner in self.kernel.owners if owner.name == "pointers")
        self.emit(f"s_load_dwordx{count}", loaded, pointers.part(0, 2), 0)
        self.emit("s_waitcnt", modifiers=ARRIVED)
        scope.scalars += [loaded.part(self.random.randrange(count)) for _ in range(2)]

    def matrix_op(self, scope: Scope) -> None:
        """Sixteen registers filled part by part, a matrix instruction that adds to them, and some of its results."""
        self.mix["tuple of 16"] += 1
        filled, result = self.new(V, 16), self.new(V, 16)
        for part in range(16):
            self.emit("v_cvt_f32_u32_e32", filled.part(part), self.vector(scope))
        one, other = self.new(V), self.new(V)
        self.emit("v_cvt_f32_u32_e32", one, self.vector(scope))
        self.emit("v_cvt_f32_u32_e32", other, self.vector(scope))
        self.emit("v_mfma_f32_16x16x1_4b_f32", result, one, other, filled)
        scope.vectors += [result.part(self.random.randrange(16)), result.part(self.random.randrange(16)), filled.part(3)]


def wide_program(seed: int, size: int = 2) -> tuple[Kernel, Counter[str]]:
    """The program of a seed, and its parts."""
    generator = WideGenerator(seed, size)
    return generator.program(), generator.mix


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        made, its_mix = wide_program(int(argument))
        sys.stdout.write(f"# {describe(int(argument), its_mix)}\n{print_kernel(made)}")
