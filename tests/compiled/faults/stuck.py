"""Waves that get no further, and barriers that not all of them pass."""

from __future__ import annotations

from tests.compiled.faults.kinds import ENDLESS, RACE, source, swap

STUCK = (
    source(
        "spin_lock",
        "the lock is not given back",
        "gfx942",
        ENDLESS,
        swap("  STORE(lock, 0u, RELEASE, AGENT);\n", ""),
    ),
    source(
        "group_lock",
        "the lock is not given back",
        "gfx1100",
        ENDLESS,
        swap("      STORE(&lock, 0u, RELEASE, GROUP);\n", ""),
    ),
    source(
        "ticket_lock",
        "the next ticket is skipped",
        "gfx942",
        ENDLESS,
        swap("mine + 1, RELEASE", "mine + 2, RELEASE"),
    ),
    source(
        "lane_locks",
        "the lock is not given back",
        "gfx942",
        ENDLESS,
        swap("      STORE(&locks[bin], 0u, RELEASE, AGENT);\n", ""),
    ),
    source(
        "lane_locks",
        "lanes of one wave wait for each other",
        "gfx942",
        ENDLESS,
        swap("  for (u32 turn = 0; turn < WAVE; turn++)\n    if (LANE == turn) {", "    {"),
    ),
    source(
        "look_back_scan",
        "a tile is never published",
        "gfx942",
        ENDLESS,
        swap("STORE(&tiles[tile], (u64)", "if (tile != 4) STORE(&tiles[tile], (u64)"),
        swap("if (tile) STORE", "if (tile && tile != 4) STORE"),
    ),
    source(
        "producer_consumer",
        "nothing is taken",
        "gfx1100",
        ENDLESS,
        swap("      if (LOCAL == 0) STORE(taken, n + 1, RELEASE, AGENT);\n", ""),
    ),
    source("grid_barrier", "one group too many is awaited", "gfx942", ENDLESS, swap("== groups - 1", "== groups")),
    source("wave_messages", "a flag that never comes", "gfx942", ENDLESS, swap("!= k + 1)", "!= k + 2)")),
    source("turns", "the first turn is nobody's", "gfx1100", ENDLESS, swap("turn = at = 0", "turn = at = 1")),
    source("ping_pong", "both wait for the other", "gfx942", ENDLESS, swap("mine + 1, RELEASE", "mine, RELEASE")),
    source(
        "peterson",
        "the wish is not taken back",
        "gfx942",
        ENDLESS,
        swap("    STORE(&wants[me], 0u, SEQ_CST, AGENT);\n", ""),
        swap("&& LOAD(turn, SEQ_CST, AGENT) == other", ""),
    ),
    source(
        "work_queue",
        "the loop has no step",
        "gfx942",
        ENDLESS,
        swap("        x = x & 1 ? 3 * x + 1 : x / 2;\n", '        __asm__ volatile("");\n'),
    ),
)

DIVERGENT = (
    source(
        "heat_steps",
        "the first wave has one barrier fewer",
        "gfx950",
        RACE | ENDLESS,
        swap("BARRIER;", "if (LOCAL >= 64 || k) BARRIER;"),
    ),
)

FAULTS = (*STUCK, *DIVERGENT)
