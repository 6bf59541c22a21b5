"""Whether vectors of a pointwise kernel end with the rows of its buffers."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.schedules.elements.sections import SPARE, Section
from asmgen.index.size import Size, most

SPARE_OF_NARROW = 3  # the places between rows are at most a third, if accesses would be narrow otherwise


def cut_row(sections: Sequence[Section], limit: int) -> int:
    """The elements of the longest row, if a vector of up to `limit` elements should end with its row; else 0.
    Other vectors are those of elements in order: narrower, or an access of an element for each of a vector.
    """
    rows = [_known_row(section) for section in sections]
    if min(rows, default=0) < 2:
        return 0
    longest, width = max(rows), min(limit, 1 << min(rows).bit_length() - 1)
    is_narrow = any(section.vector(limit) < width // 2 for section in sections)
    spare = SPARE_OF_NARROW if is_narrow else SPARE
    places = -(-longest // width) * width
    is_cut = any(row % width for row in rows)
    return longest if is_cut and all((places - row) * spare <= row for row in rows) else 0


def _known_row(section: Section) -> int:
    """The elements of a row that is not in one piece with others; 0 if there are no such rows, or if only the
    launch knows a dim.
    """
    if len(section.groups) < 2 or section.is_of_rows:
        return 0
    return 0 if any(isinstance(size, Size) for size in section.dims) else most(section.merged[-1])
