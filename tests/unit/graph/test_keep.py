"""Values that a kernel would compute too often are kept in buffers."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.keep import MOST_WAYS, kept_values

MOST_LINES = 1500  # of a kernel: eight concats in each other were one kernel of 4,560


def joined(depth: int, dim: str) -> str:
    lines = [f"v0 = @param:x -> f32, {{{dim}}}"]
    for step in range(depth):
        lines.append(f"s{step} = slice[axes=0, starts=0, ends={8 + step}](v{step})")
        lines.append(f"v{step + 1} = concat[axis=0](s{step}, v{step})")
    return "\n".join([*lines, f"@return(v{depth})", ""])


def kept(text: str) -> list[str]:
    (module,) = parse(text, "graph.gen").modules
    values = kept_values(module)
    return [result.name for statement in module.statements for result in statement.results if result in values]


@pytest.mark.parametrize(("dim", "size"), [("n", 3), ("n", 30), ("300", 300)])
def test_concats_in_each_other(dim: str, size: int) -> None:
    program = asmgen.compile(joined(8, dim), target="gfx1100")
    assert max(kernel.assembly.count("\n") for kernel in program.kernels) < MOST_LINES
    wanted = x = np.arange(size, dtype=np.float32)
    for step in range(8):
        wanted = np.concatenate([wanted[: 8 + step], wanted])
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)


def test_few_ways_keep_nothing() -> None:
    assert kept(joined(4, "1000")) == []
    chain = "\n".join([f"v{i + 1} = add(v{i}, v{i})" for i in range(2 * MOST_WAYS)])
    assert kept(f"v0 = @param:x -> f32, {{64}}\n{chain}\n@return(v{2 * MOST_WAYS})\n") == []


def test_what_is_kept_has_the_elements_of_a_buffer() -> None:
    """A part of each row is no row of a buffer; of one row it is, and has fewer elements than the joined
    value."""
    assert kept(joined(8, "1000")) == ["s5", "s6", "s7"]
    rows = joined(8, "5,1000").replace("axes=0", "axes=1").replace("axis=0", "axis=1")
    assert kept(rows) and all(name.startswith("v") for name in kept(rows))


def stages(count: int) -> str:
    """Stages of a Walsh-Hadamard transform of {4,1024}, each with sums and differences of halves."""
    lines, width = ["v0 = @param:x -> i32, {4,1024}"], 1
    for step in range(count):
        lines.append(f"p{step} = reshape[dims={{4,{512 // width},2,{width}}}](v{step})")
        lines += [f"{'ab'[n]}{step} = slice[axes={{2}}, starts={{{n}}}, ends={{{n + 1}}}](p{step})" for n in (0, 1)]
        lines += [f"s{step} = add(a{step}, b{step})", f"d{step} = sub(a{step}, b{step})"]
        lines.append(f"c{step} = concat[axis=2](s{step}, d{step})")
        lines.append(f"v{step + 1} = reshape[dims={{4,1024}}](c{step})")
        width *= 2
    return "\n".join([*lines, f"@return(v{count})", ""])


def test_both_results_of_a_stage_are_kept() -> None:
    names = kept(stages(8))
    assert names and {f"d{name[1:]}" for name in names} == {f"d{name[1:]}" for name in names if name[0] == "s"}
    assert all(f"d{name[1:]}" in names for name in names)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_stages_of_a_transform_are_right(target: str) -> None:
    x = np.random.default_rng(1).integers(-9, 9, (4, 1024)).astype(np.int32)
    wanted, width = x, 1
    for _ in range(7):
        pairs = wanted.reshape(4, -1, 2, width)
        a, b = pairs[:, :, 0], pairs[:, :, 1]
        wanted, width = np.stack([a + b, a - b], 2).reshape(4, 1024), 2 * width
    (y,) = asmgen.compile(stages(7), target=target)(x, device="emulator")
    np.testing.assert_array_equal(y, wanted)


def turned(steps: int) -> str:
    """Vectors {64,3}, to which a step adds the vector with its components at other places."""
    lines = ["v0 = @param:x -> i32, {64,3}"]
    for step in range(steps):
        for place in range(3):
            lines.append(f"{'abc'[place]}{step} = slice[axes={{1}}, starts={{{place}}}, ends={{{place + 1}}}](v{step})")
        lines.append(f"t{step} = concat[axis=1](b{step}, c{step}, a{step})")
        lines.append(f"v{step + 1} = add(v{step}, t{step})")
    return "\n".join([*lines, f"@return(v{steps})", ""])


def test_components_of_vectors_are_computed_once() -> None:
    """A lane has whole vectors, so that a way to a component takes no computation."""
    assert kept(turned(8)) == []
    (kernel,) = (program := asmgen.compile(turned(8), target="gfx942")).kernels
    assert kernel.assembly.count("\tv_add") < 3 * 8 * 4
    wanted = x = np.arange(192, dtype=np.int32).reshape(64, 3)
    for _ in range(8):
        wanted = wanted + np.roll(wanted, -1, axis=1)
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)


def test_columns_that_are_kept_share_a_kernel() -> None:
    """Each of twenty columns needs all forty sums: the columns are a kernel, and their stack is another."""
    lines = ["v0 = @param:x -> f32, {64}", *[f"v{step + 1} = add(v{step}, v0)" for step in range(40)]]
    for column in range(20):
        lines += [f"w{column} = sub(v40, v{column})", f"c{column} = unsqueeze[axes={{1}}](w{column})"]
    lines += [f"y = concat[axis=1]({', '.join([f'c{column}' for column in range(20)])})", "@return(y)", ""]
    assert len(kept("\n".join(lines))) > 1
    program = asmgen.compile("\n".join(lines), target="gfx942")
    assert len(program.kernels) == 2
    x = np.arange(64, dtype=np.float32)
    wanted = np.stack([x * (40 - column) for column in range(20)], axis=1)
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)


def test_a_stencil_of_many_steps() -> None:
    """Each step has the two elements next to each, of the rolled value."""
    lines, size = ["v0 = @param:x -> i32, {40}"], 40
    for step in range(6):
        for name, start in (("l", 1), ("r", size - 1)):
            lines.append(f"{name}a{step} = slice[axes=0, starts={start}, ends={size}](v{step})")
            lines.append(f"{name}b{step} = slice[axes=0, starts=0, ends={start}](v{step})")
            lines.append(f"{name}{step} = concat[axis=0]({name}a{step}, {name}b{step})")
        lines.append(f"s{step} = add(l{step}, r{step})")
        lines.append(f"v{step + 1} = sub(s{step}, v{step})")
    program = asmgen.compile("\n".join([*lines, "@return(v6)", ""]))
    assert len(program.kernels) > 1
    x = np.arange(size, dtype=np.int32) ** 2 % 13
    wanted = x
    for _ in range(6):
        wanted = np.roll(wanted, -1) + np.roll(wanted, 1) - wanted
    np.testing.assert_array_equal(program(x, device="emulator")[0], wanted)


def test_the_steps_of_a_search_are_a_kernel() -> None:
    """Each step reads the element that the steps before it choose: indices are at the place of what they choose."""
    edges, x = np.arange(0, 3000, 3, dtype=np.float32), np.arange(40, dtype=np.float32) * 77
    specs = [asmgen.spec(np.float32, 1000), asmgen.spec(np.float32, 40)]
    program = asmgen.compile(np.searchsorted, target="gfx942", inputs=specs, assembler="builtin")
    np.testing.assert_array_equal(program(edges, x, device="emulator")[0], np.searchsorted(edges, x))
    assert len(program.launches) == 1
