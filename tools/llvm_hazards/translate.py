"""Translates assembly text to LLVM's machine IR, so that single passes of LLVM's back end can run on it.

`llvm-mc --show-inst` gives the encoded opcode and its operands. The opcode table gives the code-generation
opcode and the implicit registers that machine IR spells out. Instructions have a `debug-instr-number`, which
the passes keep and inserted instructions lack.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from tools.llvm_hazards.opcodes import Opcode, generating_opcodes, opcode

TRIPLE = "amdgcn-amd-amdhsa"
_REGISTER_SUFFIX = re.compile(
    r"_(gfxpre11|gfx11plus|gfx9plus|gfxpre9|vi|ci|si|gfx10plus|gfxpre10|LO32)(?=_|$)"
)
_CODEGEN_ALIAS = re.compile(r"(_TIED|_term|_idxen_exact|_exact|_vgprcd|_mac|_gfx90a|_t16|_fake16)")
_WAVE_SIZE = re.compile(r"_w(?:32|64)(?=_gfx1\d)")
_SIGNED = re.compile(r"S_SETREG|S_\w+K_I32")  # instructions with an immediate of 16 bits that has a sign
_BRANCH = re.compile(r"(s_c?branch\w*)\s+(\S+)\Z")
_INSTRUCTION = re.compile(r"<MCInst #\d+ ([^\s>]+)")
_OPERAND = re.compile(r"<MCOperand (Reg|Imm|Expr|DFPImm|SFPImm):?(.*?)>+$")
# LLVM's verifier refuses some instructions that its assembler accepts, so it is turned off.
_FUNCTION_HEAD = (
    "tracksRegLiveness: false", "failsVerification: true", "machineFunctionInfo:", "  isEntryFunction: true",
    "  occupancy: 8", "body: |",
)  # fmt: skip
_BRANCH_READS = {
    "s_branch": "", "s_cbranch_scc0": "$scc", "s_cbranch_scc1": "$scc", "s_cbranch_vccz": "$vcc",
    "s_cbranch_vccnz": "$vcc",
    "s_cbranch_execz": "$exec", "s_cbranch_execnz": "$exec",
}  # fmt: skip


class Refusal(Exception):
    """An instruction that cannot be translated for LLVM, with the reason."""


class Encoded(NamedTuple):
    """llvm-mc's encoding of a line: the encoded opcode, and its operands as (kind, text)."""

    name: str
    operands: tuple[tuple[str, str], ...]


def register_name(name: str) -> str:
    """The machine-IR spelling of a register's name in `llvm-mc --show-inst` (`TTMP4_gfx9plus`)."""
    return "$" + _REGISTER_SUFFIX.sub("", name).lower()


def encode(lines: Sequence[str], cpu: str, features: str) -> list[Encoded | None]:
    """llvm-mc's encoding of each line of assembly, None if it does not assemble."""
    source = "".join(f".Lline{i}:\n{line}\n" for i, line in enumerate(lines))
    command = ["llvm-mc-22", f"--triple={TRIPLE}", f"-mcpu={cpu}", "--show-inst"]
    if features:
        command.append("-mattr=" + features)
    output = subprocess.run(command, input=source, capture_output=True, text=True, check=False).stdout
    encoded: list[Encoded | None] = [None] * len(lines)
    current = -1
    for line in output.splitlines():
        if label := re.match(r"\.Lline(\d+):", line):
            current = int(label.group(1))
        elif current < 0:
            continue
        elif instruction := _INSTRUCTION.search(line):
            if encoded[current] is None:
                encoded[current] = Encoded(instruction.group(1), ())
        elif operand := _OPERAND.search(line):
            before = encoded[current]
            if before is not None:
                encoded[current] = Encoded(
                    before.name, (*before.operands, (operand.group(1), operand.group(2)))
                )
    return encoded


def choose_opcode(encoded: str) -> str:
    """The code-generation opcode for an encoded opcode; if several share the encoding, preferably not an
    alias."""
    names: list[str] = []
    for name in _generating(encoded):
        # LDS instructions of gfx9 and later have a twin that does not read M0.
        twin, plain = opcode(name + "_gfx9"), opcode(name)
        reads_no_m0 = (
            name.startswith("DS_")
            and twin is not None
            and plain is not None
            and twin.operands == plain.operands
        )
        names.append(name + "_gfx9" if reads_no_m0 and not generating_opcodes_of_twin(name) else name)
    if not names:
        return _by_size_of_factors(encoded)
    names = sorted(set(names))
    return next((name for name in names if not _CODEGEN_ALIAS.search(name)), names[0])


def _generating(encoded: str) -> tuple[str, ...]:
    """DPP that names VCC has an encoded opcode for each wave size, but a single code-generation opcode."""
    own = generating_opcodes(encoded)
    either = generating_opcodes(_WAVE_SIZE.sub("", encoded)) if own in ((), (encoded,)) else ()
    return either or own


def _by_size_of_factors(encoded: str) -> str:
    """The opcode table has no entries for the sizes of A and B of gfx950's f8f6f4 instructions."""
    for suffix, ours in (("_gfx940_acd", "_e64"), ("_gfx940_vcd", "_vgprcd_e64")):
        name = encoded.removesuffix(suffix) + ours
        if encoded.endswith(suffix) and opcode(name) is not None:
            return name
    raise Refusal(f"there is no code-generation opcode for {encoded}")


def generating_opcodes_of_twin(name: str) -> bool:
    """True if the twin is an encoded opcode itself, and so another instruction."""
    return generating_opcodes(name + "_gfx9") not in ((), (name + "_gfx9",))


def _signed_immediate(text: str) -> str:
    """An immediate of 16 bits as machine IR writes it for the instructions of `_SIGNED`: with its sign."""
    value = int(text)
    return str(value - 65536) if 32768 <= value < 65536 else text


def _preserves(operands: Sequence[str]) -> bool:
    """True if an SDWA instruction keeps the rest of its destination: dst_unused is before the source
    selects."""
    selects: list[str] = []
    for operand in reversed(operands):
        if operand.startswith("$"):
            break
        selects.insert(0, operand)
    sources = sum(operand.startswith("$") for operand in operands) - 1
    place = -3 if sources >= 2 else -2
    return len(selects) >= -place and selects[place] == "2"


def _with_ties(encoded: Encoded, facts: Opcode) -> Encoded:
    """The operands in code generation's form: with tied sources, without the swizzle bit of buffer
    atomics."""
    operands = list(encoded.operands)
    if "_dpp" in encoded.name and len(operands) == facts.operands + 1:
        operands.pop()  # fetch-inactive of gfx10 and later: not in code generation
    elif len(operands) == facts.operands + 1 and facts.ties[-1] == -1 and operands[-1] == ("Imm", "0"):
        operands.pop()
    for place, define in enumerate(facts.ties):
        if define < 0:
            continue
        if place < len(operands) and operands[place][0] == "Imm":
            operands[place] = operands[define]
        elif len(operands) < facts.operands:
            operands.insert(place, operands[define])
    return Encoded(encoded.name, tuple(operands))


def machine_ir(encoded: Encoded) -> str:
    """The instruction in machine IR. Raises `Refusal` if an operand has no form there."""
    name = choose_opcode(encoded.name)
    facts = opcode(name)
    encoded = _with_ties(encoded, facts) if facts is not None else encoded
    if facts is None or len(encoded.operands) != facts.operands:
        raise Refusal(
            f"{encoded.name} has {len(encoded.operands)} operands, {name} takes "
            f"{facts.operands if facts else 'none'}"
        )
    operands: list[str] = []
    for kind, text in encoded.operands:
        if kind == "Reg":
            operands.append(register_name(text) if text else "$noreg")
        elif kind == "Imm":
            operands.append(_signed_immediate(text) if _SIGNED.match(name) else text)
        else:
            raise Refusal(f"operand {kind}:{text} of {encoded.name}")
    implicit = [f"implicit-def {register_name(r)}" for r in facts.writes] + [
        f"implicit {register_name(r)}" for r in facts.reads
    ]
    if "_sdwa" in name and facts.defines == 1 and len(operands) >= 6 and _preserves(operands):
        implicit.append(f"implicit {operands[0]}(tied-def 0)")
    defines = ", ".join(operands[: facts.defines])
    uses = ", ".join(operands[facts.defines :] + implicit)
    return f"{defines + ' = ' if defines else ''}{name} {uses}".rstrip()


class _IrBlock(Struct):
    lines: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    falls_through: bool = True


class Translator:
    """Translates assembly to machine IR for a processor; llvm-mc encodes each text only once."""

    def __init__(self, cpu: str, features: str) -> None:
        self.cpu = cpu
        self.features = features
        self._known: dict[str, str | Refusal] = {}

    def refuse(self, text: str, reason: str) -> None:
        """Record that LLVM's verifier refuses this instruction."""
        self._known[text] = Refusal(f"{reason} [{text}]")

    def learn(self, texts: Iterable[str]) -> None:
        """Encode all new instructions in a single run of llvm-mc."""
        fresh = [
            text
            for text in dict.fromkeys(texts)
            if text not in self._known and not text.endswith(":") and not _BRANCH.match(text)
        ]
        if not fresh:
            return
        for text, encoded in zip(fresh, encode(fresh, self.cpu, self.features), strict=True):
            if encoded is None:
                self._known[text] = Refusal(f"does not assemble: {text}")
                continue
            try:
                self._known[text] = machine_ir(encoded)
            except Refusal as refusal:
                self._known[text] = refusal

    def machine_ir_of(self, text: str) -> str | None:
        """The machine IR of a learnt instruction; None for instructions without it, such as branches, and for
        labels."""
        known = self._known.get(text)
        return known if isinstance(known, str) else None

    def function(self, name: str, sequence: Sequence[str]) -> str:
        """A function of machine IR for a sequence of instructions, `label:` lines and branches."""
        blocks = [_IrBlock()]
        labels: dict[str, int] = {}
        for number, text in enumerate(sequence, 1):
            if text.endswith(":"):
                labels[text[:-1]] = len(blocks)
                blocks.append(_IrBlock())
            else:
                self._add(blocks, text, number)
        return _function_text(name, blocks, labels)

    def _add(self, blocks: list[_IrBlock], text: str, number: int) -> None:
        block = blocks[-1]
        tag = f"debug-instr-number {number}"
        if branch := _BRANCH.match(text):
            reads = _BRANCH_READS[branch.group(1)]
            block.lines.append(
                f"{branch.group(1).upper()} %{branch.group(2)}{', implicit ' + reads if reads else ''}, {tag}"
            )
            block.targets.append(branch.group(2))
            block.falls_through = bool(reads)
            blocks.append(_IrBlock())
            return
        known = self._known[text]
        if isinstance(known, Refusal):
            raise known
        has_operands = " " in known.split(" = ")[-1].strip()
        block.lines.append(f"{known}{',' if has_operands else ''} {tag}{_memory_operand(known)}")
        if known.startswith("S_ENDPGM"):
            block.falls_through = False


_LDS = re.compile(
    r"(?:.* = )?DS_(?!B?PERMUTE|SWIZZLE|GWS|ORDERED|NOP|BVH|SUB_GS|ADD_GS)(READ|LOAD|WRITE|STORE)?"
)
_LDS_ACCESS = {"READ": "load", "LOAD": "load", "WRITE": "store", "STORE": "store", None: "load store"}


def _memory_operand(instruction: str) -> str:
    """The memory operand of an LDS instruction, without which LLVM does not wait for LDS DMA."""
    access = _LDS.match(instruction)
    return f" :: ({_LDS_ACCESS[access.group(1)]} (s32), addrspace 3)" if access else ""


def _function_text(name: str, blocks: list[_IrBlock], labels: dict[str, int]) -> str:
    lines = ["---", f"name: {name}", *_FUNCTION_HEAD]
    for number, block in enumerate(blocks):
        successors = [labels[target] for target in block.targets]
        body = list(block.lines)
        if block.falls_through and number + 1 == len(blocks):
            body.append("S_ENDPGM 0")
        elif block.falls_through:
            successors.append(number + 1)
        lines.append(f"  bb.{number}:")
        if successors:
            lines.append(
                "    successors: " + ", ".join(f"%bb.{successor}" for successor in dict.fromkeys(successors))
            )
        lines.append("")
        lines += [
            "    " + re.sub(r"%([^\s,]+)", lambda match: f"%bb.{labels[match.group(1)]}", line)
            for line in body
        ]
        lines.append("")
    return "\n".join([*lines, "...\n"])
