"""The targets that a tool's command line names."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from isa.diagnostics import InputError
from isa.targets import TARGETS, parse_target


def named_targets(parser: argparse.ArgumentParser, names: Sequence[str]) -> list[str]:
    """The targets without their features; all targets if no name is given. An unknown name ends the tool with
    exit status 2."""
    try:
        return [parse_target(name).target.name for name in names] or list(TARGETS)
    except InputError as error:
        parser.error(error.message)
