/// The reason why a text is not the YAML that is read here, with its place.
package struct YAMLError: Error, Hashable, Sendable {
    /// The line of the mistake, from 1.
    package let line: Int
    /// The place on that line, from 1, in code points.
    package let column: Int
    /// The defect, without the place; starts in lower case and has no full stop.
    package let message: String
}

extension YAMLError: CustomStringConvertible {
    /// One sentence with place and reason.
    package var description: String { "Invalid YAML at line \(line), column \(column): \(message)." }
}
