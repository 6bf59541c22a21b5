"""Slices of named dims whose ends numpy clamps: one code object at every size, those with fewer elements and with none included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.at_sizes import at_sizes
from asmgen.graph.reference import evaluate
from asmgen.index.size import Dim, Size, at_least, named_dim
from asmgen.ir.slices import ends_of
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.unit.named_dims.sizes_of_programs import Arrays, Sized, hold
from tests.unit.named_dims.test_launches import numbers, text

OPEN = 2147483647
SIZES = (0, 1, 2, 3, 5, 7, 8, 9, 12, 15, 16, 17, 64, 65, 1003)
ENDS = (-20, -8, -3, -1, 0, 1, 3, 8, 20, OPEN)


@pytest.mark.parametrize("start", ENDS)
def test_ends_are_those_of_numpy(start: int) -> None:
    """For every size of the dim, whatever it is known to be at least."""
    for end in ENDS:
        for low in (0, 1, 5, 30):
            n = named_dim("n", low, (1 << 20) - 1)
            first, last = ends_of(n, start, end)
            for size in range(low, 64):
                wanted = range(size)[start:end]
                assert (value_of(first, size), value_of(last, size)) == (wanted.start, wanted.stop) or not wanted
                assert value_of(last, size) - value_of(first, size) == len(wanted)
                assert not isinstance(last - first, Size) or at_least(last - first, 1).is_possible, "a slice that is always empty has 0 elements"


def value_of(size: Dim, n: int) -> int:
    return size.expression.evaluate(dict.fromkeys(size.expression.symbols, n), 0) if isinstance(size, Size) else size


def sliced(start: int, end: int, *, axis: int = 0, of: str = "x", name: str = "o") -> str:
    return f"{name} = slice[axes={axis}, starts={start}, ends={end}]({of})"


def softmax(x: Arrays) -> Arrays:
    powers = np.exp(x - x.max(1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(1, keepdims=True)


CASES = {
    "the first": Sized(("f32, {n}",), (sliced(0, 8),), lambda x: x[:8]),
    "the last": Sized(("f16, {n}",), (sliced(-8, OPEN),), lambda x: x[-8:]),
    "the first alone": Sized(("f32, {n}",), (sliced(0, 1),), lambda x: x[:1]),
    "the last, if it is among the first": Sized(("f32, {3,n}",), (sliced(-1, 130, axis=1),), lambda x: x[:, -1:130]),
    "a slice of a concat of bytes": Sized(
        ("u8, {n}",),
        (sliced(0, 1, name="s"), "c = concat[axis=0](s, x)", sliced(0, 1, of="c", name="t"), "d = concat[axis=0](c, t)", sliced(-1, 4, of="d")),
        lambda x: np.concatenate([x[:1], x, x[:1]])[-1:4],
    ),
    "a slice of a concat of slices": Sized(  # part of seed 725
        ("f32, {n}",), (sliced(-70, 130, name="s"), sliced(-1, OPEN, of="s", name="t"), "c = concat[axis=0](t, s)", sliced(5, 17, of="c")),
        lambda x: np.concatenate([x[-70:130][-1:], x[-70:130]])[5:17],
    ),
    "a part": Sized(("f32, {n,5}",), (sliced(2, 10),), lambda x: x[2:10]),
    "a part before the end": Sized(("i32, {n}",), (sliced(-9, -2),), lambda x: x[-9:-2]),
    "all but both ends": Sized(("f32, {3,n}",), (sliced(5, -4, axis=1),), lambda x: x[:, 5:-4]),
    "from the end to the start": Sized(("f32, {n}",), (sliced(-8, 8),), lambda x: x[-8:8]),
    "rows from the end to the start": Sized(("f32, {5,n}",), (sliced(-8, 8, axis=1),), lambda x: x[:, -8:8]),
    "never anything": Sized(("f32, {n}", "f32, {n}"), (sliced(5, 3, name="s"), "o = concat[axis=0](s, y)"), lambda x, y: y),
    "a slice of a slice": Sized(("f32, {n}",), (sliced(3, 100, name="s"), sliced(-5, 50, of="s")), lambda x: x[3:100][-5:50]),
    "what is rolled is as long": Sized(
        ("f32, {n}",), (sliced(3, OPEN, name="a"), sliced(0, 3, name="b"), "c = concat[axis=0](a, b)", "o = add(c, x)"),
        lambda x: np.concatenate([x[3:], x[:3]]) + x,
    ),
    "a sum of a part": Sized(
        ("f32, {5,n}",), (sliced(-8, 8, axis=1, name="s"), "o = reduce_sum[axes=1](s)"), lambda x: x[:, -8:8].sum(1, keepdims=True),
    ),
    "a sum of rows that are left": Sized(
        ("f32, {n,70}",), (sliced(0, 9, name="s"), "o = reduce_sum[axes=0](s)"), lambda x: x[:9].sum(0, keepdims=True),
    ),
    "a scan of a part": Sized(("f32, {3,n}",), (sliced(2, 900, axis=1, name="s"), "o = cumsum[axis=1](s)"), lambda x: x[:, 2:900].cumsum(1)),
    "softmax of a part": Sized(("f32, {3,n}",), (sliced(-70, OPEN, axis=1, name="s"), "o = softmax[axis=1](s)"), lambda x: softmax(x[:, -70:])),
    "where all end": Sized(("f32, {n}",), (sliced(1000000000, OPEN, name="s"), "o = concat[axis=0](s, x)"), lambda x: x),
    "pairs": Sized(
        ("f32, {n}",), (sliced(-7, 5, name="s"), "t = reverse[axes=0](s)", "m = mul(s, t)", "o = concat[axis=0](m, x, s)"),
        lambda x: np.concatenate([x[-7:5] * x[-7:5][::-1], x, x[-7:5]]),
    ),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize("name", CASES)
def test_one_code_object_at_every_size(name: str) -> None:
    hold(CASES[name], ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")[len(name) % 5], [{"n": n} for n in SIZES])


@pytest.mark.parametrize(("start", "end"), [(17, -4), (3, -130)])
def test_parts_of_a_slice_are_of_its_length(start: int, end: int) -> None:
    """Parts of a slice of two rows are divided as the slice is, at sizes rounded up to 4 and to 8,192. Part of seed 256."""
    lines = (sliced(start, end, axis=1, name="s"), "o = argmax[axis=1](s)")
    program = asmgen.compile(text("x = @param:x -> f32, {2,m}", *lines, "@return(o)"), target="gfx942")
    for m in (140, 200, 1003):
        x = numbers(2, m)
        (found,) = program(x, device=chosen_device())
        assert np.array_equal(np.ravel(found), x[:, start:end].argmax(1))


OF_TWO: dict[str, Callable[[Any, int], Any]] = {
    "starts=0, ends={m}": lambda x, m: x[:m],
    "starts={m}, ends=2147483647": lambda x, m: x[m:],
    "starts={m}, ends={2*m+1}": lambda x, m: x[m : 2 * m + 1],
    "starts={m}, ends=-3": lambda x, m: x[m:-3],
    "starts=-3, ends={m}": lambda x, m: x[-3:m],
}


@pytest.mark.broad
@pytest.mark.parametrize("ends", OF_TWO)
def test_an_end_may_be_another_dim(ends: str) -> None:
    source = text("x = @param:x -> f32, {n,11}", "y = @param:y -> f32, {m}", f"o = slice[axes=0, {ends}](x)", "@return(o, y)")
    program = asmgen.compile(source, target="gfx1100")
    for n in (0, 1, 5, 70):
        for m in (0, 1, 4, 7, 200):
            x = numbers(n, 11)
            np.testing.assert_array_equal(program(x, numbers(m), device="emulator")[0], OF_TWO[ends](x, m))


def test_what_is_added_to_a_number_of_elements_needs_so_many() -> None:
    """As numpy, which refuses the addition, and with a number of elements that the text states."""
    added = text("x = @param:x -> f32, {n}", "b = @param:b -> f32, {8}", sliced(0, 8, name="s"), "o = add(s, b)", "@return(o)")
    stated = text("x = @param:x -> f32, {n}", "b = @param:b -> f32, {8}", sliced(0, 8, name="o") + " -> f32, {8}", "@return(o, b)")
    for source in (added, stated):
        program = asmgen.compile(source, target="gfx942")
        x, b = numbers(11), numbers(8)
        np.testing.assert_array_equal(program(x, b, device="emulator")[0], x[:8] + b if source is added else x[:8])
        with pytest.raises(InputError, match=r"CALL010.: n is 7, wanted at least 8"):
            _ = program(x[:7], b, device="emulator")


def test_a_traced_function_is_clamped_as_numpy() -> None:
    def parts(x: Any) -> Any:
        return x[-8:8] * 2, x[:3] + 1, np.concatenate([x[2:], x[:2]]) * x, x[:, 4:]

    program = asmgen.compile(parts, target="gfx942", inputs=[asmgen.spec("f32", ("n", 7))])
    for n in (0, 1, 2, 5, 9, 20):
        x = numbers(n, 7)
        for got, wanted in zip(program(x, device="emulator"), parts(x), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_parts_of_rows_next_to_whole_rows() -> None:
    """Elements are counted over m and the slice of n, which may be empty: a load was out of bounds (random
    graph 292)."""
    source = text("x = @param:x -> f16, {m,n}", "y = @param:y -> f16, {m,n}", sliced(17, -9, axis=1), "@return(o, y)")
    program = asmgen.compile(source, target="gfx950")
    for m, n in ((2, 1), (3, 17), (3, 26), (2, 40), (1, 0)):
        x = numbers(m, n).astype(np.float16)
        part, same = program(x, x, device="emulator")
        assert (part == x[:, 17:-9]).all()
        assert (same == x).all()


def test_a_maximum_needs_an_element_of_the_part() -> None:
    program = asmgen.compile(text("x = @param:x -> f32, {3,n}", sliced(2, 17, axis=1, name="s"), "o = reduce_max[axes=1](s)", "@return(o)"))
    for n in (3, 9, 400):
        x = numbers(3, n)
        np.testing.assert_array_equal(program(x, device="emulator")[0], x[:, 2:17].max(1, keepdims=True))
    with pytest.raises(InputError, match=r"CALL010.: n is 2, wanted at least 3"):
        _ = program(numbers(3, 2), device="emulator")
    never = text("x = @param:x -> f32, {n}", sliced(-8, 8, name="s"), "o = reduce_max[axes=0](s)", "@return(o)")
    with pytest.raises(InputError, match=r"3:1: error.GEN903.: reduce_max needs"):
        _ = asmgen.compile(never)


def test_what_is_not_shown_with_clamps_is_shown_with_larger_dims() -> None:
    """Seed 388: it was not plain that an index of the scan is within a slice that may be clamped."""
    lines = (sliced(1, OPEN, axis=2, name="s"), "p = pad[pads={0,0,0,0,0,1}](s)", "o = cummax[axis=2, reverse=true](p)")
    program = asmgen.compile(text("x = @param:x -> i32, {3,33,m}", *lines, "@return(o)"), target="gfx1100")
    x = np.arange(99 * 70, dtype=np.int32).reshape(3, 33, 70) % 31
    wanted = np.maximum.accumulate(np.pad(x[..., 1:], ((0, 0), (0, 0), (0, 1)))[..., ::-1], 2)[..., ::-1]
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)


@pytest.mark.parametrize("dims", ["n,m", "n,4,m"])
def test_workgroups_of_a_row_that_may_not_exist(dims: str) -> None:
    """The index of the only row is 0, which is within its buffer since there are as many workgroups as rows (seed 706)."""
    source = text(f"x = @param:x -> f32, {{{dims}}}", sliced(-1, 130, name="s"), "o = neg(s)", "@return(o)")
    program = asmgen.compile(source, target="gfx1100")
    for n in (0, 1, 130, 131):
        for m in (0, 1, 70):
            x = numbers(n, *([4] if "4" in dims else []), m)
            np.testing.assert_array_equal(program(x, device="emulator")[0], -x[-1:130])


def test_what_no_result_needs_asks_nothing_of_a_dim() -> None:
    """A mirrored border, a gather, a maximum and a slice of it without elements (seeds 303, 546, 712 and 872)."""
    lines = (
        "p = pad[pads={0,3}, mode=reflect](x)", sliced(-1, 5, name="s"), "i = @literal{0, 1} -> i32, {2}", "g = gather[axis=0](s, i)",
        "a = argmax[axis=0](s)", sliced(5, 2, of="a", name="e"), "o = neg(x)",
    )  # fmt: skip
    source = text("x = @param:x -> f32, {n}", *lines, "@return(o, e)")
    program, graph = asmgen.compile(source, target="gfx942"), parse(source, "graph.gen")
    for n in (0, 1, 9):
        x = numbers(n)
        got, wanted = program(x, device="emulator"), evaluate(at_sizes(graph, {"n": n}), [x])
        np.testing.assert_array_equal(got[0], -x)
        assert [array.shape for array in got] == [range_.value.shape for range_ in wanted] == [(n,), (0,)]


def test_what_a_traced_function_does_not_return_asks_nothing_of_a_dim() -> None:
    def next_number(x: Any) -> Any:
        _ = np.pad(x, (0, 3), mode="reflect"), x[-8:8].max()
        return x + 1

    program = asmgen.compile(next_number, target="gfx942", inputs=[asmgen.spec("f32", ("n",))])
    np.testing.assert_array_equal(program(numbers(2), device="emulator")[0], numbers(2) + 1)


def test_a_refusal_names_a_size_that_has_too_few_elements() -> None:
    lines = (sliced(-1, 5, name="s"), "i = @literal{0, 1} -> i32, {2}", "o = gather[axis=0](s, i)")
    with pytest.raises(InputError, match=r"4:1: error.GEN903.: gather needs .* >= 0, which is false for n = 6\n"):
        _ = asmgen.compile(text("x = @param:x -> f32, {n}", *lines, "@return(o)"))


def test_many_slices_of_slices_need_dims_that_clamp_none() -> None:
    """The size of a slice that is clamped is written twice in that of a slice of it: of 20 it was a million times."""
    lines = [sliced(1 + i % 3, 1000 - 7 * i, of=f"v{i}" if i else "x", name=f"v{i + 1}") for i in range(20)]
    program = asmgen.compile(text("x = @param:x -> f32, {n}", *lines, "@return(v20)"))
    x = np.arange(1200, dtype=np.float32)
    wanted = x
    for i in range(20):
        wanted = wanted[1 + i % 3 : 1000 - 7 * i]
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)
    with pytest.raises(InputError, match=r"CALL010.: n is 900"):
        _ = program(x[:900], device="emulator")
