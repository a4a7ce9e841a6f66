package import Backend
package import HTTPMessage
package import JSON

/// A fault that acts on one response.
package struct FaultApplication {
    private let effect: any FaultEffect
    private var context: EffectContext

    private let question: AnswerReading.Question

    fileprivate init(_ fault: ActiveFault, streamError: [UInt8], schema: JSONSchema?, _ reading: AnswerReading) {
        effect = fault.spec.effect
        context = EffectContext(
            random: fault.stream,
            waiting: fault.spec.waiting,
            streamError: streamError,
            schema: schema,
            reading: reading
        )
        question = AnswerReading.Question(effect: fault.spec.effectJSON, stream: fault.stream, schema: schema)
    }

    /// Returns the response that replaces another one.
    package mutating func apply(to response: Response) -> Response {
        guard effect.readsContent else { return effect.apply(to: response, &context) }
        let reading = context.reading
        return reading.change(question, of: response) {
            let changed = effect.apply(to: reading.decoded(response) ?? response, &context)
            return effect.setsCoding ? changed : reading.encoded(changed, as: response)
        }
    }

    /// Returns the reason why the fault would not change that response; nil if it would.
    func obstacle(in response: Response) -> String? {
        guard effect.readsContent else { return effect.obstacle(in: response, context) }
        return context.reading.obstacle(question, in: response) {
            guard let plain = context.reading.decoded(response) else { return "unknown coding" }
            var context = context
            context.codings = response.codings
            return effect.obstacle(in: plain, context)
        }
    }
}

/// The circumstances in which faults act on the answer to a call.
package struct FaultGround: Sendable {
    /// The seed of the world.
    package let seed: UInt64
    package let streamError: [UInt8]
    /// The declaration of the endpoint that is called.
    package let route: RouteSummary?

    package init(seed: UInt64, streamError: [UInt8], route: RouteSummary?) {
        self.seed = seed
        self.streamError = streamError
        self.route = route
    }

    /// Returns a fault with its random stream for a call.
    package func active(_ fault: Fault, _ call: Call) -> ActiveFault {
        ActiveFault(spec: fault.spec, stream: fault.effectStream(call, seed: seed))
    }

    package func application(_ fault: ActiveFault, on status: Status, _ reading: AnswerReading) -> FaultApplication {
        let schema = fault.spec.behavior.looksAtContent ? route?.schema(of: status) : nil
        return FaultApplication(fault, streamError: streamError, schema: schema, reading)
    }

    /// Returns the reason why a fault would not change the answer to a call; nil if it would.
    package func obstacle(to fault: Fault, _ call: Call, _ reading: AnswerReading, in answer: () -> Response) -> String?
    {
        let actsOnContent = fault.spec.behavior.actsOnContent
        if actsOnContent, call.method == .head { return "no content" }
        let answer = answer()
        if actsOnContent, answer.isWithoutContent { return "no content" }
        return application(active(fault, call), on: answer.status, reading).obstacle(in: answer)
    }
}

extension ActiveFault {
    /// Returns the effect on events that arrive piece by piece; nil for an effect that needs the whole answer.
    package func flow(streamError: [UInt8]) -> EventFlow? {
        guard spec.behavior.changesEventStreams else { return nil }
        let reading = AnswerReading()
        let context = EffectContext(random: stream, waiting: spec.waiting, streamError: streamError, reading: reading)
        return spec.effect.flow(context)
    }
}

extension RouteSummary {
    /// Returns the schema that it declares for responses of that status.
    package func schema(of status: Status) -> JSONSchema? {
        for answer in answers where answer.status == status {
            if case .json(_, let schema, _) = answer.content { return schema }
        }
        return nil
    }
}
