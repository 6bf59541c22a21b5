"""The printed text, exactly."""

from __future__ import annotations

from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program


def test_a_graph() -> None:
    text = """
        x = @param:in -> half_type, {2,3}, {1,2}
        s = @param:s -> {}
        l = @literal{0.1, -0, inf} -> f16, {3}
        c = less(x, l)
        k = @literal{1, 0, 1} -> bool, {3}
        gpu::gen::where(k, x, x)
        y = convert[target_type=float_type](where) -> {2,3}
        softmax[axis=-1](y)
        p = pad[value=-inf, pads={0,1,0,1}](y)
        e = elu[alpha=1.0](s)
        z = mul(y, e)
        @return(z, softmax, p, c)
    """
    assert print_program(parse(text, "net.gen")) == (
        "module @net {\n"
        "  x = @param:in -> f16, {2,3}, {1,2}\n"
        "  s = @param:s -> f32, {}\n"
        "  l = @literal{0.1, -0.0, inf} -> f16, {3}\n"
        "  l_broadcast = multibroadcast[out_lens={2,3}](l) -> f16, {2,3}, {0,1}\n"
        "  c = less(x, l_broadcast) -> bool, {2,3}\n"
        "  k = @literal{true, false, true} -> bool, {3}\n"
        "  k_broadcast = multibroadcast[out_lens={2,3}](k) -> bool, {2,3}, {0,1}\n"
        "  where = where(k_broadcast, x, x) -> f16, {2,3}\n"
        "  y = convert[target_type=f32](where) -> f32, {2,3}\n"
        "  softmax = softmax[axis=-1](y) -> f32, {2,3}\n"
        "  p = pad[pads={0,1,0,1}, value=-inf](y) -> f32, {2,5}\n"
        "  e = elu(s) -> f32, {}\n"
        "  e_broadcast = multibroadcast[out_lens={2,3}](e) -> f32, {2,3}, {0,0}\n"
        "  z = mul(y, e_broadcast) -> f32, {2,3}\n"
        "  @return(z, softmax, p, c)\n"
        "}\n"
    )


def test_regions() -> None:
    text = "stage lanewise gfx942\nb = @param:b -> {4}\nt = local_id[axis=1]\nc = less(t, t)\nif(c) { store(b, t, b0)\nyield\n}\n@return()\n"
    text = text.replace("if(c)", "b0 = load[offset=4](b, t)\nif(c)")
    assert print_program(parse(text, "k.gen")) == (
        "stage lanewise gfx942\n"
        "module @k {\n"
        "  b = @param:b -> f32, {4}\n"
        "  t = local_id[axis=1] -> u32\n"
        "  c = less(t, t) -> bool\n"
        "  b0 = load[offset=4](b, t) -> f32\n"
        "  if(c) {\n"
        "    store(b, t, b0)\n"
        "    yield\n"
        "  }\n"
        "  @return()\n"
        "}\n"
    )
