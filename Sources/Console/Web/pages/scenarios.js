// @ts-check
// The pages Scenarios and Clock: edge cases to switch on, and the world's time.
import { announce, app, attempt, call, change, chosenAPIs, get, items, later, on, preferences, query, reply, soon } from "../kit/core.js";
import { apiSelect, clearProblems, curlCall, jsonField, jsonText, showProblem } from "../kit/dialog.js";
import { eachSecond, empty, exchangeLink, field, keepFocus, moment, nothingMatches, quiet, region, save, searchBox, select, short, withUndo } from "../kit/parts.js";
import { append, button, count, fill, foreign, iso, link, make, number, reading, row, span, table, toggle, visible } from "../kit/text.js";
import * as state from "../kit/state.js";
import { advance, now, refresh, world } from "../kit/state.js";

const openToken = later("../pages/users.js", "openToken");

/** @type {[string, number][]} */
const STEPS = [["Advance 1 minute", 60], ["Advance 15 minutes", 900], ["Advance 1 hour", 3600], ["Advance 1 day", 86400], ["Advance 31 days", 31 * 86400]];
export const told = (answer) => announce(`The clock is at ${reading(answer.now)}; ${count(answer.fired ?? 0, "timer")} fired`);
export const move = (seconds) => attempt(async () => told(await advance({ seconds })));

const advanceButtons = () => make("div", { class: "row" }, STEPS.map(([name, seconds]) => button(name, () => move(seconds), { "data-call": true })));
async function setClock(body) {
  const answer = await call("PUT", "/clock", { body });
  await refresh("clock");
  announce(`The clock is at ${reading(answer.now)}, ${answer.mode}`);
}

/** What comes due. @param {Record<string, any>} options @returns {Promise<any[]>} */
export const upcoming = (options) => items(`/clock/upcoming${query(options)}`);

const isDuration = (text) => /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/.test(text.trim());

const KINDS = ["All", "access", "refresh", "otp", "magic-link", "qr", "cool-down", "rate-limit", "quota", "answer", "fault-from", "fault-until"];
const PASSED = 1000;

/** By what the world's clock is moved; what the server refuses is told at its field. @param {AbortSignal} signal */
export function clockControls(signal) {
  const text = { type: "text", autocomplete: "off", spellcheck: "false" };
  const duration = make("input", { ...text, placeholder: "PT15M, P1D", "data-path": "$.by" });
  const instant = make("input", { ...text, placeholder: "2025-03-01T08:00:00Z", "data-path": "$.now" });
  const rate = make("input", { type: "number", min: "0.001", max: "100000", step: "any", "data-path": "$.rate" });
  const preview = make("div", { role: "status", "aria-label": "Preview", class: "quiet" });
  const problem = make("div", { class: "problem" });
  let timer = 0;
  let own = 0;
  const foresee = () => {
    clearTimeout(timer);
    const text = duration.value.trim().toUpperCase();
    const mine = (own += 1);
    if (!text) { fill(preview); duration.removeAttribute("aria-invalid"); return; }
    const fits = isDuration(text);
    duration.setAttribute("aria-invalid", String(!fits));
    if (!fits) { fill(preview, "Enter an ISO 8601 duration, such as PT15M or P31D"); return; }
    timer = setTimeout(async () => {
      try {
        const answer = await call("POST", "/clock/advance?dryRun=true", { body: { by: text } });
        if (mine !== own) return;
        const passed = answer.passed ?? [];
        fill(preview, `To ${reading(answer.now)}: passes ${passed.length < PASSED ? "" : "at least "}${count(passed.length, "item")}, ${count(answer.fired ?? 0, "timer")} would fire`,
          passed.length > 0 && make("ul", null, passed.slice(0, 6).map((one) => make("li", null, foreign(one.what))), passed.length > 6 && make("li", null, `and ${number(passed.length - 6)} more`)));
      } catch (error) {
        if (mine === own) fill(preview, foreign(/** @type {Error} */ (error).message));
      }
    }, 150);
  };
  duration.addEventListener("input", foresee);
  const perform = async (action) => {
    fill(problem);
    clearProblems(node);
    try { await action(); } catch (error) { showProblem(error, node, problem); }
  };
  const go = () => {
    const by = duration.value.trim().toUpperCase();
    if (!by) { duration.focus(); return; }
    void perform(async () => {
      told(await advance({ by }));
      foresee();
    });
  };
  const isFrozen = () => world.clock?.mode === "frozen";
  const here = () => new Date(now()).toISOString();
  const set = () => {
    const text = instant.value.trim();
    if (text) void perform(() => setClock({ mode: isFrozen() ? "frozen" : "offset", now: text }));
    else instant.focus();
  };
  const entered = (action) => (event) => { if (event.key === "Enter") action(); };
  duration.addEventListener("keydown", entered(go));
  instant.addEventListener("keydown", entered(set));
  rate.addEventListener("change", () => {
    if (rate.value !== "") void perform(() => setClock({ mode: "offset", now: here(), rate: Number(rate.value) }));
  });
  const freeze = button("Freeze", () => perform(() => setClock(isFrozen() ? { mode: "offset", now: here() } : { mode: "frozen" })), { "data-call": true });
  const show = () => {
    fill(freeze, isFrozen() ? "Run" : "Freeze");
    if (document.activeElement !== rate) rate.value = String(world.clock?.rate ?? 1);
  };
  on("part", (part) => { show(); if (part === "clock" && duration.value) foresee(); }, signal);
  show();
  const node = make("div", { class: "stack" }, advanceButtons(),
    make("div", { class: "row bottom" }, field("Duration", duration), button("Advance", go, { "data-call": true }), field("Instant", instant), button("Set clock", set, { "data-call": true }), freeze, field("Rate", rate)),
    problem, preview);
  return node;
}
function nowRegion(signal) {
  const time = make("p", { class: "now" });
  const tick = () => fill(time, reading(state.now()));
  const mode = make("p", { class: "quiet" });
  const show = () => {
    tick();
    const { clock } = state.world;
    fill(mode, clock ? `${clock.mode}${clock.mode === "frozen" ? "" : `, rate ${number(clock.rate)}`}` : "");
  };
  on("part:clock", show, signal);
  eachSecond(() => state.isRunning() && !document.hidden && tick(), signal);
  show();
  return region("Now", time, mode, clockControls(signal));
}
const MOST = 200;
/** News after which something else may come due. */
export const DUE = "open event:request event:outcome event:outbox event:change reread";
function upcomingRegion(signal) {
  const kind = select(KINDS, app.route.params.get("kind") ?? "All");
  let user = app.route.params.get("user") ?? "";
  const whose = make("p", null);
  const showUser = () => fill(whose, user && ["Of ", foreign(user)]);
  const place = make("div");
  let list = [];
  let isCut = false;
  const move = (to) => attempt(async () => { told(await state.advanceTo(to)); await read(); });
  let command = "";
  /** For whom the command creates a token. */
  let owner;
  const draw = () => keepFocus(place, () => {
    if (!list.length) { fill(place, empty("Nothing comes due", "Tokens, codes and limits that end are listed here.", command, owner && button("New token", () => openToken(owner), { "data-call": true }))); return; }
    const now = state.now();
    const rows = list.map((one) => {
      const at = Date.parse(one.at);
      return row(
        make("span", { class: "badge" }, one.kind), moment(one.at), make("span", { class: "in", "data-at": at }, `in ${span(at - now)}`), [foreign(one.what), one.request && [" ", exchangeLink(one.request)]],
        foreign(one.api ?? ""), foreign(one.user ?? ""),
        make("div", { class: "row" }, ...[["Just before", -1000], ["Just after", 1000]].map(([name, step]) => short(String(name), String(name), () => move(at + Number(step)), { title: `${name} ${iso(at)}: ${visible(one.what)}` })))
      );
    });
    fill(place, table("Upcoming", ["Kind", "When", "In", "What", "API", "User", "Actions"], rows), isCut && quiet(`Only the next ${MOST} are shown`));
  }, [list, command, state.isRunning() || state.now()]);
  let reading = 0;
  const read = async () => {
    const own = (reading += 1);
    const apis = chosenAPIs();
    let found;
    try { found = await upcoming({ limit: MOST, kind: kind.value === "All" ? "" : kind.value, user, api: apis.length === 1 ? apis[0] : "" }); } catch { return; }
    if (own !== reading) return;
    list = found;
    isCut = list.length >= MOST;
    if (apis.length > 1) list = list.filter((one) => apis.includes(one.api));
    if (!list.length && !command) {
      const [one] = await items(`/users${query({ limit: 1, api: apis[0] })}`).catch(() => []);
      owner = one;
      if (one) command = curlCall("POST", "/tokens", { api: one.api, user: one.email ?? one.id, kind: "access" });
    }
    if (!signal.aborted) draw();
  };
  kind.addEventListener("change", () => change({ kind: kind.value === "All" ? null : kind.value }, { replaces: true }));
  on("page-address", () => {
    user = app.route.params.get("user") ?? "";
    kind.value = app.route.params.get("kind") ?? "All";
    showUser();
    void read();
  }, signal);
  showUser();
  place.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const after = [...place.querySelectorAll('button[aria-label="Just after"]')];
    const row = /** @type {HTMLElement} */ (event.target).closest("tbody tr");
    const index = after.findIndex((one) => row?.contains(one));
    const next = after[index < 0 ? 0 : index + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    /** @type {HTMLElement | undefined} */ (next)?.focus();
  });
  const later = soon(read, 250);
  on(`part:clock ${DUE}`, later, signal);
  eachSecond(() => {
    if (!state.isRunning() || document.hidden) return;
    const now = state.now();
    for (const node of place.querySelectorAll(".in")) fill(node, `in ${span(Number(/** @type {HTMLElement} */ (node).dataset.at) - now)}`);
    if (list[0] && Date.parse(list[0].at) < now) later();
  }, signal);
  return { reading: read(), node: region("Comes due", make("div", { class: "row bottom" }, field("Kind", kind), whose), place) };
}
const MOVES = 50;
function movesRegion(signal) {
  const list = make("ul", { "aria-label": "Moves", class: "plain-list" });
  const read = async () => {
    try {
      const { json: { items: notes }, total } = await reply("GET", `/notes?kind=clock&limit=${MOVES}`);
      fill(list, notes.length ? notes.map((note) => make("li", null, foreign(note.text), " ", make("small", null, "at ", moment(note.at, note.wallAt)))) : make("li", { class: "quiet" }, "The clock has not been moved"),
        total > MOVES && make("li", { class: "quiet" }, `${number(total - MOVES)} older ones are not shown`));
    } catch { fill(list, make("li", { class: "quiet" }, "The clock has not been moved")); }
  };
  on("event:note", (note) => note.kind === "clock" && void read(), signal);
  on("part:clock reread", read, signal);
  void read();
  return region("Clock history", list);
}
export function showClock(main, signal) {
  const coming = upcomingRegion(signal);
  append(main, [nowRegion(signal), coming.node, movesRegion(signal)]);
  return coming.reading;
}

const SHOWN = 60;

const checked = {
  all: () => new Set(preferences.get("checked").split(",").filter(Boolean)),
  set: (name, isChecked) => {
    const names = checked.all();
    if (isChecked) names.add(name);
    else names.delete(name);
    preferences.set("checked", [...names].join(","));
  },
};
export function show(main, signal) {
  let most = SHOWN;
  let seen = new Set();
  const search = searchBox("Search scenarios", "Name, title, what a client should do");
  search.value = app.route.params.get("q") ?? "";
  const filter = select(["All", "On", "Not seen", "Not checked"], app.route.params.get("show") ?? "All");
  const found = make("span", { role: "status", class: "rows" });
  const place = make("div");
  const left = make("div");

  const fits = (one, ticked) => {
    if (filter.value === "On" && !one.active) return false;
    if (filter.value === "Not seen" && seen.has(one.name)) return false;
    if (filter.value === "Not checked" && ticked.has(one.name)) return false;
    const apis = chosenAPIs();
    if (apis.length && !apis.includes(one.name.split("/")[0])) return false;
    const text = `${one.name} ${one.title} ${one.expect}`.toLowerCase();
    return search.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const visibleOnes = () => {
    const ticked = checked.all();
    return state.world.scenarios.filter((one) => fits(one, ticked));
  };

  const turn = async (one, isOn) => {
    const answer = await state.turn(one.name, isOn);
    if (!answer) return;
    const rows = /** @type {string[]} */ (answer.changed ?? []);
    fill(left, !isOn && rows.length > 0 && make("div", { class: "notice", role: "status" },
      make("div", null, make("strong", null, `${count(rows.length, "row")} changed by ${visible(one.name)} ${rows.length === 1 ? "stays" : "stay"} changed: `),
        rows.slice(0, 40).map((row) => [make("code", null, foreign(row)), " "]), rows.length > 40 && `and ${number(rows.length - 40)} more`),
      button("Reset", () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {} }))), { "data-call": true })));
    announce(`${one.name} is ${isOn ? "on" : "off"}`);
    void readSeen();
  };

  const draw = () => keepFocus(place, () => {
    const ones = visibleOnes();
    fill(found, `${count(ones.length, "scenario")} of ${number(state.world.scenarios.length)}`);
    if (!ones.length) {
      fill(place, state.world.scenarios.length === 0 ? app.apis.length > 0 && empty("No scenarios", "An API of your own has those in its folder scenarios.") : nothingMatches(() => { search.value = ""; filter.value = "All"; change({ api: null, q: null, show: null }); apply(); search.focus(); }));
      return;
    }
    const ticked = checked.all();
    const rows = [];
    let api = "";
    for (const one of ones.slice(0, most)) {
      const [own] = one.name.split("/");
      if (own !== api) {
        api = own;
        rows.push(make("tr", { class: "group" }, make("th", { colspan: 5, scope: "rowgroup" }, foreign(app.apis.find((other) => other.name === own)?.title ?? own))));
      }
      rows.push(row(
        toggle(visible(one.name), one.active, (isOn) => turn(one, isOn), { "data-call": true }),
        foreign(one.title), foreign(one.expect), seen.has(one.name) ? "✓ seen" : make("small", { class: "in" }, "not seen"),
        make("label", { class: "check" }, make("input", { type: "checkbox", "aria-label": `Checked ${visible(one.name)}`, checked: ticked.has(one.name), on: { change: (event) => checked.set(one.name, event.target.checked) } }))
      ));
    }
    fill(place, table("Scenarios", ["Scenario", "What happens", "What a client should do", "Seen", "Checked"], rows),
      ones.length > most && button(`Show ${Math.min(SHOWN, ones.length - most)} more`, () => { most += SHOWN; draw(); }));
  });
  const apply = () => { most = SHOWN; draw(); };
  search.addEventListener("input", apply);
  filter.addEventListener("change", apply);
  const readSeen = async () => {
    try {
      const coverage = await get("/coverage?limit=1");
      seen = new Set(coverage.scenarios?.names ?? []);
      draw();
    } catch { /* A server without coverage has seen none. */ }
  };
  const exported = () => {
    const ticked = checked.all();
    const line = (one) => `- [${ticked.has(one.name) ? "x" : " "}] \`${one.name}\`${seen.has(one.name) ? " (seen)" : ""}: ${one.title.replace(/\s+/g, " ")} → ${one.expect.replace(/\s+/g, " ")}`;
    save("checklist.md", `# Scenarios of ${app.world}\n\n${visibleOnes().map(line).join("\n")}\n`, "text/markdown");
  };

  append(main, [
    make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), field("Show", filter), found, button("Export checklist", exported)),
    left, make("div", { class: "panel" }, place), settingsRegion(signal),
  ]);
  on("part:scenarios apis", draw, signal);
  let asked = app.route.params.get("q");
  on("page-address", () => {
    const next = app.route.params.get("q");
    // What is typed meanwhile stays, unless the address asks for something else.
    if (next !== asked) search.value = asked = next ?? "";
    draw();
  }, signal);
  const later = soon(readSeen, 300);
  on("open event:request event:outcome reread poll", later, signal);
  draw();
  return Promise.all([state.refresh("scenarios"), readSeen()]);
}
function settingsRegion(signal) {
  const api = apiSelect();
  const json = jsonField({ rows: 12, "data-path": "$" });
  const problem = make("div", { class: "problem" });
  const node = region("Settings", make("div", { class: "row" }, field("API", api)), field("Settings (JSON)", json.area, json.note), problem, make("div", { class: "row" }, button("Apply settings", () => apply(), { "data-call": true })));
  let shown = "";
  const read = async () => {
    try {
      const settings = await get("/settings");
      const text = jsonText(settings[api.value] ?? {}, 2);
      // What was typed stays.
      if (json.area.value === shown) json.area.value = text;
      shown = json.area.value === text ? text : shown;
    } catch { /* It is read again. */ }
  };
  const apply = async () => {
    const { value, problem: broken } = json.read();
    if (broken || value === undefined) { json.area.focus(); return; }
    fill(problem);
    try {
      await call("PUT", "/settings", { body: { [api.value]: value } });
      announce(`The settings of ${api.value} were applied`);
      shown = json.area.value;
      await read();
    } catch (error) {
      showProblem(error, node, problem);
    }
  };
  api.addEventListener("change", () => { shown = json.area.value; void read(); });
  on("open settings apis reread poll event:scenario", read, signal);
  void read();
  return node;
}
