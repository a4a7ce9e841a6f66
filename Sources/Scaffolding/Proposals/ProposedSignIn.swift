import Basics
import CivilTime
import HTTPMessage
import JSON
import OpenAPI

/// The sign-in that the operations of a document declare.
struct ProposedSignIn {
    /// The name of a route in `auth`, with its operation.
    private(set) var routes: [(name: String, operation: OpenAPIOperation)] = []
    private(set) var identifier = "email"
    private(set) var secret = "password"
    /// The texts that the first user types.
    private(set) var user: (identifier: String, password: String) = ("ada@example.com", "correct-horse-1A")
    /// The schema of the user in a response, if there is one.
    private(set) var person: Schema?
    private(set) var response: JSON?
    private(set) var refreshName = "refreshToken"
    private(set) var statuses: [(name: String, status: Int)] = []
    private(set) var lifetime: Int64?
    /// The reason why it is not sure that the operations sign in as `auth` does.
    private(set) var doubt: String?
    /// The operations that samples answer, with the reasons.
    private(set) var left: [(operation: OpenAPIOperation, reason: String)] = []

    private static let identifiers = [
        "email", "emailaddress", "username", "usernameoremail", "emailorusername", "login", "loginid", "user",
        "identifier", "phone", "phonenumber", "mobile",
    ]
    private static let secrets = ["password", "passwd", "passcode", "pass", "secret", "pin"]
    private static let access = [
        "accesstoken", "token", "jwt", "jwttoken", "authtoken", "accessjwt", "sessiontoken", "bearertoken", "apitoken",
        "idtoken", "access",
    ]
    private static let renewal = ["refreshtoken", "refreshjwt", "refresh"]

    /// An operation that takes an identifier and a secret.
    private struct Candidate {
        let operation: OpenAPIOperation
        let body: Schema
        let identifier: String
        let secret: String
    }

    /// Looks for a sign-in; nil if the document neither declares one nor asks for bearer tokens.
    init?(_ document: OpenAPIDocument) {
        let posts = document.operations.filter { $0.method == .post && $0.template.parameterNames.isEmpty }
        let candidates = posts.compactMap(Self.candidate)
        let isWordOfSignIn = { (operation: OpenAPIOperation) in
            ["login", "signin", "session", "authenticat", "authoriz", "token", "auth"]
                .contains { operation.spelled.contains($0) }
        }
        let isWordOfSignUp = { (operation: OpenAPIOperation) in
            ["register", "registration", "signup", "createuser", "createaccount"].contains {
                operation.spelled.contains($0)
            }
        }
        let isRenewal = { (operation: OpenAPIOperation) in
            let names = operation.taken?.schema?.memberNames ?? []
            return Self.renewalName(operation, names) != nil
                && PlainName.first(of: Self.secrets, among: names) == nil
        }
        let signIns = candidates.filter {
            !isWordOfSignUp($0.operation) && !isRenewal($0.operation) && isWordOfSignIn($0.operation)
        }
        let login = signIns.first { $0.operation.answer?.schema.map(Self.hasAccess) ?? false } ?? signIns.first
        let bearer = Self.bearer(document)
        guard let login else {
            let wrapped = posts.lazy.filter(isWordOfSignIn).compactMap(Self.wrapper).first
            guard let reason = bearer ?? Self.foreignScheme(document) ?? wrapped else { return nil }
            doubt = wrapped ?? reason
            return
        }
        read(login, document)
        guard doubt == nil else { return }
        for other in signIns where other.operation.index != login.operation.index {
            left.append((other.operation, "auth has one sign-in, \(login.operation.words)"))
        }
        readRenewal(posts.filter { isRenewal($0) && isTokenRoute($0) == false })
        readRegistration(
            candidates.filter {
                isWordOfSignUp($0.operation)
                    || PlainName.of($0.operation.template.literals.last.flatMap { $0 } ?? "") == "users"
            }
        )
        readLeaving(posts.filter { $0.spelled.contains("logout") || $0.spelled.contains("signout") })
        if let foreign = Self.foreignScheme(document) { doubt = foreign }
    }

    /// The member that has a refresh token; `token` is one where the operation says that it refreshes.
    private static func renewalName(_ operation: OpenAPIOperation, _ names: [String]) -> String? {
        let wanted = operation.spelled.contains("refresh") ? renewal + ["token"] : renewal
        return PlainName.first(of: wanted, among: names)
    }

    private func isTokenRoute(_ operation: OpenAPIOperation) -> Bool {
        routes.contains { $0.operation.index == operation.index }
    }

    private static func candidate(_ operation: OpenAPIOperation) -> Candidate? {
        guard let body = operation.taken?.schema, body.form == .object else { return nil }
        let names = body.memberNames
        guard let secret = PlainName.first(of: secrets, among: names) else { return nil }
        let required = body.required
        let identifier =
            PlainName.first(of: identifiers, among: names.filter(required.contains))
            ?? PlainName.first(of: identifiers, among: names)
        guard let identifier, identifier != secret else { return nil }
        return Candidate(operation: operation, body: body, identifier: identifier, secret: secret)
    }

    /// The doubt about a sign-in that takes its members inside another one; nil for another operation.
    private static func wrapper(_ operation: OpenAPIOperation) -> String? {
        guard let body = operation.taken?.schema, operation.answer?.schema.map(hasAccess) ?? false else { return nil }
        let name = body.memberNames.first { name in
            let names = body.member(name)?.memberNames ?? []
            return [identifiers, secrets].allSatisfy { PlainName.first(of: $0, among: names) != nil }
        }
        return name.map { name in
            "\(operation.words) takes the name and the password inside \(name), and auth takes them at the top of the body"
        }
    }

    private static func hasAccess(_ schema: Schema) -> Bool { hasAccess(schema, depth: 0) }

    private static func hasAccess(_ schema: Schema, depth: Int) -> Bool {
        schema.memberNames.contains { name in
            guard let member = schema.member(name), !renewal.contains(PlainName.of(name)) else { return false }
            if access.contains(PlainName.of(name)), member.form == .text { return true }
            return depth < 2 && member.form == .object && hasAccess(member, depth: depth + 1)
        }
    }

    /// The doubt about a document that asks for bearer tokens, and issues none; nil for another one.
    private static func bearer(_ document: OpenAPIDocument) -> String? {
        guard document.operations.contains(where: { $0.security == .needed }), foreignScheme(document) == nil else {
            return nil
        }
        return "no operation of the document takes a name and a password and returns a token; with true, tokens are "
            + "those of understudy token"
    }

    /// The doubt about a document that asks for something other than a bearer token; nil for another one.
    private static func foreignScheme(_ document: OpenAPIDocument) -> String? {
        let schemes = document.json["components"]?["securitySchemes"]?.objectValue?.members.map(\.value) ?? []
        let isBearer = schemes.contains { scheme in
            switch scheme["type"]?.stringValue {
            case "oauth2", "openIdConnect": true
            case "http": scheme["scheme"]?.stringValue?.lowercased() == "bearer"
            default: false
            }
        }
        guard !schemes.isEmpty, !isBearer, let first = schemes.first(where: { $0["$ref"] == nil }) else { return nil }
        guard document.operations.contains(where: { $0.security == .needed }) else { return nil }
        switch first["type"]?.stringValue {
        case "apiKey":
            let place = first["in"]?.stringValue ?? "header"
            return
                "the document takes the token in the \(place) \(first["name"]?.stringValue ?? "parameter"), and auth "
                + "takes it in Authorization: Bearer"
        case "http":
            return
                "the document asks for \(first["scheme"]?.stringValue ?? "another") credentials, and auth for a token "
                + "in Authorization: Bearer"
        default: return "the document asks for no bearer token"
        }
    }

    // MARK: Routes

    private mutating func read(_ login: Candidate, _ document: OpenAPIDocument) {
        let operation = login.operation
        (identifier, secret) = (login.identifier, login.secret)
        // A form that need not say how it is granted is a plain sign-in, unless it renews as well.
        let names = login.body.memberNames
        let isGranted = login.body.required.contains { PlainName.of($0) == "granttype" }
        let isOfGrants = isGranted || PlainName.first(of: Self.renewal, among: names) != nil
        let grants = isOfGrants ? names.first { PlainName.of($0) == "granttype" } : nil
        routes.append((grants == nil ? "login" : "token", operation))
        guard let shown = readUser(login) else { return }
        if let unknown = login.body.required.first(where: { name in
            ![identifier, secret, grants].contains(name) && login.body.member(name)?.form == .object
        }) {
            doubt = "\(operation.words) requires the object \(unknown)"
        }
        if let type = operation.foreignType {
            doubt = "\(operation.words) responds with \(type), not with application/json"
            return
        }
        guard let schema = operation.answer?.schema else {
            doubt = "\(operation.words) declares no response with a token"
            return
        }
        guard let made = template(schema) else {
            doubt = "no member of the response to \(operation.words) is an access token"
            return
        }
        response = made
        if grants != nil {
            // RFC 6749 has its own form, status and names.
            identifier = PlainName.of(identifier) == "username" ? "username" : identifier
            let token: JSON = [
                "access_token": "eyJ", "token_type": "Bearer", "expires_in": 900, "refresh_token": "eyJ",
            ]
            if let reason = schema.misfit(token) {
                doubt = "the response to \(operation.words) has another form: \(reason)"
            }
            if operation.success?.status != 200 { doubt = "\(operation.words) declares another status than 200" }
            response = nil
            return
        }
        if let reason = misfit(made, schema, shown) {
            doubt = "the response to \(operation.words) has another form: \(reason)"
        }
        note(operation, "login")
    }

    /// Chooses what the first user types; nil if nothing fits.
    private mutating func readUser(_ login: Candidate) -> JSONObject? {
        let names: [String] = ["ada@example.com", "ada", "ada.lovelace", "+46701234567"]
        let passwords = [
            "correct-horse-1A", "Correct-horse-battery-staple-1", "Passw0rd!", "password", "123456", "1234",
        ]
        func choose(_ texts: [String], _ member: String) -> String? {
            guard let schema = login.body.member(member) else { return texts[0] }
            if let shown = schema.keyword("example")?.stringValue, schema.fits(.string(shown)), member != secret {
                return shown
            }
            return texts.first { schema.fits(.string($0)) }
                ?? schema.sample("user \(member)", start: ProposedTemplate.start)?.stringValue
        }
        let isMail = PlainName.of(identifier).contains("mail")
        let isPhone = ["phone", "phonenumber", "mobile"].contains(PlainName.of(identifier))
        let ordered = isMail ? names : isPhone ? [names[3]] : [names[1], names[2], names[0]]
        guard let name = choose(ordered, identifier), let password = choose(passwords, secret) else {
            doubt = "no value fits \(identifier) and \(secret) of \(login.operation.words)"
            return nil
        }
        user = (name, password)
        return [identifier: .string(name)]
    }

    private mutating func note(_ operation: OpenAPIOperation, _ name: String) {
        guard let status = operation.success?.status, status != 200 else { return }
        guard status == 201 else {
            doubt = doubt ?? "\(operation.words) declares \(status), and auth returns 200 or 201"
            return
        }
        statuses.append((name, status))
    }

    private mutating func readRenewal(_ operations: [OpenAPIOperation]) {
        guard let operation = operations.first, let body = operation.taken?.schema,
            let name = Self.renewalName(operation, body.memberNames)
        else { return }
        if let reason = reasonToLeave(operation, [200, 201]) {
            left.append((operation, reason))
            return
        }
        refreshName = name
        routes.append(("refresh", operation))
        note(operation, "refresh")
    }

    private mutating func readRegistration(_ candidates: [Candidate]) {
        guard let candidate = candidates.first else { return }
        let operation = candidate.operation
        if candidate.identifier != identifier || candidate.secret != secret {
            left.append((operation, "takes other members than \(identifier) and \(secret)"))
        } else if let reason = reasonToLeave(operation, [201]) {
            // It may be the create of a collection.
            if operation.answer?.schema.map(Self.hasAccess) ?? false { left.append((operation, reason)) }
        } else {
            routes.append(("register", operation))
        }
    }

    private mutating func readLeaving(_ operations: [OpenAPIOperation]) {
        guard let operation = operations.first else { return }
        guard operation.success?.status == 204 else {
            left.append((operation, "declares no 204, which auth returns"))
            return
        }
        guard operation.security == .needed else {
            left.append((operation, "asks for no token, by which auth knows the session"))
            return
        }
        routes.append(("logout", operation))
    }

    /// Returns why an operation can't answer with tokens as the sign-in does.
    private func reasonToLeave(_ operation: OpenAPIOperation, _ statuses: [Int]) -> String? {
        guard let status = operation.success?.status, statuses.contains(status) else {
            return "declares another status than \(statuses.map(String.init).joined(separator: " or "))"
        }
        if let type = operation.foreignType { return "responds with \(type)" }
        guard let schema = operation.answer?.schema else { return "declares no response with a token" }
        guard let response else {
            return "auth.token answers in RFC 6749's form, and renews by grant_type=refresh_token at the same path"
        }
        guard Self.hasAccess(schema) else { return "returns no token" }
        let shown = person.flatMap { $0.sample("person", start: ProposedTemplate.start) }?.objectValue ?? [:]
        return misfit(response, schema, shown).map { "has a response of another form than the sign-in: \($0)" }
    }

    // MARK: The response

    private mutating func template(_ schema: Schema) -> JSON? {
        var person: Schema?
        var lifetime: Int64?
        var hasAccess = false
        let identifier = identifier
        let maker = ProposedTemplate { path, member in
            let name = path.last ?? ""
            let plain = PlainName.of(name)
            // In {"refresh": {"token": …, "expiresAt": …}} the outer name says whose token it is.
            let isRenewal = path.dropLast().last.map { Self.renewal.contains(PlainName.of($0)) } ?? false
            switch member.form {
            case .text:
                if Self.renewal.contains(plain) || isRenewal && (plain == "value" || Self.access.contains(plain)) {
                    return "{{refresh}}"
                }
                if Self.access.contains(plain) {
                    hasAccess = true
                    return "{{access}}"
                }
                if plain == "tokentype" || plain == "type" {
                    let shown = (member.choices ?? []).compactMap(\.stringValue).first { $0.lowercased() == "bearer" }
                    return shown.map { .string($0) } ?? (member.choices == nil && plain == "tokentype" ? "Bearer" : nil)
                }
                if ["expiresat", "accesstokenexpiresat", "expiration", "expires", "tokenexpiresat"].contains(plain),
                    member.keyword("format")?.stringValue == "date-time"
                {
                    return isRenewal ? "{{now+P30D}}" : "{{now+PT15M}}"
                }
                return PlainName.of(identifier) == plain ? .string("{{user.\(identifier)}}") : nil
            case .integer, .number:
                guard ["expiresin", "expires", "ttl", "lifetime", "expiresinseconds"].contains(plain), !isRenewal else {
                    return nil
                }
                let shown = member.keyword("example") ?? member.keyword("default")
                lifetime = shown?.intValue.flatMap { (60...8_640_000).contains($0) ? $0 : nil }
                return "{{expiresIn}}"
            case .object:
                let names = member.memberNames.map(PlainName.of)
                guard !Self.hasAccess(member), names.contains(where: { Self.identifiers.prefix(3).contains($0) }),
                    person == nil
                else { return nil }
                person = member
                return "{{user}}"
            default: return nil
            }
        }
        let made = maker.object(schema)
        guard hasAccess else { return nil }
        (self.person, self.lifetime) = (person, lifetime)
        return made
    }

    private func misfit(_ template: JSON, _ schema: Schema, _ user: JSONObject) -> String? {
        let shown = person.flatMap { $0.sample("person", start: ProposedTemplate.start) } ?? .object(user)
        let values: [String: JSON] = [
            "access": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "refresh": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "expiresIn": 900,
            "user": shown, "now+PT15M": "2025-01-01T12:15:00Z", "now+P30D": "2025-01-31T12:00:00Z",
            "user.\(identifier)": .string(self.user.identifier),
        ]
        return ProposedTemplate.filled(template, values).flatMap(schema.misfit)
    }

    // MARK: Writing

    /// `auth` of `api.json`.
    func json(users: String, open: [String], why: String?) -> JSONObject {
        var auth = JSONObject()
        if let why {
            auth.append("enabled", false)
            auth.append("why", .string(why))
        }
        auth.append("users", .string(users))
        if identifier != "email" { auth.append("identifier", .string(identifier)) }
        if secret != "password" { auth.append("secret", .string(secret)) }
        for route in routes { auth.append(route.name, .string(route.operation.route)) }
        if let lifetime { auth.append("tokens", ["access": .string("PT\(lifetime)S")]) }
        if refreshName != "refreshToken", routes.contains(where: { $0.name == "refresh" }) {
            auth.append("names", ["refresh": .string(refreshName)])
        }
        if !statuses.isEmpty {
            let members = statuses.map { JSONObject.Member(name: $0.name, value: .integer(Int64($0.status))) }
            auth.append("statuses", .object(JSONObject(members)))
        }
        if let response { auth.append("response", lifetime.map { response.following($0) } ?? response) }
        if !open.isEmpty { auth.append("open", .array(open.map { .string($0) })) }
        return auth
    }
}

extension JSON {
    /// The template with the end of tokens of another lifetime than the usual.
    fileprivate func following(_ seconds: Int64) -> JSON {
        switch self {
        case .string("{{now+PT15M}}"): .string("{{now+PT\(seconds)S}}")
        case .object(let object):
            .object(JSONObject(object.members.map { .init(name: $0.name, value: $0.value.following(seconds)) }))
        default: self
        }
    }
}
