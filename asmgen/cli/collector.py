"""The garbage collector of a command's process.

What a start and a compile make stays until the process ends, and the collector would look at it again and
again: it took a third of the time of a short command.
"""

from __future__ import annotations

import gc


def start_without_collector() -> None:
    """For the beginning of the process, before the modules of the command are loaded."""
    gc.disable()


def collect_from_here() -> None:
    """For a command that begins to run long: what is there stays, and the garbage of what follows is
    collected.

    Nothing where the collector is on, as in a process that is not a command's.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def leave_the_rest() -> None:
    """For the end of the process, which gives its memory back as a whole: the interpreter finds nothing to
    collect."""
    gc.freeze()
