"""Code object metadata, version 3 and later: YAML as the AMDGPU backend prints it, or msgpack; and kernel
arguments from it."""

from __future__ import annotations

import re
from typing import Any, cast

from msgspec import Struct

from isa.diagnostics import InputError, Place, close_names
from isa.program import STRING_TAG, Argument

_HOW_IT_LOOKS = "`python -m asmgen kernel vecadd --emit asm` prints metadata that is whole"
_KEY = re.compile(r"([^\s:'\"\[\]{}#]+):(?:\s+(.*))?\Z")
_LARGEST_SEGMENT = 1 << 16  # bytes of kernel arguments that are read
_COMMENT = re.compile(r"""^((?:[^'"#]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)*?)(?:(?<=\s)|^)#.*\Z""")
_FLOW_ITEM = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,'"]+)""")  # of a list in brackets
_PAIR = r"""\s*([^\s:'"\[\]{},]+):\s+("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\[\]{}]*\]|[^,'"\[\]{}]+)(?:,|\s*\Z)"""
_FLOW_PAIR, _FLOW_PAIRS = re.compile(_PAIR), re.compile(rf"(?:{_PAIR})+\s*")  # of a mapping in braces
_ESCAPE = re.compile(r"""\\(["\\/])""")
_INTEGER = re.compile(r"-?\d+\Z|0x[0-9a-fA-F]+\Z")


class RegisterCounts(Struct, frozen=True):
    """A kernel's registers by its metadata: `vgprs` counts both files, `sgprs` includes the reserved SGPRs;
    None if the metadata does not say."""

    vgprs: int | None = None
    agprs: int | None = None
    sgprs: int | None = None
    vgpr_spills: int | None = None
    sgpr_spills: int | None = None


NOT_COUNTED = RegisterCounts()


class KernelMetadata(Struct, frozen=True):
    """A kernel's metadata for a launch. `required` is the workgroup size that the kernel was compiled for, if
    any."""

    name: str
    symbol: str
    arguments: tuple[Argument, ...]
    kernarg_size: int
    largest_workgroup: int
    required: tuple[int, int, int] | None
    counts: RegisterCounts = NOT_COUNTED


LARGEST_WORKGROUP = 1024  # work-items; the limit of a launch by default


def parse_yaml(lines: list[tuple[int, str]], file: str) -> Any:
    """Mappings, lists and scalars in block style; `lines` are (line number, text). InputError LOAD010 for
    anything else."""
    plain = ((number, _COMMENT.sub(r"\1", text).rstrip()) for number, text in lines)
    content = [(number, text) for number, text in plain if text.strip() not in ("", "---", "...")]
    value, index = _block(content, 0, file)
    if index != len(content):
        raise _bad(file, content[index])
    return value


def _bad(file: str, line: tuple[int, str]) -> InputError:
    return InputError(
        Place(file, line[0], 1),
        "LOAD010",
        f"metadata line {line[1].strip()!r}, wanted `key: value` or `- item` at its indentation",
        help=_HOW_IT_LOOKS,
    )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _block(content: list[tuple[int, str]], index: int, file: str) -> tuple[Any, int]:
    """The mapping or list that begins at `index`, and the index after it."""
    if index >= len(content):
        return None, index
    indent = _indent(content[index][1])
    if content[index][1].lstrip().startswith("- ") or content[index][1].strip() == "-":
        return _list(content, index, indent, file)
    return _mapping(content, index, indent, file)


def _list(content: list[tuple[int, str]], index: int, indent: int, file: str) -> tuple[list[Any], int]:
    items: list[Any] = []
    while index < len(content):
        number, text = content[index]
        if _indent(text) != indent or not text.lstrip().startswith("-"):
            break
        rest = text[indent + 1 :]
        inner = rest.lstrip(" ")
        if _KEY.match(inner):
            content[index] = (number, " " * (indent + 1 + len(rest) - len(inner)) + inner)
            value, index = _block(content, index, file)
        else:
            value, index = _scalar(inner), index + 1
        items.append(value)
    return items, index


def _mapping(
    content: list[tuple[int, str]], index: int, indent: int, file: str
) -> tuple[dict[str, Any], int]:
    result: dict[str, Any] = {}
    while index < len(content):
        text = content[index][1]
        if _indent(text) < indent or text.lstrip().startswith("- "):
            break
        match = _KEY.match(text.strip())
        if _indent(text) != indent or not match:
            raise _bad(file, content[index])
        key, value = match.group(1), (match.group(2) or "").strip()
        index += 1
        if value:
            result[key] = _scalar(value)
        elif index < len(content) and (
            _indent(content[index][1]) > indent or _starts_list(content[index][1], indent)
        ):
            result[key], index = _block(content, index, file)
        else:
            result[key] = None
    return result, index


def _starts_list(text: str, indent: int) -> bool:
    return _indent(text) == indent and text.lstrip().startswith("- ")


def _scalar(text: str) -> Any:
    text = text.strip()
    if text.startswith(f"{STRING_TAG} "):
        return text.removeprefix(STRING_TAG).strip(" '\"")
    if text in ("[]", "{}"):
        return [] if text == "[]" else {}
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(item) for item in _FLOW_ITEM.findall(text[1:-1])]
    if text.startswith("{") and text.endswith("}") and _FLOW_PAIRS.fullmatch(text[1:-1]):
        return {key: _scalar(value) for key, value in _FLOW_PAIR.findall(text[1:-1])}
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return text[1:-1].replace("''", "'") if text[0] == "'" else _ESCAPE.sub(r"\1", text[1:-1])
    if _INTEGER.match(text):
        return int(text, 0)
    return {"true": True, "false": False}.get(text, text)


def kernels_of(metadata: Any, place: Place) -> list[KernelMetadata]:
    """The kernels that metadata lists. Raises InputError LOAD011 if a required field is missing."""
    kernels = cast(dict[str, Any], metadata).get("amdhsa.kernels") if isinstance(metadata, dict) else None
    if not isinstance(kernels, list):
        raise InputError(place, "LOAD011", "the metadata has no list amdhsa.kernels", help=_HOW_IT_LOOKS)
    return [_kernel(kernel, place) for kernel in cast(list[Any], kernels)]


def _kernel(fields: Any, place: Place) -> KernelMetadata:
    try:
        name = str(fields[".name"])
        required = fields.get(".reqd_workgroup_size")
        return KernelMetadata(
            name,
            str(fields.get(".symbol", name + ".kd")),
            tuple(_argument(argument, i) for i, argument in enumerate(fields.get(".args") or ())),
            min(int(fields.get(".kernarg_segment_size", 0)), _LARGEST_SEGMENT),
            int(fields.get(".max_flat_workgroup_size", LARGEST_WORKGROUP)),
            (int(required[0]), int(required[1]), int(required[2])) if required else None,
            _counts(fields),
        )
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        message = f"the metadata of a kernel lacks a field or has it in another form: {error}"
        raise InputError(place, "LOAD011", message, help=_HOW_IT_LOOKS) from None


def _counts(fields: Any) -> RegisterCounts:
    names = (".vgpr_count", ".agpr_count", ".sgpr_count", ".vgpr_spill_count", ".sgpr_spill_count")
    vgprs, agprs, sgprs, vgpr_spills, sgpr_spills = (
        int(fields[name]) if name in fields else None for name in names
    )
    return RegisterCounts(vgprs, agprs, sgprs, vgpr_spills, sgpr_spills)


def _argument(fields: Any, index: int) -> Argument:
    offset, size = int(fields[".offset"]), int(fields[".size"])
    if not 0 <= offset < _LARGEST_SEGMENT or not 0 < size <= _LARGEST_SEGMENT:
        raise ValueError(f"argument {index} has {size} bytes at offset {offset}")
    alignment = int(fields.get(".pointee_align", 1))
    if not 0 < alignment <= _LARGEST_SEGMENT:
        raise ValueError(f"argument {index} is aligned to {alignment}")
    access = str(fields.get(".actual_access", fields.get(".access", "")))
    return Argument(
        str(fields.get(".name", f"arg{index}")), offset, size, str(fields[".value_kind"]),
        str(fields.get(".address_space", "")), "" if access == "default" else access,
        str(fields.get(".type_name", "")), alignment,
    )  # fmt: skip


def choose(names: list[str], wanted: str | None, place: Place) -> str:
    """The name of the kernel to run: the requested kernel, or the only kernel."""
    if wanted is None:
        if len(names) == 1:
            return names[0]
        raise InputError(
            place,
            "LOAD002",
            f"the file has {len(names)} kernels, and none was named; it has "
            f"{', '.join(sorted(names)) or 'none'}",
            help="name it: --kernel NAME",
        )
    if wanted not in names:
        known = ", ".join(sorted(names)) or "(the file has none)"
        raise InputError(
            place, "LOAD003", f"there is no kernel {wanted!r}, wanted one of {known}",
            help=close_names(wanted, names),
        )  # fmt: skip
    return wanted
