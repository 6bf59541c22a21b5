"""The parsers of the command line: options given once, unknown options, and the width of the help."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NoReturn

from isa.diagnostics import InputError, Place, close_names

# Names that other compilers and tools give to our options.
_OF_OTHER_TOOLS = {
    "--arch": "--target",
    "--gpu": "--target",
    "--mcpu": "--target",
    "-mcpu": "--target",
    "--offload-arch": "--target",
    "--output": "-o FILE",
    "-S": "--emit asm",
    "--asm": "--emit asm",
    "--dtype": "--set dtype=TYPE",
    "--json": "--format json",
    "--html": "--format html",
    "--args": "--arg",
    "--timeout": "--max-seconds",
}


BATCH_NAMES = ("jobs", "max_memory", "results", "resume", "ray")
BATCH_OPTIONS = frozenset(("--jobs", "--max-memory", "--results", "--resume", "--ray"))
"""Options that say how several sources are done; no result depends on them."""


class Once(argparse.Action):
    """Store the value of an option, and its name in `namespace.given`; CLI006 if it was given before."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:  # fmt: skip
        if option_string is not None:
            given: set[str] = namespace.given
            if option_string in given:
                raise InputError(
                    option_string,
                    "CLI006",
                    f"got {values!r} for an option that was already given, wanted it once",
                )
            given.add(option_string)
        setattr(namespace, self.dest, values)


class Flag(argparse.Action):
    """An option without a value: store True, and its name in `namespace.given`."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, default=False, help=help)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.given
        given.add(option_string or "")
        setattr(namespace, self.dest, True)


def refuse_given(arguments: argparse.Namespace, options: Sequence[str], why: str) -> None:
    """InputError CLI005 for the first of `options` that was given although it has no effect here."""
    for option in options:
        if option in arguments.given:
            raise InputError(
                option, "CLI005", f"{why}, so {option} would change nothing", help=f"leave {option} out"
            )


class Version(argparse.Action):
    """Print the version and exit; the version is read only if it is printed."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> NoReturn:
        from importlib.metadata import version

        print(f"asmgen {version('asmgen')}")
        parser.exit()


class HelpfulParser(argparse.ArgumentParser):
    """A parser that fits its help to the terminal, and reports an error if the help cannot be written."""

    def __init__(self, **named: Any) -> None:
        # a new option may change the meaning of an abbreviation
        super().__init__(formatter_class=TerminalFormatter, allow_abbrev=False, **named)

    def print_help(self, file: Any = None) -> None:
        """Print the help; OSError if it cannot be written, which argparse ignores."""
        print(self.format_help(), end="", file=file or sys.stdout)

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and the message, without the usage of all options, which would hide it."""
        print(f"usage: {self.prog} ...\n{self.prog}: error: {message}", file=sys.stderr)
        print(f"  help: `{self.prog} --help` lists the options", file=sys.stderr)
        sys.exit(2)


class CommandParser(HelpfulParser):
    """The parser of a command. An option may be given once, unless its action is another."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.register("action", None, Once)
        self.register("action", "store_true", Flag)
        self.set_defaults(given=set[str]())

    def refuse_rest(self, rest: Sequence[str], others: Callable[[], Mapping[str, CommandParser]]) -> NoReturn:
        """Exit with 2 for superfluous words of the command line; `others` gives all commands by name."""
        word = next((each for each in rest if each.startswith("-")), None)
        if word is None:
            self.error(f"got {rest[0]!r}, wanted {self._wanted_words()}")
        option = word.partition("=")[0]
        having = [name for name, other in others().items() if option in other._option_string_actions]
        known = [name for name in self._option_string_actions if name.startswith("--")]
        same = _OF_OTHER_TOOLS.get(option)
        if having:
            *first, last = having
            owners = f"{', '.join(first)} and {last}" if first else last
            self.error(f"{option} is an option of {owners}, wanted an option of this command")
        if same is not None and same.split()[0] in self._option_string_actions:
            self.error(f"unknown option {option}: did you mean {same}?")
        self.error(f"unknown option {option}: {close_names(option, known) or 'no command has it'}")

    def _wanted_words(self) -> str:
        """The words without an option that the command takes."""
        words = next((action for action in self._actions if not action.option_strings), None)
        if words is None:
            return "no argument: the command takes options only"
        if words.nargs == "+":
            return f"all {words.metavar}s together, before or after the options"
        return f"a single {words.metavar or words.dest}"

    def set_option_names(self, others: Callable[[], Mapping[str, CommandParser]]) -> None:
        """Set defaults of the namespace: `options` maps each name to its option, for `spelt_place`, and
        `refuse_rest` refuses words that the command does not take, `refuse` exits with 2."""
        options = [action for action in self._actions if action.option_strings]
        self.set_defaults(
            options={action.dest: action.option_strings[0] for action in options},
            refuse=self.error,
            refuse_rest=partial(self.refuse_rest, others=others),
        )


_WIDTH_OUTSIDE_TERMINALS = 80


class TerminalFormatter(argparse.HelpFormatter):
    """argparse's formatter with a given width.

    argparse makes a formatter for every option. Without a width, each formatter loads `shutil` and asks the
    system, which takes a tenth of a whole compile.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())


@cache
def help_width() -> int:
    """The width of help: `COLUMNS`, otherwise the width of the terminal, minus 2 as in argparse."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns) - 2
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns - 2
    except (OSError, ValueError):
        return _WIDTH_OUTSIDE_TERMINALS - 2


def spelt_place(place: Place | str, arguments: argparse.Namespace) -> Place | str:
    """The place of a message as the command line spells it: `--max-vgprs` for the argument `max_vgprs`.

    `arguments` were parsed by `CommandParser`; their `options` map each name to its option. Other places, and
    the names of sources, stay as they are.
    """
    options: dict[str, str] = getattr(arguments, "options", {})
    sources: list[str] = [*getattr(arguments, "sources", ()), getattr(arguments, "source", None) or ""]
    if isinstance(place, Place) or place in sources:
        return place
    name, bracket, rest = place.partition("[")
    return f"{options[name]}{bracket}{rest}" if name in options else place
