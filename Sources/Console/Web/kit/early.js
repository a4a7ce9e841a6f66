// @ts-check
// The newest lines of the journal, asked for while the other modules are on their way. It imports none of them, so that it runs
// before they are there.

/** How many lines are read first: more than a window shows. */
export const FIRST = 200;

/** Reads an address such as `#/state/omnichat/messages?world=main`. @param {string} hash @returns {Route} */
export function parseAddress(hash) {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return { page: parts[0] ?? "traffic", rest: parts.slice(1), params: new URLSearchParams(query) };
}

/** The world of an address. @param {Route} route */
export const worldOf = (route) => route.params.get("world") || "main";

/** The admin token that an address hands over, as it stands there. @param {string} hash @returns {string | undefined} */
export const handedToken = (hash) => /^#(?:\/?\??)?token=([^&]+)/.exec(hash)?.[1];

const TOKEN = "understudy.admin-token";

/** The admin token that the reader has asked to keep in this tab. */
export function keptToken() {
  try { return sessionStorage.getItem(TOKEN) ?? ""; } catch { return ""; }
}
export function keepToken(token) {
  try {
    if (token) sessionStorage.setItem(TOKEN, token);
    else sessionStorage.removeItem(TOKEN);
  } catch { /* It holds until the page is left. */ }
}

/** How every call is made.
 * @type {RequestInit} */
export const MANNERS = { cache: "no-store", credentials: "omit", redirect: "error" };

/** What tells the server the world of a call, and the token. @param {string} world @param {string} token */
export const credentials = (world, token) => ({
  // A field takes no other characters; the name of a world is the same encoded.
  ...(world && { "X-Understudy-World": encodeURIComponent(world) }),
  ...(token && { Authorization: `Bearer ${token}` }),
});

async function read() {
  // The token is used, and taken out of the address, when all modules are there.
  if (handedToken(location.hash)) return undefined;
  const world = worldOf(parseAddress(location.hash));
  try {
    const response = await fetch(`/__admin/requests?view=line&limit=${FIRST}`, { ...MANNERS, headers: credentials(world, keptToken()) });
    if (!response.ok) return undefined;
    const { items } = await response.json();
    return { world, items, total: Number(response.headers.get("X-Total-Count")) };
  } catch {
    return undefined;
  }
}

/** The newest lines of the world of the address; nothing where they could not be read. They are read again with the stream open. */
export const early = read();
