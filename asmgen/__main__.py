"""`python -m asmgen`, and the command `asmgen`."""

from __future__ import annotations

import gc
import os
import sys

_INTERRUPTED = 130


def main() -> int:
    """The command of `sys.argv` in a process of its own; the exit status. Ctrl-C may come while it is still
    loading."""
    gc.disable()  # a start and a compile make no garbage; the collector took a third of a short command
    try:
        from asmgen.cli.main import main as execute

        status = execute()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    finally:
        gc.freeze()  # the process gives its memory back as a whole: the interpreter has nothing to collect
    if status == _INTERRUPTED:
        # Python remembers an interrupt that came inside of exec(), and would end by the signal instead of
        # with the status
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
