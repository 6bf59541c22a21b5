"""The worker of `tools.bench_emulator`: `python tools/emulator_speed.py FOLDER CASE...`.

It imports only the emulator, so PYTHONPATH may name a checkout of any commit. FOLDER has the assembly of
every case. Each line of standard input requests a round: a CASE, and `plain` or `sanitized`. A line of JSON
answers with the CPU seconds.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np

from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings, execute
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.sanitizer import Sanitizer
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import NoWatch
from isa.targets import parse_target

Dimensions = tuple[int, int, int]


class Counter(NoWatch):
    """An observer that counts lane-instructions, including lanes that are off."""

    def __init__(self) -> None:
        self.lanes = 0

    def enter(self, w: Any, start: int, end: int) -> dict[int, Any]:
        self.lanes += (end - start) * w.width * w.lanes
        return {}

    def ignore(self, *what: Any) -> None:
        pass

    begin = suspect = barrier = ignore

    def __getattr__(self, name: str) -> Any:
        """Ignores the other events of any commit's observers."""
        return self.ignore


class Case:
    """A kernel with its launch."""

    def __init__(self, image: Image, grid: Dimensions, block: Dimensions, arguments: list[Any]) -> None:
        self._image, self._call = image, KernelCall(grid, block, tuple(arguments))

        descriptor, target = image.descriptor, parse_target(image.target).target
        agprs = descriptor.vgprs - descriptor.agpr_offset
        self._layout = RegisterLayout(descriptor.agpr_offset, agprs, target=target, sgprs=descriptor.sgprs)

    def lane_instructions(self) -> int:
        counter: Any = Counter()  # an observer of any commit
        execute(self._image, self._call, self._layout, Settings(), counter)
        return counter.lanes

    def seconds(self, sanitize: bool) -> float:
        """CPU seconds of a launch, in all of its processes, without loading."""
        begin = _cpu_seconds()
        checker = Sanitizer(self._image, True) if sanitize else None
        execute(self._image, self._call, self._layout, Settings(), checker)
        return _cpu_seconds() - begin


def _cpu_seconds() -> float:
    """The CPU seconds of this process and of its ended children. `os.times` counts them in steps of 10 ms."""
    usages = [resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum([usage.ru_utime + usage.ru_stime for usage in usages])


def case(name: str, folder: Path) -> Case:
    random = np.random.default_rng(1)
    image = load((folder / f"{name}.s").read_text(), name)
    if name == "matmul":
        a, b = (random.standard_normal((256, 256)).astype(np.float32) for _ in range(2))
        return Case(image, (16, 16, 1), (16, 16, 1), [a, b, np.zeros_like(a)])
    if name == "mandelbrot":
        return Case(image, (256, 1, 1), (256, 1, 1), [np.zeros((256, 256), np.uint32)])
    if name == "collatz":
        return Case(
            image,
            (1, 1, 1),
            (64, 1, 1),
            [670617216 + np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)],
        )
    if name == "mfma":
        a, b = (random.standard_normal(512).astype(np.float16) for _ in range(2))
        return Case(image, (1, 1, 1), (64, 1, 1), [a, b, np.zeros((4, 64, 16), np.float32), 1000])
    launch: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
    arrays: list[Any] = [random.standard_normal(int(size)).astype(np.float32) for size in launch["sizes"]]
    return Case(image, tuple(launch["grid"]), tuple(launch["block"]), arrays)


def main(arguments: list[str]) -> int:
    folder, *names = arguments
    cases = {name: case(name, Path(folder)) for name in names}
    print(json.dumps({name: each.lane_instructions() for name, each in cases.items()}), flush=True)
    for line in sys.stdin:
        name, sanitize = line.split()
        print(json.dumps(cases[name].seconds(sanitize == "sanitized")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
