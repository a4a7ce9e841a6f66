"""Console contract, section 14: the filter, by the vectors that TrafficTests reads as well."""

import json
import pathlib

from harness import ConsoleCase

VECTORS = json.loads((pathlib.Path(__file__).parent.parent / "Vectors/filter.json").read_text(encoding="utf-8"))

TRY = """async ({ line, cases }) => {
  const { parseFilter } = await import("/__admin/console/kit/filter.js");
  const { lineOf } = await import("/__admin/console/kit/journal.js");
  return cases.map((one) => {
    const { test, phrase, problem } = parseFilter(one.filter);
    // A member that is null is not there.
    const raw = Object.fromEntries(Object.entries({ ...line, ...one.line }).filter(([, value]) => value !== null));
    return { takes: test(lineOf(raw)), phrase, problem };
  });
}"""


class FilterTests(ConsoleCase):
    def test_14_a_filter_takes_and_refuses_what_the_vectors_say(self):
        found = self.open().evaluate(TRY, VECTORS)
        self.assertGreater(len(found), 300)
        for vector, one in zip(VECTORS["cases"], found, strict=True):
            with self.subTest(vector["filter"]):
                self.assertEqual(one["problem"], vector.get("refused", ""))
                if "takes" in vector:
                    self.assertEqual(one["takes"], vector["takes"])
                elif "phrase" in vector:
                    self.assertEqual(one["phrase"], vector["phrase"])
