"""The mock of HIP and our calls against what hip-python ships of AMD's header: types, sizes, numbers, arity."""

from __future__ import annotations

import ast
import ctypes
import inspect
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from asmgen.runtime.hip import hip_bindings

pytestmark = pytest.mark.skipif(find_spec("rocm") is None, reason="hip-python is not installed")

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "asmgen" / "runtime"
MOCK = (HERE / "hip_mock" / "libamdhip64.c").read_text(encoding="utf-8")
FUNCTIONS = re.findall(r"^int (hip\w+)\(([^)]*)\)", MOCK, re.MULTILINE)
HANDLES = {"hipModule_t", "hipFunction_t", "hipStream_t", "hipEvent_t"}  # pointers to structures that the header leaves open
NUMBERS = {"hipMemcpyKind": "int", "hipError_t": "int", "unsigned": "unsigned int"}
SIZES: dict[str, Any] = {"int": ctypes.c_int, "unsigned int": ctypes.c_uint, "size_t": ctypes.c_size_t, "char": ctypes.c_char}
SIZES["hipUUID_t"], SIZES["hipDeviceArch_t"] = ctypes.c_char * 16, ctypes.c_uint  # 17 fields of one bit


def header() -> str:
    """The declarations of hip_runtime_api.h, as hip-python generated them from it for Cython."""
    specification = find_spec("rocm.bindings.hip")
    assert specification is not None
    assert specification.origin is not None
    return (Path(specification.origin).parent / "cyhip.pxd").read_text(encoding="utf-8")


def passed_as(parameter: str) -> str:
    """How the calling convention passes a parameter: as a pointer, or as a number of a C type."""
    words = re.sub(r"\bconst\b", "", parameter).replace("*", " * ").split()
    if "*" in words or words[0] in HANDLES:
        return "pointer"
    kind = " ".join(words[:-1])
    return NUMBERS.get(kind, kind)


def parameters(text: str) -> list[str]:
    return [passed_as(part) for part in text.split(",") if part.strip() not in ("", "void")]


@pytest.mark.parametrize(("name", "given"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_the_mock_has_the_signatures_of_the_header(name: str, given: str) -> None:
    declared = re.search(rf"^cdef hipError_t {name.removesuffix('R0600')}\((.*)\) except", header(), re.MULTILINE)
    assert declared is not None
    assert parameters(given) == parameters(declared[1])


def test_the_mock_has_the_layout_of_the_device_properties() -> None:
    text = header().split('cdef struct hipDeviceProp_t "hipDeviceProp_tR0600":\n')[1].split("\n\n")[0]
    fields: list[tuple[str, Any]] = []
    for line in text.splitlines():
        match = re.fullmatch(r"\s*([\w ]+?)( \*)? (\w+)(?:\[(\d+)\])?", line)
        assert match is not None, line
        kind: Any = ctypes.c_void_p if match[2] else SIZES[match[1]]
        fields.append((match[3], kind * int(match[4]) if match[4] else kind))
    properties: Any = type("Properties", (ctypes.Structure,), {"_fields_": fields})
    stated = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", MOCK)}
    assert properties.gcnArchName.offset == stated["ARCH_NAME_OFFSET"]
    assert properties.gcnArchName.size == stated["ARCH_NAME_BYTES"]
    assert ctypes.sizeof(properties) == stated["PROPERTIES_BYTES"]


def test_the_mock_has_the_numbers_of_the_header() -> None:
    hip, stated = hip_bindings(), {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", MOCK)}
    numbers = {
        "SUCCESS": hip.hipError_t.hipSuccess,
        "INVALID_VALUE": hip.hipError_t.hipErrorInvalidValue,
        "OUT_OF_MEMORY": hip.hipError_t.hipErrorOutOfMemory,
        "NO_DEVICE": hip.hipError_t.hipErrorNoDevice,
        "INVALID_DEVICE": hip.hipError_t.hipErrorInvalidDevice,
        "NOT_FOUND": hip.hipError_t.hipErrorNotFound,
        "HOST_TO_DEVICE": hip.hipMemcpyKind.hipMemcpyHostToDevice,
        "DEVICE_TO_DEVICE": hip.hipMemcpyKind.hipMemcpyDeviceToDevice,
        "DEVICE_TO_HOST": hip.hipMemcpyKind.hipMemcpyDeviceToHost,
    }
    assert {name: int(number) for name, number in numbers.items()} == {name: stated[name] for name in numbers}


def calls_of_hip() -> list[tuple[str, int]]:
    """The HIP functions that asmgen/runtime calls through `call(hip, hip.NAME, ...)`, each with its number of
    arguments."""
    found: list[tuple[str, int]] = []
    for path in sorted(RUNTIME.glob("hip*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("call", "held"):
                function, arguments = node.args[1], node.args[2:]
                if isinstance(function, ast.Attribute):
                    starred = sum(isinstance(argument, ast.Starred) for argument in arguments)
                    found.append((function.attr, len(arguments) + 2 * starred))  # a grid and a block have three sizes
    return found


def test_asmgen_calls_hip_with_the_arguments_that_it_takes() -> None:
    hip, calls = hip_bindings(), calls_of_hip()
    assert {name for name, _ in calls} >= {"hipMalloc", "hipFree", "hipMemcpy", "hipModuleLaunchKernel", "hipModuleUnload"}
    for name, count in calls:
        if name != "hipGetDeviceProperties":  # releases differ, and hip.device_name asks which it is
            assert len(inspect.signature(getattr(hip, name)).parameters) == count, name
