"""`run`: run a kernel of an assembly file or a code object on arrays from files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from asmgen.cli.arrays import compare, expectation, load_array
from asmgen.cli.outputs import write_file
from asmgen.cli.progress import progress
from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.terminal import collect_from_here
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES, ElementType, NumberKind
from asmgen.runtime.run import run
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]


def execute(arguments: argparse.Namespace) -> int:
    refuse_catalogue(arguments.file)
    given: list[Array | np.generic] = [_argument(text) for text in arguments.args]
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


def _argument(text: str) -> Array | np.generic:
    """An argument: the array of a .npy file, or TYPE:VALUE with a type name of GPU Gen IR."""
    name, colon, value = text.partition(":")
    if colon and name in ELEMENT_TYPES:
        return _scalar(text, name, value)
    if Path(text).suffix == ".npy":
        return load_array(text, f"--arg {text}")
    raise InputError(
        f"--arg {text}", "ARG001", f"got {text!r}, wanted a .npy file or TYPE:VALUE, for example i32:5"
    )


def _scalar(text: str, name: str, value: str) -> np.generic:
    element = ELEMENT_TYPES[name]
    dtype = numpy_dtype(element)
    try:
        if element.kind is NumberKind.BOOL:
            return np.bool_({"true": True, "false": False, "1": True, "0": False}[value])
        number = float(value) if element.is_float else int(value, 0)
        with np.errstate(over="ignore"):
            scalar = dtype.type(number)
        if element.is_float and np.isinf(float(scalar)) and "inf" not in value.lower():
            raise OverflowError(value)
        return scalar
    except (ValueError, KeyError, OverflowError) as error:
        message = f"{value!r} is not a value of {name}, wanted {_values_of(element)}"
        raise InputError(f"--arg {text}", "ARG002", message) from error


def _values_of(element: ElementType) -> str:
    """The values that TYPE:VALUE accepts."""
    if element.kind is NumberKind.BOOL:
        return "true or false"
    if element.is_float:
        return "a number such as 0.5 within its range, inf or nan"
    limits = np.iinfo(numpy_dtype(element))
    return f"an integer from {limits.min} to {limits.max}"


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
