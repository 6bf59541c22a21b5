"""Functions of `torch_functions` as gen text, written by hand with the ops that torch's modules have."""

from __future__ import annotations

from tests.tensors.gen_texts_of_jax import number, param

_X = param("x", 4, 33)
_XY = _X + param("y", 4, 33)
_ZERO, _ONE = number("zero", 0), number("one", 1)

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
}
