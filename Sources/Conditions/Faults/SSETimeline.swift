import CivilTime
import HTTPMessage

/// Server-sent events on a timeline: the end of each event, and the disturbances between them.
///
/// An event has data and ends with an empty line, regardless of where the steps cut it.
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
        var parser = EventStreamParser()
        var sent = 0
        for step in steps {
            guard case .bytes(let bytes) = step else {
                pieces.append(Piece(step: step))
                continue
            }
            var start = 0
            for event in parser.feed(bytes[...]) {
                let end = event.end - sent
                pieces.append(Piece(step: .bytes(Array(bytes[start..<end])), endsEvent: true))
                start = end
            }
            sent += bytes.count
            if start < bytes.count { pieces.append(Piece(step: .bytes(Array(bytes[start...])))) }
        }
        return pieces
    }

    /// Returns the steps with each event in one piece, which `change` may replace.
    func steps(changing change: ([UInt8]) -> [UInt8]) -> [Step] {
        var steps: [Step] = []
        var event: [UInt8] = []
        for piece in pieces {
            if case .bytes(let bytes) = piece.step {
                event += bytes
                guard piece.endsEvent else { continue }
                steps.append(.bytes(change(event)))
                event = []
            } else {
                if !event.isEmpty, !piece.step.goesOn { steps.append(.bytes(event)) }
                if !piece.step.goesOn { event = [] }
                steps.append(piece.step)
            }
        }
        return event.isEmpty ? steps : steps + [.bytes(event)]
    }

    /// The events, each with the lines before it that belong to none.
    var events: [[UInt8]] {
        var events: [[UInt8]] = []
        _ = steps(changing: { event in
            events.append(event)
            return event
        })
        return events
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
