"""Whether a GPU can be reached through AMD's hip-python."""

from __future__ import annotations

from importlib.util import find_spec

from msgspec import Struct

from asmgen.runtime.hip_calls import device_name, hip_bindings
from isa.diagnostics import InputError
from isa.targets import TargetId

HOW_TO_GET_HIP = "`pip install 'asmgen[hip]'` brings hip-python, ROCm's installation libamdhip64.so"


class HipStatus(Struct, frozen=True):
    """The target id of the first GPU; empty where there is none, and then what is missing."""

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
    """Whether a device's target id runs code of `target`: the same gfx number, and each feature as the code
    wants it."""
    name, *features = device.split(":")
    return name == target.target.name and set(target.features) <= set(features)
