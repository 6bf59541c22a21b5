"""Schedules that users add to those of the project (docs/by-hand.md, "Schedules by hand")."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import NAMES, Body, Choice
from asmgen.blockwise.schedules.kernel_graph import Graph
from isa.diagnostics import InputError
from isa.target import Target

Page = Callable[[Graph, Any, Target], Kernel]
_NAME = re.compile(r"[a-z_]\w*", re.ASCII)
_PAGES: dict[type[Struct], Page] = {}


def register(name: str, record: type[Struct], page: Page) -> None:
    """Make `name[...]` the text of a schedule: its choices are the fields of `record`, a frozen
    `msgspec.Struct` with numbers from 1, and `page` writes the tile program of a launch. The class variable
    `body` of the record is the kind of launches that it takes, a `Body`.

    The verifier, the race check and the interpreter of tile programs apply to the program that the page
    writes. Raises `InputError` SCH004 for a name that is taken or no word, and for a record without `body` or
    with fields of other types.
    """
    if not _NAME.fullmatch(name) or name in NAMES:
        raise InputError("register", "SCH004", f"got the name {name!r}, wanted a word that no schedule has")
    fields = record.__annotations__
    if not isinstance(getattr(record, "body", None), Body) or any(
        type_ not in (int, "int") for field, type_ in fields.items() if field != "body"
    ):
        names = ", ".join(fields)
        message = f"{record.__name__} has the fields {names}, wanted `body: ClassVar[Body]` and numbers"
        raise InputError("register", "SCH004", message)
    NAMES[name] = cast("type[Choice]", record)
    _PAGES[record] = page


def page_of(record: type[Struct]) -> Page | None:
    """The page of a registered record; None for a schedule of the project."""
    return _PAGES.get(record)
