// @ts-check
// The page "Users": what the backends sent out, and who holds which tokens.
import { apiSelect, copy, curlCall, openForm, save } from "../kit/dialog.js";
import { empty, isRunning, keepFocus, nothingMatches, now, short } from "../kit/world.js";
import { address, announce, app, attempt, call, emit, items, on, query, reply, segment } from "../kit/core.js";
import { append, button, expiry, field, fileName, fill, foreign, make, number, reading, region, select, table, visible } from "../kit/text.js";

const FORBIDDEN = /^(javascript|data|blob|file|vbscript|about|view-source|filesystem):/i;

/** Tells whether a link may be opened: `http`, `https`, and schemes of the app's own. @param {string} text */
export function isSafeLink(text) {
  const plain = text.replace(/[\u0000-\u0020\u007f-\u009f]/g, "");
  return /^[a-z][a-z0-9+.-]*:/i.test(plain) && !FORBIDDEN.test(plain) && plain === text;
}

/** @param {any} message @param {AbortSignal} signal */
function messageView(message, signal) {
  const to = visible(message.to);
  const left = make("small", null, "");
  const end = message.expiresAt ? Date.parse(message.expiresAt) : null;
  const tick = () => end !== null && fill(left, expiry(end, now()));
  tick();
  on("tick", tick, signal);
  on("part", (part) => part === "clock" && tick(), signal);
  const push = message.payload ?? message.push;
  return make("li", { class: "message" },
    make("div", { class: "row" }, make("strong", null, foreign(message.to)), make("span", { class: "badge" }, visible(message.kind)), make("span", { class: "quiet" }, foreign(message.api)), make("span", { class: "quiet" }, reading(message.at))),
    message.code && make("div", { class: "row" }, make("span", { class: "code-large" }, foreign(message.code)), left),
    message.url && make("p", null, make("code", null, foreign(message.url)), " ", !message.code && left),
    message.token && !message.url && make("p", null, make("code", null, foreign(message.token)), " ", !message.code && left),
    push !== undefined && make("pre", { class: "code", tabindex: "0" }, visible(typeof push === "string" ? push : JSON.stringify(push, null, 2))),
    make("div", { class: "row" },
      message.code && short("Copy code", `Copy code for ${to}`, () => copy(message.code), { "data-call": null }),
      message.url && short("Copy link", `Copy link for ${to}`, () => copy(message.url), { "data-call": null }),
      message.url && isSafeLink(message.url) && short("Open link", `Open link for ${to}`, () => {
        window.open(message.url, "_blank", "noreferrer,noopener");
      }, { "data-call": null }),
      push !== undefined && short("Save push", `Save push for ${to}`, () => save(`${fileName(message.kind)}.apns`, typeof push === "string" ? push : JSON.stringify(push, null, 2)), { "data-call": null })));
}

/** @param {AbortSignal} signal */
function outboxRegion(signal) {
  const place = make("div");
  let life = new AbortController();
  let known = -1;
  const read = async () => {
    let list;
    try { list = await items("/outbox"); } catch { return; }
    if (signal.aborted) return;
    const apis = (app.route.params.get("api") ?? "").split(",").filter(Boolean);
    const shown = list.filter((one) => !apis.length || apis.includes(one.api));
    if (known >= 0 && list.length > known) announce(`A new message for ${visible(list[0].to)}`);
    known = list.length;
    life.abort();
    life = new AbortController();
    keepFocus(place, () => {
      if (!shown.length) fill(place, empty("No messages", `curl -X POST ${(app.apis.find((api) => api.name === "sawaed") ?? app.apis[0])?.url ?? location.origin}/api/mobile/v1/auth/request-otp -H 'Content-Type: application/json' -d '{"email":"layla@sawaed.test"}'`));
      else fill(place, make("ul", { "aria-label": "Messages", class: "plain-list" }, shown.slice(0, 100).map((one) => messageView(one, life.signal))), shown.length > 100 && make("p", { class: "quiet" }, `${number(shown.length - 100)} older ones are left out`));
    });
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(read, 100); };
  for (const news of ["event:outbox", "reread", "poll", "page-address", "event:outcome"]) on(news, soon, signal);
  signal.addEventListener("abort", () => life.abort());
  void read();
  return region("Outbox", place);
}

/** @param {any} [user] */
function openToken(user) {
  const api = apiSelect(user?.api, { "data-path": "$.api" });
  const who = make("input", { type: "text", autocomplete: "off", "data-path": "$.user" });
  who.value = user ? user.email ?? user.id : "";
  const kind = select(["access", "refresh", "apple-identity"], "access", { "data-path": "$.kind" });
  const state = select(["valid", "expired", "revoked", "bad-signature", "wrong-audience", "wrong-issuer"], "valid", { "data-path": "$.state" });
  const token = make("textarea", { readonly: true, rows: 4, class: "code" });
  const made = make("div", { hidden: true, class: "stack" }, field("Token", token), button("Copy token", () => copy(token.value)));
  openForm({
    title: "New token", action: "Make token", staysOpen: true,
    content: [make("div", { class: "fields" }, field("API", api), field("User", who), field("Kind", kind), field("State", state)), made],
    request: () => ({ method: "POST", path: "/tokens", body: { api: api.value, user: who.value.trim(), kind: kind.value, ...(state.value === "valid" ? {} : { state: state.value }) } }),
    perform: async ({ method, path, body }) => {
      const answer = await call(method, path, { body });
      token.value = answer.token;
      made.hidden = false;
      announce("The token was made");
      token.focus();
      token.select();
    },
  });
}

const PAGE = 100;

/** @param {AbortSignal} signal */
function usersRegion(signal) {
  const search = make("input", { type: "search", "aria-label": "Search users", class: "filter", placeholder: "Search users" });
  const found = make("span", { role: "status", class: "rows" });
  const place = make("div");
  let most = PAGE;
  let reading = 0;
  const end = (/** @type {any} */ user, /** @type {string} */ how) => attempt(async () => {
    await call("POST", `/users/${segment(user.email ?? user.id)}/${how}${query({ api: user.api })}`, { body: { tokens: "all" } });
    announce(`${how === "expire" ? "Expired" : "Revoked"} the tokens of ${visible(user.email ?? user.id)}`);
    await read();
  });
  const read = async () => {
    const own = (reading += 1);
    const [api = "", ...others] = (app.route.params.get("api") ?? "").split(",").filter(Boolean);
    let answer;
    try { answer = await reply("GET", `/users${query({ q: search.value.trim(), api: others.length ? "" : api, limit: most })}`); } catch { return; }
    if (own !== reading || signal.aborted) return;
    const users = answer.json.items;
    fill(found, `${number(answer.total)} ${answer.total === 1 ? "user" : "users"}`);
    keepFocus(place, () => {
      if (!users.length) {
        fill(place, search.value ? nothingMatches(() => { search.value = ""; void read(); search.focus(); }) : empty("No users", curlCall("GET", "/users")));
        return;
      }
      fill(place, table("Users", ["User", "API", "Sessions", "Access", "Refresh", ""], users.map((/** @type {any} */ user) => {
        const label = visible(user.email ?? user.name ?? user.id);
        return make("tr", null, [
          [foreign(user.email ?? user.id), user.name && make("small", null, " ", foreign(user.name))], foreign(user.api), number(user.sessions ?? 0), number(user.access ?? 0), number(user.refresh ?? 0),
          make("div", { class: "row" }, short("New token", `New token for ${label}`, () => openToken(user)), short("Expire", `Expire tokens of ${label}`, () => end(user, "expire")),
            short("Revoke", `Revoke tokens of ${label}`, () => end(user, "revoke"), { class: "danger" }), short("Show", `Show tokens of ${label}`, () => { location.hash = address("clock", { user: user.email ?? user.id, api: user.api }); })),
        ].map((cell) => make("td", null, cell)));
      })), answer.total > users.length && button("Show more users", () => { most = Math.min(most + 200, 1000); void read(); }));
    });
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(read, 250); };
  search.addEventListener("input", soon);
  for (const news of ["reread", "poll", "page-address", "event:outcome", "event:request", "event:change"]) on(news, soon, signal);
  on("part", (part) => part === "clock" && soon(), signal);
  void read();
  return region("Users", make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), found, button("New token", () => openToken(), { "data-call": true })), place);
}

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function show(main, signal) {

  const timer = setInterval(() => isRunning() && emit("tick"), 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  append(main, [outboxRegion(signal), usersRegion(signal)]);
}
