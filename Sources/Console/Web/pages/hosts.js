// @ts-check
// The page Hosts: what the forward proxy answers for, and what became of the hosts that clients asked it for.
import { Problem, address, announce, app, attempt, call, change, chosenAPIs, copyButton, get, on, query, quoted, soon } from "../kit/core.js";
import { empty, eachSecond, facts, field, keepFocus, nothingMatches, plainList, quiet, region, searchBox, select } from "../kit/parts.js";
import { button, code, count, fill, foreign, iso, link, make, number, row, table, timeOfDay, toggle, visible } from "../kit/text.js";

/** The symbol and the colour of each outcome. */
const OUTCOMES = {
  api: ["✓", "s2"], tunnelled: ["→", "s3"], forwarded: ["→", "s3"], refused: ["✕", "s5"], unreachable: ["!", "s4"], "tls-refused": ["✕", "s5"],
};
const PAGE = 100;
const MOST = 1000;

function outcomeView(outcome) {
  const [symbol, colour] = OUTCOMES[outcome] ?? ["·", "s0"];
  return make("span", { class: `status ${colour}` }, make("span", { "aria-hidden": "true", class: "symbol" }, symbol), outcome);
}

/** A host as addresses have it. @param {string} host */
const inAddress = (host) => (host.includes(":") ? `[${host}]` : host);

/** What can be done about a host, as text and flags. @param {any} one an item of the list */
function advice({ host, port, outcome, reason, advice: given }) {
  const name = inAddress(host);
  const tunnel = code(`--tunnel ${name}${port === 80 || port === 443 ? "" : `:${port}`}`);
  const map = code(`--map ${name}=API`);
  const isName = /[a-z]/i.test(host) && !host.includes(":");
  if (given) return foreign(given);
  if (outcome === "unreachable") return isName ? ["The real host can't be reached. ", map, " has an API answer for it."] : "The real host can't be reached.";
  switch (reason) {
    case "unmapped-host": return isName ? [map, " has an API answer for it; ", tunnel, " passes it on."] : [tunnel, " passes it on."];
    case "forbidden-port": return [code(`--tunnel ${name}:${port}`), " allows this port."];
    case "forbidden-address": return ["This machine and private networks are not reached. ", tunnel, " allows a private address."];
    case "clear-text": return "A tunnel carries TLS alone. The client has to send clear text with the whole address as its target.";
    case "own-credential": return "The request had a credential that Understudy has issued. No other host gets one.";
    case "too-many-tunnels": return [code("--limit tunnels=N"), " allows more tunnels."];
    default: return "";
  }
}

/** An instant of the machine's clock. @param {string} at */
const machineTime = (at) => make("time", { datetime: at, title: `Machine ${iso(at)}` }, timeOfDay(at));

/** The address with the credentials that name the present world. @param {string} url */
const addressIn = (url) => (app.world === "main" ? url : url.replace("://", `://${app.world}:x@`));

/** A request that an API answers by the proxy. */
function example(proxy) {
  const host = proxy.map[0]?.host.replace("*.", "api.") ?? "api.example.com";
  return `curl -x ${quoted(addressIn(proxy.url))} ${host}/`;
}

function proxyRegion() {
  const place = make("div", { class: "stack" });
  const show = (proxy) => keepFocus(place, () => fill(place,
    facts([
      ["Address", [code(addressIn(proxy.url)), " ", copyButton("Copy proxy address", () => addressIn(proxy.url))]],
      ["Script", [code(proxy.pac), " ", copyButton("Copy script address", () => proxy.pac)]],
      ["Authority", proxy.sha256 && code(proxy.sha256)],
      ["Other hosts", proxy.unmapped === "refuse" ? "refused" : "passed on"],
    ]),
    quiet("A client names its world by the user of its proxy credentials. The password is that of ", code("--proxy-token"), "; without one, any is accepted. A client without credentials is in ", code("main"), "."),
    proxy.map.length ? table("Map", ["Host", "API", "From"], proxy.map.map((one) => row(code(one.host), foreign(one.api), foreign(one.from))))
      : quiet("No host is mapped. ", code("--map HOST=API"), " has an API answer for one."),
    proxy.tunnel.length > 0 && [make("h3", null, "Passed on"), plainList(proxy.tunnel.map(code), { "aria-label": "Passed on" })]), [proxy, app.world]);
  return { node: region("Forward proxy", place), show };
}

function hostsRegion(signal) {
  const search = searchBox("Search hosts");
  const kind = select([["", "All"], ["other", "Other hosts"], ...Object.keys(OUTCOMES)], app.route.params.get("show") ?? "");
  const worlds = toggle("All worlds", app.route.params.get("worlds") === "all", (isOn) => change({ worlds: isOn ? "all" : null }));
  const found = make("span", { role: "status", class: "rows" });
  const place = make("div");
  let proxy = null;
  let list = [];
  let total = 0;
  let most = PAGE;
  const isEverywhere = () => app.route.params.get("worlds") === "all";
  const traffic = (one) => {
    const title = app.apis.find((api) => api.name === one.api)?.title ?? one.api;
    return link(address("traffic", { world: one.world, api: one.api }), visible(title));
  };
  const draw = () => {
    const words = search.value.trim().toLowerCase();
    const apis = chosenAPIs();
    const rows = list.filter((one) => one.host.includes(words) && (!one.api || !apis.length || apis.includes(one.api)) && (!OUTCOMES[kind.value] || one.outcome === kind.value));
    fill(found, rows.length < total ? `${number(rows.length)} of ${count(total, "host")}` : count(total, "host"));
    keepFocus(place, () => {
      if (!rows.length && (words || kind.value)) fill(place, nothingMatches(() => { search.value = kind.value = ""; change({ show: null }); draw(); search.focus(); }));
      else if (!rows.length) fill(place, empty("No hosts yet", "Each host that a client asks the proxy for is shown here.", example(proxy)));
      else {
        fill(place, table("Hosts", ["Host", ...(isEverywhere() ? ["World"] : []), "Outcome", "What helps", "API", "Requests", "Tunnels", "First seen", "Last seen"], rows.slice(0, most).map((one) => row(
          code(`${inAddress(one.host)}:${one.port}`), ...(isEverywhere() ? [foreign(one.world)] : []),
          [outcomeView(one.outcome), one.outcome === "refused" && make("small", { class: "quiet" }, " ", one.reason)], advice(one),
          one.api ? traffic(one) : "–", number(one.requests), number(one.tunnels), machineTime(one.firstSeen), machineTime(one.lastSeen)
        ))), rows.length > most && button(`Show ${number(rows.length - most)} more hosts`, () => { most = MOST; draw(); }));
      }
    }, [rows, most, isEverywhere(), app.apis.length, words, kind.value, proxy]);
  };
  const read = async () => {
    if (!proxy) return;
    const other = kind.value === "other" ? "true" : "";
    const world = isEverywhere() ? "" : app.world;
    try {
      // Without a world the list is of all: no world may be named by a field either.
      const answer = await get(`/hosts${query({ world, other, limit: MOST })}`, { world: "" });
      if (signal.aborted) return;
      list = answer.items;
      total = list.length;
      draw();
    } catch { /* It is read again. */ }
  };
  const clear = button("Clear hosts", () => attempt(async () => {
    await call("DELETE", `/hosts${query({ world: isEverywhere() ? "" : app.world })}`, { world: "" });
    announce("The list of hosts is empty");
    await read();
  }), { "data-call": true });
  search.addEventListener("input", draw);
  kind.addEventListener("change", () => change({ show: kind.value || null }));
  on("page-address", () => {
    kind.value = app.route.params.get("show") ?? "";
    worlds.setAttribute("aria-checked", String(isEverywhere()));
    void read();
  }, signal);
  on("event:host open reread poll event:request", soon(read, 250), signal);
  on("apis", () => proxy && draw(), signal);
  // Of other worlds no events come, and numbers change without one.
  let turn = 0;
  eachSecond(() => { if ((turn += 1) % 2 === 0 && !document.hidden) void read(); }, signal);
  const node = region("Hosts seen", make("div", { class: "bar-row" }, make("div", { class: "filter-box" }, search), field("Show", kind), worlds, found, clear), place);
  return { node, start: (known) => { proxy = known; return read(); } };
}

export function show(main, signal) {
  const off = region("Forward proxy", empty("The forward proxy is off", "It answers for the hosts of an app whose addresses can't be changed.",
    `understudy serve --proxy --map api.example.com=${app.apis[0]?.name ?? "omnichat"}`));
  const proxy = proxyRegion();
  const hosts = hostsRegion(signal);
  const read = async () => {
    let known;
    try {
      known = await get("/proxy", { world: "" });
    } catch (error) {
      if (error instanceof Problem && !signal.aborted) fillMain(off);
      return;
    }
    if (signal.aborted) return;
    fillMain(proxy.node, hosts.node);
    proxy.show(known);
    await hosts.start(known);
  };
  let shown = [];
  const fillMain = (...nodes) => {
    if (nodes[0] === shown[0]) return;
    for (const one of shown) one.remove();
    shown = nodes;
    main.append(...nodes);
  };
  on("open", read, signal);
  return read();
}
