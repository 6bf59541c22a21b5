"""The report of a kernel: the peak and its values, the way to the registers taken, occupancy."""

from __future__ import annotations

import json
import re
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

import asmgen
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.kernels import build_kernel
from asmgen.options import make_options
from asmgen.report.build import report_image
from asmgen.report.model import FILES, KernelReport
from asmgen.report.page.data import Page
from asmgen.report.result import Report
from asmgen.report.waves import LDS, occupancy
from isa.emulator import load
from isa.targets import TARGETS, parse_target
from isa.text.printing import format_instr

GFX942 = TARGETS["gfx942"]
ASSEMBLY = """
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.type	k,@function
k:
{body}
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr {vgprs}
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset {offset}
		.amdhsa_group_segment_fixed_size {lds}
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 256
    .sgpr_count: {sgprs}
    .vgpr_count: {vgprs}
    .agpr_count: {agprs}
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
...
	.end_amdgpu_metadata
"""


def of_assembly(body: str, *, vgprs: int = 8, sgprs: int = 16, agprs: int = 0, offset: int = 8, lds: int = 0) -> KernelReport:
    text = ASSEMBLY.format(body=body, vgprs=vgprs, sgprs=sgprs, agprs=agprs, offset=offset, lds=lds)
    return report_image(load(text, None, "k.s"))


def steps(report: KernelReport, file: str) -> list[tuple[str, int, str]]:
    return [(step.reason, step.count, step.registers) for step in report.file(file).steps]


def test_values_at_the_peak_of_a_physical_program() -> None:
    report = of_assembly(
        """
	v_mov_b32_e32 v1, 1
	global_load_dwordx4 v[4:7], v0, s[0:1]
	v_mov_b32_e32 v2, 2
	v_add_u32_e32 v2, v2, v1
	global_store_dwordx4 v0, v[4:7], s[0:1]
	global_store_dword v0, v2, s[0:1]
"""
    )
    file = report.file("VGPR")
    assert file.lower_bound == 7
    assert file.peak is not None
    assert (file.peak.point, file.peak.place) == (2, "k.s:9:1")
    found = [
        (value.name, value.units, value.origin, [site.point for site in value.definitions], value.last_use and value.last_use.point)
        for value in file.values
    ]
    assert found == [
        ("v0", 1, "on entry: workitem_id", [], 5),
        ("v1", 1, "", [0], 3),
        ("v2", 1, "", [2], 3),
        ("v[4:7]", 4, "", [1], 4),
    ]
    assert steps(report, "VGPR") == [("skipped for alignment", 1, "v3")]
    assert (file.used, file.taken) == (8, 8)


def test_an_operand_is_what_it_was_before_its_instruction() -> None:
    report = of_assembly("\tv_add_u32_e32 v0, v0, v0\n\tds_write_b32 v0, v0\n")
    (value,) = report.file("VGPR").values
    assert (value.origin, value.definitions) == ("on entry: workitem_id", ())
    assert value.last_use is not None
    assert value.last_use.point == 0


def test_a_value_that_two_sides_write_has_two_definitions() -> None:
    report = of_assembly(
        """
	v_mov_b32_e32 v2, 1
	s_cmp_eq_u32 s2, 0
	s_cbranch_scc1 done
	v_mov_b32_e32 v2, 2
done:
	v_mov_b32_e32 v3, v2
	global_store_dwordx2 v0, v[2:3], s[0:1]
"""
    )
    file = report.file("VGPR")
    by_name = {value.name: value for value in file.values}
    assert [site.point for site in by_name["v2"].definitions] == [0, 3]
    assert by_name["v2"].last_use is not None
    assert by_name["v2"].last_use.point == 5


def test_a_loop_reads_again_what_stands_above_the_peak() -> None:
    report = of_assembly(
        """
	v_mov_b32_e32 v1, 1
loop:
	v_add_u32_e32 v2, v1, v0
	v_mov_b32_e32 v3, v2
	v_add_u32_e32 v4, v2, v3
	v_mov_b32_e32 v1, v4
	s_cmp_eq_u32 s2, 0
	s_cbranch_scc1 loop
	ds_write_b32 v1, v1
"""
    )
    by_name = {value.name: value for value in report.file("VGPR").values}
    assert by_name["v0"].last_use is not None
    assert by_name["v0"].last_use.point == 1


def test_an_instruction_that_overwrites_its_source_reads_it_last() -> None:
    report = of_assembly(
        """
	v_mov_b32_e32 v1, 1
	v_mov_b32_e32 v2, 2
	v_mov_b32_e32 v3, 3
	v_add_u32_e32 v2, v2, v3
	s_cbranch_scc1 next
next:
	v_add_u32_e32 v1, v1, v1
	ds_write_b32 v1, v2
	ds_write_b32 v0, v0
"""
    )
    by_name = {value.name: value for value in report.file("VGPR").values}
    assert by_name["v1"].last_use is not None
    assert by_name["v1"].last_use.point == 5


def test_every_register_between_the_bound_and_what_is_taken_has_its_reason() -> None:
    report = of_assembly(
        """
	s_load_dwordx2 s[12:13], s[0:1], 0x0
	v_mov_b32_e32 v9, 1
	v_mov_b32_e32 v6, v9
	s_waitcnt lgkmcnt(0)
	global_store_dword v0, v6, s[12:13]
	s_mov_b64 vcc, 0
	s_cbranch_vccnz end
	v_mov_b64_e32 v[0:1], 0
end:
""",
        vgprs=10,
        sgprs=20,
    )
    assert steps(report, "VGPR") == [
        ("named by no instruction", 6, "v[2:5], v[7:8]"),
        ("in tuples elsewhere", 1, "v1"),
        ("in use elsewhere", 1, "v6"),
        ("granule", 6, ""),
    ]
    assert steps(report, "SGPR") == [
        ("filled on entry, never read", 1, "s2"),
        ("skipped for alignment", 9, "s[3:11]"),
        ("in tuples elsewhere", 2, "s[12:13]"),
        ("VCC, XNACK_MASK, FLAT_SCRATCH", 6, ""),
        ("granule", 12, ""),
    ]
    for file in report.files:
        assert file.lower_bound + sum(step.count for step in file.steps) == file.taken


def test_agprs_start_at_a_multiple_of_four_and_share_the_budget() -> None:
    report = of_assembly(
        """
	v_accvgpr_write_b32 a3, v0
	v_accvgpr_read_b32 v5, a3
	ds_write_b32 v5, v5
""",
        vgprs=12,
        agprs=4,
        offset=8,
    )
    assert (report.file("VGPR").used, report.file("AGPR").used) == (12, 4)
    assert steps(report, "VGPR")[-3:] == [("start of the AGPRs", 2, ""), ("AGPRs", 4, ""), ("granule", 4, "")]
    assert report.file("AGPR").lower_bound == 1


def test_occupancy_its_limit_and_the_next_step() -> None:
    found = occupancy(GFX942, 84, 30, 0, 256, is_fixed=True)
    assert (found.waves, found.limiting, found.next_step) == (5, ("VGPRs",), "6 waves a SIMD with 4 VGPRs fewer")
    assert GFX942.occupancy(80, 30, 0, 256) == 6 > GFX942.occupancy(81, 30, 0, 256)
    limits = {limit.resource: limit for limit in found.limits}
    assert limits["VGPRs"].spare == 12
    assert GFX942.occupancy(96, 30, 0, 256) == 5 > GFX942.occupancy(97, 30, 0, 256)


@pytest.mark.parametrize(
    ("vgprs", "sgprs", "lds", "threads"), [(1, 8, 0, 64), (128, 108, 0, 1024), (72, 97, 20000, 256), (300, 20, 40000, 64), (512, 108, 65536, 1024)]
)
def test_the_steps_are_exact(vgprs: int, sgprs: int, lds: int, threads: int) -> None:
    """Freeing the stated registers gives a wave more, one less does not; the spare registers cost no wave,
    one more does, up to the file."""
    found = occupancy(GFX942, vgprs, sgprs, lds, threads, is_fixed=True)
    limits = {limit.resource: limit for limit in found.limits}
    fewer = [limits[name].fewer or 0 if name in limits else 0 for name in ("VGPRs", "SGPRs", LDS)]
    assert found.waves == GFX942.occupancy(vgprs, sgprs, lds, threads)
    amounts = (vgprs, sgprs, lds)
    if any(fewer):
        v, s, b = (amount - step for amount, step in zip(amounts, fewer, strict=True))
        assert GFX942.occupancy(v, s, b, threads) > found.waves
        assert found.next_step.startswith(f"{GFX942.occupancy(v, s, b, threads)} waves a SIMD with ")
        for i, step in enumerate(fewer):
            if step:
                assert GFX942.occupancy(v + (i == 0), s + (i == 1), b + (i == 2), threads) == found.waves
    for i, name in enumerate(("VGPRs", "SGPRs", LDS)):
        if name in limits and (spare := limits[name].spare):
            more = [value + (spare if i == j else 0) for j, value in enumerate(amounts)]
            assert GFX942.occupancy(more[0], more[1], more[2], threads) == found.waves


def test_a_granule_less_may_give_several_waves() -> None:
    """gfx1100 has 1,536 VGPRs in granules of 24: 1536 // 120 is 12, and 1536 // 96 is 16."""
    gfx1100 = TARGETS["gfx1100"]
    assert occupancy(gfx1100, 97, 18, 0, 32, is_fixed=True).next_step == "16 waves a SIMD with 1 VGPR fewer"


def test_a_full_simd_is_limited_by_the_wave_limit_alone() -> None:
    found = occupancy(GFX942, 20, 20, 0, 256, is_fixed=True)
    assert (found.waves, found.limiting, found.next_step) == (8, ("wave limit",), "")


def test_whole_workgroups_are_told_where_the_workgroup_is_fixed() -> None:
    def resources(is_fixed: bool) -> dict[str, int]:
        return {limit.resource: limit.waves for limit in occupancy(GFX942, 96, 20, 0, 1024, is_fixed=is_fixed).limits}

    assert resources(True)["whole workgroups"] == 4  # 5 waves a SIMD are room for one workgroup of 16
    assert "whole workgroups" not in resources(False)


def test_a_wave_that_is_not_full_takes_a_place_too() -> None:
    """Workgroups of 100 work-items have two waves; 5 waves a SIMD are 20 on four, ten whole workgroups."""
    (whole,) = [limit for limit in occupancy(GFX942, 96, 20, 0, 100, is_fixed=True).limits if limit.resource == "whole workgroups"]
    assert (whole.waves, whole.amount) == (5, 2)


@pytest.fixture(scope="module", params=["softmax", "gelu", "row_max"])
def compiled(request: pytest.FixtureRequest) -> tuple[CompiledProgram, Report]:
    program = compile_read(Source.of_program(request.param, build_kernel(request.param, [])), parse_target("gfx942"), make_options({}))
    return program, program.report()


def test_a_compiled_program_by_its_allocation(compiled: tuple[CompiledProgram, Report]) -> None:
    program, report = compiled
    kernel = report.kernels[0]
    resources = program.kernels[0].resources
    assert kernel.registers == "virtual"
    assert kernel.occupancy.waves == resources.occupancy
    assert (kernel.file("VGPR").used, kernel.file("SGPR").used) == (resources.vgprs, resources.sgprs)
    allocation = program.compilation.stages.allocations[0].allocation
    for register_class, pressure in allocation.statistics.pressure.items():
        if register_class.name in FILES:
            assert kernel.file(register_class.name).lower_bound == pressure.units
    for file in kernel.files:
        assert file.lower_bound == sum(value.units for value in file.values)
        assert file.lower_bound + sum(step.count for step in file.steps) == file.taken
        assert all(value.registers for value in file.values)


def test_the_document_holds_what_the_records_hold(compiled: tuple[CompiledProgram, Report]) -> None:
    _, report = compiled
    document = json.loads(report.to_json())
    kernel, record = document["kernels"][0], report.kernels[0]
    assert kernel["name"] == record.name
    assert [point["pressure"]["vgpr"] for point in kernel["points"]] == [point.pressure[0] for point in record.points]
    assert max(point["pressure"]["sgpr"] for point in kernel["points"]) == kernel["files"]["sgpr"]["lower_bound"]
    assert sum(value["units"] for value in kernel["files"]["vgpr"]["peak"]["values"]) == kernel["files"]["vgpr"]["lower_bound"]


def test_the_page_stands_alone_and_is_well_formed(compiled: tuple[CompiledProgram, Report]) -> None:
    void = {"meta", "link"}
    page = compiled[1].to_html()
    opened: list[str] = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & dict(attrs).keys() or attrs == [("rel", "icon"), ("href", "data:,")]
            if tag not in void:
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if tag not in void:
                assert opened.pop() == tag

    Checker().feed(page)
    assert not opened
    assert "http" not in page


def test_the_page_has_the_code_that_is_assembled(compiled: tuple[CompiledProgram, Report]) -> None:
    program, report = compiled
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', report.to_html({compiled[0].kernels[0].name: "one\ntwo"}))
    assert found is not None
    (kernel,) = msgspec.json.decode(found[1], type=Page).kernels
    image = load(program.kernels[0].assembly, None, "k.s")
    assert kernel.listing.text == [format_instr(instr) for instr in image.code.instructions]
    assert kernel.listing.address == []
    assert [file.text for file in kernel.listing.files if file.name == kernel.name] == [("one", "two")]
    (peak,) = [section for section in kernel.panels[0].sections if section.title == "VGPRs at the peak"]
    shown = [(row[3], kernel.listing.text[line]) for row, line in zip(peak.rows, peak.lines, strict=True) if line >= 0]
    assert len(shown) * 2 > len(peak.rows)
    assert all(text.split()[0] in said.split() for said, text in shown)
    facts = {fact.label: fact.value for fact in kernel.facts}
    assert (facts["VGPRs"], facts["Spills"]) == (str(report.kernels[0].file("VGPR").used), "0")


def test_the_text_is_as_wide_as_it_says(compiled: tuple[CompiledProgram, Report]) -> None:
    lines = str(compiled[1]).splitlines()
    assert all("\x1b" not in line and len(line) <= 110 for line in lines), max(lines, key=len)
    file = compiled[1].kernels[0].file("VGPR")
    assert any(line.startswith(f"  {file.lower_bound:>5}  lower bound") for line in lines)


def test_reports_are_the_same_bytes_twice(tmp_path: Path) -> None:
    source = tmp_path / "k.gen"
    source.write_text("x = @param:x -> f32, {64}\ny = exp(x)\n@return(y)\n", encoding="utf-8")
    one, other = (asmgen.compile(source).report() for _ in range(2))
    assert (one.to_json(), one.to_html(), str(one)) == (other.to_json(), other.to_html(), str(other))


def test_a_report_takes_few_bytes_an_instruction() -> None:
    """100,000 instructions then take less than 200 MB: the points share their counts, and their slots are not made twice."""

    def peak(count: int) -> int:
        body = "".join(f"\tv_add_f32_e32 v{number % 61}, v{number * 7 % 59}, v{number * 13 % 53}\n" for number in range(count))
        tracemalloc.start()
        report = of_assembly(body, vgprs=64, offset=64)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(report.points) == count + 1
        return most

    _ = peak(10)
    assert (peak(1500) - peak(500)) / 1000 < 1900
