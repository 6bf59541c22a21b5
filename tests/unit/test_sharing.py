"""The tests of a file run in one process of pytest-xdist, so that a file makes its shared results once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = ("tests/unit/isa/test_named_tuple.py", "tests/unit/isa/test_bounds.py")  # cheap, of several tests each
PASSED = re.compile(r"^\[(\w+)\] .*PASSED (\S+?)::", re.MULTILINE)


def test_the_tests_of_a_file_run_in_one_process() -> None:
    """The project's own `conftest.py` groups them: a worker of its own for each of two files."""
    command = [sys.executable, "-m", "pytest", "-v", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", *FILES]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    runs = [(file, worker) for worker, file in PASSED.findall(done.stdout)]
    assert all(sum(file == name for file, _ in runs) > 1 for name in FILES), "a file of one test shows nothing"
    assert len(set(runs)) == len({worker for _, worker in runs}) == len(FILES), done.stdout
