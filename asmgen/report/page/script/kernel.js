// A kernel of the page's data with everything that is derived from it.

const CHUNK = 128; // lines; the live ranges of a window are found through the chunks that it touches
const VCC = 106; // its number among the SGPRs
const REGISTER = /\b([vas])(?:\[(\d+):(\d+)\]|(\d+)\b)/g;

class Kernel {
  constructor(data) {
    this.data = data;
    this.listing = data.listing;
    this.profile = data.profile;
    this.count = this.listing.text.length;
    this.blockOf = new Int32Array(this.count);
    this.listing.blocks.forEach((block, i) => this.blockOf.fill(i, block.first, block.first + block.count));
    this.files = this.listing.registers.map((file) => new RegisterFile(file, this.count));
    this.shown = this.files.filter((file) => file.most > 0);
    this.targets = new Map();
    for (let i = 0; i < this.listing.jumps.length; i += 2) this.targets.set(this.listing.jumps[i], this.listing.jumps[i + 1]);
    this.costs = this.profile ? new Costs(this.profile, this.count) : null;
  }

  /** The file and the line of a line's source; null if there is none. */
  source(line) {
    const place = this.listing.place[line];
    if (place < 0) return null;
    const [file, number] = this.listing.places[place];
    return { file, number, name: this.listing.files[file].name, text: this.listing.files[file].text[number - 1] };
  }

  op(line) {
    return this.listing.op[line] < 0 ? "" : this.listing.ops[this.listing.op[line]];
  }

  unit(line) {
    return this.listing.units[this.listing.unit[line]];
  }

  /** The registers that a line names, as {letter, first, last}. */
  operands(line) {
    return [...this.listing.text[line].matchAll(REGISTER)].map(([, letter, first, last, only]) => ({
      letter, first: Number(only ?? first), last: Number(only ?? last),
    }));
  }

  file(letter) {
    return this.files.find((file) => file.letter === letter);
  }
}

class RegisterFile {
  constructor(data, count) {
    Object.assign(this, data);
    this.most = 0;
    this.peak = 0;
    this.pressure.forEach((pressure, line) => {
      if (pressure > this.most) [this.most, this.peak] = [pressure, line];
    });
    this.chunks = Array.from({ length: Math.ceil(count / CHUNK) || 1 }, () => []);
    this.units = 0; // numbered registers: not VCC
    const { ranges } = this;
    for (let i = 0; i < ranges.length; i += 3) {
      const last = Math.floor(ranges[i + 2] / CHUNK);
      for (let chunk = Math.floor(ranges[i + 1] / CHUNK); chunk <= last; chunk++) this.chunks[chunk].push(i);
      if (this.letter !== "s" || ranges[i] < VCC) this.units = Math.max(this.units, ranges[i] + 1);
    }
  }

  /** Calls `visit(register, first, last)` for the live ranges that touch the lines from `from` to `to`. */
  visit(from, to, visit) {
    const seen = new Set();
    for (let chunk = Math.floor(from / CHUNK); chunk <= Math.floor(to / CHUNK) && chunk < this.chunks.length; chunk++) {
      for (const i of this.chunks[chunk]) {
        if (seen.has(i)) continue;
        seen.add(i);
        if (this.ranges[i + 1] <= to && this.ranges[i + 2] >= from) visit(this.ranges[i], this.ranges[i + 1], this.ranges[i + 2]);
      }
    }
  }

  /** The live ranges of a register at a line, as [first, last]; two if a value dies where the next is born. */
  at(register, line) {
    const ranges = [];
    this.visit(line, line, (unit, first, last) => {
      if (unit === register) ranges.push([first, last]);
    });
    return ranges;
  }

  /** The waves that a SIMD runs with so many registers; null if this file does not limit them. */
  waves(registers) {
    for (let i = 0; i < this.steps.length; i += 2) if (registers <= this.steps[i + 1]) return this.steps[i];
    return null;
  }
}

/** The clocks of a profile by line. */
class Costs {
  constructor(profile, count) {
    const { charges } = profile;
    this.profile = profile;
    this.issued = profile.causes.indexOf("issued");
    this.total = new Float64Array(count);
    this.stalls = new Float64Array(count);
    this.byCause = new Float64Array(profile.causes.length);
    for (let i = 0; i < charges.length; i += 4) {
      const [line, cause, clocks] = [charges[i], charges[i + 1], charges[i + 2]];
      this.total[line] += clocks;
      if (cause !== this.issued) this.stalls[line] += clocks;
      this.byCause[cause] += clocks;
    }
    this.all = this.byCause.reduce((sum, clocks) => sum + clocks, 0);
    this.most = this.total.reduce((most, clocks) => Math.max(most, clocks), 0);
  }

  /** The charges of a line, the largest first, as {cause, clocks, culprit}. */
  charges(line) {
    const { charges } = this.profile; // ascending by line
    const rows = [];
    const first = firstIndex(charges.length / 4, (i) => charges[4 * i] >= line);
    for (let i = 4 * first; i < charges.length && charges[i] === line; i += 4) {
      rows.push({ cause: charges[i + 1], clocks: charges[i + 2], culprit: charges[i + 3] });
    }
    return rows.sort((one, other) => other.clocks - one.clocks);
  }

  /** The clocks of a line by cause, the largest first, as [cause, clocks]. */
  causes(line) {
    const sums = new Map();
    for (const { cause, clocks } of this.charges(line)) sums.set(cause, (sums.get(cause) ?? 0) + clocks);
    return [...sums].sort((one, other) => other[1] - one[1]);
  }

  /** The lines that stall, those that stall most first. */
  order() {
    return [...this.stalls.keys()].filter((line) => this.stalls[line] > 0).sort((a, b) => this.stalls[b] - this.stalls[a]);
  }
}
