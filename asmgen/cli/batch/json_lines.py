"""A JSON line for a result of a batch. Documents that the command printed are values of the line."""

from __future__ import annotations

import json

from asmgen.batch.results import Result


def line_of(result: Result) -> str:
    """The result as an object on a line: its fields with a value, and `documents` in place of an output that
    consists of JSON documents."""
    fields = {
        name: value
        for name in ("source", "status", "fault", "reason", "seconds", "output", "errors")
        if (value := getattr(result, name)) != ""
    }
    documents = _documents(result.output)
    if documents:
        del fields["output"]
        fields["documents"] = documents
    return json.dumps(fields, ensure_ascii=False)


def _documents(text: str) -> list[object]:
    """The JSON documents that a text consists of; none if it has anything else."""
    decoder = json.JSONDecoder()
    documents: list[object] = []
    rest = text.strip()
    while rest:
        if not rest.startswith(("{", "[")):
            return []
        try:
            document, end = decoder.raw_decode(rest)
        except ValueError:
            return []
        documents.append(document)
        rest = rest[end:].lstrip()
    return documents
