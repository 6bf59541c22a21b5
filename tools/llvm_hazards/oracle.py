"""Runs LLVM's hazard recogniser and wait insertion on assembly, thousands of short sequences at a time."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence

from tools.llvm_hazards.decode import BLOCK
from tools.llvm_hazards.translate import TRIPLE, Refusal, Translator

# (index of the original instruction, or None if inserted by LLVM; machine IR, or BLOCK at a block's start)
Line = tuple[int | None, str]
Answer = list[Line] | Refusal

AT_ONCE = 256  # functions in a run of llc, which stops at the first bad function and is then repeated

_TAG = re.compile(r"debug-instr-number (\d+)")
_BAD_CODE = re.compile(r"Bad machine code: (.*?)\*\*\*\s+- function:\s+f(\d+)", re.DOTALL)
_BAD_INSTRUCTION = re.compile(r"- instruction: .*debug-instr-number (\d+)")
_PARSE_ERROR = re.compile(r"<stdin>:(\d+):\d+: (.*)")
_CRASH = re.compile(r"Running pass '(.*)' on function '@f(\d+)'")


class Oracle:
    """LLVM for a processor. A sequence is a list of assembly lines: instructions, `label:` and branches.

    The answer is the list with LLVM's insertions, or a Refusal if LLVM cannot read the sequence, or if one of
    its passes crashes, as on `ds_permute_b32 a3, v0, a3`.
    """

    def __init__(self, cpu: str, features: str = "") -> None:
        self.cpu = cpu
        self.features = features
        self.translator = Translator(cpu, features)

    def run(self, sequences: Sequence[Sequence[str]], passes: Sequence[str]) -> list[Answer]:
        """The sequences with the insertions of these passes, run in order."""
        self.translator.learn(text for sequence in sequences for text in sequence)
        refused: dict[int, Refusal] = {}
        functions: dict[int, str] = {}
        for number, sequence in enumerate(sequences):
            try:
                functions[number] = self.translator.function(f"f{number}", sequence)
            except Refusal as refusal:
                refused[number] = refusal
        answers: dict[int, list[Line]] = {}
        numbers = list(functions)
        for first in range(0, len(numbers), AT_ONCE):
            some = {
                number: functions[number]
                for number in numbers[first : first + AT_ONCE]
                if number not in refused
            }
            answers |= self._answers(some, refused, passes, sequences)
        return [refused[number] if number in refused else answers[number] for number in range(len(sequences))]

    def _answers(
        self,
        functions: dict[int, str],
        refused: dict[int, Refusal],
        passes: Sequence[str],
        sequences: Sequence[Sequence[str]],
    ) -> dict[int, list[Line]]:
        """LLVM's answers for some functions. Functions that stop it are entered in `refused`, and the rest
        run again."""
        while functions:
            module = _kernels(functions) + "".join(functions.values())
            done = self._llc(module, passes)
            if done.returncode == 0:
                return _read(done.stdout)
            for number, refusal in self._refusals(done.stderr, module, sequences).items():
                refused[number] = refusal
                functions.pop(number, None)
        return {}

    def _llc(self, module: str, passes: Sequence[str]) -> subprocess.CompletedProcess[str]:
        command = ["llc-22", f"-mtriple={TRIPLE}", f"-mcpu={self.cpu}", "-x=mir", "-", "-o", "-"]
        if self.features:
            command.append("-mattr=" + self.features)
        command += [f"-run-pass={name}" for name in passes]
        environment = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")
        return subprocess.run(
            command, input=module, capture_output=True, text=True, env=environment, check=False
        )

    def _refusals(self, errors: str, module: str, sequences: Sequence[Sequence[str]]) -> dict[int, Refusal]:
        """The sequences to drop after LLVM's verifier, parser or a pass stopped."""
        if bad := _BAD_CODE.search(errors):
            number, reason = int(bad.group(2)), "verifier: " + bad.group(1).strip()
            instruction = _BAD_INSTRUCTION.search(errors)
            if instruction is None:
                return {number: Refusal(reason)}
            text = sequences[number][int(instruction.group(1)) - 1]
            self.translator.refuse(text, reason)
            return {
                i: Refusal(f"{reason} [{text}]") for i, sequence in enumerate(sequences) if text in sequence
            }
        if error := _PARSE_ERROR.search(errors):
            above = module.splitlines()[: int(error.group(1))]
            number = next(int(line[7:]) for line in reversed(above) if line.startswith("name: f"))
            return {number: Refusal("parser: " + error.group(2))}
        if crash := _CRASH.search(errors):
            return {int(crash.group(2)): Refusal(f"crash of {crash.group(1)}")}
        raise RuntimeError(errors[:3000])


def _kernels(functions: dict[int, str]) -> str:
    """The functions as kernels of an IR module, since amdgpu-wait-sgpr-hazards needs the calling
    convention."""
    return (
        "--- |\n"
        + "".join(f"  define amdgpu_kernel void @f{number}() {{ ret void }}\n" for number in functions)
        + "...\n"
    )


def _read(text: str) -> dict[int, list[Line]]:
    """The functions of llc's machine IR, by number."""
    answers: dict[int, list[Line]] = {}
    current: list[Line] = []
    in_body = False
    for line in text.splitlines():
        if line.startswith("name:"):
            current = answers.setdefault(int(line.split("f", 1)[1]), [])
        elif line.startswith("body:"):
            in_body = True
        elif line.startswith("..."):
            in_body = False
        elif in_body and line.startswith("  bb."):
            current.append((None, BLOCK))
        elif in_body and line.startswith("    "):
            instruction = line.strip()
            if instruction and not instruction.startswith(("successors:", "liveins:", ";", "bb.", "{", "}")):
                tag = _TAG.search(instruction)
                current.append((int(tag.group(1)) - 1 if tag else None, instruction))
    return answers
