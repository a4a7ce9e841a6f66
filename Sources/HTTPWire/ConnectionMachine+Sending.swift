package import CivilTime
package import HTTPMessage

extension ConnectionMachine {
    /// Writes one step of the answer.
    ///
    /// Waits and effects are the player's business and pass. Steps that make no sense where they stand (content before
    /// a head, a second head) write nothing. Without an outstanding request the outcome is
    /// `.closeConnection`.
    ///
    /// `date` is the world's time as an IMF-fixdate, for the Date field.
    package mutating func send(
        _ step: Step,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> SendOutcome {
        guard var answer = openAnswer() else { return .closeConnection }
        switch step {
        case .wait, .effect, .closeAfter: return .proceed
        case .close:
            end(as: .closed)
            return .closeConnection
        case .abort:
            end(as: .closed)
            return .resetConnection
        case .hold:
            end(as: peerHasClosed ? .closing : .held)
            return .hold
        case .end: return finish(answer, now: now, into: &output)
        case .halfClose:
            answer.stage = .halfClosed
            answer.closes = true
            state = .answering(answer)
            return .halfCloseConnection
        case .interim(let status, let fields):
            if answer.stage == .beforeHead, exchange.version == .http11, (100..<200).contains(status.code) {
                ResponseEncoder.writeInterim(status, fields, into: &output)
            }
        case .head(let head):
            writeHead(head.status, head.reason, head.fields, head.framing, head.closes, date, &answer, &output)
        case .bytes(let bytes): write(bytes, &answer, &output)
        case .raw(let bytes), .belowTLS(let bytes):
            guard answer.stage != .halfClosed else { break }
            output.append(contentsOf: bytes)
            // The client's further reading is undefined.
            answer.closes = true
        case .stray(let bytes):
            guard answer.stage != .halfClosed else { break }
            output.append(contentsOf: bytes)
            if answer.stage == .beforeHead { answer.stage = .complete }
        case .trailers(let trailers):
            if answer.stage == .content(.chunked) {
                ResponseEncoder.writeLastChunk(trailers, into: &output)
                answer.stage = .complete
            }
        }
        state = .answering(answer)
        return .proceed
    }

    /// Returns true if content may be written in pieces of any length: it is framed by its length, or by the end.
    package mutating func countsContent() -> Bool {
        guard case .answering(let answer) = state else { return false }
        return switch answer.stage {
        case .content(.length), .content(.none), .content(.untilClose): true
        case .content(.chunked), .beforeHead, .complete, .halfClosed: false
        }
    }

    /// Writes a whole response with known content in one piece.
    ///
    /// For a response made of steps only the head is written; the outcome is then `.proceed`, and the player continues
    /// with its steps.
    package mutating func send(
        response: Response,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> SendOutcome {
        guard var answer = openAnswer() else { return .closeConnection }
        switch response.body {
        case .empty:
            writeHead(of: response, .length(0), date, &answer, &output)
        case .bytes(let bytes):
            if output.isEmpty { output.reserveCapacity(response.fields.wire.count + bytes.count + 256) }
            writeHead(of: response, .length(bytes.count), date, &answer, &output)
            write(bytes, &answer, &output)
        case .steps:
            writeHead(of: response, response.framing ?? .chunked, date, &answer, &output)
            state = .answering(answer)
            return .proceed
        }
        return finish(answer, now: now, into: &output)
    }

    /// The answer in progress, or the one that begins now because the owner answers before the content was read.
    private mutating func openAnswer() -> OutgoingResponse? {
        if case .answering(let answer) = state { return answer }
        answerEarly()
        guard case .answering(let answer) = state else { return nil }
        return answer
    }

    private mutating func writeHead(
        of response: Response,
        _ wanted: ResponseHead.Framing,
        _ date: [UInt8],
        _ answer: inout OutgoingResponse,
        _ output: inout [UInt8]
    ) {
        let closes = response.closesConnection
        writeHead(response.status, response.reason, response.fields, wanted, closes, date, &answer, &output)
    }

    private mutating func writeHead(
        _ status: Status,
        _ reason: String?,
        _ fields: Fields,
        _ wanted: ResponseHead.Framing,
        _ closes: Bool,
        _ date: [UInt8],
        _ answer: inout OutgoingResponse,
        _ output: inout [UInt8]
    ) {
        guard answer.stage == .beforeHead else { return }
        if closes || isDraining || leavesTooMuchUnread(answer) { answer.closes = true }
        if !answer.closes, fields.contains(.connection), fields.listElements(.connection).contains("close") {
            answer.closes = true
        }
        var framing = ResponseEncoder.Framing.none
        var coding = OutgoingResponse.Coding.none
        switch wanted {
        case _ where status.forbidsBody: break
        case .length(let length):
            framing = .length(max(length, 0))
            coding = .length(left: max(length, 0))
        case .chunked where exchange.version == .http11:
            framing = .chunked
            coding = .chunked
        case .chunked, .untilClose:
            coding = .untilClose
            if !exchange.isHead { answer.closes = true }
        }
        answer.stage = .content(exchange.isHead ? .none : coding)
        let keeps: ResponseEncoder.Persistence = exchange.version == .http10 ? .keepAlive : .unsaid
        ResponseEncoder.writeHead(
            status,
            reason,
            fields,
            framing: framing,
            persistence: answer.closes ? .close : keeps,
            date: date,
            into: &output
        )
    }

    /// RFC 9112 section 9.3: to keep the connection the whole request must be read.
    private func leavesTooMuchUnread(_ answer: OutgoingResponse) -> Bool {
        guard answer.rest == .content else { return false }
        guard !exchange.awaitsContinue, let remaining = reader.remaining else { return true }
        return remaining > unreadLimit
    }

    private func write(_ bytes: [UInt8], _ answer: inout OutgoingResponse, _ output: inout [UInt8]) {
        guard case .content(let coding) = answer.stage else { return }
        switch coding {
        case .none: break
        case .length(let left):
            // More than announced would be taken for the next answer.
            output.append(contentsOf: bytes.prefix(left))
            answer.stage = .content(.length(left: left - min(left, bytes.count)))
        case .chunked: ResponseEncoder.writeChunk(bytes, into: &output)
        case .untilClose: output.append(contentsOf: bytes)
        }
    }

    private mutating func finish(_ answer: OutgoingResponse, now: Instant, into output: inout [UInt8]) -> SendOutcome {
        var closes = answer.closes || isDraining
        switch answer.stage {
        case .content(.chunked): ResponseEncoder.writeLastChunk(Fields(), into: &output)
        case .content(.none), .content(.length(left: 0)), .complete: break
        case .content(.length), .content(.untilClose), .beforeHead, .halfClosed: closes = true
        }
        if answer.rest == .requests, peerHasClosed, bufferedBytes == 0 { closes = true }
        guard !closes else {
            end(as: .shut)
            return .finishedClosing
        }
        if answer.rest == .content {
            state = .discarding(since: now)
        } else {
            startNextRequest(now: now)
        }
        return .finished
    }

    private mutating func end(as last: State) {
        dropBuffer()
        state = last
    }
}
