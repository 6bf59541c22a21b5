"""`python -m tools.tune_programs`: tune more than 60 programs, and say how far the compiler's schedules are
from the best that was found.

The programs are kernels of the catalogue in several shapes and types, and the gen texts of the scoreboard
(`tools.scoreboard.everyday`), each for a target in turn. A line has the time by the default schedules, the
share of the fastest, and its schedule; each winner is verified on the emulator (`--unverified` leaves that
out). The summary has the geometric mean of the shares, and how many programs became faster by 0.5 %.

`--part 2/4` does the second quarter, `--program NAME` a single program; `--candidates 60` is the default.
`--results FILE` appends a JSON line for each program, and leaves out programs that have a line.
Exits 1 if a winner is wrong, or slower than the default.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import exp, log
from pathlib import Path

from msgspec import Struct, json

from asmgen.compilation import Source
from asmgen.frontends.sources import read_file
from asmgen.kernels import build_kernel
from asmgen.options import Options, make_options
from asmgen.tuning.candidates import Candidate, Measured, schedule_texts
from asmgen.tuning.subject import Found, Subject
from asmgen.verification import hold
from isa.diagnostics import InputError
from isa.targets import TARGETS, parse_target
from tools.scoreboard.everyday import EVERYDAY

_TEXTS = Path(__file__).parent / "scoreboard" / "everyday"
_FASTER = 0.995
_CATALOGUE = (
    "vecadd n=1000000", "gelu n=65536 dtype=f16", "row_sum rows=512 cols=2048", "row_max rows=64 cols=8192",
    "softmax rows=512 cols=2048", "softmax rows=16384 cols=128 dtype=f16", "layernorm rows=256 cols=4096",
    "rmsnorm rows=1024 cols=768 dtype=bf16", "argmax rows=1024 cols=512", "cumsum rows=256 cols=4096",
    "col_sum rows=1024 cols=1024", "transpose rows=512 cols=512", "full_sum n=1048576",
    "dot_product n=262144 dtype=f16", "gather_add n=262144",
    "gemm m=256 n=256 k=256 dtype=f16", "gemm m=64 n=512 k=1024 dtype=f16", "gemm m=512 n=512 k=512",
    "gemm m=1024 n=128 k=256 dtype=bf16", "gemv m=1024 k=2048",
    "batched_gemm batch=16 m=64 n=64 k=64 dtype=f16",
    "linear m=128 n=512 k=512 dtype=f16", "swiglu_mlp m=64 n=256 k=256 dtype=f16",
    "quantised_linear m=16 n=512 k=512 dtype=f16", "int4_linear m=1 n=1024 k=1024 dtype=f16",
)  # fmt: skip


class Tuned(Struct):
    """A program after its search: microseconds by the default, the share of the fastest, its schedules with
    their options, and what became of the verification: verified, wrong, or too large."""

    program: str
    target: str
    microseconds: float
    share: float
    usual: str
    fastest: str
    verdict: str


class Item(Struct, frozen=True):
    """A program to tune: its name, and its target."""

    name: str
    target: str

    @property
    def options(self) -> Options:
        """The scoreboard compiles its programs with fast math."""
        return make_options({"fast_math": self.name in _FAST})

    def source(self) -> Source:
        """The program as read."""
        name, *settings = self.name.split()
        if not settings:
            return read_file(_TEXTS / f"{name}.gen", None)
        pairs = [(key, value) for key, _, value in (word.partition("=") for word in settings)]
        return Source.of_program(name, build_kernel(name, pairs))


_FAST = frozenset(case.title for case in EVERYDAY)


def items() -> list[Item]:
    """All programs, each with a target in turn."""
    names = [*_CATALOGUE, *sorted(_FAST)]
    targets = list(TARGETS)
    return [Item(name, targets[number % len(targets)]) for number, name in enumerate(names)]


def tuned(item: Item, candidates: int, verifies: bool) -> Tuned:
    """Search the schedules of a program in this process, and verify the fastest."""
    subject = Subject.of(item.source(), parse_target(item.target), item.options, {})

    def ask(asked: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        return [_time(subject, candidate, is_whole) for candidate in asked]

    found = subject.found(subject.search(ask, candidates), 10)
    assert found.usual is not None, "the default compiles"
    fastest = found.faster or found.usual
    usual, best = [
        " ".join([*schedule_texts(subject.schedules(each)), *each.build.words])
        for each in (found.usual, fastest)
    ]
    verdict = _verdict(subject, found) if verifies else "unverified"
    return Tuned(item.name, item.target, found.usual.microseconds, found.share, usual, best, verdict)


def _time(subject: Subject, candidate: Candidate, is_whole: bool) -> Measured | None:
    try:
        return subject.judge.measure(candidate) if is_whole else subject.judge.estimate(candidate)
    except InputError:
        return None


def _verdict(subject: Subject, found: Found) -> str:
    """The emulator's findings about the fastest program."""
    if found.faster is None:
        return "the default"
    try:
        return "wrong" if hold(subject.compiled(found.faster), device="emulator").is_broken else "verified"
    except InputError as error:
        return f"wrong: {error}"


def _done(path: Path | None) -> list[Tuned]:
    if path is None or not path.exists():
        return []
    return [json.decode(line, type=Tuned) for line in path.read_bytes().splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    number, count = [int(word) for word in options.part.split("/")]
    wanted = items()[number - 1 :: count]
    if options.program:
        wanted = [item for item in items() if item.name in options.program]
    if options.target:
        wanted = [Item(item.name, options.target) for item in wanted]
    done = _done(options.results)
    known = {(each.program, each.target) for each in done}
    for item in wanted:
        if (item.name, item.target) not in known:
            each = tuned(item, options.candidates, not options.unverified)
            print(_line(each), flush=True)
            done.append(each)
            if options.results is not None:
                with options.results.open("ab") as file:
                    _ = file.write(json.encode(each) + b"\n")
    print(_summary(done))
    return int(any(each.share > 1 or each.verdict.startswith("wrong") for each in done))


def _line(each: Tuned) -> str:
    return (
        f"{each.share:.3f} of {each.microseconds:8.2f} us  {each.target:7}  {each.program}: {each.verdict}\n"
        f"    {each.usual}\n    {each.fastest}"
    )


def _summary(done: Sequence[Tuned]) -> str:
    mean = exp(sum(log(each.share) for each in done) / max(1, len(done)))
    faster = sum(each.share < _FASTER for each in done)
    wrong = [each.program for each in done if each.verdict.startswith("wrong")]
    return (
        f"{len(done)} programs, {faster} faster by {1 - _FASTER:.1%} or more; the fastest take {mean:.3f} of "
        f"the default's time in the geometric mean; wrong: {', '.join(wrong) or 'none'}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.tune_programs", description="Tune 60 programs and compare with the defaults."
    )
    _ = parser.add_argument("--candidates", type=int, default=60, metavar="N", help="for each program")
    _ = parser.add_argument("--part", default="1/1", metavar="K/N", help="every N-th program, from the K-th")
    _ = parser.add_argument("--program", action="append", default=[], help="only this; may be repeated")
    _ = parser.add_argument("--target", choices=list(TARGETS), help="for all programs, in place of their own")
    _ = parser.add_argument(
        "--results", type=Path, metavar="FILE", help="append a JSON line for each program"
    )
    _ = parser.add_argument("--unverified", action="store_true", help="do not run the fastest programs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
