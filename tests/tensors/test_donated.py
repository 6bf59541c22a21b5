"""Donated arguments: a result is written in the memory of an argument if no workgroup then reads a new element.

The kernels have one buffer for both, so a wrong proof gives wrong numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.text.printer import print_program as print_tiles
from asmgen.blockwise.text.reader import read_program
from asmgen.cli.main import main
from asmgen.graph.printer import print_program
from asmgen.gridwise import one_buffer
from asmgen.gridwise.printer import print_file
from asmgen.ir.program import Stage
from asmgen.options import PROPAGATE
from tests.device import chosen_device
from tests.rows import MACHINES, spread

T = "tensor<64x96xf32>"
TO_0, ANY = "tf.aliasing_output = 0 : i32", "jax.buffer_donor = true"
SUMS = f"%r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : ({T}, tensor<f32>) -> tensor<64xf32>\n"
ROWS = f"%rows = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<64xf32>) -> {T}\n"
ALL = f"""%r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : ({T}, tensor<f32>) -> tensor<f32>
%rows = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> {T}
"""
ADDED = f"%1 = stablehlo.add %a, %rows : {T}\n"
Array = np.ndarray[Any, Any]
BODIES: dict[str, tuple[str, Callable[[Array, Array], Array]]] = {
    "elementwise": (f"%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %a : {T}\n", lambda a, b: a * b + a),
    "reversed": (f"%1 = stablehlo.reverse %a, dims = [0] : {T}\n", lambda a, b: a[::-1]),
    "shifted": (
        (f"%s = stablehlo.slice %a [0:63, 0:96] : ({T}) -> tensor<63x96xf32>\n"
        f"%1 = stablehlo.pad %s, %z, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<63x96xf32>, tensor<f32>) -> {T}\n"),
        lambda a, b: np.pad(a[:-1], ((1, 0), (0, 0))),
    ),
    "rows less their sums": (SUMS + ROWS + ADDED, lambda a, b: a + a.sum(1, keepdims=True)),
    "all added to each": (ALL + ADDED, lambda a, b: a + a.sum()),
    "sums of another": (ALL.replace("%a", "%b") + ADDED.replace("%a", "%b"), lambda a, b: b + b.sum()),
    "an update of a row": (
        (f"%i = stablehlo.constant dense<7> : tensor<i32>\n%k = stablehlo.constant dense<0> : tensor<i32>\n"
        f"%u = stablehlo.slice %b [3:4, 0:96] : ({T}) -> tensor<1x96xf32>\n"
        f"%1 = stablehlo.dynamic_update_slice %a, %u, %i, %k : ({T}, tensor<1x96xf32>, tensor<i32>, tensor<i32>) -> {T}\n"),
        lambda a, b: np.concatenate([a[:7], b[3:4], a[8:]]),
    ),
}  # fmt: skip
LEGAL = [name for name in BODIES if name not in ("reversed", "shifted")]


def module(body: str, to: str = TO_0, results: str = "%1", types: str = T) -> str:
    zero = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    return f"func.func @main(%a: {T} {{{to}}}, %b: {T}) -> ({types}) {{\n{zero}{body}return {results} : {types}\n}}\n"


def inputs() -> tuple[Array, Array]:
    a = np.arange(64 * 96, dtype=np.float32).reshape(64, 96) % 61
    return a, np.float32(100) - a


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in BODIES for machine in MACHINES], each=1))
def test_a_result_is_in_the_array_of_the_donated_argument_if_that_is_legal(machine: str, name: str) -> None:
    body, wanted = BODIES[name]
    program = asmgen.compile(module(body), target=machine)
    a, b = inputs()
    want, given = wanted(a.copy(), b), a.copy()
    (result,) = program(given, b, device=chosen_device())
    np.testing.assert_array_equal(result, want)
    assert (result is given) == (name in LEGAL)
    writer = program.kernels[-1]
    assert sum(argument.is_buffer for argument in writer.arguments) <= (3 if name in LEGAL else 4)
    assert any(argument.access == "read_write" for argument in writer.arguments if argument.name == "a") == (
        name in LEGAL and name != "sums of another"
    )
    if name in LEGAL:
        given.flags.writeable = False
        (other,) = program(given, b, device=chosen_device())
        assert other is not given


@pytest.mark.parametrize("machine", ["gfx942", pytest.param("gfx1201", marks=pytest.mark.slow)])
def test_lanes_without_elements_read_nothing(machine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A lane that has no element must not read the element of another lane, which may be written by then."""
    path = tmp_path / "m.mlir"
    _ = path.write_text(module(BODIES["elementwise"][0]).replace("64x96", "?"))
    assert main(["kernel", str(path), "--verify", "--target", machine]) == 0
    assert "add" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["reversed", "shifted"])
def test_verify_finds_a_proof_that_always_says_yes(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    _ = path.write_text(module(BODIES[name][0]))
    monkeypatch.setattr(one_buffer, "race_in", lambda kernel, buffer: "")
    assert main(["kernel", str(path), "--verify"]) == 1
    assert "SAN003" in capsys.readouterr().err


@pytest.mark.parametrize("at, is_late", [("c0", True), ("c0 + 256", True), ("c0 + 512", False)])
def test_a_load_of_stored_elements_comes_too_late_also_behind_a_barrier(at: str, is_late: bool) -> None:
    head = "stage blockwise gfx942\nkernel @k grid(g: 1) waves(1) lanes(64) {\n  a = @param:a -> f32, {1024}\n  z = @param:z -> f32, {512}\n"
    layout = "-> f32, {512} @ reg(1 2 4) lane(8 16 32 64 128 256)\n"
    stores = f"  t = tile_load[at={{c0}}](a) {layout}  u = neg(t)\n  tile_store[at={{c0}}](u, a)\n  barrier()\n"
    text = f"{head}{stores}  v = tile_load[at={{{at}}}](a) {layout}  tile_store[at={{c0}}](v, z)\n}}\n"
    (kernel,) = read_program(text, "k.gen").kernels
    assert one_buffer.race_in(kernel, "a") == ("a is read again after it is written" if is_late else "")


@pytest.mark.parametrize("name", ["elementwise", "reversed"])
def test_the_report_says_which_argument_a_result_is_over(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mlir"
    _ = path.write_text(module(BODIES[name][0]))
    assert main(["report", str(path), "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["kernels"][0]["results"]
    assert (result["number"], result["over"]) == (0, "a" if name in LEGAL else None)
    assert main(["report", str(path)]) == 0
    text = capsys.readouterr().out
    if name in LEGAL:
        assert result["reason"] is None
        assert "  result 0 is in the memory of a\n" in text
    else:
        assert result["reason"].startswith("a is donated, and main: a workgroup reads what another writes")
        assert f"  result 0 has memory of its own: {result['reason']}\n" in text


def test_the_list_says_what_is_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, words in (
        ("elementwise", "a is donated: result 0 is written in its memory\n"),
        ("reversed", "a is donated, and result 0 is not written in its memory: main: a workgroup reads what another writes"),
    ):
        path = tmp_path / "m.mlir"
        _ = path.write_text(module(BODIES[name][0]))
        assert main(["list", str(path), "--target", "gfx1201"]) == 0
        assert f"\non gfx1201, main: {words}" in capsys.readouterr().out
    _ = path.write_text(module(f"%1 = chlo.bessel_i1e %a : {T} -> {T}\n"))
    assert main(["list", str(path)]) == 0
    words = f"\nno result is in the memory of a donated argument, since the file does not compile: {path}:3:6: error[TNS001]: chlo.bessel_i1e"
    assert words in capsys.readouterr().out


def test_an_update_of_any_size_is_in_place() -> None:
    """The elements after the last whole vector are loaded after those before them are stored."""
    step = asmgen.compile("examples/tensors/update.mlir")
    for size in (3, 1003):
        weights, momentum, gradient = (np.full((size,), value, np.float32) for value in (1, 0, 2))
        updated, kept = step(weights, momentum, gradient, device=chosen_device())
        assert updated is weights
        assert kept is momentum
        np.testing.assert_allclose(weights, 0.98)
        np.testing.assert_array_equal(momentum, 2)


@pytest.mark.parametrize(
    "name, machine, type_",
    [
        ("elementwise", "gfx942", "f32"),  # with vectors that overlap, the last would be doubled twice
        ("rows less their sums", "gfx1201", "f32"),  # waves without a row of their own read the last row too
        ("shifted", "gfx942", "i8"),
    ],
)
def test_an_update_of_an_odd_shape_is_in_place(name: str, machine: str, type_: str) -> None:
    body, wanted = BODIES[name]
    text = module(body).replace("dense<0.0>", "dense<0>") if type_ == "i8" else module(body)
    for old, new in (("<64x", "<37x"), ("63x", "36x"), ("0:63", "0:36"), ("x96", "x131"), ("0:96", "0:131"), ("f32", type_)):
        text = text.replace(old, new)
    a = (np.arange(37 * 131).reshape(37, 131) % 61).astype({"f32": np.float32, "i8": np.int8}[type_])
    b = a[::-1].copy()
    want, given = wanted(a.copy(), b), a.copy()
    program = asmgen.compile(text, target=machine)
    (result,) = program(given, b, device=chosen_device())
    np.testing.assert_array_equal(result, want)
    assert (result is given) == (name in LEGAL)


def test_an_argument_that_a_later_launch_reads_keeps_its_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first launch could write %0 over a, but the second reads a."""
    first = f"%0 = stablehlo.add %a, %b : {T}\n%t = stablehlo.optimization_barrier %0 : {T}\n"
    body = first + ALL.replace("%a", "%0") + ADDED
    text = module(body, results="%0, %1", types=f"{T}, {T}")
    a, b = inputs()
    results = asmgen.compile(text)(a.copy(), b, device=chosen_device())
    np.testing.assert_array_equal(results[0], a + b)
    np.testing.assert_array_equal(results[1], a + np.float32(100 * 64 * 96))
    path = tmp_path / "m.mlir"
    _ = path.write_text(text)
    assert main(["kernel", str(path), "--trace", "attributes", "--emit", "gridwise", "-o", "-"]) == 0
    line = "attributes: main: a is donated, and result 0 is not written in its memory: "
    assert line in capsys.readouterr().err


def test_any_result_may_take_the_memory_of_a_donor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = f"%0 = stablehlo.reverse %a, dims = [0] : {T}\n%1 = stablehlo.negate %a : {T}\n"
    path = tmp_path / "m.mlir"
    _ = path.write_text(module(body, ANY, "%0, %1", f"{T}, {T}"))
    assert main(["kernel", str(path), "--trace", "attributes", "--emit", "gridwise", "-o", "-"]) == 0
    errors = capsys.readouterr().err
    assert "attributes: main: a is donated" in errors
    assert "tf." not in errors
    assert "jax." not in errors


def test_printed_stages_keep_the_memory() -> None:
    body, wanted = BODIES["elementwise"]
    program = asmgen.compile(module(body))
    stages = program.compilation.stages
    graph = print_program(stages.programs[Stage.GRAPH])
    assert "a = @param:a[donated=true, result=0] -> f32, {64,96}" in graph
    assert stages.gridwise is not None
    launches = print_file(stages.gridwise)
    assert "result[over=a] -> f32, {64,96}" in launches
    a, b = inputs()
    for text in (graph, launches):
        again = asmgen.compile(text, **({"nan": PROPAGATE} if text is graph else {}))
        given = a.copy()
        (result,) = again(given, b, device=chosen_device())
        assert result is given
        np.testing.assert_array_equal(result, wanted(a, b))
        assert len(again.kernels[0].arguments) == 2
    with pytest.raises(asmgen.InputError, match=r"GRW025\]: add is over c, which is not a parameter"):
        _ = asmgen.compile(launches.replace("over=a", "over=c"))


def kernels_of(program: asmgen.CompiledProgram) -> dict[Stage, str]:
    """The text of each stage of kernels."""
    stages = program.compilation.stages
    assert stages.blockwise is not None
    texts = {Stage.BLOCKWISE: print_tiles(stages.blockwise)}
    return texts | {stage: print_program(stages.programs[stage]) for stage in (Stage.LANEWISE, Stage.FINAL)}


def bare(assembly: str) -> list[str]:
    """Assembly without comments and source lines."""
    lines = [line.split(";")[0].rstrip() for line in assembly.splitlines()]
    return [line for line in lines if not line.lstrip().startswith((".loc", ".file"))]


@pytest.mark.parametrize("name", ["elementwise", "all added to each", pytest.param("sums of another", marks=pytest.mark.slow)])
def test_printed_kernels_state_the_argument_of_a_result(name: str) -> None:
    """The second has a launch that reads the argument, and a launch that writes the result there."""
    body, wanted = BODIES[name]
    program = asmgen.compile(module(body))
    a, b = inputs()
    for text in kernels_of(program).values():
        assert text.count(" = @param:a[result=0] -> f32, {64,96}") == 1
        again = asmgen.compile(text)
        assert [bare(kernel.assembly) for kernel in again.kernels] == [bare(kernel.assembly) for kernel in program.kernels]
        given = a.copy()
        (result,) = again(given, b, device=chosen_device())
        assert result is given
        np.testing.assert_array_equal(result, wanted(a, b))


def test_a_result_in_another_argument_is_refused() -> None:
    program = asmgen.compile(module(BODIES["elementwise"][0]))
    texts = kernels_of(program)
    for stage, code in ((Stage.BLOCKWISE, "BLK003"), (Stage.LANEWISE, "GEN123"), (Stage.FINAL, "GEN123")):
        lines = texts[stage].splitlines()
        line = next(i for i, text in enumerate(lines, 1) if "@param:a[" in text)
        column = lines[line - 1].index("@" if stage is not Stage.BLOCKWISE else "a") + 1
        for wrong in (texts[stage].replace("[result=0]", "[result=1]"), texts[stage].replace("a[result=0]", "a").replace(":b ", ":b[result=0] ")):
            at = line if "result=1" in wrong else line + 1
            words = rf"^<text>.gen:{at}:{column}: error\[{code}\]: (a states result 1|b states result 0), and "
            with pytest.raises(asmgen.InputError, match=words):
                _ = asmgen.compile(wrong)
        with pytest.raises(asmgen.InputError, match=r"error\[GEN006\]: .*over, wanted "):
            _ = asmgen.compile(texts[stage].replace("[result=0]", "[over=0]"))


def test_a_text_with_a_race_is_refused() -> None:
    body, _ = BODIES["reversed"]
    launches = asmgen.compile(module(body)).compilation.stages.gridwise
    assert launches is not None
    with pytest.raises(asmgen.InputError, match=r"GRW025\]: main: a workgroup"):
        _ = asmgen.compile(print_file(launches).replace("= result ->", "= result[over=a] ->"))


@pytest.mark.parametrize(
    "attribute, result, words",
    [
        ("tf.aliasing_output = 1 : i32", T, "DON001]: a is donated to result 1, wanted a result from 0 to 0"),
        ("tf.aliasing_output = -1 : i32", T, "DON001]: a is donated to result -1, wanted a result from 0 to 0"),
        (TO_0, "tensor<96x64xf32>", "DON003]: a is f32, {64,96}, and result 0 is f32, {96,64}, wanted the same"),
        (TO_0, "tensor<64x96xi32>", "DON003]: a is f32, {64,96}, and result 0 is i32, {64,96}, wanted the same"),
    ],
)
def test_wrong_attributes_are_refused(attribute: str, result: str, words: str) -> None:
    op = "bitcast_convert" if "i32" in result else "reshape"
    body = f"%1 = stablehlo.{op} %a : ({T}) -> {result}\n" if result != T else f"%1 = stablehlo.negate %a : {T}\n"
    with pytest.raises(asmgen.InputError) as caught:
        _ = asmgen.compile(module(body, attribute, types=result))
    assert str(caught.value).startswith(f"<text>.mlir:1:17: error[{words}")


def test_two_arguments_for_a_result_are_refused() -> None:
    text = module(BODIES["elementwise"][0]).replace("%b: " + T, f"%b: {T} {{{TO_0}}}")
    with pytest.raises(asmgen.InputError, match=r"DON002\]: b is donated to result 0, as a is, wanted one argument"):
        _ = asmgen.compile(text)


@pytest.mark.parametrize("machine", ["gfx950", "gfx1100"])
def test_an_argument_that_a_later_result_of_the_launch_reads_keeps_its_memory(machine: str) -> None:
    """The launch stores %0, and then loads the operands of %1."""
    body = f"%0 = stablehlo.negate %b : {T}\n%1 = stablehlo.add %a, %b : {T}\n"
    a, b = inputs()
    wanted = [-b, a + b]
    text = module(body, ANY, "%0, %1", f"{T}, {T}").replace("64x96", "4x1")
    results = asmgen.compile(text, target=machine)(a[:4, :1].copy(), b[:4, :1], device=chosen_device())
    for result, want in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(result, want[:4, :1])


def test_a_stencil_in_the_array_of_a_donated_argument_has_a_row_for_a_lane() -> None:
    """With several rows for a lane, some elements would be in two lanes, and the second would read the result of the first."""
    x, whole = np.random.default_rng(1).integers(-9, 10, (2, 1030, 1027)).astype(np.float32)
    z, rows = whole[:1026].copy(), "tensor<1026x1027xf32>"
    want = z + sum(x[row : row + 1026] for row in range(5))
    taken = [f"%a{row} = stablehlo.slice %x [{row}:{row + 1026}, 0:1027] : (tensor<1030x1027xf32>) -> {rows}" for row in range(5)]
    sums = [f"%s{row + 1} = stablehlo.add %s{row}, %a{row} : {rows}" for row in range(5)]
    body = "\n".join([*taken, *sums]).replace("%s0", "%z")
    text = f"func.func @main(%x: tensor<1030x1027xf32>, %z: {rows} {{{TO_0}}}) -> {rows} {{\n{body}\nreturn %s5 : {rows}\n}}"
    (result,) = asmgen.compile(text, target="gfx1201")(x, z, device=chosen_device())
    assert result is z
    np.testing.assert_array_equal(result, want)
