"""Output: files whole or not at all, devices and pipes in place."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from asmgen.cli.outputs import replace_file, write_output


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    replace_file(pipe, b"text")
    mode = pipe.stat().st_mode
    if stat.S_ISFIFO(mode):
        reader.join(timeout=10)
    assert (stat.S_ISFIFO(mode), read) == (True, [b"text"])


def test_a_link_stays_a_link_and_a_mode_stays_as_it_is(tmp_path: Path) -> None:
    path, link = tmp_path / "out", tmp_path / "link"
    path.write_bytes(b"one")
    path.chmod(0o640)
    link.symlink_to(path)
    replace_file(link, b"two")
    assert (link.is_symlink(), path.read_bytes(), path.stat().st_mode & 0o777) == (True, b"two", 0o640)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, mask: int) -> None:
    """As `open` makes it."""
    before = os.umask(mask)
    try:
        replace_file(tmp_path / "ours", b"one")
        _ = (tmp_path / "theirs").write_bytes(b"one")
    finally:
        _ = os.umask(before)
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_what_is_interrupted_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "out", b"one")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_written_is_told_on_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_output(str(tmp_path / "out"), "four")
    write_output(os.devnull, "four")
    write_output("-", "four")
    told = capsys.readouterr()
    assert (told.out, told.err) == ("four", f"wrote {tmp_path / 'out'}: 4 bytes\n")
