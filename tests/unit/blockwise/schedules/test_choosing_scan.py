"""How many accesses a lane of a scan has at a time, and pieces of a row without a loop."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Scan
from asmgen.blockwise.schedules.choosing.recurrences import is_slow_alone
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.scan import choose, passed_part
from asmgen.blockwise.schedules.work import Work
from asmgen.cli.stages import stage_text
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from isa.targets import parse_target
from tests.device import chosen_device
from tests.rows import MACHINES


def scan(dims: str, attributes: str = "axis=1", element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {{{dims}}}\no = cumsum[{attributes}](x)\n@return(o)\n"


def microseconds(program: CompiledProgram) -> float:
    launches = launches_of_source(program, "scan", LaunchOptions())
    return sum(launch.microseconds for launch in profiled(launches).profiles)


@pytest.mark.parametrize("machine", MACHINES)
def test_lanes_of_many_waves_have_few_accesses_and_no_loop(machine: str) -> None:
    """Lines that all accesses of a wave touch must stay in the first cache until the last access."""
    text, wave = scan("4096,1024"), 64 if machine.startswith("gfx9") else 32
    program = asmgen.compile(text, target=machine)
    repeat = 1 if machine in ("gfx90a", "gfx1100:wave64", "gfx1201:wave64") else 2  # 16 KB, or 64 KB an access
    assert f"repeat={repeat}" in stage_text(program.compilation, "gridwise")
    assert "for[" not in stage_text(program.compilation, "blockwise")
    whole = f"scan[lanes={wave}, waves=1, teams=1, vector=4, repeat={1024 // wave // 4}]"
    assert microseconds(program) < 0.96 * microseconds(asmgen.compile(text, target=machine, schedules=(whole,)))


@pytest.mark.parametrize(
    ("machine", "dims", "element", "repeat"),
    [
        ("gfx1100", "4,8192", "f32", 4),  # the first cache has room for the lines of all; two take 1.34 of the clocks
        ("gfx942", "64,8192", "f32", 2),  # neighbours are in an access, which is served at once; four take 1.35
        ("gfx942", "256,16384", "f16", 4),  # a loop that waits in each trip; two take 1.09
        ("gfx90a", "4096,1024", "f32", 1),  # 32 waves of a unit touch 32 KB by an access; two take 1.43
        ("gfx942", "512,16384", "f16", 2),  # a unit has other rows meanwhile; four take 1.15
    ],
)
def test_the_accesses_of_a_lane(machine: str, dims: str, element: str, repeat: int) -> None:
    graph = Graph(parse(scan(dims, element=element), "scan.gen").modules[0])
    assert choose(graph, parse_target(machine).target).repeat == repeat


@pytest.mark.parametrize(
    ("machine", "dims", "element", "choice"),
    [
        ("gfx942", "n,m", "f32", Scan(1, 8, 1, 1, 16)),  # four columns a lane, a wave: 48 times the clocks for {1000,1000}
        ("gfx1100", "n,m", "u8", Scan(1, 16, 1, 1, 16)),
        ("gfx942", "n,m", "f64", Scan(1, 8, 1, 1, 16)),
        ("gfx942", "n,3", "f32", Scan(16, 8, 1, 1, 2)),
        ("gfx942", "64,n", "f32", Scan(1, 8, 1, 1, 8)),
        ("gfx1100", "3,n", "f32", Scan(1, 4, 1, 1, 1)),
    ],
)
def test_waves_share_rows_across_memory_of_named_dims(machine: str, dims: str, element: str, choice: Scan) -> None:
    graph = Graph(parse(scan(dims, "axis=0", element), "scan.gen").modules[0])
    assert choose(graph, parse_target(machine).target) == choice


@pytest.mark.parametrize(
    ("machine", "count", "element", "part", "choice"),
    [
        ("gfx942", 4194304, "f32", 2048, Scan(64, 4, 1, 4, 2)),
        ("gfx942", 16777216, "f32", 4096, Scan(64, 8, 1, 4, 2)),  # half the steps from block to block
        ("gfx1201", 2000000, "f64", 2048, Scan(32, 8, 1, 2, 4)),  # sums take as long as memory
        ("gfx90a", 2000000, "f64", 1024, Scan(64, 4, 1, 2, 2)),
    ],
)
def test_the_part_of_a_workgroup_that_passes_on(machine: str, count: int, element: str, part: int, choice: Scan) -> None:
    """Parts of 8,192 f32 for 256 lanes took 2.1 times the clocks for {16777216} on gfx942, 3.6 for {4194304} on gfx90a."""
    target = parse_target(machine).target
    assert passed_part(Graph(parse(scan(f"{count}", "axis=0", element), "scan.gen").modules[0]), target) == part
    text = scan(f"{count}", f"axis=0, part={part}, passed_on=true", element)
    words = f"w = @param:w -> u64, {{1,{count // part // 256 + 1},{528 if element == 'f64' else 264}}}\n"
    graph = Graph(parse(words + text.replace("(x)", "(x, w)"), "scan.gen").modules[0])
    assert choose(graph, target) == choice


@pytest.mark.parametrize("attributes", ["axis=1", "axis=1, reverse=true", "axis=1, exclusive=true, reverse=true"])
@pytest.mark.parametrize(("columns", "has_loop"), [(512, False), (600, False), (2048, False), (4096, True)])
def test_pieces_without_a_loop_follow_each_other(attributes: str, columns: int, has_loop: bool) -> None:
    schedule = "scan[lanes=64, waves=1, teams=2, vector=4, repeat=1]"
    program = asmgen.compile(scan(f"3,{columns}", attributes, "i32"), target="gfx942", schedules=(schedule,))
    assert ("for[" in stage_text(program.compilation, "blockwise")) == has_loop
    x = np.random.default_rng(3).integers(-100, 100, (3, columns)).astype(np.int32)
    turned = x[:, ::-1] if "reverse" in attributes else x
    wanted = np.cumsum(turned, axis=1, dtype=np.int32) - (turned if "exclusive" in attributes else 0)
    wanted = wanted[:, ::-1] if "reverse" in attributes else wanted
    (found,) = program(x, device=chosen_device())
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("attributes", ["axis=1", "axis=1, reverse=true"])
def test_a_loop_loads_the_next_piece_meanwhile(attributes: str) -> None:
    schedule = "scan[lanes=64, waves=1, teams=2, vector=4, repeat=1]"
    program = asmgen.compile(scan("4,4096", attributes, "i32"), target="gfx942", schedules=(schedule,))
    before, loop = stage_text(program.compilation, "blockwise").split(" for[")
    assert before.count("tile_load") == loop.count("tile_load") == 1
    x = np.random.default_rng(3).integers(-100, 100, (4, 4096)).astype(np.int32)
    turned = x[:, ::-1] if "reverse" in attributes else x
    wanted = np.cumsum(turned, axis=1, dtype=np.int32)
    (found,) = program(x, device=chosen_device())
    assert np.array_equal(found, wanted[:, ::-1] if "reverse" in attributes else wanted)


def test_lanes_that_store_the_same_element_load_nothing_ahead() -> None:
    """The last lanes along 130 columns store elements of the lanes before them again."""
    text = stage_text(asmgen.compile(scan("2,1000,130"), target="gfx942").compilation, "blockwise")
    assert [line.count("tile_load") for line in text.split(" for[")[-1].splitlines() if "tile_load" in line] == [1]


@pytest.mark.parametrize(
    ("machine", "dims", "choice"),
    [
        ("gfx942", "8,2048,256", Scan(1, 8, 1, 1, 16)),  # few columns: one of them a lane, and more rows at a time
        ("gfx1100", "8,2048,256", Scan(1, 8, 1, 2, 8)),
        ("gfx1100", "8,2048,4096", Scan(1, 4, 1, 4, 4)),  # no unit idles
    ],
)
def test_columns_of_pairs(machine: str, dims: str, choice: Scan) -> None:
    text = f"a = @param:a -> f32, {{{dims}}}\nb = @param:b -> f32, {{{dims}}}\no = linear_recurrence[axis=1](a, b)\n@return(o)\n"
    assert choose(Graph(parse(text, "scan.gen").modules[0]), parse_target(machine).target) == choice


@pytest.mark.parametrize(
    ("dims", "axis", "groups", "is_slow"),
    [
        ((65536, 16), 0, 1, True),
        ((8192, 64), 0, 4, True),
        ((4, 65536), 1, 4, True),
        ((4, 32768), 1, 4, False),  # the launches of parts take longer
        ((24576, 64), 0, 12, False),  # the bytes of parts take longer
        ((2048, 65536), 1, 2048, False),
    ],
)
def test_long_recurrences_of_few_workgroups_are_slow_alone(dims: tuple[int, int], axis: int, groups: int, is_slow: bool) -> None:
    work = Work(dims, ((0,), (1,)), (axis,), element=4, widest_access=4, streams=2, levels=1, whole=True, is_packed=True, bytes=0)
    assert is_slow_alone(work, groups, parse_target("gfx942").target) == is_slow
