import Backend
import CivilTime
import Conditions
import HTTPMessage
import JSON
import Worlds

/// The answer to a request that a stub took.
struct StubAnswer: Sendable {
    let response: Response
    /// The stub as it was found, this hit included.
    let stub: Stub
    /// Tells that the API refused the request before the stub, which does not count it.
    let isRefusal: Bool
}

/// Stubs, which answer before the endpoints of an API (own-API contract, section 4).
extension Emulator {
    /// Returns the answer of a stub; nil if none takes the call.
    func stubbed(_ call: inout Call, _ exchange: Exchange, in world: inout World) -> Response? {
        let index = exchange.apiIndex
        guard world.stubs.has(apiNames[index]) else { return nil }
        return world.stubbed(&call, apis[index], index, exchange.context.match, exchange.subject)?.response
    }

    /// Returns whether a stub would answer a request that no route takes.
    func stubTakes(_ exchange: Exchange, _ subject: MatchSubject) -> Bool { stub(taking: exchange, subject) != nil }

    /// Returns the stub that would answer a request.
    private func stub(taking exchange: Exchange, _ subject: MatchSubject) -> Stub? {
        let world = exchange.hosted.world
        guard world.stubs.has(subject.api) else { return nil }
        var copy = world
        return copy.chooseStub(subject, exchange.call, apis[exchange.apiIndex], exchange.apiIndex)?.stub
    }

    /// Notes the path of the stub that a fault has answered for, which is the route of a request that no endpoint takes.
    ///
    /// The stub is not used up.
    func noteStubPath(_ exchange: Exchange, _ subject: MatchSubject) {
        guard exchange.call.route == nil, let stub = stub(taking: exchange, subject) else { return }
        exchange.call.route = stub.spec.path
        exchange.call.isTakenElsewhere = true
    }
}

extension World {
    /// Returns the answer of a stub; nil if none takes the call.
    mutating func stubbed(
        _ call: inout Call,
        _ api: AnyAPI,
        _ index: Int,
        _ match: RouteMatch,
        _ known: MatchSubject? = nil
    ) -> StubAnswer? {
        let name = api.identity.name
        guard stubs.has(name) else { return nil }
        let user = call.user ?? user(of: call, api, index, match)
        let subject = known ?? MatchSubject(call, api: name, user: user)
        guard let choice = chooseStub(subject, call, api, index) else { return nil }
        let speculativeResponse = call.takeSpeculativeResponse()
        call.user = user
        call.route = choice.stub.spec.path
        call.parameters = []
        call.isTakenElsewhere = true
        call.source = .stub
        guard call.method == .head, choice.stub.spec.matcher.method != HTTPMethod.head.rawValue else {
            let answer = answer(choice, subject, &call, api, index, speculativeResponse)
            if answer.isRefusal { stubs.retract(choice) }
            return answer
        }
        // HEAD shows what GET would answer, and leaves it to GET.
        stubs.retract(choice)
        var preview = self
        return preview.answer(choice, subject, &call, api, index, speculativeResponse)
    }

    /// Returns the answer of the stub that takes a call, or the one that a worker has made if it would be the same.
    private mutating func answer(
        _ choice: StubRegistry.Choice,
        _ subject: MatchSubject,
        _ call: inout Call,
        _ api: AnyAPI,
        _ index: Int,
        _ speculativeResponse: SpeculativeResponse?
    ) -> StubAnswer {
        if let speculative = speculativeResponse?.adopt(into: &self, &call, by: choice.stub) { return speculative }
        let refusal =
            api.hooks.admitStub(&self, index, &call, choice.stub.spec.isOpen)
            ?? api.refusalOfContent(call)
        let response: Response
        if let refusal {
            response = refusal
        } else {
            call.stub = choice.stub.id
            call.answeredBy = choice.stub.words
            for state in choice.stub.spec.sets { api.hooks.setState(state.name, state.value, &self, index) }
            response = filled(choice, subject, call, api, index)
        }
        api.hooks.inspect(response, self, index, &call)
        return StubAnswer(response: response, stub: choice.stub, isRefusal: refusal != nil)
    }

    /// Tells whether an API has a path of its own, by its routes or its stubs.
    func has(_ path: Path, _ api: AnyAPI) -> Bool { api.knows(path) || stubs.has(path, of: api.identity.name) }

    /// Returns the stub that lets itself act on a request; HEAD is taken wherever GET is.
    fileprivate mutating func chooseStub(
        _ subject: MatchSubject,
        _ call: Call,
        _ api: AnyAPI,
        _ index: Int
    ) -> StubRegistry.Choice? {
        let moment = StubRegistry.Moment(now: call.now, epoch: call.epoch, seed: core.seed)
        var chosen = StubRegistry()
        // Taken out of the world, which the states are read of meanwhile.
        swap(&chosen, &stubs)
        defer { swap(&chosen, &stubs) }
        func holds(_ state: StubSpec.StateValue) -> Bool {
            api.hooks.state(state.name, self, index) == state.value
        }
        if let choice = chosen.choose(subject, moment, holds: holds) { return choice }
        guard subject.method == .head else { return nil }
        return chosen.choose(MatchSubject(subject, method: .get), moment, holds: holds)
    }

    /// Returns the answer of a stub with its placeholders filled.
    private mutating func filled(
        _ choice: StubRegistry.Choice,
        _ subject: MatchSubject,
        _ call: Call,
        _ api: AnyAPI,
        _ index: Int
    ) -> Response {
        let stub = choice.stub
        var delayed = Interval.zero
        if let delay = choice.response.delay {
            var stream = stub.stream("delay", seed: core.seed, ordinal: UInt64(stub.hits))
            delayed = delay.draw(&stream)
        }
        var response = filled(
            choice.response,
            for: call,
            as: subject,
            path: stub.spec.matcher.parameters(of: subject.segments),
            of: (api, index),
            delayed: delayed,
            owner: "the stub \(stub.id)"
        )
        response.redirect(below: call.linkPrefix, from: call.path) { has($0, api) }
        return response
    }

    /// Returns the answer of a fault with its placeholders filled.
    mutating func filled(_ written: StubResponse, by fault: FaultSpec, for call: Call, of api: (AnyAPI, Int))
        -> Response
    {
        let subject = MatchSubject(call, api: api.0.identity.name, user: call.user)
        return filled(
            written,
            for: call,
            as: subject,
            path: fault.matcher.parameters(of: subject.segments),
            of: api,
            delayed: .zero,
            owner: "the fault"
        )
    }

    /// Returns an answer with its placeholders filled, or the refusal of one that would be too large.
    private mutating func filled(
        _ written: StubResponse,
        for call: Call,
        as subject: MatchSubject,
        path: @autoclosure () -> [(name: String, value: String)],
        of part: (AnyAPI, Int),
        delayed: Interval,
        owner: @autoclosure () -> String
    ) -> Response {
        let (api, index) = part
        var response: Response?
        if written.hasPlaceholders {
            var values = RequestTemplateValues(call, api, index, in: self, subject: subject, path: path())
            response = written.filled(from: &values, for: call.request.head, delayed: delayed)
            values.commit(to: &self)
        } else {
            var values = NoTemplateValues()
            response = written.filled(from: &values, for: call.request.head, delayed: delayed)
        }
        if let response { return response }
        let order = InjectedStatus(
            .internalServerError,
            code: "stub_too_large",
            message: "The response of \(owner()) is larger than \(StubResponse.largestContent) bytes"
        )
        return api.faultAnswer(self, index, order, call)
    }

    /// The user behind the credential of a request, expired or not.
    private func user(of call: Call, _ api: AnyAPI, _ index: Int, _ match: RouteMatch) -> CallUser? {
        let sent = Emulator.credential(of: call.request, api: api, match: match)
        return sent.flatMap { api.user(self, index, $0) }
    }
}

extension Call {
    /// Notes the stub nearest to a call for whose path there are some, though a source of the API has answered (own-API
    /// contract, section 4).
    mutating func noteNearestStub(in world: World, _ api: AnyAPI) {
        let name = api.identity.name
        guard !api.isBuiltIn, world.stubs.has(name), let source, source != .stub,
            let near = world.stubs.nearestOfPath(to: MatchSubject(self, api: name, user: user))
        else { return }
        nearestStub = "\(near.stub.words): \(near.differs)"
    }
}

extension AnyAPI {
    /// Refuses content that no endpoint refuses, in the API's own form: over the limit, or in a coding that can't be taken
    /// off; nil for any other.
    func refusalOfContent(_ call: Call) -> Response? {
        if call.request.body.exceedsLimit { return refusalOfLongContent(call) }
        guard let refused = CodingRefusal(call.request.coded) else { return nil }
        var response = refusal(refused.status, refused.reason, call.now, call)
        response.fields.append(contentsOf: refused.fields)
        return response
    }

    /// Refuses content over the limit that no endpoint refuses, in the API's own form (control contract, section 17).
    func refusalOfLongContent(_ call: Call) -> Response {
        refusal(
            .contentTooLarge,
            "The body has \(call.request.body.length) bytes or more, which is over the limit",
            call.now,
            call
        )
    }
}
