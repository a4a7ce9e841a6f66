import CivilTime
import HTTPMessage
import JSON

/// What a fault does to a finished answer.
struct FaultApplication {
    let fault: FaultSpec
    /// Chance of its own for this request.
    var stream: SeededStream
    /// The error event of the API's streams.
    let streamError: [UInt8]
    /// What the endpoint declares for an answer of this status.
    let schema: JSONSchema?

    /// The answer that is sent in the place of another one.
    mutating func changed(_ response: Response) -> Response {
        switch fault.effect {
        case .delay(let distribution):
            return response.delayed(by: distribution.draw(&stream), fault.waiting)
        case .throttle(let rate): return response.throttled(to: rate, fault.waiting)
        case .dribble(let chunks, let time):
            return response.dribbled(chunks, over: .milliseconds(Int64(time)), fault.waiting)
        case .connection(let effect): return broken(response, effect)
        case .body(let effect): return response.damaged(effect)
        case .drift(let drift): return drifted(response, drift)
        case .stream(let effect): return SSETimeline.changed(response, effect, fault.waiting, error: streamError)
        // Made elsewhere: a status and an end of tokens need the API, an upload is decided at the head.
        case .status, .tokens, .upload: return response
        }
    }

    /// Why it would leave that answer as it is; nil if it would not.
    func obstacle(in response: Response, _ reading: AnswerReading) -> String? {
        switch fault.effect {
        case .stream: return response.isEventStream ? nil : "no stream"
        case .drift(let drift):
            var stream = stream
            let before: [JSON]
            var schema: JSONSchema?
            switch response.body {
            case .empty: return "no JSON"
            case .bytes(let bytes):
                guard let json = reading.json(bytes) else { return "no JSON" }
                before = [json]
                schema = self.schema
            case .steps(let steps):
                guard response.isEventStream else { return "no JSON" }
                before = steps.compactMap { step in
                    guard case .bytes(let bytes) = step else { return nil }
                    return Self.data(of: bytes)
                }
            }
            let isChanged = before.contains { drift.changesAnything(in: $0, schema: schema, &stream) }
            return isChanged ? nil : "nothing to change"
        case .status, .delay, .throttle, .dribble, .connection, .body, .upload, .tokens: return nil
        }
    }

    // MARK: Connection

    private mutating func broken(_ response: Response, _ effect: FaultEffect.Connection) -> Response {
        switch effect {
        case .reset(nil): return .silent([.abort])
        case .empty: return .silent([.close])
        case .stall(let milliseconds):
            guard let milliseconds else { return .silent([.hold]) }
            return .silent([.wait(.milliseconds(Int64(milliseconds)), fault.waiting), .close])
        case .garbage:
            // The first byte can't begin a status line, whatever is drawn.
            var bytes = (0..<512).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
            bytes[0] |= 0x80
            return .silent([.raw(bytes), .close])
        case .reset(let count?):
            // The bytes get time to leave before the reset overtakes them.
            return response.cut(after: count, [.wait(.milliseconds(20), .either), .abort])
        case .truncate(let count):
            let length = response.body.content.count
            return response.cut(after: min(count ?? length / 2, max(length - 1, 0)), [.close])
        case .malformedChunk:
            var broken = response
            let content = response.body.content
            let wrong = "\(String(content.count, radix: 16))zz\r\n"
            broken.framing = .chunked
            broken.body = .steps([.raw(Array(wrong.utf8) + content + Array("\r\n".utf8)), .close])
            return broken
        }
    }

    // MARK: Drift

    private func drifted(_ response: Response, _ drift: Drift) -> Response {
        var changed = response
        switch response.body {
        case .empty: return response
        case .bytes(let bytes):
            guard let json = try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512)) else {
                return response
            }
            var stream = stream
            changed.body = .bytes(drift.changed(json, schema: schema, &stream).serialized())
        case .steps(let steps):
            guard response.isEventStream else { return response }
            changed.body = .steps(
                steps.map { step in
                    guard case .bytes(let bytes) = step else { return step }
                    return .bytes(drifted(event: bytes, drift))
                }
            )
        }
        return changed
    }

    /// An event whose data is JSON, changed; anything else as it is.
    private func drifted(event bytes: [UInt8], _ drift: Drift) -> [UInt8] {
        guard let json = Self.data(of: bytes) else { return bytes }
        var stream = stream
        return Self.dataPrefix + drift.changed(json, schema: nil, &stream).serialized() + [0x0A, 0x0A]
    }

    private static let dataPrefix = Array("data: ".utf8)

    /// The data of an event of one line, if it is JSON.
    private static func data(of bytes: [UInt8]) -> JSON? {
        guard bytes.starts(with: dataPrefix), bytes.suffix(2) == [0x0A, 0x0A],
            bytes.count >= dataPrefix.count + 2
        else { return nil }
        return try? JSONReader.read(bytes[dataPrefix.count..<bytes.count - 2])
    }
}

/// An answer that many faults look at, read once.
final class AnswerReading {
    private var read: JSON??

    func json(_ bytes: [UInt8]) -> JSON? {
        if let read { return read }
        let json = try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512))
        read = .some(json)
        return json
    }
}
