package import CivilTime
package import JSON

/// The value that a placeholder stands for.
package enum TemplateValue: Hashable, Sendable {
    case json(JSON)
    /// A time, told to the second unless a filter says otherwise.
    case time(Instant)
    /// A day, told as a date.
    case day(Instant)

    /// A text.
    package static func text(_ text: String) -> TemplateValue { .json(.string(text)) }

    /// The value as JSON.
    package var json: JSON {
        switch self {
        case .json(let json): json
        case .time(let instant): .string(instant.iso8601(.seconds))
        case .day(let instant): .string(instant.isoDay)
        }
    }

    /// The value spelled out: a text as it is, everything else as compact JSON.
    package var text: String {
        let json = json
        return json.stringValue ?? json.text
    }
}

/// The source of what placeholders stand for.
///
/// A template asks for the values from left to right, in the order of the members, and for each placeholder once. So a
/// source may count, and take from a stream of random numbers.
package protocol TemplateValues {
    /// The world's present.
    var now: Instant { get }
    /// The instant at which the world began, and the start of that day.
    var anchors: (start: Instant, day: Instant) { get }

    /// The value of a placeholder that is not a time; nil if there is none.
    mutating func value(of placeholder: Placeholder) -> JSON?
}

extension TemplateValues {
    /// The value of any placeholder.
    mutating func found(_ placeholder: Placeholder) -> TemplateValue? {
        guard case .time(let anchor, let duration) = placeholder else {
            return value(of: placeholder).map { .json($0) }
        }
        let start =
            switch anchor {
            case .now: now
            case .start: anchors.start
            case .day: anchors.day
            }
        let moved = duration.map { start + $0 } ?? start
        // A day that is moved by whole days is a day.
        return anchor == .day && moved == moved.flooredToDay ? .day(moved) : .time(moved)
    }
}

extension JSON {
    /// The part to which a path leads.
    package func part(at path: some Sequence<JSONPathElement>) -> JSON? {
        var part = self
        for element in path {
            let inner =
                switch element {
                case .key(let name): part[name]
                case .index(let index): part[index]
                }
            guard let inner else { return nil }
            part = inner
        }
        return part
    }
}
