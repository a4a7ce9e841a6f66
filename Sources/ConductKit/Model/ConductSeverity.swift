/// The weight of a finding.
package enum ConductSeverity: String, Sendable, CaseIterable, Comparable {
    case warning, error

    package static func < (left: ConductSeverity, right: ConductSeverity) -> Bool {
        left == .warning && right == .error
    }
}

/// The severity from which on a finding fails the run.
package enum ConductFailure: String, Sendable, CaseIterable {
    case error, warning, never

    /// Tells whether a finding of that severity fails the run.
    package func isReached(by severity: ConductSeverity) -> Bool {
        switch self {
        case .error: severity == .error
        case .warning: true
        case .never: false
        }
    }
}
