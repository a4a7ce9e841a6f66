// @ts-check
// One exchange: what was sent, what was answered, why, and what can be done with it.
import { bodyView, checkExchange, headerTable, headerValue, jsonTree, reason } from "../kit/content.js";
import { Problem, address, announce, app, attempt, call, change, copy, copyButton, exchangeAddress, fail, get, go, on, query, quoted, reply, segment, send, soon } from "../kit/core.js";
import { open, swiftMatch, swiftRequest } from "../kit/dialog.js";
import { journal, lineNamed } from "../kit/journal.js";
import { eachSecond, exchangeLink, expiry, facts, keepFocus, plainList, quiet, save, source } from "../kit/parts.js";
import { button, code, count, fill, foreign, freshID, iso, link, make, milliseconds, number, row, table } from "../kit/text.js";
import { advanceTo, isRunning, now } from "../kit/state.js";
import { alike, statusView } from "./traffic-row.js";

const LEFT_OUT = new Set(["host", "content-length", "connection"]);

/** The address at which a client reaches what an entry asked for. */
function urlOf(entry) {
  const api = app.apis.find((one) => one.name === entry.api);
  const world = entry.world && entry.world !== "main" ? `/@${entry.world}` : "";
  return `${api?.url ?? location.origin}${world}${entry.path}${entry.query ? `?${entry.query}` : ""}`;
}
const isCoding = (name, body) => body.coding !== undefined && name.toLowerCase() === "content-encoding";
const sentHeaders = (entry) => entry.headers.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()) && !isCoding(name, entry.body));
export function curl(entry) {
  const parts = ["curl"];
  if (entry.method !== "GET") parts.push("-X", quoted(entry.method));
  parts.push(quoted(urlOf(entry)));
  for (const [name, value] of sentHeaders(entry)) parts.push("-H", quoted(`${name}: ${value}`));
  if (entry.body.bytes) {
    if (entry.body.text !== undefined) parts.push("--data-binary", quoted(entry.body.text));
    else return `base64 -d <<< ${quoted(entry.body.base64 ?? "")} | ${parts.join(" ")} --data-binary @-`;
  }
  return parts.join(" ");
}
function rawText(entry, side) {
  const isRequest = side === "request";
  const first = isRequest ? `${entry.method} ${entry.path}${entry.query ? `?${entry.query}` : ""} HTTP/1.1` : `HTTP/1.1 ${entry.status} ${reason(entry.status)}`;
  const headers = isRequest ? entry.headers : entry.responseHeaders;
  const body = isRequest ? entry.body : entry.responseBody;
  const kept = body.text ?? (body.base64 ? `[${number(body.bytes)} bytes, in base64]\n${body.base64}` : "");
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`), "", kept + (body.truncated ? "\n[…the rest was not kept]" : "")].join("\n");
}

function matchOf(entry) {
  return { api: entry.api, method: entry.method, path: entry.route || entry.path, ...(entry.user && { user: entry.user }) };
}

function respondOf(entry) {
  const ours = new Set(["content-length", "transfer-encoding", "connection", "date", "x-request-id", "keep-alive"]);
  const headers = entry.responseHeaders.filter(([name]) => !ours.has(name.toLowerCase()) && !isCoding(name, entry.responseBody));
  const body = entry.responseBody;
  /** @type {any} */
  const respond = { status: Math.max(entry.status || 200, 200), ...(headers.length && { headers }) };
  if (body.base64 !== undefined) respond.base64 = body.base64;
  else if (body.text) {
    try { respond.body = JSON.parse(body.text); } catch { respond.text = body.text; }
  }
  return respond;
}
function verify(entry) {
  const match = matchOf(entry);
  const body = JSON.stringify({ match }, null, 2);
  const line = `try await world.verify(${swiftMatch(match)}, .atLeast(1))`;
  open({
    title: "Verify from this",
    content: [make("h3", null, "Body of verify"), source(body), copyButton("Copy body of verify", () => body),
      make("h3", null, "Swift"), source(line), copyButton("Copy line of Swift", () => line)],
    closes: "Close",
  });
}

const entryNamed = (id) => get(`/requests/${segment(id)}`);

const acting = new Set();

/** @param {string} kind @param {string[]} ids @param {() => void} [choose] leads to the list */
export async function act(kind, ids, choose) {
  // A key that is pressed again before the dialog is there opens no second one.
  const key = [kind, ...ids].join();
  if (acting.has(key)) return;
  acting.add(key);
  await attempt(async () => {
    if (kind === "compare") {
      change({ with: ids[0] });
      choose();
      announce(`Choose the row to compare ${ids[0]} with`);
      return;
    }
    if (kind === "replay") {
      const answer = await call("POST", `/requests/${segment(ids[0])}/replay`, { body: {}, isSlow: true });
      announce(`Replayed as ${answer.id}: ${answer.status}, ${answer.same ? "the same" : "different"}`);
      change({ exchange: answer.id, part: "Differences" });
      return;
    }
    if (kind === "fault" || kind === "gate") {
      const { openFault, openGate } = await import("./fault-dialogs.js");
      (kind === "fault" ? openFault : openGate)({ match: matchOf(lineNamed(ids[0]) ?? await entryNamed(ids[0])) });
      return;
    }
    const entries = await Promise.all(ids.map(entryNamed));
    const [entry] = entries;
    if (kind === "curl") await copy(entries.map(curl).join("\n"));
    else if (kind === "swift") await copy(swiftRequest(entry.method, urlOf(entry), sentHeaders(entry), entry.body));
    else if (kind === "verify") verify(entry);
    else if (kind === "stub") (await import("./fault-dialogs.js")).openFault({ match: matchOf(entry), effect: { respond: respondOf(entry) } }, { isStub: true });
  });
  acting.delete(key);
}
function acted(entry) {
  const items = [];
  const add = (kind, name, target) => name && items.push([kind, link(target, foreign(name))]);
  add("Fault ", entry.fault?.id ?? entry.fault, address("faults"));
  add("Gate ", entry.gate, address("faults"));
  add("Scenario ", entry.scenario, address("scenarios", { q: entry.scenario }));
  if (entry.latency) items.push(["Latency ", code(typeof entry.latency === "object" ? JSON.stringify(entry.latency) : entry.latency)]);
  add("Replay of ", entry.replayOf, exchangeAddress(entry.replayOf));
  for (const one of entry.decisions ?? []) {
    const { fault: id, id: other, reason: why, acted: did, ...rest } = one;
    items.push([code(id ?? other), ` ${did === true ? "acted" : did === false ? "did not act" : ""} `, foreign(why), Object.keys(rest).length > 0 && [" ", code(JSON.stringify(rest))]]);
  }
  for (const rule of journal.findings.get(entry.id) ?? []) add("Finding ", rule, address("report", { rule, request: entry.id }));
  return items.length ? plainList(items) : quiet("Nothing");
}
/** What answered: in words, where the journal has them, else the endpoint of a built-in API. */
function answerer(entry) {
  if (entry.answeredBy) return foreign(entry.answeredBy);
  return entry.route && entry.status && !entry.fault && (!entry.source || entry.source === "emulated") && `endpoint ${entry.method} ${entry.route}`;
}
function overview(entry, signal) {
  const search = [...new URLSearchParams(entry.query)];
  const breaks = make("div", null, quiet("Checking against the OpenAPI document…"));
  void checkExchange(entry).then((problems) => {
    if (signal.aborted) return;
    if (problems === null) fill(breaks, quiet("The OpenAPI document has no such operation"));
    else if (!problems.length) fill(breaks, make("p", null, "Request and response match the schema"));
    else fill(breaks, plainList(problems.map((one) => [code(one.path), " ", foreign(one.reason)])));
  }, () => fill(breaks, quiet("The OpenAPI document can't be read")));
  return [
    facts([
      ["Id", code(entry.id)],
      ["Status", [statusView(entry.status, entry.outcome), " ", reason(entry.status)]],
      ["Outcome", entry.outcome ?? "under way"],
      ["World", foreign(entry.world)], ["API", foreign(entry.api)], ["Route", entry.route ? code(entry.route) : "none"],
      ["Answered by", answerer(entry)],
      ["Nearest stub", entry.nearestStub && foreign(entry.nearestStub)],
      ["Violations", entry.violations?.length > 0 && plainList(entry.violations.map((one) => [code(one.path), " ", foreign(one.reason)]))],
      ["Path", code(entry.path)],
      ["Query", search.length > 0 && plainList(search.map(([name, value]) => [code(name), " = ", foreign(value)]))],
      ["User", entry.user && foreign(entry.user)],
      ["Peer", entry.peer && code(entry.peer)], ["Connection", entry.connection !== undefined && number(entry.connection)],
      ["World time", iso(entry.at)],
      ["Machine time", [iso(entry.startedAt), entry.endedAt && ` to ${iso(entry.endedAt)}`]],
      ["Timings", plainList(["receive", "handle", "wait", "send"].map((part) => `${part} ${milliseconds(entry.timings[part] ?? 0)}`), { class: "plain-list timings" })],
    ]),
    make("h3", null, "Affected by"), acted(entry),
    make("h3", null, "Schema"), breaks,
  ];
}

function eventsView(entry) {
  const events = parseEvents(entry.responseBody.text ?? "");
  return table("Events", ["Offset", "Event", "Data"], events.map((one) => row(`byte ${number(one.offset)}`, foreign(one.event), make("pre", { class: "code" }, foreign(one.data)))));
}
function parseEvents(text) {
  const found = [];
  let offset = 0;
  for (const block of text.split(/\r?\n\r?\n/)) {
    const lines = block.split(/\r?\n/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, "")).join("\n");
    const event = lines.find((line) => line.startsWith("event:"))?.slice(6).trim() ?? "message";
    if (data || block.includes("event:")) found.push({ offset, event, data });
    offset += new TextEncoder().encode(block).length + 2;
  }
  return found;
}
const sideView = (value) => (value === undefined ? make("span", { class: "quiet" }, "–") : code(typeof value === "string" ? value : JSON.stringify(value)));

/** @param {string} one the name of a side @param {string} other @param {string} [a] the member that has the value of that side @param {string} [b] */
export const differenceTable = (differences, one, other, a = "a", b = "b") => table("Differences", ["Path", one, other], differences.map((each) => row(code(each.path), sideView(each[a]), sideView(each[b]))));
function differencesView(entry) {
  if (entry.differences?.length) return differenceTable(entry.differences, "Emulated", "Upstream", "emulated", "upstream");
  const place = make("div", null, quiet("Comparing…"));
  call("POST", "/compare", { body: { a: { request: entry.replayOf }, b: { request: entry.id } } }).then((answer) => {
    fill(place, answer.differences.length
      ? differenceTable(answer.differences, entry.replayOf, entry.id)
      : make("p", null, "No difference"),
    make("p", null, link(address("compare", { a: entry.replayOf, b: entry.id }), "Open as Compare")));
  }, (error) => fill(place, make("p", { role: "alert" }, foreign(error.message))));
  return place;
}

const JWT = /eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*/g;
function decoded(part) {
  const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
function tokensOf(entry) {
  const found = new Map();
  const look = (place, text) => {
    for (const [token] of (text ?? "").matchAll(JWT)) if (!found.has(token)) found.set(token, place);
  };
  for (const [name, value] of entry.headers) look(`request header ${name}`, value);
  look("query", entry.query);
  look("request body", entry.body.text);
  for (const [name, value] of entry.responseHeaders) look(`response header ${name}`, value);
  look("response body", entry.responseBody.text);
  return [...found].map(([token, place]) => ({ place, token }));
}
const TOKENS = 8;
function tokenViews(entry, signal) {
  const tokens = tokensOf(entry);
  return [...tokens.slice(0, TOKENS).map(({ token, place }) => {
    let head;
    let claims;
    try { [head, claims] = token.split(".").slice(0, 2).map(decoded); } catch { return null; }
    const left = make("p", { class: "expiry" });
    const end = typeof claims.exp === "number" ? claims.exp * 1000 : null;
    const tick = () => { if (end !== null) fill(left, make("strong", null, expiry(end, now())), ` (exp ${iso(end)}, world time)`); else fill(left, "Does not expire (no exp)"); };
    tick();
    on("part:clock", tick, signal);
    eachSecond(() => isRunning() && tick(), signal);
    const origin = quiet("Looking for its origin…");
    void trace(token, entry, origin, signal);
    const move = (to) => attempt(async () => { await advanceTo(to); announce("The clock was advanced"); });
    return make("section", { "aria-label": "Token", class: "token" },
      make("h3", null, "Token"), quiet(`In ${place}`), left, origin,
      end !== null && make("div", { class: "row" }, button("Advance to just before expiry", () => move(end - 1000), { "data-call": true }), button("Advance to just after expiry", () => move(end + 1000), { "data-call": true })),
      make("div", { class: "columns" }, make("div", null, make("h4", null, "Head"), jsonTree(head)), make("div", null, make("h4", null, "Claims"), jsonTree(claims))));
  }), tokens.length > TOKENS && quiet(`${number(tokens.length - TOKENS)} more tokens are not shown`)];
}

async function trace(token, entry, place, signal) {
  const phrase = token.slice(-64);
  const ask = (limit, since) => reply("GET", `/requests${query({ q: phrase, view: "line", fields: "id", limit, since })}`, { signal });
  const newestSeq = () => journal.rows.at(-1)?.seq ?? 0;
  let newest = newestSeq();
  try {
    const { json, total } = await ask(5000);
    newest = Math.max(newest, json.items[0]?.seq ?? 0);
    const oldest = json.items[json.items.length - 1];
    const first = oldest && oldest.id !== entry.id ? await get(`/requests/${oldest.id}`, { signal }) : entry;
    const isIssued = JSON.stringify([first.responseBody.text ?? "", first.responseHeaders]).includes(phrase);
    let uses = Math.max(0, total - (isIssued ? 1 : 0));
    const used = link(address("traffic", { filter: phrase }), `Used by ${count(uses, "request")}`);
    fill(place, isIssued ? ["Issued by ", exchangeLink(first.id, " ", foreign(first.path)), " · "] : "Not issued by an exchange in the journal · ", used);
    on("rows", soon(async () => {
      const since = newest;
      newest = Math.max(newest, newestSeq());
      if (newest === since || signal.aborted) return;
      uses += (await ask(1, since).catch(() => ({ total: 0 }))).total;
      fill(used, `Used by ${count(uses, "request")}`);
    }, 1000), signal);
  } catch { fill(place, ""); }
}

const isStream = (entry) => headerValue(entry.responseHeaders, "content-type").startsWith("text/event-stream");
const partsOf = (entry) => ["Overview", "Request", "Response", ...(isStream(entry) ? ["Events"] : []), ...(entry.differences?.length || entry.replayOf ? ["Differences"] : []), "Raw"];

let life = null;

/** @param {HTMLElement} place @param {string} id @param {AbortSignal} signal @param {{ close: () => void, choose: () => void }} actions */
export async function showExchange(place, id, signal, actions) {
  const waiting = app.route.params.get("with");
  if (waiting && waiting !== id) {
    const target = address("compare", { a: waiting, b: id });
    // Going back leads to the choice, not to what was chosen, which would lead here again.
    history.replaceState(null, "", target);
    return go(target);
  }
  life?.abort();
  const own = new AbortController();
  life = own;
  signal.addEventListener("abort", () => own.abort(), { once: true });
  const isFirst = !place.childElementCount;
  let entry;
  try {
    entry = await entryNamed(id);
  } catch (error) {
    if (own.signal.aborted) return;
    if (error instanceof Problem && error.status === 404) {
      keepFocus(place, () => fill(place, make("section", { "aria-label": "Exchange", class: "exchange" }, make("div", { class: "row" }, make("h2", null, "Not found"), button("Close", actions.close)),
        make("p", null, foreign(`${id} is no longer in the journal`)))));
    } else fail(error);
    return;
  }
  if (own.signal.aborted) return;
  const rules = () => String(journal.findings.get(id));
  let shown = "";
  const show = () => {
    shown = rules();
    keepFocus(place, () => build(place, entry, own.signal, actions));
  };
  show();
  if (isFirst) place.querySelector("h2")?.scrollIntoView?.({ block: "nearest" });
  const isOpen = () => entry.outcome === "held" || entry.endedAt === undefined || !entry.status;
  on("line", async (line) => {
    if (line.id !== id || !isOpen()) return;
    try { entry = await entryNamed(id); } catch { return; }
    if (!own.signal.aborted) show();
  }, own.signal);
  // A finding may be told after its exchange is shown.
  on("findings", () => void (rules() !== shown && show()), own.signal);
  on("rows", soon(() => {
    for (const node of own.signal.aborted ? [] : place.querySelectorAll("[data-way]")) node.setAttribute("aria-disabled", String(!neighbour(entry, Number(/** @type {HTMLElement} */ (node).dataset.way))));
  }, 300), own.signal);
  on("page-address", () => {
    const { params } = app.route;
    if (params.get("exchange") === id && `${params.get("part") ?? "Overview"} ${params.get("with") ?? ""}` !== place.dataset.part) show();
  }, own.signal);
}
const neighbour = (entry, way) => alike(journal.rows, journal.rows.findIndex((line) => line.id === entry.id), entry, way)?.id;
function build(place, entry, signal, actions) {
  const parts = partsOf(entry);
  const wanted = app.route.params.get("part") ?? "Overview";
  const part = parts.includes(wanted) ? wanted : "Overview";
  const isChoosing = app.route.params.get("with") === entry.id;
  // The same part of the same exchange keeps what was chosen in it.
  const body = place.querySelector(".body-part");
  const chosen = body && place.dataset.shown === `${entry.id} ${part}` ? { view: body.querySelector("input:checked").value, word: body.querySelector("input[type=search]").value } : undefined;
  place.dataset.shown = `${entry.id} ${part}`;
  place.dataset.part = `${part} ${app.route.params.get("with") ?? ""}`;
  const panelID = freshID("part");
  const choose = (name) => change({ part: name === "Overview" ? null : name });
  const tabs = parts.map((name) => make("button", {
    type: "button", role: "tab", id: `${panelID}-${name}`, "aria-selected": String(name === part), "aria-controls": panelID, tabindex: name === part ? "0" : "-1",
    on: { click: () => choose(name) },
  }, name));
  const tablist = make("div", { role: "tablist", "aria-label": "Parts", on: {
    keydown: (event) => {
      const index = tabs.indexOf(document.activeElement);
      const next = /** @type {Record<string, number>} */ ({ ArrowRight: (index + 1) % tabs.length, ArrowLeft: (index + tabs.length - 1) % tabs.length, Home: 0, End: tabs.length - 1 })[event.key];
      if (next === undefined) return;
      event.preventDefault();
      tabs[next].focus();
      choose(parts[next]);
    },
  } }, tabs);
  const step = (name, way) => button(name, () => change({ exchange: neighbour(entry, way) }), { "aria-disabled": String(!neighbour(entry, way)), "data-way": way, class: "quiet" });
  const action = (name, kind, options) => button(name, () => act(kind, [entry.id], actions.choose), options);
  fill(place, make("section", { "aria-label": "Exchange", class: "exchange" },
    make("div", { class: "row exchange-head" }, make("h2", null, foreign(entry.method), " ", foreign(entry.path)), button("Close", actions.close)),
    make("div", { class: "row" }, step("Previous of this route", -1), step("Next of this route", 1)),
    make("div", { class: "row actions" }, action("Copy as curl", "curl", { "data-call": true }), action("Copy as Swift", "swift", { "data-call": true }), action("Replay", "replay", { "data-call": true }), action("Fault from this", "fault"),
      action("Gate from this", "gate"), action("Stub from this", "stub", { "data-call": true }), action("Verify from this", "verify", { "data-call": true }), action("Compare with…", "compare")),
    isChoosing && make("div", { class: "notice" }, make("span", null, "The next row that you choose is compared with this one. "), button("Cancel", () => change({ with: null }))),
    tablist,
    make("div", { role: "tabpanel", id: panelID, "aria-labelledby": `${panelID}-${part}`, tabindex: "0", class: "part" }, content(part, entry, signal, chosen)),
    part === "Raw" ? null : tokenViews(entry, signal)));
}
function content(part, entry, signal, chosen) {
  switch (part) {
    case "Request": return [headerTable("Request", entry.headers), bodyView("Request", entry.body, entry.headers, signal, chosen)];
    case "Response": return [headerTable("Response", entry.responseHeaders), bodyView("Response", entry.responseBody, entry.responseHeaders, signal, chosen)];
    case "Events": return eventsView(entry);
    case "Differences": return differencesView(entry);
    case "Raw": return [make("h3", null, "Request"), source(rawText(entry, "request")), make("h3", null, "Response"), source(rawText(entry, "response"))];
    default: return overview(entry, signal);
  }
}
/** @param {Line[]} lines */
export const exportHAR = (lines) => attempt(async () => {
  if (!lines.length) return;
  const first = lines.reduce((one, line) => Math.min(one, line.seq), Infinity);
  const last = lines.reduce((one, line) => Math.max(one, line.seq), 0);
  const response = await send("GET", `/requests.har${lines.length === journal.rows.length ? "" : query({ since: first - 1, before: last + 1 })}`, { isSlow: true });
  const har = await response.json();
  const rows = journal.rows.filter((line) => line.seq >= first && line.seq <= last);
  const wanted = new Set(lines);
  const { entries } = har.log;
  if (rows.length === entries.length) har.log.entries = entries.filter((_, index) => wanted.has(rows[index]));
  else {
    const ids = new Set(lines.map((line) => line.id));
    har.log.entries = entries.filter((entry) => ids.has(entry.response.headers.find((one) => one.name.toLowerCase() === "x-request-id")?.value));
  }
  save(`${app.world}.har`, JSON.stringify(har, null, 1));
});
