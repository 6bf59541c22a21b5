"""A large program is run whole once, and in part with the sanitizer: faults in the middle of a grid are
found."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import Array
from asmgen.kernels import build_kernel
from asmgen.verification import hold, verify
from asmgen.verification.large import is_large
from asmgen.verification.period import repeated
from asmgen.verification.settings import Setting, emulated, representatives
from isa.diagnostics import InputError
from tests.unit.verification.test_verify import with_assembly

ADD = "x = @param:x -> f32, {200000}\ny = @param:y -> f32, {200000}\nz = add(x, y)\n@return(z)\n"


def add() -> CompiledProgram:
    return asmgen.compile(ADD)


def test_a_large_program_runs_whole_and_in_part() -> None:
    report = verify(add())
    assert not report.is_broken
    assert report.scope == ("all 196 workgroups ran: every element was compared, and stored once; 14 of them ran in every setting with the sanitizer")


@pytest.mark.parametrize("place", [0, 70_001, 131_072, 199_999])
def test_one_wrong_element_anywhere_is_found(place: int) -> None:
    def wrong(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (result,) = emulated(program, arrays, setting)
        result.reshape(-1)[place] = 12345.5
        return [result]

    report = hold(add(), emulate=wrong)
    (check,) = report.checks
    assert report.is_broken and check.comparison.index == (place,) and check.comparison.broken == 1


@pytest.mark.parametrize("distance", [1, 64, 1024, 65536])
def test_elements_that_are_taken_from_elsewhere_are_found(distance: int) -> None:
    """From a workgroup in the middle on, as if the arithmetic of its id went wrong there."""

    def shifted(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (result,) = emulated(program, arrays, setting)
        if not isinstance(result, np.ma.MaskedArray):
            result[131072:] = result[131072 - distance : len(result) - distance].copy()
        return [result]

    assert hold(add(), emulate=shifted).is_broken


def test_a_grid_without_its_last_workgroup_is_found() -> None:
    program = add()
    (kernel,) = program.kernels
    assert kernel.grid is not None
    short = replace(kernel, grid=(kernel.grid[0] - 1, 1, 1))
    assert hold(replace(program, kernels=(short,))).is_broken


def row_max() -> CompiledProgram:
    """512 workgroups of a row each; s6 is the id of a workgroup."""
    return asmgen.compile(build_kernel("row_max", [("rows", "512"), ("cols", "512")]))


def broken_or_refused(program: CompiledProgram) -> bool:
    try:
        return hold(program).is_broken
    except InputError as error:
        return error.code.startswith("SAN")


def test_the_id_of_a_workgroup_that_loses_bits_is_found() -> None:
    """Workgroups from 64 on do again what those before them did."""
    entry = r"^(\.Lrow_max\.entry:)"
    assert broken_or_refused(with_assembly(row_max(), entry, r"\1\n\ts_and_b32 s6, s6, 63"))


def test_a_load_whose_address_loses_bits_is_found() -> None:
    """Workgroups from 64 on load the rows of others, and store to their own: each byte is stored once."""
    load = r"^\ts_lshl_b32 (s\d+), s6, (\d+)(.*vector_load.*)"
    replacement = r"\ts_and_b32 \1, s6, 63\n\ts_lshl_b32 \1, \1, \2"
    program = with_assembly(row_max(), load, replacement)
    report = hold(program)
    assert report.is_broken and "stored once" in report.scope
    assert report.checks[0].comparison.broken > 300


def test_a_missing_wait_is_found_in_the_part_that_the_sanitizer_sees() -> None:
    with pytest.raises(InputError) as caught:
        _ = hold(with_assembly(add(), r"^\ts_waitcnt vmcnt.*\n", ""))
    assert caught.value.code.startswith("SAN")


def test_workgroups_that_store_the_same_elements_all_run_with_the_sanitizer() -> None:
    """A grid of which every workgroup stores twice: nothing is left out, and the sanitizer tells of the
    race."""
    program = add()
    (kernel,) = program.kernels
    assert kernel.grid is not None
    double = replace(kernel, grid=(kernel.grid[0], 2, 1))
    report = hold(replace(program, kernels=(double,)))
    assert "all 392 workgroups ran with the sanitizer" in report.scope


@pytest.mark.parametrize("place", [0, 100, 255])
@pytest.mark.parametrize("op", ["max", "min", "sum"])
def test_an_element_that_every_row_loses_is_found(op: str, place: int) -> None:
    """Only the largest element of a row shows in its maximum: some row has it at each place."""

    def without(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (x,) = (array.copy() for array in arrays)
        x[:, place] = {"max": -np.inf, "min": np.inf, "sum": 0}[op]
        return emulated(program, [x], setting)

    program = asmgen.compile(f"x = @param:x -> {{1000, 256}}\ny = reduce_{op}[axes=1](x)\n@return(y)\n")
    assert hold(program, emulate=without).is_broken


def test_a_verdict_says_what_was_compared_and_why_it_is_right() -> None:
    lines = str(hold(asmgen.compile("x = @param:x -> {200000}\ny = exp(x)\n@return(y)\n")).checks[0]).split("\n")
    assert lines[0] == "y: ok, all 200000 elements are within their error bounds"
    assert lines[1].startswith("  nearest to its bound: element [")
    assert re.fullmatch(r"  error [\d.]+, bound [\d.]+ units in the last place of the result: \d+% of the bound", lines[2])
    assert lines[3].startswith("  run: every kind of input; ")
    assert lines[4] == "  bound: that of exp (docs/numerics.md)"


def test_rows_repeat_along_a_dim_that_no_op_combines() -> None:
    graph = build_kernel("layernorm", [])
    found = repeated(graph)
    assert found is not None
    assert (found.size, found.block, found.parameters, found.results) == (4096, 61, (0, None, None), (0,))
    assert repeated(build_kernel("full_sum", [])) is None
    assert repeated(build_kernel("reverse_add", [])) is None


def test_a_square_that_is_added_to_its_transpose_has_no_rows() -> None:
    text = "x = @param:x -> f32, {600, 600}\nt = transpose[permutation={1, 0}](x)\ny = add(x, t)\n@return(y)\n"
    program = asmgen.compile(text)
    assert program.graph is not None
    assert is_large(program.graph) and repeated(program.graph) is None
    assert not hold(program).is_broken


@pytest.mark.parametrize("strides", ["{0, 1}", "{1, 0}", "{1, 500}", "{512, 1}"])
def test_a_large_parameter_of_any_strides_is_verified(strides: str) -> None:
    """Elements that share memory share their value."""
    text = f"x = @param:x -> f32, {{500, 400}}, {strides}\ny = @param:y -> f32, {{500, 400}}\nz = add(x, y)\n@return(z)\n"
    assert not hold(asmgen.compile(text)).is_broken


def test_representatives_are_the_first_the_last_and_neighbours() -> None:
    found = representatives(1000, 3)
    assert {*range(8), 998, 999} <= {*found}
    assert len(found) == len({*found}) <= 14
    assert found == representatives(1000, 3)
