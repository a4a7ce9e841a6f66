"""What the tests do with the keyboard alone: each step must show where the focus is."""

import re

from harness import ConsoleCase

# What has the focus: its role and name, and whether one sees it.
FOCUSED = """(() => {
  let node = document.activeElement;
  if (!node || node === document.body) return null;
  const style = getComputedStyle(node), box = node.getBoundingClientRect();
  const inner = node.getAttribute("aria-activedescendant");
  const marked = inner ? document.getElementById(inner) : node;
  const place = (marked ?? node).getBoundingClientRect();
  // A list may be scrolled sideways below its active row.
  const left = Math.max(place.left, box.left);
  const x = Math.min(Math.max(left + Math.min((place.right - left) / 2, 12), 0), innerWidth - 1);
  const y = Math.min(Math.max(place.top + place.height / 2, 0), innerHeight - 1);
  const top = document.elementFromPoint(x, y);
  return {
    name: node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent.trim().slice(0, 60),
    tag: node.tagName, role: node.getAttribute("role") ?? "",
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
    box: [Math.round(box.width), Math.round(box.height)],
    inside: place.bottom > 0 && place.right > 0 && place.top < innerHeight && place.left < innerWidth,
    covered: !(top && (marked === top || (marked ?? node).contains(top) || top.contains(node) || node.contains(top))),
  };
})()"""


class KeyboardCase(ConsoleCase):
    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def seen(self):
        """The focus, which must be outlined, on the screen, and under nothing."""
        found = self.page.evaluate(FOCUSED)
        self.assertIsNotNone(found, "nothing has the focus")
        self.assertTrue(found["outlined"], found)
        self.assertTrue(found["inside"] and not found["covered"], found)
        return found

    def tab_to(self, name, back=False, most=250):
        """Presses Tab until a control of that name has the focus; each one on the way must be visible."""
        for count in range(most):
            if count:
                self.press("Shift+Tab" if back else "Tab")
            if self.page.evaluate("document.activeElement === document.body"):
                continue
            found = self.seen()
            if re.fullmatch(name, " ".join(found["name"].split())):
                return found
        self.fail("Tab never reached " + name)

    def use(self, name, key="Enter", **options):
        """Goes to a control and presses it."""
        self.tab_to(name, **options)
        self.press(key)

    def fill(self, name, text):
        """Goes to a field and writes into it in place of what it has."""
        self.tab_to(name)
        self.write(text)

    def write(self, text):
        self.press("Control+a")
        self.page.keyboard.insert_text(text) if text else self.press("Delete")
