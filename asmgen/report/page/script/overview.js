// The registers of the whole program as a curve, with the steps of the occupancy, and the stalls below it.

const AXIS = 44; // CSS pixels left of the curves
const CHART = Math.max(84, Math.min(128, Math.round(innerHeight / 8))); // of a low window, the listing keeps most
const STALLS = 26;

class Overview {
  constructor(page) {
    this.page = page;
    this.canvas = element("canvas", { "aria-label": "registers by line", role: "img" });
    this.buttons = element("div", { class: "files" });
    this.root = element("section", { class: "overview" }, this.buttons, this.canvas);
    const go = (event) => page.listing.center(this.line(event));
    this.canvas.addEventListener("mousedown", (event) => {
      this.dragging = true;
      page.select(this.line(event));
      go(event);
    });
    addEventListener("mouseup", () => (this.dragging = false));
    this.canvas.addEventListener("mousemove", (event) => {
      if (this.dragging) go(event);
      showTip(event, this.describe(this.line(event)));
    });
    this.canvas.addEventListener("mouseleave", (event) => showTip(event, []));
  }

  open(kernel) {
    this.kernel = kernel;
    this.file = kernel.shown[0] ?? kernel.files[0];
    this.height = CHART + (kernel.costs ? STALLS : 0);
    this.canvas.style.height = `${this.height}px`;
    this.drawButtons();
  }

  drawButtons() {
    this.buttons.replaceChildren(
      ...this.kernel.shown.map((file) =>
        element("button", {
          "aria-pressed": String(file === this.file), title: `${file.name}s by line`,
          onclick: () => {
            this.file = file;
            this.drawButtons();
            this.page.draw();
          },
        }, `${file.name}s`),
      ),
    );
  }

  line(event) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const part = (event.clientX - left - AXIS) / (width - AXIS);
    return Math.max(0, Math.min(this.kernel.count - 1, Math.floor(part * this.kernel.count)));
  }

  describe(line) {
    const { kernel, file } = this;
    const waves = file.waves(file.pressure[line]);
    const live = `${plural(file.pressure[line], file.name)} needed${waves ? `, enough for ${plural(waves, "wave")} a SIMD` : ""}`;
    const costs = kernel.costs && kernel.costs.total[line];
    return [
      `${line}  ${kernel.listing.text[line]}`, live,
      ...(costs ? [`${grouped(costs)} clocks, ${grouped(kernel.costs.stalls[line])} of them stalls`] : []),
      kernel.listing.blocks[kernel.blockOf[line]].label,
    ];
  }

  draw() {
    const { kernel, file, canvas } = this;
    const width = canvas.clientWidth;
    const context = prepared(canvas, width, this.height);
    const [top, bottom] = [10, CHART - 20];
    const plot = width - AXIS;
    const most = this.scale();
    const x = (line) => AXIS + (line / kernel.count) * plot;
    const y = (registers) => bottom - (registers / most) * (bottom - top);
    this.drawLoops(context, x, top, bottom);
    // by column the largest pressure of its lines
    const columns = Math.min(plot, kernel.count);
    context.beginPath();
    context.moveTo(AXIS, bottom);
    for (let column = 0; column < columns; column++) {
      const from = Math.floor((column * kernel.count) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * kernel.count) / columns));
      let height = 0;
      for (let line = from; line < to; line++) height = Math.max(height, file.pressure[line]);
      context.lineTo(x(from), y(height));
      context.lineTo(x(to), y(height));
    }
    context.lineTo(AXIS + plot, bottom);
    context.closePath();
    context.fillStyle = colour(file.letter);
    context.globalAlpha = 0.22;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour(file.letter);
    context.lineWidth = 1.25;
    context.stroke();
    this.drawSteps(context, width, y, most);
    this.drawAxis(context, x, y, bottom);
    if (kernel.costs) this.drawStalls(context, x, columns);
    this.drawWindow(context, x, bottom);
  }

  /** The largest value of the axis: the peak, or the next occupancy step if it is near. */
  scale() {
    const { most, steps } = this.file;
    let above = 0;
    for (let i = 0; i < steps.length; i += 2) if (!above && steps[i + 1] >= most) above = steps[i + 1];
    return Math.max(1, above && above <= 2.2 * most ? above * 1.06 : most * 1.08);
  }

  drawSteps(context, width, y, most) {
    const { steps } = this.file;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    let free = Infinity; // labels go upward, and leave each other room
    for (let i = 0; i < steps.length; i += 2) {
      if (steps[i + 1] > most) break;
      const at = Math.round(y(steps[i + 1])) + 0.5;
      context.strokeStyle = colour("good");
      context.globalAlpha = 0.55;
      context.setLineDash([4, 3]);
      context.beginPath();
      context.moveTo(AXIS, at);
      context.lineTo(width, at);
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      if (free - at < 13) continue;
      free = at;
      const label = `${plural(steps[i], "wave")} up to ${steps[i + 1]}`;
      const wide = context.measureText(label).width;
      context.fillStyle = colour("paper");
      context.fillRect(width - wide - 10, at - 7, wide + 8, 14);
      context.fillStyle = colour("good");
      context.fillText(label, width - 6, at + 4);
    }
  }

  drawLoops(context, x, top, bottom) {
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.06;
    for (const loop of this.kernel.listing.loops) context.fillRect(x(loop.first), top, x(loop.last + 1) - x(loop.first), bottom - top);
    context.globalAlpha = 1;
  }

  drawAxis(context, x, y, bottom) {
    const { kernel, file } = this;
    context.strokeStyle = colour("strong");
    context.beginPath();
    context.moveTo(AXIS, bottom + 0.5);
    context.lineTo(x(kernel.count), bottom + 0.5);
    context.stroke();
    context.fillStyle = colour("soft");
    context.textAlign = "right";
    context.fillText("0", AXIS - 6, bottom + 1);
    context.fillStyle = colour("peak");
    context.fillText(String(file.most), AXIS - 6, y(file.most) + 4);
    const peak = x(file.peak + 0.5);
    context.beginPath();
    context.arc(peak, y(file.most), 3, 0, 7);
    context.fill();
    context.fillStyle = colour("soft");
    context.strokeStyle = colour("strong");
    context.textAlign = "left";
    let free = 0;
    for (const block of kernel.listing.blocks) {
      const at = Math.round(x(block.first)) + 0.5;
      const wide = context.measureText(block.label).width;
      if (at < free || at + wide > x(kernel.count)) continue;
      context.beginPath();
      context.moveTo(at, bottom);
      context.lineTo(at, bottom + 5);
      context.stroke();
      context.fillText(block.label, at + 3, bottom + 15);
      free = at + wide + 12;
    }
  }

  /** The stalls of the lines of each column, by cause. */
  drawStalls(context, x, columns) {
    const { kernel } = this;
    const { causes, charges } = kernel.profile;
    const sums = Array.from({ length: columns }, () => new Float64Array(causes.length));
    for (let i = 0; i < charges.length; i += 4) {
      const column = Math.min(columns - 1, Math.floor((charges[i] * columns) / kernel.count));
      if (charges[i + 1] !== kernel.costs.issued) sums[column][charges[i + 1]] += charges[i + 2];
    }
    const heights = sums.map((row) => row.reduce((sum, clocks) => sum + clocks, 0));
    const most = Math.max(1, ...heights);
    const base = CHART + STALLS - 4;
    const wide = Math.max(1, (x(kernel.count) - AXIS) / columns);
    sums.forEach((row, column) => {
      let at = base;
      row.forEach((clocks, cause) => {
        if (!clocks) return;
        const height = Math.max(0.5, (clocks / most) * (STALLS - 6));
        context.fillStyle = causeColour(causes[cause], cause);
        context.fillRect(AXIS + column * wide, at - height, wide, height);
        at -= height;
      });
    });
    context.fillStyle = colour("soft");
    context.textAlign = "right";
    context.fillText("stalls", AXIS - 6, base - 4);
  }

  drawWindow(context, x) {
    const [first, last] = this.page.listing.window();
    const left = x(first);
    context.fillStyle = colour("ink");
    context.globalAlpha = 0.07;
    context.fillRect(left, 2, Math.max(2, x(last + 1) - left), this.height - 4);
    context.globalAlpha = 1;
    if (this.page.line == null) return;
    context.fillStyle = colour("accent");
    context.fillRect(x(this.page.line), 2, 1.5, this.height - 4);
  }
}
