"""Drives a headless Chromium over its DevTools protocol; run by scripts/browser-test."""

import base64
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import websocket

TOKEN = "browser-test-token"
# A PNG of one pixel.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# Pages that an API serves beside its document, as its contract asks.
OWN_PAGES = {"sawaed": "/api/mobile/docs"}


class Server:
    """An understudy on free ports, its clock frozen."""

    def __init__(self, binary, *flags):
        self.process = subprocess.Popen(
            [binary, "serve", "--port", "0", "--quiet", "--clock", "frozen:2025-01-01T12:00:00Z", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        ready = json.loads(self.process.stdout.readline())
        self.hub, self.apis = ready["hub"], ready["apis"]

    def call(self, method, path, body=None, token=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.hub + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", "Bearer " + token)
        with urllib.request.urlopen(request) as response:
            content = response.read()
            return json.loads(content) if content else None

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """One page of a Chromium, with its errors and warnings."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-port=0",
                "--remote-allow-origins=*", "--user-data-dir=" + self.folder.name, "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port_file = os.path.join(self.folder.name, "DevToolsActivePort")
        for _ in range(400):
            if os.path.exists(port_file) and open(port_file).read().count("\n") >= 1:
                break
            time.sleep(0.05)
        port = open(port_file).readline().strip()
        pages = json.load(urllib.request.urlopen("http://127.0.0.1:%s/json/list" % port))
        address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        self.socket = websocket.create_connection(address, timeout=30)
        self.number = 0
        self.complaints = []
        self.requests = []
        for domain in ("Page", "Runtime", "Log", "Network", "Audits", "DOM"):
            self.send(domain + ".enable")

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError("%s: %s" % (method, message["error"]))
                return message["result"]
            self.note(message)

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(parameters["exceptionDetails"])[:500])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            # A status of 400 and above is logged as an error too; the test asks for some of them.
            if parameters["entry"]["source"] != "network":
                self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.complaints.append(json.dumps(parameters["args"])[:500])
        elif method == "Audits.issueAdded" and "ContentSecurityPolicy" in parameters["issue"]["code"]:
            self.complaints.append(json.dumps(parameters["issue"])[:500])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError("%s\n%s" % (expression, json.dumps(result["exceptionDetails"])[:800]))
        return result["result"].get("value")

    def wait(self, expression, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError("never true: " + expression)

    def open(self, url, ready='document.body && document.body.dataset.ready'):
        # Another document first: a change of the fragment alone would not load anything.
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=url)
        return self.wait("document.readyState === 'complete' && location.href !== 'about:blank' && (%s)" % ready)

    def key(self, key, code=None, text=None):
        code = code or key
        numbers = {"Enter": 13, "ArrowDown": 40, "ArrowUp": 38, "Escape": 27, "Tab": 9, "/": 191}
        options = {"key": key, "code": code, "windowsVirtualKeyCode": numbers.get(key, 0)}
        if text:
            options["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **options)
        self.send("Input.dispatchKeyEvent", type="keyUp", **options)

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def size(self, width, height):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def stop(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def operations(document):
    methods = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
    return [(m, p, item[m]) for p, item in document["paths"].items() for m in methods if m in item]


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def fill(selector, value):
    """Sets a field as typing does."""
    return "(() => { const n = document.querySelector(%s); n.value = %s; n.dispatchEvent(new Event('input')); return true; })()" % (
        json.dumps(selector), json.dumps(value),
    )


def send_form(browser, operation, values=None, body=None):
    """Unfolds an operation, fills in its form, sends it, and returns the status and the text of the response."""
    place = "#" + operation
    browser.evaluate("(() => { const b = document.querySelector('%s h3 button'); if (b.getAttribute('aria-expanded') === 'false') b.click(); })()" % place)
    for name, value in (values or {}).items():
        browser.evaluate(fill("%s [data-parameter=%s]" % (place, json.dumps(name)), value))
    if body is not None:
        browser.evaluate(fill(place + " textarea", body))
    browser.evaluate("document.querySelector('%s form.try button.main').click()" % place)
    browser.wait("!document.querySelector('%s form.try button.main').disabled" % place)
    status = browser.evaluate("document.querySelector('%s [data-status]')?.dataset.status" % place)
    return status, browser.evaluate("document.querySelector('%s .output .body')?.textContent" % place)


def links_of(browser):
    return browser.evaluate("[...document.links].map((a) => a.getAttribute('href'))")


def narrow(browser, place):
    """Checks that a page does not overflow on a phone."""
    browser.size(390, 844)
    over = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(over <= 0, "%s overflows by %s at 390" % (place, over))
    browser.size(1280, 900)


def pages(server, browser, folder):
    """Checks that every page loads without errors, shows every operation, unfolds, and overflows nowhere."""
    browser.size(1280, 900)
    names = list(server.apis) + ["control"]
    # Without scripts the hub's page leads to every document; with them it is the console, which leads to their list.
    with urllib.request.urlopen(server.hub + "/") as response:
        page = response.read().decode()
    for name in names:
        check('href="/docs/%s"' % name in page, "the hub's page does not link /docs/" + name)
    browser.open(server.hub + "/", ready="[...document.links].some((a) => a.getAttribute('href') === '/docs/')")
    narrow(browser, "the hub's page")
    for path in ("/docs", "/docs/"):
        browser.open(server.hub + path, ready="!!document.querySelector('.cards')")
        shown = browser.evaluate("[...document.querySelectorAll('.cards a')].map((a) => a.getAttribute('href'))")
        check(shown == ["/docs/" + name for name in names], "%s lists %s" % (path, shown))
        check("/" in links_of(browser), "%s does not lead back to the hub" % path)
        narrow(browser, path)
    browser.screenshot(folder + "/index.png")
    for name in names:
        document = server.call("GET", "/__admin/openapi/%s.json" % name)
        expected = operations(document)
        places = [server.hub + "/docs/" + name]
        if name != "control":
            places += [server.apis[name] + "/__admin/docs", "%s/@main/%s/__admin/docs" % (server.hub, name)]
            if name in OWN_PAGES:
                places += [server.apis[name] + OWN_PAGES[name], "%s/%s%s" % (server.hub, name, OWN_PAGES[name])]
        else:
            places += [server.hub + "/__admin/docs", server.hub + "/@main/docs/control"]
        for place in places:
            state = browser.open(place)
            check(state == "yes", "%s is %s" % (place, state))
            shown = browser.evaluate("document.querySelectorAll('#operations article h3').length")
            count = len(expected)
            if place.endswith(OWN_PAGES.get(name, "-")):
                # The production document there may be about fewer operations than ours.
                with urllib.request.urlopen(browser.evaluate("document.getElementById('document').href")) as response:
                    count = len(operations(json.load(response)))
            check(shown == count, "%s shows %s of %s operations" % (place, shown, count))
        browser.open(places[0])
        for target in ("/", "/docs/"):
            check(target in links_of(browser), "%s does not lead back to %s" % (places[0], target))
        browser.evaluate("[...document.querySelectorAll('#tools button')].find((b) => b.textContent === 'Unfold all').click()")
        browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        for answer in ("required", "Answers", "Try it"):
            check(answer in browser.evaluate("document.body.textContent"), "%s has no %s" % (name, answer))
        for method, path, operation in expected:
            text = browser.evaluate("document.getElementById(%s).textContent" % json.dumps(operation["operationId"]))
            for status in operation["responses"]:
                check(status in text, "%s %s does not show its answer %s" % (method, path, status))
            for parameter in operation.get("parameters", []):
                check(parameter["name"] in text, "%s %s does not show %s" % (method, path, parameter["name"]))
        for width in (1280, 700, 390, 360):
            browser.size(width, 900)
            for direction in ("ltr", "rtl"):
                browser.evaluate("document.documentElement.dir = '%s'" % direction)
                over = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
                check(over <= 0, "%s overflows by %s at %s %s" % (name, over, width, direction))
        browser.size(1280, 900)
    missing = urllib.request.Request(server.hub + "/docs/nope")
    try:
        urllib.request.urlopen(missing)
        raise AssertionError("/docs/nope is a page")
    except urllib.error.HTTPError as error:
        check(error.code == 404, "/docs/nope is %s" % error.code)


def looks(server, browser, folder):
    """Pictures for people: light, dark, narrow, mirrored; and enough contrast in both."""
    for scheme in ("light", "dark"):
        browser.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ])
        browser.size(1280, 1000)
        browser.open(server.hub + "/docs/omnichat#postApiV1ConversationsIdMessages")
        browser.evaluate("document.querySelectorAll('.answers details')[0].open = true")
        check_contrast(browser, scheme)
        browser.screenshot("%s/%s.png" % (folder, scheme))
        browser.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        browser.screenshot("%s/%s-top.png" % (folder, scheme))
    browser.evaluate("document.documentElement.dir = 'rtl'")
    browser.screenshot(folder + "/rtl.png")
    browser.size(390, 800)
    browser.evaluate("document.documentElement.dir = 'ltr'")
    browser.screenshot(folder + "/narrow.png")
    button = "[...document.querySelectorAll('#tools button')].find((b) => b.textContent === 'Dark or light')"
    browser.evaluate(button + ".click()")
    check(browser.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light", "no light at a click")
    browser.evaluate(button + ".click()")
    check(browser.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark", "no dark at a click")
    browser.send("Emulation.setEmulatedMedia", features=[])
    browser.size(1280, 900)


def check_contrast(browser, scheme):
    """WCAG 2.2, 1.4.3: 4.5 to 1 between every text and what lies under it."""
    poor = browser.evaluate(
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
    check(not poor, "too little contrast in the %s scheme: %s" % (scheme, poor))


def searching(server, browser, folder):
    """Search, keys, links to one operation."""
    browser.open(server.hub + "/docs/omnichat")
    browser.key("/", "Slash", "/")
    check(browser.evaluate("document.activeElement.type") == "search", "/ does not go to the search")
    browser.send("Input.insertText", text="post messages")
    visible = "[...document.querySelectorAll('#operations article[id]')].filter((n) => n.checkVisibility()).map((n) => n.id)"
    check(browser.evaluate(visible) == ["postApiV1ConversationsIdMessages"], "the search finds %s" % browser.evaluate(visible))
    check(browser.evaluate("document.querySelector('.found').textContent") == "1 of 19", "the search does not count")
    browser.key("ArrowDown")
    check("/messages" in browser.evaluate("document.activeElement.textContent"), "the arrow does not reach the result")
    browser.key("Enter", text="\r")
    check(browser.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true", "Enter does not unfold")
    browser.key("ArrowUp")
    browser.send("Input.insertText", text="nowhere")
    nothing = "[...document.querySelectorAll('.nothing')].filter((n) => n.checkVisibility()).map((n) => n.textContent).join()"
    check("nowhere" in browser.evaluate(nothing), "a search without a hit says nothing")
    browser.key("Escape")
    check(browser.evaluate(nothing) == "", "a search without a word says that it has no hit")
    check(len(browser.evaluate(visible)) == 19, "Escape does not clear the search")
    browser.open(server.hub + "/docs/omnichat#getApiV1UserProfile")
    check("/user/profile" in browser.evaluate("document.activeElement.textContent"), "a link does not open its operation")
    names = browser.evaluate(
        "[...document.querySelectorAll('input, select, textarea, button')].filter((n) => n.checkVisibility()"
        " && !(n.textContent || n.ariaLabel || n.labels?.length)).map((n) => n.outerHTML)"
    )
    check(not names, "without a name for a screen reader: %s" % names)


def trying(server, browser, folder):
    """A token for a user, then real requests: a list, a body, a stream, an error, a text that looks like markup."""
    browser.open(server.apis["omnichat"] + "/__admin/docs")
    status, _ = send_form(browser, "getApiV1UserProfile")
    check(status == "401", "without a token: %s" % status)
    browser.evaluate(fill("form[data-tokens] input", "nobody@example.com"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel .error')?.textContent.includes('422')")
    browser.evaluate(fill("form[data-tokens] input", "test@icloud.com"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel [role=status]').textContent.includes('is in place')")
    status, body = send_form(browser, "getApiV1UserProfile")
    check(status == "200" and "test@icloud.com" in body, "profile: %s %s" % (status, body))
    evil = '<img src=x onerror="document.body.dataset.evil=1"><script>document.body.dataset.evil=1</script>'
    status, body = send_form(browser, "postApiV1Conversations", body=json.dumps({"title": evil}))
    check(status == "200", "a new conversation: %s %s" % (status, body))
    made = json.loads(body)["id"]
    status, body = send_form(browser, "getApiV1Conversations")
    check(status == "200" and evil in [c["title"] for c in json.loads(body)["conversations"]], "the list: %s" % body)
    check(browser.evaluate("document.querySelectorAll('.output img, .output script').length") == 0, "foreign markup ran")
    check(browser.evaluate("document.body.dataset.evil") is None, "foreign script ran")
    status, body = send_form(
        browser, "postApiV1ConversationsIdMessages", {"id": made}, json.dumps({"content": "مرحبا"})
    )
    check(status == "200" and "[DONE]" in body, "the stream: %s %s" % (status, body))
    browser.screenshot(folder + "/answer.png")
    status, body = send_form(browser, "getApiV1ConversationsId", {"id": "conv_nope"})
    check(status == "404", "an unknown conversation: %s" % status)
    status, body = send_form(browser, "getApiV1ConversationsId", {"id": "../../../__admin/health"})
    check(status == "404", "a parameter leaves its place: %s %s" % (status, body))
    # A file goes up as a part, and comes back as a picture under a path of several segments.
    picture = os.path.join(os.path.abspath(folder), "upload.png")
    with open(picture, "wb") as file:
        file.write(PIXEL)
    part = "#postApiV1Upload [data-part=%s]"
    browser.evaluate("document.querySelector('#postApiV1Upload h3 button').click()")
    browser.evaluate(fill(part % "conversationId", made))
    root = browser.send("DOM.getDocument")["root"]["nodeId"]
    node = browser.send("DOM.querySelector", nodeId=root, selector=part % "file")["nodeId"]
    browser.send("DOM.setFileInputFiles", nodeId=node, files=[picture])
    status, body = send_form(browser, "postApiV1Upload")
    check(status == "200", "the upload: %s %s" % (status, body))
    key = urllib.parse.unquote(json.loads(body)["url"].split("/files/", 1)[1])
    status, body = send_form(browser, "getApiV1FilesKey", {"key": key})
    check(status == "200", "the picture %s: %s %s" % (key, status, body))
    browser.wait("document.querySelector('#getApiV1FilesKey img.shown')?.naturalWidth === 1")
    # The bytes themselves, with the type of the file.
    browser.open(server.apis["sawaed"] + "/__admin/docs")
    browser.evaluate(fill("form[data-tokens] input", "layla@sawaed.test"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel [role=status]').textContent.includes('is in place')")
    status, body = send_form(browser, "getApiMobileV1ProfilePictureUploadUrl")
    check(status == "200", "an address for a picture: %s %s" % (status, body))
    ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(body)["uploadUrl"]).query)["token"][0]
    browser.evaluate("document.querySelector('#postApiStorageUpload h3 button').click()")
    root = browser.send("DOM.getDocument")["root"]["nodeId"]
    node = browser.send("DOM.querySelector", nodeId=root, selector="#postApiStorageUpload input[type=file]")["nodeId"]
    browser.send("DOM.setFileInputFiles", nodeId=node, files=[picture])
    status, body = send_form(browser, "postApiStorageUpload", {"token": ticket})
    check(status == "200", "the raw upload: %s %s" % (status, body))
    status, body = send_form(browser, "getApiStorageStorageId", {"storageId": json.loads(body)["storageId"]})
    check(status == "200", "the raw picture: %s %s" % (status, body))
    browser.wait("document.querySelector('#getApiStorageStorageId img.shown')?.naturalWidth === 1")
    browser.open(server.apis["omnichat"] + "/__admin/docs")
    browser.evaluate(fill("form[data-tokens] input", "test@icloud.com"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel [role=status]').textContent.includes('is in place')")
    # A stream is shown as it arrives, and can be stopped.
    server.call("PUT", "/__admin/settings", {"omnichat": {"stream": {"firstTokenMs": 0, "gapMs": 60000}}})
    sending = "#postApiV1ConversationsIdMessages "
    browser.evaluate("document.querySelector('%sh3 button').click()" % sending)
    browser.evaluate(fill(sending + "[data-parameter=id]", made))
    browser.evaluate(fill(sending + "textarea", json.dumps({"content": "مرحبا"})))
    browser.evaluate("document.querySelector('%sform.try button.main').click()" % sending)
    browser.wait("document.querySelector('%s.output pre')?.textContent.includes('message_start')" % sending)
    check(browser.evaluate("document.querySelector('%sform.try button.main').disabled" % sending), "it ended already")
    browser.evaluate("[...document.querySelectorAll('%sbutton')].find((b) => b.textContent === 'Stop').click()" % sending)
    browser.wait("document.querySelector('%s.output').textContent.includes('Stopped.')" % sending)
    server.call("POST", "/__admin/reset")
    # As curl: the same request as words of a shell.
    browser.evaluate("[...document.querySelectorAll('%sbutton')].find((b) => b.textContent === 'As curl').click()" % sending)
    command = browser.evaluate("document.querySelector('%sform.try > pre').textContent" % sending)
    words = shlex.split(command)
    check(words[:4] == ["curl", "-i", "-X", "POST"] and json.loads(words[-1]) == {"content": "مرحبا"}, "as curl: %s" % command)
    # The hub's page does the same below the mount.
    browser.open(server.hub + "/docs/omnichat")
    browser.evaluate(fill("form[data-tokens] input", "test@icloud.com"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel [role=status]').textContent.includes('is in place')")
    status, body = send_form(browser, "getApiV1Conversations", {"limit": "1"} if browser.evaluate("!!document.querySelector('#getApiV1Conversations [data-parameter=limit]')") else {})
    check(status == "200" and "conversations" in body, "on the hub: %s %s" % (status, body))
    # The control API's own page.
    browser.open(server.hub + "/docs/control")
    status, body = send_form(browser, "getAdminHealth")
    check(status == "200" and '"ok"' in body, "health: %s %s" % (status, body))
    status, body = send_form(browser, "postAdminClockAdvance", body='{"by":"PT1M"}')
    check(status == "200" and "12:01" in body, "the clock: %s %s" % (status, body))


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


def foreign(server, browser, folder):
    """A page that an API sends, on its port and below the mount, and all that it may try: nothing reaches a control call."""
    content = FOREIGN.replace("HUB", server.hub)
    for type in ("text/html", "application/xhtml+xml"):
        text = content if type == "text/html" else (
            '<html xmlns="http://www.w3.org/1999/xhtml"><body><script>' + content.split("<script>", 1)[1].split("</script>")[0]
            .replace("&", "&amp;").replace("<", "&lt;") + "</script></body></html>"
        )
        answer = {"status": 200, "text": text, "headers": [["Content-Type", type], ["Service-Worker-Allowed", "/"]]}
        server.call("POST", "/__admin/faults", {"match": {"path": "/api/v1/models"}, "effect": {"respond": answer}})
        server.call("POST", "/__admin/notes", {"text": "still here"})
        for origin in (server.apis["omnichat"], server.hub + "/omnichat", server.hub + "/@main/omnichat"):
            before = len(browser.complaints)
            browser.open(origin + "/api/v1/models", ready="document.body?.dataset.done === 'yes'")
            seen = json.loads(browser.evaluate("document.body.textContent"))
            refused = ("refused", "403", "0", "opaque", "")
            reached = {name: what for name, what in seen.items() if what not in refused and not what.startswith(("{\"type\":\"/__admin/problems/", "{\"error\":"))}
            check(not reached, "%s as %s reached %s" % (origin, type, reached))
            del browser.complaints[before:]
        kept = server.call("GET", "/__admin/notes?kind=note")["items"]
        check(kept, "a page has reset the world")
        server.call("DELETE", "/__admin/faults")
    # Our own pages go on, from the port of an API too.
    browser.open(server.apis["omnichat"] + "/__admin/docs")
    place = browser.evaluate("location.href")
    check(place == server.hub + "/docs/omnichat", "the port's page leads to %s" % place)


def locked(server, browser):
    """With an admin token the page asks for it before it shows anything, and sends it."""
    state = browser.open(server.hub + "/docs/omnichat")
    check(state == "locked", "the page is %s" % state)
    browser.evaluate("(() => { document.querySelector('#tools input').value = 'wrong'; document.querySelector('#tools button').click(); })()")
    browser.wait("document.querySelector('#tools input').value === ''")
    browser.evaluate("(() => { document.querySelector('#tools input').value = '%s'; document.querySelector('#tools button').click(); })()" % TOKEN)
    browser.wait("document.body.dataset.ready === 'yes'")
    browser.evaluate(fill("form[data-tokens] input", "test@icloud.com"))
    browser.evaluate("document.querySelector('form[data-tokens] button').click()")
    browser.wait("document.querySelector('.panel [role=status]').textContent.includes('is in place')")
    status, _ = send_form(browser, "getApiV1UserProfile")
    check(status == "200", "with both tokens: %s" % status)


def main():
    binary, chromium, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    server = Server(binary)
    browser = None
    try:
        browser = Browser(chromium)
        for step in (pages, looks, searching, trying, foreign):
            step(server, browser, folder)
            print("browser-test: %s: ok" % step.__name__)
        closed = Server(binary, "--admin-token", TOKEN)
        try:
            locked(closed, browser)
            print("browser-test: locked: ok")
            own = (server.hub, closed.hub, *server.apis.values(), *closed.apis.values(), "about:", "blob:", "data:")
        finally:
            closed.stop()
        elsewhere = [url for url in browser.requests if not url.startswith(own)]
        check(not elsewhere, "requests to elsewhere: %s" % elsewhere)
        check(not browser.complaints, "the browser complains: %s" % "\n".join(browser.complaints))
    finally:
        if browser:
            browser.stop()
        server.stop()
    print("browser-test: ok")


if __name__ == "__main__":
    main()
