"""`NamedTuple`: `typing.NamedTuple`, declared in a tenth of the time.

The standard class compiles a constructor and each annotation of a declaration, and changes the bases of the
finished class: 0.3 ms for each of the 220 declarations that a compile loads. Here a class takes the
constructor of its number of fields, with its own names for the parameters. The classes behave as those of the
standard library; type checkers see the standard class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter as element_at
    from collections import namedtuple
    from sys import version_info
    from types import FunctionType

    new = tuple.__new__
    # what `_replace` of the standard class raises
    WRONG_FIELD = TypeError if version_info >= (3, 13) else ValueError
    # the constructor of a class with N fields is number N; more fields take the standard constructor
    CONSTRUCTORS = (
        lambda cls: new(cls, ()),
        lambda cls, a: new(cls, (a,)),
        lambda cls, a, b: new(cls, (a, b)),
        lambda cls, a, b, c: new(cls, (a, b, c)),
        lambda cls, a, b, c, d: new(cls, (a, b, c, d)),
        lambda cls, a, b, c, d, e: new(cls, (a, b, c, d, e)),
        lambda cls, a, b, c, d, e, f: new(cls, (a, b, c, d, e, f)),
        lambda cls, a, b, c, d, e, f, g: new(cls, (a, b, c, d, e, f, g)),
        lambda cls, a, b, c, d, e, f, g, h: new(cls, (a, b, c, d, e, f, g, h)),
        lambda cls, a, b, c, d, e, f, g, h, i: new(cls, (a, b, c, d, e, f, g, h, i)),
        lambda cls, a, b, c, d, e, f, g, h, i, j: new(cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k: new(cls, (a, b, c, d, e, f, g, h, i, j, k)),
    )

    def constructor(name, fields, defaults):
        """`__new__` of a class. Its parameters have the names of the fields, and messages name the class."""
        if len(fields) >= len(CONSTRUCTORS):
            return namedtuple(name, fields, defaults=defaults).__new__
        code = CONSTRUCTORS[len(fields)].__code__.replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return FunctionType(code, globals(), "__new__", defaults)

    class Elements(tuple):
        """The methods of all named tuples."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            result = new(cls, values)
            if len(result) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(result)}")
            return result

        def _replace(self, **changes):
            result = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise WRONG_FIELD(f"Got unexpected field names: {list(changes)!r}")
            return result

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self):
            return tuple(self)

    class Declaration(type):
        """Makes a plain subclass of `Elements` from a declaration: plain classes have the fastest checks of
        instances."""

        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            given = {field: namespace[field] for field in fields if field in namespace}
            if tuple(given) != fields[len(fields) - len(given) :]:
                raise TypeError(f"{name}: a field without a default follows a field with a default")
            namespace["__new__"] = constructor(name, fields, tuple(given.values()))
            for index, field in enumerate(fields):
                namespace[field] = element_at(index, None)
            namespace |= {
                "__slots__": (),
                "_fields": fields,
                "_field_defaults": given,
                "__match_args__": fields,
            }
            return type(name, (Elements, *bases[1:]), namespace)

    class NamedTuple(metaclass=Declaration):
        pass
