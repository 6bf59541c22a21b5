"""The sanitizer finds each counter of a wait that is taken out of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.kernels import build_kernel
from asmgen.profile.launches import Launch
from asmgen.profile.programs import launches_of_program
from isa.emulator import load, run_image
from isa.emulator.launching.launch import Settings
from isa.emulator.sanitizer.faults import SanitizerError
from isa.targets import TARGETS
from tests.rows import in_turn

KERNELS = (
    "softmax rows=3 cols=3000", "col_sum rows=300 cols=64", "layernorm rows=2 cols=5000", "transpose rows=70 cols=70",
    "cumsum rows=2 cols=5000", "gemm m=128 n=128 k=192 dtype=f16", "gemm m=70 n=70 k=300 dtype=bf16",
)  # fmt: skip
OTHERS = "global memory for other waves"  # no wave accesses what another stored before such a barrier
PROLOGUE = Settings(entry="prologue")  # old firmware begins at the loads of a kernel's arguments
WAIT = re.compile(r"s_wait(cnt|_\w*cnt|cnt_\w+)\b")
PAIR = re.compile(r"s_wait_(\w+cnt)_dscnt 0x(\w+)")


def without_a_counter(kernel: CompiledKernel) -> Iterator[tuple[str, str]]:
    """The waits of a kernel by counters, each with the assembly without it."""
    lines = kernel.assembly.splitlines()
    for number, line in enumerate(lines):
        wait = line.split(";")[0].strip()
        if WAIT.match(wait) is None or OTHERS in line:
            continue
        for counter, rest in parts(wait):
            yield f"line {number + 1}: {counter}", "\n".join([*lines[:number], rest, *lines[number + 1 :]])


def parts(wait: str) -> Iterator[tuple[str, str]]:
    """The counters of a wait, each with the instruction without it."""
    counters = re.findall(r"\w+cnt\(\d+\)", wait)
    pair = PAIR.fullmatch(wait)
    if pair is not None:
        counts = int(pair[2], 16)
        yield "dscnt", f"s_wait_{pair[1]} {counts >> 8}"
        yield pair[1], f"s_wait_dscnt {counts & 0xFF}"
    elif len(counters) > 1:
        yield from [(counter, "s_waitcnt " + " ".join([each for each in counters if each != counter])) for counter in counters]
    else:
        yield wait, "s_nop 0"


def is_found(launch: Launch, kernel: CompiledKernel, assembly: str) -> bool:
    image = load(assembly, kernel.name, kernel.name)
    try:
        _ = run_image(image, launch.call, sanitize=True, settings=PROLOGUE)
    except SanitizerError:
        return True
    return False


@pytest.mark.parametrize(("target", "words"), in_turn(TARGETS, KERNELS, of=18))
def test_each_missing_counter_is_found(target: str, words: str) -> None:
    name, *sizes = words.split()
    settings = tuple([(key, value) for key, _, value in (size.partition("=") for size in sizes)])
    program = asmgen.compile(build_kernel(name, settings), target=target)
    for launch, kernel in zip(launches_of_program(program, name, (), {}), program.kernels, strict=True):
        assert not is_found(launch, kernel, kernel.assembly)
        waits = list(without_a_counter(kernel))
        assert waits
        assert [wait for wait, assembly in waits if not is_found(launch, kernel, assembly)] == []
