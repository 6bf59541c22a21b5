"""The attributes of a tensor module that nothing reads, for the channel `attributes` of `--trace`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from asmgen.frontends.tensors.lowering import graph_of
from asmgen.mlir.donated import ARGUMENTS
from asmgen.mlir.file import read_module
from asmgen.mlir.source import Attribute, Operation
from asmgen.mlir.tensor_functions import TensorText, name_of, tensor_functions

_IMPLIED = frozenset(
    ["iterator_types", "linalg.memoized_indexing_maps", "operandSegmentSizes", "resultSegmentSizes"]
)
"""The attributes that the operands and maps of an operation imply."""
_LONGEST = 60  # letters of a value that a line shows


class _Recorded(dict[str, Attribute]):
    """Attributes that remember the names that were read."""

    def __init__(self, given: dict[str, Attribute]) -> None:
        super().__init__(given)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Attribute:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.read.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)


def _recorded(given: Attribute) -> Attribute:
    return _Recorded(given) if isinstance(given, dict) else given


def _shown(value: Attribute) -> str:
    text = f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def unread_attributes(text: TensorText) -> Iterator[str]:
    """A line for each attribute that nothing reads, in the order of the file."""
    module = read_module(text.text, text.file)
    recorded: list[tuple[Operation, _Recorded]] = []
    for operation in module.operation.walk():
        attributes = _Recorded(operation.attributes)
        stated = operation.attributes.get(ARGUMENTS)
        if isinstance(stated, tuple):
            attributes[ARGUMENTS] = tuple([_recorded(cast("Attribute", each)) for each in stated])
        operation.attributes = attributes
        recorded.append((operation, attributes))
    _ = graph_of(module, text.entry)
    functions = {function: name for name, function in tensor_functions(module).items()}
    name = "module"
    for operation, attributes in recorded:
        if operation in functions:
            name = name_of(operation)
        for attribute, value in attributes.items():
            if attribute == ARGUMENTS and isinstance(value, tuple):
                yield from _unread_of_arguments(name, value, operation)
            elif attribute not in attributes.read and attribute not in _IMPLIED:
                yield f"{name}: {attribute} = {_shown(value)} of {operation.name} at {operation.place}"


def _unread_of_arguments(name: str, stated: Sequence[object], function: Operation) -> Iterator[str]:
    """A line for each attribute of an argument of a function that nothing reads."""
    for number, attributes in enumerate(stated):
        if not isinstance(attributes, _Recorded):
            continue
        for attribute, value in attributes.items():
            if attribute not in attributes.read:
                yield f"{name}: {attribute} = {_shown(value)} of argument {number} at {function.place}"
