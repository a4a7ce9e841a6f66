// @ts-check
// What all parts of the page share: the address, preferences, news, calls of the control API, and messages.
import { button, fill, foreign, make } from "./text.js";

/** @type {Map<string, Set<(data: any) => void>>} */
const listeners = new Map();

/**
 * Listens to a kind of news until the signal is aborted.
 * @param {string} kind
 * @param {(data: any) => void} action
 * @param {AbortSignal} [signal]
 */
export function on(kind, action, signal) {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set);
  set.add(action);
  signal?.addEventListener("abort", () => set.delete(action), { once: true });
}
export function emit(kind, data) {
  for (const action of [...(listeners.get(kind) ?? [])]) action(data);
}

/** @type {{ route: Route, world: string, apis: EmulatedAPI[], worlds: any[], shown: Promise<void> }} `shown` ends when the page of the address is there */
export const app = { shown: Promise.resolve(), route: { page: "traffic", rest: [], params: new URLSearchParams() }, world: "main", apis: [], worlds: [] };

/** Reads an address such as `#/state/omnichat/messages?world=main`. @param {string} hash @returns {Route} */
export function parseAddress(hash) {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return { page: parts[0] ?? "traffic", rest: parts.slice(1), params: new URLSearchParams(query) };
}

/**
 * The address of a place in the present world.
 * @param {string} path such as `state/omnichat`
 * @param {Record<string, string | null | undefined>} [params]
 */
export function address(path, params = {}) {
  const query = new URLSearchParams({ world: app.world });
  const apis = app.route.params.get("api");
  if (apis) query.set("api", apis);
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return `#/${path}?${query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

/** The address of an exchange. @param {string} id @param {string} [part] */
export const exchangeAddress = (id, part) => address("traffic", { exchange: id, part });

/**
 * Changes parts of the address, and keeps the others.
 * @param {Record<string, string | null | undefined>} changes
 * @param {{ replaces?: boolean }} [options]
 */
export function change(changes, options = {}) {
  const { page, rest, params } = app.route;
  /** @type {Record<string, string | null | undefined>} */
  const all = {};
  for (const [name, value] of params) all[name] = value;
  const target = address([page, ...rest.map(encodeURIComponent)].join("/"), { ...all, ...changes });
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

/** Preferences, kept in the browser. */
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

/** Shows the chosen theme. */
export function applyTheme() {
  const theme = preferences.get("theme");
  if (theme === "System") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.toLowerCase();
}

/** Tells whether single letters work as commands. */
export const hasKeys = () => preferences.get("keys") === "on";

const TOKEN = "understudy.admin-token";
/** The admin token: in memory only, unless the reader asks to keep it in this tab. */
let token = (() => { try { return sessionStorage.getItem(TOKEN) ?? ""; } catch { return ""; } })();

export const hasToken = () => token !== "";
export function useToken(value, isKept) {
  token = value;
  try {
    if (isKept) sessionStorage.setItem(TOKEN, value);
    else sessionStorage.removeItem(TOKEN);
  } catch { /* It holds until the page is left. */ }
}

/** Asks for the token; set by the frame. @type {{ ask: () => Promise<void> }} */
export const tokens = { ask: async () => {} };

/** A refusal of the control API. */
export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail ?? document?.title ?? `The server answered ${status}.`);
    this.status = status;
    this.title = document?.title ?? `Status ${status}`;
    /** @type {{ path: string, reason: string }[]} */
    this.errors = document?.errors ?? [];
  }
}

/** No answer came. */
export class Silence extends Error {}

function fields(options) {
  /** @type {Record<string, string>} */
  // A field takes no other characters; the name of a world is the same encoded.
  const fields = { "X-Understudy-World": segment(options.world ?? app.world), ...options.headers };
  if (options.world === "") delete fields["X-Understudy-World"];
  if (token) fields.Authorization = `Bearer ${token}`;
  if (options.body !== undefined) fields["Content-Type"] = "application/json";
  return fields;
}

/**
 * Makes a call and returns the response, whatever its status but 401.
 * @param {string} method
 * @param {string} path below `/__admin`
 * @param {CallOptions} [options]
 * @returns {Promise<Response>}
 */
export async function send(method, path, options = {}) {
  const body = options.body === undefined ? undefined : typeof options.body === "string" ? options.body : JSON.stringify(options.body);
  for (;;) {
    const used = token;
    const late = options.isSlow ? 0 : setTimeout(() => emit("late"), 1000);
    let response;
    try {
      response = await fetch(`/__admin${path}`, {
        method, body, headers: fields(options), signal: options.signal, cache: "no-store", credentials: "omit", redirect: "error",
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
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

/**
 * Makes a call and returns its JSON, which has the type that the control API declares; a refusal is thrown as a `Problem`.
 * @template {string} M
 * @template {string} P
 * @param {M} method
 * @param {P} path
 * @param {CallOptions} [options]
 * @returns {Promise<import("../control.js").Answer<M, P>>}
 */
export async function call(method, path, options) {
  return (await reply(method, path, options)).json;
}

/**
 * As `call`, with the count of the whole selection.
 * @template {string} M
 * @template {string} P
 * @param {M} method
 * @param {P} path
 * @param {CallOptions} [options]
 * @returns {Promise<{ json: import("../control.js").Answer<M, P>, total: number }>}
 */
export async function reply(method, path, options) {
  const response = await send(method, path, options);
  const text = await response.text();
  let json;
  try { json = text ? JSON.parse(text) : undefined; } catch { json = undefined; }
  if (!response.ok) throw new Problem(response.status, json);
  return { json, total: Number(response.headers.get("X-Total-Count") ?? json?.items?.length ?? 0) };
}

/** @template {string} P @param {P} path @param {CallOptions} [options] @returns {Promise<import("../control.js").Answer<"GET", P>>} */
export const get = (path, options) => call("GET", path, options);

/** Items of a list, or none where this server has no such call. @template {string} P @param {P} path @param {CallOptions} [options] @returns {Promise<import("../control.js").Items<P>>} */
export const items = async (path, options) => /** @type {any} */ (await get(path, options)).items ?? [];

/** Part of a path. @param {string} text */
export const segment = (text) => encodeURIComponent(text);

/** A query without its empty members. @param {Record<string, any>} members */
export function query(members) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && value !== null && value !== "") parts.set(name, String(value));
  }
  const text = parts.toString();
  return text ? `?${text}` : "";
}

const status = make("div", { role: "status", "aria-label": "Announcements", "aria-live": "polite", class: "announcements" });
const alerts = make("div", { class: "alerts" });
export const announcements = { status, alerts };

let last = 0;
/** What is to be said when it may be. @type {Set<() => string>} */
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

/**
 * Shows what failed, until it is closed or replaced by another of the same key.
 * @param {string} title
 * @param {any} [detail] text or nodes
 * @param {{ key?: string, actions?: HTMLElement[] }} [options]
 */
export function alert(title, detail, options = {}) {
  const key = options.key ?? "general";
  dismiss(key);
  const close = button("Close message", () => dismiss(key), { class: "quiet" });
  const node = make("div", { role: "alert", class: "alert", "data-key": key },
    make("div", null, make("strong", null, foreign(title)), " ", typeof detail === "string" ? foreign(detail) : detail),
    make("div", { class: "row" }, options.actions ?? [], close));
  alerts.append(node);
  return node;
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

/** Shows an error of a call. @param {any} error @param {string} [title] */
export function fail(error, title) {
  if (error?.name === "AbortError" || error?.constructor?.name === "Silence") return;
  const faults = (error?.errors ?? []).map((item) => `${item.path} ${item.reason}`).join("; ");
  alert(title ?? error?.title ?? "That failed", [error?.message ?? String(error), faults && error.message !== faults ? ` ${faults}` : ""].join(""));
}

/** Runs an action and shows its failure. @param {() => Promise<any>} action */
export async function attempt(action) {
  try {
    dismiss();
    return await action();
  } catch (error) {
    fail(error);
    return undefined;
  }
}

/**
 * Copies text; where that is not allowed, shows it selected.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    const area = make("textarea", { readonly: true, rows: 8, "aria-label": "Text to copy" });
    area.value = text;
    const dialog = make("dialog", { "aria-label": "Copy this text", class: "dialog" },
      make("h2", null, "Copy this text"), area, make("div", { class: "row" }, button("Close", () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}
export const copyButton = (name, source, options) => button(name, async () => {
  const text = await source();
  if (text) await copy(text);
}, options);

/** Quotes for a shell. @param {string} text */
export const quoted = (text) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
