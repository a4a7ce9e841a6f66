// Made by scripts/embed-pages from Sources/APIDocs/Pages; do not edit.
// swift-format-ignore-file

/// The files of the documentation pages.
enum PageFiles {
    static let basicsJS = ####"""
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

"""####

    static let indexHTML = ####"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>APIs · Understudy</title>
<style>{{style}}</style>
</head>
<body>
<header>
<div class="name"><h1>APIs</h1></div>
<p>Every emulated API with its operations, schemas and examples, to read and to try out.</p>
<p class="links"><a href="{{prefix}}/">Back to the hub</a></p>
</header>
<main><ul class="cards">
{{#entries}}
<li><a href="{{prefix}}/docs/{{name}}"><strong dir="auto">{{title}}</strong>
<span dir="auto">{{description}}</span>
<span class="count">{{operations}} operations</span></a></li>
{{/entries}}
</ul></main>
</body>
</html>

"""####

    static let pageHTML = ####"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}} · Understudy</title>
<style>{{style}}</style>
</head>
<body data-page="{{page}}" data-document="{{document}}" data-mount="{{mount}}" data-tokens="{{tokens}}" data-admin="{{admin}}">
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<div class="name"><h1 dir="auto">{{title}}</h1> <span class="version">{{version}}</span></div>
<p dir="auto">{{description}}</p>
<p class="links">OpenAPI document: <a id="document" href="{{document}}">{{document}}</a></p>
</header>
<div id="tools"></div>
<div class="columns">
<nav id="contents" aria-label="Operations"></nav>
<main id="operations" tabindex="-1">
<ul class="plain">
{{#operations}}
<li><code>{{method}} {{path}}</code> <span dir="auto">{{summary}}</span>{{access}}</li>
{{/operations}}
</ul>
</main>
</div>
<script>{{script}}</script>
</body>
</html>

"""####

    static let pageJS = ####"""
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
    [make("p", { class: "note", dir: "auto" }, name), typeof value === "string" ? make("pre", { class: "text", tabindex: "0" }, value) : shownJSON(value)]);
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
  const access = names.length ? `${isOpen(operation) ? "Takes" : "Needs"} ${[...new Set(names)].join(" or ")}.` : "Open to everyone.";
  const standing = operation["x-understudy-status"];
  return make("div", { class: "inside" },
    operation.description && make("p", { dir: "auto" }, text(operation.description)),
    make("p", { class: "note" }, access, standing && ` In the contract: ${text(standing)}.`, operation.deprecated && " Deprecated."),
    operation.parameters.length > 0 && [make("h4", {}, "Parameters"), parameterTable(operation.parameters)],
    members(body.content).length > 0 && [make("h4", {}, `Body${body.required ? "" : " (optional)"}`), mediaViews(body.content)],
    make("h4", {}, "Answers"), make("div", { class: "answers" }, members(operation.responses).map(answerView)),
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
  const button = make("button", { type: "button" }, "Dark or light");
  button.addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
  });
  return button;
};

const show = (source) => {
  root = source;
  const cards = operationsOf(source).map(card);
  const groups = [...new Set(cards.map((one) => one.operation.group))];
  const search = make("input", { type: "search", placeholder: "Search path, method, summary …   ( / )", "aria-label": "Search the operations" });
  const found = make("span", { class: "found", role: "status" });
  const all = make("button", { type: "button" }, "Unfold all");
  const panel = credentialPanel();
  document.getElementById("tools").replaceChildren(make("div", {}, search, found, all, themeButton()));
  const sections = groups.map((group) => {
    const own = cards.filter((one) => one.operation.group === group);
    return { own, node: make("section", { "aria-label": group }, make("h2", { dir: "auto" }, group), own.map((one) => one.node)) };
  });
  const links = new Map(cards.map((one) => [one, make("li", {}, make("a", { href: `#${encodeURIComponent(one.operation.id)}` },
    make("span", { class: `method ${one.operation.method}` }, one.operation.method.toUpperCase()), make("span", { dir: "auto" }, text(one.operation.summary) || one.operation.path)))]));
  const listed = sections.map(({ own }, index) => make("div", {}, make("h3", { dir: "auto" }, groups[index]), make("ul", {}, own.map((one) => links.get(one)))));
  document.getElementById("contents").replaceChildren(...listed);
  const named = members(source.components?.schemas);
  const schemaSection = make("section", { id: "schemas", "aria-label": "Schemas" }, make("h2", {}, `Schemas (${named.length})`),
    named.map(([name, schema]) => make("article", {}, make("div", { class: "inside" }, unfolding(name, () => schemaView(schema))))));
  document.getElementById("operations").replaceChildren(panel.node, ...sections.map((one) => one.node), ...(named.length ? [schemaSection] : []));

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
    found.textContent = words.length ? `${count} of ${cards.length}` : `${cards.length} operations`;
  };
  search.addEventListener("input", filter);
  filter();
  all.addEventListener("click", () => {
    const visible = cards.filter((one) => !one.node.hidden);
    const opens = visible.some((one) => one.button.getAttribute("aria-expanded") === "false");
    for (const one of visible) one.open(opens);
    all.textContent = opens ? "Fold all" : "Unfold all";
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
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
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
  try {
    const response = await fetch(documentPath, { cache: "no-store", headers: adminFields() });
    if (response.status === 401) {
      const input = make("input", { type: "password", autocomplete: "off", placeholder: "admin token", "aria-label": "Admin token" });
      const form = make("form", { class: "row" }, input, make("button", { class: "main" }, "Read the document"),
        make("span", { class: "note" }, "This server asks for its admin token; it was printed when it started."));
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
    if (!isObject(source) || !isObject(source.paths)) throw new Error("It is no OpenAPI document.");
    show(source);
  } catch (error) {
    tools.replaceChildren(make("div", {}, make("p", { class: "error" }, `The document at ${documentPath} can't be read: ${error.message || error}`)));
    document.body.dataset.ready = "failed";
  }
};
load();

"""####

    static let schemasJS = ####"""
let root = {};
/** Follows references inside the document; a circle or a foreign one ends in an open schema. */
const resolved = (schema) => {
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

const typeWords = (schema, depth = 0) => {
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

const limits = (schema) => {
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
  if (schema.default !== undefined) words.push(`if absent ${JSON.stringify(schema.default)}`);
  if (schema.additionalProperties === false) words.push("no other members");
  return words.join(" · ");
};

const enumeration = (schema) =>
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

const unfolding = (words, content) => {
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

const schemaView = (schema) => {
  const value = resolved(schema);
  const below = inner(schema);
  const note = limits(value);
  return make("div", {},
    make("p", { class: "type" }, typeWords(schema), note && ` · ${note}`),
    value.description && make("p", { class: "note", dir: "auto" }, text(value.description)),
    enumeration(value), below.slice(0, 12).map(memberList));
};

/** A value that fits, for a body nobody gave an example for. */
const sample = (schema, depth = 0) => {
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

"""####

    static let styleCSS = ####"""
:root {
  color-scheme: light dark;
  --ground: #f6f7fb; --sheet: #ffffff; --ink: #1b2130; --quiet: #5a6376; --line: #dfe3ec; --code: #f0f2f8;
  --accent: #3552c8; --accent-ink: #ffffff; --good: #14713c; --bad: #b3261e; --odd: #8a5a00;
  --get: #1f6f3f; --post: #2450b8; --put: #85570a; --patch: #6b3fa0; --delete: #b02a30; --other: #4d5768;
  --shadow: 0 1px 2px rgb(20 30 60 / 6%), 0 4px 16px rgb(20 30 60 / 5%);
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) {
    --ground: #11141b; --sheet: #191d27; --ink: #e6e9f2; --quiet: #a0a9bd; --line: #2c3342; --code: #222836;
    --accent: #93abff; --accent-ink: #10131b; --good: #6fd699; --bad: #ff9d94; --odd: #e8bd6b;
    --get: #6fd699; --post: #93b4ff; --put: #e8bd6b; --patch: #c9a6f5; --delete: #ff9a9f; --other: #b3bccd;
    --shadow: none;
  }
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] {
  color-scheme: dark;
  --ground: #11141b; --sheet: #191d27; --ink: #e6e9f2; --quiet: #a0a9bd; --line: #2c3342; --code: #222836;
  --accent: #93abff; --accent-ink: #10131b; --good: #6fd699; --bad: #ff9d94; --odd: #e8bd6b;
  --get: #6fd699; --post: #93b4ff; --put: #e8bd6b; --patch: #c9a6f5; --delete: #ff9a9f; --other: #b3bccd;
  --shadow: none;
}
* { box-sizing: border-box; }
html { scroll-padding-block-start: 5.5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
h1, h2, h3, h4, p { margin: 0; }
h1 { font-size: 1.65rem; letter-spacing: -.02em; }
h2 { font-size: 1.1rem; margin-block: 2rem .6rem; text-transform: capitalize; }
h4 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); margin-block: 1.2rem .4rem; }
code, pre, textarea, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; font-size: .87em; }
code, .path { direction: ltr; unicode-bidi: isolate; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { position: static; display: block; padding: .5rem 1.5rem; }
header, .columns, #tools > div, body > main { max-width: 84rem; margin-inline: auto; padding-inline: 1.5rem; }
header { padding-block: 1.8rem 1rem; }
header p { color: var(--quiet); max-width: 46rem; margin-block-start: .25rem; }
.name { display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; }
.version, .count { color: var(--quiet); border: 1px solid var(--line); border-radius: 99px; padding: 0 .55rem; font-size: .8rem; }
#tools { position: sticky; inset-block-start: 0; z-index: 2; background: var(--ground); border-block-end: 1px solid var(--line); }
#tools > div { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding-block: .6rem; }
#tools input[type=search] { flex: 1 1 16rem; }
#tools .found { color: var(--quiet); font-size: .85rem; min-width: 7rem; }
input, select, textarea, button { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .38rem .65rem; max-width: 100%; }
input, textarea { min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
textarea { width: 100%; min-height: 9rem; resize: vertical; line-height: 1.5; direction: ltr; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2rem; align-items: start; padding-block: 1rem 4rem; }
.columns > main { min-width: 0; }
nav { position: sticky; inset-block-start: 4.2rem; max-height: calc(100vh - 5rem); overflow-y: auto; font-size: .87rem; padding-block-end: 1rem; }
nav h3 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); margin-block: 1rem .2rem; padding-inline: .5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; gap: .5rem; align-items: baseline; padding: .16rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { background: var(--code); }
nav .method { flex: none; width: 4.4em; font-size: .65rem; white-space: nowrap; }
.method { font-weight: 700; font-size: .78rem; letter-spacing: .02em; color: var(--other); direction: ltr; unicode-bidi: isolate; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
article { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; margin-block-end: .6rem; box-shadow: var(--shadow); }
article h3 { font-size: 1rem; font-weight: inherit; }
article h3 > button { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: baseline; width: 100%; text-align: start; border: 0; background: none; padding: .7rem 1rem; border-radius: 12px; }
article h3 .method { width: 4.2em; white-space: nowrap; }
article h3 .path { font-weight: 600; font-size: .93rem; }
article h3 .what { color: var(--quiet); flex: 1 1 14rem; }
.badge { font-size: .72rem; border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; color: var(--quiet); white-space: nowrap; }
.inside { border-block-start: 1px solid var(--line); padding: .2rem 1rem 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
td, th { text-align: start; vertical-align: top; padding: .3rem 0; padding-inline-end: .9rem; border-block-end: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); font-size: .8rem; }
td:first-child { width: 32%; }
.inside > .note:first-child { margin-block-start: .6rem; }
.answers p.type:has(> code) { margin-block-start: .6rem; }
.type { color: var(--quiet); font-size: .85rem; }
.must { color: var(--bad); font-size: .75rem; font-weight: 600; }
ul.members { list-style: none; margin: 0; padding: 0; padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); }
ul.members li { padding-block: .22rem; }
ul.members p, td p { color: var(--quiet); font-size: .9rem; }
summary { cursor: pointer; }
details > summary { color: var(--accent); font-size: .87rem; width: fit-content; }
pre { background: var(--code); border-radius: 8px; padding: .7rem .9rem; margin: .4rem 0; overflow: auto; max-height: 32rem; direction: ltr; text-align: left; white-space: pre-wrap; line-height: 1.5; }
pre.text { direction: inherit; unicode-bidi: plaintext; text-align: start; }
pre .key { color: var(--post); } pre .string { color: var(--get); } pre .number { color: var(--put); } pre .word { color: var(--patch); }
.answers > details { border: 1px solid var(--line); border-radius: 8px; padding: .35rem .8rem; margin-block-end: .4rem; }
.answers > details > summary { color: inherit; width: auto; font-size: .93rem; }
.status { font-weight: 700; } .ok { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); }
.fields { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr); gap: .45rem .9rem; align-items: start; }
.fields label { padding-block-start: .35rem; }
.fields label small { display: block; color: var(--quiet); }
.fields input:not([type=file]), .fields select { width: 100%; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-block: .8rem .2rem; }
.try { margin-block-start: 1.4rem; border: 1px solid var(--line); border-radius: 10px; padding: .1rem 1rem 1rem; }
.note { color: var(--quiet); font-size: .88rem; }
.error { color: var(--bad); }
.panel { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: .2rem 1rem 1rem; margin-block-end: 1rem; box-shadow: var(--shadow); }
img.shown { max-width: 100%; max-height: 24rem; display: block; margin-block: .4rem; background: var(--code); border-radius: 8px; }
.cards { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.cards a { display: flex; flex-direction: column; gap: .4rem; align-items: start; height: 100%; padding: 1.1rem 1.2rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none; box-shadow: var(--shadow); }
.cards a:hover { border-color: var(--accent); }
.cards strong { font-size: 1.1rem; color: var(--accent); }
ul.plain { padding-inline-start: 1.2rem; }
[hidden] { display: none !important; }
@media (max-width: 56rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  nav { display: none; }
  .fields { grid-template-columns: minmax(0, 1fr); }
  header, .columns, #tools > div, body > main { padding-inline: 1rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { #tools, nav, .try { display: none; } .columns { grid-template-columns: 1fr; } }

"""####

    static let tryingJS = ####"""
// Credentials stay in the page's memory: a reload forgets them.
const keys = { admin: "", world: "", schemes: {} };
const largestShown = 1048576;

const asked = (operation) => {
  const wanted = operation.security ?? root.security;
  return list(wanted).flatMap((choice) => members(choice).map(([name]) => name));
};
const isOpen = (operation) => {
  const wanted = list(operation.security ?? root.security);
  return wanted.length === 0 || wanted.some((choice) => !members(choice).length);
};
const schemes = () => members(root.components?.securitySchemes).map(([name, scheme]) => [name, resolved(scheme)]);
const isBearer = (scheme) => scheme.type === "http" && String(scheme.scheme).toLowerCase() === "bearer";

const problemText = async (response) => {
  const body = await response.text();
  try {
    const value = JSON.parse(body);
    return `${response.status} ${text(value.detail || value.title || value.error || value.message || body)}`;
  } catch {
    return `${response.status} ${body.slice(0, 300)}`;
  }
};
const adminFields = () => (keys.admin ? { Authorization: `Bearer ${keys.admin}` } : {});
const worldFields = () => (keys.world ? { "X-Understudy-World": keys.world } : {});

const credentialPanel = () => {
  const message = make("p", { class: "note", role: "status" });
  const labelled = (words, input, hint) => {
    input.id = freshID();
    return [make("label", { for: input.id }, words, hint && make("small", {}, hint)), input];
  };
  const rows = [];
  const bearerInputs = [];
  for (const [name, scheme] of schemes()) {
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: isBearer(scheme) ? "token" : "value" });
    input.addEventListener("input", () => { keys.schemes[name] = input.value.trim(); });
    if (isBearer(scheme)) bearerInputs.push([name, input]);
    rows.push(labelled(name, input, text(scheme.description) || text(scheme.type)));
  }
  const world = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: "main" });
  world.addEventListener("input", () => { keys.world = world.value.trim(); });
  rows.push(labelled("World", world, "sent as X-Understudy-World; empty: the page's own"));
  const admin = make("input", { type: "password", autocomplete: "off", dir: "ltr", placeholder: "printed when the server started", "data-admin": "yes" });
  admin.value = keys.admin;
  admin.addEventListener("input", () => { keys.admin = admin.value.trim(); });
  const adminRow = make("div", { class: "fields", hidden: !here.admin }, labelled("Admin token", admin, "for control calls"));
  const parts = [make("h4", {}, "Credentials"), adminRow, make("div", { class: "fields" }, rows)];
  if (here.tokens && bearerInputs.length) {
    const user = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: "e-mail or id", "aria-label": "User" });
    const states = ["valid", "expired", "revoked", "bad-signature", "wrong-audience", "wrong-issuer"];
    const state = make("select", { "aria-label": "State of the token" }, states.map((one) => make("option", {}, one)));
    const form = make("form", { class: "row", "data-tokens": "yes" }, user, state, make("button", { class: "main" }, "Token for this user"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      message.className = "note";
      message.textContent = "…";
      try {
        const response = await fetch(`${mount}/__admin/tokens`, {
          method: "POST", cache: "no-store",
          headers: { "Content-Type": "application/json", ...worldFields(), ...adminFields() },
          body: JSON.stringify({ user: user.value.trim(), kind: "access", state: state.value })
        });
        if (response.status === 401) adminRow.hidden = false;
        if (!response.ok) throw new Error(await problemText(response));
        const made = await response.json();
        for (const [name, input] of bearerInputs) {
          input.value = text(made.token);
          keys.schemes[name] = input.value;
        }
        message.textContent = `A token for ${user.value.trim()} is in place${made.expiresAt ? `, good until ${text(made.expiresAt)}` : ""}.`;
      } catch (error) {
        message.className = "error";
        message.textContent = String(error.message || error);
      }
    });
    parts.push(form);
  }
  parts.push(message);
  return { node: make("section", { class: "panel", "aria-label": "Credentials" }, parts) };
};

const control = (schema, start) => {
  const value = resolved(schema);
  const choices = list(value.enum).length ? value.enum.map(text) : value.type === "boolean" ? ["true", "false"] : [];
  if (!choices.length) {
    return make("input", { type: "text", value: start, autocomplete: "off", spellcheck: "false", dir: "auto", placeholder: typeWords(schema) });
  }
  const node = make("select", {}, make("option", { value: "" }, "–"), choices.map((one) => make("option", {}, one)));
  node.value = start || "";
  return node;
};

const quoted = (value) => `'${value.replace(/'/g, "'\\''")}'`;

/** The form of one operation. */
const trying = (operation) => {
  const fields = [];
  const grid = make("div", { class: "fields" });
  for (const parameter of operation.parameters) {
    if (!["path", "query", "header"].includes(parameter.in)) continue;
    const schema = resolved(parameter.schema);
    const start = parameter.required ? parameter.example ?? schema.example ?? list(schema.examples)[0] ?? schema.default : undefined;
    const input = control(parameter.schema || {}, start === undefined ? undefined : text(start));
    input.id = freshID();
    input.dataset.parameter = parameter.name;
    fields.push({ parameter, input });
    grid.append(make("label", { for: input.id }, make("code", {}, text(parameter.name)), make("small", {}, `${parameter.in}${parameter.required ? ", required" : ""}`)), input);
  }
  const types = members(resolved(operation.requestBody).content);
  let type = types[0]?.[0];
  let body = null;
  const parts = [];
  if (type && type.startsWith("multipart/")) {
    const schema = resolved(types[0][1].schema);
    for (const [name, property] of members(schema.properties)) {
      const isFile = resolved(property).format === "binary";
      const input = isFile ? make("input", { type: "file" }) : control(property, undefined);
      input.id = freshID();
      input.dataset.part = name;
      parts.push({ name, input, isFile });
      grid.append(make("label", { for: input.id }, make("code", {}, name), make("small", {}, `part${list(schema.required).includes(name) ? ", required" : ""}`)), input);
    }
  } else if (type && resolved(types[0][1].schema).format === "binary") {
    body = make("input", { type: "file", "aria-label": "Body" });
  } else if (type) {
    const media = types[0][1];
    const example = media.example ?? members(media.examples)[0]?.[1]?.value ?? sample(media.schema);
    body = make("textarea", { spellcheck: "false", "aria-label": "Body" });
    body.value = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  }
  const request = () => {
    let path = operation.path;
    const query = [];
    const headers = {};
    for (const { parameter, input } of fields) {
      const value = input.value;
      if (parameter.in === "path") path = path.split(`{${parameter.name}}`).join(encodeURIComponent(value));
      else if (value === "") continue;
      else if (parameter.in === "query") query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`);
      else headers[parameter.name] = value;
    }
    for (const name of asked(operation)) {
      const scheme = Object.fromEntries(schemes())[name];
      const key = keys.schemes[name];
      if (!scheme || !key) continue;
      if (isBearer(scheme)) headers.Authorization = `Bearer ${key}`;
      else if (scheme.in === "header") headers[scheme.name] = key;
      else if (scheme.in === "query") query.push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(key)}`);
    }
    if (operation.path.startsWith("/__admin/") && !headers.Authorization) Object.assign(headers, adminFields());
    Object.assign(headers, worldFields());
    let content;
    if (parts.length) {
      content = new FormData();
      for (const part of parts) {
        if (part.isFile) { if (part.input.files[0]) content.append(part.name, part.input.files[0]); }
        else if (part.input.value !== "") content.append(part.name, part.input.value);
      }
    } else if (body && body.files) {
      content = body.files[0];
      headers["Content-Type"] = (content && content.type) || type;
    } else if (body && body.value.trim() !== "") {
      content = body.value;
      headers["Content-Type"] = type;
    }
    const url = new URL(mount + (path.startsWith("/") ? path : `/${path}`) + (query.length ? `?${query.join("&")}` : ""), location.origin);
    if (url.origin !== location.origin) throw new Error("The document names a path on another origin.");
    return { url, headers, content, method: operation.method.toUpperCase() };
  };
  const curl = () => {
    const { url, headers, content, method } = request();
    const words = ["curl", "-i", "-X", method, quoted(url.href)];
    for (const [name, value] of Object.entries(headers)) words.push("-H", quoted(`${name}: ${value}`));
    if (content instanceof FormData) for (const [name, value] of content) words.push("-F", quoted(typeof value === "string" ? `${name}=${value}` : `${name}=@${value.name}`));
    else if (content !== undefined) words.push("--data-binary", quoted(content instanceof File ? `@${content.name}` : content));
    return words.join(" ");
  };
  const output = make("div", { class: "output", "aria-live": "polite" });
  const send = make("button", { class: "main" }, "Send");
  const stop = make("button", { type: "button", hidden: true }, "Stop");
  const command = make("pre", { hidden: true, tabindex: "0" });
  const showCurl = make("button", { type: "button", "aria-expanded": "false" }, "As curl");
  showCurl.addEventListener("click", () => {
    command.hidden = !command.hidden;
    showCurl.setAttribute("aria-expanded", String(!command.hidden));
    if (!command.hidden) command.textContent = curl();
  });
  const form = make("form", { class: "try", "aria-label": `Try ${operation.method.toUpperCase()} ${operation.path}` },
    make("h4", {}, "Try it"), grid, body,
    make("div", { class: "row" }, send, stop, showCurl, copyButton(curl)), command, output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const abort = new AbortController();
    stop.onclick = () => abort.abort();
    stop.hidden = false;
    send.disabled = true;
    try {
      await play(request(), abort.signal, output);
    } catch (error) {
      output.append(make("p", { class: "error" }, abort.signal.aborted ? "Stopped." : `No answer: ${error.message || error}`));
    }
    stop.hidden = true;
    send.disabled = false;
  });
  return form;
};

const statusClass = (status) => (status < 300 ? "ok" : status < 400 ? "odd" : "bad");

/** Sends a request and shows the answer while it arrives. */
const play = async ({ url, headers, content, method }, signal, output) => {
  output.replaceChildren(make("p", { class: "note" }, "…"));
  const began = performance.now();
  const response = await fetch(url, { method, headers, body: content, signal, cache: "no-store" });
  const head = make("p", {}, make("span", { class: `status ${statusClass(response.status)}`, "data-status": String(response.status) }, `${response.status} ${response.statusText}`),
    " ", make("span", { class: "note" }, `${Math.round(performance.now() - began)} ms${response.redirected ? ` · after a redirect to ${response.url}` : ""}`));
  const table = make("table", {}, [...response.headers].map(([name, value]) => make("tr", {}, make("td", {}, make("code", {}, name)), make("td", {}, make("bdi", {}, value)))));
  const place = make("div", { class: "body" });
  output.replaceChildren(head, make("details", {}, make("summary", {}, "Headers"), table), place);
  const kind = (response.headers.get("content-type") || "").toLowerCase();
  if (/^image\/(png|jpeg|gif|webp)\b/.test(kind)) {
    const address = URL.createObjectURL(await response.blob());
    const picture = make("img", { class: "shown", alt: "The picture of the answer" });
    picture.addEventListener("load", () => URL.revokeObjectURL(address));
    picture.src = address;
    place.append(picture);
    return;
  }
  const isText = kind === "" || /^text\/|json|xml|javascript|urlencoded/.test(kind);
  const live = make("pre", { class: "text", tabindex: "0" });
  const decoder = new TextDecoder();
  let whole = "";
  let bytes = 0;
  if (response.body) {
    if (isText) place.append(live);
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.byteLength;
      if (!isText || whole.length > largestShown) continue;
      const fresh = decoder.decode(piece.value, { stream: true });
      whole += fresh;
      live.append(fresh);
    }
  }
  if (!isText) {
    place.append(make("p", { class: "note" }, `${bytes} bytes of ${kind}`));
  } else if (bytes === 0) {
    place.replaceChildren(make("p", { class: "note" }, "No content."));
  } else if (kind.includes("json")) {
    try {
      JSON.parse(whole);
      place.replaceChildren(coloured(indented(whole)));
    } catch { /* Not JSON after all: what arrived stays as it is. */ }
  }
};

/** JSON with line breaks, its numbers and members as they were sent: a parsed value would lose both. */
const indented = (source) => {
  let result = "";
  let depth = 0;
  let previous = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const part of source.match(/"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+/g) || []) {
    const isFirst = previous === "{" || previous === "[";
    if (part === "}" || part === "]") {
      depth -= 1;
      result += isFirst ? part : line() + part;
    } else {
      if (isFirst || previous === ",") result += line();
      result += part === ":" ? ": " : part;
      if (part === "{" || part === "[") depth += 1;
    }
    previous = part;
  }
  return result;
};

"""####

    /// The name and the text of each file, in the order of the names.
    static let all: [(name: String, text: String)] = [
        ("basics.js", basicsJS),
        ("index.html", indexHTML),
        ("page.html", pageHTML),
        ("page.js", pageJS),
        ("schemas.js", schemasJS),
        ("style.css", styleCSS),
        ("trying.js", tryingJS),
    ]
}
