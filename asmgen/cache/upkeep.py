"""The upkeep of the cache's folder: how much is there, and the removal of entries by age and size.

Only files with the names of entries and of their temporary files are removed. A process that reads an entry
while it is removed makes its result anew.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from asmgen.cache.store import ENTRIES, PART, TAG

LARGEST = 1 << 30  # bytes of a cache that is pruned by itself
_ABANDONED = 3600.0  # seconds after which a temporary file has no writer any more
_KEY_DIGITS = 62  # of a file's name; the folder has the first two


class Entry(Struct, frozen=True):
    """An entry or a temporary file. `used` is the time of its last use in seconds since the epoch."""

    path: str
    size: int
    used: float

    @property
    def is_part(self) -> bool:
        return self.path.endswith(PART)


class Removed(Struct, frozen=True):
    """The number of entries that were removed, and their bytes."""

    count: int = 0
    size: int = 0


def entries(folder: str) -> list[Entry]:
    """The entries of a cache and its temporary files, the longest unused first."""
    found = [entry for inner in _scanned(os.path.join(folder, ENTRIES)) for entry in _entries_in(inner.path)]
    return sorted(found, key=lambda entry: (entry.used, entry.path))


def _scanned(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:  # it does not exist, or another process has just removed it
        return []


def _entries_in(folder: str) -> list[Entry]:
    found: list[Entry] = []
    for file in _scanned(folder):
        name = file.name.partition(".")[0]
        is_ours = len(name) == _KEY_DIGITS and (file.name == name or file.name.endswith(PART))
        if is_ours:
            with suppress(OSError):
                status = file.stat(follow_symlinks=False)
                found.append(Entry(file.path, status.st_size, status.st_mtime))
    return found


def prune(folder: str, max_size: int | None, max_seconds: float | None) -> Removed:
    """Remove entries that were not used for `max_seconds`, then the longest unused until the others have at
    most `max_size` bytes. Temporary files without a writer are removed too."""
    now = time.time()
    found = entries(folder)
    total = sum(entry.size for entry in found)
    removed: list[Entry] = []
    for entry in found:
        age = now - entry.used
        is_old = (max_seconds is not None and age > max_seconds) or (entry.is_part and age > _ABANDONED)
        is_too_much = max_size is not None and total > max_size and not entry.is_part
        if is_old or is_too_much:
            removed.append(entry)
            total -= entry.size
    return _remove(removed)


def clear(folder: str) -> Removed:
    """Remove all entries, and the folder if nothing else is in it."""
    removed = _remove(entries(folder))
    for inner in _scanned(os.path.join(folder, ENTRIES)):
        _remove_empty(inner.path)
    _remove_empty(os.path.join(folder, ENTRIES))
    if os.path.isdir(folder) and os.listdir(folder) == [TAG]:
        with suppress(OSError):
            os.remove(os.path.join(folder, TAG))
        _remove_empty(folder)
    return removed


def _remove(found: Iterable[Entry]) -> Removed:
    count = size = 0
    for entry in found:
        with suppress(FileNotFoundError):
            os.remove(entry.path)
            count, size = count + 1, size + entry.size
    return Removed(count, size)


def _remove_empty(folder: str) -> None:
    with suppress(OSError):
        os.rmdir(folder)
