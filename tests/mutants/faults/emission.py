"""Faults of emission: the code, the descriptor, the metadata, and the registers that the hardware fills."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_ending",
        "if following is not None and following.label == fall_through:\n    return terminator",
        "if following is not None and following.label == fall_through:\n    return ()",
        "a block that may fall through never branches", "loop of three",
    ),
    fault(
        "_ending", "block.linear[-1]", "block.linear[0]",
        "a block falls through to the target of its branch", "softmax(rows=2,cols=40000)",
    ),
    fault(
        "code_lines", "block.instructions", "block.instructions[:-1]",
        "the last instruction of a block is not printed", "vecadd(n=261)",
    ),
    fault(
        "code_lines", "_branch(kernel, kernel.blocks[0].label)", "_branch(kernel, kernel.blocks[-1].label)",
        "older firmware goes to the end", "vecadd(n=261)",
    ),
    fault(
        "descriptor_lines", "kernel.lds_bytes", "kernel.lds_bytes // 2",
        "the launch allocates half of the LDS", "softmax(rows=5,cols=300)",
    ),
    fault(
        "descriptor_lines", "kernel.abi.preload_dwords", "kernel.abi.preload_dwords - 2",
        "the last pointer is not preloaded", "vecadd(n=261)",
    ),
    fault(
        "descriptor_lines", '(f"system_sgpr_{role}", int(role in enabled))', '(f"system_sgpr_{role}", 0)',
        "the id of the workgroup is not passed", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "kernarg_size", "argument.offset + argument.size", "argument.offset",
        "the kernarg segment lacks the last pointer", "vecadd(n=261)@gfx1100",
    ),
    fault(
        "_wave_fields", "target.wave_size == 32", "target.wave_size == 64",
        "the launch uses the other wave size", "row_sum(rows=5,cols=300)@gfx1100",
    ),
    fault("_argument_pairs", "argument.offset", "0", "every argument is passed at 0", "vecadd(n=261)"),
    fault(
        "system_places", "user_sgpr_count(target, read, enabled)", "user_sgpr_count(target, read, enabled) + 1",
        "the id of the workgroup is read from the next register", "row_sum(rows=5,cols=300)",
    ),
    fault("_loads", "4 * done", "0", "older firmware loads the first pointers twice", "differences"),
    fault(
        "_loads", "4 * done", "4 * done + 8",
        "older firmware loads each pointer from the place of the next pointer", "vecadd(n=261)",
    ),
    fault(
        "_loads", "done < preloaded.count", "done < preloaded.count - 2",
        "older firmware does not load the last pointer", "row_sum(rows=5,cols=300)",
    ),
)  # fmt: skip
