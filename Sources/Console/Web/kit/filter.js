// @ts-check
// The language of traffic filters (console contract, section 14). `TrafficFilter` of the command line is the other implementation; Tests/Vectors/filter.json holds both.

/** The keys, with the values of those that have fixed ones. @type {Record<string, string[]>} */
export const KEYS = {
  api: [], method: [], path: [], route: [], status: [], user: [], fault: [], scenario: [], gate: [],
  outcome: ["delivered", "interrupted", "cut", "held"], ms: [], size: [], id: [], is: ["unmatched", "replay", "held", "violating"],
};
/** The keys of which a comma parts the values, none of which can have one. */
const LISTS = new Set(["api", "method", "status", "fault", "scenario", "outcome", "is"]);
const UNITS = { "": 1, b: 1, k: 1024, kb: 1024, kib: 1024, m: 1048576, mb: 1048576, mib: 1048576 };
/** The maximum length of a phrase in characters, as of the parameter `q`. */
const LONGEST = 256;

/** Nothing answered it: no endpoint, fault or recording. @param {Line} line */
export const isUnmatched = (line) => !line.route && !line.fault && line.status >= 400;

/** The reason why a text is no filter. */
class Refusal extends Error {}

const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The source of an expression that is matched at its first place for good, or stars would take ages. */
const once = (source, number) => `(?=(?<g${number}>${source}))\\k<g${number}>`;

/** The source for a text in which a star stands for any number of signs. @param {string} text @param {string} sign @param {string} id */
function starred(text, sign, id) {
  const [first, ...rest] = text.split(/\*+/).map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const last = rest.pop();
  return first + rest.map((piece, index) => once(`${sign}*?${piece}`, `${id}_${index}`)).join("") + (last === undefined ? "" : `${sign}*${last}`);
}

/** A name; a star stands for any text. Lines have few names, of which each is looked at once. */
function name(value) {
  const expression = new RegExp(`^${starred(lower(value), "[^]", "")}$`);
  const known = new Map();
  return (text) => {
    const found = known.get(text) ?? (text !== "" && expression.test(lower(text)));
    if (known.size < 1000) known.set(text, found);
    return found;
  };
}

/** A path by its segments, or a text that it contains. */
function path(value) {
  if (!/^\/|[*{]/.test(value)) return (text) => lower(text).includes(lower(value));
  const segments = value.split("/").filter(Boolean).map((part) => (/^\{.*…\}$/s.test(part) ? "**" : part.replace(/^\{.*\}$/s, "*")));
  const runs = [""];
  segments.forEach((part, index) => {
    if (part === "**") runs.push("");
    else runs[runs.length - 1] += `(?=[^/])${starred(part, "[^/]", String(index))}(?:/+|$)`;
  });
  const some = "(?:[^/]+(?:/+|$))*";
  const [first, ...rest] = runs;
  const last = rest.pop();
  const source = first + rest.map((run, index) => once(`${some}?${run}`, `r${index}`)).join("") + (last === undefined ? "" : some + last);
  const expression = new RegExp(`^/*${source}$`);
  return (text) => text !== "" && expression.test(text);
}

/** A comparison with a number, which is equal to what it rounds. */
function amount(value, units, reason) {
  const [, written, digits, unit = "", plus] = /^([<>]=?|=)?(\d+(?:\.\d+)?)([a-z]*)(\+?)$/i.exec(value) ?? [];
  const factor = units[lower(unit)];
  if (digits === undefined || digits.length > 15 || !factor || (written && plus)) throw new Refusal(reason);
  const sign = plus ? ">=" : written;
  const limit = Number(digits) * factor;
  switch (sign) {
    case ">": return (one) => one > limit;
    case ">=": return (one) => one >= limit;
    case "<": return (one) => one < limit;
    case "<=": return (one) => one <= limit;
    default: {
      const half = (factor / 10 ** (digits.split(".")[1]?.length ?? 0)) / 2;
      return (one) => Math.abs(one - limit) <= half;
    }
  }
}
function status(value) {
  if (/^[1-9]xx$/i.test(value)) return (one) => Math.floor(one / 100) === Number(value[0]);
  if (value === "0") return (one) => one === 0;
  const reason = "status is a number such as 404 or 400+, a class such as 4xx, or 0 for requests without a response";
  if (!/^(?:(?:[<>]=?|=)?[1-9]\d\d|[1-9]\d\d\+)$/.test(value)) throw new Refusal(reason);
  const takes = amount(value, { "": 1 }, reason);
  // What was not answered is neither more nor less than a status.
  return (one) => one !== 0 && takes(one);
}

/** @returns {(line: Line) => boolean} */
function test(key, value) {
  if (!value) throw new Refusal(`${key} needs a value`);
  const known = KEYS[key];
  if (known.length && !known.includes(lower(value))) throw new Refusal(`${key} ${key === "is" ? "takes" : "is"} one of ${known.join(", ")}`);
  switch (key) {
    case "path": case "route": {
      const takes = path(value);
      return (line) => takes(line[key]);
    }
    case "status": {
      const takes = status(value);
      return (line) => takes(line.status);
    }
    case "ms": {
      const takes = amount(value, { "": 1 }, "ms takes a number, such as 12 or 100+");
      return (line) => line.ms !== undefined && takes(line.ms);
    }
    case "size": {
      const takes = amount(value, UNITS, "size takes a number, such as 165 or 10k+");
      return (line) => takes(line.responseBytes);
    }
    case "is": {
      const is = lower(value);
      if (is === "unmatched") return isUnmatched;
      if (is === "violating") return (line) => line.violations > 0;
      return is === "replay" ? (line) => line.replayOf !== "" : (line) => line.outcome === "held";
    }
    default: {
      const takes = name(value);
      return (line) => takes(/** @type {any} */ (line)[key] ?? "");
    }
  }
}

/** Reads a filter. What is refused is left out, and `problem` has the first reason. @param {string} text @returns {LineFilter} */
export function parseFilter(text) {
  /** @type {((line: Line) => boolean)[]} */
  const tests = [];
  const words = [];
  let problem = "";
  // Quotes keep the blanks of a word.
  for (const word of text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []) {
    const [, minus, written, rest] = /^(-?)([A-Za-z]+):(?!\/\/)(.*)$/s.exec(word) ?? [];
    if (written === undefined) {
      words.push(word.replaceAll('"', ""));
      continue;
    }
    try {
      const key = lower(written);
      const keys = Object.keys(KEYS);
      if (!keys.includes(key)) throw new Refusal(`there is no key ${written}${key.length > 64 ? "." : `; did you mean ${nearest(key, keys)}?`} The keys are ${keys.join(", ")}`);
      const each = rest.replaceAll('"', "").split(LISTS.has(key) ? /[|,]/ : "|").map((value) => test(key, value));
      tests.push((line) => each.some((one) => one(line)) !== (minus === "-"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem ||= `"${word}": ${error.message}`;
    }
  }
  const characters = [...words.filter(Boolean).join(" ")];
  const phrase = characters.slice(0, LONGEST).join("");
  if (characters.length > LONGEST) problem ||= `"${characters.slice(0, 40).join("")}": a phrase has at most ${LONGEST} characters`;
  return { test: (line) => tests.every((one) => one(line)), phrase, problem, isEmpty: !tests.length && !phrase };
}

/** The nearest of some names, the first of several: for a hint. Changes are letters put in, taken out, replaced and swapped with the next. @param {string} word @param {string[]} names */
function nearest(word, names) {
  const distance = (a, b) => {
    let [older, line] = [/** @type {number[]} */ ([]), [...Array(b.length + 1).keys()]];
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= b.length; j += 1) {
        next[j] = Math.min(line[j] + 1, next[j - 1] + 1, line[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], older[j - 2] + 1);
      }
      [older, line] = [line, next];
    }
    return line[b.length];
  };
  return [...names].sort((a, b) => distance(word, a) - distance(word, b))[0];
}
