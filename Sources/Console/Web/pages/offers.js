// @ts-check
// What the filter of Traffic offers while one types.
import { KEYS } from "../kit/filter.js";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Offers for the word before the caret. @param {string} word @param {Line[]} rows @returns {string[]} whole words that may replace it */
export function offers(word, rows) {
  const minus = word.startsWith("-") ? "-" : "";
  const bare = word.slice(minus.length);
  const colon = bare.indexOf(":");
  if (colon < 0) return bare ? Object.keys(KEYS).filter((key) => key.startsWith(bare.toLowerCase())).map((key) => `${minus}${key}:`) : [];
  const key = bare.slice(0, colon).toLowerCase();
  if (!Object.hasOwn(KEYS, key)) return [];
  const [last = ""] = bare.slice(colon + 1).split("|").slice(-1);
  const before = bare.slice(0, bare.length - last.length);
  return values(key, rows).filter((value) => value.toLowerCase().startsWith(last.toLowerCase()) && value !== last).slice(0, 8)
    .map((value) => `${minus}${before}${/\s/.test(value) ? `"${value}"` : value}`);
}
function values(key, rows) {
  if (KEYS[key].length) return KEYS[key];
  if (key === "method") return METHODS;
  if (key === "status") return ["2xx", "3xx", "4xx", "5xx", ...seen("status", rows)];
  if (key === "ms" || key === "size") return [];
  return seen(key, rows);
}
function seen(key, rows) {
  const found = new Set();
  for (let index = rows.length - 1; index >= 0 && index > rows.length - 2000 && found.size < 50; index -= 1) {
    const value = /** @type {any} */ (rows[index])[key];
    if (value) found.add(String(value));
  }
  return [...found].sort();
}
