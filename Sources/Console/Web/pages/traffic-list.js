// @ts-check
// What Traffic lists: the field of the filter, and the rows that fit.
import { app, query, reply } from "../kit/core.js";
import { parseFilter } from "../kit/filter.js";
import { journal, place } from "../kit/journal.js";
import { fill, freshID, make, visible } from "../kit/text.js";
import { SORTS } from "./traffic-row.js";

export class TrafficView {
  lines = [];
  /** What the grid shows: lines and notes. */
  items = [];
  text = "";
  filter = parseFilter("");
  apis = [];
  sort = { key: "seq", isDescending: false };
  /** Found by the server for the phrase, by `seq`; null without a phrase. */
  found = null;
  /** Later ones are not shown: the list is paused. */
  until = Infinity;
  isSearching = false;
  /** How many lines have come or gone because they have changed. */
  moves = 0;

  #shape = -1;
  #looked = 0;
  #version = -1;
  #moved = 0;
  #search = 0;
  #searched = 0;

  /** Chooses what is shown; tells whether that is something else. */
  choose(text, apis, found) {
    const isSame = text === this.text && apis.join() === this.apis.join();
    if (isSame && this.#shape >= 0) return false;
    const { phrase } = this.filter;
    this.text = text;
    this.apis = apis;
    this.filter = parseFilter(text);
    this.#shape = -1;
    if (this.filter.phrase !== phrase) {
      this.found = this.filter.phrase ? new Set() : null;
      this.#searched = 0;
      void this.search(found);
    }
    return true;
  }

  /** Has the server search for the phrase among what it has not searched yet. */
  async search(found) {
    const own = (this.#search += 1);
    const { phrase } = this.filter;
    if (!phrase) return;
    this.isSearching = true;
    const world = app.world;
    let before;
    let newest = this.#searched;
    try {
      for (;;) {
        const { json } = await reply("GET", `/requests${query({ q: phrase, view: "line", fields: "id", limit: 5000, since: this.#searched || undefined, before })}`, { isSlow: true });
        if (own !== this.#search || world !== app.world) return;
        for (const item of json.items) {
          this.found?.add(item.seq);
          newest = Math.max(newest, item.seq);
        }
        this.#shape = -1;
        found();
        if (json.items.length < 5000) break;
        before = json.items.at(-1).seq;
      }
      this.#searched = newest;
    } catch { /* The connection says so. */ } finally {
      if (own === this.#search) {
        this.isSearching = false;
        found();
      }
    }
  }
  fits(line) {
    if (line.seq > this.until) return false;
    if (this.apis.length && !this.apis.includes(line.api)) return false;
    if (this.found && !this.found.has(line.seq)) return false;
    return this.filter.test(line);
  }

  get isFiltered() { return !this.filter.isEmpty || this.apis.length > 0; }

  /** Tells whether a line is shown. @param {Line} line */
  shows(line) { return this.lines[place(line.seq, this.lines)] === line; }

  /** Shows everything anew at the next update. */
  stale() { this.#shape = -1; }

  /** Looks again at a line that has changed. @param {Line} line */
  recheck(line) {
    this.#searched = Math.min(this.#searched, line.seq - 1);
    // A line that was not looked at yet is new.
    if (!this.isFiltered || this.#shape !== journal.shape || !(line.seq <= journal.rows[this.#looked - 1]?.seq)) return;
    const index = place(line.seq, this.lines);
    const isShown = this.shows(line);
    if (this.fits(line) === isShown) return;
    if (isShown) this.lines.splice(index, 1);
    else this.lines.splice(index, 0, line);
    this.moves += 1;
  }

  /** Takes in what has changed in the journal; tells whether the items are others. */
  update() {
    const { rows } = journal;
    if (this.#shape === journal.shape && this.#version === journal.version && this.#moved === this.moves) return false;
    this.#version = journal.version;
    let isOther = this.#moved !== this.moves;
    this.#moved = this.moves;
    if (this.#shape !== journal.shape || this.#looked > rows.length || this.sort.key !== "seq" || this.sort.isDescending) {
      this.#shape = journal.shape;
      this.#looked = rows.length;
      this.lines = this.isFiltered || this.until < Infinity ? rows.filter((line) => this.fits(line)) : rows.slice();
      this.items = this.#ordered();
      return true;
    }
    if (isOther) this.items = this.#ordered();
    for (; this.#looked < rows.length; this.#looked += 1) {
      const line = rows[this.#looked];
      if (!this.fits(line)) continue;
      this.lines.push(line);
      this.items.push(line);
      isOther = true;
    }
    return isOther;
  }

  #ordered() {
    const { key, isDescending } = this.sort;
    if (key === "seq" && !isDescending) return this.#withNotes();
    const value = SORTS[key];
    const way = isDescending ? -1 : 1;
    return this.lines.map((line) => ({ line, value: value(line) })).sort((a, b) => {
      if (a.value === b.value) return (a.line.seq - b.line.seq) * way;
      return (a.value < b.value ? -1 : 1) * way;
    }).map(({ line }) => line);
  }

  #withNotes() {
    const { notes } = journal;
    if (!notes.length) return this.lines.slice();
    const items = /** @type {(Line | JournalNote)[]} */ ([]);
    let next = 0;
    const oldest = journal.rows[0]?.seq ?? 0;
    while (next < notes.length && journal.isLoading && notes[next].after < oldest - 1) next += 1;
    for (const line of this.lines) {
      while (next < notes.length && notes[next].after < line.seq) items.push(notes[next++]);
      items.push(line);
    }
    while (next < notes.length && notes[next].after <= this.until) items.push(notes[next++]);
    return items;
  }
}

/** @param {object} parts @param {(text: string) => void} parts.changed @param {() => void} parts.left the reader wants to go to the list */
export function filterBox(parts) {
  const listID = freshID("offers");
  const noteID = freshID("filter-note");
  const input = make("input", {
    type: "search", "aria-label": "Filter", class: "filter", placeholder: "Filter: status:4xx -method:OPTIONS path:/api/** words", autocomplete: "off",
    spellcheck: "false", "aria-autocomplete": "list", "aria-controls": listID, "aria-describedby": noteID,
  });
  const list = make("ul", { role: "listbox", id: listID, "aria-label": "Filter suggestions", class: "options", hidden: true });
  const note = make("p", { id: noteID, class: "filter-note", role: "status" });
  let shown = [];
  let active = -1;
  /** Running while what was typed is not applied yet. */
  let timer = 0;

  const current = () => {
    const caret = input.selectionStart ?? input.value.length;
    const start = input.value.slice(0, caret).search(/\S*$/);
    const end = caret + /^\S*/.exec(input.value.slice(caret))[0].length;
    return { start, end, word: input.value.slice(start, caret) };
  };
  const hide = () => {
    isTyped = false;
    list.hidden = true;
    active = -1;
    input.removeAttribute("aria-activedescendant");
  };
  /** What is offered is found by a module that is loaded with the first focus. */
  let offers;
  let isTyped = false;
  const prepare = async () => {
    if (offers) return;
    offers = await import("./offers.js").catch(() => undefined);
    if (isTyped) offer();
  };
  const offer = () => {
    shown = offers?.offers(current().word, journal.rows) ?? [];
    active = -1;
    fill(list, shown.map((text, index) => make("li", {
      role: "option", id: `${listID}-${index}`, "aria-selected": "false",
      on: { mousedown: (event) => { event.preventDefault(); take(index); } },
    }, visible(text))));
    list.hidden = !shown.length;
    input.removeAttribute("aria-activedescendant");
  };
  const take = (index) => {
    const { start, end } = current();
    const word = shown[index];
    const rest = input.value.slice(end);
    const space = word.endsWith(":") || rest.startsWith(" ") ? "" : " ";
    input.value = input.value.slice(0, start) + word + space + rest;
    input.setSelectionRange(start + word.length + space.length, start + word.length + space.length);
    if (word.endsWith(":")) offer();
    else hide();
    apply();
  };
  const judge = () => {
    // A tag at the end that has no value yet is still being typed.
    const { problem } = parseFilter(input.value.replace(/(^|\s)-?[A-Za-z]+:$|\|$/, ""));
    if (problem) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (note.textContent !== problem) fill(note, visible(problem));
  };
  const apply = () => {
    judge();
    clearTimeout(timer);
    timer = 0;
    parts.changed(input.value.trim());
  };
  input.addEventListener("input", () => {
    isTyped = true;
    offer();
    judge();
    clearTimeout(timer);
    timer = setTimeout(apply, 120);
  });
  input.addEventListener("focus", prepare);
  input.addEventListener("blur", hide);
  input.addEventListener("keydown", (event) => {
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      event.preventDefault();
      active = (active + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length;
      [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === active)));
      input.setAttribute("aria-activedescendant", list.children[active].id);
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      parts.left();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active >= 0) take(active);
      else { hide(); apply(); }
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (input.value) {
        input.value = "";
        hide();
        apply();
      } else parts.left();
    }
  });
  return {
    node: make("div", { class: "filter-box" }, input, list, note), input,
    set: (text) => {
      if (timer || input.value.trim() === text) return;
      input.value = text;
      judge();
    },
  };
}
