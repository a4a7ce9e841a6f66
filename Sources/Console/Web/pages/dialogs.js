// @ts-check
// The dialogs that are reached from everywhere: token, preferences, shortcuts and clock.
import { advanceButtons, freezeButton, rateField, upcoming } from "./clock.js";
import { open } from "../kit/dialog.js";
import { isRunning, now, world } from "../kit/world.js";
import { applyTheme, on, preferences, useToken } from "../kit/core.js";
import { button, fill, foreign, freshID, make, reading, span, toggle } from "../kit/text.js";

/** Asks until there is one. @returns {Promise<void>} */
export function askToken() {
  return new Promise((resolve) => {
    const input = make("input", { type: "password", id: "admin-token", autocomplete: "off", required: true });
    const keep = make("input", { type: "checkbox" });
    let isDone = false;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (!token) { input.focus(); return; }
      useToken(token, keep.checked);
      isDone = true;
      dialog.close();
      resolve();
    };
    const dialog = open({
      title: "Admin token",
      content: [make("p", null, "This server asks for its admin token with every call. It was set, or printed, when the server started."),
        make("form", { on: { submit } }, make("div", { class: "field" }, make("label", { for: "admin-token" }, "Admin token"), input),
          make("label", { class: "check" }, keep, "Keep in this tab"),
          make("div", { class: "row end" }, make("button", { type: "submit", class: "main" }, "Use token")))],
      closed: () => { if (!isDone) setTimeout(() => askToken().then(resolve), 0); },
    });
    input.focus();
  });
}

/**
 * @param {string} name
 * @param {string[]} choices
 * @param {"theme" | "time"} preference
 */
function radios(name, choices, preference) {
  const group = freshID("radio");
  const label = make("span", { id: freshID("label"), class: "label" }, name);
  return make("div", { class: "field" }, label, make("div", { role: "radiogroup", "aria-labelledby": label.id, class: "radios" }, choices.map((choice) => make("label", { class: "radio" }, make("input", {
    type: "radio", name: group, value: choice, checked: preferences.get(preference) === choice,
    on: { change: () => { preferences.set(preference, choice); applyTheme(); } },
  }), choice))));
}

export function openPreferences() {
  const dialog = open({
    title: "Preferences",
    content: [radios("Theme", ["System", "Light", "Dark"], "theme"), radios("Time", ["World time", "Machine time"], "time"),
      toggle("Single-key shortcuts", preferences.get("keys") === "on", (isOn) => preferences.set("keys", isOn ? "on" : "off"))],
    buttons: [button("Close", () => dialog.close())],
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
  ["In the table Held requests", [["a", "Release the present one"], ["Shift a", "Release all"]]],
];

export function openKeys() {
  const dialog = open({
    title: "Keyboard shortcuts",
    content: KEYS.map(([title, keys]) => [make("h3", null, title), make("div", { class: "keys" }, keys.map(([key, words]) => make("div", null, make("span", null, words), make("kbd", null, key))))]),
    buttons: [button("Close", () => dialog.close())],
  });
}

/** @type {HTMLDialogElement?} */
let shown = null;

export function openClock() {
  if (shown?.open) {
    shown.querySelector("button")?.focus();
    return;
  }
  const life = new AbortController();
  const time = make("p", { class: "now" });
  const list = make("ul", { class: "plain-list", "aria-label": "Next" });
  const tick = () => fill(time, reading(now()), " ", make("span", { class: "mode" }, world.clock?.mode ?? ""));
  const read = async () => {
    const items = await upcoming({ limit: 5 });
    fill(list, items.length ? items.map((item) => make("li", null, make("strong", null, `in ${span(Date.parse(item.at) - now())}`), " ", foreign(item.what))) : make("li", { class: "quiet" }, "Nothing comes due"));
  };
  tick();
  void read();
  on("part", (part) => { if (part === "clock") { tick(); void read(); } }, life.signal);
  const timer = setInterval(() => isRunning() && tick(), 1000);
  shown = open({
    title: "Clock", isModal: false,
    content: [time, advanceButtons(), make("div", { class: "row" }, freezeButton(life.signal), rateField(life.signal)), make("h3", null, "Comes due next"), list],
    buttons: [button("Close", () => shown?.close())],
    closed: () => { life.abort(); clearInterval(timer); shown = null; },
  });
}
