"""The uses of each value, and their meaning for selection.

* An *absorbed* value is a u32 sum, difference or multiple that only makes addresses. It gets no register; the
  address that reads it is computed as a linear form. `where(condition, index, 0)` is absorbed too if it only
  chooses among addresses.
* A *deferred* compare has a single reader, an `if` or a `where`, and is selected there, straight into VCC or
  SCC.
* A value that is used only as a part of a `pack`, or of a `bit_cast` that is, is selected straight into that
  part of the vector's register.
* An extract of lanes of 8 or 16 bits that every use can read in their registers gets no instruction.
* A sign change or absolute value that every use can take as a source modifier gets no instruction.
"""

from __future__ import annotations

from msgspec import Struct, field

from asmgen.graph.ops import BIT_CAST, BITWISE_XOR, LITERAL, RETURN, graph_op
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import BOOL, F32, F64, U32, U64, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.records import Multiple, numbers_of
from asmgen.lanewise.reduction_ops import IS_LANE
from asmgen.lanewise.small_floats import is_small_float
from asmgen.select.rules import ARITHMETIC, COMPARISONS, WIDE_FLOATS

ADD, SUB, MUL = graph_op("add"), graph_op("sub"), graph_op("mul")
NEG, ABS = graph_op("neg"), graph_op("abs")
CONVERT, WHERE = graph_op("convert"), graph_op("where")
SUMS = frozenset({ADD, SUB})
LINEAR = frozenset({*SUMS, MUL, ops.SHIFT_LEFT, ops.MULTIPLE})
_PARTS = LINEAR | {WHERE, BITWISE_XOR}  # ops with values that may be parts of addresses alone
WORD = 0xFFFFFFFF
WORD_BITS = 32
FULL_RATE = 1 << 24  # operands of v_mul_u32_u24 are below
ACCESSES = frozenset({ops.LOAD, ops.VECTOR_LOAD, ops.STORE, ops.VECTOR_STORE, *GLOBAL_ATOMICS})
_PLACE = 3  # the operand of `load_to_lds` that is an index into LDS
_STORES = frozenset({ops.STORE, ops.VECTOR_STORE, ops.LDS_STORE, ops.SCRATCH_STORE})
_BY_CONSTANT = SUMS | {BITWISE_XOR}
_OF_LDS = frozenset({ops.LDS_LOAD, ops.LDS_TRANSPOSE_LOAD, ops.LDS_STORE})
_STORED = 2  # the operand of a store that it writes
_INDEXED = ACCESSES | _OF_LDS | {ops.LOAD_TO_LDS, ops.SCRATCH_LOAD, ops.SCRATCH_STORE}


class Use(Struct, frozen=True):
    """An operand that reads a value: the statement, the operand's position, and the number of its region."""

    statement: Statement
    position: int
    region: int


class Uses(Struct):
    """Side tables of one module."""

    uniform: frozenset[Value]
    defined: dict[Value, Statement] = field(default_factory=dict)
    region: dict[Value, int] = field(default_factory=dict)  # of a statement's result
    uses: dict[Value, list[Use]] = field(default_factory=dict)
    absorbed: set[Value] = field(default_factory=set)
    deferred: set[Value] = field(default_factory=set)
    packed_into: dict[Value, tuple[Value, int]] = field(
        default_factory=dict
    )  # the vector, and the first lane there
    folded: set[Value] = field(default_factory=set)
    in_place: set[Value] = field(default_factory=set)  # extracted narrow lanes that are read in their vector
    # an f32 that is read as the f16 it was widened from: that, and the first lane there
    mixed: dict[Value, tuple[Value, int]] = field(default_factory=dict)
    rounded: set[Value] = field(default_factory=set)  # sums and products of f32 that are only rounded to f16
    most: dict[Value, int] = field(default_factory=dict)  # upper bounds of u32 values that an op states
    last: set[Statement] = field(default_factory=set)  # an `if` after which its lanes only end
    whole: set[Statement] = field(default_factory=set)  # those among them that all lanes of the wave reach

    def largest(self, value: Value) -> int:
        """The largest that a u32 may be, as far as a `multiple` of it says."""
        return self.most.get(value, WORD)

    def of(self, value: Value) -> list[Use]:
        return self.uses.get(value, [])

    def only(self, value: Value) -> Use | None:
        """The only use of a value, if that is in the region of the value's definition."""
        uses = self.of(value)
        return uses[0] if len(uses) == 1 and uses[0].region == self.region.get(value) else None


def find_uses(module: Module, uniform: frozenset[Value]) -> Uses:
    """The tables of a module; `uniform` are the values that are the same in all lanes of a wave."""
    tables = Uses(uniform)
    _collect(module.statements, 0, [0], tables)
    for value, statement in reversed(tables.defined.items()):
        _classify(value, statement, tables)
    _find_last(module.statements, True, tables)
    return tables


def _collect(statements: tuple[Statement, ...], region: int, counter: list[int], tables: Uses) -> None:
    uses = tables.uses
    for statement in statements:
        for position, operand in enumerate(statement.operands):
            use = Use(statement, position, region)
            if operand in uses:
                uses[operand].append(use)
            else:
                uses[operand] = [use]
        if statement.op is ops.MULTIPLE:
            (value,) = statement.operands
            tables.most[value] = min(tables.largest(value), Multiple.of(statement).most)
        for result in statement.results:
            tables.defined[result] = statement
            tables.region[result] = region
        for inner in statement.regions:
            counter[0] += 1
            _collect(inner.statements, counter[0], counter, tables)


def _classify(value: Value, statement: Statement, tables: Uses) -> None:
    """Users are classified before their operands, so that the operands of an absorbed value can be absorbed
    too."""
    if not isinstance(value.type, LaneType):
        return
    is_part = statement.op in _PARTS and (
        is_linear(statement, tables)
        or _is_index_or_zero(statement, tables)
        or _is_flipped_place(value, statement, tables)
    )
    if is_part and _only_makes_addresses(value, tables):
        tables.absorbed.add(value)
    only = tables.only(value)
    if only is not None:
        if _is_deferred(value, statement, only, tables):
            tables.deferred.add(value)
        into = _place_in_vector(only, tables)
        if into is not None:
            tables.packed_into[value] = into
    if statement.op is ops.EXTRACT and all(takes_place(use, tables) for use in tables.of(value)):
        tables.in_place.add(value)
    if (
        statement.op in (NEG, ABS)
        and value.type.element.is_float
        and all(_takes_modifier(use, tables) for use in tables.of(value))
    ):
        tables.folded.add(value)


def _place_in_vector(only: Use, tables: Uses) -> tuple[Value, int] | None:
    """The vector that the only reader of a value builds of it, and the value's first lane there; None if it
    builds none."""
    reader = only.statement
    if reader.op is ops.PACK:
        return reader.result, _lane_before(only)
    if _is_half_of_pair(reader, tables):
        return reader.result, only.position
    if reader.op is BIT_CAST and _has_same_lanes(reader):
        return tables.packed_into.get(reader.result)
    return None


def _is_half_of_pair(join: Statement, tables: Uses) -> bool:
    """Whether a statement joins words that are computed for a pair of registers alone: they are selected into
    the pair."""
    if join.op is not ops.JOIN_WORDS or join.result.type != LaneType(U64):
        return False
    pair = tables.only(join.result)
    return (
        pair is not None
        and pair.statement.op is ops.MULTIPLY_ADD
        and all(tables.only(word) is not None and word not in tables.uniform for word in join.operands)
    )


def takes_place(use: Use, tables: Uses) -> bool:
    """Whether a statement reads lanes of less than 32 bits wherever they are in their registers."""
    source = use.statement.operands[use.position].type
    if not isinstance(source, LaneType) or source.element is BOOL or source.element.bits >= WORD_BITS:
        return False
    if use.statement.op is CONVERT:
        return use.statement.result.type.element.bits >= WORD_BITS
    if use.statement.op in _STORES:
        return use.position == _STORED and source.lanes == 1
    if use.statement.op is ops.EXTRACT:
        return use.statement.result in tables.in_place
    return use.statement.op is ops.PACK


def _is_deferred(value: Value, statement: Statement, only: Use, tables: Uses) -> bool:
    """Whether a bool is made at its only use: a comparison, or a fact of the wave about a mask."""
    if statement.op in COMPARISONS:
        return _takes_compare(statement, only.statement, tables)
    is_of_wave = statement.op in (ops.ANY_LANE, ops.LANE_SHUFFLE) and value.type.element is BOOL
    if not is_of_wave or value not in tables.uniform or statement.operands[0] in tables.uniform:
        return False
    return (
        only.statement.op is ops.IF
        or _adds_carry(only.statement, tables)
        or (only.statement.op is WHERE and _takes_compare(statement, only.statement, tables))
    )


def _adds_carry(user: Statement, tables: Uses) -> bool:
    return user.op is ops.ADD_CARRY and user.result in tables.uniform


def _takes_compare(compare: Statement, user: Statement, tables: Uses) -> bool:
    """Whether a compare is made in VCC or SCC at its only user: an `if`, a uniform `where`, or a `where` of
    whole registers on a lane's number, as at the tail of a row. Such a number stays live anyway, and only the
    short form of v_cmp takes a constant on every target."""
    if user.op is not WHERE:
        return user.op is ops.IF or (_adds_carry(user, tables) and compare.result in tables.uniform)
    if user.result in tables.uniform:
        return user.operands[0] is compare.result
    compared, chosen = compare.operands[0].type, user.result.type
    assert isinstance(compared, LaneType) and isinstance(chosen, LaneType), user
    return compared == LaneType(U32) and chosen.element is not BOOL


def is_linear(statement: Statement, tables: Uses) -> bool:
    """Whether a statement is a u32 sum or difference, or a multiple by a constant."""
    type_ = statement.results[0].type if statement.results else None
    if (
        statement.op not in LINEAR
        or not isinstance(type_, LaneType)
        or type_.element is not U32
        or type_.lanes != 1
    ):
        return False
    return statement.op in SUMS or constant_factor(statement, tables) is not None


def _is_index_or_zero(statement: Statement, tables: Uses) -> bool:
    """Whether a statement is a u32 under a condition, and 0 otherwise. The scalar unit chooses a uniform
    value as it is."""
    return (
        statement.op is WHERE
        and statement.result.type == LaneType(U32)
        and statement.result not in tables.uniform
        and constant_of(statement.operands[2], tables) == 0
    )


def _is_flipped_place(value: Value, statement: Statement, tables: Uses) -> bool:
    """Whether a statement flips bits of an index that only LDS accesses read: `index ^ constant`."""
    return (
        statement.op is BITWISE_XOR
        and value.type == LaneType(U32)
        and value not in tables.uniform
        and flipped(statement, tables) is not None
        and all(use.statement.op in _OF_LDS and use.position == 1 for use in tables.of(value))
    )


def flipped(statement: Statement, tables: Uses) -> tuple[Value, int] | None:
    """The operand of a `bitwise_xor` and the constant that flips its bits; None if it has no constant."""
    a, b = statement.operands
    if (bits := constant_of(b, tables)) is not None:
        return a, bits
    return (b, bits) if (bits := constant_of(a, tables)) is not None else None


def constant_factor(statement: Statement, tables: Uses) -> tuple[Value, int] | None:
    """A multiple as the value and its constant factor."""
    if statement.op is ops.MULTIPLE:
        return statement.operands[0], Multiple.of(statement).by
    a, b = statement.operands
    if (factor := constant_of(b, tables)) is not None:
        return a, factor if statement.op is MUL else 1 << (factor & 31)
    if statement.op is MUL and (factor := constant_of(a, tables)) is not None:
        return b, factor
    return None


def constant_of(value: Value, tables: Uses) -> int | None:
    """The integer of a scalar literal; None for another value."""
    statement = tables.defined.get(value)
    if statement is None or statement.op is not LITERAL or not isinstance(value.type, LaneType):
        return None
    first = numbers_of(statement)[0]
    return first if isinstance(first, int) else None


def _only_makes_addresses(value: Value, tables: Uses) -> bool:
    """Whether every use is an index, or the only use is a linear statement, all in the value's region.

    A multiple by a power of two costs an address nothing, so sums that only make addresses may use it too. An
    address may also be read by addresses that differ from it by a constant. A difference that is multiplied
    is computed first unless its parts are small: it may be small as the remainder of a division.
    """
    uses = tables.of(value)
    if not uses or any(use.region != tables.region[value] for use in uses):
        return False
    if len(uses) == 1 and is_linear(uses[0].statement, tables):
        is_multiplied = uses[0].statement.op not in SUMS and not _is_shift(uses[0].statement, tables)
        return tables.defined[value].op is not SUB or not is_multiplied or _has_small_parts(value, tables)
    sums = _is_shift(tables.defined[value], tables)
    return all(
        _is_index(use, tables)
        or (sums and use.statement.op is ADD and use.statement.result in tables.absorbed)
        or _is_apart_by_constant(use, tables)
        for use in uses
    )


def _has_small_parts(difference: Value, tables: Uses) -> bool:
    """Whether the multiples of both operands are products of the full rate."""
    for operand in tables.defined[difference].operands:
        made = tables.defined.get(operand)
        term = made.operands[0] if made is not None and made.op is ops.MULTIPLE else operand
        if tables.largest(term) >= FULL_RATE:
            return False
    return True


def _is_index(use: Use, tables: Uses) -> bool:
    """Whether an operand is the index of an access, or the index that an absorbed `where(condition, index,
    0)` chooses."""
    if use.position != 1:
        return use.statement.op is ops.LOAD_TO_LDS and use.position == _PLACE
    return use.statement.op in _INDEXED or (
        use.statement.op is WHERE and use.statement.result in tables.absorbed
    )


def _is_apart_by_constant(use: Use, tables: Uses) -> bool:
    """Whether an absorbed sum or difference with a constant, or absorbed flip of bits, reads the operand."""
    statement = use.statement
    if statement.op not in _BY_CONSTANT or statement.result not in tables.absorbed:
        return False
    return constant_of(statement.operands[1 - use.position], tables) is not None


def _is_shift(statement: Statement, tables: Uses) -> bool:
    """Whether a linear statement is a multiple by a power of two."""
    is_multiple = statement.op in LINEAR - SUMS
    multiple = constant_factor(statement, tables) if is_multiple else None
    return multiple is not None and multiple[1] & (multiple[1] - 1) == 0


def _has_same_lanes(cast: Statement) -> bool:
    """Whether a `bit_cast` is from lanes of one size to as many lanes of that size, in the same registers."""
    before, after = cast.operands[0].type, cast.result.type
    return (
        isinstance(before, LaneType) and isinstance(after, LaneType)
        and before.lanes == after.lanes and before.element.bits == after.element.bits
        and BOOL not in (before.element, after.element)
    )  # fmt: skip


def _lane_before(use: Use) -> int:
    """How many lanes of a `pack` are before an operand."""
    return sum(
        part.type.lanes for part in use.statement.operands[: use.position] if isinstance(part.type, LaneType)
    )


def _takes_modifier(use: Use, tables: Uses) -> bool:
    """Whether an operand is a float source of an elementwise, compare or convert statement, or of a sign
    change that is folded into such a statement."""
    statement = use.statement
    if statement.op in (NEG, ABS):
        return statement.result in tables.folded
    element = statement.operands[use.position].type.element.name
    if statement.op is CONVERT:
        target = statement.result.type.element
        return element == F32.name and target not in (BOOL, F64) and not is_small_float(target)
    if element == F64.name:
        return statement.op in WIDE_FLOATS or statement.op in COMPARISONS
    return element in ARITHMETIC.get(statement.op, {}) or (
        statement.op in COMPARISONS and element in COMPARISONS[statement.op].vector
    )


def _find_last(statements: tuple[Statement, ...], is_whole: bool, tables: Uses) -> None:
    """Mark an `if` that only the end follows, and the `if`s at the end of its regions. An `is_lane` that is
    the condition of such an `if` alone is selected there."""
    body = [s for s in statements if s.op is not RETURN and not s.op.ends_region]
    if not body or body[-1].op is not ops.IF or len(body[-1].regions) != 1:
        return
    tables.last.add(body[-1])
    (condition,) = body[-1].operands
    if is_whole:
        tables.whole.add(body[-1])
        if tables.defined[condition].op is IS_LANE and len(tables.of(condition)) == 1:
            tables.deferred.add(condition)
    _find_last(body[-1].regions[0].statements, is_whole and condition in tables.uniform, tables)
