/// A breach as it was found.
struct Occurrence: Sendable {
    var rule: Int32
    /// The rows that prove it, oldest first, the breach last.
    var rows: [Int32]
    var severity: ConductSeverity
    var instance: String?
    /// The sentences about what happened.
    var seen: String

    var breach: Int32 { rows[rows.count - 1] }
}
