// Tests of the helper against a real server (clients contract, section 7). UNDERSTUDY_BINARY names the program.
import assert from "node:assert/strict";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { attach, Problem, start, Unreachable } from "./understudy.js";

/** @type {import("./understudy.js").Server} */
let server;
/** @type {import("./understudy.js").World} */
let w;
before(async () => { server = await start("--clock", "2025-01-01T12:00:00Z"); });
after(() => server.stop());
beforeEach(async () => { w = await server.world(); });
afterEach(() => w.delete());

const get = async (/** @type {string} */ token) =>
  (await fetch(`${w.url("omnichat")}/api/v1/conversations`, { headers: { Authorization: `Bearer ${token}` } })).status;

test("a token ends with the clock", async () => {
  const token = await w.token("omnichat", "test@icloud.com");
  assert.equal(await get(token), 200);
  await w.clock.advance("PT16M");
  assert.equal(await get(token), 401);
  await w.verify({ match: { path: "/api/v1/conversations" }, count: { exactly: 2 } });
});

test("verify tells reason and near misses", async () => {
  await get(await w.token("omnichat", "test@icloud.com"));
  await assert.rejects(w.verify({ match: { method: "POST", path: "/api/v1/conversations" } }), /method: expected POST, found GET/);
});

test("the clock is frozen, set, and runs on", async () => {
  await w.clock.freeze("2025-02-01T00:00:00Z");
  assert.equal(await w.clock.now(), "2025-02-01T00:00:00.000Z");
  await w.clock.set("2025-03-01T00:00:00Z");
  assert.equal(await w.clock.now(), "2025-03-01T00:00:00.000Z");
  await w.clock.run();
  assert.ok((await w.clock.now()) >= "2025-03-01T00:00:00.000Z");
});

test("faults, scenarios and reset", async () => {
  assert.match(await w.fault({ match: { path: "/api/**" }, effect: { status: 503 } }), /^flt_/);
  assert.equal(await get(await w.token("omnichat", "test@icloud.com")), 503);
  await w.scenario("omnichat/file-gone");
  await w.scenario("omnichat/file-gone", { on: false });
  await w.reset();
  assert.equal(await get(await w.token("omnichat", "test@icloud.com")), 200);
  assert.deepEqual((await w.requests()).map((entry) => entry.status), [200]);
});

test("a gate holds and lets go", async () => {
  const token = await w.token("omnichat", "test@icloud.com");
  const gate = await w.gate("g", { path: "/api/v1/conversations" });
  await assert.rejects(gate.wait(1, 0.2), /held 0 of 1/);
  const both = [get(token), get(token)];
  assert.equal((await gate.wait(2, 10)).length, 2);
  await gate.release(1);
  assert.equal((await gate.held()).length, 1);
  await gate.release();
  assert.deepEqual(await Promise.all(both), [200, 200]);
});

test("outbox, and any call", async () => {
  assert.deepEqual(await w.outbox(), []);
  assert.ok(await w.call("GET", "/latency"));
});

test("refusals", async () => {
  await assert.rejects(w.fault({ effect: { statos: 503 } }), (error) => error instanceof Problem && error.status === 422);
  assert.throws(() => w.url("omnichatt"), /omnichat/);
  await assert.rejects(attach({ url: "http://127.0.0.1:1" }), Unreachable);
  assert.equal((await (await attach({ url: server.hub })).call("GET", "/health")).status, "ok");
});

test("a world is deleted at the end", async () => {
  const mine = await server.world({ name: "mine" });
  await mine[Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]();
  await mine.delete();
  const names = (await server.call("GET", "/worlds")).items.map((/** @type {any} */ item) => item.name);
  assert.ok(!names.includes("mine"));
});

test("a wrong flag, and a missing program, are told", async () => {
  await assert.rejects(start("--portt", "1"), /--portt/);
  const binary = process.env.UNDERSTUDY_BINARY;
  process.env.UNDERSTUDY_BINARY = "/nowhere/understudy";
  await assert.rejects(start(), Unreachable);
  if (binary) process.env.UNDERSTUDY_BINARY = binary;
  else delete process.env.UNDERSTUDY_BINARY;
});
