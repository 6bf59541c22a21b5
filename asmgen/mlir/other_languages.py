"""Texts of other languages under the name of MLIR: each with what makes a source of it."""

from __future__ import annotations

import re

# How lines of such a text begin, and what to do with it.
_LANGUAGES = (
    (
        r"define\s.*@|declare\s.*@|target triple\b|source_filename\b",
        "this is LLVM IR: mlir-translate --import-llvm makes MLIR of it",
    ),
    (
        r".*\b__global__\s|.*\b(?:__)?kernel\s+void\b|#include\b",
        "this is HIP or OpenCL: clang makes the code object that `run` and `check` take",
    ),
    (r"\w+ = @param:", "this is gen text: give the file the suffix .gen"),
    (r"\s*(?:\.amdgcn_target|\.amdhsa_kernel|s_endpgm)\b", "this is assembly: give the file the suffix .s"),
)


def of_other_language(text: str) -> str:
    """What to do with a text that the parser has refused, if it is of another language; else empty."""
    for pattern, help in _LANGUAGES:
        if re.search(f"^(?:{pattern})", text, re.MULTILINE):
            return help
    return ""
