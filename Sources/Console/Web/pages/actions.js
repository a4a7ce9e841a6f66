// @ts-check
// What can be done with an exchange: copied, sent again, made into a fault, a gate, a stub or a check.
import { copy, copyButton, open, quoted, swiftMatch, swiftRequest } from "../kit/dialog.js";
import { address, announce, app, attempt, call, change, get, go, segment } from "../kit/core.js";
import { button, make, reason } from "../kit/text.js";

const LEFT_OUT = new Set(["host", "content-length", "connection"]);

/** The address at which a client reaches what an entry asked for. @param {any} entry */
function urlOf(entry) {
  const api = app.apis.find((one) => one.name === entry.api);
  const world = entry.world && entry.world !== "main" ? `/@${entry.world}` : "";
  return `${api?.url ?? location.origin}${world}${entry.path}${entry.query ? `?${entry.query}` : ""}`;
}

/** @param {any} entry @returns {[string, string][]} */
const sentHeaders = (entry) => (entry.headers ?? []).filter((/** @type {[string, string]} */ [name]) => !LEFT_OUT.has(name.toLowerCase()));

/** @param {any} entry */
export function curl(entry) {
  const parts = ["curl"];
  if (entry.method !== "GET") parts.push("-X", quoted(entry.method));
  parts.push(quoted(urlOf(entry)));
  for (const [name, value] of sentHeaders(entry)) parts.push("-H", quoted(`${name}: ${value}`));
  if (entry.body?.bytes) {
    if (entry.body.text !== undefined) parts.push("--data-binary", quoted(entry.body.text));
    else return `base64 -d <<< ${quoted(entry.body.base64 ?? "")} | ${parts.join(" ")} --data-binary @-`;
  }
  return parts.join(" ");
}

/** @param {any} entry @param {"request" | "response"} side */
export function rawText(entry, side) {
  const isRequest = side === "request";
  const first = isRequest ? `${entry.method} ${entry.path}${entry.query ? `?${entry.query}` : ""} HTTP/1.1` : `HTTP/1.1 ${entry.status} ${reason(entry.status)}`;
  const headers = (isRequest ? entry.headers : entry.responseHeaders) ?? [];
  const body = (isRequest ? entry.body : entry.responseBody) ?? {};
  const kept = body.text ?? (body.base64 ? `[${body.bytes} bytes, in base64]\n${body.base64}` : "");
  return [first, ...headers.map((/** @type {[string, string]} */ [name, value]) => `${name}: ${value}`), "", kept + (body.truncated ? "\n[…the rest was not kept]" : "")].join("\n");
}

/** The match that an entry meets. @param {any} entry */
export function matchOf(entry) {
  /** @type {any} */
  const match = { api: entry.api, method: entry.method, path: entry.route || entry.path };
  if (entry.user) match.user = entry.user;
  return match;
}

/** The answer of an entry as the effect `respond`. @param {any} entry */
function respondOf(entry) {
  const ours = new Set(["content-length", "transfer-encoding", "connection", "date", "x-request-id", "keep-alive"]);
  const headers = (entry.responseHeaders ?? []).filter((/** @type {[string, string]} */ [name]) => !ours.has(name.toLowerCase()));
  const body = entry.responseBody ?? {};
  /** @type {any} */
  const respond = { status: Math.max(entry.status || 200, 200), ...(headers.length ? { headers } : {}) };
  if (body.base64 !== undefined) respond.base64 = body.base64;
  else if (body.text) {
    try { respond.body = JSON.parse(body.text); } catch { respond.text = body.text; }
  }
  return respond;
}

/** @param {any} entry */
function verify(entry) {
  const match = matchOf(entry);
  const body = JSON.stringify({ match }, null, 2);
  const line = `try await world.verify(${swiftMatch(match)}, .atLeast(1))`;
  const dialog = open({
    title: "Verify from this",
    content: [make("h3", null, "Body of verify"), make("pre", { class: "code", tabindex: "0" }, body), copyButton("Copy body of verify", () => body),
      make("h3", null, "Swift"), make("pre", { class: "code", tabindex: "0" }, line), copyButton("Copy line of Swift", () => line)],
    buttons: [button("Close", () => dialog.close())],
  });
}

/**
 * @param {string} kind
 * @param {string[]} ids
 * @param {{ next?: () => string | undefined }} [options]
 */
export async function act(kind, ids, options = {}) {
  await attempt(async () => {
    if (kind === "compare") {
      const other = options.next?.();
      if (other) go(address("compare", { a: ids[0], b: other }));
      else announce("There is no next row to compare with");
      return;
    }
    if (kind === "replay") {
      const answer = await call("POST", `/requests/${segment(ids[0])}/replay`, { body: {}, isSlow: true });
      announce(`Replayed as ${answer.id}: ${answer.status}, ${answer.same ? "the same" : "different"}`);
      change({ exchange: answer.id, part: "Differences" });
      return;
    }
    const entries = await Promise.all(ids.map((id) => get(`/requests/${segment(id)}`)));
    const [entry] = entries;
    if (kind === "curl") await copy(entries.map(curl).join("\n"));
    else if (kind === "swift") await copy(swiftRequest(entry.method, urlOf(entry), sentHeaders(entry), entry.body?.text ?? ""));
    else if (kind === "verify") verify(entry);
    else if (kind === "gate") (await import("./fault-dialogs.js")).openGate({ match: matchOf(entry) });
    else if (kind === "fault") (await import("./fault-dialogs.js")).openFault({ match: matchOf(entry) });
    else if (kind === "stub") (await import("./fault-dialogs.js")).openFault({ match: matchOf(entry), effect: { respond: respondOf(entry) } }, { isStub: true });
  });
}
