// @ts-check
// Where the page is, what it may do there, and how its calls tell the server so.

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
export const FETCH_OPTIONS = { cache: "no-store", credentials: "omit", redirect: "error" };

/** What tells the server the world of a call, and the token. @param {string} world @param {string} token */
export const credentials = (world, token) => ({
  // A field takes no other characters; the name of a world is the same encoded.
  ...(world && { "X-Understudy-World": encodeURIComponent(world) }),
  ...(token && { Authorization: `Bearer ${token}` }),
});
