"""Pieces of work for tests of a cluster: `answers` makes the function that does them on each node.

The data are a JSON object: `seconds` that a piece takes, and `liar`, the path of a file. The first host that creates this file gives
other answers than the others do.
"""

from __future__ import annotations

import json
import os
import time

from asmgen.batch.worker import Run
from asmgen.cache.answer import OUT, Answer, Part


def answers(data: bytes) -> Run:
    """The function that gives the answers of pieces."""
    given = json.loads(data)
    lies = "liar" in given and _is_first(given["liar"])

    def run(number: int) -> Answer:
        time.sleep(given["seconds"])
        text = f"{number * number + lies} by {number}"
        return Answer(0, (Part(OUT, text.encode(), is_text=True),))

    return run


def honest(data: bytes) -> Run:
    """The same on the machine of the command, which never lies."""
    return answers(json.dumps({"seconds": json.loads(data)["seconds"]}).encode())


def _is_first(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
