// @ts-check
// The pages Worlds, Report and Compare.
import { Silence, address, announce, app, attempt, call, chosenAPIs, copy, emit, get, go, hasToken, items, on, query, segment, send, soon } from "../kit/core.js";
import { curlCall, open, openForm, showProblem } from "../kit/dialog.js";
import { Grid } from "../kit/grid.js";
import { markFindings } from "../kit/journal.js";
import { chooseFile, empty, exchangeLink, facts, field, fileName, keepFocus, nothingMatches, plainList, quiet, region, save, searchBox, short, textInput, withUndo } from "../kit/parts.js";
import { append, button, code, count, fill, foreign, link, make, number, reading, row, size, table, toggle, visible } from "../kit/text.js";
import * as state from "../kit/state.js";
import { differenceTable } from "./exchange.js";

const COLUMNS = [
  { key: "name", title: "World", width: "minmax(122px, 1.4fr)" }, { key: "from", title: "Forked from", width: "minmax(90px, 0.8fr)" }, { key: "clock", title: "Clock", width: "240px" },
  { key: "requests", title: "Requests", width: "72px" }, { key: "size", title: "Size", width: "84px" }, { key: "scenarios", title: "Scenarios", width: "minmax(84px, 1fr)" }, { key: "actions", title: "Actions", width: "386px" },
];
const worldAddress = (name) => address(app.route.page, { world: name });

function asTree(worlds) {
  const names = new Set(worlds.map((world) => world.name));
  const found = [];
  const add = (world, depth) => {
    if (found.some((one) => one.world === world)) return;
    found.push({ world, depth });
    for (const other of worlds) if (other.forkedFrom === world.name && other !== world) add(other, depth + 1);
  };
  for (const world of worlds) if (!world.forkedFrom || !names.has(world.forkedFrom)) add(world, 0);
  for (const world of worlds) add(world, 0);
  return found;
}
function openFork(source) {
  let next = 1;
  while (app.worlds.some((world) => world.name === `${source}-${next}`)) next += 1;
  const name = textInput("$.name", `${source}-${next}`);
  openForm({
    title: `Fork ${source}`, action: "Fork", content: [field("Name", name)],
    request: () => ({ method: "POST", path: "/worlds", world: "", body: { name: name.value.trim() || undefined, from: source } }),
    done: (made) => {
      announce(`Forked ${source} as ${made.name}`);
      go(worldAddress(made.name));
    },
  });
}

function openNew() {
  const name = textInput("$.name");
  const seed = make("input", { type: "number", min: "0", "data-path": "$.seed" });
  const clock = textInput("$.clock", "", { placeholder: "real, 2025-01-01T12:00:00Z, frozen:…" });
  openForm({
    title: "New world", action: "Make world", content: [make("div", { class: "fields" }, field("Name", name), field("Seed", seed), field("Clock", clock))],
    request: () => {
      const body = {};
      if (name.value.trim()) body.name = name.value.trim();
      if (seed.value !== "") body.seed = Number(seed.value);
      const text = clock.value.trim();
      if (text === "real") body.clock = { mode: "real" };
      else if (text.startsWith("frozen")) body.clock = { mode: "frozen", ...(text.includes(":") ? { now: text.slice(7) } : {}) };
      else if (text) body.clock = { mode: "offset", now: text };
      return { method: "POST", path: "/worlds", world: "", body };
    },
    done: (made) => {
      announce(`Created the world ${made.name}`);
      go(worldAddress(made.name));
    },
  });
}
function askDelete(name) {
  openForm({
    title: `Delete ${name}`, role: "alertdialog", action: "Delete",
    content: [make("p", null, "Its rows, requests and snapshots are deleted, and its open responses are cut. This can't be undone.")],
    request: () => ({ method: "DELETE", path: `/worlds/${segment(name)}`, world: "" }),
    done: () => {
      announce(`Deleted ${name}`);
      app.worlds = app.worlds.filter((world) => world.name !== name);
      if (name === app.world) go(address("worlds", { world: "main" }));
      else emit("worlds");
    },
  });
}
function askCompare(name) {
  const others = app.worlds.filter((world) => world.name !== name);
  const compare = (other) => go(address("compare", { a: other.name, b: name, worlds: "yes" }));
  if (others.length === 1) { compare(others[0]); return; }
  const dialog = open({
    title: `Compare ${name}`, content: [make("p", null, "With which world?"), make("ul", { class: "plain-list" }, others.slice(0, 50).map((world) => make("li", null, button(`With ${visible(world.name)}`, () => {
      dialog.close();
      compare(world);
    }))), others.length > 50 && make("li", null, `${number(others.length - 50)} more are not shown`))], closes: "Cancel",
  });
}

const addresses = (name) => app.apis.map((api) => `${api.name} ${api.url}${name === "main" ? "" : `/@${name}`}`).join("\n");
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
function snapshotsRegion(signal) {
  const place = make("div", { class: "stack" });
  const read = async () => {
    let list;
    try { list = await items("/snapshots"); } catch { return; }
    keepFocus(place, () => {
      const shown = list.filter((one) => one.name !== "console-undo");
      const create = button("New snapshot", take, { "data-call": true });
      if (!shown.length) { fill(place, empty("No snapshots", "A snapshot brings a world back to where it was.", curlCall("POST", "/snapshots", { name: "before" }), create)); return; }
      fill(place, make("div", { class: "row" }, create), table("Snapshots", ["Name", "Taken", "Actions"], shown.map((one) => row(
        foreign(one.name), reading(one.createdAt),
        make("div", { class: "row" },
          short("Restore", `Restore ${visible(one.name)}`, () => attempt(() => withUndo("restore", () => call("POST", `/snapshots/${segment(one.name)}/restore`)))),
          short("Delete", `Delete snapshot ${visible(one.name)}`, () => attempt(async () => { await call("DELETE", `/snapshots/${segment(one.name)}`); await read(); }), { class: "danger" }))
      ))));
    });
  };
  const take = () => {
    const name = textInput("$.name");
    openForm({
      title: "New snapshot", action: "Take snapshot", content: [field("Name", name)],
      request: () => ({ method: "POST", path: "/snapshots", body: { name: name.value.trim() } }),
      done: (made) => { announce(`Took the snapshot ${made.name}`); return read(); },
    });
  };
  on("event:change", (data) => data.part === "snapshots" && void read(), signal);
  on("open reread poll", read, signal);
  void read();
  return region("Snapshots", quiet("Of the world ", foreign(app.world)), place);
}
export function showWorlds(main, signal) {
  const search = searchBox("Search worlds");
  const none = make("div", { hidden: true });
  /** @type {Grid<any>} */
  const grid = new Grid({
    name: "Worlds", columns: COLUMNS, height: 38,
    render: ({ world, depth }, row) => {
      const { name } = world;
      if (name === app.world) row.setAttribute("aria-label", `${name}, in use`);
      const { clock } = world;
      return [
        [make("span", { "aria-hidden": "true", class: "branch" }, depth ? `${"\u2003".repeat(Math.min(depth, 6) - 1)}└ ` : ""), make(name === app.world ? "strong" : "span", null, foreign(name)), name === app.world ? [" ", make("span", { class: "badge" }, "in use")] : ""],
        foreign(world.forkedFrom), [reading(clock.now), make("span", { class: "mode" }, clock.mode)], number(world.requests), size(world.bytes),
        make("span", { title: world.scenarios?.join("\n") }, foreign(world.scenarios?.join(", ") ?? world.scenario)),
        make("div", { class: "row tight" }, [
          short("Use", `Use ${name}`, () => go(worldAddress(name))), short("Fork", `Fork ${name}`, () => openFork(name)),
          short("Reset", `Reset ${name}`, () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {}, world: name }), name))),
          short("Export", `Export ${name}`, () => exportWorld(name)), short("Addresses", `Copy addresses of ${name}`, () => copy(addresses(name))),
          short("Compare", `Compare ${name}`, () => askCompare(name), app.worlds.length > 1 ? {} : { "aria-disabled": "true" }), name !== "main" && short("Delete", `Delete ${name}`, () => askDelete(name), { class: "danger" }),
        ].filter(Boolean)),
      ];
    },
    open: ({ world }) => go(worldAddress(world.name)),
    identity: ({ world }) => world.name,
  });
  const place = make("div", { class: "grid-worlds" }, grid.node);
  const draw = () => {
    const words = search.value.toLowerCase();
    const worlds = app.worlds.filter((world) => `${world.name} ${world.forkedFrom ?? ""}`.toLowerCase().includes(words));
    grid.setItems(asTree(worlds));
    grid.refresh();
    place.classList.toggle("few", worlds.length <= 4);
    none.hidden = worlds.length > 0;
    fill(none, !worlds.length && nothingMatches(() => { search.value = ""; draw(); search.focus(); }));
  };
  const read = async () => {
    try { app.worlds = (await get("/worlds", { world: "" })).items; } catch { return; }
    if (!signal.aborted) keepFocus(grid.node, draw, app.worlds);
  };
  const later = soon(read, 1000);
  // Other worlds tell of what happens there in streams of their own.
  const timer = setInterval(() => { if (!document.hidden) later(); }, 2000);
  search.addEventListener("input", draw);
  append(main, [
    make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), button("New world", openNew, { "data-call": true }), button("Import world", importWorld, { "data-call": true })),
    place, none, snapshotsRegion(signal),
  ]);
  on("worlds", () => keepFocus(grid.node, draw), signal);
  on("open event:world reread poll", read, signal);
  on("event:request event:outcome event:scenario event:clock", later, signal);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    grid.observer.disconnect();
  });
  draw();
  return read();
}

const WORDS = /** @type {Record<string, string>} */ ({ same: "= same", changed: "≠ changed", missing: "− missing", extra: "+ extra" });
const MOST = 300;

const areWorlds = (params) => params.has("worlds") || [params.get("a"), params.get("b")].every((name) => app.worlds.some((world) => world.name === name));
export function showCompare(main, signal) {
  const place = make("div", { class: "stack" });
  append(main, [place]);
  let reading = 0;
  const read = async () => {
    const own = (reading += 1);
    const { params } = app.route;
    const [a, b] = [params.get("a") ?? "", params.get("b") ?? ""];
    if (!a || !b) { fill(place, make("p", null, "Choose two requests in ", link(address("traffic"), "Traffic"), ", or two worlds in ", link(address("worlds"), "Worlds"), ".")); return; }
    fill(place, quiet("Comparing…"));
    if (!app.worlds.length) app.worlds = await items("/worlds", { world: "" }).catch(() => []);
    const isWorlds = areWorlds(params);
    const [worldA, worldB] = [params.get("aworld") ?? undefined, params.get("bworld") ?? undefined];
    try {
      const answer = await call("POST", "/compare", { body: isWorlds ? { a: { world: a }, b: { world: b } } : { a: { request: a, world: worldA }, b: { request: b, world: worldB } }, isSlow: true });
      if (!signal.aborted && own === reading) fill(place, isWorlds ? worlds(answer, a, b) : exchanges(answer, a, b, worldA, worldB));
    } catch (error) {
      if (!signal.aborted && own === reading) showProblem(error, place, place);
    }
  };
  on("page-address", read, signal);
  return read();
}
const sideLink = (id, world) => link(address("traffic", { exchange: id, ...(world ? { world } : {}) }), foreign(id), world && [" in ", foreign(world)]);
function exchanges(answer, a, b, worldA, worldB) {
  const { differences, ignored = [] } = answer;
  return [
    make("p", null, sideLink(a, worldA), " with ", sideLink(b, worldB), differences.length ? ` · ${count(differences.length, "difference")}${answer.truncated ? ", and more" : ""}` : " · no difference"),
    differences.length > 0 && make("div", { class: "panel" }, differenceTable(differences, a, b)),
    ignored.length > 0 && make("details", null, make("summary", null, `${number(ignored.length)} ignored`), plainList(ignored.map(code))),
  ];
}
function worlds(answer, a, b) {
  const rows = answer.items.slice(0, MOST).map((one) => row(
    one.a && one.b ? link(address("compare", { a: one.a, b: one.b, aworld: a, bworld: b }), WORDS[one.state] ?? one.state) : WORDS[one.state] ?? one.state,
    foreign(one.api), one.method, code(one.route), one.a ? sideLink(one.a, a) : "–", one.b ? sideLink(one.b, b) : "–", number(one.differences)
  ));
  return [
    make("p", null, "The exchanges of ", foreign(a), " with those of ", foreign(b), answer.same ? " · no difference" : ""),
    make("div", { class: "panel" }, table("Exchanges", ["State", "API", "Method", "Route", a, b, "Differences"], rows)),
    answer.items.length > MOST && quiet(`The first ${number(MOST)} of ${number(answer.items.length)} pairs`),
  ];
}
/** Backticks set code apart. */
const prose = (text) => text.split("`").map((part, index) => (index % 2 ? code(part) : foreign(part)));
function findingView(finding) {
  return make("article", { class: "message", tabindex: "-1" },
    make("div", { class: "row" }, make("span", { class: `badge ${finding.severity === "error" ? "k-finding" : "k-scenario"}` }, finding.severity === "error" ? "✕ error" : "! warning"), make("strong", null, foreign(finding.title)), code(finding.as ?? finding.rule), finding.suppressed && make("span", { class: "badge" }, `suppressed by ${finding.suppressed.by}`)),
    quiet(foreign(`${finding.api} ${finding.method} ${finding.route}`), finding.user && [" by ", foreign(finding.user)], ` · ${count(finding.count, "time")}`),
    facts([["Seen", prose(finding.seen)], ["Expected", prose(finding.expected)], ["Why", prose(finding.why)], ["Fix", [prose(finding.fix), !hasToken() && [" ", make("a", { href: `/__admin/conduct/rules/${finding.rule.split("/").map(segment).join("/")}?format=html`, class: "outside" }, "With code")]]]]),
    finding.requests.length > 0 && make("p", null, "Exchanges: ", finding.requests.map((id, index) => [index > 0 && ", ", exchangeLink(id)])));
}

function exercisedView(by) {
  return (by ?? []).map((name) => {
    const scenario = state.world.scenarios.find((one) => one.name === name);
    return scenario ? toggle(name, scenario.active, (isOn) => state.turn(name, isOn), { "data-call": true }) : code(name);
  });
}
function conductRegion(signal) {
  const place = make("div", { class: "stack" }, quiet("Judging the journal…"));
  const later = soon(() => read(), 1000);
  let isReading = false;
  let findings = [];
  /** The address whose finding has been led to. */
  let led = "";
  /** Leads to the finding of the address: by its rule, and by an exchange that proves it where there are several. */
  const lead = () => {
    const { params } = app.route;
    const [rule, id] = [params.get("rule"), params.get("request")];
    const alike = findings.filter((one) => rule && [one.rule, one.as].includes(rule));
    const chosen = findings.indexOf(alike.find((one) => one.requests.includes(id)) ?? alike[0]);
    const articles = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("article")]);
    articles.forEach((one, index) => one.classList.toggle("chosen", index === chosen));
    const key = `${rule} ${id}`;
    if (!articles[chosen] || led === key) return;
    led = key;
    articles[chosen].focus();
  };
  const read = async () => {
    if (isReading) { later(); return; }
    isReading = true;
    try {
      const report = await get("/conduct", { isSlow: true });
      if (signal.aborted) return;
      markFindings(report);
      ({ findings } = report);
      keepFocus(place, () => show(report), [report, state.world.scenarios]);
      lead();
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (!signal.aborted && !(error instanceof Silence)) keepFocus(place, () => fill(place, quiet("This server does not judge conduct: ", foreign(message))), message);
    } finally { isReading = false; }
  };
  const show = (report) => {
    const { counts } = report;
    const idle = report.rules.filter((rule) => rule.status === "notExercised");
    const unjudged = report.rules.filter((rule) => rule.status === "notJudged");
    fill(place,
      make("p", { class: "verdict" }, report.verdict === "pass" ? "✓ pass" : "✕ fail", make("small", null, ` ${count(counts.error, "error")}, ${count(counts.warning, "warning")}, ${number(counts.rules.passed)} passed, ${number(counts.rules.notExercised)} not exercised, ${number(counts.rules.notJudged)} not judged`)),
      report.findings.length ? report.findings.map(findingView) : make("p", null, "No findings"),
      make("details", { open: !report.findings.length }, make("summary", null, `${count(idle.length, "rule")} not exercised`),
        table("Rules not exercised", ["Rule", "Severity", "Exercised by"], idle.map((rule) => row(code(rule.id), visible(rule.severity), exercisedView(rule.exercisedBy))))),
      unjudged.length > 0 && make("details", null, make("summary", null, `${count(unjudged.length, "rule")} not judged`),
        table("Rules not judged", ["Rule", "Reason"], unjudged.map((rule) => make("tr", null, make("td", null, code(rule.id)), make("td", null, visible(rule.reason ?? "")))))));
  };
  on("page-address", () => { led = ""; lead(); }, signal);
  on("open event:request event:outcome event:finding reread part:scenarios", later, signal);
  return { reading: read(), node: region("Conduct", place) };
}
function coverageRegion(signal) {
  const place = make("div", { class: "stack" });
  const totals = make("p", { role: "status" });
  let isUntouched = false;
  let coverage = null;
  let most = 150;
  const untouched = toggle("Untouched only", false, (isOn) => { isUntouched = isOn; most = 150; draw(); });
  const tell = (words) => { if (totals.textContent !== words) fill(totals, foreign(words)); };
  const draw = () => coverage && keepFocus(place, () => {
    const apis = chosenAPIs();
    const rows = coverage.items.filter((one) => (!isUntouched || !one.count) && (!apis.length || apis.includes(one.api)));
    if (!rows.length) { fill(place, make("p", null, "All endpoints were called")); return; }
    fill(place, table("Coverage", ["API", "Method", "Route", "Count", "Seen", "Not seen"], rows.slice(0, most).map((one) => row(
      foreign(one.api), one.method, one.count ? link(address("traffic", { filter: `api:${one.api} method:${one.method} route:"${one.route}"` }), code(one.route)) : code(one.route), number(one.count),
      one.answers.map((answer) => make("span", { class: "badge" }, `${answer.status} × ${number(answer.count)}`)), make("span", { class: "quiet" }, one.unseen.join(", "))
    ))), rows.length > most && button(`Show ${number(rows.length - most)} more endpoints`, () => { most = Infinity; draw(); }));
  }, [coverage, isUntouched, most, app.route.params.get("api")]);
  const read = async () => {
    try {
      const first = await get(`/coverage${query({ limit: 1000 })}`);
      while (first.items.length < first.endpoints.total) {
        const next = await items(`/coverage${query({ limit: 1000, offset: first.items.length })}`);
        if (!next.length) break;
        first.items.push(...next);
      }
      coverage = first;
      if (signal.aborted) return;
      draw();
      tell(`${number(first.endpoints.seen)} of ${count(first.endpoints.total, "endpoint")} and ${number(first.scenarios.seen)} of ${count(first.scenarios.total, "scenario")} seen; ${count(first.unmatched, "request")} matched no endpoint`);
    } catch (error) { if (!signal.aborted && !(error instanceof Silence)) tell(/** @type {Error} */ (error).message); }
  };
  const unmatched = make("div");
  const readUnmatched = async () => {
    try {
      const list = await items("/unmatched");
      if (signal.aborted) return;
      keepFocus(unmatched, () => fill(unmatched, list.length ? make("ul", { "aria-label": "Unmatched requests", class: "plain-list" }, list.slice(0, 100).map((one) => make("li", null, exchangeLink(one.id), " ", code(`${one.method} ${one.path}`),
        make("ul", null, one.nearest.map((near) => make("li", { class: "quiet" }, code(`${near.method} ${near.path}`), " ", foreign(near.differs)))))), list.length > 100 && make("li", null, `${number(list.length - 100)} more are not shown`)) : quiet("Every request matched an endpoint")), list);
    } catch { /* It is read again. */ }
  };
  const later = soon(() => { void read(); void readUnmatched(); }, 400);
  on("open event:request event:outcome reread poll page-address", later, signal);
  const reading = Promise.all([read(), readUnmatched()]);
  const node = region("Coverage", make("div", { class: "row" }, untouched, totals), place, make("h3", null, "Unmatched requests"), unmatched);
  return { node, reading };
}
export function show(main, signal) {
  const parts = [conductRegion(signal), coverageRegion(signal)];
  append(main, parts.map((part) => part.node));
  return Promise.all([state.refresh("scenarios"), ...parts.map((part) => part.reading)]);
}
