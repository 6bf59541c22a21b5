"""Random machine programs on virtual registers: structured control flow, uniform and divergent, that always ends.

`machine_program(seed)` gives the kernel and its mix. A program reads `x` (one dword per lane), works, and stores one
dword per lane to `out`; nothing it stores depends on a register in a lane that never wrote it.
Run as a script it prints seeds, mixes and texts: `python -m tests.property.machine_programs 7`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from isa.build import build
from isa.instruction import Immediate, Instr, Label, Operand
from isa.program import Abi, Argument, Block, Edge, Kernel
from isa.registers import EXEC, Register, RegisterClass, sgpr, vgpr
from isa.targets import parse_target
from tests.rows import row

S, V = RegisterClass.SGPR, RegisterClass.VGPR
VECTOR_OPS = ("v_add_u32_e32", "v_sub_u32_e32", "v_xor_b32_e32", "v_and_b32_e32", "v_or_b32_e32", "v_mul_lo_u32", "v_max_u32_e32")
SCALAR_OPS = ("s_add_u32", "s_sub_u32", "s_xor_b32", "s_and_b32", "s_mul_i32", "s_max_u32")
DEEPEST = 3  # structures in each other
SPECIAL = ("loop", "tuple", "tied")
NOTHING: Mapping[str, int] = {}
ARRIVED: Mapping[str, int] = {"vmcnt": 0, "lgkmcnt": 0}


class Scope(Struct):
    """Values that dominate the point: single vectors, vector pairs, scalars, lane masks; those named `wave`
    have lanes of their own."""

    vectors: list[Register] = field(default_factory=list)
    pairs: list[Register] = field(default_factory=list)
    scalars: list[Register] = field(default_factory=list)
    masks: list[Register] = field(default_factory=list)

    def copy(self) -> Scope:
        return Scope(list(self.vectors), list(self.pairs), list(self.scalars), list(self.masks))


class Generator:
    """Writes one program; `mix` counts its parts."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.size = size
        self.mix: Counter[str] = Counter()
        self.depth = 0
        self.kernel = Kernel(
            f"random_{seed}",
            parse_target("gfx942"),
            arguments=(Argument("x", 0, 8, access="read_only", type="u32"), Argument("out", 8, 8, access="write_only", type="u32")),
            workgroup=(64, 1, 1),
            abi=Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workgroup_id_x", sgpr(2)), ("workitem_id", vgpr(0)))),
        )
        self.block = self.open("entry")

    def open(self, label: str, scalars: tuple[Register, ...] = (), vectors: tuple[Register, ...] = ()) -> Block:
        block = Block(label, scalars, vectors)
        self.kernel.blocks.append(block)
        self.block = block
        return block

    def label(self, stem: str) -> str:
        self.mix["blocks"] += 1
        return f"{stem}{self.mix['blocks']}"

    def new(self, register_class: RegisterClass, count: int = 1, name: str = "") -> Register:
        return self.kernel.new_register(register_class, count, min(count, 2), name)

    def emit(self, mnemonic: str, *operands: Operand | int, form: str = "", modifiers: Mapping[str, int] = NOTHING) -> None:
        self.block.instructions.append(replace(build(row(mnemonic, form), *operands), modifiers=tuple(modifiers.items())))

    def end(self, terminator: Instr | None, linear: tuple[Edge, ...], logical: tuple[Edge, ...] | None = None) -> None:
        self.block.terminator, self.block.linear = terminator, linear
        self.block.logical = logical if logical is not None else tuple(Edge(edge.target) for edge in linear)

    def branch(self, mnemonic: str, taken: str, other: str, logical: tuple[str, ...] | None = None) -> None:
        edges = (Edge(taken), Edge(other))
        self.end(build(row(mnemonic), Label(taken)), edges, edges if logical is None else tuple(map(Edge, logical)))

    # ---- straight lines

    def vector(self, scope: Scope) -> Register:
        return self.random.choice(scope.vectors[-12:])

    def scalar(self, scope: Scope) -> Register:
        return self.random.choice(scope.scalars[-8:])

    def straight(self, scope: Scope, count: int, exec_nonzero: bool) -> None:
        kinds = self.kinds(exec_nonzero)
        for _ in range(count):
            self.random.choice(kinds)(scope)

    def kinds(self, exec_nonzero: bool) -> list[Callable[[Scope], None]]:
        """The kinds of a straight line, the frequent several times."""
        kinds = [self.vector_op] * 6 + [self.scalar_op] * 3 + [self.tied_op] * 2 + [self.tuple_op] * 2
        kinds += [self.mask_op, self.select_op, self.carry_op, self.copy_op, self.wide_op, self.written_lane]
        if exec_nonzero:
            kinds.append(self.first_lane)
        return kinds

    def vector_op(self, scope: Scope) -> None:
        result = self.new(V)
        first: Operand | int = self.scalar(scope) if self.random.random() < 0.2 else self.vector(scope)
        if self.random.random() < 0.1:
            first = self.random.randrange(64)
        self.emit(self.random.choice(VECTOR_OPS), result, first, self.vector(scope))
        scope.vectors.append(result)

    def scalar_op(self, scope: Scope) -> None:
        result = self.new(S)
        second: Operand | int = self.random.randrange(1, 1 << 16) if self.random.random() < 0.3 else self.scalar(scope)
        self.emit(self.random.choice(SCALAR_OPS), result, self.scalar(scope), second)
        scope.scalars.append(result)

    def tied_op(self, scope: Scope) -> None:
        self.mix["tied"] += 1
        result, old = self.new(V), self.vector(scope)
        match self.random.randrange(3):
            case 0:
                self.emit("v_fmac_f32_e32", result, self.vector(scope), self.vector(scope), old)
            case 1:
                self.emit("v_mov_b32_sdwa", result, self.vector(scope), old, form="preserve", modifiers={"dst_sel": 4})
            case _:
                other, second = self.new(V), self.vector(scope)
                self.emit("v_swap_b32", result, other, old, second)
                scope.vectors.append(other)
        scope.vectors.append(result)

    def tuple_op(self, scope: Scope) -> None:
        """A pair filled part by part, a whole-tuple operation on it, and its parts as values."""
        self.mix["tuple"] += 1
        filled = self.new(V, 2)
        self.emit("v_add_u32_e32", filled.part(0), self.random.randrange(64), self.vector(scope))
        if self.random.random() < 0.5:
            self.vector_op(scope)
        self.emit("v_xor_b32_e32", filled.part(1), self.vector(scope), self.vector(scope))
        result = self.new(V, 2)
        match self.random.randrange(3):
            case 0:
                self.emit("v_lshlrev_b64", result, self.random.randrange(1, 31), filled)
            case 1:
                self.emit("v_pk_add_f32", result, filled, self.random.choice([filled, *scope.pairs]))
            case _:
                carry = self.new(S, 2)
                self.emit("v_mad_u64_u32", result, carry, self.vector(scope), self.vector(scope), filled)
        scope.pairs.append(result)
        scope.vectors += [result.part(0), result.part(1), filled.part(self.random.randrange(2))]

    def wide_op(self, scope: Scope) -> None:
        """Four parts, stored to the lane's own part of LDS as one access and read back as one."""
        self.mix["tuple"] += 1
        filled = self.new(V, 4)
        for part in range(4):
            self.emit("v_add_u32_e32", filled.part(part), self.vector(scope), self.vector(scope))
        address, result = self.new(V), self.new(V, 4)
        self.emit("v_lshlrev_b32_e32", address, 4, vgpr(0))
        self.emit("ds_write_b128", address, filled)
        self.emit("ds_read_b128", result, address)
        self.emit("s_waitcnt", modifiers=ARRIVED)
        scope.pairs.append(result.part(2, 2))
        scope.vectors += [result.part(self.random.randrange(4)), filled.part(self.random.randrange(4))]

    def mask_op(self, scope: Scope) -> None:
        mask = self.new(S, 2)
        self.emit("v_cmp_lt_u32_e64", mask, self.vector(scope), self.vector(scope))
        scope.masks.append(mask)

    def select_op(self, scope: Scope) -> None:
        if not scope.masks:
            return self.mask_op(scope)
        result = self.new(V)
        self.emit("v_cndmask_b32_e64", result, self.vector(scope), self.vector(scope), self.random.choice(scope.masks))
        scope.vectors.append(result)
        return None

    def carry_op(self, scope: Scope) -> None:
        """A 64-bit sum: SCC goes from one instruction to the next."""
        self.mix["scc"] += 1
        low, high = self.new(S), self.new(S)
        self.emit("s_add_u32", low, self.scalar(scope), self.scalar(scope))
        self.emit("s_addc_u32", high, self.scalar(scope), self.scalar(scope))
        scope.scalars += [low, high]

    def copy_op(self, scope: Scope) -> None:
        self.mix["move"] += 1
        if self.random.random() < 0.5:
            result = self.new(V)
            self.emit("v_mov_b32_e32", result, self.vector(scope))
            scope.vectors.append(result)
        else:
            copy = self.new(S)
            self.emit("s_mov_b32", copy, self.scalar(scope))
            scope.scalars.append(copy)

    def first_lane(self, scope: Scope) -> None:
        result = self.new(S)
        self.emit("v_readfirstlane_b32", result, self.vector(scope))
        scope.scalars.append(result)

    def written_lane(self, scope: Scope) -> None:
        """A lane value: scalars kept in single lanes of a register, whatever EXEC says, and read back."""
        self.mix["tied"] += 1
        self.mix["lane value"] += 1
        held, written, again = self.new(V), self.new(V), self.new(V)
        lane, other = self.random.sample(range(64), 2)
        self.emit("v_mov_b32_e32", held, 0)
        self.emit("v_writelane_b32", written, self.scalar(scope), lane, held)
        if self.random.random() < 0.5:
            self.vector_op(scope)
        self.emit("v_writelane_b32", again, self.scalar(scope), other, written)
        read = self.new(S)
        self.emit("v_readlane_b32", read, self.random.choice([written, again]), lane)
        scope.scalars.append(read)

    # ---- control flow

    def region(self, scope: Scope, exec_nonzero: bool) -> None:
        """Straight lines and, while there is room, nested structures; `scope` grows by the values that
        dominate the end."""
        for _ in range(self.parts()):
            self.straight(scope, self.random.randrange(1, self.size), exec_nonzero)
            if self.enters():
                self.depth += 1
                structures = [self.divergent_if, self.divergent_loop]
                if exec_nonzero:
                    structures += [self.uniform_if, self.uniform_loop]
                self.random.choice(structures)(scope)
                self.depth -= 1
        self.straight(scope, 2, exec_nonzero)

    def parts(self) -> int:
        """How many straight lines a region has, each with a structure after it perhaps."""
        return self.random.randrange(1, 4)

    def enters(self) -> bool:
        """Whether another structure is to be here."""
        return self.depth < DEEPEST and self.random.random() < 0.6

    def arguments(self, choices: list[Register], count: int) -> tuple[Register | Immediate, ...]:
        """Edge arguments, a constant now and then."""
        return tuple(
            Immediate(self.random.randrange(1 << 20)) if self.random.random() < 0.15 else self.random.choice(choices[-8:]) for _ in range(count)
        )

    def uniform_if(self, scope: Scope) -> None:
        self.mix["uniform if"] += 1
        then, other, join = self.label("then"), self.label("else"), self.label("join")
        vectors = tuple(self.new(V) for _ in range(self.random.randrange(4)))
        scalars = tuple(self.new(S) for _ in range(self.random.randrange(4)))
        self.emit("s_cmp_lt_u32", self.scalar(scope), self.scalar(scope))
        self.branch("s_cbranch_scc1", other, then)
        for label in (then, other):
            self.open(label)
            inner = scope.copy()
            self.region(inner, exec_nonzero=True)
            linear = (Edge(join, self.arguments(inner.scalars, len(scalars))),)
            self.end(None, linear, (Edge(join, self.arguments(inner.vectors, len(vectors))),))
        self.open(join, scalars, vectors)
        scope.scalars += scalars
        scope.vectors += vectors

    def uniform_loop(self, scope: Scope) -> None:
        self.mix["loop"] += 1
        self.mix["uniform loop"] += 1
        head, body, leave = self.label("head"), self.label("body"), self.label("exit")
        counter, scalars = self.new(S), tuple(self.new(S) for _ in range(self.random.randrange(3)))
        vectors = tuple(self.new(V) for _ in range(self.random.randrange(4)))
        start = (Immediate(0), *self.arguments(scope.scalars, len(scalars)))
        self.end(None, (Edge(head, start),), (Edge(head, self.arguments(scope.vectors, len(vectors))),))
        self.open(head, (counter, *scalars), vectors)
        scope.scalars += [counter, *scalars]
        scope.vectors += vectors
        self.emit("s_cmp_lt_u32", counter, self.random.randrange(1, 4))
        self.branch("s_cbranch_scc0", leave, body)
        self.open(body)
        inner = scope.copy()
        self.region(inner, exec_nonzero=True)
        following = self.new(S)
        self.emit("s_add_u32", following, counter, 1)
        scalar_arguments = (following, *self.permuted(scalars, inner.scalars))
        self.end(None, (Edge(head, scalar_arguments),), (Edge(head, self.permuted(vectors, inner.vectors)),))
        self.open(leave)

    def permuted(self, parameters: tuple[Register, ...], values: list[Register]) -> tuple[Register | Immediate, ...]:
        """Arguments of a back edge: the parameters themselves in another order now and then, which makes cycles of copies."""
        if self.random.random() < 0.5:
            self.mix["rotation"] += 1 if len(parameters) > 1 else 0
            return parameters[1:] + parameters[:1]
        return self.arguments(values, len(parameters))

    def divergent_if(self, scope: Scope) -> None:
        """`then` and `else` run in succession; a uniform mask made in `then` lives across the `else` it
        skips."""
        self.mix["divergent if"] += 1
        then, flip, other, join, skip = (self.label(stem) for stem in ("then", "flip", "else", "join", "skip"))
        vectors = tuple(self.new(V) for _ in range(self.random.randrange(1, 4)))
        condition, saved, merged = self.new(S, 2), self.new(S, 2), self.new(S, 2)
        carried = self.new(S, 2)
        self.emit("v_cmp_lt_u32_e64", condition, self.vector(scope), self.vector(scope))
        self.emit("s_and_saveexec_b64", saved, condition)
        self.branch("s_cbranch_execz", skip, then, logical=(then, other))
        self.open(then)
        inner = scope.copy()
        self.region(inner, exec_nonzero=True)
        mask = self.new(S, 2)
        self.emit("v_cmp_lt_u32_e64", mask, self.vector(inner), self.vector(inner))
        self.end(None, (Edge(flip, (mask,)),), (Edge(join, self.arguments(inner.vectors, len(vectors))),))
        self.open(skip)
        self.end(None, (Edge(flip, (Immediate(0),)),), ())
        self.open(flip, (carried,))
        self.emit("s_andn2_b64", EXEC, saved, EXEC)
        self.end(None, (Edge(other),), ())
        self.open(other)
        inner = scope.copy()
        self.region(inner, exec_nonzero=False)
        mask = self.new(S, 2)
        self.emit("v_cmp_lt_u32_e64", mask, self.vector(inner), self.vector(inner))
        self.emit("s_or_b64", merged, mask, carried)
        self.end(None, (Edge(join),), (Edge(join, self.arguments(inner.vectors, len(vectors))),))
        self.open(join, (), vectors)
        self.emit("s_mov_b64", EXEC, saved)
        scope.vectors += vectors
        scope.masks.append(merged)

    def divergent_loop(self, scope: Scope) -> None:
        """Lanes leave in turn; a uniform value of the loop leaves it as a vector, one turn's value per
        lane."""
        self.mix["loop"] += 1
        self.mix["divergent loop"] += 1
        head, body, leave = self.label("head"), self.label("body"), self.label("exit")
        saved, limit, condition = self.new(S, 2), self.new(V), self.new(S, 2)
        counter, turn = self.new(V), self.new(V)
        scalar = self.new(S)
        vectors = tuple(self.new(V) for _ in range(self.random.randrange(3)))
        self.emit("s_mov_b64", saved, EXEC)
        self.emit("v_and_b32_e32", limit, 3, self.vector(scope))
        first = (Immediate(0), self.scalar(scope), *self.arguments(scope.vectors, len(vectors)))
        self.end(None, (Edge(head, (self.scalar(scope),)),), (Edge(head, first),))
        self.open(head, (scalar,), (counter, turn, *vectors))
        self.emit("v_cmp_lt_u32_e64", condition, counter, limit)
        self.emit("s_and_b64", EXEC, EXEC, condition)
        self.branch("s_cbranch_execz", leave, body)
        self.open(body)
        inner = scope.copy()
        inner.scalars.append(scalar)
        inner.vectors += [counter, turn, *vectors]
        self.region(inner, exec_nonzero=True)
        following, uniform = self.new(V), self.new(S)
        self.emit("v_add_u32_e32", following, 1, counter)
        self.emit("s_add_u32", uniform, scalar, 3)
        arguments = (following, uniform, *self.permuted(vectors, inner.vectors))
        self.end(None, (Edge(head, (uniform,)),), (Edge(head, arguments),))
        self.open(leave)
        self.emit("s_mov_b64", EXEC, saved)
        scope.vectors += [turn, *vectors]

    # ---- the whole program

    def program(self) -> Kernel:
        pointers, address, loaded = self.kernel.new_register(S, 4, 4, "pointers"), self.new(V, name="address"), self.new(V, name="x")
        self.kernel.lds_bytes = 1024
        self.emit("s_load_dwordx4", pointers, sgpr(0, 2), 0)
        self.emit("v_lshlrev_b32_e32", address, 2, vgpr(0))
        self.emit("s_waitcnt", modifiers=ARRIVED)
        self.emit("global_load_dword", loaded, address, pointers.part(0, 2), form="saddr")
        self.emit("s_waitcnt", modifiers=ARRIVED)
        scope = Scope([loaded, address], [], [sgpr(2)], [])
        self.scalar_op(scope)
        self.region(scope, exec_nonzero=True)
        total = self.random.choice(scope.vectors)
        for register in (*self.random.sample(scope.vectors, min(len(scope.vectors), 8)), self.scalar(scope)):
            result = self.new(V)
            self.emit("v_xor_b32_e32", result, register, total)
            total = result
        self.emit("global_store_dword", address, total, pointers.part(2, 2), form="saddr")
        self.end(build(row("s_endpgm")), (), ())
        self.mix["instructions"] = sum(len(block.instructions) for block in self.kernel.blocks)
        return self.kernel


def machine_program(seed: int, size: int = 6) -> tuple[Kernel, Counter[str]]:
    """The program of a seed, and how often it uses loops, tuples, tied operands and the rest."""
    generator = Generator(seed, size)
    return generator.program(), generator.mix


def is_special(mix: Counter[str]) -> bool:
    """Whether a program has a loop, a tuple or a tied operand."""
    return any(mix[name] for name in SPECIAL)


def describe(seed: int, mix: Counter[str]) -> str:
    return f"seed {seed}: " + ", ".join(f"{name} {count}" for name, count in sorted(mix.items()))


if __name__ == "__main__":
    from isa.mir.printer import print_kernel

    for argument in sys.argv[1:]:
        made, its_mix = machine_program(int(argument))
        sys.stdout.write(f"# {describe(int(argument), its_mix)}\n{print_kernel(made)}")
