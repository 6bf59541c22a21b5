"""Every op that selection has a record for, on each element type, scalar and vector, on operands of each kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F16, F32, I32, U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.reduction_ops import IS_LANE
from asmgen.select.rules import ARITHMETIC, COMPARISONS, MASKS
from asmgen.select.table import SELECT
from isa.table import table_of
from isa.targets import TargetId, parse_target
from tests.unit.select.modules import module_of
from tests.unit.select.running import OTHERS, TARGET, TARGETS, difference, emulated, input_arrays, interpreted, selected

pytestmark = pytest.mark.broad

LANES = (1, 2, 3, 4)
Source = Callable[[LaneBuilder, Value, int, int], Value]


def from_lane(builder: LaneBuilder, buffer: Value, lanes: int, position: int) -> Value:
    """A value that differs between lanes."""
    index = builder.mul(builder.local_id(), builder.constant(lanes, U32))
    return builder.load(buffer, index, lanes, offset=position * buffer.type.element.bytes)


def from_wave(builder: LaneBuilder, buffer: Value, lanes: int, position: int) -> Value:
    """A value that is the same in the wave."""
    return builder.load(buffer, builder.add(builder.workgroup_id(), builder.constant(position + 2, U32)), lanes)


def constant(builder: LaneBuilder, buffer: Value, lanes: int, position: int) -> Value:
    element = buffer.type.element
    return builder.constant((0.3, 2.0, 7.0)[position] if element.is_float else (5, 1000, 2)[position], LaneType(element, lanes))


SOURCES: dict[str, Source] = {"lane": from_lane, "wave": from_wave, "constant": constant}
PATTERNS = (
    ("lane", "lane", "lane"), ("lane", "wave", "wave"), ("wave", "lane", "constant"), ("lane", "constant", "constant"), ("constant", "lane", "wave"),
    ("wave", "wave", "wave"), ("constant", "wave", "lane"),
)  # fmt: skip
BUFFER_SIZE = 4 * 64 + 16


def operand_types(op: Op, element: str) -> tuple[str, ...]:
    if op is ops.LDEXP:
        return ("f32", "i32")
    if op in (ops.SHIFT_LEFT, ops.SHIFT_RIGHT):
        return (element, "u32")
    return (element,) * op.minimum


CASES = [
    *((op, element) for op, elements in ARITHMETIC.items() for element in elements),
    *((op, element) for op, record in COMPARISONS.items() for element in record.vector),
]
NAMES = [f"{op.name}-{element}" for op, element in CASES]


def has(target: TargetId, op: Op, element: str) -> bool:
    """Whether the target has the instruction of an arithmetic op."""
    rule = ARITHMETIC.get(op, {}).get(element)
    return rule is None or table_of(target.target).find(rule.vector) is not None


def target_with(op: Op, element: str) -> TargetId:
    return next(target for target in TARGETS if has(target, op, element))


@pytest.mark.parametrize(("op", "element"), CASES, ids=NAMES)
def test_elementwise(op: Op, element: str) -> None:
    """Against the interpreter, on every pattern of operands, each with two numbers of lanes in turn."""
    for number, pattern in enumerate(patterns_of(op, element)):
        for lanes in LANES[number % 2 :: 2]:
            check_elementwise(op, operand_types(op, element), element, lanes, pattern, target_with(op, element))


@pytest.mark.slow
@pytest.mark.parametrize(("op", "element"), CASES, ids=NAMES)
def test_elementwise_on_every_number_of_lanes(op: Op, element: str) -> None:
    for pattern in patterns_of(op, element):
        for lanes in LANES:
            check_elementwise(op, operand_types(op, element), element, lanes, pattern, target_with(op, element))


def patterns_of(op: Op, element: str) -> list[tuple[str, ...]]:
    """The patterns of as many operands as the op has, each once."""
    return list(dict.fromkeys(pattern[: len(operand_types(op, element))] for pattern in PATTERNS))


@pytest.mark.parametrize("target", OTHERS, ids=str)
@pytest.mark.parametrize("element", ["f32", "f16", "i32", "u32"])
def test_elementwise_on_other_targets(element: str, target: TargetId) -> None:
    """Three lanes, which are a pair and a single lane, of lane values and of a value that takes the scalar
    operand."""
    for op, of in CASES:
        if of == element and has(target, op, element):
            check_elementwise(op, operand_types(op, element), element, 3, ("lane", "wave", "constant"), target)


def check_elementwise(op: Op, types: tuple[str, ...], element: str, lanes: int, pattern: tuple[str, ...], target: TargetId) -> None:
    def body(builder: LaneBuilder, *buffers: Value) -> None:
        operands = [SOURCES[kind](builder, buffers[i], lanes, i) for i, kind in enumerate(pattern[: len(types)])]
        result = builder.value(op, *operands)
        if result.type.element is U32:
            result = builder.bit_cast(result, I32)
        builder.store(buffers[-1], builder.mul(builder.local_id(), builder.constant(lanes, U32)), result)

    result_type = "bool" if op in COMPARISONS else "i32" if element == "u32" or op is ops.FREXP_EXPONENT else element
    module = module_of(body, [*((t, BUFFER_SIZE) for t in types), (result_type, BUFFER_SIZE)])
    arrays = input_arrays(module, lanes, 1)
    found = difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays))
    assert found == "", f"{op.name} on {lanes} lanes of {element}, operands from {pattern}"


CONVERSIONS = [(a, b) for a in ("f32", "f16", "i32", "u32", "bool") for b in ("f32", "f16", "i32", "u32", "bool") if a != b]


@pytest.mark.parametrize(("source", "target"), CONVERSIONS, ids=[f"{a}-{b}" for a, b in CONVERSIONS])
def test_convert(source: str, target: str) -> None:
    for lanes in LANES:
        for kind in ("lane", "wave", "constant"):
            check_conversion(source, target, lanes, kind, TARGET)


@pytest.mark.parametrize("machine", OTHERS, ids=str)
def test_convert_on_other_targets(machine: TargetId) -> None:
    for source, target in CONVERSIONS:
        check_conversion(source, target, 3, "lane", machine)


def check_conversion(source: str, target: str, lanes: int, kind: str, machine: TargetId) -> None:
    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        result = builder.convert(SOURCES[kind](builder, a, lanes, 0), ELEMENT_TYPES[target])
        builder.store(out, builder.mul(builder.local_id(), builder.constant(lanes, U32)), result)

    module = module_of(body, [(source, BUFFER_SIZE), (target, BUFFER_SIZE)])
    arrays = input_arrays(module, lanes, 1)
    found = difference(interpreted(module, arrays, machine), emulated(selected(module, machine), module, arrays))
    assert found == "", f"{source} to {target}, {lanes} lanes, {kind}"


@pytest.mark.parametrize("op", MASKS, ids=[op.name for op in MASKS])
@pytest.mark.parametrize("pattern", [("lane", "lane"), ("lane", "wave"), ("wave", "wave"), ("constant", "lane")])
def test_logic(op: Op, pattern: tuple[str, str]) -> None:
    """On masks, on 0 and 1, and on both together; uniform bools are compares of uniform integers."""

    def flag(builder: LaneBuilder, kind: str, buffer: Value, position: int) -> Value:
        if kind == "lane":
            return builder.load(buffer, builder.local_id(), offset=position)
        if kind == "constant":
            return builder.constant(True, BOOL)
        return builder.less(builder.workgroup_id(), builder.constant(position + 1, U32))

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        first, second = (flag(builder, kind, a, i) for i, kind in enumerate(pattern))
        result = builder.value(op, first, second)
        inverted = builder.logical_not(result)
        chosen = builder.where(inverted, first, second)
        lane = builder.add(builder.mul(builder.workgroup_id(), builder.constant(64, U32)), builder.local_id())
        for position, value in enumerate((result, inverted, chosen)):
            builder.store(out, builder.add(builder.mul(lane, builder.constant(3, U32)), builder.constant(position, U32)), value)

    module = module_of(body, [("bool", BUFFER_SIZE), ("bool", 3 * 128)], grid=(2, 1, 1))
    arrays = input_arrays(module, 1, 1)
    assert difference(interpreted(module, arrays), emulated(selected(module), module, arrays)) == ""


def test_division_steps() -> None:
    """scale, fmas and fixup with their flag in VCC, on vectors too: the quotient of numpy."""

    def body(builder: LaneBuilder, n: Value, d: Value, out: Value) -> None:
        index = builder.local_id()
        numerator, denominator = builder.load(n, index), builder.load(d, index)
        scaled_d, _ = builder.div_scale(0, numerator, denominator)
        scaled_n, flag = builder.div_scale(1, numerator, denominator)
        one = builder.constant(1.0, F32)
        r = builder.hw_rcp(scaled_d)
        error = builder.fma(builder.neg(scaled_d), r, one)
        r = builder.fma(error, r, r)
        q = builder.mul(scaled_n, r)
        left = builder.fma(builder.neg(scaled_d), q, scaled_n)
        q = builder.fma(left, r, q)
        left = builder.fma(builder.neg(scaled_d), q, scaled_n)
        builder.store(out, index, builder.div_fixup(builder.div_fmas(left, r, q, flag), denominator, numerator))

    module = module_of(body, [("f32", 64), ("f32", 64), ("f32", 64)])
    arrays = input_arrays(module, 0, 1)
    got = emulated(selected(module), module, arrays)
    with np.errstate(all="ignore"):
        assert difference([*arrays[:2], arrays[0] / arrays[1]], got) == ""


@pytest.mark.parametrize("first", [0, 1])
def test_a_pair_in_exchanged_order_is_read_in_place(first: int) -> None:
    """The halves of a loaded pair, in order or exchanged, are one packed operand: the numbers and the instructions both say so."""

    def body(builder: LaneBuilder, a: Value, b: Value, out: Value) -> None:
        index = builder.mul(builder.local_id(), builder.constant(2, U32))
        x, y = builder.load(a, index, 2), builder.load(b, index, 2)
        halves = [builder.extract(x, 0), builder.extract(x, 1)]
        builder.store(out, index, builder.add(builder.pack(halves[first], halves[1 - first]), y))

    module = module_of(body, [("f32", 128)] * 3)
    kernel, arrays = selected(module), input_arrays(module, 3, 1)
    assert [instr.row.name for instr in kernel.blocks[0].instructions].count("v_pk_add_f32") == 1
    assert difference(interpreted(module, arrays), emulated(kernel, module, arrays)) == ""


def test_class_copysign_and_half_choice() -> None:
    def body(builder: LaneBuilder, a: Value, h: Value, out: Value, halves: Value) -> None:
        index = builder.mul(builder.local_id(), builder.constant(3, U32))
        x, y = builder.load(a, index, 3), builder.load(h, index, 3)
        odd = builder.is_class(builder.neg(x), 0x207)
        builder.store(out, index, builder.where(odd, builder.copysign(builder.constant(2.0, LaneType(F32, 3)), builder.neg(x)), x))
        builder.store(halves, index, builder.where(odd, y, builder.constant(0.25, LaneType(F16, 3))))

    module = module_of(body, [("f32", 192), ("f16", 192), ("f32", 192), ("f16", 192)])
    arrays = input_arrays(module, 5, 2)
    assert difference(interpreted(module, arrays), emulated(selected(module), module, arrays)) == ""


@pytest.mark.parametrize("name", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("last", [False, True])
def test_the_lane_of_a_condition(last: bool, name: str) -> None:
    """Of a comparison, of a mask made of two, and of a mask without lanes."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)
        high, low = builder.greater(x, builder.constant(0.5, F32)), builder.less(x, builder.constant(-0.5, F32))
        conditions = (high, builder.logical_and(builder.logical_not(high), builder.logical_not(low)), builder.logical_and(high, low))
        for number, condition in enumerate(conditions):
            found = builder.less_equal(builder.constant(0, I32), builder.value(ops.FIND_LANE, condition, last=last))
            held = builder.where(found, builder.value(ops.FIND_LANE, condition, last=last), builder.constant(-1, I32))
            builder.store(out, builder.add(lane, builder.constant(64 * number, U32)), held)

    module = module_of(body, [("f32", 64), ("i32", 192)])
    arrays = input_arrays(module, 5, 2)
    target = parse_target(name)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


@pytest.mark.parametrize("name", ["gfx942", "gfx1100", "gfx1201"])
def test_what_a_wave_knows_of_a_condition(name: str) -> None:
    """Whether any lane has it, as a branch and as a number, and whether a given lane has it; of a comparison,
    of a mask made of two, and of a mask without lanes. The numbers add it as a carry."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)
        one, seventh = builder.constant(1, I32), builder.constant(7, I32)
        high, low = builder.greater(x, builder.constant(0.5, F32)), builder.less(x, builder.constant(-0.5, F32))
        conditions = (high, low, builder.logical_and(builder.logical_not(high), builder.logical_not(low)), builder.logical_and(high, low))
        for number, condition in enumerate(conditions):
            (branch,) = builder.if_(builder.value(ops.ANY_LANE, condition), lambda: (builder.constant(5, I32),), lambda: (builder.constant(9, I32),))
            any_ = builder.value(ops.ANY_LANE, condition)
            counted = builder.add(builder.convert(any_, I32), builder.value(ops.ADD_CARRY, branch, one, any_))
            of_seventh = builder.lane_shuffle(condition, seventh)
            carried = builder.value(ops.ADD_CARRY, counted, counted, builder.lane_shuffle(condition, one))
            (chosen,) = builder.if_(of_seventh, lambda c=carried: (builder.add(c, one),), lambda c=carried: (c,))
            own = builder.value(ops.ADD_CARRY, chosen, builder.bit_cast(lane, I32), condition)
            builder.store(out, builder.add(lane, builder.constant(64 * number, U32)), own)

    module = module_of(body, [("f32", 64), ("i32", 256)])
    arrays = input_arrays(module, 5, 2)
    target = parse_target(name)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


@pytest.mark.parametrize("name", ["gfx942", "gfx1201"])
def test_one_lane_at_the_end(name: str) -> None:
    """EXEC is that lane's bit at once: waves have all their lanes, and so that lane."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)

        def store() -> tuple[Value, ...]:
            builder.store(out, lane, x)
            return ()

        _ = builder.if_(builder.value(IS_LANE, lane=3), store)

    module = module_of(body, [("f32", 64), ("f32", 64)])
    arrays, target = input_arrays(module, 5, 2), parse_target(name)
    kernel = selected(module, target)
    assert difference(interpreted(module, arrays, target), emulated(kernel, module, arrays)) == ""
    assert not any("cbranch" in block.terminator.row.mnemonic for block in kernel.blocks if block.terminator is not None)


@pytest.mark.parametrize("name", ["gfx942", "gfx1100"])
def test_the_mask_of_a_condition(name: str) -> None:
    """Of a comparison and of a mask made of two, in a part of a wave, too: lanes that are off count as none."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)
        high = builder.greater(x, builder.constant(0.5, F32))
        both = builder.logical_or(high, builder.less(x, builder.constant(-0.5, F32)))
        for number, (condition, word) in enumerate([(high, 0), (both, 0), (both, 1)]):
            found = builder.value(ops.BALLOT, condition, word=word)
            builder.store(out, builder.add(lane, builder.constant(64 * number, U32)), found)

    module = module_of(body, [("f32", 64), ("u32", 192)])
    arrays = input_arrays(module, 5, 2)
    target = parse_target(name)
    made = emulated(selected(module, target), module, arrays)
    assert difference(interpreted(module, arrays, target), made) == ""


@pytest.mark.parametrize("name", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_memory_that_each_lane_has(name: str) -> None:
    """Floats, vectors, halves, bytes, words of 64 bits and bools at places that differ between lanes, in a branch
    and in a loop; two buffers next to each other."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)
        five, six = builder.constant(5, U32), builder.constant(6, U32)
        place = builder.bitwise_and(lane, builder.constant(3, U32))
        floats, words = builder.scratch_allocate(F32, 40), builder.scratch_allocate(ELEMENT_TYPES["u64"], 9)
        halves, flags = builder.scratch_allocate(F16, 9), builder.scratch_allocate(BOOL, 9)
        builder.scratch_store(floats, place, x)
        builder.scratch_store(floats, builder.add(place, five), builder.pack(x, builder.neg(x), x), offset=8)
        builder.scratch_store(words, place, builder.value(ops.JOIN_WORDS, lane, five, type="u64"))
        builder.scratch_store(halves, six, builder.convert(x, F16))
        builder.scratch_store(flags, place, builder.less(x, builder.constant(0.0, F32)))

        def change() -> tuple[Value, ...]:
            builder.scratch_store(floats, place, builder.constant(7.0, F32))
            return ()

        _ = builder.if_(builder.greater(x, builder.constant(0.5, F32)), change)
        vector = builder.scratch_load(floats, builder.add(place, five), 3, offset=8)
        sums = builder.for_(builder.constant(0, U32), five, builder.constant(1, U32), [x], lambda i, values: (again(builder, floats, i, values[0]),))
        pair = builder.scratch_load(words, place)
        word = builder.convert(builder.add(builder.value(ops.LOW_WORD, pair), builder.value(ops.HIGH_WORD, pair)), F32)
        half = builder.convert(builder.scratch_load(halves, six), F32)
        flag = builder.where(builder.scratch_load(flags, place), builder.constant(64.0, F32), builder.constant(0.0, F32))
        parts = [builder.scratch_load(floats, place), builder.extract(vector, 1), sums[0], word, half, flag]
        for number, part in enumerate(parts):
            builder.store(out, builder.add(lane, builder.constant(64 * number, U32)), part)

    def again(builder: LaneBuilder, floats: Value, number: Value, value: Value) -> Value:
        """Each trip reads the writes of the trip before."""
        where = builder.add(number, builder.constant(20, U32))
        builder.scratch_store(floats, where, value)
        return builder.add(builder.scratch_load(floats, where), builder.constant(1.0, F32))

    module = module_of(body, [("f32", 64), ("f32", 384)])
    arrays, target = input_arrays(module, 5, 2), parse_target(name)
    kernel = selected(module, target)
    assert kernel.scratch_bytes == 160 + 80 + 32 + 16
    assert difference(interpreted(module, arrays, target), emulated(kernel, module, arrays)) == ""


WAIST = """launch @param @return @literal yield if for workgroup_id local_id load vector_load store vector_store lds_allocate lds_load lds_store
scratch_allocate scratch_load scratch_store
barrier pack extract splat lane_shuffle read_first_lane find_lane any_lane ballot is_lane add_carry fma shift_left shift_right
bitwise_and bitwise_or bitwise_xor bitwise_not popcount first_one
multiply_high less_equal greater_equal not_equal equal less greater logical_and logical_or logical_xor not where convert bit_cast identity add sub
mul max min neg abs floor ceil nearbyint hw_exp2 hw_log2 hw_rcp hw_rsq hw_sqrt ldexp frexp_mantissa frexp_exponent trunc fract med3 copysign
div_scale div_fmas div_fixup is_class hw_two_over_pi align_bits signed_bits choose_bits multiply_add"""


def test_every_op_of_the_waist_has_a_record() -> None:
    """The ops of `final` that docs/architecture.md lists, and the graph's that no expansion takes apart."""
    assert set(WAIST.split()) - {op.name for op in SELECT} == set()
