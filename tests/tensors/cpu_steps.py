"""Random steps of linalg and tensor ops: each appends an op with its operands to a module."""

from __future__ import annotations

import re
from math import prod

from tests.tensors.cpu_maker import MOST_ELEMENTS, Body, CpuMaker, CpuModule, Value


def cpu_module(seed: int, size: int) -> CpuModule:
    """A module of `size` steps; a smaller size makes a shorter module that begins alike."""
    maker = CpuMaker(seed)
    for _ in range(size):
        maker.random.choice(_STEPS)(maker)
    if all(value in [given for given, _ in maker.inputs] for value in maker.values):
        _elementwise(maker)
    return maker.module()


def _any(_: Value) -> bool:
    return True


def _generic(m: CpuMaker) -> None:
    """Loops in any order, some of them summed; other operands by projections, steps, sums of loops and constants."""
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    rank, element = len(value.dims), value.element
    order = m.random.sample(range(rank), rank)
    loops = [value.dims[order.index(loop)] for loop in range(rank)]
    if m.random.random() < 0.3:
        loops.append(m.random.choice([2, 3, 4]))
    if prod(loops) > MOST_ELEMENTS:
        return
    summed = [m.random.random() < 0.35 for _ in loops]
    maps, operands = ["(" + ", ".join(f"d{loop}" for loop in order) + ")"], [value]
    for _ in range(m.random.choice([0, 1, 1, 2])):
        places, dims = _projection(m, loops)
        maps.append(f"({', '.join(places)})")
        operands.append(m.of_type(dims, element))
    # each loop has an operand that states its trips
    for loop, trips in enumerate(loops):
        if not any(re.search(rf"(\(|, )d{loop}(\)|,)", text) for text in maps):
            maps.append(f"(d{loop})")
            operands.append(m.of_type((trips,), element))
    kept = [loop for loop, is_summed in enumerate(summed) if not is_summed]
    m.random.shuffle(kept)
    maps.append("(" + ", ".join(f"d{loop}" for loop in kept) + ")")
    dims = [loops[loop] for loop in kept]
    out = m.filled(dims, element) if any(summed) or m.random.random() < 0.2 else m.empty(dims, element)
    names = [m.name("i") for _ in operands]
    accumulator = m.name("i")
    body = Body(m, element, names)
    if m.random.random() < 0.2:
        body.index(len(loops))
    result = body.grow()
    if any(summed):
        result = body.accumulate(accumulator, result)
    loop_names = ", ".join(f"d{loop}" for loop in range(len(loops)))
    affine = ", ".join(f"affine_map<({loop_names}) -> {text}>" for text in maps)
    kinds = ", ".join('"reduction"' if is_summed else '"parallel"' for is_summed in summed)
    arguments = ", ".join(f"%{name}: {element}" for name in [*names, accumulator])
    head = f"linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} {_ins(*operands)} outs({out.of}) {{"
    _ = m.add(f"{head}\n^bb0({arguments}):\n{body.text(result)}\n}} -> {out.type}", dims, element)


def _projection(m: CpuMaker, loops: list[int]) -> tuple[list[str], tuple[int, ...]]:
    """Places of an operand by some of the loops, and the dims that they need."""
    places: list[str] = []
    dims: list[int] = []
    for loop in m.random.sample(range(len(loops)), m.random.randint(0, min(3, len(loops)))):
        chance, trips = m.random.random(), loops[loop]
        others = [other for other in range(len(loops)) if other != loop]
        if chance < 0.12:
            places.append(f"d{loop} * 2")
            dims.append(2 * trips - 1 + m.random.randint(0, 1))
        elif chance < 0.24 and others:
            other = m.random.choice(others)
            places.append(f"d{loop} + d{other}")
            dims.append(trips + loops[other] - 1)
        elif chance < 0.3:
            places.append(f"d{loop} + 1")
            dims.append(trips + 1)
        elif chance < 0.34:
            places.append("0")
            dims.append(m.random.choice([1, 2]))
        else:
            places.append(f"d{loop}")
            dims.append(trips)
    return places, tuple(dims)


def _ins(*operands: Value) -> str:
    return f"ins({', '.join(f'%{each.name}' for each in operands)} : {', '.join(each.type for each in operands)})"


def _elementwise(m: CpuMaker) -> None:
    value = m.pick(_any, (3, 4))
    other, out = m.of_type(value.dims, value.element), m.empty(value.dims, value.element)
    op = m.random.choice(["add", "sub", "mul", "max", *([] if value.is_float else ["min"])])
    _ = m.add(f"linalg.{op} {_ins(value, other)} outs({out.of}) -> {out.type}", out.dims, out.element)


def _map(m: CpuMaker) -> None:
    value = m.pick(_any, (3, 4))
    other, out = m.of_type(value.dims, value.element), m.empty(value.dims, value.element)
    names = [m.name("i") for _ in range(3)]
    body = Body(m, value.element, names[:2])
    arguments = ", ".join(f"%{name}: {value.element}" for name in names)
    _ = m.add(f"linalg.map {_ins(value, other)} outs({out.of}) ({arguments}) {{\n{body.text(body.grow())}\n}}", out.dims, out.element)


def _reduce(m: CpuMaker) -> None:
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    axes = sorted(m.random.sample(range(len(value.dims)), m.random.randint(1, len(value.dims))))
    dims = [dim for axis, dim in enumerate(value.dims) if axis not in axes]
    out = m.filled(dims, value.element)
    if m.random.random() < 0.5:
        op = m.random.choice(["addf", "maximumf"] if value.is_float else ["addi", "maxsi", "andi"])
        text = f"linalg.reduce {{ arith.{op} }} {_ins(value)} outs({out.of}) dimensions = {axes}"
        _ = m.add(text, dims, value.element)
        return
    name, accumulator = m.name("i"), m.name("i")
    body = Body(m, value.element, [name])
    result = body.accumulate(accumulator, body.grow())
    arguments = f"(%{name}: {value.element}, %{accumulator}: {value.element})"
    text = f"linalg.reduce {_ins(value)} outs({out.of}) dimensions = {axes} {arguments} {{\n{body.text(result)}\n}}"
    _ = m.add(text, dims, value.element)


def _transpose(m: CpuMaker) -> None:
    value = m.pick(lambda each: len(each.dims) > 1, (2, 3))
    order = m.random.sample(range(len(value.dims)), len(value.dims))
    out = m.empty([value.dims[axis] for axis in order], value.element)
    _ = m.add(f"linalg.transpose {_ins(value)} outs({out.of}) permutation = {order}", out.dims, out.element)


def _broadcast(m: CpuMaker) -> None:
    value = m.pick(lambda each: len(each.dims) < 4 and prod(each.dims) * 3 <= MOST_ELEMENTS, (3,))
    axis = m.random.randint(0, len(value.dims))
    out = m.empty([*value.dims[:axis], m.random.choice([2, 3]), *value.dims[axis:]], value.element)
    _ = m.add(f"linalg.broadcast {_ins(value)} outs({out.of}) dimensions = [{axis}]", out.dims, out.element)


def _matmul(m: CpuMaker) -> None:
    value = m.pick(lambda each: len(each.dims) == 2, (3, 4))
    other = m.input((value.dims[1], m.random.randint(1, 6)), value.element)
    out = m.filled((value.dims[0], other.dims[1]), value.element)
    _ = m.add(f"linalg.matmul {_ins(value, other)} outs({out.of}) -> {out.type}", out.dims, out.element)


def _contract(m: CpuMaker) -> None:
    value = m.pick(lambda each: len(each.dims) == 3, (2, 3, 4))
    batch, rows, depth = value.dims
    other = m.input((batch, m.random.randint(1, 5), depth), value.element)
    out = m.filled((other.dims[1], batch, rows), value.element)
    maps = ", ".join(f"affine_map<(b, i, j, k) -> ({places})>" for places in ("b, i, k", "b, j, k", "j, b, i"))
    text = f"linalg.contract indexing_maps = [{maps}] {_ins(value, other)} outs({out.of}) -> {out.type}"
    _ = m.add(text, out.dims, out.element)


def _window(m: CpuMaker) -> None:
    """A convolution or a pooling, with strides and dilations."""
    value = m.pick(lambda each: len(each.dims) == 4 and min(each.dims[1:3]) >= 3, (1, 5, 6, 2))
    batch, height, width, channels = value.dims
    rows, columns, stride = m.random.randint(1, 2), m.random.randint(1, 3), m.random.randint(1, 2)
    dilation = m.random.randint(1, 2) if min(height, width) >= 5 else 1
    dims = [batch, (height - (rows - 1) * dilation - 1) // stride + 1, (width - (columns - 1) * dilation - 1) // stride + 1, channels]
    kind = m.random.choice(["conv_2d_nhwc_hwcf", "depthwise_conv_2d_nhwc_hwc", "pooling_nhwc_max", "pooling_nhwc_sum", "pooling_nhwc_min"])
    if kind == "conv_2d_nhwc_hwcf":
        window, dims = m.input((rows, columns, channels, 3), value.element), [*dims[:3], 3]
    elif kind == "depthwise_conv_2d_nhwc_hwc":
        window = m.input((rows, columns, channels), value.element)
    else:
        window = m.empty((rows, columns), value.element)
    out = m.filled(dims, value.element)
    steps = f"{{dilations = dense<{dilation}> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}}"
    _ = m.add(f"linalg.{kind} {steps} {_ins(value, window)} outs({out.of}) -> {out.type}", out.dims, out.element)


def _pad(m: CpuMaker) -> None:
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    low, high = ([m.random.randint(0, 2) for _ in value.dims] for _ in range(2))
    dims = [before + dim + after for before, dim, after in zip(low, value.dims, high, strict=True)]
    if prod(dims) > MOST_ELEMENTS:
        return
    number, wide = m.constant(value.element), Value("", tuple(dims), value.element)
    places = ", ".join(f"%{m.name('p')}: index" for _ in dims)
    body = f"{{\n^bb0({places}):\n  tensor.yield %{number} : {value.element}\n}}"
    _ = m.add(f"tensor.pad %{value.name} low{low} high{high} {body} : {value.type} to {wide.type}", dims, value.element)


def _part(m: CpuMaker, value: Value) -> tuple[str, tuple[int, ...]]:
    """Offsets, sizes and strides of a part of a value as text, and the sizes."""
    offsets, sizes, strides = list[int](), list[int](), list[int]()
    for dim in value.dims:
        offset, stride = m.random.randrange(dim), m.random.choice([1, 1, 2])
        offsets.append(offset)
        strides.append(stride)
        sizes.append(m.random.randint(1, (dim - offset - 1) // stride + 1))
    return f"{offsets} {sizes} {strides}", tuple(sizes)


def _extract(m: CpuMaker) -> None:
    """A part; in some modules without its dims of 1, all of them, so that MLIR knows which are meant."""
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    places, sizes = _part(m, value)
    dims = tuple(size for size in sizes if size != 1) if m.random.random() < 0.3 else sizes
    _ = m.add(f"tensor.extract_slice %{value.name}{places} : {value.type} to {Value('', dims, value.element).type}", dims, value.element)


def _insert(m: CpuMaker) -> None:
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    places, sizes = _part(m, value)
    part = m.of_type(sizes, value.element)
    text = f"tensor.insert_slice %{part.name} into %{value.name}{places} : {part.type} into {value.type}"
    _ = m.add(text, value.dims, value.element)


def _concat(m: CpuMaker) -> None:
    value = m.pick(lambda each: bool(each.dims), (3, 4))
    axis = m.random.randrange(len(value.dims))
    other = m.input((*value.dims[:axis], m.random.randint(1, 3), *value.dims[axis + 1 :]), value.element)
    dims = (*value.dims[:axis], value.dims[axis] + other.dims[axis], *value.dims[axis + 1 :])
    types = f"({value.type}, {other.type}) -> {Value('', dims, value.element).type}"
    _ = m.add(f"tensor.concat dim({axis}) %{value.name}, %{other.name} : {types}", dims, value.element)


def _collapse(m: CpuMaker) -> None:
    """Neighbouring dims made a single dim; in half of the modules back again."""
    value = m.pick(lambda each: len(each.dims) > 1, (2, 3, 4))
    axis = m.random.randrange(len(value.dims) - 1)
    groups = [*([each] for each in range(axis)), [axis, axis + 1], *([each] for each in range(axis + 2, len(value.dims)))]
    dims = (*value.dims[:axis], value.dims[axis] * value.dims[axis + 1], *value.dims[axis + 2 :])
    flat = m.add(f"tensor.collapse_shape %{value.name} {groups} : {value.type} into {Value('', dims, value.element).type}", dims, value.element)
    if m.random.random() < 0.5:
        text = f"tensor.expand_shape %{flat.name} {groups} output_shape {list(value.dims)} : {flat.type} into {value.type}"
        _ = m.add(text, value.dims, value.element)


def _arith(m: CpuMaker) -> None:
    value = m.pick(_any, (3, 4))
    other, chance = m.of_type(value.dims, value.element), m.random.random()
    if chance < 0.3:
        holds, order = m.name(), m.random.choice(["ogt", "ole"] if value.is_float else ["sgt", "ule"])
        m.lines.append(f"%{holds} = arith.cmp{value.suffix} {order}, %{value.name}, %{other.name} : {value.type}")
        bits = value._replace(element="i1").type
        _ = m.add(f"arith.select %{holds}, %{value.name}, %{other.name} : {bits}, {value.type}", value.dims, value.element)
        return
    if chance < 0.45 and value.element == "i8":
        _ = m.add(f"arith.sitofp %{value.name} : {value.type} to {value._replace(element='f32').type}", value.dims, "f32")
        return
    op = m.random.choice(["addf", "mulf", "subf", "maxnumf"] if value.is_float else ["addi", "muli", "subi", "maxui", "xori"])
    _ = m.add(f"arith.{op} %{value.name}, %{other.name} : {value.type}", value.dims, value.element)


def _generate(m: CpuMaker) -> None:
    """Twice the elements of another tensor, in transposed order."""
    value = m.pick(lambda each: len(each.dims) in (1, 2), (3, 4))
    places, dims = [m.name("p") for _ in value.dims], value.dims[::-1]
    element, double = m.name("b"), m.name("b")
    lines = [
        f"^bb0({', '.join(f'%{place}: index' for place in places)}):",
        f"  %{element} = tensor.extract %{value.name}[{', '.join(f'%{place}' for place in reversed(places))}] : {value.type}",
        f"  %{double} = arith.add{value.suffix} %{element}, %{element} : {value.element}",
        f"  tensor.yield %{double} : {value.element}",
    ]
    body = "\n".join(lines)
    _ = m.add(f"tensor.generate {{\n{body}\n}} : {Value('', dims, value.element).type}", dims, value.element)


_STEPS = (
    *[_generic] * 6, _elementwise, _map, _reduce, _reduce, _transpose, _broadcast, _matmul, _contract, _window, _window,
    _pad, _extract, _insert, _concat, _collapse, _arith, _arith, _generate,
)  # fmt: skip
