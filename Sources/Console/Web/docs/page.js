// @ts-check
// A documentation page: the operations of an OpenAPI document, searchable, with their schemas in words.
import { adminFields, asked, credentialPanel, isOpen, keys, problemText, statusClass, trying } from "./trying.js";
import { coloured } from "../kit/content.js";
import { applyTheme, preferences } from "../kit/core.js";
import { freshID, make } from "../kit/text.js";

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const list = (value) => (Array.isArray(value) ? value : []);
export const members = (value) => (isObject(value) ? Object.entries(value) : []);
export const text = (value) => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

// Where the browser reached the page: a world's prefix or the hub's mount may stand before its own path.
export const here = document.body.dataset;
export const base = (() => {
  const folder = here.document.slice(0, here.document.lastIndexOf("/") + 1);
  const own = here.page || folder + location.pathname.slice(location.pathname.lastIndexOf("/") + 1);
  const path = location.pathname.endsWith("/") && !own.endsWith("/") ? location.pathname.slice(0, -1) : location.pathname;
  return path.endsWith(own) ? path.slice(0, path.length - own.length) : "";
})();
export const mount = base + here.mount;
export const documentPath = base + here.document;

export const copyButton = (source) => {
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

/** The document. @type {any} */
let root = {};
/** @param {any} source */
export const use = (source) => { root = source; };
export const source = () => root;
/** Follows references inside the document; a circle or a foreign one ends in an open schema. */
export const resolved = (schema) => {
  let value = schema;
  for (let steps = 0; steps < 20; steps += 1) {
    if (!isObject(value) || typeof value.$ref !== "string") return isObject(value) ? value : {};
    if (!value.$ref.startsWith("#/")) return {};
    value = value.$ref.slice(2).split("/").reduce(
      (place, part) => {
        const key = decodeURIComponent(part).replace(/~1/g, "/").replace(/~0/g, "~");
        return (isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key) ? place[key] : undefined;
      },
      root);
  }
  return {};
};
const referenceName = (schema) =>
  isObject(schema) && typeof schema.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : "";

export const typeWords = (schema, depth = 0) => {
  const name = referenceName(schema);
  if (name) return name;
  if (!isObject(schema) || depth > 4) return "anything";
  const choices = list(schema.oneOf).concat(list(schema.anyOf));
  if (choices.length) return choices.map((choice) => typeWords(choice, depth + 1)).join(" or ");
  if (list(schema.allOf).length) return schema.allOf.map((part) => typeWords(part, depth + 1)).join(" and ");
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  const types = (Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : []).map(String);
  const words = types.map((type) => {
    if (type === "array") return `list of ${typeWords(schema.items, depth + 1)}`;
    return schema.format && type !== "null" ? `${type} (${text(schema.format)})` : type;
  });
  if (schema.nullable === true && !types.includes("null")) words.push("null");
  return words.join(" or ") || "anything";
};

export const limits = (schema) => {
  const words = [];
  const range = (low, high, unit) => {
    const counted = (number) => `${text(number)}${unit && ` ${unit}${number === 1 ? "" : "s"}`}`;
    if (low !== undefined && high !== undefined) words.push(`${text(low)} to ${counted(high)}`);
    else if (low !== undefined) words.push(`at least ${counted(low)}`);
    else if (high !== undefined) words.push(`at most ${counted(high)}`);
  };
  range(schema.minimum, schema.maximum, "");
  range(schema.minLength, schema.maxLength, "character");
  range(schema.minItems, schema.maxItems, "item");
  if (schema.pattern !== undefined) words.push(`pattern ${text(schema.pattern)}`);
  if (schema.default !== undefined) words.push(`default ${JSON.stringify(schema.default)}`);
  if (schema.additionalProperties === false) words.push("no other members");
  return words.join(" · ");
};

export const enumeration = (schema) =>
  list(schema.enum).length
    ? make("p", {}, "one of ", schema.enum.map((value, index) => [index ? ", " : "", make("code", {}, JSON.stringify(value))]))
    : null;

/** The schemas below this one that have members of their own to show. */
const inner = (schema) => {
  const value = resolved(schema);
  const found = [];
  if (members(value.properties).length) found.push(value);
  for (const choice of [...list(value.oneOf), ...list(value.anyOf), ...list(value.allOf)]) found.push(...(found.length > 20 ? [] : inner(choice)));
  if (isObject(value.items)) found.push(...inner(value.items));
  if (isObject(value.additionalProperties)) found.push(...inner(value.additionalProperties));
  return found;
};

export const unfolding = (words, content) => {
  const box = make("details", {}, make("summary", {}, words));
  box.addEventListener("toggle", () => { if (box.open && box.childElementCount === 1) box.append(content()); });
  return box;
};

const memberList = (object) =>
  make("ul", { class: "members" }, members(object.properties).map(([name, property]) => {
    const value = resolved(property);
    const below = inner(property);
    const note = limits(value);
    const example = property.example ?? list(property.examples)[0];
    return make("li", {},
      make("code", {}, name), " ", make("span", { class: "type" }, typeWords(property)), " ",
      list(object.required).includes(name) ? make("span", { class: "must" }, "required") : null,
      (property.description || value.description) && make("p", { dir: "auto" }, text(property.description || value.description)),
      enumeration(value), note && make("p", {}, note),
      example !== undefined && make("p", {}, "e.g. ", make("code", {}, JSON.stringify(example))),
      below.map((part) => unfolding("members", () => memberList(part))));
  }));

export const schemaView = (schema) => {
  const value = resolved(schema);
  const below = inner(schema);
  const note = limits(value);
  return make("div", {},
    make("p", { class: "type" }, typeWords(schema), note && ` · ${note}`),
    value.description && make("p", { class: "note", dir: "auto" }, text(value.description)),
    enumeration(value), below.slice(0, 12).map(memberList));
};

/** A value that fits, for a body nobody gave an example for. */
export const sample = (schema, depth = 0) => {
  const value = resolved(schema);
  if (isObject(schema) && schema.example !== undefined) return schema.example;
  if (value.example !== undefined) return value.example;
  if (list(value.examples).length) return value.examples[0];
  if (value.default !== undefined) return value.default;
  if (value.const !== undefined) return value.const;
  if (list(value.enum).length) return value.enum[0];
  if (depth > 6) return null;
  const choice = list(value.oneOf)[0] || list(value.anyOf)[0];
  if (choice) return sample(choice, depth + 1);
  if (list(value.allOf).length) return Object.assign({}, ...value.allOf.map((part) => sample(part, depth + 1)));
  const type = Array.isArray(value.type) ? value.type.find((one) => one !== "null") : value.type;
  if (type === "object" || isObject(value.properties)) {
    const required = list(value.required);
    const shown = members(value.properties).filter(([name]) => !required.length || required.includes(name));
    return Object.fromEntries(shown.map(([name, property]) => [name, sample(property, depth + 1)]));
  }
  if (type === "array") return value.minItems ? [sample(value.items, depth + 1)] : [];
  if (type === "integer" || type === "number") return value.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "string") return value.format === "date-time" ? "2025-01-01T12:00:00Z" : "";
  return null;
};

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const operationsOf = (source) => {
  const found = [];
  for (const [path, item] of members(source.paths)) {
    for (const method of methods) {
      if (!isObject(item) || !isObject(item[method])) continue;
      const operation = item[method];
      const own = list(operation.parameters).map(resolved);
      const shared = list(item.parameters).map(resolved).filter((one) => !own.some((other) => other.name === one.name && other.in === one.in));
      found.push({
        ...operation, path, method, parameters: [...shared, ...own],
        id: text(operation.operationId) || `${method}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
        group: text(list(operation.tags)[0]) || groupOf(path)
      });
    }
  }
  return found;
};
/** Without tags: the first part of the path that says something. */
const groupOf = (path) => {
  const parts = path.split("/").filter((part) => part && !/^(api|mobile|v\d+|__admin|\{.*\})$/i.test(part));
  return (parts[0] || "root").replace(/\.\w+$/, "");
};

const parameterTable = (parameters) =>
  make("table", {}, parameters.map((parameter) => {
    const schema = parameter.schema || {};
    const note = limits(resolved(schema));
    return make("tr", {},
      make("td", {}, make("code", {}, text(parameter.name)), " ", parameter.required ? make("span", { class: "must" }, "required") : null),
      make("td", {}, make("span", { class: "type" }, text(parameter.in), " · ", typeWords(schema)),
        parameter.description && make("p", { dir: "auto" }, text(parameter.description)), enumeration(resolved(schema)), note && make("p", {}, note)));
  }));

const exampleView = (media) => {
  const examples = members(media.examples).map(([name, example]) => [text(resolved(example).summary) || name, resolved(example).value]);
  if (media.example !== undefined) examples.unshift(["Example", media.example]);
  return examples.map(([name, value]) =>
    [make("p", { class: "note", dir: "auto" }, name), typeof value === "string" ? make("pre", { class: "text", tabindex: "0" }, value) : coloured(JSON.stringify(value, null, 2) ?? "")]);
};

const mediaViews = (content) => members(content).map(([type, media]) =>
  [make("p", { class: "type" }, make("code", {}, type)), media.schema && schemaView(media.schema), exampleView(media)]);

const answerView = ([status, answer]) => {
  const value = resolved(answer);
  const number = parseInt(status, 10);
  return make("details", {},
    make("summary", {}, make("span", { class: `status ${Number.isNaN(number) ? "odd" : statusClass(number)}` }, status), " ", make("span", { dir: "auto" }, text(value.description))),
    members(value.headers).length > 0 && [make("h4", {}, "Headers"), parameterTable(members(value.headers).map(([name, header]) => ({ name, in: "header", ...resolved(header) })))],
    members(value.content).length ? mediaViews(value.content) : make("p", { class: "note" }, "No content."));
};

const inside = (operation) => {
  const body = resolved(operation.requestBody);
  const names = asked(operation);
  const access = names.length ? `${isOpen(operation) ? "Takes" : "Needs"} ${[...new Set(names)].join(" or ")}.` : "No credentials needed.";
  const standing = operation["x-understudy-status"];
  return make("div", { class: "inside" },
    operation.description && make("p", { dir: "auto" }, text(operation.description)),
    make("p", { class: "note" }, access, standing && ` In the contract: ${text(standing)}.`, operation.deprecated && " Deprecated."),
    operation.parameters.length > 0 && [make("h4", {}, "Parameters"), parameterTable(operation.parameters)],
    members(body.content).length > 0 && [make("h4", {}, `Body${body.required ? "" : " (optional)"}`), mediaViews(body.content)],
    make("h4", {}, "Responses"), make("div", { class: "answers" }, members(operation.responses).map(answerView)),
    trying(operation));
};

const card = (operation) => {
  const panel = make("div", { hidden: true, id: freshID() });
  const button = make("button", { type: "button", "aria-expanded": "false", "aria-controls": panel.id },
    make("span", { class: `method ${operation.method}` }, operation.method.toUpperCase()),
    make("span", { class: "path" }, operation.path),
    make("span", { class: "what", dir: "auto" }, text(operation.summary)),
    isOpen(operation) ? null : make("span", { class: "badge" }, "token"));
  const node = make("article", { id: operation.id }, make("h3", {}, button), panel);
  const open = (shows) => {
    if (shows && !panel.childElementCount) panel.append(inside(operation));
    panel.hidden = !shows;
    button.setAttribute("aria-expanded", String(shows));
  };
  button.addEventListener("click", () => open(panel.hidden));
  const words = [operation.method, operation.path, operation.summary, operation.description, operation.id, operation.group, ...operation.parameters.map((one) => one.name)];
  return { node, button, open, operation, haystack: words.map(text).join(" ").toLowerCase() };
};

const themeButton = () => {
  const button = make("button", { type: "button" }, "Toggle theme");
  button.addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    preferences.set("theme", isDark ? "Light" : "Dark");
    applyTheme();
  });
  return button;
};

const show = (source) => {
  use(source);
  const cards = operationsOf(source).map(card);
  const groups = [...new Set(cards.map((one) => one.operation.group))];
  const search = make("input", { type: "search", placeholder: "Search path, method, summary …   ( / )", "aria-label": "Search the operations" });
  const found = make("span", { class: "found", role: "status" });
  const all = make("button", { type: "button" }, "Expand all");
  const panel = credentialPanel();
  document.getElementById("tools").replaceChildren(make("div", {}, search, found, all, themeButton()));
  const sections = groups.map((group) => {
    const own = cards.filter((one) => one.operation.group === group);
    return { own, node: make("section", { "aria-label": group }, make("h2", { dir: "auto" }, group), own.map((one) => one.node)) };
  });
  const links = new Map(cards.map((one) => [one, make("li", {}, make("a", { href: `#${encodeURIComponent(one.operation.id)}` },
    make("span", { class: `method ${one.operation.method}` }, one.operation.method.toUpperCase()), make("span", { dir: "auto" }, text(one.operation.summary) || one.operation.path)))]));
  const listed = sections.map(({ own }, index) => make("div", {}, make("h2", { dir: "auto" }, groups[index]), make("ul", {}, own.map((one) => links.get(one)))));
  document.getElementById("contents").replaceChildren(...listed);
  const named = members(source.components?.schemas);
  const schemaSection = make("section", { id: "schemas", "aria-label": "Schemas" }, make("h2", {}, `Schemas (${named.length})`),
    named.map(([name, schema]) => make("article", {}, make("div", { class: "inside" }, unfolding(name, () => schemaView(schema))))));
  const nothing = make("p", { class: "nothing", hidden: true });
  document.getElementById("operations").replaceChildren(panel.node, nothing, ...sections.map((one) => one.node), ...(named.length ? [schemaSection] : []));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of cards) {
      const fits = words.every((word) => one.haystack.includes(word));
      one.node.hidden = !fits;
      links.get(one).hidden = !fits;
      if (fits) count += 1;
    }
    sections.forEach((section, index) => {
      const isEmpty = section.own.every((one) => one.node.hidden);
      section.node.hidden = isEmpty;
      listed[index].hidden = isEmpty;
    });
    schemaSection.hidden = words.length > 0;
    nothing.hidden = count > 0;
    nothing.textContent = count ? "" : `No operation has “${search.value.trim()}” in its path, summary or parameters. Escape shows all of them.`;
    found.textContent = words.length ? `${count} of ${cards.length}` : `${cards.length} operations`;
  };
  search.addEventListener("input", filter);
  filter();
  all.addEventListener("click", () => {
    const visible = cards.filter((one) => !one.node.hidden);
    const opens = visible.some((one) => one.button.getAttribute("aria-expanded") === "false");
    for (const one of visible) one.open(opens);
    all.textContent = opens ? "Collapse all" : "Expand all";
  });
  const follow = () => {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const one = cards.find((other) => other.operation.id === id);
    for (const [other, link] of links) {
      if (other === one) link.firstChild.setAttribute("aria-current", "true");
      else link.firstChild.removeAttribute("aria-current");
    }
    if (!one) return;
    one.open(true);
    one.node.scrollIntoView();
    one.button.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName);
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      filter();
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && (event.target === search || cards.some((one) => one.button === event.target))) {
      const visible = cards.filter((one) => !one.node.hidden);
      const place = visible.findIndex((one) => one.button === event.target);
      const next = visible[place + (event.key === "ArrowDown" ? 1 : -1)];
      event.preventDefault();
      (next ? next.button : search).focus();
    }
  });
  follow();
  document.body.dataset.ready = "yes";
};

const load = async () => {
  document.getElementById("document").setAttribute("href", documentPath);
  document.getElementById("document").textContent = documentPath;
  const tools = document.getElementById("tools");
  tools.setAttribute("role", "region");
  tools.setAttribute("aria-label", "Tools");
  try {
    const response = await fetch(documentPath, { cache: "no-store", headers: adminFields() });
    if (response.status === 401) {
      const input = make("input", { type: "password", autocomplete: "off", placeholder: "admin token", "aria-label": "Admin token" });
      const form = make("form", { class: "row" }, input, make("button", { class: "main" }, "Load document"),
        make("span", { class: "note" }, "This server requires its admin token, which it printed at startup."));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        keys.admin = input.value.trim();
        here.admin = "yes";
        load();
      });
      tools.replaceChildren(make("div", {}, form));
      document.body.dataset.ready = "locked";
      return;
    }
    if (!response.ok) throw new Error(await problemText(response));
    const source = await response.json();
    if (!isObject(source) || !isObject(source.paths)) throw new Error("Not an OpenAPI document.");
    show(source);
  } catch (error) {
    tools.replaceChildren(make("div", {}, make("p", { class: "error" }, `The document at ${documentPath} can't be read: ${/** @type {any} */ (error).message || error}`)));
    document.body.dataset.ready = "failed";
  }
};
applyTheme();
void load();
