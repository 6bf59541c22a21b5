"""The kernels of the catalogue as gen text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.gentext.parser import parse
from asmgen.graph.ops import LOWERED_FLOATS, NUMBERS
from asmgen.ir.program import Program
from asmgen.kernels import moves, rows
from asmgen.kernels.entry import CatalogueKernel, Setting
from isa.diagnostics import InputError, close_names

_N: dict[str, Setting] = {"n": 1 << 20, "dtype": "f32"}


def _vecadd(settings: Mapping[str, Setting]) -> str:
    type_ = f"{settings['dtype']}, {{{settings['n']}}}"
    return f"""
        a = @param:a -> {type_}
        b = @param:b -> {type_}
        o = add(a, b)
        @return(o)
    """


def _relu(settings: Mapping[str, Setting]) -> str:
    return f"""
        a = @param:a -> {settings["dtype"]}, {{{settings["n"]}}}
        o = relu(a)
        @return(o)
    """


def _muladd(settings: Mapping[str, Setting]) -> str:
    """o = (a*x + b)*y + x*c, with a = 2 and c = 4."""
    dtype = settings["dtype"]
    type_ = f"{dtype}, {{{settings['n']}}}"
    return f"""
        x = @param:x -> {type_}
        y = @param:y -> {type_}
        b = @param:b -> {type_}
        a = @literal{{2}} -> {dtype}, {{}}
        c = @literal{{4}} -> {dtype}, {{}}
        ax = mul(a, x)
        sum = add(ax, b)
        product = mul(sum, y)
        xc = mul(x, c)
        o = add(product, xc)
        @return(o)
    """


def _gelu(settings: Mapping[str, Setting]) -> str:
    """The tanh form: o = 0.5*x*(1 + tanh(0.7978845608*(x + 0.044715*x^3)))."""
    dtype = settings["dtype"]
    return f"""
        x = @param:x -> {dtype}, {{{settings["n"]}}}
        half = @literal{{0.5}} -> {dtype}, {{}}
        one = @literal{{1}} -> {dtype}, {{}}
        scale = @literal{{0.7978845608}} -> {dtype}, {{}}
        cubic = @literal{{0.044715}} -> {dtype}, {{}}
        cx = mul(cubic, x)
        cxx = mul(cx, x)
        cxxx = mul(cxx, x)
        inner = add(x, cxxx)
        u = mul(scale, inner)
        t = tanh(u)
        factor = add(one, t)
        half_x = mul(half, x)
        o = mul(half_x, factor)
        @return(o)
    """


def _gelu_erf(settings: Mapping[str, Setting]) -> str:
    """The exact form: o = 0.5*x*(1 + erf(x*0.70710678))."""
    dtype = settings["dtype"]
    return f"""
        x = @param:x -> {dtype}, {{{settings["n"]}}}
        half = @literal{{0.5}} -> {dtype}, {{}}
        one = @literal{{1}} -> {dtype}, {{}}
        scale = @literal{{0.70710678}} -> {dtype}, {{}}
        u = mul(x, scale)
        t = erf(u)
        factor = add(one, t)
        half_x = mul(half, x)
        o = mul(half_x, factor)
        @return(o)
    """


CATALOGUE: dict[str, CatalogueKernel] = {
    kernel.name: kernel
    for kernel in (
        CatalogueKernel("vecadd", _N, _vecadd, NUMBERS),
        CatalogueKernel("relu", _N, _relu, NUMBERS),
        CatalogueKernel("muladd", _N, _muladd, NUMBERS),
        CatalogueKernel("gelu", _N, _gelu, LOWERED_FLOATS),
        CatalogueKernel("gelu_erf", _N, _gelu_erf, LOWERED_FLOATS),
        CatalogueKernel("row_sum", rows.ROWS, rows.row_sum, NUMBERS),
        CatalogueKernel("row_max", rows.ROWS, rows.row_max, NUMBERS),
        CatalogueKernel("softmax", rows.ROWS, rows.softmax, LOWERED_FLOATS),
        CatalogueKernel("layernorm", rows.ROWS, rows.layernorm, LOWERED_FLOATS),
        CatalogueKernel("rmsnorm", rows.ROWS, rows.rmsnorm, LOWERED_FLOATS),
        CatalogueKernel("log_softmax", rows.ROWS, moves.log_softmax, LOWERED_FLOATS),
        CatalogueKernel("argmax", rows.ROWS, moves.argmax, NUMBERS),
        CatalogueKernel("cumsum", rows.ROWS, moves.cumsum, NUMBERS),
        CatalogueKernel("col_sum", rows.ROWS, moves.col_sum, NUMBERS),
        CatalogueKernel("transpose", rows.ROWS, moves.transpose, NUMBERS),
        CatalogueKernel("full_sum", _N, moves.full_sum, NUMBERS),
        CatalogueKernel("dot_product", _N, moves.dot_product, NUMBERS),
        CatalogueKernel("pad_add", _N, moves.pad_add, NUMBERS),
        CatalogueKernel("gather_add", _N, moves.gather_add, NUMBERS),
        CatalogueKernel("reverse_add", _N, moves.reverse_add, NUMBERS),
        CatalogueKernel("concat_add", _N, moves.concat_add, NUMBERS),
    )
}


def build_kernel(name: str, settings: Sequence[tuple[str, str]] = ()) -> Program:
    """The graph of a catalogue kernel; `settings` are NAME, VALUE pairs of `--set`.

    Raises `InputError` CAT001 for an unknown kernel and SETnnn for a setting.
    """
    kernel = CATALOGUE.get(name)
    if kernel is None:
        help = close_names(name, CATALOGUE) or "a file is named with its suffix: .gen"
        if name == "-":
            help = "standard input is not read: write the text to a file, such as x.gen"
        if "=" in name:
            help = f"a parameter of a kernel is given as --set {name}"
        raise InputError(
            name or "SOURCE",
            "CAT001",
            f"unknown kernel {name!r}, wanted one of {', '.join(CATALOGUE)}, or a file",
            help=help,
        )
    return parse(kernel.text(kernel.settings(settings)), name)
