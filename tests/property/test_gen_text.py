"""Print and parse are inverse on graphs, made by random text and by random programs; `make test-all` takes more of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asmgen.compilation import Source
from asmgen.compiler import start
from asmgen.gentext.parser import parse
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import CONCAT, FORMS, GRAPH_OPS, PAD
from asmgen.graph.printer import print_program
from asmgen.ir.program import Attributes, Program, Stage
from asmgen.ir.types import ELEMENT_TYPES, TensorType, tensor
from asmgen.options import Options
from asmgen.pipeline import advance
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.property.graphs import random_graph
from tests.unit.frontends.programs import outline

ELEMENTS = sorted({element.name for element in ELEMENT_TYPES.values()})


def assert_inverse(program: Program) -> None:
    text = print_program(program)
    again = parse(text, "again.gen")
    assert outline(again) == outline(program)
    assert print_program(again) == text


@pytest.mark.parametrize("first", range(0, 100, 50))
def test_random_graphs(first: int) -> None:
    for seed in range(first, first + 50):
        assert_inverse(parse(random_graph(seed).text, "graph.gen"))


@pytest.mark.parametrize("first", range(0, 24, 12))
def test_random_graphs_at_every_stage(first: int) -> None:
    for seed in range(first, first + 12):
        graph = parse(random_graph(seed).text, "graph.gen")
        compilation = start(Source.of_program("graph", graph), parse_target("gfx942"), Options())
        advance(compilation, Stage.FINAL.value)
        for program in compilation.stages.programs.values():
            assert_inverse(program)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 11000, 1000))
def test_many_random_graphs(first: int) -> None:
    for seed in range(first, first + 1000):
        assert_inverse(parse(random_graph(seed).text, "graph.gen"))


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True).filter(lambda name: name not in ("inf", "nan"))


@st.composite
def tensor_types(draw: st.DrawFn) -> TensorType:
    element = ELEMENT_TYPES[draw(st.sampled_from(ELEMENTS))]
    dims = tuple(draw(st.lists(st.integers(0, 5), max_size=3)))
    if draw(st.booleans()):
        return tensor(element, dims)
    return TensorType(element, dims, tuple(draw(st.integers(0, 20)) for _ in dims))


padding = st.floats(-240, 240) | st.sampled_from([math.inf, -math.inf, math.nan])  # the finite numbers fit every float type


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Parameters, literals and a few ops of any type, with names of every kind."""
    builder = GraphBuilder(GRAPH_OPS)
    values = [
        builder.param(builder.fresh(draw(names)), f"argument{i}", draw(tensor_types())) for i in range(draw(st.integers(1, 3)))
    ]  # fmt: skip
    numbers = draw(st.lists(st.floats(width=32), min_size=1, max_size=4))
    values.append(builder.literal(builder.fresh(draw(names)), tuple(numbers), tensor(ELEMENT_TYPES["f32"], (len(numbers),))))
    f16 = draw(st.lists(st.floats(width=16), max_size=4))
    values.append(builder.literal(builder.fresh(draw(names)), tuple(f16), tensor(ELEMENT_TYPES["f16"], (len(f16),))))
    for x in tuple(values):
        assert isinstance(x.type, TensorType)
        pads = tuple(draw(st.integers(0, 3)) for _ in range(2 * x.type.rank))
        value = draw(padding if x.type.element.is_float else st.sampled_from([0.0, 1.0]))
        attributes: Attributes = {"pads": pads, "mode": "constant", "value": value}
        values.append(builder.apply(PAD, (x,), attributes, builder.fresh(draw(names))))
        if x.type.rank:
            values.append(builder.apply(CONCAT, (x, x), {"axis": draw(st.integers(-x.type.rank, x.type.rank - 1))}, builder.fresh("concat")))
    outputs = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)))
    return Program(Stage.GRAPH, (builder.finish(draw(names), outputs),))


@given(programs())
@settings(max_examples=30, deadline=None)
def test_random_programs(program: Program) -> None:
    assert_inverse(program)


TOKENS = st.sampled_from(
    ["x", "y", "=", ",", "(", ")", "{", "}", "[", "]", "->", "\n", "@", ":", "?", "1", "-2.5", "0x1f", '"s"', "inf", "module", "stage", "f32", "f16",
     "scalar", "# c\n", "axis", "target_type", *FORMS, "add", "exp", "convert", "pad", "gpu::gen::mul", "x = @param:x -> {4}\n", "@return(x)\n"]
)  # fmt: skip


@given(st.lists(TOKENS, max_size=30).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_program_or_an_input_error(text: str) -> None:
    try:
        program = parse(text, "any.gen")
    except InputError as error:
        assert str(error).startswith("any.gen:")
        assert "wanted" in error.message
        return
    assert_inverse(program)


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_characters_are_a_program_or_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        _ = parse(text, "any.gen")
