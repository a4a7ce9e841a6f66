// @ts-check
// The fields and the words of an effect. They follow from its declaration, so that a new effect needs nothing here.
import { jsonField, jsonText } from "../kit/dialog.js";
import { cut, field, select } from "../kit/parts.js";
import { make, number } from "../kit/text.js";
import { EFFECTS } from "./effects.js";

const sorted = (value) => JSON.stringify(value, (_, one) => (one?.constructor === Object ? Object.fromEntries(Object.entries(one).sort()) : one));

/** Lines `Name: value`. */
export const headerLines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
});
export const linesOf = (headers) => (headers ?? []).map(([name, value]) => `${name}: ${value}`).join("\n");

const at = (order, key) => key.split(".").reduce((value, name) => value?.[name], order);

/** Tells whether an order has a form. @param {EffectValue[]} form */
const isOf = (form, order) => form.every(([key, kind, ...example]) => {
  const value = at(order, key);
  return value === undefined ? !example.length : !Array.isArray(kind) || kind.includes(value);
});

/** Makes an order of the values of a form. @param {EffectValue[]} form @param {(key: string, kind: any) => any} valueOf */
function written(form, valueOf) {
  const order = {};
  for (const [key, kind] of form) {
    const value = valueOf(key, kind);
    if (value === undefined) continue;
    const path = key.split(".");
    const last = path.pop() ?? "";
    path.reduce((place, name) => (place[name] ??= {}), order)[last] = value;
  }
  return order;
}

export const effectNames = () => Object.keys(EFFECTS);
export const effectName = (effect) => effectNames().find((name) => name in (effect ?? {})) ?? effectNames()[0];

/** Tells whether the fields can show an effect. */
export function fitsFields(effect) {
  const form = EFFECTS[effectName(effect)].find((one) => isOf(one, effect));
  return form !== undefined && sorted(effect) === sorted(written(form, (key, kind) => {
    const value = at(effect, key);
    if (kind === "lines" && value) return headerLines(linesOf(value));
    // A field has its own line ends.
    return kind === "text" && value ? value.replace(/\r\n?/g, "\n") : value;
  }));
}

const isTime = (name) => /(^m|M)s$/.test(name);
/** `afterBytes` as "after bytes"; milliseconds have their unit elsewhere. */
const spelled = (name) => (isTime(name) ? name.slice(0, -2) : name).replace(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
function labelOf(key, kind) {
  const name = key.split(".").pop();
  const words = [spelled(name), isTime(name) && "milliseconds", kind === "json" && "(JSON)"].filter(Boolean).join(" ");
  return words[0].toUpperCase() + words.slice(1);
}

/** A field for a value, and what is written in it. @param {EffectValue} one @param {any} value @param {() => void} changed */
function valueField([key, kind, ...example], value, changed) {
  const attributes = { "data-path": `$.effect.${key}`, on: { input: changed, change: changed } };
  const isRequired = example.length > 0;
  let input;
  let note;
  let read;
  if (Array.isArray(kind)) {
    input = select([...(isRequired ? [] : [["", "none"]]), ...kind.map(String)], String(value ?? (isRequired ? kind[0] : "")), attributes);
    read = () => kind.find((one) => String(one) === input.value);
  } else if (kind === "json") {
    const { area, note: problem, read: parsed } = jsonField({ rows: 3, ...attributes });
    [input, note] = [area, problem];
    input.value = value === undefined ? "" : jsonText(value);
    read = () => parsed().value ?? (isRequired || input.value.trim() === "null" ? null : undefined);
  } else if (kind === "number") {
    input = make("input", { type: "number", step: "any", ...attributes });
    input.value = String(value ?? "");
    read = () => (input.value === "" ? undefined : Number(input.value));
  } else {
    const isList = kind === "lines";
    input = make("textarea", { rows: isList ? 3 : 1, class: "code", spellcheck: "false", ...attributes });
    input.value = isList ? linesOf(value) : value ?? "";
    read = () => (isList ? (input.value.trim() ? headerLines(input.value) : undefined) : input.value || (isRequired ? "" : undefined));
  }
  return { input, read, node: make("div", { class: /json|lines/.test(kind) ? "wide" : "" }, field(labelOf(key, kind), input, note)) };
}

/** The fields of the effect of that name. @param {string} name @param {any} effect what they show, if it is of that name @param {() => void} changed */
export function effectFields(name, effect, changed) {
  const forms = EFFECTS[name];
  const shown = effect && name in effect ? forms.find((form) => isOf(form, effect)) : undefined;
  // Forms that begin alike differ by a word; others are chosen by the member that they begin with.
  const kinds = [...new Map(forms.map(([[key]]) => [key, key.split(".")[1]]))];
  const kind = kinds.length > 1 ? select(kinds, (shown ?? forms[0])[0][0], { on: { change: () => update() } }) : undefined;
  const made = new Map();
  // What is required stands first.
  const values = forms.flat().sort((a, b) => b.length - a.length);
  for (const [key, type, ...example] of values) {
    if (made.has(key)) continue;
    const all = Array.isArray(type) ? [...new Set(values.flatMap((one) => (one[0] === key ? one[1] : [])))] : type;
    const isShown = shown?.some((one) => one[0] === key);
    made.set(key, valueField([key, all, ...example], isShown ? at(effect, key) : example[0], () => update()));
  }
  const current = () => forms.find(([[key, type]]) => (!kind || kind.value === key) && (!Array.isArray(type) || type.includes(made.get(key).read()))) ?? forms[0];
  const showWanted = () => {
    const keys = current().map(([key]) => key);
    for (const [key, { node }] of made) node.hidden = !keys.includes(key);
  };
  const update = () => {
    showWanted();
    changed();
  };
  showWanted();
  return {
    nodes: [kind && field("Kind", kind), ...[...made.values()].map(({ node }) => node)],
    read: () => written(current(), (key) => made.get(key).read()),
  };
}

/** An effect in words: "status 503, retry after 30", "delay 800 ms". */
export const effectWords = (effect) => membersInWords(effect ?? {}, 0);
function membersInWords(members, depth) {
  return Object.entries(members).map(([name, value]) => [spelled(name), inWords(value, depth), isTime(name) && "ms"].filter(Boolean).join(" ")).join(", ");
}
function inWords(value, depth) {
  if (typeof value === "number") return number(value);
  if (value === true) return "";
  if (value?.constructor === Object && depth === 0) return membersInWords(value, 1);
  return cut(typeof value === "string" ? value : JSON.stringify(value), 80);
}
