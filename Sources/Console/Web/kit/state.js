// @ts-check
// What is set in the chosen world, and what is done to it.
import { Problem, announce, app, attempt, call, emit, get, items, on, segment, soon } from "./core.js";
import { iso } from "./text.js";

/** @returns {WorldState} */
const nothing = () => ({ clock: null, faults: [], faultsEnabled: true, gates: [], scenarios: [], latency: null, modes: [] });
export const world = nothing();

let readAt = 0;

/** @type {Record<string, () => Promise<void>>} */
const readers = {
  clock: async () => {
    world.clock = await get("/clock");
    readAt = performance.now();
  },
  faults: async () => { ({ items: world.faults, enabled: world.faultsEnabled } = await get("/faults")); },
  gates: async () => { world.gates = await items("/gates"); },
  scenarios: async () => { world.scenarios = await items("/scenarios"); },
  latency: async () => { world.latency = await get("/latency"); },
  modes: async () => { world.modes = await items("/mode"); },
};

/** What is being read, and whether it is to be read again. */
const reading = new Map();
/** Parts that were read while nobody saw them. */
const unseen = new Set();
document.addEventListener("visibilitychange", () => {
  for (const part of unseen) show(part);
  unseen.clear();
});
function show(part) {
  emit("part", part);
  emit(`part:${part}`);
}

/** Reads a part again, once at a time, and says so. @param {string} part */
export async function refresh(part) {
  if (reading.has(part)) { reading.set(part, true); return; }
  let name = "";
  try {
    do {
      reading.set(part, false);
      name = app.world;
      await readers[part]();
      if (name !== app.world) reading.set(part, true);
      else if (document.hidden) unseen.add(part);
      else show(part);
    } while (reading.get(part));
  } catch (error) {
    if (error instanceof Problem && error.status === 404 && /world/i.test(`${error.title} ${error.message}`)) emit("world-gone", name);
  } finally {
    reading.delete(part);
  }
}

const refreshAll = () => Promise.all(Object.keys(readers).map(refresh));

/** Makes a change, and reads the parts again that it may have changed, also where it failed. @param {string[]} parts @param {() => Promise<any>} action */
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

const SCENARIO = ["scenarios", "faults", "latency", "clock"];

/** Switches a scenario. @param {string} name @param {boolean} isOn */
export const turn = (name, isOn) => perform(SCENARIO, () => call(isOn ? "PUT" : "DELETE", `/scenarios/${name.split("/").map(segment).join("/")}`));

export function now() {
  const { clock } = world;
  if (!clock) return Date.now();
  const start = Date.parse(clock.now);
  return clock.mode === "frozen" ? start : start + (performance.now() - readAt) * clock.rate;
}

export const isRunning = () => world.clock !== null && world.clock.mode !== "frozen";

/** @returns {{ id: string, gate: string }[]} what gates hold, by gate */
export const held = () => world.gates.flatMap((gate) => gate.held.map((id) => ({ id, gate: gate.name })));

export const faultsOn = () => (world.faultsEnabled ? world.faults.filter((fault) => fault.enabled) : []);
export const latencyName = () => {
  const { latency } = world;
  return !latency || latency.profile === "none" ? "" : latency.profile ?? "custom";
};

export function startWorld() {
  on("event:clock", () => refresh("clock"));
  on("event:fault", soon(() => refresh("faults"), 300));
  on("event:gate", (data) => {
    if (data.action === "held") announce(`A request is held at ${data.gate}`);
    void refresh("gates");
  });
  // The client of a held request has gone: no gate has let it go.
  on("event:outcome", ({ id }) => void ((reading.has("gates") || held().some((one) => one.id === id)) && refresh("gates")));
  on("event:scenario", () => Promise.all(SCENARIO.map(refresh)));
  on("event:change", ({ part }) => {
    if (part === "faults" || part === "latency") void refresh(part);
    else if (part === "mode") void refresh("modes");
    else if (part === "settings") emit("settings");
    else if (part === "requests") emit("reread");
  });
  on("event:note", (note) => {
    if (["reset", "restore", "import"].includes(note.kind)) reread();
    if (note.kind === "faults") void refresh("faults");
  });
  on("event:reset event:reload event:gap", reread);
  on("poll open", refreshAll);
  on("world", () => Object.assign(world, nothing()));
}

/** Reads everything anew, once for several news of one change. */
export const reread = soon(() => {
  emit("reread");
  void refreshAll();
}, 60);

/** Advances the clock. @param {{ seconds: number } | { by: string } | { to: string }} body */
export async function advance(body) {
  const answer = await call("POST", "/clock/advance", { body });
  await refresh("clock");
  return answer;
}

/** Advances to an instant, in milliseconds. @param {number} to */
export const advanceTo = (to) => advance({ to: iso(to) });
