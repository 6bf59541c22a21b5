// The panel beside the listing: the selected line, tables of the report and of the profile, the source.

class SidePanel {
  constructor(page) {
    this.page = page;
    this.tabs = element("div", { class: "tabs", role: "tablist" });
    this.body = element("div", { class: "body", role: "tabpanel", tabindex: "0" });
    this.root = element("aside", { class: "panel" }, this.tabs, this.body);
  }

  open(kernel) {
    this.kernel = kernel;
    const tables = [...(kernel.profile?.panels ?? []), ...kernel.data.panels];
    this.names = [
      ...tables.map((panel) => [panel.name, () => this.sections(panel.sections)]),
      ["Line", () => this.line()],
      ...(kernel.listing.flow.length ? [["Flow", () => flowGraph(kernel, this.page)]] : []),
      ...(kernel.listing.files.some((file) => file.text.length) ? [["Source", () => this.source()]] : []),
    ];
    this.chosen = 0;
    this.draw();
  }

  choose(number) {
    if (number >= this.names.length) return;
    this.chosen = number;
    this.draw();
    this.body.scrollTop = 0;
  }

  draw() {
    this.tabs.replaceChildren(
      ...this.names.map(([name], i) =>
        element("button", { role: "tab", "aria-selected": String(i === this.chosen), title: `key ${i + 1}`, onclick: () => this.choose(i) }, name),
      ),
    );
    this.body.replaceChildren(...this.names[this.chosen][1]());
  }

  /** The selected line has changed. */
  moved() {
    const name = this.names[this.chosen][0];
    if (name === "Line") this.draw();
    if (name === "Flow") markBlock(this.body, this.kernel, this.page.line);
    if (name === "Source") this.markSource();
  }

  sections(sections) {
    return sections.flatMap((section) => [
      element("h2", {}, section.title),
      ...(section.text ? [element("p", {}, section.text)] : []),
      ...(section.rows.length ? [this.table(section)] : []),
    ]);
  }

  table({ columns, rows, lines }) {
    const kinds = columns.map((name) => (name.startsWith("#") ? "number" : ""));
    const head = element("tr", {}, ...columns.map((name, i) => element("th", { class: kinds[i] }, name.replace(/^#/, ""))));
    const body = rows.map((cells, number) => {
      const line = lines[number] ?? -1;
      const link = line >= 0 ? { class: "link", tabindex: "0", onclick: () => this.page.select(line) } : {};
      return element("tr", link, ...cells.map((cell, i) => element("td", { class: kinds[i] }, cell)));
    });
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  }

  line() {
    const { kernel } = this;
    const { line } = this.page;
    if (line == null) return [element("p", {}, "Click an instruction, or press ↓.")];
    const source = kernel.source(line);
    const address = kernel.listing.address[line];
    const facts = [
      `line ${line}`, address == null ? "" : `byte 0x${address.toString(16)}`, kernel.unit(line), kernel.op(line),
      source ? `${source.name}:${source.number}` : "",
    ];
    return [
      element("h2", {}, `Line ${line}`),
      element("div", { class: "instruction" }, kernel.listing.text[line]),
      element("p", {}, facts.slice(1).filter(Boolean).join(" · ")),
      ...(source?.text ? [element("div", { class: "instruction" }, source.text.trim())] : []),
      ...this.pressures(line),
      ...this.operands(line),
      ...this.charges(line),
    ];
  }

  pressures(line) {
    const rows = this.kernel.shown.map((file) => {
      const waves = file.waves(file.pressure[line]);
      return [`${file.name}s`, String(file.pressure[line]), String(file.most), waves ? String(waves) : ""];
    });
    return rows.length ? [element("h2", {}, "Registers needed"), this.table({ columns: ["", "#here", "#at most", "#waves"], rows, lines: [] })] : [];
  }

  operands(line) {
    const { kernel } = this;
    const rows = [];
    const lines = [];
    for (const { letter, first, last } of kernel.operands(line)) {
      for (let register = first; register <= last; register++) {
        for (const [from, to] of kernel.file(letter)?.at(register, line) ?? []) {
          rows.push([`${letter}${register}`, from === line && to !== line ? "written here" : `${from}`, to === line ? "last use here" : `${to}`, String(to - from + 1)]);
          lines.push(from === line ? to : from);
        }
      }
    }
    const seen = new Set();
    const kept = rows.map((row, i) => i).filter((i) => !seen.has(rows[i].join()) && seen.add(rows[i].join()));
    return kept.length
      ? [element("h2", {}, "Live ranges of its registers"), this.table({ columns: ["", "written", "last use", "#lines"], rows: kept.map((i) => rows[i]), lines: kept.map((i) => lines[i]) })]
      : [];
  }

  charges(line) {
    const { costs, profile, listing } = this.kernel;
    if (!costs) return [];
    const charges = costs.charges(line);
    const rows = charges.map(({ cause, clocks, culprit }) => [profile.causes[cause], grouped(clocks), share(clocks, costs.all), culprit < 0 ? "" : `${culprit}  ${listing.text[culprit]}`]);
    const text = `${grouped(costs.total[line])} clocks of all waves, executed ${plural(profile.executions[line], "time")}`;
    return [
      element("h2", {}, "Clocks"), element("p", {}, text),
      ...(rows.length ? [this.table({ columns: ["cause", "#clocks", "#share", "because of"], rows, lines: charges.map(({ culprit }) => culprit) })] : []),
    ];
  }

  /** The text of the source files, with the instructions and the cost of each line. */
  source() {
    const { kernel, page } = this;
    const sums = new Map(); // by file and line: first line of the listing, instructions, pressure, clocks
    for (let line = 0; line < kernel.count; line++) {
      const source = kernel.source(line);
      if (!source) continue;
      const key = `${source.file}:${source.number}`;
      const sum = sums.get(key) ?? { line, count: 0, clocks: 0 };
      sum.count++;
      if (kernel.costs) sum.clocks += kernel.costs.total[line];
      sums.set(key, sum);
    }
    this.sourceRows = new Map();
    const most = Math.max(1, ...[...sums.values()].map((sum) => (kernel.costs ? sum.clocks : sum.count)));
    return kernel.listing.files.flatMap((file, number) => {
      if (!file.text.length) return [];
      const rows = file.text.map((text, i) => {
        const sum = sums.get(`${number}:${i + 1}`);
        const heat = sum ? (kernel.costs ? share(sum.clocks, kernel.costs.all) : String(sum.count)) : "";
        const part = sum ? Math.round((28 * (kernel.costs ? sum.clocks : sum.count)) / most) : 0;
        const row = element(
          "div", { class: sum ? "used" : "unused", onclick: () => sum && page.select(sum.line) },
          element("span", { class: "n" }, String(i + 1)),
          element("span", { class: "heat", style: part ? `background: color-mix(in srgb, var(--warn) ${part}%, transparent)` : "" }, heat),
          element("span", {}, text || " "),
        );
        this.sourceRows.set(`${number}:${i + 1}`, row);
        return row;
      });
      const unit = kernel.costs ? "share of all clocks" : "instructions";
      setTimeout(() => this.markSource());
      return [element("h2", {}, file.name), element("p", {}, `By line: ${unit}. A click shows the first instruction.`), element("div", { class: "code" }, ...rows)];
    });
  }

  markSource() {
    this.body.querySelector(".now")?.classList.remove("now");
    const source = this.page.line == null ? null : this.kernel.source(this.page.line);
    const row = source && this.sourceRows.get(`${source.file}:${source.number}`);
    row?.classList.add("now");
    row?.firstChild.scrollIntoView({ block: "nearest" });
  }
}
