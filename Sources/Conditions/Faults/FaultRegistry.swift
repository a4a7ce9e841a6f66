package import Backend
package import CivilTime
import HTTPMessage
package import JSON

/// A fault of a world, with its counters.
package struct Fault: Sendable {
    /// The origin of a fault, which also removes it.
    package enum Origin: Sendable, Equatable {
        /// The `--faults` file.
        case start
        case control
        /// The scenario of that name.
        case scenario(String)

        /// The text that lists show.
        var source: String {
            switch self {
            case .start: "file"
            case .control: "call"
            case .scenario(let name): "scenario:\(name)"
            }
        }
    }

    package let id: String
    package internal(set) var spec: FaultSpec
    package let origin: Origin
    package internal(set) var isEnabled: Bool
    /// The matching requests that came while its window was open and it was not used up.
    package var matches = 0
    /// The requests that it acted on.
    package var hits = 0
    /// The random draws that it made.
    package var draws: UInt64 = 0

    package init(id: String, spec: FaultSpec, origin: Origin, isEnabled: Bool? = nil) {
        self.id = id
        self.spec = spec
        self.origin = origin
        self.isEnabled = isEnabled ?? spec.beginsEnabled
    }

    /// The form that a listing shows.
    package var json: JSON {
        var object: JSONObject = ["id": .string(id)]
        for member in spec.members.members { object.append(member.name, member.value) }
        object.append("hits", .integer(Int64(hits)))
        object.append("enabled", .bool(isEnabled))
        object.append("source", .string(origin.source))
        return .object(object)
    }

    /// Returns the random stream of this fault for one purpose, the same in every run; `ordinal` counts the uses.
    func stream(_ purpose: String, seed: UInt64, ordinal: UInt64) -> SeededStream {
        SeededStream(seed: seed, purpose: "fault \(id) \(purpose)", ordinal: ordinal)
    }

    /// Returns the random stream of the effect for a request that it acts on.
    func effectStream(_ call: Call, seed: UInt64) -> SeededStream {
        switch spec.effect.chance {
        case .perHit: stream("play", seed: seed, ordinal: UInt64(hits))
        case .perRoute:
            stream("\(spec.effect.kind) \(call.method.rawValue) \(call.route ?? "")", seed: seed, ordinal: 0)
        }
    }
}

/// The decision on a fault that a request matched, for the journal.
package struct FaultDecision: Sendable {
    /// The fault's id; nil for a preference of the request or the effect of a gate's release.
    package var id: String?
    package var name: String?
    /// The gate whose release ordered the effect; nil for a fault of the world and for a preference.
    package var gate: String?
    package var phase: FaultSpec.Phase
    /// The name of its effect, such as `status` or `delay`.
    package var kind: String
    package var effect: JSON
    package var acted: Bool
    /// The reason not to act: `disabled`, `skip`, `every` or `probability`, or the obstacle in the response.
    package var reason: String?
    /// Tells whether it wins over others instead of adding up.
    package var isMain: Bool

    package init(
        id: String? = nil,
        name: String? = nil,
        gate: String? = nil,
        phase: FaultSpec.Phase,
        kind: String,
        effect: JSON,
        acted: Bool,
        reason: String? = nil,
        isMain: Bool
    ) {
        self.id = id
        self.name = name
        self.gate = gate
        self.phase = phase
        self.kind = kind
        self.effect = effect
        self.acted = acted
        self.reason = reason
        self.isMain = isMain
    }

}

extension [FaultDecision] {
    /// The fault that acted: the one that won, or else the first additive one.
    package var acting: FaultDecision? { first { $0.acted && $0.isMain } ?? first { $0.acted } }

    /// The name of the fault in a line of the journal (console contract, section 1): its id, or `prefer`; nil where none
    /// acted but the effect of a release, whose gate the line names.
    package var lineName: String? {
        let faults = contains { $0.gate != nil } ? filter { $0.gate == nil } : self
        return faults.acting.map { $0.id ?? "prefer" }
    }
}

/// The faults of a world in the order in which they were added; a part of its value.
package struct FaultRegistry: Sendable {
    package private(set) var faults: [Fault] = []
    package private(set) var numbering = Numbering()
    /// The matches since the registry was created or restored.
    ///
    /// A world that has more than were stored has changed.
    package private(set) var uses: UInt64 = 0
    /// Tells whether any fault is decided at the head.
    package private(set) var hasUploads = false
    /// Tells whether any fault reads the content of responses.
    package private(set) var readsContent = false
    package private(set) var load = MatchLoad()
    /// Tells whether faults act at all: the switch of the world, beside that of each fault.
    package private(set) var isEnabled = true

    package init() {}

    /// Restores existing faults.
    package init(_ faults: [Fault], _ numbering: Numbering, isEnabled: Bool = true) {
        self.faults = faults
        self.numbering = numbering
        self.isEnabled = isEnabled
        weigh()
    }

    private mutating func weigh() {
        hasUploads = faults.contains { $0.spec.behavior.isUpload }
        readsContent = faults.contains { $0.spec.effect.readsContent }
        load = MatchLoad()
        for fault in faults { load.add(fault.spec.matcher) }
    }

    package var isEmpty: Bool { faults.isEmpty }

    /// Tells whether a fault depends on the response.
    package var asksForAnswer: Bool { isEnabled && faults.contains { $0.isEnabled && $0.spec.behavior.maySpareAnswer } }

    package var count: Int { faults.count }

    package subscript(id: String) -> Fault? { faults.first { $0.id == id } }

    @discardableResult
    package mutating func add(_ spec: FaultSpec, _ origin: Fault.Origin) -> Fault {
        let api = spec.matcher.api
        let taken = Set(faults.map(\.id))
        let number = numbering.next(api) { taken.contains(Self.id($0)) }
        let fault = Fault(id: Self.id(number), spec: spec, origin: origin)
        // The reset of one API returns its faults of the start to their places among the others.
        let place = origin == .start && numbering.isRestarted(api) ? startPlace(number) : faults.count
        faults.insert(fault, at: place)
        if spec.behavior.isUpload { hasUploads = true }
        if spec.effect.readsContent { readsContent = true }
        load.add(spec.matcher)
        return fault
    }

    private static func id(_ number: UInt64) -> String { "flt_\(number)" }

    private func startPlace(_ number: UInt64) -> Int {
        faults.firstIndex { $0.origin != .start || UInt64($0.id.dropFirst(4)).map { $0 > number } ?? true }
            ?? faults.count
    }

    /// Switches all faults on or off; each keeps its own switch.
    package mutating func setEnabled(_ isEnabled: Bool) {
        self.isEnabled = isEnabled
        uses += 1
    }

    /// Changes a fault; its counts begin anew where its match or its condition changes.
    ///
    /// `place` is the one in the list, from 0, that it moves to. Returns the fault; nil if there is none of that id.
    package mutating func change(
        _ id: String,
        spec: FaultSpec? = nil,
        isEnabled: Bool? = nil,
        startsAnew: Bool = false,
        movedTo place: Int? = nil
    ) -> Fault? {
        guard let former = faults.firstIndex(where: { $0.id == id }) else { return nil }
        var fault = faults[former]
        if let spec { fault.spec = spec }
        if let isEnabled { fault.isEnabled = isEnabled }
        if startsAnew { fault.restart() }
        faults[former] = fault
        if let place {
            faults.remove(at: former)
            faults.insert(fault, at: min(max(place, 0), faults.count))
        }
        uses += 1
        weigh()
        return fault
    }

    /// Removes the faults of one API, whose numbers begin at 1 again.
    package mutating func restart(api: String) {
        remove { $0.spec.matcher.api == api }
        numbering.restart(api)
    }

    /// Removes matching faults and returns their number.
    @discardableResult
    package mutating func remove(_ fits: (Fault) -> Bool) -> Int {
        let before = faults.count
        faults.removeAll(where: fits)
        weigh()
        return before - faults.count
    }

    /// Takes back a hit of a fault that could not act after all.
    package mutating func takeBack(_ id: String) {
        guard let place = faults.firstIndex(where: { $0.id == id }), faults[place].hits > 0 else { return }
        faults[place].hits -= 1
        faults[place].matches -= 1
        uses += 1
    }

    /// The circumstances of one request that decisions depend on.
    package struct Moment {
        package var now: Instant
        package var epoch: Epoch
        package var seed: UInt64
        /// Tells whether a winning fault has been found already.
        package var isWon = false
        package var isAtHead = false
        /// Tells whether the request carries a credential that could be ended.
        package var hasCredential = false
        /// The reason for which a request is refused that an effect would answer; nil for nearly every one.
        package var refusal: ContentRefusal?

        package init(
            now: Instant,
            epoch: Epoch,
            seed: UInt64,
            isWon: Bool = false,
            isAtHead: Bool = false,
            hasCredential: Bool = false,
            refusal: ContentRefusal? = nil
        ) {
            self.now = now
            self.epoch = epoch
            self.seed = seed
            self.isWon = isWon
            self.isAtHead = isAtHead
            self.hasCredential = hasCredential
            self.refusal = refusal
        }
    }

    /// A fault that matched, and the decision on it.
    package struct Verdict {
        package var fault: Fault
        package var acts: Bool
        var reason: String?

        package var decision: FaultDecision {
            FaultDecision(
                id: fault.id,
                name: fault.spec.name,
                phase: fault.spec.phase,
                kind: fault.spec.effect.kind,
                effect: fault.spec.shownEffect,
                acted: acts,
                reason: reason,
                isMain: !fault.spec.behavior.isAdditive
            )
        }
    }

    /// Tries the faults in order: the first that acts wins; delays and throttles add up with it.
    ///
    /// `obstacle` returns the reason why a fault would have no effect on the response. Such a fault does not match and
    /// is not used up.
    package mutating func decide(
        _ subject: MatchSubject,
        _ moment: Moment,
        canAct: (FaultBehavior) -> Bool = { _ in true },
        obstacle: (Fault) -> String? = { _ in nil }
    ) -> [Verdict] {
        var isWon = moment.isWon
        var verdicts: [Verdict] = []
        for place in faults.indices {
            let spec = faults[place].spec
            guard spec.behavior.isDecided(atHead: moment.isAtHead, of: subject), spec.behavior.isAdditive || !isWon,
                spec.when.times.map({ faults[place].hits < $0 }) ?? true,
                spec.when.isOpen(moment.now, moment.epoch), canAct(spec.behavior), spec.matcher.matches(subject)
            else { continue }
            if spec.behavior.endsCredentials, !moment.hasCredential { continue }
            guard isEnabled, faults[place].isEnabled else {
                verdicts.append(Verdict(fault: faults[place], acts: false, reason: "disabled"))
                continue
            }
            if let refusal = moment.refusal, spec.effect.answersRequest {
                verdicts.append(Verdict(fault: faults[place], acts: false, reason: refusal.rawValue))
                continue
            }
            if let reason = spec.effect.obstacle(to: subject) {
                verdicts.append(Verdict(fault: faults[place], acts: false, reason: reason))
                continue
            }
            if spec.behavior.maySpareAnswer, let reason = obstacle(faults[place]) {
                verdicts.append(Verdict(fault: faults[place], acts: false, reason: reason))
                continue
            }
            uses += 1
            let reason = faults[place].reasonNotToAct(seed: moment.seed)
            if reason == nil, !spec.behavior.isAdditive { isWon = true }
            verdicts.append(Verdict(fault: faults[place], acts: reason == nil, reason: reason))
        }
        return verdicts
    }
}

extension Fault {
    /// Begins its counts anew.
    fileprivate mutating func restart() {
        (matches, hits, draws) = (0, 0, 0)
    }

    /// Counts a match, and the hit if it is one.
    ///
    /// Returns the reason not to act.
    fileprivate mutating func reasonNotToAct(seed: UInt64) -> String? {
        let number = matches
        matches += 1
        guard number >= spec.when.skip else { return "skip" }
        guard (number - spec.when.skip).isMultiple(of: spec.when.every) else { return "every" }
        if spec.when.probability < 1 {
            draws += 1
            var stream = stream("probability", seed: seed, ordinal: draws)
            guard stream.fraction() < spec.when.probability else { return "probability" }
        }
        hits += 1
        return nil
    }
}
