"""Kernels by Triton for the corpus: programs of the scoreboard, each for a choice of warps and rows. The
Python that ASMGEN_TRITON names compiles them; if it is not set, the running Python does. Their results are
compared with numpy's."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
from msgspec import Struct

import asmgen
from asmgen.graph.ops import RETURN
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import tensor_type
from isa.emulator.launching.arguments import ArgumentValue
from tools.scoreboard.cases import CASES, Case
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.programs import Array, arguments_of
from tools.scoreboard.results import faults, truths, unwritten
from tools.scoreboard.triton import read_rows
from tools.triton_peers import KERNELS, SCRATCH, Choice, call_of, sample_of

VARIABLE = "ASMGEN_TRITON"  # a Python that has Triton
_MISSING = (
    f"Triton is not installed: `pip install triton` in an environment, and name its Python in {VARIABLE}"
)
_SECONDS = 120  # for a compile


class Made(Struct, frozen=True):
    """A kernel by Triton: its code object, its launch with the arguments, and its faults by numpy."""

    code: bytes
    choice: Choice
    arguments: tuple[ArgumentValue, ...]
    faults: tuple[str, ...]


@cache
def programs() -> tuple[str, ...]:
    """The programs that Triton has kernels for."""
    return tuple(dict.fromkeys(row.program for row in read_rows()))


def made(program: str, target: str, number: int) -> Made:
    """The kernel of a program for a target, with one of its choices. `FileNotFoundError` without Triton, or
    if it refuses the kernel."""
    (case,) = [case for case in (*CASES, *EVERYDAY) if case.title == program]
    with TemporaryDirectory(prefix="asmgen-") as name:
        folder = Path(name)
        words = [str(KERNELS), str(folder), target, "--program", program, "--choice", str(number)]
        ran = subprocess.run(
            [_python(), *words], check=False, capture_output=True, text=True, timeout=_SECONDS
        )
        if ran.returncode:
            raise FileNotFoundError(f"{_python()} compiles no kernel: {_last_line(ran.stderr)}")
        (choice,) = msgspec.json.decode((folder / "space.json").read_bytes(), type=list[Choice])
        given, results = _buffers(case, target)
        buffers = [*given, *unwritten(results)]
        sample = sample_of(choice, folder, buffers, SCRATCH)
        wrong = faults(sample, len(given), results, truths(case.name, given))
        arguments = call_of(choice, buffers, SCRATCH).arguments
        return Made((folder / choice.file).read_bytes(), choice, arguments, tuple(wrong))


def _python() -> str:
    named = os.environ.get(VARIABLE)
    if named is None and find_spec("triton") is not None:
        return sys.executable
    if named is None or not os.access(named, os.X_OK):
        raise FileNotFoundError(
            _MISSING if named is None else f"{VARIABLE} names {named}, which is no program"
        )
    return named


def _buffers(case: Case, target: str) -> tuple[list[Array], list[Array]]:
    """The arguments of a program, and arrays like its results."""
    program = asmgen.compile(case.text, target=target, fast_math=case.fast_math, tuned="off")
    assert program.graph is not None, "the source is a graph"
    (returned,) = [each for each in program.graph.modules[-1].statements if each.op is RETURN]
    types = [tensor_type(value) for value in returned.operands]
    results = [np.zeros(type_.shape, numpy_dtype(type_.element)) for type_ in types]
    return arguments_of(program, case), results


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it ended with an error"])[-1]
