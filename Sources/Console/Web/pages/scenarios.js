// @ts-check
// The page "Scenarios": edge cases to switch on, and a checklist of those that were tried.
import { jsonField, save, showProblem } from "../kit/dialog.js";
import { keepFocus, nothingMatches, withUndo } from "../kit/world.js";
import { announce, app, attempt, call, change, get, on, preferences, segment } from "../kit/core.js";
import { append, button, count, field, fill, foreign, make, region, select, table, toggle, visible } from "../kit/text.js";
import * as state from "../kit/world.js";

const SHOWN = 60;

/** The names that were ticked off, kept in the browser. */
const checked = {
  all: () => new Set(preferences.get("checked").split(",").filter(Boolean)),
  /** @param {string} name @param {boolean} isChecked */
  set: (name, isChecked) => {
    const names = checked.all();
    if (isChecked) names.add(name);
    else names.delete(name);
    preferences.set("checked", [...names].join(","));
  },
};

/** @param {string} name */
const path = (name) => `/scenarios/${name.split("/").map(segment).join("/")}`;

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function show(main, signal) {
  let most = SHOWN;
  let seen = new Set();
  const search = make("input", { type: "search", "aria-label": "Search scenarios", placeholder: "Name, title, what a client should do", class: "filter" });
  search.value = app.route.params.get("q") ?? "";
  const filter = select(["All", "On", "Not seen", "Not checked"], app.route.params.get("show") ?? "All");
  const found = make("span", { role: "status", class: "rows" });
  const place = make("div");
  const left = make("div");

  const fits = (/** @type {any} */ one, /** @type {Set<string>} */ ticked) => {
    if (filter.value === "On" && !one.active) return false;
    if (filter.value === "Not seen" && seen.has(one.name)) return false;
    if (filter.value === "Not checked" && ticked.has(one.name)) return false;
    const apis = (app.route.params.get("api") ?? "").split(",").filter(Boolean);
    if (apis.length && !apis.includes(one.name.split("/")[0])) return false;
    const text = `${one.name} ${one.title} ${one.expect}`.toLowerCase();
    return search.value.toLowerCase().split(/\s+/).every((/** @type {string} */ word) => text.includes(word));
  };
  const visibleOnes = () => {
    const ticked = checked.all();
    return state.world.scenarios.filter((one) => fits(one, ticked));
  };

  const turn = (/** @type {any} */ one, /** @type {boolean} */ isOn) => attempt(async () => {
    const answer = await call(isOn ? "PUT" : "DELETE", path(one.name));
    const rows = answer?.changedRows ?? answer?.rows ?? answer?.items ?? answer?.changed ?? [];
    fill(left, !isOn && rows.length > 0 && make("div", { class: "notice", role: "status" },
      make("div", null, make("strong", null, `${count(rows.length, "row")} changed by ${visible(one.name)} ${rows.length === 1 ? "stays" : "stay"} changed: `),
        rows.slice(0, 40).map((/** @type {any} */ row) => [make("code", null, foreign(typeof row === "string" ? row : row.path ?? [row.table, row.id].filter(Boolean).join("/"))), " "])),
      button("Reset", () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {} }))), { "data-call": true })));
    announce(`${one.name} is ${isOn ? "on" : "off"}`);
    await Promise.all(["scenarios", "faults", "latency", "clock"].map(state.refresh));
    void readSeen();
  });

  const draw = () => keepFocus(place, () => {
    const ones = visibleOnes();
    fill(found, `${count(ones.length, "scenario")} of ${state.world.scenarios.length}`);
    if (!ones.length) {
      fill(place, state.world.scenarios.length > 0 && nothingMatches(() => { search.value = ""; filter.value = "All"; change({ api: null, q: null, show: null }); apply(); search.focus(); }));
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
      rows.push(make("tr", null, [
        toggle(visible(one.name), one.active, (isOn) => turn(one, isOn), { "data-call": true }),
        foreign(one.title), foreign(one.expect), seen.has(one.name) ? "✓ seen" : make("span", { class: "quiet" }, "not seen"),
        make("label", { class: "check" }, make("input", { type: "checkbox", "aria-label": `Checked ${visible(one.name)}`, checked: ticked.has(one.name), on: { change: (/** @type {any} */ event) => checked.set(one.name, event.target.checked) } })),
      ].map((cell) => make("td", null, cell))));
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
    const line = (/** @type {any} */ one) => `- [${ticked.has(one.name) ? "x" : " "}] \`${one.name}\`${seen.has(one.name) ? " (seen)" : ""}: ${one.title.replace(/\s+/g, " ")} → ${one.expect.replace(/\s+/g, " ")}`;
    save("checklist.md", `# Scenarios of ${app.world}\n\n${visibleOnes().map(line).join("\n")}\n`, "text/markdown");
  };

  append(main, [
    make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), field("Show", filter), found, button("Export checklist", exported)),
    left, make("div", { class: "panel" }, place), settingsRegion(signal),
  ]);
  on("part", (part) => part === "scenarios" && draw(), signal);
  on("apis", draw, signal);
  on("page-address", () => { search.value = app.route.params.get("q") ?? search.value; draw(); }, signal);
  on("event:outcome", readSeen, signal);
  draw();
  void state.refresh("scenarios");
  void readSeen();
}

/** @param {AbortSignal} signal */
function settingsRegion(signal) {
  const api = select(/** @type {string[]} */ (app.apis.map((one) => one.name)), app.apis[0]?.name);
  const json = jsonField({ rows: 12, "data-path": "$" });
  const problem = make("div", { class: "problem" });
  const node = region("Settings", make("div", { class: "row" }, field("API", api)), field("Settings (JSON)", json.area, json.note), problem, make("div", { class: "row" }, button("Apply settings", () => apply(), { "data-call": true })));
  const read = async () => {
    try {
      const settings = await get("/settings");
      if (document.activeElement !== json.area) json.area.value = JSON.stringify(settings[api.value] ?? {}, null, 2);
    } catch { /* It is read again. */ }
  };
  const apply = async () => {
    const { value, problem: broken } = json.read();
    if (broken || value === undefined) { json.area.focus(); return; }
    fill(problem);
    try {
      await call("PUT", "/settings", { body: { [api.value]: value } });
      announce(`The settings of ${api.value} were applied`);
      await read();
    } catch (error) {
      showProblem(error, node, problem);
    }
  };
  api.addEventListener("change", read);
  on("settings", read, signal);
  on("apis", () => {
    if (!api.options.length) fill(api, app.apis.map((one) => make("option", { value: one.name }, one.name)));
    void read();
  }, signal);
  void read();
  return node;
}
