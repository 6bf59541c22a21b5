"""The rules of a gridwise program: each has its code, the rule in words, and a remedy."""

from __future__ import annotations

from typing import NoReturn

from isa.diagnostics import InputError, InternalError, Place
from isa.named_tuple import NamedTuple


class Rule(NamedTuple):
    code: str
    says: str
    help: str


ONCE = Rule(
    "GRW001",
    "a dim, a buffer and a launch have names of their own",
    "rename one of them, and its uses",
)
KNOWN = Rule(
    "GRW002",
    "a launch reads and writes buffers of the program",
    "declare the buffer: NAME = temporary[first=A, last=B] -> f32, {8}",
)
BOUND = Rule(
    "GRW003",
    "a launch reads the buffers that the @param lines of its body name",
    "the list after the launch's name is those names",
)
RETURNED = Rule(
    "GRW004",
    "a launch writes a buffer for each value that its body returns",
    "the list after the arrow has a name for each",
)
READ_SHAPE = Rule(
    "GRW005",
    "a @param has the type, sizes and strides of the buffer that it names",
    "change the buffer's line or the @param line",
)
WRITTEN_SHAPE = Rule(
    "GRW006",
    "a returned value has the type and sizes of its buffer",
    "change the buffer's line or the body",
)
ROW_MAJOR = Rule(
    "GRW007", "what launches write is row-major, without gaps", "leave the strides of the buffer out"
)
GIVEN = Rule("GRW008", "parameters and scalars are read only", "write a result or a temporary")
ONE_WRITER = Rule(
    "GRW009",
    "a buffer is written by a single launch, once; another launch may add to it, or write it in the other "
    "case of a condition",
    "declare a buffer for each",
)
WRITTEN_FIRST = Rule(
    "GRW010",
    "a buffer is written before it is read",
    "move the launch that writes it before the launch that reads it",
)
WRITTEN = Rule(
    "GRW011",
    "every result and every temporary is written, a result in every case of a condition",
    "have a launch write it, or take its line away",
)
READ = Rule("GRW012", "every temporary is read", "remove its line, and the returned value")
LIFETIME = Rule(
    "GRW013",
    "a lifetime goes from a launch of the program to the same or a later launch",
    "name two launches, in their order",
)
COVERS = Rule(
    "GRW014",
    "a lifetime covers every launch that writes or reads the temporary",
    "widen it: first is the writer, last the last reader",
)
GRID = Rule("GRW015", "a grid is 1 to 3 functions of the dims", "write it in dims and whole numbers")
GRID_SIZE = Rule(
    "GRW016",
    "a grid has from 0 to 2^32 - 1 workgroups along each axis",
    "share the work out over fewer workgroups",
)
SHARED = Rule(
    "GRW019",
    "the grid of a launch is the grid of its schedule",
    "change the grid, or the choices after 'by'",
)
PAGE = Rule(
    "GRW020",
    "rows and columns are schedules of bodies with reductions, scan of those with scans, sort of those with "
    "sorts, scatter of those with additions to memory, contract of those with a matrix product, pointwise of "
    "those with none",
    "name another schedule after 'by'",
)
POWERS = Rule(
    "GRW021",
    "rows, lanes, waves, teams, m, n, k and elements of an access are powers of two, and the lanes no more "
    "than a wave has; a side of a transpose may be a whole axis",
    "choose a power of two",
)
FITS = Rule(
    "GRW024",
    "the choices after 'by' are some that the schedule has for the body and the target",
    "change them as the message says",
)
LOWERED = Rule(
    "GRW023", "a body has ops on types that reach the target", "write the computation in other ops"
)
IN_PLACE = Rule(
    "GRW025",
    "a result over a parameter has its type and sizes, no later launch reads the parameter, and no workgroup "
    "writes an element of it that another accesses",
    "leave [over=...] out",
)
RUNS = Rule(
    "GRW026",
    "a launch that runs the kernel of an earlier launch has another buffer for each buffer of that launch, "
    "and no result of the two launches is over a parameter",
    "write the launch with a grid, a schedule and a body of its own",
)
WHEN = Rule(
    "GRW027",
    "the condition of a launch is a function of the dims that is 0 or 1",
    "write it as min(..., 1) or 1 - min(..., 1)",
)
SIZES = Rule(
    "GRW017", "a size is a function of the dims, and is not negative", "write it in dims and whole numbers"
)
REACH = Rule(
    "GRW018",
    "a buffer has no more elements than an index of 32 bits reaches",
    "split the tensor, or shorten its strides",
)

RULES = (
    ONCE, KNOWN, BOUND, RETURNED, READ_SHAPE, WRITTEN_SHAPE, ROW_MAJOR, GIVEN, ONE_WRITER, WRITTEN_FIRST,
    WRITTEN,
    READ, LIFETIME, COVERS, GRID, GRID_SIZE, SHARED, PAGE, POWERS, LOWERED, FITS, IN_PLACE, RUNS, WHEN,
    SIZES,
    REACH,
)  # fmt: skip


class Fault(NamedTuple):
    """A broken rule, its cause, and its place; a program that was built and not read has no place."""

    rule: Rule
    what: str
    place: Place | None = None

    def raise_(self, program: str) -> NoReturn:
        """Raises `InputError` for a program that was read, `InternalError` for a program that was built."""
        if self.place is None:
            raise InternalError("gridwise", program, f"{self.what} ({self.rule.says})")
        raise InputError(
            self.place, self.rule.code, self.what, (f"the rule: {self.rule.says}",), self.rule.help
        )
