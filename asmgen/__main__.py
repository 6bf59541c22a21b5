"""`python -m asmgen`, and the command `asmgen`."""

from __future__ import annotations

import sys

from asmgen.cli.collector import leave_the_rest, start_without_collector


def main() -> int:
    """The command of `sys.argv` in a process of its own; the exit status."""
    start_without_collector()
    from asmgen.cli.main import main as execute

    try:
        return execute()
    finally:
        leave_the_rest()


if __name__ == "__main__":
    sys.exit(main())
