"""Make the virtual environment that the Makefile works in: `python3 tools/make_venv.py DIRECTORY`.

Needs the standard library only, because it runs before anything is installed. Debian splits `ensurepip` off
into python3-venv: without it the system's pip serves, and without that either, root installs python3-venv
with apt-get.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)


def main(directory: str) -> int:
    """Create `directory`; returns the exit status, 1 with a message where a package is missing that only the
    user can install."""
    if sys.version_info < OLDEST:
        found = ".".join(str(part) for part in sys.version_info[:3])
        print(
            f"asmgen needs Python 3.11 or later, this is {found}; run `make PYTHON=python3.11`",
            file=sys.stderr,
        )
        return 1
    if (
        importlib.util.find_spec("ensurepip") is None
        and importlib.util.find_spec("pip") is None
        and not _install_venv_package()
    ):
        print(
            "this Python can make no virtual environment; run `sudo apt-get install "
            "python3-venv` and then make again",
            file=sys.stderr,
        )
        return 1
    # find_spec of a package that was installed while we run would be stale, a child process looks afresh
    if (
        subprocess.run(
            [sys.executable, "-c", "import ensurepip"], capture_output=True, check=False
        ).returncode
        == 0
    ):
        return subprocess.run([sys.executable, "-m", "venv", "--clear", directory], check=False).returncode
    python = os.path.join(directory, "bin", "python")
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", directory], check=True)
    return subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "pip"], check=False
    ).returncode


def _install_venv_package() -> bool:
    """Install Debian's python3-venv where we may; says whether it went well."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (
        ["apt-get", "update"],
        ["apt-get", "install", "--yes", "--no-install-recommends", "python3-venv", "ca-certificates"],
    )
    return all(
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0
        for command in commands
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
