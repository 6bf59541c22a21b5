// The instructions: only the rows in sight are elements, however long the program is.

const ROW = 20; // CSS pixels, as --row of the style sheet
const SPARE = 12; // rows above and below those in sight
const RANGES = 300; // CSS pixels, at most, of the live ranges
const RANGES_HEAD = 84; // CSS pixels of the words above the live ranges

class Listing {
  constructor(page) {
    this.page = page;
    this.head = element("div", { class: "head" });
    this.rowsRoot = element("div", { class: "rows" });
    this.space = element("div", { class: "space" }, this.rowsRoot);
    this.scroller = element("div", { class: "scroller", tabindex: "0", role: "grid", "aria-label": "instructions" }, this.space);
    this.ranges = element("canvas", { class: "ranges", "aria-label": "live ranges", role: "img" });
    this.root = element("section", { class: "listing" }, this.head, this.scroller, this.ranges);
    this.scroller.addEventListener("scroll", () => page.draw());
    this.rowsRoot.addEventListener("click", (event) => this.clicked(event));
    this.rowsRoot.addEventListener("mousemove", (event) => this.hovered(event));
    this.rowsRoot.addEventListener("mouseleave", (event) => {
      showTip(event, []);
      page.hover(null);
    });
    this.ranges.addEventListener("mousemove", (event) => showTip(event, this.describeRange(event)));
    this.ranges.addEventListener("mouseleave", (event) => showTip(event, []));
    this.ranges.addEventListener("click", (event) => this.clickedRange(event));
    this.ranges.addEventListener("wheel", (event) => (this.scroller.scrollTop += event.deltaY), { passive: true });
  }

  open(kernel) {
    this.kernel = kernel;
    this.folded = new Set();
    kernel.listing.blocks.forEach((block, i) => block.padding && this.folded.add(i));
    const hasSource = kernel.listing.files.some((file) => file.text.length) || kernel.listing.ops.length > 0;
    const file = kernel.shown[0];
    const room = kernel.costs ? RANGES / 2 : RANGES;
    this.cell = file ? Math.max(1, Math.min(7, Math.floor(room / file.units))) : 0;
    this.rangesWidth = file ? Math.min(room, this.cell * file.units) : 0;
    const columns = [
      ["", "50px", "number"],
      ...kernel.shown.map((shown) => [`${shown.name}s`, shown === file ? "86px" : "54px", "number"]),
      ...(kernel.costs ? [["runs", "50px", "number"], ["clocks", "78px", "number"], ["stalls", "96px", "number"]] : []),
      ["instruction", "minmax(200px, 2.6fr)", ""],
      [file ? `live ${file.name}s` : "", `${Math.max(RANGES_HEAD, this.rangesWidth + 20)}px`, ""],
      ...(hasSource ? [["source", "minmax(90px, 1fr)", ""]] : []),
    ];
    this.hasSource = hasSource;
    this.root.style.setProperty("--columns", columns.map(([, width]) => width).join(" "));
    this.head.replaceChildren(...columns.map(([name, , kind]) => element("div", { class: kind }, name)));
    this.layOut();
    this.scroller.scrollTop = 0;
  }

  /** Makes the list of rows: a block's label as -1 - block, or a line. */
  layOut() {
    const rows = [];
    this.rowOf = new Int32Array(this.kernel.count).fill(-1);
    this.labelRows = [];
    this.kernel.listing.blocks.forEach((block, number) => {
      this.labelRows.push(rows.length);
      rows.push(-1 - number);
      if (this.folded.has(number)) return;
      for (let line = block.first; line < block.first + block.count; line++) {
        this.rowOf[line] = rows.length;
        rows.push(line);
      }
    });
    this.rows = rows;
    this.space.style.height = `${rows.length * ROW}px`;
  }

  /** The row of a line, or of the label of its folded block. */
  row(line) {
    return this.rowOf[line] < 0 ? this.labelRows[this.kernel.blockOf[line]] : this.rowOf[line];
  }

  /** The first and the last line in sight. */
  window() {
    const lines = this.visible().filter((row) => row >= 0);
    return lines.length ? [lines[0], lines[lines.length - 1]] : [0, 0];
  }

  visible() {
    const first = Math.floor(this.scroller.scrollTop / ROW);
    return this.rows.slice(first, first + Math.ceil(this.scroller.clientHeight / ROW));
  }

  /** Scrolls a line into sight if it is not; unfolds its block. */
  show(line, always = false) {
    const block = this.kernel.blockOf[line];
    if (this.folded.delete(block)) this.layOut();
    const top = this.rowOf[line] * ROW;
    const height = this.scroller.clientHeight;
    const inside = top >= this.scroller.scrollTop + ROW && top + 2 * ROW <= this.scroller.scrollTop + height;
    if (inside && !always) return;
    if (!always && Math.abs(top - this.scroller.scrollTop) < height + 4 * ROW) {
      this.scroller.scrollTop = top < this.scroller.scrollTop + ROW ? top - ROW : top + 2 * ROW - height;
    } else {
      this.scroller.scrollTop = top - height / 2;
    }
  }

  center(line) {
    this.show(line, true);
  }

  /** Folds or unfolds a block; of a loop's first block with `loop` all blocks of the loop. */
  fold(number, loop = false) {
    const { blocks, loops } = this.kernel.listing;
    const around = loops.find(({ first }) => first === blocks[number].first);
    const numbers = loop && around ? blocks.flatMap(({ first }, i) => (first >= around.first && first <= around.last ? [i] : [])) : [number];
    const opens = this.folded.has(number);
    for (const i of numbers) opens ? this.folded.delete(i) : this.folded.add(i);
    this.layOut();
    this.page.draw();
  }

  foldAll() {
    const { blocks } = this.kernel.listing;
    const opens = this.folded.size === blocks.length;
    this.folded = new Set(opens ? [] : blocks.keys());
    this.layOut();
    this.page.draw();
  }

  draw() {
    const { scroller, rows } = this;
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(rows.length, first + Math.ceil(scroller.clientHeight / ROW) + 2 * SPARE);
    const parts = [];
    for (let i = first; i < last; i++) parts.push(rows[i] < 0 ? this.blockRow(-1 - rows[i]) : this.lineRow(rows[i]));
    this.rowsRoot.innerHTML = parts.join("");
    this.rowsRoot.style.transform = `translateY(${first * ROW}px)`;
    this.drawRanges();
  }

  blockRow(number) {
    const { listing, costs } = this.kernel;
    const block = listing.blocks[number];
    const loop = listing.loops.find(({ first }) => first === block.first);
    const notes = [plural(block.count, block.padding ? "padding instruction" : "instruction")];
    if (block.depth) notes.push(`${plural(block.depth, "loop")} deep`);
    if (loop) notes.push(`loop to line ${loop.last}`);
    if (this.folded.has(number) && this.kernel.shown.length) {
      const { name, pressure } = this.kernel.shown[0];
      let most = 0;
      for (let line = block.first; line < block.first + block.count; line++) most = Math.max(most, pressure[line]);
      notes.push(`at most ${plural(most, name)}`);
    }
    if (costs) {
      let clocks = 0;
      for (let line = block.first; line < block.first + block.count; line++) clocks += costs.total[line];
      notes.push(`${grouped(clocks)} clocks, ${share(clocks, costs.all)}`);
    }
    const indent = 8 + 14 * block.depth;
    const open = this.folded.has(number) ? "" : " open";
    return `<div class="row block" data-block="${number}"><div style="padding-left:${indent}px"><span class="fold${open}">▸</span>` +
      `<span class="label">${escaped(block.label)}</span><span class="note">${escaped(notes.join(" · "))}</span></div></div>`;
  }

  lineRow(line) {
    const { kernel, page } = this;
    const { costs } = kernel;
    const classes = ["row"];
    if (line === page.line) classes.push("selected");
    else if (page.isSame(line)) classes.push("same");
    if (page.isMatch(line)) classes.push("match");
    const cells = [`<div class="number">${line}</div>`];
    kernel.shown.forEach((file, i) => cells.push(this.pressureCell(file, line, i === 0)));
    if (costs) cells.push(...this.costCells(line));
    const depth = kernel.listing.blocks[kernel.blockOf[line]].depth;
    cells.push(`<div class="text" style="padding-left:${8 + 14 * depth}px">${this.textOf(line)}</div>`);
    cells.push("<div></div>");
    if (this.hasSource) cells.push(this.sourceCell(line));
    return `<div class="${classes.join(" ")}" data-line="${line}">${cells.join("")}</div>`;
  }

  pressureCell(file, line, hasBar) {
    const pressure = file.pressure[line];
    const bar = hasBar ? `<i style="width:${((pressure / file.most) * 44).toFixed(1)}px;background:var(--${file.letter})"></i>` : "";
    const most = hasBar && pressure === file.most ? " most" : "";
    return `<div class="meter pressure${most}">${bar}<b>${pressure}</b></div>`;
  }

  costCells(line) {
    const { costs, profile } = this.kernel;
    const runs = profile.executions[line];
    const [total, stalls] = [costs.total[line], costs.stalls[line]];
    if (!runs && !total) return ['<div class="number"></div>', '<div class="number"></div>', '<div class="number"></div>'];
    const wide = (total / costs.most) * 22;
    const parts = costs
      .causes(line)
      .filter(([cause]) => cause !== costs.issued)
      .map(([cause, clocks]) => `<span style="width:${((100 * clocks) / costs.most).toFixed(2)}%;background:${causeColour(profile.causes[cause], cause)}"></span>`);
    return [
      `<div class="number">${short(runs)}</div>`,
      `<div class="meter"><i style="width:${wide.toFixed(1)}px;background:var(--warn)"></i><b>${short(total)}</b></div>`,
      `<div class="meter"><div class="parts">${parts.join("")}</div><b>${stalls ? short(stalls) : ""}</b></div>`,
    ];
  }

  textOf(line) {
    const text = this.kernel.listing.text[line];
    const space = text.indexOf(" ");
    const mnemonic = space < 0 ? text : text.slice(0, space);
    const head = `<span class="m u-${this.kernel.unit(line)}">${escaped(mnemonic)}</span>`;
    if (space < 0) return head;
    const target = this.kernel.targets.get(line);
    const rest = escaped(text.slice(space));
    if (target != null) return `${head} <span class="target" data-target="${target}">${rest.trim()}</span>`;
    return head + rest.replace(REGISTER, (register, letter) => `<span class="r ${letter}">${register}</span>`);
  }

  /** The source op, and the text of the source line if the line above is of another source line. */
  sourceCell(line) {
    const { kernel } = this;
    const source = kernel.source(line);
    const above = line > 0 && kernel.listing.place[line] === kernel.listing.place[line - 1];
    const op = kernel.op(line);
    if (source?.text == null) return `<div class="source">${escaped(op)}</div>`;
    const number = `<em>${source.number}</em>`;
    if (!above) return `<div class="source">${number}<span>${escaped(source.text.trim())}</span></div>`;
    return `<div class="source">${number}${escaped(op.replace(` :${source.number}`, ""))}</div>`;
  }

  /** The live ranges of the rows in sight: a column for each register, a bar from definition to last use. */
  drawRanges() {
    const { kernel, scroller, cell } = this;
    const file = kernel.shown[0];
    if (!file) return;
    const { width, left } = this.place();
    const height = scroller.clientHeight;
    this.ranges.style.left = `${left}px`;
    this.ranges.style.width = `${width}px`;
    this.ranges.style.height = `${height}px`;
    const context = prepared(this.ranges, width, height);
    const lines = this.visible().filter((row) => row >= 0);
    if (!lines.length) return;
    const scale = width / (cell * file.units || 1);
    const x = (register) => register * cell * scale;
    const wide = Math.max(0.75, cell * scale - (cell > 2 ? 1 : cell > 1 ? 0.5 : 0));
    const y = (row) => row * ROW - scroller.scrollTop;
    const named = page_operands(this.page, kernel, file.letter);
    file.visit(lines[0], lines[lines.length - 1], (register, first, last) => {
      if (register >= file.units) return;
      // the rows of the range, cut to those in sight; folded lines have none
      const from = this.rowAtOrAfter(Math.max(first, lines[0]));
      const to = this.rowAtOrBefore(Math.min(last, lines[lines.length - 1]));
      if (from > to) return;
      const top = y(from) + (first >= lines[0] ? 9 : 0);
      const bottom = y(to) + (last <= lines[lines.length - 1] ? 11 : ROW);
      context.fillStyle = colour(file.letter);
      context.globalAlpha = named.has(register) ? 1 : 0.42;
      context.fillRect(x(register), top, wide, Math.max(2, bottom - top));
      context.globalAlpha = 1;
      if (first >= lines[0]) context.fillRect(x(register), y(from) + 8, wide, 2.5);
    });
    if (this.page.line == null || this.rowOf[this.page.line] < 0) return;
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.14;
    context.fillRect(0, y(this.rowOf[this.page.line]), width, ROW);
    context.globalAlpha = 1;
  }

  /** Where the canvas of the ranges is: over its empty column. */
  place() {
    const column = this.head.children[this.head.children.length - (this.hasSource ? 2 : 1)];
    return { left: column.offsetLeft + 8, width: this.rangesWidth };
  }

  rowAtOrAfter(line) {
    while (line < this.kernel.count && this.rowOf[line] < 0) line++;
    return line < this.kernel.count ? this.rowOf[line] : this.rows.length;
  }

  rowAtOrBefore(line) {
    while (line >= 0 && this.rowOf[line] < 0) line--;
    return line >= 0 ? this.rowOf[line] : -1;
  }

  /** The register and the line under the mouse, and its live range there. */
  rangeAt(event) {
    const file = this.kernel.shown[0];
    const { left, top, width } = this.ranges.getBoundingClientRect();
    const register = Math.floor(((event.clientX - left) / width) * file.units);
    const line = this.rows[Math.floor((event.clientY - top + this.scroller.scrollTop) / ROW)];
    if (line == null || line < 0) return null;
    return { file, register, line, range: file.at(register, line)[0] };
  }

  describeRange(event) {
    const found = this.rangeAt(event);
    if (!found) return [];
    const { file, register, range } = found;
    if (!range) return [`${file.letter}${register}`, "not live here"];
    const { text } = this.kernel.listing;
    return [
      `${file.letter}${register}, ${plural(range[1] - range[0] + 1, "line")}`,
      `from ${range[0]}  ${text[range[0]]}`, `to   ${range[1]}  ${text[range[1]]}`,
    ];
  }

  clickedRange(event) {
    const found = this.rangeAt(event);
    if (found) this.page.select(found.range ? (found.line === found.range[0] ? found.range[1] : found.range[0]) : found.line);
  }

  clicked(event) {
    const target = event.target.closest("[data-target]");
    if (target) return this.page.select(Number(target.dataset.target));
    const row = event.target.closest(".row");
    if (!row) return undefined;
    if (row.dataset.block) return this.fold(Number(row.dataset.block), event.shiftKey);
    return this.page.select(Number(row.dataset.line));
  }

  hovered(event) {
    const row = event.target.closest(".row");
    const line = row && row.dataset.line ? Number(row.dataset.line) : null;
    this.page.hover(line);
    showTip(event, line == null ? [] : this.describe(line, event.target));
  }

  /** The tooltip of a line: what its narrow cells leave out. */
  describe(line, cell) {
    const { kernel } = this;
    const place = cell.closest(".source");
    const meter = cell.closest(".meter");
    if (place) {
      const source = kernel.source(line);
      return source ? [`${source.name}:${source.number}`, source.text?.trim() ?? "", kernel.op(line)].filter(Boolean) : [];
    }
    if (meter && kernel.costs && !meter.classList.contains("pressure")) {
      const rows = kernel.costs.causes(line).map(([cause, clocks]) => `${kernel.profile.causes[cause]}  ${grouped(clocks)}`);
      return rows.length ? [`${grouped(kernel.costs.total[line])} clocks, ${share(kernel.costs.total[line], kernel.costs.all)}`, ...rows] : [];
    }
    if (meter) {
      return [`needed at line ${line}`, ...kernel.shown.map((file) => {
        const waves = file.waves(file.pressure[line]);
        return `${plural(file.pressure[line], file.name)}${waves ? `: ${plural(waves, "wave")} a SIMD` : ""}`;
      })];
    }
    const text = cell.closest(".text");
    return text && text.scrollWidth > text.clientWidth ? [kernel.listing.text[line]] : [];
  }
}

/** The registers of a file that the line under the mouse names, or else the selected line. */
function page_operands(page, kernel, letter) {
  const line = page.hovered ?? page.line;
  const named = new Set();
  if (line == null) return named;
  for (const operand of kernel.operands(line)) {
    if (operand.letter === letter) for (let i = operand.first; i <= operand.last; i++) named.add(i);
  }
  return named;
}
