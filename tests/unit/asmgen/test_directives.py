"""Which directives only an assembler can follow."""

from __future__ import annotations

import pytest

from asmgen.emission.assemble import machinery_in

MAKING = (
    "macro m", "rept 4", "irp x,1,2", "irpc x,12", "if 1", "ifdef x", 'include "x"', "altmacro", 'incbin "x"', "insn 1", "long 1", "word 1",
    "quad 1",
)  # fmt: skip


@pytest.mark.parametrize("directive", MAKING)
def test_what_makes_instructions_is_told(directive: str) -> None:
    assert machinery_in(f"k:\n\ts_nop 0\n\t.{directive}\n\ts_nop 0\n") == f".{directive.split()[0]}"
    assert not machinery_in(f"k:\n\ts_nop 0\n\t.section .rodata\n\t.{directive}\n")
