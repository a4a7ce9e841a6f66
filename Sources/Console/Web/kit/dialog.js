// @ts-check
// Dialogs, and what they end in: control calls, as commands and in Swift.
import { Problem, app, call, copyButton, hasToken, on, quoted } from "./core.js";
import { button, fill, foreign, freshID, isOff, make, marked } from "./text.js";

/** A control call as a command. The token is never in it. @param {string} method @param {string} path below /__admin */
export function curlCall(method, path, body) {
  const parts = ["curl"];
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(`${location.origin}/__admin${path}`), "-H", quoted(`X-Understudy-World: ${app.world}`));
  if (hasToken()) parts.push('-H "Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN"');
  if (body !== undefined) parts.push("-H", quoted("Content-Type: application/json"), "-d", quoted(JSON.stringify(body)));
  return parts.join(" ");
}

function swiftText(text) {
  let pounds = "";
  while (text.includes(`"${pounds}`) || text.includes(`\\${pounds}`)) pounds += "#";
  if (/[\n\r]/.test(text)) return `${pounds}"""\n${text.replaceAll("\r", "")}\n"""${pounds}`;
  return `${pounds}"${text}"${pounds}`;
}

function swiftJSON(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return swiftText(value);
  if (Array.isArray(value)) return `[${value.map(swiftJSON).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([name, one]) => `${swiftText(name)}: ${swiftJSON(one)}`);
  return members.length ? `[${members.join(", ")}]` : "[:]";
}
function swiftCriterion(one) {
  if (typeof one !== "object") return swiftText(String(one));
  const [[kind, text]] = Object.entries(one);
  return kind === "absent" ? ".absent" : `.${kind}(${swiftText(String(text))})`;
}
export function swiftMatch(match) {
  const path = typeof match.path === "string" ? match.path : "";
  const parts = [match.api && `API(${swiftText(match.api)})`, match.method && swiftText(match.method), path && swiftText(path)].map((part) => part || "nil");
  while (parts[parts.length - 1] === "nil") parts.pop();
  if (match.path?.regex) parts.push(`pathRegex: ${swiftText(match.path.regex)}`);
  for (const name of ["query", "headers"]) if (match[name]) parts.push(`${name}: [${Object.entries(match[name]).map(([key, one]) => `${swiftText(key)}: ${swiftCriterion(one)}`).join(", ") || ":"}]`);
  if (match.user) parts.push(`user: ${swiftText(match.user)}`);
  if (match.body !== undefined) parts.push(`body: ${swiftJSON(match.body)}`);
  if (match.bodyText) parts.push(`bodyText: ${swiftCriterion(match.bodyText)}`);
  if (match.connection) parts.push(`connection: .${match.connection}`);
  return parts.length ? `Match(${parts.join(", ")})` : ".any";
}
const labelled = (values, names) => names.split(" ").filter((name) => values[name] !== undefined).map((name) => `${name}: ${values[name]}`);
function swiftMembers({ effect, match, when, phase, name, on, enabled }) {
  const window = when && labelled(Object.fromEntries(Object.entries(when).map(([key, one]) => [key, swiftJSON(one)])), "skip times every probability from until");
  return {
    effect: effect && `Effect(${swiftJSON(effect)})`, match: match && swiftMatch(match), when: when && `Fault.When(${window.join(", ")})`,
    phase: phase && `.${phase}`, name: name && swiftText(name), clock: on && `.${on}`, enabled,
  };
}
/** A control call as a call of `UnderstudyTesting`. */
function swiftLine(method, path, body) {
  const [, kind, name] = path.split("/").map(decodeURIComponent);
  switch (`${method} /${kind}`) {
    case "POST /faults": {
      const parts = swiftMembers(body);
      return `try await world.add(Fault(${[parts.effect, ...labelled({ ...parts, on: parts.match }, "on when phase name clock enabled")].join(", ")}))`;
    }
    case "PATCH /faults":
      // What is taken away, by null, has no argument.
      if (Object.values(body).includes(null)) break;
      return `let fault = try await world.fault(${swiftText(name)})\ntry await world.change(${["fault", ...labelled(swiftMembers(body), "enabled name match when phase effect clock")].join(", ")})`;
    case "POST /gates":
      if (body.held) return `try await world.gate(named: ${swiftText(name)}).release(held: ${swiftJSON(body.held)}${body.effect ? `, effect: Effect(${swiftJSON(body.effect)})` : ""})`;
      return `let gate = try await world.gate(${swiftText(body.name)}, on: ${swiftMatch(body.match ?? {})}, phase: .${body.phase ?? "before"})`;
    case "POST /snapshots": return `try await world.snapshot(${swiftText(body.name)})`;
    case "POST /worlds":
      if (body.clock) break;
      return `let made = try await server.world(${[...(body.name ? [swiftText(body.name)] : []), ...labelled({ ...body, from: body.from && swiftText(body.from), lifetime: "nil" }, "from seed lifetime")].join(", ")})`;
    case "DELETE /worlds": return "try await world.delete()";
    case "POST /tokens": {
      const word = (text) => text.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
      return `let token = try await world.token(API(${swiftText(body.api ?? "")}), user: ${swiftText(body.user)}, kind: .${word(body.kind)}${body.state ? `, state: .${word(body.state)}` : ""})`;
    }
  }
  return `let answer = try await world.call(${swiftText(method)}, ${swiftText(path)}${body === undefined ? "" : `, body: ${swiftJSON(body)}`})`;
}

/** A control call in Swift. The token is never in it. @param {string} method @param {string} path below /__admin */
function swiftCall(method, path, body) {
  const token = hasToken() ? ', adminToken: ProcessInfo.processInfo.environment["UNDERSTUDY_ADMIN_TOKEN"]' : "";
  const line = swiftLine(method, path, body);
  const world = line === "try await world.delete()" ? decodeURIComponent(path.slice(8)) : app.world;
  return ["import Foundation", "import UnderstudyTesting", "", `let server = UnderstudyServer.attach(to: URL(string: ${swiftText(location.origin)})!${token})`,
    ...(line.includes("server.") ? [] : [`let world = try await server.world(named: ${swiftText(world)})`]), line].join("\n");
}

/** @param {string} method @param {string} url @param {[string, string][]} headers @param {KeptBody} body */
export function swiftRequest(method, url, headers, { text, base64 }) {
  const lines = ["import Foundation", "", `var request = URLRequest(url: URL(string: ${swiftText(url)})!)`, `request.httpMethod = ${swiftText(method)}`];
  for (const [name, value] of headers) lines.push(`request.addValue(${swiftText(value)}, forHTTPHeaderField: ${swiftText(name)})`);
  if (text) lines.push(`request.httpBody = Data(${swiftText(text)}.utf8)`);
  if (base64) lines.push(`request.httpBody = Data(base64Encoded: ${swiftText(base64)})`);
  lines.push("let (data, response) = try await URLSession.shared.data(for: request)");
  return lines.join("\n");
}

/** The modal dialog that is open above all, or the page. @returns {Element} */
export const topmost = () => [...document.querySelectorAll(":modal")].pop() ?? document.body;

/** @param {DialogParts} parts @returns {HTMLDialogElement} */
export function open(parts) {
  const heading = make("h2", { id: freshID("title") }, foreign(parts.title));
  // By this mark the opener is found again if it is drawn anew meanwhile.
  const before = document.activeElement;
  if (before !== document.body) before?.setAttribute("data-opens", heading.id);
  const node = make("dialog", { class: `dialog ${parts.className ?? ""}`, role: parts.role, "aria-labelledby": heading.id },
    heading, parts.content, parts.closes && make("div", { class: "row end" }, button(parts.closes, () => node.close())));
  node.addEventListener("close", () => {
    for (const inner of node.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (inner).close();
    node.remove();
    parts.closed?.();
    const opener = /** @type {HTMLElement?} */ (document.querySelector(`[data-opens="${heading.id}"]`));
    opener?.removeAttribute("data-opens");
    // The event comes later than the closing itself: what a key has focused since then keeps the focus.
    const now = document.activeElement;
    if (!now || now === document.body) (opener ?? document.getElementById("main"))?.focus();
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    node.close();
  });
  (parts.isModal === false ? topmost() : document.body).append(node);
  if (parts.isModal === false) {
    node.show();
    if (!node.contains(document.activeElement)) (node.querySelector("button, input") ?? node).focus();
  } else node.showModal();
  return node;
}

/** Shows text selected, where it may not be copied by a script. @param {string} text */
export function openCopy(text) {
  const area = make("textarea", { readonly: true, rows: 8, "aria-label": "Text to copy" });
  area.value = text;
  open({ title: "Copy this text", content: [area], closes: "Close" });
  area.select();
}

/** Opens a dialog that ends in a control call. @param {CallForm} form */
export function openForm(form) {
  const problem = make("div", { class: "problem" });
  const main = marked(make("button", { class: form.role ? "danger" : "main", type: "submit", "data-call": true }, form.action));
  let isBusy = false;
  const cancel = button("Cancel", () => node.close());
  const copies = (name, write) => copyButton(name, () => {
    const request = form.request();
    return request && write(request.method, request.path, request.body);
  }, { class: "quiet" });
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy || isOff(main)) return;
    fill(problem);
    clearProblems(node);
    const request = form.request();
    if (!request) return;
    isBusy = true;
    try {
      const { method, path, ...options } = request;
      await form.done(await call(method, path, options));
      if (!form.staysOpen) node.close();
    } catch (error) {
      showProblem(error, node, problem);
    } finally {
      isBusy = false;
    }
  };
  const body = make("form", { novalidate: true, on: { submit } }, form.content, problem,
    make("div", { class: "row end" },
      copies("Copy as curl", curlCall), copies("Copy as Swift", swiftCall), cancel, main));
  const node = open({ title: form.title, content: [body], role: form.role });
  if (form.role) cancel.focus();
}
export function clearProblems(place) {
  // The note of a field is part of it.
  for (const node of place.querySelectorAll(".field-problem:not([role])")) node.remove();
  for (const node of place.querySelectorAll("[data-path][aria-invalid]")) node.removeAttribute("aria-invalid");
}

/** Shows a problem document at the fields that its paths name, or else as an alert. @param {ParentNode} place @param {HTMLElement} rest */
export function showProblem(error, place, rest) {
  if (!(error instanceof Problem)) {
    fill(rest, make("p", { role: "alert" }, error.message));
    return;
  }
  const left = [];
  let first = true;
  for (const item of error.errors) {
    const fields = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[data-path]")]).filter((one) => {
      const { path } = one.dataset;
      return !one.closest("[hidden]") && item.path.startsWith(path) && /^[.[]?$/.test(item.path.charAt(path.length));
    });
    const [field] = fields.sort((a, b) => b.dataset.path.length - a.dataset.path.length);
    if (!field) { left.push(item); continue; }
    const note = make("p", { class: "field-problem", id: freshID("problem") }, foreign(`${item.path} ${item.reason}`));
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", note.id);
    field.after(note);
    if (first) field.focus();
    first = false;
  }
  if (left.length || !error.errors.length) {
    fill(rest, make("div", { role: "alert" }, make("strong", null, foreign(error.title)), " ", foreign(error.message),
      left.length > 0 && make("ul", null, left.map((item) => make("li", null, foreign(`${item.path} ${item.reason}`))))));
  }
}

/** JSON to be edited: what could not be seen in a field, or would turn its text around, is written as an escape. @param {number} [indent] */
export const jsonText = (value, indent) => JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** @param {Record<string, any>} options */
export function jsonField(options) {
  const note = make("p", { class: "field-problem", id: freshID("json"), role: "status" });
  const area = make("textarea", { spellcheck: "false", autocomplete: "off", rows: 8, class: "code", "aria-describedby": note.id, ...options });
  const check = () => {
    const found = parse(area.value);
    fill(note, found.problem ? foreign(found.problem) : null);
    area.setAttribute("aria-invalid", String(Boolean(found.problem)));
    return found;
  };
  area.addEventListener("input", check);
  return { area, note, read: check };
}

function offsetOf(text, words) {
  const place = /position (\d+)/.exec(words);
  if (place) return Number(place[1]);
  const [, line, column] = /line (\d+) column (\d+)/.exec(words) ?? [];
  if (line) return text.split("\n").slice(0, Number(line) - 1).reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
  if (!/^Unexpected token/.test(words)) return text.length;
  // Chromium names no place of an unexpected character: it ends the shortest text that has it.
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    let isIn = false;
    try { JSON.parse(text.slice(0, middle)); } catch (error) { isIn = /^Unexpected token/.test(String(/** @type {Error} */ (error).message)); }
    if (isIn) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** Reads JSON, and says where it is broken. @returns {{ value?: any, problem?: string }} */
function parse(text) {
  if (text.trim() === "") return {};
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const words = String(/** @type {Error} */ (error).message);
    const offset = offsetOf(text, words);
    const lines = text.slice(0, offset).split("\n");
    return { problem: `Line ${lines.length}, column ${lines[lines.length - 1].length + 1}: ${words.replace(/ in JSON at position.*| \(line.*|, (\.{3})?".*" is not valid JSON/s, "").trim()}` };
  }
}

/** A choice of an API, which fills itself when the APIs are known. @param {string} [chosen] @param {Record<string, any>} [attributes] @param {string} [none] the words for no API, where that is a choice */
export function apiSelect(chosen, attributes, none) {
  const node = make("select", attributes);
  const show = () => {
    const value = node.value || chosen;
    const names = [...new Set([...app.apis.map((api) => api.name), ...(chosen ? [chosen] : [])])];
    fill(node, none && make("option", { value: "" }, none), names.map((name) => make("option", { value: name }, name)));
    node.value = value ?? (none ? "" : names[0]);
  };
  const life = new AbortController();
  on("apis", () => {
    if (!node.isConnected) life.abort();
    else show();
  }, life.signal);
  show();
  return node;
}
