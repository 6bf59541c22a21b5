"""Gridwise texts that several tests read, and how they are edited."""

from __future__ import annotations

from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.program import Launch, LaunchProgram
from asmgen.gridwise.reader import read_file
from isa.targets import TargetId

FULL_SUM = """stage gridwise gfx942
program @full_sum {
  dim n = 4096
  x = parameter -> f32, {n}
  shift = scalar -> f32
  partial = temporary[first=partial_sum, last=full_sum] -> f32, {16,1}
  z = result -> f32, {1}
  twice = result -> f32, {1}
  launch @partial_sum(x) -> (partial) grid(n floordiv 256) by row[rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=1] {
    x = @param:x -> f32, {4096}
    parts = reshape[dims={16,256}](x) -> f32, {16,256}
    sums = reduce_sum[axes={1}](parts) -> f32, {16,1}
    @return(sums)
  }
  launch @full_sum(partial, shift) -> (z) grid(1) by row[rows=1, lanes=16, waves=1, teams=1, vector=1, repeat=1] {
    partial = @param:partial -> f32, {16,1}
    shift = @param:shift -> f32, {}
    flat = reshape[dims={16}](partial) -> f32, {16}
    s = reduce_sum[axes={0}](flat) -> f32, {1}
    shift_broadcast = multibroadcast[out_lens={1}](shift) -> f32, {1}, {0}
    shifted = add(s, shift_broadcast) -> f32, {1}
    @return(shifted)
  }
  launch @double(z) -> (twice) grid(1, 1) by pointwise[vector=1, waves=1, repeat=1] {
    z = @param:z -> f32, {1}
    d = add(z, z) -> f32, {1}
    @return(d)
  }
}
"""


def launches_of(target: TargetId, text: str) -> tuple[Launch, ...]:
    """The launches of the only program of a gen text."""
    (program,) = cut(parse(text, "kernel.gen"), target).file.programs
    return program.launches


def edited(old: str, new: str) -> str:
    """`FULL_SUM` with the first `old` as `new`."""
    assert old in FULL_SUM, old
    return FULL_SUM.replace(old, new, 1)


def read(text: str) -> LaunchProgram:
    (program,) = read_file(text, "full_sum.gen").programs
    return program
