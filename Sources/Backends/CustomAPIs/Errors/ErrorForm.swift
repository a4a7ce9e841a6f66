package import Backend
package import HTTPMessage
package import JSON
package import Templates

/// The one form in which a custom API refuses requests (own-API contract, section 5).
package struct ErrorForm: Sendable {
    /// Changes of what one cause answers.
    package struct Change: Sendable, Equatable {
        package var status: Status?
        package var code: String?
        package var message: String?

        package init(status: Status? = nil, code: String? = nil, message: String? = nil) {
            self.status = status
            self.code = code
            self.message = message
        }
    }

    /// A refusal as the form shows it.
    package struct Shown: Sendable, Equatable {
        package var status: Status
        package var code: String
        package var message: String
        package var details: [CustomAPIFailure.Detail]
        /// The cause; nil for an injected status.
        package var cause: String?
    }

    package var contentType = "application/json"
    /// The content; the default form if nil.
    package var body: Template?
    package var causes: [Cause: Change] = [:]

    package init() {}

    /// Tells whether the file says nothing of the form itself.
    var isUsual: Bool { body == nil && contentType == ErrorForm().contentType }

    /// The names that `body` has beside those of every template.
    package static let names = [
        "error.status", "error.title", "error.code", "error.message", "error.details", "error.cause",
    ]

    /// Returns what a refusal shows.
    package func shown(_ failure: CustomAPIFailure) -> Shown {
        switch failure.reason {
        case .wished(let order): return Self.shown(order)
        case .problem(let problem): return Self.shown(InjectedStatus(problem.response.status))
        case .cause(let cause):
            let change = causes[cause]
            return Shown(
                status: change?.status ?? failure.status ?? cause.status,
                code: change?.code ?? cause.code,
                message: change?.message ?? failure.message ?? cause.message,
                details: failure.details,
                cause: cause.rawValue
            )
        }
    }

    /// Returns what an injected status shows.
    static func shown(_ order: InjectedStatus) -> Shown {
        Shown(
            status: order.status,
            code: order.code ?? order.status.reasonPhrase.snakeCased,
            message: order.message ?? order.status.reasonPhrase,
            details: []
        )
    }

    /// Returns the response of a refusal; `fill` fills a template with those values beside its own.
    package func response(
        _ failure: CustomAPIFailure,
        hadToken: Bool,
        _ fill: (Template, Shown) -> JSON?
    ) -> Response {
        if case .problem(let problem) = failure.reason { return problem.response }
        let shown = shown(failure)
        return response(shown, fields(of: failure, shown, hadToken: hadToken), fill)
    }

    /// Returns the fields that a refusal has whatever its content.
    func fields(of failure: CustomAPIFailure, _ shown: Shown, hadToken: Bool) -> Fields {
        var fields = failure.fields
        if shown.status == .unauthorized, !fields.contains("WWW-Authenticate") {
            // A refresh token is sent in a body.
            let isOfToken = hadToken || shown.cause?.hasPrefix("refresh_") == true
            fields.append("WWW-Authenticate", Self.challenge(isOfToken))
        }
        return fields
    }

    /// Returns the response of an injected status.
    package func response(
        _ order: InjectedStatus,
        hadToken: Bool,
        _ fill: (Template, Shown) -> JSON?
    ) -> Response {
        var fields = Fields()
        if order.status == .unauthorized {
            fields.append("WWW-Authenticate", Self.challenge(hadToken))
        }
        return response(Self.shown(order), fields, fill)
    }

    /// Returns what a 401 asks for: another token, if one was sent.
    private static func challenge(_ hadToken: Bool) -> String {
        hadToken ? "Bearer error=\"invalid_token\"" : "Bearer"
    }

    private func response(_ shown: Shown, _ fields: Fields, _ fill: (Template, Shown) -> JSON?) -> Response {
        guard !shown.status.forbidsBody else { return Response(status: shown.status, fields: fields) }
        var all = Fields()
        all.append(.contentType, contentType)
        all.append(contentsOf: fields)
        let content = body.map { fill($0, shown) ?? .null } ?? Self.usual(shown)
        return Response(status: shown.status, fields: all, body: .bytes(content.serialized()))
    }

    private static func usual(_ shown: Shown) -> JSON {
        var error: JSONObject = ["code": .string(shown.code), "message": .string(shown.message)]
        if !shown.details.isEmpty { error.append("details", shown.details.json) }
        return ["error": .object(error)]
    }
}

extension ErrorForm.Shown {
    /// The values of the names that an error's template has.
    package var values: [(name: String, value: JSON?)] {
        [
            ("error.status", .integer(Int64(status.code))), ("error.title", .string(status.reasonPhrase)),
            ("error.code", .string(code)), ("error.message", .string(message)),
            ("error.details", details.isEmpty ? nil : details.json), ("error.cause", cause.map { .string($0) }),
        ]
    }
}

extension [CustomAPIFailure.Detail] {
    /// The details as a list of objects.
    var json: JSON {
        .array(map { ["path": .string($0.path), "reason": .string($0.reason)] })
    }
}

extension String {
    /// The words of a reason phrase in lower case with `_` in between.
    fileprivate var snakeCased: String {
        lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    }
}
