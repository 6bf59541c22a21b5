"""Faults of the graph and its launches: decomposed norms, parts of reductions, values between launches, results."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "Parts.combine", "[dim for dim, left in dims if dim != left]", "[dim for dim, _ in dims]",
        "a mean of several rows divides by the elements of all rows", "mean f32 {2,70000} over {1}",
    ),
    fault(
        "Parts.combine",
        "self._rewriter.finish(op, (everything,), statement, axes=axes)",
        "self._rewriter.finish(REDUCE_SUM, (everything,), statement, axes=axes)",
        "partial results of every reduction are added", "max f32 {1,70007} over {1}",
    ),
    fault(
        "Parts.joined", 'self._sliced(run, how.size, how.size + how.tail, "tail")', 'self._sliced(run, 0, how.tail, "tail")',
        "the first elements replace the tail that no part has", "sum f32 {1,70007} over {1}",
    ),
    fault(
        "in_two_steps", "REDUCE_SUM if statement.op is REDUCE_MEAN else statement.op", "REDUCE_SUM",
        "the parts of every reduction are sums", "max f32 {1,70007} over {1}",
    ),
    fault(
        "shifted._powers", 'parts.apply(MUL, sums, parts.apply(exp, moved, name="factor"), name="scaled")', "sums",
        "parts of a softmax are added though each is shifted by its own maximum", "softmax f32 {1,70007} axis 1",
    ),
    fault(
        "shifted._powers", "parts.apart(operand, -inf)", "parts.apart(operand, 0)",
        "a softmax in parts is padded with zeros", "softmax f32 {1,70007} axis 1",
    ),
    fault(
        "_squares", 'parts.apply(ADD, own, more, name="about")', 'parts.apply(ADD, own, counted, name="about")',
        "the squares of parts do not use the common mean", "layernorm f32 {1,70007} axis 1",
    ),
    fault(
        "Parts.lengths", "self._of_lengths(whole, last)", "self._of_lengths(whole, whole)",
        "the last part counts as a whole part", "layernorm f32 {1,70007} axis 1",
    ),
    fault(
        "_squares", 'parts.apply(WHERE, there, centred, parts.number(0), name="centred")', "centred",
        "missing elements are squared", "layernorm f32 {1,70007} axis 1",
    ),
    fault(
        "lower.numbered", "program.results", "program.results[::-1]",
        "the results of a program are numbered from the last", "results of two kernels",
    ),
    fault(
        "_program", "results[number] = Result(name, shape)", "results[-number] = Result(name, shape)",
        "the results of a program are in the reverse order", "results of two kernels",
    ),
    fault(
        "Partition.kernels",
        "Output(value, self._fresh(value), number)",
        "Output(value, self._fresh(value), len(return_.operands) - 1 - number)",
        "results come in the reverse order", "results of two kernels",
    ),
    fault(
        "identities._NUMBERS", '{"sum": 0}', '{"sum": 1}',
        "a sum begins with one, and is padded with ones", "row_sum(rows=5,cols=300)", "sum f32 {1,70007} over {1}", "sum of nothing",
    ),
    fault(
        "identities._NUMBERS", '{"prod": 1}', '{"prod": 0}',
        "a product begins with zero, and is padded with zeros",
        "prod f32 {1,70007} over {1}", "prod f32 {3,1026,4,3} over {1}", "product of nothing",
    ),
    fault(
        "identities.identity", 'least if kind == "max" else most', 'most if kind == "max" else least',
        "a maximum of integers begins with the largest", "max i32 {1,70007} over {1}", "max i32 {12,4,200,16} over {0,2}",
    ),
    fault(
        "filling", "nan", "0.0",
        "a maximum begins with zero", "max f32 {1,70007} over {1}", "max f32 {12,4,200,16} over {0,2}",
    ),
    fault(
        "identities.identity", '-inf if kind == "max" else inf', 'inf if kind == "max" else -inf',
        "a maximum that keeps NaN begins with infinity",
        "max f32 {1,70007} over {1}+nan=propagate", "max f32 {12,4,200,16} over {0,2}+nan=propagate",
    ),
    fault(
        "constants.splat_of", "repr(value) != repr(first)", "repr(value) == ''",
        "every number of a literal is its first number", "literal in memory",
    ),
    fault(
        "_normalise", "ops.REDUCE_MEAN", "ops.REDUCE_SUM",
        "a norm divides by the root of the sum", "layernorm(rows=7,cols=40)",
    ),
    fault(
        "decompose._layernorm", "_normalise(write, centred)", "_normalise(write, write.x)",
        "layernorm forgets the mean", "layernorm(rows=7,cols=40)",
    ),
    fault(
        "decompose._softmax", "ops.REDUCE_MAX", "ops.REDUCE_MIN",
        "softmax subtracts the least element", "softmax(rows=5,cols=300)",
    ),
    fault("_normalise", "float(epsilon)", "0.0", "a norm forgets its epsilon", "layernorm(rows=7,cols=40)"),
    fault(
        "simplify._reduction", "identity(kind, type_.element)", "0.0",
        "the product of nothing is 0", "product of nothing",
    ),
    fault(
        "Partition.kernels", "return_.operands", "return_.operands[::-1]",
        "the results are returned the other way round", "loop of two",
    ),
)  # fmt: skip
