// Tests of the helper for node's test runner against a real server (clients contract, section 7). UNDERSTUDY_BINARY names the
// program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { start } from "./understudy.js";
import { useUnderstudy } from "./understudy-fixtures.js";

const { server, withWorld } = useUnderstudy("--api", "omnichat");
const worlds = async () => (await (await server()).call("GET", "/worlds")).items.map((/** @type {any} */ item) => item.name);
const seen = new Set();

for (const n of [1, 2, 3]) {
  test(`7 each test has a world of its own, ${n}`, withWorld(async (w, t) => {
    assert.ok(t.name.endsWith(String(n)));
    assert.match(w.name, /^7-each-test-has-a-world-of-its-own-[0-9]-[0-9a-f]{8}$/);
    assert.ok(!seen.has(w.name));
    seen.add(w.name);
    assert.deepEqual(await worlds(), ["main", w.name]);
    assert.equal((await fetch(`${w.url("omnichat")}/api/v1/conversations`)).status, 401);
    assert.equal((await w.requests()).length, 1);
  }));
}

test("7 its world goes with the test", async () => assert.deepEqual(await worlds(), ["main"]));

test("7 options set the world up", withWorld(
  { clock: { mode: "frozen", now: "2025-03-01T00:00:00Z" }, scenarios: ["omnichat/file-gone"] },
  async (w) => {
    assert.equal(await w.clock.now(), "2025-03-01T00:00:00.000Z");
    const { items } = await w.call("GET", "/scenarios");
    assert.deepEqual(items.filter((/** @type {any} */ item) => item.active).map((/** @type {any} */ item) => item.name), ["omnichat/file-gone"]);
  },
));

test("7 without a test function it is a TypeError", () => {
  // @ts-expect-error: what a slip would be
  assert.throws(() => withWorld({}), TypeError);
});

/** Runs a test file with that content. @param {string} body @param {Record<string, string>} [variables] */
function run(body, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "understudy-"));
  const helper = new URL("./understudy-fixtures.js", import.meta.url).href;
  const text = `import { test } from "node:test";\nimport { useUnderstudy } from "${helper}";\n${body}`;
  writeFileSync(join(folder, "it.test.mjs"), text);
  const env = { ...process.env, ...variables };
  // A test within a test would report to the outer runner.
  delete env.NODE_TEST_CONTEXT;
  const result = spawnSync(process.execPath, ["--test", "--test-reporter", "tap", join(folder, "it.test.mjs")], { env, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { status: result.status, output: result.stdout + result.stderr };
}

test("7 a failed test shows its requests", () => {
  const { status, output } = run(`
    const { withWorld } = useUnderstudy("--api", "omnichat");
    test("fails", withWorld(async (w) => {
      for (const path of ["conversations", "conversation"]) await fetch(w.url("omnichat") + "/api/v1/" + path);
      throw new Error("it failed");
    }));
    test("asks nothing", withWorld(() => { throw new Error("it failed too"); }));
  `);
  assert.equal(status, 1, output);
  for (const line of [
    "  401 omnichat GET /api/v1/conversations", "  no request came", "it failed", "it failed too",
    "  404 omnichat GET /api/v1/conversation  unmatched: did you mean GET /api/v1/conversations?",
  ]) assert.ok(output.includes(line), output);
});

test("7 a running server is used, and is left running", async () => {
  await using_(await start("--api", "omnichat"), async (running) => {
    const { status, output } = run(
      `const { server, withWorld } = useUnderstudy("--api", "trendy");
       test("it", withWorld(async (w) => { if ((await server()).hub !== process.env.UNDERSTUDY_URL || !w.url("omnichat")) throw new Error(); }));`,
      { UNDERSTUDY_URL: running.hub },
    );
    assert.equal(status, 0, output);
    assert.deepEqual((await running.call("GET", "/worlds")).items.map((/** @type {any} */ item) => item.name), ["main"]);
  });
});

test("7 what keeps the server from starting is told", async () => {
  const test_ = (/** @type {string[]} */ ...flags) => `test("it", useUnderstudy(...${JSON.stringify(flags)}).withWorld(() => {}));`;
  await using_(await start("--api", "omnichat"), async (running) => {
    const port = new URL(running.hub).port;
    for (const [body, variables, message] of /** @type {[string, Record<string, string>, string][]} */ ([
      [test_(), { UNDERSTUDY_BINARY: "/nowhere/understudy" }, "/nowhere/understudy can't be started"],
      [test_("--port", port), {}, `port ${port} is in use`],
      [test_("--api", "omnichatt"), {}, "did you mean omnichat?"],
      [test_(), { UNDERSTUDY_URL: "http://127.0.0.1:1" }, "http://127.0.0.1:1: "],
    ])) {
      const { status, output } = run(body, variables);
      assert.equal(status, 1, output);
      assert.ok(output.includes(message), output);
    }
  });
});

/** `await using` for older versions of Node.js. @param {import("./understudy.js").Server} running @param {(running: import("./understudy.js").Server) => Promise<void>} body */
async function using_(running, body) {
  try {
    await body(running);
  } finally {
    await running.stop();
  }
}
