// @ts-check
// The page State: the rows of every table, to read and to change.
import { check } from "../kit/content.js";
import { Problem, address, announce, app, attempt, call, fail, get, go, leave, on, query, reply, segment, soon } from "../kit/core.js";
import { curlCall, jsonField, jsonText, showProblem } from "../kit/dialog.js";
import { Grid } from "../kit/grid.js";
import { cut, empty, field, fileName, keepFocus, nothingMatches, plainList, save, searchBox, select } from "../kit/parts.js";
import { append, button, code, count, fill, foreign, iso, link, make, number, row, table, toggle, visible } from "../kit/text.js";

/** The members of rows: those of the schema, then any others. @returns {string[]} */
function columnsOf(table, rows) {
  const key = table?.key ?? "id";
  const names = new Set([...(table?.schema?.properties?.[key] || rows.some((one) => one.row?.[key] !== undefined) ? [key] : []), ...Object.keys(table?.schema?.properties ?? {})]);
  for (const { row } of rows.slice(0, 50)) for (const name of Object.keys(row ?? {})) names.add(name);
  return [...names];
}

/** An offset from T0 or D0 as an instant; empty for other text. @param {number} epoch */
function offsetInstant(value, epoch) {
  if (typeof value !== "string") return "";
  const found = /^(T0|D0)?\s*([+-])?\s*(P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?)?$/.exec(value);
  if (!found || (!found[1] && !(found[2] && found[3])) || (found[3] && found[3].length < 3)) return "";
  const [, base = "T0", sign, , weeks, days, hours, minutes, seconds] = found;
  const length = (Number(weeks ?? 0) * 604800 + Number(days ?? 0) * 86400 + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
  const start = base === "D0" ? Math.floor(epoch / 86400000) * 86400000 : epoch;
  return iso(start + (sign === "-" ? -length : length));
}

/** The table in which a row is, of those in which it may be; empty until it is found. */
function homeOf(tables, id, context) {
  if (tables.length === 1) return tables[0];
  const key = JSON.stringify([tables, id]);
  const known = context.homes.get(key);
  if (known !== undefined) return known;
  context.homes.set(key, "");
  void (async () => {
    for (const one of tables) {
      // A search, because a row that is not there would be an error in the browser's log.
      const { items } = await get(`/state/${segment(context.api)}/${segment(one)}${query({ q: id.slice(0, 256), limit: 1000 })}`);
      if (!items.some((item) => item.id === id)) continue;
      context.homes.set(key, one);
      return context.found();
    }
  })().catch(() => context.homes.delete(key));
  return "";
}
const MOST = 300;

/** A text as a link, if its member names rows of another table. */
function referred(value, name, context, row) {
  const reference = context.tables.find((one) => one.name === context.table)?.schema?.properties?.[name]?.["x-references"];
  if (!reference || !value) return null;
  const id = reference.id ? reference.id.replace(/\{(\w+)\}/g, (_, member) => (member === name ? value : row?.[member] ?? "")) : value;
  const home = homeOf(reference.tables, id, context);
  return home && link(address(`state/${segment(context.api)}/${segment(home)}`, { row: id }), foreign(value));
}
function cellView(value, name, context, row) {
  if (value === undefined) return "";
  if (typeof value === "string") {
    const linked = referred(value, name, context, row);
    if (linked) return linked;
    const instant = offsetInstant(value, context.epoch);
    return instant ? make("time", { datetime: instant, title: instant }, foreign(value), make("small", null, ` ${instant.slice(0, 19).replace("T", " ")}`)) : foreign(cut(value, MOST));
  }
  if (value === null) return make("span", { class: "j-word" }, "null");
  if (Array.isArray(value) && value.length && value.every((one) => typeof one === "string")) {
    const links = value.map((one) => referred(one, name, context, row));
    if (links.some(Boolean)) return value.flatMap((one, place) => [place ? ", " : "", links[place] ?? foreign(one)]);
  }
  if (typeof value === "object") return make("code", null, foreign(cut(JSON.stringify(value), MOST)));
  return make("span", { class: `j-${typeof value === "number" ? "number" : "word"}` }, String(value));
}

/** @param {HTMLElement} place @param {TableContext} context @param {{ changed: () => void, close: () => void }} actions */
function rowEditor(place, context, actions) {
  let item = null;
  let isNew = false;
  /** The row as it was on the server when the editing began. */
  let base = "";
  let isStale = false;
  const json = jsonField({ rows: 20, "data-path": "$" });
  const faults = make("div", { class: "problem" });
  const note = make("div");
  const heading = make("h2", null, "Row");
  const remove = button("Delete row", () => removeRow(), { "data-call": true, class: "danger" });
  const old = make("div");
  const node = make("section", { "aria-label": "Row", class: "exchange" },
    make("div", { class: "row exchange-head" }, heading, button("Close", actions.close)), note, field("Row (JSON)", json.area, json.note), faults,
    make("div", { class: "row" }, button("Save row", () => save(false), { "data-call": true, class: "main" }), remove, button("New row", () => open(null), { "data-call": true })), old);

  const schemaOf = () => context.tables.find((one) => one.name === context.table);
  const path = (id) => `/state/${segment(context.api)}/${segment(context.table)}/${segment(id)}`;
  /** The row as it is on the server; null where it has gone. */
  const readRow = async (id) => {
    try { return await get(path(id)); } catch (error) { if (error instanceof Problem && error.status === 404) return null; throw error; }
  };
  const isEdited = () => !place.hidden && JSON.stringify(json.read().value) !== base;
  const showFaults = (list) => fill(faults, list.length > 0 && plainList(list.map((one) => [code(one.path), " ", foreign(one.reason)])));
  const judge = () => {
    const { value, problem } = json.read();
    if (problem || value === undefined) { showFaults([]); return; }
    showFaults(check(value, schemaOf()?.schema ?? true, schemaOf()?.schema));
  };
  json.area.addEventListener("input", judge);
  function open(next) {
    item = next;
    isNew = next === null;
    isStale = false;
    fill(note);
    const row = next?.row ?? starter();
    base = next ? JSON.stringify(next.row) : "";
    json.area.value = jsonText(row, 2);
    fill(heading, isNew ? "New row" : foreign(next.id));
    remove.hidden = isNew;
    if (!place.contains(node)) fill(place, node);
    judge();
    fill(old);
    if (next?.change === "changed") showOld(next);
    if (isNew) json.area.focus();
  }
  function starter() {
    const { schema = {}, key = "id" } = schemaOf() ?? {};
    const row = { [key]: "" };
    for (const name of schema.required ?? []) {
      const one = schema.properties?.[name] ?? {};
      const type = [one.type].flat()[0];
      row[name] ??= one.enum?.[0] ?? { string: "", number: 0, integer: 0, boolean: false, array: [], object: {} }[type] ?? null;
    }
    return row;
  }
  function showOld(next) {
    const before = next.old;
    const names = [...new Set([...Object.keys(before), ...Object.keys(next.row)])].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(next.row[name]));
    fill(old, table("What changed", ["Member", "Old", "New"], names.map((name) => row(code(name), code(JSON.stringify(before[name]) ?? "–"), code(JSON.stringify(next.row[name]) ?? "–")))));
  }
  async function save(isForced) {
    const { value, problem } = json.read();
    if (problem || value === undefined) { json.area.focus(); return; }
    const key = schemaOf()?.key ?? "id";
    const id = isNew ? String(value[key] ?? "") : /** @type {any} */ (item).id;
    if (!id) { showFaults([{ path: `$.${key}`, reason: "is required: it identifies the row" }]); return; }
    fill(note);
    try {
      if (!isForced && !isNew) {
        const now = await readRow(id);
        if ((now ? JSON.stringify(now.row) : "") !== base) { offer(now); return; }
      }
      const made = await call("PUT", path(id), { body: value });
      announce(`Saved ${id}`);
      const answer = made ?? { id, row: value };
      open(answer);
      actions.changed();
    } catch (error) {
      if (error instanceof Problem && error.errors.length) showFaults(error.errors);
      else showProblem(error, node, note);
    }
  }
  /** The row is another one on the server. */
  function offer(now) {
    isStale = true;
    fill(note, make("div", { role: "alert", class: "notice" }, make("span", null, now ? "The row has changed on the server since you opened it. " : "The row was deleted on the server since you opened it. "),
      button("Overwrite", () => save(true), { "data-call": true }), button("Take theirs", () => attempt(async () => {
        const theirs = await readRow(item.id);
        if (theirs) open(theirs);
        else actions.close();
      }))));
  }
  async function removeRow() {
    if (!item) return;
    try {
      await call("DELETE", path(item.id));
      announce(`Deleted ${visible(item.id)}`);
      actions.close();
      actions.changed();
    } catch (error) {
      showProblem(error, node, note);
    }
  }
  return {
    open,
    isEdited,
    /** The rows were read again: what is not being edited follows. */
    seen: async (rows) => {
      const isShown = () => item && !isNew && !isStale && !place.hidden;
      if (!isShown()) return;
      const { id } = /** @type {any} */ (item);
      let now = rows.find((one) => one.id === id);
      // It may stand further below, or not be searched for.
      if (!now) try { now = await readRow(id); } catch { return; }
      if (!isShown() || item.id !== id) return;
      if (!now) offer(null);
      else if (JSON.stringify(now.row) !== base && !isEdited()) open(now);
    },
  };
}

const PAGE = 500;
export function show(main, signal) {
  const api = select([], undefined);
  const tables = select([], undefined);
  const search = searchBox("Search rows");
  const rowsStatus = make("span", { role: "status", class: "rows" });
  const none = make("div", { hidden: true });
  const gridPlace = make("div", { class: "grid-rows" });
  const side = make("div", { class: "side", hidden: true });
  const context = { api: "", table: "", epoch: 0, /** @type {any[]} */ tables: [], /** @type {Map<string, string>} */ homes: new Map(), found: () => grid?.refresh() };
  let isChangedOnly = false;
  let rows = [];
  let total = 0;
  let reading = 0;
  let grid = null;
  let shownColumns = "";
  let shownRows = "";
  const editor = rowEditor(side, context, {
    changed: () => void read(true),
    close: () => { side.hidden = true; main.classList.remove("has-side"); (grid?.node ?? search).focus(); },
  });
  const onlyChanged = toggle("Changed only", false, (isOn) => { isChangedOnly = isOn; void read(false); });

  append(main, [
    make("div", { class: "bar-row bottom" }, field("API", api), field("Table", tables), make("div", { class: "filter-box" }, search), onlyChanged, rowsStatus,
      button("New row", () => { openSide(); editor.open(null); }, { "data-call": true }), button("Export table", exportTable, { "data-call": true })),
    make("div", { class: "split" }, make("div", { class: "list" }, gridPlace, none), side),
  ]);
  const closeSide = () => leave(side, () => { side.hidden = true; main.classList.remove("has-side"); });
  const openSide = () => { side.hidden = false; main.classList.add("has-side"); };
  const schema = () => context.tables.find((one) => one.name === context.table);

  function build() {
    const names = columnsOf(schema(), rows);
    const key = `${context.api} ${context.table} ${isChangedOnly} ${names.join()}`;
    if (grid && key === shownColumns) return;
    shownColumns = key;
    grid?.observer.disconnect();
    const columns = [...(isChangedOnly ? [{ key: "change", title: "Change", width: "90px" }] : []), ...names.map((name) => ({ key: name, title: name, width: "minmax(120px, 1fr)" }))];
    grid = new Grid({
      name: "Rows", columns,
      render: (item, row) => {
        row.dataset.id = item.id;
        return [...(isChangedOnly ? [item.change ?? ""] : []), ...names.map((name) => changedView(item, name) || cellView(item.row?.[name], name, context, item.row))];
      },
      open: (item) => { openSide(); editor.open(item); },
      identity: (item) => item.id,
    });
    grid.scrolled = () => {
      const last = Math.ceil((grid.node.scrollTop + grid.node.clientHeight) / grid.height);
      if (last > rows.length - 50 && rows.length < total) void readMore();
    };
    fill(gridPlace, grid.node);
  }

  const changedView = ({ row, old }, name) => old && JSON.stringify(old[name]) !== JSON.stringify(row[name])
    && [make("ins", null, cellView(row[name], name, context, row)), " ← ", make("del", null, cellView(old[name], name, context, old))];
  const path = () => `/state/${segment(context.api)}/${segment(context.table)}`;
  const parameters = (offset) => query({ q: search.value.trim() || undefined, changed: isChangedOnly || undefined, limit: PAGE, offset: offset || undefined });
  let isReadingMore = false;
  async function readMore() {
    if (isReadingMore) return;
    isReadingMore = true;
    const own = reading;
    try {
      const answer = await reply("GET", `${path()}${parameters(rows.length)}`);
      if (own === reading) { rows = rows.concat(answer.json.items); draw(); }
    } catch { /* It is asked again when the reader scrolls on. */ } finally { isReadingMore = false; }
  }
  async function read(isQuiet) {
    if (!context.table) return;
    const own = (reading += 1);
    try {
      // What has been scrolled through is read again as a whole.
      const wanted = isQuiet ? rows.length : 0;
      let found = [];
      do {
        const answer = await reply("GET", `${path()}${parameters(found.length)}`);
        if (own !== reading || signal.aborted) return;
        found = found.concat(answer.json.items);
        total = answer.total;
        if (!answer.json.items.length) break;
      } while (found.length < Math.min(wanted, total));
      const text = JSON.stringify([path(), total, isChangedOnly, search.value, found]);
      if (!isQuiet || text !== shownRows) {
        shownRows = text;
        rows = found;
        build();
        draw();
      }
      void editor.seen(rows);
    } catch (error) { if (!isQuiet && own === reading) fail(error); }
  }
  function draw() {
    keepFocus(gridPlace, () => {
      grid?.setItems(rows);
      grid?.refresh();
    });
    fill(rowsStatus, count(total, "row"));
    const isEmpty = !rows.length;
    none.hidden = !isEmpty;
    fill(none, isEmpty && (search.value ? nothingMatches(() => { search.value = ""; void read(false); search.focus(); })
      : empty(isChangedOnly ? "No rows have changed" : "No rows", "", curlCall("PUT", `${path()}/ID`, {}),
        isChangedOnly ? button("Show all rows", () => onlyChanged.click()) : button("Add a row", () => { openSide(); editor.open(null); }, { "data-call": true }))));
  }

  const readTables = async (name = context.api) => {
    const answer = await get(`/state/${segment(name)}`);
    if (name !== context.api) return;
    context.tables = answer.items;
    context.epoch = Date.parse(answer.epoch);
    context.homes.clear();
    fill(tables, answer.items.map((one) => make("option", { value: one.name }, `${one.name} (${number(one.rows)})`)));
    tables.value = context.table;
  };
  let following = 0;
  let shownAddress = "";
  const follow = async () => {
    if (!app.apis.length) return;
    const own = (following += 1);
    if (api.options.length !== app.apis.length) fill(api, app.apis.map((one) => make("option", { value: one.name }, one.name)));
    const [wantedAPI = app.apis[0].name, wantedTable] = app.route.rest;
    const before = `${context.api} ${context.table}`;
    try {
      if (wantedAPI !== context.api) {
        closeSide();
        context.api = wantedAPI;
        context.table = wantedTable ?? "";
        await readTables();
        if (own !== following || signal.aborted) return;
      }
      api.value = context.api;
      context.table = wantedTable ?? context.tables.find((one) => one.rows > 0)?.name ?? context.tables[0]?.name ?? "";
      tables.value = context.table;
      if (before !== `${context.api} ${context.table}`) closeSide();
      await read(false);
      const row = app.route.params.get("row");
      const asked = `${path()} ${row}`;
      const isNews = asked !== shownAddress;
      shownAddress = asked;
      // What is being typed stays, unless another row is asked for.
      if (row && (isNews || !editor.isEdited()) && own === following) {
        const item = rows.find((one) => one.id === row) ?? await get(`${path()}/${segment(row)}`);
        if (own !== following || signal.aborted) return;
        openSide();
        editor.open(item);
      }
    } catch (error) { fail(error); }
  };
  const place = (one, other) => address(`state/${segment(one)}${other ? `/${segment(other)}` : ""}`);
  api.addEventListener("change", () => go(place(api.value, "")));
  tables.addEventListener("change", () => go(place(context.api, tables.value)));
  let timer = 0;
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => read(false), 200); });

  function exportTable() {
    void attempt(async () => {
      let all = [];
      for (;;) {
        const answer = await reply("GET", `${path()}${query({ limit: 1000, offset: all.length || undefined })}`);
        all = all.concat(answer.json.items);
        if (!answer.json.items.length || all.length >= answer.total) break;
      }
      save(`${fileName(context.table)}.json`, `${JSON.stringify(all.map((one) => one.row), null, 2)}\n`);
      announce("Saved");
    });
  }

  const later = soon(() => { void readTables().catch(() => {}); void read(true); }, 200);
  on("page-address apis", follow, signal);
  on("event:change", ({ part }) => /^(state|users)$/.test(part) && later(), signal);
  on("open event:request event:outcome event:scenario reread poll", later, signal);
  signal.addEventListener("abort", () => grid?.observer.disconnect());
  return follow();
}
