import CivilTime
package import HTTPMessage

/// A stream effect on events that arrive piece by piece, equal to that of `StreamEffect` on a whole response.
package struct EventFlow: Sendable {
    private let effect: StreamEffect
    private let waiting: Waiting
    private let error: [UInt8]
    private var sent = 0
    private var parser = EventStreamParser()
    /// The bytes before the present piece.
    private var length = 0
    /// The bytes of the current event, where it may have to be repeated.
    private var event: [UInt8] = []
    private var hasBegun = false
    /// Tells whether nothing more is sent.
    package private(set) var isOver = false

    init(_ effect: StreamEffect, _ waiting: Waiting, error: [UInt8]) {
        self.effect = effect
        self.waiting = waiting
        self.error = error
    }

    /// Returns the steps of the next piece.
    package mutating func steps(of bytes: [UInt8]) -> [Step] {
        var steps: [Step] = []
        if !hasBegun {
            hasBegun = true
            reached(&steps)
        }
        var start = 0
        defer { length += bytes.count }
        for found in parser.feed(bytes[...]) where !isOver {
            let end = found.end - length
            add(Array(bytes[start..<end]), &steps)
            start = end
            sent += 1
            reached(&steps)
            event = []
        }
        if !isOver, start < bytes.count { add(Array(bytes[start...]), &steps) }
        return steps
    }

    /// The steps that end the response where the events end.
    package var ending: [Step]? {
        switch effect {
        case .cut: isOver ? [] : [.close]
        case .error: isOver ? [] : [.bytes(error), .end]
        case .gap, .duplicate, .splitUTF8: nil
        }
    }

    private mutating func add(_ bytes: [UInt8], _ steps: inout [Step]) {
        switch effect {
        case .duplicate(let number):
            if sent + 1 == number { event += bytes }
            steps.append(.bytes(bytes))
        case .splitUTF8: steps += SSETimeline.split([.bytes(bytes)])
        case .cut, .error, .gap: steps.append(.bytes(bytes))
        }
    }

    /// Adds the effect that acts after the number of events sent so far.
    private mutating func reached(_ steps: inout [Step]) {
        switch effect {
        case .cut(let count) where sent == count:
            steps.append(.close)
            isOver = true
        case .error(let count) where sent == count:
            steps += [.bytes(error), .end]
            isOver = true
        case .gap(let milliseconds, let after) where after.map({ $0 == sent }) ?? (sent > 0):
            steps.append(.wait(.milliseconds(Int64(milliseconds)), waiting))
        case .duplicate(let number) where sent == number && sent > 0: steps.append(.bytes(event))
        case .cut, .error, .gap, .duplicate, .splitUTF8: break
        }
    }
}
