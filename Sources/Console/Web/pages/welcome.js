// @ts-check
// What Traffic shows before there is a request: the addresses for an app, and what to try.
import { address, announce, app, attempt, call, chosenAPIs, copyButton, get, quoted, segment, urlIn } from "../kit/core.js";
import { button, code, foreign, link, make, visible } from "../kit/text.js";
import { advance } from "../kit/state.js";

/** What of an operation a client has to fill in. */
const isRequired = (parameter) => parameter.$ref !== undefined || parameter.required === true;

/** What tells little of an API. */
const PLAIN = /openapi|well-known|docs$|\.png$/;

/** The path of a GET that takes nothing, one without credentials if there is one. @param {string} name of an API @returns {Promise<{ path: string, isOpen: boolean }>} */
async function easiest(name) {
  try {
    const root = await get(`/openapi/${segment(name)}.json`, { world: "" });
    const found = Object.entries(/** @type {Record<string, any>} */ (root.paths)).filter(([path, item]) => item.get && !/[{*]/.test(path) && ![...(item.parameters ?? []), ...(item.get.parameters ?? [])].some(isRequired))
      .map(([path, item]) => ({ path, isOpen: !(item.get.security ?? root.security ?? []).some((one) => Object.keys(one).length) }));
    return found.find((one) => one.isOpen && !PLAIN.test(one.path)) ?? found.find((one) => !one.isOpen) ?? { path: "/", isOpen: true };
  } catch {
    return { path: "/", isOpen: true };
  }
}

/** @returns {Promise<any[]>} */
export async function welcome() {
  const chosen = chosenAPIs();
  const named = app.apis.filter((api) => chosen.includes(api.name));
  const apis = named.length ? named : app.apis;
  const [first] = apis;
  const { path, isOpen } = await easiest(first.name);
  const request = `curl -i ${quoted(`${urlIn(first)}${path}`)}`;
  const addresses = apis.map((api) => make("li", null, make("strong", null, foreign(api.title)), make("code", null, foreign(urlIn(api))),
    make("span", { class: "row tight" }, copyButton("Copy", () => urlIn(api), { "aria-label": `Copy address of ${visible(api.title)}` }),
      make("a", { href: `/docs/${segment(api.name)}`, class: "outside", "aria-label": `Documentation of ${visible(api.title)}` }, "Documentation"))));
  const advanced = () => attempt(async () => {
    await advance({ by: "PT15M" });
    announce("The clock was advanced");
  });
  const { port } = new URL(first.url);
  return [
    make("h2", null, "No requests yet"), make("p", null, "Give your app one of these addresses in place of its backend's. Its requests appear here as they come."),
    make("ul", { class: "addresses", "aria-label": "Addresses" }, addresses),
    make("div", { class: "columns" },
      make("section", { "aria-label": "Point an app here" }, make("h3", null, "Point an app here"), make("ul", null, [
        ["iOS simulator, or an app on this machine: use the address as it is. iOS wants ", code("NSAllowsLocalNetworking"), " in ", code("Info.plist"), "."],
        ["Android emulator: run ", code(`adb reverse tcp:${port} tcp:${port}`), " first."], ["A phone: start the server with ", code("--lan"), ", and scan the QR code that it prints."],
      ].map((one) => make("li", null, one)))),
      make("section", { "aria-label": "What to try" }, make("h3", null, "What to try"), make("ul", null, [
        [button("New fault", async () => (await import("./fault-dialogs.js")).openFault({ match: { api: first.name } })), " makes requests fail, wait or get another response."],
        [button("Advance 15 minutes", advanced, { "data-call": true }), " moves the world's clock: tokens and codes expire."],
        [link(address("scenarios"), "Scenarios"), " switch prepared edge cases on and off."], [link(address("state"), "State"), " shows the data, and lets you change it."],
      ].map((one) => make("li", null, one))))),
    // Traffic needs nothing else of the parts that pages share.
    make("p", { class: "quiet" }, "Or send a request from a terminal.", !isOpen && " This one has no token: a protected operation answers 401."),
    make("div", { class: "ways" }, make("pre", { tabindex: "0", class: "code" }, request), copyButton("Copy command", () => request)),
  ];
}
