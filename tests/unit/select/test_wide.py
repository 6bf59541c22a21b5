"""i64, u64 and f64, and integers of 8 and 16 bits: each op on each type, compiled and run, against numpy through the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.lanewise.interpret import interpret
from asmgen.pipeline import advance
from isa.diagnostics import InputError
from isa.semantics.mode import Approximation
from isa.targets import TARGETS

pytestmark = pytest.mark.broad

Array = np.ndarray[Any, Any]
LANES = 64
SPECIAL = (
    0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0**63, -(2.0**63), 2.0**64, 2.0**31, -(2.0**31) - 1, 1e300, -1e300, 5e-324, 1e-310, 255.5,
    -128.7, 65519.999999, 65520.0, 2.0**63 - 1024, 4294967295.5,
)  # fmt: skip
RELATIONS = ("equal", "not_equal", "less", "greater", "less_equal", "greater_equal")
TYPES = tuple(dict.fromkeys(element.name for element in ELEMENT_TYPES.values() if not element.is_code))


class Case(NamedTuple):
    """An op with the types of its operands and of its result."""

    op: str
    operands: tuple[str, ...]
    result: str

    @property
    def written(self) -> str:
        return f"{self.op}[target_type={self.result}]" if self.op in ("convert", "bit_cast") else self.op


def integer_cases(e: str) -> list[Case]:
    other = "u64" if e == "i64" else "i64"
    two = ("add", "sub", "mul", "div", "max", "min", "bitwise_and", "bitwise_or", "bitwise_xor", "multiply_high")
    found = [Case(op, (e, e), e) for op in two] + [Case(op, (e, e), "bool") for op in RELATIONS]
    found += [Case(op, (e, count), e) for op in ("shift_left", "shift_right") for count in ("u32", e)]
    found += [Case(op, (e,), e) for op in ("neg", "abs", "relu", "identity", "bitwise_not")]
    return [*found, Case("clip", (e, e, e), e), Case("where", ("bool", e, e), e), Case("bit_cast", (e,), other), Case("bit_cast", (e,), "f64")]


def float_cases() -> list[Case]:
    e = "f64"
    found = [Case(op, (e, e), e) for op in ("add", "sub", "mul", "div", "max", "min")] + [Case(op, (e, e), "bool") for op in RELATIONS]
    found += [Case(op, (e,), e) for op in ("neg", "abs", "relu", "identity", "floor", "ceil", "nearbyint", "sqrt", "rsqrt", "recip")]
    return [*found, Case("clip", (e, e, e), e), Case("where", ("bool", e, e), e), Case("fma", (e, e, e), e), Case("bit_cast", (e,), "i64")]


OPS = {"i64": integer_cases("i64"), "u64": integer_cases("u64"), "f64": float_cases()}
CONVERSIONS = {source: [Case("convert", (source,), target) for target in TYPES if target != source] for source in TYPES}


def numbers(type_name: str, count: int, seed: int) -> Array:
    """Numbers of every magnitude, with those among them at which conversions and division go wrong."""
    rng, dtype = np.random.default_rng(seed), numpy_dtype(ELEMENT_TYPES[type_name])
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if ELEMENT_TYPES[type_name].is_float:
        with np.errstate(over="ignore"):
            values = (rng.normal(size=count) * 10.0 ** rng.integers(-6, 20, count)).astype(dtype)
            values[: len(SPECIAL)] = np.array(SPECIAL).astype(dtype)
    else:
        limits = np.iinfo(dtype)
        values = rng.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True) >> rng.integers(0, limits.bits, count).astype(dtype)
        values[:7] = (0, 1, limits.max, limits.min, 2, 3, 7)
    return values[rng.permutation(count)]


def text_of(cases: Sequence[Case], lanes: int, target: str, uniform: bool) -> tuple[str, list[str]]:
    """A kernel that does every case, and the types of its inputs: three of each type, the last of which is a scalar if `uniform`."""
    types = list(dict.fromkeys(t for case in cases for t in case.operands))
    lines = [f"stage lanewise {target}", f"launch[grid={{1,1,1}}, block={{{LANES},1,1}}]"]
    inputs: list[str] = []
    for t in types:
        for number in range(3):
            is_scalar = uniform and number == 1
            lines.append(f"p_{t}_{number} = @param:p_{t}_{number} -> {t}" + ("" if is_scalar else f", {{{LANES * lanes}}}"))
            inputs.append(f"{t} scalar" if is_scalar else t)
    lines += [f"out{i} = @param:out{i} -> {case.result}, {{{LANES * lanes}}}" for i, case in enumerate(cases)]
    lines += ["lane = local_id -> u32", f"k = @literal{{{lanes}}} -> u32", "i = mul(lane, k) -> u32"]
    for t in types:
        for number in range(3):
            name = f"{t}_{number}"
            if uniform and number == 1:
                lines.append(f"x_{name} = splat[lanes={lanes}](p_{name})")
            else:
                lines.append(f"x_{name} = vector_load[size={lanes}](p_{name}, i)")
    for i, case in enumerate(cases):
        operands = ", ".join(f"x_{t}_{number}" for number, t in enumerate(case.operands))
        lines += [f"r{i} = {case.written}({operands})", f"vector_store[size={lanes}](out{i}, i, r{i})"]
    return "\n".join([*lines, f"@return({', '.join(f'out{i}' for i in range(len(cases)))})"]) + "\n", inputs


def inputs_of(types: Sequence[str], lanes: int, seed: int) -> list[Array]:
    arrays = [numbers(t.removesuffix(" scalar"), LANES * lanes, seed + i) for i, t in enumerate(types)]
    return [array[5] if t.endswith(" scalar") else array for t, array in zip(types, arrays, strict=True)]


def interpreted(text: str, cases: Sequence[Case], inputs: list[Array], lanes: int, target: str) -> list[Array]:
    outputs = [np.zeros(LANES * lanes, numpy_dtype(ELEMENT_TYPES[case.result])) for case in cases]
    interpret(parse(text, "wide.gen").modules[0], [*inputs, *outputs], wave=TARGETS[target].wave_size)
    return outputs


def check(cases: Sequence[Case], lanes: int, target: str, uniform: bool) -> None:
    text, types = text_of(cases, lanes, target, uniform)
    inputs = inputs_of(types, lanes, lanes)
    wanted = interpreted(text, cases, inputs, lanes, target)
    found = asmgen.compile(text, target=target, verify_passes=True)(*inputs, device="emulator")
    for case, want, got in zip(cases, wanted, found, strict=True):
        assert_same(want, got, str(case))


def assert_same(want: Array, got: Array, what: str) -> None:
    """Number for number, and zeros of one sign; any NaN is as good as another."""
    assert want.dtype == got.dtype
    if want.dtype.kind not in "biu":
        got, want = (array.astype(np.float64) for array in (got, want))
    np.testing.assert_array_equal(got, want, what)
    if want.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(got)[~np.isnan(want)], np.signbit(want)[~np.isnan(want)], what)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", OPS)
def test_ops(element: str, target: str) -> None:
    check(OPS[element], 1, target, False)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", OPS)
def test_vectors_and_scalars(element: str, target: str) -> None:
    """Two lanes, and as the second operand a scalar, which is the same in all of them."""
    check(OPS[element], 2, target, True)


# every way that there is to convert is one of these three targets'; the others are in the slow set
CONVERTING = [target if target in ("gfx942", "gfx950", "gfx1201") else pytest.param(target, marks=pytest.mark.slow) for target in TARGETS]


@pytest.mark.parametrize("target", CONVERTING)
@pytest.mark.parametrize("source", TYPES)
def test_conversions(source: str, target: str) -> None:
    """From each type to every other; three lanes on two of the targets."""
    check(CONVERSIONS[source], 3 if target in ("gfx942", "gfx1201") else 1, target, False)


def test_the_interpreter_is_numpy() -> None:
    """The interpreter's own results, from numpy on other ways: Python's integers, and division of exact fractions."""
    a, b = numbers("i64", LANES, 1), numbers("i64", LANES, 2)
    cases = [Case(op, ("i64", "i64"), "i64") for op in ("add", "mul", "multiply_high", "div")]
    text, types = text_of(cases, 1, "gfx942", False)
    found = interpreted(text, cases, [a, b, *inputs_of(types[2:], 1, 9)], 1, "gfx942")
    for i, (x, y) in enumerate(zip(map(int, a), map(int, b), strict=True)):
        quotient = 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        for array, exact in zip(found, (x + y, x * y, x * y >> 64, quotient), strict=True):
            assert int(array[i]) == (exact + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("approximation", [Approximation.LOW, Approximation.HIGH])
def test_quotients_and_roots_at_the_ends_of_the_hardwares_error(approximation: Approximation) -> None:
    """Reciprocals of the hardware may err by 2^29 ULP of f64 and 1 ULP of f32: results made of them are exact
    all the same."""
    cases = [*(Case("div", (e, e), e) for e in OPS), Case("sqrt", ("f64",), "f64")]
    text, types = text_of(cases, 1, "gfx942", False)
    inputs = inputs_of(types, 1, 3)
    program = asmgen.compile(text)
    advance(program.compilation, "final")
    final = next(p for stage, p in program.compilation.stages.programs.items() if stage.value == "final")
    outputs = [np.zeros(LANES, ELEMENT_TYPES[case.result].numpy) for case in cases]
    interpret(final.modules[0], [*inputs, *outputs], approximation)
    for case, want, got in zip(cases, interpreted(text, cases, inputs, 1, "gfx942"), outputs, strict=True):
        assert_same(want, got, str(case))


CONTROL = """
p = @param:p -> {e}, {{64}}
n = @param:n -> {e}
out = @param:out -> {e}, {{64}}
low = @param:low -> u32, {{64}}
high = @param:high -> u32, {{64}}
lds = lds_allocate[size=64, type={e}]
lane = local_id -> u32
zero = @literal{{0}} -> u32
one = @literal{{1}} -> u32
three = @literal{{3}} -> u32
five = @literal{{5}} -> u32
x = load(p, lane) -> {e}
c = less(x, n) -> bool
y = if(c) {{
  a = add(x, n) -> {e}
  yield(a)
}} {{
  yield(n)
}}
trips = bitwise_and(lane, three) -> u32
z = for(zero, trips, one, y) (i, t) {{
  u = add(t, x) -> {e}
  yield(u)
}}
w = for(zero, five, one, n) (j, v) {{
  k = add(v, n) -> {e}
  yield(k)
}}
s = add(z, w) -> {e}
lds_store(lds, lane, s)
barrier
other = bitwise_xor(lane, five) -> u32
r = lds_load(lds, other) -> {e}
q = lane_shuffle(r, other) -> {e}
f = read_first_lane(x) -> {e}
g = add(q, f) -> {e}
pair = pack(g, x) -> {e}x2
h = extract[index=0](pair) -> {e}
l = low_word(h) -> u32
m = high_word(h) -> u32
store(low, lane, l)
store(high, lane, m)
back = join_words[type={e}](l, m) -> {e}
store(out, lane, back)
@return(out, low, high)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", OPS)
def test_control_flow_memory_and_lanes(element: str, target: str) -> None:
    """Values that meet behind branches and loops, go through LDS and to other lanes, and are taken apart."""
    text = f"stage lanewise {target}\nlaunch[grid={{1,1,1}}, block={{64,1,1}}]\n" + CONTROL.format(e=element)
    values = (np.arange(64) * 3 - 50).astype(ELEMENT_TYPES[element].numpy)
    scalar = values.dtype.type(11 + 2**40)
    wanted = [np.zeros(64, values.dtype), np.zeros(64, np.uint32), np.zeros(64, np.uint32)]
    interpret(parse(text, "wide.gen").modules[0], [values, scalar, *wanted], wave=TARGETS[target].wave_size)
    for want, got in zip(wanted, asmgen.compile(text, target=target)(values, scalar, device="emulator"), strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("target", TARGETS)
def test_words_made_one_after_the_other_are_no_pair(target: str) -> None:
    """The registers of a word and of its sign have consecutive numbers, and are two all the same."""
    check([Case("convert", ("i32",), "i64")], 1, target, False)


@pytest.mark.parametrize("target", TARGETS)
def test_words_are_computed_in_the_pair_that_is_added(target: str) -> None:
    """Nothing is moved: the halves of the pair that a product of words is added to have no other use."""
    text = f"""stage final {target}
launch[grid={{1,1,1}}, block={{64,1,1}}]
a = @param:a -> u32, {{64}}
b = @param:b -> u32, {{64}}
out = @param:out -> u64, {{64}}
lane = local_id -> u32
x = load(a, lane) -> u32
y = load(b, lane) -> u32
low = multiply_high(x, x) -> u32
high = mul(x, y) -> u32
pair = join_words[type=u64](low, high) -> u64
sum = multiply_add(x, y, pair) -> u64
store(out, lane, sum)
@return(out)
"""
    x, y = (np.random.default_rng(seed).integers(0, 2**32, 64, np.uint32) for seed in (1, 2))
    wide, shift = x.astype(np.uint64), np.uint64(32)
    program = asmgen.compile(text, target=target)
    np.testing.assert_array_equal(program(x, y, device="emulator")[0], wide * y + (wide * wide >> shift) + (wide * y << shift))
    assert "v_mov" not in program.kernels[0].assembly


NARROW = {
    "neg": ("{t}",), "abs": ("{t}",), "pack": ("{t}", "{t}"), "extract[index=1]": ("{t}",), "where": ("bool", "{t}", "{t}"), "identity": ("{t}",),
}  # fmt: skip


@pytest.mark.parametrize("element", ["i8", "u16", "bf16", "fp8e4m3fn", "f16"])
def test_narrow_elements_are_right_or_refused(element: str) -> None:
    """No op takes two lanes that share a unit for one of 32 bits: what selection has no form for is SEL001."""
    dtype = np.dtype(getattr(ml_dtypes, ELEMENT_TYPES[element].numpy, None) or ELEMENT_TYPES[element].numpy)
    refused = 0
    for op, types in NARROW.items():
        count = {"pack": 4, "extract[index=1]": 1}.get(op, 2)
        names = [t.format(t=element) for t in types]
        lines = ["stage lanewise gfx942", "launch[grid={1,1,1}, block={64,1,1}]"]
        lines += [f"p{i} = @param:p{i} -> {name}, {{128}}" for i, name in enumerate(names)]
        lines += [f"out = @param:out -> {element}, {{{64 * count}}}", "lane = local_id -> u32", "two = @literal{2} -> u32", "i = mul(lane, two)"]
        lines += [f"k = @literal{{{count}}} -> u32", "j = mul(lane, k)"]
        lines += [f"x{i} = vector_load[size=2](p{i}, i)" for i in range(len(names))]
        lines += [f"r = {op}({', '.join(f'x{i}' for i in range(len(names)))})", f"vector_store[size={count}](out, j, r)", "@return(out)"]
        text = "\n".join(lines) + "\n"
        rng = np.random.default_rng(1)
        inputs = [rng.integers(0, 2, 128).astype(bool) if n == "bool" else rng.integers(0, 100, 128).astype(dtype) for n in names]
        wanted = np.zeros(64 * count, dtype)
        interpret(parse(text, "narrow.gen").modules[0], [*inputs, wanted])
        try:
            program = asmgen.compile(text)
        except InputError as fault:
            assert fault.code == "SEL001", op
            refused += 1
            continue
        np.testing.assert_array_equal(program(*inputs, device="emulator")[0].astype(float), wanted.astype(float), op)
    assert refused < (1 if element == "f16" else len(NARROW))


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_instructions_of_f64_change_signs_as_they_read(target: str) -> None:
    def signed(x: Array, y: Array) -> tuple[Array, ...]:
        return -np.abs(x) - y, abs(x) > -y, np.floor(-x)

    program = asmgen.compile(signed, target=target, inputs=[asmgen.spec(np.float64, 64)] * 2)
    text = program.kernels[0].assembly
    assert not [line for line in text.splitlines() if line.split()[:1] and line.split()[0].startswith(("v_xor", "v_and_b32"))], text
    x = np.resize(np.array(SPECIAL), 64)
    y = x[::-1].copy()
    for got, wanted in zip(program(x, y, device="emulator"), signed(x, y), strict=True):
        np.testing.assert_array_equal(got, wanted)
