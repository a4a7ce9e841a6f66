// @ts-check
// One row of the grid "Traffic": its cells, its marks and its bar in the waterfall.
import { address, exchangeAddress, preferences } from "../kit/core.js";
import { count, draw, foreign, iso, make, milliseconds, number, size, timeOfDay, visible } from "../kit/text.js";
import { isUnmatched } from "../kit/filter.js";
import { journal } from "../kit/journal.js";

/** What a column shows of a row while the list moves too fast to be read; notes have one text for all. */
const previewed = (text) => (item) => ("isNote" in item ? "" : text(item));

/** A narrow list, beside an exchange, has some of the widths of `style.css`. */
export const COLUMNS = [
  { key: "seq", title: "Seq", width: "var(--seq, 54px)", sorts: true, text: previewed((line) => number(line.seq)) },
  { key: "time", title: "Time", width: "var(--time, 100px)", sorts: true, text: previewed((line) => timeOfDay(timeShown(line.at, line.started))) },
  { key: "api", title: "API", width: "var(--api, 86px)", sorts: true, text: previewed((line) => line.api) },
  { key: "method", title: "Method", width: "var(--method, 62px)", sorts: true, text: previewed((line) => line.method) },
  { key: "path", title: "Path", width: "minmax(var(--path, 204px), 3fr)", sorts: true, text: (item) => ("isNote" in item ? item.text : item.path) },
  { key: "status", title: "Status", width: "var(--status, 92px)", sorts: true, text: previewed((line) => `${symbol(line.status, line.outcome)} ${line.status || ""}`) },
  { key: "user", title: "User", width: "minmax(var(--user, 100px), 1fr)", sorts: true },
  { key: "duration", title: "Duration", width: "76px", sorts: true },
  { key: "size", title: "Size", width: "70px", sorts: true },
  { key: "marks", title: "Marks", width: "minmax(var(--marks, 140px), 2fr)", sorts: true },
  { key: "waterfall", title: "Waterfall", width: "minmax(84px, 1fr)", sorts: true },
];

/** What rows are sorted by. @type {Record<string, (line: Line) => any>} */
export const SORTS = {
  seq: (line) => line.seq, time: (line) => line.at, api: (line) => line.api, method: (line) => line.method, path: (line) => line.path,
  status: (line) => line.status, user: (line) => line.user, duration: (line) => line.ms ?? Infinity, size: (line) => line.responseBytes,
  marks: (line) => marks(line).join(" "), waterfall: (line) => line.started,
};

/** A symbol beside a status, so that its colour is not needed. @param {number} status @param {string} outcome */
function symbol(status, outcome = "delivered") {
  if (outcome === "held") return "‖";
  if (!status) return "✕";
  return ["·", "✓", "→", "!", "✕"][Math.floor(status / 100) - 1] ?? "·";
}
/** @param {number} status */
export const statusClass = (status) => (status ? `s${Math.floor(status / 100)}` : "s0");
export function statusView(status, outcome = "delivered") {
  return make("span", { class: `status ${outcome === "held" ? "held" : statusClass(status)}` },
    make("span", { "aria-hidden": "true", class: "symbol" }, symbol(status, outcome)), status ? String(status) : "", outcome !== "delivered" && ` ${outcome || "under way"}`);
}

/** A path with what fills the parameters of its route set apart. @param {string} path @param {string} route @param {string} [query] */
function pathView(path, route, query = "") {
  const parts = path.split("/");
  const template = route ? route.split("/") : [];
  const nodes = [];
  if (template.length !== parts.length) nodes.push(visible(path));
  else {
    let text = "";
    parts.forEach((part, index) => {
      if (index) text += "/";
      if (/^\{.*\}$/.test(template[index]) || template[index] === "*") {
        if (text) nodes.push(text);
        text = "";
        nodes.push(make("b", { class: "filled", title: template[index] }, visible(part)));
      } else text += visible(part);
    });
    if (text) nodes.push(text);
  }
  return make("bdi", { class: "path" }, nodes, query && make("span", { class: "query" }, `?${visible(query)}`));
}
/** The nearest exchange of the same route. @param {Line[]} lines @param {number} index from where @param {number} way 1 or -1 */
export function alike(lines, index, { api, method, route, path }, way) {
  const isAlike = (other) => other.api === api && other.method === method && (other.route || other.path) === (route || path);
  do index += way; while (lines[index] && !isAlike(lines[index]));
  return lines[index];
}
export function marks(line) {
  const found = [];
  if (line.fault) found.push(line.fault === "prefer" ? "prefer" : `fault ${line.fault}`);
  if (isUnmatched(line)) found.push("unmatched");
  if (line.violations) found.push(count(line.violations, "violation"));
  const rules = journal.findings.get(line.id);
  if (rules) found.push(...rules.map((rule) => `finding ${rule}`));
  if (line.gate) found.push(`gate ${line.gate}`);
  if (line.replayOf) found.push(`replay of ${line.replayOf}`);
  if (line.answeredBy) found.push(line.answeredBy);
  if (line.nearestStub) found.push(`not ${line.nearestStub}`);
  // Last, since it marks many rows.
  if (line.scenario) found.push(`scenario ${line.scenario}`);
  return found;
}

/** Where a mark leads: to what it names, else to its exchange. @type {Record<string, (name: string, line: Line) => string>} */
const TARGETS = {
  fault: () => address("faults"), gate: () => address("faults"), scenario: (name) => address("scenarios", { q: name }), replay: (_, line) => exchangeAddress(line.replayOf),
  finding: (rule, line) => address("report", { rule, request: line.id }), unmatched: (_, line) => address("traffic", { filter: "is:unmatched", exchange: line.id }),
};
/** A mark, which is cut where it has no room. The list has one stop of the tab key; the exchange has the same links. @param {string} text @param {Line} line */
function markView(text, line) {
  const kind = /[a-z]+/.exec(text)?.[0] ?? "";
  const name = text.slice(kind.length + 1);
  return make("a", { class: `badge k-${kind}`, title: visible(text), tabindex: "-1", href: TARGETS[kind]?.(name, line) ?? exchangeAddress(line.id) },
    visible(kind === "scenario" ? `scenario ${name.replace(/^[^/]*\//, "")}` : text));
}

/** The instants of both clocks. @param {number} at @param {number | string} machine */
export const bothClocks = (at, machine) => `World ${iso(at)}, machine ${iso(machine) || "not known"}`;
function timeView(at, machine) {
  const node = make("time", null, " ");
  showTime(node, at, machine);
  return node;
}
const timeShown = (at, machine) => (preferences.get("time") === "Machine time" ? machine : at);
function showTime(node, at, machine) {
  const shown = iso(timeShown(at, machine));
  node.setAttribute("datetime", shown);
  node.title = bothClocks(at, machine);
  node.firstChild.data = timeOfDay(shown);
}

const PARTS = /** @type {const} */ (["receive", "handle", "wait", "send"]);

export const scale = { from: 0, to: 1 };
const lengthOf = (line) => Math.max(line.ms ?? 0, line.receive + line.handle + line.wait + line.send);

/** Fits the scale to rows; tells whether it has changed. @param {(Line | JournalNote)[]} items */
export function fitScale(items) {
  let from = Infinity;
  let to = -Infinity;
  for (const item of items) {
    if ("isNote" in item || !Number.isFinite(item.started)) continue;
    from = Math.min(from, item.started);
    to = Math.max(to, item.started + lengthOf(item));
  }
  if (from > to) return false;
  to = Math.max(to, from + 1);
  if (from === scale.from && to === scale.to) return false;
  Object.assign(scale, { from, to });
  return true;
}
function barWords(line) {
  return `${line.ms === undefined ? "under way" : milliseconds(line.ms)}: ${PARTS.map((part) => `${part} ${milliseconds(line[part])}`).join(", ")}`;
}
/** Names an exchange at one point of its life; ids begin anew with a reset. */
const moment = (line) => `${line.seq} ${line.id} ${line.at} ${line.started} ${line.ms}`;

const placed = new WeakMap();
export function bar(line) {
  const node = draw("svg", { class: "bar", role: "img", height: 14, width: "100%" });
  showBar(node, line);
  return node;
}
function showBar(node, line) {
  node.setAttribute("aria-label", barWords(line));
  placeBar(node, line);
}

/** Places the four parts on the scale. @param {Element} node @param {Line} line */
export function placeBar(node, line) {
  const now = `${moment(line)} ${scale.from} ${scale.to}`;
  if (placed.get(node) === now) return;
  placed.set(node, now);
  const width = scale.to - scale.from;
  const percent = (value) => `${Math.max(0, Math.min(100, value)).toFixed(2)}%`;
  let start = ((line.started - scale.from) / width) * 100;
  const known = line.receive + line.handle + line.wait + line.send;
  const total = (lengthOf(line) / width) * 100;
  // The bar of another row has the same parts: they are moved.
  const rects = [...node.children];
  let place = 0;
  const show = (part, least, length) => {
    let rect = rects[place];
    if (rect?.getAttribute("class") !== part) {
      rect = part === "line" ? draw("rect", { y: 6, height: 2, class: part }) : draw("rect", { y: 2, height: 10, class: part, fill: `url(#pattern-${part})` });
      rects.splice(place, 0, rect);
      node.insertBefore(rect, node.children[place]);
    }
    place += 1;
    rect.setAttribute("x", percent(Math.min(start, 99)));
    rect.setAttribute("width", percent(Math.max(length, least)));
  };
  show("line", 1, total);
  for (const part of PARTS) {
    const length = (line[part] / width) * 100;
    if (line[part] > 0) show(part, known > 0 ? 0.6 : 0, length);
    start += length;
  }
  for (const rest of rects.slice(place)) rest.remove();
}

/** The patterns by which the parts of a bar differ. */
export function patterns() {
  const one = (name, ...marks) => draw("pattern", { id: `pattern-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    draw("rect", { width: 6, height: 6, class: `fill-${name}` }), ...marks);
  return draw("svg", { class: "patterns", width: 0, height: 0, "aria-hidden": "true" }, draw("defs", {},
    one("receive", draw("path", { d: "M0 3h6", class: "mark" })),
    one("handle"),
    one("wait", draw("path", { d: "M-1 1l2-2M0 6l6-6M5 7l2-2", class: "mark" })),
    one("send", draw("path", { d: "M3 0v6", class: "mark" }))));
}
export function cell(line, key) {
  switch (key) {
    case "seq": return number(line.seq);
    case "time": return timeView(line.at, line.started);
    case "api": return foreign(line.api);
    case "method": return make("span", { class: `method m-${/^[A-Z]+$/.test(line.method) ? line.method.toLowerCase() : "other"}` }, visible(line.method));
    case "path": return pathView(line.path, line.route, line.query);
    case "status": return statusView(line.status, line.outcome || (line.ms === undefined ? "" : "delivered"));
    case "user": return line.user ? foreign(line.user) : "";
    case "duration": return milliseconds(line.ms);
    case "size": return make("span", { title: `${number(line.responseBytes)} response bytes, ${number(line.requestBytes)} request bytes` }, size(line.responseBytes));
    case "marks": {
      const found = marks(line);
      const more = found.slice(2);
      return found.length ? make("span", { class: "marks" }, found.slice(0, 2).map((text) => markView(text, line)),
        more.length > 0 && make("a", { class: "badge more-marks", tabindex: "-1", href: exchangeAddress(line.id), title: visible(more.join("\n")) }, `+${more.length}`)) : "";
    }
    default: return bar(line);
  }
}

/** Cells that many rows have alike, by what they show. @type {Record<string, (line: Line) => any>} */
const NAMES = {
  api: (line) => line.api, method: (line) => line.method, path: (line) => [line.path, line.query, line.route].join("\n"), status: (line) => `${line.status} ${line.outcome} ${line.ms === undefined}`,
  user: (line) => line.user, size: (line) => `${line.responseBytes} ${line.requestBytes}`, marks: (line) => { const found = marks(line); return found.length ? [line.id, ...found].join("\n") : ""; },
};
/** Cells of which each row has another one, which the nodes of a row that is gone can show. @type {Record<string, (node: any, line: Line) => void>} */
const CHANGES = {
  seq: (node, line) => { node.data = number(line.seq); },
  time: (node, line) => showTime(node, line.at, line.started),
  duration: (node, line) => { node.data = milliseconds(line.ms); },
  waterfall: showBar,
};
/** A cell that the grid makes only if its row shows another one. @param {Line} line @param {string} key @returns {NamedCell} */
export const named = (line, key) => ({ name: `${key} ${NAMES[key]?.(line) ?? moment(line)}`, make: () => cell(line, key), change: CHANGES[key], item: line });
export const noteCell = (note) => [make("span", { class: "note-kind" }, visible(note.kind)), foreign(note.text, "note-text"), make("span", { class: "note-time" }, timeView(Date.parse(note.at), Date.parse(note.wallAt ?? note.at)))];
