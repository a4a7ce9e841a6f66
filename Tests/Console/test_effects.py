"""Console contract, section 16: fields and words of effects follow from their declarations."""

from harness import ConsoleCase, expect

# An order of each form of each effect, made of its required values: its words, and what the fields write of it.
SHOW = """async () => {
  const { EFFECTS } = await import("/__admin/console/pages/effects.js");
  const { effectFields, effectWords, fitsFields } = await import("/__admin/console/pages/effect-form.js");
  const order = (form) => {
    const found = {};
    for (const [key, , ...example] of form) {
      const path = key.split(".");
      const last = path.pop();
      if (example.length) path.reduce((place, name) => (place[name] ??= {}), found)[last] = example[0];
    }
    return found;
  };
  return Object.entries(EFFECTS).map(([name, forms]) => ({
    name, fresh: effectFields(name, undefined, () => {}).read(),
    orders: forms.map(order).map((order) => ({ order, words: effectWords(order), fits: fitsFields(order), written: effectFields(name, order, () => {}).read() })),
  }));
}"""

# The same for orders with values that are not required, or that fields show otherwise.
KEEP = """async (orders) => {
  const { effectFields, effectName, fitsFields } = await import("/__admin/console/pages/effect-form.js");
  return orders.map((order) => [fitsFields(order), effectFields(effectName(order), order, () => {}).read()]);
}"""

# The effect of the guide in docs/contributing.md.
PAD = """async () => {
  const { EFFECTS } = await import("/__admin/console/pages/effects.js");
  EFFECTS.pad = [[["pad.bytes", "number", 16]]];
  const { effectWords } = await import("/__admin/console/pages/effect-form.js");
  return effectWords({ pad: { bytes: 1600 } });
}"""


class EffectTests(ConsoleCase):
    def test_16_every_effect_of_the_server_has_fields_and_words(self):
        found = self.open("#/faults").evaluate(SHOW)
        schemas = self.server.control("GET", "/openapi.json")["components"]["schemas"]
        names = {form["required"][0] for form in schemas["FaultOrder"]["properties"]["effect"]["oneOf"]}
        self.assertEqual({one["name"] for one in found}, names)
        for effect in found:
            self.assertEqual(effect["fresh"], effect["orders"][0]["order"])
            for one in effect["orders"]:
                with self.subTest(one["order"]):
                    self.assertTrue(one["fits"])
                    self.assertEqual(one["written"], one["order"])
                    self.assertTrue(one["words"].startswith(effect["name"]))
                    self.assertNotIn("undefined", one["words"])
                    self.assertEqual(self.server.call("POST", "/__admin/faults", {"effect": one["order"]})[0], 201)

    def test_16_fields_keep_what_they_show(self):
        orders = (
            {"status": 429, "retryAfter": 30, "code": "SLOW_DOWN", "message": "Later"}, {"connection": "garbage", "layer": "tls"},
            {"connection": "truncate", "afterBytes": 0}, {"delay": {"uniform": [10, 50], "max": 40.5}}, {"stream": {"gapMs": 500, "afterEvents": 1}},
            {"drift": {"set": "data.tier", "to": None}}, {"drift": {"add": {"path": "items.*.new", "value": {"a": None}}}},
            {"respond": {"status": 200, "headers": [["X-A", "b"], ["X-A", "c"]], "body": None}}, {"respond": {"status": 503, "text": "Down for\nmaintenance\n"}},
            {"respond": {"status": 200, "headers": [["Content-Type", "image/gif"]], "base64": "R0lGODlhAQABAAAAADs="}},
        )
        found = self.open("#/faults").evaluate(KEEP, orders)
        self.assertEqual(found, [[True, order] for order in orders])
        # What fields would change stays as JSON.
        for order in ({"respond": {"status": 200, "headers": [["X-A", " b"]]}}, {"respond": {"status": 200, "text": "a\r\nb"}}, {"status": 500, "nope": 1}):
            self.assertFalse(self.page.evaluate(KEEP, [order])[0][0], order)

    def test_16_effects_are_told_in_words(self):
        page = self.open("#/faults")
        for effect, words in (
            ({"status": 429, "retryAfter": 30}, "status 429, retry after 30"), ({"delay": {"ms": 1500}}, "delay 1,500 ms"),
            ({"connection": "reset", "afterBytes": 10}, "connection reset, after bytes 10"),
            ({"stream": {"gapMs": 500, "afterEvents": 1}}, "stream gap 500 ms, after events 1"),
            ({"stream": {"splitUtf8": True}}, "stream split utf8"), ({"drift": {"set": "a.b", "to": None}}, "drift set a.b, to null"),
            ({"respond": {"status": 204}}, "respond status 204"),
        ):
            self.server.control("POST", "/faults", {"effect": effect})
            expect(page.get_by_text(words, exact=True)).to_be_visible()

    def test_16_a_new_effect_needs_no_line_of_the_console(self):
        page = self.open("#/faults")
        self.assertEqual(page.evaluate(PAD), "pad bytes 1,600")
        self.button("New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        dialog.get_by_role("combobox", name="Effect").select_option("pad")
        expect(dialog.get_by_role("spinbutton", name="Bytes")).to_have_value("16")
        dialog.get_by_role("spinbutton", name="Bytes").fill("17")
        dialog.get_by_role("switch", name="As JSON").click()
        expect(dialog.get_by_role("textbox", name="Fault (JSON)")).to_have_value('{\n  "effect": {\n    "pad": {\n      "bytes": 17\n    }\n  }\n}')

    def test_16_the_fields_are_those_of_the_form_that_is_chosen(self):
        page = self.open("#/faults")
        self.button("New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        effect = dialog.get_by_role("combobox", name="Effect")
        effect.select_option("delay")
        expect(dialog.get_by_role("spinbutton", name="Milliseconds")).to_be_visible()
        dialog.get_by_role("combobox", name="Kind").select_option("lognormal")
        expect(dialog.get_by_role("spinbutton", name="Median")).to_be_visible()
        expect(dialog.get_by_role("spinbutton", name="Milliseconds")).to_be_hidden()
        effect.select_option("connection")
        expect(dialog.get_by_role("spinbutton", name="After bytes")).to_be_visible()
        dialog.get_by_role("combobox", name="Connection").select_option("close")
        expect(dialog.get_by_role("spinbutton", name="After bytes")).to_be_hidden()
        dialog.get_by_role("spinbutton", name="After milliseconds").fill("250")
        dialog.get_by_role("button", name="Add fault").click()
        expect(dialog).to_be_hidden()
        self.assertEqual(self.server.control("GET", "/faults")["items"][-1]["effect"], {"connection": "close", "afterMs": 250})
