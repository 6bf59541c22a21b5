"""The products of the scoreboard: clang's kernels give numpy's results, and the table compares clocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from asmgen.gentext.parser import parse
from asmgen.ir.arrays import Array
from isa.emulator import run_image
from isa.targets import TARGETS
from tests.rows import spread
from tools import product_peers
from tools.scoreboard.products import file
from tools.scoreboard.products.clang import ProductKernel, kernels_for, launches_of, scratch_size, scratch_type
from tools.scoreboard.products.file import Measured, PeerRow, peers_of, read_rows
from tools.scoreboard.products.measured import ProductRow, clang_of, measured
from tools.scoreboard.products.shapes import PRODUCTS, Product, dtype_of
from tools.scoreboard.products.table import failures, line_of, summaries
from tools.scoreboard.products.triton import Choice, choices_for

pytestmark = pytest.mark.broad

# every kind of kernel, every type, both orders of b, batches, and sizes that are no multiple of anything
SMALL = (
    Product("whole", 256, 256, 256), Product("tails", 130, 200, 300, rows=True), Product("odd", 131, 77, 93),
    Product("bf16", 256, 128, 512, "bf16", True), Product("bf16 tails", 128, 130, 96, "bf16"),
    Product("f32", 128, 128, 128, "f32"), Product("f32 tails", 130, 100, 60, "f32", True),
    Product("i8", 256, 128, 512, "i8", True), Product("batch", 128, 64, 128, batch=2),
    Product("batch of rows", 128, 64, 128, rows=True, batch=2), Product("eight", 8, 64, 1024, rows=True),
    Product("sixty-four", 64, 64, 1024, rows=True), Product("vectors", 1, 64, 2048, rows=True, batch=2),
    Product("column", 64, 1, 2048, rows=True), Product("columns", 1, 128, 4096, batch=3),
    Product("columns f32", 1, 512, 2048, "f32"), Product("outer", 64, 64, 1),
    Product("deep", 16, 16, 8192, rows=True), Product("deep f32", 64, 64, 4096, "f32"),
    Product("deep bf16", 128, 128, 2048, "bf16", True), Product("deep odd", 67, 65, 2051),
)  # fmt: skip


def result_of(kernel: ProductKernel, product: Product, target: str, a: Array, b: Array) -> Array:
    """The result of clang's kernel on the emulator. Memory that it should write has other numbers before."""
    wide = np.dtype(scratch_type(product))
    c = np.full(product.shapes[2], 77, dtype_of(product.result))
    parts = np.full(scratch_size(kernel, product), 7, wide)
    buffers = [a, b, c, parts]
    for launch in launches_of(kernel, product, target, (a, b, c), parts):
        places = [next(i for i, own in enumerate((a, b, c, parts)) if own is given) for given in launch.call.arguments]
        run = run_image(launch.image, replace(launch.call, arguments=tuple([buffers[place] for place in places])))
        for place, content in zip(places, run, strict=True):
            buffers[place] = content
    return buffers[2]


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize(("first", "last"), [(0, 1), pytest.param(1, 4, marks=pytest.mark.slow)], ids=["a kernel", "three more"])
@pytest.mark.parametrize(("target", "name"), spread([(target, product.name) for target in TARGETS for product in SMALL], 1))
def test_clang_s_kernels_give_numpy_s_results(target: str, name: str, first: int, last: int) -> None:
    product = next(product for product in SMALL if product.name == name)
    a, b = product.factors(5)
    kernels = list(kernels_for(product, TARGETS[target]))
    assert kernels
    for kernel in kernels[first:last]:
        assert product.is_right(result_of(kernel, product, target, a, b), a, b), kernel.name


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "i8"])
def test_a_dropped_product_is_no_result(element: str) -> None:
    product = Product("p", 16, 16, 64, element)
    a, b = product.factors(2)
    right = product.truth(a, b)
    wrong = right - np.outer(a[:, 7].astype(np.float64), b[7].astype(np.float64))
    assert product.is_right(right.astype(dtype_of(product.result)), a, b)
    assert not product.is_right(wrong.astype(dtype_of(product.result)), a, b)


def test_there_are_sixty_products_with_texts() -> None:
    assert len({str(product) for product in PRODUCTS}) == 60
    assert all(parse(product.text, "product.gen").modules for product in PRODUCTS)


def test_the_file_has_the_best_of_each_compiler_once() -> None:
    names = {str(product) for product in PRODUCTS}
    rows = read_rows()
    assert [row for row in rows if row.product not in names or row.target not in TARGETS] == []
    assert len({(row.target, row.product, row.compiler) for row in rows}) == len(rows)
    clang = {(row.target, row.product) for row in rows if row.compiler.startswith("clang")}
    assert {(target, name) for target in {row.target for row in rows} for name in names} - clang == set()


@pytest.mark.needs_llvm("clang-22")
def test_the_file_is_of_this_model_and_these_kernels() -> None:
    """`python -m tools.product_peers` renews it."""
    product = next(product for product in PRODUCTS if str(product) == "q, o decode 1 1x4096x4096 f16 nk")
    kernels = kernels_for(product, TARGETS["gfx950"])
    best = min((clang_of(kernel, product, "gfx950") for kernel in kernels), key=lambda each: each.clocks)
    assert (best.name, best.clocks) in [(peer.name, peer.clocks) for peer in peers_of("gfx950", str(product))]


@pytest.mark.needs_llvm("clang-22")
def test_clocks_include_the_end_of_a_launch_and_the_start_of_the_next() -> None:
    """2,000 ns at 2.4 GHz on gfx950."""
    product = next(product for product in SMALL if product.name == "deep")
    kernel = next(kernel for kernel in kernels_for(product, TARGETS["gfx950"]) if kernel.parts > 1)
    scratch = np.zeros(scratch_size(kernel, product), scratch_type(product))
    first, second = launches_of(kernel, product, "gfx950", (*product.factors(1), np.zeros((16, 16), np.float16)), scratch)
    both, alone = measured("both", [first, second]), [measured("alone", [launch]) for launch in (first, second)]
    assert [each.launches for each in alone] == [1, 1]
    assert both.launches == 2
    assert both.clocks - sum(each.clocks for each in alone) == pytest.approx(4800, abs=1)


def test_rows_take_the_place_of_those_of_their_product_and_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "FILE", tmp_path / "peers.json")
    monkeypatch.setattr(product_peers, "FILE", tmp_path / "peers.json")
    _ = (tmp_path / "peers.json").write_text("[]")
    read_rows.cache_clear()
    name, other = str(PRODUCTS[0]), str(PRODUCTS[1])
    try:
        product_peers.keep([PeerRow("gfx950", name, "clang", "", figures("tile", 5))])
        product_peers.keep([PeerRow("gfx942", other, "clang", "", figures("tile", 6)), PeerRow("gfx942", name, "triton", "", figures("t", 7))])
        product_peers.keep([PeerRow("gfx950", name, "clang", "", figures("tile", 4)), PeerRow("gfx950", "gone", "clang", "", figures("tile", 4))])
        assert [(row.target, row.product, row.best.clocks) for row in read_rows()] == [("gfx942", name, 7), ("gfx942", other, 6), ("gfx950", name, 4)]
        assert [peer.clocks for peer in peers_of("gfx950", name)] == [4]
    finally:
        read_rows.cache_clear()


def figures(name: str, clocks: int) -> Measured:
    return Measured(name, clocks, 1, 64, 32768, 304, "throughput of L2")


def row(ours: int | None, *peers: int, refused: str = "") -> ProductRow:
    mine = None if ours is None else figures("asmgen", ours)
    return ProductRow("gfx942", PRODUCTS[0], mine, tuple(figures(f"peer {clocks}", clocks) for clocks in peers), refused)


def test_a_product_is_compared_with_the_peer_of_the_fewest_clocks() -> None:
    assert list(failures([row(80, 120, 100)])) == []
    assert line_of(row(80, 120, 100)).split()[-7:] == ["peer", "100", "100", "0.80", "throughput", "of", "L2"]
    worse, mean = failures([row(150, 200, 100)])
    assert worse == f"gfx942 {PRODUCTS[0]}: 1.50 of the clocks of peer 100, wanted at most 1"
    assert mean == "gfx942 products: a geometric mean of 1.500, wanted 0.8"
    assert list(summaries([row(50, 100), row(200, 100)])) == ["gfx942   products 1.000 of the best peer's clocks; 1 of 2 no worse"]


def test_a_refused_product_fails_with_its_message() -> None:
    assert list(failures([row(None, 100, refused="k.gen:1: GEN901: no")])) == [f"gfx942 {PRODUCTS[0]}: k.gen:1: GEN901: no"]
    assert line_of(row(None, 100, refused="GEN901")).endswith("GEN901")


def test_triton_s_choices_are_those_of_the_kind_of_a_product() -> None:
    space = [
        Choice(kind, (side, side, 64), "", "product", 512, 0)
        for kind in (("f16", True, "nk"), ("f16", True, "k"), ("f16", False, ""))
        for side in (32, 128)
    ]
    target = TARGETS["gfx942"]
    whole, odd = Product("p", 4096, 4096, 4096, rows=True), Product("p", 3000, 17, 5008, rows=True)
    assert [(choice.kind[2], choice.tile[0]) for choice in choices_for(whole, target, space)] == [("nk", 128)]
    assert {choice.kind[2] for choice in choices_for(odd, target, space)} == {"k"}
    assert choices_for(Product("p", 64, 64, 64, "f32"), target, space) == []
