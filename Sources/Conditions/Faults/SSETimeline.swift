import CivilTime
import HTTPMessage

/// Server-sent events on a timeline: the end of each event, and the disturbances between them.
///
/// An event ends with an empty line, regardless of where the steps cut it.
struct SSETimeline {
    /// The steps with content cut at the ends of events.
    private let pieces: [Piece]

    init(_ steps: [Step]) { pieces = Self.cut(steps) }

    /// A step, with a note whether an event ends with it.
    private struct Piece {
        var step: Step
        var endsEvent = false
    }

    /// Returns the steps with content cut at the ends of events.
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

    /// Returns the steps until that many events have been sent.
    func head(events count: Int) -> [Step] {
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

    /// Returns the steps with a gap after that many events, or after each one.
    func steps(with gap: Step, after count: Int?) -> [Step] {
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

    /// Returns the steps with one event twice.
    func steps(repeating number: Int) -> [Step] {
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

    /// Cuts inside every character of more than one byte, with a short wait between the halves so that they arrive
    /// separately.
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
