// @ts-check
// Live data: one stream of events for each world in a browser, shared between its tabs.
import { app, emit, send } from "./core.js";

/** Cuts the text of a stream into events. */
class EventParser {
  #rest = "";
  #id = "";
  #event = "";
  #data = [];
  feed(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? "";
    const events = [];
    for (const line of lines) {
      if (line === "") {
        if (this.#data.length) events.push({ id: this.#id, event: this.#event || "message", data: this.#data.join("\n") });
        this.#event = "";
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "id") this.#id = value;
      else if (name === "event") this.#event = value;
      else if (name === "data") this.#data.push(value);
    }
    return events;
  }
}

/** Reads a stream to its end. @param {Response} response @param {(events: StreamEvent[]) => void} take @param {() => void} heard called for every piece, heartbeats too */
export async function readEvents(response, take, heard) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      const events = parser.feed(decoder.decode(value, { stream: true }));
      if (events.length) take(events);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const SLOTS = 3;
const SILENCE = 35000;
const POLL = 2000;

/** @type {{ state: ConnectionState, nextTry: number, lastID: string }} */
export const live = { state: "Connecting", nextTry: 0, lastID: "" };

let session = null;
let channel = null;
let wake = null;
let opened = false;
/** The session in which this tab leads, and the one whose stream is open: an older one may end later. */
let leading = null;
let streaming = null;
const isLeader = () => leading !== null && leading === session?.signal;
/** Is in a state, and says so to the other tabs. */
function tell(state) {
  become(state);
  share({ state, nextTry: live.nextTry });
}
function become(state) {
  if (live.state === state) return;
  live.state = state;
  emit("connection", state);
}

function deliver(events) {
  for (const { id, event, data } of events) {
    if (id) live.lastID = id;
    let value;
    try { value = JSON.parse(data); } catch { continue; }
    emit("event", { kind: event, data: value });
    emit(`event:${event}`, value);
  }
}

/** Ends the present stream and follows the events of the present world. */
export function follow() {
  session?.abort();
  channel?.close();
  session = new AbortController();
  opened = false;
  live.lastID = "";
  live.state = "Connecting";
  emit("connection", live.state);
  const world = app.world;
  const { signal } = session;
  channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`understudy.${world}`) : null;
  if (channel) channel.onmessage = ({ data }) => heed(data, signal);
  if (!navigator.locks || !channel) {
    void lead(world, signal);
    return;
  }
  channel.postMessage({ question: "state" });
  navigator.locks.request(`understudy.stream.${world}`, { signal }, () => leadInSlot(world, signal)).catch(() => {});
}

function heed(message, signal) {
  if (signal.aborted) return;
  if (message.question) {
    if (isLeader()) tell(live.state);
    return;
  }
  if (isLeader()) {
    if (message.wake) wake?.();
    return;
  }
  if (message.events) deliver(message.events);
  if (message.state) {
    live.nextTry = message.nextTry ?? 0;
    const wasOpen = live.state !== "Connecting";
    const isNews = message.state !== live.state;
    become(message.state);
    if (isNews && /Live|Polling/.test(message.state)) announceOpen(wasOpen);
  }
  if (message.poll) emit("poll");
}

/** The stream is open: lists may be read now, and nothing is lost between. */
function announceOpen(isAgain) {
  if (!opened || isAgain) {
    opened = true;
    emit("open", isAgain);
  }
}
const share = (message) => channel?.postMessage(message);

/** Leads in one of the slots for streams, or polls until there is one. */
async function leadInSlot(world, signal) {
  leading = signal;
  try {
    while (!signal.aborted) {
      const taken = await inSlot(0, () => lead(world, signal));
      if (!taken && !signal.aborted) await poll(signal);
    }
  } finally {
    if (leading === signal) leading = null;
  }
}
function inSlot(place, action) {
  if (place >= SLOTS) return Promise.resolve(false);
  return navigator.locks.request(`understudy.slot.${place}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return null;
    await action();
    return true;
  }).then((result) => (result === null ? inSlot(place + 1, action) : true));
}

/** Asks for what is new, if the server answers. */
async function poll(signal) {
  const wasAway = live.state === "Away";
  const isThere = !wasAway || await answers();
  live.nextTry = Date.now() + POLL;
  tell(isThere ? "Polling" : "Away");
  if (isThere) announceOpen(wasAway);
  await pause(POLL, signal);
  if (signal.aborted || live.state === "Away") return;
  emit("poll");
  share({ poll: true });
}

/** Keeps a stream open until the signal is aborted. */
async function lead(world, signal) {
  leading = signal;
  let tries = 0;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    let quiet = 0;
    const heard = () => {
      clearTimeout(quiet);
      quiet = setTimeout(stop, SILENCE);
    };
    heard();
    try {
      const headers = live.lastID ? { "Last-Event-ID": live.lastID } : undefined;
      const response = await send("GET", "/events", { world, headers: { Accept: "text/event-stream", ...headers }, signal: attempt.signal, isSlow: true });
      if (response.status === 404) {
        emit("world-gone", world);
        await pause(2000, signal);
        continue;
      }
      if (!response.ok) throw new Error(String(response.status));
      const isAgain = live.state !== "Connecting";
      tries = 0;
      streaming = signal;
      tell("Live");
      announceOpen(isAgain);
      await readEvents(response, (events) => {
        share({ events });
        deliver(events);
      }, heard);
    } catch { /* The connection is made again below. */ } finally {
      if (streaming === signal) streaming = null;
      clearTimeout(quiet);
      signal.removeEventListener("abort", stop);
      attempt.abort();
    }
    if (signal.aborted) return;
    const base = 1000 * 2 ** Math.min(tries, 3);
    tries += 1;
    const wait = base + Math.random() * Math.min(base / 2, 1500);
    live.nextTry = Date.now() + wait;
    tell(live.state === "Away" ? "Away" : "Reconnecting");
    void probe();
    await pause(wait, signal);
  }
}
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      wake = null;
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    wake = end;
    signal.addEventListener("abort", end);
  });
}

async function answers() {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 1000);
  try {
    await fetch("/__admin/console/icon.svg", { cache: "no-store", credentials: "omit", signal: limit.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

let probing = false;
/** Finds out whether the server is away, or back. */
async function probe() {
  if (probing) return;
  probing = true;
  const isThere = await answers();
  probing = false;
  // The stream may have stayed open all the while.
  const isOpen = streaming !== null && streaming === session?.signal;
  if (isThere && live.state === "Away") {
    if (isOpen) tell("Live");
    else if (isLeader()) wake?.();
    else share({ question: "state" });
  } else if (!isThere) {
    if (isLeader()) tell("Away");
    else become("Away");
    if (isOpen || !isLeader()) setTimeout(probe, 1000);
  }
}

/** Tries at once to reach the server again. */
export function tryNow() {
  if (isLeader()) wake?.();
  else share({ wake: true });
}

/** A call has failed or is late: the server may be away. */
export const suspect = () => void probe();
