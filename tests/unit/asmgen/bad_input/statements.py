"""Gen text: statements that are refused after `x = @param:x -> f32, {4, 8}`, and texts that are refused as
a whole."""

from __future__ import annotations

HEAD = "x = @param:x -> f32, {4, 8}\nm = @param:m -> bool, {4, 8}\ni = @param:i -> i32, {4, 8}\n"

STATEMENTS = (
    # syntax
    "y", "y =", "y = neg", "y = neg(", "y = neg(x", "y = neg(x))", "y = neg(x,)(", "y == neg(x)", "= neg(x)",
    "y = (x)", "y = neg x", "y = neg[x]", "y = neg{x}", "y = neg(x) neg(x)", "y = neg(x);", "y := neg(x)",
    "y = -x", "y = x + x", "y = x * 2", "y = x", "y = 5", "y = neg(5)", "1 = neg(x)", "neg = ",
    "y = \"neg\"(x)", "y = neg(\"x\")", "y = neg(x) ->", "y = neg(x) -> ->", "y = neg(x) -> {",
    "y = neg(x) -> {4", "y = neg(x) -> {4,8", "y, = neg(x)", ", y = neg(x)", "y y = neg(x)",
    "y = gpu::neg(x)", "y = gpu::gen::(x)", "y = neg(x) @", "y = $neg(x)", "y = neg(x) ? 1", "y = `neg`(x)",
    "y = né(x)", "y = neg(x)\u00a0", "y = neg(\x00x)", "y = neg(x) \x1b[31m", "y = \"neg", "y = 'neg'(x)",
    "y = neg(x) }", "} y = neg(x)", "{ y = neg(x) }",
    # nested calls and names
    "y = mul(mul(x, x), x)", "y = neg(neg(x))", "y = add(x, exp(x))", "y = softmax[axis=1](neg(x))",
    "y = add(x, 1)", "y = mul(2.0, x)", "y = add(x, true)", "y = neg(z)", "y = neg(y)", "x = neg(x)",
    "y = add(x, Y)", "y = neg(X)", "inf = neg(x)", "nan = neg(x)", "y = neg(inf)", "y, y = neg(x)",
    "y, z = neg(x)",
    # ops
    "y = sofmax[axis=1](x)", "y = multiply(x, x)", "y = Neg(x)", "y = NEG(x)", "y = nge(x)",
    "y = reducesum[axes=1](x)", "y = np.exp(x)", "y = load(x)", "y = lane_id()", "y = dpp_reduce(x)",
    "y = return(x)", "y = module(x)", "y = stage(x)", "y = __import__(x)", "y = eval(x)", "yield(x)",
    "y = if(m) {}", "y = for(i) {}", "y = @param", "y = @return(x)", "y = @literal", "@literal{1} -> {1}",
    "y = @neg(x)", "y = @param:x -> f32, {4}", "y = @param: -> {4}",
    # operands: how many, of what type, of what shape
    "y = neg()", "y = neg(x, x)", "y = add(x)", "y = add(x, x, x)", "y = where(m, x)", "y = where(x, x, x)",
    "y = add(x, m)", "y = add(x, i)", "y = neg(m)", "y = exp(i)", "y = logical_and(x, x)",
    "y = bitwise_and(x, x)", "y = less(x, m)", "y = not(x)", "y = dot(x, x)", "y = concat[axis=0]()",
    "y = clip(x, x)", "y = fmod(x, i)", "y = layernorm(x, x, x, x)", "y = layernorm()", "y = layernorm(i)",
    "y = instancenorm(x)", "y = groupnorm[groups=3](x)",
    # attributes
    "y = softmax(x)", "y = softmax[](x)", "y = softmax[axis](x)", "y = softmax[axis=](x)",
    "y = softmax[axis=2](x)", "y = softmax[axis=-3](x)", "y = softmax[axis=1.5](x)",
    "y = softmax[axis=one](x)", "y = softmax[axis=true](x)", "y = softmax[axis={1}](x)",
    "y = softmax[axis=1, axis=1](x)", "y = softmax[axs=1](x)", "y = softmax[axis=99999999999999999999](x)",
    "y = neg[axis=1](x)", "y = reduce_sum[axes={0, 0}](x)", "y = reduce_sum[axes={2}](x)",
    "y = reduce_sum[axes={}, axes={1}](x)", "y = reduce_sum[axes={1](x)", "y = reduce_sum[axes=\"1\"](x)",
    "y = transpose[permutation={0}](x)", "y = transpose[permutation={0, 0}](x)",
    "y = transpose[permutation={0, 2}](x)", "y = transpose(x)", "y = reshape[dims={5, 7}](x)",
    "y = reshape[dims={-1, -1}](x)", "y = reshape[dims={-2, 16}](x)", "y = reshape[dims={0, 0, 0}](x)",
    "y = reshape[dims={3, -1}](x)", "y = slice[axes={0}, starts={1}](x)",
    "y = slice[axes={0}, starts={1}, ends={}](x)", "y = slice[axes={5}, starts={0}, ends={1}](x)",
    "y = step[axes={0}, steps={0}](x)", "y = step[axes={0}, steps={-1}](x)", "y = squeeze[axes={0}](x)",
    "y = unsqueeze[axes={9}](x)", "y = multibroadcast[out_lens={4}](x)",
    "y = multibroadcast[out_lens={5, 8}](x)", "y = multibroadcast[out_lens={-4, 8}](x)",
    "y = broadcast[axis=0, out_lens={4, 9}](x)", "y = convert[target_type=f33](x)",
    "y = convert[target_type=float](x)", "y = convert(x)", "y = bit_cast[target_type=f16](x)",
    "y = pad[pads={1}](x)", "y = pad[pads={-9, 0, 0, 0}](x)", "y = pad[pads={1, 1, 1, 1}, mode=edgy](x)",
    "y = gather[axis=0](x, x)", "y = gather[axis=7](x, i)", "y = argmax[axis=4](x)", "y = cumsum[axis=4](x)",
    "y = cumsum[axis=0, reverse=2](x)", "y = reverse[axes={3}](x)", "y = concat[axis=3](x, x)",
    # numbers that no type represents
    "y = layernorm[axis=1, epsilon=-1](x)", "y = layernorm[axis=1, epsilon=nan](x)",
    "y = layernorm[axis=1, epsilon=inf](x)", "y = rmsnorm[epsilon=1e39](x)", "y = rmsnorm[epsilon=-0.001](x)",
    "y = rmsnorm[epsilon=1e999](x)", "y = elu[alpha=inf](x)", "y = leaky_relu[alpha=nan](x)",
    "y = elu[alpha=1e40](x)", "y = @literal{1e39} -> f32, {1}", "y = @literal{-1e39} -> f32, {1}",
    "y = @literal{65520} -> f16, {1}", "y = @literal{inf} -> fp8e4m3fn, {1}",
    "y = @literal{1e400} -> f64, {1}", "y = @literal{256} -> u8, {1}", "y = @literal{-1} -> u8, {1}",
    "y = @literal{128} -> i8, {1}", "y = @literal{0.5} -> i32, {1}", "y = @literal{nan} -> i32, {1}",
    "y = @literal{2} -> bool, {1}", "y = @literal{true} -> f32, {1}", "y = @literal{1, 2} -> f32, {1}",
    "y = @literal{} -> f32, {1}", "y = @literal{1} -> f32, {2}", "y = @literal{1,} -> f32, {1",
    "y = @literal{x} -> f32, {1}", "y = @literal{1 2} -> f32, {2}", "y = @literal{1} -> f32",
    "y = @literal{1, 2} -> {2}, {5}", "y = @literal{" + "9" * 300 + "} -> f32, {1}",
    "y = @literal{0x} -> i32, {1}", "y = @literal{1e} -> f32, {1}", "y = @literal{1.2.3} -> f32, {1}",
    "y = @literal{--1} -> f32, {1}",
    # results that disagree
    "y = neg(x) -> f16, {4, 8}", "y = neg(x) -> {4}", "y = neg(x) -> f33, {4, 8}",
    "y = neg(x) -> f32, {4, 8}, f32, {4, 8}", "y = neg(x) -> f32", "y = neg(x) -> scalar",
    "y = less(x, x) -> {4, 8}", "y = reduce_sum[axes={1}](x) -> {4, 8}", "y = neg(x) -> {-4, 8}",
    "y = neg(x) -> {4.0, 8}", "y = neg(x) -> {a, b}", "y = neg(x) -> {?, 8}",
)  # fmt: skip

RETURN = "y = neg(x)\n@return(y)\n"
TEXTS = (
    "", "\n\n", "# nothing\n", "\x00\x00\n", "@return(x)\n", "x = @param:x -> f32, {4}\n",
    "x = @param:x -> f32, {4}\n@return()\n", "x = @param:x -> f32, {4}\n@return(z)\n",
    "x = @param:x -> f32, {4}\n@return(x)\n@return(x)\n",
    "x = @param:x -> f32, {4}\n@return(x)\ny = neg(x)\n",
    "x = @param:x -> f32, {4}\nx = @param:z -> f32, {4}\n" + RETURN,
    "x = @param:x -> f32, {4}\nz = @param:x -> f32, {4}\n" + RETURN, "x = @param:x -> {-1}\n" + RETURN,
    "x = @param:x -> {99999999999999999999}\n" + RETURN, "x = @param:x -> f32, {4}, {1, 1}\n" + RETURN,
    "x = @param:x -> f32, {4}, {-1}\n" + RETURN,
    "x = @param:x -> {4294967296, 4294967296, 4294967296}\n" + RETURN, "x = @param:x\n" + RETURN,
    "x = @param:x -> \n" + RETURN, "x = @param x -> {4}\n" + RETURN, "x = @param:7 -> {4}\n" + RETURN,
    "x = @param:x -> i4, {4}\n" + RETURN, "x = @param:x -> i32, {4}\ny = sin(x)\n@return(y)\n",
    "x = @param:x -> i64, {4}\ny = sin(x)\n@return(y)\n", "x = @param:x -> f8, {4}\n" + RETURN, "module\n",
    "module @\n", "module @m\n", "module @m {\n", "module @m {\n}\n",
    "module @m {\nx = @param:x -> {4}\n" + RETURN,
    "module @m {\nx = @param:x -> {4}\n" + RETURN + "} extra\n",
    "module @m {\nx = @param:x -> {4}\n" + RETURN + "}\n" * 2, "stage\n", "stage graphics\n" + RETURN,
    "stage lanewise\n" + RETURN, "stage lanewise gfx999\n" + RETURN, "stage lanewise gfx942 more\n" + RETURN,
    "stage machine gfx942\n" + RETURN, "stage gridwise gfx942\nx = @param:x -> {4}\n" + RETURN,
    "stage final gfx942\nx = @param:x -> {4}\n" + RETURN, "x = @param:x -> f32x4, {4}\n" + RETURN,
    "<html></html>\n", "{\"json\": 1}\n", "import os\nos.system('id')\n", "#!/bin/sh\necho\n",
    "(" * 5000 + "\n", "[" * 5000 + "\n", "x = @param:x -> {4}\ny = neg" + "(" * 2000 + "\n",
    "a" * 100000 + "\n", "\ufeff\ufeffx = @param:x -> {4}\n" + RETURN,
    "x = @param:x -> {4} /* comment */\n" + RETURN, "x = @param:x -> {4} -- comment\n" + RETURN,
    "x = @param:x -> {4}; \n" + RETURN, "x = @param:x -> {4}\\\n" + RETURN,
)  # fmt: skip
