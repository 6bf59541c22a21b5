"""Work is spread: workgroups, reads and widths of loads of large kernels, told without running them."""

from __future__ import annotations

import pytest

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.verify import check
from asmgen.blockwise.schedules.choices import Column, Row
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import tile_kernel
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import reduced_text as reduced
from tests.unit.blockwise.schedules.graphs import softmax_text as softmax
from tests.unit.blockwise.schedules.static import bytes_of_access, loads, reads, uses_lds, workgroups
from tools.full_size import CASES

# The program, and how many times the input is read.
MORE = {
    "softmax 1 x 64 M": (softmax((1, 1 << 26), 1), 2),
    "layernorm 1 x 1 M": (softmax((1, 1 << 20), 1).replace("softmax", "layernorm"), 2),
}
ALL: dict[str, tuple[str, int]] = {name: (case.text, case.passes) for name, case in CASES.items()} | MORE


def made(text: str, target: str) -> list[tuple[Kernel, int]]:
    """The kernel of each launch, and how many workgroups it has at least: as many as 16 KiB that it reads, up
    to four for each compute unit; if columns are reduced half as many, or one for four of five, since 256
    workgroups for 304 units leave as many idle as 512. The launch after the parts is small: of columns it has
    a workgroup for each 64 of them, and of rows a single workgroup.
    """
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    found: list[tuple[Kernel, int]] = []
    for launch in program.launches:
        read = [program.types[name] for name in launch.reads]
        size = sum(type_.size * type_.element.bytes for type_ in read)
        wanted = min(4 * TARGETS[target].compute_units, size // 16384)
        if any(name.endswith("partial") for name in launch.reads):
            wanted = min(wanted, program.types[launch.writes[0]].size // 64)
        if isinstance(launch.choice, Column) or (isinstance(launch.choice, Row) and launch.choice.lanes == 1):
            wanted = min(wanted // 2, TARGETS[target].compute_units * 4 // 5)
        found.append((tile_kernel(program, launch, TARGETS[target]), wanted))
    return found


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("case", ALL)
def test_large_kernels(case: str, target: str) -> None:
    text, times = ALL[case]
    total = 0.0
    for kernel, wanted in made(text, target):
        check(kernel, TARGETS[target])
        assert workgroups(kernel) >= wanted, kernel.name
        total += reads(kernel, "x")
        for statement, _ in loads(kernel, "x"):
            assert bytes_of_access(statement) == 16, statement.op
    assert 1 <= total < times * 1.15


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("element", ["f32", "f16"])
@pytest.mark.parametrize("columns", [8, 16, 65, 128, 256])
def test_rows_of_a_wave_use_no_lds(columns: int, element: str, target: str) -> None:
    """Of 65 columns 64 are whole accesses; the last is one element of each row. If they are halves, every
    second row begins between multiples of 4 bytes.
    """
    for text in (softmax((65536, columns), 1, element), reduced((65536, columns), (1,), element=element)):
        ((kernel, _),) = made(text, target)
        assert not uses_lds(kernel)
        widths = [bytes_of_access(statement) for statement, _ in loads(kernel, "x")]
        assert widths == [16] if columns != 65 else [16, 4] if element == "f32" else [2]


@pytest.mark.parametrize("columns", [8192, 50257, 65536])
def test_long_rows_are_read_once(columns: int) -> None:
    ((kernel, _),) = made(softmax((16384, columns), 1), "gfx942")
    assert 1 <= reads(kernel, "x") < 1.1
    assert uses_lds(kernel)


def test_rows_longer_than_registers_say_so() -> None:
    """A loop for both reductions, and a loop for the outputs. The rest stays in registers."""
    ((kernel, _),) = made(softmax((16384, 100000), 1), "gfx942")
    assert 1.9 <= reads(kernel, "x") < 2.1


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_waves_that_sum_rows_are_in_small_workgroups(target: str) -> None:
    (program,) = cut(parse(reduced((65536, 256), (1,)), "graph.gen"), parse_target(target)).file.programs
    (launch,) = program.launches
    assert isinstance(launch.choice, Row)
    assert launch.choice.teams * TARGETS[target].wave_size == 128
