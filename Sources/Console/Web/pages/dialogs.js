// @ts-check
// The dialogs that are reached from everywhere: token, preferences, shortcuts, clock and commands.
import { DUE, clockControls, move, upcoming } from "./scenarios.js";
import { address, app, applyTheme, attempt, call, emit, exchangeAddress, go, hasToken, on, preferences, soon, useToken } from "../kit/core.js";
import { open, topmost } from "../kit/dialog.js";
import { PAGES, combobox } from "../kit/frame.js";
import { journal } from "../kit/journal.js";
import { moment, withUndo } from "../kit/parts.js";
import { button, fill, foreign, freshID, make, reading, span, toggle } from "../kit/text.js";
import { isRunning, now, turn, world } from "../kit/state.js";
import { COLUMNS } from "./traffic-row.js";

/** Asks until there is one. @returns {Promise<void>} */
export function askToken() {
  return new Promise((resolve) => {
    const input = make("input", { type: "password", id: "admin-token", autocomplete: "off", required: true });
    const keep = make("input", { type: "checkbox" });
    let isDone = false;
    const life = new AbortController();
    const end = () => {
      isDone = true;
      dialog.close();
      resolve();
    };
    // An address can give the token meanwhile.
    on("address", () => { if (hasToken()) end(); }, life.signal);
    const submit = (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (!token) { input.focus(); return; }
      useToken(token, keep.checked);
      end();
    };
    const dialog = open({
      title: "Admin token",
      content: [make("p", null, "This server requires its admin token with every control call. The token was set, or printed, when the server started."),
        make("form", { on: { submit } }, make("div", { class: "field" }, make("label", { for: "admin-token" }, "Admin token"), input),
          make("label", { class: "check" }, keep, "Keep in this tab"),
          make("div", { class: "row end" }, make("button", { type: "submit", class: "main" }, "Use token")))],
      closed: () => { life.abort(); if (!isDone) setTimeout(() => askToken().then(resolve), 0); },
    });
    input.focus();
  });
}

function radios(name, choices, preference) {
  const group = freshID("radio");
  const label = make("span", { id: freshID("label"), class: "label" }, name);
  return make("div", { class: "field" }, label, make("div", { role: "radiogroup", "aria-labelledby": label.id, class: "radios" }, choices.map((choice) => make("label", { class: "radio" }, make("input", {
    type: "radio", name: group, value: choice, checked: preferences.get(preference) === choice,
    on: { change: () => { preferences.set(preference, choice); applyTheme(); } },
  }), choice))));
}

/** @param {Set<string>} hidden by their keys @param {() => void} changed */
export function openColumns(hidden, changed) {
  const boxes = COLUMNS.map(({ key, title }) => make("label", { class: "check" }, make("input", {
    type: "checkbox", checked: !hidden.has(key),
    on: {
      change: (event) => {
        if (event.target.checked) hidden.delete(key);
        else hidden.add(key);
        changed();
      },
    },
  }), title));
  open({ title: "Columns", content: [make("div", { class: "checks" }, boxes)], closes: "Close" });
}

export function openPreferences() {
  open({
    title: "Preferences",
    content: [radios("Theme", ["System", "Light", "Dark"], "theme"), radios("Time", ["World time", "Machine time"], "time"),
      toggle("Single-key shortcuts", preferences.get("keys") === "on", (isOn) => preferences.set("keys", isOn ? "on" : "off"))],
    closes: "Close",
  });
}

/** @type {[string, [string, string][]][]} */
const KEYS = [
  ["Everywhere", [["Ctrl K", "Commands"], ["Ctrl .", "Clock"], ["Esc", "Close"]]],
  ["In the grid Traffic", [
    ["j ↓", "Next row"], ["k ↑", "Previous row"], ["Page Up, Page Down", "A page"], ["Home, End", "First, last"], ["Enter", "Open"], ["Esc", "Close the exchange"],
    ["/", "Filter"], ["f", "Fault from this"], ["g", "Gate from this"], ["r", "Replay"], ["c", "Copy as curl"], ["x", "Select"], ["d", "Compare the two selected"],
    ["p", "Pause"], ["[", "Previous of the route"], ["]", "Next of the route"], ["?", "This help"],
  ]],
  ["In the table Held requests", [["a", "Release the current one"], ["Shift a", "Release all"]]],
];

export function openKeys() {
  open({
    title: "Keyboard shortcuts",
    content: KEYS.map(([title, keys]) => [make("h3", null, title), make("div", { class: "keys" }, keys.map(([key, words]) => make("div", null, make("span", null, words), make("kbd", null, key))))]),
    closes: "Close",
  });
}

let shown = null;

export function openClock() {
  if (shown?.open) {
    // Below a modal dialog it could not be reached.
    const above = topmost();
    if (!above.contains(shown)) above.append(shown);
    shown.querySelector("button")?.focus();
    return;
  }
  const life = new AbortController();
  const time = make("p", { class: "now" });
  const list = make("ul", { class: "plain-list", "aria-label": "Next" });
  let items = [];
  const draw = () => fill(list, items.length ? items.map((item) => make("li", null, moment(item.at), " ", make("strong", null, `in ${span(Date.parse(item.at) - now())}`), " ", foreign(item.what))) : make("li", { class: "quiet" }, "Nothing comes due"));
  const tick = () => {
    fill(time, reading(now()), " ", make("span", { class: "mode" }, world.clock?.mode ?? ""));
    draw();
    if (items[0] && Date.parse(items[0].at) < now()) later();
  };
  const read = async () => {
    try { items = await upcoming({ limit: 5 }); } catch { return; }
    draw();
  };
  const later = soon(read, 250);
  tick();
  void read();
  on("part", (part) => { if (part === "clock") { tick(); void read(); } }, life.signal);
  on(DUE, later, life.signal);
  const timer = setInterval(() => isRunning() && !document.hidden && tick(), 1000);
  shown = open({
    title: "Clock", isModal: false,
    content: [time, clockControls(life.signal), make("h3", null, "Next timed events"), list],
    closes: "Close",
    closed: () => { life.abort(); clearInterval(timer); shown = null; },
  });
}

const NEWEST = 5000;

function commands(words) {
  const found = [
    ...PAGES.map(([page, title]) => ({ label: title, note: "page", act: () => go(address(page)) })),
    { label: "Documentation", note: "page", act: () => { location.href = "/docs/"; } },
    { label: "Advance 15 minutes", note: "clock", act: () => move(900) },
    { label: "Advance 1 hour", note: "clock", act: () => move(3600) },
    { label: "Advance 1 day", note: "clock", act: () => move(86400) },
    { label: `Reset ${app.world}`, note: "world", act: () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {} }))) },
    { label: "Clear journal", note: "world", act: () => attempt(() => withUndo("clear", () => call("DELETE", "/requests"))) },
    { label: "Pause", note: "traffic", act: async () => {
      if (app.route.page !== "traffic") go(address("traffic"));
      await app.shown;
      emit("pause");
    } },
    { label: "New fault", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openFault({}) },
    { label: "New stub", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openFault({ effect: { respond: { status: 200 } } }, { isStub: true }) },
    { label: "New gate", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openGate({}) },
    ...app.worlds.map((one) => ({ label: one.name, note: "world", act: () => go(address(app.route.page, { world: one.name })) })),
    ...world.scenarios.map((one) => ({
      label: one.name, note: one.active ? "scenario, on: switch off" : "scenario: switch on", act: () => turn(one.name, !one.active),
    })),
  ];
  for (let index = journal.rows.length - 1; index >= 0; index -= 1) {
    const line = journal.rows[index];
    // Of older ones, which may be very many, it is the one whose id was written out.
    if (journal.rows.length - index > NEWEST && !words.includes(line.id.toLowerCase())) continue;
    found.push({ label: line.id, note: `${line.method} ${line.path}`, act: () => go(exchangeAddress(line.id)) });
  }
  return found;
}

export function openCommands() {
  if (document.querySelector("dialog[open].commands")) return;
  let all = [];
  const life = new AbortController();
  // What is read after the opening can be found too.
  on("worlds part", () => box.refresh(), life.signal);
  const box = combobox({
    name: "Command", isOpen: true, placeholder: "A page, a world, a scenario, a request or an action",
    options: (words) => {
      all = commands(words);
      return all.map((one, index) => ({ value: String(index), label: one.label, note: one.note }));
    },
    choose: (value) => {
      dialog.close();
      all[Number(value)].act();
    },
  });
  const dialog = open({ title: "Commands", content: [box.node], className: "commands", closed: () => life.abort() });
  box.input.focus();
}
