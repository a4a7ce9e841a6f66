import HTTPMessage
import JSON

/// A fault that acts on one response.
struct FaultApplication {
    private let effect: any FaultEffect
    private var context: EffectContext

    /// Creates an application; `schema` is the endpoint's own for a response of this status.
    init(fault: FaultSpec, stream: SeededStream, streamError: [UInt8], schema: JSONSchema?) {
        effect = fault.effect
        context = EffectContext(random: stream, waiting: fault.waiting, streamError: streamError, schema: schema)
    }

    /// Returns the response that replaces another one.
    mutating func apply(to response: Response) -> Response {
        effect.apply(to: effect.readsContent ? response.decoded ?? response : response, &context)
    }

    /// Returns the reason why the fault would not change that response; nil if it would.
    func obstacle(in response: Response, _ reading: AnswerReading) -> String? {
        guard effect.readsContent else { return effect.obstacle(in: response, context, reading) }
        guard let plain = reading.decoded(response) else { return "unknown coding" }
        return effect.obstacle(in: plain, context, reading)
    }
}

extension ActiveFault {
    /// Returns the effect on events that arrive piece by piece; nil for an effect that needs the whole answer.
    func flow(streamError: [UInt8]) -> EventFlow? {
        guard spec.behavior.changesEventStreams else { return nil }
        let context = EffectContext(random: stream, waiting: spec.waiting, streamError: streamError)
        return spec.effect.flow(context)
    }
}

/// A response that many faults examine; it is read once.
final class AnswerReading {
    private var read: JSON??
    private var plain: Response??

    /// Returns the response without its codings; nil if one can't be taken off.
    func decoded(_ response: Response) -> Response? {
        if let plain { return plain }
        let decoded = response.decoded
        plain = .some(decoded)
        return decoded
    }

    func json(_ bytes: @autoclosure () -> [UInt8]) -> JSON? {
        if let read { return read }
        let json = try? JSONReader.read(bytes(), options: JSONReader.Options(maxDepth: 512))
        read = .some(json)
        return json
    }
}
