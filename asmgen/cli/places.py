"""Places of messages as the command line spells them: `--max-vgprs` for what Python calls `max_vgprs`."""

from __future__ import annotations

import argparse

from isa.diagnostics import Place


def spelt_place(place: Place | str, arguments: argparse.Namespace) -> Place | str:
    """The option for a place that is an argument of the Python API, as `args[2]` is; else the place.

    `arguments` are those that `CommandParser` parsed, whose `options` give the option of each name. What the
    user calls a source is no argument, whatever its name.
    """
    options: dict[str, str] = getattr(arguments, "options", {})
    sources: list[str] = [*getattr(arguments, "sources", ()), getattr(arguments, "source", None) or ""]
    if isinstance(place, Place) or place in sources:
        return place
    name, bracket, rest = place.partition("[")
    return f"{options[name]}{bracket}{rest}" if name in options else place
