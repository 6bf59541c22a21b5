"""The bytes that a workgroup reads by itself: the table of `choosing.alone`, and the model that it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.blockwise.schedules.choosing.alone import ELEMENTS, KEPT, KINDS, MOST, SCAN, alone_bytes
from asmgen.blockwise.schedules.choosing.alone_table import ALONE, MODEL
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from isa.targets import TARGETS, parse_target
from isa.trust import Figure, Latency, Trust
from tools.judge_choices.alone import PATH, Row, alone_case, everywhere, model, numbers, table_of, table_text
from tools.judge_choices.changed import TREE, Changed


def test_the_table_is_of_the_current_clock_model() -> None:
    assert model() == MODEL, "run `python -m tools.judge_choices --write`"


def test_the_age_is_of_numbers_and_not_of_names() -> None:
    memory = {"a": Figure(2.0, "page", Trust.ASSUMED), "b": (Latency(3, "trace", Trust.DERIVED), "name")}
    assert list(numbers(memory)) == [2, 3]


def test_the_table_is_as_its_maker_writes_it() -> None:
    assert (TREE / PATH).read_text() == table_text(ALONE)


def test_the_table_has_every_target_and_kind_within_the_bounds() -> None:
    assert list(ALONE) == list(TARGETS)
    for kinds in ALONE.values():
        assert list(kinds) == list(KINDS)
        for kind, elements in kinds.items():
            assert list(elements) == list(ELEMENTS)
            for sizes in elements.values():
                assert all(0 < size <= most for size, most in zip(sizes, MOST[kind], strict=True))


def test_the_column_is_by_workgroups_of_a_compute_unit() -> None:
    target = TARGETS["gfx942"]
    row = ALONE["gfx942"][SCAN][4]
    assert [alone_bytes(SCAN, 4, groups, target) for groups in (1, 75, 76, 303, 304, 607, 608, 1 << 20)] == [
        row[0], row[0], row[1], row[1], row[2], row[2], row[3], row[3],
    ]  # fmt: skip


def test_elements_of_another_width_have_the_nearest_line() -> None:
    target = TARGETS["gfx942"]
    narrow, wide = [ALONE["gfx942"][KEPT][element][0] for element in ELEMENTS]
    assert narrow < wide
    assert [alone_bytes(KEPT, element, 1, target) for element in (1, 2, 4, 8)] == [narrow, narrow, wide, wide]


def test_a_table_has_the_most_bytes_that_take_no_longer_alone() -> None:
    """Never more than `MOST`, even if the model finds more; a size that is not shared counts as alone."""
    rows = [
        Row("gfx942", SCAN, 4, 0, 1, 32768, alone=12, shared=15),
        Row("gfx942", SCAN, 4, 0, 1, 65536, alone=20, shared=15),
        Row("gfx942", SCAN, 4, 0, 1, 131072, alone=35, shared=15),
        Row("gfx942", SCAN, 4, 0, 1, 262144, alone=65, shared=15),
        Row("gfx942", SCAN, 4, 1, 76, 524288, alone=1, shared=15),
    ]
    assert table_of(rows)["gfx942"][SCAN][4][:2] == (32768, 262144)


@pytest.mark.parametrize(("columns", "launches"), [(8192, 1), (16384, 2)])
def test_workgroups_share_a_row_of_a_scan_if_the_table_says_so(columns: int, launches: int) -> None:
    text = f"x = @param:x -> f32, {{1,{columns}}}\ny = cumsum[axis=1](x)\n@return(y)\n"
    (program,) = cut(parse(text, "scan.gen"), parse_target("gfx942")).file.programs
    assert len(program.launches) == launches


@pytest.mark.parametrize(("rows", "launches"), [(4000, 1), (20000, 2)])
def test_workgroups_share_rows_across_memory_by_the_lines_that_they_read(rows: int, launches: int) -> None:
    """A workgroup reads 80,000 bytes of elements of 20,000 rows, but 1,040,000 bytes of lines."""
    text = f"x = @param:x -> f32, {{{rows},13}}\ny = reduce_sum[axes={{0}}](x)\n@return(y)\n"
    (program,) = cut(parse(text, "sums.gen"), parse_target("gfx942")).file.programs
    assert len(program.launches) == launches


@pytest.mark.broad
def test_the_model_still_finds_what_the_table_says(tmp_path: Path) -> None:
    """A row of the last size alone takes fewer clocks than if it is shared, and a row of twice as many bytes
    more."""
    changed = Changed(tmp_path)
    size = ALONE["gfx942"][SCAN][4][0]
    assert size < MOST[SCAN][0]
    cases = [alone_case(SCAN, 4, 1, size), alone_case(SCAN, 4, 1, 2 * size)]
    alone, shared = [changed.measure({PATH: table_text(everywhere(most))}, "gfx942", cases) for most in (1 << 40, 0)]
    assert alone[0].clocks <= shared[0].clocks
    assert alone[1].clocks > shared[1].clocks
