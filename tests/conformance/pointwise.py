"""Cases of ops on elements, and of layouts and broadcasts."""

from __future__ import annotations

from tests.conformance.case import EIGHT_BITS, EVERY_TYPE, F32, F64, FLOATS, HALVES, INTEGERS, T7, Case


def _each(names: str, dims: str, types: tuple[str, ...]) -> list[Case]:
    return [Case(f"x {dims}; {name}(x)", types) for name in names.split()]


UNARY = (
    *_each("abs tanh", "{4,3,3,3}", T7),
    *_each("acos asin asinh atan atanh cosh sinh acosh", "{16}", T7),
    Case("x {16}; lo {1}; hi {1}; clip(x, lo, hi)", T7),
    Case("x {16}; lo = @literal{1.1} -> ?, {1}; hi = @literal{100} -> ?, {1}; clip(x, lo, hi)", T7),
    *_each("cos", "{8}", T7),
    *_each("sin tan", "{10}", T7),
    *_each("ceil floor erf sqrt", "{2,3,4,6}", T7),
    *_each("exp log log2 expm1 log1p cbrt", "{6}", T7),
    *_each("rsqrt", "{1,3,16,16}", T7),
    *_each("isnan isinf", "{5}", T7),
    *_each("sqrt", "{5}", HALVES),
    *_each("sqrt", "{6}", HALVES),
    *_each("sqrt", "{8}", HALVES),
    *_each("neg sign", "{2,3,4,6}", (*F64, *T7, *INTEGERS)),
    *_each("recip", "{3}", (*T7, *F64)),
    *_each("not", "{4}", ("bool",)),
    *_each("nearbyint sigmoid relu elu leaky_relu", "{4,3,3,3}", T7),
    Case(
        "x {4,7}; c = @literal{0.7978845608} -> ?, {1}; d = @literal{0.044715} -> ?, {1}; h = @literal{0.5} -> ?, {1};"
        "one = @literal{1} -> ?, {1}; xx = mul(x, x); xxx = mul(xx, x); a = mul(xxx, d); b = add(x, a); e = mul(b, c);"
        "t = tanh(e); u = add(t, one); v = mul(u, x); mul(v, h)",
        FLOATS,
    ),
    Case(
        "x {4,7}; c = @literal{0.70710678} -> ?, {1}; h = @literal{0.5} -> ?, {1}; one = @literal{1} -> ?, {1};"
        "a = mul(x, c); t = erf(a); u = add(t, one); v = mul(u, x); mul(v, h)",
        FLOATS,
    ),
)
BINARY = (
    Case("x {8}; y {8}; add(x, y)", EVERY_TYPE[1:]),
    Case("x {3}; y {3}; add(x, y)", HALVES),
    *[Case(f"x {{6}}; y {{6}}; {name}(x, y)", T7) for name in ("pow", "atan2")],
    *[Case(f"x {{64}}; y {{64}}; {name}(x, y)", (*T7, *INTEGERS)) for name in ("fmod", "mod")],
    *[Case(f"x {{128}}; y {{128}}; {name}(x, y)", EVERY_TYPE[1:]) for name in ("min", "max")],
    *[Case(f"x {{2,3,4,6}}; y {{2,3,4,6}}; {name}(x, y)", EVERY_TYPE) for name in ("equal", "less", "greater")],
    *[Case(f"x {{3,3}}; y {{3,1}}; {name}(x, y)", (*T7, *F64)) for name in ("add", "mul", "div", "sub", "sqdiff")],
    *[Case(f"x {{8}}; y {{8}}; bitwise_{name}(x, y)", ("i32", "u8", "i64", "bool")) for name in ("and", "or", "xor")],
    *[Case(f"x {{8}}; {name}(x)", INTEGERS) for name in ("bitwise_not", "popcount", "leading_zeros")],
    *[Case(f"x {{64}}; y {{64}}; {name}_shift(x, y)", INTEGERS) for name in ("left", "right")],
    Case("c bool {1,3,4,5}; x {1,3,4,5}; y {1,3,4,5}; where(c, x, y)", EVERY_TYPE),
    Case("x {3}; lo {3}; hi {3}; clip(x, lo, hi)", EVERY_TYPE[1:]),
    Case("x {6}; y {6}; prelu(x, y)", (*T7, *F64)),
    Case("x {4,5}; y {2,3,4,5}; sub(y, x)", ("i16", *F32)),
    *[Case(f"x {{2,7}}; convert[target_type={type_}](x)", EVERY_TYPE) for type_ in EVERY_TYPE],
    *[Case(f"x {{12}}; bit_cast[target_type={type_}](x)", ("i8", "u8", *EIGHT_BITS)) for type_ in ("i8", "u8", *EIGHT_BITS)],
    *[Case(f"x {{5,7}}; y {{5,7}}; {name}(x, y)", (*F32, "i32", "u8", "i16", "f16", "i64")) for name in ("div", "sqdiff")],
    *[Case(f"x {{9}}; y {{9}}; logical_{name}(x, y)", ("bool",)) for name in ("and", "or", "xor")],
)
LAYOUT = (
    Case("x {2,2,3}; y {2,2,1}; add(x, y)", FLOATS),
    Case("x {2,2,3}; y {2,2}; b = broadcast[axis=0, out_lens={2,2,3}](y); add(x, b)", FLOATS),
    Case("x {2,3,4,4}; y {4,4}; add(x, y)", FLOATS),
    Case(
        "x {1,64,568,1328}; y {64}; b = broadcast[axis=1, out_lens={1,64,568,1328}](y); add(x, b)",
        ("f32", "f16"),
        (("64", "5"), ("568", "18"), ("1328", "29")),
        kernels=1,
    ),
    Case("x {1,32,16,16}; y {1,32,16,16} {8192,1,512,32}; add(x, y)", FLOATS, kernels=1),
    Case("x {2,3}; y {3}; z {3}; m = mul(x, y); add(m, z)", FLOATS, kernels=1),
    Case("x {4,3,3,3}; y {4,3,3,3}; z {4,3,3,3}; s = add(x, y); add(s, z)", T7, kernels=1),
    *[
        Case(f"x {{4,3,3,3}}; y {{4,3,3,3}}; z {{4,3,3,3}}; s = add(x, y); t = add(s, z); {name}(t)", FLOATS, kernels=1)
        for name in ("relu", "sigmoid", "tanh")
    ],
    Case(
        "x {1,1,5}; y {1,1,5}; z = add(x, y); c = @literal{0.70710678} -> ?, {1}; h = @literal{0.5} -> ?, {1};"
        "one = @literal{1} -> ?, {1}; a = mul(z, c); t = erf(a); u = add(t, one); v = mul(u, z); mul(v, h)",
        FLOATS,
        kernels=1,
    ),
    *[Case(f"x {{4,3,5,3}}; t = transpose[permutation={{0,1,3,2}}](x); {name}(t)", FLOATS, kernels=1) for name in ("abs", "tanh")],
    Case("x {4,4,4,3}; contiguous(x)", T7, kernels=1),
    Case("x {4,4,4,3} {48,4,1,16}; contiguous(x)", T7, kernels=1),
    Case("x {1,3072,768} {0,1,3072}; y {1,3072,768}; add(x, y)", FLOATS, (("3072", "96"), ("768", "48")), kernels=1),
    Case("x {1,3072,768} {0,1,3072}; contiguous(x)", FLOATS, (("3072", "96"), ("768", "48")), kernels=1),
    Case("x {1,44,57,57}; s = slice[axes={1,2}, starts={0,1}, ends={22,57}](x); relu(s)", FLOATS, (("57", "17"),), kernels=1),
    Case("x {2,1,4,6}; s = step[axes={0,2,3}, steps={2,2,3}](x); abs(s)", FLOATS, kernels=1),
    Case("x {2,1,4,6}; step[axes={-1}, steps={2}](x)", EVERY_TYPE, kernels=1),
    Case("x {3,50}; y {50}; s = add(x, y); p = mul(x, y); m = max(s, p); @return(s, p, m)", FLOATS, kernels=1),
    Case("x {3,50}; c = convert[target_type=f32](x); n = neg(x); @return(c, n, x)", T7, kernels=1),
    Case("x {635,64,88} {1,55880,635}; y {635,64,88}; add(x, y)", FLOATS, (("635", "37"), ("64", "5"), ("88", "8"), ("55880", "296")), kernels=1),
)  # fmt: skip
