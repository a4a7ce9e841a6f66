// @ts-check
// What all parts of the page share: the address, preferences, news, calls of the control API, and messages.
import { FETCH_OPTIONS, credentials, keepToken, keptToken } from "./place.js";
import { button, fill, foreign, make } from "./text.js";

const listeners = new Map();

/** Listens to news until the signal is aborted. @param {string} kinds separated by spaces @param {(data: any) => void} action @param {AbortSignal} [signal] */
export function on(kinds, action, signal) {
  for (const kind of kinds.split(" ")) {
    const set = listeners.get(kind) ?? new Set();
    listeners.set(kind, set);
    set.add(action);
    signal?.addEventListener("abort", () => set.delete(action), { once: true });
  }
}
export function emit(kind, data) {
  for (const action of [...(listeners.get(kind) ?? [])]) action(data);
}

/** Returns a function that acts that much later, once for all calls until then. @param {() => any} action @param {number} ms */
export function soon(action, ms) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      action();
    }, ms);
  };
}

/** @type {App} */
export const app = { shown: Promise.resolve(), route: { page: "traffic", rest: [], params: new URLSearchParams() }, world: "main", apis: [], worlds: [] };

/** The address of a place in the present world. @param {string} path such as state/omnichat @param {AddressMembers} [params] */
export function address(path, params = {}) {
  const query = new URLSearchParams({ world: app.world });
  const apis = app.route.params.get("api");
  if (apis) query.set("api", apis);
  for (const [name, value] of Object.entries(params)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  return `#/${path}?${query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

/** The address of an exchange. @param {string} id @param {string} [part] */
export const exchangeAddress = (id, part) => address("traffic", { exchange: id, part });

/** Changes parts of the address, and keeps the others. @param {AddressMembers} changes @param {{ replaces?: boolean }} [options] */
export function change(changes, options = {}) {
  const { page, rest, params } = app.route;
  const target = address([page, ...rest.map(encodeURIComponent)].join("/"), { ...Object.fromEntries(params), ...changes });
  if (target === location.hash) return;
  if (options.replaces) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  emit("navigate");
}
export function go(target) {
  if (target !== location.hash) history.pushState(null, "", target);
  emit("navigate");
}

/** The names of the checked APIs; none means all. @returns {string[]} */
export const chosenAPIs = () => (app.route.params.get("api") ?? "").split(",").filter(Boolean);

const DEFAULTS = { theme: "System", time: "World time", keys: "on", columns: "", checked: "" };

export const preferences = {
  get(name) {
    try { return localStorage.getItem(`understudy.${name}`) ?? DEFAULTS[name]; } catch { return DEFAULTS[name]; }
  },
  set(name, value) {
    try { localStorage.setItem(`understudy.${name}`, value); } catch { /* It holds until the page is left. */ }
    DEFAULTS[name] = value;
    emit("preference", name);
  },
};

export function applyTheme() {
  const theme = preferences.get("theme");
  const { dataset } = document.documentElement;
  if (theme === "System") delete dataset.theme;
  else dataset.theme = theme.toLowerCase();
}

/** Tells whether single letters work as commands. */
export const hasKeys = () => preferences.get("keys") === "on";

/** The admin token: in memory only, unless the reader asks to keep it in this tab. */
let token = keptToken();

export const hasToken = () => token !== "";
export function useToken(value, isKept) {
  token = value;
  keepToken(isKept ? value : "");
}

/** Asks for the token; set by the frame. @type {{ ask: () => Promise<void> }} */
export const tokens = { ask: async () => {} };

/** A refusal of the control API. */
export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail ?? document?.title ?? `The server answered ${status}.`);
    this.status = status;
    this.title = document?.title ?? `Status ${status}`;
    /** @type {SchemaFault[]} */
    this.errors = document?.errors ?? [];
  }
}

/** No answer came. */
export class Silence extends Error {}

/** Makes a call and returns the response, whatever its status but 401. @type {Send} */
export async function send(method, path, options = {}) {
  const { body, world = app.world, headers, signal, isSlow } = options;
  for (;;) {
    const used = token;
    const late = isSlow ? 0 : setTimeout(() => emit("late"), 1000);
    let response;
    try {
      response = await fetch(`/__admin${path}`, {
        ...FETCH_OPTIONS, method, signal,
        body: typeof body === "object" ? JSON.stringify(body) : body,
        headers: { ...credentials(world, token), ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      emit("silence");
      throw new Silence("The server does not answer.");
    } finally {
      clearTimeout(late);
    }
    if (response.status !== 401) return response;
    if (used === token) {
      token = "";
      await tokens.ask();
    }
  }
}

/** Makes a call and returns its JSON, which has the type that the control API declares; a refusal is thrown as a `Problem`. @type {Call} */
export const call = async (method, path, options) => (await reply(method, path, options)).json;

/** As `call`, with the count of the whole selection. @type {Reply} */
export async function reply(method, path, options) {
  const response = await send(method, path, options);
  const text = await response.text();
  let json;
  try { json = text ? JSON.parse(text) : undefined; } catch { json = undefined; }
  if (!response.ok) throw new Problem(response.status, json);
  return { json, total: Number(response.headers.get("X-Total-Count") ?? json?.items?.length ?? 0) };
}

/** @type {Get} */
export const get = (path, options) => call("GET", path, options);

/** The items of a list. @type {GetItems} */
export const items = async (path, options) => /** @type {any} */ (await get(path, options)).items;

export const segment = encodeURIComponent;

/** A query without its empty members. @param {Record<string, any>} members */
export function query(members) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if ((value ?? "") !== "") parts.set(name, value);
  }
  return String(parts) && `?${parts}`;
}

const status = make("div", { role: "status", "aria-label": "Announcements", "aria-live": "polite", class: "announcements" });
const alerts = make("div", { class: "alerts" });
export const announcements = { status, alerts };

let last = 0;
/** What is to be said when it may be. */
const waiting = new Set();
let timer = 0;

/** Says something at once. @param {string} text */
export function announce(text) {
  last = performance.now();
  fill(status, foreign(text));
}

/** Says something five seconds after the last message at the earliest, together with all that waits. @param {() => string} words */
export function murmur(words) {
  waiting.add(words);
  timer ||= setTimeout(speak, Math.max(0, 5000 - (performance.now() - last)));
}
function speak() {
  timer = 0;
  // What was said since then has its five seconds too.
  const all = [...waiting];
  if (performance.now() - last < 5000) return murmur(all[0]);
  waiting.clear();
  announce(all.map((words) => words()).join(". "));
}

/** Shows what failed, until it is closed or replaced by another of the same key. @param {string} title @param {any} detail text or a node @param {string} [key] @param {HTMLElement} [action] */
export function alert(title, detail, key = "general", action) {
  dismiss(key);
  alerts.append(make("div", { role: "alert", class: "alert", "data-key": key },
    make("div", null, make("strong", null, foreign(title)), " ", typeof detail === "string" ? foreign(detail) : detail),
    make("div", { class: "row" }, action, button("Close message", () => dismiss(key), { class: "quiet" }))));
}
export function dismiss(key = "general") {
  for (const node of alerts.querySelectorAll(`:scope > [data-key="${key}"]`)) leave(node, () => node.remove());
}

/** Takes something away; if it had the focus, the page's content gets it. @param {Element} node @param {() => void} action */
export function leave(node, action) {
  const had = node.contains(document.activeElement);
  action();
  if (had && document.activeElement === document.body) document.getElementById("main")?.focus();
}

export function fail(error) {
  if (error.name === "AbortError" || error instanceof Silence) return;
  const faults = (error.errors ?? []).map((item) => `${item.path} ${item.reason}`).join("; ");
  alert(error.title ?? "Request failed", faults && error.message !== faults ? `${error.message} ${faults}` : error.message);
}

/** Runs an action and shows its failure. @param {() => Promise<any>} action */
export async function attempt(action) {
  try {
    dismiss();
    return await action();
  } catch (error) {
    fail(error);
  }
}

/** Calls a function of a module that is loaded when it is first needed. @param {string} file from here @param {string} name */
export const later = (file, name) => async (...parts) => {
  try {
    return (await import(file))[name](...parts);
  } catch (error) {
    alert("Part of the page could not be loaded.", /** @type {Error} */ (error).message);
  }
};

const openCopy = later("./dialog.js", "openCopy");
/** Copies text; where that is not allowed, shows it selected. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    await openCopy(text);
  }
}
export const copyButton = (name, source, options) => button(name, async () => {
  const text = await source();
  if (text) await copy(text);
}, options);

/** The address at which a client reaches an API in the present world. @param {{ url: string }} api */
export const urlIn = (api) => `${api.url}${app.world === "main" ? "" : `/@${app.world}`}`;

/** Quotes for a shell. @param {string} text */
export const quoted = (text) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
