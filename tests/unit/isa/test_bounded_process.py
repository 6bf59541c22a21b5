"""Programs that are run for a user's text meet limits, and end when we do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from isa.bounded_process import Limits, run_bounded

ROOT = Path(__file__).parents[3]
LIMITS = Limits(cpu_seconds=1, memory=1 << 28)
PYTHON = (sys.executable, "-I", "-S", "-c")


def test_what_it_says_is_given_back(tmp_path: Path) -> None:
    done = run_bounded(["/bin/sh", "-c", "pwd; echo no >&2; exit 3"], tmp_path, LIMITS)
    assert (done.status, done.output, done.complaint, done.stopped) == (3, f"{tmp_path}\n", "no\n", "")


def test_it_has_no_input_to_wait_for(tmp_path: Path) -> None:
    assert run_bounded(["cat"], tmp_path, LIMITS).output == ""


def test_one_that_spins_is_stopped(tmp_path: Path) -> None:
    assert run_bounded(["/bin/sh", "-c", "while :; do :; done"], tmp_path, LIMITS).stopped == "was stopped after 1 seconds of CPU time"


def test_one_that_waits_is_stopped_with_all_it_has_started(tmp_path: Path) -> None:
    done = run_bounded(["/bin/sh", "-c", "sleep 100 & echo $!; wait"], tmp_path, Limits(1, 1 << 28, seconds=1.0))
    assert done.stopped == "was stopped after 1 seconds"
    assert soon(lambda: is_gone(int(done.output)))


def test_one_that_asks_for_memory_is_stopped(tmp_path: Path) -> None:
    script = "import os\ntry: bytearray(1 << 29)\nexcept MemoryError: os.write(2, b'out of memory'); os._exit(1)"
    assert run_bounded([*PYTHON, script], tmp_path, LIMITS).stopped == "asked for more than 256 MB of memory"


def test_one_that_crashes_says_so(tmp_path: Path) -> None:
    assert run_bounded(["/bin/sh", "-c", "kill -SEGV $$"], tmp_path, LIMITS).stopped == "died of signal 11"


def test_it_opens_no_more_files_than_it_may(tmp_path: Path) -> None:
    def opened(count: int) -> int:
        script = f"import os\nfor _ in range({count}): os.open('/dev/null', 0)"
        return run_bounded([*PYTHON, script], tmp_path, Limits(5, 1 << 28, descriptors=8)).status

    assert (opened(5), opened(6)) == (0, 1)


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_we_do(death: signal.Signals, tmp_path: Path) -> None:
    """Whatever way we end, and the file says of which process it was."""
    script = f"""
from collections.abc import Callable
from pathlib import Path
from isa.bounded_process import Limits, run_bounded
run_bounded(["/bin/sh", "-c", "echo $$ > started; exec sleep 100"], Path({str(tmp_path)!r}), Limits(9, 1 << 28))
"""
    ours = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.DEVNULL)
    started = tmp_path / "started"
    assert soon(lambda: started.exists() and started.read_text(encoding="ascii").endswith("\n"))
    ours.send_signal(death)
    assert ours.wait(timeout=30) != 0
    assert soon(lambda: is_gone(int(started.read_text(encoding="ascii"))))


def soon(holds: Callable[[], bool]) -> bool:
    """Whether it becomes true within half a minute, asked often."""
    for _ in range(3000):
        if holds():
            return True
        time.sleep(0.01)
    return False


def is_gone(process: int) -> bool:
    """Whether a process has ended; a zombie has."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True
