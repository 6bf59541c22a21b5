"""Atomic operations: each kind on each type, in memory and in LDS, alone and with many lanes at one place;
and their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.lanewise.atomic_ops import KINDS, OF_BITS
from asmgen.lanewise.interpret import interpret
from isa.diagnostics import InputError
from isa.targets import TARGETS
from tests.rows import in_turn

pytestmark = pytest.mark.broad

Array = np.ndarray[Any, Any]
TYPES = ("i32", "u32", "i64", "u64", "f32", "f64")
PLACES = 8
LANES, GROUPS = 128, 3
REDUCE = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def kinds_of(element: str) -> list[str]:
    return [kind for kind in KINDS if kind not in OF_BITS or not element.startswith("f")]


def header(target: str, groups: int = GROUPS) -> str:
    return f"""stage lanewise {target}
launch[grid={{{groups},1,1}}, block={{{LANES},1,1}}]
lane = local_id -> u32
group = workgroup_id -> u32
lanes = @literal{{{LANES}}} -> u32
mask = @literal{{{PLACES - 1}}} -> u32
zero = @literal{{0}} -> u32
one = @literal{{1}} -> u32
first = mul(group, lanes) -> u32
i = add(first, lane) -> u32
at = bitwise_and(i, mask) -> u32
"""


def numbers(element: str, count: int, seed: int) -> Array:
    """Small whole numbers, whose sums are the same in every order."""
    low = 0 if element.startswith("u") else -1000
    return np.random.default_rng(seed).integers(low, 1000, count).astype(ELEMENT_TYPES[element].numpy)


def many(element: str, target: str) -> str:
    """Every kind on memory, with the result unread, and on LDS, from which a lane of each place stores the
    total."""
    lines = [header(target)]
    kinds = [kind for kind in kinds_of(element) if kind != "exchange"]
    lines.append(f"a = @param:a -> {element}, {{{LANES * GROUPS}}}")
    for kind in kinds:
        lines.append(f"out_{kind} = @param:out_{kind} -> {element}, {{{PLACES}}}")
        lines.append(f"shared_{kind} = @param:shared_{kind} -> {element}, {{{PLACES * GROUPS}}}")
        lines.append(f"lds_{kind} = lds_allocate[size={PLACES}, type={element}]")
    lines.append(f"x = load(a, i) -> {element}\nnothing = @literal{{0}} -> {element}\nis_first = less(lane, mask) -> bool")
    lines.append("places = add(mask, one) -> u32\nis_place = less(lane, places) -> bool\nif(is_place) {")
    lines += [f"lds_store(lds_{kind}, lane, nothing)" for kind in kinds]
    lines.append("yield\n}\nbarrier")
    for kind in kinds:
        lines.append(f"g_{kind} = atomic[op={kind}](out_{kind}, at, x) -> {element}")
        lines.append(f"l_{kind} = lds_atomic[op={kind}](lds_{kind}, at, x) -> {element}")
    lines.append("barrier\nif(is_place) {\nbase = mul(group, places) -> u32\nto = add(base, lane) -> u32")
    for kind in kinds:
        lines.append(f"r_{kind} = lds_load(lds_{kind}, lane) -> {element}\nstore(shared_{kind}, to, r_{kind})")
    results = ", ".join(f"out_{kind}, shared_{kind}" for kind in kinds)
    return "\n".join([*lines, f"yield\n}}\n@return({results})\n"])


@pytest.mark.parametrize(("element", "target"), in_turn(TYPES, TARGETS, of=2))
def test_many_lanes_at_one_place(element: str, target: str) -> None:
    a = numbers(element, LANES * GROUPS, 1)
    found = asmgen.compile(many(element, target), target=target, verify_passes=True)(a, device="emulator")
    kinds = [kind for kind in kinds_of(element) if kind != "exchange"]
    for number, kind in enumerate(kinds):
        start = np.zeros((1, PLACES), a.dtype)
        whole = REDUCE[kind].reduce(np.concatenate([start, a.reshape(-1, PLACES)]), axis=0)
        np.testing.assert_array_equal(found[2 * number], whole, kind)
        groups = [REDUCE[kind].reduce(np.concatenate([start, part.reshape(-1, PLACES)]), axis=0) for part in a.reshape(GROUPS, -1)]
        np.testing.assert_array_equal(found[2 * number + 1], np.concatenate(groups), f"lds {kind}")


def alone(element: str, target: str) -> str:
    """Each lane at its own place: the old value, and the new value."""
    size = LANES
    lines = [header(target, 1), f"b = @param:b -> {element}, {{{size}}}", f"e = @param:e -> {element}, {{{size}}}"]
    cases = [*kinds_of(element), "swap"]
    for case in cases:
        lines.append("\n".join(f"{name}_{case} = @param:{name}_{case} -> {element}, {{{size}}}" for name in ("mem", "old", "lold", "lnew")))
        lines.append(f"l_{case} = lds_allocate[size={size}, type={element}]")
    lines.append(f"x = load(b, i) -> {element}\nw = load(e, i) -> {element}")
    for case in cases:
        attributes, more = (f"[op={case}]", "x") if case != "swap" else ("", "w, x")
        name = "atomic" if case != "swap" else "compare_swap"
        lines.append(f"store(mem_{case}, i, w)\nlds_store(l_{case}, lane, w)")
        lines.append(f"o_{case} = {name}{attributes}(mem_{case}, i, {more}) -> {element}\nstore(old_{case}, i, o_{case})")
        lines.append(f"p_{case} = lds_{name}{attributes}(l_{case}, lane, {more}) -> {element}\nstore(lold_{case}, i, p_{case})")
        lines.append(f"q_{case} = lds_load(l_{case}, lane) -> {element}\nstore(lnew_{case}, i, q_{case})")
    results = ", ".join(f"{name}_{case}" for case in cases for name in ("mem", "old", "lold", "lnew"))
    return "\n".join([*lines, f"@return({results})\n"])


@pytest.mark.parametrize(("element", "target"), in_turn(TYPES, TARGETS, of=2))
def test_what_was_there(element: str, target: str) -> None:
    text = alone(element, target)
    b, e = numbers(element, LANES, 2), numbers(element, LANES, 3)
    module = parse(text, "alone.gen").modules[0]
    wanted = [np.zeros(LANES, b.dtype) for _ in module.statements[-1].operands]
    interpret(module, [b, e, *wanted], wave=TARGETS[target].wave_size)
    assert (wanted[1] == e).all() and (wanted[0] == e + b).all() and (wanted[-4] == b).all()
    found = asmgen.compile(text, target=target)(b, e, device="emulator")
    for number, (want, got) in enumerate(zip(wanted, found, strict=True)):
        np.testing.assert_array_equal(got, want, str(number))


SWAPPED = """
seen = @param:seen -> u32, {{{lanes}}}
cell = @param:cell -> u32, {{1}}
start = atomic[op=add](cell, zero, zero) -> u32
other = add(start, one) -> u32
found, expected = while(start, other) (f, e) {{
  differs = not_equal(f, e) -> bool
  yield(differs)
}} (g, h) {{
  next = add(g, one) -> u32
  got = compare_swap(cell, zero, g, next) -> u32
  yield(got, g)
}}
store(seen, i, found)
@return(seen, cell)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_a_loop_of_compare_and_swap(target: str) -> None:
    """Each lane adds one to a cell by its own loop: every number is drawn once."""
    text = header(target, 2) + SWAPPED.format(lanes=2 * LANES)
    seen, cell = asmgen.compile(text, target=target)(device="emulator")
    assert cell[0] == 2 * LANES
    np.testing.assert_array_equal(np.sort(seen), np.arange(2 * LANES))


LAST = """
a = @param:a -> f32, {{{size}}}
partial = @param:partial -> f32, {{{groups}}}
counter = @param:counter -> u32, {{1}}
out = @param:out -> f32, {{1}}
lds = lds_allocate[size={waves}, type=f32]
tickets = lds_allocate[size=1, type=u32]
groups = @literal{{{last}}} -> u32
all = @literal{{{groups}}} -> u32
x = load(a, i) -> f32
d = dpp_reduce[op=sum, lanes={wave}](x) -> f32
s = reduce_waves[op=sum, waves={waves}](d, lds) -> f32
is_first = equal(lane, zero) -> bool
if(is_first) {{
  store(partial, group, s)
  ticket = atomic[op=add, order=acq_rel](counter, zero, one) -> u32
  lds_store(tickets, zero, ticket)
  yield
}}
barrier
number = lds_load(tickets, zero) -> u32
is_last = equal(number, groups) -> bool
if(is_last) {{
  barrier
  nothing = @literal{{0}} -> f32
  total = for(zero, all, one, nothing) (k, t) {{
    p = load(partial, k) -> f32
    u = add(t, p) -> f32
    yield(u)
  }}
  if(is_first) {{
    store(out, zero, total)
    yield
  }}
  yield
}}
@return(out, partial, counter)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_the_last_workgroup_adds_up(target: str) -> None:
    """A ticket that is drawn with acquire and release shows the last workgroup the stores of the others; the
    sanitizer sees no race."""
    wave = TARGETS[target].wave_size
    groups = 5
    text = header(target, groups) + LAST.format(size=LANES * groups, groups=groups, last=groups - 1, waves=LANES // wave, wave=wave)
    a = numbers("f32", LANES * groups, 4)
    program = asmgen.compile(text, target=target)
    out, partial, counter = program(a, device="emulator")
    assert out[0] == a.sum() and counter[0] == groups
    np.testing.assert_array_equal(partial, a.reshape(groups, -1).sum(1))


# LLVM's AMDGPUUsage, memory models: before an atomicrmw with release of the scope agent, and after an atomicrmw with acquire that has a result
ORDERED = {
    "gfx90a": (["s_waitcnt vmcnt(0) lgkmcnt(0)"], ["s_waitcnt vmcnt(0)", "buffer_wbinvl1_vol"]),
    "gfx942": (["buffer_wbl2 sc1", "s_waitcnt vmcnt(0) lgkmcnt(0)"], ["s_waitcnt vmcnt(0)", "buffer_inv sc1"]),
    "gfx950": (["buffer_wbl2 sc1", "s_waitcnt vmcnt(0) lgkmcnt(0)"], ["s_waitcnt vmcnt(0)", "buffer_inv sc1"]),
    "gfx1100": (["s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt_vscnt null, 0x0"], ["s_waitcnt vmcnt(0)", "buffer_gl1_inv", "buffer_gl0_inv"]),
    "gfx1201": (
        ["global_wb scope:SCOPE_DEV", "s_wait_storecnt 0x0", "s_wait_loadcnt_dscnt 0x0"], ["s_wait_loadcnt 0x0", "global_inv scope:SCOPE_DEV"],
    ),
}  # fmt: skip
ORDER = """
a = @param:a -> u32, {{256}}
out = @param:out -> u32, {{256}}
lds = lds_allocate[size=256, type=u32]
lds_store(lds, lane, lane)
x = load(out, i) -> u32
y = add(x, one) -> u32
store(out, i, y)
t = atomic[op=add, order=acq_rel](a, zero, one) -> u32
u = load(out, t) -> u32
store(out, i, u)
@return(out, a)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_the_order_is_that_of_llvms_memory_model(target: str) -> None:
    lines = asmgen.compile(header(target, 1) + ORDER.format(), target=target).kernels[0].assembly.splitlines()
    code = [line.split(";")[0].strip() for line in lines]
    at = next(i for i, line in enumerate(code) if line.startswith("global_atomic_add"))
    before, after = ORDERED[target]
    around = [line for line in code[at - 8 : at] if line.startswith(("s_wait", "buffer_wb", "global_wb"))]
    assert set(before) <= {" ".join(line.split()) for line in around}, around
    assert [" ".join(line.split()) for line in code[at + 1 :] if line and not line.startswith((".loc", "s_delay"))][: len(after)] == after


# clang-22 for __scoped_atomic_load_n and __scoped_atomic_store_n of 64 bits, by scope: the modifiers of a load and of a store
ACCESSED = {
    ("gfx90a", "agent"): ("glc", ""), ("gfx90a", "workgroup"): ("", ""), ("gfx942", "agent"): ("sc1", "sc1"), ("gfx942", "workgroup"): ("sc0", "sc0"),
    ("gfx950", "agent"): ("sc1", "sc1"), ("gfx950", "workgroup"): ("sc0", "sc0"), ("gfx1100", "agent"): ("glc", ""),
    ("gfx1100", "workgroup"): ("glc", ""), ("gfx1201", "agent"): ("scope:SCOPE_DEV",) * 2, ("gfx1201", "workgroup"): ("scope:SCOPE_SE",) * 2,
}  # fmt: skip


@pytest.mark.parametrize(("target", "scope"), ACCESSED)
def test_atomic_loads_and_stores_are_those_of_clang(target: str, scope: str) -> None:
    """With acquire and release they have the waits and the cache operations of atomic operations."""
    text = header(target, 1) + "a = @param:a -> u64, {128}\nb = @param:b -> u64, {128}\n"
    relaxed = f"x = atomic_load[scope={scope}](a, i) -> u64\natomic_store[scope={scope}](b, i, x)\n@return(b)\n"
    program = asmgen.compile(text + relaxed, target=target)
    words = np.arange(128, dtype=np.uint64) << np.uint64(33)
    np.testing.assert_array_equal(program(words, device="emulator")[0], words)
    lines = [" ".join(line.split(";")[0].split()) for line in program.kernels[0].assembly.splitlines()]
    load, store = (next(line for line in lines if line.startswith(name)) for name in ("global_load", "global_store"))
    assert [line.split("]")[-1].strip() for line in (load, store)] == list(ACCESSED[target, scope])
    if scope == "workgroup":
        return
    ordered = relaxed.replace("scope=agent](a", "order=acquire](a").replace("scope=agent](b", "order=release](b")
    code = [" ".join(line.split(";")[0].split()) for line in asmgen.compile(text + ordered, target=target).kernels[0].assembly.splitlines()]
    at = next(number for number, line in enumerate(code) if line.startswith("global_store"))
    before, after = ORDERED[target]
    assert {line for line in before if not line.startswith("s_wait")} <= set(code[:at])
    assert {line for line in after if not line.startswith("s_wait")} <= set(code[:at])


def test_scopes_and_no_result() -> None:
    """An operation without a reader has no result; gfx1201 states the scope."""
    text = header("gfx1201", 1) + "a = @param:a -> u32, {8}\nr = atomic[op=add, scope=workgroup](a, at, one) -> u32\n@return(a)\n"
    assert "global_atomic_add_u32 v0, v1, s[0:1] scope:SCOPE_SE" in asmgen.compile(text, target="gfx1201").kernels[0].assembly


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("r = atomic[op=xor](f, at, x) -> f32", "wanted one of i32 u32 i64 u64"), ("r = atomic[op=add](f, at, one) -> f32", "operand 3 is u32"),
        ("r = atomic[op=add](h, at, one) -> f16", "the buffer is of f16"), ("r = compare_swap(f, at, x, one) -> f32", "operand 4 is u32"),
        ("r = atomic[op=add](f, x, x) -> f32", "wanted a u32 index"), ("r = atomic[op=nand](f, at, x) -> f32", "op is 'nand'"),
        ("r = atomic[op=add, order=seq](f, at, x) -> f32", "order is 'seq'"), ("r = atomic_load[order=release](f, at) -> f32", "order is 'release'"),
        ("atomic_store(f, at, one)", "operand 3 is u32"), ("r = atomic_load(h, at) -> f16", "the buffer is of f16"),
    ],
)  # fmt: skip
def test_bad_operations_are_refused(statement: str, what: str) -> None:
    text = header("gfx942") + f"f = @param:f -> f32, {{8}}\nh = @param:h -> f16, {{8}}\nx = load(f, at) -> f32\n{statement}\n@return(f)\n"
    with pytest.raises(InputError) as caught:
        _ = parse(text, "bad.gen")
    assert what in caught.value.message
