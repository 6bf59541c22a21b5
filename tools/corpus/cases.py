"""The kernels of the corpus: each follows from a seed and a number, so every process makes it by itself.

A case names its family, and the `draw` of the family makes the rest of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from asmgen.kernels import CATALOGUE
from asmgen.options import BF16_PARTS, TF32
from isa.targets import TARGETS
from tools.corpus.triton import programs
from tools.hand_peers import CASES

CATALOGUED, GRAPH, MLIR, HAND, CLANG, TRITON = "catalogue", "graph", "mlir", "hand", "clang", "triton"
_WEIGHTS = {CATALOGUED: 45, GRAPH: 35, MLIR: 12, HAND: 1, CLANG: 6, TRITON: 1}
_PER_SEED = 1_000_003  # kernels: seeds share none
_TARGETS = (*TARGETS, "gfx1100:wave64", "gfx1201:wave64")
_GRAPHS = ("pointwise", "reductions", "moves", "mixed", "products")
_HAND = [(case.name, target) for case in CASES for target in case.targets]

_SMALL = {
    "n": (1, 63, 64, 300, 1000, 4097),
    "rows": (1, 3, 17),
    "cols": (1, 7, 64, 100, 257, 1000),
    "batch": (1, 2, 3),
    "m": (1, 8, 16, 33),
    "k": (16, 17, 32, 64),
}
_LARGE = {
    "n": (65536, 1 << 20, 1000003),
    "rows": (512, 4096),
    "cols": (1000, 1024, 4096),
    "batch": (8, 16),
    "m": (16, 64, 128, 256),
    "k": (256, 512, 1000),
}
_LARGE_SHARE = 0.3
_GROUPS = (16, 32, 64)
_COMMON_TYPES = ("f32", "f16", "bf16")

Settings = tuple[tuple[str, str], ...]


class Case(Struct, frozen=True):
    """A kernel of the corpus.

    `kind` is the kernel of the catalogue, the kind of graph, the hand kernel or the program by Triton, `seed`
    that of its generator. `settings` are the parameters of a catalogue kernel, and `small` those at which it
    runs on the emulator.
    `options` are those of the compile. With `varied` a schedule is replaced by a neighbour of it. A kernel
    that `is_small` runs in the plainest way, not in every way that `--verify` tries.
    """

    number: int
    family: str
    kind: str
    target: str
    seed: int
    settings: Settings = ()
    small: Settings = ()
    options: tuple[tuple[str, object], ...] = ()
    varied: bool = False
    is_small: bool = False

    @property
    def name(self) -> str:
        """The number and a description, the same in every run."""
        words = [f"{name}={value}" for name, value in (*self.settings, *self.options)]
        words += ["another schedule"] if self.varied else []
        return " ".join([f"{self.number:06}", self.family, self.kind, self.target, *words])


def case_of(seed: int, number: int, is_small: bool = False) -> Case:
    """The kernel with this number; with `is_small` at the size of its run, by the compiler's schedules, and
    run in the plainest way alone."""
    case = _drawn(seed, number)
    return replace(case, settings=case.small, varied=False, is_small=True) if is_small else case


def _drawn(seed: int, number: int) -> Case:
    random = Random(seed * _PER_SEED + number)
    family = random.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    target = random.choice(_TARGETS)
    own = random.getrandbits(31)
    if family == CATALOGUED:
        return _of_catalogue(random, number, target, own)
    if family == GRAPH:
        kind = random.choice(_GRAPHS)
        options = _options(random, kind == "products")
        return Case(number, family, kind, target, own, options=options, varied=random.random() < 0.15)
    if family == HAND:
        return Case(number, family, *random.choice(_HAND), own)
    if family == MLIR:
        return Case(number, family, "random", target, own)
    kind = "random" if family == CLANG else random.choice(programs())
    return Case(number, family, kind, target.partition(":")[0], own)


def _of_catalogue(random: Random, number: int, target: str, seed: int) -> Case:
    kernel = CATALOGUE[random.choice(list(CATALOGUE))]
    types = [name for name in _COMMON_TYPES if name in kernel.types and random.random() < 0.7]
    dtype = random.choice(types or sorted(kernel.types))
    group = random.choice(_GROUPS)
    small = _sizes(random, kernel.parameters, _SMALL, group)
    is_large = random.random() < _LARGE_SHARE
    large = _sizes(random, kernel.parameters, _LARGE, group) if is_large else small
    fixed = tuple([(name, dtype) for name in kernel.parameters if name == "dtype"])
    options = _options(random, "k" in kernel.parameters)
    return Case(
        number, CATALOGUED, kernel.name, target, seed, (*large, *fixed), (*small, *fixed), options,
        random.random() < 0.2,
    )  # fmt: skip


def _sizes(
    random: Random, parameters: Iterable[str], sizes: dict[str, tuple[int, ...]], group: int
) -> Settings:
    """A value of each size; with groups of weights, `k` and `n` are multiples of two groups."""
    names = [name for name in parameters if name != "dtype"]
    is_grouped = "group" in names or "block" in names
    chosen: list[tuple[str, str]] = []
    for name in names:
        if name in ("group", "block"):
            chosen.append((name, str(group)))
            continue
        kind = "m" if name == "n" and "m" in names else name
        value = random.choice(sizes[kind])
        if is_grouped and name in ("k", "n"):
            value = -(-value // (2 * group)) * 2 * group
        chosen.append((name, str(value)))
    return tuple(chosen)


def _options(random: Random, is_product: bool) -> tuple[tuple[str, object], ...]:
    """The options of a compile, more often none."""
    if random.random() < 0.6:
        return ()
    choices: list[tuple[str, object]] = [
        ("contract", False), ("schedule", False), ("max_vgprs", random.choice((24, 40, 64, 128))),
        ("waves_per_eu", random.choice((2, 4, 8))), ("nan", "propagate"), ("fast_math", True),
    ]  # fmt: skip
    if is_product:
        choices += [("matrix_precision", random.choice((TF32, *BF16_PARTS)))] * 3
    return (random.choice(choices),)
