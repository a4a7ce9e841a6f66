import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

/// The session model (contract, section 3).
extension TrafikskolaState {
    /// Both tokens of a login or a rotation.
    struct Issued {
        var accessToken: String
        /// The refresh token; nil in a variant that issues none.
        var refreshToken: String?
        var expiresIn: Int
    }

    // MARK: Starting

    /// Starts a session with an access and a refresh token.
    mutating func startSession(
        of user: User,
        device: DeviceInfo,
        ipAddress: String?,
        now: Instant,
        core: inout WorldCore
    ) -> Issued {
        let session = Session(
            id: Self.newID("ses", &core) { sessions.contains($0) },
            userId: user.id,
            device: device,
            ipAddress: ipAddress,
            createdAt: Moment(now),
            lastActiveAt: Moment(now)
        )
        core.issued.note(WorldTag.secretPart(of: session.id))
        makeRoomForSession(of: user.id, now: now)
        sessions.insert(session)
        if device.deviceId != nil { seeDevice(device, of: user.id, registers: false, now: now, core: &core) }
        let access = issueAccess(for: session, now: now, core: &core)
        let refresh = issueRefresh(for: session, now: now, core: &core)
        return Issued(
            accessToken: access.token,
            refreshToken: refresh.token,
            expiresIn: settings.accessLifetimeSeconds
        )
    }

    /// Signs a new access token of a session and stores it until it expires.
    mutating func issueAccess(
        for session: Session,
        now: Instant,
        core: inout WorldCore
    ) -> (token: String, row: AccessToken) {
        // Done from time to time, so that the cost of each token is constant even if a frozen clock lets none expire.
        let count = accessTokens.count(in: session.userId)
        if count > 0, count.isMultiple(of: 256) {
            for row in accessTokens.rows(in: session.userId) where row.expiresAt.instant <= now {
                accessTokens.remove(row.id)
            }
            makeRoomForAccessToken(of: session.userId)
        }
        let row = AccessToken(
            id: Self.newID("at", &core) { accessTokens.contains($0) },
            userId: session.userId,
            sessionId: session.id,
            expiresAt: Moment(now.flooredToSecond + .seconds(Int64(settings.accessLifetimeSeconds)))
        )
        accessTokens.insert(row)
        return (sign(access: row.id, session, issuedAt: now, expiresAt: row.expiresAt.instant), row)
    }

    /// Signs a new refresh token of a session and stores its hash.
    mutating func issueRefresh(
        for session: Session,
        now: Instant,
        core: inout WorldCore
    ) -> (token: String, row: RefreshToken) {
        makeRoomForRefreshToken(of: session.id)
        let id = Self.newID("rt", &core) { refreshTokens.contains($0) }
        let end = now.flooredToSecond + .seconds(Int64(settings.refreshLifetimeSeconds))
        let token = sign(refresh: id, session, issuedAt: now, expiresAt: end)
        let row = RefreshToken(
            id: id,
            userId: session.userId,
            tokenHash: Self.hash(token),
            sessionId: session.id,
            deviceId: session.device.deviceId,
            issuedAt: Moment(now.flooredToSecond),
            expiresAt: Moment(end)
        )
        refreshTokens.insert(row)
        sessions.update(session.id) { $0.refreshId = id }
        return (token, row)
    }

    private func sign(access id: String, _ session: Session, issuedAt: Instant, expiresAt: Instant) -> String {
        tokens.signer.signed(
            tokens.payload(
                user: session.userId,
                session: session.id,
                id: id,
                isAccess: true,
                issuedAt: issuedAt,
                expiresAt: expiresAt
            )
        )
    }

    private func sign(refresh id: String, _ session: Session, issuedAt: Instant, expiresAt: Instant) -> String {
        tokens.signer.signed(
            tokens.payload(
                user: session.userId,
                session: session.id,
                id: id,
                isAccess: false,
                issuedAt: issuedAt,
                expiresAt: expiresAt
            )
        )
    }

    static func hash(_ token: String) -> String { Hex.encode(SHA256.digest(Array(token.utf8))) }

    // MARK: Looking

    /// The end of a refresh token: its own, or an earlier one if the lifetime has been shortened since (section 3.6).
    func end(of row: RefreshToken) -> Instant {
        min(row.expiresAt.instant, row.issuedAt.instant + .seconds(Int64(settings.refreshLifetimeSeconds)))
    }

    /// The end of a session's newest refresh token.
    func end(of session: Session) -> Instant {
        if let row = session.refreshId.flatMap({ refreshTokens[$0] }) { return end(of: row) }
        return session.accessEnd?.instant ?? session.createdAt.instant
    }

    func isLive(_ session: Session, now: Instant) -> Bool { session.endedAt == nil && now < end(of: session) }

    /// The live sessions of a user, oldest first.
    func liveSessions(of user: String, now: Instant) -> [Session] {
        sessions.rows(in: user).filter { isLive($0, now: now) }
    }

    /// The user and the session of an access token that is valid now; throws 401 if there are none.
    mutating func authenticate(_ token: String?, now: Instant) throws(APIError) -> (user: User, session: Session) {
        guard let token, let claims = tokens.verify(token), claims.isAccess, !claims.isRevoked,
            now.seconds < claims.expiresAt
        else { throw .invalidToken }
        adoptOffline(claims, token: token)
        if let row = accessTokens[claims.id] {
            guard now < row.expiresAt.instant, row.endedAt.map({ now < $0.instant }) ?? true else {
                throw .invalidToken
            }
        }
        guard let session = sessions[claims.session], session.endedAt == nil, session.userId == claims.subject,
            let user = users[session.userId]
        else { throw .invalidToken }
        return (user, session)
    }

    /// Stores the session of a token that the command line made with this world's key, at the token's first use.
    mutating func adoptOffline(_ claims: TokenIssuer.Claims, token: String) {
        guard claims.id.hasPrefix(TokenOrder.offlineIDPrefix), !offlineTokens.contains(claims.id),
            users.contains(claims.subject), !sessions.contains(claims.session)
        else { return }
        offlineTokens.insert(OfflineToken(id: claims.id))
        let issued = Moment(Instant(seconds: claims.issuedAt))
        let end = Moment(Instant(seconds: claims.expiresAt))
        var session = Session(
            id: claims.session,
            userId: claims.subject,
            device: DeviceInfo(),
            createdAt: issued,
            lastActiveAt: issued
        )
        if claims.isAccess {
            session.accessEnd = end
            accessTokens.insert(
                AccessToken(id: claims.id, userId: claims.subject, sessionId: claims.session, expiresAt: end)
            )
        } else {
            session.refreshId = claims.id
            refreshTokens.insert(
                RefreshToken(
                    id: claims.id,
                    userId: claims.subject,
                    tokenHash: Self.hash(token),
                    sessionId: session.id,
                    issuedAt: issued,
                    expiresAt: end
                )
            )
        }
        sessions.insert(session)
    }

    // MARK: Refreshing

    /// Section 3.3, steps 2 to 6.
    mutating func refresh(
        _ token: String,
        now: Instant,
        core: inout WorldCore,
        call: inout Call
    ) throws(APIError) -> Issued {
        guard let claims = tokens.verify(token), !claims.isAccess, !claims.isRevoked else {
            throw .invalidRefreshToken
        }
        adoptOffline(claims, token: token)
        guard let row = refreshTokens[claims.id] else { throw refuseDropped(claims, now: now) }
        guard row.tokenHash == Self.hash(token) else { throw .invalidRefreshToken }
        if let user = users[row.userId] { call.user = CallUser(id: user.id, email: user.email) }
        guard now.seconds < claims.expiresAt, now < end(of: row), let session = sessions[row.sessionId],
            users.contains(row.userId)
        else { throw .invalidRefreshToken }
        if let revokedAt = row.revokedAt?.instant, now >= revokedAt {
            guard isTheft(row, session) else { throw .invalidRefreshToken }
            if let again = answerAgain(row, session, revokedAt: revokedAt, now: now) { return again }
            endAllSessions(of: row.userId, now: now)
            // The scenario has ended this user's sessions once; a later login is not affected.
            if settings.refreshTheft == .on { theftMarks.insert(TheftMark(id: row.userId)) }
            throw .refreshTokenReused
        }
        guard session.endedAt == nil else { throw .invalidRefreshToken }
        if settings.refreshTheft == .on, !theftMarks.contains(row.userId) {
            theftMarks.insert(TheftMark(id: row.userId))
            endAllSessions(of: row.userId, now: now)
            throw .refreshTokenReused
        }
        return use(row, session, now: now, core: &core)
    }

    /// Tells whether the reuse of a revoked token is a sign of theft (section 3.4 and decision 6).
    private func isTheft(_ row: RefreshToken, _ session: Session) -> Bool {
        switch row.revokedBy {
        case .rotation:
            if session.endedAt == nil { return true }
            let isEndedByUser = session.endReason == .logout || session.endReason == .deviceRevoked
            return settings.reuseScope == .anyRevoked && isEndedByUser
        case .logout, .device: return settings.reuseScope == .anyRevoked
        case .use, .admin, .reuse, nil: return false
        }
    }

    /// Repeats the result of a rotation, within the grace period.
    private func answerAgain(_ row: RefreshToken, _ session: Session, revokedAt: Instant, now: Instant) -> Issued? {
        guard let successor = row.successor, session.endedAt == nil,
            now - revokedAt < .seconds(Int64(settings.reuseGraceSeconds))
        else { return nil }
        let issuedAt = successor.issuedAt.instant
        return Issued(
            accessToken: sign(
                access: successor.accessId,
                session,
                issuedAt: issuedAt,
                expiresAt: successor.accessExpiresAt.instant
            ),
            refreshToken: sign(
                refresh: successor.refreshId,
                session,
                issuedAt: issuedAt,
                expiresAt: successor.refreshExpiresAt.instant
            ),
            expiresIn: Int((successor.accessExpiresAt.instant - issuedAt.flooredToSecond).wholeSeconds)
        )
    }

    /// Step 6, and its variants of section 3.6.
    private mutating func use(
        _ row: RefreshToken,
        _ session: Session,
        now: Instant,
        core: inout WorldCore
    ) -> Issued {
        let access = issueAccess(for: session, now: now, core: &core)
        var issued = Issued(accessToken: access.token, expiresIn: settings.accessLifetimeSeconds)
        sessions.update(session.id) { $0.lastActiveAt = Moment(now) }
        seeAgain(session, now: now)
        switch settings.refreshMode {
        case .rotating:
            let next = issueRefresh(for: session, now: now, core: &core)
            issued.refreshToken = next.token
            refreshTokens.update(row.id) {
                $0.lastUsedAt = Moment(now)
                $0.revokedAt = Moment(now)
                $0.revokedBy = .rotation
                $0.successor = RefreshToken.Successor(
                    accessId: access.row.id,
                    refreshId: next.row.id,
                    issuedAt: Moment(now),
                    accessExpiresAt: access.row.expiresAt,
                    refreshExpiresAt: next.row.expiresAt
                )
            }
        case .reusable: refreshTokens.update(row.id) { $0.lastUsedAt = Moment(now) }
        case .singleUse:
            refreshTokens.update(row.id) {
                $0.lastUsedAt = Moment(now)
                $0.revokedAt = Moment(now)
                $0.revokedBy = .use
            }
        }
        return issued
    }

    // MARK: Ending

    /// Ends a session with its access tokens, and revokes its refresh tokens.
    mutating func endSession(_ id: String, _ reason: Session.EndReason, now: Instant) {
        guard sessions[id]?.endedAt == nil else { return }
        sessions.update(id) {
            $0.endedAt = Moment(now)
            $0.endReason = reason
        }
        let revoker: RefreshToken.Revoker =
            switch reason {
            case .logout: .logout
            case .deviceRevoked: .device
            case .admin: .admin
            case .reuse: .reuse
            }
        for row in refreshTokens.rows(in: id) where row.revokedAt.map({ now < $0.instant }) ?? true {
            refreshTokens.update(row.id) {
                $0.revokedAt = Moment(now)
                $0.revokedBy = revoker
            }
        }
    }

    /// Ends every session of the user on every device (section 3.4).
    mutating func endAllSessions(of user: String, now: Instant) {
        for session in sessions.rows(in: user) { endSession(session.id, .reuse, now: now) }
    }

    /// Logs a device out: ends the session, and the user's other sessions on that device (section 3.5).
    mutating func logOut(_ session: Session, now: Instant) {
        endSession(session.id, .logout, now: now)
        guard let device = session.device.deviceId else { return }
        for other in sessions.rows(in: session.userId) where other.device.deviceId == device {
            endSession(other.id, .logout, now: now)
        }
    }

    // MARK: Devices

    /// Notes a device of a user; `registers` also marks it as registered (endpoint 18).
    mutating func seeDevice(
        _ info: DeviceInfo,
        of user: String,
        registers: Bool,
        now: Instant,
        core: inout WorldCore
    ) {
        guard let deviceId = info.deviceId else { return }
        let key = Device.key(user, deviceId)
        guard devices.contains(key) else {
            makeRoomForDevice(of: user)
            devices.insert(
                Device(
                    id: key,
                    userId: user,
                    info: info,
                    isRegistered: registers,
                    registeredAt: Moment(now),
                    lastActiveAt: Moment(now)
                )
            )
            return
        }
        devices.update(key) { device in
            device.info.take(info)
            device.lastActiveAt = Moment(now)
            guard registers, !device.isRegistered else { return }
            device.isRegistered = true
            device.registeredAt = Moment(now)
        }
    }

    private mutating func seeAgain(_ session: Session, now: Instant) {
        guard let deviceId = session.device.deviceId else { return }
        devices.update(Device.key(session.userId, deviceId)) { $0.lastActiveAt = Moment(now) }
    }
}

extension DeviceInfo {
    /// Takes over the members that are set in `other`.
    mutating func take(_ other: DeviceInfo) {
        deviceId = other.deviceId ?? deviceId
        platform = other.platform ?? platform
        deviceName = other.deviceName ?? deviceName
        deviceModel = other.deviceModel ?? deviceModel
        osVersion = other.osVersion ?? osVersion
        appVersion = other.appVersion ?? appVersion
        pushToken = other.pushToken ?? pushToken
    }
}
