// The page: its parts, what is selected, and the keyboard.

const KEYS = [
  [["↑", "↓", "k", "j"], "the line above or below"],
  [["Page Up", "Page Down", "Home", "End"], "further lines"],
  [["[", "]"], "the block before or after"],
  [["Enter"], "fold or unfold the block; with Shift, its loop"],
  [["f"], "fold or unfold all blocks"],
  [["p"], "the line that needs most registers; again: the next such line"],
  [["s"], "the line that stalls most; again: the next (with clocks)"],
  [["u", "d"], "the definition of the line's first register, or its last use"],
  [["/", "n", "N"], "search, the next match, the match before"],
  [["1", "9"], "the first tab of the panel to the ninth"],
  [["b", "t"], "hide or show the panel, the timeline"],
  [["v"], "the curve of the next register file"],
  [["0"], "the whole timeline"],
  [["?"], "these keys"],
];

class Page {
  constructor(data) {
    this.data = data;
    this.kernels = [];
    this.line = null;
    this.hovered = null;
    this.query = "";
    this.overview = new Overview(this);
    this.listing = new Listing(this);
    this.panel = new SidePanel(this);
    this.timeline = new Timeline(this);
    this.help = this.makeHelp();
    this.header = document.querySelector("header"); // with a name until the data are read
    document.body.append(this.header, this.overview.root, element("main", {}, this.listing.root, this.panel.root), this.timeline.root, tip, this.help);
    addEventListener("DOMContentLoaded", () => this.addWaves());
    addEventListener("resize", () => this.draw());
    addEventListener("keydown", (event) => this.pressed(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      colours.clear();
      this.draw();
    });
    this.open(0);
  }

  /** The waves follow the scripts in the page: they are there after the first frame. */
  addWaves() {
    this.waves = JSON.parse(document.getElementById("waves").textContent);
    this.timeline.open(this.kernel, this.waves[this.data.kernels.indexOf(this.kernel.data)]);
    this.draw();
  }

  open(number) {
    this.kernel = this.kernels[number] ??= new Kernel(this.data.kernels[number]);
    [this.line, this.hovered, this.cursor] = [null, null, 0];
    this.drawHeader(number);
    for (const part of [this.overview, this.listing, this.panel]) part.open(this.kernel);
    if (this.waves) this.timeline.open(this.kernel, this.waves[number]);
    this.draw();
    this.listing.scroller.focus({ preventScroll: true });
  }

  drawHeader(number) {
    const { data, profile } = this.kernel;
    const options = this.data.kernels.map(({ name }, i) => element("option", { value: i, selected: i === number }, name));
    this.search = element("input", { type: "search", placeholder: "Search  /", "aria-label": "search", value: this.query, oninput: () => this.find(this.search.value) });
    const facts = [...(profile?.facts ?? []), ...data.facts];
    this.header.replaceChildren(
      element(
        "div", { class: "title" }, element("h1", {}, data.name),
        options.length > 1 ? element("select", { "aria-label": "kernel", onchange: (event) => this.open(Number(event.target.value)) }, ...options) : null,
        element("span", { class: "subtitle" }, data.subtitle), this.search,
        element("button", { title: "keys", onclick: () => this.help.showModal() }, "?"),
      ),
      element("div", { class: "facts" }, ...facts.map((fact) =>
        element("div", { class: `fact ${fact.tone}` }, element("div", { class: "label" }, fact.label), element("div", { class: "value" }, fact.value), element("div", { class: "detail", title: fact.detail }, fact.detail)))),
      ...(profile?.notes ?? []).map((note) => element("div", { class: "soft" }, note)),
    );
  }

  makeHelp() {
    const rows = KEYS.map(([keys, meaning]) => {
      const named = keys.flatMap((key) => [element("kbd", {}, key), " "]);
      return element("tr", {}, element("td", {}, ...named), element("td", {}, meaning));
    });
    const dialog = element("dialog", {}, element("table", {}, ...rows), element("p", { class: "soft" }, "Click: select a line, a bar, a span. Wheel over the timeline: zoom. Drag: move."));
    dialog.addEventListener("click", () => dialog.close());
    return dialog;
  }

  /** Draws at the next frame, once for all that asked. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.listing.draw();
      this.overview.draw();
      setTimeout(() => this.timeline.draw()); // of long programs it takes longer than the rest
    });
  }

  select(line) {
    if (line == null || line < 0 || line >= this.kernel.count) return;
    this.line = line;
    this.listing.show(line);
    this.panel.moved();
    this.draw();
  }

  hover(line) {
    if (line === this.hovered) return;
    this.hovered = line;
    cancelAnimationFrame(this.hovering);
    this.hovering = requestAnimationFrame(() => this.listing.drawRanges());
  }

  /** Whether a line comes from the source line of the selected one. */
  isSame(line) {
    const { place } = this.kernel.listing;
    return this.line != null && place[line] >= 0 && place[line] === place[this.line];
  }

  isMatch(line) {
    return this.query !== "" && this.matches(line);
  }

  matches(line) {
    return this.kernel.listing.text[line].toLowerCase().includes(this.query) || this.kernel.op(line).toLowerCase().includes(this.query);
  }

  find(text) {
    this.query = text.toLowerCase();
    if (this.query && !(this.line != null && this.matches(this.line))) this.next(1);
    this.draw();
  }

  /** The next matching line, around the end of the program. */
  next(step) {
    const { count } = this.kernel;
    if (!this.query) return;
    for (let i = 1; i <= count; i++) {
      const line = ((this.line ?? -1) + step * i + 2 * count) % count;
      if (this.matches(line)) return this.select(line);
    }
  }

  /** The next line of an order, from its first. */
  nextOf(name, lines) {
    if (!lines.length) return;
    this.cursor = this.ordered === name ? (this.cursor + 1) % lines.length : 0;
    this.ordered = name;
    this.select(lines[this.cursor]);
  }

  /** The line some rows away, folded lines left out. */
  move(rows) {
    const { listing } = this;
    let row = this.line == null ? Math.floor(listing.scroller.scrollTop / ROW) - 1 : listing.row(this.line);
    const step = Math.sign(rows);
    row = Math.max(-1, Math.min(listing.rows.length, row + rows));
    while (row >= 0 && row < listing.rows.length && listing.rows[row] < 0) row += step;
    if (row < 0 || row >= listing.rows.length) {
      const lines = listing.rows.filter((line) => line >= 0);
      row = listing.rowOf[step > 0 ? lines[lines.length - 1] : lines[0]] ?? -1;
    }
    this.select(listing.rows[row]);
  }

  moveBlock(step) {
    const { blocks } = this.kernel.listing;
    const number = this.line == null ? -step : this.kernel.blockOf[this.line];
    const block = blocks[Math.max(0, Math.min(blocks.length - 1, number + step))];
    this.select(block.first);
  }

  peaks() {
    const file = this.overview.file;
    return [...file.pressure.keys()].filter((line) => file.pressure[line] === file.most);
  }

  range(end) {
    if (this.line == null) return;
    const [operand] = this.kernel.operands(this.line).filter(({ letter, first }) => this.kernel.file(letter)?.at(first, this.line).length);
    if (!operand) return;
    const [from, to] = this.kernel.file(operand.letter).at(operand.first, this.line)[0];
    this.select(end ? to : from);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (event.target.matches("input, select")) {
      if (event.key === "Escape") this.listing.scroller.focus();
      if (event.key === "Enter") this.next(event.shiftKey ? -1 : 1);
      return;
    }
    const rows = Math.max(1, Math.floor(this.listing.scroller.clientHeight / ROW) - 2);
    const actions = {
      ArrowDown: () => this.move(1), j: () => this.move(1), ArrowUp: () => this.move(-1), k: () => this.move(-1),
      PageDown: () => this.move(rows), PageUp: () => this.move(-rows),
      Home: () => this.move(-Infinity), End: () => this.move(Infinity),
      "]": () => this.moveBlock(1), "[": () => this.moveBlock(-1),
      Enter: () => this.line != null && this.listing.fold(this.kernel.blockOf[this.line], event.shiftKey),
      f: () => this.listing.foldAll(), p: () => this.nextOf("peak", this.peaks()),
      s: () => this.kernel.costs && this.nextOf("stalls", this.kernel.costs.order()),
      u: () => this.range(false), d: () => this.range(true),
      "/": () => this.search.focus(), n: () => this.next(1), N: () => this.next(-1),
      b: () => { this.panel.root.hidden = !this.panel.root.hidden; this.draw(); },
      v: () => {
        const { shown } = this.kernel;
        this.overview.file = shown[(shown.indexOf(this.overview.file) + 1) % shown.length];
        this.overview.drawButtons();
        this.draw();
      },
      t: () => {
        if (this.waves && this.timeline.waves.length) this.timeline.root.hidden = !this.timeline.root.hidden;
        this.draw();
      },
      0: () => { if (!this.timeline.root.hidden) { this.timeline.fit(); this.timeline.draw(); } },
      "?": () => this.help.showModal(), Escape: () => showTip(event, []),
    };
    const action = actions[event.key] ?? (/^[1-9]$/.test(event.key) ? () => this.panel.choose(Number(event.key) - 1) : null);
    if (!action) return;
    event.preventDefault();
    action();
  }
}

window.page = new Page(JSON.parse(document.getElementById("data").textContent));
