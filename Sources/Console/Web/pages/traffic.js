// @ts-check
// The page "Traffic": every exchange of the world as it happens.
import { TrafficView, filterBox } from "./traffic-list.js";
import { openKeys } from "../kit/frame.js";
import { address, app, attempt, call, change, chosenAPIs, go, hasKeys, items, later, leave, on, preferences, soon } from "../kit/core.js";
import { append, button, count, fill, isTyping, make, number, styleRule, visible } from "../kit/text.js";
import { Grid } from "../kit/grid.js";
import { journal, lineNamed, place } from "../kit/journal.js";
import { COLUMNS, alike, cell, fitScale, named, noteCell, patterns, placeBar } from "./traffic-row.js";

const openExchange = later("../pages/exchange.js", "showExchange");
const act = later("../pages/exchange.js", "act");
const exportHAR = later("../pages/exchange.js", "exportHAR");
const welcome = later("../pages/welcome.js", "welcome");
const openColumns = later("../pages/dialogs.js", "openColumns");
/** The room of the notes in a list without requests. */
const bareStyle = styleRule(".bare");

export function show(main, signal) {
  const view = new TrafficView();
  let isPaused = false;
  /** Rows known when it was paused, or when the reader left the end. */
  let seen = 0;
  /** The nearest routes by request. */
  let nearest = new Map();
  let hidden = new Set(preferences.get("columns").split(",").filter(Boolean));

  const columns = () => COLUMNS.filter((column) => !hidden.has(column.key));
  const isUnmatchedOnly = () => /(^|\s)is:unmatched(\s|$)/.test(view.text);

  /** @type {Grid<Line | JournalNote>} */
  const grid = new Grid({
    name: "Traffic", columns: columns(), selects: true,
    isApart: (item) => "isNote" in item,
    render: (item, row) => {
      if ("isNote" in item) {
        row.className = "note-row";
        return [noteCell(item)];
      }
      if (item.outcome === "held" || item.ms === undefined) row.dataset.state = "open";
      return columns().map(({ key }) => (key === "path" && isUnmatchedOnly() ? [cell(item, key), nearestView(item)] : named(item, key)));
    },
    open: (item) => { if (!("isNote" in item)) change({ exchange: item.id }); },
    sort: (key) => {
      const { sort } = view;
      view.sort = { key, isDescending: sort.key === key ? !sort.isDescending : false };
      grid.showSort(key, view.sort.isDescending);
      view.stale();
      update(true);
    },
    key: (event, item) => press(event, item),
  });
  grid.follows = true;
  grid.showSort("seq", false);
  grid.draws = (first, last) => (fitScale(grid.items.slice(first, last)) ? placeBars : undefined);
  /** The bars of the rows that were there before the scale changed. */
  const placeBars = () => {
    for (const row of grid.window.children) {
      const item = grid.items[Number(row.getAttribute("aria-rowindex")) - 2];
      const svg = row.querySelector("svg.bar");
      if (svg && item && !("isNote" in item)) placeBar(svg, item);
    }
  };
  const nearestView = (line) => {
    const routes = nearest.get(line.id);
    return routes && make("ul", { class: "nearest" }, routes.slice(0, 3).map((one) => make("li", null, visible(`${one.method} ${one.path}`), make("small", null, ` ${visible(one.differs)}`))));
  };

  const close = () => change({ exchange: null, part: null, with: null });
  const choose = () => grid.node.focus();
  const box = filterBox({ changed: (text) => change({ filter: text }, { replaces: true }), left: choose });
  const rowsStatus = make("div", { role: "status", "aria-label": "Rows", class: "rows" });
  const pause = button("Pause", () => setPaused(!isPaused), { "aria-pressed": "false" });
  const news = button("0 new", () => { seen = view.items.length; grid.toEnd(); choose(); showCount(); }, { class: "news", hidden: true });
  const unmatched = button("Unmatched", () => {
    const text = isUnmatchedOnly() ? view.text.replace(/(^|\s)is:unmatched(?=\s|$)/, " ") : `${view.text} is:unmatched`;
    change({ filter: text.trim() });
  }, { "aria-pressed": "false" });
  const dropped = make("span", null);
  const full = make("div", { class: "notice", hidden: true }, dropped, make("a", { href: address("system") }, "See System"));
  const empty = make("div", { class: "empty", hidden: true });
  const list = make("div", { class: "list" }, grid.node, empty);
  const selection = make("div", { role: "toolbar", "aria-label": "Selection", class: "selection", hidden: true });
  const side = make("div", { class: "side", hidden: true });

  side.addEventListener("keydown", (event) => {
    // In a field it clears what is written there.
    if (event.key !== "Escape" || event.defaultPrevented || /** @type {any} */ (event.target).value && isTyping(event.target)) return;
    event.preventDefault();
    close();
    choose();
  });

  append(main, [
    patterns(),
    make("div", { class: "bar-row" }, box.node, make("div", { class: "row" }, pause, unmatched, news, rowsStatus),
      make("div", { class: "row end" }, button("Columns", () => openColumns(hidden, showColumns)), button("Export HAR", () => exportHAR(view.lines), { "data-call": true }), button("Clear journal", clear, { "data-call": true }))),
    full, selection,
    make("div", { class: "split" }, list, side),
  ]);

  const showCount = () => {
    const { rows, total, isLoading } = journal;
    const isPart = rows.length < total;
    const words = isLoading && isPart ? `${number(rows.length)} of ${number(total)} requests loaded` : `${number(view.lines.length)} of ${number(rows.length)} requests${isPart ? `, the newest of ${number(total)}` : ""}`;
    if (rowsStatus.textContent !== words) fill(rowsStatus, words);
    const fresh = view.items.length - seen;
    const isShown = !isPaused && !grid.follows && fresh > 0;
    news.hidden = !isShown;
    if (isShown) fill(news, `${number(fresh)} new`);
  };
  grid.scrolled = () => {
    if (grid.follows) seen = view.items.length;
    showCount();
  };

  const setPaused = (value) => {
    // What has come so far is drawn before the list stands still.
    if (value && !isPaused) update();
    isPaused = value;
    view.until = value ? journal.rows.at(-1)?.seq ?? 0 : Infinity;
    view.stale();
    pause.setAttribute("aria-pressed", String(value));
    if (!value) {
      fill(pause, "Pause");
      update(true);
    }
  };

  let oldShape = -1;
  const update = (isForced = false) => {
    if (isPaused && !isForced) {
      const waiting = journal.rows.length - place(view.until + 1);
      fill(pause, waiting ? `Pause, ${number(waiting)} waiting` : "Pause");
      showCount();
      return;
    }
    const shape = journal.shape + view.moves;
    const isOther = view.update();
    if (isOther || isForced) {
      if (!grid.follows && (oldShape !== shape || (!isForced && grid.node.scrollTop))) keepPlace(oldShape !== shape);
      letGo();
      grid.setItems(view.items);
      if (grid.follows) seen = view.items.length;
      showChosen();
    }
    leave(empty, showEmpty);
    oldShape = shape;
    showCount();
  };
  /** Rows were put before the visible ones, or have gone from there: what is seen stays where it is. */
  const keepPlace = (isOther) => {
    const top = Math.floor(grid.node.scrollTop / grid.height);
    for (let index = top; index < Math.min(top + 50, grid.items.length); index += 1) {
      const next = view.items.indexOf(grid.items[index]);
      if (next < 0) continue;
      if (next !== index) {
        grid.spaceStyle.setProperty("height", `${view.items.length * grid.height}px`);
        grid.node.scrollTop += (next - index) * grid.height;
        if (isOther) seen += next - index;
      }
      return;
    }
  };
  /** What has gone is neither selected nor active. */
  const letGo = () => {
    const gone = [...grid.selection, grid.active].filter((one) => one && !("isNote" in one) && !view.shows(one));
    for (const one of gone) {
      if (one === grid.active) grid.active = undefined;
      if (grid.selection.delete(one)) showSelection();
    }
  };

  const showEmpty = () => {
    const isEmpty = journal.isRead && !view.lines.length;
    // The APIs that are chosen leave nothing out where there is nothing.
    const isFiltered = journal.rows.length > 0 || !view.filter.isEmpty;
    const kind = `${isEmpty} ${isFiltered} ${view.isSearching} ${app.apis.length} ${chosenAPIs()}`;
    if (isEmpty) bareStyle.setProperty("--above", `${32 + Math.min(view.items.length, 4) * 28}px`);
    if (empty.dataset.kind === kind) return;
    empty.dataset.kind = kind;
    empty.hidden = !isEmpty;
    // Notes stay above it.
    list.classList.toggle("bare", isEmpty);
    if (!isEmpty) { fill(empty); return; }
    if (isFiltered) {
      if (view.isSearching) { fill(empty, make("p", null, "Searching…")); return; }
      fill(empty, make("p", null, "Nothing matches"), button("Clear filter", () => { box.set(""); change({ filter: null, api: null }); box.input.focus(); }));
      return;
    }
    fill(empty, make("p", null, make("strong", null, "No requests yet")));
    // Once the APIs are known, it has their addresses.
    if (app.apis.length) void welcome().then((parts) => { if (parts && empty.dataset.kind === kind) leave(empty, () => fill(empty, parts)); });
  };

  const showSelection = () => {
    const lines = /** @type {Line[]} */ ([...grid.selection]);
    selection.hidden = !lines.length;
    leave(selection, () => fill(selection, lines.length > 0 && [make("span", { role: "status" }, `${number(lines.length)} selected`),
      button("Compare", compare, lines.length === 2 ? {} : { "aria-disabled": "true", title: "Select two requests" }),
      button("Copy selected as curl", () => act("curl", lines.map((line) => line.id)), { "data-call": true }),
      button("Export selected as HAR", () => exportHAR(lines), { "data-call": true }),
      button("Clear selection", () => { choose(); grid.clearSelection(); })]));
  };
  grid.selected = showSelection;
  const compare = () => {
    const [a, b] = /** @type {Line[]} */ ([...grid.selection]).sort((one, other) => one.seq - other.seq);
    if (grid.selection.size === 2) go(address("compare", { a: a.id, b: b.id }));
  };
  const press = (event, item) => {
    if (event.key === "Escape") {
      if (!app.route.params.get("exchange")) return false;
      close();
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !hasKeys()) return false;
    const line = item && !("isNote" in item) ? item : undefined;
    /** @type {Record<string, () => any>} */
    const keys = {
      j: () => grid.move(1), k: () => grid.move(-1), "/": () => box.input.focus(), p: () => setPaused(!isPaused), d: compare, "?": openKeys,
      f: () => line && act("fault", [line.id]), g: () => line && act("gate", [line.id]), r: () => line && act("replay", [line.id]), c: () => line && act("curl", [line.id]),
      x: () => line && grid.toggleSelection(line), "[": () => neighbour(-1), "]": () => neighbour(1),
    };
    const action = keys[event.key];
    if (!action) return false;
    action();
    return true;
  };
  const neighbour = (way) => {
    const line = /** @type {Line | undefined} */ (grid.active);
    const other = line && alike(view.lines, view.lines.indexOf(line), line, way);
    if (!other) return;
    grid.activate(other);
    if (app.route.params.get("exchange")) change({ exchange: other.id });
  };

  const showColumns = () => {
    preferences.set("columns", [...hidden].join(","));
    grid.setColumns(columns());
    grid.showSort(view.sort.key, view.sort.isDescending);
  };
  function clear() {
    void attempt(async () => (await import("../kit/parts.js")).withUndo("clear", () => call("DELETE", "/requests")));
  }

  const readNearest = async () => {
    if (!isUnmatchedOnly()) return;
    const unmatched = await items("/unmatched").catch(() => []);
    nearest = new Map(unmatched.map((one) => [one.id, one.nearest]));
    grid.refresh();
  };

  /** The row of the exchange that is shown is the active one. */
  const showChosen = () => {
    const id = app.route.params.get("exchange");
    if (!id || /** @type {any} */ (grid.active)?.id === id) return;
    const line = lineNamed(id);
    if (line && view.lines.includes(line)) grid.activate(line);
  };
  const follow = () => {
    const text = app.route.params.get("filter") ?? "";
    box.set(text);
    if (view.choose(text, chosenAPIs(), update)) {
      const isUnmatched = isUnmatchedOnly();
      unmatched.setAttribute("aria-pressed", String(isUnmatched));
      grid.node.classList.toggle("tall", isUnmatched);
      grid.height = isUnmatched ? 92 : 28;
      grid.selection.clear();
      showSelection();
      update(true);
      seen = view.items.length;
      showCount();
      grid.refresh();
      void readNearest();
    }
    const id = app.route.params.get("exchange");
    if (id && side.dataset.id !== `${id} ${app.world}`) {
      side.dataset.id = `${id} ${app.world}`;
      side.hidden = false;
      main.classList.add("has-side");
      showChosen();
      void openExchange(side, id, signal, { close: () => { close(); choose(); }, choose });
    } else if (!id && !side.hidden) {
      delete side.dataset.id;
      side.hidden = true;
      main.classList.remove("has-side");
      const had = side.contains(document.activeElement);
      fill(side);
      if (had) choose();
    }
  };

  on("page-address", follow, signal);
  on("rows", () => update(), signal);
  on("apis", () => leave(empty, showEmpty), signal);
  on("line", (line) => {
    grid.redraw(line);
    if (!isPaused) view.recheck(line);
    if (view.found && !view.found.has(line.seq)) searchSoon();
    if (isUnmatchedOnly()) readSoon();
  }, signal);
  const searchSoon = soon(() => view.search(update), 400);
  const readSoon = soon(readNearest, 400);
  on("journal", (state) => {
    full.hidden = !state.dropped;
    fill(dropped, `The journal is full: ${count(state.dropped, "request has", "requests have")} dropped out. `);
  }, signal);
  on("read", () => {
    if (view.found) searchSoon();
    if (isUnmatchedOnly()) readSoon();
  }, signal);
  on("reread replaced", () => {
    // The exchange that is shown may be another one, or gone.
    delete side.dataset.id;
    follow();
    if (isPaused) { view.until = 0; update(true); }
    grid.selection.clear();
    grid.active = undefined;
    showSelection();
  }, signal);
  on("preference findings", () => grid.refresh(), signal);
  on("pause", () => setPaused(!isPaused), signal);
  signal.addEventListener("abort", () => {
    grid.observer.disconnect();
    grid.scrollPreview?.hide();
  });
  follow();
  update(true);
  // It is there when the newest lines are.
  return new Promise((resolve) => {
    const look = () => journal.isRead && resolve(undefined);
    on("rows", look, signal);
    look();
  });
}
