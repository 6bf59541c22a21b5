// The flow graph: the blocks in the order of the listing, edges back to their left, edges forward to their right.

const BOX = 40; // pixels
const GAP = 14;
const LANES = 110; // the most pixels for the edges of a side
const SVG = document.createRange().createContextualFragment("<svg></svg>").firstChild.namespaceURI; // no address in the page

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** The elements of the tab. */
function flowGraph(kernel, page) {
  const { blocks, flow } = kernel.listing;
  const shown = [...blocks.keys()].filter((number) => !blocks[number].padding);
  const rowOf = new Map(shown.map((number, row) => [number, row]));
  const edges = [];
  for (let i = 0; i < flow.length; i += 2) {
    if (rowOf.has(flow[i]) && rowOf.has(flow[i + 1])) edges.push({ from: rowOf.get(flow[i]), to: rowOf.get(flow[i + 1]) });
  }
  const next = edges.filter(({ from, to }) => to === from + 1);
  const back = inLanes(edges.filter(({ from, to }) => to <= from));
  const forward = inLanes(edges.filter(({ from, to }) => to > from + 1));
  const [left, right] = [sideWidth(back), sideWidth(forward)];
  const wide = 276;
  const most = Math.max(1, ...kernel.files.map((file) => file.most));
  const svg = drawn(
    "svg", { class: "flow", width: left + wide + right, height: shown.length * (BOX + GAP), role: "img", "aria-label": "flow graph" },
    ...next.map(({ from }) => arrow(`M${left + wide / 2} ${top(from) + BOX}V${top(from + 1) - 1}`, "next")),
    ...back.map((edge) => arrow(around(edge, left, -1, left), "back")),
    ...forward.map((edge) => arrow(around(edge, left + wide, 1, right), "forward")),
    ...shown.map((number, row) => blockBox(kernel, page, number, { x: left, y: top(row), wide, most })),
  );
  svg.prepend(drawn("defs", {}, drawn("marker", { id: "arrow-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, drawn("path", { d: "M0 0L8 4L0 8z" }))));
  setTimeout(() => markBlock(svg, kernel, page.line));
  return [
    element("h2", {}, "Flow"),
    element("p", {}, "Blocks in the order of the listing; a block is the darker the more registers it needs. A click shows its first instruction."),
    svg,
  ];
}

const top = (row) => row * (BOX + GAP);

/** The edges with a `lane` each, from the blocks outward: edges with rows in common have different lanes. */
function inLanes(edges) {
  const lanes = []; // rows that are taken
  const span = ({ from, to }) => Math.abs(from - to);
  return [...edges].sort((one, other) => span(one) - span(other)).map((edge) => {
    const [first, last] = [Math.min(edge.from, edge.to), Math.max(edge.from, edge.to)];
    let lane = lanes.findIndex((taken) => taken.every(([from, to]) => last < from || first > to));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane].push([first, last]);
    return { ...edge, lane };
  });
}

const laneCount = (edges) => edges.reduce((count, { lane }) => Math.max(count, lane + 1), 0);

function sideWidth(edges) {
  return Math.min(LANES, 14 + 10 * laneCount(edges));
}

/** A path from the foot of a block's side, along its lane, to the head of another's; `width` is the room beside them. */
function around({ from, to, lane }, x, side, width) {
  const out = x + side * Math.min(width - 4, 12 + 10 * lane);
  return `M${x} ${top(from) + BOX - 9}H${out}V${top(to) + 9}H${x + side}`;
}

function arrow(path, kind) {
  return drawn("path", { d: path, class: kind, "marker-end": "url(#arrow-tip)" });
}

/** A block: its label, its instructions, the registers that it needs and its part of the clocks. */
function blockBox(kernel, page, number, { x, y, wide, most }) {
  const { label, first, count } = kernel.listing.blocks[number];
  const needs = kernel.shown.map((file) => ({ file, peak: file.pressure.slice(first, first + count).reduce((a, b) => Math.max(a, b), 0) }));
  const parts = [plural(count, "instruction"), ...needs.filter(({ peak }) => peak).map(({ file, peak }) => plural(peak, file.name))];
  const clocks = kernel.costs ? share(kernel.costs.total.slice(first, first + count).reduce((a, b) => a + b, 0), kernel.costs.all) : "";
  const vector = needs.reduce((peak, need) => (need.file.letter === "s" ? peak : Math.max(peak, need.peak)), 0);
  const go = () => page.select(first);
  return drawn(
    "g", { class: "box", "data-block": number, tabindex: 0, onclick: go, onkeydown: (event) => event.key === "Enter" && go(), onmousemove: (event) => showTip(event, [label, ...parts, ...(clocks ? [`${clocks} of the clocks`] : [])]), onmouseleave: (event) => showTip(event, []) },
    drawn("rect", { class: "paper", x, y, width: wide, height: BOX, rx: 5 }),
    drawn("rect", { class: "shade", x, y, width: wide, height: BOX, rx: 5, "fill-opacity": (0.04 + (0.4 * vector) / most).toFixed(3) }),
    drawn("text", { class: "label", x: x + 8, y: y + 16 }, fitted(label, clocks ? 26 : 33)),
    drawn("text", { class: "note", x: x + wide - 8, y: y + 16, "text-anchor": "end" }, clocks),
    drawn("text", { class: "note", x: x + 8, y: y + 32 }, fitted(parts.join(" · "), 45)),
  );
}

const fitted = (text, letters) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);

/** Marks the block of the selected line. */
function markBlock(root, kernel, line) {
  root.querySelector(".box.now")?.classList.remove("now");
  if (line == null) return;
  const box = root.querySelector(`.box[data-block="${kernel.blockOf[line]}"]`);
  box?.classList.add("now");
  box?.scrollIntoView({ block: "nearest" });
}
