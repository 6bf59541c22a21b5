"""`--verify` must be able to fail: each way in which a program runs is broken once."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import Rules
from asmgen.ir.arrays import Array
from asmgen.ir.program import Stage
from asmgen.kernels import build_kernel
from asmgen.options import Options
from asmgen.verification import hold, verify
from asmgen.verification.inputs import Inputs, sample_inputs
from asmgen.verification.patterns import TURNS
from asmgen.verification.runs import Subject, Way, outcomes
from asmgen.verification.settings import Setting, emulated, settings
from isa.diagnostics import InputError, InternalError
from isa.targets import parse_target

SIZE = [("n", "500")]


def with_assembly(program: CompiledProgram, pattern: str, replacement: str) -> CompiledProgram:
    """The program with its one kernel's text changed; the code object is made of the changed text."""
    (kernel,) = program.kernels
    changed, count = re.subn(pattern, replacement, kernel.assembly, flags=re.MULTILINE)
    assert count
    return replace(program, kernels=(replace(kernel, assembly=changed),))


def vecadd() -> CompiledProgram:
    return asmgen.compile(build_kernel("vecadd", SIZE))


def test_a_right_program_is_verified_in_every_setting() -> None:
    report = hold(vecadd())
    assert not report.is_broken
    nearest, prologue = settings(vecadd())[0]
    assert (str(nearest), str(prologue)) == ("nearest", "nearest, entered at the prologue")
    assert report.runs == len([nearest, prologue, nearest]) + TURNS + 3 >= 10


def test_given_inputs_have_the_values_of_named_dims() -> None:
    program = asmgen.compile("x = @param:x -> f32, {n, 3}\ny = neg(x)\n@return(y)\n")
    assert not hold(program, inputs=[np.ones((5, 3), np.float32)]).is_broken
    wrong = hold(program, inputs=[np.ones((5, 3), np.float32)], emulate=lambda *run: times(2, emulated(*run)))
    assert wrong.checks[0].comparison.broken == 15


def test_a_wrong_instruction_breaks_the_bound() -> None:
    report = hold(with_assembly(vecadd(), r"v_pk_add_f32", "v_pk_mul_f32"))
    assert report.is_broken
    assert report.checks[0].comparison.broken > 400


def test_a_missing_wait_is_found_by_the_sanitizer() -> None:
    with pytest.raises(InputError) as caught:
        _ = hold(with_assembly(vecadd(), r"^\ts_waitcnt vmcnt.*\n", ""))
    assert caught.value.code.startswith("SAN")


def test_a_missing_load_of_the_prologue_is_found() -> None:
    with pytest.raises(InputError) as caught:
        _ = hold(with_assembly(vecadd(), r"^\ts_load_dwordx4.*\n", ""))
    assert caught.value.code.startswith("SAN")


def test_an_output_that_is_never_written_is_found() -> None:
    report = hold(with_assembly(vecadd(), r"^\tglobal_store.*\n", ""))
    assert report.is_broken


def test_a_result_that_the_compiler_lost_is_our_fault() -> None:
    graph = build_kernel("vecadd", SIZE)
    nothing = Way("a way that gives nothing", lambda _: [])
    given = Inputs("ones", [np.ones(500, np.float32)] * 2, in_every_setting=False)
    held = outcomes(Subject(graph, Rules(), (nothing,)), [given])
    with pytest.raises(InternalError, match="a way that gives nothing: the kernels gave 0 results, wanted 1"):
        _ = next(held)


def test_a_buffer_of_a_launch_that_no_kernel_knows_is_our_fault() -> None:
    program = asmgen.compile("x = @param:x -> f32, {8}\ny = neg(x)\n@return(y)\n")
    (final,) = program.compilation.stages.programs[Stage.FINAL].modules
    (taken, *_) = (statement for statement in final.statements if statement.op is PARAM)
    taken.attributes["name"] = "other"
    with pytest.raises(InternalError, match="takes other, which is not an argument and not written"):
        _ = program(np.ones(8, np.float32), device="emulator")


def test_the_code_object_itself_is_run() -> None:
    program = vecadd()
    wrong = with_assembly(program, r"v_pk_add_f32", "v_pk_mul_f32").kernels[0].code_object
    kernel = replace(program.kernels[0], _code_object=wrong)
    report = hold(replace(program, kernels=(kernel,)))
    assert report.is_broken
    assert report.checks[0].run.endswith("nearest, code object")


def test_fast_math_is_measured_and_not_held_to_the_bounds() -> None:
    program = with_assembly(asmgen.compile(build_kernel("vecadd", SIZE), fast_math=True), r"v_pk_add_f32", "v_pk_mul_f32")
    report = hold(program)
    assert not report.is_broken
    assert "bounds do not apply under --fast-math" in str(report.checks[0])


def test_samples_are_the_same_for_the_same_seed_and_hold_the_corners() -> None:
    program = asmgen.compile("x = @param:x -> f32, {5000}\ny = neg(x)\n@return(y)\n")
    assert program.graph is not None
    (parameter, *_) = program.graph.modules[0].statements
    (first,), (second,), (other,) = (sample_inputs([parameter], seed) for seed in (1, 1, 2))
    assert first.tobytes() == second.tobytes() != other.tobytes()
    assert np.isnan(first).any()
    assert np.isposinf(first).any()
    assert np.isneginf(first).any()
    assert (first[first == 0] == 0).any()
    assert np.signbit(first[first == 0]).any()
    tiny = np.abs(first[np.isfinite(first) & (first != 0)])
    assert (tiny < np.finfo(np.float32).tiny).any()


def test_samples_of_f64_overflow_in_silence() -> None:
    program = asmgen.compile("x = @param:x -> f64, {5000}\ny = neg(x)\n@return(y)\n")
    assert program.graph is not None
    with np.errstate(all="raise"):
        _ = sample_inputs([program.graph.modules[0].statements[0]], 1)


def test_elements_that_share_memory_share_their_value() -> None:
    program = asmgen.compile("x = @param:x -> f32, {4, 50}, {0, 1}\ny = neg(x)\n@return(y)\n")
    assert program.graph is not None
    (array,) = sample_inputs([program.graph.modules[0].statements[0]], seed=1)
    assert array.shape == (4, 50)
    assert array[0].tobytes() == array[3].tobytes()
    assert not hold(program).is_broken


def times(factor: float, outputs: Sequence[Array]) -> list[Array]:
    with np.errstate(all="ignore"):
        return [factor * output for output in outputs]


@pytest.mark.parametrize("factor", [0.0, 2.0])
@pytest.mark.parametrize("op", ["reduce_sum", "reduce_mean[axes=1]"])
def test_a_sum_that_is_nothing_or_twice_itself_is_found(op: str, factor: float) -> None:
    """The sum of 153,600 elements that cancel, once accepted within -4237 to 4735 of 249."""
    program = asmgen.compile(f"x = @param:x -> {{512, 300}}\ny = {op}(x)\n@return(y)\n")
    assert hold(program, emulate=lambda *run: times(factor, emulated(*run))).is_broken


def test_a_mean_of_a_million_is_not_zero() -> None:
    program = asmgen.compile("x = @param:x -> {1000000}\ny = reduce_mean(x)\n@return(y)\n")
    report = hold(program, emulate=lambda *run: [0 * output for output in emulated(*run)])
    assert report.is_broken


@pytest.mark.parametrize(("op", "place"), [("sum", 0), ("max", 64), ("min", 170), ("mean", 299)])
def test_an_element_of_a_row_that_is_lost_is_found(op: str, place: int) -> None:
    """A reduction of 300 elements, of which one never arrives."""
    neutral = {"max": -np.inf, "min": np.inf}.get(op, 0.0)

    def without(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (x,) = (array.copy() for array in arrays)
        x[:, place] = neutral
        return emulated(program, [x], setting)

    program = asmgen.compile(f"x = @param:x -> {{400, 300}}\ny = reduce_{op}[axes=1](x)\n@return(y)\n")
    assert hold(program, emulate=without).is_broken


def test_a_place_of_a_nan_before_the_maximum_is_found() -> None:
    def before(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (places,) = emulated(program, arrays, setting)
        last = np.take_along_axis(arrays[0], np.maximum(places.reshape(8, 1) - 1, 0), 1).reshape(places.shape)
        return [places - (np.isnan(last) & (places > 0))]

    rows = asmgen.compile("x = @param:x -> f32, {8,64}\no = argmax[axis=1](x)\n@return(o)\n")
    assert hold(rows, emulate=before).is_broken


@pytest.mark.parametrize("type_", ["f32", "i32"])
def test_a_bool_that_has_its_neighbours_value_is_found(type_: str) -> None:
    def copied(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        (result,) = emulated(program, arrays, setting)
        result[-1] = result[-2]
        return [result]

    program = asmgen.compile(f"x = @param:x -> {type_}, {{67}}\ny = convert[target_type=bool](x)\n@return(y)\n")
    assert hold(program, emulate=copied).is_broken


def test_other_sizes_are_tried_and_named() -> None:
    program = asmgen.compile("x = @param:x -> {4, 300}\ny = reduce_sum[axes=1](x)\n@return(y)\n")
    wave = "{70, 16}"

    def wrong_in_a_wave(tried: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
        results = emulated(tried, arrays, setting)
        return [np.zeros_like(results[0])] if arrays[0].shape == (70, 16) else results

    assert not hold(program, emulate=wrong_in_a_wave).is_broken
    report = verify(program, emulate=wrong_in_a_wave)
    assert report.is_broken and wave in report.sizes and wave in report.checks[0].run


def test_a_fault_at_the_own_size_ends_the_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sizes are not even lowered, which takes seconds for a product of matrices."""
    lowered: list[object] = []
    monkeypatch.setattr(importlib.import_module("asmgen.verification.verify"), "resized_programs", lowered.append)
    report = verify(vecadd(), emulate=lambda *run: times(2.0, emulated(*run)))
    assert report.is_broken and report.sizes == () and not lowered


def test_a_size_that_does_not_compile_is_left_out_and_said() -> None:
    """Eight registers suffice for the asked size, and not for all others."""
    program = asmgen.compile("x = @param:x -> {4, 300}\ny = reduce_sum[axes=1](x)\n@return(y)\n", max_vgprs=8, spill=False)
    report = verify(program)
    assert not report.is_broken
    assert any(note.startswith("not tried at {") and "VGPRs" in note for note in report.notes), report.notes


def test_a_size_whose_code_is_very_long_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Softmax over a long axis of few columns once took minutes to compile at another size."""
    from asmgen.verification import sizes

    monkeypatch.setattr(sizes, "_MOST_STATEMENTS", 60)
    monkeypatch.setattr(sizes, "_TIMES_OWN", 1)
    graph = asmgen.compile("x = @param:x -> {4, 30}\ny = softmax[axis=1](x)\n@return(y)\n").graph
    assert graph is not None
    found = sizes.resized_programs(graph, parse_target("gfx942"), Options())
    assert found.programs and found.notes
    assert all(re.fullmatch(r"not tried at \{\d+, \d+\}: \d+ statements, wanted at most \d+", note) for note in found.notes)


def test_a_literal_that_is_too_large_at_other_sizes_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """36,000 rows of 36,000 numbers took gigabytes before they were refused."""
    from asmgen.verification import sizes

    counts: list[int] = []
    repeat = sizes.repeated
    monkeypatch.setattr(sizes, "repeated", lambda values, count: counts.append(count) or repeat(values[:1], min(count, 1)))
    graph = asmgen.compile("x = @param:x -> {2, 3}\nc = @literal{1,2,3,4,5,6} -> {2, 3}\ny = add(x, c)\n@return(y)\n").graph
    assert graph is not None
    assert sizes.resized(graph, {2: 36000, 3: 36000}) is None
    assert not counts


@pytest.mark.parametrize(("target", "entered"), [("gfx942", True), ("gfx1201", False)])
def test_a_kernel_is_entered_at_its_prologue_too_if_it_has_one(target: str, entered: bool) -> None:
    """Firmware that does not preload arguments begins 256 bytes earlier (AMDGPUUsage, preloaded kernel
    arguments)."""
    program = asmgen.compile("x = @param:x -> f32, {64}\ny = neg(x)\n@return(y)\n", target=target)
    assert ("preload" in program.kernels[0].assembly) is entered
    assert any(setting.entry == "prologue" for setting in settings(program)[0]) is entered
