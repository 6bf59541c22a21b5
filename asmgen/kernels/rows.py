"""The kernels over rows as gen text: x is {rows, cols}, scale and bias {cols}; each row is reduced or
normalised."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.kernels.entry import Setting

ROWS: dict[str, Setting] = {"rows": 4096, "cols": 1024, "dtype": "f32"}

Settings = Mapping[str, Setting]


def row_sum(settings: Settings) -> str:
    return _of_rows(settings, "reduce_sum[axes=1](x)")


def row_max(settings: Settings) -> str:
    return _of_rows(settings, "reduce_max[axes=1](x)")


def softmax(settings: Settings) -> str:
    return _of_rows(settings, "softmax[axis=1](x)")


def layernorm(settings: Settings) -> str:
    """o = (x - mean) / sqrt(variance + 1e-5) * scale + bias, the variance being the mean of (x - mean)**2."""
    return _of_rows(settings, "layernorm[axis=1, epsilon=1e-5](x, scale, bias)", "scale", "bias")


def rmsnorm(settings: Settings) -> str:
    """o = x / sqrt(mean(x*x) + 1e-5) * scale."""
    return _of_rows(settings, "rmsnorm[axis=1, epsilon=1e-5](x, scale)", "scale")


def _of_rows(settings: Settings, result: str, *vectors: str) -> str:
    dtype, rows, cols = settings["dtype"], settings["rows"], settings["cols"]
    parameters = [f"{name} = @param:{name} -> {dtype}, {{{cols}}}" for name in vectors]
    return "\n".join(
        [f"x = @param:x -> {dtype}, {{{rows},{cols}}}", *parameters, f"o = {result}", "@return(o)", ""]
    )
