"""The tiles of launches, and what differs between two."""

from __future__ import annotations

from msgspec.structs import asdict

from asmgen.blockwise.schedules.choices import Choice, choice_text, name_of
from asmgen.gridwise.program import GridFile


def tiles(file: GridFile) -> dict[str, Choice]:
    """The choice of each kernel of a file, by its name."""
    return {launch.name: launch.choice for program in file.programs for launch in program.kernels}


def tile_change(before: Choice, after: Choice) -> str:
    """The difference between two choices for a launch: `row with waves=8 (was 4), repeat=4 (was 8)`."""
    if type(before) is not type(after):
        return f"{choice_text(after)} instead of {choice_text(before)}"
    old, new = asdict(before), asdict(after)
    fields = [f"{name}={new[name]} (was {old[name]})" for name in new if new[name] != old[name]]
    return f"{name_of(after)} with {', '.join(fields)}"
