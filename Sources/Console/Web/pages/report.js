// @ts-check
// The pages Report and Compare: how the client behaved, what it never called, and what differs.
import { address, app, attempt, call, exchangeAddress, get, items, on, query, segment } from "../kit/core.js";
import { markFindings } from "../kit/journal.js";
import { append, button, code, count, fill, foreign, link, make, number, region, table, toggle, visible } from "../kit/text.js";
import * as state from "../kit/world.js";
import { empty, keepFocus } from "../kit/world.js";
import { sideView } from "./exchange.js";

const WORDS = /** @type {Record<string, string>} */ ({ same: "= same", changed: "≠ changed", missing: "− missing", extra: "+ extra" });
const MOST = 300;

/** Tells whether two worlds are compared. @param {URLSearchParams} params */
const areWorlds = (params) => params.has("worlds") || [params.get("a"), params.get("b")].every((name) => app.worlds.some((world) => world.name === name));

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function showCompare(main, signal) {
  const place = make("div", { class: "stack" });
  append(main, [place]);
  const read = async () => {
    const { params } = app.route;
    const [a, b] = [params.get("a") ?? "", params.get("b") ?? ""];
    if (!a || !b) { fill(place, make("p", null, "Choose two requests in ", link(address("traffic"), "Traffic"), ", or two worlds in ", link(address("worlds"), "Worlds"), ".")); return; }
    fill(place, make("p", { class: "quiet" }, "Comparing…"));
    const isWorlds = areWorlds(params);
    const [worldA, worldB] = [params.get("aworld") ?? undefined, params.get("bworld") ?? undefined];
    try {
      const answer = await call("POST", "/compare", { body: isWorlds ? { a: { world: a }, b: { world: b } } : { a: { request: a, world: worldA }, b: { request: b, world: worldB } }, isSlow: true });
      if (!signal.aborted) fill(place, isWorlds ? worlds(answer, a, b) : exchanges(answer, a, b, worldA, worldB));
    } catch (error) {
      if (!signal.aborted) fill(place, make("p", { role: "alert" }, foreign(/** @type {Error} */ (error).message)));
    }
  };
  on("page-address", read, signal);
  void read();
}

/** @param {string} id @param {string | undefined} world */
const sideLink = (id, world) => link(address("traffic", { exchange: id, ...(world ? { world } : {}) }), foreign(id), world && [" in ", foreign(world)]);

/** @param {any} answer @param {string} a @param {string} b @param {string} [worldA] @param {string} [worldB] */
function exchanges(answer, a, b, worldA, worldB) {
  const { differences, ignored = [] } = answer;
  return [
    make("p", null, sideLink(a, worldA), " with ", sideLink(b, worldB), differences.length ? ` · ${number(differences.length)} ${differences.length === 1 ? "difference" : "differences"}${answer.truncated ? ", and more" : ""}` : " · no difference"),
    differences.length > 0 && make("div", { class: "panel" }, table("Differences", ["Path", a, b], differences.map((/** @type {any} */ one) => make("tr", null, make("td", null, code(one.path)), make("td", null, sideView(one.a)), make("td", null, sideView(one.b)))))),
    ignored.length > 0 && make("details", null, make("summary", null, `${number(ignored.length)} ignored`), make("ul", { class: "plain-list" }, ignored.map((/** @type {any} */ one) => make("li", null, code(typeof one === "string" ? one : one.path))))),
  ];
}

/** @param {any} answer @param {string} a @param {string} b */
function worlds(answer, a, b) {
  const rows = answer.items.slice(0, MOST).map((/** @type {any} */ one) => make("tr", null, [
    one.a && one.b ? link(address("compare", { a: one.a, b: one.b, aworld: a, bworld: b }), WORDS[one.state] ?? one.state) : WORDS[one.state] ?? one.state,
    foreign(one.api), one.method, code(one.route ?? one.path ?? ""), one.a ? sideLink(one.a, a) : "–", one.b ? sideLink(one.b, b) : "–", number(one.differences ?? 0),
  ].map((cell) => make("td", null, cell))));
  return [
    make("p", null, "The exchanges of ", foreign(a), " with those of ", foreign(b), answer.same ? " · no difference" : ""),
    make("div", { class: "panel" }, table("Exchanges", ["State", "API", "Method", "Route", a, b, "Differences"], rows)),
    answer.items.length > MOST && make("p", { class: "quiet" }, `The first ${number(MOST)} of ${number(answer.items.length)} pairs`),
  ];
}

/** @param {any} finding */
function findingView(finding) {
  return make("article", { class: "message" },
    make("div", { class: "row" }, make("span", { class: `badge ${finding.severity === "error" ? "k-finding" : "k-scenario"}` }, finding.severity === "error" ? "✕ error" : "! warning"), make("strong", null, foreign(finding.title)), code(finding.as ?? finding.rule), finding.suppressed && make("span", { class: "badge" }, `suppressed by ${finding.suppressed.by}`)),
    make("p", { class: "quiet" }, foreign(`${finding.api} ${finding.method} ${finding.route}`), finding.user && [" by ", foreign(finding.user)], ` · ${count(finding.count, "time")}`),
    make("dl", { class: "facts" }, [["Seen", finding.seen], ["Expected", finding.expected], ["Why", finding.why], ["Fix", finding.fix]].filter(([, text]) => text).map(([name, text]) => [make("dt", null, name), make("dd", null, foreign(typeof text === "string" ? text : JSON.stringify(text)))])),
    make("p", null, "Exchanges: ", (finding.requests ?? []).map((/** @type {string} */ id, /** @type {number} */ index) => [index > 0 && ", ", link(exchangeAddress(id), foreign(id))])));
}

/** Scenarios by which a rule is exercised, with their switches. @param {any} by @returns {any} */
function exercisedView(by) {
  const names = [by ?? []].flat().map((one) => (typeof one === "string" ? one : one.scenario ?? one.name ?? JSON.stringify(one)));
  return names.map((name) => {
    const scenario = state.world.scenarios.find((one) => one.name === name);
    return scenario ? toggle(name, scenario.active, (isOn) => attempt(async () => {
      await call(isOn ? "PUT" : "DELETE", `/scenarios/${name.split("/").map(segment).join("/")}`);
      await state.refresh("scenarios");
    }), { "data-call": true }) : code(name);
  });
}

/** @param {AbortSignal} signal */
function conductRegion(signal) {
  const place = make("div", { class: "stack" }, make("p", { class: "quiet" }, "Judging the journal…"));
  let isReading = false;
  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      const report = await get("/conduct", { isSlow: true });
      if (signal.aborted) return;
      markFindings(report);
      keepFocus(place, () => show(report));
    } catch (error) {
      if (!signal.aborted) fill(place, make("p", { class: "quiet" }, "This server does not judge conduct: ", foreign(/** @type {Error} */ (error).message)));
    } finally { isReading = false; }
  };
  const show = (/** @type {any} */ report) => {
    const { counts } = report;
    const idle = report.rules.filter((/** @type {any} */ rule) => rule.status === "notExercised");
    const unjudged = report.rules.filter((/** @type {any} */ rule) => rule.status === "notJudged");
    fill(place,
      make("p", { class: "verdict" }, report.verdict === "pass" ? "✓ pass" : "✕ fail", make("small", null, ` ${count(counts.error, "error")}, ${count(counts.warning, "warning")}, ${number(counts.rules.passed)} passed, ${number(counts.rules.notExercised)} not exercised, ${number(counts.rules.notJudged)} not judged`)),
      report.findings.length ? report.findings.map(findingView) : make("p", null, "No findings"),
      make("details", { open: !report.findings.length }, make("summary", null, `${count(idle.length, "rule")} not exercised`),
        table("Rules not exercised", ["Rule", "Severity", "Exercised by"], idle.map((/** @type {any} */ rule) => make("tr", null, make("td", null, code(rule.id)), make("td", null, visible(rule.severity)), make("td", null, exercisedView(rule.exercisedBy)))))),
      unjudged.length > 0 && make("details", null, make("summary", null, `${count(unjudged.length, "rule")} not judged`),
        table("Rules not judged", ["Rule", "Reason"], unjudged.map((/** @type {any} */ rule) => make("tr", null, make("td", null, code(rule.id)), make("td", null, visible(rule.reason ?? "")))))));
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(read, 1000); };
  for (const news of ["event:request", "event:outcome", "event:finding", "reread"]) on(news, soon, signal);
  on("part", (part) => part === "scenarios" && soon(), signal);
  void read();
  return region("Conduct", place);
}

/** @param {AbortSignal} signal */
function coverageRegion(signal) {
  const place = make("div", { class: "stack" });
  const totals = make("p", { role: "status" });
  let isUntouched = false;
  /** @type {any} */
  let coverage = null;
  let most = 150;
  const untouched = toggle("Untouched only", false, (isOn) => { isUntouched = isOn; most = 150; draw(); });
  const draw = () => keepFocus(place, () => {
    if (!coverage) return;
    const apis = (app.route.params.get("api") ?? "").split(",").filter(Boolean);
    const rows = coverage.items.filter((/** @type {any} */ one) => (!isUntouched || !one.count) && (!apis.length || apis.includes(one.api)));
    fill(totals, `${number(coverage.endpoints.seen)} of ${count(coverage.endpoints.total, "endpoint")} and ${number(coverage.scenarios.seen)} of ${count(coverage.scenarios.total, "scenario")} seen; ${count(coverage.unmatched, "request")} met no endpoint`);
    if (!rows.length) { fill(place, make("p", null, "No endpoint is untouched")); return; }
    fill(place, table("Coverage", ["API", "Method", "Route", "Count", "Seen", "Not seen"], rows.slice(0, most).map((/** @type {any} */ one) => make("tr", null, [
      foreign(one.api), one.method, one.count ? link(address("traffic", { filter: `api:${one.api} method:${one.method} route:"${one.route}"` }), code(one.route)) : code(one.route), number(one.count),
      one.answers.map((/** @type {any} */ answer) => make("span", { class: "badge" }, `${answer.status} × ${number(answer.count)}`)), make("span", { class: "quiet" }, (one.unseen ?? []).join(", ")),
    ].map((cell) => make("td", null, cell))))), rows.length > most && button(`Show ${number(rows.length - most)} more endpoints`, () => { most = Infinity; draw(); }));
  });
  const read = async () => {
    try {
      const first = await get(`/coverage${query({ limit: 1000 })}`);
      while (first.items.length < first.endpoints.total) {
        const next = await items(`/coverage${query({ limit: 1000, offset: first.items.length })}`);
        if (!next.length) break;
        first.items.push(...next);
      }
      coverage = first;
      if (!signal.aborted) draw();
    } catch (error) { if (!signal.aborted) fill(totals, foreign(/** @type {Error} */ (error).message)); }
  };
  const unmatched = make("div");
  const readUnmatched = async () => {
    try {
      const list = await items("/unmatched");
      if (signal.aborted) return;
      keepFocus(unmatched, () => fill(unmatched, list.length ? make("ul", { "aria-label": "Unmatched requests", class: "plain-list" }, list.slice(0, 100).map((one) => make("li", null, link(exchangeAddress(one.id), foreign(one.id)), " ", code(`${one.method} ${one.path}`),
        make("ul", null, (one.nearest ?? []).map((/** @type {any} */ near) => make("li", { class: "quiet" }, code(`${near.method} ${near.path}`), " ", foreign(near.differs))))))) : empty("Every request met an endpoint")));
    } catch { /* It is read again. */ }
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(() => { void read(); void readUnmatched(); }, 400); };
  for (const news of ["event:request", "event:outcome", "reread", "poll", "page-address"]) on(news, soon, signal);
  void read();
  void readUnmatched();
  return region("Coverage", make("div", { class: "row" }, untouched, totals), place, make("h3", null, "Unmatched requests"), unmatched);
}

/** @param {HTMLElement} main @param {AbortSignal} signal */
export function show(main, signal) {
  append(main, [conductRegion(signal), coverageRegion(signal)]);
  void state.refresh("scenarios");
}
