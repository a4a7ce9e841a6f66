import CivilTime
import HTTPMessage
import TestSupport
import Testing

@testable import Conditions

/// Control contract, section 8: `{"dribble":{"chunks":n,"overMs":n}}`.
@Suite struct DribbleTests {
    private func content(_ steps: [Step]) -> [UInt8] {
        steps.flatMap { step -> [UInt8] in
            if case .bytes(let bytes) = step { return bytes }
            return []
        }
    }

    private func waits(_ steps: [Step]) -> [Interval] {
        steps.compactMap { step in
            if case .wait(let length, _) = step { return length }
            return nil
        }
    }

    private func steps(_ response: Response) -> [Step] {
        if case .steps(let steps) = response.body { return steps }
        return []
    }

    @Test func `8 a stream takes the time of the dribble once, not for each of its events`() {
        for (events, chunks, over) in [
            (34, 5, 500), (3, 1, 300), (7, 100, 1_000), (1, 3, 100), (40, 40, 7), (5, 10_000, 0),
        ] {
            let pieces = (0..<events).map { Array("data: event \($0)\n\n".utf8) }
            var stream = Response(status: .ok)
            stream.body = .steps(pieces.map { .bytes($0) } + [.end])
            let slow = steps(stream.dribbled(chunks, over: .milliseconds(Int64(over)), .either))
            let total = pieces.reduce(0) { $0 + $1.count }
            expectEqual(content(slow), pieces.flatMap { $0 })
            expectEqual(waits(slow).count, min(chunks, total))
            expectEqual(waits(slow).reduce(.zero, +), .milliseconds(Int64(over)))
        }
    }

    @Test func `8 a stream keeps its own pace beside the dribble`() {
        var stream = Response(status: .ok)
        stream.body = .steps([.bytes([1, 2]), .wait(.seconds(1), .either), .bytes([3, 4]), .end])
        let slow = steps(stream.dribbled(2, over: .milliseconds(10), .either))
        expectEqual(waits(slow), [.milliseconds(5), .seconds(1), .milliseconds(5)])
        expectEqual(content(slow), [1, 2, 3, 4])
    }

    @Test(arguments: [1, 2, 3, 7, 10, 11, 500]) func `8 a whole body comes in as many pieces as were said`(chunks: Int)
    {
        var whole = Response(status: .ok)
        whole.body = .bytes(Array(0..<10))
        let slow = whole.dribbled(chunks, over: .milliseconds(100), .either)
        expectEqual(content(steps(slow)), Array(0..<10))
        expectEqual(waits(steps(slow)).count, min(chunks, 10))
        expectEqual(waits(steps(slow)).reduce(.zero, +), .milliseconds(100))
        expectEqual(slow.framing, .length(10))
        #expect(Response(status: .noContent).dribbled(chunks, over: .seconds(1), .either).isImmediate)
    }
}
