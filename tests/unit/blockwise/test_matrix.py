"""`contract` by matrix instructions: the layouts are those that AMD publishes, products are numpy's on every
target, and a program with other layouts is refused.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.layout.algebra import holders, product
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.text import print_layout
from asmgen.blockwise.matrix import Instruction, instruction
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.blockwise.types import TileType, coordinates
from asmgen.ir.types import ELEMENT_TYPES, tensor
from asmgen.lanewise.matrices import OPERANDS, matrix_names, matrix_row
from isa.diagnostics import InputError
from isa.table import table_named
from isa.targets import parse_target
from tests.device import chosen_device
from tests.unit.isa.test_matrix import MACHINES, layout_of

Array = NDArray[Any]
DTYPES: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "fp8e4m3fn": ml_dtypes.float8_e4m3fn, "fp8e4m3fnuz": ml_dtypes.float8_e4m3fnuz
}  # fmt: skip
MFMA, WMMA = "v_mfma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_f16"


class Case(NamedTuple):
    target: str
    by: str
    factor: str = "f16"
    result: str = "f32"

    @property
    def instruction(self) -> Instruction:
        found = instruction(self.by, table_named(self.target).target)
        assert found is not None
        return found


CASES = (
    Case("gfx90a", MFMA),
    Case("gfx942", "v_mfma_f32_32x32x8_f16"),
    Case("gfx950", "v_mfma_f32_16x16x32_f16"),
    Case("gfx942", "v_mfma_f32_16x16x4_f32", "f32"),
    Case("gfx1100", WMMA),
    Case("gfx1100:wave64", WMMA),
    Case("gfx1201", WMMA),
    Case("gfx1201:wave64", WMMA),
    Case("gfx1201", "v_wmma_f16_16x16x16_f16", "f16", "f16"),
    Case("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", "fp8e4m3fnuz"),
    Case("gfx950", "v_mfma_f32_16x16x32_fp8_fp8", "fp8e4m3fn"),
    Case("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", "fp8e4m3fn"),
)


def operands(one: Instruction) -> tuple[Layout, Layout, Layout]:
    """Two tiles of each axis, those of k in registers; of c the rows are those of two waves."""
    a, b, c = one.layouts
    return (
        product(a, layout((2, 2), (1,), (), (2,))),
        product(b, layout((2, 2), (1, 2), (), (0,))),
        product(c, layout((2, 2), (1,), (), (2,))),
    )


def kernel_of(case: Case) -> Kernel:
    """c = a b in one workgroup of two waves, every operand read into the places that the instruction
    wants."""
    a, b, c = operands(case.instruction)
    (m, k), (_, n) = a.shape, b.shape
    factor, result = ELEMENT_TYPES[case.factor], ELEMENT_TYPES[case.result]
    builder = TileBuilder("product", {"group": 1}, 2, a.lane_count)
    for name, one in zip(("a_tile", "b_tile", "c_tile"), (a, b, c), strict=True):
        _ = builder.layout(name, one)
    x, y = builder.parameter("x", tensor(factor, (m, 2 * k))), builder.parameter("y", tensor(factor, (2 * k, n)))
    z = builder.parameter("z", tensor(result, (m, n)))
    row, column = coordinates((m, n))

    def turn(counter: Any, carried: Any) -> list[Any]:
        of_a, of_b = coordinates((m, k)), coordinates((k, n))
        left = builder.load(x, (of_a[0], counter + of_a[1]), TileType(factor, a))
        right = builder.load(y, (counter + of_b[0], of_b[1]), TileType(factor, b))
        return [builder.contract(left, right, carried[0], case.by)]

    (total,) = builder.for_("k", 0, 2 * k, k, (builder.fill(0, TileType(result, c)),), turn)
    builder.store(total, z, (row, column))
    return builder.kernel()


def text_of(case: Case) -> str:
    return print_program(TileProgram(parse_target(case.target), (kernel_of(case),)))


def factors(case: Case) -> tuple[Array, Array, Array]:
    """x and y of small whole numbers, and their product."""
    m, n, k = case.instruction.sizes
    draw = np.random.default_rng(0)
    x, y = (draw.integers(-3, 4, shape).astype(DTYPES[case.factor]) for shape in ((2 * m, 4 * k), (4 * k, 2 * n)))
    return x, y, (x.astype("f8") @ y.astype("f8")).astype(DTYPES[case.result])


def named(case: Case) -> str:
    return f"{case.target}-{case.by}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_products(case: Case) -> None:
    text = text_of(case)
    (kernel,) = read_program(text, "product.gen").kernels
    x, y, wanted = factors(case)
    memory = {"x": x.reshape(-1), "y": y.reshape(-1), "z": np.zeros(wanted.size, wanted.dtype)}
    interpret(kernel, memory, Tiles.HOLDERS)
    np.testing.assert_array_equal(memory["z"].reshape(wanted.shape), wanted)
    program = asmgen.compile(text, target=case.target)
    (after,) = program(x, y, device=chosen_device())
    np.testing.assert_array_equal(after, wanted)
    row = matrix_row(table_named(case.target), case.by)
    assert row is not None
    instructions = [line.split()[0] for line in program.kernels[0].assembly.splitlines() if line.startswith("\t")]
    assert instructions.count(row.mnemonic) == 4  # once for each tile of c that a wave has, and of k


@pytest.mark.parametrize("case", CASES[:4], ids=named)
def test_the_tiles_of_c_may_be_transposed(case: Case) -> None:
    """A lane of an MFMA then has adjacent columns of c, which it stores together."""
    text = text_of(case)
    turned = case.instruction.turned
    assert turned is not None
    line = next(line for line in text.splitlines() if "layout c_tile =" in line)
    whole = product(turned, layout((2, 2), (1,), (), (2,)))
    program = asmgen.compile(text.replace(line, f"  layout c_tile = {print_layout(whole)}"), target=case.target)
    x, y, wanted = factors(case)
    (after,) = program(x, y, device="emulator")
    np.testing.assert_array_equal(after, wanted)
    stores = [line for line in program.kernels[0].assembly.splitlines() if "global_store" in line]
    assert stores
    assert all("global_store_dwordx4" in line for line in stores)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_is_laid_out_as_the_transposed_b(machine: str) -> None:
    table = table_named(machine)
    found = [one for name in matrix_names(table) if (one := instruction(name, table.target)) is not None]
    assert all(one.turned is not None for one in found if one.elements[0][0] is one.elements[0][1])


@pytest.mark.parametrize("steps", [(1, 2, 8, 16, 4), (4, 16, 1, 2, 8), (8, 1, 16, 4, 2)])
def test_k_may_have_any_order_that_a_and_b_share(steps: tuple[int, ...]) -> None:
    """A lane with eight adjacent k, and two other orders of the five steps along k."""
    case = CASES[1]._replace(by=MFMA)
    text = text_of(case)
    for name, form in (("a_tile", "0:{}"), ("b_tile", "{}:0")):
        line = next(line for line in text.splitlines() if f"layout {name} =" in line)
        # "<" marks the steps that are replaced already
        marked = line
        for place, step in enumerate(steps):
            marked = re.sub(rf"(?<= |\(){form.format(1 << place)}(?=[ )])", "<" + form.format(step), marked)
        text = text.replace(line, marked.replace("<", ""))
    x, y, wanted = factors(case)
    (after,) = asmgen.compile(text, target=case.target)(x, y, device="emulator")
    np.testing.assert_array_equal(after, wanted)
    assert text != text_of(case)


@pytest.mark.parametrize("machine", MACHINES)
def test_layouts_are_those_that_are_published(machine: str) -> None:
    table = table_named(machine)
    found = [one for name in matrix_names(table) if (one := instruction(name, table.target)) is not None]
    assert len(found) >= 2
    for each in found:
        row = matrix_row(table, each.name)
        assert row is not None
        published = layout_of(machine, row)
        for matrix, axes, tile, operand in zip(("A[i][k]", "B[k][j]", "D[i][j]"), ("ik", "kj", "ij"), each.layouts, OPERANDS, strict=True):
            bits = 32 * next(spec.count for spec in row.operands if spec.name == operand) // tile.register_count
            spots = published.spots(matrix, bits, **dict(zip(axes, np.indices(tile.shape), strict=True)))
            wanted = {(int(spot.lane[at]), int(spot.bit[at]) // bits, at) for spot in spots for at in np.ndindex(*tile.shape)}
            assert wanted <= {(one.lane, one.register, tile.element(one)) for one in holders(tile)}, (row, matrix)


REFUSED = {
    "lanes of a": ("16) lane(1:0 2:0 4", "16) lane(2:0 1:0 4", "a does not consist of tiles of .*lane bit 0 has 2:0, wanted 1:0; relayout a"),
    "b along its columns": ("reg(1:0 2:0 0:16 16:0) lane(0:1", "reg(0:1 2:0 0:16 16:0) lane(1:0", "b does not .*lane bit 0 has 1:0, wanted 0:1"),
    "rows of c": ("reg(1:0 2:0 0:16) lane(0:1 0:2 0:4 0:8 4:0", "reg(1:0 4:0 0:16) lane(0:1 0:2 0:4 0:8 2:0", "c does not .*lane bit 4 has 2:0"),
    "waves": ("0:16) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(16:0)", "0:16 16:0) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(0:0)", "counted .* wave bit 0"),
    "k of b": ("0:8 4:0 8:0) wave(0:0)", "0:8 8:0 4:0) wave(0:0)", "along k of a in the order 1, 2, 4, 8, 16, .* 1, 2, 8, 4, 16"),
    "a name": (MFMA, WMMA, "v_wmma_f32_16x16x16_f16 is not a matrix instruction of gfx90a in waves of 64"),
    "a size": (MFMA, "v_mfma_f32_32x32x8_f16", "a does not consist of tiles of v_mfma_f32_32x32x8_f16, which are .32,8. @ reg"),
    "a type": (MFMA, "v_mfma_f32_16x16x16_bf16", "takes bf16 for a, and the tile is of f16"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REFUSED))
def test_a_contract_that_is_not_the_instructions_is_refused(name: str) -> None:
    old, new, words = REFUSED[name]
    text = text_of(CASES[0])
    assert old in text
    with pytest.raises(InputError, match=f"(?s)BLK003.*{words}"):
        _ = read_program(text.replace(old, new), "product.gen")


def test_an_operand_layout_that_is_wrong_gives_wrong_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the instruction's layout another, with two lane bits of a exchanged, the product would show it."""
    case = CASES[0]
    right = case.instruction
    a, b, c = right.layouts
    wrong = right._replace(layouts=(a._replace(lanes=(a.lanes[1], a.lanes[0], *a.lanes[2:])), b, c))
    for room in ("rules.product", "lowering.ops.product"):
        monkeypatch.setattr(f"asmgen.blockwise.{room}.instruction", lambda name, target: wrong)
    monkeypatch.setattr("tests.unit.blockwise.test_matrix.instruction", lambda name, target: wrong)
    x, y, wanted = factors(case)
    (after,) = asmgen.compile(text_of(case), target=case.target)(x, y, device=chosen_device())
    assert np.count_nonzero(after != wanted) > wanted.size // 4
