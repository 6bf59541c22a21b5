"""Orders that the instructions do not keep: waits and invalidates taken out of releases and acquires."""

from __future__ import annotations

from tests.compiled.faults.kinds import RACE, assembly
from tests.compiled.mutation import Edit

FAULTS = (
    assembly("spin_lock", "no invalidate after the acquire", "gfx942", RACE, Edit(r"\tbuffer_inv sc1\n", "", -1)),
    assembly(
        "look_back_flags",
        "no invalidate after the acquire",
        "gfx1100",
        RACE,
        Edit(r"\tbuffer_gl1_inv\n\tbuffer_gl0_inv\n", "", -1),
    ),
    assembly(
        "ping_pong",
        "no invalidate after the acquire",
        "gfx1201",
        RACE,
        Edit(r"\tglobal_inv scope:SCOPE_DEV\n", "", -1),
    ),
    assembly(
        "ping_pong",
        "no store wait before the release",
        "gfx1201",
        RACE,
        Edit(r"\ts_wait_storecnt 0x0\n", "", -1),
    ),
    assembly("ping_pong", "no write back before the release", "gfx942", RACE, Edit(r"\tbuffer_wbl2 sc1\n", "", -1)),
    assembly(
        "ping_pong",
        "no store wait before the release",
        "gfx90a",
        RACE,
        Edit(r"\ts_waitcnt vmcnt\(0\)\n(?=\tglobal_store)", ""),
    ),
    assembly(
        "ticket_lock",
        "no store wait before the release",
        "gfx1100",
        RACE,
        Edit(r"\ts_waitcnt_vscnt null, 0x0\n(?=\tglobal_store)", ""),
    ),
    assembly(
        "initialised_once",
        "no invalidate after the acquire",
        "gfx950",
        RACE,
        Edit(r"\tbuffer_inv sc1\n", "", -1),
    ),
    assembly(
        "fenced_message",
        "no store wait before the barrier",
        "gfx1100",
        RACE,
        Edit(r"\ts_waitcnt_vscnt null, 0x0\n", "", -1),
    ),
    assembly(
        "fenced_message",
        "no invalidate after the barrier",
        "gfx1100",
        RACE,
        Edit(r"\tbuffer_gl0_inv\n", "", -1),
    ),
    assembly(
        "fenced_message",
        "no store wait before the barrier",
        "gfx1201",
        RACE,
        Edit(r"\ts_wait_storecnt 0x0\n", "", -1),
    ),
    assembly(
        "heat_steps",
        "no invalidate after the barrier",
        "gfx1201",
        RACE,
        Edit(r"\tglobal_inv scope:SCOPE_SE\n", "", -1),
    ),
)
