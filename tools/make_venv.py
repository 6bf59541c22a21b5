"""Makes the virtual environment of the Makefile: `python3 tools/make_venv.py DIRECTORY`.

Uses only the standard library, because it runs before anything is installed. Debian has `ensurepip` in the
package python3-venv. Without it, the system's pip is used; without pip, root installs python3-venv with
apt-get.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)


def main(directory: str) -> int:
    """Create `directory`. Returns the exit status: 1, with a message, if only the user can install a
    missing package."""
    if sys.version_info < OLDEST:
        version = ".".join(str(part) for part in sys.version_info[:3])
        print(
            f"asmgen needs Python 3.11 or later, this is {version}; run `make PYTHON=python3.11`",
            file=sys.stderr,
        )
        return 1
    if (
        importlib.util.find_spec("ensurepip") is None
        and importlib.util.find_spec("pip") is None
        and not _install_venv_package()
    ):
        print(
            "this Python cannot make a virtual environment; run `sudo apt-get install "
            "python3-venv`, then make again",
            file=sys.stderr,
        )
        return 1
    # after an installation find_spec is stale, so ask a new process
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
    """Install Debian's python3-venv if we are root. True on success."""
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
