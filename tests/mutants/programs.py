"""Programs by name, to be compiled with a fault: a subject for a target, with options.

A name is `SUBJECT`, `SUBJECT@TARGET`, and may end in `+OPTION=VALUE`, as in
`row_sum(rows=5,cols=300)@gfx1100+nan=propagate`. `tensors CASE` is a case of tests/tensors.
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


_TENSORS = "tensors "


def _tensor_module(name: str) -> str:
    """The text of a case of tests/tensors."""
    from tests.tensors.cases import constants, indexed, linalg, moving, reducing, tensor_ops, together

    groups = (constants, indexed, linalg, moving, reducing, tensor_ops, together)
    (text,) = [case.text for group in groups for case in group.CASES if case.name == name]
    return text


def compiled(name: str) -> CompiledProgram:
    """The program of a name, compiled by the compiler of this process."""
    import asmgen
    from tests.mutants.subjects import SUBJECTS

    if name.startswith(_TENSORS):
        return asmgen.compile(_tensor_module(name.removeprefix(_TENSORS)), target="gfx942")
    rest, *options = name.split("+")
    subject, _, target = rest.partition("@")
    given: dict[str, Any] = {key: value for option in options for key, value in _OPTIONS[option].items()}
    return asmgen.compile(SUBJECTS[subject].graph(), target=target or "gfx942", **given)
