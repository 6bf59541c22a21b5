"""RDNA4's cache modifiers of memory instructions: a temporal hint, and the scope of a result (RDNA4 ISA,
section 4.4.1).

The values are indices into the words, not the encoding: the same encoding means different hints, depending on
the kind of instruction and on the scope. So some hints are possible with some scopes only.
"""

from __future__ import annotations

from isa.instruction import ModifierSpec

_SCOPES = ("SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS")
_BELOW_SYSTEM, _SYSTEM, _DEVICE_OR_SYSTEM = (0, 1, 2), (3,), (2, 3)


def hint(*words: str, scopes: dict[str, tuple[int, ...]], returning: bool = False) -> ModifierSpec:
    """A temporal hint, by default the first of the words; `scopes` has the words that are not possible with
    every scope."""
    constraints = tuple((words.index(word), "scope", allowed) for word, allowed in scopes.items())
    return ModifierSpec(
        "th", "word", 0, 0, len(words) - 1, words, spelt=returning, required=returning,
        constraints=constraints,
    )  # fmt: skip


SCOPE = ModifierSpec("scope", "word", 0, 0, 3, _SCOPES)
_LOAD_SCOPES = {"TH_LOAD_LU": _BELOW_SYSTEM, "TH_LOAD_BYPASS": _SYSTEM}
SCALAR_TH = hint(
    "TH_LOAD_RT", "TH_LOAD_NT", "TH_LOAD_HT", "TH_LOAD_LU", "TH_LOAD_BYPASS", scopes=_LOAD_SCOPES
)
LOAD_TH = hint(
    "TH_LOAD_RT", "TH_LOAD_NT", "TH_LOAD_HT", "TH_LOAD_LU", "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT",
    "TH_LOAD_BYPASS", scopes=_LOAD_SCOPES,
)  # fmt: skip
STORE_TH = hint(
    "TH_STORE_RT", "TH_STORE_NT", "TH_STORE_HT", "TH_STORE_WB", "TH_STORE_NT_RT", "TH_STORE_RT_NT",
    "TH_STORE_NT_HT", "TH_STORE_NT_WB", "TH_STORE_BYPASS",
    scopes={"TH_STORE_WB": _BELOW_SYSTEM, "TH_STORE_BYPASS": _SYSTEM},
)  # fmt: skip
ATOMIC_TH = hint(
    "TH_ATOMIC_RT", "TH_ATOMIC_NT", "TH_ATOMIC_CASCADE_RT", "TH_ATOMIC_CASCADE_NT",
    scopes={"TH_ATOMIC_CASCADE_RT": _DEVICE_OR_SYSTEM, "TH_ATOMIC_CASCADE_NT": _DEVICE_OR_SYSTEM},
)  # fmt: skip
RETURN_TH = hint(
    "TH_ATOMIC_RETURN", "TH_ATOMIC_NT_RETURN", scopes={"TH_ATOMIC_NT_RETURN": _BELOW_SYSTEM}, returning=True
)
