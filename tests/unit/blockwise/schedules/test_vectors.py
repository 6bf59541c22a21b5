"""The elements of a vector without reductions: 16 bytes of the narrowest buffer, or of a widest buffer that is far wider."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of


def vector_of(text: str, target: str = "gfx942") -> int:
    choice = choose(Graph(parse(text, "t").modules[0]).work, TARGETS[target])
    assert isinstance(choice, Pointwise)
    return choice.vector


@pytest.mark.parametrize(
    ("source", "to", "rows", "wanted"),
    [
        ("i8", "f16", 4096, 16),
        ("f16", "i8", 4096, 16),
        ("i8", "f32", 4096, 4),  # 16 would be four accesses of f32, and each would touch the lines of all
        ("f32", "i8", 4096, 4),
        ("i8", "f64", 4096, 2),
        ("bf16", "f32", 4096, 8),
        ("f32", "f32", 4096, 4),
        ("i8", "f16", 4, 8),  # so few elements: more lanes, as many as f16 alone has
    ],
)
def test_vector_has_16_bytes_of_the_narrowest_buffer(source: str, to: str, rows: int, wanted: int) -> None:
    text = f"x = @param:x -> {source}, {{{rows},4096}}\no = convert[target_type={to}](x)\n@return(o)\n"
    if source == to:
        text = f"x = @param:x -> {source}, {{{rows},4096}}\no = abs(x)\n@return(o)\n"
    assert vector_of(text) == wanted


def test_bools_that_are_live_at_once_bound_a_vector() -> None:
    head = "x = @param:x -> f16, {4096,4096}\nz = @literal{0.0} -> f16, {}\n"
    one = "c = less(x, z)\no = where(c, z, x)\n@return(o)\n"
    four = "\n".join([f"c{n} = less(x, z{n})" for n in range(4)])
    literals = "\n".join([f"z{n} = @literal{{{n}}} -> f16, {{}}" for n in range(4)])
    both = "a = logical_and(c0, c1)\nb = logical_and(c2, c3)\nc = logical_or(a, b)\no = where(c, z, x)\n@return(o)\n"
    assert vector_of(head + one) == 8
    assert vector_of(f"{head}{literals}\n{four}\n{both}") == 4


def test_rows_that_data_choose_are_read_whole() -> None:
    text = "t = @param:t -> f16, {32000,1024}\ni = @param:i -> i32, {2048}\no = gather[axis=0](t, i)\n@return(o)\n"
    assert vector_of(text) == 8


@pytest.mark.parametrize(("buffers", "repeat"), [(1, 4), (3, 4), (4, 8)])
def test_more_buffers_of_columns_are_read_for_more_rows(buffers: int, repeat: int) -> None:
    params = "".join(f"b{n} = @param:b{n} -> f16, {{64}}\n" for n in range(buffers))
    sums = "".join(f"s{n} = add({f's{n - 1}' if n else 'x'}, b{n})\n" for n in range(buffers))
    text = f"x = @param:x -> f16, {{65536,64}}\n{params}{sums}@return(s{buffers - 1})\n"
    choice = choose(graph_of(text).work, TARGETS["gfx90a"])
    assert isinstance(choice, Pointwise) and choice.repeat == repeat


def test_a_lane_with_much_work_for_its_rows_has_a_single_access() -> None:
    """More waves compute while others wait: f32 to i8 takes 6,302 clocks with an access, 7,963 with four."""
    head = "x = @param:x -> f32, {4096,1024}\ns = @param:s -> f32, {4096,1}\n"
    quantised = f"{head}d = div(x, s)\nr = nearbyint(d)\nq = convert[target_type=i8](r)\n@return(q)\n"
    scaled = f"{head}q = mul(x, s)\n@return(q)\n"
    choices = [choose(graph_of(text).work, TARGETS["gfx950"]) for text in (quantised, scaled)]
    assert [choice.repeat for choice in choices if isinstance(choice, Pointwise)] == [1, 4]
