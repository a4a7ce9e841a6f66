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
        case events(StubEvents)

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
            case .events(let events): return .events(events.settled)
            }
        }

        /// The measures of its templates.
        var load: TemplateLoad {
            switch self {
            case .none: TemplateLoad()
            // It may be held against the API's document, which takes as long as filling it.
            case .bytes(let bytes), .contents(let bytes, _): TemplateLoad(settled: bytes.count)
            case .json(let template), .text(let template): template.load
            case .events(let events): events.load
            }
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
    private static let contents = ["body", "text", "base64", "file", "events"]
    /// The words for the end of each line of a stream.
    package static let lineEnds = StubEvents.LineEnd.allCases.map(\.rawValue)
    /// The members that an answer of a fault does not have.
    static let ownMembers = ["file", "events", "delay"] + StubEvents.companions

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
        for name in StubEvents.companions where check.present(name) != nil && !given.contains("events") {
            check.fault(name, "needs events")
        }
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
            return (.events(StubEvents.read(&check, template)), "text/event-stream")
        }
    }

    static func limit(_ length: Int, _ name: String, _ check: inout BodyCheck) {
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

    /// Tells whether anything is to be filled in.
    package var hasPlaceholders: Bool { load.placeholders > 0 }

    // MARK: Filling

    /// Returns the answer to a request with its placeholders filled; nil if it would be too large.
    package func filled(
        from values: inout some TemplateValues,
        for request: RequestHead,
        delayed: Interval
    ) -> Response? {
        var budget = TemplateBudget()
        let lastID = request.fields.contains(.lastEventID) ? request.fields[.lastEventID] : nil
        var response = Response(status: status)
        // Room for the usual lines, and for the id that every response gets.
        response.fields.reserve(bytes: 256, lines: 8)
        if isContentFirst { response.body = filledContent(after: lastID, &values, &budget) }
        for field in fields {
            guard let value = field.value.filledHeader(from: &values, &budget) else { continue }
            response.fields.append(field.name, value)
        }
        if let mediaType { response.fields.append(.contentType, mediaType) }
        if !isContentFirst { response.body = filledContent(after: lastID, &values, &budget) }
        if case .contents(_, let tag) = content {
            select(&response, tag)
        } else {
            guard !budget.isSpent, response.body.content.count <= Self.largestContent else { return nil }
        }
        if case .events = content, response.body == .empty {
            // The client has had them all, and would ask again after any other status (HTML, section 9.2.3).
            response.status = .noContent
            response.fields.remove(.contentType)
        }
        return response.delayed(by: delayed, .either)
    }

    /// Lets a response take conditions and ranges, unless the stub makes a response of its own of it.
    private func select(_ response: inout Response, _ tag: String) {
        guard status == .ok, !response.fields.contains(.acceptRanges), !response.fields.contains(.contentRange),
            !response.hasEvents
        else { return }
        if !response.fields.contains(.eTag), !response.fields.contains(.lastModified) {
            response.fields.append(.eTag, tag)
        }
        response.selection = .ranges
    }

    /// Returns the content; none where the request has had all events of it.
    private func filledContent(
        after lastID: String?,
        _ values: inout some TemplateValues,
        _ budget: inout TemplateBudget
    ) -> Response.Body {
        switch content {
        case .none: return .empty
        case .bytes(let bytes), .contents(let bytes, _): return .bytes(bytes)
        case .json(let template):
            let json = template.filled(from: &values, &budget) ?? .null
            return budget.isSpent ? .empty : .bytes(json.serialized())
        case .text(let template):
            return .bytes(Array(template.filledText(from: &values, &budget).utf8))
        case .events(let events):
            return events.steps(after: lastID, &values, &budget).map { .steps($0) } ?? .empty
        }
    }
}
