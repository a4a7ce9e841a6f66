import JSON

/// A check of a table's row besides its types and ranges.
package struct RowRule<Element>: Sendable {
    /// The members that it reads; a row that does not fit is told at the first of them.
    let members: [String]
    /// Returns the reason against a row; nil if there is none.
    let reason: @Sendable (Element) -> String?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - members: The members that it reads, first the one at which a problem is told.
    ///   - reason: Returns the reason against a row; nil if there is none.
    package init(_ members: String..., reason: @escaping @Sendable (Element) -> String?) {
        self.members = members
        self.reason = reason
    }

    /// Returns the problem of a row; nil if there is none.
    func fault(_ element: Element) -> PartFault? {
        reason(element).map { PartFault(path: members.first.map { [.key($0)] } ?? [], $0) }
    }
}
