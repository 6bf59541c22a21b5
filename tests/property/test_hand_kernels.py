"""Random kernels by hand, with control flow on lanes and on the wave: the emulator agrees with an interpreter of the same program.

A program is a tree of statements on variables, made here; `write` calls the builder for it, and `Lanes` runs it on numpy arrays.
"""

from __future__ import annotations

import random
from typing import Annotated, Any, cast

import numpy as np
import pytest
from msgspec import Struct

from asmgen.assembly import Builder, HandKernel, Registers, below, global_pointer, u32

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
ITEMS, VARIABLES, SCALARS, MOST = 64, 4, 2, 6
OPERATIONS = ("add", "sub", "mul", "and", "xor", "min", "shift")
VECTOR = {
    "add": "v_add_u32", "sub": "v_sub_u32", "mul": "v_mul_lo_u32", "and": "v_and_b32", "xor": "v_xor_b32", "min": "v_min_u32",
    "shift": "v_lshrrev_b32",
}  # fmt: skip
SCALAR = {
    "add": "s_add_u32", "sub": "s_sub_u32", "mul": "s_mul_i32", "and": "s_and_b32", "xor": "s_xor_b32", "min": "s_min_u32",
    "shift": "s_lshr_b32",
}  # fmt: skip
MASK = 0xFFFFFFFF
Array = np.ndarray[Any, Any]


class Set(Struct, frozen=True):
    """variable := variable op (another, a scalar or a number); `part` writes half of a pair."""

    target: int
    operation: str
    left: int
    right: int | str


class SetScalar(Struct, frozen=True):
    target: int
    operation: str
    left: int
    right: int


class Branch(Struct, frozen=True):
    """Lanes with variable < bound, and the others."""

    variable: int
    bound: int
    then: tuple[Any, ...]
    other: tuple[Any, ...]
    has_other: bool


class UniformBranch(Struct, frozen=True):
    scalar: int
    bound: int
    then: tuple[Any, ...]
    other: tuple[Any, ...]


class Trips(Struct, frozen=True):
    """A loop of the wave: a number of trips, or as many as argument n."""

    count: int
    body: tuple[Any, ...]


class LaneTrips(Struct, frozen=True):
    """A loop that each lane makes as often as the lower bits of a variable say, in a counter of its own."""

    variable: int
    body: tuple[Any, ...]


class EveryLane(Struct, frozen=True):
    """All lanes of the wave, if it comes here: not in a loop or a branch of the wave inside of a branch of lanes."""

    body: tuple[Any, ...]


def statements(rng: random.Random, depth: int, way: str = "") -> tuple[Any, ...]:
    return tuple(statement(rng, depth, way) for _ in range(rng.randint(1, 4)))


def statement(rng: random.Random, depth: int, way: str) -> Any:
    """`way` has a letter for each statement around: l for lanes that are off, w for the wave."""
    if depth and "lw" not in way and rng.random() < (0.25 if "l" in way else 0.04):
        return EveryLane(statements(rng, depth - 1))
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        right = rng.choice((rng.randrange(VARIABLES), rng.choice(("s0", "s1")), rng.choice(("1", "7", "64", "100000"))))
        return Set(rng.randrange(VARIABLES), rng.choice(OPERATIONS), rng.randrange(VARIABLES), right)

    def lanes() -> tuple[Any, ...]:
        return statements(rng, depth - 1, way + "l")

    def wave() -> tuple[Any, ...]:
        return statements(rng, depth - 1, way + "w")

    if kind < 0.6:
        return SetScalar(rng.randrange(SCALARS), rng.choice(OPERATIONS), rng.randrange(SCALARS), rng.choice((1, 3, 64, 5000)))
    if kind < 0.78:
        return Branch(rng.randrange(VARIABLES), rng.choice((3, 32, 1000, 1 << 31)), lanes(), lanes(), rng.random() < 0.5)
    if kind < 0.86:
        return UniformBranch(rng.randrange(SCALARS), rng.choice((2, 100, 1 << 30)), wave(), wave())
    if kind < 0.94:
        return Trips(rng.choice((0, 1, 2, -1)), wave())
    return LaneTrips(rng.randrange(VARIABLES), statements(rng, depth - 1, way + "lw"))


def write(k: Builder, code: tuple[Any, ...], v: list[Registers[Any]], s: list[Registers[Any]], n: Any) -> None:
    for one in code:
        match one:
            case Set():
                right: Any = v[one.right] if isinstance(one.right, int) else s[int(one.right[1:])] if one.right[0] == "s" else int(one.right)
                call = k.call
                if one.operation == "shift":
                    amount = call("v_and_b32", (31, call("v_mov_b32", (right,), {}, None)), {}, None)
                    call(VECTOR["shift"], (amount, v[one.left]), {}, v[one.target])
                else:
                    is_plain = isinstance(right, Registers) and one.operation != "sub"
                    moved = cast("Any", right) if is_plain else call("v_mov_b32", (right,), {}, None)
                    left, last = (moved, v[one.left]) if one.operation != "sub" else (v[one.left], moved)
                    call(VECTOR[one.operation], (left, last), {}, v[one.target])
            case SetScalar():
                k.call(SCALAR[one.operation], (s[one.left], one.right & 31 if one.operation == "shift" else one.right), {}, s[one.target])
            case Branch():
                where = k.where(k.call("v_cmp_gt_u32", (one.bound, v[one.variable]), {}, None))
                with where:
                    write(k, one.then, v, s, n)
                if one.has_other:
                    with where.otherwise():
                        write(k, one.other, v, s, n)
            case UniformBranch():
                way = k.uniform_if(k.index(s[one.scalar], 0, MASK) < one.bound)
                with way:
                    write(k, one.then, v, s, n)
                with way.otherwise():
                    write(k, one.other, v, s, n)
            case Trips():
                with k.loop(0, n if one.count < 0 else one.count):
                    write(k, one.body, v, s, n)
            case EveryLane():
                with k.all_lanes():
                    write(k, one.body, v, s, n)
            case LaneTrips():
                left = k.variable(k.call("v_and_b32", (3, v[one.variable]), {}, None))
                with k.while_(lambda left=left: k.call("v_cmp_ne_u32", (0, left), {}, None)):
                    write(k, one.body, v, s, n)
                    k.call("v_sub_u32", (left, 1), {}, left)
            case _:
                raise AssertionError(one)


class Lanes:
    """The same program on numpy arrays. Scalars are the wave's: they change wherever the wave goes, whichever lanes are on."""

    def __init__(self, v: list[Array], s: list[int], n: int, wave: int) -> None:
        self.v, self.s, self.n, self.wave = v, s, n, wave

    def run(self, code: tuple[Any, ...], on: Array) -> None:
        for one in code:
            self.step(one, on)

    def step(self, one: Any, on: Array) -> None:
        match one:
            case Set():
                right = (
                    self.v[one.right]
                    if isinstance(one.right, int)
                    else np.uint64(self.s[int(one.right[1:])] if one.right[0] == "s" else int(one.right))
                )
                made = compute(one.operation, self.v[one.left], right)
                self.v[one.target] = np.where(on, made, self.v[one.target])
            case SetScalar():
                self.s[one.target] = int(compute(one.operation, np.uint64(self.s[one.left]), np.uint64(one.right)))
            case Branch():
                taken = on & (self.v[one.variable] < one.bound)
                others = on & ~taken
                if taken.any():
                    self.run(one.then, taken)
                if one.has_other and others.any():
                    self.run(one.other, others)
            case UniformBranch():
                self.run(one.then if self.s[one.scalar] < one.bound else one.other, on)
            case Trips():
                for _ in range(self.n if one.count < 0 else one.count):
                    self.run(one.body, on)
            case EveryLane():
                self.run(one.body, on.reshape(-1, self.wave).any(axis=1).repeat(self.wave))
            case LaneTrips():
                left = np.where(on, self.v[one.variable] & np.uint64(3), 0)
                while left.any():
                    self.run(one.body, left > 0)
                    left = np.where(left > 0, left - 1, 0)
            case _:
                raise AssertionError(one)


def compute(operation: str, left: Any, right: Any) -> Any:
    made: Any = {
        "add": lambda: left + right, "sub": lambda: left + (np.uint64(1 << 32) - right), "mul": lambda: left * right, "and": lambda: left & right,
        "xor": lambda: left ^ right, "min": lambda: np.minimum(left, right), "shift": lambda: left >> (right & np.uint64(31)),
    }[operation]()  # fmt: skip
    return made & np.uint64(MASK)


def uses_scalars_where_skipped(code: tuple[Any, ...]) -> bool:
    """Whether a scalar is written under lanes: a side without lanes may be run or skipped, so its scalars have either value."""
    return any(
        isinstance(one, SetScalar)
        or any(uses_scalars_where_skipped(part) for part in (getattr(one, "then", ()), getattr(one, "other", ()), getattr(one, "body", ())))
        for one in code
    )


def without_scalars(code: tuple[Any, ...]) -> tuple[Any, ...]:
    """The program with no scalar written while lanes are off."""
    result: list[Any] = []
    for one in code:
        if isinstance(one, Branch) and uses_scalars_where_skipped((one,)):
            result.append(Branch(one.variable, one.bound, only_vectors(one.then), only_vectors(one.other), one.has_other))
        elif isinstance(one, LaneTrips):
            result.append(LaneTrips(one.variable, only_vectors(one.body)))
        elif isinstance(one, EveryLane):
            result.append(EveryLane(without_scalars(one.body)))
        elif isinstance(one, UniformBranch):
            result.append(UniformBranch(one.scalar, one.bound, without_scalars(one.then), without_scalars(one.other)))
        elif isinstance(one, Trips):
            result.append(Trips(one.count, without_scalars(one.body)))
        else:
            result.append(one)
    return tuple(result)


def only_vectors(code: tuple[Any, ...]) -> tuple[Any, ...]:
    kept = without_scalars(tuple(one for one in code if not isinstance(one, SetScalar)))
    result: list[Any] = []
    for one in kept:
        if isinstance(one, UniformBranch):
            result.append(UniformBranch(one.scalar, one.bound, only_vectors(one.then), only_vectors(one.other)))
        elif isinstance(one, Trips):
            result.append(Trips(one.count, only_vectors(one.body)))
        elif isinstance(one, EveryLane):
            result.append(EveryLane(only_vectors(one.body)))
        else:
            result.append(one)
    return tuple(result)


def hold(seed: int, target: str) -> None:
    rng = random.Random(seed)
    code = without_scalars(statements(rng, 3))

    def body(k: Builder, x: global_pointer[u32], y: global_pointer[u32], n: Annotated[u32, below(4)]) -> None:
        t = k.thread_id.x
        v = [k.variable(value) for value in k.global_load_dwordx4(x, 16 * t)]
        s: list[Registers[Any]] = [k.sgpr() for _ in range(SCALARS)]
        for i, one in enumerate(s):
            k.assign(one, 5 + i)
        write(k, code, v, s, n)
        out = k.vgpr(VARIABLES)
        for i, value in enumerate(v):
            k.assign(out[i], value)
        k.global_store_dwordx4(y, 16 * t, out)
        k.global_store_dwordx2(y, 16 * ITEMS + 8 * t, pair(k, s))

    x = np.array([[rng.choice((0, 1, 2, 31, 32, 1000, MASK, rng.getrandbits(32))) for _ in range(VARIABLES)] for _ in range(ITEMS)], np.uint32)
    n = rng.randrange(4)
    y = np.zeros(ITEMS * (VARIABLES + SCALARS), np.uint32)
    program = HandKernel(body, (ITEMS, 1, 1), "k", (1, 1, 1)).compile(target)
    got = program.launch((1, 1, 1), "emulator", x=x, y=y, n=n)["y"]
    lanes = Lanes([x[:, i].astype(np.uint64) for i in range(VARIABLES)], [5, 6], n, program.kernels[0].target.target.wave_size)
    lanes.run(code, np.ones(ITEMS, bool))
    wanted = np.stack(lanes.v, axis=1).astype(np.uint32)
    assert np.array_equal(got[: ITEMS * VARIABLES].reshape(ITEMS, VARIABLES), wanted), f"seed {seed} on {target}: {code}"
    assert np.array_equal(got[ITEMS * VARIABLES :].reshape(ITEMS, SCALARS), np.tile(np.array(lanes.s, np.uint32), (ITEMS, 1))), (
        f"seed {seed} on {target}: {code}"
    )


def pair(k: Builder, s: list[Registers[Any]]) -> Registers[Any]:
    result = k.vgpr(SCALARS)
    for i, one in enumerate(s):
        k.assign(result[i], one)
    return result


@pytest.mark.parametrize("seed", range(40))
def test_a_random_kernel_agrees_with_its_interpreter(seed: int) -> None:
    hold(seed, TARGETS[seed % len(TARGETS)])


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_many_random_kernels(target: str) -> None:
    for seed in range(1000, 1300):
        hold(seed, target)
