"""Random loops on tiles whose accesses of LDS and of buffers need their order, and other orders of their machine programs.

A workgroup of one wave has no barriers, so that nothing but the dependences keeps its accesses in order: stores to slots and parts of
LDS, loads of them, and loads and stores of rows of a buffer. A workgroup of more waves has a barrier between any two accesses of LDS.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from asmgen.passes.dependence import Dependences
from isa.instruction import Immediate, Instr, Operand
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register
from tests.layouts import random_bases

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx1201", "gfx950")
WAVE32 = ("gfx1100", "gfx1201")
BITS = 8  # of the number of an element
COLUMNS = 32
GROUPS = 2  # workgroups
SLOTS = ("{k} mod {n}", "({k} + 1) mod {n}", "({k} + 2) mod {n}", "(2*{k} + 1) mod {n}", "0", "{last} - {k} mod {n}")


class TileLoop(NamedTuple):
    text: str
    target: str
    trips: int


def random_loop(seed: int) -> TileLoop:
    """A loop of a few trips."""
    return _Writer(seed).loop()


class _Writer:
    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.target = TARGETS[seed % len(TARGETS)]
        self.waves = self.draw.choice((1, 1, 1, 2, 4))
        self.lanes = 32 if self.target in WAVE32 else 64
        self.trips = self.draw.choice((3, 4))
        self.step = self.draw.choice((1, 4))
        self.objects = [self.draw.choice((1, 2, 2, 3)) for _ in range(self.draw.choice((1, 2)))]
        self.lines: list[str] = []
        self.values = 0

    def loop(self) -> TileLoop:
        draw = self.draw
        layouts = [self._layout(name) for name in ("rows", "other")]
        begin = [f"lds{i} = lds_allocate() -> i32, {{8,32}} @ {self._offsets()} slots({n})" for i, n in enumerate(self.objects)]
        begin += [f"lds_store[slot={slot}](zero, lds{i})" for i, n in enumerate(self.objects) for slot in range(n)]
        begin += ["barrier()"] * (self.waves > 1)
        total = "sum"
        for _ in range(draw.randint(4, 9)):
            total = draw.choice((self._store_lds, self._load_lds, self._load, self._store))(total)
        self._put("barrier()" if self.waves > 1 else "")
        body = [*self.lines, f"yield({total})"]
        rows = 8 * (self.trips + 2) * GROUPS
        text = "\n".join([
            f"stage blockwise {self.target}",
            f"kernel @tiles grid(g: {GROUPS}) waves({self.waves}) lanes({self.lanes}) {{",
            *[f"  {line}" for line in layouts],
            f"  x = @param:x -> i32, {{{rows},{COLUMNS}}}",
            f"  y = @param:y -> i32, {{{rows},{COLUMNS}}}",
            f"  z = @param:z -> i32, {{{8 * GROUPS},{COLUMNS}}}",
            "  zero = fill[value=0]() -> i32, {8,32} @ rows",
            *[f"  {line}" for line in begin],
            f"  total = for[k = 0 to {self.trips * self.step} step {self.step}](zero) (sum) {{",
            *[f"    {line}" for line in body if line],
            "  } -> i32, {8,32} @ rows",
            "  tile_store[at={c0 + 8*g, c1}](total, z)",
            "}",
        ])  # fmt: skip
        return TileLoop(text + "\n", self.target, self.trips)

    # Statements

    def _put(self, line: str) -> None:
        self.lines.append(line)

    def _new(self) -> str:
        self.values += 1
        return f"t{self.values}"

    def _store_lds(self, total: str) -> str:
        i = self.draw.randrange(len(self.objects))
        self._put("barrier()" if self.waves > 1 else "")
        self._put(f"lds_store[slot={self._slot(i)}]({total}, lds{i})")
        return total

    def _load_lds(self, total: str) -> str:
        i, layout = self.draw.randrange(len(self.objects)), self.draw.choice(("rows", "other"))
        self._put("barrier()" if self.waves > 1 else "")
        loaded = self._new()
        self._put(f"{loaded} = lds_load[slot={self._slot(i)}](lds{i}) -> i32, {{8,32}} @ {layout}")
        if layout == "other":
            moved = self._new()
            self._put(f"{moved} = relayout({loaded}) -> i32, {{8,32}} @ rows")
            loaded = moved
        return self._combined(total, loaded)

    def _load(self, total: str) -> str:
        loaded = self._new()
        self._put(f"{loaded} = tile_load[at={self._place()}]({self.draw.choice('xyy')}) -> i32, {{8,32}} @ rows")
        return self._combined(total, loaded)

    def _store(self, total: str) -> str:
        self._put(f"tile_store[at={self._place()}]({total}, y)")
        return total

    def _combined(self, total: str, other: str) -> str:
        new = self._new()
        self._put(f"{new} = {self.draw.choice(('add', 'sub', 'max'))}({total}, {other}) -> i32, {{8,32}} @ rows")
        return new

    # Indices

    def _slot(self, i: int) -> str:
        n = self.objects[i]
        k = "k" if self.step == 1 else f"(k floordiv {self.step})"
        return self.draw.choice(SLOTS).format(k=k, n=n, last=n - 1) if n > 1 else "0"

    def _place(self) -> str:
        """The rows of a workgroup: of the trip, of a neighbouring trip, or always the same."""
        trip = self.draw.choice((f"{8 // self.step}*k", f"{8 // self.step}*k + 8", f"{8 // self.step}*k + 16", "0", "8"))
        return f"{{c0 + {8 * (self.trips + 2)}*g + {trip}, c1}}"

    # Layouts

    def _layout(self, name: str) -> str:
        """An invertible layout: registers, lanes and waves of the tile in any order."""
        bases = [f"{basis // COLUMNS}:{basis % COLUMNS}" for basis in random_bases(self.draw, BITS)]
        lanes, waves = self.lanes.bit_length() - 1, self.waves.bit_length() - 1
        registers = BITS - lanes - waves
        ends = {"reg": bases[:registers], "lane": bases[registers : registers + lanes], "wave": bases[registers + lanes :]}
        parts = [f"{word}({' '.join(part)})" for word, part in ends.items() if part]
        return f"layout {name} = {' '.join(parts)}"

    def _offsets(self) -> str:
        bases = random_bases(self.draw, BITS)
        return f"offset({' '.join(f'{basis // COLUMNS}:{basis % COLUMNS}' for basis in bases)})"


# Orders of the trips of a loop


class Trips:
    """The trips of a loop with a body of one block, all in one block. The registers of the last trip are
    those of the loop."""

    def __init__(self, kernel: Kernel, number: int, trips: int) -> None:
        block = kernel.blocks[number]
        self._code = _renamed(kernel, block, trips)
        self._before = _before(kernel, number, trips)
        exits = tuple(edge for edge in block.linear if edge.target != block.label and not _goes_back(kernel, block, edge))
        lanes = tuple(edge for edge in block.logical if edge.target != block.label and not _goes_back(kernel, block, edge))
        self._once = Block(block.label, block.scalar_parameters, block.vector_parameters, [], None, exits, lanes)
        self._kernel = kernel
        self._blocks = [self._once if each is block else each for each in kernel.blocks if not _is_again(kernel, block, each)]

    def draw(self, draw: Random) -> Kernel:
        """The kernel with all instructions of all trips in a random order that keeps the dependences within a trip and between trips."""
        mixed = self._once.with_instructions([self._code[i] for i in _drawn(self._before, draw)])
        return self._kernel.with_blocks([mixed if each is self._once else each for each in self._blocks])


def _before(kernel: Kernel, number: int, trips: int) -> list[set[int]]:
    """What each instruction of the trips comes after."""
    dependences = Dependences(kernel)
    within, pairs = dependences.of_block(number).before, dependences.between_trips(number)
    size = len(within)
    before: list[set[int]] = [{trip * size + one for one in earlier} for trip in range(trips) for earlier in within]
    for trip in range(trips):
        for pair in pairs:
            if trip >= pair.trips:
                before[trip * size + pair.later].add((trip - pair.trips) * size + pair.earlier)
    return before


def _goes_back(kernel: Kernel, block: Block, edge: Edge) -> bool:
    return any(after.target == block.label for after in kernel.block(edge.target).linear)


def _is_again(kernel: Kernel, block: Block, each: Block) -> bool:
    """Whether a block only leads from a loop's body back to it."""
    leads = any(edge.target == each.label for edge in block.linear)
    return each is not block and leads and any(edge.target == block.label for edge in each.linear)


def _renamed(kernel: Kernel, block: Block, trips: int) -> list[Instr]:
    """The instructions of each trip on registers of their own; parameters are the values that the trip before
    passes on."""
    made = {register for instr in block.instructions for register in instr.defined() if register.first >= FIRST_VIRTUAL}
    owners = {kernel.owner(register).register for register in made}
    parameters = (*block.scalar_parameters, *block.vector_parameters)
    back = [each for each in (block, *kernel.blocks) if each is block or _is_again(kernel, block, each)]
    linear = next(edge for each in back for edge in each.linear if edge.target == block.label)
    logical = next(edge for each in back for edge in each.logical if edge.target == block.label)
    arguments = (*linear.arguments, *logical.arguments)
    code: list[Instr] = []
    known: dict[int, int | Immediate] = {}  # units of the loop's registers, in this trip
    for trip in range(trips):
        passed: dict[int, int | Immediate] = {}
        for parameter, argument in zip(parameters, arguments, strict=True) if trip else ():
            if isinstance(argument, Immediate):
                passed[parameter.first] = argument
            else:
                passed.update({a: known.get(b, b) for a, b in zip(parameter.units, argument.units, strict=True)})
        known = passed
        for owner in sorted(owners) if trip < trips - 1 else ():
            of = kernel.owner(owner)
            new = kernel.new_register(of.register_class, of.count, of.align, "")
            known.update(zip(owner.units, new.units, strict=True))
        for instr in block.instructions:
            operands: tuple[Operand, ...] = tuple([_with(operand, known) for operand in instr.operands])
            code.append(instr.as_row(instr.row, operands, instr.modifiers))
    return code


def _with(operand: Operand, known: dict[int, int | Immediate]) -> Operand:
    if not isinstance(operand, Register) or operand.first not in known:
        return operand
    first = known[operand.first]
    return first if isinstance(first, Immediate) else Register(first, operand.count)


def _drawn(before: list[set[int]], draw: Random) -> list[int]:
    """A random order in which each number comes after those before it."""
    left, later = [len(some) for some in before], list[list[int]]([[] for _ in before])
    for number, some in enumerate(before):
        for earlier in some:
            later[earlier].append(number)
    ready, order = [number for number, count in enumerate(left) if not count], list[int]()
    while ready:
        number = ready.pop(draw.randrange(len(ready)))
        order.append(number)
        for after in later[number]:
            left[after] -= 1
            if not left[after]:
                ready.append(after)
    assert len(order) == len(before)
    return order
