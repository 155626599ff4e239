"use strict";
// Curves over a common axis as SVG. The pointer reads values, dragging zooms along the axis, a double click shows all
// again, a click picks a place; `cursor` marks one.

class Chart {
  // {title, over, unit, curves: [{name, color, x, y}]}, x rising; pick: what a click calls with the place under it
  constructor(box, diagram, pick) {
    Object.assign(this, { box, diagram, pick });
    const ends = diagram.curves.map((c) => [c.x[0], c.x[c.x.length - 1]]);
    this.whole = this.range = [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
    box.classList.add("chart");
    this.head = box.appendChild(document.createElement("div"));
    this.head.className = "chart-head";
    this.words = this.head.appendChild(document.createElement("b"));
    this.words.textContent = diagram.title;
    for (const curve of diagram.curves) {
      const entry = this.head.appendChild(document.createElement("span"));
      Object.assign(entry, { textContent: curve.name }).style.color = curve.color;
    }
    this.svg = box.appendChild(Chart.node("svg"));
    this.readout = box.appendChild(document.createElement("div"));
    this.readout.className = "chart-readout";
    this.read(null);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  static node(name, attributes = {}, parent = null) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return parent ? parent.appendChild(made) : made;
  }

  static number(x) {
    return x === 0 ? "0" : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 ? String(+x.toPrecision(4)) : x.toExponential(2);
  }

  // round numbers from low to high, about `count`
  static ticks(low, high, count) {
    const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((k) => k * power >= rough * 0.999);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
    return found;
  }

  // first place whose x is not below a value
  static place(x, value) {
    let low = 0, high = x.length;
    while (low < high) { const k = (low + high) >> 1; if (x[k] < value) low = k + 1; else high = k; }
    return low;
  }

  // part of a curve inside the range, with one point on either side
  inside(curve) {
    const first = Math.max(0, Chart.place(curve.x, this.range[0]) - 1);
    return [first, Math.min(curve.x.length, Chart.place(curve.x, this.range[1]) + 2)];
  }

  draw() {
    const width = this.svg.clientWidth, height = this.svg.clientHeight, { curves, over, unit } = this.diagram;
    if (width < 80 || height < 50) return;
    this.area = { left: 58, right: width - 10, top: 6, bottom: height - 34 };
    const { left, right, top, bottom } = this.area;
    let low = Infinity, high = -Infinity;
    for (const curve of curves) {
      const [first, end] = this.inside(curve);
      for (let k = first; k < end; k++) { low = Math.min(low, curve.y[k]); high = Math.max(high, curve.y[k]); }
    }
    const margin = high > low ? 0.05 * (high - low) : Math.abs(high) || 1;
    [low, high] = [low - margin, high + margin];
    const [start, stop] = this.range;
    this.x = (value) => left + ((value - start) / (stop - start || 1)) * (right - left);
    this.y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const write = (text, x, y, anchor) => { Chart.node("text", { x, y, "text-anchor": anchor }, this.svg).textContent = text; };
    for (const value of Chart.ticks(start, stop, Math.max(2, (right - left) / 90))) {
      Chart.node("line", { class: "grid", x1: this.x(value), x2: this.x(value), y1: top, y2: bottom }, this.svg);
      write(Chart.number(value), this.x(value), bottom + 15, "middle");
    }
    for (const value of Chart.ticks(low, high, Math.max(2, (bottom - top) / 42))) {
      Chart.node("line", { class: "grid", x1: left, x2: right, y1: this.y(value), y2: this.y(value) }, this.svg);
      write(Chart.number(value), left - 6, this.y(value) + 4, "end");
    }
    write(over, (left + right) / 2, height - 4, "middle");
    if (unit) write(`[${unit}]`, 2, top + 8, "start");
    const clip = `inside-${Chart.count = (Chart.count || 0) + 1}`;
    Chart.node("rect", { x: left, y: top, width: right - left, height: bottom - top },
      Chart.node("clipPath", { id: clip }, this.svg));
    const lines = Chart.node("g", { "clip-path": `url(#${clip})` }, this.svg);
    curves.forEach((curve) => Chart.node("path", { d: this.path(curve), stroke: curve.color }, lines));
    this.mark = Chart.node("line", { class: "cursor", y1: top, y2: bottom, visibility: "hidden" }, lines);
    this.frame = Chart.node("rect", { class: "zoom", y: top, height: bottom - top, visibility: "hidden" }, lines);
    if (this.at !== undefined) this.cursor(this.at);
  }

  // of many points in one column of pixels the lowest and the highest are drawn
  path(curve) {
    const [first, end] = this.inside(curve), group = Math.max(1, Math.floor((end - first) / (2 * (this.area.right - this.area.left))));
    const points = [], add = (k) => points.push(`${this.x(curve.x[k]).toFixed(1)},${this.y(curve.y[k]).toFixed(1)}`);
    for (let k = first; k < end; k += group) {
      if (group === 1) { add(k); continue; }
      let low = k, high = k;
      for (let j = k; j < Math.min(k + group, end); j++) { if (curve.y[j] < curve.y[low]) low = j; if (curve.y[j] > curve.y[high]) high = j; }
      add(Math.min(low, high));
      add(Math.max(low, high));
    }
    return `M${points.join("L")}`;
  }

  // show the values next to a place, none for null
  read(value) {
    this.readout.hidden = value === null;
    if (value === null) return;
    this.readout.replaceChildren(...this.diagram.curves.map((curve) => {
      const after = Math.min(Chart.place(curve.x, value), curve.x.length - 1);
      const near = after > 0 && value - curve.x[after - 1] < curve.x[after] - value ? after - 1 : after;
      const line = document.createElement("div");
      Object.assign(line, { textContent: `${Chart.number(curve.y[near])} at ${Chart.number(curve.x[near])}` }).style.color = curve.color;
      return line;
    }));
  }

  // mark a place by a line
  cursor(value) {
    this.at = value;
    if (!this.mark) return;
    this.mark.setAttribute("x1", this.x(value));
    this.mark.setAttribute("x2", this.x(value));
    this.mark.setAttribute("visibility", "visible");
  }

  zoom(range) {
    this.range = range;
    this.draw();
  }

  listen() {
    let from = null;
    const place = (event) => {
      const box = this.svg.getBoundingClientRect(), { left, right } = this.area;
      const share = Math.min(1, Math.max(0, (event.clientX - box.left - left) / (right - left)));
      return this.range[0] + share * (this.range[1] - this.range[0]);
    };
    const apart = (event) => Math.abs(event.clientX - from.pixel) > 4;
    this.svg.onpointerdown = (event) => { from = { pixel: event.clientX, value: place(event) }; this.svg.setPointerCapture(event.pointerId); };
    this.svg.onpointermove = (event) => {
      if (!this.area) return;
      const here = place(event);
      this.read(here);
      if (!this.pick && !from) this.cursor(here);
      if (!from || !apart(event)) return;
      const [a, b] = [this.x(Math.min(here, from.value)), this.x(Math.max(here, from.value))];
      for (const [key, value] of Object.entries({ x: a, width: b - a, visibility: "visible" })) this.frame.setAttribute(key, value);
    };
    this.svg.onpointerup = (event) => {
      if (!from) return;
      const ends = [place(event), from.value].sort((a, b) => a - b);
      if (apart(event) && ends[1] > ends[0]) this.zoom(ends);
      else if (this.pick) this.pick(from.value);
      from = null;
    };
    this.svg.onpointercancel = () => { from = null; };
    this.svg.onpointerleave = () => { this.read(null); if (!this.pick && this.mark) this.mark.setAttribute("visibility", "hidden"); };
    this.svg.ondblclick = () => this.zoom(this.whole);
  }
}

// every element with data-charts: several diagrams, of which a button chooses one
function openCharts() {
  const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  for (const box of document.querySelectorAll("[data-charts]")) {
    const diagrams = JSON.parse(box.dataset.charts);
    const views = diagrams.map((diagram) => {
      diagram.curves = diagram.curves.map((curve) => ({ ...curve, x: floats(curve.x), y: floats(curve.y) }));
      const view = box.appendChild(document.createElement("div"));
      view.chart = new Chart(view, diagram);
      return view;
    });
    const choose = (k) => views.forEach((view, j) => { view.hidden = j !== k; buttons.children[j].disabled = j === k; });
    const buttons = document.createElement("div");
    buttons.className = "chart-choice";
    diagrams.forEach((diagram, k) => {
      const button = buttons.appendChild(document.createElement("button"));
      button.textContent = `over ${diagram.over.replace(/ \[.*/, "")}`;
      button.onclick = () => choose(k);
    });
    if (diagrams.length > 1) box.prepend(buttons);
    choose(0);
  }
}
