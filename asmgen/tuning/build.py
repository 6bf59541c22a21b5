"""The options of a compile that a search chooses."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from asmgen.options import EXACT_ORDER, ORDERS, Options


class Build(Struct, frozen=True):
    """The options of a compile that a search chooses, as in `Options`."""

    max_vgprs: int | None = None
    waves_per_eu: int | None = None
    schedule: bool = True
    order: str = ORDERS[0]

    @staticmethod
    def of(options: Options) -> Build:
        """The build that options state."""
        return Build(options.max_vgprs, options.waves_per_eu, options.schedule, options.order)

    def applied(self, options: Options) -> Options:
        """The options with this build."""
        return replace(
            options,
            max_vgprs=self.max_vgprs,
            waves_per_eu=self.waves_per_eu,
            schedule=self.schedule,
            order=self.order,
        )

    @property
    def words(self) -> list[str]:
        """The options of the command line."""
        words: list[str] = []
        if self.max_vgprs is not None:
            words += ["--max-vgprs", str(self.max_vgprs)]
        if self.waves_per_eu is not None:
            words += ["--waves-per-eu", str(self.waves_per_eu)]
        if not self.schedule:
            words.append("--no-schedule")
        if self.order == EXACT_ORDER:
            words += ["--order", self.order]
        return words
