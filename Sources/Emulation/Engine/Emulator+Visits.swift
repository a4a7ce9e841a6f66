import CivilTime
import HTTPMessage
import JSON

/// The way of a request where faults, latency or gates stand on it.
extension Emulator {
    /// Takes a request as far as it comes: to its answer, or to a gate that holds it.
    func pass(_ visit: Visit, at hostTime: HostTime, _ elapsed: () -> Interval) -> Answer {
        var visit = visit
        visit.goOn(at: hostTime)
        let hosted = visit.hosted
        let now = hosted.world.tick(to: hostTime)
        var call: Call
        var response: Response
        let subject: MatchSubject
        if let answered = visit.answered {
            (call, response) = answered
            visit.answered = nil
            subject = MatchSubject(call, api: apis[visit.api].identity.name, user: call.user)
            if let order = visit.ordered.take() {
                response = changed(response, by: note(order, in: &visit), &visit, &call, wasAnswered: true)
                // An answer that is made anew comes as late and as slow as the one in whose place it is.
                if order.behavior.remakesAnswer { response = shaped(response, visit, call) }
            }
        } else {
            call = visit.call(at: now)
            if case .endpoint(let place, let parameters) = visit.match {
                call.route = apis[visit.api].routes[place].template
                call.parameters = parameters
            }
            call.user = user(of: visit)
            subject = MatchSubject(call, api: apis[visit.api].identity.name, user: call.user)
            if let gate = hosted.world.gates.next(.before, after: visit.passedBefore, for: subject) {
                visit.passedBefore = gate.ordinal
                return hold(visit, call, at: gate, hostTime)
            }
            guard let made = run(&visit, &call, subject) else { return asked(visit, call, subject) }
            response = made
        }
        return leave(visit, call, response, subject, hostTime, elapsed)
    }

    /// Hands an answer out, unless a gate holds it.
    func leave(
        _ visit: Visit,
        _ call: Call,
        _ response: Response,
        _ subject: MatchSubject,
        _ hostTime: HostTime,
        _ elapsed: () -> Interval
    ) -> Answer {
        let hosted = visit.hosted
        if let gate = hosted.world.gates.next(.after, after: visit.passedAfter, for: subject) {
            var visit = visit
            visit.passedAfter = gate.ordinal
            visit.answered = (call, response)
            return hold(visit, call, at: gate, hostTime)
        }
        return conclude(visit, call, late(response, subject, &hosted.world), at: hostTime, elapsed())
    }

    /// Who is behind the credential, expired or not, wherever the route has it.
    private func user(of visit: Visit) -> CallUser? {
        credential(of: visit.request, api: visit.api, match: visit.match).flatMap {
            apis[visit.api].user(visit.hosted.world, visit.api, $0)
        }
    }

    // MARK: Faults

    /// Decides which faults act, and answers as they have it; nil when somebody else has to be asked first.
    private func run(_ visit: inout Visit, _ call: inout Call, _ subject: MatchSubject) -> Response? {
        let hosted = visit.hosted
        // What never arrives changes nothing.
        if hosted.world.latency.latency(for: subject)?.losesEverything == true {
            seek(&call, visit)
            return .silent([.hold])
        }
        var order = FaultPlan(main: visit.ordered.take().map { note($0, in: &visit) })
        // What answers in the API's place has paths of its own.
        let isTaken = visit.isRouted || visit.standIn.map { $0.inPlace != nil || $0.isAsked } ?? false
        let isOpen = isTaken || apis[visit.api].faultsPrecedeRouting
        if isOpen, configuration.allowsRemotePreferences || Preference.isLocal(visit.peer),
            Preference.mayBe(in: visit.request.head)
        {
            do throws(Problem) {
                if let preference = try Preference.read(visit.request.head) {
                    if let effect = preference.effect, order.main == nil { order.main = note(effect, in: &visit) }
                    if let delay = preference.delay { order.shapes.append(note(delay, in: &visit)) }
                    order.applied = preference.applied
                }
            } catch {
                seek(&call, visit)
                return error.response
            }
        }
        let isAsked = visit.standIn?.isAsked == true
        if isOpen {
            if isAsked {
                let looks = looksAtAnswer(subject, call, visit, isWon: order.main != nil)
                (order.isUndecided, order.looksAtContent) = (looks.atAll, looks.atContent)
            }
            if !order.isUndecided { decide(&order, &visit, call, subject) }
        }
        visit.order = order
        return isAsked && order.wantsAnswer ? nil : fulfil(&visit, &call, subject)
    }

    /// Adds the faults of the world that act.
    private func decide(_ order: inout FaultPlan, _ visit: inout Visit, _ call: Call, _ subject: MatchSubject) {
        for verdict in decide(subject, call, visit, isWon: order.main != nil) {
            visit.decisions.append(verdict.decision)
            guard verdict.acts else { continue }
            let acting = acting(verdict.fault, call, visit.hosted.world.core.seed)
            if verdict.fault.spec.behavior.isAdditive {
                order.shapes.append(acting)
            } else {
                order.main = acting
            }
        }
    }

    /// Answers as the faults have it that were decided on.
    func fulfil(_ visit: inout Visit, _ call: inout Call, _ subject: MatchSubject) -> Response {
        decideNow(&visit, call, subject)
        let hosted = visit.hosted
        let order = visit.order.take() ?? FaultPlan()
        var response: Response
        if let main = order.main {
            response = changed(nil, by: main, &visit, &call, wasAnswered: false)
        } else {
            call.user = nil
            response = Self.answer(&call, visit.match, apis[visit.api], visit.api, &hosted.world, visit.standIn)
            if call.user == nil { call.user = subject.user }
        }
        (visit.shapes, visit.applied) = (order.shapes, order.applied)
        return shaped(response, visit, call)
    }

    /// An answer with its delays and throttles, and the preferences that were met.
    private func shaped(_ answer: Response, _ visit: Visit, _ call: Call) -> Response {
        var response = answer
        for shape in visit.shapes { response = played(shape, response, visit, call) }
        if !visit.applied.isEmpty {
            response.fields.append(Preference.appliedField, visit.applied.joined(separator: ", "))
        }
        return response
    }

    /// Decides on the faults that had to see the answer first.
    func decideNow(_ visit: inout Visit, _ call: Call, _ subject: MatchSubject) {
        guard var order = visit.order, order.isUndecided else { return }
        order.isUndecided = false
        decide(&order, &visit, call, subject)
        visit.order = order
    }

    /// Whether a fault that may act has to see the answer before it is decided on, and whether all of it.
    private func looksAtAnswer(
        _ subject: MatchSubject,
        _ call: Call,
        _ visit: Visit,
        isWon: Bool
    ) -> (atAll: Bool, atContent: Bool) {
        var book = visit.hosted.world.faults
        var looks = (atAll: false, atContent: false)
        guard book.asksForAnswer else { return looks }
        _ = book.decide(
            subject,
            moment(call, visit, isWon: isWon),
            obstacle: { fault in
                looks.atAll = true
                if fault.spec.behavior.looksAtContent { looks.atContent = true }
                // Another may be asked for behind one that may act.
                return "not known yet"
            }
        )
        return looks
    }

    private func moment(_ call: Call, _ visit: Visit, isWon: Bool) -> FaultRegistry.Moment {
        FaultRegistry.Moment(
            now: call.now,
            epoch: call.epoch,
            seed: visit.hosted.world.core.seed,
            isWon: isWon,
            hasCredential: !credentials(of: visit, call).isEmpty
        )
    }

    private func decide(_ subject: MatchSubject, _ call: Call, _ visit: Visit, isWon: Bool) -> [FaultRegistry.Verdict] {
        let world = visit.hosted.world
        guard !world.faults.isEmpty else { return [] }
        let moment = moment(call, visit, isWon: isWon)
        guard world.faults.asksForAnswer else { return visit.hosted.world.faults.decide(subject, moment) }
        var book = world.faults
        var answer: Response?
        let reading = AnswerReading()
        let verdicts = book.decide(
            subject,
            moment,
            obstacle: { fault in
                var attempt = call
                let response = answer ?? tried(&attempt, visit)
                answer = response
                return play(acting(fault, call, world.core.seed), response, visit).obstacle(in: response, reading)
            }
        )
        visit.hosted.world.faults = book
        return verdicts
    }

    /// A fault with its chance for this request.
    private func acting(_ fault: Fault, _ call: Call, _ seed: UInt64) -> ActiveFault {
        ActiveFault(spec: fault.spec, stream: fault.effectStream(call, seed: seed))
    }

    /// Notes an effect that no fault of the world brings: of a preference, or of a gate's release.
    private func note(_ spec: FaultSpec, in visit: inout Visit) -> ActiveFault {
        visit.decisions.append(
            FaultDecision(
                id: nil,
                name: spec.name,
                phase: spec.phase,
                kind: spec.effect.kind,
                effect: spec.effectJSON,
                acted: true,
                reason: nil,
                isMain: !spec.behavior.isAdditive
            )
        )
        let api = apiNames[visit.api]
        let stream = visit.hosted.world.withCore { $0.randomness.stream("ordered fault", of: api) }
        return ActiveFault(spec: spec, stream: stream)
    }

    /// The answer that a fault brings about: in the endpoint's place, or made of what the endpoint answers.
    private func changed(
        _ answer: Response?,
        by acting: ActiveFault,
        _ visit: inout Visit,
        _ call: inout Call,
        wasAnswered: Bool
    ) -> Response {
        let hosted = visit.hosted
        let spec = acting.spec
        let api = apis[visit.api]
        let user = call.user
        func run() -> Response {
            call.user = nil
            defer { if call.user == nil { call.user = user } }
            return Self.answer(&call, visit.match, api, visit.api, &hosted.world, visit.standIn)
        }
        switch spec.behavior {
        case .replacesEndpoint(.apiError(let order)):
            if spec.phase == .after, !wasAnswered { _ = run() }
            call.effects = []
            // A fault has answered it, whatever routes and recordings there are (control contract, section 11).
            if call.route == nil { call.isTakenElsewhere = true }
            var response = api.faultAnswer(hosted.world, visit.api, order, call)
            if let seconds = order.retryAfter { response.fields.set("Retry-After", "\(seconds)") }
            return response
        case .actsOnCredentials(let manner):
            let credentials = credentials(of: visit, call)
            func end(in world: inout World) {
                for credential in credentials { _ = api.endCredential(&world, visit.api, credential, manner) }
            }
            guard spec.phase == .after || wasAnswered else {
                end(in: &hosted.world)
                return run()
            }
            // What the endpoint says to credentials that have ended is asked of a copy, from before its run if that is
            // still to come: behind it a limit counts the request twice, and what it has rotated passes for stolen.
            var copy = hosted.world
            if !wasAnswered { _ = run() }
            end(in: &hosted.world)
            end(in: &copy)
            return tried(&call, visit, in: copy)
        default:
            let response: Response
            if let answer {
                response = answer
            } else if spec.phase == .after {
                response = run()
            } else if spec.behavior.transformsAnswer {
                response = tried(&call, visit)
            } else {
                response = Response(status: .ok)
            }
            if call.route == nil, !spec.behavior.transformsAnswer { call.isTakenElsewhere = true }
            return played(acting, response, visit, call)
        }
    }

    /// What the endpoint would answer, without any change to the world.
    private func tried(_ call: inout Call, _ visit: Visit, in world: World? = nil) -> Response {
        var copy = world ?? visit.hosted.world
        var attempt = visit.call(at: call.now)
        attempt.user = nil
        var response = Self.answer(&attempt, visit.match, apis[visit.api], visit.api, &copy, visit.standIn?.attempt)
        response.dropEffects()
        call.effects = []
        call.isTakenElsewhere = attempt.isTakenElsewhere
        return response
    }

    /// Finds out whether a recording has a request that something else has answered; it stays where it is.
    private func seek(_ call: inout Call, _ visit: Visit) {
        guard visit.standIn?.inPlace != nil, call.route == nil else { return }
        _ = tried(&call, visit)
    }

    private func played(_ acting: ActiveFault, _ response: Response, _ visit: Visit, _ call: Call) -> Response {
        // No content is on its way that could be slow.
        if visit.request.head.method == .head, acting.spec.behavior.slowsContent { return response }
        var play = play(acting, response, visit)
        return play.apply(to: response)
    }

    private func play(_ acting: ActiveFault, _ response: Response, _ visit: Visit) -> FaultApplication {
        let api = apis[visit.api]
        var schema: JSONSchema?
        if acting.spec.behavior.looksAtContent, case .endpoint(let place, _) = visit.match {
            schema = api.routes[place].schema(of: response.status)
        }
        return FaultApplication(fault: acting.spec, stream: acting.stream, streamError: api.streamError, schema: schema)
    }

    /// The credentials that a request carries: in its Authorization field, and where the route takes one in the body.
    private func credentials(of visit: Visit, _ call: Call) -> [String] {
        var found: [String] = []
        if let bearer = call.bearerToken { found.append(bearer) }
        if let sent = credential(of: visit.request, api: visit.api, match: visit.match), !found.contains(sent) {
            found.append(sent)
        }
        return found
    }

    // MARK: Latency

    /// The answer as the network of the world lets it through.
    private func late(_ response: Response, _ subject: MatchSubject, _ world: inout World) -> Response {
        guard let latency = world.latency.latency(for: subject), !latency.losesEverything else { return response }
        var late = response
        if let rate = latency.bytesPerSecond, subject.method != .head {
            late = late.throttled(to: rate, latency.waiting)
        }
        var stream = world.latency.stream(subject.api, seed: world.core.seed)
        return late.delayed(by: latency.draw(&stream), latency.waiting)
    }

    /// A refusal at the head, as late and as slow as every other answer: delays and throttles add up with it.
    func slowed(_ refusal: Response, _ subject: MatchSubject, _ visit: inout Visit, _ call: Call) -> Response {
        let hosted = visit.hosted
        var response = refusal
        for verdict in decide(subject, call, visit, isWon: true) {
            visit.decisions.append(verdict.decision)
            guard verdict.acts else { continue }
            response = played(acting(verdict.fault, call, hosted.world.core.seed), response, visit, call)
        }
        return late(response, subject, &hosted.world)
    }

    // MARK: Gates

    private func hold(_ visit: Visit, _ call: Call, at gate: Gate, _ hostTime: HostTime) -> Answer {
        var visit = visit
        let hosted = visit.hosted
        if visit.entry == nil { visit.entry = open(visit, call, hostTime) }
        visit.stop(at: hostTime)
        pending[visit.exchange]?.held = visit.held
        pending[visit.exchange]?.heldSince = visit.heldSince
        hosted.held.append(HeldExchange(gate: gate.name, visit: visit))
        var answer = Answer(
            response: .silent([.hold]),
            group: ExchangeGroup(world: hosted.key, api: visit.api),
            now: call.now,
            speed: hosted.world.core.clock.speed
        )
        answer.isHeld = true
        return answer
    }

    /// Makes the entry of a request that is not answered yet.
    func open(_ visit: Visit, _ call: Call, _ hostTime: HostTime) -> Visit.Entry {
        _ = conclude(visit, call, Response(status: .unanswered), at: hostTime, .zero, isOpening: true)
        let journal = visit.hosted.world.journal
        let entry = journal[journal.lastSeq]
        return Visit.Entry(
            seq: journal.lastSeq,
            id: entry?.id ?? visit.requestID,
            at: entry?.at ?? call.now,
            wallAt: entry?.wallAt ?? hostTime.wall
        )
    }

    /// The journal keys of the requests that a gate holds, in the order they came.
    package func held(by gate: String, in hosted: HostedWorld) -> [String] {
        hosted.held.filter { $0.gate == gate }.compactMap { $0.visit.entry?.id }
    }

    /// Whether a gate holds a request.
    package func holdsAnything(_ gate: String, in hosted: HostedWorld) -> Bool {
        hosted.held.contains { $0.gate == gate && $0.visit.entry != nil }
    }

    /// The journal keys of the requests that each gate of a world holds, oldest first.
    package func heldByGate(in hosted: HostedWorld) -> [String: [String]] {
        var held: [String: [String]] = [:]
        for item in hosted.held {
            if let id = item.visit.entry?.id { held[item.gate, default: []].append(id) }
        }
        return held
    }

    /// What a release let go.
    package struct Release {
        /// The journal keys of the requests, in the order they were let go.
        package var ids: [String] = []
        /// The answers that are now there; one that another gate holds is not among them.
        package var answers: [(exchange: UInt64, answer: Answer)] = []
        /// The requests that a large part is still to answer.
        package var unanswered: [Released] = []
    }

    /// Lets requests go: those of these ids in that order, or the oldest ones, as many as said or all.
    package func release(
        _ gate: String,
        in hosted: HostedWorld,
        ids: [String]? = nil,
        count: Int? = nil,
        effect: FaultSpec? = nil,
        at hostTime: HostTime
    ) -> Release {
        // Thousands may be held: each is looked for and taken out once.
        var waiting: [String: Visit] = [:]
        var order: [String] = []
        for item in hosted.held where item.gate == gate {
            guard let id = item.visit.entry?.id else { continue }
            waiting[id] = item.visit
            order.append(id)
        }
        if let ids { order = ids.filter { waiting[$0] != nil } }
        if let count { order = Array(order.prefix(count)) }
        let leaving = Set(order)
        hosted.held.removeAll { $0.gate == gate && $0.visit.entry.map { leaving.contains($0.id) } == true }
        hosted.world.gates.notePassage(gate, of: leaving.count)
        var release = Release()
        for id in order {
            guard var visit = waiting.removeValue(forKey: id) else { continue }
            visit.ordered = effect
            release.ids.append(id)
            if visit.answered == nil, visit.standIn?.isAsked != true, isLarge([visit.api], of: hosted) {
                release.unanswered.append(Released(visit: visit, part: LargePart(world: hosted.key, api: visit.api)))
                continue
            }
            let answer = pass(visit, at: hostTime) { .zero }
            if !answer.isHeld { release.answers.append((visit.exchange, answer)) }
        }
        return release
    }

    /// Forgets what gates hold of a world, or of one API in it; their exchanges are being cut.
    package func forgetHeld(in hosted: HostedWorld, api: Int?) {
        hosted.held.removeAll { api == nil || $0.visit.api == api }
    }

    // MARK: The start

    /// Brings the faults and the latency of the start into a world that is new or was reset.
    package func bringStartConditions(to hosted: HostedWorld, api: Int? = nil) {
        let name = api.map { apis[$0].identity.name }
        for spec in startFaults where name == nil || spec.matcher.api == name { hosted.world.faults.add(spec, .start) }
        if let startLatency, name == nil { hosted.world.latency.set(startLatency, .start, scope: nil) }
    }
}

extension RouteSummary {
    /// What it declares for an answer of that status.
    func schema(of status: Status) -> JSONSchema? {
        for answer in answers where answer.status == status {
            if case .json(_, let schema, _) = answer.content { return schema }
        }
        return nil
    }
}
