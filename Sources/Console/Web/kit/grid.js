// @ts-check
// A long list that draws only its visible rows, after the grid pattern: the grid has the focus, one row is active.
import { freshID, make, styleRule } from "./text.js";

/** @template Item */
export class Grid {
  /** @type {Item[]} */
  items = [];
  /** @type {Set<Item>} */
  selection = new Set();
  /** @type {Item | undefined} */
  active;
  follows = false;
  scrolled = () => {};
  selected = () => {};
  /** Called before rows are drawn, with their places; returns an action for afterwards. @type {(first: number, last: number) => (() => void) | undefined} */
  draws = (_first, _last) => undefined;

  #anchor = -1;
  #first = -1;
  /** The first row that the reader sees, drawn or previewed. */
  #seen = 0;
  /** The texts over the rows, once the list has jumped. */
  scrollPreview;
  #loadingPreview;
  #rows = /** @type {Map<Item, HTMLElement>} */ (new Map());
  #isWaiting = false;
  /** What cells show, where that has a name: it is not made anew. */
  #shown = new WeakMap();
  /** @param {GridOptions<Item>} options */
  constructor(options) {
    this.options = options;
    this.height = options.height ?? 28;
    this.id = freshID("grid");
    this.head = make("div", { role: "row", class: "row-head", "aria-rowindex": 1 });
    this.window = make("div", { role: "rowgroup", class: "window" });
    this.space = make("div", { role: "presentation", class: "space" }, this.window);
    this.node = make("div", {
      role: "grid", id: this.id, class: "grid", tabindex: "0", "aria-label": options.name, "aria-multiselectable": options.selects ? "true" : undefined,
    }, make("div", { role: "rowgroup", class: "head" }, this.head), this.space);
    this.spaceStyle = styleRule(`#${this.id} .space`);
    this.windowStyle = styleRule(`#${this.id} .window`);
    this.columnStyle = styleRule(`#${this.id} [role="row"]`);
    this.setColumns(options.columns);
    this.node.addEventListener("scroll", () => {
      this.follows = this.isAtEnd;
      this.scrolled();
      this.schedule();
    }, { passive: true });
    this.node.addEventListener("keydown", (event) => this.#keyDown(event));
    this.window.addEventListener("click", (event) => this.#click(event));
    this.observer = new ResizeObserver(() => {
      if (this.follows) this.toEnd();
      this.draw();
    });
    this.observer.observe(this.node);
  }
  setColumns(columns) {
    this.columns = columns;
    this.columnStyle.setProperty("grid-template-columns", columns.map((column) => column.width).join(" "));
    this.head.replaceChildren(...columns.map((column) => make("div", { role: "columnheader", "data-key": column.key, "aria-sort": column.sorts ? "none" : undefined },
      column.sorts ? make("button", { type: "button", on: { click: () => this.options.sort?.(column.key) } }, column.title) : make("span", null, column.title))));
    this.refresh();
  }

  /** Marks the column by which the rows are sorted. */
  showSort(key, isDescending) {
    for (const header of this.head.children) {
      if (!header.hasAttribute("aria-sort")) continue;
      header.setAttribute("aria-sort", header.dataset.key === key ? (isDescending ? "descending" : "ascending") : "none");
    }
  }

  get isAtEnd() { return this.node.scrollTop + this.node.clientHeight >= this.node.scrollHeight - this.height; }
  setItems(items) {
    const { identity } = this.options;
    if (identity) {
      // Items that were read anew take the place of those that are known by the same name.
      const known = new Map(items.map((item) => [identity(item), item]));
      if (this.active !== undefined) this.active = known.get(identity(this.active));
      this.selection = new Set([...this.selection].map((item) => known.get(identity(item))).filter((item) => item !== undefined));
    }
    this.items = items;
    this.node.setAttribute("aria-rowcount", String(items.length + 1));
    this.spaceStyle.setProperty("height", `${Math.max(items.length * this.height, 1)}px`);
    if (this.follows) this.node.scrollTop = this.node.scrollHeight;
    this.draw();
  }

  toEnd() {
    this.follows = true;
    this.node.scrollTop = this.node.scrollHeight;
    this.draw();
  }

  schedule() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      const { first, last } = this.#range();
      // None of the rows was there before: until the list rests, the texts of some columns are enough.
      if (Math.abs(first - this.#seen) > last - first && this.columns.some((column) => column.text)) {
        this.#seen = first;
        if (this.scrollPreview) { this.scrollPreview.show(first, last); return; }
        this.#loadingPreview ??= import("./scroll-preview.js").then(({ ScrollPreview }) => { this.scrollPreview = new ScrollPreview(this, () => this.draw()); }, () => {});
      }
      this.draw();
    });
  }
  /** The rows that are drawn: the visible ones, and some before and behind them. */
  #range() {
    const visible = Math.ceil((this.node.clientHeight || 600) / this.height);
    const first = Math.max(0, Math.min(Math.floor(Math.max(0, this.node.scrollTop) / this.height) - 4, this.items.length - visible - 4));
    return { first, last: Math.min(this.items.length, first + visible + 9) };
  }

  refresh() {
    this.#rows.clear();
    this.window.replaceChildren();
    this.draw();
  }

  redraw(item) {
    const row = this.#rows.get(item);
    if (row) this.#fill(row, item);
  }

  draw() {
    // It is drawn when somebody sees it.
    if (document.hidden) { this.schedule(); return; }
    const { first, last } = this.#range();
    this.#seen = first;
    if (first !== this.#first) {
      this.#first = first;
      this.windowStyle.setProperty("transform", `translateY(${first * this.height}px)`);
    }
    const after = this.draws(first, last);
    const wanted = new Set();
    for (let index = first; index < last; index += 1) wanted.add(this.items[index]);
    const spare = [];
    for (const [item, row] of this.#rows) {
      if (wanted.has(item)) continue;
      this.#rows.delete(item);
      spare.push(row);
    }
    let place = this.window.firstChild;
    for (let index = first; index < last; index += 1) {
      const item = this.items[index];
      let row = this.#rows.get(item);
      if (!row) {
        // The first that is free stands where it is wanted, if all rows are others.
        row = spare.shift() ?? make("div", { role: "row" });
        this.#rows.set(item, row);
        this.#fill(row, item);
      }
      const position = String(index + 2);
      if (row.getAttribute("aria-rowindex") !== position) {
        row.setAttribute("aria-rowindex", position);
        row.id = `${this.id}-${index}`;
      }
      if (row === place) place = place.nextSibling;
      else this.window.insertBefore(row, place);
    }
    for (const row of spare) row.remove();
    this.#showActive();
    this.scrollPreview?.hide();
    after?.();
  }
  #fill(row, item) {
    row.className = "";
    for (const name of ["aria-label", "data-state", "aria-selected"]) row.removeAttribute(name);
    const cells = this.options.render(item, row);
    const isApart = this.options.isApart?.(item) ?? false;
    const nodes = [...row.children];
    const ends = nodes.length === cells.length && (row.dataset.apart === "yes") === isApart;
    if (!ends) row.replaceChildren(...cells.map(() => make("div", { role: "gridcell", "aria-colspan": isApart ? this.columns.length : undefined })));
    row.dataset.apart = isApart ? "yes" : "";
    cells.forEach((cell, index) => {
      const node = row.children[index];
      if (cell?.make) {
        const shown = this.#shown.get(node);
        if (shown?.name === cell.name) return;
        this.#shown.set(node, cell);
        if (cell.change && shown?.change === cell.change) {
          cell.change(node.firstChild, cell.item);
          return;
        }
        cell = cell.make();
      } else this.#shown.delete(node);
      node.replaceChildren(...(Array.isArray(cell) ? cell.flat(3).filter((one) => one !== null && one !== undefined && one !== false && one !== "") : cell === "" || cell === null || cell === undefined ? [] : [cell]));
      const key = isApart ? "" : this.columns[index]?.key;
      if (node.dataset.key !== key) node.dataset.key = key;
    });
    if (this.options.selects && !isApart) row.setAttribute("aria-selected", String(this.selection.has(item)));
    row.classList.toggle("active", item === this.active);
  }

  #showActive() {
    let id = "";
    for (const [item, row] of this.#rows) {
      const isActive = item === this.active;
      if (row.classList.contains("active") !== isActive) row.classList.toggle("active", isActive);
      if (isActive) id = row.id;
    }
    if (id) {
      if (this.node.getAttribute("aria-activedescendant") !== id) this.node.setAttribute("aria-activedescendant", id);
    } else this.node.removeAttribute("aria-activedescendant");
  }
  activate(item, scrolls = true) {
    this.active = item;
    const index = item === undefined ? -1 : this.items.indexOf(item);
    if (index >= 0 && scrolls) this.reveal(index);
    this.draw();
  }
  reveal(index) {
    const head = this.head.offsetHeight;
    const top = index * this.height;
    const bottom = top + this.height - (this.node.clientHeight - head);
    if (this.node.scrollTop > top) this.node.scrollTop = top;
    else if (this.node.scrollTop < bottom) this.node.scrollTop = bottom;
    this.follows = this.isAtEnd;
  }

  /** Moves the active row, past those apart. */
  move(steps) {
    const { items } = this;
    if (!items.length) return;
    const apart = this.options.isApart ?? (() => false);
    const from = this.active === undefined ? -1 : items.indexOf(this.active);
    const way = steps < 0 ? -1 : 1;
    let index = from < 0 ? (way > 0 ? 0 : items.length - 1) : Math.max(0, Math.min(items.length - 1, from + steps));
    while (index >= 0 && index < items.length && apart(items[index])) index += way;
    // Past a row at the end that spans all columns: back to the last that can be selected.
    if (index < 0 || index >= items.length) index -= way;
    while (index >= 0 && index < items.length && apart(items[index])) index -= way;
    if (items[index]) this.activate(items[index]);
  }
  toggleSelection(item) {
    if (this.selection.has(item)) this.selection.delete(item);
    else this.selection.add(item);
    this.#anchor = this.items.indexOf(item);
    this.redraw(item);
    this.selected();
  }

  clearSelection() {
    this.selection.clear();
    this.refresh();
    this.selected();
  }
  #click(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("a, button, input, select")) return;
    const row = target.closest('[role="row"]');
    const item = [...this.#rows].find(([, node]) => node === row)?.[0];
    if (item === undefined || this.options.isApart?.(item)) return;
    this.node.focus({ preventScroll: true });
    if (this.options.selects && (event.ctrlKey || event.metaKey)) {
      this.activate(item, false);
      this.toggleSelection(item);
    } else if (this.options.selects && event.shiftKey) {
      const to = this.items.indexOf(item);
      const from = this.#anchor >= 0 ? this.#anchor : Math.max(0, this.items.indexOf(/** @type {Item} */ (this.active)));
      for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
        if (!this.options.isApart?.(this.items[index])) this.selection.add(this.items[index]);
      }
      this.activate(item, false);
      this.refresh();
      this.selected();
    } else {
      this.#anchor = this.items.indexOf(item);
      this.activate(item, false);
      this.options.open?.(item);
    }
  }
  #keyDown(event) {
    // On a button of the heading letters work too; the other keys are the button's.
    if (event.target !== this.node && !/^[^ ]$/.test(event.key)) return;
    if (this.options.key?.(event, this.active)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.height) - 2);
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity })[event.key];
    if (steps !== undefined) {
      event.preventDefault();
      if (!this.items.length) return;
      if (steps === Infinity) { this.active = undefined; this.move(-1); } else if (steps === -Infinity) { this.active = undefined; this.move(1); } else this.move(steps);
    } else if (event.key === "Enter" && this.active !== undefined) {
      event.preventDefault();
      this.options.open?.(this.active);
    }
  }
}
