"""`isa.named_tuple.NamedTuple` beside the standard class."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable

import pytest

import isa.named_tuple


class Ours(isa.named_tuple.NamedTuple):
    first: int
    second: str = "b"
    third: tuple[int, ...] = ()

    def doubled(self) -> int:
        return 2 * self.first

    @property
    def size(self) -> int:
        return len(self.third)


class Standard(typing.NamedTuple):
    first: int
    second: str = "b"
    third: tuple[int, ...] = ()


DECLARE: typing.Any = type(isa.named_tuple.NamedTuple)  # a metaclass, unlike the standard class of the type checker


class Empty(isa.named_tuple.NamedTuple):
    pass


class Derived(Ours):
    def doubled(self) -> int:
        return 4 * self.first


ACTIONS: dict[str, Callable[[typing.Any], object]] = {
    "defaults": lambda made: made(1),
    "names": lambda made: made(third=(2,), first=1),
    "repr": lambda made: repr(made(1, "x")).replace("Standard", "Ours"),
    "hash": lambda made: hash(made(1, "x", (3,))),
    "order": lambda made: sorted([made(2, "a"), made(1, "z"), made(1, "b")]),
    "replace": lambda made: made(1)._replace(second="y"),
    "make": lambda made: made._make([1, "q", (4, 5)]),
    "as dict": lambda made: made(1)._asdict(),
    "fields": lambda made: (made._fields, made._field_defaults, made.__match_args__, made.__slots__),
    "unpacked": lambda made: [*made(7)],
    "pickled": lambda made: pickle.loads(pickle.dumps(made(1, "x"))),
    "copied": lambda made: copy.deepcopy(made(1, "x", (1,))),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_behaves_as_the_standard_class(name: str) -> None:
    ours, standard = ACTIONS[name](Ours), ACTIONS[name](Standard)
    assert ours == standard
    assert type(ours).__name__ in {type(standard).__name__, "Ours"}


@pytest.mark.parametrize(
    "mistake",
    [
        lambda made: made(),
        lambda made: made(1, "b", (), 4),
        lambda made: made(1, fourth=2),
        lambda made: made(1, first=2),
        lambda made: made(1)._replace(fourth=2),
        lambda made: made._make([1]),
        lambda made: setattr(made(1), "first", 2),
        lambda made: setattr(made(1), "other", 2),
    ],
)
def test_refuses_what_the_standard_class_refuses(mistake: Callable[[typing.Any], object]) -> None:
    with pytest.raises(Exception) as standard:
        _ = mistake(Standard)
    with pytest.raises(type(standard.value)) as ours:
        _ = mistake(Ours)
    assert str(ours.value).replace("Ours", "Standard") == str(standard.value)


def test_methods_properties_and_subclasses() -> None:
    assert (Ours(3).doubled(), Ours(3, third=(1, 2)).size) == (6, 2)
    assert (Derived(3).doubled(), Derived(3) == Ours(3), Empty() == ()) == (12, True, True)
    assert type(Ours) is type  # checks of instances are fast for plain classes only


def test_any_number_of_fields() -> None:
    for count in range(20):
        names = [f"x{index}" for index in range(count)]
        made = DECLARE("Made", (isa.named_tuple.NamedTuple,), {"__annotations__": dict.fromkeys(names, "int"), "__module__": __name__})
        value = made(**{name: index for index, name in enumerate(names)})
        assert [getattr(value, name) for name in names] == list(value) == list(range(count))


def test_refuses_a_field_without_a_default_after_one_with_a_default() -> None:
    with pytest.raises(TypeError, match="Made: a field without a default"):
        _ = DECLARE("Made", (isa.named_tuple.NamedTuple,), {"__annotations__": {"x": "int", "y": "int"}, "x": 1})
