"""Programs take arrays of others: by DLPack, by the buffer protocol, by numpy's own protocols."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import as_numpy
from isa.diagnostics import InputError


class Exported:
    """An array that speaks DLPack alone, on the device of the number; `code` stands in for the type code that numpy writes."""

    def __init__(self, content: np.ndarray[Any, Any], device: int = 1, code: int | None = None, *, versioned: bool = False) -> None:
        self._content = content
        self._device = device
        self._code = code
        self._versioned = versioned

    def __dlpack__(self, **_: object) -> Any:
        capsule = self._content.__dlpack__(max_version=(1, 0)) if self._versioned else self._content.__dlpack__()
        if self._code is not None:
            _retype(capsule, self._code, self._versioned)
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0


def _retype(capsule: object, code: int, versioned: bool) -> None:
    """Write the type code of the DLTensor: behind its address, device and rank, and in the newer form behind 32 bytes more."""
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    pointer = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"dltensor_versioned" if versioned else b"dltensor")
    ctypes.c_uint8.from_address(pointer + (52 if versioned else 20)).value = code


@pytest.fixture(scope="module")
def double() -> CompiledProgram:
    return asmgen.compile("x = @param:x -> {2,3}\ny = add(x, x)\n@return(y)\n")


RAMP = np.arange(6, dtype=np.float32).reshape(2, 3)


class Interface:
    def __init__(self) -> None:
        self.__array_interface__ = RAMP.__array_interface__


class Convertible:
    def __array__(self, *_: object, **__: object) -> np.ndarray[Any, Any]:
        return RAMP


@pytest.mark.parametrize(
    "given",
    [
        Exported(RAMP), Exported(RAMP, versioned=True), Exported(np.asfortranarray(RAMP)), RAMP.data, Interface(), Convertible(),
        memoryview(array("f", range(6))).cast("B").cast("f", (2, 3)),
    ],
)  # fmt: skip
def test_arrays_of_others_go_in(double: CompiledProgram, given: object) -> None:
    (result,) = double(given, device="emulator")
    assert result.tolist() == (RAMP * 2).tolist()
    assert np.from_dlpack(result) is not None
    assert RAMP[1, 2] == 5


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize(
    ("code", "stored", "type_"),
    [
        (4, np.uint16, ml_dtypes.bfloat16), (10, np.uint8, ml_dtypes.float8_e4m3fn), (11, np.uint8, ml_dtypes.float8_e4m3fnuz),
        (12, np.uint8, ml_dtypes.float8_e5m2), (13, np.uint8, ml_dtypes.float8_e5m2fnuz),
    ],
)  # fmt: skip
def test_small_floats_by_dlpack(code: int, stored: Any, type_: Any, versioned: bool) -> None:
    numbers = np.array([1, -2, 0.5], type_)
    found = as_numpy(Exported(numbers.view(stored), code=code, versioned=versioned), "argument x", "CALL002", "an array")
    assert found.dtype == type_
    assert found.tolist() == [1, -2, 0.5]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0.0] * 3] * 2, "got list, wanted a numpy array"),
        (None, "got NoneType, wanted a numpy array"),
        (Exported(RAMP, device=2), "its memory is a device's"),
        (Exported(RAMP, code=6), "cannot be read"),  # a bool of 32 bits
        (array("d", range(6)), "got an array of float64, wanted float32 (f32)"),
        (array("f", range(6)), "got an array of shape (6,), wanted (2, 3)"),
        (np.ma.masked_array(RAMP), "got a masked array"),
    ],
)
def test_arrays_that_do_not_fit(double: CompiledProgram, given: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = double(given, device="emulator")
    assert message in str(caught.value)
    assert caught.value.place == "argument x"


@pytest.mark.parametrize("raised", [BufferError, RuntimeError])
def test_an_exporter_that_refuses_is_told(double: CompiledProgram, raised: type[Exception]) -> None:
    """torch raises either, by its version."""

    class Refusing(Exported):
        def __dlpack__(self, **_: object) -> Any:
            raise raised("Can't export tensors that require gradient")

    with pytest.raises(InputError, match=r"require gradient.*\n  help: x.detach\(\).cpu\(\) of torch"):
        _ = double(Refusing(RAMP), device="emulator")


def test_an_example_array_of_another_library_is_traced() -> None:
    program = asmgen.compile(lambda x: np.maximum(x, 0), inputs=[Exported(-RAMP)])
    assert program(-RAMP, device="emulator")[0].tolist() == np.zeros((2, 3)).tolist()


def test_a_kernel_runs_on_arrays_of_others(double: CompiledProgram) -> None:
    (kernel,) = double.kernels
    assert kernel.grid is not None
    arguments = [Exported(RAMP), np.zeros_like(RAMP)]
    after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=arguments)
    assert after[1].tolist() == (RAMP * 2).tolist()
