package import Backend
import HTTPMessage
import JSON

/// A rule of one API.
package protocol APIRule: ConductRule {}

extension RuleDeclaration {
    /// The declaration of a rule of one API, which the id names before its slash.
    package init(
        apiRule id: String,
        _ title: String,
        _ severity: ConductSeverity,
        situation: String,
        breach: String,
        excused: [String] = [],
        settings: [(name: SettingName, value: Int64)] = [],
        exercisedBy: [String],
        what: String,
        why: String,
        expected: String,
        swift: String,
        script: String
    ) {
        self.init(
            id,
            title,
            severity,
            api: String(id.prefix { $0 != "/" }),
            situation: situation,
            breach: breach,
            excused: excused,
            settings: settings,
            exercisedBy: exercisedBy,
            needsContract: true,
            what: what,
            why: why,
            expected: expected,
            urlsession: "\(expected)\n\n    \(swift)",
            fetch: "\(expected)\n\n    \(script)"
        )
    }
}

/// A rule whose breach is told by one request and its answer.
package protocol AnsweredRule: APIRule {
    /// The operations that it is about, as `METHOD template`.
    static var routes: Set<String> { get }

    /// The words for the breach; nil for an exchange that is none.
    static func fault(_ x: JudgedExchange) -> String?
}

extension AnsweredRule {
    package mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard let operation = x.operation, x.exchange.api == Self.declaration.api, Self.routes.contains(operation.name)
        else { return }
        context.situation(x)
        guard let fault = Self.fault(x) else { return }
        context.breach([x.index], "\(x.row.id) \(fault).")
    }
}

extension JudgedExchange {
    /// Tells whether it is an exchange of an API's operation.
    package func isOf(_ api: String, _ names: Set<String>) -> Bool {
        exchange.api == api && operation.map { names.contains($0.name) } ?? false
    }

    package func isOf(_ api: String, _ name: String) -> Bool { exchange.api == api && operation?.name == name }

    /// Tells whether the response is this error of the API's.
    package func isAnswered(_ error: APIError) -> Bool {
        row.status == error.status.code && errorCode == (error.code.isEmpty ? error.message : error.code)
    }

    /// The code of an answer's error, wherever an API puts it; its text for an API without codes.
    package var errorCode: String? {
        guard let json = responseJSON else { return nil }
        let error = json["error"]
        // Some have a text beside the code, others the text alone.
        return json["errorCode"]?.stringValue ?? error?.stringValue ?? error?["code"]?.stringValue ?? json["code"]?
            .stringValue
            ?? json["error_code"]?.stringValue
    }

    /// The details of a validation error, as path and reason.
    package var errorDetails: [(path: String, reason: String)] {
        let details = responseJSON?["error"]?["details"]?.objectValue ?? JSONObject()
        return details.members.compactMap { member in member.value.stringValue.map { (member.name, $0) } }
    }

    /// The e-mail address in the body, as it was sent.
    package var mail: String? { requestJSON?["email"]?.stringValue }
}
