/// The form of the text that redaction puts in the place of a secret: `redacted-`, a kind and a number.
package enum RedactionMark {
    /// The beginning of every such text.
    package static let mark = "redacted-"
    /// The bytes of the mark.
    package static let markBytes = Array(mark.utf8)

    /// Tells whether a text begins with the mark.
    package static func begins(_ text: String) -> Bool { text.hasPrefix(mark) }

    /// Tells whether bytes begin with the mark.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: markBytes) }

    /// Tells whether the bytes that `byte` returns for the first places are the mark, with letters of either case.
    package static func isMark(_ byte: (Int) -> UInt8) -> Bool {
        markBytes.indices.allSatisfy { byte($0) | 0x20 == markBytes[$0] }
    }
}
