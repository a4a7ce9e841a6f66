/// The text of a line for people: aligned columns, and colours where there is a terminal (clients contract, section 3).
package struct TrafficText: Sendable {
    private let isColored: Bool
    /// The columns that the path may take before what follows it leaves its column.
    private let pathColumns: Int
    /// The columns of the other parts of a line without marks, with their gaps.
    private static let otherColumns = 60

    /// `width` is that of the terminal; where it is less than a line needs, the path's column gets narrower.
    package init(isColored: Bool, width: Int? = nil) {
        self.isColored = isColored
        pathColumns = min(max((width ?? .max) - Self.otherColumns, 16), 44)
    }

    /// The line of an exchange, without a line end.
    package func line(_ line: TrafficLine) -> String {
        var bytes: [UInt8] = []
        append(line, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the line of an exchange, without a line end.
    ///
    /// The access log writes one for every request, so that no text is made that is not shown.
    package func append(_ line: TrafficLine, to bytes: inout [UInt8]) {
        Self.appendTime(line.at, to: &bytes)
        Self.blanks(2, to: &bytes)
        var start = bytes.count
        Self.appendVisible(line.api, to: &bytes)
        if line.world != "main" {
            bytes += " @".utf8
            Self.appendVisible(line.world, to: &bytes)
        }
        Self.fill(11, from: start, &bytes)
        Self.blanks(2, to: &bytes)
        start = bytes.count
        Self.appendVisible(line.method, to: &bytes)
        Self.fill(6, from: start, &bytes)
        Self.blanks(1, to: &bytes)
        start = bytes.count
        Self.appendVisible(line.path, to: &bytes)
        if !line.query.isEmpty {
            bytes.append(0x3F)
            Self.appendVisible(line.query, to: &bytes)
        }
        Self.fill(pathColumns, from: start, &bytes)
        Self.blanks(2, to: &bytes)
        appendStatus(line, to: &bytes)
        Self.blanks(2, to: &bytes)
        start = bytes.count
        Self.appendDuration(line.milliseconds, to: &bytes)
        Self.shift(8, from: start, &bytes)
        Self.blanks(2, to: &bytes)
        start = bytes.count
        Self.appendSize(line.responseBytes, to: &bytes)
        Self.shift(9, from: start, &bytes)
        for mark in Self.marks(line) {
            Self.blanks(2, to: &bytes)
            bytes += mark.utf8
        }
    }

    private func appendStatus(_ line: TrafficLine, to bytes: inout [UInt8]) {
        if isColored { bytes += "\u{1B}[\(Self.color(of: line.status))m".utf8 }
        if line.status == 0 { bytes += "---".utf8 } else { Self.append(line.status, to: &bytes) }
        if line.outcome != "delivered" {
            bytes.append(0x20)
            bytes += line.outcome.utf8
        }
        if isColored { bytes += "\u{1B}[0m".utf8 }
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
    package static func time(_ instant: String) -> String { text { appendTime(instant, to: &$0) } }

    private static func appendTime(_ instant: String, to bytes: inout [UInt8]) {
        let text = instant.utf8
        guard text.count >= 23, let mark = text.firstIndex(of: 0x54) else { return bytes += text }
        bytes += text[text.index(after: mark)...].prefix { $0 != 0x5A && $0 != 0x2B }.prefix(12)
    }

    /// A duration with its unit: `3.2 ms`, `1.53 s`, `2 min 5 s`.
    package static func duration(_ milliseconds: Double?) -> String { text { appendDuration(milliseconds, to: &$0) } }

    private static func appendDuration(_ milliseconds: Double?, to bytes: inout [UInt8]) {
        guard let milliseconds, milliseconds.isFinite, abs(milliseconds) < 1e15 else { return bytes.append(0x2D) }
        if milliseconds < 999.95 {
            append(milliseconds, 1, to: &bytes)
            bytes += " ms".utf8
        } else if milliseconds < 59_995 {
            append(milliseconds / 1_000, 2, to: &bytes)
            bytes += " s".utf8
        } else {
            let seconds = Int(milliseconds / 1_000)
            bytes += "\(seconds / 60) min \(seconds % 60) s".utf8
        }
    }

    /// A size with its unit: `165 B`, `1.2 KiB`, `3.4 MiB`.
    package static func size(_ bytes: Int64) -> String { text { appendSize(bytes, to: &$0) } }

    private static func appendSize(_ size: Int64, to bytes: inout [UInt8]) {
        if size < 1_024 {
            append(Int(size), to: &bytes)
            bytes += " B".utf8
        } else if size < 1_048_576 {
            append(Double(size) / 1_024, 1, to: &bytes)
            bytes += " KiB".utf8
        } else {
            append(Double(size) / 1_048_576, 1, to: &bytes)
            bytes += " MiB".utf8
        }
    }

    // MARK: Bytes

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a number with one or two decimal places.
    private static func append(_ number: Double, _ places: Int, to bytes: inout [UInt8]) {
        let scale = places == 1 ? 10 : 100
        let whole = Int((max(number, 0) * Double(scale)).rounded())
        append(whole / scale, to: &bytes)
        bytes.append(0x2E)
        let rest = whole % scale
        if places == 2, rest < 10 { bytes.append(0x30) }
        append(rest, to: &bytes)
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(0x2D) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends foreign text without anything that would steer a terminal.
    private static func appendVisible(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes += text.utf8
        guard !bytes[start...].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return }
        bytes.removeSubrange(start...)
        bytes += VisibleText.escaped(text).utf8
    }

    private static func blanks(_ count: Int, to bytes: inout [UInt8]) {
        for _ in 0..<count { bytes.append(0x20) }
    }

    /// Fills up a column with blanks behind its text.
    private static func fill(_ columns: Int, from start: Int, _ bytes: inout [UInt8]) {
        blanks(max(columns - (bytes.count - start), 0), to: &bytes)
    }

    /// Puts blanks in front of the text of a column.
    private static func shift(_ columns: Int, from start: Int, _ bytes: inout [UInt8]) {
        let missing = columns - (bytes.count - start)
        if missing > 0 { bytes.insert(contentsOf: repeatElement(0x20, count: missing), at: start) }
    }
}
