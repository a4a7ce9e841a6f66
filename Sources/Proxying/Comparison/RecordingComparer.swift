import CivilTime
import Emulation
import HTTPMessage
import JSON
import Recording

/// Replays recorded requests against an emulation of its own, on the clock of the recording.
struct RecordingComparer {
    private let api: AnyAPI
    private let order: OfflineDiff.Order
    private var emulator: Emulator?
    private var correspondence = IDCorrespondence(followsStandIns: true)
    private var standIn: String?
    private let redactor = Redactor()

    init(_ api: AnyAPI, _ order: OfflineDiff.Order) {
        self.api = api
        self.order = order
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
        guard entry.response.status >= 200 else {
            compared.skipped = "it has no answer"
            return compared
        }
        let at = entry.virtualTime ?? entry.started
        let hostTime = HostTime(wall: at, monotonic: at)
        let emulator = emulator(at: hostTime)
        emulator[world: WorldName.main]?.world.withCore { $0.clock.set(.frozen(at), at: hostTime) }
        let recorded = request(entry, address)
        let knows = credential(recorded).map { correspondence.emulated(of: $0) != nil } ?? true
        if !knows, let credential = credential(recorded) { adopt(credential, emulator) }
        adoptIdentity(recorded, emulator)
        let sent = correspondence.emulatedRequest(recorded)
        let entryPoint = EntryPoint.api(0)
        guard let place = emulator.address(of: sent.head, entryPoint: entryPoint),
            let answer = emulator.rehearse(sent, address: place, peer: "127.0.0.1", at: hostTime)
        else {
            compared.skipped = "its path is malformed"
            return compared
        }
        // This includes entries that the backend refused for another reason: without the user there is no telling
        // whether the emulation would.
        if answer.status.code == 401, entry.response.status != 401, !knows, standIn == nil {
            compared.skipped = "the sign-in of its credential is not in the recording; --user WHO stands in"
            return compared
        }
        let content = recorded.head.method == .head ? [] : answer.body.content
        let body = entry.response.content.bytes ?? []
        if answer.status.code >= 400, entry.response.status < 400, carriesUnknownSecret(recorded) {
            compared.skipped = "what it signs in with was left out of the recording"
            return compared
        }
        compared.differences = AnswerComparison.differences(
            emulated: ComparedAnswer(
                status: answer.status.code,
                headers: HARPair.fields(answer.fields),
                body: content
            ),
            upstream: ComparedAnswer(status: entry.response.status, headers: entry.response.headers, body: body),
            rules: order.rules,
            redactor: redactor
        )
        correspondence.learn(emulated: content, upstream: body)
        return compared
    }

    /// Tells whether a password, a code or a token of the body has no counterpart in the emulation.
    private func carriesUnknownSecret(_ request: HTTPRequest) -> Bool {
        var isUnknown = false
        _ = RequestRewriter.rewritten(request) { text in
            let isLeftOut = Pseudonyms.isStandIn(text) && !text.hasPrefix("redacted-email-")
            if isLeftOut, correspondence.emulated(of: text) == nil { isUnknown = true }
            return text
        }
        guard !isUnknown, let body = (try? JSONReader.read(request.body.bytes))?.objectValue else { return isUnknown }
        // A code keeps its digits, so only its name identifies it.
        return body.members.contains { member in
            guard let text = member.value.stringValue else { return false }
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
        return made
    }

    private func credential(_ request: HTTPRequest) -> String? {
        guard let value = request.head.fields[.authorization] else { return nil }
        return value.split(separator: " ").last.map(String.init)
    }

    /// Assigns a credential of unknown origin to the user that the command line names.
    private mutating func adopt(_ credential: String, _ emulator: Emulator) {
        guard let user = order.user, let hosted = emulator[world: WorldName.main] else { return }
        if standIn == nil,
            case .success(let minted) = api.mint(&hosted.world, 0, TokenOrder(user: user, kind: .access))
        {
            standIn = minted.token
        }
        if let standIn { correspondence.pair(emulated: standIn, upstream: credential) }
    }

    /// Assigns stand-ins of identity tokens and e-mail addresses, which redaction left, to the user that the command
    /// line names.
    private mutating func adoptIdentity(_ request: HTTPRequest, _ emulator: Emulator) {
        guard let user = order.user, let hosted = emulator[world: WorldName.main],
            let body = (try? JSONReader.read(request.body.bytes))?.objectValue
        else { return }
        for member in body.members {
            guard let text = member.value.stringValue, Pseudonyms.isStandIn(text),
                correspondence.emulated(of: text) == nil
            else {
                continue
            }
            if member.name.lowercased().hasSuffix("idtoken") || member.name.lowercased().hasSuffix("identitytoken") {
                guard
                    case .success(let minted) = api.mint(
                        &hosted.world,
                        0,
                        TokenOrder(user: user, kind: .appleIdentity)
                    )
                else { continue }
                correspondence.pair(emulated: minted.token, upstream: text)
            } else if text.hasPrefix("redacted-email-"), user.contains("@") {
                correspondence.pair(emulated: user, upstream: text)
            }
        }
    }

    private func request(_ entry: HAREntry, _ address: HARAddress) -> HTTPRequest {
        var fields = Fields()
        for pair in entry.request.headers {
            guard let name = FieldName(pair.name), !["transfer-encoding", "expect"].contains(pair.name.lowercased())
            else { continue }
            fields.append(name, pair.value)
        }
        return HTTPRequest(
            head: RequestHead(
                method: HTTPMethod(rawValue: entry.request.method),
                target: RequestTarget(rawPath: address.path, rawQuery: address.query),
                fields: fields
            ),
            body: RequestBody(entry.request.postData?.bytes ?? [])
        )
    }
}
