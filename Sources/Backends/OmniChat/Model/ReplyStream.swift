import CivilTime
import HTTPMessage
import JSON

/// The events of a streamed reply as steps (contract, sections 6.2 and 6.3).
struct ReplyStream {
    let messageID: String
    let settings: OmniChatSettings

    /// The end of the stream after its pieces.
    enum Ending: Equatable {
        case complete
        /// The error event, then a regular end.
        case failed
        /// The connection drops without the final chunk.
        case cut
        /// No more data on an open connection.
        case stalled
    }

    /// The number of pieces that are sent, and the ending.
    static func plan(pieces: Int, settings: OmniChatSettings) -> (sent: Int, ending: Ending) {
        let limits: [(Int?, Ending)] = [
            (settings.failAfterPieces, .failed), (settings.cutAfterPieces, .cut), (settings.stallAfterPieces, .stalled),
        ]
        var chosen = (sent: pieces, ending: Ending.complete)
        for case (let limit?, let ending) in limits where chosen.ending == .complete || limit < chosen.sent {
            chosen = (min(limit, pieces), ending)
        }
        return chosen
    }

    /// The whole timeline after the head for a reply, or for no reply if generation fails at once.
    ///
    /// `completion` is the step that stores the message as complete, just before `message_complete` is sent.
    func steps(text: String?, completion: Step) -> [Step] {
        var steps: [Step] = []
        emit(event("message_start", ""), into: &steps)
        guard let text else {
            emit(Self.errorEvent, into: &steps)
            steps.append(.end)
            return framed(steps)
        }
        if settings.extraEvents == .ping { emit(Self.frame(#"{"type":"ping"}"#), into: &steps) }
        let pieces = Reply.pieces(of: text)
        let (sent, ending) = Self.plan(pieces: pieces.count, settings: settings)
        for (place, piece) in pieces.prefix(sent).enumerated() {
            wait(place == 0 ? settings.firstTokenMilliseconds : settings.gapMilliseconds, into: &steps)
            emit(event("content_chunk", wrapped(piece)), into: &steps)
        }
        switch ending {
        case .stalled: steps.append(.hold)
        case .cut:
            wait(settings.gapMilliseconds, into: &steps)
            steps.append(.close)
        case .failed:
            wait(settings.gapMilliseconds, into: &steps)
            emit(Self.errorEvent, into: &steps)
            steps.append(.end)
        case .complete:
            wait(settings.gapMilliseconds, into: &steps)
            steps.append(completion)
            emit(event("message_complete", pieces.map(wrapped).joined()), into: &steps)
            if settings.doneEvent == .sent { emit(Self.frame("[DONE]"), into: &steps) }
            steps.append(.end)
        }
        return framed(steps)
    }

    /// The duration of the same reply in one piece.
    func duration(pieces: Int) -> Interval {
        .milliseconds(Int64(settings.firstTokenMilliseconds) + Int64(pieces) * Int64(settings.gapMilliseconds))
    }

    // MARK: Events

    static let errorEvent = frame(#"{"type":"error","error":"Failed to generate response"}"#)

    private static func frame(_ payload: String) -> [UInt8] { Array("data: \(payload)\n\n".utf8) }

    private func event(_ type: String, _ content: String) -> [UInt8] {
        var writer = JSONWriter(
            appendingTo: Array("data: ".utf8),
            options: JSONWriter.Options(escapeLineSeparators: true)
        )
        writer.beginObject()
        writer.name("id")
        writer.string(messageID)
        writer.name("type")
        writer.string(type)
        writer.name("content")
        writer.string(content)
        writer.endObject()
        return writer.bytes + [0x0A, 0x0A]
    }

    /// The provider's framing inside `content`, which the published backend does not remove (D23).
    private func wrapped(_ piece: String) -> String {
        guard settings.pieces == .doubleFramed else { return piece }
        return "data: " + JSON.object(["content": .string(piece)]).text + "\n\n"
    }

    private func wait(_ milliseconds: Int, into steps: inout [Step]) {
        if milliseconds > 0 { steps.append(.wait(.milliseconds(Int64(milliseconds)), .either)) }
    }

    private func emit(_ event: [UInt8], into steps: inout [Step]) { steps.append(.bytes(event)) }

    // MARK: Framing

    /// Frames the events in HTTP chunks as the setting selects: one each, several together, or cut at any byte.
    private func framed(_ steps: [Step]) -> [Step] {
        switch settings.framing {
        case .event: return steps
        case .oneByte:
            return steps.flatMap { step -> [Step] in
                guard case .bytes(let bytes) = step else { return [step] }
                return bytes.map { .bytes([$0]) }
            }
        case .splitUtf8:
            return steps.flatMap { step -> [Step] in
                guard case .bytes(let bytes) = step else { return [step] }
                return Self.splitInsideCharacters(bytes)
            }
        case .coalesced: return Self.coalesced(steps)
        }
    }

    /// Cuts inside `data:` and inside every character of more than one byte.
    private static func splitInsideCharacters(_ bytes: [UInt8]) -> [Step] {
        var cuts = [min(3, bytes.count)]
        for place in bytes.indices.dropFirst(4) where bytes[place] & 0xC0 == 0x80 { cuts.append(place) }
        cuts.append(bytes.count)
        var start = 0
        var parts: [Step] = []
        for cut in cuts where cut > start {
            parts.append(.bytes(Array(bytes[start..<cut])))
            start = cut
        }
        return parts
    }

    /// Puts three events into a chunk.
    ///
    /// The waits between them precede the chunk, and an effect precedes the chunk of its events.
    private static func coalesced(_ steps: [Step]) -> [Step] {
        var joined: [Step] = []
        var pending: [UInt8] = []
        var count = 0
        func flush() {
            if !pending.isEmpty { joined.append(.bytes(pending)) }
            pending = []
            count = 0
        }
        for step in steps {
            guard case .bytes(let bytes) = step else {
                if case .wait = step {} else { flush() }
                joined.append(step)
                continue
            }
            pending += bytes
            count += 1
            if count == 3 { flush() }
        }
        flush()
        return joined
    }
}
