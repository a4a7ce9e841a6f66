import CivilTime
import Crypto
import Emulation
import HTTPMessage
import JSON
import Locking

/// The journal (control contract, section 11).
enum JournalOperations {
    private static let filters = [
        Parameter("method", in: .query, .string(), "The method"),
        Parameter("path", in: .query, .string(), "A path, a glob (* one segment, ** many) or a route template"),
        Parameter(
            "status",
            in: .query,
            .string(pattern: "^(0|[1-9]([0-9]{2}|xx))$"),
            "The status, or a class such as 4xx; 0 for what was not answered"
        ),
        Parameter("user", in: .query, .string(), "The e-mail or id behind the credential"),
        Parameter("since", in: .query, .integer(minimum: 0), "Only entries with a larger seq"),
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/requests",
            "The exchanges of the world, newest first",
            parameters: filters,
            isList: true,
            answers: [Schemas.answer("Requests", Schemas.list(Schemas.entry), "The exchanges")],
            act: { call throws(Problem) in try list(call).reply }
        ),
        ControlOperation(
            .get,
            "/requests.har",
            "The same exchanges as an HTTP archive, oldest first",
            parameters: filters,
            isList: true,
            answers: [Schemas.answer("HTTPArchive", Schemas.archive, "HAR 1.2, as browsers import it")],
            act: { call throws(Problem) in try archive(call).reply }
        ),
        ControlOperation(
            .get,
            "/requests/{id}",
            "One exchange",
            parameters: [Parameter("id", in: .path, .string(), "The journal's key")],
            answers: [Schemas.answer("Request", Schemas.entry, "The exchange")],
            act: { call throws(Problem) in
                let journal = call.emulator.journal(of: try call.world())
                let id = call.parameters[0]
                let api = call.api.map { call.emulator.apis[$0].identity.name }
                return ControlJob.Work(isShort: journal.isShort, .searches) { (_: Wanted) throws(Problem) in
                    guard let found = journal.hashed.entry(of: id, api: api) else {
                        throw Problem(
                            .notFound,
                            "The journal has no exchange \"\(id.cut)\"; the oldest go when it is full."
                        )
                    }
                    return ControlAnswer.json(json(found))
                }.reply
            }
        ),
        ControlOperation(
            .delete,
            "/requests",
            "Clears the journal",
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            call.emulator.clearJournal(of: try call.world(), only: call.api)
            return ControlAnswer.nothing
        },
    ]

    private static func archive(_ call: ControlCall) throws(Problem) -> ControlJob.Work {
        let journal = call.emulator.journal(of: try call.world())
        let selection = try JournalSelection(call)
        var urls: [String: String] = [:]
        for (place, api) in call.emulator.apis.enumerated() { urls[api.identity.name] = call.origins.apis[place] }
        return ControlJob.Work(isShort: journal.isShort) { [urls, version = call.version] wanted in
            let (places, total) = selection.places(in: journal.hashed, wanted)
            return JournalArchive.response(
                places.reversed().lazy.prefix { _ in wanted.holds }.compactMap(\.entry),
                urls: urls,
                version: version,
                total: total
            )
        }
    }

    private static func list(_ call: ControlCall) throws(Problem) -> ControlJob.Work {
        let journal = call.emulator.journal(of: try call.world())
        let selection = try JournalSelection(call)
        return ControlJob.Work(isShort: journal.isShort) { wanted in
            let (places, total) = selection.places(in: journal.hashed, wanted)
            var writer = PieceWriter()
            writer.append(text: "{\"items\":")
            writer.append(rows: places.lazy.prefix { _ in wanted.holds }.compactMap { $0.entry.map { json($0) } })
            writer.append(text: "}")
            return writer.response(total: total)
        }
    }

    static func json(_ entry: JournalEntry) -> JSON {
        var object: JSONObject = [
            "id": .string(entry.id), "seq": .integer(Int64(entry.seq)), "at": .string(entry.at.iso8601(.milliseconds)),
            "wallAt": .string(entry.wallAt.iso8601(.milliseconds)), "world": .string(entry.world),
            "api": .string(entry.api), "route": entry.route.map { .string($0) } ?? .null,
        ]
        if let source = entry.source { object.append("source", .string(source.rawValue)) }
        if let stub = entry.stub { object.append("stub", .string(stub)) }
        if let user = entry.user { object.append("user", .string(user.label)) }
        object.append("method", .string(entry.method.rawValue))
        object.append("path", .string(entry.path))
        object.append("query", .string(entry.query ?? ""))
        object.append("headers", pairs(entry.headers))
        object.append("body", content(entry.body))
        object.append("status", .integer(Int64(entry.status.code)))
        object.append("responseHeaders", pairs(entry.sentFields))
        object.append("responseBody", content(entry.responseBody))
        object.append(
            "timings",
            [
                "receive": .double(entry.timings.receive), "handle": .double(entry.timings.handle),
                "wait": .double(entry.timings.wait), "send": .double(entry.timings.send),
            ]
        )
        if let fault = entry.fault { object.append("fault", json(fault)) }
        if let scenario = entry.scenario { object.append("scenario", .string(scenario)) }
        // A response that has not ended is being held.
        object.append("outcome", .string((entry.outcome ?? .held).rawValue))
        if let differences = entry.differences { object.append("differences", .array(differences)) }
        if let translated = entry.translated { object.append("translated", .array(translated)) }
        if let violations = entry.violations { object.append("violations", .array(violations)) }
        if !entry.decisions.isEmpty {
            object.append("decisions", .array(entry.decisions.map { json($0, isDecision: true) }))
        }
        return .object(object)
    }

    /// Returns the JSON of a fault that acted, or with `isDecision` of the decision on one that matched.
    static func json(_ fault: FaultDecision, isDecision: Bool = false) -> JSON {
        var object = JSONObject()
        if let id = fault.id { object.append("id", .string(id)) }
        if let name = fault.name { object.append("name", .string(name)) }
        object.append("phase", .string(fault.phase.rawValue))
        object.append("effect", fault.effect)
        guard isDecision else { return .object(object) }
        object.append("acted", .bool(fault.acted))
        if let reason = fault.reason { object.append("reason", .string(reason)) }
        return .object(object)
    }

    private static func pairs(_ fields: Fields) -> JSON {
        .array(fields.pairs.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func content(_ body: JournalEntry.Body) -> JSON {
        var object: JSONObject = [
            "bytes": .integer(Int64(body.length))
        ]
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
        return .object(object)
    }
}
