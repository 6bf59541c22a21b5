"""Random layouts, and text to layouts, for the tests of blockwise."""

from __future__ import annotations

import random
from math import prod

from asmgen.blockwise.layout.layout import Layout, Sizes, layout
from asmgen.blockwise.layout.text import read_layout
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, tokenize


def read(text: str) -> Layout:
    source = SourceText(text, "layout.gen")
    cursor = Cursor(source, tokenize(source))
    made = read_layout(cursor)
    assert cursor.at_end(), text
    return made


def random_bases(draw: random.Random, bits: int) -> list[int]:
    """A basis of all vectors of `bits` bits: unit vectors in any order, some of them added to others."""
    bases = [1 << bit for bit in range(bits)]
    draw.shuffle(bases)
    for _ in range(draw.choice((0, 0, 1, 3, 8)) if bits > 1 else 0):
        target, source = draw.sample(range(bits), 2)
        bases[target] ^= bases[source]
    return bases


def random_sizes(draw: random.Random, most_bits: int) -> Sizes:
    rank = draw.randint(1, 3)
    bits = [0] * rank
    for _ in range(draw.randint(0, most_bits)):
        bits[draw.randrange(rank)] += 1
    return tuple([1 << count for count in bits])


def random_parts(draw: random.Random, sizes: Sizes, zeros: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Bases for registers, lanes and waves, with up to `zeros` zero bases among them."""
    bases = random_bases(draw, prod(sizes).bit_length() - 1)
    for _ in range(draw.randint(0, zeros)):
        bases.insert(draw.randint(0, len(bases)), 0)
    first, second = sorted((draw.randint(0, len(bases)), draw.randint(0, len(bases))))
    return tuple(bases[:first]), tuple(bases[first:second]), tuple(bases[second:])


def random_layout(draw: random.Random, most_bits: int = 5, zeros: int = 2, repeats: bool = True) -> Layout:
    sizes = random_sizes(draw, most_bits)
    repeat = [1] * len(sizes)
    if repeats and draw.random() < 0.3:
        repeat[draw.randrange(len(sizes))] = 3
        repeat[draw.randrange(len(sizes))] *= draw.choice((1, 2))
    return layout(sizes, *random_parts(draw, sizes, zeros), tuple(repeat))
