"""The comparison of two runs as an HTML page without external resources: a table of each kind of change, with
a filter by name."""

from __future__ import annotations

from html import escape

from tools.corpus.compare import ACCEPTED, BETTER, FEWER, REGRESSIONS, Comparison, heading

_STYLE = """
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 110rem; padding: 0 1rem; }
input { font: inherit; padding: .3rem .5rem; width: 30rem; max-width: 100%; }
summary { cursor: pointer; font-weight: 600; margin: .8rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid #8884; padding: .2rem .6rem; text-align: left; vertical-align: top; }
td:nth-child(1) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:nth-child(2) { font-family: ui-monospace, monospace; }
.worse summary { color: #c33; } .better summary { color: #2a7; }
"""
_SCRIPT = """
const text = row => [...row.cells].map(cell => cell.textContent).join('  ').toLowerCase();
document.getElementById('filter').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(/\\s+/);
  for (const row of document.querySelectorAll('tbody tr'))
    row.hidden = !words.every(word => text(row).includes(word));
});
"""


def page_of(comparison: Comparison) -> str:
    """The page."""
    parts = [_table(comparison, kind) for kind in (*REGRESSIONS, ACCEPTED, BETTER, FEWER)]
    title = escape(f"{comparison.before.path} and {comparison.after.path}")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Corpus: {title}</title><style>{_STYLE}</style></head>
<body><h1>Corpus: {title}</h1>
<p>{escape(heading(comparison))}.</p>
<p><input id="filter" type="search" placeholder="Filter by words of the name" aria-label="Filter"></p>
{"".join(parts)}<script>{_SCRIPT}</script></body></html>
"""


def _table(comparison: Comparison, kind: str) -> str:
    changes = comparison.of(kind)
    if not changes:
        return ""
    rows = "".join([
        f"<tr><td>{change.ratio:.2f}</td><td>{escape(change.name)}</td><td>{escape(change.what)}</td></tr>\n"
        for change in changes
    ])  # fmt: skip
    mark = "worse" if kind in REGRESSIONS else "better"
    head = "<thead><tr><th>factor</th><th>kernel</th><th>change</th></tr></thead>"
    summary = f"<summary>{escape(kind)}: {len(changes)}</summary>"
    return f'<details class="{mark}" open>{summary}<table>{head}<tbody>\n{rows}</tbody></table></details>\n'
