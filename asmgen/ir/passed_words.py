"""The memory through which the workgroups of a scan pass on what precedes them: words of 64 bits, all 0 at
the launch. A word has a number in its lower half, and 1 in its upper half once the number is there, so that a
reader needs no other word. A number of 64 bits takes two words, in the two halves of its block.

A row of workgroups is in blocks of `BLOCK`. A block has a word for the total of each of its workgroups, a
word for the total before the block, and others that keep blocks apart in caches. The first block of all
counts the workgroups that started.

    {rows, blocks, 264}      0 to 255: the totals; 256: what precedes the block; 257: the workgroups so far
"""

from __future__ import annotations

from asmgen.index.size import Dim, Sizes
from asmgen.ir.types import ElementType, TensorType

BLOCK = 256  # workgroups
BEFORE, COUNTER = BLOCK, BLOCK + 1  # words of a block
WORDS = BLOCK + 8
BYTES = 8  # of a word


def halves(element: ElementType) -> int:
    """The words of a number in the type in which lanes compute."""
    return -(-element.bits // 32)


def passed_words(rows: Dim, parts: Dim, element: ElementType) -> Sizes:
    """The dims of the words for a number of rows of workgroups. There is an extra block, so that no condition
    is needed: the last workgroup of every block writes what precedes the next.
    """
    return rows, parts // BLOCK + 1, WORDS * halves(element)


def blocks_of(words: TensorType) -> Dim:
    """The blocks of a row of workgroups. Each block begins with what precedes it."""
    return words.dims[1] if words.rank == 3 else 1


def is_of_block(offset: int) -> bool:
    """Whether a word some bytes behind that of a workgroup is what precedes a block."""
    return offset // BYTES % WORDS == BEFORE
