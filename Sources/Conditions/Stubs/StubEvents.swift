import Backend
import CivilTime
import HTTPMessage
import JSON
import Templates

/// The events of a stub's answer (own-API contract, section 7; wire contract, section 9).
struct StubEvents: Sendable {
    /// A server-sent event, or lines between events.
    struct Event: Sendable {
        let event: Template?
        let id: Template?
        let data: Template?
        let comment: Template?
        /// The milliseconds after which a client connects again.
        let retry: Int?
        /// The wait after the event before it.
        let after: Interval
        /// The event as it is sent, where it is the same for each request.
        fileprivate var settled: Spelled?

        /// The measures of its templates; an event that is spelled already takes as long as some bytes.
        fileprivate var load: TemplateLoad {
            var step = TemplateLoad()
            step.bytes = 16
            guard settled == nil else { return step }
            return [comment, event, id, data].reduce(step) { $0 + ($1?.load ?? TemplateLoad()) }
        }
    }

    /// An event as it is sent.
    fileprivate struct Spelled: Sendable {
        let id: String?
        let bytes: [UInt8]
    }

    /// The end of each line.
    enum LineEnd: String, CaseIterable, Sendable {
        case lf
        case crlf
        case cr

        fileprivate var text: String {
            switch self {
            case .lf: "\n"
            case .crlf: "\r\n"
            case .cr: "\r"
            }
        }
    }

    private var events: [Event] = []
    private var lineEnd = LineEnd.lf
    private var hasBOM = false
    /// Tells whether a client that names the last event it has gets those that follow.
    private var resumes = true

    private static let mostEvents = 10_000
    /// The members of an answer that belong to its events.
    static let companions = ["lineEnd", "bom", "resume"]

    // MARK: Reading

    /// Reads `events`, and the members that belong to it; mistakes are noted in `check`.
    static func read(
        _ check: inout BodyCheck,
        _ template: (JSON, [JSONPathElement]) -> Template
    ) -> StubEvents {
        var read = StubEvents()
        read.lineEnd = check.choice("lineEnd", LineEnd.self) ?? .lf
        read.hasBOM = check.boolean("bom") ?? false
        read.resumes = check.boolean("resume") ?? true
        guard let list = check.present("events")?.arrayValue else {
            check.fault("events", "must be a list of events")
            return read
        }
        guard list.count <= mostEvents else {
            check.fault("events", "must have at most \(mostEvents) events")
            return read
        }
        StubResponse.limit(JSON.array(list).text(upTo: StubResponse.largestContent).utf8.count, "events", &check)
        for (place, item) in list.enumerated() {
            guard let object = item.objectValue else {
                check.fault("events[\(place)]", "must be an object")
                continue
            }
            var inner = BodyCheck(object, at: "\(check.path).events[\(place)]")
            read.events.append(event(&inner) { template($0, ["events", .index(place), .key($1)]) })
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return read
    }

    private static func event(_ check: inout BodyCheck, _ template: (JSON, String) -> Template) -> Event {
        func text(_ name: String) -> Template? { check.string(name).map { template(.string($0), name) } }
        let (name, id) = (text("event"), text("id"))
        let data = check.present("data").map { template($0, "data") }
        let comment = text("comment")
        let retry = check.count("retry", in: EffectNumbers.milliseconds)
        // A client takes no notice of a type without data.
        if data == nil, name != nil || check.value("comment") == nil && check.value("retry") == nil {
            check.fault("data", "is required" + (name == nil ? ", or retry or comment" : ""))
        }
        let after = check.number("afterMs", in: 0...DelayDistribution.longest) ?? 0
        return Event(
            event: name,
            id: id,
            data: data,
            comment: comment,
            retry: retry,
            after: .microseconds(Int64((after * 1_000).rounded()))
        )
    }

    // MARK: Measuring

    /// The same, with the events spelled that are the same for each request.
    var settled: StubEvents {
        var copy = self
        copy.events = events.map { event in
            guard event.load.placeholders == 0 else { return event }
            var (event, values, budget) = (event, NoTemplateValues(), TemplateBudget())
            event.settled = spelled(event, &values, &budget)
            return event
        }
        return copy
    }

    /// The measures of the templates.
    var load: TemplateLoad { events.reduce(TemplateLoad()) { $0 + $1.load } }

    // MARK: Writing

    /// Returns the events that follow the one with an id, or all if none has it; nil if nothing follows.
    func steps(
        after lastID: String?,
        _ values: inout some TemplateValues,
        _ budget: inout TemplateBudget
    ) -> [Step]? {
        let wanted = resumes ? lastID.map { Array($0.utf8) } : nil
        var steps: [Step] = []
        var isResumed = false
        for event in events {
            let spelled = event.settled ?? spelled(event, &values, &budget)
            if let wanted, !wanted.isEmpty, spelled.id.map({ Array($0.utf8) }) == wanted {
                isResumed = true
                steps = []
                continue
            }
            if event.after > .zero { steps.append(.wait(event.after, .either)) }
            steps.append(.bytes(spelled.bytes))
            if budget.isSpent { break }
        }
        if isResumed, steps.isEmpty { return nil }
        return (hasBOM ? [.bytes([0xEF, 0xBB, 0xBF])] : []) + steps + [.end]
    }

    private func spelled(
        _ event: Event,
        _ values: inout some TemplateValues,
        _ budget: inout TemplateBudget
    ) -> Spelled {
        let end = lineEnd.text
        var text = ""
        if let comment = event.comment?.filledText(from: &values, &budget) {
            for line in Self.lines(comment) { text += (line.isEmpty ? ":" : ": \(line)") + end }
        }
        if let name = event.event?.filledHeader(from: &values, &budget) { text += "event: \(name)\(end)" }
        let id = event.id?.filledHeader(from: &values, &budget)
        if let id { text += "id: \(id)\(end)" }
        if let retry = event.retry { text += "retry: \(retry)\(end)" }
        if let data = event.data?.filledText(from: &values, &budget) {
            for line in Self.lines(data) { text += "data: \(line)\(end)" }
        }
        return Spelled(id: id, bytes: Array((text + end).utf8))
    }

    /// Returns the lines of a text: each line end that a text may have begins one (HTML, section 9.2.6).
    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\n" && previous == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(String(line))
                line = String.UnicodeScalarView()
            } else {
                line.append(scalar)
            }
        }
        return lines + [String(line)]
    }
}
