"""The flags of a code object's ELF header: its target, and whether XNACK and SRAMECC are on (AMDGPUUsage,
"ELF Header")."""

from __future__ import annotations

from isa.targets import TARGETS, TargetId

ABI_VERSIONS = {4: 2, 5: 3, 6: 4}  # of the header, by the version of the code object
NEWEST_VERSION = 6
_MACHINE = 0xFF
_FEATURES = (("sramecc", 10), ("xnack", 8))  # and the lower of its two bits
_UNSUPPORTED, _ANY, _OFF, _ON = range(4)
_SIGNS = {"-": _OFF, "+": _ON}


def flags_of(target: TargetId) -> int:
    """The flags of a code object for a target."""
    flags = target.target.elf_machine_flag
    for name, bit in _FEATURES:
        if name in target.target.features:
            signs = (feature.removeprefix(name) for feature in target.features if feature.startswith(name))
            flags |= _SIGNS.get(next(signs, ""), _ANY) << bit
    return flags


def target_of_flags(flags: int) -> TargetId | None:
    """The target that the flags name; None if it is unknown, or lacks a feature that they turn on or off."""
    spelt = {_OFF: "-", _ON: "+"}
    target = next(
        (target for target in TARGETS.values() if target.elf_machine_flag == flags & _MACHINE), None
    )
    stated = [(name, value) for name, bit in _FEATURES if (value := flags >> bit & 3) in spelt]
    if target is None or any(name not in target.features for name, _ in stated):
        return None
    return TargetId(target, tuple(name + spelt[value] for name, value in stated))
