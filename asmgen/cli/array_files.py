"""Arrays of .npy files, for the options that name such files."""

from __future__ import annotations

import os
import struct
from tokenize import TokenError
from typing import Any

import numpy as np

from asmgen.files import refuse_pipe
from asmgen.ir.arrays import as_numbers
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]
_NPY = b"\x93NUMPY"
# what numpy's reader of headers raises, which trusts what they say
_LOAD_ERRORS = (
    OSError, ValueError, EOFError, MemoryError, OverflowError, RecursionError, SyntaxError, TypeError,
    LookupError, AttributeError,
    TokenError, struct.error,
)  # fmt: skip


def load_array(path: str, place: str) -> Array:
    """The array of a .npy file in this machine's byte order; InputError ARG003 or ARG005 at `place` where
    there is none.

    It is mapped first, so that a header cannot ask for more than there is.
    """
    try:
        refuse_pipe(os.stat(path).st_mode, place, "ARG003")
        with open(path, "rb") as file:
            if file.read(len(_NPY)) != _NPY:
                message = "the file does not begin as a .npy file does, wanted one that np.save wrote"
                raise InputError(place, "ARG003", message)
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except _LOAD_ERRORS as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(place, "ARG003", f"the array cannot be read: {reason.lower()}") from error
    return np.array(as_numbers(array, place, "ARG005"))
