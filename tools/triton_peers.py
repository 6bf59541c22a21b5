"""`python -m tools.triton_peers --python PATH [TARGET...]`: Triton's figures for the scoreboard.

PATH is a Python with Triton 3.9 (`pip install triton` in an environment of its own: it needs no GPU). It
compiles the kernels of tools/triton-kernels for every choice of warps and rows. The tool runs some workgroups
of each on the emulator, on the same arguments as ours, and keeps a program's choice with the fewest
instructions and the choice with the fewest cycles in tools/peers.json. `--space DIRECTORY` keeps the code
objects, and uses those that are there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
from msgspec import Struct

from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.targets import TARGETS
from tools.scoreboard.cases import CASES, Case
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.figures import Figures, figures_of
from tools.scoreboard.programs import Array, measure_ours
from tools.scoreboard.results import faults, truths, unwritten
from tools.scoreboard.sample import Sample, take_sample
from tools.scoreboard.table import RATIOS, least
from tools.scoreboard.triton import PEERS, TritonRow, read_rows

KERNELS = Path(__file__).parent / "triton-kernels" / "kernels.py"
SCRATCH = 2  # pointers that Triton adds to a kernel's arguments, which no kernel here uses


class Choice(Struct, frozen=True):
    """A code object of the space, as tools/triton-kernels/kernels.py writes it. `lanes` are those of a
    workgroup, and `lds` its bytes of LDS."""

    program: str
    target: str
    file: str
    kernel: str
    groups: int
    lanes: int
    lds: int
    warps: int
    constants: dict[str, int]

    @property
    def name(self) -> str:
        """Its name in the table: the elements or rows of a workgroup, and its warps."""
        return " ".join([*(f"{key}={value}" for key, value in self.constants.items()), f"warps={self.warps}"])


def sample_of(choice: Choice, directory: Path, buffers: Sequence[Array], scratch: int) -> Sample:
    """Some workgroups of a choice on the emulator. The kernel has `scratch` pointers after the buffers."""
    image = load((directory / choice.file).read_bytes(), choice.kernel, choice.file)
    return take_sample(image, call_of(choice, buffers, scratch))


def call_of(choice: Choice, buffers: Sequence[Array], scratch: int) -> KernelCall:
    """The launch of a choice. The kernel has `scratch` pointers after the buffers."""
    unused = [np.zeros(16, np.uint8)] * scratch
    grid, block = (choice.groups, 1, 1), (choice.lanes, 1, 1)
    return KernelCall(grid, block, (*buffers, *unused), frozenset(), choice.lds)


def measured(
    case: Case, target: str, directory: Path, choices: Iterable[Choice], scratch: int = SCRATCH
) -> Iterator[TritonRow]:
    """A row for the choice with the fewest of each figure. Raises ValueError if numpy's results differ."""
    ours = measure_ours(case, target)
    given, results = ours.arguments[: ours.inputs], ours.arguments[ours.inputs :]
    expected = truths(case.name, given)
    figures: list[tuple[Choice, Figures]] = []
    for choice in choices:
        sample = sample_of(choice, directory, [*given, *unwritten(results)], scratch)
        if wrong := faults(sample, len(given), results, expected):
            raise ValueError(f"{choice.file}: {'; '.join(wrong)}")
        figures.append((choice, figures_of([sample], case.elements, ours.largest)))
    best = [min(figures, key=lambda each, figure=figure: least(each[1], figure)) for figure in RATIOS]
    for choice, known in {choice.file: (choice, known) for choice, known in best}.values():
        yield TritonRow(target, case.title, choice.name, known)


def compile_space(python: Path, directory: Path, targets: Sequence[str]) -> None:
    """Write the code objects of every choice. Raises CalledProcessError if Triton refuses a kernel."""
    for target in targets:
        place = directory / target
        if not (place / "space.json").exists():
            place.mkdir(parents=True, exist_ok=True)
            _ = subprocess.run([str(python), str(KERNELS), str(place), target], check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.triton_peers", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--python", type=Path, required=True, help="a Python that has Triton")
    _ = parser.add_argument("--space", type=Path, help="keep the code objects in this directory")
    options = parser.parse_args(arguments)
    targets: list[str] = options.targets or list(TARGETS)
    kept = [row for row in read_rows() if row.target not in targets]
    with TemporaryDirectory(prefix="asmgen-") as temporary:
        directory: Path = options.space or Path(temporary)
        compile_space(options.python, directory, targets)
        for target in targets:
            text = (directory / target / "space.json").read_bytes()
            space = msgspec.json.decode(text, type=list[Choice])
            for case in (*CASES, *EVERYDAY):
                own = [choice for choice in space if choice.program == case.title]
                if own:
                    kept += measured(case, target, directory / target, own)
                    print(f"{target} {case.name}: {len(own)} choices", file=sys.stderr, flush=True)
    kept.sort(key=lambda row: (list(TARGETS).index(row.target), row.program, row.choice))
    _ = PEERS.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
