"""The listing of a page: an entry for each instruction of the loaded code, in its order."""

from __future__ import annotations

from collections import Counter

import pytest

from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.kernels import build_kernel
from asmgen.options import make_options
from asmgen.report.build import report_image
from asmgen.report.page.data import Listing
from asmgen.report.page.listing import listing_of
from asmgen.report.waves import sgpr_steps, vgpr_steps
from isa.emulator import load
from isa.emulator.program.image import Image
from isa.target import Target, unified_registers
from isa.targets import TARGETS, parse_target

TEXT = """
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.type	k,@function
k:
	v_mov_b32_e32 v1, 1
	s_mov_b32 s4, 3
loop:
	v_add_u32_e32 v2, v1, v0
	v_add_u32_e32 v1, v2, v1
	s_sub_u32 s4, s4, 1
	s_cmp_eq_u32 s4, 0
	s_cbranch_scc0 loop
	s_branch done
	v_mov_b32_e32 v9, 1
done:
	ds_write_b32 v0, v1
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
"""


# the loop goes back or on; block3 has no way to it
FLOW = [(0, 1), (1, 1), (1, 2), (2, 4), (3, 4)]


def no_text(_name: str) -> str:
    return ""


def listing(text: str) -> Listing:
    return listing_of(load(text, None, "k.s", to_run=False), no_text)


def ranges(found: Listing, file: int) -> list[tuple[int, int, int]]:
    flat = found.registers[file].ranges
    return sorted(zip(flat[::3], flat[1::3], flat[2::3], strict=True))


def test_lines_blocks_loops_and_jumps() -> None:
    found = listing(TEXT)
    assert found.text[7] == "s_branch done" and len(found.text) == 11
    assert [(block.label, block.first, block.count, block.depth) for block in found.blocks] == [
        ("k", 0, 2, 0), ("loop", 2, 5, 1), ("block2", 7, 1, 0), ("block3", 8, 1, 0), ("done", 9, 2, 0),
    ]  # fmt: skip
    assert [(loop.first, loop.last, loop.depth) for loop in found.loops] == [(2, 6, 1)]
    assert found.jumps == [6, 2, 7, 9]
    assert sorted(zip(found.flow[::2], found.flow[1::2], strict=True)) == FLOW
    assert [found.files[file].name for file, _ in found.places[:1]] == ["k.s"]
    assert [line for _, line in found.places][found.place[0]] == 6


def test_live_ranges_from_the_definition_to_the_last_use() -> None:
    """v1 is live around the loop and behind it, v2 in the loop alone, the dead write of v9 at its line alone."""
    found = listing(TEXT)
    assert ranges(found, 0) == [(0, 0, 7), (0, 9, 9), (1, 0, 7), (1, 9, 9), (2, 2, 3), (9, 8, 8)]
    assert found.registers[0].pressure == [2, 2, 3, 3, 2, 2, 2, 2, 1, 2, 0]


@pytest.fixture(scope="module", params=[("softmax", "gfx942"), ("cumsum", "gfx1201"), ("argmax", "gfx1100")])
def image(request: pytest.FixtureRequest) -> Image:
    name, target = request.param
    source = Source.of_program(name, build_kernel(name))
    (kernel, *_) = compile_read(source, parse_target(target), make_options({})).kernels
    return load(kernel.assembly, None, f"{name}.s", to_run=False)


def test_pressure_is_that_of_the_report_and_ranges_cover_it(image: Image) -> None:
    found, report = listing_of(image, no_text), report_image(image)
    assert len(found.text) == len(image.code.instructions)
    points = iter(report.points)
    starts = {block.label: block for block in found.blocks}
    seen: Counter[str] = Counter()
    for point in points:
        line = starts[point.block].first + seen[point.block]
        seen[point.block] += 1
        assert found.text[line] == point.site.text
        assert tuple(file.pressure[line] for file in found.registers) == point.pressure
    for file, of_report in zip(found.registers, report.files, strict=True):
        assert max(file.pressure) == of_report.lower_bound
        covering = [0] * len(found.text)
        for _, first, last in zip(file.ranges[::3], file.ranges[1::3], file.ranges[2::3], strict=True):
            assert 0 <= first <= last
            for line in range(first, last + 1):
                covering[line] += 1
        # a line covers the operands that die at it and the results that are born
        assert all(most >= pressure for most, pressure in zip(covering, file.pressure, strict=True))


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_steps_are_where_the_target_loses_a_wave(target: Target) -> None:
    for agprs in (0, 7, 64) if target.has_agprs else (0,):
        for waves, most in vgpr_steps(target, agprs):
            assert target.occupancy(unified_registers(most, agprs), 1, 0, 64) == waves
            if most < target.arch_vgprs:
                assert target.occupancy(unified_registers(most + 1, agprs), 1, 0, 64) < waves
    for waves, most in sgpr_steps(target):
        counted = most + target.reserved_sgprs
        assert target.occupancy(1, counted, 0, 64) == waves
        if most < target.sgprs:
            assert target.occupancy(1, counted + 1, 0, 64) < waves
