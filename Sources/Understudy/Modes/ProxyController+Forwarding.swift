import CivilTime
import Control
import Crypto
import Emulation
import HTTPMessage
import HTTPWire
import JSON
import Locking
import Recording
import Transport

extension ProxyController {
    /// The length above which content is searched on a worker.
    private static let longestInPlace = OutgoingCheck.longestInPlace

    /// Sends a request to the real backend, as it was made and checked; the response arrives through the server.
    ///
    /// `responder` is the source of the client's answer; nil in mode `diff`, where the emulation has answered.
    func forward(
        _ exchange: Exchange,
        _ responder: UpstreamResponder?,
        as wire: UpstreamRequest,
        _ mode: Active
    ) throws(Problem) {
        guard let origin = mode.origin, let server else { return }
        let client = try upstreamClient()
        let address = exchange.context.address
        let obeysPreferences =
            responder == nil
            ? exchange.response.fields.contains(OwnPreferences.appliedField) : exchange.obeysPreferences
        var wire = wire
        if obeysPreferences { wire.fields = OwnPreferences.removed(OwnPreferences.field, from: wire.fields) }
        let reading = emulator.worldReading(address, at: HostTime(wall: server.realTime, monotonic: server.now))
        var capture = CapturedExchange(
            started: server.realTime,
            method: wire.method,
            url: origin.text + wire.target,
            fields: wire.fields,
            body: wire.body
        )
        capture.world = reading.name
        capture.virtualTime = reading.now
        let entry = ProxyExchange(self, exchange, responder, mode, capture: capture, share: captureBudget.share())
        exchange.upstream = entry
        let handle = server.handle
        let onLoop = HandedOver(entry)
        entry.upstream = client.start(wire, to: origin, api: exchange.apiIndex) { event, marks in
            handle.post { _ in onLoop.value.received(event, marks) }
        }
    }

    /// Handles an event from the real backend.
    func received(_ event: UpstreamEvent, _ marks: UpstreamMarks, _ entry: ProxyExchange) {
        // A late event does not matter to a world that has been reset since.
        guard !entry.isOver, !emulator.isOutdated(entry.exchange) else { return }
        entry.capture.note(marks)
        switch event {
        case .head(let head): begin(entry, head)
        case .content(let bytes):
            if !entry.capture.isLeftOut, !entry.share.take(bytes.count) {
                entry.capture.leaveOut()
                entry.share.giveBack()
            }
            entry.capture.received(bytes, at: marks.now)
            entry.left = entry.left.map { $0 - bytes.count }
            pass(bytes, of: entry)
        case .end(let all):
            server?.endWithPeer(entry.exchange.serverID, false)
            let trailers = entry.hop?.endToEnd(all) ?? all
            if entry.kept != nil {
                answerWhole(entry, trailers.isEmpty ? [.end] : [.trailers(trailers), .end])
            }
            conclude(entry) { [weak self] in self?.end(entry, trailers) }
        case .failed(let failure):
            server?.endWithPeer(entry.exchange.serverID, false)
            entry.capture.error = entry.capture.error ?? failure.detail
            if entry.kept != nil { answerWhole(entry, [.abort]) }
            conclude(entry) { [weak self] in self?.fail(entry, failure) }
        }
    }

    /// Passes a piece on to the client, or keeps it until the response is complete.
    private func pass(_ bytes: [UInt8], of entry: ProxyExchange) {
        if let kept = entry.kept?.count {
            // Content that is too long to be recorded can't be changed either.
            if kept + bytes.count <= CapturedExchange.bodyLimit {
                entry.kept? += bytes
            } else if entry.capture.error == nil {
                // The rest, which may be endless, is of no use then.
                entry.capture.error = "given up: over \(CapturedExchange.bodyLimit) bytes, too much for what acts on it"
                entry.upstream?.cancel()
            }
            entry.upstream?.consumed(bytes.count)
        } else if entry.isOpen, entry.left == 0, !entry.flow.isOver {
            entry.lastPiece = bytes
        } else if entry.isOpen, !entry.flow.isOver {
            // At most one window of content is in flight, however many steps a slow network makes of it.
            server?.push(
                entry.exchange.serverID,
                steps: entry.flow.steps(of: bytes) + [.effect(bytes.count)],
                isMetered: true
            )
        } else {
            entry.upstream?.consumed(bytes.count)
        }
    }

    /// Ends the exchange of a client; whatever is still in flight to the real backend is cancelled.
    func finished(_ entry: ProxyExchange, isCut: Bool) {
        guard !entry.isOver else { return }
        entry.isOver = true
        entry.upstream?.cancel()
        guard entry.isRecorded, !entry.isConcluded else { return }
        // With the last byte of an announced length the client has the complete response.
        if !entry.hasHead || entry.left != 0, !entry.flow.isOver {
            let end = entry.hasHead ? "the end" : "an answer came"
            entry.capture.error = isCut ? "it was cut before \(end)" : "the client went away before \(end)"
        }
        if !entry.hasHead, let server {
            entry.capture.marks.ended = max(server.realTime - entry.capture.started, .zero)
        }
        _ = record(entry, then: {})
    }

    // MARK: The client's answer

    private func begin(_ entry: ProxyExchange, _ head: ResponseParser.Head) {
        entry.capture.status = head.status.code
        entry.capture.reason = head.reason
        let hop = ConnectionField(head.fields)
        let passed = hop.endToEnd(head.fields)
        entry.hop = hop
        entry.capture.responseFields = passed
        entry.capture.responseHeadLength = head.wireLength
        entry.hasHead = true
        if case .length(let length) = head.framing { entry.left = length }
        guard let responder = entry.responder else { return }
        let fields = OwnPreferences.removed(OwnPreferences.appliedField, from: passed)
        var response = Response(status: head.status, fields: fields)
        response.reason = head.reason
        switch head.framing {
        case .length(let length) where length > 0:
            response.framing = .length(length)
            response.body = .steps([])
        case .length: response.body = .empty
        case .chunked, .untilClose: response.body = .steps([])
        case .none:
            response.framing = head.fields[.contentLength].flatMap { Int($0) }.map { .length($0) }
            // The response to a HEAD has the framing of a GET.
            let isHead = entry.request.head.method == .head && !head.status.forbidsBody
            response.body = isHead ? .steps([.end]) : .empty
        }
        let isOpen = if case .steps(let steps) = response.body { steps.isEmpty } else { false }
        if entry.exchange.isObstructed {
            // Faults that act on the response have been planned, or can be planned by its head.
            guard !emulator.wantsWholeAnswer(entry.exchange, responder, response) else {
                entry.head = response
                entry.kept = []
                return
            }
            entry.capture.fault = entry.exchange.actingFault?.json
        }
        // A complete response may leave at once, and the exchange would end before it is recorded. So only a response
        // whose content is still to come begins now.
        service?.answered(entry, with: response, isOpen: isOpen, showing: shown(entry))
    }

    private func end(_ entry: ProxyExchange, _ trailers: Fields) {
        guard leave(entry) else { return }
        if entry.isOpen {
            pushEnd(entry, trailers.isEmpty ? [.end] : [.trailers(trailers), .end])
        } else {
            service?.upstreamEnded(entry.exchange)
        }
    }

    /// Ends an exchange; returns false if its client has left or was cut meanwhile, in which case the journal already
    /// says so, or has no entry.
    private func leave(_ entry: ProxyExchange) -> Bool {
        guard !entry.isOver else { return false }
        entry.isOver = true
        return !emulator.isOutdated(entry.exchange)
    }

    /// Sends the last piece and the end of the response.
    private func pushEnd(_ entry: ProxyExchange, _ ending: [Step]) {
        guard !entry.flow.isOver else { return }
        let piece = entry.lastPiece.map { entry.flow.steps(of: $0) } ?? []
        let last = entry.flow.isOver ? [] : entry.flow.ending(ending)
        server?.push(entry.exchange.serverID, steps: piece + last, isMetered: true)
    }

    /// Splits content into the pieces that faults look at: one for each event of an event stream.
    private static func pieces(of content: [UInt8], _ response: Response) -> [Step] {
        guard response.fields[.contentType].flatMap({ MediaType($0) })?.essence == "text/event-stream" else {
            return [.bytes(content)]
        }
        var parser = EventStreamParser()
        var steps: [Step] = []
        var place = 0
        for event in parser.feed(content[...]) {
            steps.append(.bytes(Array(content[place..<event.end])))
            place = event.end
        }
        return place < content.count ? steps + [.bytes(Array(content[place...]))] : steps
    }

    /// Answers with the complete response, which faults may change.
    private func answerWhole(_ entry: ProxyExchange, _ ending: [Step]) {
        guard var response = entry.head, let kept = entry.kept else { return }
        let redactor = entry.redactor
        if entry.capture.responseBodyLength > kept.count {
            response =
                Problem(
                    .upstreamUnreachable,
                    "The answer of the real backend has \(entry.capture.responseBodyLength) bytes, which is too much for what acts on it."
                ).response
        } else if case .steps(let steps) = response.body, steps.isEmpty {
            // Content in an unknown coding can't be changed.
            let codings = response.fields.listElements("Content-Encoding").filter { $0 != "identity" }
            let plain = ContentCoding.decoded(kept, codings, limit: CapturedExchange.bodyLimit)
            if plain != nil, !codings.isEmpty { response.fields.remove("Content-Encoding") }
            let content = plain ?? kept
            response.framing = response.framing.map { _ in .length(content.count) }
            if ending == [.end], response.framing != nil {
                response.framing = nil
                response.body = content.isEmpty ? .empty : .bytes(content)
            } else {
                response.body = .steps(Self.pieces(of: content, response) + ending)
            }
        }
        var shown = shown(entry)
        shown.clean = Self.clean(redactor)
        service?.answered(entry, with: response, showing: shown)
        entry.capture.fault = entry.exchange.actingFault?.json
    }

    private func fail(_ entry: ProxyExchange, _ failure: UpstreamFailure) {
        guard leave(entry) else { return }
        if entry.isOpen {
            // A failure after the last byte does not matter to the client.
            if entry.lastPiece != nil {
                pushEnd(entry, [.end])
            } else {
                server?.push(entry.exchange.serverID, steps: [.abort], isMetered: true)
            }
            return
        }
        service?.upstreamEnded(entry.exchange)
        if !entry.hasHead, entry.responder != nil {
            let problem = Problem(.upstreamUnreachable, Self.sentence(failure)).response
            service?.answered(entry, with: problem, isMiss: true, showing: shown(entry))
        }
    }

    private static func sentence(_ failure: UpstreamFailure) -> String {
        failure.detail.hasSuffix(".") ? failure.detail : failure.detail + "."
    }

    /// The journal's view of an exchange with a real backend.
    private func shown(_ entry: ProxyExchange) -> JournalDisclosure {
        var shown = shown(entry.request, entry.address, entry.redactor)
        shown.responseFields =
            entry.hasHead ? entry.redactor.fields(entry.capture.responseFields) : nil
        return shown
    }

    /// Removes the secrets from a response as it leaves, for the journal.
    private static func clean(
        _ redactor: Redactor
    ) -> @Sendable (Response, [UInt8]) -> (fields: Fields, body: JournalEntry.Body) {
        { answered, content in
            let type = answered.fields[.contentType] ?? ""
            let fields = redactor.fields(answered.fields)
            guard content.count > JournalEntry.Body.wholeLimit else {
                return (fields, JournalEntry.Body(redactor.content(content, type: type)))
            }
            let head = redactor.head(of: content, type: type, count: JournalEntry.Body.headLength)
            return (fields, JournalEntry.Body(head, length: content.count))
        }
    }

    /// The journal's view of a request that both the emulation and a real backend answer.
    func shownEmulated(_ request: HTTPRequest, _ address: Address, _ redactor: Redactor) -> JournalDisclosure {
        var shown = shown(request, address, redactor)
        shown.clean = Self.clean(redactor)
        return shown
    }

    /// The journal's view of a request to a real backend.
    func shown(_ request: HTTPRequest, _ address: Address, _ redactor: Redactor) -> JournalDisclosure {
        let known = redactor.pseudonyms.learntCount
        let first = shownOnce(request, address, redactor)
        // A secret learnt from the end of a request may occur at its beginning.
        return redactor.pseudonyms.learntCount == known ? first : shownOnce(request, address, redactor)
    }

    private func shownOnce(_ request: HTTPRequest, _ address: Address, _ redactor: Redactor) -> JournalDisclosure {
        var shown = JournalDisclosure(request)
        shown.text = { redactor.text($0) }
        shown.path = redactor.path(address.path.text)
        shown.query = request.head.target.rawQuery.map(redactor.form)
        shown.fields = redactor.fields(request.head.fields)
        // The journal has only the beginning of longer content.
        let type = request.head.fields[.contentType] ?? ""
        let body = shownBody(request)
        if body.count > Self.longestInPlace {
            shown.body = redactor.head(of: body, type: type, count: JournalEntry.Body.headLength)
        } else {
            shown.body = redactor.content(body, type: type)
            shown.length = shown.body.count
        }
        return shown
    }

    /// The part of a request's content that is searched for the journal; empty if the content can't be decoded.
    private func shownBody(_ request: HTTPRequest) -> [UInt8] {
        let body = request.body.bytes
        let codings = request.head.fields.listElements("Content-Encoding").filter { $0 != "identity" }
        guard codings.isEmpty else {
            guard body.count <= Self.longestInPlace else { return [] }
            return ContentCoding.decoded(body, codings, limit: Self.longestInPlace) ?? []
        }
        return body
    }

    // MARK: Afterwards

    /// Records, compares and journals the exchange, then calls `leave`; long content is handled on a worker.
    private func conclude(_ entry: ProxyExchange, then leave: @escaping () -> Void) {
        entry.isConcluded = true
        // A client that has the last byte of a response finds it recorded, even after a crash.
        var left = 1
        let finish: () -> Void = {
            left -= 1
            if left == 0 { leave() }
        }
        if entry.isRecorded, record(entry, then: finish) { left += 1 }
        // The mode may have changed since.
        let redactor = entry.redactor
        let capture = entry.capture
        let rules = self[entry.api]?.rules ?? MatchRules()
        let emulated = emulatedAnswer(entry)
        let check = OutgoingCheck(emulator.issued)
        let (twins, request) = (entry.twins, entry.request)
        let work: @Sendable () -> Conclusion = {
            var conclusion = Conclusion(capture, emulated: emulated, rules: rules, redactor: redactor, check)
            conclusion.translated = twins?.translations(of: request).map { $0.json(redactor) } ?? []
            return conclusion
        }
        let after: (Conclusion) -> Void = { [weak self] conclusion in
            guard let self else { return }
            note(foreign: conclusion.foreign, api: entry.api)
            if entry.mode == .spy || entry.mode == .diff, let emulated {
                self[entry.api]?.twins.learn(emulated: emulated.body, upstream: conclusion.content)
            }
            emulator.amend(entry.exchange) { journal in
                if let differences = conclusion.differences { journal.differences = differences.map(\.json) }
                if !conclusion.translated.isEmpty { journal.translated = conclusion.translated }
                // A response that was changed is in the journal as it left.
                guard entry.mode != .diff, entry.hasHead, entry.kept == nil else { return }
                journal.responseBody = conclusion.shown
            }
            sweepJournal(entry)
            finish()
        }
        let isLong = max(capture.responseBodyLength, twins == nil ? 0 : capture.requestBodyLength) > Self.longestInPlace
        guard isLong, server?.workers.submit(mustRun: true, work, then: after) == true else {
            after(work())
            return
        }
    }

    /// The number of entries and bytes of the journal that are searched again when a secret is learnt.
    ///
    /// It is low because the search runs on the loop.
    private static let sweptEntries = 256
    private static let sweptBytes = 256 * 1_024

    /// Removes values from the newest journal entries that have turned out to be secrets.
    private func sweepJournal(_ entry: ProxyExchange) {
        let pseudonyms = entry.redactor.pseudonyms
        let count = pseudonyms.learntCount
        guard let mode = self[entry.api], mode.redactor.pseudonyms === pseudonyms, count > mode.sweptSecrets else {
            return
        }
        self[entry.api]?.sweptSecrets = count
        let late = LateSecrets(pseudonyms.learnt(after: mode.sweptSecrets), pseudonyms)
        var left = Self.sweptBytes
        let world = entry.address.namedWorlds.first ?? WorldName.main
        emulator.amendNewest(Self.sweptEntries, of: entry.api, in: world) { journal in
            left -= journal.cost
            return (journal.without(late), left > 0)
        }
    }

    /// The emulation's response to the same request, in the modes that compare.
    private func emulatedAnswer(_ entry: ProxyExchange) -> ComparedAnswer? {
        var response: Response?
        if entry.mode == .diff { response = entry.exchange.response }
        if entry.mode == .spy, let server {
            let request = self[entry.api]?.twins.emulatedRequest(entry.request) ?? entry.request
            var path = entry.address.path
            // A value in the path may have a counterpart of its own.
            if entry.address.linkPrefix.isEmpty, let own = Path(raw: request.head.target.rawPath) { path = own }
            let hostTime = HostTime(wall: server.realTime, monotonic: server.now)
            response = emulator.rehearse(request, path: path, of: entry.exchange, at: hostTime)
        }
        // The real backend sends no content in response to HEAD, so the comparison leaves it out too.
        let isHead = entry.request.head.method == .head
        return response.map {
            ComparedAnswer(
                status: $0.status.code,
                headers: CapturedExchange.pairs($0.fields),
                body: isHead ? [] : $0.body.content
            )
        }
    }

    /// Hands an exchange to the recorder and has a worker write it; returns false if the client need not wait for that,
    /// because a long exchange takes some time to redact.
    private func record(_ entry: ProxyExchange, then finish: @escaping () -> Void) -> Bool {
        guard let (recorder, isOver) = recorder(of: entry), let server else { return false }
        let isLong = entry.capture.requestBody.count + entry.capture.responseBody.count > Self.longestInPlace
        if !isLong { entry.afterWriting = finish }
        let handle = server.handle
        let onLoop = HandedOver(entry)
        recorder.add(entry.capture, entry.share) {
            if isOver { recorder.release() }
            guard !isLong else { return }
            handle.post { _ in onLoop.value.afterWriting.take()?() }
        }
        if !server.workers.submit(mustRun: true, { recorder.writeNext() }, then: {}) { recorder.writeNext() }
        return !isLong
    }

    /// The recorder of an exchange, and whether its mode is over; nil if another recorder has the file by now.
    private func recorder(of entry: ProxyExchange) -> (Recorder, isOver: Bool)? {
        guard let own = entry.recorder else { return nil }
        let now = self[entry.api]?.recorder
        if let now, now === own || now.file.isSame(as: own.file) { return (now, false) }
        return own.file.lock() ? (own, true) : nil
    }
}

/// The results of an exchange with a real backend.
private struct Conclusion: Sendable {
    var differences: [AnswerDifference]?
    /// The translated values of the request, for the journal.
    var translated: [JSON] = []
    /// The real content, decoded.
    var content: [UInt8]
    /// The same without secrets, as the journal keeps it.
    var shown: JournalEntry.Body
    /// Prints of the credentials in it that have the emulator's form.
    var foreign: [UInt64]

    init(
        _ capture: CapturedExchange,
        emulated: ComparedAnswer?,
        rules: MatchRules,
        redactor: Redactor,
        _ check: OutgoingCheck
    ) {
        let response = capture.entry(keepsUndecoded: false).response
        content = response.content.bytes ?? []
        foreign = check.forms(in: [capture.responseFields.wire, content])
        // Of longer content the journal keeps the head alone.
        let isLong = content.count > JournalEntry.Body.wholeLimit
        if isLong {
            let head = redactor.head(
                of: content,
                type: response.content.mimeType,
                count: JournalEntry.Body.headLength
            )
            shown = JournalEntry.Body(head, length: content.count)
        } else {
            shown = JournalEntry.Body(redactor.content(content, type: response.content.mimeType))
        }
        if isLong { shown.digest = SHA256.digest(content) }
        guard var emulated else { return }
        guard response.status > 0 else {
            differences = [
                AnswerDifference(
                    path: "upstream",
                    emulated: nil,
                    upstream: .string("no answer: \(response.error ?? "")"),
                    severity: .breaking
                )
            ]
            return
        }
        // Content that was left out of the capture is not a missing body.
        if response.content.bytes == nil { emulated.body = [] }
        differences = AnswerComparison.differences(
            emulated: emulated,
            upstream: ComparedAnswer(status: response.status, headers: response.headers, body: content),
            rules: rules,
            redactor: redactor
        )
    }
}

extension IDCorrespondence.Translation {
    /// The translation as the journal shows it, with credentials replaced by their stand-ins.
    fileprivate func json(_ redactor: Redactor) -> JSON {
        func shown(_ text: String) -> JSON {
            .string(isSecret ? redactor.pseudonyms.standIn(for: text, .token) : redactor.text(text))
        }
        return ["path": .string(path), "emulated": shown(emulated), "upstream": shown(upstream)]
    }
}

extension CapturedExchange {
    /// Takes over the times at which the phases ended.
    mutating func note(_ times: UpstreamMarks) {
        marks.resolved = times.resolved
        marks.connected = times.connected
        marks.secured = times.secured
        marks.sent = times.sent
        marks.firstByte = times.firstByte
        marks.ended = times.now
        serverAddress = times.address
    }
}
