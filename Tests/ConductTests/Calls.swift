import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

@testable import Conduct
@testable import ConductKit

/// Exchanges with one of the five APIs.
struct Calls {
    var api: String
    var exchanges: [ConductExchange] = []

    init(_ api: String) { self.api = api }

    mutating func add(
        _ method: String,
        _ path: String,
        at begin: Int64,
        took: Int64 = 10,
        _ status: Int = 200,
        route: String? = nil,
        token: String? = nil,
        user: String? = nil,
        headers: [(String, String)] = [],
        body: JSON? = nil,
        answer: JSON? = nil,
        type: String = "application/json",
        outcome: ConductExchange.Outcome = .delivered,
        agent: String? = nil,
        ahead: Int64 = 0
    ) {
        var fields = Fields()
        if let agent { fields.append("User-Agent", agent) }
        if let token { fields.append(.authorization, "Bearer \(token)") }
        if body != nil { fields.append(.contentType, "application/json") }
        for (name, value) in headers { if let field = FieldName(name) { fields.append(field, value) } }
        var sent = Fields()
        if answer != nil || type != "application/json" { sent.append(.contentType, type) }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let started = Traffic.start + .milliseconds(begin)
        exchanges.append(
            ConductExchange(
                id: "req_\(exchanges.count + 1)",
                seq: UInt64(exchanges.count + 1),
                at: started + .milliseconds(ahead),
                startedAt: started,
                endedAt: started + .milliseconds(took),
                peer: "127.0.0.1",
                connection: 1,
                api: api,
                route: route ?? parts[0],
                user: user,
                userID: user.map { "id-\($0)" },
                method: HTTPMethod(rawValue: method),
                path: parts[0],
                query: parts.count > 1 ? parts[1] : nil,
                fields: fields,
                body: ConductExchange.Body(body?.serialized() ?? []),
                status: outcome == .delivered ? status : 0,
                responseFields: sent,
                responseBody: ConductExchange.Body(answer?.serialized() ?? []),
                outcome: outcome
            )
        )
    }

    /// A token that the engine recognises: its kind, session, user and end in seconds after the start.
    static func token(_ kind: String, _ session: String = "s1", _ user: String = "anna", end: Int64 = 864_000) -> String
    {
        "\(kind).\(session).\(user).\(end)"
    }

    private static func recognise(_ token: String) -> RecognisedCredential? {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count >= 4, let kind = RecognisedCredential.Kind(rawValue: parts[0]), let end = Int64(parts[3])
        else {
            return nil
        }
        return RecognisedCredential(
            kind: kind,
            session: parts[1],
            user: parts[2],
            expiresAt: Traffic.start.seconds + end
        )
    }

    /// The rules found, with the names of instances where there are some.
    var found: [String] { report.findings.map { $0.instance ?? $0.rule } }

    /// The report over everything.
    var report: JudgementReport {
        var operations: [OperationKnowledge] = []
        let conduct = RuleRegistry.build[api: api]
        for name in Set(conduct?.facts.flatMap(\.operations) ?? []).sorted() {
            let parts = name.split(separator: " ").map(String.init)
            operations.append(OperationKnowledge(parts[0], parts[1], credential: .optional, declaresBody: true))
        }
        for exchange in exchanges {
            guard let route = exchange.route else { continue }
            operations.append(
                OperationKnowledge(exchange.method.rawValue, route, credential: .optional, declaresBody: true)
            )
        }
        conduct?.complete(&operations)
        var engine = ConductEngine(
            .build,
            knowledge: [
                APIKnowledge(
                    name: api,
                    operations: operations,
                    baseSegments: conduct?.baseSegments ?? 0,
                    declaresCredentialURLs: conduct != nil
                )
            ],
            recogniser: { _, token in Self.recognise(token) }
        )
        for exchange in exchanges { engine.take(exchange) }
        let range = JudgementReport.JournalRange(from: 1, to: 2, entries: exchanges.count)
        return engine.report(ReportFilter(), ReportContext(world: "main", journal: range))
    }
}

/// The state of an API's own rule after calls.
func state(_ rule: String, _ build: (inout Calls) -> Void) -> JudgementReport.Status? {
    var calls = Calls(String(rule.prefix { $0 != "/" }))
    build(&calls)
    return calls.report.rules.first { $0.id == rule }?.status
}
