"""Faults in the lowering of reductions: which elements a lane takes of a row, and what the row makes of
them."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/gen/row_access.py",
        (
            "- layout.vector", "- layout.vector - 1",
            "lanes at the end of a row read one element too early", "row_sum(rows=5,cols=300)",
        ),
        (
            "builder.less_equal(", "builder.less(",
            "the last lane with elements of its own is left out", "row_sum(rows=5,cols=300)",
        ),
        (
            "min(first, builder.constant(last, U32))", "min(first, builder.constant(layout.columns, U32))",
            "lanes behind the end of a row read what follows it", "row_max(rows=5,cols=300)",
        ),
        (
            "clamped, 0), exists)", "clamped, 0), None)",
            "lanes behind the end of a row count its last elements again", "row_sum(rows=5,cols=300)",
        ),
        (
            "* layout.chunk", "* layout.lanes",
            "chunks overlap where a lane takes several elements", "row_sum(rows=3,cols=9000)",
        ),
        (
            "lanes - 1, U32", "lanes - 2, U32",
            "two lanes of a row take the same elements", "row_sum(rows=33,cols=40)",
        ),
        (
            "bit_length() - 1, U32", "bit_length(), U32",
            "two rows of a wave count as one", "row_sum(rows=33,cols=40)",
        ),
        (
            "layout.rows, U32", "layout.rows - 1, U32",
            "the last row is not written", "row_sum(rows=33,cols=40)",
        ),
        (
            "builder.min(row, builder.constant(layout.rows - 1, U32))", "row",
            "lanes without a row read behind the tensor", "row_sum(rows=33,cols=40)",
        ),
        (
            "rows_of_group,", "rows_of_group - 1,",
            "workgroups take a row of their neighbour's", "sum f32 {76,32,20,16} over {0,2}",
        ),
        (
            "lane if vector == 1 else self._builder.mul(self.lane, self._builder.constant(vector, U32))",
            "lane",
            "a lane's elements overlap its neighbour's", "row_sum(rows=33,cols=40)",
        ),
        (
            "value if constant == 0 else self._builder.add(value, self._builder.constant(constant, U32))",
            "value",
            "every chunk of a row is the first one", "row_sum(rows=3,cols=9000)",
        ),
        (
            "= inner[-1] if", "= inner[0] if",
            "the elements of a vector are those of the outer reduced dim", "sum f32 {76,32,20,16} over {0,2}",
        ),
        (
            ".rows_of_group,", ".lanes,",
            "workgroups begin at the wrong row", "sum f32 {76,32,20,16} over {0,2}",
        ),
    ),
    *faults_in(
        "asmgen/gen/row_lowering.py",
        (
            '"mean": 0, "prod', '"prod',
            "the mean counts a row's last elements again", "mean f16 {336,400} over {1}",
        ),
        (
            '"prod": 1}', '"prod": 0}',
            "lanes without elements make a product 0", "prod f32 {5,7,11} over {0,1,2}",
        ),
        (
            ".chunk(number, counter", ".chunk(0, counter",
            "the chunks of a loop's turn are one and the same", "mean f32 {2,1048576} over {1}",
        ),
        (
            "value if before is None else builder.value(COMBINES[kind], before, value)", "value",
            "a lane forgets what it had before its last chunk", "row_sum(rows=3,cols=9000)",
        ),
        (
            "layout.vector > 1:\n            (", "layout.vector > 2:\n            (",
            "the second element of a lane is not counted", "sum f32 {2,2} over {1}",
        ),
        ('kind != "mean":', "kind == kind:", "a mean is not divided", "layernorm(rows=7,cols=40)"),
        (
            "0 / columns, F32", "0 / (columns - 1), F32",
            "a mean is divided by one less", "layernorm(rows=7,cols=40)",
        ),
        (
            "_stored(stores, [", "_stored(stores[:1], [",
            "of elements that lie apart the first one is stored", "softmax f32 {16,4,107,6} axis 1",
        ),
        (
            "result, lane))", "result, 0))",
            "elements that lie apart are all stored as the first", "softmax f32 {16,4,107,6} axis 0",
        ),
        (
            "(layout.whole_chunks - 1)", "layout.whole_chunks",
            "a loop reads a chunk more than a row has", "row_sum(rows=3,cols=65536)",
        ),
        (
            "in range(1 + turns", "in range(2 + turns",
            "the first chunk behind a loop is left out", "softmax(rows=2,cols=40000)",
        ),
        (
            "layout.chunks):", "layout.chunks - 1):",
            "the last chunk of a long row is left out", "softmax(rows=2,cols=40000)",
        ),
        (
            "* UNROLL, UNROLL", "* UNROLL - UNROLL, UNROLL",
            "a loop ends a turn early", "softmax(rows=2,cols=40000)",
        ),
    ),
    *faults_in(
        "asmgen/gen/rows.py",
        (
            "-(-self.columns // self.chunk)", "max(1, self.columns // self.chunk)",
            "what is left behind the whole chunks of a row is not read", "row_sum(rows=5,cols=300)",
        ),
        (
            "(innermost % width or width * lanes > columns)", "width * lanes > columns",
            "vectors run over the end of the innermost reduced dim", "softmax(rows=3,cols=9001)",
        ),
    ),
    *faults_in(
        "asmgen/graph/decompose.py",
        (
            ".reduce(ops.REDUCE_MEAN, write.apply", ".reduce(ops.REDUCE_SUM, write.apply",
            "a norm divides by the root of the sum", "layernorm(rows=7,cols=40)",
        ),
        ("write, centred)", "write, write.x)", "layernorm forgets the mean", "layernorm(rows=7,cols=40)"),
        (
            "ops.REDUCE_MAX,", "ops.REDUCE_MIN,",
            "softmax subtracts the least element", "softmax(rows=5,cols=300)",
        ),
        ("float(epsilon)", "0.0", "a norm forgets its epsilon", "layernorm(rows=7,cols=40)"),
    ),
    *faults_in(
        "asmgen/graph/simplify.py",
        (
            "dims == type_.dims", "dims[-1:] == type_.dims[-1:]",
            "a reduction of other dims than the last is left out", "sum f32 {76,32,20,16} over {0,2}",
        ),
    ),
    *faults_in(
        "asmgen/graph/fuse.py",
        (
            "level + ((other.dims, other.row_dims) != (dims, row_dims))", "level",
            "reductions of two shapes share a kernel", "mean then sum",
        ),
    ),
)  # fmt: skip
