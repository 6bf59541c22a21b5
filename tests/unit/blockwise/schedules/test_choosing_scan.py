"""How many accesses a lane of a scan has at a time, and pieces of a row without a loop."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.compiled import CompiledProgram
from asmgen.profile.sources import LaunchOptions, launches_of_source, profiled
from tests.device import chosen_device
from tests.rows import MACHINES


def scan(dims: str, attributes: str = "axis=1", element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {{{dims}}}\no = cumsum[{attributes}](x)\n@return(o)\n"


def microseconds(program: CompiledProgram) -> float:
    launches = launches_of_source(program, "scan", LaunchOptions())
    return sum(launch.microseconds for launch in profiled(launches).profiles)


@pytest.mark.parametrize("machine", MACHINES)
def test_lanes_of_many_waves_have_two_accesses_and_no_loop(machine: str) -> None:
    """Lines that all accesses of a wave touch must stay in the first cache until the last access."""
    text, wave = scan("4096,1024"), 64 if machine.startswith("gfx9") else 32
    program = asmgen.compile(text, target=machine)
    assert "repeat=2" in stage_text(program.compilation, "gridwise")
    assert "for[" not in stage_text(program.compilation, "blockwise")
    whole = f"scan[lanes={wave}, waves=1, teams=1, vector=4, repeat={1024 // wave // 4}]"
    assert microseconds(program) < 0.96 * microseconds(asmgen.compile(text, target=machine, schedules=(whole,)))


def test_few_waves_keep_more_accesses() -> None:
    """The first cache has room for the lines of all, and each trip waits for its loads."""
    program = asmgen.compile(scan("64,8192"), target="gfx942")
    assert "repeat=4" in stage_text(program.compilation, "gridwise")


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
