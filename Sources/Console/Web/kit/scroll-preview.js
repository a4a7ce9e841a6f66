// @ts-check
// Rows of a grid while it moves faster than anybody reads: each column is one text, laid out at once, over the rows.
import { make, styleRule, visible } from "./text.js";

/** After so many milliseconds without a jump the list rests. */
const REST = 100;

export class ScrollPreview {
  #columns = [];
  /** The places of the columns by their keys. */
  #places = new Map();
  #timer = 0;
  node = make("div", { class: "scroll-preview", "aria-hidden": "true", hidden: true });
  /** @param {import("./grid.js").Grid<any>} grid @param {() => void} rests called when the list has come to rest */
  constructor(grid, rests) {
    this.grid = grid;
    this.rests = rests;
    grid.space.append(this.node);
    this.style = styleRule(`#${grid.id} .scroll-preview`);
  }

  get isShown() { return !this.node.hidden; }

  /** Shows rows by their texts. */
  show(first, last) {
    const { grid, node } = this;
    if (!this.isShown) this.#begin();
    const items = grid.items.slice(first, last);
    for (const { column, text } of this.#columns) text.data = items.map((item) => line(column.text(item))).join("\n");
    this.style.setProperty("transform", `translateY(${first * grid.height}px)`);
    this.style.setProperty("height", `${items.length * grid.height}px`);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.rests, REST);
  }

  hide() {
    if (!this.isShown) return;
    clearTimeout(this.#timer);
    this.node.hidden = true;
  }

  /** Puts each column where that of the heading is. */
  #begin() {
    const { grid, node } = this;
    const places = [...grid.head.children].map((header) => [header.offsetLeft, header.offsetWidth]);
    this.#columns = grid.columns.flatMap((column, index) => {
      if (!column.text) return [];
      const place = this.#places.get(column.key) ?? styleRule(`#${grid.id} .scroll-preview > [data-key="${column.key}"]`);
      this.#places.set(column.key, place);
      place.setProperty("left", `${places[index][0]}px`);
      place.setProperty("width", `${places[index][1]}px`);
      const text = document.createTextNode("");
      return [{ column, node: make("pre", { "data-key": column.key }, text), text }];
    });
    this.style.setProperty("line-height", `${grid.height}px`);
    this.style.setProperty("background-size", `100% ${grid.height}px`);
    node.replaceChildren(...this.#columns.map((one) => one.node));
    node.hidden = false;
  }
}

/** Foreign text as one line, of which as much is kept as a wide window shows. */
const line = (text) => visible(text.slice(0, 300)).replace(/[\t\n\r]/g, " ");
