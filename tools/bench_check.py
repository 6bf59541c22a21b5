"""`python -m tools.bench_check [TARGET]`: CPU seconds of `check`, of repair, and of llvm-mc on the same text.

The texts consist of random loads, arithmetic, waits, NOPs and short branches: 1,000 instructions with a wait
in every five, and 100,000 with a wait in every twenty-five.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random

from asmgen.cache.store import OFF, VARIABLE
from tools.cpu import timed_children

CASES = ((1_000, 5), (100_000, 25))  # instructions, and the distance between waits
_SEED = 1


def text_of(count: int, every: int, random: Random) -> str:
    """`count` instructions for CDNA, not counting labels."""
    lines = ["f:"]
    for number in range(count - 1):
        lines += _wait(random) if number % every == every - 1 else _work(number, random)
    return "\n".join([*lines, "end:", "s_endpgm"]) + "\n"


def _wait(random: Random) -> list[str]:
    return [f"s_waitcnt vmcnt({random.choice([0, 0, 1, 2, 3])})"]


def _work(number: int, random: Random) -> list[str]:
    loaded, free, scalar = random.randrange(20, 60), random.randrange(60, 99), random.randrange(4, 40)
    kinds = {
        f"global_load_dword v{loaded}, v1, s[0:1] offset:{4 * random.randrange(64)}": 25,
        f"v_add_f32 v{free}, v{loaded}, v{random.randrange(60, 99)}": 25,
        f"v_mul_f32 v{free}, v{random.randrange(60, 99)}, v{random.randrange(60, 99)}": 30,
        f"s_add_u32 s{scalar}, s{random.randrange(4, 40)}, {random.randrange(4096):#x}": 10,
        f"s_nop {random.randrange(4)}": 3,
        f"ds_read_b32 v{loaded}, v2 offset:{4 * random.randrange(64)}": 5,
    }
    if random.randrange(50) == 0:
        return [f"L{number}:", f"s_cbranch_scc1 {random.choice([f'L{number}', 'end'])}"]
    return random.choices(list(kinds), list(kinds.values()))


def seconds(command: list[str]) -> float:
    """CPU time of a command, which may exit with status 1."""
    done, used = timed_children(
        partial(subprocess.run, command, capture_output=True, check=False, env={**os.environ, VARIABLE: OFF})
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode()[-300:])
    return used


def main(arguments: list[str]) -> int:
    target = arguments[0] if arguments else "gfx942"
    check = [sys.executable, "-m", "asmgen", "check"]
    print("| instructions | waits | check | check --strip --fix | llvm-mc-22 |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="asmgen-bench-") as name:
        path, out = Path(name, "f.s"), str(Path(name, "out"))
        for count, every in CASES:
            path.write_text(text_of(count, every, Random(_SEED)), encoding="utf-8")
            assembler = [
                "llvm-mc-22",
                "--triple=amdgcn-amd-amdhsa",
                f"--mcpu={target}",
                "--filetype=obj",
                "-o",
                out,
                str(path),
            ]
            plain = [*check, str(path), "--target", target]
            times = [
                seconds(command) for command in (plain, [*plain, "--strip", "--fix", "-o", out], assembler)
            ]
            print(
                f"| {count:,} | {(count - 1) // every:,} | "
                + " | ".join(f"{time:.2f} s" for time in times)
                + " |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
