"""A compiled program is called by order and by name, writes to arrays, is copied and pickled."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.runtime.calls import signatures
from isa.diagnostics import InputError
from tests.device import chosen_device

EXAMPLES = Path(__file__).parents[3] / "examples"
X = np.arange(24, dtype=np.float32).reshape(4, 6)
S = np.arange(6, dtype=np.float32)


def scaled(x: Any, scale: Any) -> Any:
    return x * scale


@pytest.fixture(scope="module")
def program() -> CompiledProgram:
    return asmgen.compile(scaled, inputs=[X, S])


def test_a_call_gives_a_list(program: CompiledProgram) -> None:
    results: Any = program(X, S, device=chosen_device())
    assert isinstance(results, list) and len(results) == 1


@pytest.mark.parametrize("call", [lambda p, d: p(x=X, scale=S, device=d), lambda p, d: p(X, scale=S, device=d)])
def test_arguments_by_name(call: Callable[..., Any], program: CompiledProgram) -> None:
    assert (call(program, chosen_device())[0] == X * S).all()


@pytest.mark.parametrize("make", [lambda: np.zeros((4, 6), np.float32), lambda: np.zeros((6, 4), np.float32).T])
@pytest.mark.parametrize("wrap", [lambda y: [y], lambda y: (y,), lambda y: y])
def test_results_are_written_to_out(make: Callable[[], Any], wrap: Callable[[Any], Any], program: CompiledProgram) -> None:
    place = make()
    (result,) = program(X, S, out=wrap(place), device=chosen_device())
    assert result is place and (place == X * S).all()


def test_out_may_be_an_argument(program: CompiledProgram) -> None:
    x = X.copy()
    _ = program(x, S, out=x, device=chosen_device())
    assert (x == X * S).all()


def read_only() -> Any:
    array = np.zeros((4, 6), np.float32)
    array.flags.writeable = False
    return array


class Unwilling:
    def __array__(self, *_: object, **__: object) -> Any:
        raise RuntimeError("no")


OPEN = asmgen.spec("f32", ("n", 8))
REFUSED: list[tuple[Callable[[CompiledProgram], Any], str, str]] = [
    (lambda p: p(X, S, scale=S), "CALL001", "got scale twice"),
    (lambda p: p(X, scales=S), "CALL001", "got an argument scales, wanted x, scale"),
    (lambda p: p(X), "CALL001", "scale is missing"),
    (lambda p: p(scale=S), "CALL001", "x is missing"),
    (lambda p: p([X, S]), "CALL001", "program(*arrays) passes the arrays of a list"),
    (lambda p: p(X, Unwilling()), "CALL002", "got Unwilling that numpy makes no array of: no"),
    (lambda p: p(X, 5.0), "CALL002", "np.float32(x) is a number with a type"),
    (lambda p: p(X, S, S), "CALL001", "got 3 arrays, wanted 2: x, scale"),
    (lambda p: p(X, S, out=[]), "CALL013", "got 0 arrays for 1 results"),
    (lambda p: p(X, S, out=[None]), "CALL013", "got NoneType, wanted an array of numpy's"),
    (lambda p: p(X, S, out=read_only()), "CALL013", "a read-only array"),
    (lambda p: p(X, S, out=np.zeros((4, 6))), "CALL013", "got an array of float64"),
    (lambda p: p(X, S, out=np.zeros(24, np.float32)), "CALL013", "shape (24,), wanted float32 and (4, 6)"),
    (lambda p: p(np.ma.masked_array(X, X > 3), S), "CALL002", "got a masked array"),
    (lambda p: p(X.astype(object), S), "CALL003", "got an array of object"),
    (lambda p: p(X.astype(np.float64), S), "CALL003", 'x.astype("float32") converts'),
    (lambda p: p(X[0, 0], S), "CALL004", "got an array of shape ()"),
    (lambda _: asmgen.compile(lambda x: x + 1, inputs=[OPEN])(np.zeros(24, np.float32)), "CALL004", "wanted 2 axes: {n,8}"),
    (lambda _: asmgen.compile(lambda x: x + 1, inputs=[OPEN])(np.float32(1)), "CALL004", "wanted 2 axes: {n,8}"),
]


@pytest.mark.parametrize(("call", "code", "text"), REFUSED)
def test_a_refused_call_says_why(call: Callable[[Any], Any], code: str, text: str, program: CompiledProgram) -> None:
    with pytest.raises(InputError) as caught:
        _ = call(program)
    assert caught.value.code == code
    assert text in str(caught.value)


def test_the_other_byte_order_is_read(program: CompiledProgram) -> None:
    (result,) = program(X.astype(">f4"), S.astype(">f4"), device=chosen_device())
    assert result.dtype.isnative and (result == X * S).all()


def test_strided_arguments_are_read(program: CompiledProgram) -> None:
    (result,) = program(np.asfortranarray(X), np.repeat(S, 2)[::2], device=chosen_device())
    assert (result == X * S).all()


@cache
def programs() -> list[Any]:
    """Programs of several launches, of tables, of named dims, of a GELU, and of another target."""
    table = np.random.default_rng(3).normal(size=(40, 6)).astype(np.float32)
    return [
        asmgen.compile(lambda x: np.cumsum(np.sort(x), 1).sum(0), inputs=[X]),
        asmgen.compile(lambda x: x[:, None] + table, inputs=[X], target="gfx1100"),
        asmgen.compile(lambda x: x[3:].sum(0) + x.shape[0] * 0, inputs=[asmgen.spec("f32", ("n", 6))]),
        asmgen.compile(EXAMPLES / "swish.gen"),
        asmgen.compile(EXAMPLES / "vecadd.mlir"),
        asmgen.compile(EXAMPLES / "pipeline.mlir", target="gfx90a"),
    ]


def test_an_unpickled_program_is_the_program() -> None:
    for each in programs():
        again = pickle.loads(pickle.dumps(each))
        assert [kernel.code_object for kernel in again.kernels] == [kernel.code_object for kernel in each.kernels]
        assert again.report().to_json() == each.report().to_json()
        assert repr(again) == repr(each)
        assert pickle.loads(pickle.dumps(again)).target == each.target


def test_an_unpickled_program_gives_the_results() -> None:
    first, tables, open_, *_ = programs()
    for each in (first, tables, open_):
        again = pickle.loads(pickle.dumps(each))
        for result, wanted in zip(again(X, device="emulator"), each(X, device="emulator"), strict=True):
            assert result.dtype == wanted.dtype and (result == wanted).all()
    more = np.arange(60, dtype=np.float32).reshape(10, 6)
    (result,) = pickle.loads(pickle.dumps(open_))(more, device="emulator")
    assert (result == more[3:].sum(0)).all()


def test_another_process_reads_the_pickle(tmp_path: Path) -> None:
    path = tmp_path / "program.pickle"
    _ = path.write_bytes(pickle.dumps(programs()[2]))
    script = (
        "import pickle, sys, numpy as np; p = pickle.load(open(sys.argv[1], 'rb'));"
        "assert p(np.ones((5, 6), np.float32), device='emulator')[0].tolist() == [2.0] * 6"
    )
    _ = subprocess.run([sys.executable, "-c", script, str(path)], check=True)


def test_a_copy_is_the_program(program: CompiledProgram) -> None:
    assert copy.deepcopy(program) is program
    (result,) = copy.copy(program)(X, S, device=chosen_device())
    assert (result == X * S).all()


def test_what_is_printed_is_short() -> None:
    program = asmgen.compile(EXAMPLES / "pipeline.mlir")
    assert repr(program.host("main")).startswith("<host function main(x, last) at ")
    kernel = asmgen.compile(EXAMPLES / "vecadd.mlir").kernel("vecadd")
    assert repr(kernel) == "<kernel vecadd(a, b, c, count) for gfx942>"


@pytest.mark.parametrize("function", [np.unique, np.linalg.inv, np.fft.fft, np.spacing])
def test_a_function_of_numpys_is_refused_at_the_line_that_compiles_it(function: Callable[..., Any]) -> None:
    inputs = [X]
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(function, inputs=inputs)
    line = test_a_function_of_numpys_is_refused_at_the_line_that_compiles_it.__code__.co_firstlineno + 4
    assert str(caught.value.place).startswith(f"{__file__}:{line}:")


@pytest.mark.parametrize(
    ("statement", "is_read"),
    [
        ("old = atomic[op=add](y, lane, v) -> u32", True),
        ("old = compare_swap(y, lane, c, v) -> u32", True),
        ("old = atomic_load(y, lane) -> u32", True),
        ("atomic_store(y, lane, v)", False),
    ],
)
def test_a_result_that_an_atomic_operation_reads_is_changed(statement: str, is_read: bool) -> None:
    text = f"""stage lanewise gfx942
module @swap {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> u32, {{64}}
  y = @param:y -> u32, {{64}}
  lane = local_id -> u32
  c = @literal{{0}} -> u32
  v = load(x, lane) -> u32
  {statement}
  store(y, lane, v)
  @return(y)
}}
"""
    (signature,) = signatures(asmgen.compile(text))
    assert [each.result.name for each in signature.changed] == ["y"] * is_read
