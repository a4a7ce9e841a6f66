/// The words with which a gate's error begins, for those who have to know which gate it tells of.
package enum GateError {
    private static let start = "The gate "
    private static let end = " held "

    static func head(_ gate: String, _ held: Int, of count: Int, after limit: Duration) -> String {
        "\(start)\(gate)\(end)\(held) of \(count) requests after \(limit.seconds) s."
    }

    /// The name of the gate that an error's text tells of, which other words may precede.
    package static func name(in text: String) -> String? {
        guard let begin = text.firstRange(of: start) else { return nil }
        let rest = text[begin.upperBound...]
        guard let stop = rest.firstRange(of: end) else { return nil }
        return String(rest[..<stop.lowerBound])
    }
}
