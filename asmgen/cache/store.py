"""Entries on disk: bytes by a key, in files of a folder that many processes use at once.

A write goes to a temporary file, which then takes the name of the entry, so a reader sees a whole entry or
none, and nothing is locked. An entry begins with a digest of its key and content, so a damaged entry counts
as missing. No error of the folder stops a command: the user reads a note about the first error.
"""

from __future__ import annotations

import os
from _blake2 import blake2b  # `hashlib` has the same function, and loads OpenSSL, which takes 3 ms
from collections.abc import Callable, Mapping
from contextlib import suppress

VARIABLE = "ASMGEN_CACHE"  # the folder, or OFF
OFF = "off"
TAG = "CACHEDIR.TAG"  # marks the folder as ours; tools for backups leave such folders out
ENTRIES = "entries"
PART = ".part"  # the suffix of a temporary file

_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
_TAG_TEXT = _SIGNATURE + b"# Results of asmgen. `python -m asmgen cache clear` removes them.\n"
_MAGIC = b"asmgen entry 1\n"
_DIGEST_BYTES = 32
_LARGEST = 1 << 26  # bytes of an entry
_OTHERS_WRITE = 0o002

Tell = Callable[[str], None]


def digest_of(path: str) -> str:
    """The digest of the content of a file. OSError if it cannot be read."""
    with open(path, "rb") as file:
        return digest(file.read())


def digest(data: bytes) -> str:
    """The name of a content: 64 hexadecimal digits."""
    return _hash(data).hex()


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()


class Store:
    """The entries in `folder`. `tell` receives a line the first time that an entry is damaged, and the first
    time that the folder cannot be written."""

    def __init__(self, folder: str, tell: Tell) -> None:
        self.folder = folder
        self._tell = tell
        self._has_told_damage = False
        self._is_writable = True

    def path(self, key: str) -> str:
        """The file of the entry with this key, a `digest`."""
        return os.path.join(self.folder, ENTRIES, key[:2], key[2:])

    def read(self, key: str) -> bytes | None:
        """The content of an entry; None if it is missing or damaged. A read marks the entry as used."""
        path = self.path(key)
        try:
            with open(path, "rb") as file:
                data = file.read(_LARGEST + 1)
        except OSError:
            return None
        content = data[len(_MAGIC) + _DIGEST_BYTES :]
        if data != _sealed(key, content):
            self.tell_damage(key)
            return None
        with suppress(OSError):  # a folder that is read-only keeps no times of use
            os.utime(path)
        return content

    def tell_damage(self, key: str) -> None:
        """Tell the user about a damaged entry, once."""
        if not self._has_told_damage:
            self._has_told_damage = True
            self._tell(f"the cache has a damaged entry, and its result is made anew: {self.path(key)}")

    def write(self, key: str, content: bytes) -> None:
        """Write an entry, whole or not at all. After a failure nothing more is written."""
        if not self._is_writable or len(content) > _LARGEST:
            return
        path = self.path(key)
        part = f"{path}.{os.getpid()}{PART}"
        try:
            self._make_folder(os.path.dirname(path))
            with open(part, "wb") as file:
                _ = file.write(_sealed(key, content))
            os.replace(part, path)
        except OSError as error:
            with suppress(OSError):
                os.remove(part)
            self._is_writable = False
            self._tell(
                f"the cache cannot be written, so results are not kept: {self.folder}: {_reason(error)}"
            )

    def _make_folder(self, folder: str) -> None:
        if os.path.isdir(folder):
            return
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        tag = os.path.join(self.folder, TAG)
        if not os.path.exists(tag):
            with open(tag, "wb") as file:
                _ = file.write(_TAG_TEXT)
        os.makedirs(folder, exist_ok=True)


def open_store(tell: Tell) -> Store | None:
    """The store that the environment names; None if there is none, or if it may not be used, with a note."""
    folder = folder_of()
    if folder is None:
        return None
    refusal = refusal_of(folder)
    if refusal:
        tell(f"the cache is not used: {folder} {refusal}")
        return None
    return Store(folder, tell)


def folder_of(environment: Mapping[str, str] = os.environ) -> str | None:
    """The folder of the cache, an absolute path: `ASMGEN_CACHE`, otherwise `asmgen` in the user's cache
    folder. None if the cache is off, or the user has no home."""
    named = environment.get(VARIABLE, "")
    if named == OFF:
        return None
    if named:
        return os.path.abspath(named)
    caches = environment.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):
        caches = os.path.expanduser("~/.cache")
    return os.path.join(caches, "asmgen") if os.path.isabs(caches) else None


def refusal_of(folder: str) -> str:
    """Why a folder may not be used; empty if it may. A folder that does not exist yet may.

    No command checks an entry again, so only the user and root may be able to write entries.
    A folder with other files is not a cache.
    """
    try:
        status = os.stat(folder)
        if not os.path.isdir(folder):
            return "is not a folder"
        if status.st_uid not in (0, os.getuid()):
            return f"belongs to another user (uid {status.st_uid})"
        if status.st_mode & _OTHERS_WRITE:
            return "can be written by every user"
        names = os.listdir(folder)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {_reason(error)}"
    return "has other files, wanted an empty folder or a cache" if names and TAG not in names else ""


def _sealed(key: str, content: bytes) -> bytes:
    return _MAGIC + _hash(key.encode() + content) + content


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
