import Backend
import Basics
import CivilTime
import Crypto
import HTTPMessage
import JSON

extension CarbScanAPI {
    /// The lifetime of a code.
    static let codeLife = Interval.seconds(60)

    private static let authorizeParameters = [
        Parameter("mobile", in: .query, .string(), "true, as the client sends it"),
        Parameter(
            "state",
            in: .query,
            .described(.string(minLength: 1), example: "af0ifjsldkj"),
            required: true,
            "Comes back unchanged"
        ),
        Parameter(
            "code_challenge",
            in: .query,
            .described(.string(minLength: 1), example: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            required: true,
            "Base64url of SHA-256"
        ),
        Parameter(
            "code_challenge_method",
            in: .query,
            .described(.string(enumeration: ["S256"]), example: "S256"),
            required: true,
            "Always S256"
        ),
        Parameter(
            "redirect_uri",
            in: .query,
            .described(.string(minLength: 1), example: "carbscan://auth-callback"),
            required: true,
            "carbscan://auth-callback"
        ),
        Parameter(
            "response_type",
            in: .query,
            .described(.string(enumeration: ["code"]), example: "code"),
            required: true,
            "Always code"
        ),
        Parameter("login_hint", in: .query, .string(), "The mail of an account (ours)"),
    ]

    static let browserEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .get,
            base + "/auth/mobile/authorize",
            "The page of the browser sign-in",
            provenance: .beyondTheDocument,
            authentication: .none,
            parameters: authorizeParameters,
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "A page to choose an account on",
                    .text(contentType: "text/html; charset=utf-8")
                ),
                AnswerDeclaration(Status(302), "To redirect_uri with code or error, and state", .none),
                APIError.declaredFields(("redirect_uri", "unsupported_value")), APIError.declaredTooLarge, authFailure,
            ],
            metadata: EndpointMetadata(group: .auth),
            handle: authorize
        ),
        Endpoint(
            .post,
            base + "/auth/mobile/token",
            "Exchanges the code of the browser sign-in",
            provenance: .beyondTheDocument,
            authentication: .none,
            credential: .body("code"),
            body: .json(
                CodeExchange.self,
                example: [
                    "code": "0123456789abcdefghijklmnopqrstuv", "grant_type": "authorization_code",
                    "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                ]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SignIn.self, "Signed in"),
                APIError.declaredFields(("code_verifier", "invalid_format")),
                APIError.invalidGrant.declared("Unknown, used, expired, or the verifier is wrong"),
                authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth),
            handle: exchange
        ),
        Endpoint(
            .post,
            base + "/auth/replit",
            "Exchanges a web session, the cookie connect.sid with an account's mail",
            provenance: .beyondTheDocument,
            authentication: .none,
            parameters: [
                Parameter(
                    "connect.sid",
                    in: .cookie,
                    .described(.string(), example: "pro@carbscan.test"),
                    "The web session: the mail of an account (ours)"
                )
            ],
            body: .json(WebSession.self, isRequired: false, example: ["deviceId": "device-1"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SignIn.self, "Signed in"), APIError.declaredFields(("deviceId", "wrong_type")),
                APIError.unauthorized.declared("No session, or an unknown one"), authFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .auth, ignoresBody: true)
        ) { state, _, call throws(APIError) in
            guard state.settings.webSession == .checked, let user = sessionMail(call).flatMap({ state.user(mail: $0) })
            else { throw .unauthorized }
            _ = try read(WebSession.self, call)
            return signedIn(user, &state, &call)
        },
        Endpoint(
            .get,
            "/auth/keys",
            "The public keys of the stand-in for Apple, as a bare JWKS",
            provenance: .assumed,
            authentication: .none,
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The keys",
                    .json(name: "JWKS", schema: keySetSchema, contentType: "application/json")
                ),
                APIError.declaredTooLarge,
            ],
            metadata: EndpointMetadata()
        ) { state, _, _ throws(APIError) in
            finished(.ok, jsonFields, state.tokens.apple.keySet.serialized(), state)
        },
    ]

    private static let keySetSchema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property(
                "keys",
                .array(
                    .object(
                        JSONSchema.Object(
                            ["kty", "kid", "use", "alg", "n", "e"].map { JSONSchema.Property($0, .string()) }
                        )
                    )
                )
            )
        ])
    )

    // MARK: The page

    private static func authorize(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = call.query
        guard let target = query.first("redirect_uri"), !target.isEmpty else {
            throw .validation([("redirect_uri", "required")])
        }
        guard isOurs(target) else {
            throw .validation([("redirect_uri", "unsupported_value")])
        }
        func redirect(_ items: [(String, String)]) -> Response {
            var items = items
            if let sent = query.first("state"), !sent.isEmpty { items.append(("state", sent)) }
            let text = items.map { "\($0.0)=\($0.1.percentEncodedComponent)" }.joined(separator: "&")
            // Inserted before a fragment, and after an existing query.
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let head = String(parts[0]) + (parts[0].contains("?") ? "&" : "?") + text
            var fields = Fields()
            fields.append(.location, parts.count == 2 ? "\(head)#\(parts[1])" : head)
            return Response(status: Status(302), fields: fields)
        }
        if let fault = fault(in: query) {
            return redirect([("error", "invalid_request"), ("error_description", fault)])
        }
        func denied() -> Response {
            redirect([("error", "access_denied"), ("error_description", "The sign-in was cancelled")])
        }
        if state.settings.isLoginCancelled || query.first("error") == "access_denied" { return denied() }
        // The links of the page append their hint after an empty one.
        let hint = query.all("login_hint").first { !$0.isEmpty }
        guard let mail = hint ?? state.settings.autoLogin else { return page(state, call) }
        guard let user = state.user(mail: mail) else { return denied() }
        // The code names its world, because the app that exchanges it may not know the world of the page.
        let world = core.name
        let code = core.randomness.unused("carbscan.browser-code") { stream in
            WorldTag.tagged(stream.text(length: 32, from: secretAlphabet), world: world)
        } isTaken: {
            state.browserCodes.contains($0)
        }
        core.issued.note(code)
        state.browserCodes.insert(
            BrowserCode(
                id: code,
                userId: user.id,
                challenge: query.first("code_challenge") ?? "",
                issuedAt: .at(call.now)
            )
        )
        call.user = CallUser(id: user.id, email: user.email)
        return redirect([("code", code)])
    }

    /// Tells whether a target is the app's own address or one on the developer's machine, in characters that a header
    /// field can hold.
    private static func isOurs(_ target: String) -> Bool {
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        if target == "carbscan://auth-callback" { return true }
        return ["http://localhost", "http://127.0.0.1"].contains { prefix in
            guard target.hasPrefix(prefix) else { return false }
            // The host must end there: http://localhost.example and http://localhost:x@example belong to others.
            let rest = target.utf8.dropFirst(prefix.utf8.count)
            return (rest.first.map { ":/?#".utf8.contains($0) } ?? true)
                && !rest.prefix { !"/?#".utf8.contains($0) }.contains(UInt8(ascii: "@"))
        }
    }

    private static func fault(in query: QueryItems) -> String? {
        if (query.first("state") ?? "").isEmpty { return "state is missing" }
        if query.first("response_type") != "code" { return "response_type must be code" }
        if query.first("code_challenge_method") != "S256" { return "code_challenge_method must be S256" }
        let challenge = query.first("code_challenge") ?? ""
        if challenge.isEmpty || challenge.utf8.count > 128 { return "code_challenge is missing or too long" }
        return nil
    }

    /// One link for each account with a mail, at most a hundred, and one to cancel.
    private static func page(_ state: CarbScanState, _ call: Call) -> Response {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
        }
        let here = call.linkPrefix + call.path.text + "?" + (call.request.head.target.rawQuery ?? "")
        var page =
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>CarbScan sign-in</title></head>"
            + "<body><h1>Sign in to CarbScan</h1><ul>"
        for mail in state.users.rows.compactMap(\.email).prefix(100) {
            let link = "\(here)&login_hint=\(mail.percentEncodedComponent)"
            page += "<li><a href=\"\(escaped(link))\">\(escaped(mail))</a></li>"
        }
        page += "</ul><p><a href=\"\(escaped(here + "&error=access_denied"))\">Cancel</a></p></body></html>\n"
        var fields: Fields = [.contentType: "text/html; charset=utf-8"]
        fields.append("Content-Security-Policy", "default-src 'none'")
        return finished(.ok, fields, Array(page.utf8), state)
    }

    // MARK: The exchange

    private static func exchange(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(CodeExchange.self, call)
        // The code is spent, whatever the result.
        guard WorldTag.fits(body.code, world: core.name), let code = state.browserCodes.remove(body.code),
            !state.settings.isVerifierRefused,
            call.now < code.issuedAt.resolved(in: call.epoch) + codeLife,
            constantTimeEqual(
                Array(Base64URL.encode(SHA256.digest(Array(body.verifier.utf8))).utf8),
                Array(code.challenge.utf8)
            ),
            let user = state.users[code.userId]
        else { throw .invalidGrant }
        return signedIn(user, &state, &call)
    }

    /// The e-mail address in the cookie `connect.sid`, encoded or not.
    private static func sessionMail(_ call: Call) -> String? {
        for field in call.fields.values("Cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].filter({ $0 != " " }) == "connect.sid" else { continue }
                let value = parts[1].filter { $0 != "\"" && $0 != " " }
                // A plus sign stands for itself here, not for a blank.
                return QueryItems("v=\(value.replacing("+", with: "%2B"))").first("v")
            }
        }
        return nil
    }
}
