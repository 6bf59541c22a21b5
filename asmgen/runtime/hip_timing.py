"""The time of launches on a GPU, between two events of HIP.

A run is some launches in order, on arrays that stay on the device. Runs follow each other on the same arrays,
so the caches have data of the previous run. Before each run, the arrays that it changes get their
contents again. Each measured run has others in front of it in the stream: they keep the GPU busy until the
host has put the events and the launches into the stream, so the time of the host does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any, TypeGuard

import numpy as np
from msgspec import Struct

from asmgen.runtime.hip import (
    DEFAULT_STREAM,
    array_on_gpu,
    call,
    checked_arguments,
    function_on_gpu,
    held,
    hip_bindings,
    kernarg_bytes,
    start_on_gpu,
)
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import check_dimensions
from isa.objects.kernels import object_kernel

Array = np.ndarray[Any, Any]
_AHEAD = 200.0  # microseconds of work that is in the stream before a run
_MOST_AHEAD = 20  # runs
_WARM = 5e4  # microseconds of work, after which an idle GPU has its full clock
_LEAST_RUNS = 3
_ENOUGH = 1e6  # microseconds of measured runs


class GpuLaunch(Struct, frozen=True):
    """A launch of the kernel of a code object. Launches share an array if it is the same object."""

    code_object: bytes
    kernel: str
    call: KernelCall


def times_on_gpu(launches: Sequence[GpuLaunch], changed: Sequence[Array], runs: int) -> list[float]:
    """The microseconds of `runs` runs of launches; of fewer, three at least, if they take more than a second
    together. Runs of 50 ms come before them and do not count. `changed` are the arrays that get their
    contents again before each run.

    Raises `InputError` as `run_on_gpu` does. All resources of HIP are released in every case.
    """
    hip = hip_bindings()
    with ExitStack() as stack:
        pointers: dict[int, Any] = {}
        for array in [value for launch in launches for value in launch.call.arguments if _is_array(value)]:
            if id(array) not in pointers:
                pointers[id(array)] = stack.enter_context(array_on_gpu(hip, array))
        steps = [_restore(hip, array, pointers[id(array)], stack) for array in changed]
        count = len(steps)
        steps += [stack.enter_context(_start(hip, launch, pointers)) for launch in launches]
        events = [stack.enter_context(_event(hip)) for _ in range(2)]

        def run(ahead: int) -> float:
            for _ in range(ahead):
                for step in steps:
                    step()
            for step in steps[:count]:
                step()
            call(hip, hip.hipEventRecord, events[0], DEFAULT_STREAM)
            for step in steps[count:]:
                step()
            call(hip, hip.hipEventRecord, events[1], DEFAULT_STREAM)
            call(hip, hip.hipEventSynchronize, events[1])
            return 1000 * float(call(hip, hip.hipEventElapsedTime, events[0], events[1]))

        time = max(run(0), run(1), 1.0)
        ahead = min(_MOST_AHEAD, 1 + int(_AHEAD / time))
        warm = 2 * time
        while warm < _WARM:
            warm += (1 + ahead) * max(run(ahead), 1.0)
        times: list[float] = []
        while len(times) < min(runs, _LEAST_RUNS) or (len(times) < runs and sum(times) < _ENOUGH):
            times.append(run(ahead))
        return times


def _is_array(value: object) -> TypeGuard[Array]:
    return isinstance(value, np.ndarray) and value.ndim > 0


def _restore(hip: ModuleType, array: Array, pointer: Any, stack: ExitStack) -> Callable[[], None]:
    """A function that puts a copy into the stream: the contents of an array to its place."""
    contents = stack.enter_context(array_on_gpu(hip, array))
    kind = hip.hipMemcpyKind.hipMemcpyDeviceToDevice

    def step() -> None:
        call(hip, hip.hipMemcpyAsync, pointer, contents, array.nbytes, kind, DEFAULT_STREAM)

    return step


@contextmanager
def _start(hip: ModuleType, launch: GpuLaunch, pointers: dict[int, Any]) -> Generator[Callable[[], None]]:
    """A function that puts a launch into the stream. `pointers` are those of arrays by their `id`."""
    metadata = object_kernel(launch.code_object, launch.kernel, launch.kernel)
    given = launch.call.arguments
    check_dimensions(metadata, launch.call)
    wanted = checked_arguments(metadata, given, launch.kernel)
    addresses = {
        position: int(pointers[id(value)]) for position, value in enumerate(given) if _is_array(value)
    }
    segment = kernarg_bytes(wanted, given, addresses)
    with function_on_gpu(hip, launch.code_object, metadata.name) as function:
        yield lambda: start_on_gpu(hip, function, launch.call, segment)


@contextmanager
def _event(hip: ModuleType) -> Generator[Any]:
    event = call(hip, hip.hipEventCreate)
    with held(hip, hip.hipEventDestroy, event):
        yield event
