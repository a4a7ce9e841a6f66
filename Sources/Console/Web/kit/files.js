// @ts-check
// What leaves and enters the page: files and commands.
import { app, hasToken, quoted } from "./core.js";
import { make } from "./text.js";

/** Saves a file. @param {string} name a name of ours @param {string | Blob} content @param {string} [type] */
export function save(name, content, type = "application/json") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = make("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Lets the reader choose a file. @param {string} accept @returns {Promise<File?>} */
export function chooseFile(accept) {
  return new Promise((resolve) => {
    const input = make("input", { type: "file", accept });
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}

/**
 * A control call as a command. The token is never in it.
 * @param {string} method
 * @param {string} path below `/__admin`
 * @param {any} [body]
 */
export function curlCall(method, path, body) {
  const parts = ["curl"];
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(`${location.origin}/__admin${path}`), "-H", quoted(`X-Understudy-World: ${app.world}`));
  if (hasToken()) parts.push('-H "Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN"');
  if (body !== undefined) parts.push("-H", quoted("Content-Type: application/json"), "-d", quoted(JSON.stringify(body)));
  return parts.join(" ");
}

/** Wraps text into a name of a file. @param {string} text */
export const fileName = (text) => text.replace(/[^A-Za-z0-9._-]+/g, "-");
