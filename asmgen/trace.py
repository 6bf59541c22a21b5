"""Tracing a compile: the decisions of the passes, a line for each.

    trace = make_trace("waits,hazards", "--trace", sys.stderr.write)
    trace.tell(Channel.WAITS, insertions, before, after)

A pass does not know that it is traced: functions next to it read the lines off its result
(`regalloc.scan.lines`, `asmgen.passes.combine.lines`, `asmgen.select.memory.lds`), and only if the channel is
on. docs/tracing.md describes the channels. (`asmgen.frontends.traced.trace` traces a Python function into a
graph.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import ParamSpec

from msgspec import Struct

from isa.diagnostics import InputError, close_names

Described = ParamSpec("Described")


class Channel(Enum):
    """A subject of tracing; the value is its name for users, and the first word of its lines."""

    ATTRIBUTES = "attributes"
    FUSE = "fuse"
    SCHEDULES = "schedules"
    REGALLOC = "regalloc"
    LIVENESS = "liveness"
    CSE = "cse"
    COMBINE = "combine"
    LDS_OFFSETS = "lds-offsets"
    SCHEDULE = "schedule"
    ORDER = "order"
    WAITS = "waits"
    HAZARDS = "hazards"

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`


class Trace(Struct, frozen=True):
    """The channels that are on, and the function that writes their lines, each with its line break."""

    channels: frozenset[Channel]
    write: Callable[[str], object]

    def tell(
        self,
        channel: Channel,
        describe: Callable[Described, Iterable[str]],
        *args: Described.args,
        **kwargs: Described.kwargs,
    ) -> None:
        """Write the lines that `describe` makes of its arguments; it is not called if the channel is off."""
        if channel in self.channels:
            for line in describe(*args, **kwargs):
                _ = self.write(f"{channel.value}: {line}\n")


def _nowhere(_line: str) -> None:
    """Takes no lines: nothing is on."""


OFF = Trace(frozenset(), _nowhere)


def make_trace(names: str, place: str, write: Callable[[str], object]) -> Trace:
    """A trace of channels by their names, separated by commas; `InputError` at `place` for an unknown
    channel."""
    known = {channel.value: channel for channel in Channel}
    channels: set[Channel] = set()
    for name in names.split(","):
        if name not in known:
            raise InputError(
                place,
                "CHN001",
                f"unknown channel {name!r}, wanted some of {','.join(known)}",
                help=close_names(name, known),
            )
        channels.add(known[name])
    return Trace(frozenset(channels), write)
