"""A profile as text: the launch, what limits it, the lines that cost most and why, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from asmgen.profile.model import Advice, LaunchProfile, Line, Rest, Use
from asmgen.report.text import Style, plural, shorten

SHOWN = 10  # lines
_SHOWN_USES = 3
_SEEN = 0.005  # the smallest share that is not 0 %
_LABEL = 11
_WHY = 40
_SOURCE = 16
_NOTHING = "nothing is launched: every result is without elements"
_BOLD, _DIM = "\x1b[1m", "\x1b[2m"


def render(launches: Sequence[tuple[LaunchProfile, int]], style: Style) -> str:
    """The launches of a source, each with the number of times that it is launched; then all launches by
    time. Ends with a line break."""
    parts = ["\n".join(_launch(profile, times, style)) for profile, times in launches] or [_NOTHING]
    if sum(times for _, times in launches) > 1:
        parts.append("\n".join(_all_launches(launches, style)))
    return "\n\n".join(parts) + "\n"


def _all_launches(launches: Sequence[tuple[LaunchProfile, int]], style: Style) -> list[str]:
    """The time of all launches together, and the part of each."""
    count, total = sum(times for _, times in launches), sum(map(_microseconds, launches))
    name = max(len("kernel"), *[len(profile.name) for profile, _ in launches])
    lines = [f"{count} launches: {total:.1f} us"]
    lines.append(style.paint(f"        us      %  launches  {'kernel':<{name}}  bound by", _DIM))
    for each in sorted(launches, key=_microseconds, reverse=True):
        profile, times = each
        share = _microseconds(each) / total
        figures = f"  {_microseconds(each):>8.1f}  {share:>5.1%}  {times:>8}  {profile.name:<{name}}"
        lines.append(shorten(f"{figures}  {bound_text(profile)}", style.width))
    return lines


def _microseconds(launch: tuple[LaunchProfile, int]) -> float:
    """The time of all launches of a profile."""
    profile, times = launch
    return profile.microseconds * times


def time_line(profile: LaunchProfile, times: int) -> str:
    """The time of a launch and what limits it, on a line."""
    repeated = f" ({times} times)" if times > 1 else ""
    return (
        f"{profile.launch_clocks:,.0f} clocks, {profile.microseconds:.1f} us at "
        f"{profile.megahertz / 1000:.2f} GHz{repeated}; {bound_text(profile)}; "
        f"clocks {rests_text(profile.launch_rests)}"
    )


def _launch(profile: LaunchProfile, times: int, style: Style) -> list[str]:
    items = profile.block[0] * profile.block[1] * profile.block[2]
    size = f"{plural(profile.groups, 'workgroup')} of {plural(items, 'work-item')}"
    rows = [
        ("launch", _time(profile)),
        ("workgroup", _workgroup(profile)),
        ("bound by", bound_text(profile)),
        ("roof", _roof(profile)),
        ("occupancy", _occupancy(profile)),
        ("units", _uses(profile.uses)),
        ("waves", _causes(profile)),
        ("figures", f"the launch's clocks {rests_text(profile.launch_rests)}"),
        ("", f"the waves' clocks {rests_text(profile.rests)}"),
    ]
    what = f"{profile.target}: {size}, {plural(profile.waves, 'wave')} each"
    repeated = f"; {times} times" if times > 1 else ""
    lines = [f"{style.paint(profile.name, _BOLD)} for {what}{repeated}"]
    lines += [shorten(f"  {label:<{_LABEL}}{text}", style.width) for label, text in rows]
    lines += ["", *_table(profile, style)]
    if profile.advice:
        lines += ["", "  what to try"]
        lines += [line for advice in profile.advice for line in _advised(advice, style)]
    return [*lines, *(f"  note: {note}" for note in profile.notes)]


def _advised(advice: Advice, style: Style) -> list[str]:
    """An advice on as many lines as it takes."""
    head = f"  {advice.gain:>6.0%}  "
    return wrap(advice.text, style.width, initial_indent=head, subsequent_indent=" " * len(head))


def _time(profile: LaunchProfile) -> str:
    return (
        f"{profile.launch_clocks:,.0f} clocks, {profile.microseconds:.1f} us at "
        f"{profile.megahertz / 1000:.2f} GHz ({profile.megahertz_trust}), of them "
        f"{profile.overhead_ns / 1000:.1f} us to start and to end ({profile.overhead_trust})"
    )


def _workgroup(profile: LaunchProfile) -> str:
    at_once = min(profile.at_once, profile.of_unit)
    same = "" if profile.paths == 1 else f"; the recorded workgroups take {profile.paths} paths"
    return (
        f"{profile.group_clocks:,.0f} clocks; {profile.of_unit} on each of {profile.units} units, "
        f"{at_once} at once{same}"
    )


def bound_text(profile: LaunchProfile) -> str:
    bound = profile.bound
    match bound.kind:
        case "throughput":
            return f"throughput of {bound.what}, busy for {bound.share:.0%} of the time"
        case "latency":
            return f"latency: waves wait for {bound.what} for {bound.share:.0%} of their time"
        case _:
            return f"issue: {bound.what}, for {bound.share:.0%} of the waves' time"


def _roof(profile: LaunchProfile) -> str:
    if not profile.uses:
        return "nothing is used"
    use = profile.uses[0]
    return f"{profile.roof:.0%}: {use.unit} alone would take {use.at_least:,.0f} clocks"


def _occupancy(profile: LaunchProfile) -> str:
    if profile.of_unit < profile.at_once:
        return f"{profile.resident_waves} of {profile.most_waves} waves a SIMD: the launch has no more"
    return (
        f"{profile.resident_waves} of {profile.most_waves} waves a SIMD, limited by "
        f"{', '.join(profile.limited_by)}"
    )


def _uses(uses: Sequence[Use]) -> str:
    return ", ".join(f"{use.unit} {use.share:.0%} ({use.trust})" for use in uses[:_SHOWN_USES])


def _causes(profile: LaunchProfile) -> str:
    total = max(1, profile.residence)
    shares = [(cause, clocks / total) for cause, clocks in profile.causes]
    return ", ".join(f"{cause} {share:.0%}" for cause, share in shares if share >= _SEEN)


def rests_text(rests: Sequence[Rest]) -> str:
    """How far to trust clocks."""
    parts = sorted((rest for rest in rests if rest.share >= _SEEN), key=lambda rest: -rest.share)
    return "rest on " + ", ".join(f"{rest.share:.0%} {rest.trust}" for rest in parts) + " numbers"


def _table(profile: LaunchProfile, style: Style) -> list[str]:
    """The lines with the most clocks."""
    worst = sorted(profile.lines, key=lambda line: (-line.clocks, line.line))[:SHOWN]
    waves = max(1, profile.replayed * profile.waves)
    source = min(_SOURCE, max(len("source"), *(len(source_text(line)) for line in worst)))
    rest = max(24, style.width - 24 - source - _WHY - 4)
    head = f"    line   clocks      %  {'instruction':<{rest}}  {'source':<{source}}  why"
    lines = [style.paint(head, _DIM)]
    for line in worst:
        share = line.clocks / max(1, profile.residence)
        text = shorten(line.text, rest)
        why = why_text(line, profile.lines)
        of = shorten(source_text(line), source)
        figures = f"  {line.line:>6}  {line.clocks / waves:>7,.0f}  {share:>5.1%}"
        row = f"{figures}  {text:<{rest}}  {of:<{source}}  {why}"
        lines.append(shorten(row, style.width).rstrip())
    return lines


def source_text(line: Line) -> str:
    """The source of a line: its op and the line of that, or its place."""
    op = line.op.partition(",")[0]
    return op or line.place.rpartition("/")[2]


def why_text(line: Line, lines: Sequence[Line]) -> str:
    """The largest cause of a line's clocks, in words."""
    issued = line.clocks - sum(stall.clocks for stall in line.stalls)
    if not line.stalls or line.stalls[0].clocks * 2 < issued:
        return f"issued {line.executions} times"
    stall = line.stalls[0]
    name = next((each.text.split()[0] for each in lines if each.line == stall.culprit), "")
    return _STALLS.get(stall.cause, "{cause}").format(
        cause=stall.cause, culprit=f"line {stall.culprit}, {name}" if name else "an earlier instruction",
        of=" (another wave)" if stall.other else "",
    )  # fmt: skip


_STALLS = {
    "dependency": "needs {culprit}",
    "counter": "waits for {culprit}",
    "port": "unit busy with {culprit}{of}",
    "queue": "queue full since {culprit}{of}",
    "LDS conflict": "lanes of {culprit} share banks",
    "barrier": "waits for {culprit}{of}",
    "fetch": "waits for its instruction",
    "branch": "after the branch {culprit}",
    "sleep": "after the wait state {culprit}",
    "end": "until its registers are free",
}
