package import HTTPMessage

/// What faults and the network of a world do to content that arrives piece by piece.
package struct ContentFlow: Sendable {
    struct Pace: Sendable {
        var bytesPerSecond: Int
        var waiting: Waiting
    }

    var paces: [Pace] = []
    var events: EventFlow?

    package init() {}

    /// Whether nothing more of the content leaves.
    package var isOver: Bool { events?.isOver ?? false }

    /// The steps of the next piece.
    package mutating func steps(of bytes: [UInt8]) -> [Step] { paced(events?.steps(of: bytes) ?? [.bytes(bytes)]) }

    /// The steps behind the last piece, which end the answer.
    package func ending(_ steps: [Step]) -> [Step] { paced(events?.ending ?? steps) }

    private func paced(_ steps: [Step]) -> [Step] {
        guard !paces.isEmpty else { return steps }
        var piece = Response(status: .ok, body: .steps(steps))
        for pace in paces { piece = piece.throttled(to: pace.bytesPerSecond, pace.waiting) }
        guard case .steps(let slow) = piece.body else { return steps }
        return slow
    }
}
