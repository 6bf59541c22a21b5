"""Selected programs compute what their modules mean: random modules, on virtual registers and after allocation."""

from __future__ import annotations

import pytest

from isa.targets import TargetId
from tests.unit.select.modules import RANDOM_BUFFERS, count_ops, has_regions, random_module
from tests.unit.select.running import OTHERS, TARGET, TARGETS, allocated, difference, emulated, input_arrays, interpreted, selected

pytestmark = pytest.mark.broad

ORDINARY, VARIED, LARGER = 40, 80, 2000


def agree(seed: int, after_allocation: bool, target: TargetId = TARGET) -> None:
    module = random_module(seed)
    arrays = input_arrays(module, seed, len(RANDOM_BUFFERS))
    kernel = selected(module, target)
    wanted = interpreted(module, arrays, target)
    assert difference(wanted, emulated(kernel, module, arrays)) == "", f"seed {seed}, on virtual registers"
    if after_allocation:
        assert difference(wanted, emulated(allocated(kernel), module, arrays)) == "", f"seed {seed}, allocated"


@pytest.mark.parametrize("first", range(0, ORDINARY, 8))
def test_random_modules(first: int) -> None:
    for seed in range(first, first + 8):
        agree(seed, after_allocation=seed % 4 == 0)


@pytest.mark.parametrize("target", OTHERS, ids=str)
def test_random_modules_on_other_targets(target: TargetId) -> None:
    for seed in range(5):
        agree(seed, after_allocation=seed % 4 == 0, target=target)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(ORDINARY, LARGER, 96))
def test_more_random_modules(first: int) -> None:
    for seed in range(first, first + 96):
        agree(seed, True, TARGETS[seed % len(TARGETS)])


def test_random_modules_are_varied() -> None:
    """Most have control flow, and every op of the generator occurs often enough to be met."""
    modules = [random_module(seed) for seed in range(VARIED)]
    assert sum(map(has_regions, modules)) > VARIED * 0.9
    found: dict[str, int] = {}
    for module in modules:
        for name, count in count_ops(module).items():
            found[name] = found.get(name, 0) + count
    assert found["if"] > 3 * VARIED and found["for"] > 2 * VARIED
    assert all(count >= 5 for count in found.values())


def test_selection_is_deterministic() -> None:
    from isa.mir.printer import print_kernel

    assert print_kernel(selected(random_module(3))) == print_kernel(selected(random_module(3)))


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_far_addresses(target: TargetId, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every buffer as if it were beyond 4 GiB: 64-bit addresses, and no scalar loads."""
    from asmgen.select import uniformity
    from asmgen.select.memory import global_memory

    monkeypatch.setattr(global_memory, "SMALL_SPAN", 0)
    monkeypatch.setattr(uniformity, "LARGEST_SCALAR_OFFSET", 0)
    for seed in range(12 if target is TARGET else 3):
        agree(seed, False, target)
        names = {instr.row.form for block in selected(random_module(seed), target).blocks for instr in block.instructions if instr.row.memory_bytes}
        assert "saddr" not in names
