/// The text of a line for people: aligned columns, and colours where there is a terminal (clients contract, section 3).
package struct TrafficText: Sendable {
    private let isColored: Bool
    /// The columns that the path may take before what follows it leaves its column.
    private static let pathColumns = 44

    package init(isColored: Bool) { self.isColored = isColored }

    /// The line of an exchange, without a line end.
    package func line(_ line: TrafficLine) -> String {
        var text = Self.time(line.at) + "  "
        var left = line.api
        if line.world != "main" { left += " @\(line.world)" }
        text += Self.padded(VisibleText.escaped(left), 11) + "  "
        text += Self.padded(VisibleText.escaped(line.method), 6) + " "
        let target = VisibleText.escaped(line.query.isEmpty ? line.path : "\(line.path)?\(line.query)")
        text += Self.padded(target, Self.pathColumns) + "  "
        text += status(line) + "  "
        text += Self.right(Self.duration(line.milliseconds), 8) + "  "
        text += Self.right(Self.size(line.responseBytes), 9)
        let marks = Self.marks(line)
        if !marks.isEmpty { text += "  " + marks.joined(separator: "  ") }
        return text
    }

    private func status(_ line: TrafficLine) -> String {
        let code = line.status == 0 ? "---" : "\(line.status)"
        let text = line.outcome == "delivered" ? code : "\(code) \(line.outcome)"
        return colored(text, Self.color(of: line.status))
    }

    private func colored(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// The colour of a status by its class.
    package static func color(of status: Int) -> String {
        switch status {
        case 200..<300: "32"
        case 300..<400: "36"
        case 400..<500: "33"
        case 100..<200: "0"
        default: "31"
        }
    }

    /// Returns the marks of what is out of the ordinary, in words.
    package static func marks(_ line: TrafficLine) -> [String] {
        var marks: [String] = []
        if let fault = line.fault { marks.append("fault \(VisibleText.escaped(fault))") }
        if line.scenario != nil { marks.append("scenario") }
        if let gate = line.gate { marks.append("gate \(VisibleText.escaped(gate))") }
        if line.replayOf != nil { marks.append("replay") }
        if line.isUnmatched {
            marks.append(line.nearest.map { "unmatched: did you mean \(VisibleText.escaped($0))?" } ?? "unmatched")
        }
        return marks
    }

    /// The time of day of an instant, `12:00:00.123`.
    package static func time(_ instant: String) -> String {
        let bytes = instant.utf8
        guard bytes.count >= 23, let mark = instant.firstIndex(of: "T") else { return instant }
        let start = instant.index(after: mark)
        return String(instant[start...].prefix { $0 != "Z" && $0 != "+" }.prefix(12))
    }

    /// A duration with its unit: `3.2 ms`, `1.53 s`, `2 min 5 s`.
    package static func duration(_ milliseconds: Double?) -> String {
        guard let milliseconds, milliseconds.isFinite else { return "-" }
        if milliseconds < 999.95 { return "\(fixed(milliseconds, 1)) ms" }
        if milliseconds < 59_995 { return "\(fixed(milliseconds / 1_000, 2)) s" }
        let seconds = Int(milliseconds / 1_000)
        return "\(seconds / 60) min \(seconds % 60) s"
    }

    /// A size with its unit: `165 B`, `1.2 KiB`, `3.4 MiB`.
    package static func size(_ bytes: Int64) -> String {
        if bytes < 1_024 { return "\(bytes) B" }
        if bytes < 1_048_576 { return "\(fixed(Double(bytes) / 1_024, 1)) KiB" }
        return "\(fixed(Double(bytes) / 1_048_576, 1)) MiB"
    }

    private static func fixed(_ number: Double, _ places: Int) -> String {
        let scale = places == 1 ? 10 : 100
        let whole = Int((number * Double(scale)).rounded())
        let rest = "\(whole % scale)"
        return "\(whole / scale)." + String(repeating: "0", count: places - rest.utf8.count) + rest
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        let count = text.utf8.count
        return count < columns ? text + String(repeating: " ", count: columns - count) : text
    }

    private static func right(_ text: String, _ columns: Int) -> String {
        let count = text.utf8.count
        return count < columns ? String(repeating: " ", count: columns - count) + text : text
    }
}
