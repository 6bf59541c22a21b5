"""Functions of `torch_functions` as gen text, written by hand with the ops that torch's modules have."""

from __future__ import annotations

from tests.tensors.gen_texts_of_jax import SOFTPLUS, number, param

_X = param("x", 4, 33)
_XY = _X + param("y", 4, 33)
_ZERO, _ONE = number("zero", 0), number("one", 1)


def _variance(axis: int, size: int, correction: int) -> str:
    """v: the variance of x along an axis, computed in f64 as torch does."""
    return (
        f"w = convert[target_type=f64](x)\nt64 = reduce_sum[axes={{{axis}}}](w)\n{number('n64', size, 'f64')}m64 = div(t64, n64)\nd64 = sub(w, m64)\n"
        f"q64 = mul(d64, d64)\nu64 = reduce_sum[axes={{{axis}}}](q64)\n{number('k64', size - correction, 'f64')}v64 = div(u64, k64)\nv = convert[target_type=f32](v64)\n"
    )


_SIGMOID = "{n} = neg({x})\n{e} = exp({n})\n{s} = add({e}, one)\n{g} = div(one, {s})\n"


def _sigmoid(name: str, x: str) -> str:
    return _SIGMOID.format(n=f"{name}_n", e=f"{name}_e", s=f"{name}_s", g=name, x=x)


_HEADS = f"{param('q', 2, 6, 8)}{param('k', 2, 6, 8)}{param('v', 2, 6, 8)}"
_SCORES = "s = dot_general[lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}](q, k)\n"

TEXTS = {
    "layer_norm": f"{_X}{param('g', 33)}{param('b', 33)}t = reduce_sum[axes={{1}}](x)\n{number('n', 33)}m = div(t, n)\nd = sub(x, m)\nq = mul(d, d)\nu = reduce_sum[axes={{1}}](q)\nv = div(u, n)\n{number('epsilon', 0.00001)}w = add(v, epsilon)\nf = rsqrt(w)\np = mul(d, f)\no = mul(p, g)\nr = add(o, b)\n@return(r)\n",
    "batch_norm": f"{param('x', 2, 3, 4, 4)}{param('m', 3)}{param('v', 3)}{param('w', 3)}{param('b', 3)}{number('epsilon', 0.00001)}{_ONE}s = add(v, epsilon)\nq = sqrt(s)\nf = div(one, q)\n"
    "m3 = reshape[dims={3,1,1}](m)\nf3 = reshape[dims={3,1,1}](f)\nw3 = reshape[dims={3,1,1}](w)\nb3 = reshape[dims={3,1,1}](b)\nd = sub(x, m3)\np = mul(d, f3)\no = mul(p, w3)\nr = add(o, b3)\n@return(r)\n",
    "gelu": f"{_X}{_ONE}{number('half', 0.5)}{number('k', 1.4142135)}d = div(x, k)\ne = erf(d)\na = add(e, one)\nm = mul(a, half)\nr = mul(x, m)\n@return(r)\n",
    "gelu_tanh": f"{_X}{_ONE}{number('half', 0.5)}{number('k', 0.044715)}{number('h', 0.797724)}q = mul(x, x)\nc = mul(q, x)\na = mul(c, k)\ns = add(x, a)\nu = mul(s, h)\nt = tanh(u)\no = add(t, one)\np = mul(o, half)\nr = mul(x, p)\n@return(r)\n",
    "silu": f"{_X}{_ONE}n = neg(x)\ne = exp(n)\ns = add(e, one)\nd = div(one, s)\nr = mul(d, x)\n@return(r)\n",
    "leaky_relu": f"{_X}{_ZERO}{number('a', 0.1)}n = less(x, zero)\np = greater(x, zero)\ng = where(n, zero, x)\nl = where(p, zero, x)\nm = mul(l, a)\nr = add(g, m)\n@return(r)\n",
    "linear": f"{param('x', 8, 12)}{param('w', 10, 12)}{param('b', 10)}t = transpose[permutation={{1,0}}](w)\np = dot(x, t)\nr = add(p, b)\n@return(r)\n",
    "bmm": f"{param('x', 2, 3, 4)}{param('y', 2, 4, 5)}r = dot(x, y)\n@return(r)\n",
    "max_pool2d": f"{param('x', 1, 2, 6, 6)}r = max_pool[sizes={{2,2}}](x)\n@return(r)\n",
    "avg_pool2d": f"{param('x', 1, 2, 6, 6)}s = reduce_window[combine=sum, sizes={{3,3}}, strides={{2,2}}, pads={{1,1,1,1}}](x)\n{number('n', 9)}r = div(s, n)\n@return(r)\n",
    "adaptive_avg_pool": f"{param('x', 1, 2, 6, 6)}s = reduce_sum[axes={{2,3}}](x)\n{number('n', 36)}r = div(s, n)\n@return(r)\n",
    "embedding": f"{param('i', 2, 5, of='i64')}{param('x', 11, 6)}{number('z', 0, 'i64')}j = max(i, z)\nr = gather[axis=0](x, j)\n@return(r)\n",
    "argmax": f"{_X}a = argmax[axis=1](x)\nr = squeeze[axes={{1}}](a)\n@return(r)\n",
    "max_dim": f"{_X}m = reduce_max[axes={{1}}](x)\na = argmax[axis=1](x)\nn = squeeze[axes={{1}}](m)\nr = squeeze[axes={{1}}](a)\n@return(n, r)\n",
    "amax_amin": f"{_X}a = reduce_max[axes={{1}}](x)\nb = reduce_min[axes={{1}}](x)\nd = sub(a, b)\nr = squeeze[axes={{1}}](d)\n@return(r)\n",
    "prod": f"{param('x', 4, 5)}p = reduce_prod[axes={{1}}](x)\nr = squeeze[axes={{1}}](p)\n@return(r)\n",
    "any_all": f"{_X}{_ZERO}{number('low', -5)}a = greater(x, zero)\nb = greater(x, low)\nany = reduce_any[axes={{1}}](a)\nall = reduce_all[axes={{1}}](b)\nr = squeeze[axes={{1}}](any)\ns = squeeze[axes={{1}}](all)\n@return(r, s)\n",
    "gather": f"{_X}{param('i', 4, 5, of='i64')}{number('z', 0, 'i64')}j = max(i, z)\nr = take_along_axis[axis=1](x, j)\n@return(r)\n",
    "index_select": f"{_X}{param('i', 5, of='i64')}{number('z', 0, 'i64')}j = max(i, z)\nr = gather[axis=1](x, j)\n@return(r)\n",
    "index": f"{_X}{param('i', 3, of='i64')}r = gather[axis=0](x, i)\n@return(r)\n",
    "cat_slice_t": f"{_X}{param('y', 3, 4)}a = slice[axes={{1}}, starts={{1}}, ends={{9}}](x)\nb = step[axes={{1}}, steps={{2}}](a)\nt = transpose[permutation={{1,0}}](y)\nr = concat[axis=1](b, t)\n@return(r)\n",
    "pad": f"{_X}r = pad[pads={{0,1,3,2}}, value=1.5](x)\n@return(r)\n",
    "one_hot": f"{param('i', 5, of='i64')}r = one_hot[depth=7, axis=-1, target_type=i64](i)\n@return(r)\n",
    "arange_mask": f"{param('n', 4, of='i64')}k = iota[axis=0, out_lens={{9}}]\nw = convert[target_type=i64](k)\nc = reshape[dims={{4,1}}](n)\nl = less(w, c)\nr = convert[target_type=f32](l)\n@return(r)\n",
    "pow_sqrt": f"{_X}{number('k', 1.5)}a = abs(x)\np = pow(a, k)\nq = mul(x, x)\ns = add(p, q)\nr = sqrt(s)\n@return(r)\n",
    "trig": f"{_X}s = sin(x)\nc = cos(x)\nm = mul(s, c)\na = atan(x)\nr = add(m, a)\n@return(r)\n",
    "mse_huber": f"{_XY}d = sub(x, y)\nq = mul(d, d)\na = abs(d)\ns = reduce_sum[axes={{0,1}}](q)\nt = reduce_sum[axes={{0,1}}](a)\n{number('n', 132)}u = div(s, n)\nv = div(t, n)\nr = reshape[dims={{}}](u)\no = reshape[dims={{}}](v)\n@return(r, o)\n",
    "logsumexp": f"{_X}m = reduce_max[axes={{1}}](x)\nd = sub(x, m)\ne = exp(d)\ns = reduce_sum[axes={{1}}](e)\nl = log(s)\nr = add(l, m)\no = squeeze[axes={{1}}](r)\n@return(o)\n",
    "group_norm": f"{param('y', 2, 4, 3, 3)}{param('g', 4)}{param('b', 4)}x = reshape[dims={{2,2,18}}](y)\n{_variance(2, 18, 0)}"
    f"t = reduce_sum[axes={{2}}](x)\n{number('n', 18)}m = div(t, n)\n{number('epsilon', 0.00001)}a = add(v, epsilon)\nf = rsqrt(a)\nd = sub(x, m)\np = mul(d, f)\n"
    "o = reshape[dims={2,4,3,3}](p)\ng3 = reshape[dims={4,1,1}](g)\nb3 = reshape[dims={4,1,1}](b)\nh = mul(o, g3)\nr = add(h, b3)\n@return(r)\n",
    "hardswish": f"{_X}{number('three', 3)}{number('six', 6)}{_ZERO}s = add(x, three)\nl = max(s, zero)\nc = min(l, six)\nd = div(c, six)\nr = mul(d, x)\n@return(r)\n",
    "softplus": f"{_X}g = identity(x)\n{SOFTPLUS}{number('most', 20)}is_large = greater(x, most)\nr = where(is_large, x, softplus)\n@return(r)\n",
    "elu": f"{_X}{_ZERO}{_ONE}p = max(x, zero)\nl = min(x, zero)\ne = exp(l)\nm = sub(e, one)\nr = add(p, m)\n@return(r)\n",
    "clamp": f"{_X}{number('low', -1)}{_ONE}r = clip(x, low, one)\n@return(r)\n",
    "linear_relu_f16": f"{param('x', 8, 12, of='f16')}{param('w', 10, 12, of='f16')}{param('b', 10, of='f16')}t = transpose[permutation={{1,0}}](w)\np = dot[target_type=f32](x, t)\nc = convert[target_type=f16](p)\na = add(c, b)\n"
    f"{number('zero', 0, 'f16')}r = max(a, zero)\n@return(r)\n",
    "attention": f"{_HEADS.replace('{2,', '{1,2,')}"
    "s = dot_general[lhs_batch={0,1}, rhs_batch={0,1}, lhs_contract={3}, rhs_contract={3}](q, k)\n"
    f"{number('c', 0.35355338)}d = mul(s, c)\ni = iota[axis=0, out_lens={{6,6}}]\nj = iota[axis=1, out_lens={{6,6}}]\nabove = less(i, j)\n{number('low', '-inf')}{_ZERO}"
    "mask = where(above, low, zero)\nw = add(d, mask)\np = softmax[axis=3](w)\nr = dot(p, v)\n@return(r)\n",
    "attention_by_hand": f"{_HEADS}{param('mask', 6, 6)}{_SCORES}"
    f"{number('c', 2.828427)}d = div(s, c)\n{_ZERO}no = equal(mask, zero)\n{number('low', '-inf')}"
    "w = where(no, low, d)\nm = reduce_max[axes={2}](w)\nh = sub(w, m)\ne = exp(h)\nt = reduce_sum[axes={2}](e)\np = div(e, t)\nr = dot(p, v)\n@return(r)\n",
    "conv2d": f"{param('x', 1, 2, 6, 6)}{param('w', 3, 2, 3, 3)}{param('b', 3)}p = pad[pads={{0,0,1,1,0,0,1,1}}](x)\ns = windows[sizes={{3,3}}, axes={{2,3}}, strides={{2,2}}](p)\n"
    "d = dot_general[lhs_contract={1,3,5}, rhs_contract={1,2,3}](s, w)\nt = transpose[permutation={0,3,1,2}](d)\nb3 = reshape[dims={3,1,1}](b)\nr = add(t, b3)\n@return(r)\n",
    "conv1d_depthwise": f"{param('x', 1, 3, 8)}{param('w', 3, 1, 3)}p = pad[pads={{0,0,1,0,0,1}}](x)\ns = windows[sizes={{3}}, axes={{2}}, strides={{1}}](p)\n"
    "m = mul(s, w)\nt = reduce_sum[axes={3}](m)\nr = squeeze[axes={3}](t)\n@return(r)\n",
    "min_dim": f"{_X}m = reduce_min[axes={{0}}](x)\na = argmin[axis=0](x)\nn = squeeze[axes={{0}}](m)\nr = squeeze[axes={{0}}](a)\n@return(n, r)\n",
    "var_mean": f"{_X}{_variance(1, 33, 1)}t = reduce_sum[axes={{1}}](x)\n{number('n', 33)}m = div(t, n)\nr = squeeze[axes={{1}}](v)\no = squeeze[axes={{1}}](m)\n@return(r, o)\n",
    "std": f"{_X}{_variance(0, 4, 1)}s = sqrt(v)\nr = squeeze[axes={{0}}](s)\n@return(r)\n",
    "norm": f"{_X}q = mul(x, x)\ns = reduce_sum[axes={{1}}](q)\nt = squeeze[axes={{1}}](s)\nr = sqrt(t)\n@return(r)\n",
    "scatter_add": f"{param('x', 4, 8)}{param('i', 4, 5, of='i64')}{param('u', 4, 5)}k = iota[axis=0, out_lens={{4,1}}]\nw = convert[target_type=i64](k)\n{number('n', 8, 'i64')}"
    "b = mul(w, n)\np = add(b, i)\nq = reshape[dims={20}](p)\ny = reshape[dims={20}](u)\nf = reshape[dims={32}](x)\ns = scatter_add[axis=0](f, q, y)\nr = reshape[dims={4,8}](s)\n@return(r)\n",
    "index_put": f"{param('x', 8, 3)}{param('i', 5, of='i64')}{param('u', 5, 3)}r = scatter_add[axis=0](x, i, u)\n@return(r)\n",
    "stack": f"{_XY}r = concat[axis=1](x, y)\n@return(r)\n",
    "roll_flip": f"{_X}a = roll[axes={{1}}, shifts={{3}}](x)\nr = reverse[axes={{0}}](a)\n@return(r)\n",
    "tril": f"{param('x', 6, 6)}i = iota[axis=0, out_lens={{6,6}}]\nj = iota[axis=1, out_lens={{6,6}}]\nabove = greater(j, i)\n{_ZERO}r = where(above, zero, x)\n@return(r)\n",
    "int_divide": f"{param('a', 4, 6, of='i64')}{param('b', 4, 6, of='i64')}fa = convert[target_type=f64](a)\nfb = convert[target_type=f64](b)\nd = div(fa, fb)\nf = floor(d)\n"
    f"q = convert[target_type=i64](f)\nm = mod(a, b)\n@return(q, m)\n",
    "round_types": f"{_X}n = nearbyint(x)\ni = convert[target_type=i32](n)\nf = floor(x)\nb = convert[target_type=bf16](x)\nw = convert[target_type=f32](b)\n@return(i, f, w)\n",
    "nearest": f"{param('x', 1, 2, 3, 3)}r = interpolate[mode=nearest, scales={{2,2}}](x)\n@return(r)\n",
    "bilinear": f"{param('x', 1, 2, 3, 3)}r = interpolate[mode=linear, out_sizes={{7,5}}](x)\n@return(r)\n",
    "gru_cell": f"{param('x', 3, 4)}{param('h', 3, 5)}{param('wi', 15, 4)}{param('wh', 15, 5)}{param('bi', 15)}{param('bh', 15)}{_ONE}"
    "ti = transpose[permutation={1,0}](wi)\nth = transpose[permutation={1,0}](wh)\npi = dot(x, ti)\nph = dot(h, th)\ni = add(pi, bi)\nj = add(ph, bh)\n"
    + "".join(
        f"{name} = slice[axes={{1}}, starts={{{at}}}, ends={{{at + 5}}}]({of})\n"
        for name, of, at in (("ir", "i", 0), ("iz", "i", 5), ("ni", "i", 10), ("hr", "j", 0), ("hz", "j", 5), ("nh", "j", 10))
    )
    + f"rs = add(ir, hr)\n{_sigmoid('rg', 'rs')}zs = add(iz, hz)\n{_sigmoid('zg', 'zs')}rn = mul(rg, nh)\nns = add(ni, rn)\nnew = tanh(ns)\nd = sub(h, new)\nzd = mul(zg, d)\n"
    "r = add(new, zd)\n@return(r)\n",
    "cross_entropy": f"{param('x', 5, 9)}{param('i', 5, of='i64')}m = reduce_max[axes={{1}}](x)\nd = sub(x, m)\ne = exp(d)\ns = reduce_sum[axes={{1}}](e)\nl = log(s)\np = sub(d, l)\n"
    f"{number('z', 0, 'i64')}j = max(i, z)\nk = unsqueeze[axes={{1}}](j)\nc = take_along_axis[axis=1](p, k)\nt = reduce_sum[axes={{0,1}}](c)\nb = reshape[dims={{}}](t)\n{number('n', 5)}"
    "f = div(b, n)\nr = neg(f)\n@return(r)\n",
    "topk": f"{_X}{_ZERO}e = equal(x, zero)\nw = where(e, zero, x)\na = top_k_indices[k=3, axis=1](w)\nr = take_along_axis[axis=1](x, a)\n@return(r, a)\n",
    "sort": f"{_X}{_ZERO}e = equal(x, zero)\nw = where(e, zero, x)\na = argsort[axis=1](w)\nr = take_along_axis[axis=1](x, a)\n@return(r, a)\n",
    "glu_mlp": f"{param('x', 6, 8)}{param('w', 16, 8)}{param('v', 16, 8)}{param('o', 8, 16)}{_ONE}tw = transpose[permutation={{1,0}}](w)\ntv = transpose[permutation={{1,0}}](v)\n"
    f"to = transpose[permutation={{1,0}}](o)\na = dot(x, tw)\nb = dot(x, tv)\n{_sigmoid('s', 'a')}g = mul(s, a)\np = mul(g, b)\nr = dot(p, to)\n@return(r)\n",
}  # fmt: skip
