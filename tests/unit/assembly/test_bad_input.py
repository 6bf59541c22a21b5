"""Mistakes in kernels by hand: each is an error at the line of the mistake, with its code and without a traceback of ours."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from asmgen.assembly import Builder, HandKernel, below, between, f32, global_pointer, i32, kernel, u32
from asmgen.assembly.load import load_kernel, source_of_kernel
from isa.diagnostics import InputError, Place
from isa.targets import parse_target
from tests.unit.assembly import mistakes

_CODE = re.compile(r"# ([A-Z]{3}\d{3})\b")
MISTAKES = [value for _, value in inspect.getmembers(mistakes, inspect.isfunction) if value.__module__ == mistakes.__name__]


def expected(function: Callable[..., object]) -> tuple[int, str]:
    """The line and the code of the mistake."""
    lines, first = inspect.getsourcelines(function)
    for number, line in enumerate(lines, first):
        found = _CODE.search(line)
        if found:
            return number, found[1]
    raise AssertionError(f"{function.__name__} names no code")


def test_there_are_sixty() -> None:
    assert len(MISTAKES) >= 60


@pytest.mark.parametrize("function", MISTAKES, ids=lambda function: function.__name__)
def test_a_mistake_is_told_at_its_line(function: Callable[..., object]) -> None:
    made = HandKernel(function, (256, 1, 1), "", None)
    if function is mistakes.value_of_another_kernel:
        mistakes.KEPT.clear()
        made.compile("gfx942")
    with pytest.raises(InputError) as caught:
        made.compile("gfx942")
    line, code = expected(function)
    place = caught.value.place
    assert isinstance(place, Place)
    assert (place.file, place.line, caught.value.code) == (mistakes.__file__, line, code), str(caught.value)


def test_a_register_of_the_wrong_kind_is_told_by_its_kind() -> None:
    with pytest.raises(InputError, match=r"is an SGPR, %.*, wanted a VGPR"):
        HandKernel(mistakes.sgpr_for_vgpr, (256, 1, 1), "", None).compile("gfx942")


def compiled() -> Any:
    @kernel(workgroup=(64, 1, 1), most_workgroups=(4, 1, 1))
    def double(k: Builder, x: global_pointer[f32], n: Annotated[u32, below(100)]) -> None:
        i = k.thread_id.x
        with k.where(i < n):
            k.global_store_dword(x, 4 * i, k.v_add_f32(*[k.global_load_dword(x, 4 * i)] * 2))

    return double.compile("gfx942")


ONES = np.ones(64, np.float32)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda p: p.launch((1, 1, 1), x=ONES), "LNC002"),
        (lambda p: p.launch((1, 1, 1), x=ONES, n=3, m=4), "LNC002"),
        (lambda p: p.launch((1, 1, 1), x=ONES.astype(np.float64), n=3), "LNC004"),
        (lambda p: p.launch((5, 1, 1), x=ONES, n=3), "HND041"),
        (lambda p: p.launch("5", x=ONES, n=3), "LNC003"),
        (lambda p: p.verify(lambda x, n: 3, (1, 1, 1), x=ONES, n=3), "HND040"),
        (lambda p: p.launch((0, 1, 1), x=ONES, n=3), "LNC003"),
        (lambda p: p.verify(lambda x, n: {"x": x}, (1, 1, 1), x=ONES, n=3), "HND040"),
        (lambda p: p.verify(lambda x, n: {"y": x}, (1, 1, 1), x=ONES, n=3), "HND040"),
        (lambda p: p.verify(lambda x, n: {"x": x[:4]}, (1, 1, 1), x=ONES, n=3), "HND040"),
    ],
)
def test_a_launch_that_does_not_fit(call: Callable[[Any], object], code: str) -> None:
    with pytest.raises(InputError) as caught:
        call(compiled())
    assert caught.value.code == code


def unannotated(k: Builder, x) -> None: ...  # type: ignore[no-untyped-def]


def wrong_annotation(k: Builder, x: int) -> None: ...


def no_builder() -> None: ...


def with_default(k: Builder, n: u32 = 4) -> None: ...  # type: ignore[assignment]


def pointer_first(x: global_pointer[f32]) -> None: ...  # type: ignore[type-var]


def bounds_of_a_float(k: Builder, a: Annotated[f32, below(4)]) -> None: ...


def bounds_outside(k: Builder, n: Annotated[u32, below(1 << 40)]) -> None: ...


@pytest.mark.parametrize("function", [unannotated, wrong_annotation, no_builder, pointer_first, with_default, bounds_of_a_float, bounds_outside])
def test_a_signature_that_no_kernel_has(function: Callable[..., object]) -> None:
    with pytest.raises(InputError) as caught:
        kernel()(function)
    assert caught.value.code == "HND001"
    assert isinstance(caught.value.place, Place)
    assert caught.value.place.file == __file__


def bare(k: Builder) -> None: ...


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"workgroup": (2048, 1, 1)}, "HND003"),
        ({"workgroup": (0, 1, 1)}, "HND003"),
        ({"workgroup": 64}, "HND003"),
        ({"name": "a b"}, "HND002"),
        ({"most_workgroups": (0, 1, 1)}, "HND003"),
    ],
)
def test_a_kernel_that_no_target_has(options: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        kernel(**options)(bare)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("make", "way_out"),
    [
        (lambda: kernel(workgroup=(2048, 1, 1))(bare), "launch more workgroups"),
        (lambda: HandKernel(mistakes.text_as_operand, (256, 1, 1), "", None).compile("gfx942"), "k.vgpr() and"),
    ],
)
def test_a_refusal_shows_a_way_out(make: Callable[[], object], way_out: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = make()
    assert way_out in caught.value.help


@pytest.mark.parametrize("fault", ["count = 1 // size", "exit()"])
def test_a_file_that_fails_is_told_at_its_line(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is relative to the folder of the command, as on a command line."""
    (tmp_path / "broken.py").write_text(f"size = 0\n{fault}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        load_kernel("broken.py:count")
    assert (caught.value.code, caught.value.place) == ("HND051", Place("broken.py", 2))


@pytest.mark.parametrize("fault", ["_ = 1 // 0", "raise SystemExit(0)"])
def test_a_function_that_fails_is_told_at_its_line(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("from asmgen.assembly import Builder, kernel", "@kernel(workgroup=(64, 1, 1))", "def broken(k: Builder) -> None:", f"    {fault}")
    (tmp_path / "broken.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    recorded = source_of_kernel("broken.py:broken").stages.recorded
    assert recorded is not None
    with pytest.raises(InputError) as caught:
        _ = recorded(parse_target("gfx942"))
    assert (caught.value.code, caught.value.place) == ("HND051", Place("broken.py", 4))


def test_results_name_the_file_as_the_command_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("from asmgen.assembly import Builder, kernel", "@kernel(workgroup=(64, 1, 1))", "def waits(k: Builder) -> None:", "    k.barrier()")
    (tmp_path / "named.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = load_kernel("named.py:waits")
    assert made.place == Place("named.py", 2)
    assembly = made.compile("gfx942").kernels[0].assembly
    assert '.file\t1 "named.py"' in assembly
    assert str(tmp_path) not in assembly


def test_messages_name_symbols_as_their_author_does() -> None:
    def third(k: Builder, x: global_pointer[f32], n: u32) -> None:
        k.global_load_dword(x, (4 * k.thread_id.x + n) / 3)

    def quotient(k: Builder, x: global_pointer[f32], n: Annotated[i32, between(-4, 4)]) -> None:
        k.global_load_dword(x, 4 * (k.thread_id.x // n))

    for function, words in ((third, ": n/3 is not an integer"), (quotient, "thread_id.x is divided by n, which may be -4")):
        with pytest.raises(InputError, match=words):
            kernel()(function).compile("gfx942")
