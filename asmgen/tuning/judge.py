"""The launch of a candidate compiled alone, and its time by the clock model."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Choice
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.schedule import schedule_of
from asmgen.budget import room
from asmgen.compilation import Compilation, Stages
from asmgen.compiled import CompiledProgram
from asmgen.compiler import finish
from asmgen.graph.array_sizes import named_dims_of
from asmgen.gridwise.lower import most_of_lane
from asmgen.gridwise.program import GridFile, Temporary
from asmgen.gridwise.program import Launch as GridLaunch
from asmgen.gridwise.stated import stated_for
from asmgen.options import TF32, Options
from asmgen.pipeline import collector_off
from asmgen.profile.build import profile_launch, quick_microseconds
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.sources import launches_of_source
from asmgen.profile.text import bound_text
from asmgen.runtime.calls import program_parameters
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.device import DeviceLaunch, device_launches
from isa.diagnostics import InputError
from isa.targets import TargetId

_MOST_OF_LANE = 512  # elements of a tile: more than all registers of a lane take minutes to compile


class Judge(Struct, frozen=True):
    """Measures candidates for the launches of a file. `sizes` are those of named dims."""

    file: GridFile
    options: Options
    sizes: Mapping[str, int]

    @property
    def launches(self) -> list[GridLaunch]:
        """The launches that candidates number: those with a kernel of their own."""
        return [launch for program in self.file.programs for launch in program.kernels]

    @property
    def target(self) -> TargetId:
        return self.file.target

    def graph(self, launch: int, space: int | None = None) -> Graph:
        """The graph of a launch; a lane may have `space` registers."""
        of, options = self.launches[launch], self.options
        rounds = options.matrix_precision == TF32
        return Graph(of.body, of.writes, options.propagates_nan, space, rounds)

    def estimate(self, candidate: Candidate) -> Measured:
        """About the time of a candidate, from a workgroup. Raises `InputError` for a candidate that does not
        compile or run."""
        return Measured(sum(quick_microseconds(launch) for launch in self._compiled(candidate)))

    def measure(self, candidate: Candidate) -> Measured:
        """The time of a candidate. Raises as `estimate`."""
        profiles = [profile_launch(launch).profile for launch in self._compiled(candidate)]
        return Measured(
            sum(profile.microseconds for profile in profiles),
            sum(profile.launch_clocks for profile in profiles),
            max((profile.vgprs for profile in profiles), default=0),
            "; ".join(bound_text(profile) for profile in profiles),
        )

    def for_device(self, candidate: Candidate) -> tuple[DeviceLaunch, ...]:
        """The launch of a candidate, to measure on the device. Raises as `estimate`."""
        program, given = self._compiled_program(candidate)
        dims = {name: size for name, (size,) in given.sizes.items()}
        return device_launches(program, dims, given.cleared)

    def _compiled(self, candidate: Candidate) -> list[Launch]:
        """The launch of a candidate; none if it has nothing to do."""
        program, given = self._compiled_program(candidate)
        return launches_of_source(program, program.kernels[0].name, given)

    def _compiled_program(self, candidate: Candidate) -> tuple[CompiledProgram, LaunchOptions]:
        """The program of a candidate, and how to launch it."""
        options, target = candidate.build.applied(self.options), self.target
        graph = self.graph(candidate.launch, room(target.target, options))
        _refuse_unfit(graph, candidate.choice, target)
        with collector_off():
            kernel = schedule_of(graph, candidate.choice, target.target)
            if most_of_lane(kernel) > _MOST_OF_LANE:
                message = f"a lane has {most_of_lane(kernel)} elements, wanted {_MOST_OF_LANE} at most"
                raise InputError(kernel.name, "TUN003", message)
            stages = Stages(blockwise=TileProgram(target, (kernel,)))
            program = finish(Compilation(target, options, stages))
        names = named_dims_of(program_parameters(program))
        sizes = {name: (size,) for name, size in self.sizes.items() if name in names}
        return program, LaunchOptions(sizes=sizes, cleared=self._passed)

    @property
    def _passed(self) -> tuple[str, ...]:
        """The buffers that pass between launches. The words of a scan have no other contents than zeros at
        first, and the profile of a whole program has zeros for each."""
        return tuple(
            [
                buffer.name
                for program in self.file.programs
                for buffer in program.buffers
                if isinstance(buffer, Temporary)
            ]
        )


def _refuse_unfit(graph: Graph, choice: Choice, target: TargetId) -> None:
    """`InputError` SCH002 if a choice does not fit."""
    _ = stated_for(graph, {"": choice}, target.target)
