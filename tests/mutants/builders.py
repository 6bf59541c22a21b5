"""The programs that are made wrong, and short ways to write them."""

from __future__ import annotations

from msgspec import Struct

from asmgen.gentext.parser import parse
from asmgen.ir.program import Program
from asmgen.kernels import build_kernel

Dims = tuple[int, ...]


class Subject(Struct, frozen=True):
    """A named program: a catalogue kernel with settings, or gen text."""

    name: str
    text: str = ""
    kernel: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def graph(self) -> Program:
        return build_kernel(self.kernel, self.settings) if self.kernel else parse(self.text, self.name)


def catalogue(kernel: str, **settings: int | str) -> Subject:
    """A kernel of the catalogue at chosen sizes."""
    shown = ",".join(f"{name}={value}" for name, value in settings.items())
    return Subject(
        f"{kernel}({shown})",
        kernel=kernel,
        settings=tuple((name, str(value)) for name, value in settings.items()),
    )


def _sizes(dims: Dims) -> str:
    return "{" + ",".join(map(str, dims)) + "}"


def graph(name: str, parameters: dict[str, str], *lines: str, results: str = "o") -> Subject:
    """A program of one module; `parameters` gives each argument's type as gen text writes it."""
    shown = [f"{parameter} = @param:{parameter} -> {type_}" for parameter, type_ in parameters.items()]
    return Subject(name, "\n".join([*shown, *lines, f"@return({results})", ""]))


def unary(op: str, dims: Dims, dtype: str = "f32") -> Subject:
    """A function of one tensor."""
    return graph(f"{op} {dtype} {_sizes(dims)}", {"x": f"{dtype}, {_sizes(dims)}"}, f"o = {op}(x)")


def binary(op: str, dims: Dims, dtype: str = "f32", second: Dims | None = None) -> Subject:
    """An op on two tensors; `second` gives other dims for the second tensor."""
    other = dims if second is None else second
    shown = f"{op} {dtype} {_sizes(dims)}" + ("" if second is None else f" by {_sizes(other)}")
    return graph(shown, {"x": f"{dtype}, {_sizes(dims)}", "y": f"{dtype}, {_sizes(other)}"}, f"o = {op}(x, y)")


def reduce(op: str, dims: Dims, axes: Dims, dtype: str = "f32", strides: Dims | None = None) -> Subject:
    """A reduction of one tensor."""
    layout = "" if strides is None else f", {_sizes(strides)}"
    shown = f"{op} {dtype} {_sizes(dims)} over {_sizes(axes)}" + ("" if strides is None else f" strides {_sizes(strides)}")
    return graph(shown, {"x": f"{dtype}, {_sizes(dims)}{layout}"}, f"o = reduce_{op}[axes={_sizes(axes)}](x)")


def norm(op: str, dims: Dims, axis: int, dtype: str = "f32") -> Subject:
    """A softmax or norm of one tensor."""
    return graph(
        f"{op} {dtype} {_sizes(dims)} axis {axis}",
        {"x": f"{dtype}, {_sizes(dims)}"},
        f"o = {op}[axis={axis}](x)",
    )
