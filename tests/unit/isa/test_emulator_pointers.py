"""Arguments that are null, that point into the array of another argument, or into memory that other launches left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall, Pointer, Resident
from isa.emulator.launching.launch import Settings, execute, layout_of
from isa.emulator.sanitizer.faults import SanitizerError
from isa.emulator.sanitizer.sanitizer import Sanitizer
from tests.unit.isa.programs import BEGIN, BUFFERS, END, Array, image_of

X = np.arange(64, dtype=np.uint32)
ADD_ONE = BEGIN + "v_add_u32_e32 v2, 1, v1\n" + END


def launch(*values: Any, text: str = ADD_ONE) -> list[Array]:
    return run_image(image_of(text), KernelCall((1, 1, 1), (64, 1, 1), tuple(values)), sanitize=True)


def test_the_same_array_twice_is_changed_in_place() -> None:
    (x,) = launch(X, Pointer(0))
    assert (x == X + 1).all()


def test_a_pointer_into_an_array() -> None:
    x = np.concatenate([X, X])
    (x,) = launch(x, Pointer(0, 256))
    assert (x == np.concatenate([X, X + 1])).all()


def test_an_argument_may_point_into_a_later_array() -> None:
    (x,) = launch(Pointer(1), X)
    assert (x == X + 1).all()


def test_a_null_pointer_is_null() -> None:
    """The kernel stores to out only if it is not null."""
    body = "v_mov_b32_e32 v2, v1\ns_cmp_eq_u64 s[6:7], 0\ns_cbranch_scc0 go\ns_endpgm\ngo:\n"
    assert len(launch(X, None, text=BEGIN + body + END)) == 1
    (_, out) = launch(X, np.zeros_like(X), text=BEGIN + body + END)
    assert (out == X).all()


def test_an_access_through_a_null_pointer_is_out_of_bounds() -> None:
    with pytest.raises(SanitizerError, match="a null pointer") as error:
        _ = launch(X, None)
    assert error.value.code == "SAN005"


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        ((X, Pointer(1)), "RUN029", "argument 1 is not an array, wanted one of 0"),
        ((X, Pointer(2)), "RUN029", "argument 2 is not an array"),
        ((X, Pointer(0, 257)), "RUN029", "byte 257 of a buffer of 256 bytes"),
        ((X, Pointer(0, -1)), "RUN029", "byte -1"),
    ],
)
def test_pointers_to_nothing_are_refused(values: tuple[Any, ...], code: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        _ = launch(*values)
    assert error.value.code == code


def test_a_number_takes_no_pointer() -> None:
    image = image_of(ADD_ONE, (BUFFERS[0], BUFFERS[1].__class__("n", 8, 8, kind="by_value")))
    with pytest.raises(InputError, match="n is not a buffer") as error:
        _ = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (X, None)))
    assert error.value.code == "RUN011"


def run_resident(values: tuple[Pointer | Array, ...], resident: tuple[Resident, ...]) -> tuple[list[Array], list[Array]]:
    image = image_of(ADD_ONE)
    checker = Sanitizer(image, True)
    call = KernelCall((1, 1, 1), (64, 1, 1), values, resident=resident)
    after = execute(image, call, layout_of(image), Settings(), checker)
    return after, checker.written()


def test_resident_buffers_are_returned_and_keep_what_is_defined() -> None:
    x, y = Resident("x", X), Resident("y", np.zeros(128, np.uint32), np.zeros(512, np.bool_))
    after, written = run_resident((Pointer(2), Pointer(3)), (x, y))
    assert (after[0] == X).all() and (after[1][:64] == X + 1).all() and (after[1][64:] == 0).all()
    assert (written[0] == np.repeat([True, False], 256)).all()
    y = Resident("y", after[1], written[0].copy())
    after, _ = run_resident((Pointer(3), Pointer(2)), (x, y))
    assert (after[0] == X + 2).all()
    with pytest.raises(SanitizerError) as error:
        _ = run_resident((Pointer(3, 256), Pointer(2)), (x, y))
    assert error.value.code == "SAN004"


def test_a_resident_buffer_has_the_same_address_in_every_launch() -> None:
    """The kernel stores the address of its first argument; another launch has other arguments."""
    text = BEGIN + "v_mov_b32_e32 v2, s4\n" + END
    image = image_of(text)
    x = Resident("x", X)

    def low_half(*values: Pointer | Array) -> int:
        call = KernelCall((1, 1, 1), (64, 1, 1), values, resident=(x, Resident("out", np.zeros_like(X))))
        return int(execute(image, call, layout_of(image), Settings())[-1][0])

    assert low_half(Pointer(2), Pointer(3)) == low_half(Pointer(2), Pointer(3, 0)) != 0
