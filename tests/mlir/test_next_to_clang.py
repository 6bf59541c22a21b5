"""The programs of examples/ next to the same in OpenCL C by clang -O3, as tools.bench_mlir counts them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from isa.targets import TARGETS
from tests.rows import spread
from tools.bench_mlir import CASES, Figures, in_loops, measure_clang, measure_ours, worse_in

_PAIRS = [(target, case.name) for target in TARGETS for case in CASES]
GOOD = Figures(waves=8, vgprs=48, in_loops=100, executed=120, clocks=500.0, exec_writes=2, scalar=3, vector=1)


@pytest.mark.broad
@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize(("target", "name"), spread(_PAIRS, 1))
def test_ours_is_no_worse_than_clang(target: str, name: str) -> None:
    (case,) = [case for case in CASES if case.name == name]
    ours, clang = measure_ours(case, target), measure_clang(case, target)
    assert worse_in(ours, clang) == [], (ours, clang)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"waves": 7}, ["waves"]),
        ({"in_loops": 101}, []),
        ({"clocks": 501.0}, ["clocks"]),
        ({"exec_writes": 3}, ["exec_writes"]),
        ({"vector": 2}, ["vector"]),
        ({"scalar": 4, "executed": 130, "vgprs": 50}, []),
        ({"of_multiply_add": 1.1}, []),
        ({"of_multiply_add": 1.11}, ["of_multiply_add"]),
    ],
)
def test_what_is_worse(change: dict[str, float], found: list[str]) -> None:
    clang = replace(GOOD, of_multiply_add=1.0) if "of_multiply_add" in change else GOOD
    assert worse_in(replace(clang, **change), clang) == found


def test_loops_of_a_path() -> None:
    """A loop of 3 to 5 in a loop of 2 to 6; blocks that are not on the way round are in it too."""
    assert in_loops([0, 1, 2, 3, 5, 3, 4, 5, 6, 2, 6, 7, 9]) == {2, 3, 4, 5, 6}
    assert in_loops([0, 1, 4, 5]) == set()
    assert in_loops([0, 1, 1, 2]) == {1}
