import CivilTime
import HTTPMessage

/// A response that is being played: its steps and the position in them.
struct Playback {
    private var steps: [Step]
    private var next = 0
    /// The bytes of the next step's content that have been taken.
    private var taken = 0
    let date: [UInt8]
    /// Tells that more steps may be pushed, so that running out of them is not the end.
    let staysOpen: Bool
    /// Tells that the next step is held back until the application releases it.
    var isHeld = false
    /// The present wait.
    var wait: Wait?
    /// The time by which the world's clock exceeded the last wait.
    var surplus = Interval.zero

    init(_ answer: PlayableResponse) {
        steps = answer.response.timeline
        date = answer.date
        staysOpen = answer.staysOpen
    }

    /// The number of steps still to be played.
    var remaining: Int { steps.count - next }

    /// Takes the next step, moved out so that its content is freed once it is played.
    ///
    /// - Parameter most: The bytes of content to take at once; the rest of a longer step comes with the next calls. Nil
    ///   for no limit: where each step is a chunk on the wire.
    /// - Returns: The step, or nil when there is none left.
    mutating func takeNext(atMost most: Int?) -> Step? {
        guard next < steps.count else { return nil }
        if let most, case .bytes(let content) = steps[next], content.count - taken > most {
            defer { taken += most }
            return .bytes(Array(content[taken..<(taken + most)]))
        }
        let step = steps[next]
        steps[next] = .end
        next += 1
        guard taken > 0, case .bytes(let content) = step else { return step }
        defer { taken = 0 }
        return .bytes(Array(content[taken...]))
    }

    /// Makes the step that was taken last the next one again.
    mutating func putBack(_ step: Step) {
        next -= 1
        steps[next] = step
    }

    mutating func push(_ more: [Step]) {
        steps.removeFirst(next)
        next = 0
        steps.append(contentsOf: more)
    }
}
