"""A run of the corpus in a Parquet file: a row for each kernel, and the identity of the run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from msgspec import DecodeError, Struct, ValidationError, convert, json
from msgspec.structs import asdict

from isa.diagnostics import InputError
from tools.corpus.record import Record

pa: Any = import_module("pyarrow")  # without types
pq: Any = import_module("pyarrow.parquet")
_ABOUT = b"asmgen corpus 1"  # the key of the metadata
_TYPES = {"str": pa.string(), "int": pa.int64(), "float": pa.float64()}
_SCHEMA = pa.schema([(name, _TYPES[hint.__name__]) for name, hint in get_type_hints(Record).items()])


class About(Struct, frozen=True):
    """The identity of a run: its kernels, and a digest of the code that it ran."""

    seed: int
    first: int
    count: int
    is_small: bool
    version: str


class Run(Struct, frozen=True):
    """A run of the corpus: its records in the order of their numbers."""

    path: str
    about: About
    records: tuple[Record, ...]


def check_new(path: str, replaces: bool) -> None:
    """`InputError` before the work is done: COR002 for a file that exists, unless it `replaces` it, COR005
    for a path that cannot be written."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise InputError("-o", "COR005", f"{path} is a folder, wanted a file")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise InputError("-o", "COR005", f"{folder} is no folder that can be written, wanted one")
    if os.path.exists(path) and not replaces:
        message = f"{path} is there already, wanted a new file"
        raise InputError("-o", "COR002", message, help="--force replaces it")


def write(path: str, about: About, records: Sequence[Record]) -> None:
    """Write a run whole or not at all."""
    rows: list[dict[str, Any]] = [asdict(record) for record in records]
    table: Any = pa.Table.from_pylist(rows, schema=_SCHEMA.with_metadata({_ABOUT: json.encode(about)}))
    part = f"{path}.part"
    pq.write_table(table, part, compression="zstd")
    _ = Path(part).replace(path)


def read(path: str) -> Run:
    """`InputError` COR001 for a file that is no run of the corpus."""
    try:
        table: Any = pq.read_table(path)
        metadata: dict[bytes, bytes] = table.schema.metadata or {}
        about = json.decode(metadata[_ABOUT], type=About)
        return Run(path, about, tuple(convert(table.to_pylist(), list[Record])))
    except (OSError, KeyError, pa.ArrowInvalid, DecodeError, ValidationError) as error:
        message = f"the file cannot be read as a run of the corpus: {_reason(error)}"
        raise InputError(
            path, "COR001", message, help="python -m tools.corpus run -o FILE.parquet"
        ) from error


def _reason(error: Exception) -> str:
    """Why a file is no run of the corpus."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, KeyError):
        return "it has no record of a run"
    return str(error).splitlines()[0]
