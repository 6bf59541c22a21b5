"""Programs with named dims, run at several sizes from one code object, next to numpy in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import asmgen
from tests.unit.named_dims.test_launches import text

Arrays = NDArray[Any]
_DTYPES = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "i64": np.int64, "u8": np.uint8}


class Sized(NamedTuple):
    """`statements` with `inputs`, each the type and the dims of a parameter, `x y z`; `wanted` is what numpy makes of them."""

    inputs: tuple[str, ...]
    statements: tuple[str, ...]
    wanted: Callable[..., Arrays]
    sizes: tuple[int, ...] = (0, 1, 3, 65, 5003)

    @property
    def text(self) -> str:
        parameters = [f"{name} = @param:{name} -> {given}" for name, given in zip("xyz", self.inputs, strict=False)]
        return text(*parameters, *self.statements, "@return(o)")

    def arrays(self, **sizes: int) -> list[Arrays]:
        """Random arrays for the values of the dims; of integers from before the first place along n to after the last."""
        made: list[Arrays] = []
        for seed, given in enumerate(self.inputs):
            element, _, dims = given.partition(", ")
            shape = [eval_size(one, sizes) for one in dims.strip("{}").split(",")]
            random = np.random.default_rng(seed)
            most = sizes["n"] + 2
            whole = random.integers(0 if element == "u8" else -most, min(most, 200), shape) if element[0] in "iu" else random.normal(size=shape)
            made.append(whole.astype(_DTYPES[element]))
        return made


def eval_size(text: str, sizes: dict[str, int]) -> int:
    """A sum of numbers and named dims, as `n+4`."""
    return sum(sizes[one] if one in sizes else int(one) for one in text.split("+"))


def hold(case: Sized, target: str, sizes: Sequence[dict[str, int]] = ()) -> None:
    """One code object gives what numpy gives, at every size."""
    program = asmgen.compile(case.text, target=target)
    for values in sizes or [{"n": n} for n in case.sizes]:
        given = case.arrays(**values)
        (got,) = program(*given, device="emulator")
        wanted = case.wanted(*[one.astype(np.float64) if one.dtype.kind == "f" else one for one in given])
        assert got.shape == wanted.shape, values
        np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=1e-4, atol=1e-3, err_msg=str(values))
