// @ts-check
// Faults, stubs and gates: their dialogs, and the fields of a match.
import { announce, call, get, segment } from "../kit/core.js";
import { apiSelect, jsonField, jsonText, openForm } from "../kit/dialog.js";
import { field, quiet, select, textInput } from "../kit/parts.js";
import { refresh, world } from "../kit/state.js";
import { count, fill, foreign, make, number, toggle } from "../kit/text.js";
import { effectFields, effectName, effectNames, fitsFields, headerLines, linesOf } from "./effect-form.js";

const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));
const some = (members) => (Object.keys(members).length ? members : undefined);

const METHODS = ["", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const OWN = ["api", "method", "path", "user"];

/** @param {() => void} changed */
function matchFields(match = {}, changed) {
  const on = { input: changed, change: changed };
  const api = apiSelect(match.api, { "data-path": "$.match.api", on }, "any");
  const method = select([...new Set([...METHODS, match.method ?? ""])].map((name) => [name, name || "any"]), match.method ?? "", { "data-path": "$.match.method", on });
  const isPlain = typeof match.path !== "object";
  const path = textInput("$.match.path", isPlain ? match.path : "", { spellcheck: "false", placeholder: "/api/** or /notes/{id}", on });
  const user = textInput("$.match.user", match.user, { on });
  const rest = Object.fromEntries(Object.entries(match).filter(([name]) => !OWN.includes(name) || (name === "path" && !isPlain)));
  const more = jsonField({ rows: 3, "data-path": "$.match", placeholder: '{"query":{"page":"2"},"headers":{},"body":{}}' });
  more.area.value = Object.keys(rest).length ? jsonText(rest) : "";
  more.area.addEventListener("input", changed);
  return {
    nodes: [field("API", api), field("Method", method), field("Path", path), field("User", user), make("div", { class: "wide" }, field("More of the match (JSON)", more.area, more.note))],
    read: () => {
      const { value, problem } = more.read();
      if (problem) return null;
      return { ...given({ api: api.value, method: method.value, path: path.value.trim(), user: user.value.trim() }), ...value };
    },
  };
}

/** Says what a match would have met in the journal. @param {() => any} read the match; null while it is broken */
function matchStatus(read) {
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
      const [miss] = answer.nearMisses;
      fill(node, `Would have matched ${number(answer.count)} of ${count(answer.checked, "request")}`,
        miss && quiet("Nearest miss: ", foreign(miss.id), " ", foreign(miss.differences.join("; "))));
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

/** @param {any} fault what the fields begin with @param {{ isStub?: boolean, edits?: string }} [options] `edits` is the id of a fault that is there */
export function openFault(fault, options = {}) {
  const { edits, isStub } = options;
  let effect = fault.effect ?? { status: 500 };
  let isJSON = !fitsFields(effect);
  const changed = () => status.update();
  const name = textInput("$.name", fault.name);
  const match = matchFields(fault.match, changed);
  const numbers = WHEN.map((key) => {
    const attributes = key === "probability" ? { min: 0, max: 1, step: "any" } : { min: key === "skip" ? 0 : 1, step: 1 };
    const input = textInput(`$.when.${key}`, fault.when?.[key], { type: "number", ...attributes });
    return { key, input };
  });
  const instants = ["from", "until"].map((key) => ({ key, input: textInput(`$.when.${key}`, fault.when?.[key], { placeholder: "2025-01-01T12:00:00Z" }) }));
  const limits = [...numbers, ...instants];
  const phase = select([...(edits ? [] : [["", "by the effect"]]), "before", "after"], fault.phase ?? (edits ? "before" : ""), { "data-path": "$.phase" });
  const kind = select(effectNames(), isStub ? "respond" : effectName(effect), { "data-path": "$.effect" });
  const place = make("div", { class: "fields wide" });
  let fields = effectFields(kind.value, effect, changed);
  fill(place, fields.nodes);
  kind.addEventListener("change", () => {
    fields = effectFields(kind.value, effect, changed);
    fill(place, fields.nodes);
  });

  const json = jsonField({ rows: 16, "data-path": "$" });
  const kept = make("p", { class: "field-problem", role: "status" });
  json.area.addEventListener("input", () => { fill(kept); changed(); });
  const fromFields = () => {
    const matched = match.read();
    if (matched === null) return null;
    const when = {};
    for (const { key, input } of limits) if (input.value.trim()) when[key] = input.type === "number" ? Number(input.value) : input.value.trim();
    return given({ name: name.value.trim(), match: some(matched), when: some(when), phase: phase.value, effect: fields.read(), on: fault.on });
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
  const whole = make("div", { class: "fields" }, field("Name", name), match.nodes, limits.map(({ key, input }) => field(key[0].toUpperCase() + key.slice(1), input)), field("Phase", phase), field("Effect", kind), place);
  const asJSON = make("div", { hidden: true }, field("Fault (JSON)", json.area, json.note), kept);
  const switches = toggle("As JSON", isJSON, (isOn) => show(isOn));
  const rest = (order) => JSON.stringify(["name", "match", "when", "phase", "on"].map((key) => order?.[key] ?? null));
  const show = (next) => {
    if (!next && isJSON) {
      const { value } = json.read();
      if (!value || rest(value) !== rest(fromFields()) || (value.effect && !fitsFields(value.effect))) {
        switches.setAttribute("aria-checked", "true");
        fill(kept, "The form can show only a simple effect. This JSON has an effect it can't show, or changes other members.");
        return;
      }
    }
    if (next) json.area.value = jsonText((isJSON ? base : fromFields()) ?? base, 2);
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
    content: [switches, whole, asJSON, status.node],
    request: () => {
      const order = read();
      if (order === null) return null;
      if (!edits) return { method: "POST", path: "/faults", body: order };
      // A member that was taken out is null; `effect` and an absent match stay as a whole.
      const cleared = Object.fromEntries(["name", "match", "when", "on"].filter((key) => fault[key] !== undefined && order[key] === undefined).map((key) => [key, null]));
      const body = Object.fromEntries(Object.entries({ ...order, ...cleared }).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(fault[key])));
      return { method: "PATCH", path: `/faults/${segment(edits)}`, body: Object.keys(body).length ? body : { effect: order.effect } };
    },
    done: (made) => {
      announce(`${edits ? "Saved" : "Added"} ${made.name ?? made.id}`);
      return refresh("faults");
    },
  });
  show(isJSON);
  status.update();
}
export function openGate(gate) {
  let next = 1;
  while (world.gates.some((one) => one.name === `gate-${next}`)) next += 1;
  const name = textInput("$.name", gate.name ?? `gate-${next}`);
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
    done: (made) => {
      announce(`Added the gate ${made.name}`);
      return refresh("gates");
    },
  });
  status.update();
}

/** An answer of status, headers and body, as `respond` takes it. @param {{ status: any, headers: string, body: string, base64?: string }} values */
function respondOf(values) {
  const headers = headerLines(values.headers ?? "");
  const respond = given({ status: values.status });
  if (headers.length) respond.headers = headers;
  if (values.base64) respond.base64 = values.base64;
  else if (values.body) {
    const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    let value;
    let isJSON = !type || /json/i.test(type);
    if (isJSON) try { value = JSON.parse(values.body); } catch { isJSON = false; }
    if (isJSON && (!type || /^application\/json\b/i.test(type))) respond.body = value;
    else respond.text = values.body;
  }
  return respond;
}

/** Lets a held request go with an answer of one's own. @param {string} id @param {string} gate */
export async function openRelease(id, gate) {
  const entry = await get(`/requests/${segment(id)}`);
  const ours = new Set(["content-length", "transfer-encoding", "connection"]);
  const status = make("input", { type: "number", min: "200", max: "599", "data-path": "$.effect.respond.status" });
  status.value = String(entry.status || 200);
  const headers = make("textarea", { rows: 4, class: "code", spellcheck: "false", "data-path": "$.effect.respond.headers" });
  headers.value = linesOf(/** @type {[string, string][]} */ (entry.responseHeaders ?? []).filter(([name]) => !ours.has(name.toLowerCase())));
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
    done: () => {
      announce(`Released ${id}`);
      return refresh("gates");
    },
  });
}
