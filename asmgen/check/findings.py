"""Everything that `check` has to say of a function, as records: text and JSON are made of these alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from asmgen.check.analysis import Examined, Missing
from asmgen.check.listing import Encoded, ListedFunction, Listing
from asmgen.check.mistakes import Mistake, mistakes_in
from asmgen.check.wasted import Stronger
from isa.diagnostics import Place
from isa.instruction import Instr
from isa.targets import TargetId
from isa.text.printing import format_instr

# Notes on code that is right, or only slower: clang's own code has many, so they are counted.
QUIET = frozenset({"CHK003", "CHK004", "CHK005", "CHK040"})


class Site(Struct, frozen=True):
    """An instruction of a function and its place: a line, or an address with its bytes."""

    text: str
    place: Place
    encoded: Encoded | None


class Finding(Struct, frozen=True):
    """An error or a note about the instruction `consumer`, because of the `producer` before it.

    `missing` names the missing wait, which belongs at `position` ("before" or "after" the consumer).
    `message` describes any other fault; `rule` names the hazard rule or counter. `fix` lists the instructions
    to insert there, or to replace the consumer with if nothing is missing; None if no wait mends the fault.
    """

    code: str
    is_note: bool
    function: str
    message: str
    consumer: Site
    producer: Site | None = None
    missing: str = ""
    position: str = ""
    rule: str = ""
    fix: tuple[str, ...] | None = None


def findings_in(function: ListedFunction, target: TargetId) -> list[Finding]:
    """Every finding of a function, errors and notes, in the order of the text."""
    examined = Examined(function, target)
    wasted = examined.wasted()
    findings = [(lack.index, _lack(function, lack)) for lack in examined.missing()]
    mistakes = mistakes_in(function, target) + examined.notes()
    findings += [(mistake.index, _mistake(function, mistake)) for mistake in mistakes]
    findings += _wasted(function, wasted)
    if wasted is not None:
        findings += [(wait.index, _stronger(function, wait)) for wait in examined.stronger(wasted)]
    return [finding for _, finding in sorted(findings, key=lambda each: (each[0], each[1].code))]


def quiet_counts(findings: Sequence[Finding]) -> dict[str, int]:
    """How many notes there are of each code that is only counted."""
    counts = Counter(finding.code for finding in findings if finding.code in QUIET)
    return dict(sorted(counts.items()))


def _lack(function: ListedFunction, lack: Missing) -> Finding:
    site, producer = _site(function, lack.index), _site_of(function, lack.producer)
    position = "after" if lack.is_after else "before"
    message = f"missing {lack.text} {position} {site.text}: {lack.rule}"
    return Finding(
        code=lack.code,
        is_note=False,
        function=function.name,
        message=message,
        consumer=site,
        producer=producer,
        missing=lack.text,
        position=position,
        rule=lack.rule,
        fix=lack.fix,
    )


def _mistake(function: ListedFunction, mistake: Mistake) -> Finding:
    site = _site(function, mistake.index)
    producer = None if mistake.earlier is None else _site_of(function, mistake.earlier)
    return Finding(
        mistake.code, mistake.is_note, function.name, f"{site.text}: {mistake.text}", site, producer
    )


def _wasted(function: ListedFunction, wasted: Sequence[int] | None) -> Iterator[tuple[int, Finding]]:
    """The notes on wasted waits and NOPs, by instruction index; a single note if the search takes too
    long."""
    if wasted is None:
        text = f"{function.name} is too large for the search for wasted waits and NOPs"
        yield 0, Finding("CHK004", True, function.name, text, _site(function, 0))
        return
    for index in wasted:
        site = _site(function, index)
        text = f"{site.text} is wasted: without it nothing is missing"
        yield index, Finding("CHK003", True, function.name, text, site, fix=())


def _stronger(function: ListedFunction, wait: Stronger) -> Finding:
    site = _site(function, wait.index)
    required, has = f"{wait.counter}({wait.required})", f"{wait.counter}({wait.has})"
    text = f"{site.text}: required {required}, has {has}, which waits for accesses that nothing needs yet"
    return Finding("CHK040", True, function.name, text, site, fix=(format_instr(wait.looser),))


def _site(function: ListedFunction, index: int) -> Site:
    encoded = function.encoded[index] if function.encoded else None
    return Site(format_instr(function.instructions[index]), function.places[index], encoded)


def _site_of(function: ListedFunction, instr: Instr) -> Site:
    """The site of an instruction object of the function."""
    return _site(function, function.index_of(instr))


FORMAT = 1
Json = dict[str, "JsonValue"]
JsonValue = str | int | bool | None | list["JsonValue"] | Json


def to_json(listing: Listing, findings: Sequence[Finding]) -> str:
    """The document, indented by two; ends with a line break."""
    notes = Counter(finding.code for finding in findings if finding.is_note)
    errors = [finding for finding in findings if not finding.is_note]
    missing = sum(bool(finding.missing) for finding in errors)
    refused: list[JsonValue] = [
        {"name": name, "code": error.code, "reason": error.message} for name, error in listing.refused.items()
    ]
    document: Json = {
        "format": FORMAT,
        "file": listing.name,
        "target": str(listing.target),
        "functions": len(listing.functions),
        "instructions": sum(len(function.instructions) for function in listing.functions),
        "missing": missing,
        "wrong": len(errors) - missing,
        "notes": {code: notes[code] for code in sorted(notes)},
        "refused": refused,
        "findings": [_finding(finding) for finding in findings],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _finding(finding: Finding) -> Json:
    fix = finding.fix
    return {
        "code": finding.code,
        "kind": "note" if finding.is_note else "error",
        "function": finding.function,
        "message": finding.message,
        "missing": finding.missing or None,
        "position": finding.position or None,
        "rule": finding.rule or None,
        "consumer": _site_json(finding.consumer),
        "producer": None if finding.producer is None else _site_json(finding.producer),
        "fix": None if fix is None else [*fix],
    }


def _site_json(site: Site) -> Json:
    encoded = site.encoded
    return {
        "text": site.text,
        "place": str(site.place),
        "line": site.place.line or None,
        "address": None if encoded is None else encoded.address,
        "bytes": None if encoded is None else encoded.bytes.hex(),
    }
