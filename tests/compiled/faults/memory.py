"""Accesses beyond the end of memory, of memory that was never written, at addresses that are not aligned."""

from __future__ import annotations

from tests.compiled.case import Case
from tests.compiled.faults.kinds import BOUNDS, RACE, UNINITIALISED, assembly, source, swap
from tests.compiled.mutation import Edit, Fault


def half_lds(case: Case) -> Case:
    """The launch gives half of the dynamic LDS that the kernel needs."""
    return Case(case.grid, case.block, case.arguments, case.lds_bytes // 2)


BEYOND = (
    source("gathered", "one element past the table", "gfx942", BOUNDS, swap("table[at / 2 + 1]", "table[at * 2]")),
    source("gathered", "a negative index is not refused", "gfx942", BOUNDS, swap("at < 0 ?", "at < -1000 ?")),
    source("scattered", "a store one row too far", "gfx942", BOUNDS, swap("* 2 + 1]", "* 2 + 2]")),
    source("streamed", "the rows are counted twice", "gfx942", BOUNDS, swap("in + INDEX", "in + INDEX * 2")),
    source("all_widths", "the last field is one row further", "gfx942", BOUNDS, swap("[i].zxy", "[i + 1].zxy")),
    source(
        "smoothed_row",
        "the right neighbour has no guard",
        "gfx1100",
        BOUNDS,
        swap("i + 1 < count ? in[i + 1] : 0", "in[i + 1 + count]"),
    ),
    source("smoothed_row", "LDS of 65 elements for 66", "gfx1100", BOUNDS, swap("tile[66]", "tile[65]")),
    source(
        "five_points",
        "the tail has no guard",
        "gfx942",
        BOUNDS,
        swap("x >= width || y >= height", "x >= width"),
    ),
    source("seven_points", "the z guard is one too far", "gfx942", BOUNDS, swap("z >= nz", "z > nz")),
    source(
        "plain_product",
        "the inner loop runs to equality",
        "gfx942",
        BOUNDS,
        swap("i < k; i++", "i <= k; i++"),
    ),
    source(
        "tiled_product",
        "LDS tiles of 15 rows",
        "gfx90a",
        BOUNDS,
        swap("left[16][16], right[16][16]", "left[16][16], right[15][16]"),
    ),
    source("tree_sum", "LDS for half of the workgroup", "gfx942", BOUNDS, swap("sums[256]", "sums[128]")),
    source(
        "private_histograms",
        "bins numbered by the whole byte",
        "gfx942",
        BOUNDS,
        swap("[in[i] >> 2]", "[in[i]]"),
    ),
    source(
        "doubling_scan",
        "the left neighbour has no guard",
        "gfx1201:wave64",
        BOUNDS,
        swap("LOCAL >= reach ? sums[from][LOCAL - reach] : 0", "sums[from][LOCAL - reach]"),
    ),
    source("run_lengths", "the run has no end", "gfx942", BOUNDS, swap("i + length < count && ", "")),
    source("merged_rows", "a search that starts past the end", "gfx942", BOUNDS, swap("high = 64", "high = 400")),
    source(
        "bitonic_sort",
        "one element too many",
        "gfx942",
        BOUNDS,
        swap("out[GROUP_ID * 256 + i + 128]", "out[GROUP_ID * 256 + i + 129]"),
    ),
    source("crc_by_table", "rows of ten bytes", "gfx942", BOUNDS, swap("INDEX * 9 + k", "INDEX * 10 + k")),
    source(
        "constant_table",
        "a table index of five bits",
        "gfx1201",
        BOUNDS,
        swap("primes[x & 15]", "primes[x & 0xFFFF]"),
    ),
    source(
        "insertion_sort",
        "the sorted place has no end",
        "gfx942",
        BOUNDS,
        swap("in[INDEX * 20 + k]", "in[INDEX * 20 + k + 20]"),
    ),
    source(
        "look_back_flags",
        "the flag of the tile after the last",
        "gfx942",
        BOUNDS,
        swap("STORE(&flags[tile], 2u", "STORE(&flags[tile + 1], 2u"),
    ),
    source("work_queue", "items up to and with the last", "gfx942", BOUNDS, swap("item >= items", "item > items")),
    source("word_updates", "a row of ten words", "gfx942", BOUNDS, swap("i / 8 * 9", "i / 8 * 10")),
    source("local_pointer", "a row beyond its LDS", "gfx1201", BOUNDS, swap("row[LOCAL ^ 5]", "row[LOCAL + 5]")),
    Fault("dynamic_reverse", "half of the LDS is given", "gfx942", BOUNDS, launch=half_lds),
    Fault("dynamic_histogram", "half of the LDS is given", "gfx942", BOUNDS, launch=half_lds),
    Fault("dynamic_doubles_scan", "half of the LDS is given", "gfx1100", BOUNDS, launch=half_lds),
    source(
        "large_array",
        "an index of 1,000 for 300 cells of the stack",
        "gfx942",
        BOUNDS,
        swap("(at * 13 + sum) % 300", "(at * 13 + sum) % 100000"),
    ),
    assembly(
        "large_array",
        "scratch of half the size",
        "gfx942",
        BOUNDS,
        Edit(r"(amdhsa_private_segment_fixed_size) \d+", r"\1 640"),
        Edit(r"(\.private_segment_fixed_size:) +\d+", r"\1 640"),
    ),
    assembly(
        "tree_sum",
        "LDS of half the size",
        "gfx942",
        BOUNDS,
        Edit(r"(amdhsa_group_segment_fixed_size) 1024", r"\1 512"),
    ),
)

MISALIGNED = (
    assembly(
        "word_updates",
        "an atomic at an odd address",
        "gfx942",
        BOUNDS,
        Edit(r"(global_atomic_add v[^\n]*off)\n", r"\1 offset:2\n"),
    ),
    assembly(
        "long_updates",
        "a 64-bit atomic at four bytes",
        "gfx942",
        BOUNDS,
        Edit(r"(global_atomic_add_x2 v[^\n]*off)\n", r"\1 offset:4\n"),
    ),
    assembly(
        "group_word_updates",
        "an LDS atomic at an odd address",
        "gfx942",
        BOUNDS,
        Edit(r"(ds_min_i32 [^\n]*offset:)20", r"\g<1>22"),
    ),
    assembly(
        "group_long_updates",
        "a 64-bit LDS atomic at four bytes",
        "gfx1100",
        BOUNDS,
        Edit(r"(ds_max_i64 [^\n]*offset:)\d+", r"\g<1>1044"),
    ),
)

UNWRITTEN = (
    source(
        "tree_sum",
        "one lane does not write its element",
        "gfx942",
        UNINITIALISED,
        swap("sums[LOCAL] = in[INDEX];", "if (LOCAL != 77) sums[LOCAL] = in[INDEX];"),
    ),
    source(
        "counting_ranks",
        "the last element is not written",
        "gfx90a",
        UNINITIALISED,
        swap("row[i] = x;", "if (i < 99) row[i] = x;"),
    ),
    source(
        "private_histograms",
        "the bins are not cleared",
        "gfx942",
        UNINITIALISED,
        swap("bins[k / 64][k % 64] = 0;", "if (k < 255) bins[k / 64][k % 64] = 0;"),
    ),
    source(
        "two_maxima",
        "the second one is not cleared",
        "gfx942",
        UNINITIALISED,
        swap("first = second = 0", "first = 0"),
    ),
    source(
        "compacted",
        "one wave's count is missing",
        "gfx942",
        UNINITIALISED,
        swap("if (LANE == 0) waves[wave]", "if (LANE == 0 && wave != 1) waves[wave]"),
    ),
    source(
        "smoothed_row",
        "the left edge is missing",
        "gfx1100",
        UNINITIALISED,
        swap("if (LOCAL == 0) tile[0] = i ? in[i - 1] : 0;", ""),
    ),
    source(
        "convolved_image",
        "the last row of the tile is missing",
        "gfx950",
        UNINITIALISED,
        swap("k < 12 * 20", "k < 11 * 20"),
    ),
    source(
        "dynamic_size_known",
        "a fifth of the LDS is not written",
        "gfx942",
        UNINITIALISED,
        swap("k < size / 4; k += GROUP_SIZE", "k < size / 5; k += GROUP_SIZE"),
    ),
    source(
        "fourier_transform",
        "half of the data is not there",
        "gfx1100",
        UNINITIALISED,
        swap("data[reversed] = in", "if (i & 1) data[reversed] = in"),
    ),
    source(
        "matrix_by_vector",
        "the last lane has no part",
        "gfx90a",
        UNINITIALISED,
        swap("parts[row][lane] = sum;", "if (lane < 31) parts[row][lane] = sum;"),
    ),
    source(
        "local_pointer_beside_array",
        "the static row is not written",
        "gfx942",
        UNINITIALISED,
        swap("fixed[LOCAL] = in[INDEX];", "if (LOCAL) fixed[LOCAL] = in[INDEX];"),
    ),
    source(
        "group_lock",
        "the lock is not cleared",
        "gfx942",
        UNINITIALISED,
        swap("lock = total = most = 0", "total = most = 0"),
    ),
    source(
        "wave_messages",
        "the flags are not cleared",
        "gfx942",
        UNINITIALISED | RACE,
        swap("if (LOCAL < 4) flags[LOCAL] = 0;", ""),
    ),
    source(
        "bytes_in_lds",
        "one byte is not written",
        "gfx942",
        UNINITIALISED,
        swap(
            "bytes[(LOCAL * 67) & 255] = in[INDEX];",
            "if (LOCAL != 100) bytes[(LOCAL * 67) & 255] = in[INDEX];",
        ),
    ),
    source(
        "large_array",
        "cells of the stack are not set",
        "gfx942",
        UNINITIALISED,
        swap("k < 300; k++) cells", "k < 200; k++) cells"),
    ),
    source(
        "variable_array",
        "the last element is not set",
        "gfx942",
        UNINITIALISED,
        swap("k < count; k++) row[k]", "k + 1 < count; k++) row[k]"),
    ),
    source(
        "fenced_message",
        "memory is read that nobody wrote",
        "gfx942",
        UNINITIALISED,
        swap("row[GROUP * 128 + LOCAL] = in", "if (LOCAL != 5) row[GROUP * 128 + LOCAL] = in"),
    ),
    source(
        "last_group_sums",
        "one group leaves nothing",
        "gfx942",
        UNINITIALISED,
        swap("partial[GROUP_ID] = sums[0];", "if (GROUP_ID != 3) partial[GROUP_ID] = sums[0];"),
    ),
    source(
        "initialised_once",
        "the table is not filled to its end",
        "gfx942",
        UNINITIALISED,
        swap("k < 64; k++) table", "k < 60; k++) table"),
    ),
)

FAULTS = (*BEYOND, *MISALIGNED, *UNWRITTEN)
