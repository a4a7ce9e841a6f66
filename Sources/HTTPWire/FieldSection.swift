import HTTPMessage

/// The incremental parser of a header or trailer section: field lines up to the empty line.
///
/// Each byte is looked at once however the input is split, and the first offending byte decides the refusal, so the
/// answer never depends on how the bytes were cut into packets. Positions kept between calls are relative to the line,
/// so the buffer may be compacted in between.
struct FieldSection {
    private(set) var fields = Fields()
    private(set) var noted = NotedFields()
    /// The bytes of finished lines, line ends included; a trailer section continues the count of its header section.
    private(set) var bytes: Int
    /// Finished lines, counted like `bytes`.
    private(set) var lines: Int
    /// Bytes of the unfinished line already looked at.
    private var scanned = 0
    /// The offset of the colon from the start of the unfinished line; 0 before it has come.
    private var colon = 0
    /// The offset of the blanks before the colon from the start of the unfinished line; 0 where there are none.
    private var blanks = 0
    /// Tells whether blanks before a colon are taken out, as a client has to in a response (RFC 9112, section 5.1).
    private let trimsNames: Bool

    init(ofResponse: Bool = false) {
        bytes = 0
        lines = 0
        trimsNames = ofResponse
    }

    /// A trailer section that shares its header section's budgets.
    init(after header: FieldSection) {
        bytes = header.bytes
        lines = header.lines
        trimsNames = header.trimsNames
    }

    /// Gives out the fields, which are then no longer here; the counts stay.
    mutating func takeFields() -> Fields {
        let taken = fields
        fields = Fields()
        return taken
    }

    /// Reads lines from `position` on and moves it behind them.
    ///
    /// - Returns: true behind the empty line that ends the section, false when more bytes are needed.
    mutating func parse(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Bool {
        let end = buffer.count
        while true {
            var index = position + scanned
            guard index < end else { return false }
            if scanned == 0 {
                if buffer[index] == .carriageReturn {
                    guard index + 1 < end else { return false }
                    guard buffer[index + 1] == .lineFeed else { throw .bareCarriageReturn }
                    position = index + 2
                    return true
                }
                try checkLineStart(buffer[index], limits: limits)
                if fields.isEmpty { fields.reserve(bytes: min(end - index, 1024), lines: 8) }
            }
            // Where the budget ends: a byte of a field line at or behind it is one too many.
            let budget = position + limits.headerSection - bytes
            let stop = min(end, budget)
            if colon == 0 {
                while index < stop, blanks == 0, buffer[index].isToken { index += 1 }
                while trimsNames, index < stop, buffer[index].isBlank {
                    if blanks == 0 { blanks = index - position }
                    index += 1
                }
                scanned = index - position
                guard index < stop else {
                    guard index >= end else { throw .headerSectionTooLarge(limits.headerSection) }
                    return false
                }
                try takeColon(buffer[index], next: index + 1 < end ? buffer[index + 1] : nil)
                if colon == 0 { return false }
                index += 1
            }
            index = buffer.endOfFieldValue(from: index, to: stop)
            scanned = index - position
            guard index < stop else {
                guard index >= end else { throw .headerSectionTooLarge(limits.headerSection) }
                return false
            }
            switch buffer[index] {
            case .carriageReturn:
                guard index + 1 < end else { return false }
                guard index + 1 < budget else { throw .headerSectionTooLarge(limits.headerSection) }
                guard buffer[index + 1] == .lineFeed else { throw .bareCarriageReturn }
            case .lineFeed: throw .bareLineFeed
            default:
                throw .malformed(
                    .malformedFieldValue,
                    "A field value holds a control character (RFC 9110 section 5.5)."
                )
            }
            take(buffer, line: position..<index + 2)
            position = index + 2
        }
    }

    private func checkLineStart(_ byte: UInt8, limits: WireLimits) throws(WireRefusal) {
        if byte.isBlank {
            throw fields.isEmpty
                ? .malformed(
                    .leadingWhiteSpace,
                    "White space stands before the first field line (RFC 9112 section 2.2)."
                )
                : .malformed(.foldedLine, "A field line is folded (RFC 9112 section 5.2).")
        }
        guard lines < limits.headerFields else { throw .tooManyHeaderFields(limits.headerFields) }
    }

    /// Decides on the first byte that is not part of a name.
    ///
    /// Leaves `colon` at 0 when the byte after it must be known.
    private mutating func takeColon(_ byte: UInt8, next: UInt8?) throws(WireRefusal) {
        switch byte {
        case .colon where scanned > 0: colon = scanned
        case .colon: throw .malformed(.malformedFieldName, "A field name is empty.")
        case .space, .tab:
            throw .malformed(.spaceBeforeColon, "White space stands in or behind a field name (RFC 9112 section 5.1).")
        case .lineFeed: throw .bareLineFeed
        case .carriageReturn:
            guard let next else { return }
            guard next == .lineFeed else { throw .bareCarriageReturn }
            throw .malformed(.malformedFieldLine, "A field line has no colon.")
        case _ where blanks > 0:
            throw .malformed(.spaceBeforeColon, "White space stands in a field name (RFC 9112 section 5.1).")
        default: throw .malformed(.malformedFieldName, "A field name holds a byte that is no token character.")
        }
    }

    private mutating func take(_ buffer: [UInt8], line: Range<Int>) {
        let start = line.lowerBound
        let value = buffer.trimmingBlanks(start + colon + 1..<line.upperBound - 2)
        let name = blanks > 0 ? blanks : colon
        noted.note(buffer, name: start..<start + name, value: value, place: fields.count)
        let trimmed =
            blanks > 0 ? (buffer[start..<start + name] + buffer[start + colon..<line.upperBound]) : buffer[line]
        let moved = start + colon - name
        fields.appendChecked(
            line: trimmed,
            name: 0..<name,
            value: value.lowerBound - moved..<value.upperBound - moved
        )
        bytes += line.count
        lines += 1
        scanned = 0
        colon = 0
        blanks = 0
    }
}
