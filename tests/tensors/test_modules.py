"""MLIR's parser accepts every module of the cases, and refuses wrong modules at their place."""

from __future__ import annotations

import pytest

from asmgen.mlir.reading.parsing import parse
from isa.diagnostics import InputError
from tests.tensors import jax_functions
from tests.tensors.cases import arithmetic, control, functions, indexed, moving, products, reducing, refused, tensor_ops, wrong
from tests.tensors.random_modules import random_module

GROUPS = (arithmetic, functions, moving, indexed, reducing, products, control, tensor_ops, jax_functions)
WRONG = {case.about: case for case in wrong.BY_PARSER}
MODULE = "module {{\n{}\n}}"


def test_modules_are_of_the_dialects() -> None:
    """All texts in a single module; references of a text are to its own module."""
    texts = [case.text for group in GROUPS for case in group.CASES] + [case.text for case in refused.CASES]
    texts += [random_module(seed, 8, linalg).text for seed in range(20) for linalg in (False, True)]
    _ = parse("\n".join(text if text.lstrip().startswith(("module", "//")) else MODULE.format(text) for text in texts), "cases.mlir")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_module_is_refused_at_its_place(name: str) -> None:
    case = WRONG[name]
    with pytest.raises(InputError) as caught:
        _ = parse(case.text, "module.mlir")
    message = str(caught.value)
    assert message.startswith(f"module.mlir:{case.line}:{case.column}: error[MLIR002]: ")
    assert case.word in message
