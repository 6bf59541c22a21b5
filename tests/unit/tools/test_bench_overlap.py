"""Programs with and without overlapping trips."""

from __future__ import annotations

from tools.bench_overlap import SETS, Program, measured, open_program, random_program

TEXT = "x = @param:x -> f32, {rows,cols}\no = reduce_sum[axes=0](x)\n@return(o)\n"


def test_few_long_rows_take_far_fewer_clocks_with_overlapping_trips() -> None:
    rows = Program("sums", TEXT.replace("axes=0", "axes=1"), dims={"rows": 64, "cols": 262144})
    figures = measured(rows, "gfx942", repeat=0, with_clocks=True)
    assert figures is not None and figures.of_clocks < 0.5


def test_a_program_without_overlapping_trips_has_figures_if_times_are_wanted() -> None:
    program = Program("sums", TEXT.replace("rows,cols", "3,64"))
    assert measured(program, "gfx942", repeat=0, with_clocks=True) is None
    figures = measured(program, "gfx942", repeat=1, with_clocks=True)
    assert figures is not None and figures.of_clocks == 1


def test_a_seed_always_gives_the_same_program() -> None:
    assert random_program(7) == random_program(7) == next(iter(SETS["random"](range(7, 8))))
    assert random_program(7).text != random_program(8).text


def test_an_open_program_has_the_sizes_of_its_launch() -> None:
    for seed in range(24):
        program = open_program(seed)
        assert {f"{program.dims['rows']}", f"{program.dims['cols']}"} <= {*random_program(seed).text.replace("{", ",").replace("}", ",").split(",")}
        assert program.text.count("{rows,cols}") == 2 and ("z = " not in program.text or ",rows}" in program.text)
