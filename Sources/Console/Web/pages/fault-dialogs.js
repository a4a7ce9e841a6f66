// @ts-check
// Faults, stubs and gates: their dialogs, the fields of a match, and what effects do.
import { announce, call, get, segment } from "../kit/core.js";
import { apiSelect, jsonField, jsonText, openForm } from "../kit/dialog.js";
import { field, quiet, select, textInput } from "../kit/parts.js";
import { count, fill, foreign, make, number, toggle } from "../kit/text.js";
import { refresh, world } from "../kit/state.js";

const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));
const some = (members) => (Object.keys(members).length ? members : undefined);
const inside = (name) => (values) => ({ [name]: given(values) });
/** One of several forms, of which each has a single number. */
const choice = (name, kinds) => ({
  fields: /** @type {EffectField[]} */ ([{ name: "Kind", key: "kind", kind: kinds }, { name: "Amount", key: "amount", kind: "number", value: 1, when: (values) => values.kind !== "splitUtf8" },
    ...(name === "stream" ? [{ name: "After events", key: "afterEvents", kind: "number", when: (values) => values.kind === "gapMs" }] : [])]),
  write: (values) => ({ [name]: given({ [values.kind]: values.kind === "splitUtf8" ? true : values.amount, afterEvents: values.afterEvents }) }),
  read: (value) => {
    const kind = kinds.find((one) => one in value);
    return { kind, amount: value[kind ?? ""] === true ? undefined : value[kind ?? ""], afterEvents: value.afterEvents };
  },
});

/** Lines `Name: value`. */
const headerLines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
});
const linesOf = (headers) => (headers ?? []).map(([name, value]) => `${name}: ${value}`).join("\n");

/** An answer of status, headers and body, as `respond` takes it. @param {{ status: any, headers: string, body: string, base64?: string }} values */
export function respondOf(values) {
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

/** @type {Record<string, EffectForm>} */
const EFFECTS = {
  status: {
    fields: [{ name: "Status", key: "status", kind: "number", value: 500, isRequired: true }, { name: "Retry after", key: "retryAfter", kind: "number" }, { name: "Code", key: "code", kind: "text" }, { name: "Message", key: "message", kind: "text" }],
    write: given, read: (_, whole) => whole,
  },
  respond: {
    fields: [{ name: "Status", key: "status", kind: "number", value: 200, isRequired: true }, { name: "Headers", key: "headers", kind: "long" }, { name: "Body", key: "body", kind: "long" }],
    write: (values) => ({ respond: respondOf(values) }),
    read: (value) => ({ status: value.status, headers: linesOf(value.headers), base64: value.base64, body: value.text ?? (value.body === undefined ? "" : jsonText(value.body, 2)) }),
  },
  delay: { fields: [{ name: "Milliseconds", key: "ms", kind: "number", value: 1000, isRequired: true }], write: inside("delay"), read: (value) => value },
  throttle: { fields: [{ name: "Bytes per second", key: "bytesPerSecond", kind: "number", value: 10000 }], write: inside("throttle"), read: (value) => value },
  dribble: { fields: [{ name: "Chunks", key: "chunks", kind: "number", value: 5 }, { name: "Over milliseconds", key: "overMs", kind: "number", value: 2000 }], write: inside("dribble"), read: (value) => value },
  connection: {
    fields: [{ name: "Connection", key: "connection", kind: ["reset", "empty", "stall", "truncate", "garbage", "malformed-chunk"] },
      { name: "After bytes", key: "afterBytes", kind: "number", when: (values) => ["reset", "truncate"].includes(values.connection) }, { name: "For milliseconds", key: "forMs", kind: "number", when: (values) => values.connection === "stall" }],
    write: given, read: (_, whole) => whole,
  },
  body: { fields: [{ name: "Damage", key: "body", kind: ["html", "invalid-json", "empty", "truncated-json", "wrong-content-type"] }], write: given, read: (_, whole) => whole },
  drift: {
    fields: [{ name: "Change", key: "kind", kind: ["remove", "set", "null", "add", "retype", "auto"] }, { name: "Field", key: "field", kind: "text", when: (values) => values.kind !== "auto" },
      { name: "Value (JSON)", key: "value", kind: "json", when: (values) => ["set", "add"].includes(values.kind) }, { name: "As", key: "as", kind: ["string", "number", "boolean", "object", "array", "null"], when: (values) => values.kind === "retype" },
      { name: "Compatibility", key: "auto", kind: ["additive", "breaking"], when: (values) => values.kind === "auto" }],
    write: ({ kind, field: path, value, as, auto }) => ({ drift: kind === "set" ? { set: path, to: value ?? null } : kind === "add" ? { add: { path, value: value ?? null } } : kind === "retype" ? { retype: path, as } : kind === "auto" ? { auto } : { [kind]: path } }),
    read: (value) => {
      const kind = ["remove", "set", "null", "add", "retype", "auto"].find((one) => one in value) ?? "remove";
      return { kind, field: kind === "add" ? value.add.path : kind === "auto" ? "" : value[kind], value: kind === "add" ? value.add.value : value.to, as: value.as, auto: value.auto };
    },
  },
  stream: choice("stream", ["cutAfterEvents", "errorAfterEvents", "gapMs", "duplicate", "splitUtf8"]),
  upload: choice("upload", ["readBytesPerSecond", "stopAfterBytes", "rejectEarly", "resetAfterBytes"]),
  tokens: { fields: [{ name: "Credentials", key: "tokens", kind: ["expire", "revoke"] }], write: given, read: (_, whole) => whole },
};

const NESTED = new Set(["respond", "delay", "throttle", "dribble"]);

const effectName = (effect) => Object.keys(EFFECTS).find((name) => name in (effect ?? {})) ?? "status";

/** Tells whether the fields can show an effect. */
function fitsFields(effect) {
  const name = effectName(effect);
  const form = EFFECTS[name];
  if (name === "respond") return true;
  return sorted(form.write(form.read(effect[name], effect))) === sorted(effect);
}
const sorted = (value) => JSON.stringify(value, (_, one) => (one?.constructor === Object ? Object.fromEntries(Object.entries(one).sort()) : one));

/** @param {string} name @param {() => void} changed */
function effectFields(name, effect, changed) {
  const form = EFFECTS[name];
  const values = effect && name in effect ? form.read(effect[name], effect) : {};
  const hidden = { base64: values.base64 };
  const made = new Map();
  const read = () => {
    const found = { ...hidden };
    for (const [one, { input, node, json }] of made) {
      if (node.hidden) continue;
      if (json) found[one.key] = json.read().value;
      else if (one.kind === "number") found[one.key] = input.value === "" ? undefined : Number(input.value);
      else found[one.key] = input.value;
      if (one.key === "body" && input.value) delete found.base64;
    }
    return found;
  };
  const showWanted = () => {
    for (const [one, { node }] of made) node.hidden = one.when ? !one.when(read()) : false;
  };
  const show = () => {
    showWanted();
    changed();
  };
  for (const one of form.fields) {
    const attributes = { "data-path": NESTED.has(name) ? `$.effect.${name}.${one.key}` : `$.effect.${one.key}`, on: { input: show, change: show } };
    const value = values[one.key] ?? (effect && name in effect ? "" : one.value ?? "");
    let input;
    let json;
    if (Array.isArray(one.kind)) input = select(one.kind, value || one.kind[0], attributes);
    else if (one.kind === "json") {
      json = jsonField({ rows: 2 });
      input = json.area;
      input.addEventListener("input", show);
      input.value = value === "" ? "" : jsonText(value);
    } else if (one.kind === "long") {
      input = make("textarea", { rows: one.key === "body" ? 8 : 3, class: "code", spellcheck: "false", ...attributes });
      input.value = value;
    } else {
      input = make("input", { type: one.kind, step: one.kind === "number" ? "any" : null, ...attributes });
      input.value = String(value);
    }
    const node = make("div", { class: one.kind === "long" || one.kind === "json" ? "wide" : "" }, field(one.name, input, json?.note));
    made.set(one, { input, node, json });
  }
  showWanted();
  return { nodes: [...made.values()].map(({ node }) => node), read: () => form.write(read()) };
}

/** @returns {string} */
export function effectWords(effect) {
  const name = effectName(effect);
  const value = effect?.[name];
  switch (name) {
    case "status": return `answers ${effect.status}${effect.code ? ` ${effect.code}` : ""}${effect.retryAfter !== undefined ? `, retry after ${number(effect.retryAfter)} s` : ""}`;
    case "respond": return `answers ${value.status} as written`;
    case "delay": return value.ms !== undefined ? `waits ${number(value.ms)} ms` : `waits by ${JSON.stringify(value)}`;
    case "throttle": return `sends ${number(value.bytesPerSecond)} bytes a second`;
    case "dribble": return `sends ${number(value.chunks)} pieces over ${number(value.overMs)} ms`;
    case "connection": return `${value === "reset" ? "resets the connection" : value === "empty" ? "closes without an answer" : value === "stall" ? "never answers" : value === "truncate" ? "cuts the content short" : `sends ${value}`}${effect.afterBytes !== undefined ? ` after ${number(effect.afterBytes)} bytes` : ""}`;
    case "body": return `damages the content: ${value}`;
    case "tokens": return value === "revoke" ? "revokes the credential" : "expires the credential";
    default: return `${name} ${JSON.stringify(value)}`;
  }
}

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
  const kind = select(Object.keys(EFFECTS), isStub ? "respond" : effectName(effect), { "data-path": "$.effect" });
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
        fill(kept, "The fields can take over the effect alone, and only one that they can show; the rest was changed here.");
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
