import RegularExpressions

/// A pattern of a schema that is held against values.
struct SchemaPattern: Sendable {
    let expression: RegularExpression

    /// Reads a pattern; nil if it is outside of the dialect (own-API contract, section 6), so that nothing is held
    /// against it.
    init?(_ source: String) {
        guard let expression = try? RegularExpression(source) else { return nil }
        self.expression = expression
    }

    var source: String { expression.source }

    /// The number of its parts, repetitions written out.
    var size: Int { expression.size }

    /// States of the expression that cost as much as one step of a comparison.
    private static let statesPerStep = 32

    /// Tells whether some part of the text fits, and counts the steps of a comparison that this takes; nil if these
    /// are more than `most`.
    func isFound(in text: String, steps: inout Int, most: Int) -> Bool? {
        var work = 0
        let limit = max(0, most - steps).multipliedReportingOverflow(by: Self.statesPerStep)
        let isFound = expression.isFound(in: text, work: &work, most: limit.overflow ? .max : limit.partialValue)
        // To begin takes a look at each part.
        steps += (work + text.utf8.count + size / 8) / Self.statesPerStep + warming(for: text)
        return isFound
    }

    /// The steps of a comparison until a long text meets only states that it has met before.
    func warming(for text: String) -> Int {
        text.utf8.count < Self.longText ? 0 : 4 * min(text.utf8.count, size)
    }

    /// Bytes of a text from which states are remembered.
    private static let longText = 512

    /// Tells whether some part of the text fits.
    func isFound(in text: String) -> Bool { expression.isFound(in: text) }
}
