"""The queue behind matrix instructions on RDNA: states that tinygrad's thread trace of gfx1201
(custom_handwritten_7e3638bc) has, with what the next instruction does there."""

from __future__ import annotations

import pytest

from isa.timing.matrix_queue import MatrixQueue
from isa.timing.row_clocks import MATRIX_PIPE, NO_PIPE, TRANSCENDENTAL_PIPE

_PIPES = {"W": MATRIX_PIPE, "V": NO_PIPE, "T": TRANSCENDENTAL_PIPE}


def queue_of(kinds: str) -> MatrixQueue:
    """A queue with matrix (W), vector (V) and transcendental (T) instructions; the n-th matrix instruction
    leaves at n * 100."""
    queue, leaves = MatrixQueue(8), 0
    for kind in kinds:
        leaves += 100 * (kind == "W")
        queue.enter(0, _PIPES[kind], leaves)
    return queue


@pytest.mark.parametrize(
    ("kinds", "following", "clock"),
    [
        ("WWVTVTW", "V", 0), ("WVTVTWW", "V", 0), ("WVTVTWWW", "V", 100), ("WVTVTWWV", "T", 100),
        ("WVTVTWV", "T", 0), ("WWWVTV", "T", 0), ("WWWVTVV", "T", 100), ("WVTVTV", "T", 100), ("WWVTVT", "T", 101),
        ("WVTVT", "W", 0), ("WWVTVT", "W", 101), ("WVTVTT", "W", 101), ("WVTVTWW", "W", 0), ("WWWWWWW", "W", 0),
        ("WWWWWWWW", "W", 100), ("WWWVTVTT", "W", 301), ("VTVTVTVTVT", "W", 0),
    ],
)  # fmt: skip
def test_the_queue_opens_when_a_matrix_instruction_ends(kinds: str, following: str, clock: int) -> None:
    assert queue_of(kinds).opens(0, _PIPES[following]) == clock


def test_what_is_behind_a_matrix_instruction_leaves_with_it() -> None:
    queue = queue_of("WVVVWVVV")
    assert queue.opens(0) == 100
    assert queue.opens(101) == 101
    assert [queue.enter(101, NO_PIPE) for _ in range(4)] == [101, 101, 101, 200]


def test_transcendental_instructions_have_their_rate() -> None:
    queue = MatrixQueue(8)
    assert [queue.spaced(10, 4), queue.spaced(11, 4), queue.spaced(30, 4)] == [10, 14, 30]


@pytest.mark.parametrize(
    ("pipe", "since", "delayed", "turns"),
    [
        (TRANSCENDENTAL_PIPE, 30, False, [101, 100]),  # clock 1027 of the trace: wave 0 waits for 44 clocks, wave 1 for 63
        (MATRIX_PIPE, 30, False, [101, 100]),  # clock 1369: wave 0 waits for 4 clocks, wave 1 for 63
        (MATRIX_PIPE, 23, True, [100, 101]),  # clock 913: wave 1 waits anew, since a transcendental instruction entered
    ],
)
def test_the_wave_that_waits_longest_goes_first(pipe: int, since: int, delayed: bool, turns: list[int]) -> None:
    queue = queue_of("WVTVTWWW")
    assert queue.turn(1, pipe, 10) == 100
    if delayed:
        queue.delay_matrices(24)
    assert queue.turn(0, pipe, since) == 100
    assert [queue.turn(wave, pipe, 100) for wave in (0, 1)] == turns


def test_a_wave_that_comes_after_the_queue_opened_goes_at_once() -> None:
    queue = queue_of("WVTVTWWW")
    assert queue.turn(1, TRANSCENDENTAL_PIPE, 10) == 100
    queue.enter(10, MATRIX_PIPE, 500)  # behind it, a transcendental instruction has room as soon as others leave
    assert queue.turn(0, TRANSCENDENTAL_PIPE, 101) == 101
    queue.go(1)
    assert queue.turn(2, TRANSCENDENTAL_PIPE, 101) == 101
