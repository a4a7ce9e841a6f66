/// Conduct: does the client behave well? (conduct contract, sections 9 and 14)
extension World {
    /// Judges the client from the journal.
    ///
    /// `user` judges only the clients of one user, `since` only breaches after the entry of that `seq`, `rules` only these:
    /// ids, globs such as `auth/*`, or names that a backend gives to rules, such as `sawaed/refresh-once`.
    ///
    ///     let before = try await world.requests().last?.seq
    ///     let report = try await world.conduct(user: "anna@example.com", since: before, rules: ["auth/*"])
    ///     print(report.text)
    public func conduct(
        user: String? = nil,
        since: Int? = nil,
        rules: [String] = [],
        api: API? = nil,
        failOn: ConductReport.Severity? = nil
    ) async throws(ControlError) -> ConductReport {
        var query: Query = ["user": user, "since": since, "api": api, "failOn": failOn?.rawValue]
        query.add("rule", rules)
        var report = try await client.ask(.getConduct, query: query, as: ConductReport.self)
        query.add("format", ["text"])
        report.text = String(decoding: try await client.send(.getConduct, query: query), as: UTF8.self)
        let named: [NamedRule] = try await client.list(.getConductRules)
        for rule in named {
            for instance in rule.instances { report.instances[instance.id, default: []].append(rule.id) }
        }
        return report
    }

    /// A rule with the names that backends give to it.
    private struct NamedRule: Decodable, Sendable {
        struct Instance: Decodable, Sendable { var id: String }

        var id: String
        var instances: [Instance]
    }

    /// A form of a report of conduct.
    public enum ConductFormat: String, Sendable, CaseIterable {
        case json, text, markdown, html, junit, sarif, github
    }

    /// Returns the report of conduct in one of its forms, to keep as a file.
    ///
    ///     let page = try await world.conduct(as: .html)
    public func conduct(as format: ConductFormat) async throws(ControlError) -> String {
        let data = try await client.send(.getConduct, query: ["format": format.rawValue])
        return String(decoding: data, as: UTF8.self)
    }
}

extension UnderstudyServer {
    /// The rules of conduct.
    ///
    ///     let ids = try await server.conductRules.map(\.id)
    public var conductRules: [ConductRule] {
        get async throws(ControlError) { try await client.list(.getConductRules) }
    }

    /// Returns a rule of conduct with its page.
    ///
    ///     let fix = try await server.conductRule("auth/repeat-after-401").fix?["urlsession"]?.string
    public func conductRule(_ id: String) async throws(ControlError) -> ConductRule {
        try await client.ask(.getConductRule, id)
    }
}
