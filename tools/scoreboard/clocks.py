"""The clocks of a program's launches by the clock model, for ours and for other compilers' code objects."""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.profile.build import profile_launch
from asmgen.profile.launches import Launch
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.targets import parse_target
from isa.timing.chips import CHIPS


def clocks_of(launches: Iterable[tuple[Image, KernelCall]]) -> float:
    """The clocks of successive launches."""
    return sum(_clocks(image, call) for image, call in launches)


def clocks_between(launches: int, target: str) -> float:
    """The clocks between so many successive launches: of the end of a launch and of the start of the next."""
    return (launches - 1) * CHIPS[parse_target(target).target.name].launch_clocks


def _clocks(image: Image, call: KernelCall) -> float:
    return profile_launch(Launch(image, call, image.name)).profile.launch_clocks
