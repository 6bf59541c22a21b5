"""The neighbours of a schedule: counts that are doubled or halved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from msgspec.structs import asdict, replace

from asmgen.blockwise.schedules.choices import Choice, choice_text

State = tuple[tuple[str, Choice], ...]
"""The schedule of each launch, by its name."""


def neighbours(state: State) -> Iterator[State]:
    """The states in which a launch has a neighbour of its schedule."""
    for at, (name, choice) in enumerate(state):
        for other in _of_choice(choice):
            yield (*state[:at], (name, other), *state[at + 1 :])


def _of_choice(choice: Choice) -> Iterator[Choice]:
    """A count is doubled or halved, or a count is doubled and another is halved, so that their product stays.
    A schedule that does not fit its kernel is refused when it is compiled."""
    counts = {name: value for name, value in asdict(choice).items() if type(value) is int}
    for name, value in counts.items():
        yield replace(choice, **{name: value * 2})
        if value > 1:
            yield replace(choice, **{name: value // 2})
    for first, second in permutations(counts, 2):
        if counts[second] > 1:
            yield replace(choice, **{first: counts[first] * 2, second: counts[second] // 2})


def texts(state: State) -> tuple[str, ...]:
    """The state as values of `--schedule`."""
    if len(state) == 1:
        return (choice_text(state[0][1]),)
    return tuple([f"{name}={choice_text(choice)}" for name, choice in state])
