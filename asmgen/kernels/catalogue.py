"""The kernels of the catalogue as gen text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.gentext.parser import parse
from asmgen.graph.ops import FLOATS, NUMBERS
from asmgen.ir.program import Program
from asmgen.kernels.entry import CatalogueKernel, Setting
from isa.diagnostics import InputError, close_names

Settings = Mapping[str, Setting]
_ROWS: dict[str, Setting] = {"rows": 4096, "cols": 1024, "dtype": "f32"}
_MATRICES: dict[str, Setting] = {"m": 1024, "n": 1024, "k": 1024, "dtype": "f32"}
_BATCH: dict[str, Setting] = {"batch": 16, "m": 256, "n": 256, "k": 64, "dtype": "f32"}
_BLOCKS = _MATRICES | {"block": 128, "dtype": "fp8e4m3fnuz"}  # the type of gfx942, the default target
_SMALL = frozenset([name for name in FLOATS if name.startswith("fp8")])
_N: dict[str, Setting] = {"n": 1 << 20, "dtype": "f32"}


def _vecadd(settings: Settings) -> str:
    type_ = f"{settings['dtype']}, {{{settings['n']}}}"
    return f"""
        a = @param:a -> {type_}
        b = @param:b -> {type_}
        o = add(a, b)
        @return(o)
    """


def _relu(settings: Settings) -> str:
    return f"""
        a = @param:a -> {settings["dtype"]}, {{{settings["n"]}}}
        o = relu(a)
        @return(o)
    """


def _muladd(settings: Settings) -> str:
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


def _gelu(settings: Settings) -> str:
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


def _gelu_erf(settings: Settings) -> str:
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


def _row_sum(settings: Settings) -> str:
    return _of_rows(settings, "reduce_sum[axes=1](x)")


def _row_max(settings: Settings) -> str:
    return _of_rows(settings, "reduce_max[axes=1](x)")


def _softmax(settings: Settings) -> str:
    return _of_rows(settings, "softmax[axis=1](x)")


def _layernorm(settings: Settings) -> str:
    """o = (x - mean) / sqrt(variance + 1e-5) * scale + bias, the variance being the mean of (x - mean)**2."""
    return _of_rows(settings, "layernorm[axis=1, epsilon=1e-5](x, scale, bias)", "scale", "bias")


def _rmsnorm(settings: Settings) -> str:
    """o = x / sqrt(mean(x*x) + 1e-5) * scale."""
    return _of_rows(settings, "rmsnorm[axis=1, epsilon=1e-5](x, scale)", "scale")


def _of_rows(settings: Settings, result: str, *vectors: str) -> str:
    dtype, rows, cols = settings["dtype"], settings["rows"], settings["cols"]
    parameters = [f"{name} = @param:{name} -> {dtype}, {{{cols}}}" for name in vectors]
    return "\n".join(
        [f"x = @param:x -> {dtype}, {{{rows},{cols}}}", *parameters, f"o = {result}", "@return(o)", ""]
    )


BORDER = 2  # elements that pad_add puts before and after


def _transpose(settings: Settings) -> str:
    """o {cols, rows} is x {rows, cols} with its axes exchanged."""
    return _of_matrix(settings, "transpose[permutation={1,0}](x)")


def _cumsum(settings: Settings) -> str:
    """The sums of the elements of each row up to each of them."""
    return _of_matrix(settings, "cumsum[axis=1](x)")


def _col_sum(settings: Settings) -> str:
    return _of_matrix(settings, "reduce_sum[axes=0](x)")


def _argmax(settings: Settings) -> str:
    """The first place of the greatest element of each row."""
    return _of_matrix(settings, "argmax[axis=1](x)")


def _log_softmax(settings: Settings) -> str:
    return _of_matrix(settings, "logsoftmax[axis=1](x)")


def _full_sum(settings: Settings) -> str:
    return f"""
        x = @param:x -> {_vector(settings)}
        o = reduce_sum(x)
        @return(o)
    """


def _dot_product(settings: Settings) -> str:
    """The sum of x * y."""
    return f"""
        x = @param:x -> {_vector(settings)}
        y = @param:y -> {_vector(settings)}
        xy = mul(x, y)
        o = reduce_sum(xy)
        @return(o)
    """


def _pad_add(settings: Settings) -> str:
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


def _gather_add(settings: Settings) -> str:
    """The elements of x that the indices i say, and y."""
    return f"""
        x = @param:x -> {_vector(settings)}
        i = @param:i -> i32, {{{settings["n"]}}}
        y = @param:y -> {_vector(settings)}
        g = gather[axis=0](x, i)
        o = add(g, y)
        @return(o)
    """


def _reverse_add(settings: Settings) -> str:
    return f"""
        x = @param:x -> {_vector(settings)}
        y = @param:y -> {_vector(settings)}
        r = reverse[axes=0](x)
        o = add(r, y)
        @return(o)
    """


def _concat_add(settings: Settings) -> str:
    """y {2 n} plus the concatenation of a {n} and b {n}."""
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


def _gemm(settings: Settings) -> str:
    """o = a b, of {m,k} and {k,n}."""
    dtype, m, n, k = [settings[name] for name in ("dtype", "m", "n", "k")]
    return f"""
        a = @param:a -> {dtype}, {{{m},{k}}}
        b = @param:b -> {dtype}, {{{k},{n}}}
        o = dot(a, b)
        @return(o)
    """


def _gemv(settings: Settings) -> str:
    """o = a x, of {m,k} and {k}."""
    dtype, m, k = [settings[name] for name in ("dtype", "m", "k")]
    return f"""
        a = @param:a -> {dtype}, {{{m},{k}}}
        x = @param:x -> {dtype}, {{{k}}}
        o = dot(a, x)
        @return(o)
    """


def _batched_gemm(settings: Settings) -> str:
    """o = a b for each of `batch` pairs of matrices."""
    dtype, batch, m, n, k = [settings[name] for name in ("dtype", "batch", "m", "n", "k")]
    return f"""
        a = @param:a -> {dtype}, {{{batch},{m},{k}}}
        b = @param:b -> {dtype}, {{{batch},{k},{n}}}
        o = dot(a, b)
        @return(o)
    """


def _linear(settings: Settings) -> str:
    """o = relu(x w' + bias), a layer with n outputs for each of k inputs: w is {n,k}."""
    dtype, m, n, k = [settings[name] for name in ("dtype", "m", "n", "k")]
    return f"""
        x = @param:x -> {dtype}, {{{m},{k}}}
        w = @param:w -> {dtype}, {{{n},{k}}}
        bias = @param:bias -> {dtype}, {{{n}}}
        columns = transpose[permutation={{1,0}}](w)
        product = dot(x, columns)
        sum = add(product, bias)
        o = relu(sum)
        @return(o)
    """


def _swiglu_mlp(settings: Settings) -> str:
    """o = (silu(x gate') * (x up')) down', the block of a decoder; gate and up are {n,k}, down is {k,n}."""
    dtype, m, n, k = [settings[name] for name in ("dtype", "m", "n", "k")]
    return f"""
        x = @param:x -> {dtype}, {{{m},{k}}}
        gate = @param:gate -> {dtype}, {{{n},{k}}}
        up = @param:up -> {dtype}, {{{n},{k}}}
        down = @param:down -> {dtype}, {{{k},{n}}}
        gate_columns = transpose[permutation={{1,0}}](gate)
        up_columns = transpose[permutation={{1,0}}](up)
        down_columns = transpose[permutation={{1,0}}](down)
        gated = dot(x, gate_columns)
        raised = dot(x, up_columns)
        share = sigmoid(gated)
        silu = mul(gated, share)
        hidden = mul(silu, raised)
        o = dot(hidden, down_columns)
        @return(o)
    """


def _quantised_linear(settings: Settings) -> str:
    """o = x w', with w of {n,k} in 8 bits and a scale for each `group` weights of a row: w = q * scale."""
    dtype, m, n, k, group = [settings[name] for name in ("dtype", "m", "n", "k", "group")]
    if not isinstance(k, int) or not isinstance(group, int) or not group or k % group:
        message = f"group is {group} and k is {k}, wanted numbers, and k as a multiple of group"
        raise InputError(f"--set group={group}", "SET005", message, help=f"--set k={k} --set group={k}")
    return f"""
        x = @param:x -> {dtype}, {{{m},{k}}}
        q = @param:q -> i8, {{{n},{k // group},{group}}}
        scale = @param:scale -> {dtype}, {{{n},{k // group},1}}
        whole = convert[target_type={dtype}](q)
        scaled = mul(whole, scale)
        w = reshape[dims={{{n},{k}}}](scaled)
        columns = transpose[permutation={{1,0}}](w)
        o = dot(x, columns)
        @return(o)
    """


def _int4_linear(settings: Settings) -> str:
    """o = x w', with w of {n,k} in 4 bits, two to a byte: w = (q - zero) * scale, with a scale and
    a zero point of 4 bits for each `group` weights of a row."""
    dtype, m, n, k, group = [settings[name] for name in ("dtype", "m", "n", "k", "group")]
    if not isinstance(k, int) or not isinstance(group, int) or not group or k % (2 * group):
        message = f"group is {group} and k is {k}, wanted numbers, and k as a multiple of twice the group"
        fitting = k // 2 if isinstance(k, int) and k % 2 == 0 else 128
        help = f"--set k={2 * fitting} --set group={fitting}"
        raise InputError(f"--set group={group}", "SET005", message, help=help)
    groups = k // group
    return f"""
        x = @param:x -> {dtype}, {{{m},{k}}}
        packed = @param:packed -> u8, {{{n},{k // 2}}}
        scale = @param:scale -> {dtype}, {{{n},{groups}}}
        packed_zero = @param:packed_zero -> u8, {{{n},{groups // 2}}}
        q = unpack[bits=4](packed)
        zero = unpack[bits=4](packed_zero)
        w = dequantize[blocks={{{group}}}](q, scale, zero)
        columns = transpose[permutation={{1,0}}](w)
        o = dot(x, columns)
        @return(o)
    """


def _fp8_linear(settings: Settings) -> str:
    """o = x w' as bf16, of {m,k} and {n,k} in 8 bits. Each `block` numbers of a row of x have a scale of f32,
    and so has each square of `block` weights of a side."""
    dtype, m, n, k, block = [settings[name] for name in ("dtype", "m", "n", "k", "block")]
    is_known = isinstance(k, int) and isinstance(n, int) and isinstance(block, int) and block
    if not is_known or int(k) % int(block) or int(n) % int(block):
        message = (
            f"block is {block}, n is {n} and k is {k}, wanted numbers, and n and k as multiples of block"
        )
        help = "--set n=1024 --set k=1024 --set block=128"
        raise InputError(f"--set block={block}", "SET005", message, help=help)
    columns, rows = int(k) // int(block), int(n) // int(block)
    return f"""
        x = @param:x -> {dtype}, {{{m},{k}}}
        x_scale = @param:x_scale -> f32, {{{m},{columns}}}
        w = @param:w -> {dtype}, {{{n},{k}}}
        w_scale = @param:w_scale -> f32, {{{rows},{columns}}}
        a = dequantize[blocks={{{block}}}](x, x_scale)
        b = dequantize[blocks={{{block},{block}}}](w, w_scale)
        columns = transpose[permutation={{1,0}}](b)
        product = dot(a, columns)
        o = convert[target_type=bf16](product)
        @return(o)
    """


def _vector(settings: Settings) -> str:
    return f"{settings['dtype']}, {{{settings['n']}}}"


def _of_matrix(settings: Settings, result: str) -> str:
    shape = f"{settings['dtype']}, {{{settings['rows']},{settings['cols']}}}"
    return f"x = @param:x -> {shape}\no = {result}\n@return(o)\n"


CATALOGUE: dict[str, CatalogueKernel] = {
    kernel.name: kernel
    for kernel in (
        CatalogueKernel("vecadd", _N, _vecadd, NUMBERS),
        CatalogueKernel("relu", _N, _relu, NUMBERS),
        CatalogueKernel("muladd", _N, _muladd, NUMBERS),
        CatalogueKernel("gelu", _N, _gelu, FLOATS),
        CatalogueKernel("gelu_erf", _N, _gelu_erf, FLOATS),
        CatalogueKernel("row_sum", _ROWS, _row_sum, NUMBERS),
        CatalogueKernel("row_max", _ROWS, _row_max, NUMBERS),
        CatalogueKernel("softmax", _ROWS, _softmax, FLOATS),
        CatalogueKernel("layernorm", _ROWS, _layernorm, FLOATS),
        CatalogueKernel("rmsnorm", _ROWS, _rmsnorm, FLOATS),
        CatalogueKernel("log_softmax", _ROWS, _log_softmax, FLOATS),
        CatalogueKernel("argmax", _ROWS, _argmax, NUMBERS),
        CatalogueKernel("cumsum", _ROWS, _cumsum, NUMBERS),
        CatalogueKernel("col_sum", _ROWS, _col_sum, NUMBERS),
        CatalogueKernel("transpose", _ROWS, _transpose, NUMBERS),
        CatalogueKernel("full_sum", _N, _full_sum, NUMBERS),
        CatalogueKernel("dot_product", _N, _dot_product, NUMBERS),
        CatalogueKernel("pad_add", _N, _pad_add, NUMBERS),
        CatalogueKernel("gather_add", _N, _gather_add, NUMBERS),
        CatalogueKernel("reverse_add", _N, _reverse_add, NUMBERS),
        CatalogueKernel("concat_add", _N, _concat_add, NUMBERS),
        CatalogueKernel("gemm", _MATRICES, _gemm, NUMBERS),
        CatalogueKernel("gemv", {"m": 4096, "k": 4096, "dtype": "f32"}, _gemv, NUMBERS),
        CatalogueKernel("batched_gemm", _BATCH, _batched_gemm, NUMBERS),
        CatalogueKernel("linear", _MATRICES, _linear, NUMBERS),
        CatalogueKernel("swiglu_mlp", {"m": 64, "n": 1024, "k": 512, "dtype": "f32"}, _swiglu_mlp, FLOATS),
        CatalogueKernel("quantised_linear", _MATRICES | {"group": 64}, _quantised_linear, FLOATS),
        CatalogueKernel("int4_linear", _MATRICES | {"group": 128}, _int4_linear, FLOATS),
        CatalogueKernel("fp8_linear", _BLOCKS, _fp8_linear, _SMALL),
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
