"""The profile of a source, and its forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from asmgen.profile.build import Profiled
from asmgen.profile.model import LaunchProfile
from asmgen.profile.text import render
from asmgen.report.text import PLAIN, Style

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class Profile(Struct, frozen=True):
    """The launches of a source in order. Launches that take the same time have the same profile."""

    launches: tuple[Profiled, ...]

    @property
    def distinct(self) -> list[tuple[Profiled, int]]:
        """The profiles in the order of their first launches, and how often each is launched."""
        times = Counter(map(id, self.launches))
        return [(each, times[id(each)]) for each in {id(each): each for each in self.launches}.values()]

    @property
    def profiles(self) -> tuple[LaunchProfile, ...]:
        return tuple([each.profile for each in self.launches])

    def to_text(self, style: Style = PLAIN) -> str:
        """The launches as text."""
        return render([(each.profile, times) for each, times in self.distinct], style)

    def to_json(self) -> str:
        """The document of docs/profile.md."""
        from asmgen.profile.document import to_json

        return to_json(self.profiles)

    def to_perfetto(self) -> bytes:
        """A trace for ui.perfetto.dev: the replayed waves, a nanosecond for each clock."""
        from asmgen.profile.perfetto import to_perfetto

        return to_perfetto(self.launches)

    def to_html(self, texts: Mapping[str, str] = _NO_TEXTS) -> str:
        """A page without external resources. `texts` are source texts by name."""
        from asmgen.profile.page import to_html

        return to_html(self.distinct, texts)
