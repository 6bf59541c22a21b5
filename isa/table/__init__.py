"""Every row, and how to find one.

A row is found by its printed mnemonic and its form; `rows_named` also takes a mnemonic without its encoding suffix and
gives the encodings in the order in which an assembler tries them.
"""

from __future__ import annotations

from isa.diagnostics import InternalError
from isa.instruction import Encoding, Row
from isa.table import control, ds, matrix, salu, smem, valu, vmem, vop3p

_ROWS: tuple[Row, ...] = (*salu.ROWS, *control.ROWS, *smem.ROWS, *valu.ROWS, *vop3p.ROWS, *matrix.ROWS, *vmem.ROWS, *ds.ROWS)
_PREFERENCE = {Encoding.PLAIN: 0, Encoding.E32: 0, Encoding.E64: 1, Encoding.SDWA: 2, Encoding.DPP: 3}


def _index() -> dict[str, tuple[Row, ...]]:
    found: dict[str, list[Row]] = {}
    for row in _ROWS:
        found.setdefault(row.mnemonic, []).append(row)
        if row.name != row.mnemonic:
            found.setdefault(row.name, []).append(row)
        elif row.encoding is Encoding.E64:
            found.setdefault(row.name + row.encoding.value, []).append(row)
    return {name: tuple(sorted(rows, key=lambda row: _PREFERENCE[row.encoding])) for name, rows in found.items()}


_BY_NAME: dict[str, tuple[Row, ...]] = _index()
_BY_FORM: dict[tuple[str, str], Row] = {(row.mnemonic, row.form): row for row in _ROWS}


def all_rows() -> tuple[Row, ...]:
    """Every row, in the order of the table files."""
    return _ROWS


def rows_named(name: str) -> tuple[Row, ...]:
    """The rows of a mnemonic, suffixed or not: e32, e64, sdwa, dpp; empty if there is none of that name."""
    return _BY_NAME.get(name, ())


def row(mnemonic: str, form: str = "") -> Row:
    """The row that is printed as `mnemonic`, in the given form; InternalError if there is none."""
    found = _BY_FORM.get((mnemonic, form))
    if found is None:
        raise InternalError("isa.table", mnemonic, f"no row of this mnemonic in the form {form!r}")
    return found
