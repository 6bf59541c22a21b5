"""The kernels that move elements, or reduce whole tensors, as gen text."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.kernels.entry import Setting

Settings = Mapping[str, Setting]
BORDER = 2  # elements that pad_add puts before and after


def transpose(settings: Settings) -> str:
    """o {cols, rows} is x {rows, cols} with its axes exchanged."""
    return _of_matrix(settings, "transpose[permutation={1,0}](x)")


def cumsum(settings: Settings) -> str:
    """The sums of the elements of each row up to each of them."""
    return _of_matrix(settings, "cumsum[axis=1](x)")


def col_sum(settings: Settings) -> str:
    return _of_matrix(settings, "reduce_sum[axes=0](x)")


def argmax(settings: Settings) -> str:
    """The first place of the greatest element of each row."""
    return _of_matrix(settings, "argmax[axis=1](x)")


def log_softmax(settings: Settings) -> str:
    return _of_matrix(settings, "logsoftmax[axis=1](x)")


def full_sum(settings: Settings) -> str:
    return f"""
        x = @param:x -> {_vector(settings)}
        o = reduce_sum(x)
        @return(o)
    """


def dot_product(settings: Settings) -> str:
    """The sum of x * y."""
    return f"""
        x = @param:x -> {_vector(settings)}
        y = @param:y -> {_vector(settings)}
        xy = mul(x, y)
        o = reduce_sum(xy)
        @return(o)
    """


def pad_add(settings: Settings) -> str:
    """x {n} with zeros around it, and y {n + 4}."""
    size = settings["n"]
    padded = size + 2 * BORDER if isinstance(size, int) else f"{size} + {2 * BORDER}"
    return f"""
        x = @param:x -> {_vector(settings)}
        y = @param:y -> {settings["dtype"]}, {{{padded}}}
        p = pad[pads={{{BORDER},{BORDER}}}](x)
        o = add(p, y)
        @return(o)
    """


def gather_add(settings: Settings) -> str:
    """The elements of x that the indices i say, and y."""
    return f"""
        x = @param:x -> {_vector(settings)}
        i = @param:i -> i32, {{{settings["n"]}}}
        y = @param:y -> {_vector(settings)}
        g = gather[axis=0](x, i)
        o = add(g, y)
        @return(o)
    """


def reverse_add(settings: Settings) -> str:
    return f"""
        x = @param:x -> {_vector(settings)}
        y = @param:y -> {_vector(settings)}
        r = reverse[axes=0](x)
        o = add(r, y)
        @return(o)
    """


def concat_add(settings: Settings) -> str:
    """a {n} and b {n} one after the other, and y {2 n}."""
    size = settings["n"]
    both = 2 * size if isinstance(size, int) else f"2*{size}"
    return f"""
        a = @param:a -> {_vector(settings)}
        b = @param:b -> {_vector(settings)}
        y = @param:y -> {settings["dtype"]}, {{{both}}}
        c = concat[axis=0](a, b)
        o = add(c, y)
        @return(o)
    """


def _vector(settings: Settings) -> str:
    return f"{settings['dtype']}, {{{settings['n']}}}"


def _of_matrix(settings: Settings, result: str) -> str:
    shape = f"{settings['dtype']}, {{{settings['rows']},{settings['cols']}}}"
    return f"x = @param:x -> {shape}\no = {result}\n@return(o)\n"
