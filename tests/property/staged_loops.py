"""Random loops with stages as tile text: loads, arithmetic, LDS in slots, carried tiles, a loop inside.

Tiles are of i32, so that every order of sums has the same result. Every slot of LDS is written before the loop, so that no
load of LDS is of memory without a value. The loop has 0 to 8 trips; of some only the launch knows the number.
"""

from __future__ import annotations

import random
from typing import NamedTuple

LANES = {"gfx942": 64, "gfx1100": 32}
ROWS = 40


class Loop(NamedTuple):
    """`sizes` are the named dims of the launch."""

    text: str
    rows: int
    columns: int
    sizes: dict[str, int]


class _Writer:
    def __init__(self, seed: int, size: int, target: str) -> None:
        self.draw = random.Random(f"{seed} {target}")
        self.size, self.target = size, target
        self.columns = LANES[target]
        self.tile = f"i32, {{1,{self.columns}}} @ row"
        self.step = self.draw.choice((1, 1, 2, 3))
        self.trips = self.draw.randrange(9)
        self.start = self.draw.choice((0, 0, self.step, 2))
        self.is_open = self.draw.random() < 0.3
        self.slots = self.draw.randrange(1, 4)
        self.lines: list[str] = []
        self.values: list[str] = []
        self.number = 0

    def name(self) -> str:
        self.number += 1
        return f"x{self.number}"

    def define(self, line: str) -> None:
        name = self.name()
        self.lines.append(f"    {name} = {line} -> {self.tile}")
        self.values.append(name)

    def load(self) -> None:
        shift = self.draw.randrange(3)
        if self.is_open and self.draw.random() < 0.5:
            guard = f", where={{k + {shift} < n}}" if shift or self.step > 1 else ""
            self.define(f"tile_load[at={{k + {shift}, c1}}{guard}](open)")
            return
        buffer = self.draw.choice(("x", "x", "y", "z"))
        row = self.row(shift) if buffer != "z" else self.draw.choice((self.row(0), self.row(shift), "0"))
        last = self.start + max(0, self.trips - 1) * self.step
        bound = self.draw.choice((7, last, last - self.draw.randrange(self.step)))
        where = f", where={{k < {bound}}}, otherwise=5" if self.draw.random() < 0.2 else ""
        self.define(f"tile_load[at={{{row}, c1}}{where}]({buffer})")

    def row(self, shift: int) -> str:
        return f"min(k + {shift}, {ROWS - 6})" if self.is_open else f"k + {shift}"

    def compute(self) -> None:
        op = self.draw.choice(("add", "sub", "mul", "max"))
        self.define(f"{op}({self.draw.choice(self.values)}, {self.draw.choice(self.values)})")

    def positions(self) -> None:
        self.define(f"positions[at={{{self.draw.randrange(1, 4)}*k + c1}}]()")

    def slot(self) -> str:
        ahead = self.draw.choice((0, 0, 0, 1))
        index = f"(k + {ahead * self.step}) floordiv {self.step}" if self.step > 1 else f"k + {ahead}"
        return self.draw.choice(("0", f"({index}) mod {self.slots}", f"({index}) mod {self.slots}"))

    def to_lds(self) -> None:
        self.lines.append(f"    lds_store[slot={self.slot()}]({self.draw.choice(self.values)}, lds)")

    def from_lds(self) -> None:
        self.define(f"lds_load[slot={self.slot()}](lds)")

    def to_memory(self) -> None:
        row = self.draw.choice((self.row(0), self.row(0), self.row(1), "0"))
        self.lines.append(f"    tile_store[at={{{row}, c1}}]({self.draw.choice(self.values)}, z)")

    def barrier(self) -> None:
        self.lines.append("    barrier()")

    def inner(self) -> None:
        """A loop inside, whose trips depend on the outer loop's counter."""
        name, first, last = self.name(), self.draw.choice(self.values), self.draw.choice(self.values)
        j, carried, loaded, added = (f"{what}{name}" for what in ("j", "a", "t", "s"))
        stop = self.draw.choice(("3", self.row(0), self.row(2)))
        self.lines += [
            f"    {name} = for[{j} = 0 to {stop} step 1]({first}) ({carried}) {{",
            f"      {loaded} = tile_load[at={{min({j}, 3) + 1, c1}}](x) -> {self.tile}",
            *(["      stage()"] if self.draw.random() < 0.5 else []),
            f"      {added} = add({carried}, {loaded}) -> {self.tile}",
            f"      m{name} = max({added}, {last}) -> {self.tile}",
            f"      yield(m{name})",
            f"    }} -> {self.tile}",
        ]
        self.values.append(name)

    def loop(self) -> Loop:
        draw = self.draw
        carried = [f"p{number}" for number in range(draw.randrange(1, 4))]
        outer = ["u", "w"]
        self.values = [*outer, *carried]
        for _ in range(self.size):
            kinds = [self.load, self.load, self.compute, self.compute, self.positions, self.to_lds, self.from_lds, self.to_memory]
            draw.choice([*kinds, self.barrier, self.inner])()
        for _ in range(draw.randrange(1, 4)):
            places = [number for number, line in enumerate(self.lines) if line.startswith("    ") and line[4] not in " }"]
            self.lines.insert(draw.choice([*places, len(self.lines)]), "    stage()")
        yields = ", ".join(draw.choice(self.values) for _ in carried)
        initial = ", ".join(draw.choice(outer) for _ in carried)
        results = [f"r{number}" for number in range(len(carried))]
        stop = self.start + self.trips * self.step - (draw.randrange(self.step) if self.trips else 0)
        least = draw.randrange(stop + 1)  # less than the start: refused
        end = "n" if self.is_open else stop
        bits = " ".join(f"0:{1 << bit}" for bit in range(self.columns.bit_length() - 1))
        text = [
            f"stage blockwise {self.target}",
            f"kernel @loop{f' dims(n: {least} to 1048575)' if self.is_open else ''} grid(group: 1) waves(1) lanes({self.columns}) {{",
            f"  layout row = lane({bits})",
            *[f"  {name} = @param:{name} -> i32, {{{ROWS},{self.columns}}}" for name in ("x", "y", "z")],
            *([f"  open = @param:open -> i32, {{n,{self.columns}}}"] if self.is_open else []),
            f"  lds = lds_allocate() -> i32, {{1,{self.columns}}} @ offset({bits}) slots({self.slots})",
            f"  u = tile_load[at={{1, c1}}](x) -> {self.tile}",
            f"  w = tile_load[at={{2, c1}}](y) -> {self.tile}",
            *[f"  lds_store[slot={slot}]({draw.choice(outer)}, lds)" for slot in range(self.slots)],
            f"  {', '.join(results)} = for[k = {self.start} to {end} step {self.step}]({initial}) ({', '.join(carried)}) {{",
            *self.lines,
            f"    yield({yields})",
            f"  }} -> {', '.join(self.tile for _ in carried)}",
            *[f"  tile_store[at={{{ROWS - 1 - number}, c1}}]({result}, z)" for number, result in enumerate(results)],
            "}",
        ]
        return Loop("\n".join(text) + "\n", ROWS, self.columns, {"n": stop} if self.is_open else {})


def staged_loop(seed: int, size: int, target: str = "gfx942") -> Loop:
    """A loop with `size` statements and one to three marks of stages."""
    return _Writer(seed, size, target).loop()
