"""hip-python as asmgen calls it: where its bindings are, and every failure of a call as an `InputError`.

A call of hip-python gives a tuple that begins with a `hipError_t`. hip-python loads libamdhip64.so at the
first call and raises RuntimeError where the library or a function in it is missing, ValueError where the
library answers with an error number that hip-python's release does not know. Releases 6.4, 7.2 and 10.0
differ: `hip.hip` is a module of its own until 7 and an alias since 10, and `hipGetDeviceProperties` is given
the structure to fill until 7 and makes it since 10.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from isa.diagnostics import InputError

PLACE = "device hip"
FAILED, OUT_OF_MEMORY, UNUSABLE = "HIP001", "HIP002", "HIP003"
_DOCTOR = "`python -m asmgen doctor` shows what was found"


def hip_bindings() -> ModuleType:
    """hip-python's bindings of the HIP runtime. ImportError where there are none."""
    bindings: ModuleType | None = getattr(import_module("hip"), "hip", None)
    return bindings or import_module("hip.hip")


def call(hip: ModuleType, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a HIP function returns besides its status; None where it returns nothing else.

    `InputError` HIP002 where the device has no memory left, HIP001 for every other error that HIP answers
    with, HIP003 where libamdhip64.so or the function is missing, or the answer is no error that hip-python
    knows.
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
    """The target id of a GPU, as `gfx942:sramecc+:xnack-`. `InputError` HIP00x where HIP does not tell."""
    if len(inspect.signature(hip.hipGetDeviceProperties).parameters) == 1:
        properties = call(hip, hip.hipGetDeviceProperties, device)
    else:
        properties = hip.hipDeviceProp_t()
        call(hip, hip.hipGetDeviceProperties, properties, device)
    name = properties.gcnArchName
    return name.decode() if isinstance(name, bytes) else str(name)
