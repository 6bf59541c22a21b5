"""The record of a kernel in a run: its resources and clocks, and whether it is right."""

from __future__ import annotations

from msgspec import Struct

OK, REFUSED, WRONG, CRASHED, HUNG, MEMORY = "ok", "refused", "wrong", "crashed", "hung", "memory"
ABSENT = "absent"  # the compiler of a foreign kernel refused it, or is not installed


class Record(Struct, frozen=True):
    """A kernel: its case, its status, and its figures, which are 0 if there are none.

    `reason` describes any status but `ok`: the code and message of a refusal, the finding, the fault.
    `compile_seconds` are seconds of CPU time. Registers, LDS and scratch (bytes) are the most of the
    program's kernels; `instructions` and `code_bytes` are their sums, `clocks` and `microseconds` those of
    the launches by the clock model. `runs` counts the runs that agreed with the reference, 0 if the kernel
    has no reference. `assembly` is a digest of the code.
    """

    name: str
    family: str
    kind: str
    target: str
    status: str
    reason: str = ""
    compile_seconds: float = 0.0
    kernels: int = 0
    vgprs: int = 0
    agprs: int = 0
    sgprs: int = 0
    lds_bytes: int = 0
    scratch_bytes: int = 0
    instructions: int = 0
    code_bytes: int = 0
    clocks: float = 0.0
    microseconds: float = 0.0
    limit: str = ""
    runs: int = 0
    assembly: str = ""
