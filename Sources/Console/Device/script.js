"use strict";
(() => {
  const secure = document.querySelector("main").dataset.secure;
  const show = (id, text, kind) => {
    const place = document.querySelector("#" + id + " span");
    place.textContent = text;
    place.className = kind || "";
  };

  async function clockAndProtocol() {
    const before = Date.now();
    const answer = await fetch("/__device/check", { cache: "no-store" });
    const facts = await answer.json();
    const after = Date.now();
    show("check-protocol", facts.scheme + ", " + (facts.protocol === "h2" ? "HTTP/2" : "HTTP/1.1"));
    const skew = Math.round(((before + after) / 2 - Date.parse(facts.now)) / 1000);
    if (Math.abs(skew) > 60) {
      show("check-clock", "differs by " + Math.abs(skew) + " s; certificates may look expired or not yet valid", "bad");
    } else {
      show("check-clock", "agrees with the machine", "good");
    }
  }

  async function trust() {
    if (!secure) return show("check-trust", "the server does not use TLS");
    try {
      await fetch(secure + "/__device/check", { mode: "no-cors", cache: "no-store" });
      show("check-trust", "yes", "good");
    } catch {
      show("check-trust", "no; install and enable the certificate", "bad");
    }
  }

  async function checks() {
    show("check-context", isSecureContext ? "yes" : "no; the page was loaded over http", isSecureContext ? "good" : "");
    try {
      await clockAndProtocol();
    } catch {
      show("check-protocol", "the server does not answer", "bad");
      show("check-clock", "the server does not answer", "bad");
    }
    await trust();
  }

  async function copy(button) {
    const text = button.dataset.text;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Over http there is no clipboard: the text is selected and copied in the old manner.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = "Copied";
  }

  function pairing() {
    const section = document.getElementById("pairing");
    const code = new URLSearchParams(location.hash.slice(1)).get("pair");
    if (!section || !code) return;
    section.hidden = false;
    const button = document.getElementById("pair");
    if (location.protocol !== "https:") {
      document.getElementById("pairing-plain").hidden = false;
      button.disabled = true;
      return;
    }
    button.onclick = async () => {
      const result = document.getElementById("pairing-result");
      button.disabled = true;
      try {
        const answer = await fetch("/__device/pair", {
          method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
        });
        const said = await answer.json();
        result.replaceChildren();
        const line = document.createElement("p");
        result.append(line);
        if (!answer.ok) {
          line.textContent = said.detail;
          line.className = "bad";
          return;
        }
        history.replaceState(null, "", location.pathname);
        line.textContent = "Paired for the world " + said.world + ". The token for control calls:";
        const token = document.createElement("p");
        const text = document.createElement("code");
        text.textContent = said.token;
        const copies = document.createElement("button");
        copies.type = "button";
        copies.textContent = "Copy";
        copies.dataset.text = said.token;
        copies.onclick = () => copy(copies);
        token.append(text, " ", copies);
        result.append(token);
      } catch {
        result.textContent = "The server does not answer.";
        button.disabled = false;
      }
    };
  }

  for (const button of document.querySelectorAll("button.copy")) button.onclick = () => copy(button);
  document.getElementById("again").onclick = checks;
  addEventListener("hashchange", pairing);
  pairing();
  checks();
})();
