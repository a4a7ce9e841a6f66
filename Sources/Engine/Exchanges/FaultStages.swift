import Backend
import CivilTime
package import Conditions
import HTTPMessage
import JSON
import Worlds

extension Emulator {
    // MARK: Plan

    /// Decides which faults and preferences act on a request.
    func planFaults(_ exchange: Exchange) -> Progress {
        if exchange.isRouteForeseen {
            // The stubs may be others by now.
            exchange.isRouteForeseen = false
            exchange.call.route = nil
            exchange.call.isTakenElsewhere = false
        }
        guard let subject = exchange.subject else { return .next }
        let hosted = exchange.hosted
        // A request that never arrives changes nothing.
        if hosted.world.latency.latency(for: subject)?.losesEverything == true {
            noteRecorded(exchange, subject)
            exchange.response = .silent([.hold])
            return .skip(to: .gateAfter)
        }
        var plan = FaultPlan(main: exchange.ordered.take().flatMap { note($0, gate: exchange.gateName, in: exchange) })
        let mayAct = mayAct(exchange, subject)
        if mayAct {
            do throws(Problem) {
                if let preference = try preference(of: exchange, subject) {
                    plan.applied = preference.applied
                    if let effect = preference.effect, plan.main == nil {
                        plan.main = note(effect, in: exchange)
                        if plan.main == nil { plan.applied.removeAll { $0.hasPrefix("fault=") } }
                    }
                    if let delay = preference.delay, let shape = note(delay, in: exchange) { plan.shapes.append(shape) }
                }
            } catch {
                noteRecorded(exchange, subject)
                exchange.response = error.response
                return .skip(to: .gateAfter)
            }
        }
        if mayAct {
            if exchange.responder.isAwaited {
                let looks = looksAtAnswer(exchange, subject, isWon: plan.main != nil)
                (plan.isUndecided, plan.looksAtContent, plan.needsContent) = (
                    looks.atAll, looks.atContent, looks.forAny
                )
            }
            if !plan.isUndecided { decide(&plan, exchange, subject) }
        }
        exchange.plan = plan
        return .next
    }

    /// Tells whether faults may act on a request: it has a route or is taken without one.
    private func mayAct(_ exchange: Exchange, _ subject: MatchSubject) -> Bool {
        // A responder of other paths has its own routes.
        exchange.context.isRouted || exchange.responder.answersAnyPath
            || apis[exchange.apiIndex].faultsPrecedeRouting || stubTakes(exchange, subject)
    }

    /// Returns the preferences of a request that are obeyed; nil if there are none.
    private func preference(of exchange: Exchange, _ subject: MatchSubject) throws(Problem) -> Preference? {
        let head = exchange.call.request.head
        guard exchange.sentQuery != nil || Preference.mayBe(in: head) else { return nil }
        let omits = leavesStatus(exchange, subject)
        guard obeysPreferences(exchange) else {
            // A choice among declared responses is no fault: every client has it, as it has Accept.
            if omits { try Preference.checkChoice(head) }
            return nil
        }
        return try Preference.read(head, query: exchange.sentQuery ?? head.rawQuery, omittingCode: omits)
    }

    /// Returns the effects that are going to be noted for a request.
    func orderedFaults(_ exchange: Exchange, _ subject: MatchSubject) -> OrderedFaults {
        guard exchange.stage != .gateAfter, mayAct(exchange, subject),
            let preference = try? preference(of: exchange, subject)
        else { return OrderedFaults(main: exchange.ordered) }
        return OrderedFaults(main: exchange.ordered ?? preference.effect, delay: preference.delay)
    }

    /// Returns the reader of the answer of a real backend; nil if no fault reads it.
    package func reader(of exchange: Exchange) -> AnswerReader? {
        guard let subject = exchange.subject, let plan = exchange.plan else { return nil }
        return AnswerReader(
            ground(of: exchange),
            exchange.call,
            subject,
            plan.main,
            plan.isUndecided ? exchange.hosted.world.faults : nil,
            moment(exchange, isWon: plan.main != nil)
        )
    }

    /// Tells whether the document of the API answers, which chooses among the statuses that it declares; a stub and a
    /// recording have none to choose from.
    private func leavesStatus(_ exchange: Exchange, _ subject: MatchSubject) -> Bool {
        guard apis[exchange.apiIndex].hooks.choosesStatus(exchange.context.match), !stubTakes(exchange, subject) else {
            return false
        }
        guard exchange.responder.answersAnyPath, !exchange.responder.isAwaited else { return true }
        return tried(exchange).call.source != .recording
    }

    /// Adds the faults of the world that act.
    private func decide(_ plan: inout FaultPlan, _ exchange: Exchange, _ subject: MatchSubject) {
        for verdict in decide(exchange, subject, isWon: plan.main != nil) {
            exchange.decisions.append(verdict.decision)
            guard verdict.acts else { continue }
            let active = active(verdict.fault, exchange)
            if verdict.fault.spec.behavior.isAdditive {
                plan.shapes.append(active)
            } else {
                plan.main = active
            }
        }
    }

    /// Decides on the faults that depend on the response.
    func decideNow(_ exchange: Exchange, _ subject: MatchSubject) {
        guard var plan = exchange.plan, plan.isUndecided else { return }
        plan.isUndecided = false
        decide(&plan, exchange, subject)
        exchange.plan = plan
    }

    /// Tells whether a fault that may act depends on the response, on its content, and on there being any.
    private func looksAtAnswer(
        _ exchange: Exchange,
        _ subject: MatchSubject,
        isWon: Bool
    ) -> (atAll: Bool, atContent: Bool, forAny: Bool) {
        var registry = exchange.hosted.world.faults
        var looks = (atAll: false, atContent: false, forAny: false)
        guard registry.asksForAnswer else { return looks }
        _ = registry.decide(
            subject,
            moment(exchange, isWon: isWon),
            obstacle: { fault in
                looks.atAll = true
                if fault.spec.behavior.looksAtContent || fault.spec.effect.readsContent { looks.atContent = true }
                if fault.spec.behavior.actsOnContent { looks.forAny = true }
                // A fault behind this one may depend on the response too.
                return "not known yet"
            }
        )
        return looks
    }

    func moment(_ exchange: Exchange, _ call: Call? = nil, isWon: Bool) -> FaultRegistry.Moment {
        FaultRegistry.Moment(
            now: (call ?? exchange.call).now,
            epoch: (call ?? exchange.call).epoch,
            seed: exchange.hosted.world.core.seed,
            isWon: isWon,
            hasCredential: !credentials(of: exchange).isEmpty,
            refusal: ContentRefusal(exchange.call.request)
        )
    }

    private func decide(
        _ exchange: Exchange,
        _ subject: MatchSubject,
        isWon: Bool,
        answer: Response? = nil
    ) -> [FaultRegistry.Verdict] {
        let hosted = exchange.hosted
        guard !hosted.world.faults.isEmpty else { return [] }
        let moment = moment(exchange, isWon: isWon)
        guard hosted.world.faults.asksForAnswer else { return hosted.world.faults.decide(subject, moment) }
        var registry = hosted.world.faults
        var answer = answer
        let ground = ground(of: exchange)
        let verdicts = registry.decide(
            subject,
            moment,
            obstacle: { fault in
                ground.obstacle(to: fault, exchange.call, exchange.readingOfFaults) {
                    let response = answer ?? tried(exchange).response
                    answer = response
                    return response
                }
            }
        )
        hosted.world.faults = registry
        return verdicts
    }

    /// Returns a fault with its random stream for this request.
    private func active(_ fault: Fault, _ exchange: Exchange) -> ActiveFault {
        ground(of: exchange).active(fault, exchange.call)
    }

    func ground(of exchange: Exchange) -> FaultGround {
        let api = apis[exchange.apiIndex]
        return FaultGround(
            seed: exchange.hosted.world.core.seed,
            streamError: api.streamError,
            route: exchange.context.endpointIndex.map { api.routes[$0] }
        )
    }

    /// Notes an effect that comes from a preference or from a gate's release, not from a fault of the world; nil if it
    /// can't act on the request.
    ///
    /// `gate` is the one that was released.
    func note(_ spec: FaultSpec, gate: String? = nil, in exchange: Exchange) -> ActiveFault? {
        let obstacle = exchange.subject.flatMap { spec.effect.obstacle(to: $0) ?? spec.behavior.obstacle(to: $0) }
        exchange.decisions.append(
            FaultDecision(
                id: nil,
                name: spec.name,
                gate: gate,
                phase: spec.phase,
                kind: spec.effect.kind,
                effect: spec.shownEffect,
                acted: obstacle == nil,
                reason: obstacle,
                isMain: !spec.behavior.isAdditive
            )
        )
        // Drawn in any case, as whoever looks ahead draws it.
        let active = exchange.hosted.world.active(spec, apiNames[exchange.apiIndex])
        return obstacle == nil ? active : nil
    }

    /// Tells whether the whole of a request that broke off would have reached its endpoint and succeeded there, past the
    /// network, the stubs, the preferences and the faults of its world.
    ///
    /// Nothing is used up.
    func wouldSucceed(_ exchange: Exchange) -> Bool {
        var world = exchange.hosted.world
        var call = exchange.call
        let subject = subject(of: &call, exchange, in: world)
        guard world.latency.latency(for: subject)?.losesEverything != true, !stubTakes(exchange, subject) else {
            return false
        }
        if mayAct(exchange, subject) {
            let preference: Preference?
            do throws(Problem) {
                preference = try self.preference(of: exchange, subject)
            } catch {
                return false
            }
            let ordered = preference?.effect.flatMap { spec in
                spec.effect.obstacle(to: subject) ?? spec.behavior.obstacle(to: subject) == nil ? spec : nil
            }
            let acting =
                ordered ?? trial(exchange, subject).first { $0.acts && !$0.fault.spec.behavior.isAdditive }?.fault.spec
            if let acting, acting.phase == .before {
                guard case .actsOnCredentials(let manner) = acting.behavior else { return false }
                endCredentials(of: exchange, manner, in: &world)
            }
        }
        var attempt = exchange.call.renewed(at: exchange.call.now, exchange.call.epoch)
        let index = exchange.apiIndex
        return (200..<300).contains(apis[index].answer(&world, index, &attempt, exchange.context.match).status.code)
    }

    /// Returns the decisions on the faults of the world, none of which is used up.
    private func trial(_ exchange: Exchange, _ subject: MatchSubject) -> [FaultRegistry.Verdict] {
        let faults = exchange.hosted.world.faults
        defer { exchange.hosted.world.faults = faults }
        return decide(exchange, subject, isWon: false)
    }

    /// Looks up whether a stub or a recording has a request that a fault or a gate has answered.
    ///
    /// The replay does not advance.
    private func noteRecorded(_ exchange: Exchange, _ subject: MatchSubject) {
        noteStubPath(exchange, subject)
        guard exchange.responder.answersAnyPath, !exchange.responder.isAwaited, exchange.call.route == nil else {
            return
        }
        _ = tryInPlace(exchange)
    }

    // MARK: Respond

    /// Returns the response on which the winning fault acts, or which it has left to the responder.
    func responseUnderFaults(_ exchange: Exchange, _ subject: MatchSubject) -> Response {
        decideNow(exchange, subject)
        guard let main = exchange.plan?.main else {
            if exchange.decisions.contains(where: { $0.reason.flatMap(ContentRefusal.init) != nil }),
                let refusal = apis[exchange.apiIndex].refusalOfContent(exchange.call)
            {
                noteStubPath(exchange, subject)
                exchange.call.isTakenElsewhere = true
                return refusal
            }
            exchange.call.user = nil
            let response = produce(&exchange.call, exchange, in: &exchange.hosted.world)
            if exchange.call.user == nil { exchange.call.user = subject.user }
            return response
        }
        let spec = main.spec
        switch spec.behavior {
        case .replacesEndpoint(.apiError):
            if spec.phase == .after { _ = runResponder(exchange) } else { noteStubPath(exchange, subject) }
            return Response(status: .ok)
        case .actsOnCredentials(let manner):
            guard spec.phase == .after else {
                endCredentials(of: exchange, manner, in: &exchange.hosted.world)
                return runResponder(exchange)
            }
            return responseToEndedCredentials(exchange, manner, runs: true)
        default:
            if spec.phase == .after { return runResponder(exchange) }
            if spec.behavior.transformsAnswer { return tryInPlace(exchange) }
            noteStubPath(exchange, subject)
            return Response(status: .ok)
        }
    }

    /// Returns the response to credentials that have expired since the request came.
    ///
    /// It is made in a copy of the world from before the responder's run, if that is still to come. Afterwards a rate
    /// limit would count the request twice, and a rotated token would count as stolen.
    private func responseToEndedCredentials(
        _ exchange: Exchange,
        _ manner: TokenEnding.Manner,
        runs: Bool
    ) -> Response {
        var copy = exchange.hosted.world
        if runs { _ = runResponder(exchange) }
        endCredentials(of: exchange, manner, in: &exchange.hosted.world)
        endCredentials(of: exchange, manner, in: &copy)
        return tryInPlace(exchange, in: copy)
    }

    private func endCredentials(of exchange: Exchange, _ manner: TokenEnding.Manner, in world: inout World) {
        let api = apis[exchange.apiIndex]
        for credential in credentials(of: exchange) {
            _ = api.endCredential(&world, exchange.apiIndex, credential, manner)
        }
    }

    /// Returns the credentials that a request carries: in its Authorization field, and where the route takes one in the
    /// body.
    private func credentials(of exchange: Exchange) -> [String] {
        var found: [String] = []
        if let bearer = exchange.call.bearerToken { found.append(bearer) }
        let sent = credential(of: exchange.call.request, api: exchange.apiIndex, match: exchange.context.match)
        if let sent, !found.contains(sent) { found.append(sent) }
        return found
    }

    // MARK: Apply

    /// Applies the faults of the plan to the response.
    func applyFaults(_ exchange: Exchange) -> Progress {
        guard exchange.subject != nil, let plan = exchange.plan else { return .next }
        if let main = plan.main { apply(main, to: exchange) }
        shape(exchange)
        return .next
    }

    private func apply(_ main: ActiveFault, to exchange: Exchange) {
        let spec = main.spec
        switch spec.behavior {
        case .replacesEndpoint(.apiError(let order)):
            exchange.call.effects = []
            exchange.isAnsweredByFault = true
            // A fault has answered it, whether or not a route or a recording would (control contract, section 11).
            if exchange.call.route == nil { exchange.call.isTakenElsewhere = true }
            let (api, index) = (apis[exchange.apiIndex], exchange.apiIndex)
            exchange.response = api.faultAnswer(exchange.hosted.world, index, order, exchange.call)
            if let wait = order.retryAfter {
                exchange.response.fields.set(.retryAfter, wait.text(at: exchange.call.now))
            }
            compressAnswer(of: exchange)
        case .actsOnCredentials: break
        default:
            if !spec.behavior.transformsAnswer {
                exchange.isAnsweredByFault = true
                if exchange.call.route == nil { exchange.call.isTakenElsewhere = true }
            }
            exchange.response = response(exchange.response, changedBy: main, exchange)
            if let template = spec.effect.template {
                let part = (apis[exchange.apiIndex], exchange.apiIndex)
                exchange.response = exchange.hosted.world.filled(template, by: spec, for: exchange.call, of: part)
            }
            if spec.effect.answersRequest {
                exchange.response.streamEvents()
                let (world, api) = (exchange.hosted.world, apis[exchange.apiIndex])
                exchange.response.redirect(below: exchange.call.linkPrefix, from: exchange.call.path) {
                    world.has($0, api)
                }
                compressAnswer(of: exchange)
            } else if case .shapesAnswer(.contents) = spec.behavior {
                // It was made of the plain content.
                compressAnswer(of: exchange, exchange.selection)
            }
        }
    }

    /// Applies the effect of a gate's release to a response that was there already.
    func applyOrder(to exchange: Exchange) {
        guard let order = exchange.ordered.take() else { return }
        guard let main = note(order, gate: exchange.gateName, in: exchange) else { return }
        if case .actsOnCredentials(let manner) = order.behavior {
            exchange.response = responseToEndedCredentials(exchange, manner, runs: false)
        }
        apply(main, to: exchange)
        // A new response is as late and as slow as the one that it replaces.
        if order.behavior.remakesAnswer { shape(exchange) }
    }

    /// Adds the delays and throttles of the plan, and the preferences that were applied.
    private func shape(_ exchange: Exchange) {
        guard let plan = exchange.plan else { return }
        shape(exchange, by: plan.shapes)
        if !plan.applied.isEmpty {
            exchange.response.fields.append(Preference.appliedField, plan.applied.joined(separator: ", "))
        }
    }

    /// Delays and throttles a refusal at the head like every other response.
    func slow(_ exchange: Exchange, _ subject: MatchSubject) {
        let verdicts = decide(exchange, subject, isWon: true, answer: exchange.response)
        exchange.decisions += verdicts.map(\.decision)
        shape(exchange, by: verdicts.filter(\.acts).map { active($0.fault, exchange) })
        applyLatency(to: exchange, subject)
    }

    /// Applies effects that add up.
    private func shape(_ exchange: Exchange, by shapes: [ActiveFault]) {
        // Each is put before what is there. Interim responses keep their order, and what delays the first byte delays them.
        for fault in shapes.reversed() where fault.spec.behavior.addsInterim {
            exchange.response = response(exchange.response, changedBy: fault, exchange)
        }
        for fault in shapes where !fault.spec.behavior.addsInterim {
            exchange.response = response(exchange.response, changedBy: fault, exchange)
        }
    }

    private func response(_ response: Response, changedBy fault: ActiveFault, _ exchange: Exchange) -> Response {
        var application = ground(of: exchange).application(fault, on: response.status, exchange.readingOfFaults)
        return application.apply(to: response)
    }
}

/// The effects that come with a request, in the order in which they are noted: that of a gate's release or of a
/// preference, and the delay of another preference.
struct OrderedFaults: Sendable {
    var main: FaultSpec?
    var delay: FaultSpec?

    /// Draws their random streams, and returns the first of them with its own.
    func draw(in world: inout World, _ api: String) -> ActiveFault? {
        let main = main.map { world.active($0, api) }
        if let delay { _ = world.active(delay, api) }
        return main
    }
}

extension World {
    /// Returns an effect that comes with a request to an API, with the next of their random streams.
    fileprivate mutating func active(_ spec: FaultSpec, _ api: String) -> ActiveFault {
        ActiveFault(spec: spec, stream: withCore { $0.randomness.stream("ordered fault", of: api) })
    }
}
