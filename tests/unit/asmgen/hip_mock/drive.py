"""Runs cases through the real hip-python on the mock library: `python -m tests.unit.asmgen.hip_mock.drive
CASE...`.

ROCM_PATH is the folder of libamdhip64.so, HIP_MOCK_LOG the file of its calls. One line of JSON a case: the
error, the arrays that came back as hexadecimal digits, and the lines that the mock recorded.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import asmgen
from asmgen.kernels import build_kernel
from asmgen.runtime.hip_timing import GpuLaunch, times_on_gpu
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall

OURS = "gfx942:sramecc+:xnack-"
OTHER = "gfx90a:sramecc+:xnack-"
N = 1000
LARGE = 1 << 19  # floats, more than the mock's memory

CHAIN = """stage final gfx942
module @chain {
  launch[grid={1,1,1}, block={64,1,1}, results={-1}]
  x = @param:x -> f32, {64}
  out = @param:temporary_0 -> f32, {64}
  i = local_id -> u32
  v = load(x, i) -> f32
  w = mul(v, v) -> f32
  store(out, i, w)
  @return(out)
}
module @chain_1 {
  launch[grid={2,3,1}, block={64,1,1}, results={0}]
  x = @param:x -> f32, {64}
  t = @param:temporary_0 -> f32, {64}
  out = @param:z_output -> f32, {64}
  i = local_id -> u32
  v = load(x, i) -> f32
  w = load(t, i) -> f32
  s = add(v, w) -> f32
  store(out, i, s)
  @return(out)
}
"""

VALUES = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl values
\t.p2align 8
\t.type values,@function
values:
\ts_endpgm
\t.rodata
\t.p2align 6
\t.amdhsa_kernel values
\t\t.amdhsa_next_free_vgpr 1
\t\t.amdhsa_next_free_sgpr 1
\t\t.amdhsa_accum_offset 4
\t.end_amdhsa_kernel
\t.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: values
    .symbol: values.kd
    .kernarg_segment_size: 56
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 1
    .vgpr_count: 1
    .max_flat_workgroup_size: 128
ARGUMENTS...
\t.end_amdgpu_metadata
"""

LAYOUT = (
    (0, 1, "by_value"), (4, 4, "by_value"), (8, 8, "global_buffer"), (16, 2, "by_value"), (24, 8, "by_value"), (32, 12, "by_value"),
    (48, 4, "hidden_block_count_x"),
)  # fmt: skip


def assembly(layout: tuple[tuple[int, int, str], ...]) -> str:
    """A kernel that does nothing, with arguments of the given offsets, sizes and kinds."""
    arguments = [f"      - .offset: {offset}\n        .size: {size}\n        .value_kind: {kind}\n" for offset, size, kind in layout]
    return VALUES.replace("ARGUMENTS", "".join(["    .args:\n", *arguments] if layout else []))


def vecadd(device: str = "hip", size: str = str(N)) -> list[np.ndarray[Any, Any]]:
    program = asmgen.compile(build_kernel("vecadd", [("n", size)]))
    return program(np.arange(N, dtype=np.float32), np.ones(N, np.float32), device=device)


def chain() -> list[np.ndarray[Any, Any]]:
    return asmgen.compile(CHAIN)(np.arange(64, dtype=np.float32), device="hip")


def softmax() -> list[np.ndarray[Any, Any]]:
    program = asmgen.compile(build_kernel("softmax", [("rows", "5"), ("cols", "300")]))
    return program(np.arange(1500, dtype=np.float32).reshape(5, 300), device="hip")


def values() -> list[np.ndarray[Any, Any]]:
    arguments = [np.uint8(7), 1.5, np.arange(6, dtype=np.int16).reshape(2, 3).T, np.float16(2), -3, np.arange(3, dtype=np.int32)]
    return asmgen.run(assembly(LAYOUT), kernel="values", grid=(4, 3, 2), block=(16, 4, 2), args=arguments, device="hip")


def pointers() -> list[np.ndarray[Any, Any]]:
    """An array, its second word, and a null pointer."""
    text = assembly(tuple((8 * position, 8, "global_buffer") for position in range(3)))
    arguments = [np.arange(4, dtype=np.int32), asmgen.pointer(0, 4), None]
    return asmgen.run(text, kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=arguments, device="hip")


def no_arguments() -> list[np.ndarray[Any, Any]]:
    return asmgen.run(assembly(()), kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=[], device="hip")


def no_elements() -> list[np.ndarray[Any, Any]]:
    text = assembly(((0, 8, "global_buffer"),))
    return asmgen.run(text, kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=[np.zeros((0, 3), np.float32)], device="hip")


def too_large() -> list[np.ndarray[Any, Any]]:
    text = assembly(((0, 8, "global_buffer"), (8, 8, "global_buffer")))
    args = [np.zeros(4, np.float32), np.zeros(LARGE, np.float32)]
    return asmgen.run(text, kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=args, device="hip")


def too_few() -> list[np.ndarray[Any, Any]]:
    return asmgen.run(assembly(LAYOUT), kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=[np.uint8(7)], device="hip")


def wrong_value() -> list[np.ndarray[Any, Any]]:
    text = assembly(((0, 4, "by_value"),))
    return asmgen.run(text, kernel="values", grid=(1, 1, 1), block=(64, 1, 1), args=[np.float64(1)], device="hip")


def wrong_block() -> list[np.ndarray[Any, Any]]:
    return asmgen.run(assembly(()), kernel="values", grid=(1, 1, 1), block=(64, 4, 1), args=[], device="hip")


def timed() -> list[np.ndarray[Any, Any]]:
    """The times of the two launches of CHAIN together: the second reads the results of the first, and changes
    its input."""
    chain = asmgen.compile(CHAIN).kernels
    x, between, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32), np.zeros(64, np.float32)
    launches = [
        GpuLaunch(kernel.code_object, kernel.name, KernelCall(kernel.workgroups, kernel.block, args))
        for kernel, args in zip(chain, ((x, between), (x, between, out)), strict=True)
    ]
    return [np.array(times_on_gpu(launches, [x], 3 if os.environ.get("HIP_MOCK_US") == "10" else 21))]


Case = Callable[[], list[np.ndarray[Any, Any]]]
CASES: dict[str, tuple[Case, dict[str, str]]] = {
    "vecadd": (vecadd, {"HIP_MOCK_ARCH": OURS}),
    "vecadd_auto": (lambda: vecadd("auto"), {"HIP_MOCK_ARCH": OURS}),
    "vecadd_of_any_size": (lambda: vecadd(size="?"), {"HIP_MOCK_ARCH": OURS}),
    "chain": (chain, {"HIP_MOCK_ARCH": OURS}),
    "timed": (timed, {"HIP_MOCK_ARCH": OURS, "HIP_MOCK_US": "10"}),
    "timed_in_a_second": (timed, {"HIP_MOCK_ARCH": OURS, "HIP_MOCK_US": "1000000"}),
    "softmax": (softmax, {"HIP_MOCK_ARCH": OURS}),
    "values": (values, {"HIP_MOCK_ARCH": OURS}),
    "pointers": (pointers, {"HIP_MOCK_ARCH": OURS}),
    "no_arguments": (no_arguments, {"HIP_MOCK_ARCH": OURS}),
    "no_elements": (no_elements, {"HIP_MOCK_ARCH": OURS}),
    "too_large": (too_large, {"HIP_MOCK_ARCH": OURS}),
    "too_few": (too_few, {"HIP_MOCK_ARCH": OURS}),
    "wrong_value": (wrong_value, {"HIP_MOCK_ARCH": OURS}),
    "wrong_block": (wrong_block, {"HIP_MOCK_ARCH": OURS}),
    "no_device": (vecadd, {}),
    "no_device_auto": (lambda: vecadd("auto"), {}),
    "other_device": (vecadd, {"HIP_MOCK_ARCH": OTHER}),
    "other_device_auto": (lambda: vecadd("auto"), {"HIP_MOCK_ARCH": OTHER}),
}


def failing(name: str) -> tuple[Case, dict[str, str]]:
    """The case `CALL=CODE`: vecadd on a device on which that call fails; with a `!` behind it, every later
    call fails too. Calls that vecadd does not make fail in `timed`."""
    failure = {"HIP_MOCK_FAIL": name.removesuffix("!")} | ({"HIP_MOCK_FAIL_ALL": "1"} if name.endswith("!") else {})
    is_of_times = name.startswith(("hipEvent", "hipMemcpyAsync"))
    return timed if is_of_times else vecadd, {"HIP_MOCK_ARCH": OURS} | failure


def run_case(name: str, log: Path) -> dict[str, Any]:
    case, settings = CASES[name] if name in CASES else failing(name)
    for variable in ("HIP_MOCK_ARCH", "HIP_MOCK_FAIL", "HIP_MOCK_FAIL_ALL"):
        os.environ.pop(variable, None)
    os.environ.update(settings)
    log.write_text("")
    result: dict[str, Any] = {"case": name, "error": "", "code": "", "arrays": []}
    try:
        result["arrays"] = [{"shape": array.shape, "dtype": str(array.dtype), "bytes": array.tobytes().hex()} for array in case()]
    except InputError as error:
        result |= {"error": str(error), "code": error.code}
    return result | {"calls": log.read_text().splitlines()}


def main() -> None:
    log = Path(os.environ["HIP_MOCK_LOG"])
    for name in sys.argv[1:]:
        print(json.dumps(run_case(name, log)))


if __name__ == "__main__":
    main()
