"""How each op is selected: one record per op."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import LEFT_SHIFT, LITERAL, PARAM, RETURN, RIGHT_SHIFT, SUB
from asmgen.ir.program import Op, Statement, lane_type
from asmgen.ir.types import BOOL, F16
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import (
    ATOMIC,
    ATOMIC_LOAD,
    ATOMIC_OPS,
    ATOMIC_STORE,
    COMPARE_SWAP,
    LDS_ATOMIC,
    LDS_COMPARE_SWAP,
)
from asmgen.lanewise.ops import MATRIX
from asmgen.lanewise.reduction_ops import DOT_PAIRS, DPP_REDUCE, DPP_SCAN, IS_LANE, LANE_BEFORE, LANE_STEP
from asmgen.select.arithmetic import alu, signs, vectors, wide
from asmgen.select.arithmetic.mixed import select_mixed
from asmgen.select.lanes import masks, reductions, wave
from asmgen.select.memory import arguments, global_memory, lds
from asmgen.select.memory.address import select_linear
from asmgen.select.memory.lds import select_allocate
from asmgen.select.memory.lds_joined import join_accesses
from asmgen.select.order import in_order, masks_last
from asmgen.select.rules import ARITHMETIC, COMPARISONS, MASKS, WIDE_FLOATS
from asmgen.select.selection import Selection, is_small_integer, unsupported
from asmgen.select.uniformity import BIT_CAST, CONVERT, IDENTITY, NOT, WHERE
from asmgen.select.uses import ABS, NEG, is_linear
from isa.instruction import Origin

Select = Callable[[Selection, Statement], None]


def _nothing(_s: Selection, _statement: Statement) -> None:
    """Read elsewhere: parameters and launch by `abi`, `yield` by `control`."""


def _shift(s: Selection, statement: Statement) -> None:
    """A shift of integers of 8 and 16 bits; others are expanded."""
    if not is_small_integer(lane_type(statement.result).element):
        raise unsupported(statement)
    _short(s, statement)


def _arithmetic(s: Selection, statement: Statement) -> None:
    """An op that is arithmetic on numbers, and logic on bools."""
    result = statement.result
    if lane_type(statement.operands[0]).element is BOOL:
        masks.select_mask_op(s, statement)
    elif is_small_integer(lane_type(result).element):
        _short(s, statement)
    elif is_linear(statement, s.uses):
        select_linear(s, statement)
    elif result in s.uses.absorbed or result in s.uses.rounded:
        return
    elif not (select_mixed(s, statement) or _is_byte_difference(s, statement)):
        alu.select_elementwise(s, statement)


def _is_byte_difference(s: Selection, statement: Statement) -> bool:
    """Whether a difference of f16 was selected that is one of integers of 8 bits."""
    if statement.op is not SUB or lane_type(statement.result).element is not F16:
        return False
    from asmgen.select.arithmetic.byte_differences import select_byte_difference

    return select_byte_difference(s, statement)


# ops that few kernels have: their files are loaded when the first of them is selected


def _short(s: Selection, statement: Statement) -> None:
    from asmgen.select.arithmetic.shorts import select_short

    select_short(s, statement)


def _if(s: Selection, statement: Statement) -> None:
    from asmgen.select.control.branches import select_if

    select_if(s, statement, select_statements)


def _for(s: Selection, statement: Statement) -> None:
    from asmgen.select.control.loops import select_for

    select_for(s, statement, select_statements)


def _while(s: Selection, statement: Statement) -> None:
    from asmgen.select.control.loops import select_while

    select_while(s, statement, select_statements)


def _convert(s: Selection, statement: Statement) -> None:
    from asmgen.select.arithmetic.convert import select_convert

    select_convert(s, statement)


def _atomic(s: Selection, statement: Statement) -> None:
    from asmgen.select.memory import atomics

    select = {
        ATOMIC: atomics.select_atomic,
        COMPARE_SWAP: atomics.select_compare_swap,
        ATOMIC_LOAD: atomics.select_atomic_load,
        ATOMIC_STORE: atomics.select_atomic_store,
        LDS_ATOMIC: atomics.select_lds_atomic,
        LDS_COMPARE_SWAP: atomics.select_lds_compare_swap,
    }
    select[statement.op](s, statement)


def _exchange(s: Selection, statement: Statement) -> None:
    from asmgen.select.lanes.exchange import select_exchange

    select_exchange(s, statement)


def _row_broadcast(s: Selection, statement: Statement) -> None:
    from asmgen.select.lanes.exchange import select_row_broadcast

    select_row_broadcast(s, statement)


def _scratch(s: Selection, statement: Statement) -> None:
    from asmgen.select.memory import scratch

    select = {
        ops.SCRATCH_ALLOCATE: scratch.select_allocate,
        ops.SCRATCH_LOAD: scratch.select_read,
        ops.SCRATCH_STORE: scratch.select_write,
    }
    select[statement.op](s, statement)


def _dot_pairs(s: Selection, statement: Statement) -> None:
    from asmgen.select.arithmetic.dots import select_dot_pairs

    select_dot_pairs(s, statement)


def _split_bits(s: Selection, statement: Statement) -> None:
    from asmgen.select.arithmetic.split_bits import select_split_bits

    select_split_bits(s, statement)


def _copy_to_lds(s: Selection, statement: Statement) -> None:
    from asmgen.select.memory import copies

    select = {ops.LOAD_TO_LDS: copies.select_load_to_lds, ops.ASYNC_WAIT: copies.select_async_wait}
    select[statement.op](s, statement)


_SPECIAL: dict[Op, Select] = {
    ops.LAUNCH: _nothing,
    PARAM: _nothing,
    RETURN: _nothing,
    ops.YIELD: _nothing,
    LITERAL: alu.select_literal,
    ops.WORKGROUP_ID: wave.select_workgroup_id,
    ops.LOCAL_ID: wave.select_local_id,
    ops.WORKGROUP_SIZE: arguments.select_hidden,
    ops.WORKGROUP_COUNT: arguments.select_hidden,
    ops.LOAD: global_memory.select_load,
    ops.VECTOR_LOAD: global_memory.select_load,
    ops.STORE: global_memory.select_store,
    ops.VECTOR_STORE: global_memory.select_store,
    **dict.fromkeys(ATOMIC_OPS, _atomic),
    **dict.fromkeys((ops.SCRATCH_ALLOCATE, ops.SCRATCH_LOAD, ops.SCRATCH_STORE), _scratch),
    ops.LDS_ALLOCATE: select_allocate,
    ops.LDS_LOAD: lds.select_read,
    ops.LDS_TRANSPOSE_LOAD: lds.select_transpose,
    ops.LDS_STORE: lds.select_write,
    **dict.fromkeys((ops.LOAD_TO_LDS, ops.ASYNC_WAIT), _copy_to_lds),
    ops.BARRIER: lds.select_barrier,
    ops.STAGGER: lds.select_barrier,
    ops.PRIORITY: lds.select_priority,
    ops.ORDER: lds.select_order,
    ops.PACK: vectors.select_pack,
    ops.EXTRACT: vectors.select_extract,
    ops.SPLAT: vectors.select_splat,
    ops.SPLIT_BITS: _split_bits,
    IDENTITY: vectors.select_same_parts,
    BIT_CAST: vectors.select_same_parts,
    CONVERT: _convert,
    ops.MULTIPLE: select_linear,
    ops.MULTIPLY_ADD: wide.select_multiply_add,
    ops.LOW_WORD: wide.select_low_word,
    ops.HIGH_WORD: wide.select_high_word,
    ops.JOIN_WORDS: wide.select_join_words,
    WHERE: masks.select_where,
    NOT: masks.select_not,
    NEG: signs.select_sign,
    ABS: signs.select_sign,
    ops.IS_CLASS: masks.select_class,
    ops.COPYSIGN: signs.select_copysign,
    ops.DIV_SCALE: alu.select_div_scale,
    ops.DIV_FMAS: alu.select_div_fmas,
    ops.LANE_SHUFFLE: wave.select_shuffle,
    ops.LANE_EXCHANGE: _exchange,
    ops.ROW_BROADCAST: _row_broadcast,
    ops.READ_FIRST_LANE: wave.select_first_lane,
    ops.FIND_LANE: wave.select_find_lane,
    ops.ANY_LANE: masks.select_truth,
    ops.ADD_CARRY: masks.select_add_carry,
    ops.BALLOT: wave.select_ballot,
    DOT_PAIRS: _dot_pairs,
    DPP_REDUCE: reductions.select_dpp_reduce,
    DPP_SCAN: reductions.select_dpp_scan,
    LANE_BEFORE: reductions.select_lane_before,
    LANE_STEP: reductions.select_lane_step,
    IS_LANE: reductions.select_is_lane,
    MATRIX: wave.select_matrix,
    ops.IF: _if,
    ops.FOR: _for,
    ops.WHILE: _while,
}

SELECT: dict[Op, Select] = {
    **dict.fromkeys(MASKS, masks.select_mask_op),
    **dict.fromkeys((LEFT_SHIFT, RIGHT_SHIFT), _shift),
    **dict.fromkeys((*ARITHMETIC, *WIDE_FLOATS), _arithmetic),
    **dict.fromkeys(COMPARISONS, masks.select_comparison),
    **_SPECIAL,
}


def select_statements(s: Selection, statements: tuple[Statement, ...]) -> None:
    """Select statements into the current block, and into the blocks that `if` and the loops start."""
    ordered = masks_last(in_order(statements, s.signature.written, s.emitter.target))
    join_accesses(s, ordered)
    for number, statement in enumerate(ordered):
        if statement.regions:
            s.make_late_parts()
        record = SELECT.get(statement.op)
        if record is None:
            raise unsupported(statement)
        if statement.op is ops.BARRIER:
            lds.make_awaited_addresses(s, statement, ordered[number + 1 :])
        s.emitter.origin = Origin(statement.op.name, statement.place)
        record(s, statement)
    s.make_late_parts()
    s.emitter.origin = None
