"""Running code objects on a GPU, through AMD's hip-python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import ModuleType
from typing import Any

import numpy as np

from asmgen.runtime.hip_calls import call, hip_bindings
from isa.diagnostics import InputError, Place
from isa.emulator.arguments import (
    LOCAL_POINTER,
    ArgumentValue,
    Dimensions,
    KernelCall,
    check_argument,
    check_count,
    explicit_arguments,
    value_bytes,
)
from isa.emulator.launch import check_dimensions
from isa.objects.kernels import object_kernel
from isa.objects.metadata import KernelMetadata
from isa.program import Argument

Array = np.ndarray[Any, Any]
_POINTER_BYTES = 8
_DEFAULT_STREAM = None


def run_on_gpu(
    code_object: bytes, kernel: str | None, grid: Dimensions, block: Dimensions,
    args: Sequence[ArgumentValue], name: str = "<code object>",
    lds_bytes: int = 0,
) -> list[Array]:  # fmt: skip
    """Copy the arrays to the device, launch, and give the arrays as they are afterwards, in order; `grid`
    counts workgroups, `lds_bytes` is the LDS of a workgroup besides what the kernel declares.

    The arguments go as one block of bytes, laid out as the code object's metadata says; HIP itself fills the
    hidden ones. Raises `InputError` RUN0xx as the emulator where sizes or arguments are not the kernel's,
    HIP00x where a HIP call fails; what HIP gave is given back in every case.
    """
    metadata = object_kernel(code_object, name, kernel)
    check_dimensions(metadata, KernelCall(grid, block, tuple(args)))
    wanted = _checked(metadata, args, name)
    hip = hip_bindings()
    with ExitStack() as held:
        module = call(hip, hip.hipModuleLoadData, code_object)
        held.enter_context(_held(hip, hip.hipModuleUnload, module))
        function = call(hip, hip.hipModuleGetFunction, module, metadata.name.encode())
        buffers: dict[int, tuple[Any, Array]] = {}
        for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
            if argument.is_buffer:
                array = np.array(value, order="C")
                pointer = call(hip, hip.hipMalloc, max(1, array.nbytes))
                held.enter_context(_held(hip, hip.hipFree, pointer))
                buffers[position] = pointer, array
                _copy(hip, pointer, _bytes_of(array), array.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice)
        segment = kernarg_bytes(
            wanted, args, {position: int(pointer) for position, (pointer, _) in buffers.items()}
        )
        call(
            hip,
            hip.hipModuleLaunchKernel,
            function,
            *grid,
            *block,
            lds_bytes,
            _DEFAULT_STREAM,
            None,
            _extra(segment),
        )
        call(hip, hip.hipDeviceSynchronize)
        for pointer, array in buffers.values():
            _copy(hip, _bytes_of(array), pointer, array.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
        return [array for _, array in buffers.values()]


def kernarg_bytes(
    wanted: Sequence[Argument], args: Sequence[ArgumentValue], addresses: dict[int, int]
) -> bytes:
    """The kernarg segment up to the end of the last explicit argument; `addresses` are those of the buffers,
    by position."""
    segment = bytearray(max((argument.offset + argument.size for argument in wanted), default=0))
    for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
        raw = (
            addresses[position].to_bytes(_POINTER_BYTES, "little")
            if position in addresses
            else value_bytes(value, argument)
        )
        segment[argument.offset : argument.offset + argument.size] = raw
    return bytes(segment)


def _checked(metadata: KernelMetadata, args: Sequence[ArgumentValue], name: str) -> list[Argument]:
    """The explicit arguments of the kernel, if `args` fit them."""
    wanted = explicit_arguments(metadata)
    check_count(wanted, len(args), metadata.name)
    for position, (argument, value) in enumerate(zip(wanted, args, strict=True)):
        check_argument(argument, value, position)
        if argument.kind == LOCAL_POINTER:
            raise InputError(
                f"args[{position}]", "RUN013", f"{argument.name} is a pointer to LDS, which HIP cannot pass"
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
def _held(hip: ModuleType, release: Callable[..., Any], handle: Any) -> Generator[None]:
    """Release `handle` at the end. An error of the release is not raised where an earlier call has failed:
    the first failure is the cause.
    """
    try:
        yield
    except BaseException:
        with suppress(InputError):
            call(hip, release, handle)
        raise
    call(hip, release, handle)


def _bytes_of(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)


def _copy(hip: ModuleType, target: Any, source: Any, size: int, kind: Any) -> None:
    if size:
        call(hip, hip.hipMemcpy, target, source, size, kind)
