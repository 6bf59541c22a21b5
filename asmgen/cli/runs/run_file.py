"""Run files: launches in order, on buffers that stay in memory between them.

    buffer x = x.npy
    buffer partial = f32[1024]        # undefined until a launch writes it
    buffer out = zeros f32[16]
    launch sum.s --kernel first --grid 16 --block 256 --arg x --arg partial --arg i32:4096
    launch sum.s --kernel second --grid 1 --block 256 --arg partial --arg out --arg null
    expect out out.npy --rtol 1e-5

`launch` has the options of `run`. An argument may be a buffer, or an address in it (`x+64`). `expect`
compares a buffer as it is after the launches before it. Files are named from the folder of the run file."""

from __future__ import annotations

import re
import shlex
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from msgspec import Struct

from asmgen.cli.grammar.commands import launch_line
from asmgen.cli.runs.arrays import Expectation, compare, load_array
from asmgen.cli.runs.values import pointer_or_value
from asmgen.emission.assemble import followed
from asmgen.files import text_of
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.runtime.run import program_for
from asmgen.runtime.session import Buffer, Session, SessionArgument, SessionLaunch, Within
from isa.diagnostics import InputError, Place, nearest_names
from isa.emulator.launching.arguments import Pointer

Array = np.ndarray[Any, Any]
_BUFFER = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<zeros>zeros\s+)?(?P<what>\S+)\Z")
_ARRAY = re.compile(r"(?P<type>\w+)\[(?P<sizes>\d{1,12}(?:,\d{1,12})*)\]\Z")
_ADDRESS = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\+(?P<offset>0x[0-9a-fA-F]{1,16}|\d{1,18}))?\Z")
_WANTED = "wanted `buffer NAME = FILE.npy`, `launch FILE ...` or `expect NAME FILE.npy`"
_MOST_BYTES = 1 << 34  # of a buffer that a run file describes


class _LaunchLine(Struct, frozen=True):
    place: Place
    file: str
    target: str | None
    launch: SessionLaunch


class _ExpectLine(Struct, frozen=True):
    place: Place
    name: str
    array: Array
    rtol: float


class RunFile(Struct):
    """The buffers of a run file, and its launches and expectations in order."""

    folder: Path
    buffers: dict[str, Buffer]
    steps: list[_LaunchLine | _ExpectLine]


def read_run_file(path: str) -> RunFile:
    """Raises InputError RUF00x at the line of a run file that cannot be read."""
    file = RunFile(Path(path).parent, {}, [])
    for number, line in enumerate(text_of(Path(path)).splitlines(), 1):
        place = Place(path, number, 1)
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise InputError(place, "RUF001", f"{str(error).lower()}, {_WANTED}") from error
        if words:
            _read_line(file, place, words)
    if not any(isinstance(step, _LaunchLine) for step in file.steps):
        raise InputError(Place(path), "RUF001", "the file has no launch, wanted `launch FILE --kernel K ...`")
    return file


def _read_line(file: RunFile, place: Place, words: list[str]) -> None:
    match words[0]:
        case "buffer":
            buffer = _buffer(file, place, " ".join(words[1:]))
            file.buffers[buffer.name] = buffer
        case "launch":
            file.steps.append(_launch(file, place, words[1:]))
        case "expect":
            file.steps.append(_expectation(file, place, words[1:]))
        case other:
            raise InputError(place, "RUF001", f"got {other!r}, {_WANTED}")


def _buffer(file: RunFile, place: Place, text: str) -> Buffer:
    match = _BUFFER.match(text)
    if match is None:
        message = "wanted `buffer NAME = FILE.npy`, `= TYPE[N,...]` or `= zeros TYPE[N,...]`"
        raise InputError(place, "RUF002", f"got {text!r}, {message}")
    name, what = match["name"], match["what"]
    if name == "null" or re.fullmatch(r"arg\d+", name):
        raise InputError(place, "RUF002", f"{name!r} has a meaning of its own, wanted another name")
    if name in file.buffers:
        raise InputError(place, "RUF002", f"there is a buffer {name} already, wanted another name")
    if what.endswith(".npy") and not match["zeros"]:
        return Buffer(name, _load(file, place, what))
    array = _ARRAY.match(what)
    element = ELEMENT_TYPES.get(array["type"]) if array else None
    if array is None or element is None:
        wanted = f"a .npy file or TYPE[N,...]; types are {', '.join(ELEMENT_TYPES)}"
        raise InputError(place, "RUF002", f"got {what!r}, wanted {wanted}")
    sizes, dtype = [int(size) for size in array["sizes"].split(",")], numpy_dtype(element)
    if prod(sizes) * dtype.itemsize > _MOST_BYTES:
        raise InputError(place, "RUF002", f"{what} is too large, wanted at most {_MOST_BYTES} bytes")
    content = np.zeros(sizes, dtype)
    return Buffer(name, content, None if match["zeros"] else np.zeros(content.nbytes, np.bool_))


def _launch(file: RunFile, place: Place, words: list[str]) -> _LaunchLine:
    parser = launch_line()

    def refuse(message: str) -> NoReturn:
        raise InputError(place, "RUF003", message)

    parser.error = refuse  # type: ignore[method-assign]
    try:
        given, rest = parser.parse_known_args(words)
    except InputError as error:
        if error.place is place:
            raise
        raise InputError(
            place, error.code, f"{error.place}: {error.message}", error.notes, error.help
        ) from None
    if rest:
        options = [option for option in parser._option_string_actions if option.startswith("--")]
        raise InputError(
            place, "RUF003", f"a launch has no {rest[0]}, wanted {nearest_names(rest[0], options)}"
        )
    args = tuple(_argument(file, place, text) for text in given.args)
    path = str(file.folder / given.file)
    launch = SessionLaunch(given.kernel, given.grid, given.block, args, given.lds_bytes)
    return _LaunchLine(place, path, given.target, launch)


def _argument(file: RunFile, place: Place, text: str) -> SessionArgument:
    match = _ADDRESS.match(text)
    if match is not None and match["name"] in file.buffers:
        within = Within(match["name"], int(match["offset"] or "0", 0))
        size = file.buffers[within.buffer].content.nbytes
        if within.offset > size:
            raise InputError(
                place, "RUF004", f"--arg {text}: wanted an offset within the {size} bytes of {within.buffer}"
            )
        return within
    if text.endswith(".npy") or (match is not None and text != "null"):
        buffers = nearest_names(text, file.buffers) if file.buffers else "there is none before this line"
        message = f"--arg {text}: it is not a buffer, wanted TYPE:VALUE, null or a buffer: {buffers}"
        raise InputError(place, "RUF004", message, help="`buffer NAME = FILE.npy` makes a buffer of an array")
    try:
        value = pointer_or_value(text)
    except InputError as error:
        raise InputError(place, error.code, f"{error.place}: {error.message}") from error
    assert not isinstance(value, Pointer), "argN is refused above"
    return value


def _expectation(file: RunFile, place: Place, words: list[str]) -> _ExpectLine:
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "--rtol"):
        raise InputError(place, "RUF005", f"got {' '.join(words)!r}, wanted NAME FILE.npy [--rtol R]")
    name, path = words[:2]
    if name not in file.buffers:
        known = nearest_names(name, file.buffers)
        raise InputError(place, "RUF005", f"there is no buffer {name!r}, wanted {known}")
    try:
        rtol = float(words[3]) if len(words) == 4 else 0.0
    except ValueError:
        rtol = -1.0
    if not 0 <= rtol < float("inf"):
        raise InputError(place, "RUF005", f"got {words[3]!r}, wanted a number of at least 0")
    return _ExpectLine(place, name, _load(file, place, path), rtol)


def _load(file: RunFile, place: Place, path: str) -> Array:
    """The array of a .npy file that a line of the run file names."""
    try:
        return load_array(str(file.folder / path), f"{place.file}:{place.line}")
    except InputError as error:
        raise InputError(place, error.code, f"{path}: {error.message}", error.notes, error.help) from error


def check_kernel(file: RunFile, kernel: str | None) -> None:
    """Raises InputError RUF006 if no launch has the kernel of --kernel."""
    known = dict.fromkeys(step.launch.kernel for step in file.steps if isinstance(step, _LaunchLine))
    if kernel is not None and kernel not in known:
        message = f"no launch of the run file has the kernel {kernel}, wanted {nearest_names(kernel, known)}"
        raise InputError("--kernel", "RUF006", message)


def run_steps(file: RunFile, session: Session, allow_include: bool) -> None:
    """Run the launches, and compare the expected arrays."""
    before = {name: buffer.content for name, buffer in session.buffers.items()}
    positions = {name: position for position, name in enumerate(session.buffers)}
    for step in file.steps:
        if isinstance(step, _LaunchLine):
            _run_launch(step, session, allow_include)
            continue
        position = positions[step.name]
        place = f"{step.place.file}:{step.place.line}"
        after = {position: session.buffers[step.name].content}
        compare(
            [Expectation(place, step.array, position)], {position: before[step.name]}, after, step.rtol,
            {position: step.name},
        )  # fmt: skip


def _run_launch(step: _LaunchLine, session: Session, allow_include: bool) -> None:
    try:
        program, name = program_for(Path(step.file), step.launch.kernel, step.target, allow_include)
        if isinstance(program, str):
            program = followed(program, name, allow_include)
        session.run(program, name, step.launch)
    except InputError as error:
        error.notes = (*error.notes, f"of the launch at {step.place.file}:{step.place.line}")
        raise
