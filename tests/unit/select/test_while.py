"""`while` and sizes known at launch: loops that end by a computed condition, and bounds that a scalar
parameter gives."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.verify.convergence import check_convergence
from isa.diagnostics import InputError
from isa.targets import TARGETS

COLLATZ = """stage lanewise {target}
launch[grid={{2,1,1}}, block={{64,1,1}}]
a = @param:a -> u32, {{128}}
n = @param:n -> u32
out = @param:out -> u32, {{128}}
odd = @param:odd -> bool, {{128}}
lane = local_id -> u32
group = workgroup_id -> u32
size = @literal{{64}} -> u32
zero = @literal{{0}} -> u32
one = @literal{{1}} -> u32
three = @literal{{3}} -> u32
first = mul(group, size) -> u32
i = add(first, lane) -> u32
x = load(a, i) -> u32
no = @literal{{false}} -> bool
last, steps, was_odd = while(x, zero, no) (v, k, o) {{
  more = less(one, v) -> bool
  few = less(k, n) -> bool
  both = logical_and(more, few) -> bool
  yield(both)
}} (w, m, p) {{
  low = bitwise_and(w, one) -> u32
  is_odd = equal(low, one) -> bool
  next = if(is_odd) {{
    t = mul(w, three) -> u32
    up = add(t, one) -> u32
    yield(up)
  }} {{
    half = shift_right(w, one) -> u32
    yield(half)
  }}
  count = add(m, one) -> u32
  yield(next, count, is_odd)
}}
both_of = add(last, steps) -> u32
store(out, i, both_of)
store(odd, i, was_odd)
@return(out, odd)
"""
UNIFORM = """stage lanewise {target}
launch[grid={{3,1,1}}, block={{128,1,1}}]
n = @param:n -> i32
a = @param:a -> f32, {{4096}}
out = @param:out -> f32, {{384}}
lane = local_id -> u32
group = workgroup_id -> u32
block = @literal{{128}} -> u32
stride = @literal{{384}} -> u32
zero = @literal{{0.0}} -> f32
one = @literal{{1}} -> u32
none = @literal{{0}} -> u32
lds = lds_allocate[size=128, type=f32]
base = mul(group, block) -> u32
i = add(base, lane) -> u32
size = bit_cast[target_type=u32](n) -> u32
total, at, trips = while(zero, base, none) (s, b, k) {{
  inside = less(b, size) -> bool
  yield(inside)
}} (t, c, m) {{
  j = add(c, lane) -> u32
  exists = less(j, size) -> bool
  x = if(exists) {{
    y = load(a, j) -> f32
    yield(y)
  }} {{
    yield(zero)
  }}
  lds_store(lds, lane, x)
  barrier
  other = bitwise_xor(lane, one) -> u32
  z = lds_load(lds, other) -> f32
  barrier
  sum = add(t, z) -> f32
  d = add(c, stride) -> u32
  more = add(m, one) -> u32
  yield(sum, d, more)
}}
f = convert[target_type=f32](trips) -> f32
r = add(total, f) -> f32
store(out, i, r)
@return(out)
"""
STRIDED = """stage lanewise {target}
launch[grid={{2,1,1}}, block={{64,1,1}}]
n = @param:n -> u32
scale = @param:scale -> f32
a = @param:a -> f32, {{1000}}
out = @param:out -> f32, {{1000}}
lane = local_id -> u32
group = workgroup_id -> u32
size = @literal{{64}} -> u32
stride = @literal{{128}} -> u32
first = mul(group, size) -> u32
start = add(first, lane) -> u32
for(start, n, stride) (i) {{
  x = load(a, i) -> f32
  y = mul(x, scale) -> f32
  store(out, i, y)
  yield
}}
@return(out)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("most", [0, 7, 1000])
def test_lanes_leave_at_different_trips(target: str, most: int) -> None:
    """Numbers, lane masks and a nested `if` are carried; each lane keeps its values of the trip in which it
    left."""
    if most == 7 and target in ("gfx90a", "gfx950"):
        return
    text = COLLATZ.format(target=target)
    values = np.concatenate([np.arange(100), [0, 1, 27, 97], np.arange(24)]).astype(np.uint32)
    sums, odd = np.zeros(128, np.uint32), np.zeros(128, bool)
    interpret(parse(text, "while.gen").modules[0], [values, np.array(most, np.uint32), sums, odd], wave=TARGETS[target].wave_size)
    found = asmgen.compile(text, target=target, verify_passes=True)(values, most, device="emulator")
    np.testing.assert_array_equal(found[0], sums)
    np.testing.assert_array_equal(found[1], odd)
    if most == 1000:
        steps = [0] * 128
        for i, value in enumerate(map(int, values)):
            while value > 1:
                value, steps[i] = 3 * value + 1 if value % 2 else value // 2, steps[i] + 1
        np.testing.assert_array_equal(sums, np.array(steps) + np.minimum(values, 1))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("size", [0, 1, 384, 1000])
def test_a_loop_that_the_workgroup_makes_alike(target: str, size: int) -> None:
    """The bound is known at launch; the body has barriers, which a test that is the same in the workgroup
    allows."""
    program = asmgen.compile(UNIFORM.format(target=target), target=target)
    assert "s_cbranch_scc" in program.kernels[0].assembly
    a = np.arange(4096, dtype=np.float32)
    padded = np.where(np.arange(384 * 3) < size, a[: 384 * 3], 0).reshape(3, 3, 64, 2)[..., ::-1].reshape(3, 384).sum(0)
    trips = np.repeat([max(0, -(-(size - first) // 384)) for first in (0, 128, 256)], 128)
    (found,) = program(size, a, device="emulator")
    np.testing.assert_array_equal(found, padded + trips)


@pytest.mark.parametrize("target", TARGETS)
def test_a_size_known_at_launch(target: str) -> None:
    program = asmgen.compile(STRIDED.format(target=target), target=target)
    a = np.arange(1000, dtype=np.float32)
    for size in (0, 1, 130, 1000):
        (found,) = program(size, 3, a, device="emulator")
        np.testing.assert_array_equal(found, np.where(np.arange(1000) < size, 3 * a, 0))


def test_a_barrier_under_a_test_that_differs() -> None:
    text = COLLATZ.format(target="gfx942").replace("  low = ", "  barrier\n  low = ")
    with pytest.raises(InputError, match=r"barrier is in the while at .*, and the condition both differs") as caught:
        check_convergence(parse(text, "while.gen"))
    assert caught.value.code == "GEN120"


def test_a_barrier_in_the_test_itself() -> None:
    text = COLLATZ.format(target="gfx942").replace("  few = ", "  barrier\n  few = ")
    with pytest.raises(InputError, match="GEN120"):
        check_convergence(parse(text, "while.gen"))


def test_it_prints_as_it_reads() -> None:
    text = COLLATZ.format(target="gfx942")
    printed = print_program(parse(text, "while.gen"))
    assert print_program(parse(printed, "while.gen")) == printed


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("  yield(both)\n", "  yield(v)\n"), ("  yield(next, count, is_odd)\n", "  yield(next, count)\n"),
        ("(w, m, p)", "(w, m)"), ("} (w, m, p) {", "}\nif(no) {"),
    ],
)  # fmt: skip
def test_regions_that_do_not_agree_are_refused(good: str, bad: str) -> None:
    text = COLLATZ.format(target="gfx942")
    assert good in text
    with pytest.raises(InputError, match="GEN019"):
        _ = parse(text.replace(good, bad), "while.gen")
