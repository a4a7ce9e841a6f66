// @ts-check
// The pages Users and System.
import { address, announce, app, attempt, call, chosenAPIs, copy, emit, get, go, hasToken, items, leave, murmur, on, query, reply, segment, send, soon, urlIn } from "../kit/core.js";
import { apiSelect, curlCall, openForm } from "../kit/dialog.js";
import { Grid } from "../kit/grid.js";
import { live } from "../kit/live.js";
import { clocks, cut, eachSecond, empty, expiry, facts, field, fileName, keepFocus, moment, nothingMatches, quiet, region, save, searchBox, select, short, textInput, withUndo } from "../kit/parts.js";
import { append, button, code, count, fill, foreign, make, number, reading, row, size, span, table, timeOfDay, visible } from "../kit/text.js";
import * as state from "../kit/state.js";
import { isRunning, now } from "../kit/state.js";

const FORBIDDEN = /^(javascript|data|blob|file|vbscript|about|view-source|filesystem):/i;

/** `http`, `https`, and schemes of the app's own. @param {string} text */
function isSafeLink(text) {
  const plain = text.replace(/[\u0000-\u0020\u007f-\u009f]/g, "");
  return /^[a-z][a-z0-9+.-]*:/i.test(plain) && !FORBIDDEN.test(plain) && plain === text;
}
function messageView(message, signal) {
  const to = visible(message.to);
  const left = make("small", null, "");
  const end = message.expiresAt ? Date.parse(message.expiresAt) : null;
  const tick = () => {
    if (end === null) return;
    fill(left, expiry(end, now()));
    left.title = clocks(message.expiresAt);
  };
  tick();
  on("tick part:clock", tick, signal);
  const push = message.payload ?? message.push;
  return make("li", { class: "message" },
    make("div", { class: "row" }, make("strong", null, foreign(message.to)), make("span", { class: "badge" }, foreign(message.kind)), make("span", { class: "quiet" }, foreign(message.api)), make("span", { class: "quiet" }, moment(message.at))),
    message.code && make("div", { class: "row" }, make("span", { class: "code-large" }, foreign(message.code)), left),
    message.url && make("p", null, make("code", null, foreign(message.url)), " ", !message.code && left),
    message.token && !message.url && make("p", null, make("code", null, foreign(message.token)), " ", !message.code && left),
    push !== undefined && make("pre", { class: "code", tabindex: "0" }, foreign(typeof push === "string" ? push : JSON.stringify(push, null, 2))),
    make("div", { class: "row" },
      message.code && short("Copy code", `Copy code for ${to}`, () => copy(message.code), { "data-call": null }),
      message.url && short("Copy link", `Copy link for ${to}`, () => copy(message.url), { "data-call": null }),
      message.url && isSafeLink(message.url) && short("Open link", `Open link for ${to}`, () => {
        window.open(message.url, "_blank", "noreferrer,noopener");
      }, { "data-call": null }),
      push !== undefined && short("Save push", `Save push for ${to}`, () => save(`${fileName(message.kind)}.apns`, typeof push === "string" ? push : JSON.stringify(push, null, 2)), { "data-call": null })));
}
function outboxRegion(signal) {
  const place = make("div");
  let life = new AbortController();
  let known = -1;
  let newest = "";
  const arrived = () => `A new message for ${visible(newest)}`;
  const read = async () => {
    let list;
    try { list = await items("/outbox"); } catch { return; }
    if (signal.aborted) return;
    const apis = chosenAPIs();
    const shown = list.filter((one) => !apis.length || apis.includes(one.api));
    if (known >= 0 && list.length > known) {
      newest = list[0].to;
      murmur(arrived);
    }
    known = list.length;
    keepFocus(place, () => {
      life.abort();
      life = new AbortController();
      // The API that sends a code without more ado.
      const sender = app.apis.find((api) => api.name === "sawaed");
      if (!shown.length) fill(place, empty("No messages", "Codes, links and push messages that an API sends are shown here.", sender && `curl -X POST ${urlIn(sender)}/api/mobile/v1/auth/request-otp -H 'Content-Type: application/json' -d '{"email":"layla@sawaed.test"}'`,
        make("a", { href: sender ? `/docs/${sender.name}` : "/docs/", class: "outside" }, "Send one from the documentation")));
      else fill(place, make("ul", { "aria-label": "Messages", class: "plain-list" }, shown.slice(0, 100).map((one) => messageView(one, life.signal))), shown.length > 100 && quiet(`${number(shown.length - 100)} older ones are not shown`));
    }, [shown, app.apis.length]);
  };
  const later = soon(read, 100);
  on("open apis event:outbox reread poll page-address event:outcome", later, signal);
  signal.addEventListener("abort", () => life.abort());
  const reading = read();
  return { node: region("Outbox", place), reading };
}
export function openToken(user) {
  const api = apiSelect(user?.api, { "data-path": "$.api" });
  const who = textInput("$.user", user?.email ?? user?.id);
  const kind = select(["access", "refresh", "apple-identity"], "access", { "data-path": "$.kind" });
  const state = select(["valid", "expired", "revoked", "bad-signature", "wrong-audience", "wrong-issuer"], "valid", { "data-path": "$.state" });
  const token = make("textarea", { readonly: true, rows: 4, class: "code" });
  const made = make("div", { hidden: true, class: "stack" }, field("Token", token), button("Copy token", () => copy(token.value)));
  openForm({
    title: "New token", action: "Make token", staysOpen: true,
    content: [make("div", { class: "fields" }, field("API", api), field("User", who), field("Kind", kind), field("State", state)), made],
    request: () => ({ method: "POST", path: "/tokens", body: { api: api.value, user: who.value.trim(), kind: kind.value, ...(state.value === "valid" ? {} : { state: state.value }) } }),
    done: (answer) => {
      token.value = answer.token;
      made.hidden = false;
      announce("Token created");
      token.focus();
      token.select();
    },
  });
}

const PAGE = 100;
function usersRegion(signal) {
  const search = searchBox("Search users");
  const found = make("span", { role: "status", class: "rows" });
  const place = make("div");
  let most = PAGE;
  let reading = 0;
  const end = (user, how) => attempt(async () => {
    await call("POST", `/users/${segment(user.email ?? user.id)}/${how}${query({ api: user.api })}`, { body: { tokens: "all" } });
    announce(`${how === "expire" ? "Expired" : "Revoked"} the tokens of ${visible(user.email ?? user.id)}`);
    await read();
  });
  const read = async () => {
    const own = (reading += 1);
    const apis = chosenAPIs();
    let answers;
    try {
      answers = await Promise.all((apis.length ? apis : [""]).map((api) => reply("GET", `/users${query({ q: search.value.trim(), api, limit: most })}`)));
    } catch { return; }
    if (own !== reading || signal.aborted) return;
    const users = answers.flatMap((one) => one.json.items);
    const total = answers.reduce((sum, one) => sum + one.total, 0);
    fill(found, count(total, "user"));
    keepFocus(place, () => {
      if (!users.length) {
        fill(place, search.value ? nothingMatches(() => { search.value = ""; void read(); search.focus(); }) : empty("No users", "A reset brings back those of the seed.", curlCall("POST", "/reset"), button(`Reset ${visible(app.world)}`, () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {} }))), { "data-call": true })));
        return;
      }
      fill(place, table("Users", ["User", "API", "Sessions", "Access", "Refresh", "Actions"], users.map((user) => {
        const label = visible(user.email ?? user.name ?? user.id);
        return row(
          [foreign(user.email ?? user.id), user.name && make("small", null, " ", foreign(user.name))], foreign(user.api), number(user.sessions), number(user.access), number(user.refresh),
          make("div", { class: "row" }, short("New token", `New token for ${label}`, () => openToken(user)), short("Expire", `Expire tokens of ${label}`, () => end(user, "expire")),
            short("Revoke", `Revoke tokens of ${label}`, () => end(user, "revoke"), { class: "danger" }), short("Show", `Show tokens of ${label}`, () => go(address("clock", { user: user.email ?? user.id, api: user.api }))))
        );
      })), total > users.length && (most < 1000 ? button("Show more users", () => { most = Math.min(most + 200, 1000); void read(); }) : quiet(`${number(total - users.length)} more: search to narrow the list`)));
    }, [users, total]);
  };
  const later = soon(read, 250);
  search.addEventListener("input", later);
  on("open reread poll page-address event:outcome event:request event:change part:clock", later, signal);
  const first = read();
  return { reading: first, node: region("Users", make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), found, button("New token", () => openToken(), { "data-call": true })), place) };
}
export function show(main, signal) {
  eachSecond(() => isRunning() && emit("tick"), signal);
  const parts = [outboxRegion(signal), usersRegion(signal)];
  append(main, parts.map((part) => part.node));
  return Promise.all(parts.map((part) => part.reading));
}

/** What has come since the page was opened, of all kinds, with the machine's time. */
const events = [];
const MOST = 6000;
let gone = 0;
on("event", ({ kind, data }) => {
  events.push({ kind, data, machine: Date.now() });
  if (events.length > MOST) gone += events.splice(0, MOST / 6).length;
  emit("system-event");
});
on("world", () => { events.length = gone = 0; });
/** A link to a document of the control API. It is saved where the token has to be sent, which no link does. */
const documentLink = (path, words) => make("a", { href: `/__admin${path}`, on: { click: (event) => {
  if (!hasToken()) return;
  event.preventDefault();
  void attempt(async () => save(path === "/metrics" ? "metrics.txt" : "openapi.json", await (await send("GET", path, { world: "" })).blob()));
} } }, words);
function serverRegion(signal) {
  const place = make("div");
  let readAt = 0;
  let uptime = 0;
  let version = "";
  const show = () => fill(place, facts([["Version", foreign(version)], ["Uptime", span(uptime * 1000 + performance.now() - readAt)], ["Address", code(location.origin)],
    ["Documents", [documentLink("/openapi.json", "OpenAPI document"), " · ", documentLink("/metrics", "Metrics"), " · ", make("a", { href: "/docs/control" }, "Documentation of the control API")]]]));
  const read = async () => {
    try {
      const health = await get("/health", { world: "" });
      version = health.version;
      uptime = health.uptimeSeconds;
      readAt = performance.now();
      if (!signal.aborted) show();
    } catch { /* The connection says so. */ }
  };
  eachSecond(() => {
    const words = span(uptime * 1000 + performance.now() - readAt);
    const node = place.querySelectorAll("dd")[1];
    if (node && !document.hidden) fill(node, words);
  }, signal);
  on("open", read, signal);
  void read();
  return region("Server", place);
}
function apisRegion(signal) {
  const place = make("div");
  const show = () => fill(place, table("APIs", ["API", "Origin", "On this hub", "Endpoints", "Scenarios", "Documents"], app.apis.map((api) => row(
    foreign(api.title), code(api.url), code(`/${api.name}`), number(api.endpoints), number(api.scenarios),
    [make("a", { href: `/docs/${encodeURIComponent(api.name)}` }, `Documentation of ${visible(api.title)}`), " · ", documentLink(`/openapi/${encodeURIComponent(api.name)}.json`, `OpenAPI of ${visible(api.title)}`)]
  ))));
  on("apis", show, signal);
  show();
  return region("APIs", place);
}
/** The numbers of exchanges that each API answered from its recording, and of those that differed. */
const counts = new Map();
function modesRegion(signal) {
  const place = make("div");
  const show = () => keepFocus(place, () => fill(place, table("Modes", ["API", "Mode", "Upstream", "Hits", "Differences"], state.world.modes.map((one) => {
    const numbers = counts.get(one.api) ?? [0, 0];
    return row(foreign(one.api), code(one.mode), one.upstream ? code(one.upstream) : "–", ...numbers.map((count) => (count ? number(count) : "–")));
  }))), [state.world.modes, [...counts]]);
  const read = soon(async () => {
    counts.clear();
    for (const { api } of state.world.modes.filter((one) => one.mode !== "emulate")) {
      const entries = await items(`/requests${query({ api, fields: "source,differences" })}`);
      const hits = entries.filter((one) => one.source === "recording");
      counts.set(api, [hits.length, entries.filter((one) => one.differences?.length).length]);
    }
    if (!signal.aborted) show();
  }, 500);
  on("part:modes event:request event:outcome reread", read, signal);
  show();
  void state.refresh("modes").then(read);
  return region("Modes", place);
}
function journalRegion(signal) {
  const meter = make("meter", { "aria-label": "Journal", min: "0", max: "1", value: "0" });
  const words = make("p", null);
  const show = (journal) => {
    meter.max = journal.limitBytes;
    meter.value = journal.bytes;
    meter.setAttribute("aria-valuetext", `${size(journal.bytes)} of ${size(journal.limitBytes)}`);
    fill(words, `${size(journal.bytes)} of ${size(journal.limitBytes)} · ${number(journal.entries)} entries · ${number(journal.dropped)} dropped`);
  };
  const read = async () => { try { show(await get("/journal")); } catch { /* It is read again. */ } };
  on("journal", show, signal);
  const timer = setInterval(() => { if (!document.hidden) void read(); }, 3000);
  signal.addEventListener("abort", () => clearInterval(timer));
  void read();
  return region("Journal", meter, words);
}
function eventsRegion(signal) {
  /** @type {Grid<any>} */
  const grid = new Grid({
    name: "Events", columns: [{ key: "seq", title: "Seq", width: "80px" }, { key: "time", title: "Time", width: "110px" }, { key: "kind", title: "Event", width: "110px" }, { key: "data", title: "Data", width: "minmax(300px, 1fr)" }],
    render: ({ kind, data, machine }) => {
      const { seq, at, world, ...rest } = data;
      const time = at && make("time", { datetime: at, title: clocks(at, data.wallAt ?? data.endedAt ?? data.startedAt ?? machine) }, timeOfDay(at));
      return [number(seq ?? 0), time, make("span", { class: "badge" }, foreign(kind)), make("code", null, foreign(cut(JSON.stringify(rest), 600)))];
    },
  });
  grid.follows = true;
  const none = make("div");
  const left = make("span");
  let isWaiting = false;
  let shownGone = gone;
  const show = () => {
    isWaiting = false;
    // What the reader sees stays where it is.
    if (!grid.follows) grid.node.scrollTop -= (gone - shownGone) * grid.height;
    shownGone = gone;
    grid.setItems(events.slice());
    fill(left, gone > 0 && ` ${count(gone, "older one is", "older ones are")} not shown.`, live.state === "Polling" && " This tab polls and receives no events.");
    leave(none, () => fill(none, !events.length && empty("No events yet", "", curlCall("POST", "/notes", { text: "Hello" }), button("Write a note", () => attempt(() => call("POST", "/notes", { body: { text: "Hello" } })), { "data-call": true }))));
  };
  on("system-event", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(show);
  }, signal);
  on("world connection", show, signal);
  signal.addEventListener("abort", () => grid.observer.disconnect());
  show();
  return region("Events", quiet("Live events of this world, newest last.", left), none, make("div", { class: "grid-tall" }, grid.node));
}
export function showSystem(main, signal) {
  append(main, [make("div", { class: "columns" }, serverRegion(signal), journalRegion(signal)), apisRegion(signal), modesRegion(signal), eventsRegion(signal)]);
}
