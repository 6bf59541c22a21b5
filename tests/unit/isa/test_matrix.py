"""Matrix instructions against numpy, their elements placed and read by AMD's layouts
(tests.unit.isa.layouts)."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from isa.build import build
from isa.emulator.state.global_memory import Memory
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.matrices import matrix_step
from isa.instruction import Instr, ModifierValue, Operand, Row, Trait, Unit
from isa.registers import vgpr
from isa.semantics import resolve
from isa.table import table_named
from isa.targets import parse_target
from isa.text.parsing import parse_instr
from isa.verify import find_fault
from tests.unit.isa.layouts import Consecutive, Published, Spots, published

Array = np.ndarray[Any, Any]
# the numbers of small formats that are small integers, for sums that are exact in every order
DTYPES = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "u8": np.uint8, "i32": np.int32,
    "fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2, "fp8_fnuz": ml_dtypes.float8_e4m3fnuz,
    "bf8_fnuz": ml_dtypes.float8_e5m2fnuz, "fp6": ml_dtypes.float6_e2m3fn, "bf6": ml_dtypes.float6_e3m2fn, "fp4": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
MACHINES = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1100:wave64", "gfx1201", "gfx1201:wave64")
PLACES = {"vdst": 0, "src0": 64, "src1": 128, "src2": 192, "index": 240, "scale0": 241, "scale1": 242}


def indices(shape: tuple[int, ...]) -> list[Array]:
    """The index along each axis of every element."""
    return list(np.indices(shape))


def matrix_rows() -> list[tuple[str, Row]]:
    return [(machine, row) for machine in MACHINES for row in table_named(machine).rows if row.unit is Unit.MATRIX]


def named(case: tuple[str, Row]) -> str:
    return "-".join((case[0], case[1].mnemonic, *case[1].form.split()))


def layout_of(machine: str, row: Row) -> Published | Consecutive:
    """AMD's layout; gfx950's is gfx942's, and where K is twice as long a lane has twice as many consecutive k."""
    target, _, _ = machine.partition(":")
    found = published()["gfx942" if target == "gfx950" else target].get(row.mnemonic)
    if found is None and target != "gfx950":
        found = published()[target][f"{row.mnemonic} wave{table_named(machine).target.wave_size}"]
    if found is not None:
        return found
    what = resolve(row.semantics)
    shape = what.shape
    dense = "v_mfma_f32_32x32x8_f16" if shape.size == 32 else "v_mfma_f32_16x16x16_f16"
    return Consecutive(shape.size, shape.inner, 1, Trait.SPARSE in row.traits, what.chosen, published()["gfx942"][dense])


class Operands:
    """Words [lane, register] of an instruction's operands, filled field by field."""

    def __init__(self, row: Row, lanes: int) -> None:
        self.bits = {spec.name: np.zeros((lanes, 32 * spec.count), np.uint8) for spec in row.operands}

    def put(self, name: str, spots: list[Spots], width: int, fields: Array) -> None:
        for spot in spots:
            for bit in range(width):
                self.bits[name][spot.lane, spot.bit + bit] = fields >> bit & 1

    def get(self, name: str, spots: list[Spots], width: int) -> Array:
        (spot, *_) = spots
        return sum((self.bits[name][spot.lane, spot.bit + bit].astype(np.int64) << bit for bit in range(width)), np.zeros(spot.lane.shape, np.int64))


def encoded(values: Array, format_: str) -> Array:
    """Small integers as fields of a format."""
    if format_ in ("i4", "i8", "u4", "u8", "i32"):
        return values.astype(np.int64)
    raw = np.asarray(values.astype(np.float64).astype(DTYPES[format_]))
    return raw.view(f"u{raw.itemsize}").astype(np.int64)


def decoded(fields: Array, format_: str) -> Array:
    dtype = np.dtype(DTYPES[format_])
    return fields.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def width_of(format_: str) -> int:
    return {"fp6": 6, "bf6": 6, "fp4": 4, "i4": 4, "u4": 4}.get(format_) or 8 * np.dtype(DTYPES[format_]).itemsize


def execute(machine: str, row: Row, words: Operands, modifiers: dict[str, ModifierValue]) -> None:
    """Run the instruction on a wave with the operands in its registers; D is then read from the same
    registers."""
    lanes = table_named(machine).target.wave_size
    waves = Waves(1, 1, 256, 128, Memory(), 0, 0, lanes)
    for name, bits in words.bits.items():
        if name == "old":
            continue  # D's own register
        packed = np.packbits(bits, axis=1, bitorder="little").view(np.uint32)
        waves.u32[PLACES[name] : PLACES[name] + packed.shape[1], 0] = packed.T
    operands: list[Operand] = [vgpr(PLACES["vdst" if spec.hidden else spec.name], spec.count) for spec in row.operands]
    given = tuple((spec.name, modifiers[spec.name]) for spec in row.modifiers if modifiers.get(spec.name, spec.default) != spec.default)
    instr = Instr(row, tuple(operands), given)
    assert find_fault(instr) is None
    waves.choose(np.arange(1))
    step = matrix_step(instr, resolve(row.semantics), RegisterLayout(256, 0, target=table_named(machine).target))
    with np.errstate(over="ignore"):
        step(waves)
    result = waves.u32[PLACES["vdst"] : PLACES["vdst"] + row.operands[0].count, 0].T
    words.bits["vdst"] = np.unpackbits(np.ascontiguousarray(result).view(np.uint8), axis=1, bitorder="little")


def formats_of(row: Row, modifiers: dict[str, ModifierValue]) -> tuple[str, str, str]:
    """The formats of A, B and D; those that a modifier chooses after CDNA4 ISA, section 7.1."""
    what = resolve(row.semantics)
    if what.chosen:
        chosen = ("fp8", "bf8", "fp6", "bf6", "fp4")
        first, second = modifiers.get("cbsz", 0), modifiers.get("blgp", 0)
        assert isinstance(first, int) and isinstance(second, int)
        return chosen[first], chosen[second], what.result
    signs = modifiers.get("neg_lo", (0, 0)) if what.signed_by_neg else (0, 0)
    assert isinstance(signs, tuple)
    first, second = (name.replace("u", "i") if sign else name for name, sign in zip((what.first, what.second), signs, strict=False))
    return first, second, what.result


@pytest.mark.parametrize("case", matrix_rows(), ids=named)
def test_every_matrix_instruction_against_numpy(case: tuple[str, Row]) -> None:
    machine, row = case
    layout = layout_of(machine, row)
    rng = np.random.default_rng(layout.size * layout.inner)
    modifiers: dict[str, ModifierValue] = {spec.name: spec.minimum for spec in row.modifiers if spec.required}
    if resolve(row.semantics).signed_by_neg:
        modifiers["neg_lo"] = (1, 0, 0)[: next(len(s.default) for s in row.modifiers if s.name == "neg_lo" and isinstance(s.default, tuple))]
    first, second, result = formats_of(row, modifiers)
    words = Operands(row, table_named(machine).target.wave_size)
    a, b = factor(rng, first, (layout.blocks, layout.size, layout.inner)), factor(rng, second, (layout.blocks, layout.inner, layout.size))
    c = rng.integers(-9, 10, (layout.blocks, layout.size, layout.size))
    block, i, k = indices(a.shape)
    if Trait.SPARSE in row.traits:
        a = put_sparse(rng, words, layout, a, width_of(first), encoded(a, first))
    else:
        words.put("src0", layout.spots("A[i][k]", width_of(first), block=block, i=i, k=k), width_of(first), encoded(a, first))
    block, k, j = indices(b.shape)
    words.put("src1", layout.spots("B[k][j]", width_of(second), block=block, j=j, k=k), width_of(second), encoded(b, second))
    block, i, j = indices(c.shape)
    places = layout.spots("D[i][j]", width_of(result), block=block, i=i, j=j)
    addend = "vdst" if Trait.SPARSE in row.traits else "src2"
    words.put(addend, places, width_of(result), encoded(c, result))
    for name in ("scale0", "scale1"):
        if name in words.bits:
            words.put(name, [Spots(np.arange(64), np.zeros(64, np.int64))], 8, np.full(64, 127))
    execute(machine, row, words, modifiers)
    np.testing.assert_array_equal(decoded(words.get("vdst", places, width_of(result)), result), a @ b + c)


def factor(rng: np.random.Generator, format_: str, shape: tuple[int, ...]) -> Array:
    """Small integers that every format of factors represents."""
    return rng.integers(0, 4, shape) if format_[0] == "u" else rng.integers(-2, 3, shape)


def put_sparse(rng: np.random.Generator, words: Operands, layout: Published | Consecutive, a: Array, width: int, fields: Array) -> Array:
    """Store two of each four elements of a row, with the fields that place them; gives A with zeros for the others."""
    quads = layout.inner // 4
    chosen = np.sort(rng.permuted(np.tile(np.arange(4), (layout.size, quads, 1)), axis=2)[..., :2], axis=2)
    i, quad = indices((layout.size, quads))
    kept = fields.reshape(layout.size, quads, 4)
    pair = np.take_along_axis(kept, chosen, 2)
    both = (pair[..., 0] & (1 << width) - 1) | pair[..., 1] << width
    words.put("src0", layout.spots("A[i][k]", 2 * width, i=i, k=4 * quad), 2 * width, both)
    words.put("index", layout.spots("compression[i][k]", 4, i=i, k=4 * quad), 4, chosen[..., 0] | chosen[..., 1] << 2)
    dense: Array = np.zeros((layout.size, quads, 4), np.int64)
    np.put_along_axis(dense, chosen, np.take_along_axis(a.reshape(layout.size, quads, 4), chosen, 2), 2)
    return dense.reshape(a.shape)


def row_of(machine: str, mnemonic: str, form: str = "") -> tuple[Row, Published | Consecutive]:
    row = table_named(machine).spelt(mnemonic, form)
    return row, layout_of(machine, row)


def dense_words(layout: Published | Consecutive, row: Row, a: Array, b: Array, format_: str) -> Operands:
    """A wave's registers with A and B in their places and zeros for C."""
    words, width = Operands(row, 64), width_of(format_)
    block, i, k = indices(a.shape)
    words.put("src0", layout.spots("A[i][k]", width, block=block, i=i, k=k), width, encoded(a, format_))
    block, k, j = indices(b.shape)
    words.put("src1", layout.spots("B[k][j]", width, block=block, j=j, k=k), width, encoded(b, format_))
    return words


def result_of(layout: Published | Consecutive, words: Operands, format_: str) -> Array:
    block, i, j = indices((layout.blocks, layout.size, layout.size))
    return decoded(words.get("vdst", layout.spots("D[i][j]", width_of(format_), block=block, i=i, j=j), width_of(format_)), format_)


def test_cbsz_and_abid_give_one_block_of_a_to_several() -> None:
    """CDNA3 ISA, section 7.1: blocks in groups of 2**cbsz, all of which take block abid of the group."""
    row, layout = row_of("gfx942", "v_mfma_f32_16x16x4_4b_f16")
    rng = np.random.default_rng(3)
    a, b = rng.integers(-2, 3, (4, 16, 4)), rng.integers(-2, 3, (4, 4, 16))
    words = dense_words(layout, row, a, b, "f16")
    execute("gfx942", row, words, {"cbsz": 1, "abid": 1})
    np.testing.assert_array_equal(result_of(layout, words, "f32"), a[[1, 1, 3, 3]] @ b)


@pytest.mark.parametrize(("blgp", "groups"), [(1, (0, 1, 0, 1)), (2, (2, 3, 2, 3)), (3, (1, 2, 3, 0)), (4, (0, 0, 0, 0)), (7, (3, 3, 3, 3))])
def test_blgp_moves_groups_of_lanes_of_b(blgp: int, groups: tuple[int, ...]) -> None:
    """CDNA3 ISA, section 7.1: broadcasts of half a wave or a quarter, or a rotation by sixteen lanes; a group is four k here."""
    row, layout = row_of("gfx90a", "v_mfma_f32_16x16x16f16")
    rng = np.random.default_rng(4)
    a, b = rng.integers(-2, 3, (1, 16, 16)), rng.integers(-2, 3, (1, 16, 16))
    words = dense_words(layout, row, a, b, "f16")
    execute("gfx90a", row, words, {"blgp": blgp})
    moved = b.reshape(4, 4, 16)[list(groups)].reshape(1, 16, 16)
    np.testing.assert_array_equal(result_of(layout, words, "f32"), a @ moved)


def test_every_nan_of_a_product_has_the_same_bits() -> None:
    """numpy's sign of a NaN depends on its position in an array; two waves that multiply alike store
    alike."""
    row, layout = row_of("gfx942", "v_mfma_f32_16x16x16_f16")
    for nan in (np.float16(np.nan), np.copysign(np.float16(np.nan), np.float16(-1))):
        a = np.full((1, 16, 16), nan, np.float16)
        words = dense_words(layout, row, a, np.full((1, 16, 16), np.inf, np.float16), "f16")
        execute("gfx942", row, words, {})
        product = result_of(layout, words, "f32")
        assert np.isnan(product).all() and not np.signbit(product).any()


def test_f64_factors_are_negated() -> None:
    row, layout = row_of("gfx942", "v_mfma_f64_16x16x4_f64")
    rng = np.random.default_rng(5)
    a, b = rng.integers(-2, 3, (1, 16, 4)), rng.integers(-2, 3, (1, 4, 16))
    words = dense_words(layout, row, a, b, "f64")
    execute("gfx942", row, words, {"neg": (1, 0, 0)})
    np.testing.assert_array_equal(result_of(layout, words, "f64"), -(a @ b))


def test_each_group_of_lanes_has_a_scale() -> None:
    """CDNA4 ISA, section 7.2: a byte per row and 32 inner indexes, 2**(byte - 127), chosen by op_sel and op_sel_hi."""
    row, layout = row_of("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4")
    rng = np.random.default_rng(6)
    a, b = rng.integers(-2, 3, (1, 16, 128)), rng.integers(-2, 3, (1, 128, 16))
    words = dense_words(layout, row, a, b, "fp8")
    left, right = rng.integers(125, 130, 64), rng.integers(125, 130, 64)
    lanes = np.arange(64)
    words.put("scale0", [Spots(lanes, np.full(64, 16))], 8, left)
    words.put("scale1", [Spots(lanes, np.full(64, 8))], 8, right)
    execute("gfx950", row, words, {"op_sel": (0, 1), "op_sel_hi": (1, 0)})
    of_rows, of_columns = (np.exp2(scale.reshape(4, 16) - 127.0) for scale in (left, right))
    scaled = (a[0] * np.repeat(of_rows.T, 32, axis=1)) @ (b[0] * np.repeat(of_columns, 32, axis=0))
    np.testing.assert_array_equal(result_of(layout, words, "f32")[0], scaled)


# of the first 16 numbers and of the last 16 numbers of each group of lanes: the group with their scale
SCALED_BY = {"v_mfma_scale_f32_16x16x128_f8f6f4": ((0, 2), (0, 2), (1, 3), (1, 3)), "v_mfma_scale_f32_32x32x64_f8f6f4": ((0, 1), (0, 1))}


@pytest.mark.parametrize("name", list(SCALED_BY))
@pytest.mark.parametrize("side", [0, 1])
def test_the_lane_with_the_scale_of_bytes_is_the_measured_lane(side: int, name: str) -> None:
    """Measured by AMD on gfx950 (Composable Kernel, test/mx_mfma_op/scale_mapping_*.txt): a factor has a single 1, the other factor only
    ones, and lane n has a scale of 2**n."""
    row, layout = row_of("gfx950", name)
    groups = SCALED_BY[name]
    size = 64 // len(groups)
    for group, halves in enumerate(groups):
        for element, expected in ((0, halves[0]), (15, halves[0]), (16, halves[1]), (31, halves[1])):
            words, lane = Operands(row, 64), np.arange(64)
            for byte in range(32):
                words.put(f"src{1 - side}", [Spots(lane, np.full(64, 8 * byte))], 8, np.full(64, 0x38))
            words.put(f"src{side}", [Spots(np.array([size * group + 3]), np.array([8 * element]))], 8, np.array([0x38]))
            words.put(f"scale{side}", [Spots(lane, np.zeros(64, np.int64))], 8, 127 + lane)
            words.put(f"scale{1 - side}", [Spots(lane, np.zeros(64, np.int64))], 8, np.full(64, 127))
            execute("gfx950", row, words, {})
            wanted = np.zeros((size, size))
            wanted[(3, slice(None)) if side == 0 else (slice(None), 3)] = 2.0 ** (size * expected + 3)
            np.testing.assert_array_equal(result_of(layout, words, "f32")[0], wanted)


@pytest.mark.parametrize("abid", range(4))
def test_abid_chooses_the_set_of_sparse_indexes(abid: int) -> None:
    row, layout = row_of("gfx942", "v_smfmac_f32_16x16x32_f16")
    rng = np.random.default_rng(7)
    words = Operands(row, 64)
    a, b = rng.integers(-2, 3, (1, 16, 32)), rng.integers(-2, 3, (1, 32, 16))
    dense = put_sparse(rng, words, layout, a, 16, encoded(a, "f16"))
    block, k, j = indices(b.shape)
    words.put("src1", layout.spots("B[k][j]", 16, block=block, j=j, k=k), 16, encoded(b, "f16"))
    words.bits["index"] = np.roll(words.bits["index"], 8 * abid, axis=1)
    execute("gfx942", row, words, {"abid": abid})
    np.testing.assert_array_equal(result_of(layout, words, "f32"), dense @ b)


def test_a_constant_stands_in_every_element_of_c() -> None:
    row, layout = row_of("gfx942", "v_mfma_f32_4x4x1_16b_f32")
    waves = Waves(1, 1, 256, 128, Memory(), 0, 0, 64)
    waves.u32[:] = 0
    waves.choose(np.arange(1))
    instr = build(row, vgpr(0, 4), vgpr(64), vgpr(128), 1.0)
    matrix_step(instr, resolve(row.semantics), RegisterLayout(256, 0))(waves)
    assert (waves.u32[:4].view(np.float32) == 1.0).all() and layout.blocks == 16


@pytest.mark.parametrize("machine", ["gfx1100", "gfx1201"])
def test_a_constant_of_16_bits_stands_in_both_halves_of_each_register_of_c(machine: str) -> None:
    """clang writes `1.0` for a C of 16-bit elements that are all 1."""
    lanes = 32
    text = "v[0:7], v[64:71], v[96:103]" if machine == "gfx1100" else "v[0:3], v[64:67], v[96:99]"
    instr = parse_instr(f"v_wmma_f16_16x16x16_f16 {text}, 1.0", table_named(machine), "test")
    waves = Waves(1, 1, 256, 128, Memory(), 0, 0, lanes)
    waves.u32[:] = 0
    waves.choose(np.arange(1))
    matrix_step(instr, resolve(instr.row.semantics), RegisterLayout(256, 0, target=parse_target(machine).target))(waves)
    expected = 0x3C00 if machine == "gfx1100" else 0x3C003C00
    assert (waves.u32[:4] == expected).all()


@pytest.mark.parametrize("half", [0, 1])
def test_rdna3_writes_one_half_of_each_register(half: int) -> None:
    """RDNA3 ISA, section 7.9: a 16-bit D fills the half that op_sel names, and the other stays."""
    row, _ = row_of("gfx1100", "v_wmma_f16_16x16x16_f16")
    words = Operands(row, 32)
    words.bits["src2"][:] = 0
    words.bits["vdst"][:] = 1
    execute("gfx1100", row, words, {"op_sel": (0, 0, half)})
    halves = words.bits["vdst"].reshape(32, -1, 2, 16)
    assert not halves[:, :, half].any() and halves[:, :, 1 - half].all()


@pytest.mark.parametrize(("neg_lo", "neg_hi", "expected"), [((0, 0, 1), (0, 0, 0), -3.0), ((0, 0, 0), (0, 0, 1), 3.0), ((0, 0, 1), (0, 0, 1), -3.0)])
def test_the_addend_is_negated_and_made_positive(neg_lo: tuple[int, ...], neg_hi: tuple[int, ...], expected: float) -> None:
    """RDNA3 ISA, section 7.9: neg_hi of C is its magnitude, neg_lo its sign; C is 3, and -3 if only the
    magnitude is asked for."""
    row, layout = row_of("gfx1201", "v_wmma_f32_16x16x16_f16")
    words = Operands(row, 32)
    _, i, j = indices((1, 16, 16))
    c = np.full((1, 16, 16), 3 if not neg_hi[2] else -3)
    words.put("src2", layout.spots("D[i][j]", 32, i=i, j=j), 32, encoded(c, "f32"))
    execute("gfx1201", row, words, {"neg_lo": neg_lo, "neg_hi": neg_hi})
    assert (result_of(layout, words, "f32") == expected).all()


@pytest.mark.parametrize(("neg_lo", "neg_hi", "expected"), [(0, 0, 24), (1, 0, 8), (0, 1, -8), (1, 1, -24)])
def test_the_halves_of_a_factor_are_negated(neg_lo: int, neg_hi: int, expected: int) -> None:
    """RDNA3 ISA, section 7.9: neg_lo turns the sign of the low half of a register, which has an even k, neg_hi that of the high half."""
    row, layout = row_of("gfx1201", "v_wmma_f32_16x16x16_f16")
    a = np.resize([1, 2], (1, 16, 16))
    wide = dense_words(layout, row, a, np.ones((1, 16, 16)), "f16")
    words = Operands(row, 32)
    for name, bits in wide.bits.items():
        words.bits[name][:] = bits[:32]
    execute("gfx1201", row, words, {"neg_lo": (neg_lo, 0, 0), "neg_hi": (neg_hi, 0, 0)})
    assert (result_of(layout, words, "f32") == expected).all()


def test_integer_products_saturate_under_clamp() -> None:
    row, layout = row_of("gfx1201", "v_wmma_i32_16x16x16_iu8")
    _, i, j = indices((1, 16, 16))
    for clamp, expected in ((0, -(2**31) + 15), (1, 2**31 - 1)):
        words = Operands(row, 32)
        for name in ("src0", "src1"):
            words.bits[name].reshape(32, -1, 8)[:, :, 0] = 1
        words.put("src2", layout.spots("D[i][j]", 32, i=i, j=j), 32, encoded(np.full((1, 16, 16), 2**31 - 1), "i32"))
        execute("gfx1201", row, words, {"clamp": clamp})
        total = words.get("vdst", layout.spots("D[i][j]", 32, i=i, j=j), 32).astype(np.uint32).view(np.int32)
        assert set(total.ravel().tolist()) == {expected}


@pytest.mark.parametrize(
    ("machine", "name", "least"),
    [
        ("gfx90a", "v_mfma_f32_16x16x16f16", 2.0**-14),
        ("gfx90a", "v_mfma_f32_16x16x16bf16_1k", 2.0**-126),
        ("gfx942", "v_mfma_f32_16x16x16_f16", 2.0**-14),
    ],
)
def test_gfx90a_takes_denormal_halves_for_zeros(machine: str, name: str, least: float) -> None:
    """MIOpen's documentation, MI200 MFMA behavior specifics: inputs and outputs are flushed."""
    row, layout = row_of(machine, name)
    format_, ones = resolve(row.semantics).first, np.ones((1, 16, 16))
    for factor_, is_flushed in ((least, False), (-least / 2, True)):
        words = dense_words(layout, row, factor_ * ones, 16 * ones, format_)
        execute(machine, row, words, {})
        expected = 0.0 if is_flushed and machine == "gfx90a" else 256 * factor_
        np.testing.assert_array_equal(result_of(layout, words, "f32"), expected * ones)


def test_gfx90a_takes_a_denormal_sum_of_halves_for_zero() -> None:
    row, layout = row_of("gfx90a", "v_mfma_f32_16x16x16bf16_1k")
    ones = np.ones((1, 16, 16))
    words = dense_words(layout, row, 2.0**-100 * ones, 2.0**-31 * ones, "bf16")
    execute("gfx90a", row, words, {})
    np.testing.assert_array_equal(result_of(layout, words, "f32"), 0.0 * ones)
