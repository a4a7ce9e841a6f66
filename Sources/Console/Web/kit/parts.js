// @ts-check
// What pages share: fields, tables and regions, how they are drawn anew, files, and what can be undone.
import { announcements, app, attempt, call, copyButton, dismiss, exchangeAddress, leave, on } from "./core.js";
import { isRunning, now, reread, world } from "./state.js";
import { button, foreign, freshID, iso, link, make, number, span } from "./text.js";
import { bothClocks } from "../pages/traffic-row.js";

/** The beginning of a text, which says how long it is if it is longer. @param {string} text @param {number} most */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}… (${number(text.length)} characters)` : text);

/** @param {string} label @param {HTMLElement} input @param {...any} more */
export function field(label, input, ...more) {
  if (!input.id) input.id = freshID("field");
  return make("div", { class: "field" }, make("label", { for: input.id }, label), input, more);
}

/** A field of one line of text. @param {string} path by which a problem names it @param {string} [value] @param {Record<string, any>} [attributes] */
export const textInput = (path, value = "", attributes) => Object.assign(make("input", { type: "text", autocomplete: "off", "data-path": path, ...attributes }), { value });

/** @param {string} name @param {string} [placeholder] */
export const searchBox = (name, placeholder = name) => make("input", { type: "search", "aria-label": name, class: "filter", placeholder });

/** @param {any[]} options values, or pairs of value and text @param {string} [chosen] @param {Record<string, any>} [attributes] */
export function select(options, chosen, attributes) {
  const node = make("select", attributes, options.map((option) => {
    const [value, text] = [option, option].flat();
    return make("option", { value }, text);
  }));
  if (chosen !== undefined) node.value = chosen;
  return node;
}

/** @param {Record<string, any>} [attributes] */
export const plainList = (items, attributes) => make("ul", { class: "plain-list", ...attributes }, items.map((item) => make("li", null, item)));

/** Names and values; those without a value are left out. @param {[name: string, value: any][]} pairs */
export const facts = (pairs) => make("dl", { class: "facts" }, pairs.filter(([, value]) => (value ?? "") !== "" && value !== false).map(([name, value]) => [make("dt", null, name), make("dd", null, value)]));
export const quiet = (...children) => make("p", { class: "quiet" }, children);

/** @param {string} text */
export const source = (text) => make("pre", { class: "code", tabindex: "0" }, foreign(text));

/** @param {string} id of an exchange @param {...any} more what the link says after it */
export const exchangeLink = (id, ...more) => link(exchangeAddress(id), foreign(id), more);

/** Acts once a second until the signal is aborted. @param {() => any} action @param {AbortSignal} signal */
export function eachSecond(action, signal) {
  const timer = setInterval(action, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** A region with a heading of its own. @param {string} name @param {...any} children */
export function region(name, ...children) {
  const heading = make("h2", { id: freshID("h") }, name);
  return make("section", { "aria-labelledby": heading.id, class: "panel" }, heading, children);
}

/** "expires in 14 min 59 s", "expired 1 s ago". @param {number} at @param {number} now */
export const expiry = (at, now) => (at > now ? `expires in ${span(at - now)}` : `expired ${span(now - at)} ago`);

/** @param {string} name a name of ours @param {string | Blob} content @param {string} [type] */
export function save(name, content, type = "application/json") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = make("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** @param {string} accept @returns {Promise<File?>} */
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

/** The instants of both clocks. Where the machine's is not known, it is reckoned by a clock that runs. @param {string} at the world's @param {string | number} [machine] */
export function clocks(at, machine) {
  const own = machine ?? (isRunning() ? Date.now() + (Date.parse(at) - now()) / world.clock.rate : NaN);
  return bothClocks(Date.parse(at), own);
}
/** An instant of the world, with both clocks as its description. @param {string} at @param {string | number} [machine] */
export const moment = (at, machine) => make("time", { datetime: at, title: clocks(at, machine) }, iso(at).slice(0, 23).replace("T", " "));

/** @param {string} shown @param {string} name the accessible name @param {(event: Event) => any} action @param {Record<string, any>} [options] */
export const short = (shown, name, action, options = {}) => button(shown, action, { "aria-label": name, title: name, "data-call": true, ...options });
/** What stands where there is nothing: how it is filled, by a button or by the command behind it. @param {string} words @param {string} hint @param {string} [command] @param {...any} actions */
export const empty = (words, hint, command, ...actions) => make("div", { class: "empty" }, make("p", null, make("strong", null, words), hint && [" ", make("small", null, hint)]),
  (command || actions.length > 0) && make("div", { class: "ways" }, actions, command && [make("pre", { tabindex: "0", class: "code" }, command), copyButton("Copy command", () => command)]));

/** Puts the regions that have something above those that have nothing, and moves none that has the focus. @param {HTMLElement} main @param {[region: Element, isEmpty: boolean][]} regions in their order */
export function arrange(main, regions) {
  const order = [false, true].flatMap((way) => regions.filter(([, isEmpty]) => isEmpty === way).map(([region]) => region));
  const places = [...main.children].filter((one) => order.includes(one));
  if (order.every((one, index) => one === places[index])) return;
  keepFocus(main, () => {
    const fixed = order.findIndex((one) => one.contains(document.activeElement));
    order.forEach((one, index) => {
      if (index < fixed) order[fixed].before(one);
      else if (index > fixed) main.append(one);
    });
  });
}
export const nothingMatches = (clear) => make("div", { class: "empty" }, make("p", null, make("strong", null, "Nothing matches")), button("Clear search", clear));
const nameOf = (node) => `${node.tagName} ${node.getAttribute("aria-label") ?? node.textContent ?? ""}`;
/** A summary without its numbers, which change. */
const wordsOf = (details) => (details.querySelector("summary")?.textContent ?? "").replace(/\d+/g, "");
const controls = (place) => /** @type {any[]} */ ([...place.querySelectorAll("button, a, input, select, textarea, summary, [tabindex]")]);
/** What was drawn last, so that the same is not drawn again. @type {WeakMap<Element, string>} */
let drawn = new WeakMap();
on("refused", () => { drawn = new WeakMap(); });

/** What a pointer or the space bar holds down, or drags: its part is drawn anew when it is let go, else nothing would be pressed. */
let pressed = null;
let isDragged = false;
const waiting = new Map();
for (const kind of ["pointerdown", "keydown", "dragstart", "pointerup", "pointercancel", "keyup", "dragend"]) {
  addEventListener(kind, (/** @type {any} */ event) => {
    if (kind === "dragstart") isDragged = true;
    else if (kind === "pointerdown" || (kind === "keydown" && event.key === " ")) pressed = event.target;
    else if (kind === "dragend" || (!isDragged && kind !== "keydown")) {
      isDragged = false;
      // After the click, which comes next.
      const was = pressed;
      setTimeout(() => {
        if (pressed === was) pressed = null;
        drawWaiting();
      });
    }
  }, true);
}
function drawWaiting() {
  const parts = [...waiting];
  waiting.clear();
  for (const [place, [drawing, data]] of parts) keepFocus(place, drawing, data);
}
document.addEventListener("visibilitychange", drawWaiting);

/** Returns what finds, after a drawing, the control that stands where this one stood: by its row, title and name. @param {any} place @param {any} before @returns {() => any} */
function successor(place, before) {
  const name = nameOf(before);
  const named = () => controls(place).filter((node) => nameOf(node) === name);
  const titled = () => named().filter((node) => node.title === before.title);
  const rowOf = (node) => node.closest("[data-id]")?.dataset.id;
  const row = rowOf(before);
  const inRow = (all) => () => (row === undefined ? [] : all().filter((node) => rowOf(node) === row));
  const ways = [inRow(titled), titled, named, inRow(() => controls(place))].map((alike) => ({ alike, ordinal: alike().indexOf(before) }));
  return () => (before.isConnected ? before : ways.map(({ alike, ordinal }) => alike().slice(0, ordinal + 1).pop()).find(Boolean));
}

/**
 * Draws a part anew. The same control has the focus again afterwards, with what was typed; what was unfolded stays so.
 * @param {any} place
 * @param {() => void} drawing
 * @param {any} [data] if given, it is drawn only where it is other data than the last
 */
export function keepFocus(place, drawing, data) {
  // In a hidden tab nothing is drawn until it is seen, but what a page begins with.
  if ((document.hidden && place.childElementCount) || (pressed && place.contains(pressed))) {
    waiting.set(place, [drawing, data]);
    return;
  }
  if (data !== undefined) {
    const text = JSON.stringify(data);
    if (drawn.get(place) === text) return;
    drawn.set(place, text);
  } else drawn.delete(place);
  const before = /** @type {any} */ (document.activeElement);
  const had = before !== place && place.contains(before);
  const focused = had ? successor(place, before) : undefined;
  const openers = [...place.querySelectorAll("[data-opens]")].map((node) => ({ id: node.dataset.opens, find: successor(place, node) }));
  const folds = [...place.querySelectorAll("details")].map((node) => ({ words: wordsOf(node), open: node.open }));
  const scrolled = () => [...place.querySelectorAll(".scroll, pre")];
  const places = scrolled().map((node) => ({ node, left: node.scrollLeft, top: node.scrollTop }));
  drawing();
  for (const details of place.querySelectorAll("details")) {
    const known = folds.findIndex(({ words }) => words === wordsOf(details));
    if (known >= 0) [{ open: details.open }] = folds.splice(known, 1);
  }
  scrolled().forEach((node, index) => {
    const { left = 0, top = 0 } = places.find((one) => one.node === node) ?? places[index] ?? {};
    if (left || top) node.scrollTo(left, top);
  });
  // A dialog that is open gives the focus back to what stands where its opener stood.
  for (const { id, find } of openers) find()?.setAttribute("data-opens", id);
  if (!focused || before === document.activeElement) return;
  const same = focused();
  const all = controls(place);
  if (!same && !all.length) place.tabIndex = -1;
  (same ?? all[0] ?? place).focus({ preventScroll: true });
  if (!same || same.value === before.value || !/^(search|text|number|textarea)$/.test(same.type)) return;
  same.value = before.value;
  if (same.type !== "number") same.setSelectionRange(before.selectionStart, before.selectionEnd);
  same.dispatchEvent(new Event("input"));
}

const UNDO = "console-undo";
const PATIENCE = 30000;

let ending = 0;
let offer = null;

function withdraw() {
  clearTimeout(ending);
  if (offer) leave(offer, () => offer.remove());
  offer = null;
}

/**
 * Takes a snapshot, acts, and offers for half a minute to undo.
 * @param {"reset" | "restore" | "import" | "clear"} kind
 * @param {() => Promise<any>} action
 * @param {string} [world] the present one if absent
 */
export async function withUndo(kind, action, world = app.world) {
  withdraw();
  dismiss();
  await call("DELETE", `/snapshots/${UNDO}`, { world }).catch(() => {});
  await call("POST", "/snapshots", { body: { name: UNDO }, world });
  const result = await action();
  const undo = button(`Undo ${kind}`, () => attempt(async () => {
    await call("POST", `/snapshots/${UNDO}/restore`, { world });
    withdraw();
    reread();
  }), { class: "main", "data-call": true });
  offer = make("div", { class: "undo", role: "group", "aria-label": "Undo" },
    make("span", { role: "status" }, { reset: "The world was reset.", restore: "The snapshot was restored.", import: "The world was imported.", clear: "The journal was cleared." }[kind],
      " Responses that were cut stay cut."), undo, button("Keep it", withdraw, { class: "quiet" }));
  announcements.alerts.append(offer);
  ending = setTimeout(withdraw, PATIENCE);
  reread();
  return result;
}
