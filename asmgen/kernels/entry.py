"""An entry of the catalogue, and how `--set NAME=VALUE` sets its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.ir.types import ELEMENT_TYPES, ElementType, close_types
from isa.diagnostics import InputError, close_names
from isa.named_tuple import NamedTuple

Setting = int | str


class CatalogueKernel(NamedTuple):
    """A kernel: its parameters with their defaults (sizes are integers, `dtype` is a type name) and the
    function that makes its gen text.

    `types` names its element types. `?` for a size leaves it to the launch, as a dim with the name of the
    parameter.
    """

    name: str
    parameters: Mapping[str, Setting]
    text: Callable[[Mapping[str, Setting]], str]
    types: frozenset[str]

    def settings(self, given: Sequence[tuple[str, str]]) -> dict[str, Setting]:
        """The defaults overridden by NAME, VALUE pairs.

        Raises `InputError` SET001 for an unknown name, SET002 for a size that is not an integer >= 0, SET003
        for a type, SET004 for a name that is given twice.
        """
        settings = dict(self.parameters)
        named: set[str] = set()
        for name, text in given:
            place = f"--set {name}={text}"
            if name not in settings:
                message = f"{self.name} has no parameter {name!r}, wanted one of {', '.join(settings)}"
                help = (
                    close_names(name, settings)
                    or "`python -m asmgen list` shows the parameters of each kernel"
                )
                raise InputError(place, "SET001", message, help=help)
            if name in named:
                raise InputError(place, "SET004", f"{name} is given a second time, wanted it once")
            named.add(name)
            settings[name] = (
                _size(place, name, text) if isinstance(settings[name], int) else self._type(place, text).name
            )
        return settings

    def _type(self, place: str, text: str) -> ElementType:
        element = ELEMENT_TYPES.get(text)
        if element is None or element.name not in self.types:
            types = sorted(self.types)
            message = f"{self.name} does not compute on {text!r}, wanted one of {' '.join(types)}"
            raise InputError(place, "SET003", message, help="" if element else close_types(text))
        return element


def _size(place: str, name: str, text: str) -> Setting:
    """A number, or the name of the parameter for `?`."""
    return name if text.strip() == "?" else _number(place, name, text)


def _number(place: str, name: str, text: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
        wanted = "wanted an integer >= 0 of at most 18 digits, or ?"
        raise InputError(place, "SET002", f"{name} is {text!r}, {wanted}")
    return int(digits)
