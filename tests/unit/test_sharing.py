"""The tests of a file run in one process of pytest-xdist, so that what they share is made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FILE = """import os
import pytest


@pytest.mark.parametrize("number", range(6))
def test_writes_its_process(number: int) -> None:
    with open({path!r}, "a", encoding="utf-8") as log:
        print(os.getpid(), file=log)
"""


def test_the_tests_of_a_file_run_in_one_process(tmp_path: Path) -> None:
    logs = [tmp_path / f"{name}.log" for name in ("one", "two")]
    for log in logs:
        (tmp_path / f"test_{log.stem}.py").write_text(FILE.format(path=str(log)), encoding="utf-8")
    marks = "import pytest\n\n\n@pytest.hookimpl(tryfirst=True)\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
    marks += "        item.add_marker(pytest.mark.xdist_group(item.path.name))\n"
    (tmp_path / "conftest.py").write_text(marks, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert [len(set(log.read_text(encoding="utf-8").split())) for log in logs] == [1, 1]
