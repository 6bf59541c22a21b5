"""The findings that a planted fault may be named by, and short ways to write the faults down."""

from __future__ import annotations

import re

from tests.compiled.mutation import Edit, Fault

WAIT = frozenset({"SAN001"})
HAZARD = frozenset({"SAN002"})
RACE = frozenset({"SAN003"})
UNINITIALISED = frozenset({"SAN004", "SAN006"})
BOUNDS = frozenset({"SAN005", "EMU020"})
ENDLESS = frozenset({"EMU010", "EMU011", "EMU021"})


def swap(old: str, new: str, nth: int = 0) -> Edit:
    """The nth place of a text as it is spelt."""
    return Edit(re.escape(old), new.replace("\\", r"\\"), nth)


def barrier(kernel: str, machine: str, nth: int = 0) -> Fault:
    """The nth barrier of a kernel is not there."""
    return Fault(kernel, f"barrier {nth} dropped", machine, RACE, source=(swap("BARRIER;", ";", nth),))


def source(kernel: str, what: str, machine: str, finds: frozenset[str], *edits: Edit) -> Fault:
    return Fault(kernel, what, machine, finds, source=edits)


def assembly(kernel: str, what: str, machine: str, finds: frozenset[str], *edits: Edit) -> Fault:
    return Fault(kernel, what, machine, finds, assembly=edits)
