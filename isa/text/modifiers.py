"""The modifiers that follow the operands."""

from __future__ import annotations

import re

from isa.constants import immediate_bits, parse_integer
from isa.dpp import parse_control, parse_dpp8, parse_swizzle
from isa.instruction import ModifierSpec, ModifierValue, Row
from isa.operand_check import Fault
from isa.text.failure import Failure, Mismatch
from isa.text.plan import Spelling
from isa.verify import combination_fault, modifier_fault

_KEY = re.compile(r"[:(]")
_WANTED = {
    "flag": "the word alone", "number": "a number", "hex": "a number",
    "list": "a list of as many bits as sources", "counter": "a count", "word": "one of its words",
    "dpp": "a lane control", "dpp8": "eight lanes from 0 to 7", "swizzle": "a number or a swizzle pattern",
}  # fmt: skip


def read_modifiers(
    row: Row, plan: Spelling, tokens: list[str], given: dict[str, ModifierValue]
) -> Failure | None:
    """Fill `given` from the tokens after the operands."""
    if plan.counters and len(tokens) == 1 and tokens[0][0] in "0123456789":
        return _read_raw_counters(plan, tokens[0], given)
    for token in tokens:
        if plan.counters and token in (",", "&"):
            continue
        failure = _read_modifier(plan, token, given)
        if failure is not None:
            return failure
    missing = [name for name in plan.required if name not in given]
    if missing:
        return Failure(
            Mismatch.OTHER_MODIFIERS,
            Fault("ASM004", f"no modifier {', '.join(missing)}, wanted in this form of {row.mnemonic}"),
        )
    fault = combination_fault(row, given)
    return Failure(Mismatch.NOT_LEGAL, fault) if fault else None


def _read_modifier(plan: Spelling, token: str, given: dict[str, ModifierValue]) -> Failure | None:
    if token in plan.phrases:
        spec, value = plan.phrases[token]
    else:
        spec = plan.keyed.get(_KEY.split(token, maxsplit=1)[0])
        if spec is None:
            known = ", ".join(spec.name for spec in plan.listed) or "none"
            return Failure(
                Mismatch.OTHER_MODIFIERS,
                Fault("ASM004", f"modifier {token}, wanted one of this form's: {known}"),
            )
        if spec.syntax == "half":
            return _read_op_sel(spec, token, given)
        value = _value(spec, token)
    if value is None:
        return Failure(
            Mismatch.NOT_LEGAL,
            Fault("ASM004", f"modifier {token} cannot be read, wanted {_WANTED[spec.syntax]}"),
        )
    if spec.name in given:
        return Failure(
            Mismatch.NOT_LEGAL, Fault("ASM004", f"modifier {spec.name} is given twice, wanted once")
        )
    given[spec.name] = value
    fault = modifier_fault(spec, value)
    return Failure(Mismatch.NOT_LEGAL, fault) if fault else None


def _read_op_sel(spec: ModifierSpec, token: str, given: dict[str, ModifierValue]) -> Failure | None:
    """`op_sel` as the choice of halves; it has to agree with the suffixes of the operands, or be all
    zeros."""
    elements = _elements(token.partition(":")[2])
    if (
        elements is None
        or len(elements) > len(spec.tail)
        or any(element not in (0, 1) for element in elements)
    ):
        return Failure(
            Mismatch.NOT_LEGAL,
            Fault("ASM004", f"modifier {token} cannot be read, wanted a list of {len(spec.tail)} bits"),
        )
    if "op_sel" in given:
        return Failure(Mismatch.NOT_LEGAL, Fault("ASM004", "modifier op_sel is given twice, wanted once"))
    high = sum(
        {1 << index for element, index in zip(elements, spec.tail, strict=False) if element and index >= 0}
    )
    low = sum(
        {
            1 << index
            for element, index in zip(elements, spec.tail, strict=False)
            if not element and index >= 0
        }
    )
    suffixed, suffixes = given.get("suffixed", 0), given.get("half", 0)
    assert isinstance(suffixed, int) and isinstance(suffixes, int)
    fixed = any(element and index < 0 for element, index in zip(elements, spec.tail, strict=False))
    if not any(elements):
        given["op_sel"] = elements
        return None
    if fixed or high & low or (high ^ suffixes) & suffixed:
        return Failure(
            Mismatch.NOT_LEGAL,
            Fault("ASM004", f"modifier {token} contradicts the operands, wanted their halves"),
        )
    given["op_sel"], given["half"] = elements, high
    return None


def _read_raw_counters(plan: Spelling, token: str, given: dict[str, ModifierValue]) -> Failure | None:
    """The whole immediate of s_waitcnt as a number."""
    number = parse_integer(token)
    raw = None if number is None else immediate_bits(number, "count16")
    if raw is None:
        return Failure(Mismatch.NOT_LEGAL, Fault("ISA004", f"the counters are {token}, wanted 16 bits"))
    for spec in plan.listed:
        value = shift = 0
        for start, width in spec.bits:
            value |= (raw >> start & (1 << width) - 1) << shift
            shift += width
        given[spec.name] = value
    return None


def _value(spec: ModifierSpec, token: str) -> ModifierValue | None:
    """The value of a spelt modifier, or None if it cannot be read."""
    name = spec.name
    if spec.syntax == "flag":
        # bound_ctrl:0 is the older spelling of the same bit, on CDNA
        return (
            1
            if token == name or (name == "bound_ctrl" and token in ("bound_ctrl:0", "bound_ctrl:1"))
            else None
        )
    if spec.syntax == "dpp":
        return parse_control(token)
    if spec.syntax == "dpp8":
        return parse_dpp8(token)
    text = token[len(name) + 1 :]
    match spec.syntax:
        case "counter":
            return parse_integer(text[:-1]) if token.endswith(")") else None
        case "word":
            return spec.words.index(text) if text in spec.words else None
        case "list":
            return _list(spec, text)
        case "swizzle":
            return parse_swizzle(text)
        case _:
            return parse_integer(text)


def _list(spec: ModifierSpec, text: str) -> tuple[int, ...] | None:
    """The elements that the row leaves open; those that it fixes have to agree."""
    values = _elements(text)
    if values is None:
        return None
    free = len(values) - len(spec.tail)
    return values[:free] if values[free:] == spec.tail else None


def _elements(text: str) -> tuple[int, ...] | None:
    """The numbers of `[0,1]`."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    values = tuple(
        value for element in text[1:-1].split(",") if (value := parse_integer(element)) is not None
    )
    return values if len(values) == text.count(",") + 1 else None
