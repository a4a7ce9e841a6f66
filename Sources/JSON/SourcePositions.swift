/// Finds the parts of a value in the text it was read from, whatever format that text has.
public protocol SourcePositions: Sendable {
    /// Returns the start of the value at that path, or nil when the text has no such value.
    func line(at path: [JSONPathElement]) -> (line: Int, column: Int)?

    /// Returns the start of the value at that path, or of the deepest existing value around it.
    func closestLine(to path: [JSONPathElement]) -> (line: Int, column: Int)

    /// Returns what `closestLine` returns for each of the paths.
    ///
    /// Many questions at once cost one walk through the text.
    func closestLines(to paths: [[JSONPathElement]]) -> [(line: Int, column: Int)]
}

extension SourcePositions {
    /// Returns what `closestLine` returns for each of the paths.
    public func closestLines(to paths: [[JSONPathElement]]) -> [(line: Int, column: Int)] {
        paths.map { closestLine(to: $0) }
    }
}
