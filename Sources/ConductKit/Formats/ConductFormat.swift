import JSON

/// A form of the report (conduct contract, section 10).
package enum ConductFormat: String, Sendable, CaseIterable {
    case json, text, markdown, html, junit, sarif, github

    package var contentType: String {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .text, .github: "text/plain; charset=utf-8"
        case .markdown: "text/markdown; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .junit: "application/xml"
        case .sarif: "application/sarif+json"
        }
    }

    /// The report in this form; some forms explain its rules.
    package func render(_ report: JudgementReport, _ rules: RuleRegistry) -> [UInt8] {
        switch self {
        case .json: report.json.serialized()
        case .text: Array(report.text.utf8)
        case .markdown: Array(report.markdown.utf8)
        case .html: Array(report.html.utf8)
        case .junit: Array(report.junit.utf8)
        case .sarif: report.sarif(rules).serialized()
        case .github: Array(report.github.utf8)
        }
    }
}

extension JudgementReport {
    /// `conduct: fail, 1 error, 3 warnings, 22 passed, 38 not exercised`.
    package var verdictLine: String {
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        return [
            "conduct: \(verdict.rawValue)", counted(count(.error), "error"), counted(count(.warning), "warning"),
            "\(count(Status.passed)) passed", "\(count(Status.notExercised)) not exercised",
        ].joined(separator: ", ")
    }

    package func ids(_ status: Status) -> [String] { rules.filter { $0.status == status }.map(\.id) }
}

extension ConductFinding {
    /// The id, and the name on the API behind it.
    package var name: String { instance.map { "\(rule) (\($0))" } ?? rule }

    /// `GET /path/{id}` of an API.
    package var target: String { "\(api) \(ShownText.clean(method)) \(ShownText.clean(route))" }

    var isLeft: Bool { suppressed == nil }
}
