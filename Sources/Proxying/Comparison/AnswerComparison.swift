import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON
package import Recording
import Secrets

/// Compares an emulated response with a real one, field by field.
///
/// Values that differ by nature are equal: dates, identifiers, credentials, and everything that the rules exclude.
package struct AnswerComparison: Sendable {
    /// The maximum number of differences of one pair of responses.
    private static let limit = 100
    /// The number of elements of an array that are compared.
    private static let elements = 50

    private let rules: MatchRules
    private let redactor: Redactor?
    private var found: [AnswerDifference] = []

    private init(_ rules: MatchRules, _ redactor: Redactor?) {
        self.rules = rules
        self.redactor = redactor
    }

    /// Returns the differences; their values are redacted when there is a redactor.
    package static func differences(
        emulated: ComparedAnswer,
        upstream: ComparedAnswer,
        rules: MatchRules = MatchRules(),
        redactor: Redactor? = nil
    ) -> [AnswerDifference] {
        var comparison = AnswerComparison(rules, redactor)
        comparison.compare(emulated, upstream)
        return comparison.found
    }

    private mutating func note(
        _ path: String,
        _ emulated: JSON?,
        _ upstream: JSON?,
        _ severity: AnswerDifference.Severity,
        under name: String = ""
    ) {
        guard found.count < Self.limit else { return }
        found.append(
            AnswerDifference(
                path: path,
                emulated: emulated.map { shown($0, name) },
                upstream: upstream.map { shown($0, name) },
                severity: severity
            )
        )
    }

    /// Returns a value as it may be kept.
    private func shown(_ json: JSON, _ name: String) -> JSON {
        guard let redactor else { return json }
        let bytes = JSONRedactor.redacted(json.serialized(), by: redactor, under: name)
        return (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512))) ?? .null
    }

    private mutating func compare(_ emulated: ComparedAnswer, _ upstream: ComparedAnswer) {
        if emulated.status != upstream.status {
            note("status", .integer(Int64(emulated.status)), .integer(Int64(upstream.status)), .breaking)
        }
        headers(emulated, upstream)
        guard !rules.ignoresBody else { return }
        if emulated.contentType == "text/event-stream", upstream.contentType == emulated.contentType {
            value(Self.events(emulated.body), Self.events(upstream.body), "$", "", [])
            return
        }
        let options = JSONReader.Options(maxDepth: 512, allowBOM: true)
        let left = try? JSONReader.read(emulated.body, options: options)
        let right = try? JSONReader.read(upstream.body, options: options)
        switch (left, right) {
        case (let left?, let right?): value(left, right, "$", "", [])
        case (nil, nil): bytes(emulated.body, upstream.body)
        case (let left?, nil):
            note("$", .string(left.typeName), upstream.body.isEmpty ? nil : "no JSON", .breaking)
        case (nil, let right?):
            note("$", emulated.body.isEmpty ? nil : "no JSON", .string(right.typeName), .additive)
        }
    }

    private mutating func bytes(_ left: [UInt8], _ right: [UInt8]) {
        guard left != right else { return }
        let severity: AnswerDifference.Severity =
            left.isEmpty == right.isEmpty ? .value : left.isEmpty ? .additive : .breaking
        note("$", .string(Self.size(left)), .string(Self.size(right)), severity)
    }

    private static func size(_ bytes: [UInt8]) -> String { bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }

    // MARK: Header fields

    /// Fields that describe the connection, the time or the machine.
    private static let incidental: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "date", "server", "via",
        "x-request-id", "etag", "last-modified", "expires", "age", "set-cookie", "vary", "alt-svc", "report-to", "nel",
        "x-powered-by", "accept-ranges", "x-cache", "cf-ray", "x-runtime", "traceparent", "strict-transport-security",
    ]

    private mutating func headers(_ emulated: ComparedAnswer, _ upstream: ComparedAnswer) {
        if emulated.contentType != upstream.contentType, !rules.headers.contains("content-type") {
            note(
                "headers.content-type",
                .string(emulated.contentType),
                .string(upstream.contentType),
                emulated.contentType.isEmpty ? .additive : .breaking
            )
        }
        var seen: Set<String> = ["content-type"]
        for pair in emulated.headers + upstream.headers {
            let name = pair.name.lowercased()
            guard seen.insert(name).inserted, !Self.incidental.contains(name), !rules.headers.contains(name),
                !name.hasPrefix("x-ratelimit")
            else { continue }
            let left = emulated.headers.filter { $0.name.lowercased() == name }.map(\.value).joined(separator: ", ")
            let right = upstream.headers.filter { $0.name.lowercased() == name }.map(\.value).joined(separator: ", ")
            guard left != right else { continue }
            let has = (emulated.headers.value(name) != nil, upstream.headers.value(name) != nil)
            note(
                "headers.\(name)",
                has.0 ? .string(redactor?.header(name, left) ?? left) : nil,
                has.1 ? .string(redactor?.header(name, right) ?? right) : nil,
                has.0 ? .value : .additive
            )
        }
    }

    // MARK: Bodies

    /// Returns the first event of each kind, as members of one object.
    private static func events(_ body: [UInt8]) -> JSON {
        var parser = EventStreamParser()
        var object = JSONObject()
        for event in parser.feed(body[...]) {
            let data = (try? JSONReader.read(text: event.data)) ?? .string(event.data)
            let kind = data["type"]?.stringValue ?? (data.objectValue == nil ? event.data : event.type)
            if object[kind] == nil, object.count < 100 { object.append(kind, data) }
        }
        return .object(object)
    }

    private mutating func value(_ left: JSON, _ right: JSON, _ path: String, _ name: String, _ names: [String]) {
        let (left, right) = (NumberText.of(left), NumberText.of(right))
        guard left != right, found.count < Self.limit, names.isEmpty || !rules.body.contains(names) else { return }
        switch (left, right) {
        case (.object(let left), .object(let right)): object(left, right, path, names)
        case (.array(let left), .array(let right)):
            for (place, pair) in zip(left, right).prefix(Self.elements).enumerated() {
                value(pair.0, pair.1, "\(path)[\(place)]", name, names)
            }
            if left.count != right.count {
                note("\(path).length", .integer(Int64(left.count)), .integer(Int64(right.count)), .value)
            }
        case (.null, _): note(path, left, right, .additive, under: name)
        case (_, .null): note(path, left, right, .breaking, under: name)
        default:
            guard left.typeName == right.typeName else {
                note(path, left, right, .breaking, under: name)
                return
            }
            if !Self.variesByNature(left, right, name) { note(path, left, right, .value, under: name) }
        }
    }

    private mutating func object(_ left: JSONObject, _ right: JSONObject, _ path: String, _ names: [String]) {
        for member in left.members {
            let inner = path + [JSONPathElement.key(member.name)].formattedJSONPath.dropFirst()
            let deeper = names + [member.name]
            guard let other = right[member.name] else {
                if !rules.body.contains(deeper) { note(inner, member.value, nil, .breaking, under: member.name) }
                continue
            }
            value(member.value, other, inner, member.name, deeper)
        }
        for member in right.members where left[member.name] == nil && !rules.body.contains(names + [member.name]) {
            let inner = path + [JSONPathElement.key(member.name)].formattedJSONPath.dropFirst()
            note(inner, nil, member.value, .additive, under: member.name)
        }
    }

    /// Returns true if two values of one type under a name are expected to differ.
    private static func variesByNature(_ left: JSON, _ right: JSON, _ name: String) -> Bool {
        if SecretNames.kind(of: name) != nil || VolatileNames.contains(name) { return true }
        if name == "id" || name == "uuid" || name == "cursor" || name.hasSuffix("Id") || name.hasSuffix("ID")
            || name.hasSuffix("_id") || name.hasSuffix("Cursor")
        {
            return true
        }
        if let left = left.stringValue, let right = right.stringValue {
            if Fingerprinter.timeKind(left) != nil, Fingerprinter.timeKind(right) != nil { return true }
            return RedactionMark.begins(left) || RedactionMark.begins(right)
        }
        return DateShift.isTime(left, under: name) && DateShift.isTime(right, under: name)
    }
}
