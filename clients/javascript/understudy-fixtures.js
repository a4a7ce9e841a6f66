// @ts-check
/**
 * Understudy for node's test runner: one server for the tests of a file, and a world of its own for each. Copy this file with
 * `understudy.js`.
 *
 *     import { test } from "node:test";
 *     import { useUnderstudy } from "./understudy-fixtures.js";
 *
 *     const { withWorld } = useUnderstudy("--api", "omnichat");
 *
 *     test("a token that ends", withWorld(async (w) => {
 *       const client = new Client(w.url("omnichat"), await w.token("omnichat", "test@icloud.com"));
 *       await w.clock.advance("PT16M");
 *       await client.conversations();
 *     }));
 *
 * The server starts with the first test that needs it and ends with the file. Inside `understudy exec -- node --test` the tests
 * use the server of `exec`, and the flags are those of `exec`.
 */
import { randomUUID } from "node:crypto";
import { after } from "node:test";
import { attach, Problem, start, Unreachable } from "./understudy.js";

/** @typedef {import("./understudy.js").Server} Server */
/** @typedef {import("./understudy.js").World} World */
/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {(world: World, t: TestContext) => unknown} WorldTest */

/** How many requests a failed test shows. */
const SHOWN = 20;

/**
 * Shares a server among the tests of a file; `flags` are those of `understudy serve`.
 * @param {...string} flags
 */
export function useUnderstudy(...flags) {
  /** @type {Promise<Server> | undefined} */
  let started;
  /** The server; it is started when it is first asked for. */
  const server = () => (started ??= process.env.UNDERSTUDY_URL ? attach() : start(...flags));
  after(async () => {
    // A start that failed was told by the test that wanted it.
    const running = await started?.catch(() => undefined);
    await running?.stop();
  });

  /**
   * Returns a test function that gives `body` a world, and deletes it when the test ends. `options` are the members of
   * `POST /__admin/worlds`: `from`, `seed`, `clock`, `scenarios`.
   * @param {WorldTest | {[option: string]: unknown}} options @param {WorldTest} [body]
   * @returns {(t: TestContext) => Promise<void>}
   */
  function withWorld(options, body) {
    const run = /** @type {WorldTest} */ (typeof options === "function" ? options : body);
    const members = typeof options === "function" ? {} : options;
    if (typeof run !== "function") throw new TypeError("withWorld takes a test function, behind the options of its world");
    return async (t) => {
      const world = await (await server()).world({ name: nameOf(t.name), ...members });
      try {
        await run(world, t);
      } catch (error) {
        for (const line of await requestsOf(world)) t.diagnostic(line);
        throw error;
      } finally {
        await world.delete();
      }
    };
  }

  return { server, withWorld };
}

/** A name for the world of a test, which is unique on a server that others use too. @param {string} test */
function nameOf(test) {
  const words = test.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 48).replace(/^-|-$/g, "");
  return `${words || "test"}-${randomUUID().slice(0, 8)}`;
}

/** The newest requests of a world, a line each, and what those that nothing answered may have meant. @param {World} world */
async function requestsOf(world) {
  try {
    const entries = await world.requests({ limit: SHOWN });
    const unmatched = new Map((await world.call("GET", "/unmatched")).items.map((/** @type {any} */ entry) => [entry.id, entry.nearest]));
    const lines = entries.reverse().map(({ id, status, api, method, path }) => {
      const [nearest] = unmatched.get(id) ?? [];
      const hint = nearest ? `: did you mean ${nearest.method} ${nearest.path}?` : "";
      return `  ${status} ${api} ${method} ${path}${unmatched.has(id) ? `  unmatched${hint}` : ""}`;
    });
    return [`Understudy, world ${world.name}:`, ...(lines.length ? lines : ["  no request came"])];
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable) return [`the requests can't be read: ${error.message}`];
    throw error;
  }
}
