import CivilTime
import Emulation
import HTTPMessage
package import JSON
package import Recording
import Transport

/// Compares the responses of a recording with the emulation's responses to the same requests, without a server.
package enum OfflineDiff {
    package struct Order: Sendable {
        var api: String
        var seeds: SeedSource
        var seed: UInt64
        /// The user whose credential replaces the ones whose sign-in is not in the recording.
        package var user: String?
        package var rules = MatchRules()

        package init(api: String, seeds: SeedSource, seed: UInt64) {
            self.api = api
            self.seeds = seeds
            self.seed = seed
        }
    }

    /// The result for one entry: its differences, or the reason why it was not compared.
    package struct Compared: Sendable {
        package var index: Int
        package var method: String
        package var path: String
        package var differences: [AnswerDifference]
        package var skipped: String?

        package var json: JSON {
            var object: JSONObject = [
                "entry": .integer(Int64(index)), "method": .string(method), "path": .string(path),
            ]
            if let skipped { object.append("skipped", .string(skipped)) }
            let items = differences.map { difference -> JSON in
                guard case .object(var object) = difference.json else { return .null }
                object.append("severity", .string(difference.severity.rawValue))
                return .object(object)
            }
            object.append("differences", .array(items))
            return .object(object)
        }

        package func lines(showsValues: Bool) -> [String] {
            let place = "entry \(index)  \(method) \(path)"
            if let skipped { return ["\(place)  not compared: \(skipped)"] }
            return differences.filter { showsValues || $0.severity != .value }.map { difference in
                let left = difference.emulated.map { Self.shown($0) } ?? "nothing"
                let right = difference.upstream.map { Self.shown($0) } ?? "nothing"
                return
                    "\(place)  \(difference.severity.rawValue)  \(difference.path): emulated \(left), recorded \(right)"
            }
        }

        private static func shown(_ json: JSON) -> String {
            let text = json.text
            return text.count > 80 ? text.prefix(77) + "…" : text
        }
    }

    package struct Summary: Sendable {
        package var compared = 0
        package var skipped = 0
        package var breaking = 0
        package var additive = 0
        package var values = 0
        /// The reasons why entries were not compared, most frequent first.
        package var reasons: [(reason: String, count: Int)] = []
        /// Another API that has most of the entries' paths, if the named one has none of them.
        package var likelyAPI: String?

        package var json: JSON {
            [
                "compared": .integer(Int64(compared)), "skipped": .integer(Int64(skipped)),
                "reasons": .array(
                    reasons.map { ["reason": .string($0.reason), "count": .integer(Int64($0.count))] }
                ),
                "breaking": .integer(Int64(breaking)), "additive": .integer(Int64(additive)),
                "values": .integer(Int64(values)),
            ]
        }

        /// The last line; the reasons precede the counts, so that the line ends with the counts.
        package var text: String {
            let why = reasons.map { "\($0.count) because \($0.reason)" }.joined(separator: ", ")
            return (why.isEmpty ? "" : "not compared: \(why). ")
                + "\(compared) entries compared, \(skipped) not: \(breaking) breaking, \(additive) additive, \(values) other values"
        }

        fileprivate mutating func skip(_ reason: String) {
            skipped += 1
            if let place = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[place].count += 1
            } else {
                reasons.append((reason, 1))
            }
        }

        fileprivate mutating func sortReasons() {
            reasons = reasons.enumerated().sorted {
                ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
            }.map(\.element)
        }
    }

    /// The location of an entry in its file.
    private struct Place {
        var index: Int
        var offset: Int
        var length: Int
        var started: Instant
    }

    /// Walks through a recording; `visit` is called with each entry in the order in which the exchanges began, whatever
    /// the order in the file (HAR 1.2, `entries`), so that later entries see the changes of earlier ones.
    package static func run(
        _ path: String,
        _ order: Order,
        progress: (Int, Int) -> Void,
        visit: (Compared) -> Void
    ) throws(RecordingError) -> Summary {
        let file: DataFile
        do throws(Errno) {
            file = try .reading(path)
        } catch {
            throw RecordingError(text: "\(path): \(error)")
        }
        let apis: [AnyAPI]
        do throws(SeedError) {
            apis = try APICatalogue.load([order.api], from: order.seeds)
        } catch {
            throw RecordingError(text: error.items.map(\.text).joined(separator: "\n"))
        }
        var comparer = Comparer(apis, order)
        var summary = Summary()
        var places: [Place] = []
        var last = Instant.epoch
        var total = 0
        _ = try RecordingReader.read(file, name: path) {
            total = $1
            progress($0 / 2, $1)
        } visit: { found in
            // An entry without a time stays after the one before it.
            if found.entry.started != .epoch { last = found.entry.started }
            places.append(Place(index: found.index, offset: found.offset, length: found.length, started: last))
        }
        places.sort { ($0.started, $0.index) < ($1.started, $1.index) }
        var done = 0
        var paths = SeenPaths()
        for place in places {
            guard let bytes = try? file.read(at: place.offset, count: place.length),
                let entry = try? HARStreamReader.entry(bytes)
            else { throw RecordingError(text: "\(path): entry \(place.index) can't be read any more") }
            done += place.length
            progress(min(total / 2 + done / 2, total), total)
            let compared = comparer.compare(entry, place.index)
            paths.note(compared.path)
            if let reason = compared.skipped {
                summary.skip(reason)
            } else {
                summary.compared += 1
            }
            for difference in compared.differences {
                switch difference.severity {
                case .breaking: summary.breaking += 1
                case .additive: summary.additive += 1
                case .value: summary.values += 1
                }
            }
            visit(compared)
        }
        summary.sortReasons()
        summary.likelyAPI = paths.likelyAPI(insteadOf: apis[0])
        return summary
    }

    /// The paths of a recording, which identify its API.
    private struct SeenPaths {
        private static let capacity = 1_000
        private var paths: [Path] = []
        private var known: Set<String> = []

        mutating func note(_ text: String) {
            guard paths.count < Self.capacity, known.insert(text).inserted, let path = Path(raw: text) else { return }
            paths.append(path)
        }

        /// The API that has most of the paths; nil if the named one has any, or none has.
        func likelyAPI(insteadOf named: AnyAPI) -> String? {
            guard !paths.isEmpty, !paths.contains(where: named.knows) else { return nil }
            var best: (name: String, count: Int)?
            for name in APICatalogue.names where name != named.identity.name {
                guard let api = try? APICatalogue.load([name], from: .builtIn).first else { continue }
                let count = paths.count(where: api.knows)
                if count > best?.count ?? 0 { best = (name, count) }
            }
            return best?.name
        }
    }
}

/// Replays recorded requests against an emulation of its own, on the clock of the recording.
private struct Comparer {
    private let apis: [AnyAPI]
    private let order: OfflineDiff.Order
    private var emulator: Emulator?
    private var twins = IDCorrespondence(followsStandIns: true)
    private var standIn: String?
    private let redactor = Redactor()

    init(_ apis: [AnyAPI], _ order: OfflineDiff.Order) {
        self.apis = apis
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
        let knows = credential(recorded).map { twins.emulated(of: $0) != nil } ?? true
        if !knows, let credential = credential(recorded) { adopt(credential, emulator) }
        adoptIdentity(recorded, emulator)
        let sent = twins.emulatedRequest(recorded)
        let door = EntryPoint.api(0)
        guard let place = emulator.address(of: sent.head, door: door),
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
                headers: CapturedExchange.pairs(answer.fields),
                body: content
            ),
            upstream: ComparedAnswer(status: entry.response.status, headers: entry.response.headers, body: body),
            rules: order.rules,
            redactor: redactor
        )
        twins.learn(emulated: content, upstream: body)
        return compared
    }

    /// Tells whether a password, a code or a token of the body has no counterpart in the emulation.
    private func carriesUnknownSecret(_ request: HTTPRequest) -> Bool {
        var isUnknown = false
        _ = RequestRewriter.rewritten(request) { text in
            let isLeftOut = Pseudonyms.isStandIn(text) && !text.hasPrefix("redacted-email-")
            if isLeftOut, twins.emulated(of: text) == nil { isUnknown = true }
            return text
        }
        guard !isUnknown, let body = (try? JSONReader.read(request.body.bytes))?.objectValue else { return isUnknown }
        // A code keeps its digits, so only its name identifies it.
        return body.members.contains { member in
            guard let text = member.value.stringValue else { return false }
            let isCode = SecretNames.kind(of: member.name) == .code || SecretNames.isCodeName(member.name)
            return isCode && twins.emulated(of: text) == nil
        }
    }

    private mutating func emulator(at hostTime: HostTime) -> Emulator {
        if let emulator { return emulator }
        var configuration = EmulatorConfiguration()
        configuration.seed = order.seed
        configuration.clock = .frozen(hostTime.wall)
        let made = Emulator(apis: apis, configuration: configuration, at: hostTime)
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
            case .success(let minted) = apis[0].mint(&hosted.world, 0, TokenOrder(user: user, kind: .access))
        {
            standIn = minted.token
        }
        if let standIn { twins.pair(emulated: standIn, upstream: credential) }
    }

    /// Assigns stand-ins of identity tokens and e-mail addresses, which redaction left, to the user that the command
    /// line names.
    private mutating func adoptIdentity(_ request: HTTPRequest, _ emulator: Emulator) {
        guard let user = order.user, let hosted = emulator[world: WorldName.main],
            let body = (try? JSONReader.read(request.body.bytes))?.objectValue
        else { return }
        for member in body.members {
            guard let text = member.value.stringValue, Pseudonyms.isStandIn(text), twins.emulated(of: text) == nil
            else {
                continue
            }
            if member.name.lowercased().hasSuffix("idtoken") || member.name.lowercased().hasSuffix("identitytoken") {
                guard
                    case .success(let minted) = apis[0].mint(
                        &hosted.world,
                        0,
                        TokenOrder(user: user, kind: .appleIdentity)
                    )
                else { continue }
                twins.pair(emulated: minted.token, upstream: text)
            } else if text.hasPrefix("redacted-email-"), user.contains("@") {
                twins.pair(emulated: user, upstream: text)
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
