// @ts-check
// Fields, tables and regions, of which pages other than Traffic are made.
import { freshID, make, span } from "./text.js";

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
