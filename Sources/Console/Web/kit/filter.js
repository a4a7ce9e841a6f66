// @ts-check
// The language of the filter: tags `key:value`, joined by and; other words are one phrase.
import { nearest } from "./text.js";
import { isUnmatched } from "./journal.js";

/** @typedef {import("./journal.js").Line} Line */
/** @typedef {{ test: (line: Line) => boolean, phrase: string, problem: string, isEmpty: boolean }} Filter */

export const KEYS = ["api", "method", "path", "route", "status", "user", "fault", "scenario", "gate", "outcome", "ms", "size", "id", "is"];
const IS = ["unmatched", "replay", "held"];
const OUTCOMES = ["delivered", "interrupted", "cut", "held"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** @param {string} glob @param {boolean} hasSegments */
function pattern(glob, hasSegments) {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    if (part === "*") return hasSegments ? "[^/]*" : ".*";
    return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "i");
}

/** @param {string} value @returns {(text: string) => boolean} */
function word(value) {
  if (value.includes("*")) {
    const expression = pattern(value, false);
    return (text) => text !== "" && expression.test(text);
  }
  const lower = value.toLowerCase();
  return (text) => text.toLowerCase() === lower;
}

/** @param {string} value @returns {((amount: number) => boolean) | string} */
function amount(value, units = "") {
  const found = /^([<>]=?|=)?(\d+(?:\.\d+)?)([a-z]*)$/i.exec(value);
  const unit = found?.[3].toLowerCase() ?? "";
  if (!found || (unit && !units.includes(unit[0]))) return `"${value}" is no amount; write it as >100`;
  const limit = Number(found[2]) * (unit.startsWith("k") ? 1024 : unit.startsWith("m") && units.includes("m") ? 1048576 : 1);
  switch (found[1]) {
    case ">": return (one) => one > limit;
    case ">=": return (one) => one >= limit;
    case "<": return (one) => one < limit;
    case "<=": return (one) => one <= limit;
    default: return (one) => Math.round(one) === limit;
  }
}

/** @param {string} key @param {string} value @returns {((line: Line) => boolean) | string} a test, or a problem */
function tag(key, value) {
  switch (key) {
    case "path": {
      if (!value.includes("*") && !value.startsWith("/")) return (line) => line.path.toLowerCase().includes(value.toLowerCase());
      const expression = pattern(value, true);
      return (line) => expression.test(line.path);
    }
    case "route": {
      const expression = pattern(value, true);
      return (line) => expression.test(line.route);
    }
    case "status": {
      if (/^[1-5]xx$/i.test(value)) return (line) => Math.floor(line.status / 100) === Number(value[0]);
      const test = amount(value);
      return typeof test === "string" ? `"${value}" is no status; write it as 404 or 4xx` : (line) => test(line.status);
    }
    case "ms": {
      const test = amount(value);
      return typeof test === "string" ? test : (line) => line.ms !== undefined && test(line.ms);
    }
    case "size": {
      const test = amount(value, "kmb");
      return typeof test === "string" ? test : (line) => test(line.responseBytes);
    }
    case "is":
      if (value === "unmatched") return isUnmatched;
      if (value === "replay") return (line) => line.replayOf !== "";
      if (value === "held") return (line) => line.outcome === "held";
      return `is:${value} is not known; did you mean is:${nearest(value, IS)}?`;
    default: {
      const test = word(value);
      return (line) => test(String(/** @type {any} */ (line)[key] ?? ""));
    }
  }
}

/** @param {string} text @returns {Filter} */
export function parseFilter(text) {
  /** @type {((line: Line) => boolean)[]} */
  const tests = [];
  const words = [];
  let problem = "";
  for (const part of text.match(/-?[A-Za-z]+:(?:"[^"]*"?|[^\s"]\S*)?|"[^"]*"?|\S+/g) ?? []) {
    const found = /^(-?)([A-Za-z]+):(?!\/\/)(.*)$/s.exec(part);
    if (!found) { words.push(part.replaceAll('"', "")); continue; }
    const [, minus, name, rest] = found;
    const key = name.toLowerCase();
    if (!KEYS.includes(key)) {
      problem ||= `"${name}" is not a key; did you mean "${nearest(key, KEYS)}"?`;
      continue;
    }
    const values = rest.replaceAll('"', "").split("|").filter(Boolean);
    if (!values.length) continue;
    const each = values.map((value) => tag(key, value));
    const broken = each.find((one) => typeof one === "string");
    if (typeof broken === "string") { problem ||= broken; continue; }
    const all = /** @type {((line: Line) => boolean)[]} */ (each);
    tests.push(minus ? (line) => !all.some((one) => one(line)) : (line) => all.some((one) => one(line)));
  }
  const phrase = words.join(" ").slice(0, 256);
  return { test: (line) => tests.every((one) => one(line)), phrase, problem, isEmpty: !tests.length && !phrase };
}

/**
 * Offers for the word before the caret.
 * @param {string} word
 * @param {Line[]} rows
 * @returns {string[]} whole words that may replace it
 */
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

/** @param {string} key @param {Line[]} rows */
function values(key, rows) {
  if (key === "is") return IS;
  if (key === "outcome") return OUTCOMES;
  if (key === "method") return METHODS;
  if (key === "status") return ["2xx", "3xx", "4xx", "5xx", ...seen("status", rows)];
  if (key === "ms" || key === "size") return [];
  return seen(key, rows);
}

/** @param {string} key @param {Line[]} rows */
function seen(key, rows) {
  const found = new Set();
  for (let index = rows.length - 1; index >= 0 && index > rows.length - 2000 && found.size < 50; index -= 1) {
    const value = /** @type {any} */ (rows[index])[key];
    if (value) found.add(String(value));
  }
  return [...found].sort();
}
