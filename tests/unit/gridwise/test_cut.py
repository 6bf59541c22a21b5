"""From a graph to launches: the algorithm of reductions, the buffers between launches, their lifetimes."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.choose import parts_of_products
from asmgen.gridwise.cut import cut
from asmgen.gridwise.division import Run, division, parts_of, runs
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import LaunchProgram
from asmgen.index import constant
from asmgen.ir.program import definitions, tensor_type
from asmgen.ir.types import TensorType
from isa.targets import parse_target

TARGET = parse_target("gfx942")


def program_of(text: str) -> LaunchProgram:
    (program,) = cut(parse(text, "kernel.gen"), TARGET).file.programs
    return program


def launches_of(program: LaunchProgram) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(launch.reads, launch.writes) for launch in program.launches]


def reduced(program: LaunchProgram) -> list[tuple[int, ...]]:
    """The dims of each reduction, launch after launch."""
    return [
        statement.operands[0].type.shape
        for launch in program.launches
        for statement in launch.body.statements
        if statement.op.name.startswith("reduce") and isinstance(statement.operands[0].type, TensorType)
    ]


def test_few_rows_and_many_columns_are_two_launches() -> None:
    program = program_of("x = @param:x -> f32, {1048576}\ns = reduce_sum(x)\n@return(s)\n")
    assert launches_of(program) == [(("x",), ("s_partial",)), (("s_partial",), ("s",))]
    assert reduced(program) == [(1024, 1024), (1024,)]
    assert [(each.name, each.first, each.last) for each in program.temporaries] == [("s_partial", "kernel", "kernel_1")]


def test_many_rows_are_one_launch() -> None:
    program = program_of("x = @param:x -> f32, {4096,1024}\ns = softmax[axis=1](x)\n@return(s)\n")
    assert launches_of(program) == [(("x",), ("s",))]
    assert not program.temporaries


@pytest.mark.parametrize(("columns", "launches"), [(32768, 1), (32772, 2)])
def test_a_row_is_split_that_takes_a_workgroup_longer_than_a_launch(columns: int, launches: int) -> None:
    """From the bytes of the table on (`choosing.alone_table`)."""
    program = program_of(f"x = @param:x -> f32, {{1,{columns}}}\ns = softmax[axis=1](x)\n@return(s)\n")
    assert len(program.launches) == launches


@pytest.mark.parametrize(("columns", "launches"), [(65536, 1), (131072, 2)])
def test_rows_that_are_read_again_are_split_until_they_fit_in_registers(columns: int, launches: int) -> None:
    program = program_of(f"x = @param:x -> f32, {{8192,{columns}}}\na = argmax[axis=1](x)\n@return(a)\n")
    assert len(program.launches) == launches


def test_what_is_no_whole_number_of_parts_is_padded_with_what_changes_nothing() -> None:
    x = np.full(1000004, -np.inf, np.float32)
    for op, number in (("max", -np.inf), ("min", -np.inf), ("sum", -np.inf)):
        program = program_of(f"x = @param:x -> f32, {{1000004}}\ns = reduce_{op}(x)\n@return(s)\n")
        assert "pad[" in print_file(cut(parse(f"x = @param:x -> f32, {{1000004}}\ns = reduce_{op}(x)\n@return(s)\n", "k.gen"), TARGET).file)
        assert interpret(program, [x])[0].item() == number
    program = program_of("x = @param:x -> f32, {1000004}\ns = reduce_max(x)\n@return(s)\n")
    assert np.isnan(interpret(program, [np.full_like(x, np.nan)])[0]).all()


@pytest.mark.parametrize(("op", "number"), [("max", -5), ("min", 5), ("mean", 3)])
def test_integers_are_padded_with_what_changes_nothing(op: str, number: int) -> None:
    program = program_of(f"x = @param:x -> i32, {{1000004}}\ns = reduce_{op}(x)\n@return(s)\n")
    assert [each.name for each in program.temporaries] == ["s_partial"]
    assert interpret(program, [np.full(1000004, number, np.int32)])[0].tolist() == [number]


def test_the_outermost_run_of_axes_is_split_that_has_enough_elements() -> None:
    program = program_of("x = @param:x -> f32, {32,64,56,56}\nm = reduce_mean[axes={0,2,3}](x)\n@return(m)\n")
    assert reduced(program) == [(32, 1, 64, 56, 56), (32, 64, 1, 1)]


def test_columns_are_split_along_their_rows() -> None:
    program = program_of("x = @param:x -> f32, {65536,256}\ns = reduce_sum[axes={0}](x)\n@return(s)\n")
    assert reduced(program) == [(256, 256, 256), (256, 256)]
    assert program.types["s_partial"].dims == (256, 1, 256)


def test_a_result_that_a_later_launch_needs_is_read_where_it_is() -> None:
    program = program_of("""x = @param:x -> f32, {64,8}
s = reduce_sum[axes={1}](x)
t = reduce_sum[axes={0}](s)
@return(s, t)
""")
    assert launches_of(program) == [(("x",), ("s",)), (("s",), ("t",))]
    assert not program.temporaries


def test_an_unused_parameter_is_one_of_the_program_and_of_its_first_launch() -> None:
    program = program_of("x = @param:x -> f32, {8}\nw = @param:w -> f32, {3}\ny = relu(x)\n@return(y)\n")
    assert [each.name for each in program.inputs] == ["x", "w"]
    assert launches_of(program) == [(("x", "w"), ("y",))]


def test_narrow_floats_pass_between_launches_as_f32() -> None:
    text = "x = @param:x -> f16, {1,262144}\ns = softmax[axis=1](x)\n@return(s)\n"
    program = program_of(text)
    assert {each.shape.element.name for each in program.temporaries} == {"f32"}
    x = np.random.default_rng(3).standard_normal((1, 262144)).astype(np.float16)
    (expected,) = evaluate(parse(text, "kernel.gen"), [x])
    assert not compare(expected, interpret(program, [x])[0]).is_broken


def test_a_file_of_two_graphs_is_two_programs() -> None:
    text = "module @a {\nx = @param:x -> f32, {8}\n@return(x)\n}\nmodule @b {\nx = @param:x -> f32, {4}\ny = neg(x)\n@return(y)\n}\n"
    file = cut(parse(text, "two.gen"), TARGET).file
    assert [(program.name, [each.name for each in program.results]) for program in file.programs] == [
        ("a", ["x_1"]),
        ("b", ["y"]),
    ]


@pytest.mark.parametrize(
    ("dims", "kept", "wanted"),
    [
        ((4, 5, 6), (1, 1, 1), [Run(0, 2, 120)]),
        ((4, 1, 6), (1, 1, 1), [Run(0, 2, 24)]),
        ((4, 5, 6), (1, 5, 1), [Run(0, 0, 4), Run(2, 2, 6)]),
        ((4, 5, 6, 7), (4, 1, 1, 7), [Run(1, 2, 30)]),
        ((1, 5), (1, 5), []),
    ],
)
def test_runs_of_axes(dims: tuple[int, ...], kept: tuple[int, ...], wanted: list[Run]) -> None:
    assert runs(dims, kept) == wanted


@pytest.mark.parametrize(
    ("axes", "run", "others"),
    [
        ((1,), Run(1, 1, 30), (Run(0, 0, 4), Run(2, 3, 14))),
        ((0, 1), Run(0, 1, 120), (Run(2, 3, 14),)),
        ((3,), Run(3, 3, 7), (Run(0, 2, 240),)),
        ((), Run(0, 3, 1680), ()),
    ],
)
def test_named_axes_of_a_run_are_divided(axes: tuple[int, ...], run: Run, others: tuple[Run, ...]) -> None:
    how = division((4, 30, 2, 7), (1, 1, 1, 1), 7, 4, axes=axes)
    assert how is not None
    assert (how.run, how.others) == (run, others)


def test_few_elements_beyond_whole_accesses_are_in_no_part() -> None:
    for rows, tail in ((3, 3), (64, 3), (65, 0)):
        how = division((rows, 100003), (1, 1), 40, 4, axes=(1,))
        assert how is not None
        assert how.tail == tail
        assert how.left == tail * rows


@pytest.mark.parametrize(
    ("dims", "other", "wanted"),
    [
        ("5,1000003", "1,1000003", 200),  # five parts took 405,000 clocks on gfx942
        ("2,100003", "100003", 90),
        ("3,65537,3", "65537,1", 100),
        ("5,3,2,20011", "3,2,1", 25),  # the last axis is too short, so that parts are of all others
        ("5,33,1000", "5,1,1000", 25),
    ],
)
def test_reduced_axes_that_do_not_merge_are_shared(dims: str, other: str, wanted: int) -> None:
    text = (
        f"x = @param:x -> f32, {{{dims}}}\nb = @param:b -> f32, {{{other}}}\nw = multibroadcast[out_lens={{{dims}}}](b)\n"
        "y = sub(x, w)\ns = reduce_max(y)\n@return(s)\n"
    )
    program = program_of(text)
    first, _ = program.launches
    assert first.grid[0].constant >= wanted
    arrays = [np.random.default_rng(5).standard_normal([int(dim) for dim in each.split(",")], np.float32) for each in (dims, other)]
    assert interpret(program, arrays)[0].item() == (arrays[0] - arrays[1]).max()


def test_parts_are_enough_and_cover_what_there_is() -> None:
    for size in (7, 100, 1000, 4096, 4097, 65535):
        for wanted in (2, 3, 7, 100):
            for step in (1, 4):
                parts, length = parts_of(size, wanted, step)
                assert parts >= min(wanted, size // step)
                assert length % step == 0 and (parts - 1) * length < size <= parts * length


@pytest.mark.parametrize(("element", "size"), [("u8", 1), ("f16", 2), ("f32", 4)])
def test_parts_of_a_named_dim_are_hardly_more_than_wanted_and_end_within_32_bits(element: str, size: int) -> None:
    """The elements of the last turn have indices too, whether or not they exist."""
    (x,) = parse(f"x = @param:x -> {element}, {{n}}\n@return(x)\n", "k.gen").modules[0].statements[0].results
    how = division(tensor_type(x).dims, (1,), 1216, size)
    assert how is not None and how.turns is not None
    assert isinstance(how.parts, int) and isinstance(how.length, int)
    assert 1216 <= how.parts < 2 * 1216
    assert constant(how.turns).high * how.parts * how.length <= 1 << 32


def test_a_reduction_that_always_takes_as_many_turns_is_one_launch() -> None:
    """Of 20,000,000 elements and the first 900 of n."""
    text = "x = @param:x -> f32, {n}\ny = @param:y -> f32, {20000000}\ns = slice[axes=0, starts=0, ends=900](x)\n"
    text += "c = concat[axis=0](s, y)\no = reduce_sum[axes=0](c)\n@return(o)\n"
    assert len(cut(parse(text, "sum.gen"), parse_target("gfx942")).file.programs[0].launches) == 1


def test_products_that_share_a_factor_are_found_once_for_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each product: the launches of 24 layers of a transformer took 5.5 s, and 1.7 s now."""
    from asmgen.graph.fusion import siblings

    asked: list[int] = []
    decided = siblings.decided
    monkeypatch.setattr(siblings, "decided", lambda *given: asked.append(1) or decided(*given))
    text = "x = @param:x -> f32, {64,64}\n" + "".join(f"{name} = @param:{name} -> f32, {{64,64}}\nof_{name} = dot(x, {name})\n" for name in "abcd")
    graph = parse(f"{text}@return(of_a, of_b, of_c, of_d)\n", "products.gen").modules[0]
    parts = parts_of_products(definitions(graph), TARGET.target)
    assert [parts(statement) for statement in graph.statements if statement.op is DOT] == [1, 1, 1, 1]
    assert len(asked) == 1


@pytest.mark.parametrize("dims", ["65537,2", "5,40001,3", "n,3"])
def test_short_rows_that_lanes_have_alone_are_shared(dims: str) -> None:
    """A single lane took 65,537 rows after each other, for 16.9 million clocks on gfx942."""
    last, axes = dims.rsplit(",", 1)[-1], "{1,2}" if dims.count(",") == 2 else "{0,1}"
    text = (
        f"x = @param:x -> f32, {{{dims}}}\nb = @param:b -> f32, {{{last}}}\nw = multibroadcast[out_lens={{{dims}}}](b)\n"
        f"y = mul(x, w)\ns = reduce_sum[axes={axes}](y)\n@return(s)\n"
    )
    first, *_ = program_of(text).launches
    assert first.grid[0].high > 50
