import Backend
package import CivilTime
import Crypto
package import HTTPMessage
import JSON
package import Templates

/// One answer of a stub (own-API contract, section 7).
package struct StubResponse: Sendable {
    /// The content of an answer.
    enum Content: Sendable {
        case none
        case json(Template)
        case text(Template)
        case bytes([UInt8])
        /// Content of a file or of `base64`, with its tag: it takes conditions and ranges.
        case contents([UInt8], tag: String)
        case events([Event])

        /// The content as it is sent, where it is the same for each request.
        var settled: Content {
            var values = NoTemplateValues()
            var budget = TemplateBudget()
            switch self {
            case .none, .bytes, .contents: return self
            case .json(let template):
                guard template.placeholders == 0 else { return self }
                return .bytes((template.filled(from: &values, &budget) ?? .null).serialized())
            case .text(let template):
                guard template.placeholders == 0 else { return self }
                return .bytes(Array(template.filledText(from: &values, &budget).utf8))
            case .events(let events):
                return .events(
                    events.map { event in
                        guard event.load.placeholders == 0 else { return event }
                        var (event, budget) = (event, TemplateBudget())
                        event.spelled = StubResponse.spelled(event, &values, &budget)
                        return event
                    }
                )
            }
        }

        /// The measures of its templates.
        var load: TemplateLoad {
            switch self {
            case .none: TemplateLoad()
            // It may be held against the API's document, which takes as long as filling it.
            case .bytes(let bytes), .contents(let bytes, _): TemplateLoad(settled: bytes.count)
            case .json(let template), .text(let template): template.load
            case .events(let events): events.reduce(TemplateLoad()) { $0 + $1.load }
            }
        }
    }

    /// A server-sent event.
    struct Event: Sendable {
        let event: Template?
        let id: Template?
        let data: Template
        /// The wait after the event before it.
        let after: Interval
        /// The event as it is sent, where it is the same for each request.
        fileprivate(set) var spelled: [UInt8]?

        /// The measures of its templates; an event that is spelled already takes as long as some bytes.
        fileprivate var load: TemplateLoad {
            var step = TemplateLoad()
            step.bytes = 16
            guard spelled == nil else { return step }
            return [event, id, data].reduce(step) { $0 + ($1?.load ?? TemplateLoad()) }
        }
    }

    package let status: Status
    let fields: [(name: FieldName, value: Template)]
    let content: Content
    /// The media type where no field names one.
    let mediaType: String?
    package let delay: DelayDistribution?
    /// Tells whether the content is written before the fields, and so is filled first.
    let isContentFirst: Bool
    /// The measures of the templates.
    let load: TemplateLoad

    /// The maximum length of content in bytes (own-API contract, section 22).
    package static let largestContent = 8 << 20
    /// The maximum length of a file (wire contract, section 1).
    package static let largestFile = 64 << 20
    private static let mostEvents = 10_000
    private static let contents = ["body", "text", "base64", "file", "events"]
    /// The members that an answer of a fault does not have.
    static let ownMembers = ["file", "events", "delay"]

    // MARK: Reading

    /// Reads an answer; mistakes are noted in `check`.
    static func read(
        _ check: inout BodyCheck,
        _ source: JSONObject,
        names: TemplateNames,
        _ context: StubContext
    ) -> StubResponse {
        let status = Status(Int(check.integer("status", in: AnswerRules.statuses) ?? 200))
        let isTemplate = check.boolean("template") ?? true
        var reader = TemplateReader(names: names)
        func template(_ json: JSON, _ path: [JSONPathElement]) -> Template {
            isTemplate ? reader.read(json, at: path) : Template(constant: json)
        }
        let lines = AnswerRules.lines(&check)
        let isContentFirst = Self.isContentFirst(source)
        let delay = check.inner("delay", DelayDistribution.read)
        let given = contents.filter { check.present($0) != nil }
        if given.count > 1 { check.fault("must have at most one of \(contents.joined(separator: ", "))") }
        var content = Content.none
        var mediaType: String?
        if let form = given.first, given.count == 1 {
            if AnswerRules.forbidsContent(status) { check.fault(form, "a \(status.code) has no content") }
            (content, mediaType) = read(form, &check, context, template)
        }
        content = content.settled
        let fields = lines.map { line in (name: line.name, value: template(.string(line.value), line.path)) }
        for problem in reader.problems {
            let place = problem.path.formattedJSONPath.dropFirst(2)
            check.fault(String(place), problem.reason)
        }
        return StubResponse(
            status: status,
            fields: fields,
            content: content,
            mediaType: fields.contains { $0.name == .contentType } ? nil : mediaType,
            delay: delay,
            isContentFirst: isContentFirst,
            load: fields.reduce(content.load) { $0 + $1.value.load }
        )
    }

    private static func isContentFirst(_ source: JSONObject) -> Bool {
        guard let headers = source.members.firstIndex(where: { $0.name == "headers" }),
            let content = source.members.firstIndex(where: { contents.contains($0.name) })
        else { return false }
        return content < headers
    }

    private static func read(
        _ form: String,
        _ check: inout BodyCheck,
        _ context: StubContext,
        _ template: (JSON, [JSONPathElement]) -> Template
    ) -> (Content, String?) {
        let none = (Content.none, nil as String?)
        switch form {
        case "body":
            guard let json = check.present("body") else { return none }
            limit(json.text(upTo: largestContent).utf8.count, "body", &check)
            return (.json(template(json, ["body"])), "application/json")
        case "text":
            guard let text = check.string("text") else { return none }
            limit(text.utf8.count, "text", &check)
            return (.text(template(.string(text), ["text"])), "text/plain; charset=utf-8")
        case "base64":
            guard let text = check.string("base64") else { return none }
            guard let bytes = Base64.decode(text.utf8) else {
                check.fault("base64", "is not base64 with padding (RFC 4648 section 4)")
                return none
            }
            limit(bytes.count, "base64", &check)
            return (.contents(bytes, tag: ContentTag.over(bytes)), "application/octet-stream")
        case "file":
            guard let path = check.requiredString("file") else { return none }
            guard let bytes = file(path, &check, context) else { return none }
            if bytes.count > largestFile { check.fault("file", "must have at most \(largestFile) bytes") }
            return (.contents(bytes, tag: ContentTag.over(bytes)), AnswerRules.mediaType(ofFile: path))
        default:
            return (.events(events(&check, template)), "text/event-stream")
        }
    }

    private static func limit(_ length: Int, _ name: String, _ check: inout BodyCheck) {
        if length > largestContent { check.fault(name, "must be at most \(largestContent) bytes") }
    }

    private static func file(_ path: String, _ check: inout BodyCheck, _ context: StubContext) -> [UInt8]? {
        guard context.hasFiles else {
            check.fault("file", "the API \(context.api) has no folder with files")
            return nil
        }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.hasPrefix("/"), segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            check.fault("file", "must be a path below files/, without . and ..")
            return nil
        }
        guard let bytes = context.file(path) else {
            check.fault("file", "there is no such file in the API's files/")
            return nil
        }
        return bytes
    }

    private static func events(
        _ check: inout BodyCheck,
        _ template: (JSON, [JSONPathElement]) -> Template
    ) -> [Event] {
        guard let list = check.present("events")?.arrayValue else {
            check.fault("events", "must be a list of events")
            return []
        }
        guard list.count <= mostEvents else {
            check.fault("events", "must have at most \(mostEvents) events")
            return []
        }
        limit(JSON.array(list).text(upTo: largestContent).utf8.count, "events", &check)
        var events: [Event] = []
        for (place, item) in list.enumerated() {
            guard let object = item.objectValue else {
                check.fault("events[\(place)]", "must be an object")
                continue
            }
            var inner = BodyCheck(object, at: "\(check.path).events[\(place)]")
            let path: [JSONPathElement] = ["events", .index(place)]
            let name = inner.string("event").map { template(.string($0), path + ["event"]) }
            let id = inner.string("id").map { template(.string($0), path + ["id"]) }
            let after = inner.number("afterMs", in: 0...DelayDistribution.longest) ?? 0
            if let data = inner.present("data") {
                events.append(
                    Event(
                        event: name,
                        id: id,
                        data: template(data, path + ["data"]),
                        after: .microseconds(Int64((after * 1_000).rounded()))
                    )
                )
            } else {
                inner.fault("data", "is required")
            }
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return events
    }

    /// Tells whether anything is to be filled in.
    package var hasPlaceholders: Bool { load.placeholders > 0 }

    // MARK: Filling

    /// Returns the answer with its placeholders filled; nil if it would be too large.
    package func filled(from values: inout some TemplateValues, delayed: Interval) -> Response? {
        var budget = TemplateBudget()
        var response = Response(status: status)
        // Room for the usual lines, and for the id that every response gets.
        response.fields.reserve(bytes: 256, lines: 8)
        if isContentFirst { response.body = filledContent(&values, &budget) }
        for field in fields {
            guard let value = field.value.filledHeader(from: &values, &budget) else { continue }
            response.fields.append(field.name, value)
        }
        if let mediaType { response.fields.append(.contentType, mediaType) }
        if !isContentFirst { response.body = filledContent(&values, &budget) }
        if case .contents(_, let tag) = content {
            select(&response, tag)
        } else {
            guard !budget.isSpent, response.body.content.count <= Self.largestContent else { return nil }
        }
        return response.delayed(by: delayed, .either)
    }

    /// Lets a response take conditions and ranges, unless the stub makes a response of its own of it.
    private func select(_ response: inout Response, _ tag: String) {
        guard status == .ok, !response.fields.contains(.acceptRanges), !response.fields.contains(.contentRange) else {
            return
        }
        if !response.fields.contains(.eTag), !response.fields.contains(.lastModified) {
            response.fields.append(.eTag, tag)
        }
        response.selection = .ranges
    }

    private func filledContent(_ values: inout some TemplateValues, _ budget: inout TemplateBudget) -> Response.Body {
        switch content {
        case .none: return .empty
        case .bytes(let bytes), .contents(let bytes, _): return .bytes(bytes)
        case .json(let template):
            let json = template.filled(from: &values, &budget) ?? .null
            return budget.isSpent ? .empty : .bytes(json.serialized())
        case .text(let template):
            return .bytes(Array(template.filledText(from: &values, &budget).utf8))
        case .events(let events):
            var steps: [Step] = []
            for event in events {
                if event.after > .zero { steps.append(.wait(event.after, .either)) }
                steps.append(.bytes(event.spelled ?? Self.spelled(event, &values, &budget)))
                if budget.isSpent { break }
            }
            return .steps(steps + [.end])
        }
    }

    /// Returns an event as it is sent.
    fileprivate static func spelled(
        _ event: Event,
        _ values: inout some TemplateValues,
        _ budget: inout TemplateBudget
    ) -> [UInt8] {
        var text = ""
        if let name = event.event?.filledHeader(from: &values, &budget) { text += "event: \(name)\n" }
        if let id = event.id?.filledHeader(from: &values, &budget) { text += "id: \(id)\n" }
        let data = event.data.filledText(from: &values, &budget)
        // Each line end that a text may have begins a line of its own (HTML, section 9.2.6).
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in data.unicodeScalars {
            if scalar == "\n" && previous == "\r" {
                previous = scalar
                continue
            }
            previous = scalar
            if scalar == "\n" || scalar == "\r" {
                text += "data: \(String(line))\n"
                line = String.UnicodeScalarView()
            } else {
                line.append(scalar)
            }
        }
        return Array("\(text)data: \(String(line))\n\n".utf8)
    }
}
