// @ts-check
// The console: one page over the control API. Every action of it is a call that `curl` can make too.
import { startWorld } from "./kit/state.js";
import { buildFrame, once, readAddress, showPage, showUnknownWorld, startKeys } from "./kit/frame.js";
import { Problem, app, applyTheme, emit, get, items, later, on, tokens, useToken } from "./kit/core.js";
import { handedToken, worldOf } from "./kit/place.js";
import { follow, suspect } from "./kit/live.js";
import { startJournal } from "./kit/journal.js";
import * as traffic from "./pages/traffic.js";

const pages = {
  traffic: async () => traffic,
  faults: () => import("./pages/faults.js"),
  scenarios: () => import("./pages/scenarios.js"),
  clock: async () => ({ show: (await import("./pages/scenarios.js")).showClock }),
  worlds: async () => ({ show: (await import("./pages/report.js")).showWorlds }),
  state: () => import("./pages/state.js"),
  users: () => import("./pages/users.js"),
  hosts: () => import("./pages/hosts.js"),
  report: () => import("./pages/report.js"),
  compare: async () => ({ show: (await import("./pages/report.js")).showCompare }),
  system: async () => ({ show: (await import("./pages/users.js")).showSystem }),
};

/** An address can hand over the admin token, and is replaced at once. */
function takeToken() {
  let token = handedToken(location.hash);
  if (!token) return;
  try { token = decodeURIComponent(token); } catch { /* It is taken as it stands. */ }
  useToken(token, false);
  history.replaceState(null, "", `${location.pathname}#/traffic`);
}

tokens.ask = once(later("../pages/dialogs.js", "askToken"));

let followed = "";
let shown = "";
/** The world of which the page says that it is not there. */
let missing = "";
function route() {
  if (location.hash === shown && followed) return;
  missing = "";
  takeToken();
  shown = location.hash;
  app.route = readAddress();
  const world = worldOf(app.route);
  const isOther = world !== app.world;
  app.world = world;
  if (followed !== world) {
    followed = world;
    if (isOther) emit("world", world);
    follow();
  }
  emit("address");
  app.shown = showPage(pages);
}

/** The world of the address is not there, or has gone. */
async function gone(name) {
  if (name !== app.world || name === missing) return;
  try {
    await get("/clock");
  } catch (error) {
    if (!(error instanceof Problem) || name !== app.world) return;
    missing = name;
    showUnknownWorld(name);
  }
}

takeToken();
applyTheme();
app.route = readAddress();
app.world = worldOf(app.route);
buildFrame();
// The rows are asked for first: a browser has six connections, and the frame asks for eight lists.
startJournal();
startWorld();
startKeys();
on("navigate", route);
on("world-gone", gone);
on("late silence", suspect);
on("read-failed", (error) => { if (error instanceof Problem && error.status === 404) void gone(app.world); });
addEventListener("popstate", route);
addEventListener("hashchange", route);
on("open", async () => {
  // A world of that name was made meanwhile.
  if (missing) { missing = ""; app.shown = showPage(pages); }
  if (app.apis.length) return;
  try {
    app.apis = await items("/apis", { world: "" });
    emit("apis");
  } catch { /* The frame stays without them until the next connection. */ }
});
route();
