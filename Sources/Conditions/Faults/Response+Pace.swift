import Backend
import CivilTime
package import HTTPMessage

extension Response {
    /// The maximum number of slices of a throttled body; one slice usually lasts a tenth of a second.
    private static let mostSlices = 4_096

    /// Returns the response with its content at no more than that many bytes per second.
    package func throttled(to rate: Int, _ waiting: Waiting) -> Response {
        paced { bytes in
            let size = max(max(rate / 10, 1), (bytes.count + Self.mostSlices - 1) / Self.mostSlices)
            return stride(from: 0, to: bytes.count, by: size).flatMap { start -> [Step] in
                let slice = Array(bytes[start..<min(start + size, bytes.count)])
                return [.wait(Self.time(of: slice.count, at: rate), waiting), .bytes(slice)]
            }
        }
    }

    /// Returns the response with its content in that many pieces, spread evenly over that time; the last takes the
    /// remainder.
    ///
    /// A stream is cut across its events: a piece waits once, however many events it holds.
    func dribbled(_ chunks: Int, over time: Interval, _ waiting: Waiting) -> Response {
        let total = body.content.count
        let count = min(max(chunks, 1), max(total, 1))
        let size = total / count
        let pause = Interval(microseconds: time.microseconds / Int64(count))
        let rest = Interval(microseconds: time.microseconds % Int64(count))
        /// The position of the next byte in the content, and the pieces that have begun.
        var position = 0
        var begun = 0
        return paced { bytes in
            var steps: [Step] = []
            var start = 0
            while start < bytes.count {
                if begun < count, position == begun * size {
                    begun += 1
                    steps.append(.wait(begun == count ? pause + rest : pause, waiting))
                }
                let end = begun == count ? bytes.count : min(bytes.count, start + begun * size - position)
                steps.append(.bytes(Array(bytes[start..<end])))
                position += end - start
                start = end
            }
            return steps
        }
    }

    private static func time(of count: Int, at rate: Int) -> Interval {
        let microseconds = Double(count) * 1_000_000 / Double(max(rate, 1))
        return Interval(microseconds: Int64(min(microseconds.rounded(.up), 9e15)))
    }

    /// Returns the response with each piece of content laid out over time.
    private func paced(_ lay: ([UInt8]) -> [Step]) -> Response {
        var paced = self
        switch body {
        case .empty: return self
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return self }
            paced.framing = .length(bytes.count)
            paced.body = .steps(lay(bytes) + [.end])
        case .steps(let steps):
            paced.body = .steps(
                steps.flatMap { step -> [Step] in
                    guard case .bytes(let bytes) = step, !bytes.isEmpty else { return [step] }
                    return lay(bytes)
                }
            )
        }
        return paced
    }
}
