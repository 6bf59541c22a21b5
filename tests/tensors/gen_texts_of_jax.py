"""More functions of `jax_functions` as gen text, written by hand with the ops that JAX's modules have."""

from __future__ import annotations


def param(name: str, *dims: int, of: str = "f32") -> str:
    return f"{name} = @param:{name} -> {of}, {{{','.join(map(str, dims))}}}\n"


def number(name: str, value: float | str, of: str = "f32") -> str:
    return f"{name} = @literal{{{value}}} -> {of}, {{}}\n"


_X = param("x", 4, 33)
_ZERO, _ONE = number("zero", 0), number("one", 1)
_MEAN = f"t = reduce_sum[axes={{1}}](x)\n{number('n', 33)}m = div(t, n)\n"
_VAR = f"{_MEAN}d = sub(x, m)\nq = mul(d, d)\nu = reduce_sum[axes={{1}}](q)\nv = div(u, n)\n"
SOFTPLUS = (
    f"{_ZERO}m = max(g, zero)\na = abs(g)\nn = neg(a)\ne = exp(n)\nl = log1p(e)\nv = add(m, l)\nisnan = isnan(g)\nsoftplus = where(isnan, g, v)\n"
)


def _wrapped(size: int, of: str = "i32") -> str:
    """j: the index i, from the end if it is negative."""
    return f"{number('z', 0, of)}{number('n', size, of)}is_neg = less(i, z)\nw = add(i, n)\nj = where(is_neg, w, i)\n"


def _or_nan(size: int) -> str:
    """`inside`: whether the index j is in range. `nan`: the number if it is not."""
    return f"low = less(j, z)\nhigh = less(j, n)\nnot_low = not(low)\ninside = logical_and(not_low, high)\n{number('void', 'nan')}"


def _key(name: str, x: str) -> str:
    """`name`: integers in the order of the floats x, with a single zero, and NaN last."""
    return (
        f"{name}z = equal({x}, zero)\n{name}w = where({name}z, zero, {x})\n{name}n = isnan({x})\n{name}c = where({name}n, void, {name}w)\n"
        f"{name}b = bit_cast[target_type=i32]({name}c)\n{name}i = less({name}b, z)\n{name}s = sub(top, {name}b)\n{name} = where({name}i, {name}s, {name}b)\n"
    )


_KEYS = f"{_ZERO}{number('void', 'nan')}{number('z', 0, 'i32')}{number('top', (1 << 31) - 1, 'i32')}{number('two', 2, 'i32')}"


def _searched(table: str, x: str, size: int, trips: int, count: int, goes_left: str) -> str:
    """The binary search of x in a table: h{trips} is the place."""
    text = f"{_KEYS}{_key('kt', table)}{_key('kx', x)}{number('first', 0, 'i32')}{number('end', size, 'i32')}"
    text += f"l0 = multibroadcast[out_lens={{{count}}}](first)\nh0 = multibroadcast[out_lens={{{count}}}](end)\n"
    for i in range(trips):
        text += f"s{i} = add(l{i}, h{i})\nm{i} = div(s{i}, two)\ng{i} = gather[axis=0](kt, m{i})\n{goes_left.format(i=i)}"
        text += f"l{i + 1} = where(c{i}, l{i}, m{i})\nh{i + 1} = where(c{i}, m{i}, h{i})\n"
    return text


def _random_bits() -> str:
    """Threefry-2x32 of the places 0 to 59."""
    text = f"{param('key', 2, of='u32')}{number('row', 12, 'i32')}{number('c', 0x1BD11BDA, 'u32')}"
    text += "i = iota[axis=0, out_lens={5,12}]\nj = iota[axis=1, out_lens={5,12}]\nf = mul(i, row)\nh = add(f, j)\np = convert[target_type=u32](h)\n"
    text += "k0 = slice[axes={0}, starts={0}, ends={1}](key)\nk1 = slice[axes={0}, starts={1}, ends={2}](key)\n"
    text += "e = bitwise_xor(k0, k1)\nk2 = bitwise_xor(e, c)\nx0 = multibroadcast[out_lens={5,12}](k0)\ny0 = add(p, k1)\n"
    step = 0
    for turn in range(5):
        for by in ((13, 15, 26, 6), (17, 29, 16, 24))[turn % 2]:
            i, step = step, step + 1
            text += number(f"n{i}", by, "u32") + number(f"m{i}", 32 - by, "u32") + f"x{step} = add(x{i}, y{i})\n"
            text += f"l{i} = left_shift(y{i}, n{i})\nr{i} = right_shift(y{i}, m{i})\no{i} = bitwise_or(l{i}, r{i})\n"
            text += f"y{step} = bitwise_xor(x{step}, o{i})\n"
        i, step = step, step + 1
        text += f"x{step} = add(x{i}, k{(turn + 1) % 3})\nv{i} = add(y{i}, k{(turn + 2) % 3})\n"
        text += f"{number(f'n{i}', turn + 1, 'u32')}y{step} = add(v{i}, n{i})\n"
    return f"{text}w = bitwise_xor(x{step}, y{step})\n@return(w)\n"


_LEFT = "a{i} = less(kx, g{i})\nb{i} = equal(kx, g{i})\nc{i} = logical_or(a{i}, b{i})\n"
_RIGHT = "c{i} = less(kx, g{i})\n"


def _log_add(name: str, a: str, b: str) -> str:
    """`name`: the logarithm of exp(a) + exp(b)."""
    n = name
    return (
        f"{n}m = max({a}, {b})\n{n}d = sub({a}, {b})\n{n}n = isnan({n}d)\n{n}t = add({a}, {b})\n{n}a = abs({n}d)\n{n}g = neg({n}a)\n{n}e = exp({n}g)\n"
        f"{n}s = add({n}e, one)\n{n}l = log({n}s)\n{n}r = sub({n}s, one)\n{n}q = div({n}e, {n}r)\n{n}p = mul({n}l, {n}q)\n{n}i = equal({n}s, one)\n"
        f"{n}f = where({n}i, {n}e, {n}p)\n{n}k = add({n}m, {n}f)\n{name} = where({n}n, {n}t, {n}k)\n"
    )


def _summed(size: int) -> str:
    """Each step doubles the number of elements that are added: y{size} is the scan of y1."""
    step, text = 1, ""
    while step < size:
        text += (
            f"s{step} = slice[axes={{1}}, starts={{0}}, ends={{{size - step}}}](y{step})\nv{step} = pad[pads={{0,{step},0,0}}, value=-inf](s{step})\n"
        )
        text += _log_add(f"y{2 * step}", f"v{step}", f"y{step}")
        step *= 2
    return f"{text}r = identity(y{step})\n"


TEXTS = {
    "logsumexp": f"{_X}m = reduce_max[axes={{1}}](x)\na = abs(m)\n{number('top', 'inf')}{_ZERO}finite = less(a, top)\nc = where(finite, m, zero)\n"
    "d = sub(x, c)\ne = exp(d)\ns = reduce_sum[axes={1}](e)\nl = log(s)\nr = add(l, c)\no = squeeze[axes={1}](r)\n@return(o)\n",
    "layer_norm": f"{_X}{param('g', 33)}{param('b', 33)}{_VAR}{number('epsilon', 0.00001)}w = add(v, epsilon)\nf = rsqrt(w)\np = mul(d, f)\no = mul(p, g)\nr = add(o, b)\n@return(r)\n",
    "standardize": f"{_X}{_MEAN}q = mul(x, x)\nu = reduce_sum[axes={{1}}](q)\no = div(u, n)\nmm = mul(m, m)\nv = sub(o, mm)\n{_ZERO}c = max(zero, v)\n"
    f"{number('epsilon', 0.00001)}w = add(c, epsilon)\nf = rsqrt(w)\nd = sub(x, m)\nr = mul(d, f)\n@return(r)\n",
    "cumprod": f"{param('x', 3, 9)}r = cumprod[axis=1](x)\n@return(r)\n",
    "argmax": f"{_X}a = argmax[axis=1](x)\ns = squeeze[axes={{1}}](a)\nr = convert[target_type=i32](s)\n@return(r)\n",
    "argmin_columns": f"{_X}a = argmin[axis=0](x)\ns = squeeze[axes={{0}}](a)\nr = convert[target_type=i32](s)\n@return(r)\n",
    "one_hot": f"{param('i', 5, of='i32')}r = one_hot[depth=7, axis=-1, target_type=f32](i)\n@return(r)\n",
    "take_along_axis": f"{_X}{param('i', 4, 3, of='i32')}{_wrapped(33)}{_or_nan(33)}g = take_along_axis[axis=1](x, j)\nr = where(inside, g, void)\n@return(r)\n",
    "take_rows": f"{param('x', 9, 5)}{param('i', 4, of='i32')}{_wrapped(9)}{_or_nan(9)}g = gather[axis=0](x, j)\nc = unsqueeze[axes={{1}}](inside)\n"
    "r = where(c, g, void)\n@return(r)\n",
    "take_clip": f"{param('x', 9, 5)}{param('i', 4, of='i32')}{number('z', 0, 'i32')}j = max(i, z)\nr = gather[axis=0](x, j)\n@return(r)\n",
    "index_rows": f"{param('x', 9, 5)}{param('i', 4, of='i32')}r = gather[axis=0](x, i)\n@return(r)\n",
    "gelu": f"{_X}q = mul(x, x)\nc = mul(q, x)\n{number('k', 0.044715)}a = mul(k, c)\ns = add(x, a)\n{number('h', 0.7978846)}u = mul(h, s)\nt = tanh(u)\n"
    f"{_ONE}o = add(one, t)\n{number('half', 0.5)}p = mul(half, o)\nr = mul(x, p)\n@return(r)\n",
    "gelu_erf": f"{_X}{number('half', 0.5)}h = mul(half, x)\nn = neg(x)\n{number('k', 0.70710677)}u = mul(n, k)\ne = erf(u)\n{_ONE}c = sub(one, e)\n"
    "r = mul(h, c)\n@return(r)\n",
    "elu": f"{_X}{_ZERO}p = greater(x, zero)\nc = where(p, zero, x)\nm = expm1(c)\n"
    "r = where(p, x, m)\n@return(r)\n",
    "leaky_relu": f"{_X}{_ZERO}{number('a', 0.01)}n = less(x, zero)\nm = mul(a, x)\np = not(n)\nr = where(p, x, m)\n@return(r)\n",
    "softplus": f"{_X}g = identity(x)\n{SOFTPLUS}@return(softplus)\n",
    "log_sigmoid": f"{_X}g = neg(x)\n{SOFTPLUS}r = neg(softplus)\n@return(r)\n",
    "hard_swish": f"{_X}{number('three', 3)}{number('six', 6)}{_ZERO}s = add(x, three)\nl = max(s, zero)\nc = min(l, six)\nd = div(c, six)\nr = mul(x, d)\n@return(r)\n",
    "mish": f"{_X}g = identity(x)\n{SOFTPLUS}t = tanh(softplus)\nr = mul(x, t)\n@return(r)\n",
    "glu": f"{param('x', 4, 34)}a = slice[axes={{1}}, starts={{0}}, ends={{17}}](x)\nb = slice[axes={{1}}, starts={{17}}, ends={{34}}](x)\nn = neg(b)\ne = exp(n)\n"
    f"{_ONE}s = add(one, e)\ng = div(one, s)\nr = mul(a, g)\n@return(r)\n",
    "var": f"{_X}{_VAR}r = squeeze[axes={{1}}](v)\n@return(r)\n",
    "std": f"{_X}t = reduce_sum[axes={{0}}](x)\n{number('n', 4)}m = div(t, n)\nd = sub(x, m)\nq = mul(d, d)\nu = reduce_sum[axes={{0}}](q)\nv = div(u, n)\n"
    "s = sqrt(v)\nr = squeeze[axes={0}](s)\n@return(r)\n",
    "mean_bf16": f"{param('x', 4, 33, of='bf16')}w = convert[target_type=f32](x)\ns = reduce_sum[axes={{1}}](w)\n{number('n', 33)}m = div(s, n)\n"
    "c = convert[target_type=bf16](m)\nr = squeeze[axes={1}](c)\n@return(r)\n",
    "any_all": f"{_X}{_ONE}{number('low', -3)}a = greater(x, one)\nb = greater(x, low)\nany = reduce_any[axes={{1}}](a)\nall = reduce_all[axes={{1}}](b)\n"
    "r = squeeze[axes={1}](any)\ns = squeeze[axes={1}](all)\n@return(r, s)\n",
    "count_nonzero": f"{_X}{_ZERO}p = greater(x, zero)\nc = convert[target_type=i32](p)\ns = reduce_sum[axes={{1}}](c)\nr = squeeze[axes={{1}}](s)\n@return(r)\n",
    "roll": f"{_X}r = roll[axes={{1}}, shifts={{3}}](x)\n@return(r)\n",
    "pad_reflect": f"{param('x', 5, 6)}r = pad[pads={{2,2,2,2}}, mode=reflect](x)\n@return(r)\n",
    "tril": f"{param('x', 6, 6)}i = iota[axis=0, out_lens={{6,6}}]\nj = iota[axis=1, out_lens={{6,6}}]\nabove = less(i, j)\n{_ZERO}r = where(above, zero, x)\n@return(r)\n",
    "attention": f"{param('q', 2, 6, 8)}{param('k', 2, 6, 8)}{param('v', 2, 6, 8)}"
    "s = dot_general[lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}](q, k)\n"
    f"{number('c', 2.828427)}d = div(s, c)\ni = iota[axis=0, out_lens={{6,6}}]\nj = iota[axis=1, out_lens={{6,6}}]\nabove = less(i, j)\n{number('low', -1000000000)}"
    "w = where(above, low, d)\nm = reduce_max[axes={2}](w)\nh = sub(w, m)\ne = exp(h)\nt = reduce_sum[axes={2}](e)\np = div(e, t)\nr = dot(p, v)\n@return(r)\n",
    "stack_transpose": f"{param('x', 4, 3)}{param('y', 4, 3)}a = unsqueeze[axes={{1}}](x)\nb = unsqueeze[axes={{1}}](y)\nc = concat[axis=1](a, b)\n"
    "r = transpose[permutation={2,1,0}](c)\n@return(r)\n",
    "repeat_tile": f"{param('x', 3, 2)}a = unsqueeze[axes={{1}}](x)\nb = multibroadcast[out_lens={{3,2,2}}](a)\nc = reshape[dims={{6,1,2}}](b)\n"
    "d = multibroadcast[out_lens={6,3,2}](c)\nr = reshape[dims={6,6}](d)\n@return(r)\n",
    "scatter_add": f"{param('x', 9, 5)}{param('i', 4, of='i32')}{param('u', 4, 5)}r = scatter_add[axis=0](x, i, u)\n@return(r)\n",
    "scatter_set": f"{param('x', 9, 5)}{param('u', 2, 5)}a = slice[axes={{0}}, starts={{0}}, ends={{2}}](x)\nb = slice[axes={{0}}, starts={{4}}, ends={{9}}](x)\n"
    "r = concat[axis=0](a, u, b)\n@return(r)\n",
    "sort": f"{param('x', 4, 12)}{_ZERO}e = equal(x, zero)\nw = where(e, zero, x)\na = argsort[axis=1](w)\nr = take_along_axis[axis=1](x, a)\n@return(r)\n",
    "argsort": f"{param('x', 4, 12)}{_ZERO}e = equal(x, zero)\nw = where(e, zero, x)\na = argsort[axis=1](w)\nr = convert[target_type=i32](a)\n@return(r)\n",
    "top_k": f"{param('x', 4, 12)}t = top_k[k=3, axis=1](x)\na = top_k_indices[k=3, axis=1](x)\nr = convert[target_type=i32](a)\n@return(t, r)\n",
    "max_pool": f"{param('x', 1, 6, 6, 3)}r = max_pool[sizes={{2,2}}, axes={{1,2}}](x)\n@return(r)\n",
    "conv": f"{param('x', 1, 2, 5, 5)}{param('w', 3, 2, 3, 3)}p = pad[pads={{0,0,1,1,0,0,1,1}}](x)\ns = windows[sizes={{3,3}}, axes={{2,3}}, strides={{1,1}}](p)\n"
    "d = dot_general[lhs_contract={1,3,5}, rhs_contract={1,2,3}](s, w)\nr = transpose[permutation={0,3,1,2}](d)\n@return(r)\n",
    "floor_divide": f"{param('a', 4, 6, of='i32')}{param('b', 4, 6, of='i32')}q = div(a, b)\nsa = sign(a)\nsb = sign(b)\ne = equal(sa, sb)\nf = fmod(a, b)\n"
    f"{number('z', 0, 'i32')}{number('one', 1, 'i32')}fz = equal(f, z)\nne = not(e)\nnf = not(fz)\nless_one = logical_and(ne, nf)\nq1 = sub(q, one)\nr = where(less_one, q1, q)\n"
    "bz = equal(b, z)\nc = where(bz, one, b)\ng = fmod(a, c)\ngz = equal(g, z)\ngn = less(g, z)\nbn = less(c, z)\nalike = equal(gn, bn)\nna = not(alike)\nng = not(gz)\nmoves = logical_and(na, ng)\nw = add(g, c)\ns = where(moves, w, g)\n@return(r, s)\n",
    "power_round": f"{_X}q = mul(x, x)\nc = mul(q, x)\n{number('ten', 10)}m = mul(c, ten)\nn = nearbyint(m)\nr = div(n, ten)\n@return(r)\n",
    "isnan": f"{_X}n = isnan(x)\ni = isinf(x)\nr = logical_or(n, i)\n@return(r)\n",
    "cross_entropy": f"{_X}{param('i', 4, of='i32')}m = reduce_max[axes={{1}}](x)\nd = sub(x, m)\ne = exp(d)\ns = reduce_sum[axes={{1}}](e)\nl = log(s)\np = sub(d, l)\n"
    "h = one_hot[depth=33, axis=-1, target_type=f32](i)\no = mul(h, p)\nt = reduce_sum[axes={1}](o)\n"
    f"a = reduce_sum[axes={{0,1}}](t)\nb = reshape[dims={{}}](a)\n{number('n', 4)}c = div(b, n)\nr = neg(c)\n@return(r)\n",
    "fori_loop": f"{param('x', 4, 5)}{number('h', 0.5)}{_ZERO}{_ONE}{number('two', 2)}{number('three', 3)}{number('four', 4)}"
    "a = mul(x, h)\nb = add(a, zero)\nc = mul(b, h)\nd = add(c, one)\ne = mul(d, h)\nf = add(e, two)\ng = mul(f, h)\ni = add(g, three)\nj = mul(i, h)\n"
    "r = add(j, four)\n@return(r)\n",
    "grad_tanh": f"{_X}t = tanh(x)\n{_ONE}s = sub(one, t)\nm = mul(s, t)\nr = add(s, m)\n@return(r)\n",
    "dynamic_slice": f"{param('x', 9, 3)}{param('i', of='i32')}{_wrapped(9)}{number('five', 5, 'i32')}l = max(j, z)\nc = min(l, five)\n"
    "k = iota[axis=0, out_lens={4}]\np = add(k, c)\nr = gather[axis=0](x, p)\n@return(r)\n",
    "cache_update": f"{param('x', 2, 8, 4)}{param('u', 2, 1, 4)}{param('i', of='i32')}{_wrapped(8)}{number('seven', 7, 'i32')}l = max(j, z)\nc = min(l, seven)\n"
    "k = iota[axis=0, out_lens={8}]\ne = equal(k, c)\nh = reshape[dims={1,8,1}](e)\nr = where(h, u, x)\n@return(r)\n",
    "segment_sum": f"{param('x', 9)}{param('i', 9, of='i32')}{_ZERO}s = multibroadcast[out_lens={{4}}](zero)\nz = @literal{{0}} -> i32, {{}}\nn = @literal{{4}} -> i32, {{}}\n"
    "is_neg = less(i, z)\nj = where(is_neg, n, i)\nr = scatter_add[axis=0](s, j, x)\n@return(r)\n",
    "expm1_log1p": f"{_X}m = expm1(x)\na = abs(x)\nl = log1p(a)\nr = add(m, l)\n@return(r)\n",
    "linspace_arange": f"{param('x', 5)}i = iota[axis=0, out_lens={{5}}]\nf = convert[target_type=f32](i)\n{number('quarter', 0.25)}l = mul(f, quarter)\np = mul(x, f)\n"
    "r = add(l, p)\n@return(r)\n",
    "lexsort": f"{param('a', 20, of='i32')}{param('b', 20, of='i32')}i = argsort[axis=0](a)\nt = take_along_axis[axis=0](b, i)\nj = argsort[axis=0](t)\n"
    "k = take_along_axis[axis=0](i, j)\nr = convert[target_type=i32](k)\n@return(r)\n",
    "cumlogsumexp": f"{param('x', 3, 17)}{_ONE}y1 = identity(x)\n{_summed(17)}@return(r)\n",
    "segment_max": f"{param('x', 12, 3)}{param('i', 12, of='i32')}j = reshape[dims={{12,1,1}}](i)\nk = iota[axis=1, out_lens={{1,5,1}}]\nc = equal(j, k)\n"
    f"y = unsqueeze[axes={{1}}](x)\n{number('low', '-inf')}w = where(c, y, low)\nm = reduce_max[axes={{0}}](w)\nr = squeeze[axes={{0}}](m)\n@return(r)\n",
    "quantile": f"{param('x', 4, 16)}{_ZERO}{number('void', 'nan')}n = isnan(x)\na = reduce_any[axes={{1}}](n)\ny = where(a, void, x)\ne = equal(y, zero)\nw = where(e, zero, y)\n"
    "i = argsort[axis=1](w)\ns = take_along_axis[axis=1](y, i)\nl = slice[axes={1}, starts={3}, ends={8}](s)\nh = slice[axes={1}, starts={4}, ends={9}](s)\n"
    "lo = step[axes={1}, steps={4}](l)\nhi = step[axes={1}, steps={4}](h)\nt = @literal{0.75,0.5} -> f32, {2}\no = @literal{0.25,0.5} -> f32, {2}\n"
    "p = mul(lo, o)\nq = mul(hi, t)\nb = add(p, q)\nr = transpose[permutation={1,0}](b)\n@return(r)\n",
    "random_bits": _random_bits(),
    "bit_distance": f"{param('a', 5, 12, of='u32')}{param('b', 5, 12, of='u32')}d = bitwise_xor(a, b)\nn = popcount(d)\n"
    "s = reduce_sum[axes={1}](n)\nr = squeeze[axes={1}](s)\nboth = bitwise_and(a, b)\nz = leading_zeros(both)\n@return(r, z)\n",
    "searchsorted": f"{param('t', 16)}{param('x', 9)}{_searched('t', 'x', 16, 5, 9, _LEFT)}@return(h5)\n",
    "interp": f"{param('x', 9)}{param('t', 6)}{param('y', 6)}{_searched('t', 'x', 6, 3, 9, _RIGHT)}{number('one', 1, 'i32')}{number('five', 5, 'i32')}u = max(h3, one)\nj = min(u, five)\n"
    f"i = sub(j, one)\nyj = gather[axis=0](y, j)\nyi = gather[axis=0](y, i)\ntj = gather[axis=0](t, j)\nti = gather[axis=0](t, i)\ndy = sub(yj, yi)\ndt = sub(tj, ti)\n"
    f"dx = sub(x, ti)\n{number('least', 1.4210855e-14)}{number('unit', 1)}at = abs(dt)\nbig = greater(at, least)\nsafe = where(big, dt, unit)\nq = div(dx, safe)\np = mul(q, dy)\n"
    "s = add(yi, p)\nf = where(big, s, yi)\n"
    "t0 = slice[axes={0}, starts={0}, ends={1}](t)\ny0 = slice[axes={0}, starts={0}, ends={1}](y)\nt5 = slice[axes={0}, starts={5}, ends={6}](t)\n"
    "y5 = slice[axes={0}, starts={5}, ends={6}](y)\nis_low = less(x, t0)\ng = where(is_low, y0, f)\nis_high = greater(x, t5)\nr = where(is_high, y5, g)\n@return(r)\n",
    "associative_scan": f"{param('a', 16)}{param('b', 16)}{_ZERO}h = linear_recurrence[axis=0](a, b)\nr = add(h, zero)\n@return(r)\n",
    "bincount": f"{param('x', 30, of='i32')}{number('z', 0, 'i32')}y = max(x, z)\nr = histogram[bins=9](y)\n@return(r)\n",
}
