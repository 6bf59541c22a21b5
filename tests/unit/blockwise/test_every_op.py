"""Every op of the tile language with every target: it compiles, or a rule refuses it and says what to write."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.op_table import BY_NAME, pointwise_ops
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.program import Op
from asmgen.ir.types import ELEMENT_TYPES, LaneType
from isa.diagnostics import InputError
from isa.targets import TARGETS

EVERY = tuple(TARGETS)
CDNA, RDNA = ("gfx90a", "gfx942", "gfx950"), ("gfx1100", "gfx1201")

# A kernel of two waves with a tile `a` of f16, in which each row is four lanes. A line is a statement; the last names `q`.
TILE, ROWS = "{ROWS,16}", "{ROWS,1}"
ON_TILES = {
    "@param": "q = relu(a) -> f16, TILE @ tile",
    "@literal": "l = @literal{1.0, 2.0, 3.0, 4.0} -> f16, {4} | q = tile_load[at={c1 mod 4}](l) -> f16, TILE @ tile",
    "fill": "q = fill[value=3]() -> f16, TILE @ tile",
    "positions": "i = positions[at={c0 + 2*c1}]() -> i32, TILE @ tile | q = convert[to=f16](i) -> f16, TILE @ tile",
    "tile_load": "q = tile_load[at={c0, 15 - c1}, where={c1 < 9}, otherwise=2](x) -> f16, TILE @ tile",
    "tile_store": "tile_store[at={c0, 15 - c1}, where={c1 < 9}](a, y) | q = relu(a) -> f16, TILE @ tile",
    "mask": "q = mask[where={c1 < 5}, otherwise=1](a) -> f16, TILE @ tile",
    "iterate": "f = convert[to=f32](a) -> f32, TILE @ tile | i = iterate(f) (x) { | h = @literal{0.5} -> f32, {} | more = less(h, x) | "
    "n = mul(x, h) | @return(more, n) | } -> f32, TILE @ tile | q = convert[to=f16](i) -> f16, TILE @ tile",
    "convert": "f = convert[to=f32](a) -> f32, TILE @ tile | q = convert[to=f16](f) -> f16, TILE @ tile",
    "bit_cast": "b = bit_cast[to=u16](a) -> u16, TILE @ tile | q = bit_cast[to=f16](b) -> f16, TILE @ tile",
    "unpack": "b = bit_cast[to=i16](a) -> i16, TILE @ tile | n = unpack[at={c1 mod 4}, to=i8, bits=4](b) -> i8, TILE @ tile | "
    "q = convert[to=f16](n) -> f16, TILE @ tile",
    "reduce": "m = reduce[op=max, axes={1}](a) -> f16, {ROWS,1} @ row | q = broadcast(m) -> f16, TILE @ tile",
    "scan": "q = scan[op=sum, axis=1](a) -> f16, TILE @ tile",
    "bin_sum": "n = convert[to=i32](a) -> i32, TILE @ tile | s = bin_sum(n, n) -> i32, {4} @ bins | q = convert[to=f16](n) -> f16, TILE @ tile",
    "sum_parts": "p = @param:p -> u64, {1,1,WORDS} | n = @literal{0, 0} -> u32, {1,2} | f = convert[to=f32](a) -> f32, TILE @ tile | "
    "s = sum_parts[over=b](f, p, n) -> f32, TILE @ tile | q = convert[to=f16](s) -> f16, TILE @ tile",
    "sort": "b = bit_cast[to=i16](a) -> i16, TILE @ tile | k = convert[to=i32](b) -> i32, TILE @ tile | "
    "s = sort[axis=1](k) -> i32, TILE @ tile | c = convert[to=i16](s) -> i16, TILE @ tile | q = bit_cast[to=f16](c) -> f16, TILE @ tile",
    "broadcast": "m = reduce[op=sum, axes={1}](a) -> f16, {ROWS,1} @ row | q = broadcast(m) -> f16, TILE @ tile",
    "reshape": "r = reshape(a) -> f16, {ROWS,4,4} @ thirds | m = mask[where={c1 < 3}](r) -> f16, {ROWS,4,4} @ thirds | "
    "q = reshape(m) -> f16, TILE @ tile",
    "relayout": "t = relayout(a) -> f16, TILE @ turned | q = relayout(t) -> f16, TILE @ tile",
    "contract": "r = relayout(a) -> f16, TILE @ whole | i = fill[value=1]() -> f16, {16,16} @ columns | "
    "z = fill[value=0]() -> f16, TILE @ each | c = contract(r, i, z) -> f16, TILE @ each | q = relayout(c) -> f16, TILE @ tile",
    "for": "q = for[k = 0 to 3](a) (c) { | n = mask[where={c1 < k + 12}](c) -> f16, TILE @ tile | yield(n) | } -> f16, TILE @ tile",
    "waves": "waves[1 to 2]() { | w = tile_load[at={c0, c1}](x) -> f16, {HALF,16} @ half | "
    "tile_store[at={c0, c1}](w, y) | yield() | } | q = relu(a) -> f16, TILE @ tile",
    "yield": "q = for[k = 0 to 3](a) (c) { | yield(c) | } -> f16, TILE @ tile",
    "stage": "q = for[k = 0 to 3](a) (c) { | t = tile_load[at={c0, c1}](y) -> f16, TILE @ tile | stage() | "
    "n = add(c, t) -> f16, TILE @ tile | yield(n) | } -> f16, TILE @ tile",
    "lds_allocate": "l = lds_allocate() -> f16, TILE @ offset(PLACED) slots(2) | lds_store[slot=1](a, l) | "
    "q = lds_load[slot=1](l) -> f16, TILE @ tile",
    "lds_store": "l = lds_allocate() -> f16, TILE @ offset(PLACED) | lds_store(a, l) | q = lds_load(l) -> f16, TILE @ tile",
    "lds_load": "l = lds_allocate() -> f16, TILE @ offset(PLACED) | lds_store(a, l) | barrier() | q = lds_load(l) -> f16, TILE @ turned",
    "order": "order() | q = relu(a) -> f16, TILE @ tile",
    "priority": "priority[level=2]() | q = relu(a) -> f16, TILE @ tile",
    "barrier": "barrier() | q = relu(a) -> f16, TILE @ tile",
    "async_copy": "l = lds_allocate() -> f16, TILE @ offset(PLACED) | async_copy[at={c0, c1}, layout=moved](x, l) | async_wait[pending=0]() | "
    "barrier() | q = lds_load(l) -> f16, TILE @ tile",
    "async_wait": "async_wait[pending=3]() | q = relu(a) -> f16, TILE @ tile",
}
# Attributes that name an instruction of the target.
NAMING = {
    "lds_load by": "l = lds_allocate() -> f16, TILE @ offset(PLACED) | lds_store(a, l) | barrier() | "
    "t = lds_load[by=ds_read_b64_tr_b16](l) -> f16, TILE @ across | q = relayout(t) -> f16, TILE @ tile",
}
NO_COPIES = "has no copies from memory to LDS; write tile_load and lds_store"
NO_TRANSPOSES = "has no loads from LDS that transpose; leave `by` out, and relayout the tile before lds_store"
REFUSED = {
    **{(op, target): ("BLK012", NO_COPIES) for op in ("async_copy", "async_wait") for target in RDNA},
    **{("lds_load by", target): ("BLK003", NO_TRANSPOSES) for target in EVERY if target != "gfx950"},
}


def text_of(lines: str, target: str) -> str:
    """The kernel with these statements between the load of `a` and the store of `q`."""
    lanes = TARGETS[target].wave_size
    rows = lanes // 4  # of a wave
    bits = [f"{1 << bit}:0" for bit in range((rows * 2).bit_length() - 1)]
    own, wave = " ".join(bits[:-1]), bits[-1]
    placed = f"0:1 0:2 0:4 0:8 {' '.join(bits)}"
    zeros = " ".join(["0:0"] * (len(bits) - 1))
    body = "".join(f"  {line.strip()}\n" for line in lines.split(" | "))
    made = f"""stage blockwise {target}
kernel @k grid(b: 1) waves(2) lanes({lanes}) {{
  layout tile = reg(0:1 0:2) lane(0:4 0:8 {own}) wave({wave})
  layout thirds = reg(0:0:1 0:0:2) lane(0:1:0 0:2:0 {own.replace(":0", ":0:0")}) wave({wave}:0)
  layout half = reg(0:1 0:2) lane(0:4 0:8 {own})
  layout row = lane(0:0 0:0 {own}) wave({wave})
  layout turned = reg(1:0 2:0) lane({" ".join(bits[2:])} 0:1 0:2 0:4) wave(0:8)
  layout across = reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 {" ".join(bits[2:-1])}) wave({wave})
  layout whole = reg(0:1 0:2 0:4 0:8) lane(0:0 0:0 {own}) wave({wave})
  layout columns = reg(1:0 2:0 4:0 8:0 0:1 0:2) lane(0:4 0:8 {zeros}) wave(0:0)
  layout each = reg(0:1 0:2) lane(0:4 0:8 {own}) wave({wave})
  layout moved = reg(0:1 {bits[-2]}) lane(0:2 0:4 0:8 {" ".join(bits[:-2])}) wave({wave})
  layout bins = reg(1 2) lane({" ".join(["0"] * (len(bits) + 1))}) wave(0)
  x = @param:x -> f16, TILE
  y = @param:y -> f16, TILE
  o = @param:o -> f16, TILE
  a = tile_load[at={{c0, c1}}](x) -> f16, TILE @ tile
{body}  tile_store[at={{c0, c1}}](q, o)
}}
"""
    return (
        made.replace("TILE", TILE)
        .replace("ROWS", str(rows * 2))
        .replace("HALF", str(rows))
        .replace("PLACED", placed)
        .replace("WORDS", str(rows * 16))
    )


def test_the_table_has_every_op() -> None:
    assert set(ON_TILES) == set(BY_NAME)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("op", [*ON_TILES, *NAMING])
def test_an_op_compiles_or_is_refused_by_its_rule(op: str, target: str) -> None:
    text = text_of((ON_TILES | NAMING)[op], target)
    if (op, target) not in REFUSED:
        assert asmgen.compile(text, target=target).kernels
        return
    code, words = REFUSED[op, target]
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text, target=target)
    assert (caught.value.code, words in caught.value.message) == (code, True)


# Ops of the graph that are made of others before tiles, and the types of operands that they are made of others for.
ELEMENTS = tuple(dict.fromkeys(element.name for element in ELEMENT_TYPES.values() if not element.is_code))
NUMBERS = tuple(name for name in ELEMENTS if name != "bool")
INTEGERS = tuple(name for name in NUMBERS if not ELEMENT_TYPES[name].is_float)
FLOATS = tuple(name for name in NUMBERS if ELEMENT_TYPES[name].is_float)
MADE_OF_OTHERS = {
    "sqdiff": NUMBERS, "prelu": NUMBERS, "sign": NUMBERS, "isnan": FLOATS, "isinf": FLOATS, "fmod": INTEGERS,
    "mod": INTEGERS, "pow": INTEGERS, "bitwise_and": ("bool",), "bitwise_or": ("bool",),
    "bitwise_xor": ("bool",), "popcount": ("i8", "i16"), "leading_zeros": ("i8", "u8", "i16", "u16"),
    "quantizelinear": NUMBERS, "dequantizelinear": NUMBERS,
}  # fmt: skip


def types_of(op: Op, element: str) -> tuple[list[str], str] | None:
    """The types of the operands and of the result, if the op takes the element."""
    operands = ["bool" if op.name == "where" and i == 0 else element for i in range(op.minimum)]
    try:
        (result,) = op.infer(op, tuple([LaneType(ELEMENT_TYPES[one]) for one in operands]), {}, None)
    except InputError:
        return None
    return operands, result.element.name


def kernel_of(cases: list[tuple[str, list[str], str]], target: str) -> str:
    """A kernel with a statement for each op, each stored to a buffer of its own; a wave has an element a lane."""
    lanes = TARGETS[target].wave_size
    layout = " ".join(f"0:{1 << bit}" for bit in range(lanes.bit_length() - 1))
    elements = dict.fromkeys(one for _, operands, _ in cases for one in operands)
    shape = f"{{1,{lanes}}}"
    head = [f"  x_{one} = @param:x_{one} -> {one}, {shape}" for one in elements]
    head += [f"  z_{name} = @param:z_{name} -> {result}, {shape}" for name, _, result in cases]
    body = [f"  t_{one} = tile_load[at={{0, c1}}](x_{one}) -> {one}, {shape} @ row" for one in elements]
    for name, operands, result in cases:
        body.append(f"  r_{name} = {name}({', '.join(f't_{one}' for one in operands)}) -> {result}, {shape} @ row")
        body.append(f"  tile_store[at={{0, c1}}](r_{name}, z_{name})")
    lines = "\n".join([*head, *body])
    return f"stage blockwise {target}\nkernel @k grid(b: 1) waves(1) lanes({lanes}) {{\n  layout row = lane({layout})\n{lines}\n}}\n"


# Floats on every target, other types on a target of each family.
POINTWISE = [
    pytest.param(element, target, marks=[] if element == "f32" or target in ("gfx942", "gfx1201") else [pytest.mark.slow])
    for element in ("f32", "i32", "bool", "f16")
    for target in EVERY
]


@pytest.mark.parametrize(("element", "target"), POINTWISE)
def test_pointwise_ops_compile(element: str, target: str) -> None:
    cases = [
        (name, *types)
        for name, op in pointwise_ops().items()
        if element not in MADE_OF_OTHERS.get(name, ()) and (types := types_of(op, element)) is not None
    ]
    assert cases
    assert asmgen.compile(kernel_of(cases, target), target=target).kernels


@pytest.mark.parametrize("name", list(MADE_OF_OTHERS))
def test_ops_that_the_graph_makes_of_others_are_refused(name: str) -> None:
    tried = 0
    for element in ELEMENTS:
        types = types_of(pointwise_ops()[name], element)
        if types is None:
            continue
        text = kernel_of([(name, *types)], "gfx942")
        if element not in MADE_OF_OTHERS[name]:
            assert read_program(text, "op.gen").kernels
            continue
        tried += 1
        with pytest.raises(InputError, match="is an op of the graph only, made of others before tiles; write those"):
            _ = read_program(text, "op.gen")
    assert tried


def test_no_other_op_is_made_of_others() -> None:
    from asmgen.graph.compose.compose import COMPOSED

    assert {op.name for op in COMPOSED} & set(pointwise_ops()) == set(MADE_OF_OTHERS)
