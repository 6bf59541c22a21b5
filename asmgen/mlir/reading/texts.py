"""Texts that the parser does not read: deep nesting, old spellings of MLIR, and other languages.

* `refuse_deep_nesting`: MLIR's parser recurses for each bracket and each sign. If its stack overflows, the
  process ends without a message.
* `respelled` rewrites the spellings of LLVM 22 and before. The length of the text and all places stay.
* `without_empty_locations` takes out locations without a line: the parser then gives the place in the file.
* `refuse_old_spellings` names the spelling of today for the spellings of the first years.
"""

from __future__ import annotations

import re

from isa.diagnostics import InputError, Place

_MOST_BRACKETS = 256  # nested in each other
_MOST_OPERATORS = 256  # in an expression: the depth of its tree
_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|->|[<>]=|[({\[<]|[)}\]>]|,|[-+*]|\b(?:mod|floordiv|ceildiv)\b'
)
_OPENS, _CLOSES = frozenset("({[<"), frozenset(")}]>")
_OPERATORS = frozenset(("-", "+", "*", "mod", "floordiv", "ceildiv"))


def refuse_deep_nesting(text: str, file: str) -> None:
    """`InputError` MLIR008 at the first bracket or operator that is too deep."""
    operators = [0]  # in each bracket around, since its last comma
    kinds = ["{"]
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _OPENS:
            operators.append(0)
            kinds.append(token)
        elif token in _CLOSES and len(kinds) > 1:
            _ = operators.pop(), kinds.pop()
        elif token == "," or kinds[-1] == "{":  # statements follow each other in braces
            operators[-1] = 0
        elif token in _OPERATORS:
            operators[-1] += 1
        if len(kinds) - 1 > _MOST_BRACKETS:
            raise _too_deep(text, file, match.start(), f"more than {_MOST_BRACKETS} brackets in each other")
        if operators[-1] > _MOST_OPERATORS:
            raise _too_deep(text, file, match.start(), f"more than {_MOST_OPERATORS} operators on end")


def _too_deep(text: str, file: str, at: int, what: str) -> InputError:
    line = text.count("\n", 0, at) + 1
    return InputError(Place(file, line, at - text.rfind("\n", 0, at)), "MLIR008", f"got {what}, wanted fewer")


_ALIGNED = r"\{alignment = (?P<bytes>\d+) : i64\}"
_ELEVEN = r"0(?:, [01]){6}(?:, 0){4}"  # the groups of operands of a launch without clusters
_SHARING = r"sdy\.sharding_rule = #sdy\.op_sharding_rule<(?:->|[^<>])*>"
# The old spelling as a pattern, and the spelling of today as a template of its groups.
_RESPELLED: tuple[tuple[str, str], ...] = (
    # #gpu<dim x>, as --mlir-print-op-generic prints the attributes of the GPU dialect
    (
        r"#gpu<(?P<kind>dim|all_reduce_op|shuffle_mode|address_space) (?P<word>\w+)>",
        r"#gpu.\g<kind><\g<word>>",
    ),
    # llvm.mlir.constant(0 : index) : i64
    (r"(?P<constant>llvm\.mlir\.constant\(-?\d+ : )index(?=\) : i64\b)", r"\g<constant>i64"),
    # llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
    (
        rf"(?P<access>\bllvm\.(?:load|store)\b[^\n{{}}]*){_ALIGNED}",
        r"\g<access><alignment = \g<bytes>>",
    ),
    # memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    (rf"(?P<made>\bmemref\.alloca?\([^\n{{}}]*){_ALIGNED}", r"\g<made>alignment = \g<bytes>"),
    # memref.global constant @c : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
    (rf"(?P<made>\bmemref\.global [^\n{{}}]*){_ALIGNED}", r"\g<made>alignment = \g<bytes>"),
    # "gpu.launch": its attributions come after twelve groups of operands, and came after eleven
    (
        rf'(?P<launch>"gpu\.launch"\([^\n]*)operandSegmentSizes = array<i32: (?P<groups>{_ELEVEN})>',
        r"\g<launch>operandSegmentSizes=array<i32:\g<groups>,0>",
    ),
    # rocdl.mfma.f32.16x16x16f16 %a, %b, %c, 0, 0, 0 : (...): the last number is blgp
    (r"(?P<product>\brocdl\.mfma\.[\w.]+ [^\n:]*), 0, 0, 0 :", r"\g<product>,0,0,none:"),
    # linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(...)
    (r"(?P<op>\blinalg\.elementwise )kind=#linalg\.elementwise_kind(?P<kind><\w+>)", r"\g<op>\g<kind>"),
    # the way in which devices may share a custom call, in a dialect that the parser lacks
    (rf", {_SHARING}", ""),
    (rf"{_SHARING}(?:, )?", ""),
)


# permutation = dense<[1, 0]> : tensor<2xi64>, as MHLO and StableHLO until 2023 print lists of numbers
_OF_HLO = re.compile(r"hlo\.\w+\"?\s*\(")
_LIST = re.compile(
    r"(?P<name>\b(?:permutation|broadcast_dimensions|broadcast_sizes|dimensions|start_indices|limit_indices"
    r"|edge_padding_low|edge_padding_high|interior_padding|slice_sizes|window_dimensions|window_strides"
    r"|base_dilations|window_dilations|lhs_dilation|rhs_dilation|window_reversal) = "
    r"|hlo\.slice\b[^\n]*\bstrides = )"
    r"dense<(?P<numbers>[^<>]*)> : tensor<(?P<count>\d+)x(?P<type>i64|i1)>"
)


def respelled(text: str) -> str:
    """The text in the spelling of today."""
    for pattern, today in _RESPELLED:
        text = re.sub(pattern, lambda match, today=today: match.expand(today).ljust(len(match[0])), text)
    if not _OF_HLO.search(text):
        return text
    return _LIST.sub(_list_of_today, _LIST.sub(_list_of_today, text))  # `hlo.slice` may be before other lists


_ALIAS = re.compile(r"^(#loc\d*) = (loc\(.*\))\s*$", re.MULTILINE)
_LOCATION = re.compile(r" loc\((?:(?P<alias>#loc\d*)|unknown|\"[^\"\n]*\"(?:\((?P<inner>#loc\d*)\))?)\)")
_HAS_LINE = re.compile(r'":\d+')


def without_empty_locations(text: str) -> str:
    """The text without ` loc(...)` that name no line of a file, such as `loc(unknown)` and `loc("sum")`."""
    if " loc(" not in text:
        return text
    aliases = dict(_ALIAS.findall(text))

    def has_line(location: str, depth: int = 0) -> bool:
        inner = re.findall(r"#loc\d*", location)
        return bool(_HAS_LINE.search(location)) or (
            depth < len(aliases) and any(has_line(aliases.get(each, ""), depth + 1) for each in inner)
        )

    full = {alias for alias, location in aliases.items() if has_line(location)}

    def blank(match: re.Match[str]) -> str:
        named = match["alias"] or match["inner"]
        return match[0] if named in full else " " * len(match[0])

    lines = text.split("\n")
    return "\n".join([each if each.startswith("#loc") else _LOCATION.sub(blank, each) for each in lines])


def _list_of_today(match: re.Match[str]) -> str:
    """`array<i64: 1, 0>`. A number alone is that of all places."""
    numbers = match["numbers"].strip("[] ")
    is_splat = numbers and "," not in numbers and not match["numbers"].startswith("[")
    listed = ", ".join([numbers] * int(match["count"])) if is_splat else numbers
    return f"{match['name']}array<{match['type']}: {listed}>".ljust(len(match[0]))


_MHLO_NAME = "mhlo"
_LENGTHENED = re.compile(
    r"(?<![\w.])mhlo(?=[.<])(?!\.\w+\s*=)(?:\.(?P<op>\w+))?"
    r"|\blinalg\.(?P<elementwise>abs|add|ceil|div|div_unsigned|erf|exp|floor|log|max|min|mul|negf|powf|reciprocal"
    r"|round|rsqrt|select|sqrt|square|sub|tanh)(?=\s+ins\()"
)
_OF_SIGNED = {"max": "max_signed", "min": "min_signed"}
_OF_CHLO = frozenset(
    ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "erf", "sinh", "square", "top_k"]
)
"""The ops that MHLO and CHLO have, and StableHLO does not."""


class Columns:
    """The columns of a text before words in it became longer: by line, the columns of the longer words, and
    the letters that each has more."""

    def __init__(self) -> None:
        self._added: dict[int, list[tuple[int, int]]] = {}

    def add(self, line: int, column: int, letters: int) -> None:
        self._added.setdefault(line, []).append((column, letters))

    def before(self, place: Place) -> Place:
        """The place in the text as given."""
        added = sum(letters for column, letters in self._added.get(place.line, ()) if column < place.column)
        return place._replace(column=place.column - added) if added else place


def _of_today(word: re.Match[str]) -> str:
    """The longer spelling of a word."""
    if not word[0].startswith(_MHLO_NAME):
        return f"linalg.elementwise <{_OF_SIGNED.get(word['elementwise'], word['elementwise'])}>"
    return ("chlo" if word["op"] in _OF_CHLO else "stablehlo") + word[0].removeprefix(_MHLO_NAME)


def lengthened(text: str) -> tuple[str, Columns]:
    """The text with words of today, which are longer, and its columns: ops of MHLO are those of StableHLO,
    which have the same syntax, and `linalg.exp` is `linalg.elementwise <exp>`."""
    columns = Columns()
    if not _LENGTHENED.search(text):
        return text, columns
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        made, end = "", 0
        for word in _LENGTHENED.finditer(line):
            made += line[end : word.start()]
            today = _of_today(word)
            columns.add(number, len(made) + 1, len(today) - len(word[0]))
            made, end = made + today, word.end()
        lines.append(made + line[end:])
    return "\n".join(lines), columns


# The old spelling as a pattern, its description, and the spelling of today.
_REFUSED: tuple[tuple[str, str, str], ...] = (
    (
        r"\bkernel_module\s*=",
        "gpu.launch_func with the kernel as attributes `kernel` and `kernel_module`",
        "gpu.launch_func @module::@kernel blocks in (%x, %y, %z) threads in (%x, %y, %z) args(%a : type)",
    ),
    (
        r"\bgpu\.kernel_module\b",
        "a module with gpu.kernel_module",
        "gpu.module @name { gpu.func @f() kernel }",
    ),
    (r"\bnvvm\.kernel\s*=", "a function with nvvm.kernel", "gpu.func @f() kernel, in a gpu.module"),
    (
        r'"gpu\.(thread_id|block_id|block_dim|grid_dim)"\(\)\s*\{\s*dimension\s*=\s*"',
        "an id with its dimension as a string",
        "gpu.thread_id x",
    ),
    (
        r'"gpu\.all_reduce".*\bop\s*=\s*"',
        "gpu.all_reduce with its op as a string",
        "gpu.all_reduce add %v uniform {} : (f32) -> (f32)",
    ),
    (
        r"\bgpu\.launch\b[^{]*\bargs\(",
        "gpu.launch with args",
        "gpu.launch; its body reads the values around it",
    ),
    (r'!llvm<"', 'a type !llvm<"...">', "!llvm.ptr, and the LLVM dialect's own types"),
    (r"!llvm\.ptr<[a-z]", "a pointer with the type that it points to", "!llvm.ptr or !llvm.ptr<3>"),
    (r'"?\bstd\.(\w+)', "the dialect std", "arith, cf, func, math or memref: std.addf is arith.addf"),
    (
        r"(?<== )(addf|mulf|subf|divf|addi|muli|subi|cmpi|cmpf)\b",
        "an op of std",
        "arith.addf and the like",
    ),
    (r"(?<![.\w])(load|store|alloc|dealloc|dim)\s+%", "an op of std", "memref.load and the like"),
    (r"^\s*func\s+@", "func as an op of builtin", "func.func @name(...)"),
    (r"(?<![.\w])(br|cond_br)\b\s*[%^]", "a branch of std", "cf.br and cf.cond_br"),
    (r"(?<== )constant\s", "constant of std", "arith.constant"),
    (r"\bloop\.(for|if|parallel)\b", "the dialect loop", "scf.for, scf.if, scf.parallel"),
    (
        r"\bllvm\.(load|store)\b[^\n]*\{alignment =",
        "an alignment among the attributes, as LLVM 22 and before have it",
        "llvm.load %p <alignment = 4> : !llvm.ptr -> f32",
    ),
    (
        r"\bmemref\.alloca?\b[^\n]*\{alignment =",
        "an alignment among the attributes, as LLVM 22 and before have it",
        "memref.alloc() alignment = 64 : memref<4xf32>",
    ),
    (r"\bllvm\.mlir\.null\b", "llvm.mlir.null", "llvm.mlir.zero : !llvm.ptr"),
)
_COMMENT = re.compile(r"//[^\n]*")


def refuse_old_spellings(text: str, file: str, refused: Place | str) -> None:
    """`InputError` MLIR003 at the first old spelling on the line that the parser refused."""
    if not isinstance(refused, Place) or refused.file != file:
        return
    code = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    first: tuple[int, str, str] | None = None
    for pattern, what, now in _REFUSED:
        for match in re.finditer(pattern, code, re.MULTILINE):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            is_refused = _line(code, start) <= refused.line <= _line(code, match.end() - 1)
            if is_refused and (first is None or start < first[0]):
                first = start, what, now
    if first is None:
        return
    start, what, now = first
    raise InputError(
        Place(file, _line(code, start), start - code.rfind("\n", 0, start)),
        "MLIR003",
        f"{what} is an old spelling, wanted the spelling of today",
        help=f"write {now}",
    )


def _line(code: str, position: int) -> int:
    return code.count("\n", 0, position) + 1


# The beginnings of lines of such a text, and the help.
_LANGUAGES = (
    (
        r"define\s.*@|declare\s.*@|target triple\b|source_filename\b",
        "this is LLVM IR: mlir-translate --import-llvm makes MLIR of it",
    ),
    (
        r".*\b__global__\s|.*\b(?:__)?kernel\s+void\b|#include\b",
        "this is HIP or OpenCL: clang makes the code object that `run` and `check` take",
    ),
    (r"\w+ = @param:", "this is gen text: give the file the suffix .gen"),
    (r"\s*(?:\.amdgcn_target|\.amdhsa_kernel|s_endpgm)\b", "this is assembly: give the file the suffix .s"),
)


def of_other_language(text: str) -> str:
    """Help for a text of another language that the parser refused; empty for MLIR."""
    for pattern, help in _LANGUAGES:
        if re.search(f"^(?:{pattern})", text, re.MULTILINE):
            return help
    return ""
