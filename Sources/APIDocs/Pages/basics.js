"use strict";
// Everything foreign goes through `make` and becomes a text node or a plain attribute.
const make = (name, options, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(options || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    else if (key === "class") node.className = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
};
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value) => (Array.isArray(value) ? value : []);
const members = (value) => (isObject(value) ? Object.entries(value) : []);
const text = (value) => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

// Where the browser reached the page: a world's prefix or the hub's mount may stand before its own path.
const here = document.body.dataset;
const base = (() => {
  const folder = here.document.slice(0, here.document.lastIndexOf("/") + 1);
  const own = here.page || folder + location.pathname.slice(location.pathname.lastIndexOf("/") + 1);
  const path = location.pathname.endsWith("/") && !own.endsWith("/") ? location.pathname.slice(0, -1) : location.pathname;
  return path.endsWith(own) ? path.slice(0, path.length - own.length) : "";
})();
const mount = base + here.mount;
const documentPath = base + here.document;

/** JSON text as coloured spans. Strings are isolated, so that Arabic values don't turn the line around. */
const coloured = (source) => {
  const node = make("pre", { tabindex: "0" });
  if (source.length > 200000) {
    node.append(source);
    return node;
  }
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let last = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    node.append(source.slice(last, found.index));
    const kind = found[1] ? (found[2] ? "key" : "string") : /[a-z]/.test(found[0][0]) ? "word" : "number";
    const shown = found[1] || found[0];
    node.append(make("span", { class: kind }, found[1] ? make("bdi", {}, shown) : shown), found[2] || "");
    last = found.index + found[0].length;
  }
  node.append(source.slice(last));
  return node;
};
const shownJSON = (value) => coloured(JSON.stringify(value, null, 2) ?? "");

const copyButton = (source) => {
  const button = make("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
};

let counter = 0;
const freshID = () => `n${(counter += 1)}`;
