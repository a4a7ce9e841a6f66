// @ts-check
// What is set in the chosen world, what can be undone, and small parts that pages share.
import { copyButton } from "./files.js";
import { Problem, announce, announcements, app, attempt, call, dismiss, emit, get, on } from "./core.js";
import { button, make } from "./text.js";

/** @type {{ clock: { mode: string, now: string, rate: number } | null, faults: any[], faultsEnabled: boolean, gates: any[], scenarios: any[], latency: any, modes: any[] }} */
export const world = { clock: null, faults: [], faultsEnabled: true, gates: [], scenarios: [], latency: null, modes: [] };

let readAt = 0;

/** @type {Record<string, () => Promise<void>>} */
const readers = {
  clock: async () => {
    world.clock = await get("/clock");
    readAt = performance.now();
  },
  faults: async () => {
    const list = await get("/faults");
    world.faults = list.items;
    world.faultsEnabled = list.enabled ?? true;
  },
  gates: async () => { world.gates = (await get("/gates")).items; },
  scenarios: async () => { world.scenarios = (await get("/scenarios")).items; },
  latency: async () => { world.latency = await get("/latency"); },
  modes: async () => {
    const answer = await get("/mode");
    world.modes = answer.items ?? Object.entries(answer.modes ?? answer).map(([api, mode]) => ({ api, ...(typeof mode === "object" ? mode : { mode }) }));
  },
};

/** @type {Map<string, { isRunning: boolean, again: boolean }>} */
const state = new Map();

/**
 * Reads a part again, once at a time, and says so.
 * @param {string} part
 */
export async function refresh(part) {
  const own = state.get(part) ?? { isRunning: false, again: false };
  state.set(part, own);
  if (own.isRunning) { own.again = true; return; }
  own.isRunning = true;
  const name = app.world;
  try {
    do {
      own.again = false;
      await readers[part]();
      if (name === app.world) emit("part", part);
    } while (own.again);
  } catch (error) {
    if (error instanceof Problem && error.status === 404 && /world/i.test(`${error.title} ${error.message}`)) emit("world-gone", name);
  } finally {
    own.isRunning = false;
  }
}

export const refreshAll = () => Promise.all(Object.keys(readers).map(refresh));

/** The world's time in milliseconds. */
export function now() {
  const { clock } = world;
  if (!clock) return Date.now();
  const start = Date.parse(clock.now);
  return clock.mode === "frozen" ? start : start + (performance.now() - readAt) * (clock.rate ?? 1);
}

export const isRunning = () => world.clock !== null && world.clock.mode !== "frozen";

/** @returns {{ id: string, gate: string }[]} what gates hold, by gate */
export const held = () => world.gates.flatMap((gate) => (gate.held ?? []).map((/** @type {string} */ id) => ({ id, gate: gate.name })));

export const faultsOn = () => (world.faultsEnabled ? world.faults.filter((fault) => fault.enabled !== false) : []);
export const activeScenarios = () => world.scenarios.filter((scenario) => scenario.active);
export const latencyName = () => {
  const { latency } = world;
  if (!latency || latency.profile === "none" || Object.keys(latency).length === 0) return "";
  return latency.profile ?? "custom";
};
export const otherModes = () => world.modes.filter((one) => one.mode && one.mode !== "emulate");

/** Follows the events. */
export function startWorld() {
  let hits = 0;
  const soon = (/** @type {string} */ part) => () => void refresh(part);
  on("event:clock", soon("clock"));
  on("event:fault", () => {
    clearTimeout(hits);
    hits = setTimeout(soon("faults"), 300);
  });
  on("event:gate", (data) => {
    const gate = world.gates.find((one) => one.name === data.gate);
    if (data.action === "held") {
      announce(`A request is held at ${data.gate}`);
      if (gate && data.request && !gate.held.includes(data.request)) gate.held.push(data.request);
      emit("part", "gates");
    } else if (data.action === "released" && gate && data.request) {
      gate.held = gate.held.filter((/** @type {string} */ id) => id !== data.request);
      emit("part", "gates");
    }
    void refresh("gates");
  });
  on("event:scenario", () => void Promise.all(["scenarios", "faults", "latency", "clock"].map(refresh)));
  on("event:change", (data) => {
    if (data.part === "faults") void refresh("faults");
    else if (data.part === "latency") void refresh("latency");
    else if (data.part === "mode") void refresh("modes");
    else if (data.part === "settings") emit("settings");
  });
  on("event:note", (note) => {
    if (["reset", "restore", "import"].includes(note.kind)) reread();
    if (note.kind === "faults") void refresh("faults");
  });
  on("event:reset", reread);
  on("event:reload", reread);
  on("event:change", (data) => { if (data.part === "requests") emit("reread"); });
  on("event:gap", reread);
  on("poll", () => void refreshAll());
  on("open", () => void refreshAll());
  on("world", () => {
    Object.assign(world, { clock: null, faults: [], faultsEnabled: true, gates: [], scenarios: [], latency: null, modes: [] });
  });
}

let rereading = 0;
/** Reads everything anew, once for several news of one change. */
export function reread() {
  clearTimeout(rereading);
  rereading = setTimeout(() => {
    emit("reread");
    void refreshAll();
  }, 60);
}

/** Advances the clock. @param {number} seconds */
export async function advance(seconds) {
  const answer = await call("POST", "/clock/advance", { body: { seconds } });
  await refresh("clock");
  return answer;
}

/** Advances to an instant, in milliseconds. @param {number} to */
export async function advanceTo(to) {
  const answer = await call("POST", "/clock/advance", { body: { to: new Date(to).toISOString() } });
  await refresh("clock");
  return answer;
}

/**
 * @param {string} shown
 * @param {string} name the accessible name
 * @param {(event: Event) => any} action
 * @param {Record<string, any>} [options]
 */
export const short = (shown, name, action, options = {}) => button(shown, action, { "aria-label": name, title: name, "data-call": true, ...options });
export const empty = (words, command) => make("div", { class: "empty" }, make("p", null, make("strong", null, words)),
  command && [make("pre", { tabindex: "0", class: "code" }, command), copyButton("Copy command", () => command)]);
export const nothingMatches = (clear) => make("div", { class: "empty" }, make("p", null, make("strong", null, "Nothing matches")), button("Clear search", clear));
const nameOf = (node) => `${node.tagName} ${node.getAttribute("aria-label") ?? node.textContent ?? ""}`;

/**
 * Draws a part; a control of the same name has the focus again afterwards.
 * @param {Element} place
 * @param {() => void} drawing
 */
export function keepFocus(place, drawing) {
  const before = document.activeElement;
  const had = before && place.contains(before) ? nameOf(before) : null;
  const scroll = place.querySelector(".scroll");
  const left = scroll?.scrollLeft ?? 0;
  drawing();
  if (left) place.querySelector(".scroll")?.scrollTo({ left });
  if (had === null || before?.isConnected) return;
  const same = [...place.querySelectorAll("button, a, input, select, [tabindex]")].find((node) => nameOf(node) === had);
  /** @type {HTMLElement | undefined} */ (same ?? place.querySelector("button, a, input"))?.focus({ preventScroll: true });
}

const NAME = "console-undo";
const PATIENCE = 30000;

let timer = 0;
/** @type {HTMLElement?} */
let offer = null;

function withdraw() {
  clearTimeout(timer);
  offer?.remove();
  offer = null;
}

/**
 * Takes a snapshot, acts, and offers for half a minute to undo.
 * @param {"reset" | "restore" | "import" | "clear"} kind
 * @param {() => Promise<any>} action
 * @param {string} [world] the present one if absent
 */
export async function withUndo(kind, action, world) {
  withdraw();
  dismiss();
  await call("DELETE", `/snapshots/${NAME}`, { world }).catch(() => {});
  await call("POST", "/snapshots", { body: { name: NAME }, world });
  const result = await action();
  const undo = button(`Undo ${kind}`, () => attempt(async () => {
    await call("POST", `/snapshots/${NAME}/restore`, { world });
    withdraw();
    reread();
  }), { class: "main", "data-call": true });
  offer = make("div", { class: "undo", role: "group", "aria-label": "Undo" },
    make("span", { role: "status" }, { reset: "The world was reset.", restore: "The snapshot was restored.", import: "The world was imported.", clear: "The journal was cleared." }[kind],
      " Answers that were under way stay cut."), undo, button("Keep it", withdraw, { class: "quiet" }));
  announcements.alerts.append(offer);
  timer = setTimeout(withdraw, PATIENCE);
  reread();
  return result;
}
