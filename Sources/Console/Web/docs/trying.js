// @ts-check
// The forms with which operations are tried out, and the credentials that they use.
import { copyButton, here, list, members, mount, resolved, sample, source, text, typeWords } from "./page.js";
import { coloured } from "../kit/content.js";
import { foreign, freshID, make, visible } from "../kit/text.js";

// Credentials stay in the page's memory: a reload forgets them.
export const keys = { admin: "", world: "", schemes: {} };
const largestShown = 1048576;

export const asked = (operation) => {
  const wanted = operation.security ?? source().security;
  return list(wanted).flatMap((choice) => members(choice).map(([name]) => name));
};
export const isOpen = (operation) => {
  const wanted = list(operation.security ?? source().security);
  return wanted.length === 0 || wanted.some((choice) => !members(choice).length);
};
const schemes = () => members(source().components?.securitySchemes).map(([name, scheme]) => [name, resolved(scheme)]);
const isBearer = (scheme) => scheme.type === "http" && String(scheme.scheme).toLowerCase() === "bearer";

export const problemText = async (response) => {
  const body = await response.text();
  try {
    const value = JSON.parse(body);
    return `${response.status} ${text(value.detail || value.title || value.error || value.message || body)}`;
  } catch {
    return `${response.status} ${body.slice(0, 300)}`;
  }
};
export const adminFields = () => (keys.admin ? { Authorization: `Bearer ${keys.admin}` } : {});
const worldFields = () => (keys.world ? { "X-Understudy-World": keys.world } : {});

export const credentialPanel = () => {
  const message = make("p", { class: "note", role: "status" });
  const labelled = (words, input, hint) => {
    input.id = freshID();
    return [make("label", { for: input.id }, words, hint && make("small", {}, hint)), input];
  };
  const rows = [];
  const bearerInputs = [];
  for (const [name, scheme] of schemes()) {
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: isBearer(scheme) ? "token" : "value" });
    input.addEventListener("input", () => { keys.schemes[name] = input.value.trim(); });
    if (isBearer(scheme)) bearerInputs.push([name, input]);
    rows.push(labelled(name, input, text(scheme.description) || text(scheme.type)));
  }
  const world = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: "main" });
  world.addEventListener("input", () => { keys.world = world.value.trim(); });
  rows.push(labelled("World", world, "sent as X-Understudy-World; if empty, the page's world"));
  const admin = make("input", { type: "password", autocomplete: "off", dir: "ltr", placeholder: "printed when the server started", "data-admin": "yes" });
  admin.value = keys.admin;
  admin.addEventListener("input", () => { keys.admin = admin.value.trim(); });
  const adminRow = make("div", { class: "fields", hidden: !here.admin }, labelled("Admin token", admin, "for control calls"));
  const parts = [make("h2", {}, "Credentials"), adminRow, make("div", { class: "fields" }, rows)];
  if (here.tokens && bearerInputs.length) {
    const user = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "ltr", placeholder: "e-mail or id", "aria-label": "User" });
    const states = ["valid", "expired", "revoked", "bad-signature", "wrong-audience", "wrong-issuer"];
    const state = make("select", { "aria-label": "Token state" }, states.map((one) => make("option", {}, one)));
    const form = make("form", { class: "row", "data-tokens": "yes" }, user, state, make("button", { class: "main" }, "Create token"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      message.className = "note";
      message.textContent = "…";
      try {
        const response = await fetch(`${mount}/__admin/tokens`, {
          method: "POST", cache: "no-store",
          headers: { "Content-Type": "application/json", ...worldFields(), ...adminFields() },
          body: JSON.stringify({ user: user.value.trim(), kind: "access", state: state.value })
        });
        if (response.status === 401) adminRow.hidden = false;
        if (!response.ok) throw new Error(await problemText(response));
        const made = await response.json();
        for (const [name, input] of bearerInputs) {
          input.value = text(made.token);
          keys.schemes[name] = input.value;
        }
        message.textContent = `Using a token for ${user.value.trim()}${made.expiresAt ? `, valid until ${text(made.expiresAt)}` : ""}.`;
      } catch (error) {
        message.className = "error";
        message.textContent = visible(/** @type {any} */ (error).message || error);
      }
    });
    parts.push(form);
  }
  parts.push(message);
  return { node: make("section", { class: "panel", "aria-label": "Credentials" }, parts) };
};

const control = (schema, start) => {
  const value = resolved(schema);
  const choices = list(value.enum).length ? value.enum.map(text) : value.type === "boolean" ? ["true", "false"] : [];
  if (!choices.length) {
    return make("input", { type: "text", value: start, autocomplete: "off", spellcheck: "false", dir: "auto", placeholder: typeWords(schema) });
  }
  const node = make("select", {}, make("option", { value: "" }, "–"), choices.map((one) => make("option", {}, one)));
  node.value = start || "";
  return node;
};

const quoted = (value) => `'${value.replace(/'/g, "'\\''")}'`;

/** The form of one operation. */
export const trying = (operation) => {
  const fields = [];
  const grid = make("div", { class: "fields" });
  for (const parameter of operation.parameters) {
    if (!["path", "query", "header"].includes(parameter.in)) continue;
    const schema = resolved(parameter.schema);
    const start = parameter.required ? parameter.example ?? schema.example ?? list(schema.examples)[0] ?? schema.default : undefined;
    const input = control(parameter.schema || {}, start === undefined ? undefined : text(start));
    input.id = freshID();
    input.dataset.parameter = parameter.name;
    fields.push({ parameter, input });
    grid.append(make("label", { for: input.id }, make("code", {}, text(parameter.name)), make("small", {}, `${parameter.in}${parameter.required ? ", required" : ""}`)), input);
  }
  const types = members(resolved(operation.requestBody).content);
  let type = types[0]?.[0];
  let body = null;
  const parts = [];
  if (type && type.startsWith("multipart/")) {
    const schema = resolved(types[0][1].schema);
    for (const [name, property] of members(schema.properties)) {
      const isFile = resolved(property).format === "binary";
      const input = isFile ? make("input", { type: "file" }) : control(property, undefined);
      input.id = freshID();
      input.dataset.part = name;
      parts.push({ name, input, isFile });
      grid.append(make("label", { for: input.id }, make("code", {}, name), make("small", {}, `part${list(schema.required).includes(name) ? ", required" : ""}`)), input);
    }
  } else if (type && resolved(types[0][1].schema).format === "binary") {
    body = make("input", { type: "file", "aria-label": "Body" });
  } else if (type) {
    const media = types[0][1];
    const example = media.example ?? members(media.examples)[0]?.[1]?.value ?? sample(media.schema);
    body = make("textarea", { spellcheck: "false", "aria-label": "Body" });
    body.value = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  }
  /** @param {Record<string, string>} [admin] the fields of the admin token */
  const request = (admin = adminFields()) => {
    let path = operation.path;
    const query = [];
    const headers = {};
    for (const { parameter, input } of fields) {
      const value = input.value;
      if (parameter.in === "path") path = path.split(`{${parameter.name}}`).join(encodeURIComponent(value));
      else if (value === "") continue;
      else if (parameter.in === "query") query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`);
      else headers[parameter.name] = value;
    }
    for (const name of asked(operation)) {
      const scheme = Object.fromEntries(schemes())[name];
      const key = keys.schemes[name];
      if (!scheme || !key) continue;
      if (isBearer(scheme)) headers.Authorization = `Bearer ${key}`;
      else if (scheme.in === "header") headers[scheme.name] = key;
      else if (scheme.in === "query") query.push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(key)}`);
    }
    if (operation.path.startsWith("/__admin/") && !headers.Authorization) Object.assign(headers, admin);
    Object.assign(headers, worldFields());
    let content;
    if (parts.length) {
      content = new FormData();
      for (const part of parts) {
        if (part.isFile) { if (part.input.files[0]) content.append(part.name, part.input.files[0]); }
        else if (part.input.value !== "") content.append(part.name, part.input.value);
      }
    } else if (body && body.files) {
      content = body.files[0];
      headers["Content-Type"] = (content && content.type) || type;
    } else if (body && body.value.trim() !== "") {
      content = body.value;
      headers["Content-Type"] = type;
    }
    const url = new URL(mount + (path.startsWith("/") ? path : `/${path}`) + (query.length ? `?${query.join("&")}` : ""), location.origin);
    if (url.origin !== location.origin) throw new Error("The document names a path on another origin.");
    return { url, headers, content, method: operation.method.toUpperCase() };
  };
  const curl = () => {
    // The command names the admin token, and never holds it.
    const secret = "Bearer $UNDERSTUDY_ADMIN_TOKEN";
    const { url, headers, content, method } = request(keys.admin ? { Authorization: secret } : {});
    const words = ["curl", "-i", "-X", method, quoted(url.href)];
    for (const [name, value] of Object.entries(headers)) words.push("-H", value === secret ? `"${name}: ${value}"` : quoted(`${name}: ${value}`));
    if (content instanceof FormData) for (const [name, value] of content) words.push("-F", quoted(typeof value === "string" ? `${name}=${value}` : `${name}=@${value.name}`));
    else if (content !== undefined) words.push("--data-binary", quoted(content instanceof File ? `@${content.name}` : content));
    return words.join(" ");
  };
  const output = make("div", { class: "output", "aria-live": "polite" });
  const send = make("button", { class: "main" }, "Send");
  const stop = make("button", { type: "button", hidden: true }, "Stop");
  const command = make("pre", { hidden: true, tabindex: "0" });
  const showCurl = make("button", { type: "button", "aria-expanded": "false" }, "As curl");
  showCurl.addEventListener("click", () => {
    command.hidden = !command.hidden;
    showCurl.setAttribute("aria-expanded", String(!command.hidden));
    if (!command.hidden) command.textContent = visible(curl());
  });
  const form = make("form", { class: "try", "aria-label": `Try ${operation.method.toUpperCase()} ${operation.path}` },
    make("h4", {}, "Try it"), grid, body,
    make("div", { class: "row" }, send, stop, showCurl, copyButton(curl)), command, output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const abort = new AbortController();
    stop.onclick = () => abort.abort();
    stop.hidden = false;
    send.disabled = true;
    try {
      await play(request(), abort.signal, output);
    } catch (error) {
      output.append(make("p", { class: "error" }, abort.signal.aborted ? "Stopped." : `No response: ${visible(/** @type {any} */ (error).message || error)}`));
    }
    stop.hidden = true;
    send.disabled = false;
  });
  return form;
};

export const statusClass = (status) => (status < 300 ? "ok" : status < 400 ? "odd" : "bad");

/** Sends a request and shows the answer while it arrives. */
const play = async ({ url, headers, content, method }, signal, output) => {
  output.replaceChildren(make("p", { class: "note" }, "…"));
  const began = performance.now();
  const response = await fetch(url, { method, headers, body: content, signal, cache: "no-store" });
  const head = make("p", {}, make("span", { class: `status ${statusClass(response.status)}`, "data-status": String(response.status) }, `${response.status} ${response.statusText}`),
    " ", make("span", { class: "note" }, `${Math.round(performance.now() - began)} ms${response.redirected ? ` · after a redirect to ${response.url}` : ""}`));
  const table = make("table", {}, [...response.headers].map(([name, value]) => make("tr", {}, make("td", {}, make("code", {}, name)), make("td", {}, foreign(value)))));
  const place = make("div", { class: "body" });
  output.replaceChildren(head, make("details", {}, make("summary", {}, "Headers"), table), place);
  const kind = (response.headers.get("content-type") || "").toLowerCase();
  if (/^image\/(png|jpeg|gif|webp)\b/.test(kind)) {
    const address = URL.createObjectURL(await response.blob());
    const picture = make("img", { class: "shown", alt: "Response image" });
    picture.addEventListener("load", () => URL.revokeObjectURL(address));
    picture.src = address;
    place.append(picture);
    return;
  }
  const isText = kind === "" || /^text\/|json|xml|javascript|urlencoded/.test(kind);
  const live = make("pre", { class: "text", tabindex: "0" });
  const decoder = new TextDecoder();
  let whole = "";
  let bytes = 0;
  if (response.body) {
    if (isText) place.append(live);
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.byteLength;
      if (!isText || whole.length > largestShown) continue;
      const fresh = decoder.decode(piece.value, { stream: true });
      whole += fresh;
      live.append(visible(fresh));
    }
  }
  if (!isText) {
    place.append(make("p", { class: "note" }, `${bytes} bytes of ${kind}`));
  } else if (bytes === 0) {
    place.replaceChildren(make("p", { class: "note" }, "No content."));
  } else if (kind.includes("json")) {
    try {
      JSON.parse(whole);
      place.replaceChildren(coloured(indented(whole)));
    } catch { /* Not JSON after all: what arrived stays as it is. */ }
  }
};

/** JSON with line breaks, its numbers and members as they were sent: a parsed value would lose both. */
const indented = (source) => {
  let result = "";
  let depth = 0;
  let previous = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const part of source.match(/"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+/g) || []) {
    const isFirst = previous === "{" || previous === "[";
    if (part === "}" || part === "]") {
      depth -= 1;
      result += isFirst ? part : line() + part;
    } else {
      if (isFirst || previous === ",") result += line();
      result += part === ":" ? ": " : part;
      if (part === "{" || part === "[") depth += 1;
    }
    previous = part;
  }
  return result;
};
