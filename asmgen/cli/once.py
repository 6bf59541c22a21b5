"""Options that are given once, for a second one would silently win over the first, and options that would
change nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from asmgen.cli.formatter import TerminalFormatter
from isa.diagnostics import InputError, close_names

# What compilers and other tools call an option of ours.
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


class Once(argparse.Action):
    """Stores an option's value, and in `namespace.given` that the option was given."""

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
                    f"got {values!r} for an option that was given already, wanted it once",
                )
            given.add(option_string)
        setattr(namespace, self.dest, values)


class Flag(argparse.Action):
    """An option without a value: True where it was given, which `namespace.given` says too."""

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
    """InputError CLI005 for the first of some options that was given although it would change nothing."""
    for option in options:
        if option in arguments.given:
            raise InputError(
                option, "CLI005", f"{why}, so {option} would change nothing", help=f"leave {option} out"
            )


class Version(argparse.Action):
    """Prints the version and ends the command; it is looked up only if it is asked for."""

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
    """A parser whose help is as wide as the terminal, and which says if the help cannot be written."""

    def __init__(self, **named: Any) -> None:
        # an abbreviated option may mean another one when options are added
        super().__init__(formatter_class=TerminalFormatter, allow_abbrev=False, **named)

    def print_help(self, file: Any = None) -> None:
        """Print the help; OSError if it cannot be written, which argparse passes over."""
        print(self.format_help(), end="", file=file or sys.stdout)

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and the message, which a usage of all options would hide."""
        print(f"usage: {self.prog} ...\n{self.prog}: error: {message}", file=sys.stderr)
        print(f"  help: `{self.prog} --help` shows what there is", file=sys.stderr)
        sys.exit(2)


class CommandParser(HelpfulParser):
    """The parser of a subcommand: its options are given once unless they say otherwise."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.register("action", None, Once)
        self.register("action", "store_true", Flag)
        self.set_defaults(given=set[str]())

    def refuse_rest(self, rest: Sequence[str], others: Mapping[str, CommandParser]) -> NoReturn:
        """Exit with 2 for words that the command line has too many; `others` are all commands by name."""
        word = next((each for each in rest if each.startswith("-")), None)
        if word is None:
            self.error(f"got {rest[0]!r}, wanted {self._wanted_words()}")
        option = word.partition("=")[0]
        having = [name for name, other in others.items() if option in other._option_string_actions]
        known = [name for name in self._option_string_actions if name.startswith("--")]
        same = _OF_OTHER_TOOLS.get(option)
        if having:
            self.error(f"{option} is an option of {' and '.join(having)}, wanted one of this command")
        if same is not None and same.split()[0] in self._option_string_actions:
            self.error(f"unknown option {option}: did you mean {same}?")
        self.error(f"unknown option {option}: {close_names(option, known) or 'no command has it'}")

    def _wanted_words(self) -> str:
        """How many words without an option the command takes."""
        words = next((action for action in self._actions if not action.option_strings), None)
        if words is None:
            return "no more words: the command takes none"
        if words.nargs == "+":
            return f"every {words.metavar} in one row, before or after the options"
        return f"one {words.metavar}"

    def set_option_names(self, others: Mapping[str, CommandParser]) -> None:
        """Leave in `namespace.options` the option that gives each name, for `spelt_place`, and in
        `namespace.refuse_rest` what refuses words that the command does not take."""
        options = [action for action in self._actions if action.option_strings]
        self.set_defaults(
            options={action.dest: action.option_strings[0] for action in options},
            refuse_rest=partial(self.refuse_rest, others=others),
        )


def output_name(text: str) -> str:
    """The value of -o."""
    if not text:
        raise InputError("-o", "OUT002", "got an empty name, wanted a file, or - for standard output")
    return text
