"""A profile as a page: the report's page of each launch, with clocks by line, causes, and a timeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType

import numpy as np

from asmgen.profile.build import Profiled
from asmgen.profile.charged import charges_of
from asmgen.profile.model import LaunchProfile
from asmgen.profile.text import bound_text, rests_text
from asmgen.report.build import report_image
from asmgen.report.page.data import Fact, KernelPage, Page, Panel, Profile, Section, Wave
from asmgen.report.page.html import to_html as page_html
from asmgen.report.page.kernel import kernel_page
from asmgen.report.page.listing import listing_of
from asmgen.report.page.sources import source_text
from asmgen.report.text import plural
from isa.timing.busy import executions
from isa.timing.timeline import CAUSES, Timeline, WaveClocks

MOST_SPANS = 200_000  # of the waves that a page shows
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})
_NUMBERS = {cause: number for number, cause in enumerate(CAUSES)}


def to_html(launches: Sequence[tuple[Profiled, int]], texts: Mapping[str, str] = _NO_TEXTS) -> str:
    """The page of launches, each with the number of times that it is launched. `texts` are source texts by
    name; other sources are read if they are files below the current folder."""
    text_of = partial(source_text, texts)
    return page_html(Page(tuple([_kernel(each, times, text_of) for each, times in launches])))


def _kernel(each: Profiled, times: int, text_of: partial[str]) -> KernelPage:
    image = each.launch.image
    return kernel_page(report_image(image), listing_of(image, text_of), profile_data(each, times))


def profile_data(each: Profiled, times: int) -> Profile:
    """The clocks of a launch as the page reads them."""
    timeline, profile = each.timeline, each.profile
    charges = chain.from_iterable(
        (charge.line, _NUMBERS[charge.cause], charge.clocks, charge.culprit)
        for charge in charges_of(timeline)
    )
    return Profile(
        clocks=timeline.clocks, causes=[cause.value for cause in CAUSES],
        executions=executions(timeline.trace).tolist(), charges=list(charges), waves=_waves(timeline),
        facts=_facts(profile, times), notes=(*profile.notes, _trusted(profile)),
        panels=(_panel(profile),),
    )  # fmt: skip


def _facts(profile: LaunchProfile, times: int) -> tuple[Fact, ...]:
    bound, groups = profile.bound, plural(profile.groups, "workgroup")
    repeated = f", {times} times" if times > 1 else ""
    return (
        Fact("Launch", f"{profile.microseconds:.1f} us", f"{profile.launch_clocks:,.0f} clocks{repeated}"),
        Fact("Workgroup", f"{profile.group_clocks:,.0f}", f"clocks, of {groups}"),
        Fact("Waves", f"{profile.resident_waves} of {profile.most_waves}", "a SIMD in this launch"),
        Fact("Bound by", bound.kind, f"{bound.what}, {bound.share:.0%}", "warn"),
        Fact("Roof", f"{profile.roof:.0%}", profile.uses[0].unit if profile.uses else ""),
    )


def _trusted(profile: LaunchProfile) -> str:
    return (
        f"The launch's clocks {rests_text(profile.launch_rests)}, the waves' on "
        f"{rests_text(profile.rests).removeprefix('rest on ')}."
    )


def _panel(profile: LaunchProfile) -> Panel:
    advice = Section(
        "What to try", "", ("#clocks", "change"),
        tuple([(f"{each.gain:.0%}", each.text) for each in profile.advice]),
        tuple([each.line for each in profile.advice]),
    )  # fmt: skip
    uses = Section(
        "Units", f"The launch is bound by {bound_text(profile)}.", ("unit", "#busy", "#clocks alone", "rate"),
        tuple([(use.unit, f"{use.share:.0%}", f"{use.at_least:,.0f}", use.trust) for use in profile.uses]),
    )  # fmt: skip
    total = max(1, profile.residence)
    causes = Section(
        "Clocks of the waves", f"They {rests_text(profile.rests)}.", ("cause", "#share", "#clocks"),
        tuple([(cause, f"{clocks / total:.1%}", f"{clocks:,}") for cause, clocks in profile.causes]),
    )  # fmt: skip
    return Panel("Clocks", (advice, uses, causes) if profile.advice else (uses, causes))


def _waves(timeline: Timeline) -> list[Wave]:
    """The waves of a timeline, as many as fit."""
    sizes = np.cumsum([len(wave.clocks) for wave in timeline.waves])
    count = max(1, int(np.searchsorted(sizes, MOST_SPANS, "right")))
    waves: list[Wave] = []
    for wave in timeline.waves[:count]:
        traced = timeline.trace.waves[wave.wave]
        name = f"group {traced.group}.{traced.number}"
        waves.append(Wave(name, wave.simd, wave.start, _spans(timeline, wave, count)))
    return waves


def _spans(timeline: Timeline, wave: WaveClocks, count: int) -> list[int]:
    """The spans of a wave: its charges; those that follow each other and differ only in clocks are a single
    span. Culprits are among the first `count` waves."""
    lines = timeline.trace.waves[wave.wave].steps[wave.step]
    others = np.where(wave.other < count, wave.other, -1)
    keys = np.stack([wave.cause, lines, wave.culprit, others], axis=1).astype(np.int64)
    if not len(keys):
        return []
    first = np.flatnonzero(np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1))))
    clocks = np.add.reduceat(wave.clocks, first)
    spans: list[int] = np.concatenate([clocks[:, None], keys[first]], axis=1).reshape(-1).tolist()
    return spans
