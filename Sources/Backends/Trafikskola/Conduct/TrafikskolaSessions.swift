import ConductKit
import JSON

/// `trafikskola/recovers-before-sign-in`.
struct TrafikskolaRecoversBeforeSignIn: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/recovers-before-sign-in",
        "Sign-in where a refresh would do",
        .warning,
        situation: "a 401 for a session with a usable refresh token",
        breach: """
            after a 401 for a session with a usable refresh token that was not sent since, a login or request-otp for \
            that user by the same address and `User-Agent` within `withinSeconds`
            """,
        settings: [(.withinSeconds, 60)],
        exercisedBy: ["trafikskola/access-token-expired", #"{"tokens":"expire"}"#],
        what: "After a 401 the app started a sign-in without trying its refresh token.",
        why: "The user has to sign in although the session could have continued.",
        expected: "After a 401, try the stored refresh token before a sign-in.",
        swift: "do { try await refresh() } catch Refused.signedOut { showSignIn() }",
        script: "try { await refresh() } catch { showSignIn() }"
    )

    private struct Refused {
        var row: Int32
        var session: Int32
    }

    private var refused: [Int32: [Refused]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola" else { return }
        if x.role == .refresh {
            refused[x.row.place]?.removeAll { $0.session == x.session || !x.exchange.body.isWhole }
            return
        }
        if x.row.status == 401, x.row.isDelivered, x.bearer >= 0 {
            let session = context.credentials[Int(x.bearer)].session
            guard context.hasUsableRefresh(session, at: x.row) else { return }
            context.situation(x)
            if refused[x.row.place]?.contains(where: { $0.session == session }) != true {
                refused[x.row.place, default: []].append(Refused(row: x.index, session: session))
            }
            return
        }
        let isLogin = x.role == .signIn || x.role == .requestCode
        guard isLogin, let mail = x.mail?.lowercased(), let list = refused[x.row.place] else { return }
        for item in list where context.userNames(of: item.row).contains(mail) && context.knows(context[item.row], x.row)
        {
            guard Fairness.pause(context[item.row], x.row) <= context.limits(x).seconds(.withinSeconds) else {
                continue
            }
            refused[x.row.place]?.removeAll { $0.session == item.session }
            context.breach(
                [item.row, x.index],
                "\(context.id(item.row)) was answered 401; \(x.row.id) started a sign-in without trying the refresh token."
            )
            return
        }
    }
}

/// `trafikskola/refreshes-a-stale-session`.
struct TrafikskolaRefreshesStaleSession: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/refreshes-a-stale-session",
        "Stale session used without a refresh",
        .warning,
        situation: "the first exchange of a session after 7 idle days by both clocks",
        breach: "a bearer request as the first exchange of a session after 7 idle days by both clocks",
        excused: ["days that passed only because the world's clock was moved"],
        exercisedBy: ["a session that is idle for more than seven days"],
        what: "A session that had been idle for more than seven days continued with a request other than a refresh.",
        why: "The token has certainly expired: the first screen starts with an error.",
        expected: "After seven idle days, refresh before the first request.",
        swift: "if lastUse.distance(to: .now) > 7 * 86_400 { try await refresh() }",
        script: "if (Date.now() - lastUse > 7 * 86_400_000) await refresh()"
    )

    private var last: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola", x.session >= 0 else { return }
        defer { last[x.session] = x.index }
        guard let row = last[x.session], Fairness.shorterInterval(context[row], x.row) > 7 * 86_400_000_000 else {
            return
        }
        context.situation(x)
        guard x.bearer >= 0, x.role == .ordinary else { return }
        context.breach(
            [row, x.index],
            "\(x.row.id) was the first of its session since \(context.id(row)), more than 7 days before."
        )
    }
}

/// `trafikskola/refreshes-only-on-401`.
struct TrafikskolaRefreshesOnlyOn401: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/refreshes-only-on-401",
        "Refresh after an error other than 401",
        .warning,
        situation: "a 400, 403, 404, 409, 429 or 5xx of a session",
        breach: """
            a refresh within `withinMs` after a known 400, 403, 404, 409, 429 or 5xx of the session, with no 401 since \
            its last refresh and more than 5 minutes of its access token left
            """,
        settings: [(.withinMs, 1_000)],
        exercisedBy: [#"{"status":500}"#],
        what: "A refresh followed an error other than 401 although the access token was valid.",
        why: "The refresh uses up a token and does not fix the error.",
        expected: "Refresh after a 401 and before the token expires, never after another error.",
        swift: "if status == 401 { try await refresh() }",
        script: "if (response.status === 401) await refresh()"
    )

    private var errors: [Int32: Int32] = [:]
    private var refused: Set<Int32> = []
    /// The access token with an end that came last.
    private var latest: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola", x.session >= 0 else { return }
        if x.role == .refresh {
            if let row = errors[x.session], context.knows(context[row], x.row), !refused.contains(x.session),
                Fairness.pause(context[row], x.row) <= context.limits(x).milliseconds(.withinMs),
                let access = latest[x.session],
                !context.mayBeOver(context.credentials[Int(access)], at: x.row, margin: 300_000_000)
            {
                context.breach(
                    [row, x.index],
                    "\(context.id(row)) was answered \(context[row].status); \(x.row.id) refreshed although there was no 401."
                )
            }
            errors[x.session] = nil
            refused.remove(x.session)
        }
        if x.issuedAccess >= 0, context.credentials[Int(x.issuedAccess)].expiresAt != nil {
            latest[x.session] = x.issuedAccess
        }
        guard x.bearer >= 0, x.row.isDelivered, x.role == .ordinary else { return }
        if context.credentials[Int(x.bearer)].expiresAt != nil, latest[x.session] == nil {
            latest[x.session] = x.bearer
        }
        if x.row.status == 401 {
            refused.insert(x.session)
        } else if [400, 403, 404, 409, 429].contains(x.row.status) || x.row.status >= 500 {
            context.situation(x)
            errors[x.session] = x.index
        }
    }
}

/// `trafikskola/server-trouble-is-no-logout`.
struct TrafikskolaServerTroubleIsNoLogout: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/server-trouble-is-no-logout",
        "Signed out by a server error",
        .error,
        situation: "a refresh that failed (5xx, 429, cut, or 200 that is no JSON)",
        breach: """
            after a refresh that failed (5xx, 429, cut, or 200 that is no JSON), within `withinSeconds`: a login for that \
            user, or another refresh token of that user
            """,
        settings: [(.withinSeconds, 60)],
        exercisedBy: ["trafikskola/refresh-500", "trafikskola/server-502"],
        what:
            "After a refresh failed with a server error, the app signed in again or used another refresh token.",
        why: "The user is signed out, or loses the newer token, because of a temporary error.",
        expected: "Keep the tokens when a refresh fails, and try again later.",
        swift: "catch let error where error.isTemporary { return .later }",
        script: "if (response.status >= 500) return \"later\""
    )

    private struct Failed {
        var row: Int32
        var token: Int32
        var user: Int32
    }

    private var failed: [Int32: Failed] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola" else { return }
        let isLogin = x.role == .signIn || x.role == .requestCode
        if let first = failed[x.row.place], context.sawEnd(context[first.row], x.row),
            isLogin || x.role == .refresh
        {
            let isInTime = Fairness.pause(context[first.row], x.row) <= context.limits(x).seconds(.withinSeconds)
            let isLoginOfUser =
                isLogin && x.mail.map { context.userNames(of: first.row).contains($0.lowercased()) } ?? false
            let isOther =
                x.role == .refresh && x.bodyCredential >= 0 && x.bodyCredential != first.token
                && first.user >= 0 && x.row.user == first.user
            if isInTime, isLoginOfUser || isOther {
                failed[x.row.place] = nil
                context.breach(
                    [first.row, x.index],
                    "\(context.id(first.row)) failed temporarily; \(x.row.id) was \(isOther ? "another refresh token" : "a sign-in") of that user."
                )
            } else if !isInTime || x.row.isSuccess {
                failed[x.row.place] = nil
            }
        }
        guard x.role == .refresh, x.bodyCredential >= 0, x.row.outcome != .interrupted else { return }
        let isNoJSON =
            x.row.isDelivered && x.row.status == 200 && x.exchange.responseBody.isWhole && x.responseJSON == nil
        guard x.row.isFailed && x.row.status != 408 || isNoJSON else { return }
        context.situation(x)
        if failed[x.row.place] == nil {
            failed[x.row.place] = Failed(row: x.index, token: x.bodyCredential, user: x.row.user)
        }
    }
}

/// `trafikskola/stable-device`.
struct TrafikskolaStableDevice: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/stable-device",
        "Device id changed, or device not registered",
        .warning,
        situation: "a login",
        breach: """
            logins of one user by one address and `User-Agent` with two `deviceId`; or 30 s after a login (pause to the \
            session's next exchange, by the clock that says less) still no device/register
            """,
        excused: ["two `deviceId` while the session of the first continues: they are two devices"],
        exercisedBy: ["two logins"],
        what: "One installation signed in with two values of `deviceId`, or did not register after a sign-in.",
        why: "The user's list of devices fills up, and push messages don't arrive.",
        expected: "Create the `deviceId` once per installation, and register after each login.",
        swift: "let deviceId = keychain.deviceId ?? keychain.store(UUID())",
        script: "const deviceId = (storage.deviceId ??= crypto.randomUUID())"
    )

    private struct UserPlace: Hashable {
        var place: Int32
        /// The e-mail address or the id, in lower case.
        var user: String
    }

    private struct Device {
        var id: String
        var row: Int32
        var session: Int32
        /// The second login that was reported.
        var other: Int32?
    }

    private var devices: [UserPlace: Device] = [:]
    /// The places of the first devices by their sessions.
    private var sessions: [Int32: UserPlace] = [:]
    /// The logins of sessions that are not registered yet.
    private var logins: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola" else { return }
        if x.isOf("trafikskola", TrafikskolaRoutes.logins) {
            context.situation(x)
            if let id = x.requestJSON?["deviceInfo"]?["deviceId"]?.stringValue { note(id, x, &context) }
            if x.row.isSuccess, x.session >= 0 { logins[x.session] = x.index }
            return
        }
        guard x.session >= 0 else { return }
        if let place = sessions[x.session], let first = devices[place], let other = first.other {
            // The first device is there too.
            context.withdraw([first.row, other])
            sessions[x.session] = nil
        }
        guard let row = logins[x.session] else { return }
        if x.isOf("trafikskola", TrafikskolaRoutes.register) {
            logins[x.session] = nil
        } else if Fairness.shorterPause(context[row], x.row) > 30_000_000 {
            logins[x.session] = nil
            context.breach(
                [row, x.index],
                "\(x.row.id) came more than 30 s after \(context.id(row)), and the device was not registered."
            )
        }
    }

    /// Notes the device of a login.
    private mutating func note(_ id: String, _ x: JudgedExchange, _ context: inout RuleContext) {
        guard let user = x.mail?.lowercased() ?? context.userNames(of: x.index).first else { return }
        let place = UserPlace(place: x.row.place, user: user)
        guard var first = devices[place] else {
            devices[place] = Device(id: id, row: x.index, session: x.session)
            if x.session >= 0 { sessions[x.session] = place }
            return
        }
        guard first.id != id, first.other == nil else { return }
        first.other = x.index
        devices[place] = first
        context.breach(
            [first.row, x.index],
            "\(context.id(first.row)) and \(x.row.id) signed in with different `deviceId` values."
        )
    }
}

/// `trafikskola/leaves-after-a-kick`.
struct TrafikskolaLeavesAfterKick: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/leaves-after-a-kick",
        "Session continued after `hasKick`",
        .warning,
        situation: "a delivered `hasKick` true",
        breach:
            "after a delivered `hasKick` true, a bearer request other than marking as read, unregistering and logout",
        exercisedBy: ["trafikskola/session-kicked"],
        what: "A session continued after a response had said that it is over (`hasKick`).",
        why: "The school has ended the session; the app shows data that it should not.",
        expected: "Mark the message as read, unregister, sign out and discard the tokens.",
        swift: "if page.hasKick { await leave() }",
        script: "if (page.hasKick) await leave()"
    )

    private static let farewell: Set<String> = [
        "POST \(TrafikskolaRoutes.base)/notifications", "DELETE \(TrafikskolaRoutes.base)/device/register",
        "POST \(TrafikskolaRoutes.base)/auth/logout",
    ]

    private var kicked: [Int32: Int32] = [:]
    private var reported: Set<SessionRoute> = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola", x.bearer >= 0, x.session >= 0 else { return }
        if let row = kicked[x.session], context.knows(context[row], x.row), !x.isOf("trafikskola", Self.farewell),
            reported.insert(SessionRoute(x.session, x)).inserted
        {
            context.breach([row, x.index], "\(context.id(row)) said `hasKick`; \(x.row.id) continued the session.")
        }
        guard x.row.isSuccess, x.isOf("trafikskola", "GET \(TrafikskolaRoutes.base)/notifications"),
            x.responseJSON?["data"]?["hasKick"]?.boolValue == true
        else { return }
        context.situation(x)
        if kicked[x.session] == nil { kicked[x.session] = x.index }
    }
}
