"""The lines of `--trace schedules`."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lines import schedule_lines
from isa.targets import parse_target


def lines(dims: str, statement: str) -> list[str]:
    text = f"x = @param:x -> f32, {dims}\ny = {statement}(x)\n@return(y)\n"
    return list(schedule_lines(cut(parse(text, "kernel.gen"), parse_target("gfx942")).file))


@pytest.mark.parametrize(
    ("dims", "statement", "work", "why"),
    [
        (
            "{64,256,64}",
            "reduce_sum[axes={1}]",
            "{64,256,64} over {1} by column",
            "64 workgroups are enough for 4194304 bytes, and one reads 65536",
        ),
        (
            "{608,65536}",
            "reduce_sum[axes={1}]",
            "{608,65536} over {1} by row",
            "a workgroup reads 262144 bytes, and up to 262144 take no longer alone",
        ),
        ("{4096,1024}", "cumsum[axis=1]", "{4096,1024} over {1} by scan", "workgroups are enough for 16777216 bytes"),
        ("{99,n}", "layernorm", "{99,n} over {1} by row", "many rows of a size that only the launch knows are read again"),
    ],
)
def test_a_line_says_why_a_workgroup_works_alone(dims: str, statement: str, work: str, why: str) -> None:
    (line,) = lines(dims, statement)
    assert line.startswith(f"kernel: {work}[")
    assert "workgroups for 304 compute units; not in parts: " in line
    assert why in line


def test_a_launch_in_parts_and_a_pointwise_launch() -> None:
    zeros, scan = lines("{1,16777216}", "cumsum[axis=1]")
    assert "by pointwise" in zeros
    assert scan.endswith("4096 workgroups for 304 compute units; not in parts: it scans parts of rows")
    (pointwise,) = lines("{1024}", "exp")
    assert pointwise == "kernel: by pointwise[vector=4, waves=4, repeat=1]: 1 workgroups for 304 compute units"


def test_a_product_has_a_line_for_each_tile_and_why_it_lost() -> None:
    text = "a = @param:a -> f16, {4096,4096}\nb = @param:b -> f16, {4096,4096}\nz = dot(a, b)\n@return(z)\n"
    launch, chosen, *others = schedule_lines(cut(parse(text, "kernel.gen"), parse_target("gfx942")).file)
    tile = launch.removeprefix("kernel: by ").split(": ")[0]
    assert chosen.startswith(f"kernel: {tile}: ")
    assert ": chosen, limited by " in chosen
    assert all(tile not in other for other in others)
    clocks = [int(other.split(": ")[2].removesuffix(" clocks")) for other in others]
    assert clocks == sorted(clocks)
    assert "limited by the latency of a trip" in {other.split(", ")[-1] for other in others}
    times = [float(other.split(": ")[-1].split(" ")[0]) for other in others if "times the clocks" in other]
    assert times == sorted(times)
    assert times[0] > 1


def test_the_tiles_of_a_rounded_product_are_those_of_its_instruction() -> None:
    text = "a = @param:a -> f32, {512,512}\nb = @param:b -> f32, {512,512}\nz = dot(a, b)\n@return(z)\n"
    file = cut(parse(text, "kernel.gen"), parse_target("gfx942"), precision="tf32").file
    launch, *tiles = [line for line in schedule_lines(file) if "contract" in line]
    assert launch.partition("by contract")[2].partition("]")[0] in tiles[0]
    assert all("by=v_mfma_f32_16x16x8_xf32" in tile for tile in tiles)
