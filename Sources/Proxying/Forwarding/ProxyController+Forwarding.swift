import Backend
import Basics
import CivilTime
import Conditions
import Crypto
package import Engine
import HTTPMessage
import HTTPWire
import JSON
package import Journal
import Recording
package import Transport

extension ProxyController {
    /// Sends a request to the real backend, as it was made and checked; the response arrives through the server.
    ///
    /// `responder` is the source of the client's answer; nil in mode `diff`, where the emulation has answered.
    package func forward(
        _ exchange: Exchange,
        _ responder: UpstreamResponder?,
        as wire: UpstreamRequest,
        showing shown: JournalDisclosure,
        _ mode: Active
    ) {
        guard let origin = origin(of: exchange, mode), let server, let client else { return }
        let address = exchange.context.address
        let obeysPreferences =
            responder == nil
            ? exchange.response.fields.contains(ServerPreferences.appliedField) : exchange.obeysPreferences
        var wire = wire
        if obeysPreferences { wire.fields = ServerPreferences.removed(ServerPreferences.field, from: wire.fields) }
        if mode.order.fresh, wire.method == "GET" || wire.method == "HEAD" {
            wire.fields.remove(.ifNoneMatch)
            wire.fields.remove(.ifModifiedSince)
        }
        let reading = emulator.worldReading(address, at: hostTime)
        var capture = CapturedExchange(
            started: server.realTime,
            method: wire.method,
            url: origin.text + wire.target,
            fields: wire.fields,
            body: wire.body
        )
        let arrival = exchange.context.arrival
        if arrival.connection > 0 { capture.connection = "\(arrival.connection)" }
        capture.peer = arrival.peer
        capture.world = reading.name
        capture.virtualTime = reading.now
        let view = ClientView(
            exchange.request.head,
            address.linkPrefix,
            of: origin,
            leadsLinksHere: mode.order.leadsLinksHere && responder != nil
        )
        let entry = ProxyExchange(
            self,
            exchange,
            responder,
            mode,
            view: view,
            showing: shown,
            capture: capture,
            share: captureBudget.share()
        )
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
            if let response = entry.undecided.take() { open(entry, response) }
            if !entry.capture.isLeftOut, !entry.share.take(bytes.count) {
                entry.capture.leaveOut()
                entry.share.giveBack()
            }
            entry.capture.received(bytes, at: marks.now)
            entry.left = entry.left.map { $0 - bytes.count }
            pass(bytes, of: entry)
        case .end(let all):
            server?.endWithPeer(entry.exchange.serverID, false)
            entry.left = 0
            let trailers = entry.hop?.endToEnd(all) ?? all
            let ending: [Step] = trailers.isEmpty ? [.end] : [.trailers(trailers), .end]
            openEmpty(entry, ending)
            answerWhole(entry, ending) { [weak self] in
                self?.finishRecording(of: entry) { self?.end(entry, trailers) }
            }
        case .failed(let failure):
            server?.endWithPeer(entry.exchange.serverID, false)
            entry.capture.error = entry.capture.error ?? failure.detail
            openEmpty(entry, [.abort])
            answerWhole(entry, [.abort]) { [weak self] in
                self?.finishRecording(of: entry) { self?.fail(entry, failure) }
            }
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
                entry.capture.error = "aborted: over \(CapturedExchange.bodyLimit) bytes, too large to be changed"
                entry.upstream?.cancel()
            }
            entry.upstream?.consumed(bytes.count)
        } else if entry.isOpen, entry.left == 0, !entry.flow.isOver {
            entry.lastPiece = bytes
        } else if entry.isOpen, !entry.flow.isOver {
            let piece = entry.linkStream?.next(bytes) ?? bytes
            // At most one window of content is in flight, however many steps a slow network makes of it.
            server?.push(
                entry.exchange.serverID,
                steps: (piece.isEmpty ? [] : entry.flow.steps(of: piece)) + [.effect(bytes.count)],
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
        guard entry.responder != nil else { return }
        let fields = ServerPreferences.removed(ServerPreferences.appliedField, from: entry.view.fields(passed))
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
        if entry.left == nil, case .steps(let steps) = response.body, steps.isEmpty,
            emulator.awaitsContent(entry.exchange)
        {
            entry.undecided = response
        } else {
            open(entry, response)
        }
    }

    /// Opens a response that has turned out to have no content.
    private func openEmpty(_ entry: ProxyExchange, _ ending: [Step]) {
        guard var response = entry.undecided.take() else { return }
        response.body = .steps(ending)
        open(entry, response)
    }

    /// Begins the client's response, or keeps its head until it is complete.
    private func open(_ entry: ProxyExchange, _ head: Response) {
        guard let responder = entry.responder else { return }
        var response = head
        let isOpen = if case .steps(let steps) = response.body { steps.isEmpty } else { false }
        let leads = isOpen ? leading(entry, response) : .nothing
        if entry.exchange.isObstructed {
            // Faults that act on the response have been planned, or can be planned by its head.
            guard !emulator.wantsWholeAnswer(entry.exchange, responder, response) else {
                entry.head = response
                entry.kept = []
                return
            }
            entry.capture.fault = entry.exchange.actingFault?.json
        }
        switch leads {
        case .nothing: break
        case .whole:
            entry.head = response
            entry.kept = []
            return
        case .pieces(let links):
            // The length is known at the end only.
            response.framing = nil
            response.fields.remove(.contentLength)
            entry.left = nil
            entry.linkStream = LinkStream(links)
        }
        // A complete response may leave at once, and the exchange would end before it is recorded. So only a response
        // whose content is still to come begins now.
        answer(entry, with: response, isOpen: isOpen, showing: disclosure(of: entry))
    }

    /// The way in which the links of a response's content are led here.
    private enum Leading {
        case nothing
        case pieces(LinkRewriter)
        /// Compressed text has to be complete, and text of a known length soon is.
        case whole
    }

    private func leading(_ entry: ProxyExchange, _ response: Response) -> Leading {
        guard let links = entry.view.links, let type = response.fields[.contentType], LinkRewriter.isText(type) else {
            return .nothing
        }
        let isCoded = response.fields.listElements("Content-Encoding").contains { $0 != "identity" }
        // A compressed stream of events would wait for its end.
        if isCoded { return MediaType(type)?.essence == "text/event-stream" ? .nothing : .whole }
        guard let length = entry.left, length <= CapturedExchange.bodyLimit else { return .pieces(links) }
        return .whole
    }

    /// Advances the client's exchange with the real backend's response, as far as it has arrived.
    private func answer(
        _ entry: ProxyExchange,
        with response: Response,
        isMiss: Bool = false,
        isOpen: Bool = false,
        showing disclosure: JournalDisclosure
    ) {
        guard let responder = entry.responder else { return }
        emulator.answered(
            entry.exchange,
            responder,
            with: response,
            isMiss: isMiss,
            isOpen: isOpen,
            showing: disclosure,
            at: hostTime
        )
        entry.flow = entry.exchange.flow
        entry.isOpen = isOpen
        host?.advanced(entry.exchange)
    }

    /// Releases the response that was kept back until the real backend has ended.
    private func upstreamEnded(_ exchange: Exchange) {
        exchange.responder.upstreamEnded()
        guard exchange.isKeptBack else { return }
        server?.endWithPeer(exchange.serverID, false)
        emulator.advance(exchange, at: hostTime)
        host?.advanced(exchange)
    }

    private func end(_ entry: ProxyExchange, _ trailers: Fields) {
        guard leave(entry) else { return }
        if entry.isOpen {
            pushEnd(entry, trailers.isEmpty ? [.end] : [.trailers(trailers), .end])
        } else {
            upstreamEnded(entry.exchange)
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
        let rest = entry.linkStream?.end() ?? []
        let piece = (entry.lastPiece ?? (rest.isEmpty ? nil : rest)).map { entry.flow.steps(of: $0) } ?? []
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

    /// Answers with the complete response if it was kept, because something changes it, then goes on.
    private func answerWhole(_ entry: ProxyExchange, _ ending: [Step], then goOn: @escaping () -> Void) {
        guard let response = entry.head, let kept = entry.kept else { return goOn() }
        let isOpen = if case .steps(let steps) = response.body { steps.isEmpty } else { false }
        guard entry.capture.responseBodyLength == kept.count else {
            let problem = Problem(
                .upstreamUnreachable,
                "The real backend's response has \(entry.capture.responseBodyLength) bytes, which is too large to be changed by a fault."
            )
            answerWhole(entry, problem.response)
            return goOn()
        }
        guard isOpen else {
            answerWhole(entry, response)
            return goOn()
        }
        let content = KeptContent(kept, response.fields, links: entry.view.links)
        let reader = emulator.reader(of: entry.exchange)
        let work: @Sendable () -> (Response, HandedOver<AnswerReading>?) = {
            let whole = Self.whole(response, content.fitted(), ending)
            return (whole, reader?.read(whole))
        }
        let answer: ((Response, HandedOver<AnswerReading>?)) -> Void = { [weak self] whole in
            guard let self, !entry.isOver, !emulator.isOutdated(entry.exchange) else { return }
            if let reading = whole.1?.value { entry.exchange.reading = reading }
            answerWhole(entry, whole.0)
            goOn()
        }
        guard content.takesLong || reader?.takesLong(kept.count) == true, let server,
            server.workers.submit(mustRun: true, work, then: answer)
        else { return answer((Self.whole(response, content.fitted(), ending), nil)) }
    }

    /// Returns the complete response of a head and its content.
    private static func whole(_ head: Response, _ content: KeptContent.Fitted, _ ending: [Step]) -> Response {
        var response = head
        if content.isDecoded { response.fields.remove("Content-Encoding") }
        response.framing = response.framing.map { _ in .length(content.bytes.count) }
        if ending == [.end], response.framing != nil {
            response.framing = nil
            response.body = content.bytes.isEmpty ? .empty : .bytes(content.bytes)
        } else {
            response.body = .steps(pieces(of: content.bytes, response) + ending)
        }
        return response
    }

    private func answerWhole(_ entry: ProxyExchange, _ response: Response) {
        let shown = disclosure(of: entry).cleaning(by: entry.redactor, responseTo: entry.address.path)
        answer(entry, with: response, showing: shown)
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
        upstreamEnded(entry.exchange)
        if !entry.hasHead, entry.responder != nil {
            let problem = Problem(.upstreamUnreachable, Self.sentence(failure)).response
            answer(entry, with: problem, isMiss: true, showing: disclosure(of: entry))
        }
    }

    private static func sentence(_ failure: UpstreamFailure) -> String {
        failure.detail.hasSuffix(".") ? failure.detail : failure.detail + "."
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
