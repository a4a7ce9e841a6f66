import CivilTime
package import JSON

extension JournalLine {
    /// A member of a line.
    package struct Member: Sendable {
        /// The value of a member, read from a line.
        fileprivate enum Value: Sendable {
            case text(@Sendable (JournalLine) -> String)
            /// Null where there is none.
            case textOrNull(@Sendable (JournalLine) -> String?)
            /// Left out where there is none.
            case someText(@Sendable (JournalLine) -> String?)
            case integer(@Sendable (JournalLine) -> Int64)
            /// Left out where it is 0.
            case someCount(@Sendable (JournalLine) -> Int)
            case instant(Instant.Precision, @Sendable (JournalLine) -> Instant)
            /// Left out where there is none.
            case someNumber(@Sendable (JournalLine) -> Double?)
            case timings
        }

        package let name: String
        /// The name as JSON text, with its colon.
        private let label: [UInt8]
        private let source: Value

        fileprivate init(_ name: String, _ source: Value) {
            self.name = name
            self.source = source
            label = JSON.string(name).serialized() + [UInt8(ascii: ":")]
        }

        /// Tells whether every line has it.
        package var isRequired: Bool {
            switch source {
            case .someText, .someNumber, .someCount: false
            case .text, .textOrNull, .integer, .instant, .timings: true
            }
        }

        /// Returns the value; nil for a line that does not have the member.
        package func value(_ line: JournalLine) -> JSON? {
            switch source {
            case .text(let read): .string(read(line))
            case .textOrNull(let read): read(line).map { .string($0) } ?? .null
            case .someText(let read): read(line).map { .string($0) }
            case .integer(let read): .integer(read(line))
            case .someCount(let read): read(line) > 0 ? .integer(Int64(read(line))) : nil
            case .instant(let precision, let read): .string(read(line).iso8601(precision))
            case .someNumber(let read): read(line).map { .double($0) }
            case .timings: line.timings.json
            }
        }

        /// Appends name and value without making the value first; nothing for a line that does not have the member.
        package func append(_ line: JournalLine, to writer: inout JSONWriter) {
            switch source {
            case .text(let read):
                writer.name(label: label)
                writer.string(read(line))
            case .textOrNull(let read):
                writer.name(label: label)
                if let text = read(line) { writer.string(text) } else { writer.null() }
            case .someText(let read):
                guard let text = read(line) else { return }
                writer.name(label: label)
                writer.string(text)
            case .integer(let read):
                writer.name(label: label)
                writer.integer(read(line))
            case .someCount(let read):
                guard read(line) > 0 else { return }
                writer.name(label: label)
                writer.integer(Int64(read(line)))
            case .instant(let precision, let read):
                writer.name(label: label)
                writer.plainString { read(line).appendISO8601(precision, to: &$0) }
            case .someNumber(let read):
                guard let number = read(line) else { return }
                writer.name(label: label)
                writer.double(number)
            case .timings:
                writer.name(label: label)
                line.timings.append(to: &writer)
            }
        }
    }

    /// The members in the order of the contract.
    package static let members: [Member] =
        [
            Member("id", .text { $0.id }),
            Member("seq", .integer { Int64(clamping: $0.seq) }),
            Member("at", .instant(.milliseconds) { $0.at }),
            Member("startedAt", .instant(.microseconds) { $0.startedAt }),
            Member("api", .text { $0.api }),
            Member("route", .textOrNull { $0.route }),
            Member("user", .someText { $0.user }),
            Member("method", .text { $0.method }),
            Member("path", .text { $0.path }),
            Member("query", .text { $0.query ?? "" }),
            Member("status", .integer { Int64($0.status) }),
            Member("outcome", .text { $0.outcome.rawValue }),
            Member("ms", .someNumber { $0.milliseconds }),
            Member("timings", .timings),
            Member("requestBytes", .integer { Int64($0.requestBytes) }),
            Member("responseBytes", .integer { Int64($0.responseBytes) }),
            Member("fault", .someText { $0.fault }),
            Member("scenario", .someText { $0.scenario }),
            Member("gate", .someText { $0.gate }),
            Member("replayOf", .someText { $0.replayOf }),
        ] + sourceMembers

    /// The members that say what answered, what nearly did, and what that breaks.
    package static let sourceMembers: [Member] = [
        Member("answeredBy", .someText { $0.answeredBy }),
        Member("nearestStub", .someText { $0.nearestStub }),
        Member("violations", .someCount { $0.violations }),
    ]

    /// The members of an event, which has number and time of its own.
    static let eventMembers = members.filter { !["seq", "at"].contains($0.name) }
}

extension JournalEntry.Timings {
    /// The parts by name, in the order of the contract.
    private var parts: KeyValuePairs<String, Double> {
        ["receive": receive, "handle": handle, "wait": wait, "send": send]
    }

    package var json: JSON {
        .object(JSONObject(parts.map { JSONObject.Member(name: $0.key, value: .double($0.value)) }))
    }

    /// The names as JSON text, with their colons.
    private static let labels = JournalEntry.Timings().parts.map { part in
        JSON.string(part.key).serialized() + [UInt8(ascii: ":")]
    }

    /// Writes the value of `json`.
    fileprivate func append(to writer: inout JSONWriter) {
        writer.beginObject()
        for (label, part) in zip(Self.labels, parts) {
            writer.name(label: label)
            writer.double(part.value)
        }
        writer.endObject()
    }
}
