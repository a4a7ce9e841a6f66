import CivilTime
import JSON
import Journal

/// The lines of exchanges in JSON: the members of the journal's line, with kind and world (clients contract, section 3).
///
/// Clients ask for the same again and again. What such lines have in common, from the API to the status, is written once and
/// then copied, as is the part of a time that changes once a second.
struct JSONLogLine: Sendable {
    /// The members that lines have in common.
    private struct Shape: Sendable {
        let api: String
        let world: String
        let route: String?
        let user: String?
        let method: String
        let path: String
        let query: String?
        let status: Int
        /// The members up to the outcome, whose value follows.
        let label: [UInt8]

        func fits(_ line: JournalLine, _ world: String) -> Bool {
            status == line.status && Self.same(path, line.path)
                && Self.same(method, line.method) && Self.same(api, line.api) && Self.same(self.world, world)
                && Self.same(query, line.query) && Self.same(route, line.route) && Self.same(user, line.user)
        }

        /// Tells whether an ASCII text and another one have the same bytes.
        private static func same(_ text: String, _ other: String) -> Bool {
            // One that is equal though it has other characters is longer.
            text.utf8.count == other.utf8.count && text == other
        }

        private static func same(_ text: String?, _ other: String?) -> Bool {
            switch (text, other) {
            case (let text?, let other?): same(text, other)
            case (nil, nil): true
            default: false
            }
        }
    }

    /// The text of a time up to the fraction of its second.
    private struct Second: Sendable {
        private var number = Int64.min
        private var text: [UInt8] = []

        /// Appends a time with so many digits of its fraction: three or six.
        mutating func append(_ instant: Instant, digits: Int, to bytes: inout [UInt8]) {
            let second = instant.seconds
            // Times so far away are cut to what has four digits for the year.
            guard second.magnitude < 60_000_000_000 else {
                return instant.appendISO8601(digits == 3 ? .milliseconds : .microseconds, to: &bytes)
            }
            if second != number {
                number = second
                text.removeAll(keepingCapacity: true)
                instant.appendISO8601(.milliseconds, to: &text)
                text.removeLast(4)
            }
            bytes += text
            let fraction = Int(instant.microseconds - second * 1_000_000)
            Self.append(fraction / 1_000, to: &bytes)
            if digits > 3 { Self.append(fraction % 1_000, to: &bytes) }
            bytes.append(UInt8(ascii: "Z"))
        }

        private static func append(_ thousandths: Int, to bytes: inout [UInt8]) {
            bytes.append(0x30 &+ UInt8(truncatingIfNeeded: thousandths / 100))
            bytes.append(0x30 &+ UInt8(truncatingIfNeeded: thousandths / 10 % 10))
            bytes.append(0x30 &+ UInt8(truncatingIfNeeded: thousandths % 10))
        }
    }

    /// Names as JSON text with their colons, some behind members that never change.
    private enum Label {
        static let id = Array(#""kind":"request","id":"#.utf8)
        static let seq = Array(#""seq":"#.utf8)
        static let at = Array(#""at":"#.utf8)
        static let startedAt = Array(#""startedAt":"#.utf8)
        static let world = Array(#""world":"#.utf8)
        static let outcome = Array(#""outcome":"#.utf8)
        static let milliseconds = Array(#""ms":"#.utf8)
        static let receive = Array(#""timings":{"receive":"#.utf8)
        static let handle = Array(#""handle":"#.utf8)
        static let wait = Array(#""wait":"#.utf8)
        static let send = Array(#""send":"#.utf8)
        static let requestBytes = Array(#""requestBytes":"#.utf8)
        static let responseBytes = Array(#""responseBytes":"#.utf8)
    }

    /// The members that lines have in common, and those behind them that most lines have not.
    private static let common = members(from: "api", to: "status")
    private static let rare = members(from: "fault", to: "violations")
    /// The shapes that are kept; the oldest makes room for another.
    private static let mostShapes = 8
    /// The bytes of the longest that is kept.
    private static let longestShape = 1_024

    private var shapes: [Shape] = []
    private var oldest = 0
    private var at = Second()
    private var startedAt = Second()

    private static func members(from first: String, to last: String) -> [JournalLine.Member] {
        let all = JournalLine.members
        guard let start = all.firstIndex(where: { $0.name == first }),
            let end = all.firstIndex(where: { $0.name == last })
        else { return [] }
        return Array(all[start...end])
    }

    /// Appends the line of an exchange, without a line end.
    mutating func append(_ line: JournalLine, world: String, to bytes: inout [UInt8]) {
        // The writer has the bytes alone meanwhile: a second owner would make each change copy them.
        var own: [UInt8] = []
        swap(&own, &bytes)
        var writer = JSONWriter(appendingTo: consume own)
        writer.beginObject()
        writer.name(label: Label.id)
        writer.string(line.id)
        writer.name(label: Label.seq)
        writer.integer(Int64(clamping: line.seq))
        writer.name(label: Label.at)
        writer.plainString { at.append(line.at, digits: 3, to: &$0) }
        writer.name(label: Label.startedAt)
        writer.plainString { startedAt.append(line.startedAt, digits: 6, to: &$0) }
        appendCommon(line, world, to: &writer)
        if let milliseconds = line.milliseconds {
            writer.name(label: Label.milliseconds)
            writer.double(milliseconds)
        }
        writer.name(label: Label.receive)
        writer.double(line.timings.receive)
        writer.name(label: Label.handle)
        writer.double(line.timings.handle)
        writer.name(label: Label.wait)
        writer.double(line.timings.wait)
        writer.name(label: Label.send)
        writer.double(line.timings.send)
        writer.endObject()
        writer.name(label: Label.requestBytes)
        writer.integer(Int64(line.requestBytes))
        writer.name(label: Label.responseBytes)
        writer.integer(Int64(line.responseBytes))
        if line.answeredBy != nil || line.violations > 0 || line.fault != nil || line.scenario != nil
            || line.gate != nil
            || line.replayOf != nil
        {
            for member in Self.rare { member.append(line, to: &writer) }
        }
        writer.endObject()
        bytes = writer.finish()
    }

    /// Appends what the line has in common with others, up to its outcome.
    private mutating func appendCommon(_ line: JournalLine, _ world: String, to writer: inout JSONWriter) {
        if let place = shapes.firstIndex(where: { $0.fits(line, world) }) {
            writer.name(label: shapes[place].label)
        } else {
            let label = Self.label(line, world)
            if label.count <= Self.longestShape, label.allSatisfy({ $0 < 0x80 }) { keep(line, world, label) }
            writer.name(label: label)
        }
        writer.raw(line.outcome.encoded)
    }

    private static func label(_ line: JournalLine, _ world: String) -> [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        for member in common {
            member.append(line, to: &writer)
            guard member.name == "api" else { continue }
            writer.name(label: Label.world)
            writer.string(world)
        }
        writer.name(label: Label.outcome)
        return Array(writer.bytes.dropFirst())
    }

    private mutating func keep(_ line: JournalLine, _ world: String, _ label: [UInt8]) {
        let shape = Shape(
            api: line.api,
            world: world,
            route: line.route,
            user: line.user,
            method: line.method,
            path: line.path,
            query: line.query,
            status: line.status,
            label: label
        )
        guard shapes.count == Self.mostShapes else { return shapes.append(shape) }
        shapes[oldest] = shape
        oldest = (oldest + 1) % Self.mostShapes
    }
}

extension JournalEntry.Outcome {
    private static let deliveredText = JSON.string(Self.delivered.rawValue).serialized()

    /// Its name as JSON text.
    fileprivate var encoded: [UInt8] {
        self == .delivered ? Self.deliveredText : JSON.string(rawValue).serialized()
    }
}
