// @ts-check
// The frame around every page: banner, navigation, what is in effect, and messages.
import { address, alert, announcements, app, call, change, chosenAPIs, dismiss, emit, go, items, later, leave, on } from "./core.js";
import { parseAddress } from "./place.js";
import { live, tryNow } from "./live.js";
import { button, code, count, fill, foreign, freshID, isTyping, link, make, marked, number, reading, timeOfDay, toggle, visible } from "./text.js";
import { faultsOn, held, isRunning, latencyName, now, perform, world } from "./state.js";

const MOST = 50;

/** A field with a list of choices. @param {ComboboxParts} parts */
export function combobox(parts) {
  const listID = freshID("list");
  const input = make("input", {
    type: "text", role: "combobox", "aria-label": parts.name, "aria-expanded": "false", "aria-controls": listID, "aria-autocomplete": "list",
    autocomplete: "off", spellcheck: "false", placeholder: parts.placeholder,
  });
  const list = make("ul", { role: "listbox", id: listID, "aria-label": `${parts.name}s`, class: parts.isOpen ? "options static" : "options", hidden: !parts.isOpen });
  const node = make("div", { class: "combobox" }, input, list);
  let value = parts.value ?? "";
  let isTyped = false;
  let shown = [];
  let active = -1;
  input.value = value;

  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === active)));
    const item = list.children[active];
    if (item) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    const words = (isTyped ? input.value : "").toLowerCase().split(/\s+/).filter(Boolean);
    const all = parts.options(words).filter((option) => {
      const text = `${option.label} ${option.note ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    // However many there are, the one that is written out is among the first.
    let exact = all.findIndex((option) => option.label.toLowerCase() === input.value.trim().toLowerCase());
    if (exact >= MOST) { all.unshift(...all.splice(exact, 1)); exact = 0; }
    shown = all.slice(0, MOST);
    active = exact >= 0 ? exact : words.length && shown.length ? 0 : -1;
    fill(list, shown.map((option, index) => make("li", {
      role: "option", id: `${listID}-${index}`, "aria-selected": "false",
      on: { mousedown: (event) => event.preventDefault(), click: () => choose(option) },
    }, foreign(option.label), option.note && make("small", null, foreign(option.note)))),
    (all.length > MOST || !all.length) && make("li", { role: "option", "aria-disabled": "true", class: "more" }, all.length ? `${number(all.length - MOST)} more: type to narrow` : "Nothing matches"));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark();
  };
  const hide = () => {
    if (parts.isOpen) return;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (option) => {
    value = option.label;
    input.value = value;
    isTyped = false;
    hide();
    parts.choose(option.value);
  };
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", show);
  input.addEventListener("input", () => { isTyped = true; show(); });
  input.addEventListener("blur", () => {
    hide();
    if (!parts.isOpen) { input.value = value; isTyped = false; }
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) show();
      else if (shown.length) active = (active + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length;
      mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (shown[active] && !list.hidden) choose(shown[active]);
    } else if (event.key === "Escape" && !list.hidden && !parts.isOpen) {
      event.preventDefault();
      event.stopPropagation();
      input.value = value;
      isTyped = false;
      hide();
    }
  });
  if (parts.isOpen) show();
  return {
    node, input,
    refresh: () => {
      if (list.hidden) return;
      const was = shown[active];
      show();
      const same = was ? shown.findIndex((option) => option.label === was.label) : -1;
      if (same >= 0) { active = same; mark(); }
    },
    set: (next) => {
      value = next;
      if (document.activeElement !== input || !isTyped) input.value = next;
    },
  };
}

export function startKeys() {
  // A dialog beside the page is closed from everywhere, before anything below it.
  document.addEventListener("keydown", (event) => {
    const beside = /** @type {HTMLDialogElement?} */ (document.querySelector("dialog[open]:not(:modal)"));
    if (event.key !== "Escape" || !beside || isTyping(event.target) || document.querySelector(":modal")) return;
    event.preventDefault();
    event.stopPropagation();
    beside.close();
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (!document.querySelector("dialog[open].commands")) void openCommands();
    } else if (event.key === ".") {
      event.preventDefault();
      void openClock();
    }
  });
}

export const PAGES = [
  ["traffic", "Traffic"], ["faults", "Faults and gates"], ["scenarios", "Scenarios"], ["clock", "Clock"], ["worlds", "Worlds"],
  ["state", "State"], ["users", "Users"], ["hosts", "Hosts"], ["report", "Report"], ["system", "System"],
];

const main = make("main", { id: "main", tabindex: "-1" });
/** Acts again only when the last time has ended. @param {() => Promise<any>} action @returns {() => Promise<any>} */
export function once(action) {
  let acting = null;
  return () => (acting ??= action().finally(() => { acting = null; }));
}
const dialog = (name) => once(later("../pages/dialogs.js", name));
export const openClock = dialog("openClock");
export const openCommands = dialog("openCommands");
export const openKeys = dialog("openKeys");

function worldChooser() {
  const box = combobox({
    name: "World",
    value: app.world,
    options: () => app.worlds.map((world) => ({ value: world.name, label: world.name, note: world.forkedFrom ? `from ${world.forkedFrom}` : "" })),
    choose: (name) => go(address(app.route.page, { world: name })),
  });
  box.input.classList.add("world");
  const read = async () => {
    try { app.worlds = await items("/worlds", { world: "" }); } catch { return; }
    box.refresh();
    emit("worlds");
  };
  box.input.addEventListener("focus", read);
  on("event:world open", read);
  on("world", () => { box.set(app.world); void read(); });
  return make("div", { class: "world-chooser" }, make("span", { class: "label", "aria-hidden": "true" }, "World"), box.node);
}

function apiChooser() {
  const chips = make("span", { class: "chips" });
  const all = button("All APIs", () => change({ api: null }), { class: "chip", "aria-pressed": "true", title: "Every API is shown while none is checked" });
  const group = make("div", { role: "group", "aria-label": "APIs", class: "apis" }, make("span", { class: "label", "aria-hidden": "true" }, "Filter by API"), all, chips);
  const show = () => {
    const chosen = chosenAPIs();
    // Of one API there is nothing to choose.
    group.hidden = app.apis.length < 2 && !chosen.length;
    if (chips.childElementCount !== app.apis.length) {
      fill(chips, app.apis.map((api) => make("label", { class: "chip" }, make("input", {
        type: "checkbox", value: api.name,
        on: {
          change: () => change({ api: [...chips.querySelectorAll("input:checked")].map((input) => input.value).join() }),
        },
      }), foreign(api.title))));
    }
    for (const input of chips.querySelectorAll("input")) input.checked = chosen.includes(input.value);
    all.setAttribute("aria-pressed", String(!chosen.length));
  };
  on("apis address", show);
  show();
  return group;
}

function clockButton() {
  const text = make("span", { class: "clock-time" });
  const node = make("button", { type: "button", class: "clock", "aria-label": "Clock", "aria-haspopup": "dialog", on: { click: openClock } }, text);
  let shown = "";
  const tick = () => {
    if (!world.clock) return;
    const { mode, rate } = world.clock;
    const words = mode !== "offset" ? mode : rate === 1 ? "running" : `running, ${number(rate)} times`;
    const time = reading(now());
    const next = `Clock ${time}, ${words}`;
    if (next === shown) return;
    shown = next;
    node.setAttribute("aria-label", next);
    fill(text, time, make("span", { class: "mode" }, words));
  };
  on("part:clock", tick);
  setInterval(() => { if (isRunning() && !document.hidden) tick(); }, 1000);
  return node;
}

/** A link to the faults and gates which says how many of them act. */
function countLink(list, words) {
  const node = make("a", { class: "count" });
  const show = () => {
    const { length } = list();
    node.textContent = words(length);
    node.href = address("faults");
    node.classList.toggle("some", length > 0);
  };
  on("part address", show);
  show();
  return node;
}

function masterSwitch() {
  const node = toggle("Faults", true, (isOn) => perform(["faults"], () => call("PUT", "/faults", { body: { enabled: isOn } })), { "data-call": true });
  on("part", () => node.setAttribute("aria-checked", String(world.faultsEnabled)));
  return node;
}

function connection() {
  const node = make("div", { role: "status", "aria-label": "Connection", class: "connection", "data-state": "Connecting" }, "Connecting");
  on("connection", (name) => {
    fill(node, name);
    node.dataset.state = name;
    document.documentElement.dataset.connection = name;
    if (/Away|Live|Polling/.test(name)) showAway(name === "Away");
  });
  return node;
}

let awayTimer = 0;
function showAway(isAway) {
  clearInterval(awayTimer);
  document.querySelectorAll("[data-call]").forEach(marked);
  if (!isAway) { dismiss("away"); return; }
  const next = make("span", null);
  const show = () => {
    const words = live.nextTry > Date.now() ? ` Next attempt at ${timeOfDay(live.nextTry).slice(0, 8)} UTC.` : " Connecting now.";
    // The same is not said again.
    if (next.textContent !== words) fill(next, words);
  };
  show();
  alert(`The server at ${location.host} does not answer.`, next, "away", button("Try now", tryNow));
  awayTimer = setInterval(show, 500);
}

function inEffect() {
  const node = make("section", { "aria-label": "In effect", class: "effects", hidden: true });
  const show = () => {
    const faults = faultsOn();
    const latency = latencyName();
    const one = (kind, name, target) => link(target, make("span", { class: "kind" }, kind), " ", foreign(name));
    const parts = [
      ...world.scenarios.filter(({ active }) => active).map(({ name }) => one("Scenario", name, address("scenarios", { q: name }))),
      ...faults.slice(0, 12).map(({ name, id }) => one("Fault", name ?? id, address("faults"))),
      faults.length > 12 && link(address("faults"), `${number(faults.length - 12)} more faults`),
      latency && one("Latency", latency, address("faults")),
      ...world.modes.filter(({ mode }) => mode !== "emulate").map(({ api, mode }) => one("Mode", `${api}: ${mode}`, address("system"))),
    ].filter(Boolean);
    // What stays is left in place, so that it keeps the focus.
    const old = /** @type {any[]} */ ([...node.children]);
    const all = [make("span", { class: "label" }, "In effect"), ...parts].map((part) => {
      const place = old.findIndex((one) => one.href === part.href && one.textContent === part.textContent);
      return place < 0 ? part : old.splice(place, 1)[0];
    });
    for (const one of old) leave(one, () => one.remove());
    all.forEach((one, index) => { if (node.children[index] !== one) node.insertBefore(one, node.children[index] ?? null); });
    node.hidden = !parts.length;
  };
  on("part address", show);
  return node;
}

function navigation() {
  const links = PAGES.map(([page, title]) => make("a", { href: `#/${page}`, "data-page": page }, title));
  on("address", () => {
    for (const one of links) {
      const { page } = one.dataset;
      one.href = address(page);
      if (page === app.route.page) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    }
  });
  return make("nav", { "aria-label": "Pages" }, make("ul", null, [...links, make("a", { href: "/docs/", class: "outside" }, "Documentation")].map((one) => make("li", null, one))));
}

/** A button of the banner, which is a symbol where its words have no room. @param {string} name @param {string} symbol @param {() => any} action @param {Record<string, any>} [options] */
const tool = (name, symbol, action, options) => button(name, action, { class: "quiet tool", "data-symbol": `${symbol}\ufe0e`, title: name, ...options });

export function buildFrame() {
  const click = (event) => {
    event.preventDefault();
    main.focus();
  };
  const skip = make("a", { href: "#main", class: "skip", on: { click } }, "Skip to content");
  const banner = make("header", { class: "banner" },
    make("a", { href: "#/traffic", class: "brand", "aria-label": "Understudy" }, make("span", { "aria-hidden": "true", class: "mark" }), make("span", { class: "word" }, "Understudy")),
    worldChooser(), clockButton(), make("div", { class: "counts" }, countLink(held, (length) => `${number(length)} held`), countLink(faultsOn, (length) => `${count(length, "fault")} on`), masterSwitch()),
    apiChooser(),
    make("div", { class: "tools" }, connection(),
      tool("Commands", "⌘", openCommands, { "aria-keyshortcuts": "Control+K" }), tool("Preferences", "⚙", dialog("openPreferences")), tool("Keyboard shortcuts", "⌨", openKeys)));
  fill(document.getElementById("console"), skip, banner, navigation(), make("div", { class: "content" }, announcements.alerts, inEffect(), main), announcements.status);
}

let pageLife = new AbortController();
let shownPage = "";

/** Shows the page of the address. The same page of the same world keeps its nodes, and hears of the address. @param {Record<string, () => Promise<Page>>} pages */
export async function showPage(pages) {
  const { page } = app.route;
  const title = [...PAGES, ["compare", "Compare"]].find(([name]) => name === page)?.[1];
  const key = `${page} ${app.world}`;
  document.title = `${title ?? "Unknown page"} · ${visible(app.world)} · Understudy`;
  if (key === shownPage) {
    emit("page-address");
    return;
  }
  shownPage = key;
  pageLife.abort();
  pageLife = new AbortController();
  const { signal } = pageLife;
  main.className = `page-${page}`;
  if (!title) {
    fill(main, make("h1", null, "Unknown page"), make("p", null, "There is no page ", code(page), ". "), make("p", null, make("a", { href: "#/traffic" }, "Go to Traffic")));
    main.removeAttribute("aria-busy");
    return;
  }
  main.setAttribute("aria-busy", "true");
  let module;
  try {
    module = await pages[page]();
  } catch (error) {
    if (!signal.aborted) {
      main.removeAttribute("aria-busy");
      shownPage = "";
      alert("The page could not be loaded.", /** @type {Error} */ (error).message);
    }
    return;
  }
  if (signal.aborted) return;
  leave(main, () => fill(main, make("h1", null, title)));
  // Its lists are read while it is shown already.
  void Promise.resolve(module.show(main, signal)).then(() => { if (!signal.aborted) main.removeAttribute("aria-busy"); });
}

/** Says that the world of the address is not there. @param {string} name */
export function showUnknownWorld(name) {
  pageLife.abort();
  shownPage = "";
  main.removeAttribute("aria-busy");
  leave(main, () => fill(main, make("h1", null, "Unknown world"), make("p", null, "There is no world ", code(name), ". It may have been deleted or have expired."),
    make("p", null, make("a", { href: "#/traffic" }, "Go to Traffic of main"))));
}

export const readAddress = () => parseAddress(location.hash);
