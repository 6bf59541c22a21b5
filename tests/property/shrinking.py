"""A failure of a seeded generator, shown on the smallest program that has it.

The generators take a seed and a size; the same seed at smaller sizes makes smaller programs of the same kind. When the whole
size fails, sizes are tried from 1 up, and the first failure is reported.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.diagnostics import InputError, InternalError

FAILURES = (AssertionError, InputError, InternalError)


def check_shrinking(check: Callable[[int], None], size: int) -> None:
    """Run `check(size)`; if it fails, raise the error of the smallest size that fails."""
    try:
        check(size)
    except FAILURES as failure:
        for smaller in range(1, size):
            try:
                check(smaller)
            except FAILURES as shrunk:
                shrunk.add_note(f"shrunk from size {size} to {smaller}")
                raise shrunk from failure
        raise
