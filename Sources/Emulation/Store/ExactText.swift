/// A text as a key, compared byte by byte.
///
/// `String` itself compares canonical equivalents: U+212A (the Kelvin sign) would find a token with `K` in its place, and
/// two e-mail addresses that differ in their normal form would be one.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
