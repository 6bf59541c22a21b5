"""The code objects of a file: a code object itself, a bundle, or an ELF file of the host with a bundle."""

from __future__ import annotations

from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.objects.bundles import BundledObject, bundled_objects, is_container
from isa.objects.kernels import object_kernel_names
from isa.targets import TARGETS, TargetId, parse_target


class NamedObject(NamedTuple):
    """A code object, and its name in messages; the name of a code object in a container includes the
    target."""

    name: str
    data: bytes


def code_objects(data: bytes, name: str, target: TargetId | None) -> list[NamedObject]:
    """The code objects of a file; of a container those for `target`, if it is given.

    `InputError` BUN00x as of `isa.objects.bundles`, BUN004 if a container has none for the target.
    """
    if not is_container(data):
        return [NamedObject(name, data)]
    objects = bundled_objects(data, name)
    chosen = [each for each in objects if target is None or _serves(each, target)]
    if not chosen:
        there = ", ".join(dict.fromkeys(each.target for each in objects))
        raise InputError(
            name, "BUN004", f"the file has code for {there}, --target is {target}",
            help="`python -m asmgen list FILE` shows what there is",
        )  # fmt: skip
    return [NamedObject(f"{name}[{each.target}]", each.data) for each in chosen]


def object_with(data: bytes, name: str, kernel: str | None, target: TargetId | None) -> NamedObject:
    """The code object of a file that has a kernel, and is for `target` if that is given.

    `InputError` BUN005 if several have it; as of `code_objects` elsewhere.
    """
    objects = code_objects(data, name, target)
    having = objects if kernel is None else [each for each in objects if _has(each, kernel)]
    if len(having) > 1:
        names = ", ".join(each.name for each in having)
        what = "code objects" if kernel is None else f"kernels {kernel}"
        raise InputError(
            name, "BUN005", f"the file has {len(having)} {what}: {names}; wanted a single object",
            help="--target chooses (target= in Python)",
        )  # fmt: skip
    return having[0] if having else objects[0]


def _has(each: NamedObject, kernel: str) -> bool:
    try:
        return kernel in object_kernel_names(each.data, each.name, needs_metadata=False)
    except InputError:
        return False


def _serves(bundled: BundledObject, target: TargetId) -> bool:
    """Whether a code object is for a target: of the same processor, with no feature that is the opposite."""
    name, _, _ = bundled.target.partition(":")
    if name not in TARGETS or name != target.target.name:
        return False
    features = {*parse_target(bundled.target).features, *target.features}
    return len({feature.rstrip("+-") for feature in features}) == len(features)
