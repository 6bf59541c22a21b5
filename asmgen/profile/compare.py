"""Two builds of a kernel: clocks, registers and instructions, by line.

Lines of the two builds are compared by the source lines that they name, and as text: lines that both builds
have in the same order are aligned, the others are of one build alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from asmgen.profile.model import LaunchProfile, Line
from asmgen.profile.result import Profile
from asmgen.profile.text import source_text
from isa.diagnostics import InputError


class Figure(Struct, frozen=True):
    """A figure of both builds."""

    name: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """The part by which it grows."""
        return (self.after - self.before) / self.before if self.before else float(self.after > 0)


class Aligned(Struct, frozen=True):
    """An instruction of one build or of both: its lines, -1 if it is not there, and its clocks a wave."""

    text: str
    before: int
    after: int
    clocks_before: float
    clocks_after: float


class Comparison(Struct, frozen=True):
    """A launch of two builds, and how often it runs. `sources` are the clocks a wave of source lines, `lines`
    the instructions."""

    before: str
    after: str
    times: int
    target_before: str
    target_after: str
    figures: tuple[Figure, ...]
    causes: tuple[Figure, ...]
    sources: tuple[Figure, ...]
    lines: tuple[Aligned, ...]


def compare(before: Profile, after: Profile) -> tuple[Comparison, ...]:
    """The launches of two builds in pairs, by their names if both have the same names, in order otherwise.
    Equal pairs are compared once.
    `InputError` PRF009 if their numbers differ."""
    first, second = before.profiles, after.profiles
    if len(first) != len(second):
        message = f"got {len(first)} and {len(second)} launches, wanted as many in both builds"
        raise InputError("diff", "PRF009", message, help="--kernel NAME compares a single kernel")
    if sorted(each.name for each in first) == sorted(each.name for each in second):
        first, second = sorted(first, key=_name), sorted(second, key=_name)
    pairs = list(zip(first, second, strict=True))
    keys = [(id(one), id(other)) for one, other in pairs]
    times, distinct = Counter(keys), dict(zip(keys, pairs, strict=True))
    return tuple([_compared(one, other, times[key]) for key, (one, other) in distinct.items()])


def _name(profile: LaunchProfile) -> str:
    return profile.name


TIME = "microseconds"
_NO_SOURCE = "no source line"  # of instructions that the compiler adds, such as preloads of arguments
_FIGURES = {
    "launch clocks": "launch_clocks", TIME: "microseconds", "workgroup clocks": "group_clocks",
    "instructions": "instructions", "executed a wave": "", "VGPRs": "vgprs", "SGPRs": "sgprs",
    "bytes of LDS": "lds_bytes", "bytes of scratch": "scratch_bytes", "workgroups at once": "at_once",
    "waves a SIMD": "resident_waves", "roof": "roof",
}  # fmt: skip
"""The fields of a profile by their names in a comparison."""


def _compared(before: LaunchProfile, after: LaunchProfile, times: int) -> Comparison:
    figures = [
        Figure(label, _figure(before, field), _figure(after, field)) for label, field in _FIGURES.items()
    ]
    return Comparison(
        before.name, after.name, times, before.target, after.target, tuple(figures),
        _paired(_causes(before), _causes(after)), _paired(_sources(before), _sources(after)),
        _aligned(before, after),
    )  # fmt: skip


def _figure(profile: LaunchProfile, field: str) -> float:
    if not field:
        return sum(line.executions for line in profile.lines) / _waves(profile)
    return float(getattr(profile, field))


def _waves(profile: LaunchProfile) -> int:
    return max(1, profile.replayed * profile.waves)


def _causes(profile: LaunchProfile) -> dict[str, float]:
    return {cause: clocks / _waves(profile) for cause, clocks in profile.causes}


def _sources(profile: LaunchProfile) -> dict[str, float]:
    sums: dict[str, float] = {}
    for line in profile.lines:
        name = line.place or source_text(line) or _NO_SOURCE
        sums[name] = sums.get(name, 0.0) + line.clocks / _waves(profile)
    return sums


def _paired(before: dict[str, float], after: dict[str, float]) -> tuple[Figure, ...]:
    """The figures of both, the largest change first."""
    names = dict.fromkeys((*before, *after))
    figures = [Figure(name, before.get(name, 0.0), after.get(name, 0.0)) for name in names]
    return tuple(sorted(figures, key=lambda figure: -abs(figure.after - figure.before)))


def _aligned(before: LaunchProfile, after: LaunchProfile) -> tuple[Aligned, ...]:
    """The executed instructions of both in the order of the code."""
    first, second = before.lines, after.lines
    matcher = SequenceMatcher(None, [line.text for line in first], [line.text for line in second], False)
    made: list[Aligned] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            made += [
                Aligned(one.text, one.line, other.line, _clocks(one, before), _clocks(other, after))
                for one, other in zip(first[i:j], second[k:m], strict=True)
            ]
            continue
        made += [Aligned(line.text, line.line, -1, _clocks(line, before), 0.0) for line in first[i:j]]
        made += [Aligned(line.text, -1, line.line, 0.0, _clocks(line, after)) for line in second[k:m]]
    return tuple(made)


def _clocks(line: Line, profile: LaunchProfile) -> float:
    return line.clocks / _waves(profile)


def worst(lines: Sequence[Aligned], count: int) -> list[Aligned]:
    """The instructions with the largest changes of clocks, in the order of the code."""
    ranked = sorted(range(len(lines)), key=lambda i: -abs(lines[i].clocks_after - lines[i].clocks_before))
    kept = [i for i in sorted(ranked[:count]) if lines[i].clocks_after != lines[i].clocks_before]
    return [lines[i] for i in kept]
