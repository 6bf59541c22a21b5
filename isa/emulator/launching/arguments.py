"""A launch, and kernel arguments as Python and numpy values: the check against the metadata, and the
bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.program.image import Image
from isa.named_tuple import NamedTuple
from isa.objects.metadata import KernelMetadata
from isa.program import Argument


class Pointer(NamedTuple):
    """The address of byte `offset` of a buffer: of the array argument at position `buffer`, or, counted on
    from the number of arguments, of a resident buffer (`KernelCall.resident`)."""

    buffer: int
    offset: int = 0


class Resident(Struct, frozen=True):
    """A buffer in memory beside the arguments: its name in messages, its content, and which of its bytes have
    a defined value; None if all have."""

    name: str
    content: NDArray[Any]
    defined: NDArray[np.bool_] | None = None


ArgumentValue = NDArray[Any] | np.generic | int | float | Pointer | None  # None is a null pointer

_GEN_TYPES = {
    "bool": "bool", "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32",
    "u32": "uint32", "i64": "int64", "u64": "uint64",
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "fp8e4m3fn": "float8_e4m3fn",
    "fp8e5m2": "float8_e5m2",
    "fp8e4m3fnuz": "float8_e4m3fnuz", "fp8e5m2fnuz": "float8_e5m2fnuz",
    "fp8e8m0fnu": "float8_e8m0fnu", "fp6e2m3fn": "float6_e2m3fn", "fp6e3m2fn": "float6_e3m2fn",
    "fp4e2m1fn": "float4_e2m1fn",
}  # fmt: skip
LOCAL_POINTER = "dynamic_shared_pointer"
_C_FLOATS = {"half": 2, "float": 4, "double": 8}
_FLOATS_OF_SIZE = {2: np.float16, 4: np.float32, 8: np.float64}


Dimensions = tuple[int, int, int]


class KernelCall(Struct, frozen=True):
    """A grid in workgroups, a block in work-items, and a value for each explicit argument of the kernel."""

    grid: Dimensions
    block: Dimensions
    arguments: tuple[ArgumentValue, ...]
    undefined: frozenset[int] = frozenset()  # array arguments with undefined content
    lds_bytes: int = 0  # LDS of a workgroup besides the kernel's own: `extern __shared__`
    resident: tuple[Resident, ...] = ()

    def pointed_at(self, pointer: Pointer) -> NDArray[Any] | None:
        """The buffer of a pointer; None if there is none."""
        if not 0 <= pointer.buffer < len(self.arguments) + len(self.resident):
            return None
        if pointer.buffer >= len(self.arguments):
            return self.resident[pointer.buffer - len(self.arguments)].content
        value = self.arguments[pointer.buffer]
        return value if isinstance(value, np.ndarray) else None


def explicit_arguments(image: Image | KernelMetadata) -> list[Argument]:
    return [argument for argument in image.arguments if not argument.is_hidden]


def check_count(wanted: list[Argument], given: int, kernel: str) -> None:
    """InputError RUN010 if a call gives another number of arguments than the kernel takes; it lists them."""
    if len(wanted) == given:
        return
    kinds = ", ".join(f"{argument.name} ({_described(argument)})" for argument in wanted) or "none"
    raise InputError(
        "args",
        "RUN010",
        f"got {given} argument{'s' * (given != 1)}, wanted {len(wanted)} for {kernel}: {kinds}",
    )


def _described(argument: Argument) -> str:
    """The kind of value that an argument takes, in words."""
    if argument.is_buffer:
        return f"an array of {argument.type.rstrip('*')}" if argument.type else "an array"
    if argument.kind == LOCAL_POINTER:
        return "a pointer to LDS, given as its size in bytes"
    return f"a number of type {argument.type}" if argument.type else f"a value of {argument.size} bytes"


def check_pointers(launch: KernelCall) -> None:
    """Raises InputError RUN029 for a pointer argument that does not point into a buffer of the launch."""
    for index, value in enumerate(launch.arguments):
        if not isinstance(value, Pointer):
            continue
        content = launch.pointed_at(value)
        if content is None:
            arrays = [str(i) for i, each in enumerate(launch.arguments) if isinstance(each, np.ndarray)]
            message = f"argument {value.buffer} is not an array, wanted one of {', '.join(arrays) or 'none'}"
            raise InputError(f"args[{index}]", "RUN029", message)
        if not 0 <= value.offset <= content.nbytes:
            message = f"byte {value.offset} of a buffer of {content.nbytes} bytes, wanted a byte within it"
            raise InputError(f"args[{index}]", "RUN029", message)


def check_argument(argument: Argument, value: ArgumentValue, index: int) -> None:
    """Raises InputError RUN011-RUN014 unless `value` is an array or a pointer for a buffer, or a scalar that
    fits a by-value argument."""
    place = f"args[{index}]"
    if value is None or isinstance(value, Pointer):
        if not argument.is_buffer:
            message = f"{argument.name} is not a buffer, got a pointer, wanted {_described(argument)}"
            raise InputError(place, "RUN011", message)
    elif argument.is_buffer:
        _check_buffer(argument, value, place)
    elif argument.kind == "by_value":
        _check_value(argument, value, place)
    elif argument.kind == LOCAL_POINTER:
        if not isinstance(value, int | np.integer) or value < 0:
            got = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"{value}"
            message = f"{argument.name} is a pointer to LDS, got {got}, wanted how many bytes are there"
            raise InputError(place, "RUN017", message, help="`run --arg i32:1024` gives it 1024 bytes")
    else:
        raise InputError(
            place,
            "RUN013",
            f"{argument.name} is of kind {argument.kind}, wanted a buffer, a value or a pointer to LDS",
        )


def _check_buffer(argument: Argument, value: ArgumentValue, place: str) -> None:
    if not isinstance(value, np.ndarray):
        raise InputError(
            place, "RUN011", f"{argument.name} is a buffer, got {type(value).__name__}, wanted a numpy array"
        )
    wanted = _GEN_TYPES.get(argument.type)
    if wanted is not None and value.dtype.name != wanted:
        raise InputError(
            place,
            "RUN012",
            f"{argument.name} is a buffer of {argument.type}, got an array of {value.dtype}, wanted {wanted}",
            help=f'x.astype("{wanted}") converts an array x',
        )


def _check_value(argument: Argument, value: ArgumentValue, place: str) -> None:
    if isinstance(value, (np.ndarray, np.generic)):
        if value.nbytes != argument.size:
            raise InputError(
                place,
                "RUN014",
                f"{argument.name} wants a value of {argument.size} bytes, got {value.dtype} of "
                f"{value.nbytes} bytes",
            )
        if not value.ndim and is_float_type(argument.type) is (value.dtype.kind in "iub"):
            raise InputError(place, "RUN014", f"{argument.name} wants {argument.type}, got {value.dtype}")
        return
    if isinstance(value, float) and (
        is_float_type(argument.type) is False or argument.size not in _FLOATS_OF_SIZE
    ):
        raise InputError(
            place,
            "RUN014",
            f"{argument.name} wants {argument.type or 'a value'} of {argument.size} bytes, "
            f"got the float {value}",
        )
    if (
        isinstance(value, int)
        and not is_float_type(argument.type)
        and not -(1 << (8 * argument.size - 1)) <= value < 1 << 8 * argument.size
    ):
        raise InputError(
            place, "RUN014", f"{argument.name} wants a value of {argument.size} bytes, too small for {value}"
        )


def is_float_type(type_name: str) -> bool | None:
    """Whether the metadata's type is a float; None if the type is absent or unknown."""
    if not type_name:
        return None
    if type_name in _C_FLOATS or "float" in _GEN_TYPES.get(type_name, ""):
        return True
    known = type_name in _GEN_TYPES or type_name in (
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "size_t",
    )
    return False if known else None


def value_bytes(value: ArgumentValue, argument: Argument) -> bytes:
    """The bytes of a checked by-value argument. A Python number takes the argument's type, or its size if the
    type is unknown."""
    assert value is not None and not isinstance(value, Pointer), "a pointer has no bytes of its own"
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tobytes()
    if isinstance(value, float) or is_float_type(argument.type):
        return np.array(value, _FLOATS_OF_SIZE[argument.size]).tobytes()
    return (value & ((1 << 8 * argument.size) - 1)).to_bytes(argument.size, "little")
