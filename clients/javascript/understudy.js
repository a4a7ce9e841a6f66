// @ts-check
/**
 * Understudy for JavaScript tests: worlds, clock, edge cases and the journal of an emulator. Copy this file; it needs
 * Node.js 20, and `await using` a newer one or a compiler (without it, call `await w.delete()`).
 *
 *     import { start } from "./understudy.js";
 *
 *     await using server = await start("--api", "omnichat");
 *     await using w = await server.world();
 *     await w.scenario("omnichat/file-gone");
 *     await runMyClient(w.url("omnichat"), await w.token("omnichat", "test@icloud.com"));
 *     await w.verify({ match: { method: "GET", path: "/api/v1/conversations" }, count: { exactly: 1 } });
 *
 * `start` runs the program `understudy` (or the one that UNDERSTUDY_BINARY names) and stops it, `attach` uses a running server.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** How long a control call may take, in milliseconds. */
const TIMEOUT = 30_000;
// Older versions of Node.js have no such symbol.
const asyncDispose = /** @type {typeof Symbol.asyncDispose} */ (Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose"));

/** A control call failed. It has `status` and `document`, the problem document (RFC 9457). */
export class Problem extends Error {
  /** @param {string} method @param {string} path @param {number} status @param {any} document */
  constructor(method, path, status, document) {
    super(`${method} ${path}: ${status}: ${document?.detail ?? document?.title ?? document}`);
    this.name = "Problem";
    this.status = status;
    this.document = document;
  }
}

/** No server responds at the address. */
export class Unreachable extends Error {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "Unreachable";
  }
}

/**
 * Uses a running server: `url` is its hub (default: UNDERSTUDY_URL), `token` its admin token.
 * @param {{url?: string, token?: string}} [options] @returns {Promise<Server>}
 */
export async function attach({ url = process.env.UNDERSTUDY_URL, token = process.env.UNDERSTUDY_ADMIN_TOKEN } = {}) {
  if (!url) throw new Unreachable("pass the URL of a hub, or set UNDERSTUDY_URL (`understudy exec -- CMD` sets it)");
  const server = new Server(url, token);
  await server.call("GET", "/health");
  return server;
}

/**
 * Starts a server on free ports with these flags of `understudy serve`. It stops when this process ends, even by a
 * crash: the server exits when the pipe from this process closes.
 * @param {...string} flags @returns {Promise<Server>}
 */
export async function start(...flags) {
  const program = process.env.UNDERSTUDY_BINARY || "understudy";
  const script = 'echo "URL $UNDERSTUDY_URL $UNDERSTUDY_ADMIN_TOKEN"; exec cat >/dev/null';
  const child = spawn(program, ["exec", ...flags, "--", "sh", "-c", script], { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const failed = new Promise((_, reject) =>
    child.once("error", (error) => reject(new Unreachable(`${program} can't be started; set UNDERSTUDY_BINARY to its path (${error.message})`))),
  );
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [word, url, token] = line.split(" ");
      if (word === "URL") return new Server(url, token || undefined, { child, ended });
    }
    throw new Unreachable(`understudy exited with ${await ended}: ${errors.trim()}`);
  })();
  return /** @type {Promise<Server>} */ (Promise.race([ready, failed]));
}

/** A running emulator. `hub` is its address. */
export class Server {
  #token;
  #running;

  /** @param {string} hub @param {string} [token] @param {{child: import("node:child_process").ChildProcess, ended: Promise<unknown>}} [running] */
  constructor(hub, token, running) {
    this.hub = hub.replace(/\/$/, "");
    this.#token = token;
    this.#running = running;
  }

  /** Stops a server that `start` started; does nothing to one that was attached. */
  async stop() {
    const running = this.#running;
    this.#running = undefined;
    running?.child.stdin?.end();
    await running?.ended;
  }

  [asyncDispose]() {
    return this.stop();
  }

  /** Creates an isolated world; `await using` or `delete` ends it. Other options are members of `POST /__admin/worlds`. @param {{name?: string, [option: string]: unknown}} [options] */
  async world({ name = `test-${randomUUID().slice(0, 13)}`, ...options } = {}) {
    const made = await this.call("POST", "/worlds", { name, ...options });
    return new World(this, made.name, made.urls, made.proxy);
  }

  /**
   * Makes a control call: `path` follows `/__admin`. Returns its JSON, text, or undefined where there is no content.
   * @param {string} method @param {string} path @param {unknown} [body] @param {{world?: string, timeout?: number}} [options]
   * @returns {Promise<any>}
   */
  async call(method, path, body, { world, timeout = TIMEOUT } = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (world) headers["X-Understudy-World"] = world;
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const content = body === undefined ? undefined : JSON.stringify(body);
    let reply, text;
    try {
      reply = await fetch(`${this.hub}/__admin${path}`, { method, headers, body: content, signal: AbortSignal.timeout(timeout) });
      text = await reply.text();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new Unreachable(`${this.hub}: ${cause instanceof Error ? cause.message : cause}`, { cause: error });
    }
    const value = text && /[/+]json\b/.test(reply.headers.get("content-type") ?? "") ? JSON.parse(text) : text || undefined;
    if (!reply.ok) throw new Problem(method, `/__admin${path}`, reply.status, value);
    return value;
  }
}

/** An isolated copy of all backends, with its own clock, data, faults and journal. */
export class World {
  #urls;

  /** @param {Server} server @param {string} name @param {Record<string, string>} urls @param {string} [proxyUrl] */
  constructor(server, name, urls, proxyUrl) {
    this.server = server;
    this.name = name;
    this.#urls = urls;
    /** The address of the forward proxy with the credentials that name this world; undefined without it. @type {string | undefined} */
    this.proxyUrl = proxyUrl;
    this.clock = new Clock(this);
  }

  /** Deletes the world; does nothing if it no longer exists. */
  async delete() {
    try {
      await this.server.call("DELETE", `/worlds/${encodeURIComponent(this.name)}`);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }
  }

  [asyncDispose]() {
    return this.delete();
  }

  /** The base URL of an API in this world. @param {string} api */
  url(api) {
    if (!Object.hasOwn(this.#urls, api)) throw new Error(`no API "${api}"; the server has ${Object.keys(this.#urls).join(", ")}`);
    return this.#urls[api];
  }

  /** Makes any control call in this world: `call("PUT", "/latency", { profile: "3g" })`. @param {string} method @param {string} path @param {unknown} [body] @param {{timeout?: number}} [options] */
  call(method, path, body, options = {}) {
    return this.server.call(method, path, body, { ...options, world: this.name });
  }

  /** Resets the world to its seed. @param {{keepClock?: boolean}} [options] */
  async reset({ keepClock = false } = {}) {
    await this.call("POST", keepClock ? "/reset?keep=clock" : "/reset");
  }

  /** Switches an edge case such as `omnichat/file-gone` on or off. @param {string} name @param {{on?: boolean}} [options] */
  async scenario(name, { on = true } = {}) {
    await this.call(on ? "PUT" : "DELETE", `/scenarios/${name.split("/").map(encodeURIComponent).join("/")}`);
  }

  /** Creates a fault and returns its id. @param {object} fault @returns {Promise<string>} */
  async fault(fault) {
    return (await this.call("POST", "/faults", fault)).id;
  }

  /** Creates a gate that holds matching requests until they are released. @param {string} name @param {object} [match] @param {{phase?: "before"|"after"}} [options] */
  async gate(name, match = {}, { phase = "before" } = {}) {
    await this.call("POST", "/gates", { name, match, phase });
    return new Gate(this, name);
  }

  /** Issues a token for a user: kind `access` or `refresh`, state such as `valid`, `expired` or `revoked`. @param {string} api @param {string} user @param {{kind?: string, state?: string}} [options] @returns {Promise<string>} */
  async token(api, user, { kind = "access", state = "valid" } = {}) {
    return (await this.call("POST", "/tokens", { api, user, kind, state })).token;
  }

  /** The codes and links that were sent, newest first. @param {{to?: string}} [options] @returns {Promise<any[]>} */
  async outbox({ to } = {}) {
    return (await this.call("GET", to ? `/outbox?${new URLSearchParams({ to })}` : "/outbox")).items;
  }

  /** The exchanges of the world, newest first. Filters are those of `GET /requests`: `method`, `path`, `status`, `user`, … @param {Record<string, string | number>} [filters] @returns {Promise<any[]>} */
  async requests(filters = {}) {
    /** @type {any[]} */
    const found = [];
    for (;;) {
      const query = Object.entries({ limit: 1000, offset: found.length, ...filters }).map(([name, value]) => [name, String(value)]);
      const { items } = await this.call("GET", `/requests?${new URLSearchParams(query)}`);
      found.push(...items);
      if (items.length < 1000 || "limit" in filters) return found;
    }
  }

  /** Throws, with the reason and the nearest misses, unless the journal meets the expectation; also if dropped journal entries could change the verdict, unless `allowDropped: true`. `noOtherHosts: true` judges the hosts that the forward proxy was asked for. @param {object} expectation */
  async verify(expectation) {
    const verdict = await this.call("POST", "/verify", expectation, { timeout: TIMEOUT + 600_000 });
    if (verdict.verdict === "pass") return;
    const misses = verdict.nearMisses.map((/** @type {any} */ miss) => `\n  ${miss.id}: ${miss.differences.join("; ")}`);
    throw new Error(`${verdict.reason ?? "the expectation is not met"} (found ${verdict.count})${misses.join("")}`);
  }
}

/** The clock of a world. Instants are strings such as `2025-01-01T12:00:00Z`. */
class Clock {
  #world;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /** @returns {Promise<string>} */
  async now() {
    return (await this.#world.call("GET", "/clock")).now;
  }

  /** Moves it forward by an ISO 8601 duration such as `PT15M`; delayed responses that are due are sent. @param {string} by */
  async advance(by) {
    await this.#world.call("POST", "/clock/advance", { by });
  }

  /** Freezes it at its current time or at that instant. @param {string} [now] */
  async freeze(now) {
    await this.#world.call("PUT", "/clock", { mode: "frozen", ...(now && { now }) });
  }

  /** Sets it to that instant; a frozen clock stays frozen, a running one keeps running. @param {string} now */
  async set(now) {
    const { mode } = await this.#world.call("GET", "/clock");
    await this.#world.call("PUT", "/clock", { mode: mode === "frozen" ? "frozen" : "offset", now });
  }

  /** Lets it run from its current time. */
  async run() {
    await this.#world.call("PUT", "/clock", { mode: "offset", now: await this.now() });
  }
}

/** A gate of a world. */
class Gate {
  #world;
  #path;

  /** @param {World} world @param {string} name */
  constructor(world, name) {
    this.#world = world;
    this.#path = `/gates/${encodeURIComponent(name)}`;
    this.name = name;
  }

  /** The journal keys of the held requests, oldest first. @returns {Promise<string[]>} */
  async held() {
    return (await this.#world.call("GET", this.#path)).held;
  }

  /** Waits until it holds n requests; throws an error that says how many it held and which requests came instead. */
  async wait(n = 1, seconds = 5) {
    const end = performance.now() + seconds * 1000;
    let held = await this.held();
    while (held.length < n && performance.now() < end) {
      await pause(20);
      held = await this.held();
    }
    if (held.length >= n) return held;
    const last = (await this.#world.requests()).slice(0, 5).map(({ method, path }) => `${method} ${path}`).join(", ");
    throw new Error(`gate ${this.name} held ${held.length} of ${n} requests after ${seconds} s; the latest requests: ${last || "nothing"}`);
  }

  /** Releases the oldest `count` requests, or all. @param {number} [count] */
  async release(count) {
    await this.#world.call("POST", `${this.#path}/release`, count === undefined ? {} : { count });
  }
}
