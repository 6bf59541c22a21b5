"""The HIP path through the real hip-python on a mock libamdhip64.so: its arguments, and the messages for its
errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.kernels import build_kernel
from asmgen.runtime.hip import call, hip_status, serves
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.unit.asmgen.hip_mock.drive import CASES, CHAIN, LARGE, OURS, N

SOURCE = Path(__file__).parent / "hip_mock" / "libamdhip64.c"
ROOT = Path(__file__).parents[3]
FAILURES = {
    "hipModuleLoadData=209": ("HIP001", "hipModuleLoadData failed with hipErrorNoBinaryForGpu (209)"),
    "hipModuleGetFunction=500": ("HIP001", "hipModuleGetFunction failed with hipErrorNotFound (500)"),
    "hipMalloc=2": ("HIP002", "hipMalloc of 4000 bytes failed with hipErrorOutOfMemory: the GPU has no memory left for it"),
    "hipMemcpy=1": ("HIP001", "hipMemcpy failed with hipErrorInvalidValue (1)"),
    "hipModuleLaunchKernel=719": ("HIP001", "hipModuleLaunchKernel failed with hipErrorLaunchFailure (719)"),
    "hipModuleLaunchKernel=701": ("HIP001", "hipModuleLaunchKernel failed with hipErrorLaunchOutOfResources (701)"),
    "hipModuleLaunchKernel=719!": ("HIP001", "hipModuleLaunchKernel failed with hipErrorLaunchFailure (719)"),
    "hipDeviceSynchronize=700": ("HIP001", "hipDeviceSynchronize failed with hipErrorIllegalAddress (700)"),
    "hipDeviceSynchronize=700!": ("HIP001", "hipDeviceSynchronize failed with hipErrorIllegalAddress (700)"),
    "hipMemcpyAsync=1": ("HIP001", "hipMemcpyAsync failed with hipErrorInvalidValue (1)"),
    "hipEventCreate=2": ("HIP002", "hipEventCreate failed with hipErrorOutOfMemory: the GPU has no memory left for it"),
    "hipEventSynchronize=719!": ("HIP001", "hipEventSynchronize failed with hipErrorLaunchFailure (719)"),
    "hipFree=1": ("HIP001", "hipFree failed with hipErrorInvalidValue (1)"),
    "hipModuleUnload=1": ("HIP001", "hipModuleUnload failed with hipErrorInvalidValue (1)"),
    "hipModuleLaunchKernel=424242": ("HIP003", "hipModuleLaunchKernel could not be called: 424242 is not a valid hipError_t"),
    "hipGetDeviceCount=3": ("DEV002", "HIP cannot count the GPUs: hipErrorNotInitialized (3)"),
    "hipGetDeviceCount=100": ("DEV002", "no GPU is present"),
    "hipGetDeviceProperties=101": ("DEV002", "properties cannot be read: hipGetDeviceProperties failed with hipErrorInvalidDevice (101)"),
}


class Recorded(Struct, frozen=True):
    """The outcome of a case: the error and its code, the arrays, and the calls as (name, words, status)."""

    error: str
    code: str
    arrays: tuple[np.ndarray[Any, Any], ...]
    calls: tuple[tuple[str, tuple[str, ...], int], ...]

    def words(self, name: str) -> list[tuple[str, ...]]:
        return [words for call, words, status in self.calls if call == name and status == 0]


def recorded(line: str) -> Recorded:
    fields = json.loads(line)
    arrays = [np.frombuffer(bytes.fromhex(entry["bytes"]), entry["dtype"]).reshape(entry["shape"]) for entry in fields["arrays"]]
    calls: list[tuple[str, tuple[str, ...], int]] = []
    for text in fields["calls"]:
        name, *words = text.rpartition(" -> ")[0].split()
        calls.append((name, tuple(words), int(text.rpartition(" -> ")[2])))
    return Recorded(fields["error"], fields["code"], tuple(arrays), tuple(calls))


def c_compiler() -> list[str]:
    """A C compiler that links: the system's, or that of the PyPI package ziglang."""
    for name in ("cc", "gcc"):
        if (path := shutil.which(name)) is not None:
            return [path]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    pytest.skip("gcc is not installed")


def drive(names: list[str], rocm: Path) -> dict[str, Recorded]:
    """Run cases in one process in which ROCm is the directory `rocm`."""
    settings = {"ROCM_PATH": str(rocm), "HIP_MOCK_LOG": str(rocm / "log")}
    command = [sys.executable, "-m", "tests.unit.asmgen.hip_mock.drive", *names]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return {name: recorded(line) for name, line in zip(names, run.stdout.splitlines(), strict=True)}


@pytest.fixture(scope="session")
def hip_python() -> None:
    if find_spec("hip") is None:
        pytest.skip("hip-python is not installed")


@pytest.fixture(scope="session")
def rocm(tmp_path_factory: pytest.TempPathFactory, hip_python: None) -> Path:
    """A directory with the mock library in the place of ROCm's own."""
    compiler = c_compiler()
    rocm = tmp_path_factory.mktemp("rocm")
    (rocm / "lib").mkdir()
    command = [*compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(rocm / "lib" / "libamdhip64.so"), str(SOURCE)]
    subprocess.run(command, check=True, timeout=120)
    return rocm


@pytest.fixture(scope="session")
def runs(rocm: Path) -> dict[str, Recorded]:
    """Every case, run on the mock."""
    return drive([*CASES, *FAILURES], rocm)


def segment_of(kernel: CompiledKernel, addresses: list[int]) -> bytes:
    """The kernarg segment of a kernel whose arguments are all buffers, by the offsets in the text of its metadata."""
    metadata = kernel.assembly.partition(".amdgpu_metadata")[2]
    offsets = [int(found) for found in re.findall(r"\.offset:\s+(\d+)", metadata)]
    assert len(offsets) == len(addresses)
    segment = bytearray(max(offsets) + 8)
    for offset, address in zip(offsets, addresses, strict=True):
        struct.pack_into("<Q", segment, offset, address)
    return bytes(segment)


def check_launches(run: Recorded, kernels: tuple[CompiledKernel, ...]) -> None:
    """Every kernel was launched once, in order, with its grid and block, no dynamic LDS, and its arguments'
    addresses in their places."""
    assert run.error == ""
    addresses = [int(words[2], 16) for words in run.words("hipMalloc")]
    launches = run.words("hipModuleLaunchKernel")
    assert len(launches) == len(kernels)
    for kernel, (name, grid, block, shared, stream, parameters, segment) in zip(kernels, launches, strict=True):
        assert name == kernel.name
        assert kernel.grid is not None
        assert (grid, block) == (",".join(map(str, kernel.grid)), ",".join(map(str, kernel.block)))
        assert (shared, stream, parameters) == ("0", "(nil)", "(nil)")
        own, addresses = addresses[: len(kernel.arguments)], addresses[len(kernel.arguments) :]
        assert bytes.fromhex(segment) == segment_of(kernel, own)
    assert addresses == []


def ones(count: int) -> bytes:
    """The result of the mock's launch on zeros: 1 in every word."""
    return np.ones(count, np.int32).tobytes()


@pytest.mark.parametrize("name", ["vecadd", "vecadd_auto"])
def test_a_program_is_copied_in_launched_and_copied_back(runs: dict[str, Recorded], name: str) -> None:
    run = runs[name]
    check_launches(run, asmgen.compile(build_kernel("vecadd", [("n", str(N))])).kernels)
    copies = run.words("hipMemcpy")
    first, second = np.arange(N, dtype=np.float32), np.ones(N, np.float32)
    sent = [array.tobytes().hex() for array in (first, second, np.zeros(N, np.float32))]
    assert copies[:3] == [("in", str(number), str(4 * N), content) for number, content in enumerate(sent)]
    assert [words[:3] for words in copies[3:]] == [("out", str(number), str(4 * N)) for number in range(3)]
    assert [array.tobytes() for array in run.arrays] == [ones(N)]


def test_a_size_known_at_launch_is_in_the_grid_and_behind_the_buffers(runs: dict[str, Recorded]) -> None:
    run = runs["vecadd_of_any_size"]
    (kernel,) = asmgen.compile(build_kernel("vecadd", [("n", "?")])).kernels
    ((name, grid, block, *_, segment),) = run.words("hipModuleLaunchKernel")
    assert (name, grid, block) == ("vecadd", "1,1,1", "256,1,1")
    addresses = [int(words[2], 16) for words in run.words("hipMalloc")]
    assert [argument.offset for argument in kernel.arguments] == [0, 8, 16, 24]
    assert bytes.fromhex(segment) == struct.pack("<QQQI", *addresses, N)


def test_calls_stand_in_order_and_what_was_taken_is_given_back(runs: dict[str, Recorded]) -> None:
    names = [call for call, _, _ in runs["vecadd"].calls]
    asked = ["hipGetDeviceCount", "hipGetDeviceProperties"]
    into = ["hipMalloc", "hipMemcpy"] * 3
    out = ["hipDeviceSynchronize", *["hipMemcpy"] * 3, *["hipFree"] * 3, "hipModuleUnload"]
    assert names == [*asked, "hipModuleLoadData", "hipModuleGetFunction", *into, "hipModuleLaunchKernel", *out]


def test_a_kernel_with_static_lds_asks_for_none_at_launch(runs: dict[str, Recorded]) -> None:
    program = asmgen.compile(build_kernel("softmax", [("rows", "5"), ("cols", "300")]))
    check_launches(runs["softmax"], program.kernels)
    (result,) = runs["softmax"].arrays
    assert result.shape == (5, 300)
    assert result.tobytes() == ones(1500)


def test_a_temporary_goes_from_one_kernel_to_the_next(runs: dict[str, Recorded]) -> None:
    run = runs["chain"]
    check_launches(run, asmgen.compile(CHAIN).kernels)
    x, zeros = np.arange(64, dtype=np.float32).tobytes(), bytes(256)
    sent = [bytes.fromhex(words[3]) for words in run.words("hipMemcpy") if words[0] == "in"]
    assert sent == [x, zeros, x, ones(64), zeros]
    assert [array.tobytes() for array in run.arrays] == [ones(64)]


def runs_of(recorded: Recorded) -> list[list[str]]:
    """The calls of each timed run, of which the events are the last."""
    stream = [f"{name} {words[0]}" if name == "hipModuleLaunchKernel" else name for name, words, _ in recorded.calls]
    stream = [name for name in stream if name.startswith(("hipModuleLaunch", "hipMemcpyAsync", "hipEvent"))]
    ends = [number for number, name in enumerate(stream) if name == "hipEventElapsedTime"]
    return [stream[first + 1 : last + 1] for first, last in zip([1, *ends], ends, strict=False)]


@pytest.mark.parametrize(("name", "unit", "ahead"), [("timed", 10, 2), ("timed_in_a_second", 1e6, 1)])
def test_runs_are_timed_behind_others_and_from_the_same_contents(runs: dict[str, Recorded], name: str, unit: float, ahead: int) -> None:
    run = runs[name]
    assert run.error == ""
    once = ["hipMemcpyAsync", "hipModuleLaunchKernel chain", "hipModuleLaunchKernel chain_1"]
    measured = ["hipMemcpyAsync", "hipEventRecord", *once[1:], "hipEventRecord", "hipEventSynchronize", "hipEventElapsedTime"]
    first, second, *others = runs_of(run)
    assert (first, second) == (measured, once + measured)
    assert others == [once * ahead + measured] * len(others)
    # launch n takes n units; six come before the runs behind others
    in_a_run = 2 * ahead + 2
    firsts = [6 + number * in_a_run + 2 * ahead + 1 for number in range(len(others))]
    times = [unit * (2 * first + 1) for first in firsts]
    assert run.arrays[0] == pytest.approx(times[-3:], rel=1e-5)
    warm = 2 * 11 * unit + (1 + ahead) * sum(times[:-3])
    assert (len(others) == 3) == (2 * 11 * unit >= 5e4)
    assert warm >= 5e4 > warm - (1 + ahead) * (times[-4] if len(others) > 3 else unit * 22), "the clock is high before a run counts"
    (x,) = {words[3] for words in run.words("hipMemcpy") if words[1] in ("0", "3")}
    assert np.frombuffer(bytes.fromhex(x), np.float32).tolist() == list(range(64)), "the copy has the contents at first"
    assert run.words("hipMemcpyAsync")[0] == ("0", "3", "256", "3", "(nil)")
    assert [words[0] for words in run.words("hipEventRecord")[:2]] == ["0", "1"]
    assert len(run.words("hipMalloc")) == 4, "launches share an array"


def test_values_lie_where_the_metadata_says_and_hidden_arguments_are_left_to_hip(runs: dict[str, Recorded]) -> None:
    run = runs["values"]
    ((_, size, address),) = run.words("hipMalloc")
    ((name, grid, block, shared, _, _, segment),) = run.words("hipModuleLaunchKernel")
    assert (name, size, grid, block, shared) == ("values", "12", "4,3,2", "16,4,2", "0")
    assert bytes.fromhex(segment) == struct.pack("<B3xfQe6xq3i", 7, 1.5, int(address, 16), 2.0, -3, 0, 1, 2)
    ((_, _, _, sent), _) = run.words("hipMemcpy")
    assert bytes.fromhex(sent) == np.array([[0, 3], [1, 4], [2, 5]], np.int16).tobytes()
    (array,) = run.arrays
    assert (array.dtype, array.shape) == (np.int16, (3, 2))
    assert array.tobytes() == (np.frombuffer(bytes.fromhex(sent), np.int32) + 1).tobytes()


def test_pointers_share_an_array_and_null_is_0(runs: dict[str, Recorded]) -> None:
    run = runs["pointers"]
    assert run.error == ""
    ((_, size, address),) = run.words("hipMalloc")
    (launch,) = run.words("hipModuleLaunchKernel")
    assert size == "16" and len(run.arrays) == 1
    assert bytes.fromhex(launch[-1]) == struct.pack("<3Q", int(address, 16), int(address, 16) + 4, 0)


def test_a_kernel_without_arguments_gets_an_empty_segment(runs: dict[str, Recorded]) -> None:
    run = runs["no_arguments"]
    assert run.error == ""
    assert run.words("hipModuleLaunchKernel") == [("values", "1,1,1", "64,1,1", "0", "(nil)", "(nil)")]


def test_an_array_without_elements_has_an_address_and_no_copies(runs: dict[str, Recorded]) -> None:
    run = runs["no_elements"]
    ((_, size, address),) = run.words("hipMalloc")
    assert int(size) > 0
    assert run.words("hipModuleLaunchKernel")[0][-1] == struct.pack("<Q", int(address, 16)).hex()
    assert run.words("hipMemcpy") == []
    assert [array.shape for array in run.arrays] == [(0, 3)]


@pytest.mark.parametrize("name", FAILURES)
def test_a_call_that_fails_is_an_error_of_ours(runs: dict[str, Recorded], name: str) -> None:
    code, message = FAILURES[name]
    assert runs[name].code == code
    assert message in runs[name].error
    assert runs[name].arrays == ()


@pytest.mark.parametrize("name", [*FAILURES, "too_large"])
def test_after_a_failure_everything_is_given_back(runs: dict[str, Recorded], name: str) -> None:
    calls = runs[name].calls
    pairs = ("hipMalloc", "hipFree"), ("hipModuleLoadData", "hipModuleUnload"), ("hipEventCreate", "hipEventDestroy")
    for taken, given in pairs:
        successes = sum(call == taken and status == 0 for call, _, status in calls)
        assert sum(call == given for call, _, _ in calls) == successes


def test_a_device_without_enough_memory_says_how_much_was_wanted(runs: dict[str, Recorded]) -> None:
    assert runs["too_large"].code == "HIP002"
    assert f"hipMalloc of {4 * LARGE} bytes failed with hipErrorOutOfMemory" in runs["too_large"].error


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("no_device", "DEV002", "hip cannot run code of gfx942: no GPU is present"),
        ("other_device", "DEV002", "hip cannot run code of gfx942: the GPU is gfx90a:sramecc+:xnack-"),
        ("too_few", "RUN010", "got 1 argument, wanted 6 for values"),
        ("wrong_value", "RUN014", "arg0 wants a value of 4 bytes, got float64 of 8 bytes"),
        ("wrong_block", "RUN002", "a workgroup of 256 work-items, wanted at most 128"),
    ],
)
def test_what_cannot_run_is_refused_before_anything_is_taken(runs: dict[str, Recorded], name: str, code: str, message: str) -> None:
    assert runs[name].code == code
    assert message in runs[name].error
    assert {call for call, _, _ in runs[name].calls} <= {"hipGetDeviceCount", "hipGetDeviceProperties"}


@pytest.mark.parametrize("name", ["no_device_auto", "other_device_auto"])
def test_auto_takes_the_emulator_where_no_gpu_of_the_target_is(runs: dict[str, Recorded], name: str) -> None:
    (result,) = runs[name].arrays
    assert (result == np.arange(N, dtype=np.float32) + 1).all()
    assert runs[name].words("hipModuleLaunchKernel") == []


def test_without_rocm_hip_is_an_error_and_auto_the_emulator(hip_python: None, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    # without the file, hip-python would take the system's own library, which a machine with a GPU has
    (tmp_path / "lib" / "libamdhip64.so").write_text("no library")
    found = drive(["no_device", "no_device_auto"], tmp_path)
    assert found["no_device"].code == "DEV002"
    assert "ROCm's libamdhip64.so cannot be used: failed to dlopen" in found["no_device"].error
    assert (found["no_device_auto"].arrays[0] == np.arange(N, dtype=np.float32) + 1).all()


def test_a_library_that_lacks_a_function_is_an_error_of_ours() -> None:
    def hipModuleUnload(_module: object) -> tuple[int]:
        raise RuntimeError("failed to dlsym 'hipModuleUnload'")

    with pytest.raises(InputError, match="hipModuleUnload could not be called: failed to dlsym"):
        call(SimpleNamespace(), hipModuleUnload, None)  # pyright: ignore[reportArgumentType]


def test_without_hip_python_the_state_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from asmgen.runtime import hip as module

    def absent(_name: str) -> None:
        return None

    monkeypatch.setattr(module, "find_spec", absent)
    assert hip_status().problem == "hip-python is not installed"


@pytest.mark.parametrize(
    ("device", "target", "fits"),
    [
        ("gfx942:sramecc+:xnack-", "gfx942", True),
        ("gfx942:sramecc+:xnack-", "gfx942:xnack-", True),
        ("gfx942:sramecc+:xnack-", "gfx942:xnack+", False),
        ("gfx90a:sramecc+:xnack-", "gfx942", False),
    ],
)
def test_a_device_serves_its_own_target_and_features(device: str, target: str, fits: bool) -> None:
    assert serves(device, parse_target(target)) is fits


LAUNCHES = {
    "tests/unit/graph/test_fuse.py::test_a_kernel_that_only_a_kernel_between_needs": 3,
    "tests/unit/asmgen/test_compiler.py::test_given_arrays_stay_as_they_are": 1,
    "tests/property/test_verify.py::test_the_catalogue_at_any_length[1-vecadd]": 1,  # nothing was computed, and the first run ends it
}


@pytest.mark.broad
def test_the_device_option_brings_the_suite_to_the_gpu(rocm: Path) -> None:
    """Under --device hip tests that run programs launch them through HIP; the mock computes nothing, so they may fail."""
    log = rocm / "suite"
    settings = {"ROCM_PATH": str(rocm), "HIP_MOCK_LOG": str(log), "HIP_MOCK_ARCH": OURS}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--device", "hip", *LAUNCHES]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, timeout=120, check=False)
    assert log.exists(), run.stdout
    assert log.read_text().count("hipModuleLaunchKernel") == sum(LAUNCHES.values()), run.stdout
