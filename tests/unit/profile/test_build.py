"""Profiles of launches: each clock has one owner, and the figures agree with each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from asmgen.kernels import CATALOGUE
from asmgen.profile import recorded
from asmgen.profile.build import Profiled, clocks_by_place, profile_launch
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.model import LaunchProfile
from asmgen.profile.result import Profile
from asmgen.profile.sources import launches_of_source
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.runner import run_image
from isa.objects.metadata import RegisterCounts
from isa.targets import TARGETS
from isa.timing.machine import MACHINES
from isa.timing.timeline import Timeline
from tests.unit.isa.programs import image_of
from tests.unit.profile.profiles import array, catalogue_profile, clang_profile, compile_catalogue, mlir_profile

SMALL = {"rows": "64", "cols": "256", "n": "4096"}
SMALL_PRODUCT = {"m": "64", "n": "128", "k": "256", "batch": "2"}


def small(name: str, target: str) -> Profile:
    parameters = CATALOGUE[name].parameters
    settings = {key: value for key, value in (SMALL_PRODUCT if "m" in parameters else SMALL).items() if key in parameters}
    return catalogue_profile(name, target, **settings)


def check_owners(timeline: Timeline) -> None:
    """The clocks of each wave by cause are its residence, and its charges are in the order of its steps."""
    for wave in timeline.waves:
        assert int(wave.clocks.sum()) == wave.end - wave.start
        assert (wave.clocks > 0).all()
        assert (np.diff(wave.step) >= 0).all()
        assert wave.start >= 0 and wave.end <= timeline.clocks


def check_sums(each: Profiled) -> None:
    profile = each.profile
    residence = sum(wave.end - wave.start for wave in each.timeline.waves)
    assert profile.residence == residence == sum(clocks for _, clocks in profile.causes)
    assert residence == sum(line.clocks for line in profile.lines)
    issued = dict(profile.causes).get("issued", 0)
    assert issued == residence - sum(stall.clocks for line in profile.lines for stall in line.stalls)
    assert sum(rest.share for rest in profile.rests) == pytest.approx(1)
    assert profile.launch_clocks >= profile.group_clocks > 0
    assert 0 < profile.roof <= 1.0001
    assert 1 <= profile.resident_waves <= profile.most_waves
    assert profile.uses == tuple(sorted(profile.uses, key=lambda use: -use.share))
    assert all(0 <= advice.gain <= 1.0001 for advice in profile.advice)


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("name", ("softmax", "full_sum"))
def test_clocks_of_catalogue_kernels_have_one_owner(name: str, target: str) -> None:
    for each in small(name, target).launches:
        check_owners(each.timeline)
        check_sums(each)


@pytest.mark.slow
@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_clocks_of_every_catalogue_kernel_have_one_owner(name: str, target: str) -> None:
    for each in small(name, target).launches:
        check_owners(each.timeline)
        check_sums(each)


@pytest.mark.parametrize("target", ("gfx950", "gfx1201"))
def test_clocks_of_an_mlir_kernel_have_one_owner(target: str) -> None:
    options = LaunchOptions(grid=(5, 1, 1), block=(96, 1, 1), sizes={"x": (450,), "y": (450,), "count": (450,)})
    for each in mlir_profile("relu", target, options).launches:
        check_owners(each.timeline)
        check_sums(each)
        assert each.profile.waves == -(-96 // TARGETS[target].wave_size)


needs_clang = pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")


@needs_clang
@pytest.mark.parametrize("target", ("gfx942", "gfx1100"))
def test_clocks_of_a_clang_object_have_one_owner(target: str, tmp_path: Path) -> None:
    options = LaunchOptions(grid=(16, 1, 1), block=(256, 1, 1), arguments=(array("f32", 16384), array("f32", 16384)))
    (each,) = clang_profile("softmax", target, options, tmp_path).launches
    check_owners(each.timeline)
    check_sums(each)
    assert dict(each.profile.causes)["barrier"] > 0


def test_a_launch_that_fills_units_takes_as_many_rounds() -> None:
    few, many = (catalogue_profile("relu", "gfx1201", n=n).profiles[0] for n in ("65536", "16777216"))
    assert few.of_unit <= few.at_once < many.of_unit
    assert many.launch_clocks > 4 * few.launch_clocks
    assert many.replayed == many.at_once


def test_a_long_workgroup_is_replayed_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    source = compile_catalogue("col_sum", "gfx1201", rows="256", cols="65536")
    (launch, *_) = launches_of_source(source, "col_sum", LaunchOptions())
    whole = profile_launch(launch)
    usual = whole.profile
    steps = sum(len(wave.steps) for wave in whole.timeline.trace.waves) // usual.replayed
    for most in (usual.at_once // 2, 1):
        monkeypatch.setattr(recorded, "MOST_STEPS", most * steps + steps // 2)
        fewer = profile_launch(launch).profile
        assert fewer.replayed == most < usual.replayed and f"only {most} of them are replayed" in fewer.notes[0]
        assert fewer.launch_clocks == pytest.approx(usual.launch_clocks, rel=0.3)


def test_the_longest_workgroup_bounds_a_launch_that_fills_no_unit() -> None:
    path = image_of(LONGER_LATER, arguments=())
    launch = Launch(path, KernelCall((5, 1, 1), (64, 1, 1), ()), "longer")
    each = profile_launch(launch)
    assert each.profile.paths == 4 and each.profile.replayed == 1
    assert [wave.group for wave in each.timeline.trace.waves] == [4]


def test_nothing_is_hidden_beside_memory_that_is_always_busy() -> None:
    (profile,) = catalogue_profile("relu", "gfx1201", n="16777216").profiles
    assert profile.roof == 1
    assert [advice.text.partition(",")[0] for advice in profile.advice] == ["fewer bytes"]


@pytest.mark.parametrize(("n", "name", "trust"), (("1048576", "Infinity Cache", "assumed"), ("16777216", "memory", "peak")))
def test_buffers_that_the_last_cache_has_are_bounded_by_it(n: str, name: str, trust: str) -> None:
    (profile,) = catalogue_profile("relu", "gfx1201", n=n).profiles
    assert (profile.bound.kind, profile.bound.what) == ("throughput", name)
    assert [use.trust for use in profile.uses if use.unit == name] == [trust]
    assert [(rest.trust, rest.share) for rest in profile.launch_rests] == [(trust, 1.0)]


def test_loads_of_which_lanes_use_the_same_part_of_lines_are_one_advice() -> None:
    """Each lane of cumsum loads 32 bytes by two loads of 16."""
    (profile,) = catalogue_profile("cumsum", "gfx942", rows="1024").profiles
    sparse = [advice.text for advice in profile.advice if "follow each other" in advice.text]
    assert sparse[0].startswith("addresses of lines ") and sparse[0].endswith(": each uses 50% of its lines of memory")
    assert len({text.rpartition(" that ")[0] for text in sparse}) == len(sparse) <= 2


@pytest.mark.parametrize(("kernel", "size", "straight"), [("vecadd", "n", False), ("softmax", "rows", True)])
def test_the_place_of_the_code_decides_when_it_is_fetched(kernel: str, size: str, straight: bool) -> None:
    """Code of vecadd is shorter than a piece. If it needs the next besides, that is there when the arguments are.
    Softmax waits for pieces of its straight code."""
    compiled = compile_catalogue(kernel, "gfx1201", **{size: "64"})
    (launch,) = launches_of_source(compiled, kernel, LaunchOptions())
    machine = MACHINES["gfx1201"]
    piece = machine.fetched.clocks
    first, again, *others = clocks_by_place(launch, (0, piece, *range(16, piece, 48)))
    assert first == again == profile_launch(launch).profile.launch_clocks
    assert (max(others) > min(others)) == straight
    assert max(others) - min(others) <= machine.fetch.clocks


def test_the_step_to_the_next_wave_counts_the_registers_of_the_metadata() -> None:
    image = image_of(WAITING, arguments=(), machine="gfx1201", vgprs=104)  # a descriptor counts in eights
    image = replace(image, counts=RegisterCounts(vgprs=97))
    profile = profile_launch(Launch(image, KernelCall((4096, 1, 1), (32, 1, 1), ()), "waiting")).profile
    assert "more waves to hide latency: 16 waves a SIMD with 1 VGPR fewer" in [advice.text for advice in profile.advice]


def test_another_layout_in_lds_gains_what_the_advice_says_if_lds_is_full() -> None:
    """Lanes 128 bytes apart share a bank of 4 bytes. Waves then wait for room in the queue of LDS, not for conflicts."""

    def profile(shift: int) -> LaunchProfile:
        reads = "\n".join(["ds_read_b32 v2, v1"] * 200)
        text = f"v_and_b32_e32 v1, 63, v0\nv_lshlrev_b32_e32 v1, {shift}, v1\n{reads}\ns_endpgm"
        image = image_of(text, arguments=(), lds_bytes=8192)
        return profile_launch(Launch(image, KernelCall((304, 1, 1), (512, 1, 1), ()), "shared")).profile

    shared, apart = profile(7), profile(2)
    assert shared.advice[0].text.startswith("another layout in LDS (padding or a swizzle): lanes of line 2 share banks")
    assert 0.8 < shared.advice[0].gain == pytest.approx(1 - apart.launch_clocks / shared.launch_clocks, abs=0.1)
    assert not any("layout in LDS" in advice.text for advice in apart.advice)


def test_functions_that_no_wave_calls_are_not_counted() -> None:
    image = image_of(CALLING, arguments=())
    image = replace(image, code=replace(image.code, function_starts=[5, 7]))
    profile = profile_launch(Launch(image, KernelCall((1, 1, 1), (64, 1, 1), ()), "calling")).profile
    assert profile.instructions == 5 + 3
    assert profile.instructions == len(profile.lines)


CALLING = f"""
s_getpc_b64 s[8:9]
s_add_u32 s8, s8, {6 * 4}
s_addc_u32 s9, s9, 0
s_swappc_b64 s[30:31], s[8:9]
s_endpgm
v_mov_b32 v1, 0
s_setpc_b64 s[30:31]
v_mov_b32 v2, 0
v_mov_b32 v2, 1
s_setpc_b64 s[30:31]
"""


WAITING = """
s_branch next
next:
s_load_b64 s[4:5], s[0:1], 0x0
s_wait_kmcnt 0x0
s_endpgm
"""

# each workgroup goes round as often as its number says, and once more
LONGER_LATER = """
s_mov_b32 s3, s2
loop:
s_sub_u32 s3, s3, 1
s_cbranch_scc0 loop
s_endpgm
"""


# each workgroup waits until the workgroup before it has stored its number
IN_TURN = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v3, s2
v_add_u32_e32 v3, {step}, v3
s_waitcnt lgkmcnt(0)
wait:
s_sleep 1
global_load_dword v2, v1, s[4:5] sc1
s_waitcnt vmcnt(0)
v_cmp_ne_u32_e32 vcc, s2, v2
s_cbranch_vccnz wait
global_store_dword v1, v3, s[4:5] sc1
s_endpgm
"""


def in_turn(step: int, start: int, groups: int = 8) -> Launch:
    call = KernelCall((groups, 1, 1), (64, 1, 1), (np.array([start], np.uint32),) * 2)
    return Launch(image_of(IN_TURN.format(step=step)), call, "turn")


def test_workgroups_that_wait_for_earlier_ones_are_replayed_from_the_first_on() -> None:
    profile = profile_launch(in_turn(1, 0)).profile
    assert any("the first 3 are replayed" in note for note in profile.notes)
    assert any("waits for other waves" in note for note in profile.notes)


def test_workgroups_that_wait_for_later_ones_are_refused() -> None:
    with pytest.raises(InputError, match="workgroups wait for later workgroups") as caught:
        profile_launch(in_turn(-1, 7))
    assert caught.value.code == "PRF006"


@pytest.mark.parametrize("groups", [1, 3])
def test_workgroups_that_wait_for_ever_are_given_up_as_run_does(groups: int) -> None:
    """Workgroup 9 would begin."""
    launch = in_turn(1, 9, groups)
    with pytest.raises(InputError) as given_up:
        _ = run_image(launch.image, launch.call)
    with pytest.raises(InputError) as caught:
        profile_launch(launch)
    assert (caught.value.code, caught.value.message) == (given_up.value.code, given_up.value.message)


def test_an_endless_kernel_is_given_up_as_run_does() -> None:
    image = image_of("loop:\ns_add_u32 s3, s3, 1\ns_branch loop\ns_endpgm", arguments=())
    with pytest.raises(InputError) as caught:
        profile_launch(Launch(image, KernelCall((1, 1, 1), (64, 1, 1), ()), "endless"), max_steps=10_000)
    assert caught.value.code == "EMU011"


def test_missing_sizes_and_arguments_are_named() -> None:
    with pytest.raises(InputError, match="the sizes of rows are not known") as caught:
        catalogue_profile("softmax", "gfx942", rows="?")
    assert (caught.value.code, caught.value.help) == ("PRF001", "--size rows=N")
    with pytest.raises(InputError, match="the launch of relu is not known, wanted --grid X --block X"):
        mlir_profile("relu", "gfx942", LaunchOptions())
    with pytest.raises(InputError, match="main needs the sizes of its arguments x, last"):
        mlir_profile("pipeline", "gfx942", LaunchOptions())
    with pytest.raises(InputError, match=r"got --grid for a source that states its own launches"):
        launches_of_source(compile_catalogue("relu", "gfx942"), "relu", LaunchOptions(grid=(1, 1, 1)))


@needs_clang
def test_missing_arguments_of_an_object_are_named(tmp_path: Path) -> None:
    options = LaunchOptions(block=(256, 1, 1), arguments=(array("f32", 64),))
    with pytest.raises(InputError) as caught:
        clang_profile("softmax", "gfx942", options, tmp_path)
    assert caught.value.message == "the launch of softmax is not known, wanted --grid, --arg for arg1 (float4*)"
