"""Work is spread: workgroups, reads and widths of loads of large kernels, told without running them."""

from __future__ import annotations

import pytest

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.verify import check
from asmgen.frontends.text.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import tile_kernel
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import reduced_text as reduced
from tests.unit.blockwise.schedules.graphs import softmax_text as softmax
from tests.unit.blockwise.schedules.static import bytes_of_access, loads, reads, uses_lds, workgroups

STATISTICS = """
x = @param:x -> f32, {32,64,56,56}
m = reduce_mean[axes={0,2,3}](x)
s = reduce_mean[axes={0,2,3}](mul(x, x))
@return(m, s)
"""

# The program, and how many times the input is read.
CASES: dict[str, tuple[str, int]] = {
    "full_sum of 1 M": (reduced((1 << 20,), (0,)), 1),
    "full_sum of 64 M": (reduced((1 << 26,), (0,)), 1),
    "row_sum 1 x 16 M": (reduced((1, 1 << 24), (1,)), 1),
    "softmax 1 x 16 M": (softmax((1, 1 << 24), 1), 2),
    "col_sum 65536 x 256": (reduced((65536, 256), (0,)), 1),
    "col_sum 1 M x 3": (reduced((1 << 20, 3), (0,)), 1),
    "col_sum 8192 x 50257": (reduced((8192, 50257), (0,)), 1),
    "softmax over axis 0 of {4096,1024}": (softmax((4096, 1024), 0), 2),
    "softmax over axis 1 of {64,1024,64}": (softmax((64, 1024, 64), 1), 1),
    "mean of {32,64,56,56}": (reduced((32, 64, 56, 56), (0, 2, 3), "reduce_mean"), 1),
}


def made(text: str, target: str) -> list[tuple[Kernel, int]]:
    """The kernel of each launch, and how many workgroups it has at least: as many as 16 KiB that it reads, up to
    four for each compute unit.
    """
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    found: list[tuple[Kernel, int]] = []
    for launch in program.launches:
        read = [program.types[name] for name in launch.reads]
        size = sum(type_.elements * type_.element.bytes for type_ in read)
        wanted = min(4 * TARGETS[target].compute_units, size // 16384)
        found.append((tile_kernel(program, launch, TARGETS[target]), wanted))
    return found


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("case", CASES)
def test_large_kernels(case: str, target: str) -> None:
    text, times = CASES[case]
    total = 0.0
    for kernel, wanted in made(text, target):
        check(kernel, TARGETS[target])
        assert workgroups(kernel) >= wanted, kernel.name
        total += reads(kernel, "x")
        for statement, _ in loads(kernel, "x"):
            assert bytes_of_access(statement) == 16, statement.action
    assert times <= total < times * 1.15


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("element", ["f32", "f16"])
@pytest.mark.parametrize("columns", [8, 16, 65, 128, 256])
def test_rows_of_a_wave_use_no_lds(columns: int, element: str, target: str) -> None:
    """Of 65 columns 64 are whole accesses; the last is one element of each row. Where they are halves, every other
    row begins between multiples of 4 bytes.
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
    """Two loops, and one for the outputs. What they leave over is held from the first to the last."""
    ((kernel, _),) = made(softmax((16384, 100000), 1), "gfx942")
    assert 2.9 <= reads(kernel, "x") < 3.1


def test_two_sums_of_one_buffer_read_it_once() -> None:
    text = STATISTICS.replace("mul(x, x))", "q)").replace("s =", "q = mul(x, x)\ns =")
    assert sum(reads(kernel, "x") for kernel, _ in made(text, "gfx942")) < 1.2
