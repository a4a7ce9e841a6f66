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

/// Exchanges of a client, written as a test tells them: times in milliseconds of the machine.
struct Traffic {
    static let start = Instant(seconds: 1_735_732_800)

    /// The hosts that the forward proxy was asked for.
    var hosts = AskedHosts()

    /// The operations of an API with an auth group, a list, a feed and a creation.
    static let knowledge: APIKnowledge = {
        func operation(
            _ name: String,
            _ credential: OperationKnowledge.Credential = .bearer,
            body: Bool = false,
            _ change: (inout OperationKnowledge) -> Void = { _ in }
        ) -> OperationKnowledge {
            let parts = name.split(separator: " ").map(String.init)
            var made = OperationKnowledge(parts[0], parts[1], credential: credential, declaresBody: body)
            change(&made)
            return made
        }
        return APIKnowledge(
            name: "shop",
            operations: [
                operation("POST /v1/sign-in", .none, body: true) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                operation("POST /v1/code", .none, body: true) { $0.role = .requestCode },
                operation("POST /v1/verify", .none, body: true) {
                    $0.role = .signIn
                    $0.code = .init(["code"], isTyped: true)
                    $0.takesSecret = true
                },
                operation("POST /v1/link", .none, body: true) {
                    $0.role = .signIn
                    $0.code = .init(["token"])
                },
                operation("POST /v1/refresh", .none, body: true) { $0.role = .refresh },
                operation("POST /v1/sign-out", .optional, body: true) { $0.role = .signOut },
                operation("GET /v1/items") {
                    $0.offset = .init(items: ["items"], more: ["hasMore"])
                    $0.limitMaximum = 100
                },
                operation("POST /v1/items", body: true) { $0.creates = true },
                operation("GET /v1/items/{id}"),
                operation("PUT /v1/items/{id}", body: true),
                operation("PATCH /v1/items/{id}", body: true),
                operation("DELETE /v1/items/{id}"),
                operation("GET /v1/feed") { $0.cursor = .init("cursor", next: ["nextCursor"]) },
                operation("GET /v1/changes") { $0.cursor = .init("since", next: ["next"], isFeed: true) },
                operation("GET /v1/job", .none) { $0.terminal = .init(["status"], ["done", "error"]) },
                operation("GET /v1/public", .none) { $0.emailParameters = ["email"] },
                operation("GET /v1/open", .optional),
                operation("GET /v1/files/{name}", .none) { $0.hasCredentialInURL = true },
            ],
            baseSegments: 1
        )
    }()

    private static let templates = knowledge.operations.keys.map { $0.split(separator: " ").map(String.init) }

    var exchanges: [ConductExchange] = []
    var api = "shop"
    /// The address, `User-Agent` and connection of the requests that follow.
    var peer = "127.0.0.1"
    var agent = "App/1"
    var connection: Int? = 1
    /// The time by which the world's clock is ahead, in milliseconds.
    var ahead: Int64 = 0
    var epoch = 0

    /// Adds an exchange and returns its id.
    @discardableResult
    mutating func add(
        _ name: String,
        at begin: Int64,
        took: Int64 = 10,
        _ status: Int = 200,
        token: String? = nil,
        authorization: String? = nil,
        headers: [(String, String)] = [],
        body: JSON? = nil,
        bytes: [UInt8]? = nil,
        type: String? = "application/json",
        answer: JSON? = nil,
        answers: [(String, String)] = [],
        outcome: ConductExchange.Outcome = .delivered,
        connection: Int? = nil,
        known: Bool = true
    ) -> String {
        let parts = name.split(separator: " ").map(String.init)
        let target = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
        var fields = Fields()
        func append(_ name: String, _ value: String) {
            if let field = FieldName(name) { fields.append(field, value) }
        }
        append("User-Agent", agent)
        if let token { append("Authorization", "Bearer \(token)") }
        if let authorization { append("Authorization", authorization) }
        let content = bytes ?? body?.serialized() ?? []
        if !content.isEmpty, let type { append("Content-Type", type) }
        for (name, value) in headers { append(name, value) }
        var sent = Fields()
        for (name, value) in answers { if let field = FieldName(name) { sent.append(field, value) } }
        let answerBytes = answer?.serialized() ?? []
        if !answerBytes.isEmpty { sent.append(.contentType, "application/json") }
        let started = Self.start + .milliseconds(begin)
        let id = "req_\(exchanges.count + 1)"
        exchanges.append(
            ConductExchange(
                id: id,
                seq: UInt64(exchanges.count + 1),
                at: started + .milliseconds(ahead),
                startedAt: started,
                endedAt: started + .milliseconds(took),
                peer: peer,
                connection: connection ?? self.connection,
                api: api,
                route: known ? Self.template(parts[0], target[0]) : nil,
                method: HTTPMethod(rawValue: parts[0]),
                path: target[0],
                query: target.count > 1 ? target[1] : nil,
                fields: fields,
                body: ConductExchange.Body(content),
                status: outcome == .delivered ? status : 0,
                responseFields: sent,
                responseBody: ConductExchange.Body(answerBytes),
                outcome: outcome,
                epoch: epoch
            )
        )
        return id
    }

    private static func template(_ method: String, _ path: String) -> String? {
        let segments = path.split(separator: "/")
        return templates.filter { entry in
            guard entry[0] == method else { return false }
            let parts = entry[1].split(separator: "/")
            return parts.count == segments.count
                && zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map { $0[1] }.min { !$0.contains("{") && $1.contains("{") }
    }

    /// Asks the forward proxy for another host.
    mutating func ask(_ host: String, _ port: Int = 443, at time: Int64 = 0, count: Int = 1, method: String = "CONNECT")
    {
        let at = Self.start + .milliseconds(time)
        hosts.count += count
        hosts.others.append(
            AskedHosts.Other(host: host, port: port, method: method, count: count, first: at, last: at)
        )
    }

    /// Signs in: the answer has these tokens.
    mutating func signIn(at begin: Int64 = 0, access: String = "access-1", refresh: String = "refresh-1") {
        add(
            "POST /v1/sign-in",
            at: begin,
            body: ["email": "anna@example.com", "password": "x\(begin)"],
            answer: ["accessToken": .string(access), "refreshToken": .string(refresh)]
        )
    }

    /// Refreshes; a nil answer is one that gives no new refresh token.
    @discardableResult
    mutating func refresh(
        _ token: String,
        at begin: Int64,
        took: Int64 = 10,
        _ status: Int = 200,
        access: String = "access-2",
        new: String? = nil,
        outcome: ConductExchange.Outcome = .delivered,
        connection: Int? = nil
    ) -> String {
        var answer: JSONObject = ["accessToken": .string(access)]
        if let new { answer.append("refreshToken", .string(new)) }
        return add(
            "POST /v1/refresh",
            at: begin,
            took: took,
            status,
            body: ["refreshToken": .string(token)],
            answer: status == 200 ? .object(answer) : ["error": "refused"],
            outcome: outcome,
            connection: connection
        )
    }

    /// The report over everything, in the order of begins.
    func report(
        _ settings: ConductSettings = ConductSettings(),
        filter: ReportFilter = ReportFilter(),
        complete: Bool = true
    ) -> JudgementReport {
        var engine = ConductEngine(.build, settings: settings, knowledge: [Self.knowledge])
        for exchange in exchanges.sorted(by: { ($0.startedAt, $0.seq) < ($1.startedAt, $1.seq) }) {
            engine.take(exchange)
        }
        let range = JudgementReport.JournalRange(
            from: exchanges.first?.seq,
            to: exchanges.last?.seq,
            entries: exchanges.count,
            isComplete: complete
        )
        var context = ReportContext(world: "main", journal: range)
        context.hosts = hosts
        return engine.report(filter, context)
    }

    /// The rules with a finding.
    var found: [String] { report().findings.map(\.rule) }

    /// The rules with a finding, and the requests that prove it.
    var proofs: [String: [String]] {
        Dictionary(report().findings.map { ($0.rule, $0.requests) }) { first, _ in first }
    }

    /// The status of a rule.
    func status(_ rule: String) -> JudgementReport.Status? { report().rules.first { $0.id == rule }?.status }

    static func made(_ build: (inout Traffic) -> Void) -> Traffic {
        var traffic = Traffic()
        build(&traffic)
        return traffic
    }
}
