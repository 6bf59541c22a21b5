"""A module of JAX, torch or mlir-opt takes at most as many kernels as the same program in gen text, and at most 2 % more instructions."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.options import PROPAGATE
from tests.rows import MACHINES, spread
from tests.tensors import gen_texts, gen_texts_of_jax, gen_texts_of_mlir_opt, gen_texts_of_torch, jax_functions, mlir_opt_functions, torch_functions
from tests.tensors.case import Case
from tests.tensors.running import agree, results

# functions that torch exports with the ops of their text in `gen_texts`
OF_BOTH = ("softmax", "log_softmax", "rms_norm", "where", "swiglu", "cumsum", "einsum", "rope")
MODULES: dict[str, Case] = {case.name: case for case in (*jax_functions.CASES, *torch_functions.CASES, *mlir_opt_functions.CASES)}
TEXTS = (
    {f"jax: {name}": text for name, text in (gen_texts.TEXTS | gen_texts_of_jax.TEXTS).items()}
    | {f"torch: {name}": gen_texts.TEXTS[name] for name in OF_BOTH}
    | {f"torch: {name}": text for name, text in gen_texts_of_torch.TEXTS.items()}
    | {f"mlir-opt: {name}": text for name, text in gen_texts_of_mlir_opt.TEXTS.items()}
)
# of the longer lists: the ordinary tests have the functions that once took more instructions
ORDINARY = (*[f"jax: {name}" for name in gen_texts.TEXTS], *[f"torch: {name}" for name in OF_BOTH])
MENDED = (
    "jax: layer_norm",
    "jax: tril",
    "jax: index_rows",
    "jax: cache_update",
    "jax: segment_sum",
    "jax: scatter_set",
    "jax: conv",
    "torch: gather",
    "torch: index",
    "torch: clamp",
    "torch: nearest",
    "torch: roll_flip",
    "torch: stack",
    "torch: min_dim",
    "torch: norm",
    "torch: index_put",
    "torch: topk",
    "jax: pad_reflect",
    "torch: bilinear",
    "torch: scatter_add",
    "torch: conv1d_depthwise",
    "jax: segment_max",
    "mlir-opt: tosa_transpose_concat",
    "mlir-opt: tosa_argmax",
    "jax: searchsorted",
    "jax: interp",
    "torch: hardswish",
)


def _counts(text: str, target: str) -> tuple[int, int]:
    """Kernels, and instructions of all of them."""
    finished = asmgen.compile(text, target=target, nan=PROPAGATE).compilation.stages.finished
    return len(finished), sum(1 for kernel in finished for _ in kernel.instructions())


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in (*ORDINARY, *MENDED) for machine in MACHINES], each=1))
def test_kernels_and_instructions(machine: str, name: str) -> None:
    kernels, instructions = _counts(MODULES[name].text, machine)
    wanted_kernels, wanted = _counts(TEXTS[name], machine)
    assert kernels <= wanted_kernels
    assert instructions <= wanted * 1.02, f"{instructions} instructions, {wanted} by gen text"


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_every_function_on_every_machine(name: str) -> None:
    for machine in MACHINES:
        test_kernels_and_instructions(machine, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_computes_what_its_module_does(name: str) -> None:
    case = MODULES[name]
    agree(results(TEXTS[name], case.inputs, MACHINES[0], nan=PROPAGATE), case.wanted, case.ulps, case.scale)


def test_each_module_has_a_text() -> None:
    assert TEXTS.keys() == MODULES.keys()
