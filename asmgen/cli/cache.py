"""`cache`: show the folder of kept answers, prune it by size and age, or clear it."""

from __future__ import annotations

import argparse
import time

from asmgen.cache.store import OFF, VARIABLE, folder_of, refusal_of
from asmgen.cache.upkeep import LARGEST, clear, entries, prune
from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.grammar.values import UNITS, age_of, size_of
from isa.diagnostics import InputError


def execute(arguments: argparse.Namespace) -> int:
    """Show, prune or clear the cache. `InputError` CCH001 if it is off, CCH002 for a folder that may not
    be used."""
    if arguments.action != "prune":
        refuse_given(
            arguments, ("--max-size", "--max-age"), f"`cache {arguments.action}` removes no entry by it"
        )
    folder = folder_of()
    if folder is None:
        message = f"the cache is off, wanted the name of its folder or nothing in {VARIABLE}"
        raise InputError(VARIABLE, "CCH001", message, help=f"{VARIABLE}={OFF} turns the cache off; unset it")
    refusal = refusal_of(folder)
    if refusal:
        message = f"the folder {refusal}"
        raise InputError(folder, "CCH002", message, help=f"{VARIABLE}=FOLDER names another folder")
    if arguments.action == "show":
        _show(folder)
        return 0
    if arguments.action == "clear":
        removed = clear(folder)
    else:
        size = LARGEST if arguments.max_size is None else size_of(arguments.max_size, "--max-size", "CCH003")
        removed = prune(
            folder,
            size,
            None if arguments.max_age is None else age_of(arguments.max_age, "--max-age", "CCH004"),
        )
    print(f"{folder}: removed {_entries(removed.count)}, {_bytes(removed.size)}")
    return 0


def _show(folder: str) -> None:
    found = entries(folder)
    print(f"{folder}: {_entries(len(found))}, {_bytes(sum(entry.size for entry in found))}")
    if found:
        print(f"longest unused: {_time(found[0].used)}, last used: {_time(found[-1].used)}")


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _bytes(size: int) -> str:
    return f"{size / UNITS['M']:.1f} MiB"


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
