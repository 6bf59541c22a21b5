"""Programs of `mlir_opt_functions` as gen text, written by hand."""

from __future__ import annotations

from tests.tensors.gen_texts_of_jax import number, param


def _pair(op: str, *dims: int, of: str = "f32") -> str:
    return f"{param('x', *dims, of=of)}{param('y', *dims, of=of)}r = {op}(x, y)\n@return(r)\n"


def _single(op: str, *dims: int) -> str:
    return f"{param('x', *dims)}r = {op}(x)\n@return(r)\n"


_LOWEST = number("low", -3.4028234663852886e38)
TEXTS = {
    "tosa_add_broadcast": f"{param('x', 4, 6)}{param('y', 1, 6)}r = add(x, y)\n@return(r)\n",
    "tosa_softmax": f"{param('x', 4, 33)}{_LOWEST}{number('one', 1)}t = reduce_max[axes={{1}}](x)\nm = max(t, low)\nd = sub(x, m)\ne = exp(d)\ns = reduce_sum[axes={{1}}](e)\n"
    "f = div(one, s)\nr = mul(e, f)\n@return(r)\n",
    "tosa_clamp_sigmoid": f"{param('x', 4, 6)}{number('low', -1)}{number('high', 2)}{number('one', 1)}c = clip(x, low, high)\nn = neg(c)\ne = exp(n)\ns = add(e, one)\nr = div(one, s)\n@return(r)\n",
    "tosa_matmul": f"{param('x', 2, 3, 4)}{param('y', 2, 4, 5)}r = dot(x, y)\n@return(r)\n",
    "tosa_argmax": f"{param('x', 4, 6)}{_LOWEST}{number('zero', 0, 'i32')}m = reduce_max[axes={{1}}](x)\na = argmax[axis=1](x)\nc = greater(m, low)\ni = convert[target_type=i32](a)\n"
    "w = where(c, i, zero)\nr = squeeze[axes={1}](w)\n@return(r)\n",
    "tosa_transpose_concat": f"{param('x', 4, 6)}{param('y', 6, 3)}t = transpose[permutation={{1,0}}](x)\nr = concat[axis=1](t, y)\n@return(r)\n",
    "tosa_select_greater": f"{param('x', 4, 6, of='i32')}{param('y', 4, 6, of='i32')}c = greater(x, y)\nr = where(c, x, y)\n@return(r)\n",
    "tosa_reverse_tile": f"{param('x', 2, 3)}v = reverse[axes={{1}}](x)\nu = unsqueeze[axes={{0,2}}](v)\nm = multibroadcast[out_lens={{2,2,3,3}}](u)\nr = reshape[dims={{4,9}}](m)\n@return(r)\n",
    "tosa_max_pool": f"{param('x', 1, 6, 6, 3)}{_LOWEST}p = max_pool[sizes={{2,2}}, axes={{1,2}}](x)\nr = max(p, low)\n@return(r)\n",
    "linalg_elementwise_exp_f32": _single("exp", 4),
    "linalg_elementwise_add_f32": _pair("add", 3, 5),
    "linalg_elementwise_div_i32_truncates": _pair("div", 4, 3, of="i32"),
    "linalg_elementwise_select_a_mask": f"{param('c', 3, 5, of='bool')}{param('x', 3, 5)}{param('y', 3, 5)}r = where(c, x, y)\n@return(r)\n",
    "linalg_elementwise_mul_bf16": _pair("mul", 3, 5, of="bf16"),
    "linalg_transpose_f32": _single("transpose[permutation={2,0,1}]", 2, 3, 4),
    "linalg_broadcast_f32": f"{param('x', 3)}u = unsqueeze[axes={{1}}](x)\nr = multibroadcast[out_lens={{2,3,5}}](u)\n@return(r)\n",
    "linalg_reduce_a_sum_onto_the_destination": f"{param('x', 2, 3, 4)}{number('one', 1)}s = reduce_sum[axes={{1}}](x)\nt = add(s, one)\nr = squeeze[axes={{1}}](t)\n@return(r)\n",
    "linalg_matmul_f32": f"{param('x', 5, 6)}{param('y', 6, 7)}r = dot(x, y)\n@return(r)\n",
    "linalg_matmul_f16_to_f32": f"{param('x', 5, 6, of='f16')}{param('y', 6, 7, of='f16')}r = dot[target_type=f32](x, y)\n@return(r)\n",
    "linalg_batch_matmul_f32": f"{param('x', 2, 3, 4)}{param('y', 2, 4, 5)}r = dot(x, y)\n@return(r)\n",
    "linalg_matvec_f32": f"{param('x', 5, 6)}{param('y', 6)}r = dot(x, y)\n@return(r)\n",
    "linalg_dot_f32": f"{param('x', 6)}{param('y', 6)}r = dot(x, y)\n@return(r)\n",
    "linalg_conv_2d_nhwc_hwcf_f32": f"{param('x', 1, 6, 5, 2)}{param('w', 3, 2, 2, 3)}s = windows[sizes={{3,2}}, axes={{1,2}}, strides={{1,1}}](x)\n"
    "r = dot_general[lhs_contract={2,4,5}, rhs_contract={0,1,2}](s, w)\n@return(r)\n",
    "linalg_pooling_nhwc_sum_f32": f"{param('x', 1, 6, 5, 2)}r = reduce_window[combine=sum, sizes={{2,2}}, axes={{1,2}}](x)\n@return(r)\n",
    "arith_addf_f32": _pair("add", 4, 6),
    "arith_divsi_i32": _pair("div", 4, 6, of="i32"),
    "arith_cmpf_olt_with_a_select": f"{param('x', 4, 6)}{param('y', 4, 6)}c = less(y, x)\nr = where(c, x, y)\n@return(r)\n",
    "arith_truncf_f32_to_f16": _single("convert[target_type=f16]", 4, 6),
    "math_tanh_f32": _single("tanh", 4, 6),
    "math_fma_f32": f"{param('x', 4, 6)}{param('y', 4, 6)}{param('z', 4, 6)}p = mul(x, y)\nr = add(p, z)\n@return(r)\n",
}
