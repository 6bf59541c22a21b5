"""Faults in the assembly: waits and wait states out, a carry lost, registers that no launch fills."""

from __future__ import annotations

from tests.compiled.faults.kinds import BOUNDS, HAZARD, RACE, UNINITIALISED, WAIT, assembly
from tests.compiled.mutation import Edit, Fault


def unwaited(kernel: str, machine: str, wait: str, before: str = "") -> Fault:
    """The first wait of this kind, next to an instruction that begins so, is not there."""
    return assembly(kernel, f"a wait on {wait} removed", machine, WAIT, Edit(rf"\t{wait}[^\n]*\n(?=\t{before})", ""))


WAITS = (
    unwaited("gathered", "gfx942", r"s_waitcnt lgkmcnt\(0\)"),
    unwaited("gathered", "gfx942", r"s_waitcnt vmcnt\(0\)"),
    unwaited("streamed", "gfx90a", r"s_waitcnt vmcnt\(0\)"),
    unwaited("streamed", "gfx1100", r"s_waitcnt vmcnt\(0\)"),
    unwaited("streamed", "gfx1201", r"s_wait_loadcnt 0x0"),
    unwaited("quadratic_roots", "gfx942", r"s_waitcnt vmcnt"),
    unwaited("tiled_product", "gfx942", r"s_waitcnt lgkmcnt\(0\)", "v_"),
    unwaited("tiled_product", "gfx1100", r"s_waitcnt lgkmcnt", "v_"),
    unwaited("tiled_product", "gfx1201", r"s_wait_dscnt 0x", "v_"),
    unwaited("tree_sum", "gfx950", r"s_waitcnt lgkmcnt\(0\)", "v_"),
    unwaited("bitonic_sort", "gfx1201", r"s_wait_dscnt 0x0", "v_"),
    unwaited("unsigned_long_division", "gfx1201", r"s_wait_kmcnt 0x0"),
    unwaited("word_division", "gfx1100", r"s_waitcnt lgkmcnt\(0\)"),
    unwaited("reversed_lanes", "gfx942", r"s_waitcnt lgkmcnt", "global_store"),
    unwaited("shuffled_longs", "gfx1201", r"s_wait_dscnt 0x0"),
    unwaited("word_old_values", "gfx942", r"s_waitcnt vmcnt", "global_store"),
    unwaited("large_array", "gfx1201", r"s_wait_loadcnt 0x0"),
    unwaited("insertion_sort", "gfx950", r"s_waitcnt vmcnt\(\d\)"),
    unwaited("big_additions", "gfx942", r"s_waitcnt vmcnt"),
    unwaited("polynomial_table", "gfx942", r"s_waitcnt vmcnt\(0\)"),
)


def unstated(kernel: str, machine: str, nth: int = 0) -> Fault:
    """The nth s_nop or s_delay of a kernel is not there."""
    return assembly(kernel, f"wait states {nth} removed", machine, HAZARD, Edit(r"\ts_nop [1-9]\d*\n", "", nth))


HAZARDS = (
    unstated("single_mfma", "gfx90a"),
    unstated("half_by_mfma", "gfx942"),
    unstated("double_mfma", "gfx950"),
    unstated("brain_mfma", "gfx942"),
    unstated("many_blocks", "gfx942"),
)

COPIES = (
    assembly(
        "copied_into_lds",
        "no wait before the barrier",
        "gfx942",
        WAIT | RACE,
        Edit(r"s_waitcnt vmcnt\(0\)( lgkmcnt\(0\))?\n\ts_barrier", "s_barrier"),
    ),
    assembly(
        "copied_into_lds",
        "no wait before the barrier",
        "gfx90a",
        WAIT | RACE,
        Edit(r"s_waitcnt vmcnt\(0\)( lgkmcnt\(0\))?\n\ts_barrier", "s_barrier"),
    ),
    assembly(
        "buffer_into_lds",
        "no wait before the read",
        "gfx950",
        WAIT | RACE,
        Edit(r"\ts_waitcnt vmcnt\(0\)[^\n]*\n", ""),
    ),
    assembly(
        "wide_into_lds",
        "no wait before the read",
        "gfx950",
        WAIT | RACE,
        Edit(r"\ts_waitcnt vmcnt\(0\)[^\n]*\n", ""),
    ),
)

CARRIES = tuple(
    assembly(kernel, "the upper half takes no carry", machine, BOUNDS, Edit(pattern, new))
    for kernel, machine, pattern, new in (
        (
            "streamed",
            "gfx90a",
            r"v_addc_co_u32_e32 (v\d+), vcc, (\w+), (\w+), vcc",
            r"v_add_u32_e32 \1, \2, \3",
        ),
        (
            "gathered",
            "gfx90a",
            r"v_addc_co_u32_e32 (v\d+), vcc, (\w+), (\w+), vcc",
            r"v_add_u32_e32 \1, \2, \3",
        ),
        (
            "scattered",
            "gfx90a",
            r"v_addc_co_u32_e32 (v\d+), vcc, (\w+), (\w+), vcc",
            r"v_add_u32_e32 \1, \2, \3",
        ),
        (
            "streamed",
            "gfx1100",
            r"v_add_co_ci_u32_e\d+ (v\d+), (?:null|vcc_lo|s\d+), (\w+), (\w+), (?:vcc_lo|s\d+)",
            r"v_add_nc_u32_e32 \1, \2, \3",
        ),
        (
            "gathered",
            "gfx1201",
            r"v_add_co_ci_u32_e\d+ (v\d+), (?:null|vcc_lo|s\d+), (\w+), (\w+), (?:vcc_lo|s\d+)",
            r"v_add_nc_u32_e32 \1, \2, \3",
        ),
    )
)

REGISTERS = (
    assembly(
        "no_arguments_but_one",
        "fewer user SGPRs than are read",
        "gfx1100",
        UNINITIALISED,
        Edit(r"amdhsa_user_sgpr_count 15", "amdhsa_user_sgpr_count 13"),
    ),
    assembly(
        "fenced_message",
        "fewer user SGPRs than are read",
        "gfx1100",
        UNINITIALISED,
        Edit(r"amdhsa_user_sgpr_count 15", "amdhsa_user_sgpr_count 8"),
    ),
    assembly(
        "grid_of_three",
        "the id along z is not asked for",
        "gfx942",
        UNINITIALISED,
        Edit(r"amdhsa_system_sgpr_workgroup_id_z 1", "amdhsa_system_sgpr_workgroup_id_z 0"),
    ),
    assembly(
        "fenced_message",
        "the workgroup's id is not asked for",
        "gfx90a",
        UNINITIALISED,
        Edit(r"amdhsa_system_sgpr_workgroup_id_x 1", "amdhsa_system_sgpr_workgroup_id_x 0"),
    ),
    assembly(
        "seven_points",
        "work-item ids of one dimension",
        "gfx1100",
        UNINITIALISED | BOUNDS,
        Edit(r"amdhsa_system_vgpr_workitem_id 2", "amdhsa_system_vgpr_workitem_id 0"),
    ),
)

FAULTS = (*WAITS, *HAZARDS, *COPIES, *CARRIES, *REGISTERS)
