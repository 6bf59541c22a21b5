"""Arrays through DLPack, with the element types that numpy's own reader does not know: bf16 and the fp8
types.

A producer hands out a capsule with a managed tensor, and the consumer owns it. Its element type is changed
to an unsigned integer of the same width before numpy takes it, and the array is then viewed as the
ml_dtypes type. Source: dmlc/dlpack, include/dlpack/dlpack.h, versions 0.8 to 1.1, on machines with 64-bit
pointers.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

Array = np.ndarray[Any, Any]
_CPU = 1  # kDLCPU
_UNSIGNED = 1  # kDLUInt
# kDLBfloat and kDLFloat8_*, with the bits of an element
_TYPES: dict[tuple[int, int], Any] = {
    (4, 16): ml_dtypes.bfloat16,
    (10, 8): ml_dtypes.float8_e4m3fn,
    (11, 8): ml_dtypes.float8_e4m3fnuz,
    (12, 8): ml_dtypes.float8_e5m2,
    (13, 8): ml_dtypes.float8_e5m2fnuz,
}
# DLManagedTensor begins with its DLTensor; DLManagedTensorVersioned has a version, a context, a deleter and
# flags before it.
_TENSOR_AT = {b"dltensor": 0, b"dltensor_versioned": 32}
# in a DLTensor, after the data's address, the device and the number of dims: a byte of code, a byte of bits
_TYPE_AT = 20

_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


@runtime_checkable
class Exporter(Protocol):
    """The methods of an array that DLPack needs."""

    def __dlpack__(self) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


class _Holder:
    """A capsule in the form that numpy asks for."""

    def __init__(self, capsule: CapsuleType) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: object) -> CapsuleType:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU, 0


def from_dlpack(exporter: Exporter) -> Array:
    """The exporter's memory as an array, without a copy.

    Raises `BufferError` if it is not the CPU's memory, `RuntimeError` for a type that numpy lacks, and the
    errors of the exporter (torch a RuntimeError or BufferError for a tensor that requires a gradient).
    """
    device, _ = exporter.__dlpack_device__()
    if int(device) != _CPU:
        raise BufferError("its memory is a device's")
    capsule = exporter.__dlpack__()
    type_ = _made_unsigned(capsule)
    array: Array = np.from_dlpack(_Holder(capsule))
    return array if type_ is None else array.view(type_)


def _made_unsigned(capsule: CapsuleType) -> Any:
    """The ml_dtypes type that a capsule's elements are of, which are unsigned integers from here on; None for
    all others."""
    name = _capsule_name(capsule)
    if name not in _TENSOR_AT:
        return None
    address = int(_capsule_pointer(capsule, name)) + _TENSOR_AT[name] + _TYPE_AT
    code, bits = (ctypes.c_uint8.from_address(address + offset) for offset in (0, 1))
    type_ = _TYPES.get((code.value, bits.value))
    if type_ is not None:
        code.value = _UNSIGNED
    return type_
