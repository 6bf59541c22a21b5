"""How fast the emulator on the path is: `python tools/emulator_speed.py FOLDER CASE...`, for
`tools.bench_emulator`.

It needs the emulator alone, so that PYTHONPATH may name any commit's. FOLDER has the assembly of every case.
Each line that is read from standard input asks for a round, a CASE and whether the sanitizer is on; a line of
JSON answers.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from isa.emulator import load, run_image
from isa.emulator.image import Image
from isa.emulator.launch import KernelCall, Settings, execute
from isa.emulator.layout import RegisterLayout
from isa.emulator.watch import NoWatch
from isa.targets import parse_target

Dimensions = tuple[int, int, int]


class Counter(NoWatch):
    """An observer that counts the instructions that lanes run, those of lanes that are off among them."""

    def __init__(self) -> None:
        self.lanes = 0

    def enter(self, w: Any, start: int, end: int) -> dict[int, Any]:
        self.lanes += (end - start) * w.width * w.lanes
        return {}

    def ignore(self, *what: Any) -> None:
        pass

    begin = suspect = barrier = ignore

    def __getattr__(self, name: str) -> Any:
        """What other commits tell an observer."""
        return self.ignore


class Case:
    """A kernel with its launch."""

    def __init__(self, image: Image, grid: Dimensions, block: Dimensions, arguments: list[Any]) -> None:
        self._image, self._grid, self._block, self._arguments = image, grid, block, arguments

    def lane_instructions(self) -> int:
        counter: Any = Counter()  # an observer of this commit or of another one
        descriptor = self._image.descriptor
        target = parse_target(self._image.target).target
        layout = RegisterLayout(
            descriptor.agpr_offset,
            descriptor.vgprs - descriptor.agpr_offset,
            target=target,
            sgprs=descriptor.sgprs,
        )
        call = KernelCall(self._grid, self._block, tuple(self._arguments))
        execute(self._image, call, layout, Settings(), counter)
        return counter.lanes

    def seconds(self, sanitize: bool) -> float:
        """CPU seconds of a launch, loading apart."""
        begin = time.process_time()
        _ = run_image(self._image, self._grid, self._block, self._arguments, sanitize=sanitize)
        return time.process_time() - begin


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
    print(json.dumps({name: found.lane_instructions() for name, found in cases.items()}), flush=True)
    for line in sys.stdin:
        name, sanitize = line.split()
        print(json.dumps(cases[name].seconds(sanitize == "sanitized")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
