"""Faults in what is cut into launches: parts of reductions, what passes between launches, results."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/gridwise/partial.py",
        (
            "return 0.0 if kind == \"sum\" else 1.0", "return 1.0",
            "a sum is padded with ones", "sum f32 {1,70007} over {1}",
        ),
        (
            "return 0.0 if kind == \"sum\" else 1.0", "return 0.0",
            "a product is padded with zeros", "prod f32 {1,70007} over {1}",
        ),
        (
            "float(low if kind == \"max\" else high)", "float(high if kind == \"max\" else low)",
            "a maximum of integers is padded with the largest", "max i32 {1,70007} over {1}",
        ),
        (
            "not propagates_nan:\n        return nan", "not propagates_nan:\n        return 0.0",
            "a maximum is padded with zeros", "max f32 {1,70007} over {1}",
        ),
        (
            "return -inf if kind == \"max\" else inf", "return inf if kind == \"max\" else -inf",
            "a maximum that keeps NaN is padded with infinity", "max f32 {1,70007} over {1}+nan=propagate",
        ),
        (
            "// prod(self._how.kept)", "// max(1, self._how.kept[-1])",
            "a mean of several rows is of the elements of all", "mean f32 {2,70000} over {1}",
        ),
        (
            "self._rewriter.finish(op, (everything,), statement, axes=axes)",
            "self._rewriter.finish(REDUCE_SUM, (everything,), statement, axes=axes)",
            "partial results are added, whatever they are", "max f32 {1,70007} over {1}",
        ),
        (
            "self._sliced(run, how.size, how.size + how.tail, \"tail\")", "self._sliced(run, 0, how.tail, \"tail\")",
            "the first elements are in place of the last, which no part has", "sum f32 {1,70007} over {1}",
        ),
    ),
    *faults_in(
        "asmgen/gridwise/split.py",
        (
            "REDUCE_SUM if statement.op is REDUCE_MEAN else statement.op", "REDUCE_SUM",
            "the parts of every reduction are sums", "max f32 {1,70007} over {1}",
        ),
    ),
    *faults_in(
        "asmgen/gridwise/shifted.py",
        (
            "parts.apply(MUL, sums, parts.apply(EXP, moved, name=\"factor\"), name=\"scaled\")", "sums",
            "parts of a softmax are added though each is shifted by its own maximum", "softmax f32 {1,70007} axis 1",
        ),
        (
            "parts.apart(operand, -inf)", "parts.apart(operand, 0)",
            "a softmax in parts is padded with zeros", "softmax f32 {1,70007} axis 1",
        ),
        (
            "apply(ADD, own, more, name=\"about\")", "apply(ADD, own, counted, name=\"about\")",
            "the squares of parts are not about the common mean", "layernorm f32 {1,70007} axis 1",
        ),
        (
            "parts.of_lengths(whole, last), 1", "parts.of_lengths(whole, whole), 1",
            "the last part counts as a whole one", "layernorm f32 {1,70007} axis 1",
        ),
        (
            "parts.apply(WHERE, there, centred, parts.number(0), name=\"centred\")", "centred",
            "elements that are missing are squared", "layernorm f32 {1,70007} axis 1",
        ),
    ),
    *faults_in(
        "asmgen/gridwise/lower.py",
        (
            "enumerate(program.results, first)", "enumerate(program.results[::-1], first)",
            "the results of a program are numbered from the last", "results of two kernels",
        ),
    ),
    *faults_in(
        "asmgen/gridwise/cut.py",
        (
            "if number is not None:\n                results[number]",
            "if number is not None:\n                results[-number]",
            "the results of a program are in the reverse order", "results of two kernels",
        ),
    ),
    *faults_in(
        "asmgen/graph/fuse.py",
        (
            "append(Output(value, self._fresh(value), number))",
            "append(Output(value, self._fresh(value), len(return_.operands) - 1 - number))",
            "results come in the reverse order", "results of two kernels",
        ),
    ),
    *faults_in(
        "asmgen/graph/simplify.py",
        ("\"prod\": 1,", "\"prod\": 0,", "a product of nothing is zero", "product of nothing"),
        ("\"sum\": 0,", "\"sum\": 1,", "a sum of nothing is one", "sum of nothing"),
    ),
)  # fmt: skip
