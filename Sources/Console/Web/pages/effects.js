// @ts-check
// The effects of faults: their fields, and what they do in words.
import { jsonField } from "../kit/dialog.js";
import { field, make, select } from "../kit/text.js";

/** @typedef {{ name: string, key: string, kind: "number" | "text" | "long" | "json" | string[], value?: any, isRequired?: boolean, when?: (values: any) => boolean }} EffectField */
/** @typedef {{ fields: EffectField[], write: (values: any) => any, read: (value: any, whole: any) => any }} EffectForm */

/** Leaves out what was not filled in. @param {Record<string, any>} members */
const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));
const inside = (/** @type {string} */ name) => (/** @type {any} */ values) => ({ [name]: given(values) });
/** One of several forms, of which each has a single number. @param {string} name @param {string[]} kinds */
const choice = (name, kinds) => ({
  fields: /** @type {EffectField[]} */ ([{ name: "Kind", key: "kind", kind: kinds }, { name: "Amount", key: "amount", kind: "number", value: 1, when: (values) => values.kind !== "splitUtf8" },
    ...(name === "stream" ? [{ name: "After events", key: "afterEvents", kind: "number", when: (/** @type {any} */ values) => values.kind === "gapMs" }] : [])]),
  write: (/** @type {any} */ values) => ({ [name]: given({ [values.kind]: values.kind === "splitUtf8" ? true : values.amount, afterEvents: values.afterEvents }) }),
  read: (/** @type {any} */ value) => {
    const kind = kinds.find((one) => one in value);
    return { kind, amount: value[kind ?? ""] === true ? undefined : value[kind ?? ""], afterEvents: value.afterEvents };
  },
});

/** Lines `Name: value`. @param {string} text @returns {[string, string][]} */
export const headerLines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
});
/** @param {[string, string][]} headers */
export const linesOf = (headers) => (headers ?? []).map(([name, value]) => `${name}: ${value}`).join("\n");

/** An answer of status, headers and body, as `respond` takes it. @param {{ status: any, headers: string, body: string, base64?: string }} values */
export function respondOf(values) {
  const headers = headerLines(values.headers ?? "");
  /** @type {any} */
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
export const EFFECTS = {
  status: {
    fields: [{ name: "Status", key: "status", kind: "number", value: 500, isRequired: true }, { name: "Retry after", key: "retryAfter", kind: "number" }, { name: "Code", key: "code", kind: "text" }, { name: "Message", key: "message", kind: "text" }],
    write: given, read: (_, whole) => whole,
  },
  respond: {
    fields: [{ name: "Status", key: "status", kind: "number", value: 200, isRequired: true }, { name: "Headers", key: "headers", kind: "long" }, { name: "Body", key: "body", kind: "long" }],
    write: (values) => ({ respond: respondOf(values) }),
    read: (value) => ({ status: value.status, headers: linesOf(value.headers), base64: value.base64, body: value.text ?? (value.body === undefined ? "" : JSON.stringify(value.body, null, 2)) }),
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

/** The name of an effect. @param {any} effect */
export const effectName = (effect) => Object.keys(EFFECTS).find((name) => name in (effect ?? {})) ?? "status";

/** Tells whether the fields can show an effect; else JSON does. @param {any} effect */
export function fitsFields(effect) {
  const name = effectName(effect);
  const form = EFFECTS[name];
  if (name === "respond") return true;
  return JSON.stringify(sorted(form.write(form.read(effect[name], effect)))) === JSON.stringify(sorted(effect));
}
/** @param {any} value @returns {any} */
const sorted = (value) => (Array.isArray(value) ? value.map(sorted) : typeof value === "object" && value !== null ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : value);

/**
 * @param {string} name
 * @param {any} effect
 * @param {() => void} changed
 */
export function effectFields(name, effect, changed) {
  const form = EFFECTS[name];
  const values = effect && name in effect ? form.read(effect[name], effect) : {};
  const hidden = { base64: values.base64 };
  /** @type {Map<EffectField, { input: any, node: any, json?: any }>} */
  const made = new Map();
  const read = () => {
    /** @type {any} */
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
  const show = () => {
    for (const [one, { node }] of made) node.hidden = one.when ? !one.when(read()) : false;
    changed();
  };
  for (const one of form.fields) {
    const attributes = { "data-path": `$.effect`, on: { input: show, change: show } };
    const value = values[one.key] ?? (effect && name in effect ? "" : one.value ?? "");
    let input;
    let json;
    if (Array.isArray(one.kind)) input = select(one.kind, value || one.kind[0], attributes);
    else if (one.kind === "json") {
      json = jsonField({ rows: 2 });
      input = json.area;
      input.addEventListener("input", show);
      input.value = value === "" ? "" : JSON.stringify(value);
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
  for (const [one, { node }] of made) node.hidden = one.when ? !one.when(read()) : false;
  return { nodes: [...made.values()].map(({ node }) => node), read: () => form.write(read()) };
}

/** What an effect does, in words. @param {any} effect @returns {string} */
export function effectWords(effect) {
  const name = effectName(effect);
  const value = effect?.[name];
  switch (name) {
    case "status": return `answers ${effect.status}${effect.code ? ` ${effect.code}` : ""}${effect.retryAfter !== undefined ? `, retry after ${effect.retryAfter} s` : ""}`;
    case "respond": return `answers ${value.status} as written`;
    case "delay": return value.ms !== undefined ? `waits ${value.ms} ms` : `waits by ${JSON.stringify(value)}`;
    case "throttle": return `sends ${value.bytesPerSecond} bytes a second`;
    case "dribble": return `sends ${value.chunks} pieces over ${value.overMs} ms`;
    case "connection": return `${value === "reset" ? "resets the connection" : value === "empty" ? "closes without an answer" : value === "stall" ? "never answers" : value === "truncate" ? "cuts the content short" : `sends ${value}`}${effect.afterBytes !== undefined ? ` after ${effect.afterBytes} bytes` : ""}`;
    case "body": return `damages the content: ${value}`;
    case "tokens": return value === "revoke" ? "revokes the credential" : "expires the credential";
    default: return `${name} ${JSON.stringify(value)}`;
  }
}
