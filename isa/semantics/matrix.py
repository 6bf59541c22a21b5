"""Matrix multiplication over a whole wave (CDNA3 and CDNA4 ISA, chapter 7; RDNA3 and RDNA4 ISA, section 7.9).

Operands come and results go as the words of registers. The hardware's order of summation is not documented:
products and sums here are those of float64, rounded once to the result's format. float64 has every sum of
integers exactly, and D is that modulo 2**32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from isa.instruction import ModifierValue
from isa.semantics import matrix_layouts as layouts
from isa.semantics.matrix_formats import CHOSEN_FORMATS, ElementFormat
from isa.semantics.matrix_layouts import FactorLayout, Layouts, ProductShape
from isa.semantics.mode import Array, where

Modifiers = Mapping[str, ModifierValue]
Multiply = Callable[[Array, Array, Array, Array | None, "tuple[Array, Array] | None"], Array]
_BYTE = 8  # bits
_LANE_GROUP = 16  # lanes that blgp moves together
_SIGNED = {"u8": "i8", "u4": "i4"}
# blgp: for each group of 16 lanes, the group that it takes B from
_LANE_GROUPS = (
    (0, 1, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3), (1, 2, 3, 0), (0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2),
    (3, 3, 3, 3),
)  # fmt: skip


class _Plan(Struct):
    """The part of a matrix instruction that does not depend on data.

    * `whole`: an element of D is a word
    * `places`: the place of each element among those of all blocks, as [element, lane] if `whole`, otherwise
      [lane, element]
    * `rows`: with the rows of A in this order, all elements come as in `places`
    * `lanes`, `blocks`: the sources of B and of A
    * `signs`: signs are flipped or magnitudes taken
    * `sources`: set after A and B were first read; places [block, line, inner index] of A and [block, inner
      index, column] of B
    """

    first: ElementFormat
    second: ElementFormat
    result: ElementFormat
    whole: bool
    places: Array
    rows: Array | None
    lanes: Array | None
    blocks: Array | None
    signs: bool
    clamp: bool
    read_first: Callable[[Array], Array]
    read_second: Callable[[Array], Array]
    read_result: Callable[[Array], Array]
    write_result: Callable[[Array], Array]
    sources: tuple[Array, Array] | None = None


class MatrixMultiply(Struct, frozen=True):
    """D := A B + C. `first`, `second` and `result` name the formats of A, B, and of C and D.

    * `sparse`: A has two of each four inner indexes, placed by the 2-bit fields of an index operand
    * `chosen`: cbsz and blgp name the formats
    * `signed_by_neg`: neg_lo marks integer factors as signed
    * `spaced`: C and D have a 16-bit element in each register, in the half that op_sel chooses; the other
      half of D stays
    """

    shape: ProductShape
    layout: Layouts
    first: str
    second: str
    result: str
    sparse: bool = False
    chosen: bool = False
    signed_by_neg: bool = False
    spaced: bool = False

    def written(self, modifiers: Modifiers) -> int:
        """The bits of each register of D that are written."""
        return (0xFFFF << 16 * _element(modifiers, "op_sel", 2)) if self.spaced else 0xFFFFFFFF

    def with_modifiers(self, modifiers: Modifiers, lanes: int) -> Multiply:
        """The function of words [wave, register, lane] of A, B and C to those of D; `index` and each of
        `scales` are words [wave, lane]."""
        return partial(self._multiply, self._plan(modifiers, lanes), modifiers)

    def _plan(self, modifiers: Modifiers, lanes: int) -> _Plan:
        first = ElementFormat(
            CHOSEN_FORMATS[_number(modifiers, "cbsz")]
            if self.chosen
            else self._signed(self.first, modifiers, 0)
        )
        second = ElementFormat(
            CHOSEN_FORMATS[_number(modifiers, "blgp")]
            if self.chosen
            else self._signed(self.second, modifiers, 1)
        )
        blgp = 0 if self.chosen else _number(modifiers, "blgp")
        count = 0 if self.chosen or self.sparse else _number(modifiers, "cbsz")
        lane, block = np.arange(lanes), np.arange(self.shape.blocks)
        places = self.layout.result(self.shape, lanes)
        flat = (places.block * self.shape.size + places.row) * self.shape.size + places.column[:, None]
        result, whole = ElementFormat(self.result), self.result in ("f32", "i32")
        clamp = bool(_number(modifiers, "clamp"))
        return _Plan(
            first, second, result, whole, np.ascontiguousarray(flat.T) if whole else flat,
            _rows_in_order(flat.T, self.shape) if whole and not clamp else None,
            np.array(_LANE_GROUPS[blgp])[lane // _LANE_GROUP] * _LANE_GROUP + lane % _LANE_GROUP
            if blgp
            else None,
            (block >> count << count) + _number(modifiers, "abid") if count else None,
            not self.signed_by_neg
            and any(
                _element(modifiers, name, place) for name in ("neg", "neg_lo", "neg_hi") for place in range(3)
            ),
            clamp, first.reader_in_order(), second.reader_in_order(),
            result.reader() if whole else result.read, result.writer(),
        )  # fmt: skip

    def _multiply(
        self, plan: _Plan, modifiers: Modifiers, a: Array, b: Array, c: Array, index: Array | None,
        scales: tuple[Array, Array] | None,
    ) -> Array:  # fmt: skip
        if plan.lanes is not None:
            b = np.ascontiguousarray(b[:, :, plan.lanes])
        if scales is None and index is None and not plan.signs:
            product = self._product(plan, a, b)
            if plan.rows is not None:
                total = product.reshape(len(a), *plan.places.shape)
                total += plan.read_result(c)
                return plan.write_result(total)
        else:
            left = plan.first.read(a.swapaxes(1, 2))
            right = plan.second.read(b.swapaxes(1, 2))
            if plan.signs:
                left, right = _negated(left, modifiers, 0), _negated(right, modifiers, 1)
            lanes = a.shape[2]
            columns = self.factor(plan.second, lanes, right.shape[-1])
            lines = self.factor(plan.first, lanes, left.shape[-1] * (1 if index is None else 2))
            inner = lines.inner if index is None else _sparse_inner(lines, index, left.shape[-1], modifiers)
            rows = _placed(self.shape, left, lines, inner)
            others = _placed(self.shape, right, columns, columns.inner)
            if scales is not None:
                rows = rows * self._scales(scales[0], modifiers, 0)
                others = others * self._scales(scales[1], modifiers, 1)
            product = rows if plan.blocks is None else rows[:, plan.blocks]
            product = product @ others.swapaxes(2, 3)
        total = product.reshape(len(a), -1).take(plan.places, axis=1)
        total += self._addend(plan, c if plan.whole else c.swapaxes(1, 2), modifiers)
        if self.spaced:
            total = np.repeat(total, 2, axis=-1)
        words = plan.write_result(_clamped(total, self.result) if plan.clamp else total)
        return words if plan.whole else words.swapaxes(1, 2)

    def _product(self, plan: _Plan, a: Array, b: Array) -> Array:
        """[wave, block, line, column] of dense factors without signs."""
        if plan.sources is None:
            lines = self._sources(plan.first, a)
            lines = lines if plan.rows is None else lines[:, plan.rows]
            columns = self._sources(plan.second, b).swapaxes(1, 2)
            plan.sources = lines, np.ascontiguousarray(columns)
        lines, columns = plan.sources
        rows = plan.read_first(a).reshape(len(a), -1).take(lines, axis=1)
        chosen = rows if plan.blocks is None else rows[:, plan.blocks]
        return chosen @ plan.read_second(b).reshape(len(a), -1).take(columns, axis=1)

    def _sources(self, format_: ElementFormat, words: Array) -> Array:
        """[block, line, inner index]: the place of each element of a dense factor among the elements of all
        lanes' words."""
        registers, lanes = words.shape[1:]
        elements = 32 * registers // format_.bits
        layout = self.factor(format_, lanes, elements)
        numbers = format_.order(registers, lanes).reshape(1, lanes, elements)
        return _placed(self.shape, numbers, layout, layout.inner)[0]

    def factor(self, format_: ElementFormat, lanes: int, elements: int) -> FactorLayout:
        """The layout of a factor; chosen formats of 8 bits have one of their own."""
        in_turn = self.chosen and format_.bits == _BYTE
        family = layouts.CDNA_CHOSEN_BYTES if in_turn else self.layout
        return family.factor(self.shape, lanes, elements)

    def _scales(self, words: Array, modifiers: Modifiers, place: int) -> Array:
        """[wave, block, line, inner index]: a group of lanes has the scales of 32 inner indexes, though
        other lanes have some of these elements."""
        scales = _scale(words, modifiers, place).reshape(len(words), 1, -1, self.shape.size)
        return np.repeat(scales.swapaxes(2, 3), self.shape.inner // scales.shape[2], axis=3)

    def _signed(self, name: str, modifiers: Modifiers, place: int) -> str:
        return _SIGNED[name] if self.signed_by_neg and _element(modifiers, "neg_lo", place) else name

    def _addend(self, plan: _Plan, c: Array, modifiers: Modifiers) -> Array:
        values = plan.read_result(c)
        if self.spaced:
            values = values[..., _element(modifiers, "op_sel", 2) :: 2]
        if not plan.signs:
            return values
        if _element(modifiers, "neg_hi", 2):
            values = np.abs(values)
        negated = _element(modifiers, "neg_lo", 2) or _element(modifiers, "neg", 2)
        return -values if negated else values


def _rows_in_order(places: Array, shape: ProductShape) -> Array | None:
    """The order of every block's rows in which the elements of D come as its registers and lanes do, if any.

    `places` are those of D's elements [element, lane] among the rows and columns of all blocks. In registers
    of 64 lanes, for example, rows 0 and 4 of a block of 32 columns are next to each other.
    """
    if places.size != shape.blocks * shape.size * shape.size:
        return None
    lines = places.reshape(shape.blocks, shape.size, shape.size)
    rows = lines[0, :, 0] // shape.size
    blocks = np.arange(shape.blocks)[:, None, None]
    ordered = (blocks * shape.size + rows[:, None]) * shape.size + np.arange(shape.size)
    return rows if (lines == ordered).all() else None


def _placed(shape: ProductShape, values: Array, lines: FactorLayout, inner: Array) -> Array:
    """[wave, block, line, inner index] of [wave, lane, element]; an index that a sparse A leaves out is 0."""
    waves = np.arange(len(values))[:, None, None]
    used = slice(lines.used)
    placed = np.zeros((len(values), shape.blocks, shape.size, shape.inner), values.dtype)
    whole = np.broadcast_to(inner, values.shape)
    placed[waves, lines.block[None, used, None], lines.line[None, used, None], whole[:, used]] = values[
        :, used
    ]
    return placed


def _number(modifiers: Modifiers, name: str) -> int:
    value = modifiers.get(name, 0)
    return value if isinstance(value, int) else 0


def _element(modifiers: Modifiers, name: str, place: int) -> int:
    """An element of a list modifier; 0 if the row lacks the modifier."""
    value = modifiers.get(name, ())
    return value[place] if isinstance(value, tuple) and place < len(value) else 0


def _negated(values: Array, modifiers: Modifiers, place: int) -> Array:
    """A factor with its signs flipped: all by `neg`, even elements by neg_lo, odd elements by neg_hi."""
    low, high = (
        _element(modifiers, name, place) or _element(modifiers, "neg", place) for name in ("neg_lo", "neg_hi")
    )
    if not low and not high:
        return values
    return values * np.resize(np.array([1 - 2 * low, 1 - 2 * high]), values.shape[-1])


def _scale(words: Array, modifiers: Modifiers, place: int) -> Array:
    """The power of two that a byte of each lane's word names: 2**(byte - 127), NaN for 255 (OCP E8M0)."""
    byte = _element(modifiers, "op_sel", place) + 2 * _element(modifiers, "op_sel_hi", place)
    exponent: Array = (words >> np.uint32(8 * byte) & np.uint32(255)).astype(np.int64)
    return where(np.equal(exponent, 255), np.nan, np.ldexp(1.0, exponent - 127))


def _sparse_inner(dense: FactorLayout, index: Array, stored: int, modifiers: Modifiers) -> Array:
    """[wave, lane, element] inner indexes of the elements of A: two of each four, by fields of two bits.

    The index register has several sets of fields if a single set does not fill it: abid chooses the set on
    CDNA while cbsz is 0, index_key on RDNA.
    """
    element = np.arange(stored)
    chosen = _number(modifiers, "index_key") or (
        0 if _number(modifiers, "cbsz") else _number(modifiers, "abid")
    )
    shift = (2 * stored * chosen + 2 * element).astype(np.uint32)
    field = (index[..., None] >> shift & np.uint32(3)).astype(np.intp)
    position = 4 * (element // 2) + field
    lane = np.arange(len(dense.inner)).reshape(1, -1, 1)
    return dense.inner[lane, position]


def _clamped(total: Array, format_: str) -> Array:
    """Integers saturate, floats are limited to 0 to 1 (a NaN becomes 0)."""
    if format_ == "i32":
        return np.clip(total, -(1 << 31), (1 << 31) - 1)
    return where(np.isnan(total), 0.0, np.clip(total, 0.0, 1.0))


def _mfma() -> dict[str, MatrixMultiply]:
    """Dense CDNA instructions, by their names on CDNA3, or on the only target that has them."""
    wide, short, tiny = ("32x32", 32), ("16x16", 16), ("4x4", 4)
    made: dict[str, MatrixMultiply] = {}

    def add(
        name: str, size: int, inner: int, blocks: int, factor: str, result: str, second: str = "",
        layout: Layouts = layouts.CDNA,
    ) -> None:  # fmt: skip
        made[name] = MatrixMultiply(
            ProductShape(size, inner, blocks), layout, factor, second or factor, result
        )

    blocked = ((*wide, 2), (*short, 4), (*tiny, 16))
    for text, size, blocks in blocked:
        add(f"v_mfma_f32_{text}x1_{blocks}b_f32", size, 1, blocks, "f32", "f32")
        add(f"v_mfma_f32_{text}x4_{blocks}b_f16", size, 4, blocks, "f16", "f32")
        add(f"v_mfma_f32_{text}x4_{blocks}b_bf16", size, 4, blocks, "bf16", "f32")
        add(f"v_mfma_f32_{text}x2bf16", size, 2, blocks, "bf16", "f32")
        add(f"v_mfma_i32_{text}x4_{blocks}b_i8", size, 4, blocks, "i8", "i32")
    for (text, size), scale in ((wide, 1), (short, 2)):
        add(f"v_mfma_f32_{text}x{2 * scale}_f32", size, 2 * scale, 1, "f32", "f32")
        add(f"v_mfma_f32_{text}x{4 * scale}_xf32", size, 4 * scale, 1, "f32", "f32")
        add(f"v_mfma_f32_{text}x{4 * scale}bf16", size, 4 * scale, 1, "bf16", "f32")
        add(f"v_mfma_i32_{text}x{8 * scale}i8", size, 8 * scale, 1, "i8", "i32")
        for name in ("f16", "bf16"):
            add(f"v_mfma_f32_{text}x{8 * scale}_{name}", size, 8 * scale, 1, name, "f32")
            add(f"v_mfma_f32_{text}x{16 * scale}_{name}", size, 16 * scale, 1, name, "f32")
        for inner in (16 * scale, 32 * scale):
            add(f"v_mfma_i32_{text}x{inner}_i8", size, inner, 1, "i8", "i32")
        for first in ("fp8", "bf8"):
            for second in ("fp8", "bf8"):
                name = f"v_mfma_f32_{text}x{16 * scale}_{first}_{second}"
                add(name, size, 16 * scale, 1, f"{first}_fnuz", "f32", f"{second}_fnuz")
                add(f"{name}_ocp", size, 16 * scale, 1, first, "f32", second)
        for prefix in ("v_mfma", "v_mfma_scale"):
            name = f"{prefix}_f32_{text}x{64 * scale}_f8f6f4"
            made[name] = MatrixMultiply(
                ProductShape(size, 64 * scale), layouts.CDNA, "", "", "f32", chosen=True
            )
    add("v_mfma_f64_16x16x4_f64", 16, 4, 1, "f64", "f64", layout=layouts.DOUBLE)
    add("v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, "f64", "f64", layout=layouts.DOUBLE)
    return made


def _smfmac() -> dict[str, MatrixMultiply]:
    """CDNA instructions with a sparse A; the inner length is that of B."""
    made: dict[str, MatrixMultiply] = {}

    def add(name: str, size: int, inner: int, first: str, second: str, result: str) -> None:
        made[name] = MatrixMultiply(
            ProductShape(size, inner), layouts.CDNA, first, second, result, sparse=True
        )

    for text, size, unit in (("16x16", 16, 32), ("32x32", 32, 16)):
        for inner in (unit, 2 * unit):
            add(f"v_smfmac_f32_{text}x{inner}_f16", size, inner, "f16", "f16", "f32")
            add(f"v_smfmac_f32_{text}x{inner}_bf16", size, inner, "bf16", "bf16", "f32")
            add(f"v_smfmac_i32_{text}x{2 * inner}_i8", size, 2 * inner, "i8", "i8", "i32")
            for first in ("fp8", "bf8"):
                for second in ("fp8", "bf8"):
                    name = f"v_smfmac_f32_{text}x{2 * inner}_{first}_{second}"
                    add(name, size, 2 * inner, f"{first}_fnuz", f"{second}_fnuz", "f32")
                    add(f"{name}_ocp", size, 2 * inner, first, second, "f32")
    return made


def _wmma() -> dict[str, MatrixMultiply]:
    """RDNA instructions: 16 x 16, A and B of 16 inner indexes and more. RDNA3's waves have A and B twice; its
    names end in `_twice`."""
    made: dict[str, MatrixMultiply] = {}
    halves = (("f32", "f16"), ("f32", "bf16"), ("f16", "f16"), ("bf16", "bf16"))
    for result, factor in halves:
        dense = MatrixMultiply(ProductShape(16, 16), layouts.RDNA3, factor, factor, result)
        made[f"v_wmma_{result}_16x16x16_{factor}_twice"] = replace(dense, spaced=result != "f32")
        made[f"v_wmma_{result}_16x16x16_{factor}"] = replace(dense, layout=layouts.RDNA4_HALF)
        made[f"v_swmmac_{result}_16x16x32_{factor}"] = replace(
            dense, shape=ProductShape(16, 32), layout=layouts.RDNA4_HALF_SPARSE, sparse=True
        )
    for name, format_ in (("iu8", "u8"), ("iu4", "u4")):
        dense = MatrixMultiply(
            ProductShape(16, 16), layouts.RDNA3, format_, format_, "i32", signed_by_neg=True
        )
        made[f"v_wmma_i32_16x16x16_{name}_twice"] = dense
        made[f"v_wmma_i32_16x16x16_{name}"] = replace(dense, layout=layouts.RDNA4_BYTE)
        made[f"v_swmmac_i32_16x16x32_{name}"] = replace(
            dense, shape=ProductShape(16, 32), layout=layouts.RDNA4_BYTE, sparse=True
        )
    nibbles = MatrixMultiply(ProductShape(16, 32), layouts.RDNA4_BYTE, "u4", "u4", "i32", signed_by_neg=True)
    made["v_wmma_i32_16x16x32_iu4"] = nibbles
    made["v_swmmac_i32_16x16x64_iu4"] = replace(nibbles, shape=ProductShape(16, 64), sparse=True)
    for first in ("fp8", "bf8"):
        for second in ("fp8", "bf8"):
            dense = MatrixMultiply(ProductShape(16, 16), layouts.RDNA4_BYTE, first, second, "f32")
            made[f"v_wmma_f32_16x16x16_{first}_{second}"] = dense
            made[f"v_swmmac_f32_16x16x32_{first}_{second}"] = replace(
                dense, shape=ProductShape(16, 32), sparse=True
            )
    return made


MATRICES: dict[str, MatrixMultiply] = {**_mfma(), **_smfmac(), **_wmma()}
