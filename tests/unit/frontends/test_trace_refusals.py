"""The functions that a refusal of a function of numpy's names in its place compile."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced import functions
from asmgen.frontends.traced.numpy_calls import KNOWN
from asmgen.frontends.traced.refused import REASONS
from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from isa.diagnostics import InputError

X = spec("f32", (4, 8))
CALLS: dict[str, Callable[[Any], Any]] = {
    "union1d": lambda x: np.union1d(x, x), "intersect1d": lambda x: np.intersect1d(x, x),
    "setdiff1d": lambda x: np.setdiff1d(x, x), "setxor1d": lambda x: np.setxor1d(x, x),
    "extract": lambda x: np.extract(x > 0, x), "place": lambda x: np.place(x, x > 0, [1]),
    "apply_along_axis": lambda x: np.apply_along_axis(lambda row: row.sum(), 1, x),
    "bincount": lambda x: np.bincount(x.astype("i64")[0]),
    "add.at": lambda x: np.add.at(x, [1], 1.0), "subtract.at": lambda x: np.subtract.at(x, [1], 1.0),
    "trim_zeros": lambda x: np.trim_zeros(x[0]), "nextafter": lambda x: np.nextafter(x, 1),
    "gcd": lambda x: np.gcd(x.astype("i32"), 4), "lcm": lambda x: np.lcm(x.astype("i32"), 4),
    "save": lambda x: np.save("x.npy", x), "linalg.multi_dot": lambda x: np.linalg.multi_dot([x, x.T, x]),
    "linalg.matrix_power": lambda x: np.linalg.matrix_power(x[:, :4], 3), "linalg.inv": np.linalg.inv, "fft.fft": np.fft.fft,
}  # fmt: skip


@pytest.mark.parametrize("name", [*REASONS, "linalg.inv", "fft.fft"])
def test_a_refused_function_says_why(name: str) -> None:
    function = CALLS.get(name) or getattr(np, name)
    with pytest.raises(InputError) as caught:
        _ = trace(lambda x: [function(x)], [X])
    assert caught.value.code == "TRC006"
    assert caught.value.message.startswith(f"np.{name} ")
    assert caught.value.help


def covariance(x: Any) -> Any:
    d = x - x.mean(1, keepdims=True)
    return d @ d.T / (x.shape[1] - 1)


IMPORT = "from asmgen.frontends.traced import functions"
# The ways out that the refusals name, as they are written in a function.
WAYS_OUT: dict[str, Callable[[Any], Any]] = {
    "np.sort(x)": np.sort,
    "np.count_nonzero(x), np.argmax(x != 0)": lambda x: (np.count_nonzero(x), np.argmax(x != 0)),
    "np.where(condition, x, 0)": lambda x: np.where(x > 1, x, 0),
    "np.where(mask, v, x)": lambda x: np.where(x > 1, 5.0, x),
    "np.where(x != 0, x, 0)": lambda x: np.where(x != 0, x, 0),
    "np.isin(x, y)": lambda x: np.isin(x, x[0]),
    "d = x - x.mean(1, keepdims=True); d @ d.T / (x.shape[1] - 1) is np.cov(x)": covariance,
    "a @ (b @ c), in the order that multiplies the least": lambda x: x @ (x.T @ x),
    "x @ x @ x": lambda x: x[:, :4] @ x[:, :4] @ x[:, :4],
    f"functions.histogram(x, bins=n), with n known; {IMPORT}": lambda x: functions.histogram(x[0].astype("i32"), bins=4),
    f"x = functions.scatter_add(x, indices, values); {IMPORT}": lambda x: functions.scatter_add(x, x[0, :4].astype("i32"), x),
    f"x = functions.scatter_add(x, indices, -values); {IMPORT}": lambda x: functions.scatter_add(x, x[0, :4].astype("i32"), -x),
    "of all rows at once: x.sum(axis=1), x[0] + x[-1]": lambda x: (x.sum(axis=1), x[0] + x[-1]),
    "np.floor(np.log2(np.abs(x))) is nearly the exponent": lambda x: np.floor(np.log2(np.abs(x))),
    'x.view("i32") is the bits of a float32': lambda x: x.view("i32"),
    "np.abs(x) * np.finfo(np.float32).eps is the greatest it can be": lambda x: np.abs(x) * np.finfo(np.float32).eps,
    "return the array, and print the result": lambda x: x,
    "compute it with numpy, before or after the program": lambda x: x,
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
def test_the_way_out_compiles(name: str) -> None:
    _, instead = REASONS[name]
    assert asmgen.compile(WAYS_OUT[instead], inputs=[X]).kernels


def test_the_page_names_what_is_traced() -> None:
    """Each name of the table of docs/gen-text.md is a function that is known."""
    page = (Path(__file__).parents[3] / "docs" / "gen-text.md").read_text(encoding="utf-8")
    table = page.partition("| | traced |")[2].partition("* **Types**")[0]
    rows = {row.split("|")[1].strip(): row.split("|")[2] for row in table.splitlines() if row.startswith("| ")}
    titles = ["reductions", "scans", "shapes", "joins, parts and moves", "order", "matrices", "numbers"]
    names = {word for title in titles for part in re.findall("`([^`]*)`", rows[title]) for word in part.split()}
    plain = {name for name in names if name.isidentifier()} - {"axis", "keepdims", "dtype", "where", "initial"}
    assert len(plain) > 90
    assert plain <= KNOWN, sorted(plain - KNOWN)
