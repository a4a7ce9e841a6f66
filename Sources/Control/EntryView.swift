import Backend
import CivilTime
import Conditions
import Crypto
import HTTPMessage
import JSON
import Journal

/// A form in which entries of the journal are listed: members in their order, each with its schema and its value.
struct EntryView: Sendable {
    struct Member: Sendable {
        let name: String
        let schema: JSONSchema
        /// Tells whether every entry has it.
        let isRequired: Bool
        /// Tells whether its value has the digest of content.
        let needsDigest: Bool
        /// Returns the value; nil where the entry has none.
        let value: @Sendable (JournalEntry) -> JSON?

        init(
            _ name: String,
            _ schema: JSONSchema,
            isRequired: Bool = true,
            needsDigest: Bool = false,
            _ value: @escaping @Sendable (JournalEntry) -> JSON?
        ) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
            self.needsDigest = needsDigest
            self.value = value
        }
    }

    let members: [Member]

    /// The members that are there whatever was selected.
    private static let fixed: Set<String> = ["id", "seq"]

    var names: [String] { members.map(\.name) }
    var needsDigests: Bool { members.contains(where: \.needsDigest) }

    func json(_ entry: JournalEntry) -> JSON {
        var object = JSONObject()
        for member in members {
            if let value = member.value(entry) { object.append(member.name, value) }
        }
        return .object(object)
    }

    /// The schema of an entry.
    var schema: JSONSchema {
        Schemas.object(
            members.filter(\.isRequired).map { ($0.name, $0.schema) },
            optional: members.filter { !$0.isRequired }.map { ($0.name, $0.schema) }
        )
    }

    /// Returns the view with the members of a list such as `status,path` alone, in its own order.
    func selecting(_ text: String) throws(Problem) -> EntryView {
        let wanted = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = names
        for name in wanted where !names.contains(name) {
            throw Problem(
                .invalidParameter,
                "?fields= names the unknown member \"\(name.cut)\"." + Suggestion.question(to: name, among: names),
                items: [
                    Problem.Item(
                        path: "?fields",
                        reason: "unknown member \"\(name.cut)\"; allowed: \(names.joined(separator: ", "))"
                    )
                ]
            )
        }
        return EntryView(members: members.filter { Self.fixed.contains($0.name) || wanted.contains($0.name) })
    }
}

// MARK: The views

extension EntryView {
    private static let instant = Schemas.instant
    private static let count = JSONSchema.integer(minimum: 0)
    private static let timings = Schemas.object([
        ("receive", .number), ("handle", .number), ("wait", .number), ("send", .number),
    ])
    private static let outcomes = JSONSchema.string(enumeration: ["delivered", "interrupted", "cut", "held"])

    /// The entry with everything that the journal keeps (control contract, section 11; console contract, section 2).
    static let whole = EntryView(members: [
        Member("id", .string()) { .string($0.id) },
        Member("seq", .integer()) { .integer(Int64(clamping: $0.seq)) },
        Member("at", instant) { .string($0.at.iso8601(.milliseconds)) },
        Member("wallAt", instant) { .string($0.wallAt.iso8601(.milliseconds)) },
        Member("startedAt", instant) { .string($0.startedAt.iso8601(.microseconds)) },
        Member("endedAt", instant, isRequired: false) { $0.endedAt.map { .string($0.iso8601(.microseconds)) } },
        Member("peer", .string(), isRequired: false) { $0.peer.map { .string($0) } },
        Member("connection", count, isRequired: false) {
            $0.connection > 0 ? .integer(Int64(clamping: $0.connection)) : nil
        },
        Member("reused", .boolean, isRequired: false) { $0.isOnReused ? true : nil },
        Member("world", .string()) { .string($0.world) },
        Member("api", .string()) { .string($0.api) },
        Member("route", .nullable(.string())) { $0.route.map { .string($0) } ?? .null },
        Member("source", .string(enumeration: AnswerSource.allCases.map(\.rawValue)), isRequired: false) {
            $0.source.map { .string($0.rawValue) }
        },
        Member("stub", .string(), isRequired: false) { $0.stub.map { .string($0) } },
        Member("answeredBy", .string(), isRequired: false) { $0.answeredBy.map { .string($0) } },
        Member("nearestStub", .string(), isRequired: false) { $0.nearestStub.map { .string($0) } },
        Member("user", .string(), isRequired: false) { $0.user.map { .string($0.label) } },
        Member("method", .string()) { .string($0.method.rawValue) },
        Member("path", .string()) { .string($0.path) },
        Member("pathSent", .string(), isRequired: false) { $0.way?.path.map { .string($0) } },
        Member("query", .string()) { .string($0.query ?? "") },
        Member("headers", Schemas.pairs) { pairs($0.headers) },
        Member("body", Schemas.content, needsDigest: true) { content($0.body, declared: $0.declaredLength) },
        Member("status", .integer()) { .integer(Int64($0.status.code)) },
        Member("responseHeaders", Schemas.pairs) { pairs($0.sentFields) },
        Member("responseBody", Schemas.content, needsDigest: true) { content($0.responseBody) },
        Member("timings", timings) { $0.timings.json },
        Member("fault", Schemas.entryFault, isRequired: false) { $0.fault?.json },
        Member("scenario", .string(), isRequired: false) { $0.scenario.map { .string($0) } },
        // A response that has not ended is being held.
        Member("outcome", outcomes) { .string(($0.outcome ?? .held).rawValue) },
        Member(
            "differences",
            .array(Schemas.object([("path", .string())], optional: [("emulated", .any), ("upstream", .any)])),
            isRequired: false
        ) { $0.differences.map { .array($0) } },
        Member(
            "translated",
            .array(Schemas.object([("path", .string()), ("emulated", .string()), ("upstream", .string())])),
            isRequired: false
        ) { $0.translated.map { .array($0) } },
        Member(
            "violations",
            .array(Schemas.object([("path", .string()), ("reason", .string())])),
            isRequired: false
        ) { $0.violations.map { .array($0) } },
        Member("decisions", .array(Schemas.decision), isRequired: false) { entry in
            guard !entry.decisions.isEmpty else { return nil }
            return .array(entry.decisions.map(\.decisionJSON))
        },
        Member("gate", .string(), isRequired: false) { $0.gate.map { .string($0) } },
        Member("replayOf", .string(), isRequired: false) { $0.replayOf.map { .string($0) } },
        Member("via", .string(enumeration: ["proxy"]), isRequired: false) { $0.way?.origin.map { _ in "proxy" } },
        Member("origin", .string(), isRequired: false) { $0.way?.origin.map { .string($0) } },
        Member("transport", Schemas.transport, isRequired: false) { $0.transport?.json },
    ])

    /// The line of an entry: no header and no body (console contract, section 1).
    static let line = EntryView(
        members: JournalLine.members.map { member in
            Member(member.name, lineSchema(member.name), isRequired: member.isRequired) {
                member.value(JournalLine($0))
            }
        }
    )

    /// Returns the schema of a member of the line, most of which the whole entry has too.
    private static func lineSchema(_ name: String) -> JSONSchema {
        switch name {
        case "ms": .number
        case "requestBytes", "responseBytes", "violations": count
        case "fault": .string()
        default: whole.members.first { $0.name == name }?.schema ?? .any
        }
    }

    private static func pairs(_ fields: Fields) -> JSON {
        .array(fields.pairs.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func content(_ body: JournalEntry.Body, declared: Int? = nil) -> JSON {
        var object: JSONObject = ["bytes": .integer(Int64(body.length))]
        if let declared { object.append("declared", .integer(Int64(declared))) }
        // The digest of truncated content is unknown, unless it was computed before.
        if let digest = body.digest ?? (body.isTruncated ? nil : SHA256.digest(body.kept)) {
            object.append("sha256", .string(Hex.encode(digest)))
        }
        if let text = String(validating: body.kept, as: UTF8.self) {
            object.append("text", .string(text))
        } else {
            object.append("base64", .string(Base64.encode(body.kept)))
        }
        if body.isTruncated { object.append("truncated", true) }
        if let coded = body.coded {
            object.append("coding", .string(coded.coding))
            object.append("codedBytes", .integer(Int64(coded.bytes)))
        }
        return .object(object)
    }
}
