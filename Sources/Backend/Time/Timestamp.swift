public import CivilTime
public import JSON

/// A stored time.
///
/// Seed rows keep their offset from an anchor, so that a world can be made or reset without touching its rows: the
/// anchors move and the rows stay shared.
public enum Timestamp: Hashable, Sendable {
    case at(Instant)
    /// An offset from T0, usually negative.
    case sinceT0(Interval)
    /// An offset from D0.
    case sinceD0(Interval)

    /// Returns the instant that it stands for.
    public func resolved(in epoch: Epoch) -> Instant {
        switch self {
        case .at(let instant): instant
        case .sinceT0(let offset): epoch.t0 + offset
        case .sinceD0(let offset): epoch.d0 + offset
        }
    }

    /// Tells whether it is equal to another or later in every world; false where the anchors decide.
    package func isKnownNotBefore(_ other: Timestamp) -> Bool {
        switch (self, other) {
        case (.at(let left), .at(let right)): left >= right
        case (.sinceT0(let left), .sinceT0(let right)), (.sinceD0(let left), .sinceD0(let right)): left >= right
        default: false
        }
    }

    /// Reads `T0`, `T0-PT2H`, `D0+P1D`, or an ISO 8601 instant.
    public init?(_ text: String) {
        guard text.utf8.count <= 1_000 else { return nil }
        func offset(_ rest: Substring) -> Interval? {
            guard let sign = rest.first else { return .zero }
            // The duration must not have a sign of its own.
            let duration = String(rest.dropFirst())
            guard duration.hasPrefix("P"), let length = try? Interval(iso8601Duration: duration) else { return nil }
            switch sign {
            case "+": return length
            case "-": return length.negated
            default: return nil
            }
        }
        if text.hasPrefix("T0") {
            guard let offset = offset(text.dropFirst(2)) else { return nil }
            self = .sinceT0(offset)
        } else if text.hasPrefix("D0") {
            guard let offset = offset(text.dropFirst(2)) else { return nil }
            self = .sinceD0(offset)
        } else {
            guard let instant = Instant(iso8601: text) else { return nil }
            self = .at(instant)
        }
    }

    /// The form that `init(_:)` reads.
    public var text: String {
        func printed(_ anchor: String, _ offset: Interval) -> String {
            if offset == .zero { return anchor }
            return offset < .zero ? "\(anchor)-\(offset.negated.iso8601)" : "\(anchor)+\(offset.iso8601)"
        }
        return switch self {
        case .at(let instant): instant.iso8601(.microseconds)
        case .sinceT0(let offset): printed("T0", offset)
        case .sinceD0(let offset): printed("D0", offset)
        }
    }
}

extension Timestamp: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.cut)\" is not a time: write T0-PT2H, D0+P1D or an ISO 8601 instant"
            )
        }
        self = value
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Timestamp: JSONSchemaDescribing {
    /// The schema of the text form, which only this type can check in full.
    public static var jsonSchema: JSONSchema { .string(format: "date-time") }
}
