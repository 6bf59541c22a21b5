"""Assertions on compiled kernels: FileCheck lines by the package `filecheck`, gates on resources, and golden
files. A golden file is assembly that a reviewer read and committed; it changes only after a review of the
difference.
"""

from __future__ import annotations

import os
import re
from difflib import unified_diff
from io import StringIO
from pathlib import Path
from typing import cast

from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.files import text_of as file_text
from asmgen.testing.subjects import Subject, kernels_of, text_of, title_of
from isa.diagnostics import InputError

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def assert_filecheck(subject: Subject, checks: str | Path, *, full_lines: bool = False) -> None:
    """The assembly of a program or kernel, or a text, fits the CHECK lines of `checks`: a text, or a `Path`
    to a file with them.

    With `full_lines` each pattern must match a whole line, except for white space around it. Raises
    AssertionError with the line that does not match, and `InputError` TST002 if the package filecheck is not
    installed.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    try:
        from filecheck.finput import FInput
        from filecheck.matcher import Matcher
        from filecheck.options import Options
        from filecheck.parser import Parser, pattern_for_opts
    except ImportError as error:
        message = "the package filecheck was not found, which reads CHECK lines"
        help = "`python -m pip install '.[testing]'` in asmgen's checkout installs it"
        raise InputError("assert_filecheck", "TST002", message, help=help) from error
    name = str(checks) if isinstance(checks, Path) else "<checks>"
    lines = file_text(checks) if isinstance(checks, Path) else checks
    options = Options(match_filename=name, match_full_lines=full_lines)
    matcher = Matcher(
        options,
        FInput(title_of(subject), text_of(subject)),
        Parser(options, StringIO(lines), *pattern_for_opts(options)),
    )
    said = matcher.stderr = StringIO()
    if matcher.run() != 0:
        raise AssertionError(_COLOUR.sub("", said.getvalue()).rstrip())


def assert_resources(
    subject: CompiledProgram | CompiledKernel,
    *,
    vgprs: int | None = None,
    agprs: int | None = None,
    sgprs: int | None = None,
    lds_bytes: int | None = None,
    scratch_bytes: int | None = None,
    spills: int | None = None,
    occupancy: int | None = None,
) -> None:
    """Every kernel takes at most the given amount of each resource, and reaches at least the occupancy (waves
    a SIMD).

    The resources are those of `kernel.resources`: `vgprs` includes AGPRs, sizes are in bytes, scratch is per
    work-item. Raises AssertionError that names each kernel beyond a gate and all its resources.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    most = {
        "vgprs": vgprs,
        "agprs": agprs,
        "sgprs": sgprs,
        "lds_bytes": lds_bytes,
        "scratch_bytes": scratch_bytes,
        "spills": spills,
    }
    for name, gate in {**most, "occupancy": occupancy}.items():
        if gate is not None and not isinstance(cast("object", gate), int | float):
            raise InputError("asmgen.testing", "TST003", f"got {name}={gate!r}, wanted a number")
    beyond: list[str] = []
    for kernel in kernels_of(subject):
        taken = _taken(kernel)
        broken = [
            f"{name} is {taken[name]}, wanted at most {gate}"
            for name, gate in most.items()
            if gate is not None and taken[name] > gate
        ]
        if occupancy is not None and taken["occupancy"] < occupancy:
            broken.append(f"occupancy is {taken['occupancy']}, wanted at least {occupancy}")
        if broken:
            everything = ", ".join(f"{name} {amount}" for name, amount in taken.items())
            beyond.append(f"{kernel.name} for {kernel.target}: {'; '.join(broken)}\n  takes {everything}")
    if beyond:
        beyond.append(
            "  `print(program.report())`, or `python -m asmgen report`, shows the live registers at each line"
        )
        raise AssertionError("\n".join(beyond))


def _taken(kernel: CompiledKernel) -> dict[str, int]:
    resources = kernel.resources
    return {
        "vgprs": resources.vgprs, "agprs": resources.agprs, "sgprs": resources.sgprs,
        "lds_bytes": resources.lds_bytes, "scratch_bytes": resources.scratch_bytes,
        "spills": resources.spills, "occupancy": resources.occupancy,
    }  # fmt: skip


UPDATE_VARIABLE = "ASMGEN_UPDATE_GOLDEN"
REFUSED_IN_CI = "golden files are not written if CI is set: write, read and commit them before"
_SHOWN = 40  # lines of a difference


def assert_golden(subject: Subject, path: str | Path) -> None:
    """The assembly of a program or kernel, or a text, is the content of the file `path`.

    Under `pytest --update-golden`, or with ASMGEN_UPDATE_GOLDEN=1, the file is written instead. Raises
    AssertionError with the difference.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    file, text = Path(path), text_of(subject)
    if os.environ.get(UPDATE_VARIABLE) == "1":
        assert not os.environ.get("CI"), REFUSED_IN_CI
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    if not file.exists():
        plugin = 'the option comes with pytest_plugins = ["asmgen.testing.plugin"] in conftest.py'
        raise AssertionError(
            f"{file} does not exist; {_how_to_write()}, then read it before you commit it ({plugin})"
        )
    golden = file.read_text(encoding="utf-8")
    if text != golden:
        raise AssertionError(
            f"{title_of(subject)} differs from {file}; if it is better, "
            f"{_how_to_write()}\n{difference(golden, text, str(file))}"
        )


def _how_to_write() -> str:
    return "`pytest --update-golden` writes it"


def difference(golden: str, text: str, name: str) -> str:
    """A unified difference of two texts, shortened if it is long."""
    lines = list(unified_diff(golden.splitlines(), text.splitlines(), name, "made now", n=2, lineterm=""))
    more = len(lines) - _SHOWN
    return "\n".join(lines if more <= 0 else [*lines[:_SHOWN], f"... and {more} lines more"])
