"""Hazards of matrix results on CDNA (CDNA3 ISA, section 4.5, dependency resolution of MFMA); the figures are
LLVM 22.1's.

A matrix instruction of P passes writes D late. The wait of a consumer depends on the producer's kind, on P,
and on its use of D: as a factor or outside the matrix unit, as an accumulator of exactly the same tuple
(forwarded), or as an accumulator that partly overlaps. Only the latest matrix instruction that overlaps a
register counts.

The 20 states after an XDL result of 16 passes on gfx950 exceed LLVM's look-back of 19 states: after 19
states LLVM adds none, and these rules do (llvm-project PR 222040).

An accumulator is forwarded only between instructions of the same pace: of the same kind, with the same number
of passes, and with factors of the same size, which distinguishes the instructions of double rate on gfx950.
Between other instructions, the same tuple takes the states of a partial overlap (CDNA4 ISA 7.5, "the same
number passes"; llvm-project PR 218363). LLVM 22.1 has no states there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, partial

from isa.hazards.facts import (
    CDNA,
    CDNA3,
    is_dpp,
    is_matrix,
    is_memory_or_lds,
    is_vector,
    on,
    stand_in,
    vector_defines,
    vector_registers,
    vector_uses,
)
from isa.hazards.rule import STATES, Expiry, Given, Registers, Relation, Rule, Trail
from isa.hazards.vector import PLAIN_RESULT, VALU_RESULT
from isa.instruction import Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.registers import Register

TABLE = "CDNA3 ISA 4.5, dependency resolution of matrix instructions"
FORWARDING = "CDNA4 ISA 7.5, forwarding of accumulators; LLVM 22.1 lacks it"
_DOUBLE_PIPE = stand_in(0)
_DOUBLE_TYPES = frozenset({"f64", "f64x4"})


class ProductKind(Enum):
    """XDL is every type but f32 and f64, and f32 too on gfx90a (`Trait.XDL`)."""

    XDL = "XDL"
    SINGLE = "f32 matrix"
    DOUBLE = "f64 matrix"


class Latency(NamedTuple):
    """Wait states after a matrix instruction on a target, until:

    * `read`: VALU or a factor of a matrix instruction reads D
    * `memory`: memory or LDS reads D
    * `write`: anything but a matrix instruction writes D
    * `same`: a matrix instruction accumulates into exactly the same tuple
    * `different`: an XDL, f32 or f64 instruction accumulates into an overlapping tuple
    * `overwrite`: anything but a matrix instruction writes C
    """

    read: int
    memory: int
    write: int
    same: int
    different: tuple[int, int, int]
    overwrite: int = 0


def _plain(use: int, same: int, different: tuple[int, int, int], overwrite: int = 0) -> Latency:
    """The latency if readers and writers of D wait alike."""
    return Latency(use, use, use, same, different, overwrite)


class Producer(NamedTuple):
    """A kind of matrix instruction and its passes; the latency of f64 goes by the registers of D instead."""

    kind: ProductKind
    passes: int = 0
    words: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kind.value} result of {self.words} registers"
            if self.words
            else f"{self.kind.value} result of {self.passes} passes"
        )


LATENCIES: dict[Producer, dict[str, Latency]] = {
    Producer(ProductKind.XDL, 2): {
        "gfx90a": _plain(5, 0, (2, 0, 3), 1),
        "gfx942": _plain(5, 2, (3, 3, 3), 1),
        "gfx950": _plain(5, 2, (4, 3, 3), 1),
    },
    Producer(ProductKind.XDL, 4): {
        "gfx942": _plain(7, 0, (5, 5, 5), 3),
        "gfx950": _plain(8, 0, (6, 6, 6), 3),
    },
    Producer(ProductKind.XDL, 8): {
        "gfx90a": _plain(11, 0, (8, 0, 9), 7),
        "gfx942": _plain(11, 0, (9, 9, 9), 7),
        "gfx950": _plain(12, 0, (10, 10, 10), 7),
    },
    Producer(ProductKind.XDL, 16): {
        "gfx90a": _plain(19, 0, (16, 0, 17), 15),
        "gfx942": _plain(19, 0, (17, 17, 17), 15),
        "gfx950": _plain(20, 0, (18, 18, 18), 15),
    },
    Producer(ProductKind.SINGLE, 2): dict.fromkeys(CDNA3, _plain(4, 2, (0, 2, 2))),
    Producer(ProductKind.SINGLE, 8): dict.fromkeys(CDNA3, _plain(10, 0, (0, 8, 8))),
    Producer(ProductKind.SINGLE, 16): dict.fromkeys(CDNA3, _plain(18, 0, (0, 16, 16))),
    Producer(ProductKind.DOUBLE, words=2): {
        "gfx90a": Latency(6, 9, 6, 4, (0, 0, 4)),
        **dict.fromkeys(CDNA3, Latency(6, 9, 6, 4, (0, 4, 4))),
    },
    Producer(ProductKind.DOUBLE, words=8): {
        "gfx90a": Latency(11, 18, 11, 0, (0, 0, 9)),
        "gfx942": Latency(11, 18, 11, 0, (0, 9, 9)),
        "gfx950": Latency(19, 18, 11, 0, (0, 17, 17)),
    },
}


@cache
def kind_of(row: Row) -> ProductKind:
    if Trait.XDL in row.traits:
        return ProductKind.XDL
    return ProductKind.DOUBLE if row.operands[0].type in _DOUBLE_TYPES else ProductKind.SINGLE


@cache
def _of_kind(kind: ProductKind) -> Callable[[Row], bool]:
    """Whether a row is a matrix instruction of a kind; the same function for each rule."""
    return partial(_is_kind, kind)


def _is_kind(kind: ProductKind, row: Row) -> bool:
    return is_matrix(row) and kind_of(row) is kind


def _is_producer(producer: Producer, row: Row) -> bool:
    size = row.operands[0].count == producer.words if producer.words else row.passes == producer.passes
    return is_matrix(row) and size and kind_of(row) is producer.kind


def _is_reader(row: Row) -> bool:
    return is_matrix(row) or is_vector(row)


def _is_outside_user(row: Row) -> bool:
    return is_vector(row) or is_memory_or_lds(row)


def _factors_or_uses(instr: Instr) -> Registers:
    """The factors, scales and index of a matrix instruction; whatever any other reads. LLVM takes the
    destination of a DPP instruction as read, even if none of it stays."""
    row = instr.row
    if not is_matrix(row):
        return vector_registers(instr) if is_dpp(row) else vector_uses(instr)
    accumulator = _accumulator_index(row)
    return tuple(o for i in row.uses if i != accumulator and isinstance(o := instr.operands[i], Register))


@cache
def _accumulator_index(row: Row) -> int:
    """C: the third source, or the tied destination of a sparse instruction."""
    return row.ties[0][0] if row.ties else next(i for i in row.uses if row.operands[i].name == "src2")


def _accumulator(instr: Instr) -> Registers:
    accumulator = instr.operands[_accumulator_index(instr.row)]
    return (accumulator,) if isinstance(accumulator, Register) else ()


def has_its_pace(producer: Instr, consumer: Instr) -> bool:
    """Whether the accumulator of a matrix instruction is forwarded to the other, if it is the same tuple."""
    first, second = producer.row, consumer.row
    same_factors = first.operands[first.uses[0]].count == second.operands[second.uses[0]].count
    return kind_of(first) is kind_of(second) and first.passes == second.passes and same_factors


def _double_pipe(_instr: Instr) -> Registers:
    return (_DOUBLE_PIPE,)


def _is_double_fma(row: Row) -> bool:
    return Trait.DOUBLE_FMA in row.traits


MATRIX_RESULT = Trail("matrix result", is_matrix, vector_defines, nearest=True)
# An f32 instruction reads its accumulator early enough; gfx90a's are XDL in this.
_ACCUMULATOR = Trail("XDL accumulator", _of_kind(ProductKind.XDL), _accumulator, nearest=True)
_DOUBLE_ISSUED = Trail("f64 matrix instruction", _of_kind(ProductKind.DOUBLE), _double_pipe)
_DOUBLE_JUST_ISSUED = Trail(
    "f64 matrix instruction just before", _of_kind(ProductKind.DOUBLE), _double_pipe,
    (Expiry(STATES, 1),),
)  # fmt: skip


def _rules_of(producer: Producer, latencies: Mapping[str, Latency]) -> list[Rule]:
    """The rules of a row of the table that have wait states."""
    made: Callable[[Row], bool] = partial(_is_producer, producer)

    def rule(
        what: str, states: Callable[[Latency], int], may_touch: Callable[[Row], bool],
        touches: Callable[[Instr], Registers], relation: Relation = Relation.OVERLAP,
        trail: Trail = MATRIX_RESULT, source: str = TABLE,
        spares: Callable[[Instr, Instr], bool] | None = None,
    ) -> Rule:  # fmt: skip
        wanted = {target: states(latency) for target, latency in latencies.items() if states(latency)}
        name = f"{producer} {what}"
        return Rule(name, source, wanted, trail, may_touch, touches, made, relation, spares=spares)

    def partly(number: int, kind: ProductKind) -> Rule:
        return rule(
            f"partly accumulated into by {kind.value}", lambda latency: latency.different[number],
            _of_kind(kind), _accumulator, Relation.DIFFERENT,
        )  # fmt: skip

    def at_another_pace(number: int, kind: ProductKind) -> Rule:
        def states(latency: Latency) -> int:
            return latency.different[number] if latency.different[number] > latency.same else 0

        return rule(
            f"accumulated into by {kind.value} of another pace", states, _of_kind(kind),
            _accumulator, Relation.SAME, source=FORWARDING, spares=has_its_pace,
        )  # fmt: skip

    rules = [
        rule("read", lambda latency: latency.read, _is_reader, _factors_or_uses),
        rule("read by memory", lambda latency: latency.memory, is_memory_or_lds, vector_uses),
        rule("overwritten", lambda latency: latency.write, _is_outside_user, vector_defines),
        rule("accumulated into", lambda latency: latency.same, is_matrix, _accumulator, Relation.SAME),
        *(partly(number, kind) for number, kind in enumerate(ProductKind)),
        *(
            at_another_pace(number, kind)
            for number, kind in enumerate(ProductKind)
            if ProductKind.DOUBLE not in (kind, producer.kind)
        ),
        rule(
            "accumulator overwritten", lambda latency: latency.overwrite, _is_outside_user, vector_defines,
            trail=_ACCUMULATOR,
        ),
    ]  # fmt: skip
    return [rule for rule in rules if rule.states]


MATRIX_RULES: tuple[Rule, ...] = (
    Rule(
        "VALU result read by a matrix instruction", TABLE, on(CDNA, 2), PLAIN_RESULT, is_matrix, vector_uses
    ),
    Rule(
        "f64 matrix instruction before an f64 fma", TABLE, on(CDNA, 2), _DOUBLE_ISSUED, _is_double_fma,
        _double_pipe,
    ),
    Rule(
        "VALU result read by memory after an f64 matrix instruction",
        "LLVM 22.1, GFX90A data hazard of DGEMM between VALU and memory", {"gfx90a": 2}, VALU_RESULT,
        is_memory_or_lds, vector_uses, given=Given(_DOUBLE_JUST_ISSUED, _double_pipe),
    ),
    *(rule for producer, latencies in LATENCIES.items() for rule in _rules_of(producer, latencies)),
)  # fmt: skip
