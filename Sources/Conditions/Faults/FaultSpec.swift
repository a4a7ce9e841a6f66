package import Backend
import CivilTime
package import HTTPMessage
package import JSON

/// A fault as it was ordered (control contract, section 8): its match, its condition, its phase and its effect.
package struct FaultSpec: Sendable {
    package enum Phase: String, Sendable, CaseIterable {
        /// Replaces the endpoint: nothing changes on the server.
        case before
        /// Acts after the endpoint has run and made its changes, of which the client gets no response.
        case after
    }

    /// The condition that selects among the matching requests.
    package struct When: Sendable {
        package var skip = 0
        package var times: Int?
        package var every = 1
        package var probability = 1.0
        package var from: Timestamp?
        package var until: Timestamp?

        /// Tells whether the window in the world's time is open.
        func isOpen(_ now: Instant, _ epoch: Epoch) -> Bool {
            if let from, now < from.resolved(in: epoch) { return false }
            if let until, now >= until.resolved(in: epoch) { return false }
            return true
        }
    }

    package var name: String?
    package var matcher = Matcher()
    package var when = When()
    package var phase: Phase
    package let effect: any FaultEffect
    /// The behavior of the effect, kept because it is read for every request.
    package let behavior: FaultBehavior
    /// The clocks that end its waits.
    package var waiting = Waiting.either
    /// Tells whether it begins switched on.
    package private(set) var beginsEnabled = true
    /// The effect as the journal shows it: long content of `respond` and `raw` is left out.
    package private(set) var shownEffect: JSON
    private var whenSource: JSONObject?
    private var effectSource: JSONObject
    private var saysWaiting = false
    /// Tells whether the order named the phase, which otherwise follows from the effect.
    private var saysPhase = false

    /// Creates a fault without a body, such as that of a preference.
    init(effect: any FaultEffect, source: JSONObject, name: String? = nil) {
        self.effect = effect
        behavior = effect.behavior
        self.name = name
        effectSource = Self.withoutNulls(source)
        let whole = JSON.object(effectSource)
        let isLong =
            FaultEffects.declaration(ofContentIn: effectSource) != nil
            && whole.text(upTo: Self.longestShown + 1).utf8.count > Self.longestShown
        shownEffect = isLong ? FaultEffects.withoutContent(["effect": whole])["effect"] ?? whole : whole
        phase = behavior.transformsAnswer ? .after : .before
    }

    /// The bytes up to which the journal shows an effect with its content.
    private static let longestShown = 4_096

    /// Creates a fault from the order of an effect; nil if it can't be read.
    init?(_ order: JSONObject) {
        var check = BodyCheck(order)
        guard let effect = FaultEffects.read(&check), check.items.isEmpty else { return nil }
        self.init(effect: effect, source: order)
    }

    // MARK: Reading

    /// Reads a fault; mistakes are noted in `check`.
    ///
    /// `scope` is the API that the call, or the scenario, belongs to.
    package static func read(_ check: inout BodyCheck, apis: [String], scope: String?) -> FaultSpec? {
        check.limitSize()
        let name = check.read(Member.name)
        let matcher = Matcher.read(&check, apis: apis, scope: scope)
        let when = check.inner("when", When.read)
        let phase = check.read(Member.phase)
        let waiting = check.read(Member.waiting)
        let isEnabled = check.read(Member.enabled) ?? true
        let source = check.value("effect")?.objectValue
        if check.value("effect") == nil { check.fault("effect", "is required") }
        guard let effect = check.inner("effect", FaultEffects.read), let source else { return nil }
        var spec = FaultSpec(effect: effect, source: source, name: name)
        if spec.behavior.isUpload {
            if let member = matcher.bodyMember {
                check.fault(
                    member,
                    "can't be used with an upload effect, which is decided at the head"
                )
            }
            if phase == .after { check.fault("phase", "an upload effect acts before the endpoint") }
        }
        spec.matcher = matcher
        spec.when = when ?? When()
        spec.whenSource = (check.value("when")?.objectValue).map(withoutNulls)
        spec.phase = phase ?? spec.phase
        spec.saysPhase = phase != nil
        spec.waiting = waiting ?? .either
        spec.saysWaiting = waiting != nil
        spec.beginsEnabled = isEnabled
        return spec
    }

    /// Returns an order without its nulls, which count as absent except in effects where null is a value.
    private static func withoutNulls(_ source: JSONObject) -> JSONObject {
        JSONObject(
            source.members.compactMap { member in
                if member.value == .null { return nil }
                guard !FaultEffects.takesNull(member.name) else { return member }
                return JSONObject.Member(name: member.name, value: withoutNulls(inside: member.value))
            }
        )
    }

    /// Returns a value whose objects, in lists too, have no member that is null.
    private static func withoutNulls(inside value: JSON) -> JSON {
        if let object = value.objectValue { return .object(withoutNulls(object)) }
        guard let list = value.arrayValue else { return value }
        return .array(list.map(withoutNulls(inside:)))
    }

    /// Reads an effect alone, as in the release of a gate.
    package static func readEffect(_ check: inout BodyCheck, phase: Phase) -> FaultSpec? {
        guard let source = check.value("effect")?.objectValue,
            let effect = check.inner("effect", FaultEffects.read)
        else {
            _ = check.object("effect")
            return nil
        }
        var spec = FaultSpec(effect: effect, source: source)
        if spec.behavior.isUpload { check.fault("effect", "an upload is over when a gate holds its request") }
        // An effect that needs a response has to let the endpoint run.
        spec.phase = spec.behavior.transformsAnswer ? .after : phase
        return spec
    }

    /// The members as a listing shows them, in the order of the contract.
    package var members: JSONObject {
        var object = JSONObject()
        if let name { object.append("name", .string(name)) }
        object.append("match", matcher.json)
        if let whenSource { object.append("when", .object(whenSource)) }
        object.append("phase", .string(phase.rawValue))
        object.append("effect", effectJSON)
        if saysWaiting { object.append("on", .string(waiting == .world ? "world" : "real")) }
        return object
    }

    /// The members as they were ordered: without a phase that only follows from the effect.
    package var order: JSONObject {
        var object = members
        if !saysPhase { object["phase"] = nil }
        return object
    }

    package var effectJSON: JSON { .object(effectSource) }
}
