"""The spelling of a row, for printing and parsing; it is computed once for each row."""

from __future__ import annotations

from functools import cache

from isa.instruction import Kind, ModifierSpec, Row
from isa.named_tuple import NamedTuple

SOURCE_MODIFIERS = ("neg", "abs", "sext")


class Spelling(NamedTuple):
    """How a row is spelt."""

    visible: tuple[int, ...]  # indices of the operands that text spells
    source_bit: tuple[int, ...]  # of each operand: its bit in a source modifier, 0 if it has none
    listed: tuple[ModifierSpec, ...]  # modifiers that follow the operands
    keyed: dict[str, ModifierSpec]  # those by the word they start with
    phrases: dict[str, tuple[ModifierSpec, int]]  # modifiers with a word for each value
    source_specs: dict[str, ModifierSpec]
    required: tuple[str, ...]
    counters: bool  # the modifiers are the counters of s_waitcnt
    half: ModifierSpec | None  # the choice of halves
    fields: int  # operands before the last, if that has fields; otherwise -1


@cache
def plan_of(row: Row) -> Spelling:
    """The plan of a row."""
    visible = tuple(i for i, spec in enumerate(row.operands) if not spec.hidden)
    bits = [0] * len(row.operands)
    for bit, index in enumerate(i for i in row.uses if not row.operands[i].hidden):
        bits[index] = 1 << bit
    listed = tuple(spec for spec in row.modifiers if spec.syntax != "source")
    keyed: dict[str, ModifierSpec] = {}
    phrases: dict[str, tuple[ModifierSpec, int]] = {}
    for spec in listed:
        if spec.syntax == "dpp":
            keyed.update((name, spec) for name in spec.words)
        elif spec.syntax == "half":
            keyed.update({"op_sel": spec} if spec.tail else {})
        elif spec.syntax == "phrase":
            phrases.update((word, (spec, value)) for value, word in enumerate(spec.words) if word)
        else:
            keyed[spec.name] = spec
    source_specs = {spec.name: spec for spec in row.modifiers if spec.syntax == "source"}
    required = tuple(spec.name for spec in listed if spec.required)
    counters = any(spec.syntax == "counter" for spec in listed)
    half = next((spec for spec in listed if spec.syntax == "half"), None)
    fields = len(visible) - 1 if visible and Kind.FIELDS in row.operands[visible[-1]].kinds else -1
    return Spelling(
        visible, tuple(bits), listed, keyed, phrases, source_specs, required, counters, half, fields
    )
