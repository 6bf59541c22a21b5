"""An imitation of hip-python on a GPU that sums rows, with a planted time for each shape of a launch.

It is as strict as a GPU: HIP cannot be used after a fork of a process that has used it, after a failed launch every call of
the process fails, and the test fails if two processes are on the device at once.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from enum import IntEnum
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from isa.emulator.launching.arguments import explicit_arguments
from isa.objects.kernels import object_kernel

ROWS, COLS = 8, 64
Shape = tuple[int, int]
"""The workgroups of a launch, and the work-items of each."""
HANGS = "hangs"


class Status(IntEnum):
    hipSuccess = 0
    hipErrorOutOfMemory = 2
    hipErrorNoDevice = 100
    hipErrorLaunchFailure = 719


class FakeHip:
    """`times` has microseconds by the shape of a launch, HANGS, or an error; other launches take `usual`. `wrong` are shapes of
    launches with wrong results. Each launch is a line of the file `log`."""

    hipError_t = Status
    hipMemcpyKind = SimpleNamespace(hipMemcpyHostToDevice=1, hipMemcpyDeviceToHost=2, hipMemcpyDeviceToDevice=3)

    def __init__(self, log: Path, times: Mapping[Shape, float | str | Status], usual: float = 10_000.0) -> None:
        self.log = log
        self.arch = "gfx942:sramecc+:xnack-"
        self.wrong: tuple[Shape, ...] = ()
        self._times = times
        self._usual = usual
        self._user = 0
        self._failed = Status.hipSuccess
        self._memory: dict[int, bytearray] = {}
        self._modules = 0
        self._lock = -1
        self._clock = 0.0

    def module(self) -> ModuleType:
        """The module `hip`."""
        module = ModuleType("hip")
        module.__spec__ = ModuleSpec("hip", None)
        module.__dict__["hip"] = self
        return module

    def _used(self) -> Status:
        if self._user not in (0, os.getpid()):
            raise RuntimeError("HIP was used before a fork")
        self._user = os.getpid()
        return self._failed

    def hipGetDeviceCount(self) -> tuple[Status, int]:
        return self._used(), int(bool(self.arch))

    def hipGetDeviceProperties(self, _device: int) -> tuple[Status, Any]:
        return self._used(), SimpleNamespace(gcnArchName=self.arch.encode())

    def hipModuleLoadData(self, code: bytes) -> tuple[Status, bytes]:
        status = self._used()
        if not self._modules:
            self._lock = os.open(self.log, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise AssertionError("two processes are on the device at once") from None
        self._modules += 1
        return status, code

    def hipModuleUnload(self, _module: bytes) -> tuple[Status]:
        self._modules -= 1
        if not self._modules:
            os.close(self._lock)
        return (self._failed,)

    def hipModuleGetFunction(self, module: bytes, name: bytes) -> tuple[Status, tuple[bytes, str]]:
        return self._failed, (module, name.decode())

    def hipMalloc(self, size: int) -> tuple[Status, int]:
        address = (len(self._memory) + 1) << 32
        self._memory[address] = bytearray(size)
        return self._used(), address

    def hipFree(self, _pointer: int) -> tuple[Status]:
        return (self._failed,)

    def hipMemcpy(self, to: Any, source: Any, size: int, kind: int) -> tuple[Status]:
        if kind == self.hipMemcpyKind.hipMemcpyHostToDevice:
            self._memory[to][:size] = source.tobytes()
        else:
            to[:] = np.frombuffer(self._memory[source], np.uint8)[:size]
        return (self._failed,)

    def hipModuleLaunchKernel(
        self, function: tuple[bytes, str], gx: int, gy: int, gz: int, bx: int, by: int, bz: int, lds: int, stream: None,
        parameters: None, extra: tuple[Any, ...],
    ) -> tuple[Status]:  # fmt: skip
        assert (gy, gz, by, bz, lds, stream, parameters) == (1, 1, 1, 1, 0, None, None)
        _ = os.write(self._lock, f"{gx} {bx}\n".encode())
        planned = self._times.get((gx, bx), self._usual)
        if isinstance(planned, Status):
            self._failed = planned
        elif planned == HANGS:
            time.sleep(1000)
        else:
            self._clock += float(planned)
        code, kernel = function
        arguments = explicit_arguments(object_kernel(code, kernel, kernel))
        segment = bytes(extra[0])
        x, o = [int.from_bytes(segment[each.offset : each.offset + each.size], "little") for each in arguments]
        rows = np.frombuffer(self._memory[x], np.float32).reshape(ROWS, COLS)
        sums = rows.sum(axis=1, dtype=np.float64).astype(np.float32)
        self._memory[o][:] = (-sums if (gx, bx) in self.wrong else sums).tobytes()
        return (self._failed,)

    def hipMemcpyAsync(self, to: int, source: int, size: int, _kind: int, _stream: None) -> tuple[Status]:
        self._memory[to][:size] = self._memory[source][:size]
        return (self._failed,)

    def hipDeviceSynchronize(self) -> tuple[Status]:
        return (self._failed,)

    def hipEventCreate(self) -> tuple[Status, list[float]]:
        return self._failed, [0.0]

    def hipEventDestroy(self, _event: list[float]) -> tuple[Status]:
        return (self._failed,)

    def hipEventRecord(self, event: list[float], _stream: None) -> tuple[Status]:
        event[0] = self._clock
        return (self._failed,)

    def hipEventSynchronize(self, _event: list[float]) -> tuple[Status]:
        return (self._failed,)

    def hipEventElapsedTime(self, first: list[float], last: list[float]) -> tuple[Status, float]:
        return self._failed, (last[0] - first[0]) / 1000
