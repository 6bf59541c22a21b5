"""Reads tile programs as `printer` prints them. Every error is an `InputError` at its place.
`read_head` and `read_statements` read the head of a kernel and its statements.

Codes: GEN0xx as in gen text (`asmgen.gentext.parser`), BLK001 for a layout that breaks a rule of
layouts, BLK002 for an index that cannot be read, BLK003 for a broken rule of tile programs.
"""

from __future__ import annotations

from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.rules.verify import (
    check,
    check_relaunches,
    check_result_numbers,
    check_results_over,
)
from asmgen.blockwise.text.read_head import HeadReader
from asmgen.blockwise.text.read_statements import StatementReader
from asmgen.ir.header import read_header
from asmgen.ir.program import Relaunch, Stage
from asmgen.ir.relaunches import read_relaunch
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TILE_TOKENS, SourceText, tokenize
from isa.diagnostics import InputError
from isa.target import Target


def read_program(text: str, file_name: str) -> TileProgram:
    """Read a file of stage blockwise; each kernel keeps the rules of `asmgen.blockwise.rules.verify`."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    if stage is not Stage.BLOCKWISE or not target:
        raise InputError(source.place(0), "GEN017", "wanted 'stage blockwise TARGET' as the first line")
    return TileProgram(target, *_read_launches(source, start, target.target))


def _read_launches(
    source: SourceText, start: int, machine: Target
) -> tuple[tuple[Kernel, ...], tuple[Relaunch, ...]]:
    """The kernels and the relaunches from the offset `start` on, after the stage line."""
    cursor = Cursor(source, tokenize(source, start, TILE_TOKENS))
    cursor.skip_newlines()
    kernels: list[Kernel] = []
    relaunches: list[Relaunch] = []
    while not cursor.at_end():
        if cursor.at("relaunch"):
            relaunches.append(read_relaunch(cursor, [kernel.name for kernel in kernels]))
            continue
        kernels.append(_read_kernel(cursor))
        if kernels[-1].name in [kernel.name for kernel in kernels[:-1]]:
            raise InputError(
                kernels[-1].place or "",
                "GEN005",
                f"kernel {kernels[-1].name} is defined a second time, wanted another name",
            )
        check(kernels[-1], machine)
    check_relaunches(kernels, relaunches)
    check_result_numbers((*kernels, *relaunches))
    check_results_over(kernels)
    return tuple(kernels), tuple(relaunches)


def _read_kernel(cursor: Cursor) -> Kernel:
    head = HeadReader(cursor).head()
    statements = StatementReader(cursor, head.names).statements("of the kernel")
    cursor.end_of_statement()
    layouts = tuple(head.names.layouts.items())
    return Kernel(
        name=head.name,
        grid=head.grid,
        waves=head.waves,
        lanes=head.lanes,
        statements=statements,
        layouts=layouts,
        place=head.place,
        results=head.results,
        dims=head.dims,
        counts=head.counts,
    )
