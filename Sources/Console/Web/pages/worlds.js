// @ts-check
// The page "Worlds": isolated copies of everything, and their snapshots.
import { chooseFile, copy, open, openForm, save } from "../kit/dialog.js";
import { keepFocus, nothingMatches, short, withUndo } from "../kit/world.js";
import { address, announce, app, attempt, call, get, go, items, on, segment, send } from "../kit/core.js";
import { append, button, field, fileName, fill, foreign, make, number, reading, region, size, table, visible } from "../kit/text.js";
import { Grid } from "../kit/grid.js";

const COLUMNS = [
  { key: "name", title: "World", width: "minmax(150px, 1.4fr)" }, { key: "from", title: "Forked from", width: "minmax(90px, 0.8fr)" }, { key: "clock", title: "Clock", width: "220px" },
  { key: "requests", title: "Requests", width: "84px" }, { key: "size", title: "Size", width: "84px" }, { key: "scenarios", title: "Scenarios", width: "minmax(110px, 1fr)" }, { key: "actions", title: "Actions", width: "472px" },
];

/** @param {string} name */
const worldAddress = (name) => address(app.route.page, { world: name });

/** Worlds with their forks below them. @param {any[]} worlds @returns {any[]} */
function asTree(worlds) {
  const names = new Set(worlds.map((world) => world.name));
  const found = /** @type {any[]} */ ([]);
  const add = (/** @type {any} */ world, /** @type {number} */ depth) => {
    if (found.some((one) => one.world === world)) return;
    found.push({ world, depth });
    for (const other of worlds) if (other.forkedFrom === world.name && other !== world) add(other, depth + 1);
  };
  for (const world of worlds) if (!world.forkedFrom || !names.has(world.forkedFrom)) add(world, 0);
  for (const world of worlds) add(world, 0);
  return found;
}

/** @param {string} source */
function openFork(source) {
  const name = make("input", { type: "text", autocomplete: "off", "data-path": "$.name" });
  let next = 1;
  while (app.worlds.some((world) => world.name === `${source}-${next}`)) next += 1;
  name.value = `${source}-${next}`;
  openForm({
    title: `Fork ${source}`, action: "Fork", content: [field("Name", name)],
    request: () => ({ method: "POST", path: "/worlds", body: { ...(name.value.trim() ? { name: name.value.trim() } : {}), from: source } }),
    perform: async ({ method, path, body }) => {
      const made = await call(method, path, { body, world: "" });
      announce(`Forked ${source} as ${made.name}`);
      go(worldAddress(made.name));
    },
  });
}

function openNew() {
  const name = make("input", { type: "text", autocomplete: "off", "data-path": "$.name" });
  const seed = make("input", { type: "number", min: "0", "data-path": "$.seed" });
  const clock = make("input", { type: "text", autocomplete: "off", placeholder: "real, 2025-01-01T12:00:00Z, frozen:…", "data-path": "$.clock" });
  openForm({
    title: "New world", action: "Make world", content: [make("div", { class: "fields" }, field("Name", name), field("Seed", seed), field("Clock", clock))],
    request: () => {
      /** @type {any} */
      const body = {};
      if (name.value.trim()) body.name = name.value.trim();
      if (seed.value !== "") body.seed = Number(seed.value);
      const text = clock.value.trim();
      if (text === "real") body.clock = { mode: "real" };
      else if (text.startsWith("frozen")) body.clock = { mode: "frozen", ...(text.includes(":") ? { now: text.slice(7) } : {}) };
      else if (text) body.clock = { mode: "offset", now: text };
      return { method: "POST", path: "/worlds", body };
    },
    perform: async ({ method, path, body }) => {
      const made = await call(method, path, { body, world: "" });
      announce(`Made the world ${made.name}`);
      go(worldAddress(made.name));
    },
  });
}

/** @param {string} name */
function askDelete(name) {
  const cancel = button("Cancel", () => dialog.close());
  const dialog = open({
    title: `Delete ${name}`, role: "alertdialog", content: [make("p", null, "Its rows, requests and snapshots go, and its answers under way are cut. This can't be undone.")],
    buttons: [cancel, button("Delete", () => {
      dialog.close();
      void attempt(async () => {
        await call("DELETE", `/worlds/${segment(name)}`, { world: "" });
        announce(`Deleted ${name}`);
        if (name === app.world) go(address("worlds", { world: "main" }));
        app.worlds = app.worlds.filter((world) => world.name !== name);
      });
    }, { class: "danger" })],
  });
  cancel.focus();
}

/** @param {string} name */
function askCompare(name) {
  const others = app.worlds.filter((world) => world.name !== name);
  if (others.length === 1) { go(address("compare", { a: others[0].name, b: name, worlds: "yes" })); return; }
  const dialog = open({
    title: `Compare ${name}`, content: [make("p", null, "With which world?"), make("ul", { class: "plain-list" }, others.slice(0, 50).map((world) => make("li", null, button(`With ${visible(world.name)}`, () => {
      dialog.close();
      go(address("compare", { a: world.name, b: name, worlds: "yes" }));
    }))))], buttons: [button("Cancel", () => dialog.close())],
  });
}

/** The addresses of the APIs in a world. @param {string} name */
const addresses = (name) => app.apis.map((api) => `${api.name} ${api.url}${name === "main" ? "" : `/@${name}`}`).join("\n");

/** @param {string} name */
const exportWorld = (name) => attempt(async () => {
  const response = await send("GET", "/state", { world: name, isSlow: true });
  save(`${fileName(name)}.world.json`, await response.blob());
});

const importWorld = () => attempt(async () => {
  const file = await chooseFile(".json,application/json");
  if (!file) return;
  const text = await file.text();
  await withUndo("import", () => call("PUT", "/state", { body: text, isSlow: true }));
  announce("The world was imported");
});

/** @param {AbortSignal} signal */
function snapshotsRegion(signal) {
  const place = make("div");
  const read = async () => {
    let list;
    try { list = await items("/snapshots"); } catch { return; }
    keepFocus(place, () => {
      const shown = list.filter((one) => one.name !== "console-undo");
      if (!shown.length) { fill(place, make("p", { class: "quiet" }, "No snapshots")); return; }
      fill(place, table("Snapshots", ["Name", "Taken", ""], shown.map((one) => make("tr", null, [
        foreign(one.name), one.createdAt || one.at ? reading(one.createdAt ?? one.at) : "",
        make("div", { class: "row" },
          short("Restore", `Restore ${visible(one.name)}`, () => attempt(() => withUndo("restore", () => call("POST", `/snapshots/${segment(one.name)}/restore`)))),
          short("Delete", `Delete snapshot ${visible(one.name)}`, () => attempt(async () => { await call("DELETE", `/snapshots/${segment(one.name)}`); await read(); }), { class: "danger" })),
      ].map((cell) => make("td", null, cell))))));
    });
  };
  const take = () => {
    const name = make("input", { type: "text", autocomplete: "off", "data-path": "$.name" });
    openForm({
      title: "New snapshot", action: "Take snapshot", content: [field("Name", name)],
      request: () => ({ method: "POST", path: "/snapshots", body: { name: name.value.trim() } }),
      perform: async ({ method, path, body }) => { await call(method, path, { body }); announce(`Took the snapshot ${body.name}`); await read(); },
    });
  };
  on("event:change", (data) => data.part === "snapshots" && void read(), signal);
  on("reread", read, signal);
  void read();
  return region("Snapshots", make("p", { class: "quiet" }, "Of the world ", foreign(app.world)), make("div", { class: "row" }, button("New snapshot", take, { "data-call": true })), place);
}

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function show(main, signal) {
  const search = make("input", { type: "search", "aria-label": "Search worlds", class: "filter", placeholder: "Search worlds" });
  const none = make("div", { hidden: true });
  /** @type {Grid<any>} */
  const grid = new Grid({
    name: "Worlds", columns: COLUMNS, height: 38,
    render: ({ world, depth }, row) => {
      const { name } = world;
      if (name === app.world) row.setAttribute("aria-label", `${name}, in use`);
      const { clock } = world;
      return [
        [make("span", { "aria-hidden": "true", class: "branch" }, depth ? `${"\u2003".repeat(Math.min(depth, 6) - 1)}└ ` : ""), make(name === app.world ? "strong" : "span", null, foreign(name)), name === app.world ? make("span", { class: "badge" }, "in use") : ""],
        foreign(world.forkedFrom ?? ""), [reading(clock?.now ?? ""), make("span", { class: "mode" }, clock?.mode ?? "")], number(world.requests ?? 0), size(world.bytes ?? 0),
        foreign([world.scenarios ?? world.scenario ?? []].flat().join(", ")),
        make("div", { class: "row tight" }, [
          short("Use", `Use ${name}`, () => go(worldAddress(name))), short("Fork", `Fork ${name}`, () => openFork(name)),
          short("Reset", `Reset ${name}`, () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {}, world: name }), name))),
          short("Export", `Export ${name}`, () => exportWorld(name)), short("Addresses", `Copy addresses of ${name}`, () => copy(addresses(name))),
          short("Compare", `Compare ${name}`, () => askCompare(name), app.worlds.length > 1 ? {} : { "aria-disabled": "true" }), name !== "main" && short("Delete", `Delete ${name}`, () => askDelete(name), { class: "danger" }),
        ].filter(Boolean)),
      ];
    },
    open: ({ world }) => go(worldAddress(world.name)),
  });
  const draw = () => {
    const words = search.value.toLowerCase();
    const worlds = app.worlds.filter((world) => `${world.name} ${world.forkedFrom ?? ""}`.toLowerCase().includes(words));
    grid.setItems(asTree(worlds));
    grid.refresh();
    none.hidden = worlds.length > 0;
    fill(none, !worlds.length && nothingMatches(() => { search.value = ""; draw(); search.focus(); }));
  };
  const read = async () => {
    try { app.worlds = (await get("/worlds", { world: "" })).items; } catch { return; }
    if (!signal.aborted) keepFocus(grid.node, draw);
  };
  search.addEventListener("input", draw);
  append(main, [
    make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), button("New world", openNew, { "data-call": true }), button("Import world", importWorld, { "data-call": true })),
    make("div", { class: "grid-worlds" }, grid.node), none, snapshotsRegion(signal),
  ]);
  on("worlds", () => keepFocus(grid.node, draw), signal);
  on("event:world", read, signal);
  on("reread", read, signal);
  on("poll", read, signal);
  signal.addEventListener("abort", () => grid.observer.disconnect());
  draw();
  void read();
}
