// @ts-check
// The dialogs of faults, stubs and gates, with the fields of a match.
import { apiSelect, jsonField, openForm } from "../kit/dialog.js";
import { refresh, world } from "../kit/world.js";
import { announce, app, call, get, segment } from "../kit/core.js";
import { count, field, fill, foreign, make, number, select, toggle } from "../kit/text.js";
import { EFFECTS, effectFields, effectName, fitsFields, linesOf, respondOf } from "./effects.js";

const METHODS = ["", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const OWN = ["api", "method", "path", "user"];

/**
 * @param {any} match
 * @param {() => void} changed
 */
export function matchFields(match = {}, changed) {
  const on = { input: changed, change: changed };
  const api = apiSelect(match.api, { "data-path": "$.match.api", on }, "any");
  const method = select(/** @type {[string, string][]} */ ([...new Set([...METHODS, ...(match.method ? [match.method] : [])])].map((name) => [name, name || "any"])), match.method ?? "", { "data-path": "$.match.method", on });
  const path = make("input", { type: "text", "data-path": "$.match.path", spellcheck: "false", autocomplete: "off", placeholder: "/api/** or /notes/{id}", on });
  const isPlain = typeof match.path === "string" || match.path === undefined;
  path.value = isPlain ? match.path ?? "" : "";
  const user = make("input", { type: "text", "data-path": "$.match.user", autocomplete: "off", on });
  user.value = match.user ?? "";
  const rest = Object.fromEntries(Object.entries(match).filter(([name]) => !OWN.includes(name) || (name === "path" && !isPlain)));
  const more = jsonField({ rows: 3, "data-path": "$.match", placeholder: '{"query":{"page":"2"},"headers":{},"body":{}}' });
  more.area.value = Object.keys(rest).length ? JSON.stringify(rest) : "";
  more.area.addEventListener("input", changed);
  return {
    nodes: [field("API", api), field("Method", method), field("Path", path), field("User", user), make("div", { class: "wide" }, field("More of the match (JSON)", more.area, more.note))],
    /** @returns {any} null where the JSON is broken */
    read: () => {
      const { value, problem } = more.read();
      if (problem) return null;
      /** @type {any} */
      const read = {};
      if (api.value) read.api = api.value;
      if (method.value) read.method = method.value;
      if (path.value.trim()) read.path = path.value.trim();
      if (user.value.trim()) read.user = user.value.trim();
      return { ...read, ...value };
    },
  };
}

/**
 * Says what a match would have met in the journal.
 * @param {() => any} read the match; null while it is broken
 */
export function matchStatus(read) {
  const node = make("div", { role: "status", "aria-label": "Matches", class: "matches" });
  let timer = 0;
  let own = 0;
  const check = async () => {
    const match = read();
    if (!match) return;
    const mine = (own += 1);
    try {
      const answer = await call("POST", "/faults/check", { body: { match } });
      if (mine !== own) return;
      const [miss] = answer.nearMisses ?? [];
      fill(node, `Would have matched ${number(answer.count)} of ${count(answer.checked, "request")}`,
        miss && !answer.count && make("p", { class: "quiet" }, "Nearest miss: ", foreign(miss.id), " ", foreign((miss.differences ?? []).map((/** @type {any} */ one) => (typeof one === "string" ? one : `${one.path ?? one.member ?? ""} ${one.reason ?? JSON.stringify(one)}`)).join("; "))));
    } catch (error) {
      if (mine === own) fill(node, make("span", { class: "field-problem" }, foreign(/** @type {Error} */ (error).message)));
    }
  };
  return {
    node,
    update: () => {
      clearTimeout(timer);
      timer = setTimeout(check, 200);
    },
  };
}

const WHEN = /** @type {const} */ (["skip", "times", "every", "probability"]);

/**
 * @param {any} fault what the fields begin with
 * @param {{ isStub?: boolean, edits?: string }} [options] `edits` is the id of a fault that is there
 */
export function openFault(fault, options = {}) {
  const { edits, isStub } = options;
  let effect = fault.effect ?? { status: 500 };
  let isJSON = !fitsFields(effect);
  const changed = () => status.update();
  const name = make("input", { type: "text", "data-path": "$.name", autocomplete: "off" });
  name.value = fault.name ?? "";
  const match = matchFields(fault.match, changed);
  const numbers = WHEN.map((key) => {
    const input = make("input", { type: "number", min: key === "skip" || key === "probability" ? "0" : "1", max: key === "probability" ? "1" : null, step: key === "probability" ? "any" : "1", "data-path": `$.when.${key}` });
    input.value = String(fault.when?.[key] ?? "");
    return { key, input, node: field(key[0].toUpperCase() + key.slice(1), input) };
  });
  const instants = ["from", "until"].map((key) => {
    const input = make("input", { type: "text", placeholder: "2025-01-01T12:00:00Z", "data-path": `$.when.${key}`, autocomplete: "off" });
    input.value = fault.when?.[key] ?? "";
    return { key, input, node: field(key[0].toUpperCase() + key.slice(1), input) };
  });
  const phase = select(["before", "after"], fault.phase ?? "before", { "data-path": "$.phase" });
  const kind = select(Object.keys(EFFECTS), isStub ? "respond" : effectName(effect), { "data-path": "$.effect" });
  const place = make("div", { class: "fields wide" });
  let fields = effectFields(kind.value, effect, changed);
  fill(place, fields.nodes);
  kind.addEventListener("change", () => {
    fields = effectFields(kind.value, effect, changed);
    fill(place, fields.nodes);
  });

  const json = jsonField({ rows: 16, "data-path": "$" });
  json.area.addEventListener("input", () => changed());
  const fromFields = () => {
    const matched = match.read();
    if (matched === null) return null;
    /** @type {any} */
    const when = {};
    for (const { key, input } of numbers) if (input.value !== "") when[key] = Number(input.value);
    for (const { key, input } of instants) if (input.value.trim()) when[key] = input.value.trim();
    /** @type {any} */
    const order = {};
    if (name.value.trim()) order.name = name.value.trim();
    if (Object.keys(matched).length) order.match = matched;
    if (Object.keys(when).length) order.when = when;
    if (phase.value !== "before" || fault.phase) order.phase = phase.value;
    order.effect = fields.read();
    if (fault.on) order.on = fault.on;
    return order;
  };
  const read = () => {
    if (!isJSON) return fromFields();
    const { value, problem } = json.read();
    return problem || value === undefined ? null : value;
  };
  const status = matchStatus(() => {
    const order = read();
    return order === null ? null : order.match ?? {};
  });
  const whole = make("div", { class: "fields" }, field("Name", name), match.nodes, numbers.map(({ node }) => node), instants.map(({ node }) => node), field("Phase", phase), field("Effect", kind), place);
  const asJSON = make("div", { hidden: true }, field("Fault (JSON)", json.area, json.note));
  const show = (/** @type {boolean} */ next) => {
    if (next) json.area.value = JSON.stringify((isJSON ? base : fromFields()) ?? base, null, 2);
    else {
      const { value } = json.read();
      if (value?.effect && fitsFields(value.effect)) {
        effect = value.effect;
        kind.value = effectName(effect);
        fields = effectFields(kind.value, effect, changed);
        fill(place, fields.nodes);
      }
    }
    isJSON = next;
    whole.hidden = next;
    asJSON.hidden = !next;
    changed();
  };
  const base = Object.fromEntries(["name", "match", "when", "phase", "effect", "on"].filter((key) => fault[key] !== undefined).map((key) => [key, fault[key]]));
  if (!base.effect) base.effect = effect;
  const title = edits ? "Edit fault" : isStub ? "New stub" : "New fault";
  openForm({
    title, action: edits ? "Save fault" : isStub ? "Add stub" : "Add fault",
    content: [toggle("As JSON", isJSON, show), whole, asJSON, status.node],
    request: () => {
      const order = read();
      if (order === null) return null;
      if (!edits) return { method: "POST", path: "/faults", body: order };
      // A member that was taken out is null; `effect` and an absent match stay as a whole.
      const cleared = Object.fromEntries(["name", "match", "when", "on"].filter((key) => fault[key] !== undefined && order[key] === undefined).map((key) => [key, null]));
      const body = Object.fromEntries(Object.entries({ ...order, ...cleared }).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(fault[key])));
      return { method: "PATCH", path: `/faults/${segment(edits)}`, body: Object.keys(body).length ? body : { effect: order.effect } };
    },
    perform: async ({ method, path, body }) => {
      const made = await call(method, path, { body });
      announce(`${edits ? "Saved" : "Added"} ${made?.name ?? made?.id ?? "the fault"}`);
      await refresh("faults");
    },
  });
  show(isJSON);
  status.update();
}

/** @param {any} gate */
export function openGate(gate) {
  let next = 1;
  while (world.gates.some((one) => one.name === `gate-${next}`)) next += 1;
  const name = make("input", { type: "text", "data-path": "$.name", autocomplete: "off" });
  name.value = gate.name ?? `gate-${next}`;
  const phase = select(["before", "after"], gate.phase ?? "before", { "data-path": "$.phase" });
  const match = matchFields(gate.match, () => status.update());
  const status = matchStatus(match.read);
  openForm({
    title: "New gate", action: "Add gate",
    content: [make("div", { class: "fields" }, field("Name", name), match.nodes, field("Phase", phase)), status.node],
    request: () => {
      const matched = match.read();
      return matched === null ? null : { method: "POST", path: "/gates", body: { name: name.value.trim(), match: matched, phase: phase.value } };
    },
    perform: async ({ method, path, body }) => {
      await call(method, path, { body });
      announce(`Added the gate ${body.name}`);
      await refresh("gates");
    },
  });
  status.update();
}

/** Lets a held request go with an answer of one's own. @param {string} id @param {string} gate */
export async function openRelease(id, gate) {
  const entry = await get(`/requests/${segment(id)}`);
  const ours = new Set(["content-length", "transfer-encoding", "connection"]);
  const status = make("input", { type: "number", min: "200", max: "599", "data-path": "$.effect.respond.status" });
  status.value = String(entry.status || 200);
  const headers = make("textarea", { rows: 4, class: "code", spellcheck: "false", "data-path": "$.effect.respond.headers" });
  headers.value = linesOf((entry.responseHeaders ?? []).filter((/** @type {[string, string]} */ [name]) => !ours.has(name.toLowerCase())));
  const body = make("textarea", { rows: 10, class: "code", spellcheck: "false", "data-path": "$.effect.respond" });
  body.value = entry.responseBody?.text ?? "";
  const kept = entry.responseBody?.base64;
  openForm({
    title: "Edit and release", action: "Release",
    content: [make("div", { class: "stack" }, field("Status", status), field("Headers", headers), field("Body", body))],
    request: () => ({
      method: "POST", path: `/gates/${segment(gate)}/release`,
      body: { held: [id], effect: { respond: respondOf({ status: Number(status.value), headers: headers.value, body: body.value, base64: body.value ? undefined : kept }) } },
    }),
    perform: async ({ method, path, body: order }) => {
      await call(method, path, { body: order });
      announce(`Released ${id}`);
      await refresh("gates");
    },
  });
}
