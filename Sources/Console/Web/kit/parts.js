// @ts-check
// Fields, tables and regions, of which pages other than Traffic are made, and files.
import { freshID, make, number, span } from "./text.js";

/** The beginning of a text, which says how long it is if it is longer. @param {string} text @param {number} most */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}… (${number(text.length)} characters)` : text);

/**
 * A field below its label.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {...any} more
 */
export function field(label, input, ...more) {
  if (!input.id) input.id = freshID("field");
  return make("div", { class: "field" }, make("label", { for: input.id }, label), input, more);
}

/**
 * @param {string[] | [string, string][]} options values, or pairs of value and text
 * @param {string} [chosen]
 * @param {Record<string, any>} [attributes]
 */
export function select(options, chosen, attributes = {}) {
  const node = make("select", attributes, options.map((option) => {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    return make("option", { value }, text);
  }));
  if (chosen !== undefined) node.value = chosen;
  return node;
}

/**
 * A table with a caption for screen readers, in a region that scrolls sideways by itself.
 * @param {string} name
 * @param {string[]} columns
 * @param {any[]} rows elements `tr`
 * @param {Record<string, any>} [options]
 */
export function table(name, columns, rows, options = {}) {
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${name}, scrollable` },
    make("table", { "aria-label": name, ...options },
      make("thead", null, make("tr", null, columns.map((column) => make("th", { scope: "col" }, column)))),
      make("tbody", null, rows)));
}
export const row = (...cells) => make("tr", null, cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : make("td", null, cell))));

/** A region with a heading of its own. @param {string} name @param {...any} children */
export function region(name, ...children) {
  const heading = make("h2", { id: freshID("h") }, name);
  return make("section", { "aria-labelledby": heading.id, class: "panel" }, heading, children);
}

/** "expires in 14 min 59 s", "expired 1 s ago". @param {number} at @param {number} now */
export const expiry = (at, now) => (at > now ? `expires in ${span(at - now)}` : `expired ${span(now - at)} ago`);

/** Saves a file. @param {string} name a name of ours @param {string | Blob} content @param {string} [type] */
export function save(name, content, type = "application/json") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = make("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Lets the reader choose a file. @param {string} accept @returns {Promise<File?>} */
export function chooseFile(accept) {
  return new Promise((resolve) => {
    const input = make("input", { type: "file", accept });
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}

/** Wraps text into a name of a file. @param {string} text */
export const fileName = (text) => text.replace(/[^A-Za-z0-9._-]+/g, "-");
