"""Control contract, sections 15 and 18: the documentation pages, used as a reader would."""

import base64
import json
import os
import shlex
import urllib.parse
import urllib.request

from harness import PICTURES, ConsoleCase

TOKEN = "documentation-token"
# A PNG of one pixel.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# Pages that an API serves beside its document, as its contract asks.
OWN_PAGES = {"sawaed": "/api/mobile/docs"}

FOREIGN = """<!DOCTYPE html><meta charset="utf-8"><title>foreign</title><body><script>
(async () => {
  const seen = {};
  const note = async (name, work) => { try { seen[name] = String(await work()); } catch (error) { seen[name] = "refused"; } };
  const post = { method: "POST" };
  const inFrame = (make) => new Promise((done, failed) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument.body.textContent.slice(0, 40)); } catch (error) { failed(error); } };
    make(frame);
    document.body.append(frame);
  });
  const inWorker = (address) => new Promise((done, failed) => {
    const worker = new Worker(address);
    worker.onmessage = (event) => done(event.data);
    worker.onerror = failed;
  });
  const code = `fetch("${location.origin}/__admin/state").then((a) => postMessage(a.status), () => postMessage("refused"))`;
  await note("read", async () => (await fetch("/__admin/state")).status);
  await note("opaque", async () => (await fetch("/__admin/state", { mode: "no-cors" })).status);
  await note("named", async () => (await fetch("/__admin/state", { referrer: "/docs/", referrerPolicy: "unsafe-url" })).status);
  await note("reset", async () => (await fetch("/__admin/reset", post)).status);
  await note("hub", async () => (await fetch("HUB/__admin/reset", { ...post, mode: "no-cors" })).type);
  await note("frame", () => inFrame((frame) => { frame.src = "/__admin/health"; }));
  await note("docs", () => inFrame((frame) => { frame.src = "/docs/"; }));
  await note("inner", () => inFrame((frame) => { frame.srcdoc = "<script>fetch('/__admin/state').then((a) => { document.body.textContent = a.status; })</scr" + "ipt>"; }).then(() => "")); 
  await note("blob", () => inWorker(URL.createObjectURL(new Blob([code]))));
  await note("worker", () => inWorker(location.pathname));
  await note("service", async () => (await navigator.serviceWorker.register(location.pathname, { scope: "/" })).scope);
  const form = document.createElement("form");
  const target = document.createElement("iframe");
  target.name = "target";
  Object.assign(form, { method: "POST", action: "HUB/__admin/reset", target: "target" });
  document.body.append(target, form);
  await new Promise((done) => { target.onload = done; form.submit(); setTimeout(done, 2000); });
  document.body.textContent = JSON.stringify(seen);
  document.body.dataset.done = "yes";
})();
</script>"""


def operations(document):
    methods = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
    return [(m, p, item[m]) for p, item in document["paths"].items() for m in methods if m in item]


def fill(selector, value):
    """Sets a field as typing does."""
    return "(() => { const n = document.querySelector(%s); n.value = %s; n.dispatchEvent(new Event('input')); return true; })()" % (
        json.dumps(selector), json.dumps(value),
    )


class PageCase(ConsoleCase):
    @property
    def origins(self):
        return (self.server.hub, *self.server.apis.values())

    def visit(self, url, ready="document.body && document.body.dataset.ready"):
        """Opens a page; returns what it is then."""
        # Another document first: a change of the fragment alone would not load anything.
        self.page.goto("about:blank")
        self.page.goto(url)
        return self.until(ready)

    def until(self, expression):
        """Waits until an expression is true, and returns its value. The pages' policy refuses what Playwright waits by."""
        return self.page.evaluate(
            "async () => { for (let left = 1500; left; left -= 1) { const value = (%s); if (value) return value;"
            " await new Promise((done) => setTimeout(done, 20)); } throw new Error('never true'); }" % expression
        )

    def sign_in(self, user="test@icloud.com"):
        """Asks for a token in the page's panel."""
        self.page.evaluate(fill("form[data-tokens] input", user))
        self.page.evaluate("document.querySelector('form[data-tokens] button').click()")
        self.until("document.querySelector('.panel [role=status]').textContent.includes('Using a token for')")

    def picture(self, name):
        os.makedirs(PICTURES, exist_ok=True)
        self.page.screenshot(path="%s/docs-%s.png" % (PICTURES, name))

    def size(self, width, height=900):
        self.page.set_viewport_size({"width": width, "height": height})

    def links(self):
        return self.page.evaluate("[...document.links].map((a) => a.getAttribute('href'))")

    def fits(self, place, width=390):
        """Checks that a page does not overflow."""
        self.size(width)
        over = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(over, 0, "%s overflows at %s" % (place, width))

    def send(self, operation, values=None, body=None):
        """Unfolds an operation, fills in its form, sends it, and returns the status and the text of the response."""
        place = "#" + operation
        self.page.evaluate("(() => { const b = document.querySelector('%s h3 button'); if (b.getAttribute('aria-expanded') === 'false') b.click(); })()" % place)
        for name, value in (values or {}).items():
            self.page.evaluate(fill("%s [data-parameter=%s]" % (place, json.dumps(name)), value))
        if body is not None:
            self.page.evaluate(fill(place + " textarea", body))
        self.page.evaluate("document.querySelector('%s form.try button.main').click()" % place)
        self.until("!document.querySelector('%s form.try button.main').disabled" % place)
        status = self.page.evaluate("document.querySelector('%s [data-status]')?.dataset.status" % place)
        return status, self.page.evaluate("document.querySelector('%s .output .body')?.textContent" % place)


class DocumentationPageTests(PageCase):
    def test_15_every_page_shows_every_operation(self):
        """Checks that every page loads without errors, shows every operation, unfolds, and overflows nowhere."""
        names = list(self.server.apis) + ["control"]
        # Without scripts the hub's page leads to every document; with them it is the console, which leads to their list.
        page = self.server.call("GET", "/")[1]
        for name in names:
            self.assertTrue('href="/docs/%s"' % name in page, "the hub's page does not link /docs/" + name)
        self.visit(self.server.hub + "/", ready="[...document.links].some((a) => a.getAttribute('href') === '/docs/')")
        self.fits("the hub's page")
        for path in ("/docs", "/docs/"):
            self.visit(self.server.hub + path, ready="!!document.querySelector('.cards')")
            shown = self.page.evaluate("[...document.querySelectorAll('.cards a')].map((a) => a.getAttribute('href'))")
            self.assertEqual(shown, ["/docs/" + name for name in names], "%s lists %s" % (path, shown))
            self.assertIn("/", self.links(), "%s does not lead back to the hub" % path)
            self.fits(path)
        self.picture("index")
        for name in names:
            document = self.server.control("GET", "/openapi/%s.json" % name)
            expected = operations(document)
            places = [self.server.hub + "/docs/" + name]
            if name != "control":
                places += [self.server.apis[name] + "/__admin/docs", "%s/@main/%s/__admin/docs" % (self.server.hub, name)]
                if name in OWN_PAGES:
                    places += [self.server.apis[name] + OWN_PAGES[name], "%s/%s%s" % (self.server.hub, name, OWN_PAGES[name])]
            else:
                places += [self.server.hub + "/__admin/docs", self.server.hub + "/@main/docs/control"]
            for place in places:
                state = self.visit(place)
                self.assertEqual(state, "yes", "%s is %s" % (place, state))
                shown = self.page.evaluate("document.querySelectorAll('#operations article h3').length")
                count = len(expected)
                if place.endswith(OWN_PAGES.get(name, "-")):
                    # The production document there may be about fewer operations than ours.
                    with urllib.request.urlopen(self.page.evaluate("document.getElementById('document').href")) as response:
                        count = len(operations(json.load(response)))
                self.assertEqual(shown, count, "%s shows %s of %s operations" % (place, shown, count))
            self.visit(places[0])
            for target in ("/", "/docs/"):
                self.assertIn(target, self.links(), "%s does not lead back to %s" % (places[0], target))
            self.page.evaluate("[...document.querySelectorAll('#tools button')].find((b) => b.textContent === 'Expand all').click()")
            self.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            for answer in ("required", "Responses", "Try it"):
                self.assertIn(answer, self.page.evaluate("document.body.textContent"), "%s has no %s" % (name, answer))
            for method, path, operation in expected:
                text = self.page.evaluate("document.getElementById(%s).textContent" % json.dumps(operation["operationId"]))
                for status in operation["responses"]:
                    self.assertIn(status, text, "%s %s does not show its answer %s" % (method, path, status))
                for parameter in operation.get("parameters", []):
                    self.assertTrue(parameter["name"] in text, "%s %s does not show %s" % (method, path, parameter["name"]))
            for direction in ("ltr", "rtl"):
                self.page.evaluate("document.documentElement.dir = '%s'" % direction)
                for width in (1280, 700, 390, 360):
                    self.fits("%s %s" % (name, direction), width)
            self.size(1280)
        self.assertEqual(self.server.call("GET", "/docs/nope")[0], 404)

    def test_15_pages_have_contrast_in_both_schemes(self):
        """Pictures for people: light, dark, narrow, mirrored; and enough contrast in both."""
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.size(1280, 1000)
            self.visit(self.server.hub + "/docs/omnichat#postApiV1ConversationsIdMessages")
            self.page.evaluate("document.querySelectorAll('.answers details')[0].open = true")
            self.contrast(scheme)
            self.picture(scheme)
            self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
            self.picture(scheme + "-top")
        self.page.evaluate("document.documentElement.dir = 'rtl'")
        self.picture("rtl")
        self.size(390, 800)
        self.page.evaluate("document.documentElement.dir = 'ltr'")
        self.picture("narrow")
        button = "[...document.querySelectorAll('#tools button')].find((b) => b.textContent === 'Toggle theme')"
        self.page.evaluate(button + ".click()")
        self.assertEqual(self.page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "light", "no light at a click")
        self.page.evaluate(button + ".click()")
        self.assertEqual(self.page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark", "no dark at a click")

    def contrast(self, scheme):
        """WCAG 2.2, 1.4.3: 4.5 to 1 between every text and what lies under it."""
        poor = self.page.evaluate(
            """
            (() => {
              const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return { rgb: m.slice(0, 3), a: m[3] ?? 1 }; };
              const light = (c) => c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
              const under = (n) => { for (; n; n = n.parentElement) { const b = parse(getComputedStyle(n).backgroundColor); if (b.a === 1) return b.rgb; } return [255, 255, 255]; };
              const poor = new Set();
              for (const n of document.querySelectorAll('body *')) {
                if (!n.checkVisibility() || ![...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim())) continue;
                const [a, b] = [light(parse(getComputedStyle(n).color).rgb), light(under(n))].sort((x, y) => y - x);
                if ((a + 0.05) / (b + 0.05) < 4.5) poor.add(n.tagName + '.' + n.className + ' ' + ((a + 0.05) / (b + 0.05)).toFixed(2));
              }
              return [...poor];
            })()
            """
        )
        self.assertTrue(not poor, "too little contrast in the %s scheme: %s" % (scheme, poor))

    def test_15_operations_are_found(self):
        """Search, keys, links to one operation."""
        self.visit(self.server.hub + "/docs/omnichat")
        self.page.keyboard.press("/")
        self.assertEqual(self.page.evaluate("document.activeElement.type"), "search", "/ does not go to the search")
        self.page.keyboard.insert_text("post messages")
        visible = "[...document.querySelectorAll('#operations article[id]')].filter((n) => n.checkVisibility()).map((n) => n.id)"
        self.assertEqual(self.page.evaluate(visible), ["postApiV1ConversationsIdMessages"], "the search finds %s" % self.page.evaluate(visible))
        self.assertEqual(self.page.evaluate("document.querySelector('.found').textContent"), "1 of 19", "the search does not count")
        self.page.keyboard.press("ArrowDown")
        self.assertIn("/messages", self.page.evaluate("document.activeElement.textContent"), "the arrow does not reach the result")
        self.page.keyboard.press("Enter")
        self.assertEqual(self.page.evaluate("document.activeElement.getAttribute('aria-expanded')"), "true", "Enter does not unfold")
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.insert_text("nowhere")
        nothing = "[...document.querySelectorAll('.nothing')].filter((n) => n.checkVisibility()).map((n) => n.textContent).join()"
        self.assertIn("nowhere", self.page.evaluate(nothing), "a search without a hit says nothing")
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.evaluate(nothing), "", "a search without a word says that it has no hit")
        self.assertEqual(len(self.page.evaluate(visible)), 19, "Escape does not clear the search")
        self.visit(self.server.hub + "/docs/omnichat#getApiV1UserProfile")
        self.assertIn("/user/profile", self.page.evaluate("document.activeElement.textContent"), "a link does not open its operation")
        names = self.page.evaluate(
            "[...document.querySelectorAll('input, select, textarea, button')].filter((n) => n.checkVisibility()"
            " && !(n.textContent || n.ariaLabel || n.labels?.length)).map((n) => n.outerHTML)"
        )
        self.assertTrue(not names, "without a name for a screen reader: %s" % names)

    def test_15_calls_are_tried_out(self):
        """A token for a user, then real requests: a list, a body, a stream, an error, a text that looks like markup."""
        self.visit(self.server.apis["omnichat"] + "/__admin/docs")
        status, _ = self.send("getApiV1UserProfile")
        self.assertEqual(status, "401", "without a token: %s" % status)
        self.page.evaluate(fill("form[data-tokens] input", "nobody@example.com"))
        self.page.evaluate("document.querySelector('form[data-tokens] button').click()")
        self.until("document.querySelector('.panel .error')?.textContent.includes('422')")
        self.sign_in()
        status, body = self.send("getApiV1UserProfile")
        self.assertTrue(status == "200" and "test@icloud.com" in body, "profile: %s %s" % (status, body))
        evil = '<img src=x onerror="document.body.dataset.evil=1"><script>document.body.dataset.evil=1</script>'
        status, body = self.send("postApiV1Conversations", body=json.dumps({"title": evil}))
        self.assertEqual(status, "200", "a new conversation: %s %s" % (status, body))
        made = json.loads(body)["id"]
        status, body = self.send("getApiV1Conversations")
        self.assertTrue(status == "200" and evil in [c["title"] for c in json.loads(body)["conversations"]], "the list: %s" % body)
        self.assertEqual(self.page.evaluate("document.querySelectorAll('.output img, .output script').length"), 0, "foreign markup ran")
        self.assertTrue(self.page.evaluate("document.body.dataset.evil") is None, "foreign script ran")
        status, body = self.send("postApiV1ConversationsIdMessages", {"id": made}, json.dumps({"content": "مرحبا"}))
        self.assertTrue(status == "200" and "[DONE]" in body, "the stream: %s %s" % (status, body))
        self.picture("answer")
        status, body = self.send("getApiV1ConversationsId", {"id": "conv_nope"})
        self.assertEqual(status, "404", "an unknown conversation: %s" % status)
        status, body = self.send("getApiV1ConversationsId", {"id": "../../../__admin/health"})
        self.assertEqual(status, "404", "a parameter leaves its place: %s %s" % (status, body))
        # A file goes up as a part, and comes back as a picture under a path of several segments.
        picture = {"name": "upload.png", "mimeType": "image/png", "buffer": PIXEL}
        part = "#postApiV1Upload [data-part=%s]"
        self.page.evaluate("document.querySelector('#postApiV1Upload h3 button').click()")
        self.page.evaluate(fill(part % "conversationId", made))
        self.page.set_input_files(part % "file", picture)
        status, body = self.send("postApiV1Upload")
        self.assertEqual(status, "200", "the upload: %s %s" % (status, body))
        key = urllib.parse.unquote(json.loads(body)["url"].split("/files/", 1)[1])
        status, body = self.send("getApiV1FilesKey", {"key": key})
        self.assertEqual(status, "200", "the picture %s: %s %s" % (key, status, body))
        self.until("document.querySelector('#getApiV1FilesKey img.shown')?.naturalWidth === 1")
        # The bytes themselves, with the type of the file.
        self.visit(self.server.apis["sawaed"] + "/__admin/docs")
        self.sign_in("layla@sawaed.test")
        status, body = self.send("getApiMobileV1ProfilePictureUploadUrl")
        self.assertEqual(status, "200", "an address for a picture: %s %s" % (status, body))
        ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(body)["uploadUrl"]).query)["token"][0]
        self.page.evaluate("document.querySelector('#postApiStorageUpload h3 button').click()")
        self.page.set_input_files("#postApiStorageUpload input[type=file]", picture)
        status, body = self.send("postApiStorageUpload", {"token": ticket})
        self.assertEqual(status, "200", "the raw upload: %s %s" % (status, body))
        status, body = self.send("getApiStorageStorageId", {"storageId": json.loads(body)["storageId"]})
        self.assertEqual(status, "200", "the raw picture: %s %s" % (status, body))
        self.until("document.querySelector('#getApiStorageStorageId img.shown')?.naturalWidth === 1")
        self.visit(self.server.apis["omnichat"] + "/__admin/docs")
        self.sign_in()
        # A stream is shown as it arrives, and can be stopped.
        self.server.control("PUT", "/settings", {"omnichat": {"stream": {"firstTokenMs": 0, "gapMs": 60000}}})
        sending = "#postApiV1ConversationsIdMessages "
        self.page.evaluate("document.querySelector('%sh3 button').click()" % sending)
        self.page.evaluate(fill(sending + "[data-parameter=id]", made))
        self.page.evaluate(fill(sending + "textarea", json.dumps({"content": "مرحبا"})))
        self.page.evaluate("document.querySelector('%sform.try button.main').click()" % sending)
        self.until("document.querySelector('%s.output pre')?.textContent.includes('message_start')" % sending)
        self.assertTrue(self.page.evaluate("document.querySelector('%sform.try button.main').disabled" % sending), "it ended already")
        self.page.evaluate("[...document.querySelectorAll('%sbutton')].find((b) => b.textContent === 'Stop').click()" % sending)
        self.until("document.querySelector('%s.output').textContent.includes('Stopped.')" % sending)
        self.server.control("POST", "/reset")
        # As curl: the same request as words of a shell.
        self.page.evaluate("[...document.querySelectorAll('%sbutton')].find((b) => b.textContent === 'As curl').click()" % sending)
        command = self.page.evaluate("document.querySelector('%sform.try > pre').textContent" % sending)
        words = shlex.split(command)
        self.assertTrue(words[:4] == ["curl", "-i", "-X", "POST"] and json.loads(words[-1]) == {"content": "مرحبا"}, "as curl: %s" % command)
        # The hub's page does the same below the mount.
        self.visit(self.server.hub + "/docs/omnichat")
        self.sign_in()
        status, body = self.send("getApiV1Conversations", {"limit": "1"} if self.page.evaluate("!!document.querySelector('#getApiV1Conversations [data-parameter=limit]')") else {})
        self.assertTrue(status == "200" and "conversations" in body, "on the hub: %s %s" % (status, body))
        # The control API's own page.
        self.visit(self.server.hub + "/docs/control")
        status, body = self.send("getAdminHealth")
        self.assertTrue(status == "200" and '"ok"' in body, "health: %s %s" % (status, body))
        status, body = self.send("postAdminClockAdvance", body='{"by":"PT1M"}')
        self.assertTrue(status == "200" and "12:01" in body, "the clock: %s %s" % (status, body))

    def test_18_a_page_of_an_api_reaches_no_control_call(self):
        """A page that an API sends, on its port and below the mount, and all that it may try: nothing reaches a control call."""
        content = FOREIGN.replace("HUB", self.server.hub)
        for type in ("text/html", "application/xhtml+xml"):
            text = content if type == "text/html" else (
                '<html xmlns="http://www.w3.org/1999/xhtml"><body><script>' + content.split("<script>", 1)[1].split("</script>")[0]
                .replace("&", "&amp;").replace("<", "&lt;") + "</script></body></html>"
            )
            answer = {"status": 200, "text": text, "headers": [["Content-Type", type], ["Service-Worker-Allowed", "/"]]}
            self.server.control("POST", "/faults", {"match": {"path": "/api/v1/models"}, "effect": {"respond": answer}})
            self.server.control("POST", "/notes", {"text": "still here"})
            for origin in (self.server.apis["omnichat"], self.server.hub + "/omnichat", self.server.hub + "/@main/omnichat"):
                before = len(self.complaints)
                self.visit(origin + "/api/v1/models", ready="document.body?.dataset.done === 'yes'")
                seen = json.loads(self.page.evaluate("document.body.textContent"))
                refused = ("refused", "403", "0", "opaque", "")
                reached = {name: what for name, what in seen.items() if what not in refused and not what.startswith(("{\"type\":\"/__admin/problems/", "{\"error\":"))}
                self.assertTrue(not reached, "%s as %s reached %s" % (origin, type, reached))
                del self.complaints[before:]
            kept = self.server.control("GET", "/notes?kind=note")["items"]
            self.assertTrue(kept, "a page has reset the world")
            self.server.control("DELETE", "/faults")
        # Our own pages go on, from the port of an API too.
        self.visit(self.server.apis["omnichat"] + "/__admin/docs")
        place = self.page.evaluate("location.href")
        self.assertEqual(place, self.server.hub + "/docs/omnichat", "the port's page leads to %s" % place)


class LockedPageTests(PageCase):
    flags = ("--admin-token", TOKEN)

    def test_15_a_page_asks_for_the_admin_token(self):
        """With an admin token the page asks for it before it shows anything, and sends it."""
        state = self.visit(self.server.hub + "/docs/omnichat")
        self.assertEqual(state, "locked", "the page is %s" % state)
        self.page.evaluate("(() => { document.querySelector('#tools input').value = 'wrong'; document.querySelector('#tools button').click(); })()")
        self.until("document.querySelector('#tools input').value === ''")
        self.page.evaluate("(() => { document.querySelector('#tools input').value = '%s'; document.querySelector('#tools button').click(); })()" % TOKEN)
        self.until("document.body.dataset.ready === 'yes'")
        self.sign_in()
        status, _ = self.send("getApiV1UserProfile")
        self.assertEqual(status, "200", "with both tokens: %s" % status)
