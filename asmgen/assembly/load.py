"""Kernels by hand in files, as the command line names them: `file.py:name`.

Loading such a file runs it, as `python file.py` does.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.machinery import SourceFileLoader
from inspect import isfunction
from pathlib import Path
from traceback import extract_tb

from asmgen.assembly.kernel import HandKernel
from asmgen.compilation import Source, Stages
from isa.diagnostics import InputError, Place, close_names
from isa.program import Kernel
from isa.targets import TargetId

_OURS = tuple([str(Path(__file__).parents[2] / package) for package in ("asmgen", "isa", "regalloc")])
_OF_ARRAYS = "asmgen.compile(function, inputs=[asmgen.spec(...)]) compiles a function of arrays, in Python"
_NAMED = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)\Z", re.ASCII)


def source_of_kernel(text: str) -> Source:
    """The kernel of `file.py:name` as a source. Besides the errors of `load_kernel`, HND051 if the kernel's
    function fails with an error of its own, such as a division by zero."""
    kernel = load_kernel(text)
    file, _, name = text.rpartition(":")
    path = Path(file)

    def program(target: TargetId) -> Kernel:
        try:
            return kernel.program(target)
        except InputError:
            raise
        except (Exception, SystemExit) as fault:  # whatever the user's function raises
            if extract_tb(fault.__traceback__)[-1].filename.startswith(_OURS):
                raise
            way = f'{name}.compile("{target}") in Python shows how the kernel got there'
            raise _failed(path, fault, kernel.place.file, way) from None

    return Source(str(kernel.place), None, Stages(recorded=lambda target: [program(target)]))


def load_kernel(text: str) -> HandKernel:
    """The kernel of `file.py:name`. `InputError` HND050 for a file or a name that is missing or no kernel,
    and HND051 if the file fails to run."""
    found = _NAMED.match(text)
    assert found is not None, text
    path, name = Path(found["file"]), found["name"]
    if not path.is_file():
        raise InputError(text, "HND050", f"there is no file {path}, wanted a Python file and a kernel in it")
    values = _run(path)
    value = values.get(name)
    if not isinstance(value, HandKernel):
        kernels = [key for key, other in values.items() if isinstance(other, HandKernel)]
        got = "is not a kernel" if name in values else "is not in the file"
        wanted = ", ".join(kernels) or "a function with @kernel of asmgen.assembly"
        help = _OF_ARRAYS if isfunction(value) else close_names(name, kernels)
        raise InputError(text, "HND050", f"{name} {got}, wanted {wanted}", help=help)
    return value


def _run(path: Path) -> dict[str, object]:
    """The names of a file after it has run."""
    module_name = f"asmgen_by_hand_{path.stem}"
    # By the path as it was given: spec_from_file_location makes it absolute, and results would have it.
    loader = SourceFileLoader(module_name, str(path))
    spec = importlib.util.spec_from_loader(module_name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        loader.exec_module(module)
    except InputError:
        raise
    except (Exception, SystemExit) as fault:  # noqa: BLE001 - whatever the user's file raises
        way = f"python {path} shows how the file got there"
        raise _failed(path, fault, str(path), way) from None
    finally:
        del sys.modules[module_name]
    return vars(module)


def _failed(path: Path, fault: BaseException, file: str, way: str) -> InputError:
    """An error that the code of a file raised, at the last line of the file that led to it."""
    lines = [frame.lineno for frame in extract_tb(fault.__traceback__) if frame.filename == file]
    place = Place(str(path), (lines or [0])[-1] or getattr(fault, "lineno", 0) or 0)
    return InputError(place, "HND051", f"{type(fault).__name__}: {fault}", help=way)
