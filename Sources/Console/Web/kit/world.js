// @ts-check
// What is set in the chosen world, what can be undone, and small parts that pages share.
import { Problem, announce, app, attempt, call, copyButton, emit, get, on, segment } from "./core.js";
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
  let name = "";
  try {
    do {
      own.again = false;
      name = app.world;
      await readers[part]();
      if (name === app.world) emit("part", part);
      else own.again = true;
    } while (own.again);
  } catch (error) {
    if (error instanceof Problem && error.status === 404 && /world/i.test(`${error.title} ${error.message}`)) emit("world-gone", name);
  } finally {
    own.isRunning = false;
  }
}

export const refreshAll = () => Promise.all(Object.keys(readers).map(refresh));

/**
 * Makes a change, and reads the parts again that it may have changed, also where it failed.
 * @param {string[]} parts
 * @param {() => Promise<any>} action
 */
export const perform = (parts, action) => attempt(async () => {
  try {
    return await action();
  } catch (error) {
    drawn = new WeakMap();
    throw error;
  } finally {
    await Promise.all(parts.map(refresh));
  }
});

/** What a scenario may change. */
const SCENARIO = ["scenarios", "faults", "latency", "clock"];

/** Switches a scenario. @param {string} name @param {boolean} isOn */
export const turn = (name, isOn) => perform(SCENARIO, () => call(isOn ? "PUT" : "DELETE", `/scenarios/${name.split("/").map(segment).join("/")}`));

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
    if (data.action === "held") announce(`A request is held at ${data.gate}`);
    void refresh("gates");
  });
  on("event:scenario", () => void Promise.all(SCENARIO.map(refresh)));
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
/** A summary without its numbers, which change. */
const wordsOf = (details) => (details.querySelector("summary")?.textContent ?? "").replace(/\d+/g, "");
const controls = (place) => /** @type {any[]} */ ([...place.querySelectorAll("button, a, input, select, textarea, summary, [tabindex]")]);
/** What was drawn last, so that the same is not drawn again. @type {WeakMap<Element, string>} */
let drawn = new WeakMap();

/** What a pointer or the space bar holds down, or drags: its part is drawn anew when it is let go, else nothing would be pressed. @type {Node?} */
let pressed = null;
let isDragged = false;
/** @type {Map<any, [drawing: () => void, data: any]>} */
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
        const parts = [...waiting];
        waiting.clear();
        for (const [place, [drawing, data]] of parts) keepFocus(place, drawing, data);
      });
    }
  }, true);
}

/**
 * Draws a part anew. The same control has the focus again afterwards, with what was typed; what was unfolded stays so.
 * @param {any} place
 * @param {() => void} drawing
 * @param {any} [data] if given, it is drawn only where it is other data than the last
 */
export function keepFocus(place, drawing, data) {
  if (pressed && place.contains(pressed)) {
    waiting.set(place, [drawing, data]);
    return;
  }
  if (data !== undefined) {
    const text = JSON.stringify(data);
    if (drawn.get(place) === text) return;
    drawn.set(place, text);
  }
  const before = /** @type {any} */ (document.activeElement);
  const had = before !== place && place.contains(before);
  const ordinal = had ? controls(place).filter((node) => nameOf(node) === nameOf(before)).indexOf(before) : -1;
  const open = [...place.querySelectorAll("details[open]")].map(wordsOf);
  const left = place.querySelector(".scroll")?.scrollLeft ?? 0;
  drawing();
  for (const details of place.querySelectorAll("details")) if (open.includes(wordsOf(details))) details.open = true;
  if (left) place.querySelector(".scroll")?.scrollTo({ left });
  if (!had || before === document.activeElement) return;
  if (before.isConnected) {
    before.focus({ preventScroll: true });
    return;
  }
  const all = controls(place);
  const alike = all.filter((node) => nameOf(node) === nameOf(before));
  const same = (before.title && alike.find((node) => node.title === before.title)) || alike[Math.min(ordinal, alike.length - 1)];
  if (!same && !all.length) place.tabIndex = -1;
  (same ?? all[0] ?? place).focus({ preventScroll: true });
  if (!same || same.value === before.value || !/^(search|text|number|textarea)$/.test(same.type)) return;
  same.value = before.value;
  same.dispatchEvent(new Event("input"));
}

