"""Barriers that are not there: waves of a workgroup race, in LDS or in memory."""

from __future__ import annotations

from tests.compiled.faults.kinds import barrier

# a kernel, a machine, and which of its barriers is missing each time
_MISSING: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("bitonic_sort", "gfx942", (0, 1)),
    ("odd_even_sort", "gfx1100", (1,)),
    ("radix_sort", "gfx942", (0, 1, 3)),
    ("counting_ranks", "gfx90a", (0,)),
    ("best_of_each", "gfx1100", (0,)),
    ("tree_sum", "gfx942", (0, 1)),
    ("wave_then_group_sum", "gfx942", (0,)),
    ("place_of_maximum", "gfx1100", (0,)),
    ("doubling_scan", "gfx1201:wave64", (1,)),
    ("tree_scan", "gfx1201", (0, 1)),
    ("segmented_scan", "gfx1201", (1, 2)),
    ("compacted", "gfx942", (0,)),
    ("private_histograms", "gfx1100", (0,)),
    ("private_histograms", "gfx942", (1,)),
    ("dot_product", "gfx1100", (1,)),
    ("two_maxima", "gfx942", (0, 1, 2)),
    ("softmax_rows", "gfx1100", (2,)),
    ("smoothed_row", "gfx1100", (0,)),
    ("game_of_life", "gfx950", (1,)),
    ("convolved_image", "gfx950", (0,)),
    ("heat_steps", "gfx950", (0,)),
    ("padded_transpose", "gfx1100", (0,)),
    ("shortest_paths", "gfx950", (2,)),
    ("tiled_product", "gfx90a", (0, 1)),
    ("register_tiles", "gfx1100", (0,)),
    ("byte_product", "gfx90a", (0,)),
    ("cholesky_factor", "gfx90a", (1, 2)),
    ("gravity", "gfx1100", (0, 1)),
    ("fourier_transform", "gfx1100", (0,)),
    ("wide_lds", "gfx1201", (0,)),
    ("bytes_in_lds", "gfx942", (0,)),
    ("fenced_message", "gfx942", (0, 1)),
    ("zero_rows", "gfx942", (1,)),
    ("grid_barrier", "gfx1100", (0,)),
    ("producer_consumer", "gfx1100", (1,)),
    ("barrier_in_function", "gfx942", (0, 1)),
    ("odd_workgroups", "gfx942", (0,)),
    ("largest_workgroup", "gfx942", (1,)),
    ("dynamic_reverse", "gfx942", (0,)),
    ("local_pointer_beside_array", "gfx1100", (1,)),
    ("swapped_ranks", "gfx942", (0,)),
    ("generic_atomics", "gfx1100", (0,)),
    ("group_word_updates", "gfx1100", (1,)),
    ("table_of_tables", "gfx1100", (0,)),
)
FAULTS = tuple(barrier(kernel, machine, nth) for kernel, machine, missing in _MISSING for nth in missing)
