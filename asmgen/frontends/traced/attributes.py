"""Attributes of a traced op: Python keyword arguments held against the op's row."""

from __future__ import annotations

from asmgen.frontends.traced.spec import named_element, whole_numbers
from asmgen.ir.program import Attribute, AttributeKind, Attributes, AttributeSpec, Op
from asmgen.ir.types import TYPE_NAMES, close_types
from isa.diagnostics import InputError, Place, close_names


def whole_attributes(op: Op, given: dict[str, object], place: Place) -> Attributes:
    """Every attribute of the op in the row's order, defaults included; `InputError` TRC005 at `place`
    otherwise."""
    for name in given:
        if all(name != known.name for known in op.attributes):
            names = [known.name for known in op.attributes]
            raise InputError(
                place,
                "TRC005",
                f"{op.name} has no attribute {name}, wanted {' or '.join(names) or 'none'}",
                help=close_names(name, names),
            )
    whole: Attributes = {}
    for known in op.attributes:
        value = _attribute(known, given[known.name]) if known.name in given else known.default
        if value is None:
            got = repr(given[known.name]) if known.name in given else "nothing"
            wanted, help = " or ".join(known.words) or known.kind.value, ""
            if known.kind is AttributeKind.TYPE:
                wanted = f"one of {' '.join(TYPE_NAMES)}, or a numpy dtype"
                help = close_types(str(given.get(known.name)))
            message = f"{op.name} got {got} for {known.name}, wanted {wanted}"
            raise InputError(place, "TRC005", message, help=help)
        whole[known.name] = value
    return whole


def _attribute(known: AttributeSpec, given: object) -> Attribute | None:
    """The value of an attribute, None where it is not of its kind."""
    match known.kind:
        case AttributeKind.BOOL:
            return given if isinstance(given, bool) else None
        case AttributeKind.INTEGER:
            return given if isinstance(given, int) and not isinstance(given, bool) else None
        case AttributeKind.FLOAT:
            return float(given) if isinstance(given, int | float) and not isinstance(given, bool) else None
        case AttributeKind.TYPE:
            element = named_element(given)
            return element.name if element else None
        case AttributeKind.WORD:
            return given if isinstance(given, str) and (not known.words or given in known.words) else None
        case AttributeKind.LIST:
            return whole_numbers(given)
        case AttributeKind.SHAPE:
            return None  # of no op that a function can have
