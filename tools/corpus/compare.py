"""Two runs of the corpus: which kernels got better or worse, compile slower, are refused or wrong now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from msgspec import Struct

from isa.diagnostics import InputError
from tools.corpus.files import Run
from tools.corpus.record import OK, REFUSED, Record

_LEAST_CHANGE = 0.01  # of clocks that counts
_SLOWER, _SLOWER_BY = 2.0, 0.25  # a compile counts as slower from twice the time and so many seconds more on
_FAMILY_SLOWER = 1.2  # the median of a family and target, from which on the family counts as slower
_LEAST_KERNELS = 20  # of such a family

WRONG, NEWLY_REFUSED, WORSE, REGISTERS, COMPILE, BETTER, ACCEPTED, FEWER = (
    "wrong now", "newly refused", "slower code", "more registers or memory", "slower to compile",
    "faster code", "no longer refused or wrong", "fewer registers or memory",
)  # fmt: skip
REGRESSIONS = (WRONG, NEWLY_REFUSED, WORSE, REGISTERS, COMPILE)
_UNITS = {
    "vgprs": "VGPRs", "agprs": "AGPRs", "sgprs": "SGPRs", "lds_bytes": "bytes of LDS",
    "scratch_bytes": "bytes of scratch",
}  # fmt: skip


class Change(Struct, frozen=True):
    """A kernel with a difference of a kind; `ratio` is its size, by which changes are sorted."""

    kind: str
    name: str
    what: str
    ratio: float = 1.0


class Comparison(Struct, frozen=True):
    """The changes between two runs, the number of kernels that both have, and those that either lacks."""

    before: Run
    after: Run
    common: int
    changes: tuple[Change, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]

    def of(self, kind: str) -> list[Change]:
        """The changes of a kind, the largest first."""
        return sorted(
            (change for change in self.changes if change.kind == kind),
            key=lambda each: (-each.ratio, each.name),
        )

    @property
    def is_worse(self) -> bool:
        return any(change.kind in REGRESSIONS for change in self.changes)


def compare(before: Run, after: Run) -> Comparison:
    """The changes between two runs. `InputError` COR004 if they have no kernel in common."""
    old, new = ({record.name: record for record in run.records} for run in (before, after))
    common = [name for name in old if name in new]
    if not common:
        message = f"{before.path} and {after.path} have no kernel in common, wanted runs of the same seed"
        raise InputError(after.path, "COR004", message)
    changes = [change for name in common for change in _changes(old[name], new[name])]
    changes += _slower_families([(old[name], new[name]) for name in common])
    return Comparison(
        before, after, len(common), tuple(changes),
        tuple([name for name in old if name not in new]), tuple([name for name in new if name not in old]),
    )  # fmt: skip


def _changes(old: Record, new: Record) -> Iterator[Change]:
    if old.status != new.status or (old.status not in (OK, REFUSED) and old.reason != new.reason):
        yield _of_status(old, new)
        return
    if new.status != OK:
        return
    ratio = new.clocks / old.clocks if old.clocks else 1.0
    if abs(ratio - 1) > _LEAST_CHANGE:
        kind = WORSE if ratio > 1 else BETTER
        what = f"{old.clocks:,.0f} to {new.clocks:,.0f} clocks, now limited by {new.limit}"
        yield Change(kind, new.name, what, max(ratio, 1 / ratio))
    yield from _of_memories(old, new)
    if new.compile_seconds > max(_SLOWER * old.compile_seconds, old.compile_seconds + _SLOWER_BY):
        what = f"{old.compile_seconds:.2f} to {new.compile_seconds:.2f} s"
        yield Change(COMPILE, new.name, what, new.compile_seconds / max(old.compile_seconds, 1e-3))


def _of_status(old: Record, new: Record) -> Change:
    what = f"{new.status}: {new.reason}" if new.status != OK else f"it was {old.status}: {old.reason}"
    if new.status == OK or (new.status == REFUSED and old.status != OK):
        return Change(ACCEPTED, new.name, what)
    return Change(NEWLY_REFUSED if new.status == REFUSED else WRONG, new.name, what)


def _of_memories(old: Record, new: Record) -> Iterator[Change]:
    for kind, sign in ((REGISTERS, 1), (FEWER, -1)):
        parts: list[str] = []
        largest = 1.0
        for name in _UNITS:
            a, b = getattr(old, name), getattr(new, name)
            if (b - a) * sign > 0:
                parts.append(f"{a} to {b} {_UNITS[name]}")
                largest = max(largest, max(a, b) / max(1, min(a, b)))
        if parts:
            yield Change(kind, new.name, ", ".join(parts), largest)


def _slower_families(pairs: Sequence[tuple[Record, Record]]) -> Iterator[Change]:
    """The families and targets that compile slower in the median."""
    ratios: dict[str, list[float]] = {}
    for old, new in pairs:
        if old.compile_seconds and new.compile_seconds:
            ratios.setdefault(f"{new.family} {new.target}", []).append(
                new.compile_seconds / old.compile_seconds
            )
    for family, values in sorted(ratios.items()):
        if len(values) >= _LEAST_KERNELS and median(values) > _FAMILY_SLOWER:
            what = f"{median(values):.2f} times as long in the median of {len(values)} kernels"
            yield Change(COMPILE, family, what, median(values))


def text_of(comparison: Comparison, most: int) -> str:
    """The comparison as text, at most `most` kernels of each kind."""
    lines = [heading(comparison)]
    for kind in (*REGRESSIONS, ACCEPTED, BETTER, FEWER):
        changes = comparison.of(kind)
        if changes:
            lines += [
                "",
                f"{kind}: {len(changes)}",
                *[f"  {change.name}: {change.what}" for change in changes[:most]],
            ]
            lines += [f"  ... and {len(changes) - most} more"] if len(changes) > most else []
    return "\n".join(lines)


def heading(comparison: Comparison) -> str:
    """The first line: the kernels of both runs."""
    counts: list[tuple[str, Callable[[Comparison], int]]] = [
        ("missing now", lambda each: len(each.missing)), ("new", lambda each: len(each.added)),
    ]  # fmt: skip
    more = "".join(f", {number} {what}" for what, count in counts if (number := count(comparison)))
    names = {change.name for change in comparison.changes}
    return f"{comparison.common} kernels in both runs, {len(names)} with a change{more}"
