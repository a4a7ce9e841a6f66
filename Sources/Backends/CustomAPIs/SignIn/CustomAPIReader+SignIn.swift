import APIFolders
import CivilTime
import Conditions
import HTTPMessage
import JSON
import Templates

/// `auth` of `api.json` (own-API contract, section 15).
extension CustomAPIReader {
    /// The body of an answer with tokens unless `response` has another.
    private static let usualResponse: JSON = [
        "accessToken": "{{access}}", "refreshToken": "{{refresh}}", "tokenType": "Bearer", "expiresIn": "{{expiresIn}}",
    ]
    /// The claims that a world sets.
    private static let ownClaims = ["iss", "sub", "iat", "exp", "jti", "understudy"]

    /// Reads the sign-in, once the tables are known; its users' secret is not in any answer from then on.
    mutating func readSignIn(_ check: FileCheck?) {
        guard var check else { return }
        let isEnabled = check.isEnabled()
        let name = check.name("users") ?? "users"
        let users = definition.table(named: name)
        if users == nil, isEnabled {
            let near = Suggestion.nearest(to: name, among: definition.tables.map(\.name))
            let member = check.object["users"] == nil ? nil : "users"
            check.error(member, "there is no table \(name.shortened)" + Suggestion.hint(near))
        }
        let names = templateNames(SignInHandler.locals, structures: ["user"])
        let usual = template(Self.usualResponse, at: check.path, names, check.report)
        var signIn = SignIn(api: definition.name, users: users ?? 0, response: usual)
        if let users { signIn.key = definition.tables[users].key }
        if let identifier = check.name("identifier") { signIn.identifier = identifier }
        if let secret = check.name("secret") { signIn.secret = secret }
        readRoutes(&check, &signIn)
        if let tokens = check.object("tokens") { readTokens(tokens, &signIn) }
        if let names = check.object("names") { readNames(names, &signIn) }
        if let response = check.value("response") {
            if response.objectValue == nil {
                check.error("response", "must be an object, found \(response.typeName)")
            } else {
                signIn.response = template(response, at: check.path + [.key("response")], names, check.report)
            }
        }
        readOpen(&check, &signIn)
        readStatuses(&check, &signIn)
        check.refuseUnknown()
        guard let users, isEnabled else { return }
        checkMembers(signIn, definition.tables[users], check)
        definition.signIn = signIn
        definition.users = users
        if !definition.tables[users].writeOnly.contains(signIn.secret) {
            definition.tables[users].writeOnly.append(signIn.secret)
        }
        definition.tables[users].identifier = signIn.identifier
        definition.seed.tables[users].reindex(definition.tables[users])
        definition.seed.settings.signIn = signIn.settings
        definition.settings += signIn.declaredSettings
        let report = check.report
        definition.routes += SignInRoutes.routes(of: signIn, in: definition) { member in
            report.routePlace((["auth"] + member).map { .key($0) })
        }
        definition.checks.insert(TokenCheck(signIn: signIn), at: 0)
    }

    // MARK: Members

    private func readRoutes(_ check: inout FileCheck, _ signIn: inout SignIn) {
        signIn.routes.login = routePath(&check, "login", &signIn)
        signIn.routes.register = routePath(&check, "register", &signIn)
        if var code = check.object("code") {
            signIn.routes.codeRequest = routePath(&code, "request", &signIn)
            signIn.routes.codeVerify = routePath(&code, "verify", &signIn)
            if let lifetime = duration(&code, "lifetime", in: SignInSettings.lifetimes) {
                signIn.codes.lifetime = lifetime
            }
            if let registers = code.boolean("register") { signIn.codes.registers = registers }
            code.refuseUnknown()
            for (name, route) in [("request", signIn.routes.codeRequest), ("verify", signIn.routes.codeVerify)]
            where route == nil && code.object[name] == nil {
                code.error(nil, "\(name) is required")
            }
        }
        signIn.routes.refresh = routePath(&check, "refresh", &signIn)
        signIn.routes.logout = routePath(&check, "logout", &signIn)
        signIn.routes.me = routePath(&check, "me", &signIn)
        signIn.routes.token = routePath(&check, "token", &signIn)
    }

    private func routePath(_ check: inout FileCheck, _ name: String, _ signIn: inout SignIn) -> String? {
        guard var path = check.name(name) else { return nil }
        if path.utf8.count > 1, path.hasSuffix("/") {
            path.removeLast()
            signIn.slashed.insert(path)
        }
        guard let template = RouteTemplate(path) else {
            check.error(name, "must be a path such as /v1/\(name), each parameter once")
            return nil
        }
        if let reason = Self.refusal(ofPath: path) {
            check.error(name, reason)
            return nil
        }
        return template.text
    }

    private mutating func readTokens(_ tokens: FileCheck, _ signIn: inout SignIn) {
        var check = tokens
        if let format = check.choice("format", SignIn.Format.self) { signIn.format = format }
        if let life = duration(&check, "access", in: SignInSettings.lifetimes) {
            signIn.settings.accessSeconds = Int(life.wholeSeconds)
        }
        if let life = duration(&check, "refresh", in: SignInSettings.lifetimes) {
            signIn.settings.refreshSeconds = Int(life.wholeSeconds)
        }
        if let rotation = check.choice("rotation", SignInSettings.Rotation.self) { signIn.settings.rotation = rotation }
        if let grace = duration(&check, "grace", in: 0...SignInSettings.lifetimes.upperBound, isWhole: false) {
            signIn.grace = grace
        }
        if let claims = check.object("claims") {
            for member in claims.object.members where Self.ownClaims.contains(member.name) {
                claims.error(member.name, "is a claim that the emulator sets")
            }
            if signIn.format == .opaque { check.error("claims", "an opaque token has no claims") }
            let names = templateNames([], structures: [])
            signIn.claims = template(.object(claims.object), at: claims.path, names, claims.report)
        }
        check.refuseUnknown()
    }

    private func readNames(_ names: FileCheck, _ signIn: inout SignIn) {
        var check = names
        if let name = check.name("refresh") { signIn.refreshName = name }
        if let name = check.name("code") { signIn.codeName = name }
        check.refuseUnknown()
        if signIn.codeName == signIn.identifier { check.error("code", "\(signIn.codeName) is the identifier") }
    }

    private func readStatuses(_ check: inout FileCheck, _ signIn: inout SignIn) {
        guard var inner = check.object("statuses") else { return }
        func status(_ name: String, _ route: String?) -> Status? {
            guard let value = inner.value(name) else { return nil }
            guard let status = value.intValue, status == 200 || status == 201 else {
                inner.error(name, "must be 200 or 201")
                return nil
            }
            if route == nil { inner.error(name, "auth has no route \(name)") }
            return Status(Int(status))
        }
        if let login = status("login", signIn.routes.login) { signIn.statuses.login = login }
        if let refresh = status("refresh", signIn.routes.refresh) { signIn.statuses.refresh = refresh }
        inner.refuseUnknown()
    }

    private func readOpen(_ check: inout FileCheck, _ signIn: inout SignIn) {
        for (index, text) in (check.strings("open") ?? []).enumerated() {
            let entry = OpenPath(text)
            if let reason = PathPattern.refusal(of: entry.pattern.text) {
                check.report.error(check.path + [.key("open"), .index(index)], reason)
            } else {
                signIn.open.append(entry)
            }
        }
    }

    /// Notes members of the users' table that can't be what the sign-in takes them for.
    private func checkMembers(_ signIn: SignIn, _ table: TableDefinition, _ check: FileCheck) {
        func error(_ name: String, _ reason: String) { check.error(check.object[name] == nil ? nil : name, reason) }
        if signIn.secret == signIn.identifier { error("secret", "\(signIn.secret) is the identifier") }
        if signIn.secret == table.key { error("secret", "\(signIn.secret) is the key of \(table.name)") }
        for name in [signIn.identifier, signIn.secret] where table.keptMembers.contains(name) {
            let member = name == signIn.identifier ? "identifier" : "secret"
            if signIn.routes.register != nil || signIn.codes.registers {
                error(member, "\(name) is read only in \(table.name), so nobody could register")
            }
        }
        if table.writeOnly.contains(signIn.identifier) {
            error("identifier", "\(signIn.identifier) is write-only in \(table.name)")
        }
    }

    /// Returns a duration within so many seconds.
    private func duration(
        _ check: inout FileCheck,
        _ name: String,
        in range: ClosedRange<Int>,
        isWhole: Bool = true
    ) -> Interval? {
        guard let text = check.string(name) else { return nil }
        do throws(DurationError) {
            let length = try Interval(iso8601Duration: text)
            let bounds = Interval.seconds(Int64(range.lowerBound))...Interval.seconds(Int64(range.upperBound))
            guard bounds.contains(length), !isWhole || length == .seconds(length.wholeSeconds) else {
                let whole = isWhole ? "whole seconds " : ""
                check.error(name, "must be \(whole)from \(bounds.lowerBound.iso8601) to \(bounds.upperBound.iso8601)")
                return nil
            }
            return length
        } catch {
            check.error(name, "must be an ISO 8601 duration such as PT15M: \(error)")
            return nil
        }
    }

    // MARK: Templates

    private func templateNames(_ locals: [String], structures: [String]) -> TemplateNames {
        TemplateNames(locals: locals, structures: structures, states: definition.states.map(\.name))
    }

    /// Reads a template, and notes what is wrong with it.
    private func template(
        _ json: JSON,
        at path: [JSONPathElement],
        _ names: TemplateNames,
        _ report: FileReport
    ) -> Template {
        var reader = TemplateReader(names: names)
        let template = reader.read(json, at: path)
        for problem in reader.problems { report.error(problem.path, problem.reason) }
        return template
    }
}
