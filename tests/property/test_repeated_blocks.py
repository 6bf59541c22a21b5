"""Random programs of a repeated block: launches with shared kernels have the same results, bit for bit, as launches of their own."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import asmgen
from asmgen.gridwise import sharing
from tests.device import chosen_device

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")
IN_EVERY_RUN, PER_TEST, ON_DEMAND = 8, 4, 200
# Statements on `x` of {rows,columns}, with the block's arguments `w` and `b`, and `n`, the number of the statement.
STEPS = (
    "y{n} = dot({x}, w) -> {t}, {{{r},{c}}}",
    "y{n} = softmax[axis=1]({x})",
    "y{n} = softmax[axis=0]({x})",
    "y{n} = tanh({x})",
    "y{n} = relu({x})",
    "b{n} = multibroadcast[out_lens={{{r},{c}}}](b)\ny{n} = add({x}, b{n})",
    "s{n} = reduce_sum[axes={{1}}]({x})\nr{n} = multibroadcast[out_lens={{{r},{c}}}](s{n})\ny{n} = sub({x}, r{n})",
    "m{n} = reduce_max[axes={{0}}]({x})\nr{n} = multibroadcast[out_lens={{{r},{c}}}](m{n})\ny{n} = sub({x}, r{n})",
    "y{n} = cumsum[axis=1]({x})",
    "y{n} = cumsum[axis=0]({x})",
    "y{n} = reverse[axes={{0}}]({x})",
)


def repeated(seed: int) -> tuple[str, list[np.ndarray]]:
    """Gen text of a block that is called two or three times, each time on the result before and on arguments of its own, and arrays."""
    random = Random(seed)
    rows, columns, type_ = random.choice((1, 3, 16, 33, 70)), random.choice((1, 5, 32, 47, 64)), random.choice(("f32", "f16"))
    names = {"r": rows, "c": columns, "t": type_}
    lines, x = [], "x"
    for number in range(random.randint(2, 4)):
        lines.append(random.choice(STEPS).format(**names, x=x, n=number))
        x = f"y{number}"
    shapes = {"x": (rows, columns), "w": (columns, columns), "b": (columns,)}
    given = [f"{name} = @param:{name} -> {type_}, {{{','.join(map(str, shape))}}}" for name, shape in shapes.items()]
    calls = range(random.randint(2, 3))
    block = "\n".join(["module @block {", *given, *lines, f"@return({x})", "}"])
    own = [line.replace(name, f"{name}_{call}") for call in calls for line, name in zip(given[1:], "wb", strict=True)]
    steps = [f"x_{call} = op[module=block]({f'x_{call - 1}' if call else 'x'}, w_{call}, b_{call})" for call in calls]
    main = "\n".join(["module @main {", given[0], *own, *steps, f"@return(x_{len(calls) - 1})", "}"])
    numbers = np.random.default_rng(seed)
    shape_of = [shapes["x"], *[shapes[name] for _ in calls for name in "wb"]]
    return f"{block}\n{main}\n", [numbers.standard_normal(shape).astype(type_.replace("f", "float")) for shape in shape_of]


def check(seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many launches run the kernel of another."""
    text, given = repeated(seed)
    target = TARGETS[seed % len(TARGETS)]
    shared = asmgen.compile(text, target=target)
    with monkeypatch.context() as patched:
        patched.setattr(sharing, "form_of", lambda *_: None)
        apart = asmgen.compile(text, target=target)
    assert len(apart.kernels) == len(apart.launches) == len(shared.launches), text
    (result,), (wanted,) = (program(*given, device=chosen_device()) for program in (shared, apart))
    assert result.tobytes() == wanted.tobytes(), text
    return len(shared.launches) - len(shared.kernels)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_shared_kernels_have_the_results_of_kernels_apart(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum([check(seed, monkeypatch) for seed in range(first, first + PER_TEST)]), "no seed shares a kernel"


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_shared_kernels(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(first, first + PER_TEST):
        _ = check(seed, monkeypatch)
