"""`python -m tools.profile_foreign --count 2000 --seed 1`: profiles random kernels that LLVM compiles.

Each kernel is random OpenCL C: loops, branches, local memory, barriers, atomics, private arrays, numbers of 8
to 64 bits. clang-22 compiles it for a random target with random options. With `--llc`, clang only writes its
IR, and llc-22 compiles that with options of its own: other selectors, allocators and orders. `asmgen
profile` must give the clocks, or refuse the kernel by a code; the tool prints anything else, a failure, with
the source.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
from msgspec import Struct, field
from rich.progress import track

from asmgen.profile.build import profile_launch
from asmgen.profile.files import launch_of_file
from asmgen.profile.launches import LaunchOptions
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import ArgumentValue
from isa.targets import TARGETS
from tools.clang_peer import CLANG

LLC, LLD = "llc-22", "ld.lld-22"
_ELEMENTS = 4096  # of each array; a power of two, so that a mask keeps each index within it
_LOCAL, _PRIVATE = 512, 8  # elements of the arrays in LDS, and of those of a work-item
_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
_FLAGS = ("-ffast-math", "-fno-unroll-loops", "-fno-vectorize", "-g", "-cl-mad-enable")
_LLC_FLAGS = (
    "-global-isel", "-vgpr-regalloc=basic", "-sgpr-regalloc=basic", "-misched=gcn-max-ilp",
    "-enable-misched=false", "-amdgpu-waitcnt-forcezero", "-disable-post-ra", "-amdgpu-early-ifcvt",
    "-amdgpu-dpp-combine=false", "-amdgpu-atomic-optimizer-strategy=DPP",
    "-amdgpu-schedule-relaxed-occupancy", "-disable-lsr",
)  # fmt: skip
_FLOATS, _WHOLE = ("float", "half", "double"), ("int", "uint", "long", "short", "uchar")
_DTYPES = {
    "float": np.float32, "half": np.float16, "double": np.float64, "int": np.int32, "uint": np.uint32,
    "long": np.int64, "short": np.int16, "uchar": np.uint8,
}  # fmt: skip


class Foreign(Struct, frozen=True):
    """A kernel `k` as source, its target, the options of clang and those of llc (if it compiles the kernel),
    and the types of its two arrays."""

    number: int
    text: str
    target: str
    options: tuple[str, ...]
    types: tuple[str, str]
    waves: int
    llc: tuple[str, ...] = ()

    def built(self, folder: Path) -> bytes | None:
        """The code object; None if LLVM refuses the kernel."""
        source, output = folder / "k.cl", folder / "k.hsaco"
        source.write_text(self.text, encoding="utf-8")
        language = ("-x", "cl", "-cl-std=CL2.0", "-w", "-nogpulib", "-target", "amdgcn-amd-amdhsa")
        clang = [CLANG, *language, f"-mcpu={self.target}", *self.options, str(source), "-o"]
        commands = [[*clang, str(output)]]
        if self.llc:
            ir, linkable = folder / "k.ll", folder / "k.o"
            commands = [
                [*clang, str(ir), "-S", "-emit-llvm"],
                [LLC, f"-mcpu={self.target}", *self.llc, "-filetype=obj", str(ir), "-o", str(linkable)],
                [LLD, "-shared", str(linkable), "-o", str(output)],
            ]
        output.unlink(missing_ok=True)
        for command in commands:
            if subprocess.run(command, capture_output=True, check=False).returncode:
                return None
        return output.read_bytes()

    def arguments(self) -> list[ArgumentValue]:
        arrays = [np.arange(_ELEMENTS).astype(_DTYPES[each]) for each in self.types]
        return [*arrays, np.int32(7)]


class Figures(Struct):
    """How a run went. `refused` counts kernels by the code of the refusal."""

    profiled: int = 0
    unbuilt: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])
    failures: list[tuple[Foreign, str]] = field(default_factory=list)


class _Writer:
    """Writes the statements of a kernel."""

    def __init__(self, random: Random, floats: str, whole: str, lanes: int) -> None:
        self.random, self.floats, self.whole, self.lanes = random, floats, whole, lanes
        self.names = 0

    def kernel(self) -> str:
        body = "\n".join(self._statements(1, self.random.randint(3, 9)))
        return f"""#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__attribute__((amdgpu_flat_work_group_size({self.lanes}, {self.lanes})))
__kernel void k(__global {self.floats} *a, __global {self.whole} *b, int n) {{
  __local {self.floats} shared[{_LOCAL}];
  int lane = __builtin_amdgcn_workitem_id_x();
  int place = __builtin_amdgcn_workgroup_id_x() * {self.lanes} + lane;
  {self.floats} x = a[place & {_ELEMENTS - 1}];
  {self.whole} y = b[(place * 3) & {_ELEMENTS - 1}];
  {self.floats} own[{_PRIVATE}] = {{0}};
  shared[lane & {_LOCAL - 1}] = x;
{body}
  a[place & {_ELEMENTS - 1}] = x + own[y & {_PRIVATE - 1}];
  b[(place * 3) & {_ELEMENTS - 1}] = y;
}}
"""

    def _statements(self, depth: int, count: int, together: bool = True) -> list[str]:
        return [line for _ in range(count) for line in self._statement(depth, together)]

    def _statement(self, depth: int, together: bool) -> Iterator[str]:
        """If all lanes of the workgroup come here `together`, the statement may have a barrier."""
        pad, kind, choose = "  " * depth, self.random.randrange(11), self.random.choice
        if kind < 4 or depth > 3:
            yield f"{pad}{choose((f'x = {self._float()};', f'y = {self._int()};'))}"
        elif kind == 4:
            yield f"{pad}own[({self._int()}) & {_PRIVATE - 1}] = {self._float()};"
        elif kind == 5:
            yield f"{pad}shared[({self._int()}) & {_LOCAL - 1}] = x;"
            if together:
                yield f'{pad}__builtin_amdgcn_fence(5, "workgroup"); __builtin_amdgcn_s_barrier();'
            yield f"{pad}x += shared[(lane + {self.random.randrange(9)}) & {_LOCAL - 1}];"
        elif kind == 6 and self.whole in ("int", "uint", "long"):
            yield f"{pad}__atomic_fetch_add(&b[y & {_ELEMENTS - 1}], ({self.whole})lane, 0);"
        elif kind == 7:
            yield f"{pad}if ({self._condition()}) {{"
            yield from self._statements(depth + 1, self.random.randint(1, 3), together=False)
            yield f"{pad}}}"
        elif kind == 8:
            self.names += 1
            name = f"i{self.names}"
            yield f"{pad}for (int {name} = 0; {name} < {choose(('n', '3', '20'))}; {name}++) {{"
            yield from self._statements(depth + 1, self.random.randint(1, 3), together)
            yield f"{pad}}}"
        elif kind == 9:
            self.names += 1
            name = f"t{self.names}"
            yield f"{pad}for (int {name} = lane; {name} > 0 && {name} < 999; {name} = {name} / 2) {{"
            yield from self._statements(depth + 1, self.random.randint(1, 2), together=False)
            yield f"{pad}}}"
        else:
            yield f"{pad}a[(place ^ {self.random.randrange(64)}) & {_ELEMENTS - 1}] = x;"

    def _float(self) -> str:
        choose = self.random.choice
        made = (
            f"x * ({self.floats})1.5 + ({self.floats})y", f"a[({self._int()}) & {_ELEMENTS - 1}] - x",
            f"x / (({self.floats})2 + x * x)", f"own[lane & {_PRIVATE - 1}] + x",
            f"({self.floats})__builtin_amdgcn_sqrtf((float)x)",
            f"x > ({self.floats})3 ? x - ({self.floats})1 : -x",
        )  # fmt: skip
        return choose(made)

    def _int(self) -> str:
        choose = self.random.choice
        made = (
            "y + place", "y * 7 + 1", "y ^ lane", "y >> 1", "(int)y % 13", "(int)y / 5", "n - (int)y",
            f"b[place & {_ELEMENTS - 1}]", "__builtin_amdgcn_readfirstlane((int)y)",
            "__builtin_amdgcn_ds_bpermute(lane * 4, (int)y)",
        )  # fmt: skip
        return choose(made)

    def _condition(self) -> str:
        return self.random.choice(("lane & 1", "y > 5", "x < 0", "n > 3", "place < 100"))


def foreign(seed: int, number: int, by_llc: bool = False) -> Foreign:
    """The kernel of a number, compiled by clang or by llc; the same each time."""
    random = Random(seed * 1_000_003 + number)
    target = random.choice(list(TARGETS))
    floats, whole, waves = random.choice(_FLOATS), random.choice(_WHOLE), random.choice((1, 2, 4, 8))
    options = [random.choice(_LEVELS), *random.sample(_FLAGS, random.randint(0, 2))]
    if len(TARGETS[target].wave_sizes) > 1 and random.random() < 0.3:
        options.append("-mwavefrontsize64")
    text = _Writer(random, floats, whole, 32 * waves).kernel()
    llc = (
        (random.choice(("-O0", "-O1", "-O2", "-O3")), *random.sample(_LLC_FLAGS, random.randint(0, 3)))
        if by_llc
        else ()
    )
    return Foreign(number, text, target, tuple(options), (floats, whole), waves, llc)


def profile_all(kernels: Sequence[Foreign], show: bool = False) -> Figures:
    """Builds and profiles the kernels; with `show`, a bar on standard error."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        for kernel in track(kernels, "kernels", disable=not show):
            built = kernel.built(Path(name))
            if built is None:
                figures.unbuilt += 1
                continue
            try:
                sizes = (4, 1, 1), (32 * kernel.waves, 1, 1)
                options = LaunchOptions("k", *sizes, tuple(kernel.arguments()))
                profile = profile_launch(launch_of_file(built, "k.hsaco", None, options)).profile
                figures.profiled += 1
                if (
                    profile.launch_clocks < 1
                    or sum(clocks for _, clocks in profile.causes) != profile.residence
                ):
                    figures.failures.append((kernel, f"{profile.launch_clocks} clocks, {profile.causes}"))
            except InputError as refusal:
                figures.refused[refusal.code] += 1
            except Exception:  # noqa: BLE001  a crash of any kind is what this tool looks for
                figures.failures.append((kernel, traceback.format_exc()))
    return figures


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.profile_foreign", description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--llc", action="store_true", help="clang writes IR, and llc compiles it")
    parser.add_argument("--only", type=int, help="only the kernel of this number")
    options = parser.parse_args(arguments)
    numbers = range(options.count) if options.only is None else [options.only]
    kernels = [foreign(options.seed, number, options.llc) for number in numbers]
    figures = profile_all(kernels, show=sys.stderr.isatty())
    for kernel, message in figures.failures[:5]:
        flags = " ".join((*kernel.options, *kernel.llc))
        print(f"# --seed {options.seed} --only {kernel.number}: {kernel.target} {flags}")
        print(kernel.text, message, sep="\n")
    refused = ", ".join([f"{count} {code}" for code, count in sorted(figures.refused.items())]) or "none"
    print(
        f"{figures.profiled} profiled, {len(figures.failures)} failures, refused: {refused}, "
        f"{figures.unbuilt} that LLVM does not compile"
    )
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
