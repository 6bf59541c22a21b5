// The waves over the clocks, each clock in the colour of its cause.

const LANE = 15; // CSS pixels of a wave
const NAMES = 150; // CSS pixels of the waves' names
const SCALE = 18; // CSS pixels of the axis

class Timeline {
  constructor(page) {
    this.page = page;
    this.legend = element("div", { class: "legend" });
    this.canvas = element("canvas", { "aria-label": "waves by cause", role: "img" });
    this.frame = element("div", { class: "frame" }, this.canvas);
    this.root = element("section", { class: "timeline", hidden: true }, this.legend, this.frame);
    this.canvas.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    this.canvas.addEventListener("mousedown", (event) => (this.drag = { x: event.clientX, from: this.from, moved: false }));
    addEventListener("mouseup", () => (this.drag = null));
    this.canvas.addEventListener("mousemove", (event) => this.moved(event));
    this.canvas.addEventListener("mouseleave", (event) => showTip(event, []));
    this.canvas.addEventListener("click", (event) => this.clicked(event));
  }

  open(kernel, waves) {
    this.kernel = kernel;
    this.profile = kernel.profile;
    this.waves = waves;
    this.root.hidden = !waves.length;
    if (this.root.hidden) return;
    this.starts = waves.map((wave) => {
      const starts = new Float64Array(wave.spans.length / 5 + 1);
      let clock = wave.start;
      for (let i = 0; i < wave.spans.length; i += 5) {
        starts[i / 5] = clock;
        clock += wave.spans[i];
      }
      starts[starts.length - 1] = clock;
      return starts;
    });
    this.off = new Set(); // causes that are not drawn
    this.fit();
    this.drawLegend();
  }

  fit() {
    [this.from, this.to] = [0, Math.max(1, this.profile.clocks)];
  }

  drawLegend() {
    const { causes } = this.profile;
    const { byCause, all } = this.kernel.costs;
    const known = causes.map((name, cause) => [name, cause, byCause[cause]]).filter(([, , clocks]) => clocks > 0);
    this.legend.replaceChildren(
      ...known.sort((one, other) => other[2] - one[2]).map(([name, cause, clocks]) =>
        element("button", {
          "aria-pressed": String(!this.off.has(cause)), title: "show or hide",
          onclick: () => {
            this.off.has(cause) ? this.off.delete(cause) : this.off.add(cause);
            this.drawLegend();
            this.draw();
          },
        }, element("span", { class: "swatch", style: `background:${causeColour(name, cause)}` }), `${name} ${share(clocks, all)}`),
      ),
      element("button", { class: "right", title: "key 0", onclick: () => { this.fit(); this.draw(); } }, `all ${grouped(this.profile.clocks)} clocks`),
    );
  }

  plot() {
    return Math.max(1, this.canvas.clientWidth - NAMES);
  }

  clockAt(event) {
    const { left } = this.canvas.getBoundingClientRect();
    return this.from + ((event.clientX - left - NAMES) / this.plot()) * (this.to - this.from);
  }

  draw() {
    if (this.root.hidden) return;
    const { waves } = this;
    const height = waves.length * LANE + SCALE;
    this.canvas.style.height = `${height}px`;
    const context = prepared(this.canvas, this.canvas.clientWidth, height);
    context.font = "11px system-ui, sans-serif";
    this.drawAxis(context, height);
    waves.forEach((wave, number) => {
      const top = SCALE + number * LANE;
      context.fillStyle = colour("soft");
      context.textAlign = "left";
      context.fillText(wave.name, 0, top + 11);
      context.textAlign = "right";
      context.fillText(`SIMD ${wave.simd}`, NAMES - 10, top + 11);
      this.drawWave(context, number, top + 1);
    });
  }

  drawAxis(context, height) {
    const span = this.to - this.from;
    const rough = span / Math.max(2, this.plot() / 110);
    const size = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, size * [1, 2, 5, 10].find((factor) => factor * size >= rough));
    context.fillStyle = colour("soft");
    context.strokeStyle = colour("line");
    context.textAlign = "left";
    for (let clock = Math.ceil(this.from / step) * step; clock <= this.to; clock += step) {
      const x = NAMES + ((clock - this.from) / span) * this.plot();
      context.beginPath();
      context.moveTo(x, SCALE - 4);
      context.lineTo(x, height);
      context.stroke();
      const label = grouped(clock);
      if (x + 3 + context.measureText(label).width < NAMES + this.plot()) context.fillText(label, x + 3, 11);
    }
  }

  /** The spans in sight; if they are narrower than pixels, the largest cause of each pixel. */
  drawWave(context, number, top) {
    const { spans } = this.waves[number];
    const starts = this.starts[number];
    const count = starts.length - 1;
    const [first, last] = [this.at(number, this.from), this.at(number, this.to)];
    const scale = this.plot() / (this.to - this.from);
    const fill = (cause, left, right, line) => {
      if (this.off.has(cause) || right <= left) return;
      const isSelected = line === this.page.line;
      context.fillStyle = causeColour(this.profile.causes[cause], cause);
      context.fillRect(left, top, Math.max(0.5, right - left), LANE - 3);
      if (!isSelected) return;
      context.fillStyle = colour("ink");
      context.fillRect(left, top + LANE - 5, Math.max(1, right - left), 2);
    };
    const x = (clock) => NAMES + Math.max(0, Math.min(this.plot(), (clock - this.from) * scale));
    if (last - first < 3 * this.plot()) {
      for (let i = Math.max(0, first); i <= Math.min(count - 1, last); i++) {
        fill(spans[5 * i + 1], x(starts[i]), x(starts[i + 1]), spans[5 * i + 2]);
      }
      return;
    }
    for (let pixel = 0; pixel < this.plot(); pixel++) {
      const from = this.from + pixel / scale;
      const to = from + 1 / scale;
      const sums = new Map();
      const end = Math.min(count - 1, this.at(number, to));
      for (let i = Math.max(0, this.at(number, from)); i <= end; i++) {
        const clocks = Math.min(to, starts[i + 1]) - Math.max(from, starts[i]);
        if (clocks > 0) sums.set(spans[5 * i + 1], (sums.get(spans[5 * i + 1]) ?? 0) + clocks);
      }
      let best = null;
      for (const [cause, clocks] of sums) if (!best || clocks > best[1]) best = [cause, clocks];
      if (best) fill(best[0], NAMES + pixel, NAMES + pixel + 1, -1);
    }
  }

  /** The span of a wave at a clock: -1 before the wave, the number of its spans after it. */
  at(wave, clock) {
    const starts = this.starts[wave];
    return firstIndex(starts.length, (i) => starts[i] > clock) - 1;
  }

  spanAt(event) {
    const { top } = this.canvas.getBoundingClientRect();
    const wave = Math.floor((event.clientY - top - SCALE) / LANE);
    if (wave < 0 || wave >= this.waves.length) return null;
    const number = this.at(wave, this.clockAt(event));
    if (number < 0 || number >= this.starts[wave].length - 1) return null;
    const [clocks, cause, line, culprit, other] = this.waves[wave].spans.slice(5 * number, 5 * number + 5);
    return { wave, number, clocks, cause, line, culprit, other };
  }

  moved(event) {
    if (this.drag) {
      const clocks = ((this.drag.x - event.clientX) / this.plot()) * (this.to - this.from);
      if (Math.abs(this.drag.x - event.clientX) > 3) this.drag.moved = this.panned = true;
      const from = Math.max(0, Math.min(this.profile.clocks - (this.to - this.from), this.drag.from + clocks));
      [this.from, this.to] = [from, from + this.to - this.from];
      this.draw();
      return;
    }
    const span = this.spanAt(event);
    if (!span) return showTip(event, []);
    const { text } = this.kernel.listing;
    const start = this.starts[span.wave][span.number];
    const culprit = span.culprit < 0 ? [] : [`because of ${span.culprit}  ${text[span.culprit]}${span.other >= 0 ? `, ${this.waves[span.other].name}` : ""}`];
    return showTip(event, [
      `${this.profile.causes[span.cause]}, ${plural(span.clocks, "clock")}`,
      `${this.waves[span.wave].name}, from clock ${grouped(start)}`, `${span.line}  ${text[span.line]}`, ...culprit,
    ]);
  }

  clicked(event) {
    if (this.panned) {
      this.panned = false;
      return;
    }
    const span = this.spanAt(event);
    if (span) this.page.select(span.line);
  }

  zoom(event) {
    if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) < Math.abs(event.deltaY) && event.shiftKey) return;
    event.preventDefault();
    const clock = Math.max(this.from, Math.min(this.to, this.clockAt(event)));
    const factor = 1.0015 ** event.deltaY;
    const span = Math.max(20, Math.min(this.profile.clocks, (this.to - this.from) * factor));
    const part = (clock - this.from) / (this.to - this.from);
    const from = Math.max(0, Math.min(this.profile.clocks - span, clock - part * span));
    [this.from, this.to] = [from, from + span];
    this.draw();
  }
}
