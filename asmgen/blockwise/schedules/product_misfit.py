"""Whether a choice of `contract` fits a kernel and a target."""

from __future__ import annotations

from asmgen.blockwise.matrix import Instruction, instruction
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.elements.maps import has_border, moves, tensor_of
from asmgen.blockwise.schedules.pages.product_layouts import BLOCK
from asmgen.blockwise.schedules.work import Graph
from asmgen.graph.ops import CONVERT, DOT, LITERAL, PARAM
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import computed
from isa.target import Target


def of_kind(graph: Graph) -> str:
    """The rule that a kernel breaks, in words; empty where contract is for it."""
    products = _products(graph)
    if len(products) != 1:
        return f"contract is for one matrix product, and there are {len(products)}"
    ranks = [tensor_of(value).rank for value in products[0].operands]
    return "" if ranks == [2, 2] else f"contract is for matrices, and the operands have {max(ranks)} dims"


def of_choice(graph: Graph, choice: Contract, target: Target) -> str:
    """The rule that the numbers or the instruction break."""
    (dot,) = _products(graph)
    element = tensor_of(dot.result).element
    held = element if choice.by else computed(element)
    size = choice.buffers * (choice.m + choice.n) * choice.k * held.bytes
    if size > target.lds_bytes:
        return f"the tiles in LDS have {size} bytes, and the target has {target.lds_bytes} for a workgroup"
    if not choice.by:
        return "" if choice.n >= BLOCK else f"n is {choice.n}, wanted {BLOCK} at least"
    found = instruction(choice.by, target)
    if found is None:
        return f"{choice.by} is no matrix instruction of {target.name} in waves of {target.wave_size} lanes"
    return _of_instruction(graph, dot, choice, found)


def _of_instruction(graph: Graph, dot: Statement, choice: Contract, found: Instruction) -> str:
    element = tensor_of(dot.result).element
    wanted = (element, element, computed(element))
    if found.elements != wanted:
        a, b, c = found.elements
        return f"{found.name} multiplies {a} and {b} and sums {c}, wanted {element} and {computed(element)}"
    for name, least in zip(("m", "n", "k"), found.sizes, strict=True):
        number = {"m": choice.m, "n": choice.n, "k": choice.k}[name]
        if number < least:
            return f"{name} is {number}, and {found.name} takes {least}"
    if not all(_is_exact(graph, value) for value in dot.operands):
        return f"{found.name} takes operands from memory, and an operand is computed; convert it to {element}"
    return ""


def _is_exact(graph: Graph, value: Value) -> bool:
    """Whether a value is rounded to its type where it is multiplied: it is read, or converted."""
    statement = graph.defined[value]
    while moves(statement) and not has_border(statement):
        statement = graph.defined[statement.operands[0]]
    return statement.op in (PARAM, LITERAL, CONVERT) or tensor_of(value).element is computed(
        tensor_of(value).element
    )


def _products(graph: Graph) -> list[Statement]:
    return [statement for statement in graph.module.statements if statement.op is DOT]
