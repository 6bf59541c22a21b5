"""The lane of each element of a tile, drawn as comments of the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.text import pictures as module
from asmgen.blockwise.text.pictures import EVERY, pictures
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from isa.diagnostics import InputError

TILES = Path(__file__).parents[2] / "tiles"
HEAD = "stage blockwise gfx942\nkernel @k grid(block: 1) waves({}) lanes(64) {{\n"


def program_of(name: str) -> TileProgram:
    return read_program((TILES / f"{name}.gen").read_text(encoding="utf-8"), f"{name}.gen")


def drawn(waves: int, layout: str, shape: str) -> list[str]:
    text = HEAD.format(waves) + f"  t = fill[value=0.0]() -> f32, {shape} @ {layout}\n}}\n"
    program = read_program(text, "t.gen")
    (lines,) = pictures(program, "t").values()
    return lines


def test_the_example_of_the_module_is_what_is_drawn() -> None:
    lines = [line.strip() for line in (module.__doc__ or "").splitlines() if line.startswith("    #")]
    assert drawn(2, "reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(1:0)", "{2,256}") == lines


@pytest.mark.parametrize("name", sorted(path.stem for path in TILES.glob("*.gen")))
def test_text_with_pictures_reads_as_the_same_program(name: str) -> None:
    program = program_of(name)
    text = print_program(program, pictures(program, EVERY))
    assert text.count("the wave, lane and register of each element") >= 1
    assert max(map(len, [line for line in text.splitlines() if line.lstrip().startswith("#")])) <= 110
    assert print_program(read_program(text, "drawn.gen")) == print_program(program)


def test_each_cell_names_a_holder_of_its_element() -> None:
    program = program_of("transpose")
    (lines,) = pictures(program, "u").values()
    rows = [line.removeprefix("# ") for line in lines if line.startswith("# row")]
    assert len(rows) == 8
    columns = [*range(7), 31]
    for line in rows:
        row = int(line.split()[1])
        cells = [tuple(map(int, found)) for found in re.findall(r"w(\d+) l(\d+) r(\d+)", line)]
        # bases of by_columns: reg(0:8 0:16) lane(1:0 2:0 4:0 8:0 16:0 0:1) wave(0:2 0:4)
        elements = [(lane & 31, 8 * register | lane >> 5 | 2 * wave) for wave, lane, register in cells]
        assert elements == [(row, column) for column in columns]


def test_copies_are_counted_and_tiles_held_alike_refer_to_the_first() -> None:
    assert drawn(2, "reg(1 2 4) lane(8 16 32 0 0 0) wave(64)", "{128}")[-1] == (
        "# 8 holders have each element; they differ in the bits of lane 3 4 5"
    )
    program = program_of("softmax")
    lines = {value.name: lines for value, lines in pictures(program, EVERY).items()}
    assert lines["e"] == ["# e: the same layout as t"]


def test_rows_of_more_dims_are_named_by_their_coordinates_and_one_left_out_is_said() -> None:
    lines = drawn(1, "lane(0:0:1 0:0:2 0:1:0 1:0:0 2:0:0 4:0:0) repeat(1:1:3)", "{8,2,12}")
    assert [line.split("  ")[0] for line in lines[2:6]] == ["# row 0:0", "# row 0:1", "# row 1:0", "# row 1:1"]
    assert lines[9].startswith("#          ...") and lines[10].startswith("# row 7:1  w0 l60 r0")
    assert lines[-1] == "# not shown: 8 of 16 rows, 4 of 12 columns"
    nine = drawn(1, "lane(1:0 0:1 0:2 0:4 0:8 0:16) repeat(9:1)", "{18,32}")
    assert nine[-1] == "# not shown: 10 of 18 rows, 24 of 32 columns"


@pytest.mark.parametrize(("name", "what"), [("lds", "lds is in memory or LDS"), ("w", "w is not a value here")])
def test_what_is_no_tile_is_refused(name: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        _ = pictures(program_of("transpose"), name)
    assert caught.value.code == "CLI011"
