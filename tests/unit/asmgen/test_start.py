"""Parts that the start of a command leaves out are loaded at their first use."""

from __future__ import annotations

import subprocess
import sys

AFTER_A_COMMAND = """
import sys
from asmgen.__main__ import main
sys.argv = ["asmgen", "targets"]
main()
import msgspec
print("msgspec.json" in sys.modules, msgspec.json.encode([1]), "msgspec.json" in sys.modules)
import msgspec.yaml
print(msgspec.yaml.decode.__module__, msgspec.toml.encode.__module__)
"""


def test_the_formats_of_msgspec_are_loaded_when_they_are_asked_for() -> None:
    ran = subprocess.run([sys.executable, "-c", AFTER_A_COMMAND], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-2:] == ["False b'[1]' True", "msgspec.yaml msgspec.toml"]
