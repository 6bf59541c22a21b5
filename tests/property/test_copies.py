"""Random copies to LDS: elements, widths, swizzles, masks, slots and trips, beside the tile interpreter.

A copy's layout follows from the placement, of which the first bits are those of an access and of the lanes. The rest of the
bits go to registers and waves, which may mix them. A failing case prints its text; a text with fewer trips, slots and
registers that fails as well is tried first.
"""

from __future__ import annotations

import random
from typing import NamedTuple, Self

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.interpret.run import interpret
from asmgen.blockwise.layout.layout import split
from asmgen.blockwise.text.reader import read_program
from isa.targets import TARGETS
from tests.device import chosen_device

pytestmark = pytest.mark.broad

ELEMENTS = {"u8": 1, "f16": 2, "f32": 4, "f64": 8}
LANE_BITS = 6


class Case(NamedTuple):
    """`registers` and `waves` are numbers of bits, of registers those beyond an access. Copies are `ahead` trips before their
    reader, and rows from `limit` eighths on are zeros."""

    target: str
    element: str
    width: int
    registers: int
    waves: int
    trips: int
    ahead: int
    limit: int
    seed: int

    @property
    def inside(self) -> int:
        return (self.width // ELEMENTS[self.element]).bit_length() - 1

    @property
    def sizes(self) -> tuple[int, int]:
        """Of the tile."""
        bits = self.inside + LANE_BITS + self.registers + self.waves
        columns = random.Random(self.seed).randint(max(self.inside, 2), bits - 1)
        return 1 << bits - columns, 1 << columns

    def smaller(self) -> list[Self]:
        cases = [self._replace(trips=self.trips - 1)] if self.trips > 1 else []
        cases += [self._replace(ahead=self.ahead - 1)] if self.ahead else []
        cases += [self._replace(registers=self.registers - 1)] if self.registers else []
        return cases + ([self._replace(waves=self.waves - 1)] if self.waves else [])

    def text(self) -> str:
        rng = random.Random(self.seed)
        bits = self.inside + LANE_BITS + self.registers + self.waves
        sizes = self.sizes
        rest = list(range(self.inside, bits))
        rng.shuffle(rest)
        offsets = [1 << bit for bit in (*range(self.inside), *rest)]
        for bit in range(self.inside, bits):
            for before in range(self.inside, bit):
                offsets[bit] ^= offsets[before] if rng.random() < 0.3 else 0
        lanes = offsets[self.inside : self.inside + LANE_BITS]
        others = offsets[self.inside + LANE_BITS :]
        for number in range(1, len(others)):
            others[number] ^= others[number - 1] if rng.random() < 0.3 else 0
        rng.shuffle(others)
        waves, registers = others[: self.waves], offsets[: self.inside] + others[self.waves :]
        rng.shuffle(registers)

        def bases(name: str, columns: list[int]) -> str:
            return f" {name}({' '.join([':'.join(map(str, split(basis, sizes))) for basis in columns])})" if columns else ""

        rows, shape = sizes[0] * self.trips, f"{{{sizes[0]},{sizes[1]}}}"
        layout = f"{bases('reg', registers)}{bases('lane', lanes)}{bases('wave', waves)}"
        slots = f" slots({self.ahead + 1})" if self.ahead else ""
        slot = f"[slot=(k floordiv {sizes[0]}) mod {self.ahead + 1}]" if self.ahead else ""
        copied = f", {slot[1:-1]}" if slot else ""
        marks = "    stage()\n" * self.ahead
        last = "" if self.ahead else "    barrier()\n"
        whole = f"{self.element}, {{{rows},{sizes[1]}}}"
        return f"""stage blockwise {self.target}
kernel @k grid(b: 1) waves({1 << self.waves}) lanes(64) {{
  layout moved ={layout}
  x = @param:x -> {whole}
  z = @param:z -> {whole}
  lds = lds_allocate() -> {self.element}, {shape} @{bases("offset", offsets)}{slots}
  for[k = 0 to {rows} step {sizes[0]}]() {{
    async_copy[at={{c0 + k, c1}}, layout=moved, where={{c0 + k < {rows * self.limit // 8}}}{copied}](x, lds)
{marks}    async_wait[pending=0]()
    barrier()
    t = lds_load{slot}(lds) -> {self.element}, {shape} @ moved
    tile_store[at={{c0 + k, c1}}](t, z)
{last}    yield()
  }}
}}
"""

    def fails(self) -> str:
        """What differs; empty if nothing does."""
        text = self.text()
        (kernel,) = read_program(text, "copies.gen").kernels
        rng = np.random.default_rng(self.seed)
        of_numpy = np.dtype(self.element.replace("f", "float").replace("u", "uint"))
        x = rng.integers(1, 100, (self.sizes[0] * self.trips, self.sizes[1])).astype(of_numpy)
        z = np.zeros(x.size, of_numpy)
        interpret(kernel, {"x": x.reshape(-1), "z": z})
        (got,) = asmgen.compile(text, target=self.target, verify_passes=True)(x, device=chosen_device())
        return "" if np.array_equal(got.reshape(-1), z) else text


def random_case(rng: random.Random) -> Case:
    target = rng.choice([name for name, one in TARGETS.items() if one.lds_copy_bytes])
    width = rng.choice([one for one in TARGETS[target].lds_copy_bytes if one != 12])
    element = rng.choice([name for name, size in ELEMENTS.items() if size <= width])
    return Case(
        target, element, width, rng.randint(0, 2), rng.randint(0, 2), rng.randint(1, 5), rng.randint(0, 3), rng.randint(0, 8), rng.randrange(1 << 30)
    )  # fmt: skip


def check(case: Case) -> None:
    text = case.fails()
    while text:
        smaller = next((one for one in case.smaller() if one.fails()), None)
        if smaller is None:
            pytest.fail(f"{case}\n{text}")
        case, text = smaller, smaller.fails()


@pytest.mark.parametrize("count", [24, pytest.param(400, marks=pytest.mark.slow)])
def test_copies_agree_with_the_interpreter(count: int) -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(count):
        check(random_case(rng))
