// @ts-check
// The page "System": the server, its APIs and modes, the journal's bound, and every event.
import { app, emit, get, on } from "../kit/core.js";
import { append, code, fill, foreign, make, number, region, size, span, table, timeOfDay, visible } from "../kit/text.js";
import { Grid } from "../kit/grid.js";
import * as state from "../kit/world.js";

/** What has come since the page was opened, of all kinds. @type {{ kind: string, data: any, id: number }[]} */
const events = [];
const MOST = 5000;
let counter = 0;
let isListening = false;

function listen() {
  if (isListening) return;
  isListening = true;
  on("event", ({ kind, data }) => {
    counter += 1;
    events.push({ kind, data, id: counter });
    if (events.length > MOST * 1.2) events.splice(0, events.length - MOST);
    emit("system-event");
  });
  on("world", () => { events.length = 0; });
}

/** @param {AbortSignal} signal */
function serverRegion(signal) {
  const place = make("dl", { class: "facts" });
  let readAt = 0;
  let uptime = 0;
  let version = "";
  const show = () => fill(place, [["Version", foreign(version)], ["Uptime", span(uptime * 1000 + performance.now() - readAt)], ["Address", code(location.origin)],
    ["Documents", [make("a", { href: "/__admin/openapi.json" }, "OpenAPI document"), " · ", make("a", { href: "/__admin/metrics" }, "Metrics"), " · ", make("a", { href: "/docs/control" }, "Documentation of the control API")]]].map(([name, value]) => [make("dt", null, name), make("dd", null, value)]));
  const read = async () => {
    try {
      const health = await get("/health", { world: "" });
      version = health.version;
      uptime = health.uptimeSeconds;
      readAt = performance.now();
      if (!signal.aborted) show();
    } catch { /* The connection says so. */ }
  };
  const timer = setInterval(() => {
    const words = span(uptime * 1000 + performance.now() - readAt);
    const node = place.querySelectorAll("dd")[1];
    if (node && !document.hidden) fill(node, words);
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  on("open", read, signal);
  void read();
  return region("Server", place);
}

/** @param {AbortSignal} signal */
function apisRegion(signal) {
  const place = make("div");
  const show = () => fill(place, table("APIs", ["API", "Origin", "On this hub", "Endpoints", "Scenarios", "Documents"], app.apis.map((api) => make("tr", null, [
    foreign(api.title), code(api.url), code(`/${api.name}`), number(api.endpoints ?? 0), number(api.scenarios ?? 0),
    [make("a", { href: `/docs/${encodeURIComponent(api.name)}` }, `Documentation of ${visible(api.title)}`), " · ", make("a", { href: `/__admin/openapi/${encodeURIComponent(api.name)}.json` }, `OpenAPI of ${visible(api.title)}`)],
  ].map((cell) => make("td", null, cell))))));
  on("apis", show, signal);
  show();
  return region("APIs", place);
}

/** @param {AbortSignal} signal */
function modesRegion(signal) {
  const place = make("div");
  const show = () => fill(place, table("Modes", ["API", "Mode", "Upstream", "Hits", "Differences"], state.world.modes.map((one) => make("tr", null, [
    foreign(one.api), code(one.mode), one.upstream ? code(one.upstream) : "–", one.hits !== undefined ? number(one.hits) : "–", one.differences !== undefined ? number(one.differences) : "–",
  ].map((cell) => make("td", null, cell))))));
  on("part", (part) => part === "modes" && show(), signal);
  show();
  void state.refresh("modes");
  return region("Modes", place);
}

/** @param {AbortSignal} signal */
function journalRegion(signal) {
  const meter = make("meter", { "aria-label": "Journal", min: "0", max: "1", value: "0" });
  const words = make("p", null);
  const show = (/** @type {any} */ journal) => {
    meter.max = journal.limitBytes;
    meter.value = journal.bytes;
    meter.setAttribute("aria-valuetext", `${size(journal.bytes)} of ${size(journal.limitBytes)}`);
    fill(words, `${size(journal.bytes)} of ${size(journal.limitBytes)} · ${number(journal.entries)} entries · ${number(journal.dropped)} dropped out`);
  };
  const read = async () => { try { show(await get("/journal")); } catch { /* It is read again. */ } };
  on("journal", show, signal);
  const timer = setInterval(() => { if (!document.hidden) void read(); }, 3000);
  signal.addEventListener("abort", () => clearInterval(timer));
  void read();
  return region("Journal", meter, words);
}

/** @param {AbortSignal} signal */
function eventsRegion(signal) {
  /** @type {Grid<any>} */
  const grid = new Grid({
    name: "Events", columns: [{ key: "seq", title: "Seq", width: "80px" }, { key: "time", title: "Time", width: "110px" }, { key: "kind", title: "Event", width: "110px" }, { key: "data", title: "Data", width: "minmax(300px, 1fr)" }],
    render: ({ kind, data }) => {
      const { seq, at, world, ...rest } = data;
      return [number(seq ?? 0), at ? timeOfDay(at) : "", make("span", { class: "badge" }, visible(kind)), make("code", null, foreign(JSON.stringify(rest).slice(0, 600)))];
    },
  });
  grid.follows = true;
  let isWaiting = false;
  const show = () => {
    isWaiting = false;
    grid.setItems(events.slice(-MOST));
  };
  on("system-event", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(show);
  }, signal);
  on("world", show, signal);
  signal.addEventListener("abort", () => grid.observer.disconnect());
  show();
  return region("Events", make("p", { class: "quiet" }, "Everything that happens in this world, as it happens. Newer events are below."), make("div", { class: "grid-tall" }, grid.node));
}

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function show(main, signal) {
  listen();
  append(main, [make("div", { class: "columns" }, serverRegion(signal), journalRegion(signal)), apisRegion(signal), modesRegion(signal), eventsRegion(signal)]);
}

listen();
