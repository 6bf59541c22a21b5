"""Products of matrices with more accumulators than VGPRs: no copies and no spills in their loops."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.verification import hold

TEXT = """stage gridwise {target}
program @product {{
  a = parameter -> f16, {{{m},{k}}}
  b = parameter -> f16, {{{k},{n}}}
  z = result -> f16, {{{m},{n}}}
  launch @product(a, b) -> (z) grid(1, 1) by contract[m={m}, n={n}, k={part}, waves={waves}, buffers={buffers}, by=v_mfma_f32_16x16x16_f16] {{
    a = @param:a -> f16, {{{m},{k}}}
    b = @param:b -> f16, {{{k},{n}}}
    d = dot(a, b) -> f16, {{{m},{n}}}
    @return(d)
  }}
}}
"""
TARGETS = ("gfx90a", "gfx942", "gfx950")
SIZE = 256


def product(directory: Path, target: str, part: int, waves: int, trips: int, *, verify: bool = False) -> CompiledProgram:
    """A product of 256 x 256, with `part` of the inner dimension in each trip."""
    path = directory / "product.gen"
    buffers = 2 if part == 32 or target == "gfx950" else 1
    path.write_text(TEXT.format(target=target, m=SIZE, n=SIZE, k=trips * part, part=part, waves=waves, buffers=buffers))
    return asmgen.compile(path, target=target, verify_passes=verify)


def loop_of(assembly: str) -> list[str]:
    """The mnemonics of the only loop."""
    return [line.split()[0] for line in lines_of_loop(assembly)]


def bases_of(assembly: str) -> set[str]:
    """The addresses in LDS, without the immediate offsets, from which the loop reads and to which it stores."""
    made: dict[str, str] = {}
    bases: set[str] = set()
    for line in lines_of_loop(assembly):
        if found := re.match(r"\s+v_(?:lshl_add_u32|xor_b32_e32) (v\d+), (.*?) +;", line):
            made[found[1]] = re.sub(r"v\d+", lambda source: made.get(source[0], source[0]), found[2])
        elif found := re.match(r"\s+ds_(?:read\S* \S+ |write\S* )(v\d+)", line):
            bases.add(made.get(found[1], found[1]))
    return bases


def moved_registers(assembly: str) -> set[int]:
    """Sources and targets of the loop's moves."""
    moves = [line for line in lines_of_loop(assembly) if line.split()[0].startswith("v_mov")]
    return {int(number) for line in moves for number in re.findall(r"\bv(\d+)", line.split(";")[0])}


def accumulators(assembly: str) -> set[int]:
    """The VGPRs that the loop's matrix instructions write."""
    spans = [re.match(r"\s+v_mfma\S+ v\[(\d+):(\d+)\]", line) for line in lines_of_loop(assembly)]
    return {register for span in spans if span for register in range(int(span[1]), int(span[2]) + 1)}


def lines_of_loop(assembly: str) -> list[str]:
    lines = assembly.splitlines()
    begin = next(number for number, line in enumerate(lines) if re.match(r"\.L\w+\.loop:", line))
    end = next(number for number, line in enumerate(lines) if re.match(r"\s+s_c?branch\w*\s+\.L\w+\.loop", line))
    assert begin < end
    return [line for line in lines[begin:end] if re.match(r"\s+[a-z]", line)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("part", "waves"), [(32, 4), pytest.param(32, 8, marks=pytest.mark.slow), pytest.param(64, 4, marks=pytest.mark.slow), (64, 8)]
)
def test_accumulators_stay_where_they_are(tmp_path: Path, target: str, part: int, waves: int) -> None:
    kernel = product(tmp_path, target, part, waves, 8).kernels[0]
    used = kernel.resources
    assert used.spills == used.scratch_bytes == 0
    assert (used.agprs > 0) is (waves == 4), used
    loop = loop_of(kernel.assembly)
    assert sum("mfma" in name for name in loop) == SIZE * SIZE * part // (16 * 16 * 16 * waves)
    assert not [name for name in loop if "accvgpr" in name]
    assert not moved_registers(kernel.assembly) & accumulators(kernel.assembly)
    addresses = Counter(name for name in loop if name.startswith("v_") and not name.startswith(("v_mfma", "v_perm", "v_mov")))
    assert len(moved_registers(kernel.assembly)) <= 4  # two addresses, if an order that hides more clocks needs that
    assert set(addresses) <= {"v_lshl_add_u32", "v_xor_b32_e32", "v_add_u32_e32"}, addresses
    assert addresses["v_add_u32_e32"] == 2  # of a and of b in memory
    assert addresses["v_lshl_add_u32"] <= 4  # the slot is added to the reads and writes of a and of b
    assert addresses["v_lshl_add_u32"] + addresses["v_xor_b32_e32"] <= len(bases_of(kernel.assembly))
    assert kernel.assembly.count("global_store_dwordx2") == SIZE * SIZE // (waves * 64 * 4)  # four columns each


def test_the_product_with_accumulators_in_agprs_is_right(tmp_path: Path) -> None:
    program = product(tmp_path, "gfx942", 32, 4, 2, verify=True)
    random = np.random.default_rng(1)
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((SIZE, 64), (64, SIZE)))
    (z,) = program(a, b, device="emulator")
    assert_allclose(z, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=0.02)


OUTER = """stage gridwise {target}
program @product {{
  a = parameter -> f32, {{128,256}}
  b = parameter -> f32, {{256,128}}
  z = result -> f32, {{128,128}}
  launch @product(a, b) -> (z) grid(1, 1) by contract[m=128, n=128, k=16, waves=4, buffers=2] {{
    a = @param:a -> f32, {{128,256}}
    b = @param:b -> f32, {{256,128}}
    d = dot(a, b) -> f32, {{128,128}}
    @return(d)
  }}
}}
"""


@pytest.mark.parametrize("target", [pytest.param(target, marks=() if target == "gfx950" else pytest.mark.slow) for target in TARGETS])
def test_outer_products_do_not_wait_for_each_other(target: str) -> None:
    """The order that needs the fewest registers sums each element at once: a wait or an `s_nop` for each product."""
    loop = loop_of(asmgen.compile(OUTER.format(target=target), target=target).kernels[0].assembly)
    assert loop.count("v_pk_fma_f32") == 128 * 128 * 16 // (256 * 2)
    assert loop.count("s_nop") == 0
    assert loop.count("s_waitcnt") <= 64


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_outer_products_are_multiplied_in_pairs(target: str) -> None:
    """Of the 64 products of each k, most have a partner; a lane of 8 by 8 sums reads 16 factors for each k, 4 k at a time."""
    text = OUTER.replace("k=16, waves=4, buffers=2", "k=16, waves=8, buffers=1").format(target=target)
    (kernel,) = asmgen.compile(text, target=target).kernels
    loop = loop_of(kernel.assembly)
    pairs, single = loop.count("v_dual_fmac_f32"), loop.count("v_fmac_f32_e32")
    assert 2 * pairs + single >= 64 * 16
    assert pairs + single <= 0.54 * 64 * 16
    assert loop.count("ds_load_b128") == 16 * 16 // 4
    assert kernel.resources.vgprs <= 192


def test_a_product_of_a_single_step_along_k(tmp_path: Path) -> None:
    """Elements of a transposed factor are loaded once along a k of 1, and count once."""
    text = """stage gridwise gfx942
program @product {
  a = parameter -> f16, {1,16}
  b = parameter -> f16, {33,1}
  z = result -> f16, {16,33}
  launch @product(a, b) -> (z) grid(2) by contract[m=16, n=32, k=16, waves=1, by=v_mfma_f32_16x16x16_f16] {
    a = @param:a -> f16, {1,16}
    b = @param:b -> f16, {33,1}
    rows = transpose[permutation={1,0}](a) -> f16, {16,1}, {1,16}
    columns = transpose[permutation={1,0}](b) -> f16, {1,33}, {1,1}
    d = dot(rows, columns) -> f16, {16,33}
    @return(d)
  }
}
"""
    path = tmp_path / "outer.gen"
    path.write_text(text)
    a, b = [np.arange(count, dtype=np.float16) for count in (16, 33)]
    (result,) = asmgen.compile(path, verify_passes=True)(a[None, :], b[:, None], device="emulator")
    assert_allclose(result, np.outer(a, b))


def test_two_workgroups_never_store_different_nans() -> None:
    """The last tile begins earlier, and dual instructions exchange other factors in it than in the tile before. Stores to the same place
    with other bits are SAN003."""
    text = "a = @param:a -> f32, {6,4}\nb = @param:b -> f32, {4,10}\no = dot(a, b)\n@return(o)\n"
    program = asmgen.compile(text, target="gfx1201")
    bits = np.random.default_rng(0).integers(0x7FC00000, 0x7FFFFFFF, 64, np.uint32).view(np.float32)
    assert not hold(program, "emulator", inputs=[bits[:24].reshape(6, 4), bits[24:].reshape(4, 10)]).is_broken
