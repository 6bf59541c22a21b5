"""RDNA4's cache modifiers of memory instructions: a temporal hint, and how far a result has to be seen (RDNA4 ISA, section 4.4.1).

The values are indices into the words, not the encoding: one encoding means several hints, by the kind of instruction.
"""

from __future__ import annotations

from isa.instruction import ModifierSpec

SCOPE = ModifierSpec("scope", "word", 0, 0, 3, ("SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"))
_LOADS = ("TH_LOAD_RT", "TH_LOAD_NT", "TH_LOAD_HT", "TH_LOAD_LU", "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT")
_STORES = ("TH_STORE_RT", "TH_STORE_NT", "TH_STORE_HT", "TH_STORE_WB", "TH_STORE_NT_RT", "TH_STORE_RT_NT", "TH_STORE_NT_HT", "TH_STORE_NT_WB")
SCALAR_TH = ModifierSpec("th", "word", 0, 0, 3, _LOADS[:4])
LOAD_TH = ModifierSpec("th", "word", 0, 0, 6, _LOADS)
STORE_TH = ModifierSpec("th", "word", 0, 0, 7, _STORES)
ATOMIC_TH = ModifierSpec("th", "word", 0, 0, 1, ("TH_ATOMIC_RT", "TH_ATOMIC_NT"))
RETURN_TH = ModifierSpec("th", "word", 0, 0, 1, ("TH_ATOMIC_RETURN", "TH_ATOMIC_NT_RETURN"), spelt=True, required=True)
