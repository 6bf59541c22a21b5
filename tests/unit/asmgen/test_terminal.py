"""Where output goes: files whole or not at all, devices and pipes in place."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

from asmgen.cli.terminal import replace_file


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


def test_a_file_is_replaced_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]
