import CivilTime
import HTTPMessage
import JSON

/// Stubs, which answer before the endpoints of an API (own-API contract, section 4).
extension Emulator {
    /// Returns the answer of a stub; nil if none takes the call.
    func stubbed(_ call: inout Call, _ exchange: Exchange, in world: inout World) -> Response? {
        let (index, name) = (exchange.apiIndex, apiNames[exchange.apiIndex])
        guard world.stubs.has(name) else { return nil }
        let api = apis[index]
        let user = call.user ?? user(of: call, exchange, in: world)
        let subject = exchange.subject ?? MatchSubject(call, api: name, user: user)
        guard let choice = choose(subject, call, index, in: &world) else { return nil }
        call.foreseen = nil
        call.user = user
        call.route = choice.stub.spec.path
        call.parameters = []
        call.isTakenElsewhere = true
        call.source = .stub
        // HEAD shows what GET would answer, and leaves it to GET.
        let isPreview = call.method == .head && choice.stub.spec.matcher.method != HTTPMethod.head.rawValue
        if isPreview { world.stubs.retract(choice) }
        if let refusal = api.admitStub(&world, index, &call, isOpen: choice.stub.spec.isOpen) {
            if !isPreview { world.stubs.retract(choice) }
            return refusal
        }
        if call.request.body.exceedsLimit {
            if !isPreview { world.stubs.retract(choice) }
            return refusalOfLongContent(call, index)
        }
        call.stub = choice.stub.id
        if !isPreview {
            for state in choice.stub.spec.sets { api.setState(named: state.name, to: state.value, &world, index) }
        }
        guard var response = fill(choice, subject, call, index, in: &world, isPreview: isPreview) else {
            let order = InjectedStatus(
                .internalServerError,
                code: "stub_too_large",
                message: "The answer of the stub \(choice.stub.id) is larger than \(StubResponse.largestContent) bytes"
            )
            return api.faultAnswer(world, index, order, call)
        }
        response.redirect(below: call.linkPrefix)
        return response
    }

    /// Returns whether a stub would answer a request that no route takes.
    func stubTakes(_ exchange: Exchange, _ subject: MatchSubject) -> Bool { stub(taking: exchange, subject) != nil }

    /// Returns the stub that would answer a request.
    private func stub(taking exchange: Exchange, _ subject: MatchSubject) -> Stub? {
        let world = exchange.hosted.world
        guard world.stubs.has(subject.api) else { return nil }
        var copy = world
        return choose(subject, exchange.call, exchange.apiIndex, in: &copy)?.stub
    }

    /// Notes the path of the stub that a fault has answered for, which is the route of a request that no endpoint takes.
    ///
    /// The stub is not used up.
    func noteStubPath(_ exchange: Exchange, _ subject: MatchSubject) {
        guard exchange.call.route == nil, let stub = stub(taking: exchange, subject) else { return }
        exchange.call.route = stub.spec.path
        exchange.call.isTakenElsewhere = true
    }

    /// Returns the stub that lets itself act on a request; HEAD is taken wherever GET is.
    private func choose(
        _ subject: MatchSubject,
        _ call: Call,
        _ index: Int,
        in world: inout World
    ) -> StubBook.Choice? {
        let moment = StubBook.Moment(now: call.now, epoch: call.epoch, seed: world.core.seed)
        var stubs = StubBook()
        // Taken out of the world, which the states are read of meanwhile.
        swap(&stubs, &world.stubs)
        defer { swap(&stubs, &world.stubs) }
        let api = apis[index]
        func holds(_ state: StubSpec.StateValue) -> Bool {
            api.state(named: state.name, world, index) == state.value
        }
        if let choice = stubs.choose(subject, moment, holds: holds) { return choice }
        guard subject.method == .head else { return nil }
        return stubs.choose(MatchSubject(subject, method: .get), moment, holds: holds)
    }

    private func fill(
        _ choice: StubBook.Choice,
        _ subject: MatchSubject,
        _ call: Call,
        _ index: Int,
        in world: inout World,
        isPreview: Bool
    ) -> Response? {
        var delay = choice.stub.stream("delay", seed: world.core.seed, ordinal: UInt64(choice.stub.hits))
        let delayed = choice.response.delay?.draw(&delay) ?? .zero
        guard choice.response.hasPlaceholders else {
            var values = NoTemplateValues(now: call.now, epoch: call.epoch)
            return choice.response.filled(from: &values, delayed: delayed)
        }
        var values = RequestTemplateValues(
            call,
            apis[index],
            index,
            in: world,
            subject: subject,
            path: choice.stub.spec.matcher.parameters(of: subject.segments)
        )
        let response = choice.response.filled(from: &values, delayed: delayed)
        if !isPreview { values.commit(to: &world) }
        return response
    }

    /// Refuses content over the limit that no endpoint refuses, in the API's own form (control contract, section 17).
    func refusalOfLongContent(_ call: Call, _ index: Int) -> Response {
        apis[index].timedRefusal(
            .contentTooLarge,
            "The body has \(call.request.body.length) bytes or more, which is over the limit",
            call.now
        )
    }

    /// The user behind the credential of a request, expired or not.
    private func user(of call: Call, _ exchange: Exchange, in world: World) -> CallUser? {
        let index = exchange.apiIndex
        let sent = credential(of: call.request, api: index, match: exchange.context.match)
        return sent.flatMap { apis[index].user(world, index, $0) }
    }
}
