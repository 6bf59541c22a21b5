"""Faults in what is printed: the code, the descriptor, the metadata, and where the hardware puts what."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/emission/code.py",
        (
            "== fall_through:\n        return terminator", "== fall_through:\n        return ()",
            "a block before the next one never branches elsewhere", "loop of three",
        ),
        (
            ".linear[-1].target", ".linear[0].target",
            "a block goes on where its branch goes", "softmax(rows=2,cols=40000)",
        ),
        (
            "*block.instructions, *_ending", "*block.instructions[:-1], *_ending",
            "the last instruction of a block is not printed", "vecadd(n=261)",
        ),
        (
            "kernel.blocks[0].label)", "kernel.blocks[-1].label)",
            "older firmware goes to the end", "vecadd(n=261)",
        ),
    ),
    *faults_in(
        "asmgen/emission/descriptor.py",
        (
            "kernel.lds_bytes)", "kernel.lds_bytes // 2)",
            "the launch gives half of the LDS", "softmax(rows=5,cols=300)",
        ),
        ("preload_dwords)", "preload_dwords - 2)", "the last pointer is not preloaded", "vecadd(n=261)"),
        (
            'system_sgpr_{role}", int(role in enabled)) for role in', 'system_sgpr_{role}", 0) for role in',
            "no register is filled with the workgroup's id", "row_sum(rows=5,cols=300)",
        ),
        ("+ argument.size for", "for", "the kernarg segment lacks the last pointer", "vecadd(n=261)@gfx1100"),
        (
            "wave_size == 32))]", "wave_size == 64))]",
            "the launch has waves of the other size", "row_sum(rows=5,cols=300)@gfx1100",
        ),
    ),
    *faults_in(
        "asmgen/emission/metadata.py",
        ("argument.offset", "0", "every argument is passed at 0", "vecadd(n=261)"),
    ),
    *faults_in(
        "asmgen/emission/entry.py",
        (
            "read, enabled)", "read, enabled) + 1",
            "the workgroup's id is read one register further on", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/emission/prologue.py",
        (
            "4 * done,\n", "0,\n",
            "older firmware loads the first pointers twice", "differences",
        ),
        (
            "4 * done,\n", "4 * done + 8,\n",
            "older firmware loads every pointer from the next one's place", "vecadd(n=261)",
        ),
        (
            "preloaded.count:", "preloaded.count - 2:",
            "older firmware does not load the last pointer", "row_sum(rows=5,cols=300)",
        ),
    ),
)  # fmt: skip
