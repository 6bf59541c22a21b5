"""Standard output that is full or closed, and Ctrl-C: a message or silence, a status, and never a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ASMGEN = f"{sys.executable} -m asmgen"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)


HELP = "  help: check the free space and the rights of the place\n"


@pytest.mark.parametrize(
    ("redirection", "reason"), [(">/dev/full", "no space left on device"), (">&-", "standard output is closed")], ids=["full", "closed"]
)
def test_output_that_cannot_be_written_is_told(redirection: str, reason: str) -> None:
    done = shell(f"{ASMGEN} targets {redirection}")
    assert done.returncode == 1
    assert done.stderr == f"standard output: error[SYS001]: system error: {reason}\n{HELP}"


def test_an_error_that_nobody_reads_is_a_status_still() -> None:
    done = shell(f"{ASMGEN} kernel vecad 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_control_c_ends_with_its_status(tmp_path: Path) -> None:
    """While the emulator runs a kernel for seconds, and nothing is left afterwards."""
    words = ["kernel", "vecadd", "--set", "n=48000000", "--verify", "--emit", "asm", "-o", str(tmp_path / "k.s")]
    command = [sys.executable, "-m", "asmgen", *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    deadline = time.monotonic() + 60
    while not (tmp_path / "k.s").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(2)  # the emulator loads for a while before it runs
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    assert output == ""
    assert [entry.name for entry in tmp_path.iterdir()] == ["k.s"]


@pytest.mark.parametrize("command", ["", "kernel", "check"])
def test_help_that_cannot_be_written_is_told(command: str) -> None:
    done = shell(f"{ASMGEN} {command} --help >/dev/full")
    assert done.returncode == 1
    assert done.stderr == f"standard output: error[SYS001]: system error: no space left on device\n{HELP}"
