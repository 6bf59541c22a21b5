"""How many elements a lane takes if rows end within vectors."""

from __future__ import annotations

from math import prod

import pytest

import asmgen
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from asmgen.verification import hold


def vector_of(shape: str, other: str, op: str = "add(x, b)") -> int:
    text = f"x = @param:x -> f32, {shape}\nb = @param:b -> f32, {other}\no = {op}\n@return(o)\n"
    (section,) = Graph(parse(text, "t").modules[0]).sections
    return section.vector(4)


@pytest.mark.parametrize(
    ("shape", "other", "wanted"),
    [
        ("{40,1023}", "{1023}", 4),  # x is contiguous over both dims: one access, and b is gathered
        ("{40,50257}", "{40,1}", 4),
        ("{40,7}", "{7}", 4),
        ("{40,3}", "{3}", 2),  # four would have two ends of rows in them
        ("{40,6}", "{6}", 4),
    ],
)
def test_rows_may_end_within_a_vector(shape: str, other: str, wanted: int) -> None:
    assert vector_of(shape, other) == wanted


def test_what_is_nowhere_contiguous_is_read_as_before() -> None:
    assert vector_of("{7,40}", "{40,7}", "transpose[permutation={1,0}](x)") == 1


def stored_of(shapes: tuple[str, ...], axis: int, element: str = "f16") -> list[tuple[str, tuple[object, ...]]]:
    """The values that the sections of a concat store, and the beginning of each."""
    names = [f"x{number}" for number in range(len(shapes))]
    params = [f"{name} = @param:{name} -> {element}, {shape}" for name, shape in zip(names, shapes, strict=True)]
    text = "\n".join([*params, f"o = concat[axis={axis}]({', '.join(names)})", "@return(o)\n"])
    found = Graph(parse(text, "t").modules[0]).sections
    return [(stored.value.name, stored.first) for section in found for stored in section.stored]


@pytest.mark.parametrize(
    ("shapes", "axis", "wanted"),
    [
        (("{9,64}", "{9,64}"), 1, [("x0", (0, 0)), ("x1", (0, 64))]),
        (("{9,64}", "{9,8}"), 1, [("x0", (0, 0)), ("x1", (0, 64))]),
        (("{9,64}", "{9,4}"), 1, [("o", (0, 0))]),  # the second would be stored 8 bytes at a time
        (("{9,5}", "{2,5}"), 0, [("x0", (0, 0)), ("x1", (9, 0))]),  # each is a piece of memory
        (("{9,64}",) * 17, 1, [("o", (0, 0))]),  # too many
        (("{9,1}", "{9,2}"), 1, [("x0", (0, 0)), ("x1", (0, 1)), ("x1", (0, 2))]),  # a lane has whole rows
        (("{9,9}", "{9,8}"), 1, [("o", (0, 0))]),  # rows are too long for a lane
    ],
)
def test_concat_is_stored_by_operands_of_whole_accesses(shapes: tuple[str, ...], axis: int, wanted: list[tuple[str, tuple[object, ...]]]) -> None:
    assert stored_of(shapes, axis) == wanted


def test_an_element_of_a_workgroup_is_read_only_where_its_section_has_elements() -> None:
    """The padded output has more workgroups than the product, of which each reads one element of b."""
    text = (
        "x = @param:x -> f16, {3,4096,8}\np = pad[pads={1,0,2,0,0,1}](x)\nb = @param:b -> f16, {3,1,1}\n"
        "w = multibroadcast[out_lens={3,4096,8}](b)\nm = mul(w, x)\n@return(p, m)\n"
    )
    assert not hold(asmgen.compile(text, target="gfx942"), "emulator").is_broken


def cut(text: str) -> list[tuple[tuple[object, ...], tuple[object, ...]]]:
    """The parts of the output of a graph of x {8,64}: the beginning and the dims of each."""
    graph = Graph(parse(f"x = @param:x -> f32, {{8,64}}\n{text}\n@return(o)\n", "t").modules[0])
    return [(stored.first, stored.dims) for section in graph.sections for stored in section.stored]


def test_an_output_computed_from_concats_is_cut_where_they_are() -> None:
    """Also along other axes, after a transpose, and if a step before has cut it."""
    nested = "a = concat[axis=1](x, x)\nb = concat[axis=1](x, x)\nc = concat[axis=0](a, b)\no = relu(c)"
    assert cut(nested) == [((row, column), (8, 64)) for row in (0, 8) for column in (0, 64)]
    moved = "a = concat[axis=0](x, x)\nb = transpose[permutation={1,0}](a)\no = exp(b)"
    assert cut(moved) == [((0, 0), (64, 8)), ((0, 8), (64, 8))]
    sliced = "a = concat[axis=1](x, x)\nb = slice[axes={1},starts={60},ends={68}](a)\no = exp(b)"
    assert cut(sliced) == [((0, 0), (8, 4)), ((0, 4), (8, 4))]


def test_stages_of_a_transform_are_cut_by_the_digits_of_an_index() -> None:
    """64 columns are 2 by 2 by 16: the first stage has pairs of 16 columns, and the second has pairs of 32."""
    lines = ["p = reshape[dims={8,2,2,16}](x)", "q = neg(p)", "a = slice[axes={2},starts={0},ends={1}](q)"]
    lines += ["b = slice[axes={2},starts={1},ends={2}](p)", "c = concat[axis=2](a, b)", "d = reshape[dims={8,2,32}](c)"]
    lines += ["e = slice[axes={1},starts={0},ends={1}](d)", "f = slice[axes={1},starts={1},ends={2}](d)"]
    lines += ["g = exp(f)", "o = concat[axis=1](e, g)"]
    pieces = [((0, half, 0, digit, 0), (8, 1, 1, 1, 16)) for half in range(2) for digit in range(2)]
    assert cut("\n".join(lines)) == pieces


def test_digits_are_cut_if_pieces_have_whole_accesses_or_short_rows() -> None:
    joined = "b = reshape[dims={{{}}}](x)\nc = concat[axis=1](b, b)\nd = reshape[dims={{4,256}}](c)\no = exp(d)"
    assert cut(joined.format("128,4")) == [((0, 0, place, 0), (4, 32, 1, 4)) for place in range(2)]
    assert cut(joined.format("512,1")) == [((0, 0, place, 0), (4, 128, 1, 1)) for place in range(2)]
    part = "e = slice[axes={1},starts={8},ends={200}](d)\no = exp(e)"
    assert cut(joined.format("64,8").replace("o = exp(d)", part)) == [((0, 0), (4, 192))]


def test_an_output_that_is_reshaped_in_the_end_is_cut_before() -> None:
    records = "a = slice[axes={1},starts={0},ends={1}](x)\nb = concat[axis=1](a, a, a, a)\no = reshape[dims={8,2,2}](b)"
    assert cut(records) == [((0, place), (8, 1)) for place in range(4)]


def test_a_lane_has_as_many_records_as_fill_an_access() -> None:
    text = "x = @param:x -> {}, {{4096,{}}}\na = slice[axes={{1}},starts={{0}},ends={{1}}](x)\no = relu(a)\n@return(o)\n"

    def vector(element: str, fields: int) -> int:
        (section,) = Graph(parse(text.format(element, fields), "t").modules[0]).sections
        return section.vector(16)

    assert [vector("u8", 3), vector("u8", 5), vector("f16", 3), vector("f32", 9)] == [4, 4, 2, 1]


RECORDS = """x = @param:x -> u8, {37,3}
s = @param:s -> u8, {37}
r = slice[axes={1},starts={0},ends={1}](x)
g = slice[axes={1},starts={1},ends={3}](x)
t = unsqueeze[axes={1}](s)
c = concat[axis=1](g, t, r)
o = max(c, t)
@return(o)
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
@pytest.mark.parametrize("end", ["@return(o)", "z = reshape[dims={148}](o)\n@return(z)", "z = reshape[dims={37,2,2}](o)\n@return(z)"])
def test_records_are_right(end: str, target: str) -> None:
    text = RECORDS.replace("@return(o)", end)
    assert not hold(asmgen.compile(text, target=target), "emulator").is_broken
    named = text.replace("148", "4*n").replace("37", "n")
    assert not hold(asmgen.compile(named, target=target), "emulator").is_broken


@pytest.mark.parametrize(
    ("shape", "rows", "of_row"),
    [
        ("{33,n,2}", ("33",), "2*n"),  # a workgroup had two elements
        ("{33,n,512}", ("n", "33"), "512"),
        ("{n,m,2,3}", ("n",), "6*m"),
        ("{n,2,3}", (), "6*n"),
    ],
)
def test_a_workgroup_has_several_short_rows_of_a_named_dim(shape: str, rows: tuple[str, ...], of_row: str) -> None:
    text = f"x = @param:x -> f32, {shape}\no = reverse[axes=-1](x)\n@return(o)\n"
    (section,) = Graph(parse(text, "t").modules[0]).sections
    assert tuple([str(prod(dims)) for dims in section.outer]) == rows
    assert str(section.of_block) == of_row


@pytest.mark.parametrize(("shape", "width"), [("{33,n,6}", 2), ("{33,n,12}", 4), ("{33,n,514}", 4)])
def test_no_vector_of_a_short_row_ends_in_the_next(shape: str, width: int) -> None:
    """Its elements in the other row would be gathered."""
    text = f"x = @param:x -> f32, {shape}\no = reverse[axes=-1](x)\n@return(o)\n"
    (section,) = Graph(parse(text, "t").modules[0]).sections
    assert section.vector(4) == width


@pytest.mark.parametrize(
    ("shape", "other", "op", "wanted"),
    [
        ("{8,m,n}", "{8,m,n}", "add(x, b)", "8*m*n"),  # addresses alone: no number is divided
        ("{8,m,n}", "{m,n}", "add(x, b)", "8, m*n"),
        ("{m,n}", "{n}", "add(x, b)", "m, n"),
        ("{m,n}", "{m,n}", "pad[pads={0,1,0,0}](x)", "m, n + 1"),
        ("{m,n}", "{5}", "gather[axis=0](b, c)", "m, n"),
        ("{m,n}", "{5,n}", "take_along_axis[axis=0](b, c)", "m, n"),
    ],
)
def test_dims_that_only_the_launch_knows_are_merged_if_addresses_alone_are_made_of_them(shape: str, other: str, op: str, wanted: str) -> None:
    params = f"x = @param:x -> f32, {shape}\nb = @param:b -> f32, {other}\nc = @param:c -> i32, {shape}\n"
    text = f"{params}o = {op}\n@return(o)\n"
    (section,) = Graph(parse(text, "t").modules[0]).sections
    assert ", ".join(map(str, section.merged)) == wanted


def test_merged_dims_that_only_the_launch_knows_give_the_right_elements() -> None:
    text = (
        "x = @param:x -> f32, {3,m,n}\nb = @param:b -> f32, {m,n}\nr = reverse[axes=0](x)\na = add(r, b)\nf = reshape[dims={3,m*n}](a)\n@return(f)\n"
    )
    assert not hold(asmgen.compile(text, target="gfx942"), "emulator").is_broken


@pytest.mark.parametrize(
    ("sizes", "workgroups"),
    [
        ((8192, 8192), 32),  # 256 lanes with an element of each part
        ((8192, 4096), 4 + 2),  # 256 lanes with 8 elements of one part
        ((8192, 4096, 8192), 32 + 16),  # lanes have an element of the first and of the last part
        ((5001, 77, 1023), 3 + 1 + 1),
    ],
)
def test_parts_of_other_lengths_have_workgroups_of_their_own(sizes: tuple[int, ...], workgroups: int) -> None:
    params = "".join(f"x{at} = @param:x{at} -> f16, {{{size}}}\n" for at, size in enumerate(sizes))
    operands = ", ".join(f"x{at}" for at in range(len(sizes)))
    text = f"{params}y = @param:y -> f16, {{{sum(sizes)}}}\nc = concat[axis=0]({operands})\no = add(c, y)\n@return(o)\n"
    program = asmgen.compile(text, target="gfx942")
    assert program.kernels[0].workgroups == (workgroups, 1, 1)
    assert not hold(program, "emulator").is_broken
