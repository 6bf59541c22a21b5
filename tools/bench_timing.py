"""`python -m tools.bench_timing`: how many wave-instructions a second a profile accounts for.

A row is a launch of a kernel of the catalogue or of tools/clang-kernels:

* `waves`: those of a SIMD at once
* `replayed`: wave-instructions of the replayed workgroups, of which each clock has a cause
* `launch`: wave-instructions of the whole launch: as many times more as it has more workgroups
* `emulator`, `model`: CPU seconds to record the workgroups, and to profile the recording
* `replay M/s`: million replayed wave-instructions a second of the model; `launch M/s`: million
  wave-instructions of the launch a second of both

A row has the best of its rounds, since the machine may be busy. docs/timing.md has the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

import asmgen
from asmgen.kernels import CATALOGUE
from asmgen.profile.build import placed, profile_recorded
from asmgen.profile.launches import Launch, zeros
from asmgen.profile.programs import launches_of_program
from asmgen.profile.recorded import recorded_launch
from asmgen.runtime.calls import run_kernels
from isa.targets import parse_target
from tools.cpu import timed
from tools.scoreboard.cases import CASES
from tools.scoreboard.products.clang import kernels_for, launches_of, scratch_size, scratch_type
from tools.scoreboard.products.measured import arrays_of
from tools.scoreboard.products.shapes import Product
from tools.scoreboard.programs import arguments_of, clang_launches


class Rate(Struct, frozen=True):
    """A row of the table, with its clocks, by which two checkouts are compared."""

    name: str
    waves: int
    replayed: int
    launch: int
    emulator: float
    model: float
    clocks: float

    def __str__(self) -> str:
        replay, all_ = self.replayed / self.model / 1e6, self.launch / (self.emulator + self.model) / 1e6
        return (
            f"{self.name:<38}{self.waves:>6}{self.replayed:>12,}{self.launch:>16,}{self.emulator:>9.3f}"
            f"{self.model:>8.3f}{replay:>11.2f}{all_:>11.2f}{self.clocks:>14,.0f}"
        )


HEAD = (
    f"{'launch':<38}{'waves':>6}{'replayed':>12}{'launch':>16}{'emulator':>9}{'model':>8}{'replay M/s':>11}"
    f"{'launch M/s':>11}{'clocks':>14}"
)


def measured(name: str, launch: Launch, rounds: int) -> Rate:
    """The best of some rounds of a launch."""
    best = _round(name, launch)
    for _ in range(rounds - 1):
        again = _round(name, launch)
        best = replace(best, emulator=min(best.emulator, again.emulator), model=min(best.model, again.model))
    return best


def _round(name: str, launch: Launch) -> Rate:
    where = placed(launch)
    recorded, emulator = timed(lambda: recorded_launch(launch, where.where, None))
    profiled, model = timed(lambda: profile_recorded(launch, where, recorded))
    profile = profiled.profile
    replayed = sum(len(wave.steps) for wave in profiled.timeline.trace.waves)
    return Rate(
        name, profile.resident_waves, replayed, replayed * launch.groups // profile.replayed, emulator, model,
        profile.launch_clocks,
    )  # fmt: skip


def of_catalogue(name: str, target: str, **settings: str) -> list[Launch]:
    kernel = CATALOGUE[name]
    text = kernel.text(kernel.settings(list(settings.items())))
    return launches_of_program(asmgen.compile(text, target=target), name, (), {})


def of_clang(source: str, target: str) -> list[Launch]:
    """The launches of a kernel of the scoreboard."""
    case = next(case for case in CASES if any(peer.source == source for peer in case.peers))
    peer = next(peer for peer in case.peers if peer.source == source)
    program = asmgen.compile(case.text, target=target)
    given = arguments_of(program, case)
    results = run_kernels(program, given, lambda _kernel, _signature, buffers: buffers)
    return [Launch(image, call, source) for image, call in clang_launches(peer, target, [*given, *results])]


def of_clang_product(element: str, target: str) -> list[Launch]:
    """The launches of the first kernel that a person tries for a product of 4096 rows, columns and
    elements."""
    product = Product("gemm", 4096, 4096, 4096, element)
    kernel = next(kernels_for(product, parse_target(target).target))
    scratch = zeros(np.dtype(scratch_type(product)), (scratch_size(kernel, product),))
    return list(launches_of(kernel, product, target, arrays_of(product), scratch))


_LARGE = {"m": "4096", "n": "4096", "k": "4096"}
Made = Callable[[], list[Launch]]


def launches() -> Iterator[tuple[str, Made]]:
    """The launches of the table by their names."""
    for name, target in (
        ("vecadd", "gfx942"), ("softmax", "gfx942"), ("layernorm", "gfx1100"), ("gelu", "gfx1201"),
        ("cumsum", "gfx1100"), ("gemv", "gfx942"), ("gemm", "gfx942"), ("gemm", "gfx1201"),
    ):  # fmt: skip
        yield f"{name} {target}", partial(of_catalogue, name, target)
    yield "vecadd n=2^26 gfx942", partial(of_catalogue, "vecadd", "gfx942", n=str(1 << 26))
    yield "softmax 4096x32768 gfx942", partial(of_catalogue, "softmax", "gfx942", cols="32768")
    yield "softmax 65536x1024 gfx1201", partial(of_catalogue, "softmax", "gfx1201", rows="65536")
    for element, target in (
        ("f16", "gfx942"), ("f32", "gfx90a"), ("bf16", "gfx950"), ("f16", "gfx1201"), ("f32", "gfx1100"),
    ):  # fmt: skip
        made = partial(of_catalogue, "gemm", target, dtype=element, **_LARGE)
        yield f"gemm 4096 {element} {target}", made
    for source, target in (("softmax", "gfx942"), ("layernorm", "gfx942"), ("row_sum_wave", "gfx1100")):
        yield f"clang {source} {target}", partial(of_clang, source, target)
    for element, target in (("f16", "gfx942"), ("f32", "gfx942"), ("f16", "gfx1100"), ("f32", "gfx1100")):
        yield f"clang gemm 4096 {element} {target}", partial(of_clang_product, element, target)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_timing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds; the best counts")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="only launches with one of these in the name"
    )
    options = parser.parse_args(arguments)
    names: list[str] = options.names
    print(HEAD)
    for name, made in launches():
        if not names or any(part in name for part in names):
            for launch in made():
                print(measured(name, launch, options.rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
