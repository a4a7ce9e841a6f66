// @ts-check
// What Traffic lists: the rows that fit, in their order, and the field Filter.
import { app, query, reply } from "../kit/core.js";
import { fill, freshID, make, visible } from "../kit/text.js";
import { offers, parseFilter } from "../kit/filter.js";
import { journal } from "../kit/journal.js";
import { SORTS } from "./traffic-row.js";

/** @typedef {import("../kit/journal.js").Line} Line */
/** @typedef {import("../kit/journal.js").Note} Note */

export class TrafficView {
  /** The lines that fit. @type {Line[]} */
  lines = [];
  /** What the grid shows: lines and notes. @type {(Line | Note)[]} */
  items = [];
  text = "";
  filter = parseFilter("");
  /** @type {string[]} */
  apis = [];
  sort = { key: "seq", isDescending: false };
  /** Found by the server for the phrase, by `seq`; null without a phrase. @type {Set<number>?} */
  found = null;
  isSearching = false;

  #shape = -1;
  #looked = 0;
  #version = -1;
  #search = 0;
  #searched = 0;

  /**
   * Chooses what is shown; tells whether that is something else.
   * @param {string} text
   * @param {string[]} apis
   * @param {() => void} found called when the server has searched
   */
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

  /** Has the server search for the phrase among what it has not searched yet. @param {() => void} found */
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
        before = json.items[json.items.length - 1].seq;
      }
      this.#searched = newest;
    } catch { /* The connection says so. */ } finally {
      if (own === this.#search) {
        this.isSearching = false;
        found();
      }
    }
  }

  /** @param {Line} line */
  fits(line) {
    if (this.apis.length && !this.apis.includes(line.api)) return false;
    if (this.found && !this.found.has(line.seq)) return false;
    return this.filter.test(line);
  }

  get isFiltered() { return !this.filter.isEmpty || this.apis.length > 0; }

  /** Shows everything anew at the next update. */
  stale() { this.#shape = -1; }

  /** Takes in what has changed in the journal; tells whether the items are others. */
  update() {
    const { rows } = journal;
    if (this.#shape === journal.shape && this.#version === journal.version) return false;
    this.#version = journal.version;
    if (this.#shape !== journal.shape || this.#looked > rows.length || this.sort.key !== "seq" || this.sort.isDescending) {
      this.#shape = journal.shape;
      this.#looked = rows.length;
      this.lines = this.isFiltered ? rows.filter((line) => this.fits(line)) : rows.slice();
      this.items = this.#ordered();
      return true;
    }
    let isOther = false;
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
    const items = /** @type {(Line | Note)[]} */ ([]);
    let next = 0;
    const oldest = journal.rows[0]?.seq ?? 0;
    while (next < notes.length && journal.isLoading && notes[next].after < oldest - 1) next += 1;
    for (const line of this.lines) {
      while (next < notes.length && notes[next].after < line.seq) items.push(notes[next++]);
      items.push(line);
    }
    while (next < notes.length) items.push(notes[next++]);
    return items;
  }
}

/**
 * @param {object} parts
 * @param {(text: string) => void} parts.changed
 * @param {() => void} parts.left the reader wants to go to the list
 */
export function filterBox(parts) {
  const listID = freshID("offers");
  const noteID = freshID("filter-note");
  const input = make("input", {
    type: "search", "aria-label": "Filter", class: "filter", placeholder: "Filter: status:4xx -method:OPTIONS path:/api/** words", autocomplete: "off",
    spellcheck: "false", "aria-autocomplete": "list", "aria-controls": listID, "aria-describedby": noteID,
  });
  const list = make("ul", { role: "listbox", id: listID, "aria-label": "Filter offers", class: "options", hidden: true });
  const note = make("p", { id: noteID, class: "filter-note", role: "status" });
  /** @type {string[]} */
  let shown = [];
  let active = -1;
  let timer = 0;

  const current = () => {
    const caret = input.selectionStart ?? input.value.length;
    const start = input.value.slice(0, caret).search(/\S*$/);
    const end = caret + /^\S*/.exec(input.value.slice(caret))[0].length;
    return { start, end, word: input.value.slice(start, caret) };
  };
  const hide = () => {
    list.hidden = true;
    active = -1;
    input.removeAttribute("aria-activedescendant");
  };
  const offer = () => {
    shown = offers(current().word, journal.rows);
    active = -1;
    fill(list, shown.map((text, index) => make("li", {
      role: "option", id: `${listID}-${index}`, "aria-selected": "false",
      on: { mousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(index); } },
    }, visible(text))));
    list.hidden = !shown.length;
    input.removeAttribute("aria-activedescendant");
  };
  const take = (/** @type {number} */ index) => {
    const { start, end } = current();
    const word = shown[index];
    const rest = input.value.slice(end);
    const space = word.endsWith(":") || rest.startsWith(" ") ? "" : " ";
    input.value = input.value.slice(0, start) + word + space + rest;
    input.setSelectionRange(start + word.length + space.length, start + word.length + space.length);
    if (word.endsWith(":")) offer();
    else hide();
    apply(0);
  };
  const judge = () => {
    const { problem } = parseFilter(input.value);
    if (problem) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (note.textContent !== problem) fill(note, visible(problem));
  };
  const apply = (/** @type {number} */ wait) => {
    judge();
    clearTimeout(timer);
    timer = setTimeout(() => parts.changed(input.value.trim()), wait);
  };
  input.addEventListener("input", () => { offer(); apply(120); });
  input.addEventListener("blur", hide);
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
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
      else { hide(); apply(0); }
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (input.value) {
        input.value = "";
        hide();
        apply(0);
      } else parts.left();
    }
  });
  return {
    node: make("div", { class: "filter-box" }, input, list, note), input,
    /** @param {string} text */
    set: (text) => {
      if (input.value.trim() === text) return;
      input.value = text;
      judge();
    },
  };
}
