// Elements, tooltips and colours.

/** An element with attributes and children; `on...` are listeners, text is never parsed as HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as HTML; rows of the listing are built as strings, which is faster than elements. */
function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
}

const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;

/** 1234567 as 1,234,567. */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** At most four digits: 1234567 as 1.23M. */
function short(number) {
  if (number < 10000) return String(number);
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return (number / size).toPrecision(3) + letter;
  }
  return String(number);
}

const share = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : "");

const tip = element("div", { class: "tip", hidden: true, role: "tooltip" });

/** Show a tooltip at a mouse event; the first line is bold. No lines hide it. */
function showTip(event, lines) {
  if (!lines || !lines.length) {
    tip.hidden = true;
    return;
  }
  tip.replaceChildren(element("b", {}, lines[0]), lines.length > 1 ? "\n" + lines.slice(1).join("\n") : "");
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  const below = event.clientY + 18;
  tip.style.top = `${below + height > innerHeight - 8 ? Math.max(4, event.clientY - height - 12) : below}px`;
}

const CAUSE_COLOURS = {
  issued: "#3f9c5f", dependency: "#4f83d1", counter: "#e08a2e", port: "#8d63c9", queue: "#a5713f",
  "LDS conflict": "#d0453b", barrier: "#d864a9", fetch: "#2fa3a3", branch: "#7086a5", sleep: "#b9b36a", end: "#a7adb8",
};
const OTHER_COLOURS = ["#c06c84", "#6c9bc0", "#9bc06c", "#c0a26c"];

function causeColour(name, number) {
  return CAUSE_COLOURS[name] ?? OTHER_COLOURS[number % OTHER_COLOURS.length];
}

const colours = new Map(); // forgotten when the colour scheme changes

/** The value of a colour of the style sheet, for a canvas. */
function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}

/** A canvas at the resolution of the screen, cleared; its context counts in CSS pixels. */
function prepared(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** The first index from which `test` is true, in a sorted range; `end` if it never is. */
function firstIndex(end, test) {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
