"""`run`: run a kernel of an assembly file or a code object on arrays from files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from asmgen.cli.arrays import compare, expectation
from asmgen.cli.outputs import write_file
from asmgen.cli.progress import progress
from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.terminal import collect_from_here
from asmgen.cli.values import argument_value
from asmgen.runtime.run import run
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]


def execute(arguments: argparse.Namespace) -> int:
    refuse_catalogue(arguments.file)
    given: list[Array | np.generic] = [argument_value(text) for text in arguments.args]
    expected = [expectation(text) for text in arguments.expect]
    if arguments.rtol is not None and not expected:
        raise InputError("--rtol", "EXP007", "got --rtol without --expect, wanted both")
    launch = (arguments.kernel, arguments.grid, arguments.block, given, arguments.device)
    collect_from_here()
    with progress("running workgroups") as tell:
        results = run(
            Path(arguments.file), *launch, tell, arguments.allow_include, arguments.max_steps,
            arguments.sanitize,
            arguments.max_seconds, arguments.lds_bytes, arguments.target,
        )  # fmt: skip
    positions = [position for position, value in enumerate(given) if isinstance(value, np.ndarray)]
    for position, array in zip(positions, results, strict=True):
        if arguments.out_dir is None:
            print(
                f"arg{position}: {array.dtype}{list(array.shape)} "
                f"{np.array2string(array, threshold=8, separator=', ')}"
            )
        else:
            _save(Path(arguments.out_dir), f"arg{position}.npy", array)
    if expected:
        before = {position: value for position, value in enumerate(given) if isinstance(value, np.ndarray)}
        compare(expected, before, dict(zip(positions, results, strict=True)), arguments.rtol or 0.0)
    return 0


def _save(directory: Path, name: str, array: Array) -> None:
    from io import BytesIO

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "--out-dir", "ARG004", f"{directory} cannot be created: {(error.strerror or str(error)).lower()}"
        ) from error
    data = BytesIO()
    np.save(data, array)
    write_file(directory / name, data.getvalue())
