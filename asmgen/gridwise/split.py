"""The algorithm of a reduction or a scan, chosen before launches are cut: a single reduction, or partial
results that another reduction combines.

    s = reduce_sum[axes={1}](x)       x is {2,1048576}

is two rows, and a workgroup a row leaves most of the target idle. In 128 parts it is

    parts = reshape[dims={2,128,8192}](x)
    sums = reduce_sum[axes={2}](parts)          {2,128,1}
    flat = reshape[dims={2,128}](sums)
    s = reduce_sum[axes={1}](flat)

The two reductions have different dims, so they are two launches. An incomplete part is padded with the
identity element. A reduction of values shifted by the result of another, as in softmax, is in the same two
launches (`asmgen.gridwise.shifted`), and so is argmax (`asmgen.gridwise.found`). A scan in parts is two
or three launches (`asmgen.gridwise.scanned`).
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.graph.ops import CONVERT, REDUCTIONS, SCANS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.rounded import WIDEN
from asmgen.gridwise.beside import with_results_beside
from asmgen.gridwise.division import division
from asmgen.gridwise.partial import Partial, in_two_steps
from asmgen.gridwise.scanned import scan_in_parts, scan_passed_on
from asmgen.gridwise.shifted import Defined, shifted
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type

_ALONE = Share(1)


def split(module: Module, parts: Mapping[Value, Share], propagates_nan: bool = False) -> Module:
    """The module, with the reductions and scans of which `parts` has the result in so many parts, or somewhat
    more.

    `propagates_nan` is the rule of max and min, on which it depends what changes no result of theirs.
    """
    rewriter, defined = Rewriter(module), definitions(module)
    done: dict[Value, Partial] = {}
    for statement in module.statements:
        share = parts.get(statement.results[0], _ALONE) if statement.results else _ALONE
        wanted = share.parts
        if wanted == 1:
            rewriter.keep(statement)
        elif statement.op in SCANS and share.length:
            scan_passed_on(rewriter, statement, share.length)
        elif statement.op in SCANS:
            scan_in_parts(rewriter, statement, wanted, propagates_nan)
        elif not shifted(rewriter, statement, defined, done):
            done |= _in_parts(rewriter, statement, defined, share, propagates_nan)
    return with_results_beside(rewriter.module(), done.values())


def combined(in_parts: Module, parts: Mapping[Value, Share]) -> frozenset[Value]:
    """The reductions of a module that `split` made which combine the results of parts."""
    defined = definitions(in_parts)
    ends = [defined[value] for value, share in parts.items() if share.parts > 1 and value in defined]
    # a mean is a product with the sum
    found = [end if end.op in REDUCTIONS else defined[end.operands[0]] for end in ends]
    return frozenset([each.result for each in found if each.op in REDUCTIONS])


def _in_parts(
    rewriter: Rewriter, statement: Statement, defined: Defined, share: Share, propagates_nan: bool
) -> dict[Value, Partial]:
    """A reduction in two steps, by its result; empty if it has no parts and stays as it is."""
    (x,) = statement.operands
    dims, kept = tensor_type(x).dims, tensor_type(statement.result).dims
    is_widened = defined[x].op in (CONVERT, WIDEN)
    source = defined[x].operands[0] if is_widened else x  # the type in memory
    bytes_ = min(x.type.element.bytes, source.type.element.bytes)
    how = division(dims, kept, share.parts, bytes_, share.length, share.axes)
    if how is None:
        rewriter.keep(statement)
        return {}
    return {statement.result: in_two_steps(rewriter, statement, how, propagates_nan)}
