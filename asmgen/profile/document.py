"""A profile as JSON: the fields of `asmgen.profile.model`, and the numbers that the text rounds."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import to_builtins

from asmgen.profile.model import LaunchProfile

VERSION = 1


def to_json(profiles: Sequence[LaunchProfile]) -> str:
    """The document of docs/profile.md; ends with a line break."""
    document = {"version": VERSION, "launches": [to_builtins(profile) for profile in profiles]}
    return json.dumps(document, indent=1) + "\n"
