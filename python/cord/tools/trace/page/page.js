"use strict";
// The timeline: rows of what the program and its replicas did. Far away, a row shows how much of each
// moment it was busy (levels that were computed beforehand); near by, single calls.

const KINDS = ["own", "handling", "made", "scout", "starting", "sending", "running", "behind", "needed", "coming"];
const WORDS = {
  own: "the program’s own lines", handling: "encoding, taking, decoding", made: "the program makes the call itself",
  scout: "a scout looks for the next call", starting: "a replica starts", sending: "a call is on its way to a replica",
  running: "a call runs, and the program waits for it", behind: "a call runs, with the awaited one behind it",
  needed: "a call runs, and the next one needs its value", coming: "an answer is on its way",
};
const AXIS = 22;
// So many single pieces a pixel column are drawn one by one in all rows; of more, levels are shown.
const DENSE = 200;

const canvas = document.getElementById("timeline");
const tip = document.getElementById("tip");
const picked = document.getElementById("picked");
const pen = canvas.getContext("2d");
let data, rows, view, colors, label, height, kinds;

function bytes(text) {
  const raw = atob(text), all = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) all[at] = raw.charCodeAt(at);
  return all;
}

async function unpack() {
  const packed = new Blob([bytes(document.getElementById("data").textContent)]);
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function time(ns) {
  if (ns >= 1e9) return (ns / 1e9).toPrecision(4) + " s";
  if (ns >= 1e6) return (ns / 1e6).toPrecision(4) + " ms";
  return ns >= 1e3 ? (ns / 1e3).toPrecision(4) + " µs" : Math.round(ns) + " ns";
}

// ---- rows

function opened(row, name, kind) {
  const numbers = (text) => new Uint32Array(bytes(text).buffer);
  return {
    name, kind, levels: row.levels.map(bytes), many: row.many, unit: data.timeline.unit,
    began: numbers(row.began), length: numbers(row.length), before: numbers(row.before),
    place: new Uint16Array(bytes(row.place).buffer), what: bytes(row.what),
  };
}

function makeRows() {
  const { threads, replicas } = data.timeline;
  const path = data.path;
  const thread = (row) => (threads.length > 1 ? "thread " + row.about[0] : "program");
  const replica = (row) => {
    const [first, last] = [data.replicas[row.about[0]], data.replicas[row.about.at(-1)]];
    return row.about.length > 1 ? first + "–" + last.split(" ").pop() : first;
  };
  kinds = bytes(data.kinds);
  rows = [
    { name: "critical path", kind: "path", unit: 1, levels: [], many: path.length,
      began: path.map((one) => one[0]), length: path.map((one) => one[1]) },
    ...threads.map((row) => opened(row, thread(row), "program")),
    { name: "scouts", kind: "scouts" },
  ];
  let heading;
  for (const row of replicas) {
    const node = data.nodes[row.about[0]];
    if (node !== heading) rows.push({ name: (heading = node), kind: "node" });
    rows.push({ ...opened(row, replica(row), "replica"), node });
  }
}

function place(number) {
  const known = data.places[number];
  return known ? known.name + (known.call ? "  " + known.call : "") : number ? "place " + number : "another call";
}

// ---- drawing

function measure() {
  const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue("--" + name).trim();
  colors = Object.fromEntries([...KINDS, "waited", "ink", "soft", "rule", "paper"].map((name) => [name, color(name)]));
  const each = Math.max(5, Math.min(24, Math.floor(1100 / rows.length)));
  let top = AXIS;
  for (const row of rows) {
    row.top = top;
    row.height = row.kind === "replica" ? each : row.kind === "node" ? 18 : 24;
    top += row.height;
  }
  height = top + 2;
  const width = canvas.clientWidth, sharp = window.devicePixelRatio || 1;
  label = width < 520 ? 74 : 116;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
}

const across = () => canvas.clientWidth - label;
const x = (ns) => label + ((ns - view.from) / (view.to - view.from)) * across();
const at = (px) => view.from + ((px - label) / across()) * (view.to - view.from);

function draw() {
  const width = canvas.clientWidth;
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, width, height);
  pen.save();
  pen.beginPath();
  pen.rect(label, 0, across(), height);
  pen.clip();
  drawAxis();
  for (const row of rows) drawRow(row);
  pen.restore();
  pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  pen.textBaseline = "middle";
  let free = 0;
  for (const row of rows) {
    const middle = row.top + row.height / 2;
    if (middle < free) continue;
    pen.fillStyle = row.kind === "node" ? colors.soft : colors.ink;
    if (row.kind === "node") pen.fillText("on " + row.name, 4, middle);
    else pen.fillText(row.name, 4, middle, label - 8);
    free = middle + 13;
  }
}

function drawAxis() {
  const rough = ((view.to - view.from) / across()) * 110, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  pen.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  pen.textBaseline = "top";
  const digits = (unit) => Math.max(0, Math.min(9, -Math.floor(Math.log10(step / unit) + 1e-9)));
  for (let tick = Math.ceil(view.from / step) * step; tick <= view.to; tick += step) {
    const left = Math.round(x(tick)) + 0.5;
    pen.fillStyle = colors.rule;
    pen.fillRect(left, 0, 1, height);
    pen.fillStyle = colors.soft;
    const text = step >= 1e8 ? (tick / 1e9).toFixed(digits(1e9)) + " s"
      : step >= 1e5 ? (tick / 1e6).toFixed(digits(1e6)) + " ms" : (tick / 1e3).toFixed(digits(1e3)) + " µs";
    pen.fillText(text, left + 3, 4);
  }
}

function drawRow(row) {
  if (row.kind === "node") return;
  if (row.kind === "scouts") return drawScouts(row);
  if (row.kind === "program") {
    pen.fillStyle = colors.own;
    pen.fillRect(x(0), row.top + 3, x(data.length) - x(0), row.height - 6);
  }
  const [first, last] = visible(row);
  if (row.kind === "path") return drawPath(row, first, last);
  if (last - first > (DENSE * across()) / rows.length && row.levels.length) drawLevel(row);
  else if (isThinned(row) && row.levels.length && !isFar(row)) { drawLevel(row); drawSingles(row, first, last); }
  else if (isThinned(row) && row.levels.length) drawLevel(row);
  else drawSingles(row, first, last);
}

const isThinned = (row) => (row.kind === "replica" ? data.timeline.calls_of : data.timeline.takes_of) > 1;
// whether single pieces would be too small to see
const isFar = (row) => (view.to - view.from) / data.length > 2 * across() / (row.levels.at(-1).length);

// The pieces that may be in view: those that begin in it, and the ones just before.
function visible(row) {
  const search = (ns) => {
    let low = 0, high = row.many;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.began[middle] * row.unit < ns) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [Math.max(0, search(view.from) - 2), search(view.to)];
}

function colorOf(row, piece) {
  if (row.kind === "path") return colors[KINDS[data.path[piece][2]]];
  if (row.kind === "program") return row.what[piece] ? colors.made : colors.waited;
  return row.what[piece] ? colors.starting : colors.running;
}

function drawSingles(row, first, last) {
  for (let piece = first; piece < last; piece++) {
    const left = x(row.began[piece] * row.unit), wide = (row.length[piece] * row.unit * across()) / (view.to - view.from);
    if (left + wide < label) continue;
    pen.fillStyle = colorOf(row, piece);
    const gap = wide > 4 ? 1 : 0;
    pen.fillRect(left, row.top + (row.height > 8 ? 3 : 1), Math.max(wide - gap, 0.6), row.height - (row.height > 8 ? 6 : 1));
  }
}

function levelOf(row) {
  const wanted = (across() * data.length) / (view.to - view.from);
  return row.levels.find((level) => level.length >= wanted) || row.levels.at(-1);
}

// Where pieces are left out, or too many, it is shown of which kind most of each moment was.
function drawPath(row, first, last) {
  const isThin = data.pieces > row.many, part = data.length / kinds.length;
  const dense = last - first > 20 * across();
  for (let px = 0; (isThin || dense) && px < across(); px++) {
    const kind = kinds[Math.floor(at(label + px) / part)];
    if (kind === undefined) continue;
    pen.fillStyle = colors[KINDS[kind]];
    pen.fillRect(label + px, row.top + 3, 1, row.height - 6);
  }
  if (!dense) drawSingles(row, first, last);
}

function drawLevel(row) {
  const level = levelOf(row), part = data.length / level.length, most = row.height - 6;
  pen.fillStyle = row.kind === "program" ? colors.waited : colors.running;
  for (let px = 0; px < across(); px++) {
    const first = Math.floor(at(label + px) / part), last = Math.max(first + 1, Math.floor(at(label + px + 1) / part));
    let sum = 0;
    for (let one = Math.max(first, 0); one < Math.min(last, level.length); one++) sum += level[one];
    const high = (Math.max(most, 3) * sum) / (255 * (last - first));
    pen.fillRect(label + px, row.top + row.height - 3 - high, 1, high);
  }
}

function drawScouts(row) {
  const born = data.timeline.scouts, part = data.length / born.length;
  pen.fillStyle = colors.scout;
  born.forEach((many, one) => { if (many) pen.fillRect(x(one * part), row.top + 5, Math.max(2, x(part) - x(0)), row.height - 10); });
  pen.fillStyle = colors.made;
  for (const [when, cost] of data.timeline.copies) pen.fillRect(x(when - cost), row.top + 3, Math.max(2, x(cost) - x(0)), row.height - 6);
}

// ---- what is pointed at

function pieceAt(row, ns) {
  const slack = ((view.to - view.from) / across()) * 1.5;
  let [first, last] = visible(row), best = -1;
  for (let piece = first; piece < last; piece++) {
    const began = row.began[piece] * row.unit;
    if (began - slack > ns) break;
    if (ns <= began + row.length[piece] * row.unit + slack) best = piece;
  }
  return best;
}

function told(px, py) {
  const row = rows.find((one) => py >= one.top && py < one.top + one.height);
  if (!row || row.kind === "node" || px < label) return null;
  const ns = at(px);
  if (ns < 0 || ns > data.length) return null;
  if (row.kind === "scouts") return toldOfScouts(ns);
  const piece = pieceAt(row, ns);
  if (piece < 0) return toldOfLevel(row, ns);
  const began = row.began[piece] * row.unit, length = time(row.length[piece] * row.unit);
  if (row.kind === "path") {
    const [, , kind, number] = data.path[piece];
    return { text: `${WORDS[KINDS[kind]]}: ${length}\nat ${time(began)}${number && kind ? "\n" + place(number) : ""}`, place: kind ? number : 0 };
  }
  const number = row.place[piece], before = time(row.before[piece] * row.unit);
  const what = row.kind === "program"
    ? row.what[piece] ? `made by the program itself, in ${length}` : `at this call for ${length}, waiting ${before}`
    : `ran for ${length}, ${before} after it was issued${["", ", in vain", ", lost"][row.what[piece]]}`;
  return { text: `${place(number)}\n${called(row)}: ${what}\nat ${time(began)}`, place: number };
}

const called = (row) => row.name + (row.node ? " on " + row.node : "");

function toldOfLevel(row, ns) {
  if (!row.levels.length) return null;
  const level = levelOf(row), part = Math.min(level.length - 1, Math.floor((ns / data.length) * level.length));
  const share = Math.round((level[part] / 255) * 100);
  const words = row.kind === "program" ? (share ? `at calls for ${share} %` : "the program’s own lines") : share ? `busy for ${share} %` : "idle";
  return { text: `${called(row)}: ${words}\nat ${time(ns)}`, place: 0 };
}

function toldOfScouts(ns) {
  const copy = data.timeline.copies.find(([when, cost]) => Math.abs(when - ns) < Math.max(cost, (view.to - view.from) / across() * 3));
  if (copy) return { text: `a copy of the program was made; it stood still for ${time(copy[1])}\nat ${time(copy[0])}`, place: 0 };
  const born = data.timeline.scouts, many = born[Math.min(born.length - 1, Math.floor((ns / data.length) * born.length))];
  return { text: `${many || "no"} ${many === 1 ? "scout was" : "scouts were"} born\nabout ${time(ns)}`, place: 0 };
}

function hover(event) {
  const box = canvas.getBoundingClientRect();
  const found = told(event.clientX - box.left, event.clientY - box.top);
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = found.text;
  const { offsetWidth: wide, offsetHeight: high } = tip;
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - wide - 8)) + "px";
  tip.style.top = (event.clientY + 18 + high > innerHeight ? event.clientY - high - 12 : event.clientY + 18) + "px";
}

function pick(event) {
  const box = canvas.getBoundingClientRect();
  const found = told(event.clientX - box.left, event.clientY - box.top);
  if (!found) return;
  picked.textContent = found.text.split("\n").join(" · ");
  const anchor = found.place && data.places[found.place] && data.places[found.place].anchor;
  if (anchor) {
    const link = document.createElement("a");
    link.href = "#" + anchor;
    link.textContent = " to its line";
    picked.append(link);
  }
}

// ---- moving about

let waiting = 0;
function show(from, to) {
  const span = Math.min(data.length, Math.max(to - from, 200));
  from = Math.max(0, Math.min(from, data.length - span));
  view = { from, to: from + span };
  canvas.dataset.span = String(Math.round(span));
  if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; draw(); });
}

function zoom(factor, around) {
  const fixed = around ?? (view.from + view.to) / 2;
  show(fixed - (fixed - view.from) * factor, fixed + (view.to - fixed) * factor);
}

const isWhole = () => view.to - view.from >= data.length;
const move = (part) => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));

function listen() {
  const pointers = new Map();
  let moved = 0;
  const offset = (event) => event.clientX - canvas.getBoundingClientRect().left;
  canvas.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) { event.preventDefault(); move(event.deltaX / across()); return; }
    if (event.deltaY > 0 && isWhole()) return; // the page scrolls on
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.005), at(Math.max(label, offset(event))));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, offset(event)); moved = 0; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) { hover(event); return; }
    const before = [...pointers.values()];
    const was = pointers.get(event.pointerId), now = offset(event);
    pointers.set(event.pointerId, now);
    moved += Math.abs(now - was);
    if (pointers.size === 2) {
      const after = [...pointers.values()];
      zoom(Math.max(1, Math.abs(before[0] - before[1])) / Math.max(1, Math.abs(after[0] - after[1])), at((after[0] + after[1]) / 2));
    } else {
      tip.hidden = true;
      move((was - now) / across());
    }
  });
  const leave = (event) => { pointers.delete(event.pointerId); };
  canvas.addEventListener("pointerup", (event) => { if (moved < 4) { pick(event); hover(event); } leave(event); });
  canvas.addEventListener("pointercancel", leave);
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("keydown", (event) => {
    const act = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), 0: () => show(0, data.length), Home: () => show(0, data.length) }[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  document.getElementById("closer").addEventListener("click", () => zoom(0.5));
  document.getElementById("farther").addEventListener("click", () => zoom(2));
  document.getElementById("whole").addEventListener("click", () => show(0, data.length));
  const again = () => { measure(); draw(); };
  new ResizeObserver(again).observe(canvas.parentElement);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}

// ---- the listing: lines far from any number are folded away

function fold() {
  for (const row of document.querySelectorAll("tr.fold")) {
    const far = [];
    for (let next = row.nextElementSibling; next && next.dataset.far; next = next.nextElementSibling) far.push(next);
    for (const line of far) line.hidden = true;
    row.hidden = false;
    row.querySelector("button").addEventListener("click", () => {
      for (const line of far) line.hidden = false;
      row.remove();
    });
  }
}

fold();
unpack().then((found) => {
  data = found;
  view = { from: 0, to: data.length };
  makeRows();
  measure();
  listen();
  show(0, data.length);
});
