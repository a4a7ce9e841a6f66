// @ts-check
// The dialog "Commands": everything by its name.
import { move } from "./clock.js";
import { open } from "../kit/dialog.js";
import { refreshAll, withUndo, world } from "../kit/world.js";
import { PAGES, combobox } from "../kit/frame.js";
import { address, app, attempt, call, exchangeAddress, go, segment } from "../kit/core.js";
import { journal } from "../kit/journal.js";

/** @returns {{ label: string, note: string, act: () => any }[]} */
function commands() {
  const found = [
    ...PAGES.map(([page, title]) => ({ label: title, note: "page", act: () => go(address(page)) })),
    { label: "Advance 15 minutes", note: "clock", act: () => move(900) },
    { label: "Advance 1 hour", note: "clock", act: () => move(3600) },
    { label: "Advance 1 day", note: "clock", act: () => move(86400) },
    { label: `Reset ${app.world}`, note: "world", act: () => attempt(() => withUndo("reset", () => call("POST", "/reset", { body: {} }))) },
    { label: "Clear journal", note: "world", act: () => attempt(() => withUndo("clear", () => call("DELETE", "/requests"))) },
    { label: "Pause", note: "traffic", act: () => {
      go(address("traffic"));
      setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector("main button[aria-pressed]"))?.click(), 50);
    } },
    { label: "New fault", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openFault({}) },
    { label: "New stub", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openFault({ effect: { respond: { status: 200 } } }, { isStub: true }) },
    { label: "New gate", note: "dialog", act: async () => (await import("./fault-dialogs.js")).openGate({}) },
    ...app.worlds.map((one) => ({ label: one.name, note: "world", act: () => go(address(app.route.page, { world: one.name })) })),
    ...world.scenarios.map((one) => ({
      label: one.name, note: one.active ? "scenario, on: switch off" : "scenario: switch on",
      act: () => attempt(async () => {
        await call(one.active ? "DELETE" : "PUT", `/scenarios/${one.name.split("/").map(segment).join("/")}`);
        await refreshAll();
      }),
    })),
  ];
  for (let index = journal.rows.length - 1; index >= 0 && found.length < 6000; index -= 1) {
    const line = journal.rows[index];
    found.push({ label: line.id, note: `${line.method} ${line.path}`, act: () => go(exchangeAddress(line.id)) });
  }
  return found;
}

export function openCommands() {
  const all = commands();
  const box = combobox({
    name: "Command", isOpen: true, placeholder: "A page, a world, a scenario, a request or an action",
    options: () => all.map((one, index) => ({ value: String(index), label: one.label, note: one.note })),
    choose: (value) => {
      dialog.close();
      all[Number(value)].act();
    },
  });
  const dialog = open({ title: "Commands", content: [box.node], className: "commands" });
  box.input.focus();
}
