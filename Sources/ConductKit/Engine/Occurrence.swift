/// A breach as it was found.
struct Occurrence: Sendable {
    package var rule: Int32
    /// The rows that prove it, oldest first, the breach last.
    package var rows: [Int32]
    package var severity: ConductSeverity
    package var instance: String?
    /// The sentences about what happened.
    package var seen: String

    package var breach: Int32 { rows[rows.count - 1] }
}
