"""Marks every block of a copy of the tree, and reads the marks that a test leaves.

The marks are bytes of a file that every process of the copy maps, including the processes that tests start.
"""

from __future__ import annotations

import ast
import mmap
from collections.abc import Sequence
from pathlib import Path

from tools.plant_faults.blocks import Block, Blocks, with_marks
from tools.plant_faults.tree import sources, write_bytecode

VARIABLE = "PLANT_FAULTS_MARKS"
_TABLE = "__marks__"
_MODULE = "plant_faults_marks"
_READER = f'''
import mmap, os
name = os.environ.get("{VARIABLE}")
if name:
    with open(name, "r+b") as file:
        {_TABLE} = mmap.mmap(file.fileno(), 0)
else:
    {_TABLE} = bytearray(1 << 20)
'''


def mark(root: Path, known: Sequence[Block] = ()) -> list[Block]:
    """Write bytecode with marks for every file of the copy, without changing the sources.

    Returns the blocks in the order of their bytes. `known` blocks keep their place, so a record stays valid
    after a change.
    """
    trees = {file: ast.parse(text) for file, text in sources(root).items()}
    blocks = {file: Blocks(file, tree) for file, tree in trees.items()}
    order = [
        block
        for each in blocks.values()
        for block in (*[start[2] for start in each.starts], *[entry[1] for entry in each.lambdas])
    ]
    order = list(dict.fromkeys([*known, *order]))
    numbers = {block: number for number, block in enumerate(order)}
    _ = (root / f"{_MODULE}.py").write_text(_READER)
    for file, tree in trees.items():
        marked = with_marks(tree, blocks[file], numbers, _TABLE)
        first = next(
            (at for at, statement in enumerate(marked.body) if not _stays_first(statement)), len(marked.body)
        )
        take = ast.ImportFrom(_MODULE, [ast.alias(_TABLE)], 0)
        marked.body.insert(
            first, ast.fix_missing_locations(ast.copy_location(take, ast.Pass(lineno=1, col_offset=0)))
        )
        write_bytecode(root / file, compile(marked, str(root / file), "exec", dont_inherit=True))
    return order


def _stays_first(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def marks(path: Path, count: int) -> mmap.mmap:
    """A new file of `count` marks, mapped."""
    _ = path.write_bytes(bytes(max(count, mmap.PAGESIZE)))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)
