// @ts-check
// Content: JSON, bodies, and checks against schemas.
import { copy, get, segment } from "./core.js";
import { append, button, fill, foreign, freshID, make, number, row, size, table, visible } from "./text.js";

const REASONS = {
  200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 207: "Multi-Status", 301: "Moved Permanently",
  302: "Found", 304: "Not Modified", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
  403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
  412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
  422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
  502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
};
/** @param {number} status */
export const reason = (status) => /** @type {Record<number, string>} */ (REASONS)[status] ?? "";

const kind = (value) => (value === null || typeof value === "boolean" ? "word" : typeof value);
function scalar(value) {
  const text = JSON.stringify(value) ?? "";
  return make("span", { class: `j-${kind(value)}` }, kind(value) === "string" ? make("bdi", null, visible(text)) : text);
}

const MOST = 500;

/** A value as a tree; inner parts are made when they are unfolded. @param {number} [depth] @returns {Node} */
export function jsonTree(value, depth = 0) {
  if (typeof value !== "object" || value === null) return scalar(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (!entries.length) return make("span", null, isList ? "[]" : "{}");
  const inside = make("ul", { class: "tree" });
  const build = () => {
    if (inside.childElementCount) return;
    append(inside, entries.slice(0, MOST).map(([name, one]) => make("li", null, !isList && [make("span", { class: "j-key" }, make("bdi", null, visible(name))), ": "], jsonTree(one, depth + 1))));
    if (entries.length > MOST) append(inside, [make("li", { class: "more" }, `${number(entries.length - MOST)} more, which "Raw" shows`)]);
  };
  const isOpen = depth < 4 && entries.length <= 100;
  if (isOpen) build();
  const details = make("details", { open: isOpen, on: { toggle: build } },
    make("summary", null, isList ? `[${number(entries.length)}]` : `{${number(entries.length)}}`), inside);
  return details;
}

/** Text of JSON, spread over lines; null if it is none. @param {string} text */
function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return null; }
}

/** @param {string} source */
export function coloured(source) {
  const node = make("pre", { class: "code", tabindex: "0" });
  if (source.length > 300000) {
    append(node, [foreign(source)]);
    return node;
  }
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let last = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    append(node, [source.slice(last, found.index)]);
    const name = found[1] ? (found[2] ? "key" : "string") : /[a-z]/.test(found[0][0]) ? "word" : "number";
    append(node, [make("span", { class: `j-${name}` }, found[1] ? make("bdi", null, visible(found[1])) : found[0]), found[2]]);
    last = found.index + found[0].length;
  }
  append(node, [source.slice(last)]);
  return node;
}

function bytesOf(body) {
  if (body.base64 !== undefined) return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0));
  return new TextEncoder().encode(body.text ?? "");
}
export const headerValue = (headers, name) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? "";
function hex(bytes) {
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, 65536); start += 16) {
    const part = [...bytes.subarray(start, start + 16)];
    const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    lines.push(`${start.toString(16).padStart(8, "0")}  ${digits}  ${part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("")}`);
  }
  if (bytes.length > 65536) lines.push(`showing 64 KiB of ${size(bytes.length)}`);
  return lines.join("\n");
}

function multipart(text, type) {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (!boundary) return [];
  return text.split(`--${boundary}`).slice(1, -1).map((part) => {
    const [head, ...rest] = part.replace(/^\r?\n/, "").split(/\r?\n\r?\n/);
    return { head, content: rest.join("\r\n\r\n").replace(/\r?\n$/, "") };
  });
}
function prettyView(body, type, signal) {
  const essence = type.split(";")[0].trim().toLowerCase();
  if (!body.bytes) return make("p", { class: "quiet" }, "No content");
  if (/^image\/(png|jpe?g|gif|webp|avif|bmp)$/.test(essence) && !body.truncated) {
    const address = URL.createObjectURL(new Blob([/** @type {any} */ (bytesOf(body))], { type: essence }));
    signal.addEventListener("abort", () => URL.revokeObjectURL(address));
    return make("img", { src: address, alt: `Image, ${number(body.bytes)} bytes`, class: "picture" });
  }
  const text = body.text;
  if (text === undefined) return make("pre", { class: "code", tabindex: "0" }, hex(bytesOf(body)));
  if (essence === "application/x-www-form-urlencoded") {
    return table("Form fields", ["Name", "Value"], [...new URLSearchParams(text)].map(([name, value]) => row(foreign(name), foreign(value))));
  }
  if (essence.startsWith("multipart/")) {
    const parts = multipart(text, type);
    if (parts.length) return parts.map((part, index) => make("section", { "aria-label": `Part ${index + 1}` }, make("pre", { class: "code" }, foreign(part.head)), make("pre", { class: "code", tabindex: "0" }, foreign(pretty(part.content) ?? part.content))));
  }
  const formatted = pretty(text);
  return formatted === null ? make("pre", { class: "code", tabindex: "0" }, foreign(text)) : coloured(formatted);
}

/** @param {string} name "Request" or "Response" @param {KeptBody} body @param {[string, string][]} headers @param {AbortSignal} signal @param {{ view: string, word: string }} [chosen] */
export function bodyView(name, body, headers, signal, chosen = { view: "Pretty", word: "" }) {
  const type = headerValue(headers, "content-type");
  const shown = make("div", { class: "body" });
  const found = make("span", { role: "status", class: "found" });
  const group = freshID("view");
  let { view } = chosen;
  const show = () => {
    if (view === "Pretty") fill(shown, prettyView(body, type, signal));
    else if (view === "Raw") fill(shown, make("pre", { class: "code", tabindex: "0" }, foreign(body.text ?? body.base64 ?? "")));
    else fill(shown, make("pre", { class: "code", tabindex: "0" }, hex(bytesOf(body))));
    mark();
  };
  const search = make("input", { type: "search", "aria-label": "Find in body", placeholder: "Find in body", value: chosen.word, on: { input: () => mark() } });
  const highlights = /** @type {any} */ (CSS).highlights;
  const mark = () => {
    const word = search.value.toLowerCase();
    const ranges = [];
    if (word) {
      const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = (node.nodeValue ?? "").toLowerCase();
        for (let index = text.indexOf(word); index >= 0 && ranges.length < 1000; index = text.indexOf(word, index + word.length)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          ranges.push(range);
        }
      }
    }
    if (highlights) {
      if (ranges.length) highlights.set("found", new (/** @type {any} */ (window)).Highlight(...ranges));
      else highlights.delete("found");
    }
    fill(found, word ? `${number(ranges.length)}${ranges.length < 1000 ? "" : " or more"} found` : "");
    ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
  };
  signal.addEventListener("abort", () => highlights?.delete("found"));
  const radios = ["Pretty", "Raw", "Hex"].map((one) => make("label", { class: "radio" }, make("input", { type: "radio", name: group, value: one, checked: one === view, on: { change: () => { view = one; show(); } } }), one));
  const kept = body.truncated ? `${size(bytesOf(body).length)} of ${size(body.bytes)} kept` : `${number(body.bytes)} bytes`;
  const node = make("section", { "aria-label": `${name} body`, class: "body-part" },
    make("div", { class: "row" }, make("h3", null, `${name} body`), make("span", { class: "quiet" }, kept)),
    make("div", { class: "row" }, make("div", { role: "radiogroup", "aria-label": "Body view", class: "radios" }, radios), search, found, button("Copy body", () => copy(body.text ?? body.base64 ?? ""))),
    shown);
  show();
  return node;
}
export const headerTable = (name, headers) => table(`${name} headers`, ["Name", "Value"], headers.map(([key, value]) => row(foreign(key), foreign(value))));

const documents = new Map();

/** @param {string} api @returns {Promise<any>} */
function documentOf(api) {
  let found = documents.get(api);
  if (!found) {
    found = get(`/openapi/${segment(api)}.json`, { world: "" });
    documents.set(api, found);
    found.catch(() => documents.delete(api));
  }
  return found;
}
export function resolved(schema, root) {
  let one = schema;
  for (let depth = 0; one?.$ref && depth < 20; depth += 1) {
    one = one.$ref.replace(/^#\//, "").split("/").reduce((value, part) => value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  }
  return one ?? true;
}
function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/**
 * Returns what is wrong with a value.
 * @param {any} value
 * @param {any} schema
 * @param {any} root the document in which references point
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {SchemaFault[]}
 */
export function check(value, schema, root, path = "$", depth = 0) {
  const one = resolved(schema, root);
  if (one === true || typeof one !== "object" || depth > 60) return [];
  if (one === false) return [{ path, reason: "is not allowed" }];
  const faults = [];
  const say = (reason) => faults.push({ path, reason });
  for (const part of one.allOf ?? []) faults.push(...check(value, part, root, path, depth + 1));
  for (const kind of ["anyOf", "oneOf"]) {
    if (one[kind] && !one[kind].some((part) => !check(value, part, root, path, depth + 1).length)) say("fits none of the forms");
  }
  if (one.nullable && value === null) return faults;
  if (one.type) {
    const types = [one.type].flat();
    const type = typeOf(value);
    if (!types.includes(type) && !(types.includes("integer") && Number.isInteger(value)) && !(type === "number" && types.includes("number"))) {
      say(`must be ${types.join(" or ")}, found ${type}`);
      return faults;
    }
  }
  if (one.enum && !one.enum.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) say(`must be one of ${one.enum.map((choice) => JSON.stringify(choice)).join(", ")}`);
  if ("const" in one && JSON.stringify(one.const) !== JSON.stringify(value)) say(`must be ${JSON.stringify(one.const)}`);
  if (typeof value === "number") {
    if (value < one.minimum) say(`must be at least ${one.minimum}`);
    if (value > one.maximum) say(`must be at most ${one.maximum}`);
  }
  if (typeof value === "string") {
    const length = [...value].length;
    if (length < one.minLength) say(`must have at least ${one.minLength} characters`);
    if (length > one.maxLength) say(`must have at most ${one.maxLength} characters`);
    if (one.pattern) {
      try { if (!new RegExp(one.pattern, "u").test(value)) say(`must match ${one.pattern}`); } catch { /* A pattern of another dialect is not judged. */ }
    }
  }
  if (Array.isArray(value)) {
    if (value.length < one.minItems) say(`must have at least ${one.minItems} items`);
    if (value.length > one.maxItems) say(`must have at most ${one.maxItems} items`);
    if (one.items) value.slice(0, 200).forEach((item, index) => faults.push(...check(item, one.items, root, `${path}[${index}]`, depth + 1)));
  } else if (typeof value === "object" && value !== null) {
    for (const name of one.required ?? []) if (!(name in value)) faults.push({ path: `${path}.${name}`, reason: "is missing" });
    for (const [name, member] of Object.entries(value)) {
      const known = one.properties?.[name];
      if (known !== undefined) faults.push(...check(member, known, root, `${path}.${name}`, depth + 1));
      else if (one.additionalProperties === false && !one.allOf) faults.push({ path: `${path}.${name}`, reason: "is not known to the schema" });
      else if (typeof one.additionalProperties === "object") faults.push(...check(member, one.additionalProperties, root, `${path}.${name}`, depth + 1));
    }
  }
  return faults;
}
const mediaOf = (content, type) => {
  const essence = type.split(";")[0].trim().toLowerCase();
  return Object.entries(content ?? {}).find(([name]) => name.split(";")[0].trim().toLowerCase() === essence)?.[1];
};

/** What a request and its answer break of their operation; null without an operation. @returns {Promise<SchemaFault[] | null>} */
export async function checkExchange(entry) {
  if (!entry.route) return null;
  const root = await documentOf(entry.api);
  const names = (path) => path.replace(/\{[^}]*\}|\*+/g, "{}");
  const item = Object.entries(root.paths).find(([path]) => names(path) === names(entry.route))?.[1];
  const operation = item?.[entry.method.toLowerCase()];
  if (!operation) return null;
  const faults = [];
  const query = new URLSearchParams(entry.query ?? "");
  for (const raw of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolved(raw, root);
    if (parameter.in === "query" && parameter.required && !query.has(parameter.name)) faults.push({ path: `request.query.${parameter.name}`, reason: "is missing" });
    if (parameter.in === "header" && parameter.required && !headerValue(entry.headers, parameter.name.toLowerCase())) faults.push({ path: `request.headers.${parameter.name}`, reason: "is missing" });
  }
  const request = mediaOf(resolved(operation.requestBody ?? true, root).content, headerValue(entry.headers, "content-type"));
  faults.push(...checkBody(entry.body, request, root, "request.body"));
  const answers = operation.responses ?? {};
  const answer = resolved(answers[String(entry.status)] ?? answers[`${Math.floor(entry.status / 100)}XX`] ?? answers.default ?? null, root);
  if (entry.status && !(String(entry.status) in answers) && answer === true) faults.push({ path: "response.status", reason: `${entry.status} is not declared` });
  else if (answer !== true) faults.push(...checkBody(entry.responseBody, mediaOf(answer.content, headerValue(entry.responseHeaders ?? [], "content-type")), root, "response.body"));
  return faults.slice(0, 100);
}
function checkBody(body, media, root, path) {
  if (!media?.schema || !body?.bytes || body.truncated || body.text === undefined) return [];
  let value;
  try { value = JSON.parse(body.text); } catch { return /^[[{"]/.test(body.text.trim()) ? [{ path, reason: "is not JSON" }] : []; }
  return check(value, media.schema, root, path);
}
