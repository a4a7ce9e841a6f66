// @ts-check
// What leaves the page: copies, files and commands.
import { announce, app, hasToken } from "./core.js";
import { button, make } from "./text.js";

/**
 * Copies text; where that is not allowed, shows it selected.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    const area = make("textarea", { readonly: true, rows: 8, "aria-label": "Text to copy" });
    area.value = text;
    const dialog = make("dialog", { "aria-label": "Copy this text", class: "dialog" },
      make("h2", null, "Copy this text"), area, make("div", { class: "row" }, button("Close", () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}
export const copyButton = (name, source, options) => button(name, async () => copy(await source()), options);

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

/** Quotes for a shell. @param {string} text */
export const quoted = (text) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

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
