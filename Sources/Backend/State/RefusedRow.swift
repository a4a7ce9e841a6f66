package import JSON

/// A row or value that could not be read, with everything that does not fit, since reading stops at the first of it.
package struct RefusedRow<Element: Decodable> {
    /// Everything that does not fit, in the order of the row.
    package private(set) var issues: [JSONIssue]
    /// The row, if no more than unknown members were found.
    let whole: Element?
    private let content: JSON
    private let element: Element?
    /// The paths of what could not be read.
    private var misfits: [[JSONPathElement]]

    /// Reads on after the known issues, at which reading stopped.
    package init(
        _ content: JSON,
        _ known: [JSONIssue],
        _ ranges: StoredRanges,
        from source: StoredSource = .document,
        rule: RowRule<Element>? = nil
    ) {
        let explanation = StateCoding.explain(Element.self, content)
        let isExplained = known.allSatisfy { issue in explanation.issues.contains { $0.path == issue.path } }
        self.content = content
        element = isExplained ? explanation.value : nil
        whole = isExplained && explanation.isWhole ? explanation.value : nil
        issues = explanation.issues
        misfits = explanation.misfits
        if !isExplained {
            add(known)
            misfits += known.map(\.path)
        }
        add(ranges.faults(in: content, from: source).map { JSONIssue(path: $0.path, reason: $0.reason) })
        // A rule can't judge stand-ins.
        if let rule, let element, rule.members.allSatisfy({ isRead($0) }), let fault = rule.fault(element) {
            add([JSONIssue(path: fault.path, reason: fault.reason)])
        }
        issues = JSONIssue.inOrder(issues, of: content)
    }

    /// Returns the faults with their row.
    func faults(row: Int? = nil) -> [PartFault] {
        issues.map { PartFault(row: row, path: $0.path, $0.reason) }
    }

    /// Tells whether all of a member could be read.
    private func isRead(_ member: String) -> Bool {
        !misfits.contains { $0.isEmpty || $0.first == .key(member) }
    }

    /// Adds issues of other parts than those that could not be read.
    private mutating func add(_ more: [JSONIssue]) {
        issues += more.filter { issue in !misfits.contains { issue.path.starts(with: $0) } }
    }
}

extension RefusedRow where Element: Row {
    /// The id of the row; nil where what it is made of could not be read.
    package var id: String? {
        if let whole { return whole.id }
        guard let element, isRead("id"), content["id"]?.stringValue == element.id else { return nil }
        return element.id
    }
}
