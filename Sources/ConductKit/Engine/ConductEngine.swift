import Basics
import CivilTime
import Crypto
import HTTPMessage
import JSON

/// Judges exchanges in the order of their begins, each once.
///
/// A value: a copy goes on by itself, so that a report over exchanges that may still change leaves the original as it
/// is.
package struct ConductEngine: Sendable {
    private var rules: [any ConductRule]
    package private(set) var context: RuleContext
    private let knowledge: [String: APIKnowledge]
    private var recogniser: CredentialRecogniser? { context.recogniser }

    private var epoch: Int?
    private var routes: [String: Int32] = [:]
    private var apiLimits: [String: Int] = [:]
    private var places: [String: Int32] = [:]
    private var clientCount: Int32 = 0
    private var users: [String: Int32] = [:]
    private var clientUsers: [Int32: Int32] = [:]
    private var requests: [RequestKey: Int32] = [:]
    private var authorizations: [String: Int32] = [:]
    private var reissuedTokens = ReissuedTokens()
    private var authorizationTokens: [String?] = [nil]
    private var strangers: Set<String> = []
    private var sessionKeys: [String: Int32] = [:]
    private var underWay: [Int32: ConcurrencyPeaks] = [:]
    private var automaticRepeats = AutomaticRepeats()

    private struct RequestKey: Hashable {
        var client: Int32
        var route: Int32
        var path: String
        var query: String?
        var first: UInt64
        var second: UInt64
    }

    /// Creates an engine that has judged nothing.
    package init(
        _ registry: RuleRegistry,
        settings: ConductSettings = ConductSettings(),
        knowledge: [APIKnowledge] = [],
        recogniser: CredentialRecogniser? = nil
    ) {
        rules = registry.rules.map { $0.init() }
        context = RuleContext(LimitTable(registry, settings), recogniser)
        context.bases = Dictionary(knowledge.map { ($0.name, $0.baseSegments) }) { first, _ in first }
        self.knowledge = Dictionary(knowledge.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The number of exchanges judged.
    package var count: Int { context.rows.count }

    /// Takes the next exchange; none may have begun after it.
    package mutating func take(_ exchange: ConductExchange) {
        guard exchange.method != .options else { return }
        if epoch != exchange.epoch { begin(epoch: exchange.epoch) }
        let judged = prepare(exchange)
        guard exchange.method != .head else {
            // It is not judged, but the tag that it brings is the client's to use.
            context.tags.note(judged)
            return
        }
        context.add(judged.row)
        if judged.session >= 0, context.placeSessions[judged.row.place] == nil {
            context.placeSessions[judged.row.place] = judged.index
        }
        for place in rules.indices {
            context.rule = place
            rules[place].take(judged, &context)
        }
        context.tags.note(judged)
        if !judged.isGet { context.writes.note(judged) }
    }

    /// Exchanges of two epochs are never compared.
    private mutating func begin(epoch: Int) {
        if self.epoch != nil {
            rules = context.table.rules.rules.map { $0.init() }
            context.beginEpoch()
            reissuedTokens = ReissuedTokens()
            requests = [:]
            sessionKeys = [:]
            underWay = [:]
            automaticRepeats = AutomaticRepeats()
            clientUsers = [:]
            places = [:]
        }
        self.epoch = epoch
    }

    // MARK: Preparing

    private mutating func prepare(_ exchange: ConductExchange) -> JudgedExchange {
        let index = Int32(context.rows.count)
        let route = routeNumber(exchange)
        let info = context.routes[Int(route)]
        let place = placeNumber(exchange)
        let (authorization, holder) = authorization(exchange, index, place)
        let bearer = holder.credential
        var isShared = holder.isShared
        var requestJSON: JSON??
        var responseJSON: JSON??
        var role = info.operation?.role(query: exchange.query) ?? .ordinary

        var bodyCredential: Int32 = -1
        let isGrant = info.operation?.isGrant == true
        if role == .refresh || role == .signOut || isGrant || info.operation == nil && exchange.method == .post,
            let token = refreshToken(of: exchange, info.operation?.refreshMember, &requestJSON)
        {
            let found = number(of: token, exchange, index, place)
            bodyCredential = found.credential
            isShared = isShared || found.isShared
            if isGrant || info.operation == nil && bodyCredential >= 0 { role = .refresh }
        }

        var session: Int32 = -1
        let startsAtPlace = role == .signIn || role == .signUp || role == .requestCode
        if !startsAtPlace {
            if bodyCredential >= 0 {
                session = context.credentials[Int(bodyCredential)].session
            } else if bearer >= 0 {
                session = context.credentials[Int(bearer)].session
            }
        }
        let client = session >= 0 ? context.sessions[Int(session)].client : place

        // What the answer issued.
        var issued = Issued()
        let status = Int16(clamping: exchange.status)
        if exchange.status >= 200, exchange.status < 300, role != .signOut {
            issued = learn(exchange, info.operation, &role, session, place, index, &responseJSON)
        }
        if (300..<400).contains(exchange.status), let location = exchange.responseFields[.location] {
            note(address: location)
        }
        let owned = issued.session >= 0 ? issued.session : session
        if role == .refresh, exchange.outcome == .delivered { noteRefresh(exchange, bodyCredential, session, index) }
        if role == .signOut, exchange.outcome == .delivered, exchange.status >= 200, exchange.status < 300, session >= 0
        {
            if context.sessions[Int(session)].signedOutBy < 0 { context.sessions[Int(session)].signedOutBy = index }
        }

        let user = userNumber(exchange, owned, client)
        let grace = context.grace(isLocal: exchange.isLocal)
        let isQueued = noteUnderWay(client, exchange.startedAt.microseconds, exchange.endedAt.microseconds, grace)
        // A request that may be another client's is like no other.
        let request = isShared ? Self.unlike(index) : requestNumber(exchange, client, route)
        let begin = exchange.startedAt.microseconds
        let isAutomatic = automaticRepeats.take(request, authorization, at: begin)
        let row = Row(
            id: exchange.id,
            seq: exchange.seq,
            begin: begin,
            end: max(exchange.startedAt, exchange.endedAt).microseconds,
            at: exchange.at.microseconds,
            connection: exchange.connection ?? -1,
            client: client,
            place: place,
            route: route,
            request: request,
            authorization: authorization,
            user: user,
            status: status,
            outcome: exchange.outcome,
            isFree: isQueued || isShared || isAutomatic,
            isAutomatic: isAutomatic,
            grace: grace,
            file: Int16(clamping: exchange.file)
        )
        // A library that has repeated a request does not repeat it again.
        if !isAutomatic { automaticRepeats.note(row, exchange.method) }
        return JudgedExchange(
            exchange,
            index: index,
            row: row,
            operation: info.operation,
            role: role,
            bearer: bearer,
            bodyCredential: bodyCredential,
            session: owned,
            issuedAccess: issued.access,
            issuedRefresh: issued.refresh,
            requestJSON: requestJSON,
            responseJSON: responseJSON
        )
    }

    private mutating func routeNumber(_ exchange: ConductExchange) -> Int32 {
        let route = exchange.route ?? shownRoute(of: exchange)
        let name = "\(exchange.api) \(exchange.method.rawValue) \(route)"
        if let number = routes[name] { return number }
        let operation = knowledge[exchange.api]?.operation(exchange.method.rawValue, exchange.route)
        let limits: Int
        if operation != nil {
            limits = context.addLimits()
        } else if let known = apiLimits[exchange.api] {
            limits = known
        } else {
            limits = context.addLimits()
            apiLimits[exchange.api] = limits
        }
        let number = Int32(context.routes.count)
        context.routes.append(
            RouteInfo(
                api: exchange.api,
                method: exchange.method.rawValue,
                route: route,
                operation: operation,
                limits: limits
            )
        )
        routes[name] = number
        return number
    }

    /// The path with names, and with tokens that were issued, written as `{id}`.
    private func shownRoute(of exchange: ConductExchange) -> String {
        Content.route(of: exchange.path).split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let plain = Path(raw: "/" + segment)?.segments.first ?? String(segment)
            return context.holdsIssuedToken(plain, of: exchange.api) ? "{id}" : String(segment)
        }
        .joined(separator: "/")
    }

    private mutating func placeNumber(_ exchange: ConductExchange) -> Int32 {
        let name = "\(exchange.api)\n\(exchange.peer ?? "")\n\(exchange.fields[.userAgent] ?? "")"
        if let number = places[name] { return number }
        clientCount += 1
        places[name] = clientCount
        return clientCount
    }

    private mutating func authorization(
        _ exchange: ConductExchange,
        _ index: Int32,
        _ place: Int32
    ) -> (Int32, ReissuedTokens.Holder) {
        guard let value = exchange.fields[.authorization] else { return (0, ReissuedTokens.Holder(credential: -1)) }
        let id: Int32
        if let known = authorizations[value] {
            id = known
        } else {
            let parts = value.split(separator: " ", maxSplits: 1)
            let isBearer = parts.count == 2 && parts[0].lowercased() == "bearer"
            id = addAuthorization(value, token: isBearer ? String(parts[1]) : nil)
        }
        guard let token = authorizationTokens[Int(id)] else { return (id, ReissuedTokens.Holder(credential: -1)) }
        let holder = number(of: token, exchange, index, place)
        guard holder.isRenewed else { return (id, holder) }
        // The same text is another credential.
        let name = "\(value)\n\(holder.credential)"
        return (authorizations[name] ?? addAuthorization(name, token: token), holder)
    }

    private mutating func addAuthorization(_ value: String, token: String?) -> Int32 {
        authorizations[value] = Int32(authorizationTokens.count)
        authorizationTokens.append(token)
        return Int32(authorizationTokens.count - 1)
    }

    /// The refresh token in the content of a request; `member` is a name for it beside the usual ones.
    private func refreshToken(of exchange: ConductExchange, _ member: String?, _ json: inout JSON??) -> String? {
        var names = Self.refreshNames
        if let member { names.insert(member) }
        let parsed = Content.json(exchange.body)
        json = .some(parsed)
        if let parsed { return Content.strings(named: names, in: parsed, depth: 2).first?.value }
        guard exchange.body.isWhole, exchange.body.length > 0,
            exchange.fields[.contentType]?.lowercased().contains("form-urlencoded") == true
        else { return nil }
        let form = QueryItems(bytes: exchange.body.bytes[...])
        return form.items.first { names.contains($0.name) }?.value
    }

    private mutating func userNumber(_ exchange: ConductExchange, _ session: Int32, _ client: Int32) -> Int32 {
        let known = session >= 0 ? context.sessions[Int(session)].user : nil
        guard let name = exchange.user ?? exchange.userID ?? known else { return clientUsers[client] ?? -1 }
        let key = exchange.userID ?? known ?? name
        let number: Int32
        if let found = users[key] {
            number = found
            if let user = exchange.user { context.users[Int(number)].name = user }
        } else {
            number = Int32(context.users.count)
            context.users.append((exchange.user ?? name, exchange.userID ?? known))
            users[key] = number
        }
        if clientUsers[client] == nil, session >= 0 { clientUsers[client] = number }
        return number
    }

    private mutating func requestNumber(_ exchange: ConductExchange, _ client: Int32, _ route: Int32) -> Int32 {
        guard let digest = Content.digest(exchange.body) else { return Self.unlike(Int32(context.rows.count)) }
        let key = RequestKey(
            client: client,
            route: route,
            path: exchange.path,
            query: exchange.query,
            first: digest.0,
            second: digest.1
        )
        if let number = requests[key] { return number }
        let number = Int32(requests.count)
        requests[key] = number
        return number
    }

    /// The number of a request that is the same as no other.
    private static func unlike(_ index: Int32) -> Int32 { -1 - index }

    /// Notes an exchange of a client, and tells whether four others were under way at one moment shortly before.
    private mutating func noteUnderWay(_ client: Int32, _ begin: Int64, _ end: Int64, _ grace: Int64) -> Bool {
        var peaks = underWay[client] ?? ConcurrencyPeaks()
        let isQueued = peaks.wasThere(after: begin - grace, before: begin)
        peaks.add(begin, end)
        underWay[client] = peaks
        return isQueued
    }

    // MARK: Credentials

    /// The credential that a request's text stands for; negative for a text that is none of ours.
    private mutating func number(
        of token: String,
        _ exchange: ConductExchange,
        _ index: Int32,
        _ place: Int32
    ) -> ReissuedTokens.Holder {
        if let number = context.tokens[token] {
            return reissuedTokens.holder(of: token, at: exchange.startedAt.microseconds, place, context)
                ?? ReissuedTokens.Holder(credential: number)
        }
        // What is none of ours is looked at once, not with each of its requests.
        guard !strangers.contains(token) else { return ReissuedTokens.Holder(credential: -1) }
        guard let found = recogniser?(exchange.api, token) else {
            strangers.insert(token)
            return ReissuedTokens.Holder(credential: -1)
        }
        let session = found.kind == .identity ? -1 : session(of: found, exchange.api, place)
        return ReissuedTokens.Holder(credential: add(token, found, session, -1))
    }

    /// The credential that an answer hands out: a new one, also where its text was handed out before, unless it is the
    /// refresh token that its session has anyway.
    private mutating func handOut(
        _ token: String,
        _ kind: RecognisedCredential.Kind,
        _ exchange: ConductExchange,
        _ session: Int32,
        _ index: Int32
    ) -> Int32 {
        let found = recogniser?(exchange.api, token) ?? RecognisedCredential(kind: kind)
        guard let known = context.tokens[token] else { return add(token, found, session, index) }
        guard exchange.outcome == .delivered else { return known }
        let holder = context.sessions[Int(session)]
        let isKept =
            kind == .refresh && context.credentials[Int(known)].session == session && holder.refusedBy < 0
            && holder.signedOutBy < 0 && (holder.refresh == known || holder.refresh < 0)
        guard !isKept else { return known }
        let number = add(token, found, session, index)
        reissuedTokens.note(token, known, number, from: exchange.endedAt.microseconds)
        return number
    }

    private mutating func add(
        _ token: String,
        _ found: RecognisedCredential,
        _ session: Int32,
        _ issuedBy: Int32
    ) -> Int32 {
        let number = Int32(context.credentials.count)
        context.credentials.append(
            KnownCredential(
                kind: found.kind,
                session: session,
                start: String(token.prefix(6)),
                issuedBy: issuedBy,
                issuedAt: found.issuedAt,
                expiresAt: found.expiresAt.map { $0.multipliedReportingOverflow(by: 1_000_000).partialValue }
            )
        )
        context.tokens[token] = number
        return number
    }

    private mutating func session(of found: RecognisedCredential?, _ api: String, _ place: Int32) -> Int32 {
        guard let name = found?.session else { return newSession(found, api, place) }
        let key = "\(api)\n\(name)"
        if let number = sessionKeys[key] { return number }
        let number = newSession(found, api, place)
        sessionKeys[key] = number
        return number
    }

    private mutating func newSession(_ found: RecognisedCredential?, _ api: String, _ place: Int32) -> Int32 {
        clientCount += 1
        context.sessions.append(KnownSession(api: api, client: clientCount, user: found?.user, place: place))
        return Int32(context.sessions.count - 1)
    }

    private struct Issued {
        var session: Int32 = -1
        var access: Int32 = -1
        var refresh: Int32 = -1
    }

    private static let accessNames: Set<String> = ["accessToken", "access_token", "token"]
    private static let refreshNames: Set<String> = ["refreshToken", "refresh_token"]

    /// Learns the tokens of an answer.
    private mutating func learn(
        _ exchange: ConductExchange,
        _ operation: OperationKnowledge?,
        _ role: inout OperationKnowledge.Role,
        _ session: Int32,
        _ place: Int32,
        _ index: Int32,
        _ json: inout JSON??
    ) -> Issued {
        let isAuth = role == .signIn || role == .signUp || role == .refresh
        if operation == nil || knowledge[exchange.api]?.declaresCredentialURLs != true { noteAddresses(in: exchange) }
        if operation != nil, !isAuth { return Issued() }
        guard isAuth || Content.holds("oken\"", in: exchange.responseBody.bytes) else { return Issued() }
        let parsed = Content.json(exchange.responseBody)
        json = .some(parsed)
        noteAddresses(in: parsed, depth: 5)
        var access = Content.strings(named: Self.accessNames, in: parsed).first?.value
        var refresh = Content.strings(named: Self.refreshNames, in: parsed).first?.value
        if isAuth, access == nil, refresh == nil, let recogniser {
            // The answers of a custom API have the names that its author gave them.
            for text in Content.strings(in: parsed) {
                switch recogniser(exchange.api, text)?.kind {
                case .access?: access = access ?? text
                case .refresh?: refresh = refresh ?? text
                case .identity?, nil: continue
                }
            }
        }
        guard access != nil || refresh != nil else { return Issued() }
        if operation == nil, role == .ordinary { role = .signIn }
        var issued = Issued()
        let isRefresh = role == .refresh
        let recognised = (access ?? refresh).flatMap { recogniser?(exchange.api, $0) }
        // Who is told the token that it came with is in the same session.
        let isTold =
            access.flatMap { context.tokens[$0] }.map { context.credentials[Int($0)].session == session } ?? false
        issued.session =
            session >= 0 && (isRefresh || isTold) ? session : self.session(of: recognised, exchange.api, place)
        let isWhole = exchange.outcome == .delivered
        if let access { issued.access = handOut(access, .access, exchange, issued.session, index) }
        if let refresh {
            issued.refresh = handOut(refresh, .refresh, exchange, issued.session, index)
            context.credentials[Int(issued.refresh)].kind = .refresh
            if isWhole {
                context.sessions[Int(issued.session)].refresh = issued.refresh
                context.sessions[Int(issued.session)].refreshFrom = index
                context.sessions[Int(issued.session)].refusedBy = -1
            }
        }
        if isRefresh, isWhole { context.sessions[Int(issued.session)].refreshedBy = index }
        if context.sessions[Int(issued.session)].user == nil {
            context.sessions[Int(issued.session)].user = exchange.userID ?? exchange.user
        }
        return issued
    }

    /// Notes the addresses of an answer whatever its form: the texts behind `://`, and those that begin with a slash.
    private mutating func noteAddresses(in exchange: ConductExchange) {
        if let location = exchange.responseFields[.location] { note(address: location) }
        let bytes = exchange.responseBody.bytes
        guard let last = bytes.indices.last else { return }
        var place = bytes.startIndex
        let (quote, colon, slash) = (UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: "/"))
        while place < last {
            let byte = bytes[place]
            let begins =
                byte == quote && bytes[place + 1] == slash
                || byte == colon && bytes[place + 1] == slash && place + 2 <= last && bytes[place + 2] == slash
            place += 1
            guard begins else { continue }
            let rest = bytes[place...]
            let end = rest.firstIndex { $0 == quote || $0 <= 0x20 || $0 == UInt8(ascii: "<") } ?? bytes.endIndex
            // An address without a query is short, or its path has a token.
            if end - place > 16 {
                note(address: (byte == colon ? ":" : "") + String(decoding: bytes[place..<end], as: UTF8.self))
            }
            place = end
        }
    }

    private mutating func note(address: String) {
        guard let target = address.hasPrefix("/") ? address : Addresses.target(of: address) else { return }
        context.handedOut.insert(Content.fold(Array(target.utf8), 0))
    }

    /// Notes the addresses in an answer that may hold a token.
    private mutating func noteAddresses(in json: JSON?, depth: Int) {
        guard depth > 0, let json else { return }
        switch json {
        case .string(let text):
            guard let target = Addresses.target(of: text) else { return }
            context.handedOut.insert(Content.fold(Array(target.utf8), 0))
        case .array(let items): for item in items { noteAddresses(in: item, depth: depth - 1) }
        case .object(let object): for member in object.members { noteAddresses(in: member.value, depth: depth - 1) }
        default: return
        }
    }

    /// Notes what the answer to a refresh says of the token that was sent.
    private mutating func noteRefresh(
        _ exchange: ConductExchange,
        _ credential: Int32,
        _ session: Int32,
        _ index: Int32
    ) {
        guard credential >= 0, session >= 0 else { return }
        let isRefused = [400, 401, 403].contains(exchange.status)
        let known = context.sessions[Int(session)]
        if isRefused, known.refresh == credential || known.refresh < 0 {
            context.sessions[Int(session)].refusedBy = index
        } else if exchange.status >= 200, exchange.status < 300, known.refresh < 0 {
            // One that does not rotate, of a sign-in that was not seen.
            context.sessions[Int(session)].refresh = credential
            context.sessions[Int(session)].refreshFrom = index
        }
    }
}
