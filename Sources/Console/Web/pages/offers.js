// @ts-check
// What the filter of Traffic offers while one types.
import { IS, KEYS } from "./traffic-list.js";

const OUTCOMES = ["delivered", "interrupted", "cut", "held"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Offers for the word before the caret. @param {string} word @param {Line[]} rows @returns {string[]} whole words that may replace it */
export function offers(word, rows) {
  const minus = word.startsWith("-") ? "-" : "";
  const bare = word.slice(minus.length);
  const colon = bare.indexOf(":");
  if (colon < 0) return bare ? KEYS.filter((key) => key.startsWith(bare.toLowerCase())).map((key) => `${minus}${key}:`) : [];
  const key = bare.slice(0, colon).toLowerCase();
  if (!KEYS.includes(key)) return [];
  const [last = ""] = bare.slice(colon + 1).split("|").slice(-1);
  const before = bare.slice(0, bare.length - last.length);
  return values(key, rows).filter((value) => value.toLowerCase().startsWith(last.toLowerCase()) && value !== last).slice(0, 8)
    .map((value) => `${minus}${before}${/\s/.test(value) ? `"${value}"` : value}`);
}
function values(key, rows) {
  if (key === "is") return IS;
  if (key === "outcome") return OUTCOMES;
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
