"""Random tile programs on numbers of 8, 16 and 32 bits: pointwise ops, conversions, changes of layout, LDS,
reductions, scans and loops.

A value is a name, a type and a layout. Each statement takes a value that is there already. If a layout mixes
coordinates, reductions and scans along them are left out. The last values are stored.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.layouts import random_bases
from tests.property.tile_loops import TARGETS, WAVE32

INTEGERS, FLOATS = ("i8", "u8", "i16", "u16", "i32"), ("f16", "bf16", "f32")
CASTS = {"i8": "u8", "u8": "i8", "i16": "u16", "u16": "i16"}
MOST = {"u": (0, 100), "i": (-100, 100)}  # of floats that become integers
LATEST = 8  # values that the next statement may take
RESULTS = 5


class SmallTiles(NamedTuple):
    text: str
    target: str


class Tile(NamedTuple):
    name: str
    element: str
    layout: str


def small_tiles(seed: int) -> SmallTiles:
    """The program of a seed."""
    return _Writer(seed).program()


class _Writer:
    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.target = TARGETS[seed % len(TARGETS)]
        self.lanes = 32 if self.target in WAVE32 else 64
        self.waves = self.draw.choice((1, 1, 2, 4))
        self.bits = self.draw.choice((8, 9, 10))
        self.columns = self.draw.choice((16, 32, 64))
        self.rows = (1 << self.bits) // self.columns
        self.lines: list[str] = []
        self.indent = "  "
        self.count = 0
        self.buffers: list[tuple[str, str]] = []
        self.allocations: list[str] = []
        self.layouts: dict[str, str] = {}
        self.mixed: set[str] = set()
        for name in ("one", "two", "three"):
            self._layout(name)

    def program(self) -> SmallTiles:
        tiles: list[Tile] = []
        for _ in range(3):
            self._load(tiles, self.draw.choice((*INTEGERS, *FLOATS)), self._any_layout())
        for _ in range(self.draw.randint(6, 14)):
            self._step(tiles, in_loop=False)
        for number, tile in enumerate(tiles[-RESULTS:]):
            stored = self._number_of(tile) if tile.element == "bool" else tile
            self.buffers.append((f"z{number}", stored.element))
            self._put(f"tile_store[at={{c0, c1}}]({stored.name}, z{number})")
        layouts = [f"  layout {name} = {text}" for name, text in self.layouts.items()]
        shape = f"{{{self.rows},{self.columns}}}"
        text = "\n".join([
            f"stage blockwise {self.target}",
            f"kernel @small grid(g: 1) waves({self.waves}) lanes({self.lanes}) {{",
            *layouts,
            *[f"  {name} = @param:{name} -> {element}, {shape}" for name, element in self.buffers],
            *self.allocations,
            *self.lines,
            "}",
        ])  # fmt: skip
        return SmallTiles(text + "\n", self.target)

    # Layouts

    def _basis(self, number: int) -> str:
        return f"{number // self.columns}:{number % self.columns}"

    def _bases(self) -> list[int]:
        if self.draw.random() < 0.5:
            return random_bases(self.draw, self.bits)
        return [1 << bit for bit in self.draw.sample(range(self.bits), self.bits)]

    def _layout(self, name: str) -> None:
        """A layout, and those of its reductions along an axis unless its bases mix coordinates."""
        bases = self._bases()
        lanes, waves = self.lanes.bit_length() - 1, self.waves.bit_length() - 1
        registers = max(0, self.bits - lanes - waves)
        bases += [0] * (lanes + waves - len(bases))
        parts = {"reg": bases[:registers], "lane": bases[registers : registers + lanes], "wave": bases[registers + lanes :]}
        self.layouts[name] = _words({word: [self._basis(one) for one in part] for word, part in parts.items()})
        if any(one // self.columns and one % self.columns for one in bases):
            self.mixed.add(name)
            return
        for axis in (0, 1):
            left = {word: [one % self.columns if axis == 0 else one // self.columns * self.columns for one in part] for word, part in parts.items()}
            left["reg"] = [one for one in left["reg"] if one]
            self.layouts[f"{name}_{axis}"] = _words({word: [self._basis(one) for one in part] for word, part in left.items()})

    def _any_layout(self) -> str:
        return self.draw.choice(("one", "two", "three"))

    # Statements

    def _put(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def _new(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def _type(self, element: str, layout: str) -> str:
        return f"{element}, {{{self.rows},{self.columns}}} @ {layout}"

    def _made(self, tiles: list[Tile], statement: str, element: str, layout: str) -> Tile:
        """A new tile, made by a statement without its name and type."""
        tile = Tile(self._new(), element, layout)
        self._put(f"{tile.name} = {statement} -> {self._type(element, layout)}")
        tiles.append(tile)
        return tile

    def _step(self, tiles: list[Tile], in_loop: bool) -> None:
        tile = self.draw.choice(tiles[-LATEST:])
        if tile.element == "bool":
            self._choose(tiles, tile)
            return
        kinds: list[Callable[[list[Tile], Tile], None]] = [self._binary] * 3 + [self._convert] * 2
        kinds += [self._relayout, self._through_lds, self._mask, self._compare, self._reduce, self._scan, self._unary, self._cast, self._positions]
        if not in_loop:
            kinds.append(self._loop)
        self.draw.choice(kinds)(tiles, tile)

    def _where(self) -> str:
        return f"where={{c{self.draw.randrange(2)} < {self.draw.randrange(1, 9)}}}, otherwise={self.draw.randrange(4)}"

    def _load(self, tiles: list[Tile], element: str, layout: str) -> None:
        name = f"x{len(self.buffers)}"
        self.buffers.append((name, element))
        where = f", {self._where()}" if self.draw.random() < 0.3 else ""
        _ = self._made(tiles, f"tile_load[at={{c0, c1}}{where}]({name})", element, layout)

    def _partner(self, tiles: list[Tile], like: Tile) -> Tile:
        """A tile of the same type and layout, or a constant."""
        if self.draw.random() < 0.2:
            return self._constant(like, self.draw.randrange(5))
        return self.draw.choice([tile for tile in tiles if tile[1:] == like[1:]])

    def _constant(self, like: Tile, number: int) -> Tile:
        return self._made([], f"fill[value={number}{'.0' if like.element in FLOATS else ''}]()", like.element, like.layout)

    def _binary(self, tiles: list[Tile], tile: Tile) -> None:
        other, op = self._partner(tiles, tile), self.draw.choice(("add", "sub", "mul", "max", "min"))
        _ = self._made(tiles, f"{op}({tile.name}, {other.name})", tile.element, tile.layout)

    def _unary(self, tiles: list[Tile], tile: Tile) -> None:
        ops = ("neg", "abs", "relu") if tile.element in FLOATS else ("neg", "abs") if tile.element[0] == "i" else ("identity",)
        _ = self._made(tiles, f"{self.draw.choice(ops)}({tile.name})", tile.element, tile.layout)

    def _convert(self, tiles: list[Tile], tile: Tile) -> None:
        to, own = self.draw.choice([one for one in (*INTEGERS, *FLOATS) if one != tile.element]), tile
        if tile.element in FLOATS and to in INTEGERS:
            for op, number in zip(("max", "min"), MOST[to[0]], strict=True):
                own = self._made([], f"{op}({own.name}, {self._constant(own, number).name})", own.element, own.layout)
        _ = self._made(tiles, f"convert[to={to}]({own.name})", to, tile.layout)

    def _cast(self, tiles: list[Tile], tile: Tile) -> None:
        if tile.element in CASTS:
            to = CASTS[tile.element]
            _ = self._made(tiles, f"bit_cast[to={to}]({tile.name})", to, tile.layout)

    def _relayout(self, tiles: list[Tile], tile: Tile) -> None:
        layout = self.draw.choice([one for one in ("one", "two", "three") if one != tile.layout])
        _ = self._made(tiles, f"relayout({tile.name})", tile.element, layout)

    def _through_lds(self, tiles: list[Tile], tile: Tile) -> None:
        lds, bases = f"lds{len(self.allocations)}", " ".join(map(self._basis, self._bases()))
        pad = self.draw.choice(("", "", " pad(64:8)", " pad(32:4)"))
        self.allocations.append(f"  {lds} = lds_allocate() -> {tile.element}, {{{self.rows},{self.columns}}} @ offset({bases}){pad}")
        for line in ("barrier()", f"lds_store({tile.name}, {lds})", "barrier()"):
            self._put(line)
        _ = self._made(tiles, f"lds_load({lds})", tile.element, self._any_layout())

    def _mask(self, tiles: list[Tile], tile: Tile) -> None:
        _ = self._made(tiles, f"mask[{self._where()}]({tile.name})", tile.element, tile.layout)

    def _compare(self, tiles: list[Tile], tile: Tile) -> None:
        other, op = self._partner(tiles, tile), self.draw.choice(("equal", "less", "greater"))
        _ = self._made(tiles, f"{op}({tile.name}, {other.name})", "bool", tile.layout)

    def _choose(self, tiles: list[Tile], condition: Tile) -> None:
        like = [tile for tile in tiles if tile.element != "bool" and tile.layout == condition.layout]
        if like:
            tile = self.draw.choice(like)
            other = self._partner(tiles, tile)
            _ = self._made(tiles, f"where({condition.name}, {tile.name}, {other.name})", tile.element, tile.layout)

    def _number_of(self, condition: Tile) -> Tile:
        like = Tile("", "i32", condition.layout)
        yes, no = self._constant(like, 1), self._constant(like, 0)
        return self._made([], f"where({condition.name}, {yes.name}, {no.name})", "i32", condition.layout)

    def _reduce(self, tiles: list[Tile], tile: Tile) -> None:
        """A sum of bf16 is left out: it is rounded by the order of its terms."""
        if tile.layout in self.mixed:
            return
        axis, op = self.draw.randrange(2), self.draw.choice(("sum", "max", "min") if tile.element != "bf16" else ("max", "min"))
        name, shape = self._new(), f"{{1,{self.columns}}}" if axis == 0 else f"{{{self.rows},1}}"
        self._put(f"{name} = reduce[op={op}, axes={{{axis}}}]({tile.name}) -> {tile.element}, {shape} @ {tile.layout}_{axis}")
        _ = self._made(tiles, f"broadcast({name})", tile.element, tile.layout)

    def _scan(self, tiles: list[Tile], tile: Tile) -> None:
        if tile.layout in self.mixed:
            return
        op = self.draw.choice(("sum", "max", "min") if tile.element in INTEGERS else ("max", "min"))
        more = self.draw.choice(("", ", exclusive=true")) + self.draw.choice(("", ", reverse=true"))
        _ = self._made(tiles, f"scan[op={op}, axis={self.draw.randrange(2)}{more}]({tile.name})", tile.element, tile.layout)

    def _positions(self, tiles: list[Tile], tile: Tile) -> None:
        at = self.draw.choice(("c0", "c1", "2*c0 + c1", "c1 mod 4", "(c0 + c1) floordiv 3"))
        _ = self._made(tiles, f"positions[at={{{at}}}]()", "i32", tile.layout)

    def _loop(self, tiles: list[Tile], tile: Tile) -> None:
        """A loop that carries up to three values, each in its type and layout."""
        del tile
        carried = self.draw.sample(tiles, min(len(tiles), self.draw.choice((1, 2, 3))))
        parameters = [tile._replace(name=self._new()) for tile in carried]
        results = [tile._replace(name=self._new()) for tile in carried]
        names = [", ".join(tile.name for tile in some) for some in (results, carried, parameters)]
        self._put(f"{names[0]} = for[k{self.count} = 0 to {self.draw.choice((1, 2, 3))}]({names[1]}) ({names[2]}) {{")
        self.indent += "  "
        inner = [*tiles, *parameters]
        for _ in range(self.draw.choice((2, 3, 4))):
            self._step(inner, in_loop=True)
        nexts = [self.draw.choice([tile for tile in inner[-6:] if tile[1:] == own[1:]] or [own]) for own in parameters]
        self._put(f"yield({', '.join(tile.name for tile in nexts)})")
        self.indent = self.indent[2:]
        self._put("} -> " + ", ".join(self._type(tile.element, tile.layout) for tile in results))
        tiles += results


def _words(parts: dict[str, list[str]]) -> str:
    return " ".join(f"{word}({' '.join(part)})" for word, part in parts.items() if part)
