// @ts-check
// Elements, text, numbers and times. Foreign text becomes text nodes and plain attributes, never markup.

/**
 * Makes an element.
 * @param {string} name
 * @param {Record<string, any>?} [options] attributes; `class`; `on`, an object of listeners
 * @param {...any} children nodes and text; empty ones are left out
 * @returns {any}
 */
export function make(name, options, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(options ?? {})) {
    if ((value ?? false) === false) continue;
    if (key === "on") for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    else if (key === "class") node.className = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** @param {Node} node */
export function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.appendChild(child);
    else if ((child ?? "") !== "" && child !== false) node.appendChild(document.createTextNode(child));
  }
}

/** Replaces the content of a node. @param {Element} node @param {...any} children */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/** Makes an element of a drawing. @param {string} name @param {Record<string, any>} attributes @param {...Element} children */
export function draw(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

let counter = 0;
/** An id that no other element of the page has. */
export const freshID = (stem = "n") => `${stem}-${(counter += 1)}`;

/** @param {string} label @param {(event: Event) => any} action @param {Record<string, any>} [options] */
export function button(label, action, options) {
  const click = (event) => isOff(event.currentTarget) || action(event);
  return marked(make("button", { type: "button", on: { click }, ...options }, label));
}

export const isOff = (node) => node.getAttribute("aria-disabled") === "true";

/** A control that calls the server says why it can't while the server is away. */
export function marked(node) {
  const isAway = document.documentElement.dataset.connection === "Away";
  if (!node.hasAttribute("data-call") || isAway === node.hasAttribute("data-away") || (isAway && isOff(node))) return node;
  for (const [name, value] of [["data-away", ""], ["aria-disabled", "true"], ["aria-description", `The server at ${location.host} does not answer.`]]) {
    if (isAway) node.setAttribute(name, value);
    else node.removeAttribute(name);
  }
  return node;
}

/** A switch, which shows at once what was chosen. Where `change` fails, the caller shows anew what holds. @param {string} label @param {boolean} isOn @param {(isOn: boolean) => any} change @param {Record<string, any>} [options] */
export function toggle(label, isOn, change, options) {
  const node = button("", () => {
    const next = node.getAttribute("aria-checked") !== "true";
    node.setAttribute("aria-checked", String(next));
    change(next);
  }, { role: "switch", class: "switch", "aria-checked": String(isOn), ...options });
  append(node, [make("span", { class: "knob", "aria-hidden": "true" }), !options?.["aria-label"] && make("span", null, label)]);
  return node;
}

const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Text in which control characters, changes of direction and halves of characters can be seen. */
export function visible(source) {
  return String(source ?? "").replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

/** Foreign text, isolated in direction. @param {string} [className] */
export const foreign = (source, className) => make("bdi", { class: className }, visible(source));
export const code = (source) => make("code", null, foreign(source));

/** A link to a place of the console. @param {string} address @param {...any} children */
export const link = (address, ...children) => make("a", { href: address }, children);

/** A table with a caption for screen readers, in a region that scrolls sideways by itself. @param {string} name @param {string[]} columns @param {any[]} rows elements `tr` */
export function table(name, columns, rows) {
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${name}, scrollable` },
    make("table", { "aria-label": name },
      make("thead", null, make("tr", null, columns.map((column) => make("th", { scope: "col" }, column)))),
      make("tbody", null, rows)));
}
export const row = (...cells) => make("tr", null, cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : make("td", null, cell))));

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** The declarations of a rule that a script changes: elements get no style attribute. @param {string} selector */
export function styleRule(selector) {
  const place = sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
  return /** @type {CSSStyleRule} */ (sheet.cssRules[place]).style;
}

/** Tells whether what was typed belongs to a field. @param {EventTarget?} target */
export const isTyping = (target) => target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
export const number = (value) => {
  const [whole, fraction] = String(value).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction ? `.${fraction}` : "");
};
export const count = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
export function size(bytes) {
  if (!(bytes >= 1024)) return `${number(bytes ?? 0)} B`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < 2) { value /= 1024; unit += 1; }
  return `${number(value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1))} ${"KMG"[unit]}iB`;
}
export function milliseconds(ms) {
  if (ms === undefined) return "…";
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60000 ? `${(ms / 1000).toFixed(2)} s` : span(ms);
}

/** The time of day of an instant. @param {string | number} instant */
export const timeOfDay = (instant) => iso(instant).slice(11, 23);
export const iso = (instant) => (typeof instant === "number" ? (Number.isFinite(instant) ? new Date(instant).toISOString() : "") : instant ?? "");

/** `2025-01-01 12:00:00 UTC`. @param {string | number} instant */
export const reading = (instant) => `${iso(instant).slice(0, 19).replace("T", " ")} UTC`;

/** A length of time in its two largest units: "14 min 59 s". @param {number} ms */
export function span(ms) {
  let rest = Math.max(0, Math.round(ms / 1000));
  const words = [];
  for (const [unit, seconds] of Object.entries({ d: 86400, h: 3600, min: 60, s: 1 })) {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    if (amount) words.push(`${number(amount)} ${unit}`);
    if (words.length === 2) break;
  }
  return words.join(" ") || "0 s";
}
