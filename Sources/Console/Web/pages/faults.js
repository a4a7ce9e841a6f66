// @ts-check
// The page Faults and gates: held requests, gates, faults and latency.
import { effectWords } from "./effect-form.js";
import { openFault, openGate, openRelease } from "./fault-dialogs.js";
import { announce, attempt, call, get, hasKeys, on, segment } from "../kit/core.js";
import { curlCall } from "../kit/dialog.js";
import { lineNamed, lineOf } from "../kit/journal.js";
import { arrange, eachSecond, empty, exchangeLink, field, keepFocus, quiet, region, save, select, short } from "../kit/parts.js";
import { bothClocks } from "./traffic-row.js";
import { append, button, code, count, draw, fill, foreign, make, marked, number, row, span, table, toggle, visible } from "../kit/text.js";
import * as state from "../kit/state.js";
import { latencyName, perform, refresh, world } from "../kit/state.js";

const release = (items, effect) => perform(["gates"], async () => {
  for (let start = 0; start < items.length;) {
    let end = start + 1;
    while (end < items.length && items[end].gate === items[start].gate) end += 1;
    await call("POST", `/gates/${segment(items[start].gate)}/release`, { body: { held: items.slice(start, end).map((one) => one.id), ...(effect ? { effect } : {}) } });
    start = end;
  }
  announce(`${count(items.length, "request")} released`);
});
function heldRegion(signal) {
  /** Ids in the order in which they were selected. */
  let selected = [];
  const lines = new Map();
  const place = make("div", { class: "stack" });
  const some = button("Release selected", () => release(selected.map((id) => /** @type {any} */ (items().find((one) => one.id === id))).filter(Boolean)), { "data-call": true });
  const all = button("Release all", () => release(items()), { "data-call": true });

  const lineOfID = (id) => {
    const known = lineNamed(id) ?? lines.get(id);
    if (!known) {
      lines.set(id, null);
      get(`/requests/${segment(id)}`).then((entry) => { lines.set(id, lineOf(entry)); show(); }, () => {});
    }
    return known ?? { seq: Infinity, method: "", path: "", at: NaN, started: NaN };
  };
  const items = () => state.held().map((one) => ({ ...one, line: lineOfID(one.id) })).sort((a, b) => a.line.seq - b.line.seq);
  const waits = (line) => (Number.isFinite(line.started) && world.clock ? `${span(Date.now() - line.started)} machine, ${span(state.now() - line.at)} world` : "");

  const show = () => {
    const held = items();
    selected = selected.filter((id) => held.some((one) => one.id === id));
    keepFocus(place, () => {
      if (!held.length) {
        fill(place, empty("Nothing is held", "Requests that a gate stops wait here until you let them go.", curlCall("POST", "/gates", { name: "gate-1", match: {} }), button("Hold requests", () => openGate({}))));
        return;
      }
      const rows = held.map(({ id, gate, line }) => make("tr", { "data-id": id }, [
        make("input", { type: "checkbox", "aria-label": `Select ${visible(id)}`, checked: selected.includes(id), on: {
          change: (event) => {
            selected = selected.filter((one) => one !== id);
            if (event.target.checked) selected.push(id);
            showButtons();
          },
        } }),
        [exchangeLink(id), selected.includes(id) && make("small", null, ` ${selected.indexOf(id) + 1}.`)],
        foreign(gate), foreign(line.method), make("code", null, foreign(line.path)), make("span", { class: "waits", "data-id": id, title: bothClocks(line.at, line.started) }, waits(line)),
        make("div", { class: "row" },
          short("Release", `Release ${visible(id)}`, () => release([{ id, gate }])),
          short("Edit and release", `Edit and release ${visible(id)}`, () => attempt(() => openRelease(id, gate))),
          short("Drop", `Drop ${visible(id)}`, () => release([{ id, gate }], { connection: "reset" }), { class: "danger" })),
      ].map((cell) => make("td", null, cell))));
      fill(place, table("Held requests", ["Select", "Request", "Gate", "Method", "Path", "Held for", "Actions"], rows), make("div", { class: "row" }, some, all));
    }, held);
    showButtons();
  };
  const showButtons = () => {
    [some, all].forEach(marked);
    if (selected.length) some.removeAttribute("aria-disabled");
    else some.setAttribute("aria-disabled", "true");
    for (const box of place.querySelectorAll("tr[data-id]")) {
      const order = selected.indexOf(/** @type {HTMLElement} */ (box).dataset.id ?? "");
      const cell = box.children[1];
      cell.querySelector("small")?.remove();
      if (order >= 0) cell.append(make("small", null, ` ${order + 1}.`));
    }
  };
  place.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!hasKeys() || event.ctrlKey || event.metaKey || event.altKey || !target.closest("table, .scroll")) return;
    if (event.key.toLowerCase() !== "a") return;
    // The capital alone is no Shift: letters may be locked.
    if (event.shiftKey) {
      event.preventDefault();
      void release(items());
    } else {
      const id = /** @type {HTMLElement | null} */ (target.closest("tr[data-id]"))?.dataset.id ?? items()[0]?.id;
      const one = items().find((other) => other.id === id);
      event.preventDefault();
      if (one) void release([one]);
    }
  });
  on("part:gates", show, signal);
  on("line", (line) => { if (state.held().some((one) => one.id === line.id)) show(); }, signal);
  eachSecond(() => {
    for (const node of place.querySelectorAll(".waits")) fill(node, waits(lineOfID(/** @type {HTMLElement} */ (node).dataset.id ?? "")));
  }, signal);
  show();
  return region("Held requests", place);
}

/** The profiles of the control API, with their delays in milliseconds, bytes a second and loss. @type {Record<string, [number, number | undefined, number]>} */
const PROFILES = {
  none: [0, undefined, 0], wifi: [2, 5_000_000, 0, 4_125_000], lte: [115, 6_250_000, 0, 1_250_000], "3g": [200, 97_500, 0, 41_250],
  edge: [840, 30_000, 0, 25_000], dsl: [10, 250_000, 0, 32_000], "high-latency-dns": [3000, undefined, 0],
  "very-bad-network": [1000, 125_000, 0.1, 125_000], "100-loss": [0, undefined, 1],
};
function density(delay) {
  if (!delay) return null;
  if (delay.lognormal) {
    const { median, p95 } = delay.lognormal;
    const sigma = Math.max(Math.log(p95 / median) / 1.6449, 0.01);
    return (ms) => (ms <= 0 ? 0 : Math.exp(-((Math.log(ms / median) / sigma) ** 2) / 2) / ms);
  }
  if (delay.uniform) return (ms) => (ms >= delay.uniform[0] && ms <= delay.uniform[1] ? 1 : 0);
  if (delay.exponential) return (ms) => Math.exp(-ms / delay.exponential.mean);
  return (ms) => (Math.abs(ms - delay.ms) < Math.max(delay.ms / 60, 0.5) ? 1 : 0);
}
function words(delay) {
  if (!delay) return "No delay";
  const top = delay.max !== undefined ? `, at most ${number(delay.max)} ms` : "";
  if (delay.lognormal) return `Half of the delays are below ${number(delay.lognormal.median)} ms, 95 % below ${number(delay.lognormal.p95)} ms${top}`;
  if (delay.uniform) return `Delays from ${number(delay.uniform[0])} to ${number(delay.uniform[1])} ms, uniformly distributed${top}`;
  if (delay.exponential) return `Delays of ${number(delay.exponential.mean)} ms on average${top}`;
  return `A delay of ${number(delay.ms)} ms`;
}
function chart(delay) {
  const likely = density(delay);
  if (!likely) return null;
  const end = delay.max ?? (delay.lognormal ? delay.lognormal.p95 * 1.5 : delay.uniform ? delay.uniform[1] * 1.1 : delay.exponential ? delay.exponential.mean * 4 : delay.ms * 2) ?? 100;
  const values = Array.from({ length: 121 }, (_, index) => likely((end * index) / 120));
  const most = Math.max(...values, 1e-12);
  const points = values.map((value, index) => `${index * 5},${(80 - (value / most) * 72).toFixed(1)}`).join(" ");
  return draw("svg", { class: "chart", viewBox: "0 0 600 84", preserveAspectRatio: "none", role: "img", "aria-label": words(delay) },
    draw("polygon", { points: `0,80 ${points} 600,80`, fill: "currentColor", "fill-opacity": 0.25, stroke: "currentColor", "stroke-width": 1.5 }));
}
function latencyRegion(signal) {
  const profile = select(Object.keys(PROFILES), "none");
  const place = make("div", { class: "stack" });
  const apply = button("Apply latency", () => attempt(async () => {
    await call("PUT", "/latency", { body: { profile: profile.value } });
    announce(`Latency ${profile.value}`);
    await refresh("latency");
  }), { "data-call": true });
  let known = "";
  let shown = "none";
  const show = () => {
    const { latency } = world;
    const text = JSON.stringify(latency);
    if (!latency || text === known) return;
    known = text;
    const name = latency.profile ?? "custom";
    if (![...profile.options].some((option) => option.value === name)) profile.append(make("option", { value: name }, name));
    // What was chosen and not applied stays.
    if (profile.value === shown) profile.value = name;
    shown = name;
    const [ms, speed, loss, up] = PROFILES[name] ?? [undefined, undefined, 0];
    const delay = latency.delay ?? (ms ? { ms } : null);
    const bytesPerSecond = latency.bytesPerSecond ?? speed;
    const uploadBytesPerSecond = latency.uploadBytesPerSecond ?? up;
    fill(place, name === "none" ? quiet("Responses are sent at once") : [
      make("p", null, make("strong", null, foreign(name)), " · ", loss === 1 ? "No response arrives" : words(delay), bytesPerSecond ? `, ${number(bytesPerSecond)} bytes per second` : "", uploadBytesPerSecond ? `, ${number(uploadBytesPerSecond)} up` : "", loss > 0 && loss < 1 ? `, ${loss * 100} % packet loss in each direction` : "", latency.on === "world" ? ", on the world's clock" : ""), chart(delay)]);
  };
  on("part:latency", show, signal);
  show();
  return region("Latency", make("div", { class: "row" }, field("Profile", profile), apply), place);
}

function matchWords(match) {
  const { api, method, path, user, ...rest } = match ?? {};
  const parts = [api, method, typeof path === "object" ? JSON.stringify(path) : path, user && `by ${user}`, Object.keys(rest).length ? JSON.stringify(rest) : ""].filter(Boolean);
  return parts.join(" ") || "every request";
}
function windowWords(when = {}) {
  const { skip, times, every, probability, from, until } = when;
  return [skip && `after ${number(skip)}`, times !== undefined && `${number(times)} times`, every > 1 && `every ${number(every)}.`, probability !== undefined && probability < 1 && `${Math.round(probability * 100)} %`, from && `from ${from}`, until && `until ${until}`].filter(Boolean).join(", ") || "always";
}
/** A switch whose name stands beside it. */
const bareToggle = (name, isOn, change) => toggle("", isOn, change, { "data-call": true, "aria-label": name });
function gatesRegion(signal) {
  const place = make("div", { class: "stack" });
  const show = () => keepFocus(place, () => {
    const { gates } = world;
    const create = button("New gate", () => openGate({}));
    if (!gates.length) {
      fill(place, empty("No gates", "A gate stops requests, so that you choose when and in which order they are answered.", curlCall("POST", "/gates", { name: "gate-1", match: { method: "POST" } }), create));
      return;
    }
    fill(place, make("div", { class: "row" }, create), table("Gates", ["Gate", "Match", "Phase", "Holds", "Passed", "Actions"], gates.map((gate) => row(
      make("div", { class: "row" }, bareToggle(`Gate ${visible(gate.name)}`, gate.enabled, (isOn) => perform(["gates"], () => call("PATCH", `/gates/${segment(gate.name)}`, { body: { enabled: isOn } }))), foreign(gate.name)),
      code(matchWords(gate.match)), gate.phase, number(gate.held.length), number(gate.passed),
      make("div", { class: "row" },
        short("Release all", `Release all of ${visible(gate.name)}`, () => perform(["gates"], () => call("POST", `/gates/${segment(gate.name)}/release`, { body: {} }))),
        short("Delete", `Delete gate ${visible(gate.name)}`, () => perform(["gates"], () => call("DELETE", `/gates/${segment(gate.name)}`)), { class: "danger" }))
    ))));
  }, world.gates);
  on("part:gates", show, signal);
  show();
  return region("Gates", place);
}
const patch = (id, body) => perform(["faults"], () => call("PATCH", `/faults/${segment(id)}`, { body }));
function faultRow(fault, index) {
  const label = visible(fault.name ?? fault.id);
  const { length } = state.world.faults;
  const node = make("tr", { draggable: "true", "data-id": fault.id }, [
    number(index + 1),
    make("div", { class: "row" }, bareToggle(`Fault ${label}`, fault.enabled, (isOn) => patch(fault.id, { enabled: isOn })), foreign(fault.name ?? fault.id)),
    code(matchWords(fault.match)), [foreign(effectWords(fault.effect)), fault.phase === "after" && make("small", null, " after the endpoint ran")],
    number(fault.hits), windowWords(fault.when), foreign(fault.source),
    make("div", { class: "row" },
      short("↑", `Move ${label} up`, () => index > 0 && patch(fault.id, { position: index }), { "aria-disabled": index > 0 ? null : "true" }),
      short("↓", `Move ${label} down`, () => index < length - 1 && patch(fault.id, { position: index + 2 }), { "aria-disabled": index < length - 1 ? null : "true" }),
      short("Edit", `Edit ${label}`, () => openFault(fault, { edits: fault.id })),
      short("Delete", `Delete ${label}`, () => perform(["faults"], async () => {
        await call("DELETE", `/faults/${segment(fault.id)}`);
        announce(`Deleted ${label}`);
      }), { "data-call": true, class: "danger" })),
  ].map((cell) => make("td", null, cell)));
  node.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData("text/plain", fault.id);
    node.classList.add("dragged");
  });
  node.addEventListener("dragend", () => node.classList.remove("dragged"));
  node.addEventListener("dragover", (event) => event.preventDefault());
  node.addEventListener("drop", (event) => {
    event.preventDefault();
    const id = event.dataTransfer?.getData("text/plain");
    const target = state.world.faults.findIndex((one) => one.id === fault.id);
    if (id && id !== fault.id && target >= 0 && state.world.faults.some((one) => one.id === id)) void patch(id, { position: target + 1 });
  });
  return node;
}
function faultsRegion(signal) {
  const place = make("div", { class: "stack" });
  const show = () => keepFocus(place, () => {
    const { faults } = state.world;
    const buttons = [button("New fault", () => openFault({})), button("New stub", () => openFault({ effect: { respond: { status: 200, body: {} } } }, { isStub: true })),
      button("Export faults", () => save("faults.json", `${JSON.stringify(exported(), null, 2)}\n`))];
    if (!faults.length) fill(place, empty("No faults", "A fault makes requests fail, wait or get another response.", curlCall("POST", "/faults", { match: { method: "GET" }, when: { times: 1 }, effect: { status: 500 } }), ...buttons));
    else fill(place, make("div", { class: "row" }, buttons), !state.world.faultsEnabled && make("p", { class: "notice" }, "All faults are disabled by the Faults switch above."), table("Faults", ["#", "Fault", "Match", "Effect", "Hits", "Window", "Source", "Actions"], faults.map(faultRow)));
  }, [world.faults, world.faultsEnabled]);
  const members = ["name", "match", "when", "phase", "effect", "on", "enabled"];
  const exported = () => state.world.faults.map((fault) => Object.fromEntries(members.filter((name) => fault[name] !== undefined && !(name === "enabled" && fault.enabled)).map((name) => [name, fault[name]])));
  on("part:faults", show, signal);
  show();
  return region("Faults", place);
}
export function show(main, signal) {
  const regions = [heldRegion(signal), gatesRegion(signal), faultsRegion(signal), latencyRegion(signal)];
  append(main, regions);
  const order = () => {
    const has = [state.held().length, world.gates.length, world.faults.length, latencyName()];
    arrange(main, regions.map((region, index) => [region, !has[index]]));
  };
  on("part:gates part:faults part:latency", order, signal);
  order();
  return Promise.all(["gates", "faults", "latency"].map(refresh));
}
