"""Writes the types of the methods of kernels by hand: asmgen/assembly/targets, from the rows of each target.

    python -m tools.assembly_stubs

A source takes registers of its file and width, and a number or an index expression if the row has room for
it. The forms of an instruction are overloads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from asmgen.assembly.instructions import rows_of, sources_of
from isa.constants import FLOAT_TYPES
from isa.instruction import Encoding, Kind, ModifierSpec, OperandSpec, Row, Trait
from isa.named_tuple import NamedTuple
from isa.registers import EXEC
from isa.table import table_named
from isa.text.plan import SOURCE_MODIFIERS

FOLDER = Path(__file__).parents[1] / "asmgen" / "assembly" / "targets"
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
_ELSEWHERE = frozenset({Trait.END, Trait.CALL})
_BRANCHES = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH})
_SCALARS = Kind.SGPR | Kind.M0 | Kind.EXEC | Kind.SCALAR_STATUS
_NUMBERS = Kind.INLINE | Kind.LITERAL | Kind.SIMM | Kind.FIELDS
_FILES = {"V": "Vector", "S": "Scalar", "A": "Accumulator"}
_REGISTERS = re.compile(r"\b[VSA]\d+\b")  # V4: four VGPRs
_HEAD = """# Written by `python -m tools.assembly_stubs` from the rows of the target: do not edit.
# pyright: reportOverlappingOverload=false, reportUnusedImport=false
from collections.abc import Sequence
from typing import Any, Literal, TypedDict, overload

import sympy
from typing_extensions import Unpack

from asmgen.assembly.builder import KernelBuilder
from asmgen.assembly.values import Accumulator, Lds, Modified, Pointer, Registers, Scalar, Target, Vector
from isa.instruction import Immediate

Index = sympy.Expr | int
Number = sympy.Expr | int | Immediate
Real = sympy.Expr | float | Immediate
Into = Registers[Any] | tuple[Registers[Any], ...] | None
"""


class _Form(NamedTuple):
    """The parameters and results of rows that take as many sources: the types of each source."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    result: str


class _Page:
    """The stub of a target: its sets of modifiers, and its methods."""

    def __init__(self, target: str) -> None:
        self._table = table_named(target)
        self._sets: dict[tuple[str, ...], str] = {}
        self._name = target.capitalize()

    def text(self) -> str:
        """The whole file."""
        names: dict[str, None] = {}
        for row in self._table.rows:
            if row.encoding is not Encoding.DUAL:
                names.update(dict.fromkeys((row.name, row.operation)))
        methods = [text for name in sorted(names) if name.isidentifier() for text in self._methods(name)]
        sets = [
            f"\nclass {name}(TypedDict, total=False):\n"
            + "".join(f"    {key}\n" for key in keys or ("pass",))
            for keys, name in self._sets.items()
        ]
        body = "".join(methods)
        used = sorted(set(_REGISTERS.findall(body)), key=lambda alias: (alias[0], int(alias[1:])))
        aliases = "".join(f"{alias} = {_FILES[alias[0]]}[Literal[{alias[1:]}]]\n" for alias in used)
        return _HEAD + aliases + "".join(sets) + f"\nclass {self._name}(KernelBuilder):\n" + body

    def _methods(self, name: str) -> Iterator[str]:
        """The overloads of a name."""
        found = [row for row in rows_of(self._table, name) if row.traits.isdisjoint(_ELSEWHERE)]
        rows = [row for row in found if EXEC not in row.writes]
        if not rows:
            return
        if not rows[0].traits.isdisjoint(_BRANCHES):
            if EXEC not in rows[0].reads:
                yield f"    def {name}(self, label: str | Target, /) -> None: ...\n"
            return
        modifiers = sorted({text for row in rows for spec in row.modifiers for text in _modifiers(spec)})
        keywords = ["*", "into: Into = None"] if any(row.defines for row in rows) else []
        if modifiers:
            keywords.append(f"**modifiers: Unpack[{self._set(tuple(modifiers))}]")
        forms = _joined(form for row in rows for form in _forms(row))
        for form in forms:
            given = [f"{one}: {type_}" for one, type_ in zip(form.names, form.types, strict=True)]
            parameters = ", ".join(["self", *given, "/", *keywords])
            mark = "    @overload\n" if len(forms) > 1 else ""
            yield f"{mark}    def {name}({parameters}) -> {form.result}: ...\n"

    def _set(self, modifiers: tuple[str, ...]) -> str:
        return self._sets.setdefault(modifiers, f"Modifiers{len(self._sets)}")


def _forms(row: Row) -> Iterator[_Form]:
    """The form of a row, and the form with an object and an offset in place of an address."""
    sources = [row.operands[i] for i in sources_of(row)]
    results = [_result(row.operands[i]) for i in row.defines]
    result = "None" if not results else results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    yield _Form(tuple(spec.name for spec in sources), tuple(_source(row, spec) for spec in sources), result)
    names = {spec.name for spec in sources}
    if {"vaddr", "saddr"} <= names or "addr" in names:
        base = "Pointer" if "saddr" in names else "Lds"
        data = [spec for spec in sources if spec.name not in ("vaddr", "saddr", "addr")]
        types = tuple(_source(row, spec) for spec in data)
        yield _Form(("base", "offset", *(spec.name for spec in data)), (base, "Index", *types), result)


def _joined(forms: Iterable[_Form]) -> list[_Form]:
    """Merge forms with the same sources and results: each source takes the types of all."""
    found: dict[tuple[object, ...], _Form] = {}
    for form in forms:
        widths = tuple(sorted(_widths(type_)) for type_ in form.types)
        key = (form.names, str(widths))
        other = found.get(key)
        if other is not None:
            pairs = zip(other.types, form.types, strict=True)
            result = _either(other.result, form.result)
            form = _Form(form.names, tuple(_either(*pair) for pair in pairs), result)
        found[key] = form
    return list(found.values())


def _widths(types: str) -> set[str]:
    """The numbers of registers that a source takes."""
    return {type_[1:] for type_ in types.split(" | ") if type_[0] in "VSA" and type_[1:].isdecimal()}


def _either(one: str, other: str) -> str:
    """The types of both."""
    return " | ".join(dict.fromkeys(f"{one} | {other}".split(" | ")))


def _modifiers(spec: ModifierSpec) -> Iterator[str]:
    """The keywords of a modifier."""
    if spec.syntax in ("dpp", "phrase"):
        words = dict.fromkeys(word.partition(":")[0] for word in spec.words if word)
        yield from (f"{word}: bool | int | Sequence[int]" for word in words if word.isidentifier())
    elif spec.syntax == "flag":
        yield f"{spec.name}: bool"
    elif spec.syntax == "word":
        yield f"{spec.name}: str"
    elif spec.syntax in ("list", "dpp8"):
        yield f"{spec.name}: Sequence[int]"
    elif spec.syntax not in ("half", "source"):
        yield f"{spec.name}: int"


def _result(spec: OperandSpec) -> str:
    return f"{'V' if spec.kinds & (Kind.VGPR | Kind.AGPR) else 'S'}{spec.count}"


def _source(row: Row, spec: OperandSpec) -> str:
    """The types that an operand takes."""
    taken: list[str] = []
    for kind, file in ((Kind.VGPR, "V"), (_SCALARS, "S"), (Kind.AGPR, "A")):
        taken += [f"{file}{spec.count}"] if spec.kinds & kind else []
    if spec.name in _signed(row):
        taken.append("Modified")
    is_word = spec.count == 1 and spec.kinds & (Kind.VGPR | _SCALARS)
    if spec.kinds & _NUMBERS or is_word:
        is_real = spec.type in FLOAT_TYPES or spec.type == "b32"
        taken.append("Real" if is_real and spec.kinds & _NUMBERS else "Number")
    return " | ".join(taken) or "Any"


def _signed(row: Row) -> set[str]:
    """The operands that may have a source modifier."""
    return {row.operands[i].name for spec in row.modifiers if spec.name in SOURCE_MODIFIERS for i in row.uses}


def stubs() -> dict[Path, str]:
    """The text of each file."""
    return {FOLDER / f"{target}.pyi": _Page(target).text() for target in TARGETS}


def main() -> None:
    for path, text in stubs().items():
        _ = path.write_text(text, encoding="utf-8")
        print(f"wrote {path}: {len(text)} bytes")


if __name__ == "__main__":
    main()
