"""The findings of a file as JSON; docs/check.md describes the document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from asmgen.check.findings import Finding, Site
from asmgen.check.listing import Listing

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
        "consumer": _site(finding.consumer),
        "producer": None if finding.producer is None else _site(finding.producer),
        "fix": None if fix is None else [*fix],
    }


def _site(site: Site) -> Json:
    encoded = site.encoded
    return {
        "text": site.text,
        "place": str(site.place),
        "line": site.place.line or None,
        "address": None if encoded is None else encoded.address,
        "bytes": None if encoded is None else encoded.bytes.hex(),
    }
