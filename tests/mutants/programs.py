"""Programs by name, to be compiled with a fault: a subject for a target, with options.

A name is `SUBJECT`, `SUBJECT@TARGET`, and may end in `+OPTION=VALUE`, as in
`row_sum(rows=5,cols=300)@gfx1100+nan=propagate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

_OPTIONS: dict[str, dict[str, object]] = {
    "contract=no": {"contract": False},
    "nan=propagate": {"nan": "propagate"},
    "max_vgprs=8": {"max_vgprs": 8},
    "max_vgprs=12": {"max_vgprs": 12},
    "max_vgprs=16": {"max_vgprs": 16},
}


def compiled(name: str) -> CompiledProgram:
    """The program of a name, compiled by the compiler of this process."""
    import asmgen
    from tests.mutants.subjects import SUBJECTS

    rest, *options = name.split("+")
    subject, _, target = rest.partition("@")
    given: dict[str, Any] = {key: value for option in options for key, value in _OPTIONS[option].items()}
    return asmgen.compile(SUBJECTS[subject].graph(), target=target or "gfx942", **given)
