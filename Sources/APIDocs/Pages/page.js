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
