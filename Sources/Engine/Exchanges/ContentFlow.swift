import Conditions
package import HTTPMessage

/// The effects of faults and of a world's network on content that arrives piece by piece.
package struct ContentFlow: Sendable {
    struct Pace: Sendable {
        var bytesPerSecond: Int
        var waiting: Waiting
    }

    var paces: [Pace] = []
    var events: EventFlow?

    package init() {}

    /// Tells whether no more content is sent.
    package var isOver: Bool { events?.isOver ?? false }

    /// Returns the steps of the next piece.
    package mutating func steps(of bytes: [UInt8]) -> [Step] { paced(events?.steps(of: bytes) ?? [.bytes(bytes)]) }

    /// Returns the steps after the last piece, which end the response.
    package func ending(_ steps: [Step]) -> [Step] { paced(events?.ending ?? steps) }

    private func paced(_ steps: [Step]) -> [Step] {
        guard !paces.isEmpty else { return steps }
        var piece = Response(status: .ok, body: .steps(steps))
        for pace in paces { piece = piece.throttled(to: pace.bytesPerSecond, pace.waiting) }
        guard case .steps(let slow) = piece.body else { return steps }
        return slow
    }
}
