"""`python -m tools.bench_emulator`: million lane-instructions a second of CPU, without and with the
sanitizer.

An instruction of a wave counts once for each lane, including lanes that EXEC turns off. `--beside FOLDER`
measures the emulator of another checkout in the same rounds. A figure is the best of its rounds, since the
machine may be busy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.ir.program import tensor_type
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import Options
from asmgen.runtime.calls import signatures
from isa.targets import parse_target
from tools.clang_peer import CLANG

TARGET = "gfx942"
_SOURCES = Path(__file__).parent / "emulator-kernels"
COMPILED = ("matmul", "mandelbrot", "mfma", "collatz")  # by clang, from the folder
_SIZES = {"n": str(1 << 20), "rows": "1024", "cols": "1024"}  # for kernels of the catalogue
_OWN_SIZES = {"gemm": {"m": "1024", "n": "1024", "k": "256"}}  # few products along k, which are not in parts


class Worker:
    """A process that measures the emulator of a checkout (`tools.emulator_speed`)."""

    def __init__(self, checkout: Path, folder: Path, names: Sequence[str]) -> None:
        command = [sys.executable, str(Path(__file__).parent / "emulator_speed.py"), str(folder), *names]
        environment = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.counts: dict[str, int] = json.loads(self._line())
        self._best: dict[tuple[str, str], float] = {}

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the measuring process ended; its error is above")
        return line

    def measure(self, name: str, way: str) -> None:
        assert self._process.stdin is not None
        _ = self._process.stdin.write(f"{name} {way}\n")
        self._process.stdin.flush()
        seconds = float(json.loads(self._line()))
        self._best[name, way] = min(seconds, self._best.get((name, way), seconds))

    def speed(self, name: str, way: str) -> float:
        """Million lane-instructions a second, in the best round so far."""
        return self.counts[name] / self._best[name, way] / 1e6

    def close(self) -> None:
        _ = self._process.communicate()


def write_assembly(name: str, folder: Path) -> None:
    """Write a case's assembly, and for a kernel of the catalogue its launch."""
    if name in COMPILED:
        options = [
            "-O3",
            "-x",
            "cl",
            "-cl-std=CL2.0",
            "-target",
            "amdgcn-amd-amdhsa",
            f"-mcpu={TARGET}",
            "-nogpulib",
            "-w",
        ]
        _ = subprocess.run(
            [CLANG, *options, "-S", "-o", str(folder / f"{name}.s"), str(_SOURCES / f"{name}.cl")], check=True
        )
        return
    settings = _SIZES | _OWN_SIZES.get(name, {})
    graph = build_kernel(
        name, [(size, value) for size, value in settings.items() if size in CATALOGUE[name].parameters]
    )
    program = compile_read(Source.of_program(name, graph), parse_target(TARGET), Options())
    (kernel,), (signature,) = program.kernels, signatures(program)
    sizes = [tensor_type(statement.result).span for statement in (*signature.inputs, *signature.outputs)]
    _ = (folder / f"{name}.s").write_text(kernel.assembly)
    _ = (folder / f"{name}.json").write_text(
        json.dumps({"grid": kernel.grid, "block": kernel.block, "sizes": sizes})
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_emulator", description="The emulator's speed."
    )
    parser.add_argument("--repeat", type=int, default=5, help="number of rounds; the best counts")
    parser.add_argument(
        "--beside", type=Path, metavar="FOLDER", help="another checkout, measured in the same rounds"
    )
    parser.add_argument(
        "cases", nargs="*", default=[*COMPILED, "softmax", "gemm"], help="cases, or kernels of the catalogue"
    )
    options = parser.parse_args(arguments)
    names: list[str] = options.cases
    with tempfile.TemporaryDirectory() as text:
        for name in names:
            write_assembly(name, Path(text))
        workers = [
            Worker(checkout, Path(text), names)
            for checkout in (Path(__file__).parent.parent, options.beside)
            if checkout
        ]
        print(
            "million lane-instructions a second of CPU"
            + (f", those of {options.beside} in brackets" if options.beside else "")
        )
        for name in names:
            for way in ("plain", "sanitized"):
                for _ in range(options.repeat):
                    for worker in workers:
                        worker.measure(name, way)
                mine, *others = (worker.speed(name, way) for worker in workers)
                more = "".join(f"   ({other:.1f}, x {mine / other:.2f})" for other in others)
                print(f"{name:<11} {way:<10} {mine:>7.1f}{more}", flush=True)
        for worker in workers:
            worker.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
