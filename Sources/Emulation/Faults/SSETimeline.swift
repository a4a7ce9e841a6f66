import CivilTime
import HTTPMessage

/// Server-sent events on a timeline: where each one ends, and what goes wrong between them.
///
/// An event ends with an empty line, wherever the steps cut it. Answers of another kind are left as they are.
enum SSETimeline {
    static func changed(
        _ response: Response,
        _ effect: FaultEffect.Stream,
        _ waiting: Waiting,
        error: [UInt8]
    ) -> Response {
        guard response.isEventStream, case .steps(let steps) = response.body else { return response }
        var changed = response
        let pieces = cut(steps)
        switch effect {
        case .cut(let count): changed.body = .steps(head(of: pieces, events: count) + [.close])
        case .error(let count): changed.body = .steps(head(of: pieces, events: count) + [.bytes(error), .end])
        case .gap(let milliseconds, let after):
            changed.body = .steps(
                withGaps(pieces, .wait(.milliseconds(Int64(milliseconds)), waiting), after: after)
            )
        case .duplicate(let number): changed.body = .steps(repeating(pieces, event: number))
        case .splitUTF8: changed.body = .steps(split(steps))
        }
        return changed
    }

    /// A step, and whether an event ends with it.
    private struct Piece {
        var step: Step
        var endsEvent = false
    }

    /// The steps with content cut where events end.
    private static func cut(_ steps: [Step]) -> [Piece] {
        var pieces: [Piece] = []
        var lineIsEmpty = true
        var eventHasContent = false
        for step in steps {
            guard case .bytes(let bytes) = step else {
                pieces.append(Piece(step: step))
                continue
            }
            var start = 0
            for (place, byte) in bytes.enumerated() {
                switch byte {
                case 0x0A where lineIsEmpty && eventHasContent:
                    pieces.append(Piece(step: .bytes(Array(bytes[start...place])), endsEvent: true))
                    start = place + 1
                    eventHasContent = false
                case 0x0A: lineIsEmpty = true
                case 0x0D: break
                default:
                    lineIsEmpty = false
                    eventHasContent = true
                }
            }
            if start < bytes.count { pieces.append(Piece(step: .bytes(Array(bytes[start...])))) }
        }
        return pieces
    }

    /// What is played until that many events have been sent.
    private static func head(of pieces: [Piece], events count: Int) -> [Step] {
        guard count > 0 else { return [] }
        var left = count
        var steps: [Step] = []
        for piece in pieces {
            guard piece.step.goesOn else { break }
            steps.append(piece.step)
            if piece.endsEvent { left -= 1 }
            if left == 0 { break }
        }
        return steps
    }

    private static func withGaps(_ pieces: [Piece], _ gap: Step, after count: Int?) -> [Step] {
        var sent = 0
        var steps: [Step] = count == 0 ? [gap] : []
        for piece in pieces {
            steps.append(piece.step)
            guard piece.endsEvent else { continue }
            sent += 1
            if count == nil || count == sent { steps.append(gap) }
        }
        return steps
    }

    private static func repeating(_ pieces: [Piece], event number: Int) -> [Step] {
        var sent = 0
        var event: [UInt8] = []
        var steps: [Step] = []
        for piece in pieces {
            steps.append(piece.step)
            if case .bytes(let bytes) = piece.step { event += bytes }
            guard piece.endsEvent else { continue }
            sent += 1
            if sent == number { steps.append(.bytes(event)) }
            event = []
        }
        return steps
    }

    /// Cuts inside every character of more than one byte, with a moment between the halves so that they come apart.
    static func split(_ steps: [Step]) -> [Step] {
        steps.flatMap { step -> [Step] in
            guard case .bytes(let bytes) = step else { return [step] }
            var parts: [Step] = []
            var start = 0
            for place in bytes.indices.dropFirst() where bytes[place] & 0xC0 == 0x80 && bytes[place - 1] & 0xC0 == 0xC0
            {
                parts.append(.bytes(Array(bytes[start..<place])))
                parts.append(.wait(.milliseconds(1), .either))
                start = place
            }
            parts.append(.bytes(Array(bytes[start...])))
            return parts
        }
    }
}
