import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Recording
import Secrets
import Transport
import Worlds

/// Replays recorded requests against an emulation of its own, on the clock of the recording.
struct RecordingComparer {
    private let api: AnyAPI
    private let order: OfflineDiff.Order
    private let recordings: ModePreparation?
    private var emulator: Emulator?
    /// Answers from the recordings of the API's folder.
    private var proxy: ProxyController?
    private var correspondence = IDCorrespondence(followsPseudonyms: true)
    private var standIn: String?
    /// The reason why the credentials of the recording are unknown, once a sign-in could not be repeated.
    private var lostSignIn: String?
    /// Tells that no path of the recording belongs to the API, so that nothing is compared.
    var hasNoPath = false
    private let redactor = Redactor()

    init(_ api: AnyAPI, _ order: OfflineDiff.Order, _ recordings: ModePreparation? = nil) {
        self.api = api
        self.order = order
        self.recordings = recordings
    }

    mutating func compare(_ entry: HAREntry, _ index: Int) -> OfflineDiff.Compared {
        var compared = OfflineDiff.Compared(
            index: index,
            method: entry.request.method,
            path: entry.request.url,
            differences: []
        )
        guard let address = HARAddress(entry.request.url), let path = Path(raw: address.path) else {
            compared.skipped = "its address is not http or https"
            return compared
        }
        compared.path = path.text
        var hosts = order.hosts
        guard hosts.takes(entry.request.url) else {
            compared.skipped = "its host is not one of --host"
            return compared
        }
        guard entry.response.status >= 200 else {
            compared.skipped = "it has no answer"
            return compared
        }
        guard !hasNoPath else {
            compared.skipped = "no path of the recording belongs to \(api.identity.name)"
            return compared
        }
        let sent: [UInt8]
        switch RecordedContent(of: entry.request) {
        case .whole(let bytes): sent = bytes
        case .unknown(let reason):
            compared.skipped = "the content of its request is \(reason)"
            return compared
        }
        let at = entry.virtualTime ?? entry.started
        let hostTime = HostTime(wall: at, monotonic: at)
        let emulator = emulator(at: hostTime)
        emulator[world: WorldName.main]?.world.withCore { $0.clock.set(.frozen(at), at: hostTime) }
        var recorded = request(entry, address, sent)
        let knows = credential(recorded).map { correspondence.emulated(of: $0) != nil } ?? false
        if !knows, let credential = credential(recorded) { adopt(credential, emulator) }
        if let user = order.user { adoptIdentity(recorded, user, emulator) }
        guard var answer = rehearse(recorded, emulator, hostTime) else {
            compared.skipped = "its path is malformed"
            return compared
        }
        let content = RecordedContent(responseOf: entry)
        let body = content.bytes ?? []
        if answer.status.code >= 400, entry.response.status < 400, carriesUnknownSecret(recorded),
            let user = adoptSession(body, emulator)
        {
            adoptIdentity(recorded, user, emulator)
            answer = rehearse(recorded, emulator, hostTime) ?? answer
        }
        // This includes entries that the backend refused for another reason: without the user there is no telling
        // whether the emulation would.
        if answer.status.code == 401, entry.response.status != 401, !knows, credential(recorded) == nil,
            let standIn = standIn(emulator)
        {
            // A tool took the credential out.
            recorded.head.fields.set(.authorization, "Bearer \(standIn)")
            answer = rehearse(recorded, emulator, hostTime) ?? answer
        }
        let lacksCredential = answer.status.code == 401 && entry.response.status != 401 && !knows && standIn == nil
        if lacksCredential, credential(recorded) != nil {
            compared.skipped =
                lostSignIn ?? "the sign-in of its credential is not in the recording; --user WHO stands in"
            return compared
        }
        if answer.status.code >= 400, entry.response.status < 400, carriesUnknownSecret(recorded) {
            compared.skipped = "what it signs in with was left out of the recording"
            if isSignIn(body) {
                lostSignIn = "what its sign-in needs was left out of the recording; --user WHO stands in"
            }
            return compared
        }
        if lacksCredential {
            compared.skipped = "its credential was left out of the recording; --user WHO stands in"
            return compared
        }
        let emulated = recorded.head.method == .head ? [] : answer.body.content
        var rules = order.rules
        if case .unknown(let reason) = content {
            // Its status and its fields are known all the same, but for a type that stands with the content.
            compared.skipped = "its content is \(reason)"
            rules.ignoresBody = true
            if entry.response.headers.value("content-type") == nil { rules.headers.insert("content-type") }
        }
        compared.differences = AnswerComparison.differences(
            emulated: ComparedAnswer(
                status: answer.status.code,
                headers: HARPair.fields(answer.fields),
                body: emulated
            ),
            upstream: ComparedAnswer(status: entry.response.status, headers: entry.response.headers, body: body),
            rules: rules,
            redactor: redactor
        )
        if compared.skipped == nil { correspondence.learn(emulated: emulated, upstream: body) }
        return compared
    }

    /// Returns the users of the emulation, if the one that the command line names is not among them; else nil.
    mutating func usersWithout(_ user: String, at now: Instant) -> [String]? {
        let emulator = emulator(at: HostTime(wall: now, monotonic: now))
        guard let hosted = emulator[world: WorldName.main] else { return nil }
        var copy = hosted.world
        guard case .failure(let problem) = api.mint(&copy, 0, TokenOrder(user: user, kind: .access)),
            problem.slug == .unknownUser
        else { return nil }
        return api.ledger(copy, 0).users.map { $0.email ?? $0.id }
    }

    /// Tells whether a password, a code or a token of the body has no counterpart in the emulation.
    private func carriesUnknownSecret(_ request: HTTPRequest) -> Bool {
        var isUnknown = false
        _ = RequestRewriter.rewritten(request) { text in
            let isLeftOut = Pseudonyms.isPseudonym(text) && !text.hasPrefix("redacted-email-")
            if isLeftOut, correspondence.emulated(of: text) == nil { isUnknown = true }
            return text
        }
        guard !isUnknown, let body = (try? JSONReader.read(request.body.bytes))?.objectValue else { return isUnknown }
        // A code keeps its digits, so only its name identifies it.
        return body.members.contains { member in
            guard let text = member.value.stringValue else { return false }
            if SecretNames.kind(of: member.name) != nil, CredentialMask.stands(in: text) { return true }
            let isCode = SecretNames.kind(of: member.name) == .code || SecretNames.isCodeName(member.name)
            return isCode && correspondence.emulated(of: text) == nil
        }
    }

    private mutating func emulator(at hostTime: HostTime) -> Emulator {
        if let emulator { return emulator }
        var configuration = EmulatorConfiguration()
        configuration.seed = order.seed
        configuration.clock = .frozen(hostTime.wall)
        let made = Emulator(apis: [api], configuration: configuration, at: hostTime)
        emulator = made
        if let recordings {
            let proxy = ProxyController(
                made,
                version: "",
                authorities: nil,
                limits: UpstreamLimits(),
                otherBuiltInAPIs: { _ in [] }
            )
            proxy.stand(recordings, api: 0)
            self.proxy = proxy
        }
        return made
    }

    /// Finds the recording that answers a request, and reads long entries in place; nil where none does.
    private func recording(for exchange: Exchange) -> ReplayResponder? {
        var turn: ReplayTurn?
        while true {
            switch proxy?.source(of: exchange, turn) {
            case .replay(let responder): return responder
            case .preparation(let preparation): turn = preparation.turn(after: preparation.reading.run())
            case .endpoint, .upstream, nil: return nil
            }
        }
    }

    private func credential(_ request: HTTPRequest) -> String? {
        guard let value = request.head.fields[.authorization] else { return nil }
        return value.split(separator: " ").last.map(String.init)
    }

    /// Returns the emulation's response to a recorded request.
    private mutating func rehearse(_ recorded: HTTPRequest, _ emulator: Emulator, _ hostTime: HostTime) -> Response? {
        let sent = correspondence.emulatedRequest(recorded)
        guard let place = emulator.address(of: sent.head, entryPoint: .api(0)) else { return nil }
        return emulator.rehearse(sent, address: place, peer: "127.0.0.1", at: hostTime, source: recording)
    }

    /// Assigns a credential of unknown origin to the user that the command line names.
    private mutating func adopt(_ credential: String, _ emulator: Emulator) {
        if let standIn = standIn(emulator) { correspondence.pair(emulated: standIn, upstream: credential) }
    }

    /// Returns the access token of the user that the command line names.
    private mutating func standIn(_ emulator: Emulator) -> String? {
        if standIn == nil, let user = order.user { standIn = mint(.access, user, emulator) }
        return standIn
    }

    private func mint(_ kind: TokenOrder.Kind, _ user: String, _ emulator: Emulator) -> String? {
        guard let hosted = emulator[world: WorldName.main],
            case .success(let minted) = api.mint(&hosted.world, 0, TokenOrder(user: user, kind: kind))
        else { return nil }
        return minted.token
    }

    // MARK: Sign-ins whose secret was left out

    private static let accessNames: Set<String> = ["accessToken", "access_token", "token"]
    private static let refreshNames: Set<String> = ["refreshToken", "refresh_token"]
    private static let userNames: Set<String> = ["id", "_id", "userId", "user_id"]

    /// Tells whether a recorded answer issued an access token.
    private func isSignIn(_ body: [UInt8]) -> Bool { !texts(Self.accessNames, in: body).isEmpty }

    /// Assigns the tokens that a recorded sign-in issued to its user, where its answer names one that the emulation has
    /// too; returns the user.
    private mutating func adoptSession(_ body: [UInt8], _ emulator: Emulator) -> String? {
        guard let recorded = texts(Self.accessNames, in: body).first else { return nil }
        for user in texts(Self.userNames, in: body) {
            guard let access = mint(.access, user, emulator) else { continue }
            correspondence.pair(emulated: access, upstream: recorded)
            if let former = texts(Self.refreshNames, in: body).first, let refresh = mint(.refresh, user, emulator) {
                correspondence.pair(emulated: refresh, upstream: former)
            }
            return user
        }
        return nil
    }

    /// The texts of members of these names, at any of the first four levels.
    private func texts(_ names: Set<String>, in body: [UInt8]) -> [String] {
        var found: [String] = []
        func look(_ json: JSON, _ depth: Int) {
            guard depth > 0, let object = json.objectValue else { return }
            for member in object.members {
                if names.contains(member.name), let text = member.value.stringValue { found.append(text) }
                look(member.value, depth - 1)
            }
        }
        if let json = try? JSONReader.read(body) { look(json, 4) }
        return found
    }

    /// Assigns stand-ins of identity tokens and e-mail addresses, which redaction left, to a user.
    private mutating func adoptIdentity(_ request: HTTPRequest, _ user: String, _ emulator: Emulator) {
        guard let body = (try? JSONReader.read(request.body.bytes))?.objectValue
        else { return }
        for member in body.members {
            guard let text = member.value.stringValue, Pseudonyms.isPseudonym(text),
                correspondence.emulated(of: text) == nil
            else {
                continue
            }
            if member.name.lowercased().hasSuffix("idtoken") || member.name.lowercased().hasSuffix("identitytoken") {
                guard let identity = mint(.appleIdentity, user, emulator) else { continue }
                correspondence.pair(emulated: identity, upstream: text)
            } else if text.hasPrefix("redacted-email-"), user.contains("@") {
                correspondence.pair(emulated: user, upstream: text)
            }
        }
    }

    private func request(_ entry: HAREntry, _ address: HARAddress, _ content: [UInt8]) -> HTTPRequest {
        var fields = Fields()
        for pair in entry.request.headers {
            // The content has been decoded.
            guard let name = FieldName(pair.name),
                !["transfer-encoding", "content-encoding", "expect"].contains(pair.name.lowercased())
            else { continue }
            // What a tool put in the place of a credential is none.
            if name == .authorization, CredentialMask.stands(in: pair.value) { continue }
            fields.append(name, pair.value)
        }
        return HTTPRequest(
            head: RequestHead(
                method: HTTPMethod(rawValue: entry.request.method),
                target: RequestTarget(rawPath: address.path, rawQuery: address.query),
                fields: fields
            ),
            body: RequestBody(content)
        )
    }
}
