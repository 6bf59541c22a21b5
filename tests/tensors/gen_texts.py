"""Functions of `jax_functions` as gen text, written by hand with the ops that JAX's modules have."""

from __future__ import annotations

_X = "x = @param:x -> f32, {4,33}\n"
_XY = f"{_X}y = @param:y -> f32, {{4,33}}\n"
_SHIFTED = f"{_X}m = reduce_max[axes={{1}}](x)\nd = sub(x, m)\n"

TEXTS = {
    "softmax": f"{_SHIFTED}e = exp(d)\ns = reduce_sum[axes={{1}}](e)\nr = div(e, s)\n@return(r)\n",
    "log_softmax": f"{_SHIFTED}e = exp(d)\ns = reduce_sum[axes={{1}}](e)\nl = log(s)\nr = sub(d, l)\n@return(r)\n",
    "softmax_columns": f"{_X}m = reduce_max[axes={{0}}](x)\nd = sub(x, m)\ne = exp(d)\ns = reduce_sum[axes={{0}}](e)\nr = div(e, s)\n@return(r)\n",
    "rms_norm": f"{_X}g = @param:g -> f32, {{33}}\nq = mul(x, x)\ns = reduce_sum[axes={{1}}](q)\nn = @literal{{33}} -> f32, {{}}\nm = div(s, n)\n"
    "e = @literal{0.000001} -> f32, {}\no = add(m, e)\nf = rsqrt(o)\np = mul(x, f)\nr = mul(p, g)\n@return(r)\n",
    "where": f"{_XY}z = @literal{{0}} -> f32, {{}}\nc = greater(x, z)\nr = where(c, x, y)\n@return(r)\n",
    "swiglu": f"{_XY}n = neg(x)\ne = exp(n)\no = @literal{{1}} -> f32, {{}}\nd = add(o, e)\ns = div(o, d)\nw = mul(x, s)\nr = mul(w, y)\n@return(r)\n",
    "relu": f"{_X}z = @literal{{0}} -> f32, {{}}\nr = max(x, z)\n@return(r)\n",
    "relu6": f"{_X}z = @literal{{0}} -> f32, {{}}\ns = @literal{{6}} -> f32, {{}}\na = max(x, z)\nr = min(a, s)\n@return(r)\n",
    "cumsum": f"{_X}r = cumsum[axis=1](x)\n@return(r)\n",
    "cummax": f"{_X}r = cummax[axis=1](x)\n@return(r)\n",
    "cumsum_reverse": f"{_X}r = cumsum[axis=0, reverse=true](x)\n@return(r)\n",
    "norm": f"{_X}q = mul(x, x)\ns = reduce_sum[axes={{1}}](q)\nt = squeeze[axes={{1}}](s)\nr = sqrt(t)\n@return(r)\n",
    "clip": f"{_X}a = @literal{{-1}} -> f32, {{}}\nb = @literal{{1}} -> f32, {{}}\nl = max(a, x)\nr = min(b, l)\n@return(r)\n",
    "flip": f"{_X}r = reverse[axes={{1}}](x)\n@return(r)\n",
    "pad": f"{_X}r = pad[pads={{1,0,2,3}}](x)\n@return(r)\n",
    "outer": "a = @param:a -> f32, {5}\nb = @param:b -> f32, {7}\nc = unsqueeze[axes={1}](a)\nr = mul(c, b)\n@return(r)\n",
    "matmul": "a = @param:a -> f32, {8,12}\nb = @param:b -> f32, {12,10}\nr = dot(a, b)\n@return(r)\n",
    "matmul_bias_relu": "x = @param:x -> f32, {8,12}\nw = @param:w -> f32, {12,10}\nb = @param:b -> f32, {10}\np = dot(x, w)\nq = add(p, b)\n"
    "z = @literal{0} -> f32, {}\nr = max(q, z)\n@return(r)\n",
    "einsum": "a = @param:a -> f32, {2,3,4}\nb = @param:b -> f32, {2,5,4}\nr = dot_general[lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}](a, b)\n@return(r)\n",
    "concatenate": "x = @param:x -> f32, {4,3}\ny = @param:y -> f32, {4,5}\nr = concat[axis=1](x, y)\n@return(r)\n",
    "strided": "x = @param:x -> f32, {6,9}\ns = slice[axes={0,1}, starts={0,1}, ends={6,8}](x)\nr = step[axes={0,1}, steps={2,3}](s)\n@return(r)\n",
    "rope": "x = @param:x -> f32, {2,6,8}\nc = @param:c -> f32, {6,4}\ns = @param:s -> f32, {6,4}\na = slice[axes={2}, starts={0}, ends={4}](x)\n"
    "b = slice[axes={2}, starts={4}, ends={8}](x)\nac = mul(a, c)\nbs = mul(b, s)\nd = sub(ac, bs)\nbc = mul(b, c)\nas = mul(a, s)\ne = add(bc, as)\n"
    "r = concat[axis=2](d, e)\n@return(r)\n",
}
