import CivilTime
package import JSON

/// The report as JSON (conduct contract, section 8).
extension JudgementReport {
    package var json: JSON {
        var object = JSONObject()
        object.append("format", "understudy-conduct")
        object.append("version", 1)
        object.append("verdict", .string(verdict.rawValue))
        object.append("world", world.map { .string($0) } ?? .null)
        if let files { object.append("files", .array(files.map { .string($0) })) }
        object.append(
            "journal",
            [
                "from": Self.number(journal.from), "to": Self.number(journal.to),
                "entries": .integer(Int64(journal.entries)), "complete": .bool(journal.isComplete),
            ]
        )
        object.append("counts", counts)
        object.append("findings", .array(findings.map(\.json)))
        object.append("rules", .array(rules.map(\.json)))
        object.append("allow", .array(allow.map(\.json)))
        return .object(object)
    }

    private static func number(_ value: UInt64?) -> JSON { value.map { .integer(Int64(clamping: $0)) } ?? .null }

    private var counts: JSON {
        [
            "error": .integer(Int64(count(.error))),
            "warning": .integer(Int64(count(.warning))),
            "suppressed": .integer(Int64(suppressedCount)),
            "rules": [
                "passed": .integer(Int64(count(Status.passed))),
                "failed": .integer(Int64(count(Status.failed))),
                "notExercised": .integer(Int64(count(Status.notExercised))),
                "notJudged": .integer(Int64(count(Status.notJudged))),
            ],
        ]
    }
}

extension ConductFinding {
    package var json: JSON {
        var object = JSONObject()
        object.append("rule", .string(rule))
        if let instance { object.append("as", .string(instance)) }
        object.append("severity", .string(severity.rawValue))
        if let world { object.append("world", .string(world)) }
        object.append("api", .string(api))
        object.append("method", .string(method))
        object.append("route", .string(route))
        if let user { object.append("user", .string(ShownText.clean(user))) }
        object.append("title", .string(title))
        object.append("seen", .string(seen))
        object.append("expected", .string(expected))
        object.append("why", .string(why))
        object.append("fix", .string(fix))
        object.append("requests", .array(requests.map { .string($0) }))
        object.append("count", .integer(Int64(count)))
        object.append("first", .string(first.iso8601(.milliseconds)))
        object.append("last", .string(last.iso8601(.milliseconds)))
        object.append("fingerprint", .string(fingerprint))
        if let suppressed { object.append("suppressed", suppressed.json) }
        object.append("source", .array(source.map(\.json)))
        object.append("help", .string(help))
        return .object(object)
    }
}

extension ConductFinding.Suppression {
    package var json: JSON {
        switch self {
        case .allowed(let reason): ["by": "allow", "reason": .string(reason)]
        case .baseline: ["by": "baseline"]
        }
    }
}

extension RuleSource {
    package var json: JSON {
        var object: JSONObject = ["title": .string(title)]
        if let url { object.append("url", .string(url)) }
        return .object(object)
    }
}

extension JudgementReport.RuleResult {
    package var json: JSON {
        var object = JSONObject()
        object.append("id", .string(id))
        object.append("severity", .string(reason == "switched-off" ? "off" : severity?.rawValue ?? "off"))
        object.append("status", .string(status.rawValue))
        object.append("judged", .integer(Int64(judged)))
        object.append("findings", .integer(Int64(findings)))
        if let reason { object.append("reason", .string(reason)) }
        if status == .notExercised { object.append("exercisedBy", .array(exercisedBy.map { .string($0) })) }
        return .object(object)
    }
}

extension JudgementReport.AllowResult {
    package var json: JSON {
        var object: JSONObject = ["rule": .string(entry.rule)]
        if let api = entry.api { object.append("api", .string(api)) }
        if let route = entry.route { object.append("route", .string(route)) }
        object.append("reason", .string(entry.reason))
        if let until = entry.until { object.append("until", .string(until)) }
        object.append("state", .string(state.rawValue))
        object.append("findings", .integer(Int64(findings)))
        return .object(object)
    }
}
