"""Random kernels of MLIR: branches, loops, loops on data, LDS, private memory in registers and in scratch,
exchanges between lanes, and atomics.

A program's result is defined whatever the order of its lanes: a lane writes its own row of the output, its own
element of LDS before a barrier and reads any after it, and each atomic buffer has one operation that commutes.
Barriers and exchanges are in control flow that all lanes of the workgroup take. Every loop ends after a few
passes. The same seed at a smaller size is a smaller program of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct

_COLUMNS, _INPUTS, _BINS, _OWN = 4, 64, 16, 4
_FAR = 40  # between elements of private memory that is too large for registers
_BLOCKS = ((32, 1, 1), (64, 1, 1), (20, 1, 1), (10, 7, 1), (8, 4, 2), (96, 1, 1), (8, 4, 1))
_BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")
_DIVIDING = ("divui", "remui", "divsi", "remsi", "ceildivui", "floordivsi", "ceildivsi")
_SHIFTS = ("shli", "shrsi", "shrui")
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_COMMUTING = ("addi", "maxs", "mins", "maxu", "minu", "ori", "andi", "xori", "muli")
_REDUCING = ("add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor")
_FLOATS = ("addf", "subf", "maximumf", "minimumf", "maxnumf", "minnumf")


class RandomProgram(Struct, frozen=True):
    """A kernel, its launch, and its arguments."""

    text: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[Any, ...]


class Scope(Struct, frozen=True):
    """The values that a region sees. `values` are numbers of 32 bits that lanes have, `same` those that all
    lanes of the workgroup have alike; `is_shared` if all of its lanes are here."""

    values: tuple[str, ...]
    same: tuple[str, ...]
    is_shared: bool
    depth: int = 0


class Writer:
    """Writes the statements of a kernel."""

    def __init__(self, random: Random, items: int, spread: int) -> None:
        self.random = random
        self.items = items
        self.spread = spread  # between the elements of private memory that are used
        self.lines: list[str] = []
        self.count = 0
        self.global_kind = random.choice(_COMMUTING)
        self.lds_kind = random.choice(_COMMUTING)

    def made(self, statement: str) -> str:
        """The name of the value that a statement makes."""
        self.count += 1
        self.lines.append(f"%v{self.count} = {statement}")
        return f"%v{self.count}"

    def put(self, *lines: str) -> None:
        self.lines += lines

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def constant(self, value: int) -> str:
        return self.made(f"arith.constant {value} : i32")

    def masked(self, value: str, mask: int) -> str:
        return self.made(f"arith.andi {value}, {self.constant(mask)} : i32")

    def index(self, value: str, mask: int) -> str:
        """A number below a power of two as an index."""
        return self.made(f"arith.index_castui {self.masked(value, mask)} : i32 to index")

    def pick(self, scope: Scope) -> str:
        """A value, more often one of the last."""
        last = scope.values[-4:]
        return self.random.choice(last if self.random.random() < 0.6 else scope.values)

    def condition(self, scope: Scope, *, same: bool = False) -> str:
        values = scope.same if same else scope.values
        a = self.random.choice(values) if same else self.pick(scope)
        b = self.constant(self.random.choice([0, 1, 3, 7, 100, -5])) if same else self.pick(scope)
        if same:
            a = self.masked(a, self.random.choice([1, 3, 7]))
        return self.made(f"arith.cmpi {self.random.choice(_PREDICATES)}, {a}, {b} : i32")

    def block(self, scope: Scope, budget: int) -> Scope:
        """Statements up to a budget."""
        left = budget
        while left > 0:
            nested = left >= 3 and scope.depth < 4
            choices = list(_PLAIN)
            if nested:
                choices += [*_NESTED] * 2
            if scope.is_shared:
                choices += _TOGETHER * 2
            write = self.random.choice(choices)
            spent = self.random.randint(2, max(2, left - 1)) if write in _NESTED else 1
            scope = write(self, scope, spent)
            left -= spent
        return scope


def _with(scope: Scope, *values: str) -> Scope:
    return Scope((*scope.values, *values), scope.same, scope.is_shared, scope.depth)


def _inner(scope: Scope, values: Sequence[str], same: Sequence[str] = (), *, shared: bool) -> Scope:
    is_shared = scope.is_shared and shared
    return Scope((*scope.values, *values), (*scope.same, *same), is_shared, scope.depth + 1)


# Plain statements


def _binary(w: Writer, scope: Scope, budget: int) -> Scope:
    return _with(scope, w.made(f"arith.{w.random.choice(_BINARY)} {w.pick(scope)}, {w.pick(scope)} : i32"))


def _dividing(w: Writer, scope: Scope, budget: int) -> Scope:
    by = w.made(f"arith.ori {w.masked(w.pick(scope), 63)}, {w.constant(1)} : i32")
    return _with(scope, w.made(f"arith.{w.random.choice(_DIVIDING)} {w.pick(scope)}, {by} : i32"))


def _shift(w: Writer, scope: Scope, budget: int) -> Scope:
    by = w.masked(w.pick(scope), 31)
    return _with(scope, w.made(f"arith.{w.random.choice(_SHIFTS)} {w.pick(scope)}, {by} : i32"))


def _select(w: Writer, scope: Scope, budget: int) -> Scope:
    condition = w.condition(scope)
    return _with(scope, w.made(f"arith.select {condition}, {w.pick(scope)}, {w.pick(scope)} : i32"))


def _wide(w: Writer, scope: Scope, budget: int) -> Scope:
    """By way of 64 bits, or of fewer than 32."""
    to = w.random.choice(["i64", "i16", "i8"])
    extend, narrow = w.random.choice(["extsi", "extui"]), "trunci"
    first, last = (extend, narrow) if to == "i64" else (narrow, extend)
    a = w.made(f"arith.{first} {w.pick(scope)} : i32 to {to}")
    b = w.made(f"arith.{first} {w.pick(scope)} : i32 to {to}")
    c = w.made(f"arith.{w.random.choice(_BINARY)} {a}, {b} : {to}")
    return _with(scope, w.made(f"arith.{last} {c} : {to} to i32"))


def _float(w: Writer, scope: Scope, budget: int) -> Scope:
    """Sums and extremes of whole floats, and their bits."""
    a = w.made(f"arith.sitofp {w.masked(w.pick(scope), 4095)} : i32 to f32")
    b = w.made(f"arith.uitofp {w.masked(w.pick(scope), 255)} : i32 to f32")
    c = w.made(f"arith.{w.random.choice(_FLOATS)} {a}, {b} : f32")
    if w.random.random() < 0.5:
        return _with(scope, w.made(f"arith.fptosi {c} : f32 to i32"))
    return _with(scope, w.made(f"arith.bitcast {c} : f32 to i32"))


def _bits(w: Writer, scope: Scope, budget: int) -> Scope:
    op = w.random.choice(["ctlz", "cttz", "ctpop"])
    return _with(scope, w.made(f"math.{op} {w.pick(scope)} : i32"))


def _load(w: Writer, scope: Scope, budget: int) -> Scope:
    at = w.index(w.pick(scope), _INPUTS - 1)
    return _with(scope, w.made(f"memref.load %in[{at}] : memref<{_INPUTS}xi32>"))


def _store_row(w: Writer, scope: Scope, budget: int) -> Scope:
    at = w.index(w.pick(scope), _COLUMNS - 1)
    w.put(f"memref.store {w.pick(scope)}, %out[%i, {at}] : memref<?x{_COLUMNS}xi32>")
    return scope


def _load_row(w: Writer, scope: Scope, budget: int) -> Scope:
    at = w.index(w.pick(scope), _COLUMNS - 1)
    return _with(scope, w.made(f"memref.load %out[%i, {at}] : memref<?x{_COLUMNS}xi32>"))


def _store_private(w: Writer, scope: Scope, budget: int) -> Scope:
    at = _own_element(w, scope)
    w.put(f"memref.store {w.pick(scope)}, %private[{at}] : {_private(w.spread)}")
    return scope


def _load_private(w: Writer, scope: Scope, budget: int) -> Scope:
    at = _own_element(w, scope)
    return _with(scope, w.made(f"memref.load %private[{at}] : {_private(w.spread)}"))


def _own_element(w: Writer, scope: Scope) -> str:
    """The index of one of the elements of private memory that are used."""
    at = w.index(w.pick(scope), _OWN - 1)
    return at if w.spread == 1 else w.made(f"arith.muli {at}, %spread : index")


def _private(spread: int) -> str:
    return f"memref<{(_OWN - 1) * spread + 1}xi32>"


def _atomic(w: Writer, scope: Scope, budget: int) -> Scope:
    at = w.index(w.pick(scope), _BINS - 1)
    value, name = w.pick(scope), w.name()
    if w.random.random() < 0.5:
        to, type_, kind = "%sums", f"memref<{_BINS}xi32>", w.global_kind
    else:
        to, type_, kind = "%bins", f"memref<{_BINS}xi32, 3>", w.lds_kind
    w.put(f"{name} = memref.atomic_rmw {kind} {value}, {to}[{at}] : (i32, {type_}) -> i32")
    return scope


# Statements with regions


def _if(w: Writer, scope: Scope, budget: int) -> Scope:
    same = scope.is_shared and w.random.random() < 0.4
    condition = w.condition(scope, same=same)
    inner = _inner(scope, (), shared=same)
    has_result, has_else = w.random.random() < 0.6, w.random.random() < 0.6
    name = w.name()
    w.put(f"{name} = scf.if {condition} -> (i32) {{" if has_result else f"scf.if {condition} {{")
    then = w.block(inner, budget // 2 if has_else else budget - 1)
    if has_result:
        w.put(f"scf.yield {w.pick(then)} : i32")
    if has_else or has_result:
        w.put("} else {")
        other = w.block(inner, budget // 2 if has_else else 0)
        if has_result:
            w.put(f"scf.yield {w.pick(other)} : i32")
    w.put("}")
    return _with(scope, name) if has_result else scope


def _for(w: Writer, scope: Scope, budget: int) -> Scope:
    """A count that is constant, that the launch says, or that each lane has for itself."""
    form = w.random.choice(["constant", "same", "lane"])
    start, step = w.random.choice([0, 0, 1, 2]), w.random.choice([1, 1, 2, 3])
    low, by = (w.made(f"arith.constant {one} : i32") for one in (start, step))
    if form == "constant":
        high = w.constant(w.random.randint(0, 6))
    else:
        high = w.masked(w.random.choice(scope.same) if form == "same" else w.pick(scope), 7)
    is_index = w.random.random() < 0.5
    type_ = "index" if is_index else "i32"
    if is_index:
        low, high, by = (w.made(f"arith.index_cast {one} : i32 to index") for one in (low, high, by))
    name, counter, carried = w.name(), w.name(), w.name()
    more, second = w.name(), w.pick(scope)
    w.put(
        f"{name}:2 = scf.for {counter} = {low} to {high} step {by}",
        f"  iter_args({carried} = {w.pick(scope)}, {more} = {second}) -> (i32, i32)" + (" {" if is_index else f" : {type_} {{"),
    )
    number = w.made(f"arith.index_cast {counter} : index to i32") if is_index else counter
    shared = form != "lane"
    inner = _inner(scope, (carried, more, number), (number,) if shared else (), shared=shared)
    end = w.block(inner, budget - 1)
    w.put(f"scf.yield {w.pick(end)}, {w.random.choice([carried, w.pick(end)])} : i32, i32", "}")
    return _with(scope, f"{name}#0", f"{name}#1")


def _while(w: Writer, scope: Scope, budget: int) -> Scope:
    """Goes on as long as the data say so, up to a few times; statements before the test and after it."""
    zero, most = w.constant(0), w.constant(w.random.randint(1, 6))
    name, value, count = w.name(), w.name(), w.name()
    w.put(f"{name}:2 = scf.while ({value} = {w.pick(scope)}, {count} = {zero}) : (i32, i32) -> (i32, i32) {{")
    before = w.block(_inner(scope, (value, count), shared=False), w.random.choice([0, 1]))
    is_few = w.made(f"arith.cmpi ult, {count}, {most} : i32")
    goes = w.made(f"arith.andi {is_few}, {w.condition(before)} : i1")
    w.put(f"scf.condition({goes}) {w.pick(before)}, {count} : i32, i32", "} do {")
    given, number = w.name(), w.name()
    w.put(f"^bb0({given}: i32, {number}: i32):")
    after = w.block(_inner(scope, (given, number), shared=False), budget - 1)
    one = w.constant(1)
    following = w.made(f"arith.addi {number}, {one} : i32")
    w.put(f"scf.yield {w.pick(after)}, {following} : i32, i32", "}")
    return _with(scope, f"{name}#0", f"{name}#1")


def _switch(w: Writer, scope: Scope, budget: int) -> Scope:
    same = scope.is_shared and w.random.random() < 0.4
    flag = w.index(w.random.choice(scope.same) if same else w.pick(scope), 3)
    name = w.name()
    w.put(f"{name} = scf.index_switch {flag} -> i32")
    for case in ("case 0", "case 2", "default"):
        w.put(f"{case} {{")
        end = w.block(_inner(scope, (), shared=same), budget // 3)
        w.put(f"scf.yield {w.pick(end)} : i32", "}")
    return _with(scope, name)


def _blocks(w: Writer, scope: Scope, budget: int) -> Scope:
    """A loop of blocks with two exits."""
    name, value, count, left = w.name(), w.name(), w.name(), w.name()
    number = w.count
    zero, one, most = w.constant(0), w.constant(1), w.constant(w.random.randint(1, 5))
    w.put(
        f"{name} = scf.execute_region -> i32 {{",
        f"cf.br ^head{number}({w.pick(scope)}, {zero} : i32, i32)",
        f"^head{number}({value}: i32, {count}: i32):",
    )
    inner = _inner(scope, (value, count), shared=False)
    first = w.made(f"arith.cmpi ult, {count}, {most} : i32")
    w.put(f"cf.cond_br {first}, ^body{number}, ^left{number}({value} : i32)", f"^body{number}:")
    end = w.block(inner, budget - 1)
    following = w.made(f"arith.addi {count}, {one} : i32")
    stops = w.condition(end)
    w.put(
        f"cf.cond_br {stops}, ^left{number}({w.pick(end)} : i32), ^head{number}({w.pick(end)}, {following} : i32, i32)",
        f"^left{number}({left}: i32):",
        f"scf.yield {left} : i32",
        "}",
    )
    return _with(scope, name)


# Statements that all lanes of a workgroup take together


def _exchange(w: Writer, scope: Scope, budget: int) -> Scope:
    """By way of LDS."""
    type_ = f"memref<{w.items}xi32, 3>"
    w.put(f"memref.store {w.pick(scope)}, %shared[%t] : {type_}", "gpu.barrier")
    items = w.constant(w.items)
    number = w.made(f"arith.remui {w.pick(scope)}, {items} : i32")
    at = w.made(f"arith.index_castui {number} : i32 to index")
    found = w.made(f"memref.load %shared[{at}] : {type_}")
    w.put("gpu.barrier")
    return _with(scope, found)


def _width(w: Writer) -> int:
    """A power of two, of groups that are all whole."""
    return w.random.choice([one for one in (1, 2, 4, 8, 16, 32) if w.items % one == 0])


def _shuffle(w: Writer, scope: Scope, budget: int) -> Scope:
    width = _width(w)
    mode = w.random.choice(["xor", "up", "down", "idx"])
    if w.random.random() < 0.5:
        offset = w.constant(w.random.randint(0, width - 1))
    else:
        offset = w.masked(w.pick(scope), width - 1)
    name, wide = w.name(), w.constant(width)
    w.put(f"{name}:2 = gpu.shuffle {mode} {w.pick(scope)}, {offset}, {wide} : i32")
    return _with(scope, f"{name}#0", w.made(f"arith.extui {name}#1 : i1 to i32"))


def _subgroup_reduce(w: Writer, scope: Scope, budget: int) -> Scope:
    op = w.random.choice(_REDUCING)
    size = _width(w)
    cluster = f" cluster(size = {size})" if size > 1 else ""
    return _with(scope, w.made(f"gpu.subgroup_reduce {op} {w.pick(scope)}{cluster} : (i32) -> i32"))


def _all_reduce(w: Writer, scope: Scope, budget: int) -> Scope:
    op = w.random.choice(_REDUCING)
    found = w.made(f"gpu.all_reduce {op} {w.pick(scope)} uniform {{}} : (i32) -> i32")
    return _with(scope, found)


Write = Callable[[Writer, Scope, int], Scope]
_PLAIN: list[Write] = [
    _binary, _binary, _binary, _dividing, _shift, _select, _wide, _float, _bits, _load, _store_row, _load_row,
    _store_private, _load_private, _atomic,
]  # fmt: skip
_NESTED: list[Write] = [_if, _for, _while, _switch, _blocks]
_TOGETHER: list[Write] = [_exchange, _shuffle, _subgroup_reduce, _all_reduce]


def random_program(seed: int, size: int) -> RandomProgram:
    """A kernel of about `size` statements."""
    random = Random(seed)
    block = random.choice(_BLOCKS)
    x, y, z = block
    items, groups = x * y * z, random.choice([1, 1, 2])
    known = f" attributes {{known_block_size = array<i32: {x}, {y}, {z}>}}" if random.random() < 0.6 else ""
    spread = _FAR if seed % 4 == 3 else 1
    writer = Writer(random, items, spread)
    start = Scope(("%n", "%m", "%own", "%first"), ("%n", "%m", "%group"), True)
    end = writer.block(start, size)
    total = end.values[0]
    for value in end.values[1:]:
        total = writer.made(f"arith.xori {total}, {value} : i32")
    text = "\n".join([*_head(items, block, known, spread), *writer.lines, *_tail(total, writer)])
    numbers = np.random.default_rng(seed)
    arguments = (
        numbers.integers(-(1 << 31), 1 << 31, _INPUTS).astype(np.int32),
        numbers.integers(-9, 100, (items * groups, _COLUMNS)).astype(np.int32),
        np.ones(_BINS, np.int32),
        random.randint(0, 40),
        random.randint(-(1 << 31), (1 << 31) - 1),
    )
    return RandomProgram(text, (groups, 1, 1), block, arguments)


def _head(items: int, block: tuple[int, int, int], known: str, spread: int) -> list[str]:
    x, y, _ = block
    return [
        "gpu.module @m {",
        f"gpu.func @random(%in: memref<{_INPUTS}xi32>, %out: memref<?x{_COLUMNS}xi32>,",
        f"    %sums: memref<{_BINS}xi32>, %n: i32, %m: i32)",
        f"    workgroup(%shared: memref<{items}xi32, 3>, %bins: memref<{_BINS}xi32, 3>)",
        f"    private(%private: {_private(spread)}) kernel{known} {{",
        f"%spread = arith.constant {spread} : index",
        f"%width = arith.constant {x} : index",
        f"%plane = arith.constant {x * y} : index",
        f"%items = arith.constant {items} : index",
        f"%some = arith.constant {_BINS} : index",
        "%zero = arith.constant 0 : i32",
        "%at0 = arith.constant 0 : index",
        *[f"%own{one} = arith.constant {one * spread} : index" for one in range(_OWN)],
        *[f"%{axis} = gpu.thread_id {axis}" for axis in "xyz"],
        "%b = gpu.block_id x",
        "%row = arith.muli %y, %width : index",
        "%depth = arith.muli %z, %plane : index",
        "%xy = arith.addi %x, %row : index",
        "%t = arith.addi %xy, %depth : index",
        "%before = arith.muli %b, %items : index",
        "%i = arith.addi %before, %t : index",
        "%own = arith.index_cast %i : index to i32",
        "%group = arith.index_cast %b : index to i32",
        f"%first = memref.load %out[%i, %at0] : memref<?x{_COLUMNS}xi32>",
        *[f"memref.store %first, %private[%own{one}] : {_private(spread)}" for one in range(_OWN)],
        "%has_bin = arith.cmpi ult, %t, %some : index",
        f"scf.if %has_bin {{ memref.store %zero, %bins[%t] : memref<{_BINS}xi32, 3> }}",
        "gpu.barrier",
    ]


def _tail(total: str, w: Writer) -> list[str]:
    bins, sums = f"memref<{_BINS}xi32, 3>", f"memref<{_BINS}xi32>"
    return [
        f"memref.store {total}, %out[%i, %at0] : memref<?x{_COLUMNS}xi32>",
        "gpu.barrier",
        "scf.if %has_bin {",
        f"%bin = memref.load %bins[%t] : {bins}",
        f"%last = memref.atomic_rmw {w.global_kind} %bin, %sums[%t] : (i32, {sums}) -> i32",
        "}",
        "gpu.return",
        "}",
        "}",
        "",
    ]
