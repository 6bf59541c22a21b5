"""The contract between Python and the page: these records are the page's JSON, field by field.

Everything about an instruction is said by its *line*, its index in the listing. The lines of a listing are
the instructions of the loaded code (`Image.code.instructions`), so they are also those of a clock model's
trace of the same image. Lists of a listing and of a profile that say "by line" have an element for each line.

A list described as *flat* is a list of successive records of a fixed number of integers.
"""

from __future__ import annotations

from msgspec import Struct

FORMAT = 1


class Fact(Struct, frozen=True):
    """A figure at the top of the page, such as `VGPRs`, `25`, `32 taken by a wave`. `tone` is empty, `good`,
    or `warn` for a figure that costs time."""

    label: str
    value: str
    detail: str = ""
    tone: str = ""


class SourceFile(Struct, frozen=True):
    """A source file that lines name, and its text by lines; `text` is empty if it is not known."""

    name: str
    text: tuple[str, ...] = ()


class Block(Struct, frozen=True):
    """A basic block: its label, its first line, the number of its lines and of the loops around it. A
    `padding` block is folded when the page opens."""

    label: str
    first: int
    count: int
    depth: int = 0
    padding: bool = False


class Loop(Struct, frozen=True):
    """A loop: the label of its header, the lines from the first to the last of its blocks, and the number of
    loops around these, itself included."""

    label: str
    first: int
    last: int
    depth: int


class RegisterFile(Struct, frozen=True):
    """The registers of a file that are live.

    * `name`: `VGPR`, `AGPR` or `SGPR`; `letter`: `v`, `a` or `s`
    * `pressure`: by line, the registers that are needed there
    * `ranges`: flat, of three: the number of a register, and the first and the last line of a live range
    * `steps`: flat, of two: a number of waves, and the most registers of the file with which a SIMD still
      runs them; descending by waves. Empty if the file never limits the waves
    """

    name: str
    letter: str
    pressure: list[int]
    ranges: list[int]
    steps: list[int] = []


class Listing(Struct, frozen=True):
    """The instructions of a kernel.

    * `text`: by line, with physical registers
    * `address`: by line, bytes from the start of the code; empty if they are not known
    * `unit`: by line, an index into `units`, the hardware that issues it
    * `op`: by line, an index into `ops`, the source ops; -1 if there is none
    * `place`: by line, an index into `places`, pairs of a file of `files` and its line (from 1); -1 if there
      is none
    * `jumps`: flat, of two: the line of a branch, and the line of its target
    * `flow`: flat, of two: an index of `blocks`, and that of a block to which the wave may go after it
    """

    text: list[str]
    address: list[int]
    unit: list[int]
    units: list[str]
    op: list[int]
    ops: list[str]
    place: list[int]
    places: list[tuple[int, int]]
    files: list[SourceFile]
    blocks: list[Block]
    loops: list[Loop]
    jumps: list[int]
    flow: list[int]
    registers: list[RegisterFile]


class Section(Struct, frozen=True):
    """A table of the panel beside the listing: a title, a sentence, headings and rows of cells. `lines` has
    the line that a click on a row shows, -1 if there is none. A heading that begins with `#` aligns its
    column right."""

    title: str
    text: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[int, ...] = ()


class Panel(Struct, frozen=True):
    """A tab of the panel beside the listing."""

    name: str
    sections: tuple[Section, ...]


class Wave(Struct, frozen=True):
    """A wave of the timeline: its name, its SIMD, the clock at which it starts, and its spans.

    `spans` is flat, of five, in the order of time: clocks, the cause (an index of `Profile.causes`), the line
    that the wave executes or waits to execute, the line of the culprit, and the wave of the culprit (an index
    of `Profile.waves`); the last two are -1 if there is none. Spans follow each other without a gap. Adjacent
    spans that differ only in their clocks may be a single span.
    """

    name: str
    simd: int
    start: int
    spans: list[int]


class Profile(Struct, frozen=True):
    """The clocks of a kernel.

    * `facts`: figures for the top of the page; `notes`: sentences, such as the uncertainty of the figures
    * `causes`: names of the causes of a clock; `issued` is the cause of the clocks in which a wave issues
    * `executions`: by line, how often waves executed it
    * `charges`: flat, of four, ascending by line: a line, a cause, its clocks of all waves, and the line of
      the culprit, -1 if there is none. A line's clocks are the sum of its charges; its stalls are those of
      other causes than `issued`
    * `clocks`: from the start of the timeline to the end of its last wave
    """

    clocks: int
    causes: list[str]
    executions: list[int]
    charges: list[int]
    waves: list[Wave]
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    panels: tuple[Panel, ...] = ()


class KernelPage(Struct, frozen=True):
    """A kernel of the page. `subtitle` says its target and its workgroups."""

    name: str
    subtitle: str
    facts: tuple[Fact, ...]
    listing: Listing
    panels: tuple[Panel, ...] = ()
    profile: Profile | None = None


class Page(Struct, frozen=True):
    """A page: the kernels of a source. `format` is raised when a field changes its meaning."""

    kernels: tuple[KernelPage, ...]
    format: int = FORMAT
