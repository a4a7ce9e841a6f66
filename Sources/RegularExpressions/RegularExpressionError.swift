/// The reason why a text is no regular expression that can be matched here.
package struct RegularExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The defect; starts in lower case and has no full stop.
    package let reason: String
    /// The place in the source, in characters (code points) from 0.
    package let offset: Int

    /// The defect with its place, counted from 1.
    package var description: String { "\(reason), at character \(offset + 1)" }
}
