"""Running code objects on a GPU through AMD's hip-python, and whether that is possible.

A call of hip-python gives a tuple that begins with a `hipError_t`. hip-python loads libamdhip64.so at the
first call. It raises RuntimeError if the library or a function in it is missing, and ValueError if the
library answers with an error number that this release of hip-python does not know. Releases 6.4, 7.2 and 10.0
differ: `hip.hip` is a module until 7 and an alias since 10; `hipGetDeviceProperties` fills a given structure
until 7 and returns a new structure since 10.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
from msgspec import Struct

from isa.diagnostics import InputError, Place
from isa.emulator.launching.arguments import (
    LOCAL_POINTER,
    ArgumentValue,
    KernelCall,
    Pointer,
    check_argument,
    check_count,
    check_pointers,
    explicit_arguments,
    value_bytes,
)
from isa.emulator.launching.launch import check_dimensions
from isa.objects.kernels import object_kernel
from isa.objects.metadata import KernelMetadata
from isa.program import Argument
from isa.targets import TargetId

Array = np.ndarray[Any, Any]
_POINTER_BYTES = 8
DEFAULT_STREAM = None


def run_on_gpu(
    code_object: bytes, kernel: str | None, launch: KernelCall, name: str = "<code object>"
) -> list[Array]:
    """Copy the arrays to the device, launch, and return the arrays as they are afterwards, in order.

    The arguments go as one block of bytes in the layout of the code object's metadata; HIP fills the hidden
    arguments. Raises `InputError` RUN0xx like the emulator if sizes or arguments do not fit the kernel,
    HIP00x if a HIP call fails. All resources of HIP are released in every case.
    """
    metadata, args = object_kernel(code_object, name, kernel), launch.arguments
    check_dimensions(metadata, launch)
    wanted = checked_arguments(metadata, args, name)
    check_pointers(launch)
    hip = hip_bindings()
    with ExitStack() as stack:
        function = stack.enter_context(function_on_gpu(hip, code_object, metadata.name))
        buffers: dict[int, tuple[Any, Array]] = {}
        for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
            if argument.is_buffer and isinstance(value, np.ndarray):
                array = np.array(value, order="C")
                buffers[position] = stack.enter_context(array_on_gpu(hip, array)), array
        addresses = {position: int(pointer) for position, (pointer, _) in buffers.items()}
        for position, value in enumerate(args):
            if value is None:
                addresses[position] = 0
            elif isinstance(value, Pointer):
                addresses[position] = int(buffers[value.buffer][0]) + value.offset
        start_on_gpu(hip, function, launch, kernarg_bytes(wanted, args, addresses))
        call(hip, hip.hipDeviceSynchronize)
        for pointer, array in buffers.values():
            _copy(hip, bytes_of(array), pointer, array.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
        return [array for _, array in buffers.values()]


@contextmanager
def function_on_gpu(hip: ModuleType, code_object: bytes, kernel: str) -> Generator[Any]:
    """The function of a kernel, inside of `with`."""
    module = call(hip, hip.hipModuleLoadData, code_object)
    with held(hip, hip.hipModuleUnload, module):
        yield call(hip, hip.hipModuleGetFunction, module, kernel.encode())


@contextmanager
def array_on_gpu(hip: ModuleType, array: Array) -> Generator[Any]:
    """A pointer to a copy of a packed array on the device, inside of `with`."""
    pointer = call(hip, hip.hipMalloc, max(1, array.nbytes))
    with held(hip, hip.hipFree, pointer):
        _copy(hip, pointer, bytes_of(array), array.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice)
        yield pointer


def start_on_gpu(hip: ModuleType, function: Any, launch: KernelCall, segment: bytes) -> None:
    """Put a launch into the stream. `segment` has the bytes of its arguments, of `kernarg_bytes`."""
    call(
        hip, hip.hipModuleLaunchKernel, function, *launch.grid, *launch.block, launch.lds_bytes,
        DEFAULT_STREAM, None, _extra(segment),
    )  # fmt: skip


def kernarg_bytes(
    wanted: Sequence[Argument], args: Sequence[ArgumentValue], addresses: dict[int, int]
) -> bytes:
    """The kernarg segment up to the end of the last explicit argument; `addresses` are those of the buffers,
    by position. A null pointer is at address 0."""
    segment = bytearray(max((argument.offset + argument.size for argument in wanted), default=0))
    for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
        raw = (
            addresses[position].to_bytes(_POINTER_BYTES, "little")
            if position in addresses
            else value_bytes(value, argument)
        )
        segment[argument.offset : argument.offset + argument.size] = raw
    return bytes(segment)


def checked_arguments(metadata: KernelMetadata, args: Sequence[ArgumentValue], name: str) -> list[Argument]:
    """The explicit arguments of the kernel, if `args` fit them."""
    wanted = explicit_arguments(metadata)
    check_count(wanted, len(args), metadata.name)
    for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
        check_argument(argument, value, position)
        if argument.kind == LOCAL_POINTER:
            raise InputError(
                f"args[{position}]",
                "RUN013",
                f"{argument.name} is a pointer to LDS, which HIP cannot pass",
                help="device='emulator' passes it",
            )
        if argument.is_buffer and argument.size != _POINTER_BYTES:
            message = (
                f"argument {argument.name} has {argument.size} bytes in the metadata, wanted {_POINTER_BYTES}"
            )
            raise InputError(Place(name), "RUN016", message)
    return wanted


def _extra(segment: bytes) -> tuple[ctypes.Structure, ...]:
    """The segment as hip-python's launch takes it: one structure passed by value, which it hands to HIP by
    the `extra` pointer.

    hip-python puts each entry at an alignment that it derives from the entry's size, so a single entry lies
    at offset 0 as it is.
    """
    if not segment:
        return ()

    class Segment(ctypes.Structure):
        _fields_ = (("content", ctypes.c_uint8 * len(segment)),)

    return (Segment.from_buffer_copy(segment),)


@contextmanager
def held(hip: ModuleType, release: Callable[..., Any], handle: Any) -> Generator[None]:
    """Release `handle` at the end. If an earlier call has failed, an error of the release is not raised: the
    first failure is the cause.
    """
    try:
        yield
    except BaseException:
        with suppress(InputError):
            call(hip, release, handle)
        raise
    call(hip, release, handle)


def bytes_of(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)


def _copy(hip: ModuleType, target: Any, source: Any, size: int, kind: Any) -> None:
    if size:
        call(hip, hip.hipMemcpy, target, source, size, kind)


PLACE = "device hip"
FAILED, OUT_OF_MEMORY, UNUSABLE = "HIP001", "HIP002", "HIP003"
_DOCTOR = "`python -m asmgen doctor` shows the installed tools"


def hip_bindings() -> ModuleType:
    """hip-python's bindings of the HIP runtime. ImportError if they are missing."""
    bindings: ModuleType | None = getattr(import_module("hip"), "hip", None)
    return bindings or import_module("hip.hip")


def call(hip: ModuleType, function: Callable[..., Any], *arguments: Any) -> Any:
    """The results of a HIP function without its status; None if it returns only the status.

    `InputError` HIP002 if the device has no memory left, HIP001 for every other error of HIP, HIP003 if
    libamdhip64.so or the function is missing or hip-python does not know the error.
    """
    try:
        status, *results = function(*arguments)
    except (RuntimeError, ValueError) as error:
        raise InputError(
            PLACE, UNUSABLE, f"{function.__name__} could not be called: {error}", help=_DOCTOR
        ) from None
    if status == hip.hipError_t.hipSuccess:
        return results[0] if results else None
    if status == hip.hipError_t.hipErrorOutOfMemory:
        wanted = f" of {arguments[0]} bytes" if function.__name__ == hip.hipMalloc.__name__ else ""
        raise InputError(
            PLACE,
            OUT_OF_MEMORY,
            f"{function.__name__}{wanted} failed with {status.name}: the GPU has no memory left for it",
        )
    raise InputError(
        PLACE, FAILED, f"{function.__name__} failed with {status.name} ({status.value})", help=_DOCTOR
    )


def device_name(hip: ModuleType, device: int) -> str:
    """The target id of a GPU, such as `gfx942:sramecc+:xnack-`. `InputError` HIP00x if HIP fails."""
    if len(inspect.signature(hip.hipGetDeviceProperties).parameters) == 1:
        properties = call(hip, hip.hipGetDeviceProperties, device)
    else:
        properties = hip.hipDeviceProp_t()
        call(hip, hip.hipGetDeviceProperties, properties, device)
    name = properties.gcnArchName
    return name.decode() if isinstance(name, bytes) else str(name)


HOW_TO_GET_HIP = (
    "`python -m pip install '.[hip]'` in asmgen's checkout installs hip-python; ROCm installs libamdhip64.so"
)


class HipStatus(Struct, frozen=True):
    """The target id of the first GPU; without a GPU it is empty, and `problem` says why."""

    device: str
    problem: str = ""


def hip_status() -> HipStatus:
    """Look for hip-python, the HIP runtime and a GPU, in that order."""
    if find_spec("hip") is None:
        return HipStatus("", "hip-python is not installed")
    try:
        hip = hip_bindings()
        status, count = hip.hipGetDeviceCount()
    except ImportError as error:
        return HipStatus("", f"the installed package hip is not hip-python: {error}")
    except (RuntimeError, ValueError) as error:
        return HipStatus("", f"ROCm's libamdhip64.so cannot be used: {error}")
    if status == hip.hipError_t.hipErrorNoDevice or (status == hip.hipError_t.hipSuccess and count < 1):
        return HipStatus("", "no GPU is present")
    if status != hip.hipError_t.hipSuccess:
        return HipStatus("", f"HIP cannot count the GPUs: {status.name} ({status.value})")
    try:
        return HipStatus(device_name(hip, 0))
    except InputError as error:
        return HipStatus("", f"the GPU's properties cannot be read: {error.message}")


def serves(device: str, target: TargetId) -> bool:
    """Whether a device with this target id runs code of `target`: the same gfx number, and the features that
    the code needs."""
    name, *features = device.split(":")
    return name == target.target.name and set(target.features) <= set(features)
