"""Profiles for tests."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import asmgen
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.ir.arrays import Array
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.kernels.catalogue import build_kernel
from asmgen.options import make_options
from asmgen.profile.launches import LaunchOptions, filled
from asmgen.profile.result import Profile
from asmgen.profile.sources import launch_of_code, launches_of_source, profiled
from isa.targets import parse_target
from tools.clang_peer import compile_command

NO_OPTIONS = LaunchOptions()
EXAMPLES = Path(__file__).parents[3] / "examples"


def compile_catalogue(name: str, target: str, **settings: str) -> CompiledProgram:
    source = Source.of_program(name, build_kernel(name, list(settings.items())))
    return compile_read(source, parse_target(target), make_options({}))


@cache
def catalogue_profile(name: str, target: str, **settings: str) -> Profile:
    """The profile of a catalogue kernel with these parameters."""
    return profiled(launches_of_source(compile_catalogue(name, target, **settings), name, NO_OPTIONS))


def mlir_profile(name: str, target: str, options: LaunchOptions) -> Profile:
    path = EXAMPLES / f"{name}.mlir"
    return profiled(launches_of_source(asmgen.compile(str(path), target=target), str(path), options))


def clang_profile(source: str, target: str, options: LaunchOptions, folder: Path) -> Profile:
    """The profile of a kernel of tools/clang-kernels."""
    path = folder / f"{source}.co"
    _ = subprocess.run(compile_command(source, str(path), target, ()), check=True, capture_output=True)
    return profiled([launch_of_code(path.read_bytes(), path.name, None, options)])


def array(element: str, *shape: int) -> Array:
    return filled(ELEMENT_TYPES[element], shape, max(shape), 0)
