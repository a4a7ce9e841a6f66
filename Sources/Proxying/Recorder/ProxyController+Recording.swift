import Backend
import Basics
import Engine
import HTTPMessage
import JSON
import Journal
import Recording
import Secrets
import Transport

/// The work that follows the end of a real backend: recording, comparison, the journal.
extension ProxyController {
    /// Records, compares and journals the exchange, then calls `leave`.
    ///
    /// A worker decodes and searches the content where that may take long.
    func finishRecording(of entry: ProxyExchange, then leave: @escaping () -> Void) {
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
        let mode = active[entry.api]?.value
        let check = OutgoingCheck(emulator.issued)
        let (correspondence, request) = (entry.correspondence, entry.request)
        let links = entry.linkStream == nil ? nil : entry.view.links
        let (sent, path) = (sentLater(entry), entry.address.path.text)
        let learned = entry.mode == .spy || entry.mode == .diff ? mode?.correspondence : nil
        let rules = mode?.rules ?? MatchRules()
        // The endpoint that has answered in mode `diff` has been judged.
        let judge = entry.responder == nil ? nil : emulator.judge(of: entry.exchange)
        let after: (UpstreamConclusion) -> Void = { [weak self] conclusion in
            guard let self else { return }
            note(foreign: conclusion.foreign, api: entry.api)
            emulator.amend(entry.exchange) { journal in
                if let differences = conclusion.differences { journal.differences = differences.map(\.json) }
                if !conclusion.translated.isEmpty { journal.translated = conclusion.translated }
                if !conclusion.violations.isEmpty { journal.violations = conclusion.violations }
                if var body = conclusion.sent {
                    body.digest = journal.responseBody.digest
                    journal.responseBody = body
                }
                // A response that was changed is in the journal as it left.
                guard entry.mode != .diff, entry.hasHead, entry.kept == nil else { return }
                journal.responseBody = conclusion.shown
            }
            sweepJournal(entry)
            finish()
        }
        emulatedAnswer(entry) { [weak self] emulated in
            let work: @Sendable () -> UpstreamConclusion = {
                var conclusion = UpstreamConclusion(
                    capture,
                    emulated: emulated,
                    rules: rules,
                    redactor: redactor,
                    links: links,
                    check,
                    judge: judge
                )
                conclusion.translated = correspondence?.translations(of: request).map { $0.json(redactor) } ?? []
                conclusion.sent = sent.map {
                    JournalEntry.Body(
                        clean: $0.content,
                        type: $0.type,
                        by: redactor.answering(path, status: $0.status)
                    )
                }
                if let emulated { learned?.learn(emulated: emulated.body, upstream: conclusion.content) }
                return conclusion
            }
            let line: WorkerPool? =
                switch Self.length(of: entry, emulated?.body.count ?? 0) {
                // The document may ask for a long look.
                case .short: judge == nil ? nil : self?.searches
                case .middling: self?.searches
                case .long: self?.server?.workers
                }
            guard line?.submit(mustRun: true, work, then: after) != true else { return }
            after(work())
        }
    }

    /// The time that the search of an exchange takes.
    private enum SearchLength {
        /// Done on the loop.
        case short
        case middling
        /// Done apart from others, which must not wait for it.
        case long
    }

    /// Judges by the plain content, of which coded content says nothing.
    private static func length(of entry: ProxyExchange, _ emulated: Int) -> SearchLength {
        let capture = entry.capture
        let isCoded = [capture.requestFields, capture.responseFields].contains { fields in
            fields.listElements("Content-Encoding").contains { $0 != "identity" }
        }
        let length = capture.responseBodyLength + capture.requestBodyLength
        if isCoded || length > Recorder.shortContent { return .long }
        return length + emulated > JournalDisclosure.longestAtOnce ? .middling : .short
    }

    /// The content of a response that was sent or will be, whose form for the journal is made after the backend's end.
    private func sentLater(_ entry: ProxyExchange) -> (content: [UInt8], type: String, status: Int)? {
        guard entry.mode == .diff || entry.kept != nil, entry.exchange.isShownLater else { return nil }
        let response = entry.exchange.response
        return (response.body.content, response.fields[.contentType] ?? "", response.status.code)
    }

    /// The number of entries and bytes of the journal that are searched again when a secret is learnt.
    ///
    /// It is low because the search runs on the loop.
    private static let sweptEntries = 256
    private static let sweptBytes = 256 * 1_024

    /// Removes values from the journal that have turned out to be secrets: from the newest entries those that nobody
    /// has looked for yet, from the exchange's own entry all that were learnt since its request was searched.
    private func sweepJournal(_ entry: ProxyExchange) {
        let pseudonyms = entry.redactor.pseudonyms
        let count = pseudonyms.learntCount
        let late = LateSecrets(pseudonyms)
        if count > entry.shown.secrets {
            emulator.amend(entry.exchange) { journal in journal = journal.without(late) ?? journal }
        }
        guard let mode = active[entry.api]?.value, mode.redactor.pseudonyms === pseudonyms, count > mode.sweptSecrets
        else {
            return
        }
        active[entry.api]?.value.sweptSecrets = count
        var left = Self.sweptBytes
        let world = entry.address.namedWorlds.first ?? WorldName.main
        emulator.amendNewest(Self.sweptEntries, of: entry.api, in: world) { journal in
            left -= journal.cost
            return (journal.without(late), left > 0)
        }
    }

    /// Finds the emulation's response to the same request, in the modes that compare.
    private func emulatedAnswer(_ entry: ProxyExchange, then finish: @escaping (ComparedAnswer?) -> Void) {
        // The real backend sends no content in response to HEAD, so the comparison leaves it out too.
        let isHead = entry.request.head.method == .head
        let compared: (Response?) -> Void = { response in
            finish(
                response.map {
                    ComparedAnswer(
                        status: $0.status.code,
                        headers: HARPair.fields($0.fields),
                        body: isHead ? [] : $0.body.content
                    )
                }
            )
        }
        guard entry.mode == .spy else { return compared(entry.mode == .diff ? entry.exchange.plainResponse : nil) }
        let request = active[entry.api]?.value.correspondence.value.emulatedRequest(entry.request) ?? entry.request
        var path = entry.address.path
        // A value in the path may have a counterpart of its own.
        if entry.address.linkPrefix.isEmpty, let own = Path(raw: request.head.target.rawPath) { path = own }
        guard let host else {
            return compared(emulator.rehearse(request, path: path, of: entry.exchange, at: hostTime))
        }
        host.rehearse(request, path: path, of: entry.exchange, then: compared)
    }

    /// Hands an exchange to the recorder and has a worker write it; returns false if the client need not wait for that,
    /// because a long exchange takes some time to redact.
    func record(_ entry: ProxyExchange, then finish: @escaping () -> Void) -> Bool {
        guard let (recorder, isOver) = recorder(of: entry), let server else { return false }
        let isLong = entry.capture.requestBody.count + entry.capture.responseBody.count > Recorder.shortContent
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
        let now = active[entry.api]?.value.recorder
        if let now, now === own || now.file.isSame(as: own.file) { return (now, false) }
        return own.file.lock() ? (own, true) : nil
    }
}
