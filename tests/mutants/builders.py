"""The programs that are made wrong, and short ways to write them."""

from __future__ import annotations

from msgspec import Struct

from asmgen.gentext.parser import parse
from asmgen.ir.program import Program
from asmgen.ir.shapes import format_list
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


def graph(name: str, parameters: dict[str, str], *lines: str, results: str = "o") -> Subject:
    """A program of one module; `parameters` gives each argument's type as gen text writes it."""
    shown = [f"{parameter} = @param:{parameter} -> {type_}" for parameter, type_ in parameters.items()]
    return Subject(name, "\n".join([*shown, *lines, f"@return({results})", ""]))


def unary(op: str, dims: Dims, dtype: str = "f32") -> Subject:
    """A function of one tensor."""
    return graph(f"{op} {dtype} {format_list(dims)}", {"x": f"{dtype}, {format_list(dims)}"}, f"o = {op}(x)")


def binary(op: str, dims: Dims, dtype: str = "f32", second: Dims | None = None) -> Subject:
    """An op on two tensors; `second` gives other dims for the second tensor."""
    other = dims if second is None else second
    shown = f"{op} {dtype} {format_list(dims)}" + ("" if second is None else f" by {format_list(other)}")
    return graph(shown, {"x": f"{dtype}, {format_list(dims)}", "y": f"{dtype}, {format_list(other)}"}, f"o = {op}(x, y)")


def reduce(op: str, dims: Dims, axes: Dims, dtype: str = "f32", strides: Dims | None = None) -> Subject:
    """A reduction of one tensor."""
    layout = "" if strides is None else f", {format_list(strides)}"
    shown = f"{op} {dtype} {format_list(dims)} over {format_list(axes)}" + ("" if strides is None else f" strides {format_list(strides)}")
    return graph(shown, {"x": f"{dtype}, {format_list(dims)}{layout}"}, f"o = reduce_{op}[axes={format_list(axes)}](x)")


def norm(op: str, dims: Dims, axis: int, dtype: str = "f32") -> Subject:
    """A softmax or norm of one tensor."""
    return graph(
        f"{op} {dtype} {format_list(dims)} axis {axis}",
        {"x": f"{dtype}, {format_list(dims)}"},
        f"o = {op}[axis={axis}](x)",
    )
