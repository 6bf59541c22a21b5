"""Reductions along a named dim, of few elements by a launch and of many by parts of several workgroups,
compared with numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.gridwise import few
from asmgen.gridwise.at_sizes import program_at
from asmgen.gridwise.cut import cut
from asmgen.gridwise.few import Cases, in_versions
from asmgen.gridwise.program import Launch
from asmgen.index import Index, constant
from isa.targets import parse_target
from tests.unit.named_dims.test_launches import numbers, text


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize(("op", "target"), [("sum", "gfx942"), ("max", "gfx1100")])
def test_columns_of_named_dims_are_those_of_parts_of_256_rows(op: str, target: str) -> None:
    """The last part may be short, or empty, and its loop ends with its rows."""
    source = text("x = @param:x -> f32, {m,n}", f"o = reduce_{op}[axes=0](x)", "@return(o)")
    program = asmgen.compile(source, target=target)
    assert len(program.kernels) == 2
    for m, n in ((1, 5), (255, 1), (256, 66), (530, 7)):
        x = numbers(m, n)
        wanted = x.astype(np.float64).sum(0, keepdims=True) if op == "sum" else x.max(0, keepdims=True)
        np.testing.assert_allclose(program(x, device="emulator")[0], wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize(("dims", "axis", "target"), [(("m", "n"), 0, "gfx942"), ((2, "m"), 1, "gfx1100")])
def test_variances_of_named_dims_are_made_of_those_of_parts(dims: tuple[int | str, ...], axis: int, target: str) -> None:
    """Each part has its own mean. The last part may be short, or empty: 128 rows are a part and an empty one."""
    shown = "{" + ",".join(map(str, dims)) + "}"
    mean = f"reduce_mean[axes={axis}]"
    lines = (f"x = @param:x -> f32, {shown}", f"u = {mean}(x)", "d = sub(x, u)", "q = mul(d, d)", f"v = {mean}(q)", "@return(v)")
    program = asmgen.compile(text(*lines), target=target)
    assert len(program.kernels) == 2
    for shape in ((1, 5), (128, 3), (300, 5)) if axis == 0 else ((2, 7), (2, 8192), (2, 8199)):
        x = numbers(*shape) + 50
        np.testing.assert_allclose(program(x, device="emulator")[0], x.astype(np.float64).var(axis, keepdims=True), rtol=1e-4, atol=1e-6)


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize(("op", "target"), [("softmax", "gfx942"), ("layernorm", "gfx1100")])
def test_stored_rows_of_named_dims_are_made_of_parts(op: str, target: str) -> None:
    """A launch for the parts, one for their results, and one that stores: a part has only -inf."""
    program = asmgen.compile(text("x = @param:x -> f32, {2,n}", f"y = {op}[axis=1](x)", "@return(y)"), target=target)
    assert len(program.kernels) == 3
    for n in (1, 8191, 8192, 16390):
        x = numbers(2, n)
        if op == "softmax" and n > 8192:
            x[:, :8192] = -np.inf
        wide = x.astype(np.float64)
        if op == "softmax":
            powers = np.exp(wide - wide.max(1, keepdims=True))
            wanted = powers / powers.sum(1, keepdims=True)
        else:
            wanted = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(program(x, device="emulator")[0], wanted, rtol=1e-4, atol=1e-5)


def test_many_rows_that_are_stored_are_a_workgroup_each() -> None:
    """softmax of {100,128000} takes 73,259 clocks on gfx942 so, and 91,139 in parts."""
    counts = [len(launches_of(text(f"x = @param:x -> f32, {{{m},n}}", "y = softmax[axis=1](x)", "@return(y)"))) for m in (38, 39)]
    assert counts == [4, 1]


def launched(program: asmgen.CompiledProgram, **sizes: int) -> list[str]:
    """The kernels that a launch plan at such sizes launches."""
    (plan,) = program.launch_plan(**sizes).programs
    return [launch.kernel for launch in plan.launches]


def test_few_rows_are_a_launch_and_many_rows_are_parts() -> None:
    """Without a size, each launch has a grid of which the size may leave nothing."""
    source = text("x = @param:x -> f32, {m,n}", "y = softmax[axis=0](x)", "z = relu(y)", "@return(y, z)")
    program = asmgen.compile(source, target="gfx942")
    names = [kernel.name for kernel in program.kernels]
    assert launched(program) == names
    few, many = launched(program, m=255, n=9), launched(program, m=256, n=9)
    assert len(few) == 1
    assert sorted((*few, *many)) == sorted(names)
    for m in (0, 255, 256):
        x = numbers(m, 9)
        powers = np.exp(x.astype(np.float64))
        y, z = program(x, device="emulator")
        np.testing.assert_allclose(y, powers / powers.sum(0), rtol=1e-5)
        np.testing.assert_array_equal(y, z)


@pytest.mark.parametrize(("target", "most"), [("gfx942", 32), ("gfx1100", 4)])
def test_few_long_rows_are_parts_and_many_are_a_launch(target: str, most: int) -> None:
    """A workgroup alone took 164,206 clocks on gfx942 for sums of {1,20000,64} over axis 1, and 71,890 for the softmax of
    {1,128000}."""
    lines = ("x = @param:x -> f32, {m,70000}", "u = reduce_mean[axes=1](x)", "y = sub(x, u)", "@return(y, u)")
    program = asmgen.compile(text(*lines), target=target)
    assert len(launched(program, m=1)) == len(launched(program, m=most)) == 3
    assert len(launched(program, m=most + 1)) == 1
    for m in (0, 3):
        x = numbers(m, 70000)
        y, u = program(x, device="emulator")
        wanted = x.astype(np.float64).mean(1, keepdims=True)
        np.testing.assert_allclose(u, wanted, atol=1e-6)
        np.testing.assert_allclose(y, x - wanted, atol=1e-6)


@pytest.mark.parametrize(
    ("dims", "axis", "few", "many"),
    [("{m,20000,64}", 1, 32, 33), ("{20000,m}", 0, 2048, 2049), ("{m,n,70000}", 2, 6, 7), ("{m,20000}", 1, 0, 1), ("{m,128,64}", 1, 0, 1)],
)
def test_sums_of_few_named_results_are_parts_if_a_workgroup_reads_much(dims: str, axis: int, few: int, many: int) -> None:
    """Each other dim has as many elements as m."""
    source = text(f"x = @param:x -> f32, {dims}", f"o = reduce_sum[axes={axis}](x)", "@return(o)")
    program = asmgen.compile(source, target="gfx942", assembler="builtin")
    counts = [len(launched(program, **{name: size for name in "mn" if name in dims})) for size in (few, many)]
    assert counts == [2 * bool(few), 1]


def test_rows_of_less_than_128_kilobytes_are_not_in_parts() -> None:
    """The softmax of few such rows takes 17,986 clocks on gfx942, 21,499 to 28,176 in parts."""
    source = text("x = @param:x -> f16, {m,50257}", "y = softmax[axis=1](x)", "@return(y)")
    assert len(launches_of(source)) == 1


def test_results_that_are_few_at_most_are_in_parts_without_versions() -> None:
    bounded = text("x = @param:x[most={4,-1}] -> f32, {m,70000}", "o = reduce_sum[axes=1](x)", "@return(o)")
    assert [launch.when for launch in launches_of(bounded)] == [None, None]
    sums = ("x = @param:x -> f32, {m,70000}", "y = @param:y[donated=true] -> f32, {m,1}", "o = reduce_sum[axes=1](x)")
    assert [launch.when for launch in launches_of(text(*sums, "z = add(o, y)", "@return(z)"))] == [None]


def test_a_launch_of_both_versions_is_there_once() -> None:
    """Both versions read the sorted rows: one adds up all of them, the other adds them up in parts."""
    lines = ("x = @param:x -> f32, {m,9}", "y = sort[axis=1](x)", "o = reduce_sum[axes=0](y)", "@return(y, o)")
    program = asmgen.compile(text(*lines), target="gfx942")
    few, many = set(launched(program, m=64)), set(launched(program, m=2048))
    assert few & many
    assert few - many
    assert many - few
    for m in (90, 2049):
        x = numbers(m, 9)
        y, o = program(x, device="emulator")
        np.testing.assert_array_equal(y, np.sort(x, 1))
        np.testing.assert_allclose(o, np.sort(x, 1).astype(np.float64).sum(0, keepdims=True), rtol=1e-4, atol=1e-3)


def test_kernels_of_both_versions_that_read_an_empty_tensor_are_told_apart() -> None:
    """Both write `y`, and neither has a form that it shares with others."""
    lines = (
        "a = @param:a -> f32, {17,k}", "b = @param:b -> f32, {k,1}", "c = @param:c -> f32, {1,0}",
        "y = dot(a, b)", "@return(y)",
    )  # fmt: skip
    program = asmgen.compile(text(*lines), target="gfx1100")
    for k in (1, 70001):
        a, b = numbers(17, k), numbers(k, 1)
        (y,) = program(a, b, np.zeros((1, 0), np.float32), device="emulator")
        np.testing.assert_allclose(y, a.astype(np.float64) @ b, rtol=1e-4, atol=1e-2)


def test_both_versions_have_a_result_without_elements() -> None:
    """The launch of one version takes it as a buffer, and a later launch of the other version gives it."""
    lines = ("x = @param:x -> f32, {m,n}", "o = reduce_min[axes={0}](x)", "d = sub(x, o)", "e = slice[axes=0, starts=1, ends=-1](o)")
    program = asmgen.compile(text(*lines, "@return(e, d)"), target="gfx942")
    for m in (2, 1029):
        x = numbers(m, 3)
        e, d = program(x, device="emulator")
        assert e.shape == (0, 3) and (d == x - x.min(0)).all()


def test_versions_need_kernels_in_one_order_and_buffers_of_one_type(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Sequence[FusedKernel], Sequence[FusedKernel], Index]] = []

    def recorded(many: Sequence[FusedKernel], single: Sequence[FusedKernel], is_many: Index) -> Cases | None:
        asked.append((many, single, is_many))
        return in_versions(many, single, is_many)

    monkeypatch.setattr(few, "in_versions", recorded)
    for element in ("f32", "f16"):
        lines = (f"x = @param:x -> {element}, {{m,9}}", "y = sort[axis=1](x)", "o = reduce_sum[axes=0](y)", "@return(y, o)")
        assert len(launches_of(text(*lines))) > 3
    (many, single, is_many), (_, of_halves, _) = asked
    assert in_versions(many, single, is_many) is not None
    assert in_versions(many, [single[0], *single], is_many) is None, "a kernel of both is launched twice"
    assert in_versions(many, of_halves, is_many) is None


@pytest.mark.parametrize("rows", [767, 768])
def test_a_size_says_which_launches_run(rows: int) -> None:
    source = text("x = @param:x -> f32, {m,n}", "o = reduce_sum[axes=0](x)", "@return(o)")
    (program,) = cut(parse(source, "rows.gen"), parse_target("gfx942")).file.programs
    known = program_at(program, {"m": rows, "n": 9}).launches
    assert [each.when for each in known] == [constant(int(number)) for number in (rows > 767, rows > 767, rows < 768)]


def test_bounds_of_a_dim_say_whether_there_are_few_rows() -> None:
    """Up to 100 rows are a launch, and more than 1,000 have no version for few."""
    few = text("x = @param:x[most={100,-1}] -> f32, {m,n}", "o = reduce_sum[axes=0](x)", "@return(o)")
    assert len(launches_of(few)) == 1
    many = text("x = @param:x -> f32, {m,n}", "p = pad[pads={800,0,0,0}](x)", "o = reduce_sum[axes=0](p)", "@return(o)")
    assert [launch.when for launch in launches_of(many)] == [None, None]


def test_a_condition_of_several_dims_is_0_or_1() -> None:
    sums = ("x = @param:x -> f32, {m,n}", "y = @param:y -> f32, {k}", "s = reduce_sum[axes=0](x)", "t = reduce_sum[axes=0](y)")
    whens = [launch.when for launch in launches_of(text(*sums, "@return(s, t)"))]
    assert len(whens) == 6
    assert {(when.low, when.high) for when in whens if when is not None} == {(0, 1)}


def launches_of(source: str) -> tuple[Launch, ...]:
    return cut(parse(source, "rows.gen"), parse_target("gfx942")).file.programs[0].launches


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_lds_has_room_for_the_sums_of_narrow_numbers_that_became_wide(target: str) -> None:
    """A lane reads 16 columns of u8, and adds them up in 8 bytes each: 16 waves would take 128 KB."""
    text = "x = @param:x -> u8, {k,70}\nw = convert[target_type=u64](x)\ny = reduce_sum[axes={0}](w)\n@return(y)\n"
    program = asmgen.compile(text, target=target)
    x = np.random.default_rng(6).integers(0, 256, (300, 70)).astype(np.uint8)
    (sums,) = program(x, device="emulator")
    np.testing.assert_array_equal(sums, x.sum(axis=0, keepdims=True, dtype=np.uint64))
