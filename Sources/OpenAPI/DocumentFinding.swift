package import JSON

/// A problem of a file of the folder, or something in it that is not supported, with its place.
package struct DocumentFinding: Hashable, Sendable {
    /// The file as the user gave it.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The way from the whole file to the part.
    package let path: [JSONPathElement]
    /// The finding in words; starts in lower case and has no full stop.
    package let reason: String

    package init(file: String, line: Int, path: [JSONPathElement], reason: String) {
        self.file = file
        self.line = line
        self.path = path
        self.reason = reason
    }
}

extension DocumentFinding: CustomStringConvertible {
    /// `FILE:LINE: PATH: reason` (own-API contract, section 2), without control characters.
    package var description: String { "\(file):\(line): \(path.formattedJSONPath): \(reason)".withoutControls }
}
