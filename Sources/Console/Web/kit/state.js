// @ts-check
// What is set in the chosen world, and what is done to it.
import { Problem, announce, app, attempt, call, emit, get, on, segment } from "./core.js";

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
/** Parts that were read while nobody saw them. @type {Set<string>} */
const unseen = new Set();
document.addEventListener("visibilitychange", () => {
  for (const part of unseen) emit("part", part);
  unseen.clear();
});

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
      if (name !== app.world) own.again = true;
      else if (document.hidden) unseen.add(part);
      else emit("part", part);
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
    // What was pressed shows another state than holds: it is drawn anew though the data are the same.
    emit("refused");
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
