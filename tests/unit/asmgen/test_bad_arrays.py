"""Arrays that are no numbers of this machine, from files and from Python."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from isa.diagnostics import InputError

LAUNCH: dict[str, Any] = {"kernel": "twice", "grid": (1, 1, 1), "block": (64, 1, 1)}
HEADER = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (SHAPE,), }"


@pytest.fixture(scope="module")
def assembly() -> str:
    return asmgen.compile("module @twice {\nx = @param:x -> f32, {64}\ny = add(x, x)\n@return(y)\n}\n").kernels[0].assembly


def test_the_other_byte_order_is_read(assembly: str, tmp_path: Path) -> None:
    values = np.arange(64, dtype=">f4")
    np.save(tmp_path / "x.npy", values)
    (tmp_path / "k.s").write_text(assembly, encoding="utf-8")
    words = [
        "run",
        str(tmp_path / "k.s"),
        "--kernel",
        "twice",
        "--grid",
        "1",
        "--block",
        "64",
        "--out-dir",
        str(tmp_path),
    ]
    assert main([*words, "--arg", str(tmp_path / "x.npy"), "--arg", str(tmp_path / "x.npy")]) == 0
    assert (np.load(tmp_path / "arg1.npy") == 2 * values).all()
    (_, result) = asmgen.run(assembly, **LAUNCH, args=[values, values])
    assert (result == 2 * values).all()


@pytest.mark.parametrize(
    "array",
    [np.array([None] * 64), np.array(["a"] * 64), np.zeros(64, "M8[s]"), np.zeros(64, "f4,i4")],
    ids=["object", "text", "date", "record"],
)
def test_what_is_no_number_is_refused(array: Any, assembly: str) -> None:
    with pytest.raises(InputError, match="wanted numbers") as caught:
        _ = asmgen.run(assembly, **LAUNCH, args=[array, array])
    assert str(caught.value).startswith("args[0]: error[RUN021]")


def saved(array: Any, **named: Any) -> bytes:
    data = BytesIO()
    np.save(data, array, **named)
    return data.getvalue()


def zipped() -> bytes:
    data = BytesIO()
    np.savez(data, np.zeros(4))
    return data.getvalue()


def with_shape(shape: bytes) -> bytes:
    """A file of 64 numbers with another shape in its header."""
    head = HEADER.replace(b"SHAPE", shape)[:127]
    return head.ljust(127) + b"\n" + bytes(256)


BAD_FILES = {
    "empty": b"",
    "text": b"1 2 3\n",
    "magic alone": b"\x93NUMPY",
    "an unknown version": b"\x93NUMPY\x09\x00" + bytes(100),
    "truncated in its header": saved(np.zeros(64))[:40],
    "truncated": saved(np.zeros(64))[:-1],
    "a huge shape": with_shape(b"99999999999999"),
    "a shape past all": with_shape(b"9" * 40),
    "a negative shape": with_shape(b"-5"),
    "a shape of words": with_shape(b"'a'"),
    "code in its header": with_shape(b"print(1)"),
    "deep brackets": with_shape(b"(" * 50),
    "pickled objects": saved(np.array([None]), allow_pickle=True),
    "dates": saved(np.zeros(4, "M8[s]")),
    "several arrays": zipped(),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_array_is_refused(name: str, assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.s").write_text(assembly, encoding="utf-8")
    path = tmp_path / "x.npy"
    path.write_bytes(BAD_FILES[name])
    words = [
        "run",
        str(tmp_path / "k.s"),
        "--kernel",
        "twice",
        "--grid",
        "1",
        "--block",
        "64",
        "--arg",
        str(path),
        "--arg",
        str(path),
    ]
    assert main(words) == 1
    assert capsys.readouterr().err.startswith(f"--arg {path}: error[ARG00")
