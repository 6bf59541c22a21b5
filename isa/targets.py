"""The targets by name, and target ids."""

from __future__ import annotations

from functools import cache

from isa.diagnostics import InputError, Place, close_names
from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.target_records import RECORDS

TARGETS: dict[str, Target] = {target.name: target for target in RECORDS}


def targets_of(*generations: str) -> tuple[str, ...]:
    """The names of the targets of some generations."""
    return tuple([target.name for target in RECORDS if target.generation in generations])


class TargetId(NamedTuple):
    """A whole target id: the target and its features as clang takes them (`gfx942:sramecc+:xnack-`).

    `gfx1100:wave64` asks for waves of 64 lanes, if the target has them; clang has an option of its own for
    it.
    """

    target: Target
    features: tuple[str, ...] = ()

    @property
    def clang(self) -> str:
        """The id as clang and the code object know it."""
        return ":".join((self.target.name, *self.features))

    @property
    def clang_options(self) -> tuple[str, ...]:
        """The options that clang needs besides the id."""
        return () if self.is_default_wave else (f"-mwavefrontsize{self.target.wave_size}",)

    @property
    def is_default_wave(self) -> bool:
        return self.target.wave_size == TARGETS[self.target.name].wave_size

    def __str__(self) -> str:
        return self.clang if self.is_default_wave else f"{self.clang}:wave{self.target.wave_size}"


@cache
def with_wave_size(target: Target, lanes: int) -> Target:
    """The target as it runs waves of `lanes` lanes: a lane's share of the registers halves as the wave
    doubles."""
    if lanes == target.wave_size:
        return target
    file, granule = (size * target.wave_size // lanes for size in (target.vgpr_file, target.vgpr_granule))
    initial = target.initial_sgprs if lanes == 32 else 0  # waves of 64 are free of that
    return target._replace(wave_size=lanes, vgpr_file=file, vgpr_granule=granule, initial_sgprs=initial)


def _of_triple(name: str) -> str:
    """`leave out amdgcn-amd-amdhsa--` for a target as metadata spell it."""
    triple, dashes, target = name.partition("--")
    return f"leave out {triple}{dashes}" if target in TARGETS else ""


def _of_product(name: str) -> str:
    """`MI300 is gfx942` for the name of a product, with or without its letters at the end: `mi300x`."""
    asked = "".join(name.lower().split())
    for target in TARGETS.values():
        product = "".join(target.products.lower().split())
        if len(asked) >= len(product) and asked.startswith(product):
            return f"{target.products} is {target.name}"
    return ""


@cache
def parse_target(text: str, place: Place | str = "--target") -> TargetId:
    """Read a target id. Raises `InputError` TGT001 to TGT003 with the known targets or features."""
    name, *features = text.split(":")
    if name not in TARGETS:
        raise InputError(
            place, "TGT001", f"unknown target {text!r}, wanted one of {', '.join(sorted(TARGETS))}",
            help=_of_triple(name) or _of_product(name) or close_names(name, TARGETS),
        )  # fmt: skip
    target = TARGETS[name]
    waves = {f"wave{lanes}": lanes for lanes in target.wave_sizes}
    allowed = (
        *(feature + sign for feature in target.features for sign in "+-"),
        *(waves if len(waves) > 1 else ()),
    )
    for feature in features:
        if feature not in allowed:
            wanted = f"one of {', '.join(allowed)}" if allowed else "none"
            raise InputError(place, "TGT002", f"unknown feature {feature!r} of {name}, wanted {wanted}")
    if len({feature.rstrip("+-0123456789") for feature in features}) != len(features):
        raise InputError(place, "TGT003", f"a feature is given twice in {text!r}, wanted each at most once")
    lanes = next((waves[feature] for feature in features if feature in waves), target.wave_size)
    return TargetId(
        with_wave_size(target, lanes), tuple(sorted(feature for feature in features if feature not in waves))
    )
