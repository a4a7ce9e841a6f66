package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// The hooks of Trafikskola for the control API (control contract, section 12).
extension TrafikskolaAPI {
    package static func user(of credential: String, state: TrafikskolaState) -> CallUser? {
        let subject = TokenText.subject(of: credential) ?? state.quickLogins[credential]?.userId
        return subject.map { CallUser(id: $0, email: state.users[$0]?.email) }
    }

    package static func secrets(in state: TrafikskolaState) -> [String] {
        state.quickLogins.rows.map { WorldTag.secret(of: $0.id) } + state.payments.rows.map(\.token)
            + state.sessions.rows.map { WorldTag.secretPart(of: $0.id) }
    }

    /// Redacts the app's secret in the journal.
    ///
    /// It is a production value, and its first 15 characters suffice to tell whether it was sent.
    package static func journalled(_ fields: Fields) -> Fields {
        guard fields.contains(appSecretField) else { return fields }
        var shown = Fields()
        for (name, value) in fields.pairs {
            guard let field = FieldName(name) else { continue }
            shown.append(field, field == appSecretField ? String(value.prefix(15)) : value)
        }
        return shown
    }

    // MARK: QR codes

    private enum QRKind: String, CaseIterable {
        case schoolConfig = "school_config"
        case sessionLogin = "session_login"
        case quickLogin = "quick_login"
    }

    /// The payload of a QR code; `type`, `user`, `domain` and `typo` select its content (section 8.4).
    package static func qrPayload(
        _ order: QROrder,
        state: inout TrafikskolaState,
        core: inout WorldCore
    ) throws(Problem) -> QRPayload? {
        func refuse(_ name: String, _ reason: String) -> Problem {
            Problem(
                .invalidParameter,
                "The query parameter \(name) \(reason).",
                items: [Problem.Item(path: "?\(name)", reason: reason)]
            )
        }
        let types = QRKind.allCases.map(\.rawValue).joined(separator: ", ")
        guard let kind = QRKind(rawValue: order.query.last("type") ?? QRKind.schoolConfig.rawValue) else {
            throw refuse("type", "must be one of \(types)")
        }
        let typo = order.query.last("typo") ?? "0"
        guard ["0", "1", "true", "false"].contains(typo) else { throw refuse("typo", "must be 0 or 1") }
        let domain = qrDomain(order, state, isMisspelt: typo == "1" || typo == "true")
        guard kind != .schoolConfig else {
            return QRPayload(["type": "school_config", "domain": .string(domain), "version": 1])
        }
        let user: User?
        if let who = order.query.last("user"), !who.isEmpty {
            user = state.user(who)
            guard user != nil else {
                throw Problem(.unknownUser, "Trafikskola has no user \"\(who)\" in the world \(core.name).")
            }
        } else {
            user = state.users.rows.first { $0.role == .student }
        }
        guard let user else { throw refuse("user", "is required: the seed has no student") }
        let login = mintQuickLogin(user, kind == .sessionLogin ? "sqr_" : "qlt_", &state, &core)
        let payload: JSON =
            if kind == .sessionLogin {
                [
                    "type": "session_login", "token": .string(login.id), "userId": .string(user.id),
                    "domain": .string(domain), "version": 1,
                ]
            } else {
                quickLoginPayload(login, state, order.epoch)
            }
        return QRPayload(payload, mintedFor: user.id)
    }

    private static func qrDomain(_ order: QROrder, _ state: TrafikskolaState, isMisspelt: Bool) -> String {
        if isMisspelt || state.settings.qrDomain == .typo { return SchoolDomain.misspelt }
        switch order.query.last("domain") {
        case "here": return order.authority
        case let named? where !named.isEmpty: return named
        default: return SchoolDomain.document
        }
    }

    /// Makes a token for one use within 300 s: a prefix and 64 lower-case hexadecimal digits.
    static func mintQuickLogin(
        _ user: User,
        _ prefix: String,
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore
    ) -> QuickLoginToken {
        // A dead token gets the same answer as an unknown one.
        if state.quickLogins.count(in: user.id) >= 256 {
            for row in state.quickLogins.rows(in: user.id).prefix(128) { state.quickLogins.remove(row.id) }
        }
        let isOld = state.settings.qrTokens == .expired
        let world = core.name
        let id = core.randomness.unused("trafikskola.quick-login") { stream in
            WorldTag.digits(prefix: prefix, &stream, world: world)
        } isTaken: {
            state.quickLogins.contains($0)
        }
        let row = QuickLoginToken(
            id: id,
            userId: user.id,
            expiresAt: .at(isOld ? core.now : core.now + quickLoginLife),
            usedAt: state.settings.qrTokens == .used ? Moment(core.now) : nil
        )
        state.quickLogins.insert(row)
        core.issued.note(WorldTag.secretPart(of: row.id))
        return row
    }

    static func quickLoginPayload(_ row: QuickLoginToken, _ state: TrafikskolaState, _ epoch: Epoch) -> JSON {
        let end = row.expiresAt.resolved(in: epoch)
        if state.settings.qrFields == .legacy {
            return [
                "type": "quick_login", "token": .string(row.id), "expiresAt": .string(end.iso8601(.milliseconds)),
                "studentId": .string(row.userId),
            ]
        }
        return [
            "type": "quick_login", "token": .string(row.id), "expires": .integer(end.seconds), "version": 1,
        ]
    }

    /// The three codes of each student.
    package static func qrOffers(state: TrafikskolaState) -> [QROffer] {
        state.users.rows.filter { $0.role == .student }.flatMap { user in
            QRKind.allCases.map { kind in
                QROffer(
                    title: "\(user.name) (\(user.email)): \(kind.rawValue)",
                    query: "type=\(kind.rawValue)&user=\(user.id.percentEncodedComponent)"
                )
            }
        }
    }
}
