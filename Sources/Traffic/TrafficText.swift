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
    private func append(_ line: TrafficLine, to bytes: inout [UInt8]) {
        Self.appendTime(line.at, to: &bytes)
        appendRequest(
            api: line.api,
            world: line.world,
            method: line.method,
            path: line.path,
            query: line.query,
            to: &bytes
        )
        appendResponse(
            status: line.status,
            outcome: line.outcome,
            milliseconds: line.milliseconds,
            size: line.responseBytes,
            to: &bytes
        )
        Self.appendSource(
            answeredBy: line.answeredBy,
            nearestStub: line.nearestStub,
            violations: line.violations,
            to: &bytes
        )
        Self.appendMarks(
            fault: line.fault,
            scenario: line.scenario,
            gate: line.gate,
            replayOf: line.replayOf,
            isUnmatched: line.isUnmatched,
            to: &bytes
        )
        guard line.isUnmatched else { return }
        if let differs = line.differs {
            bytes += ": \(VisibleText.escaped(differs))".utf8
        } else if let nearest = line.nearest {
            Self.appendHint(nearest, to: &bytes)
        }
    }

    // The access log writes a line for every request, from what it has: no text is made that is not shown.

    /// Appends the columns of the request, behind the time.
    package func appendRequest(
        api: String,
        world: String,
        method: String,
        path: String,
        query: String,
        to bytes: inout [UInt8]
    ) {
        Self.blanks(2, to: &bytes)
        var start = bytes.count
        Self.appendVisible(api, to: &bytes)
        if world != "main" {
            bytes += " @".utf8
            Self.appendVisible(world, to: &bytes)
        }
        Self.fill(11, from: start, gap: 2, &bytes)
        start = bytes.count
        Self.appendVisible(method, to: &bytes)
        Self.fill(6, from: start, gap: 1, &bytes)
        start = bytes.count
        Self.appendVisible(path, to: &bytes)
        if !query.isEmpty {
            bytes.append(0x3F)
            Self.appendVisible(query, to: &bytes)
        }
        Self.fill(pathColumns, from: start, gap: 2, &bytes)
    }

    /// Appends the columns of the response, behind those of the request.
    package func appendResponse(
        status: Int,
        outcome: String,
        milliseconds: Double?,
        size: Int64,
        to bytes: inout [UInt8]
    ) {
        if isColored { bytes += "\u{1B}[\(Self.color(of: status))m".utf8 }
        if status == 0 { bytes += "---".utf8 } else { Self.append(status, to: &bytes) }
        if outcome != "delivered" {
            bytes.append(0x20)
            Self.appendVisible(outcome, to: &bytes)
        }
        if isColored { bytes += "\u{1B}[0m".utf8 }
        Self.blanks(2, to: &bytes)
        var start = bytes.count
        Self.appendDuration(milliseconds, to: &bytes)
        Self.shift(8, from: start, &bytes)
        Self.blanks(2, to: &bytes)
        start = bytes.count
        Self.appendSize(size, to: &bytes)
        Self.shift(9, from: start, &bytes)
    }

    /// Appends what answered, the stub that nearly did, and the number of violations.
    package static func appendSource(
        answeredBy: String?,
        nearestStub: String?,
        violations: Int,
        to bytes: inout [UInt8]
    ) {
        if violations > 0 { bytes += (violations == 1 ? "  1 violation" : "  \(violations) violations").utf8 }
        if let answeredBy {
            bytes += "  ".utf8
            appendVisible(answeredBy, to: &bytes)
        }
        if let nearestStub {
            bytes += "  not ".utf8
            appendVisible(nearestStub, to: &bytes)
        }
    }

    /// Appends marks for what is out of the ordinary, in words.
    package static func appendMarks(
        fault: String?,
        scenario: String?,
        gate: String?,
        replayOf: String?,
        isUnmatched: Bool,
        to bytes: inout [UInt8]
    ) {
        if let fault { bytes += "  fault \(VisibleText.escaped(fault))".utf8 }
        if scenario != nil { bytes += "  scenario".utf8 }
        if let gate { bytes += "  gate \(VisibleText.escaped(gate))".utf8 }
        if replayOf != nil { bytes += "  replay".utf8 }
        if isUnmatched { bytes += "  unmatched".utf8 }
    }

    /// Appends the route that an unmatched request probably meant, behind its mark.
    package static func appendHint(_ route: String, to bytes: inout [UInt8]) {
        bytes += ": did you mean \(VisibleText.escaped(route))?".utf8
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

    /// The time of day of an instant, `12:00:00.123`.
    package static func time(_ instant: String) -> String { text { appendTime(instant, to: &$0) } }

    private static func appendTime(_ instant: String, to bytes: inout [UInt8]) {
        let text = instant.utf8
        guard text.count >= 23, VisibleText.isPlain(instant), let mark = text.firstIndex(of: 0x54) else {
            return appendVisible(instant, to: &bytes)
        }
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
        // Reversing a slice would copy it.
        var (first, last) = (start, bytes.count - 1)
        while first < last {
            bytes.swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
    }

    /// Appends foreign text without anything that would steer a terminal.
    private static func appendVisible(_ text: String, to bytes: inout [UInt8]) {
        if VisibleText.isPlain(text) { bytes += text.utf8 } else { bytes += VisibleText.escaped(text).utf8 }
    }

    private static let blankBytes = [UInt8](repeating: 0x20, count: 64)

    private static func blanks(_ count: Int, to bytes: inout [UInt8]) {
        guard count <= blankBytes.count else { return bytes += repeatElement(0x20, count: count) }
        bytes += blankBytes[..<count]
    }

    /// Fills up a column with blanks behind its text, and appends the gap to the next.
    private static func fill(_ columns: Int, from start: Int, gap: Int, _ bytes: inout [UInt8]) {
        blanks(max(columns - (bytes.count - start), 0) + gap, to: &bytes)
    }

    /// Puts blanks in front of the text of a column.
    private static func shift(_ columns: Int, from start: Int, _ bytes: inout [UInt8]) {
        let end = bytes.count
        let missing = columns - (end - start)
        guard missing > 0 else { return }
        blanks(missing, to: &bytes)
        for place in stride(from: end - 1, through: start, by: -1) { bytes.swapAt(place, place + missing) }
    }
}
