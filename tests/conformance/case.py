"""A case of conformance: a small language for graphs of which only shapes, types and ops are of interest.

    Case("x {4,8,16}; y {4,10,18}; p = pad[pads={0,1,1,0,1,1}](x); add(p, y)", T7, kernels=1)

Statements are separated by semicolons. A name and dims are a parameter of the case's type, and strides may follow;
a type between them is that of the parameter. `?` is the type of the case. The last statement is the result.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PARAMETER = re.compile(r"(?P<name>\w+)\s+(?P<type>[a-z]\w*\s*)?(?P<dims>\{[\d,\s]*\}(\s*,?\s*\{[\d,\s]*\})?)")
EIGHT_BITS = ("fp8e4m3fn", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")
F32 = ("f32",)
F64 = ("f64",)
HALVES = ("f16", "bf16")
FLOATS = ("f32", *HALVES)
T7 = (*FLOATS, *EIGHT_BITS)
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
EVERY_TYPE = ("bool", *INTEGERS, "f64", *T7)


class Case(NamedTuple):
    """A graph on each of `types`. `reduced` are sizes to write in the place of others if the case must be
    small; `kernels` is the number of kernels that it has to be, if that is of interest. Inputs are absolute
    values if `is_positive`.
    """

    text: str
    types: tuple[str, ...] = F32
    reduced: tuple[tuple[str, str], ...] = ()
    kernels: int = 0
    is_positive: bool = False

    def graph(self, type_: str, is_reduced: bool = False) -> str:
        """The gen text."""
        text = self.text
        if is_reduced:
            for size, smaller in self.reduced:
                text = re.sub(rf"\b{size}\b", smaller, text)
        *before, last = [part.strip() for part in text.replace("?", type_).split(";")]
        lines = [_line(part, type_) for part in before]
        if last.startswith("@return"):
            return "\n".join([*lines, last, ""])
        return "\n".join([*lines, f"result = {last}", "@return(result)", ""])

    def __str__(self) -> str:
        return self.text.replace(" ", "")


def _line(part: str, type_: str) -> str:
    match = _PARAMETER.fullmatch(part)
    if match is None:
        return part
    dims = re.sub(r"\}\s*,?\s*\{", "}, {", match["dims"])
    return f"{match['name']} = @param:{match['name']} -> {(match['type'] or type_).strip()}, {dims}"
