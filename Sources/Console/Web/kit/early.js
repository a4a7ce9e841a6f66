// @ts-check
// The newest lines of the journal, asked for while the other modules of the console are on their way.
import { FETCH_OPTIONS, credentials, handedToken, keptToken, parseAddress, worldOf } from "./place.js";

/** How many lines are read first: more than a window shows. */
export const FIRST = 200;

async function read() {
  // The token is used, and taken out of the address, when all modules are there.
  if (handedToken(location.hash)) return undefined;
  const world = worldOf(parseAddress(location.hash));
  try {
    const response = await fetch(`/__admin/requests?view=line&limit=${FIRST}`, { ...FETCH_OPTIONS, headers: credentials(world, keptToken()) });
    if (!response.ok) return undefined;
    const { items } = await response.json();
    if (!Array.isArray(items)) return undefined;
    return { world, items, total: Number(response.headers.get("X-Total-Count")) };
  } catch {
    return undefined;
  }
}

/** The newest lines of the world of the address; nothing where they could not be read. They are read again with the stream open. */
export const early = read();
