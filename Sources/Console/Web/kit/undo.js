// @ts-check
// What takes a snapshot first, so that it can be undone.
import { announcements, app, attempt, call, dismiss, leave } from "./core.js";
import { button, make } from "./text.js";
import { reread } from "./world.js";

const NAME = "console-undo";
const PATIENCE = 30000;

let timer = 0;
/** @type {HTMLElement?} */
let offer = null;

function withdraw() {
  clearTimeout(timer);
  if (offer) leave(offer, () => offer.remove());
  offer = null;
}

/**
 * Takes a snapshot, acts, and offers for half a minute to undo.
 * @param {"reset" | "restore" | "import" | "clear"} kind
 * @param {() => Promise<any>} action
 * @param {string} [world] the present one if absent
 */
export async function withUndo(kind, action, world = app.world) {
  withdraw();
  dismiss();
  await call("DELETE", `/snapshots/${NAME}`, { world }).catch(() => {});
  await call("POST", "/snapshots", { body: { name: NAME }, world });
  const result = await action();
  const undo = button(`Undo ${kind}`, () => attempt(async () => {
    await call("POST", `/snapshots/${NAME}/restore`, { world });
    withdraw();
    reread();
  }), { class: "main", "data-call": true });
  offer = make("div", { class: "undo", role: "group", "aria-label": "Undo" },
    make("span", { role: "status" }, { reset: "The world was reset.", restore: "The snapshot was restored.", import: "The world was imported.", clear: "The journal was cleared." }[kind],
      " Answers that were under way stay cut."), undo, button("Keep it", withdraw, { class: "quiet" }));
  announcements.alerts.append(offer);
  timer = setTimeout(withdraw, PATIENCE);
  reread();
  return result;
}
