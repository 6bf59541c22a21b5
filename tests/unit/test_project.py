"""The project's own files: README's promises, the modules that an import loads, the package's own
metadata."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.commands import run

ROOT = Path(__file__).parents[2]
HEAVY = ("numpy", "sympy", "ml_dtypes", "elftools", "msgpack", "rich")


def blocks_of_readme(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_python(*arguments: str, directory: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=directory, env=environment, check=False)


@pytest.mark.broad
@pytest.mark.usefixtures("few_sizes")
def test_readme_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every `sh` block of README, in order and in one directory; of the catalogue at small sizes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    commands = [line for block in blocks_of_readme("sh") for line in block.splitlines()]
    assert len(commands) > 10
    for command in commands:
        assert command.startswith("python ")
        for shown, small in (("n=100000", "n=1000"), ("rows=64", "rows=8"), ("m=256", "m=32")):
            command = command.replace(shown, small)
        status, printed = run(command)
        assert status == 0, f"{command}\n{printed[-2000:]}"
    assert (tmp_path / "swish.hsaco").read_bytes().startswith(b"\x7fELF")
    assert (tmp_path / "out" / "arg2.npy").exists()


def test_commands_of_the_page_on_tiles_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "tiles.md").read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    shown = page[page.index("  t = tile_load[at={row, c1}](x) -> f32, {1,1024} @ row_of_1024\n  # t") :]
    printed = ""
    for command in commands:
        assert command.startswith("python ")
        status, shown_now = run(command)
        assert status == 0, f"{command}\n{shown_now[-2000:]}"
        printed += shown_now
    assert shown[: shown.index("```")] in printed


def test_the_example_on_the_page_on_tiles_is_the_file() -> None:
    page = (ROOT / "docs" / "tiles.md").read_text(encoding="utf-8")
    quoted = page[page.index("stage blockwise") :]
    assert (ROOT / "examples" / "softmax_tiles.gen").read_text(encoding="utf-8") == quoted[: quoted.index("```")]


def test_readme_program_runs(tmp_path: Path) -> None:
    (text,) = blocks_of_readme("python")
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    done = run_python(str(path), directory=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
def test_readme_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path.partition("#")[0]).exists()


def test_import_loads_nothing_heavy() -> None:
    done = run_python("-c", f"import sys, asmgen; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_emitting_assembly_loads_no_numpy() -> None:
    program = (
        "import sys; from asmgen.cli.main import main; status = main(['kernel', 'vecadd', '--emit', 'asm', '-o', sys.argv[1]]);"
        f"print(status, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert run_python("-c", program, os.devnull).stdout.strip() == "0 []"


def test_a_command_loads_the_modules_that_its_kernel_needs(tmp_path: Path) -> None:
    """Each module costs a start 0.2 ms; an import that only some kernels need belongs into the function that needs it. Of
    msgspec, `inspect` comes with typing_extensions alone."""
    done = run_python("-X", "importtime", "-m", "asmgen", "kernel", "softmax", "--emit", "asm", "-o", str(tmp_path / "softmax.s"))
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    unneeded = (
        "inspect isa.text.parsing isa.emulator asmgen.blockwise.rules.verify asmgen.blockwise.pipelining.rewrite"
        " asmgen.blockwise.lowering.ops.product asmgen.blockwise.schedules.pages.scan asmgen.select.arithmetic.convert"
        " asmgen.select.memory.atomics regalloc.checker.spills regalloc.files.webs regalloc.scan.packing"
        " asmgen.gridwise.split asmgen.graph.named_rules asmgen.select.control.loops asmgen.blockwise.rules.product"
        " asmgen.frontends.sources isa.hazards.rdna isa.mir.places regalloc.tuples platform"
    )
    assert not loaded & {*HEAVY, *unneeded.split()}
    ours = {name for name in loaded if name.partition(".")[0] in {"asmgen", "isa", "regalloc"}}
    assert "asmgen.select.table" in ours
    assert len(ours) <= 396


def test_every_package_is_in_the_distribution_and_says_its_part() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    for package in ("asmgen", "regalloc", "isa"):
        assert f"{package}*" in patterns
        folders = {path.parent for path in (ROOT / package).rglob("*.py")}
        files = {folder: folder / "__init__.py" for folder in folders}
        assert all(file.exists() for file in files.values()), f"a folder of {package} is no package"
        assert [str(folder) for folder, file in files.items() if not file.read_text(encoding="utf-8").startswith('"""')] == []


def test_the_page_names_each_package_above_those_that_it_imports() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("### The packages of asmgen\n")[1].split("\n### ")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in page.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in row]
    assert sorted(named) == sorted(path.parent.name for path in (ROOT / "asmgen").glob("*/__init__.py"))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = [each["layers"] for each in settings["tool"]["importlinter"]["contracts"] if each.get("containers") == ["asmgen"]]
    floors = {name: floor for floor, layer in enumerate(layers) for name in layer.split(" | ")}
    assert [floors[name] for name in named] == sorted(floors[name] for name in named)


@pytest.mark.parametrize(
    ("file", "planted", "broken"),
    [
        ("asmgen/graph/ops.py", "def _planted() -> object:\n    from asmgen.gridwise import cut\n\n    return cut\n", 2),
        ("asmgen/ir/types.py", "if TYPE_CHECKING:\n    from asmgen.ir.program import Op\n", 1),
        ("regalloc/cfg.py", "from regalloc.checker import check\n", 2),
        ("isa/target.py", "from isa.targets import TARGETS\n", 2),
    ],
)
def test_import_linter_finds_a_planted_circle(file: str, planted: str, broken: int, tmp_path: Path) -> None:
    """It breaks the layers too if a contract lists them. An import in a function or for types counts."""
    for name in ("asmgen", "regalloc", "isa", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.json*", "*.gen"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a", encoding="utf-8") as stream:
        stream.write(planted)
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = run_python("-c", code, "--no-cache", directory=tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "round about BROKEN" in " ".join(done.stdout.split())
    assert f"{broken} broken." in done.stdout


def test_golden_files_are_not_updated_in_ci() -> None:
    done = run_python("-m", "pytest", "--update-golden", "--collect-only", "-q", "tests/unit/test_project.py", CI="1")
    assert done.returncode != 0
    assert "--update-golden is refused" in done.stderr


@pytest.mark.broad
def test_a_missing_llvm_tool_fails_where_it_is_required(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    needs_llvm: tools\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text("import pytest\n@pytest.mark.needs_llvm('no-such-tool')\ndef test_it(): pass\n", encoding="utf-8")
    skipped = run_python("-m", "pytest", "-rs", "-p", "no:cacheprovider", directory=tmp_path, ASMGEN_REQUIRE_LLVM="0")
    assert "no-such-tool is not installed" in skipped.stdout
    assert skipped.returncode == 0
    failed = run_python("-m", "pytest", "-p", "no:cacheprovider", directory=tmp_path, ASMGEN_REQUIRE_LLVM="1")
    assert failed.returncode == 1
