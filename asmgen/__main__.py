"""`python -m asmgen`, and the command `asmgen`."""

from __future__ import annotations

import os
import sys

from asmgen.cli.collector import leave_the_rest, start_without_collector

_INTERRUPTED = 130


def main() -> int:
    """The command of `sys.argv` in a process of its own; the exit status. Ctrl-C may come while it is still
    loading."""
    start_without_collector()
    try:
        from asmgen.cli.main import main as execute

        status = execute()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    finally:
        leave_the_rest()
    if status == _INTERRUPTED:
        # Python remembers an interrupt that came inside of exec(), and would end by the signal instead of
        # with the status
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
