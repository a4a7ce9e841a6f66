package import Backend
package import CivilTime
package import HTTPMessage
package import JSON

/// The latency of a world's network (control contract, section 9).
package struct Latency: Sendable {
    package var profile: LatencyProfile?
    package var delay: DelayDistribution?
    package var bytesPerSecond: Int?
    /// The rate of content that clients send (wire contract, section 10).
    package var uploadBytesPerSecond: Int?
    package var matcher = Matcher()
    package var waiting = Waiting.either
    private var source = JSONObject()

    private init() {}

    package init(_ profile: LatencyProfile) {
        self.profile = profile
        delay = DelayDistribution(.fixed(milliseconds: profile.delay))
        bytesPerSecond = profile.bytesPerSecond
        uploadBytesPerSecond = profile.uploadBytesPerSecond
        source["profile"] = .string(profile.name)
    }

    /// The latency as it was set.
    package var json: JSON { .object(source) }

    /// The form where none is set.
    package static let noneJSON: JSON = ["profile": .string(LatencyProfile.none)]

    /// Reads the body of PUT latency.
    ///
    /// Nil without a noted mistake clears it. `isStored` tells that it is one of a stored world, which was valid once.
    package static func read(
        _ check: inout BodyCheck,
        apis: [String],
        scope: String?,
        isStored: Bool = false
    ) -> Latency? {
        var latency = Latency()
        let before = check.items.count
        check.limitSize()
        let name = check.string("profile")
        let delay = check.inner("delay", DelayDistribution.read)
        let rate = check.read(Self.rate)
        let uploadRate = check.read(Self.uploadRate)
        let hasMatch = check.value("match") != nil
        latency.matcher = Matcher.read(&check, apis: apis, scope: scope)
        let waiting = check.read(FaultSpec.Member.waiting)
        let hasOwn = ownMembers.contains { check.value($0) != nil }
        if let name {
            if hasOwn { check.fault("profile", "sets \(joined(ownMembers, "and")) itself; give one or the other") }
            let known = LatencyProfile.all.map(\.name) + [LatencyProfile.none]
            if let profile = LatencyProfile.all.first(where: { $0.name == name }) {
                latency.profile = profile
                latency.delay = DelayDistribution(.fixed(milliseconds: profile.delay))
                latency.bytesPerSecond = profile.bytesPerSecond
                latency.uploadBytesPerSecond = profile.uploadBytesPerSecond
            } else if name == LatencyProfile.none {
                if hasMatch || waiting != nil { check.fault("profile", "none clears, and can't have other members") }
                return nil
            } else {
                check.fault("profile", MemberReason.choice(.string(name), among: known))
            }
            latency.source["profile"] = .string(name)
        } else {
            if !hasOwn, check.items.count == before {
                check.fault("profile", "is required, or \(joined(ownMembers, "or"))")
            }
            latency.delay = delay
            latency.bytesPerSecond = rate
            latency.uploadBytesPerSecond = uploadRate
            if let delay { latency.source["delay"] = delay.json }
            if let rate { latency.source["bytesPerSecond"] = .integer(Int64(rate)) }
            if let uploadRate { latency.source["uploadBytesPerSecond"] = .integer(Int64(uploadRate)) }
        }
        if !isStored, latency.uploadBytesPerSecond != nil, let member = latency.matcher.bodyMember {
            check.fault(member, "can't be used: the rate of an upload is decided before its content arrives")
        }
        if !latency.matcher.isAnything { latency.source["match"] = latency.matcher.json }
        if let waiting {
            latency.waiting = waiting
            latency.source["on"] = .string(waiting == .world ? "world" : "real")
        }
        return check.items.count == before ? latency : nil
    }

    private static let rate = BodyMember("bytesPerSecond", .count(from: 1, upTo: 1_000_000_000_000))
    private static let uploadRate = BodyMember("uploadBytesPerSecond", .count(from: 1, upTo: 1_000_000_000_000))
    /// The members that a profile stands for.
    private static let ownMembers = ["delay", "bytesPerSecond", "uploadBytesPerSecond"]

    private static func joined(_ names: [String], _ word: String) -> String {
        names.dropLast().joined(separator: ", ") + " \(word) " + (names.last ?? "")
    }

    /// The schema of the forms that `read` reads, each with more members.
    package static func schema(adding more: [JSONSchema.Property] = []) -> JSONSchema {
        let names = JSONSchema.string(enumeration: LatencyProfile.all.map(\.name) + [LatencyProfile.none])
        let rest = [Matcher.property, FaultSpec.Member.waiting.property] + more
        return .oneOf([
            .closed([JSONSchema.Property("profile", names)] + rest),
            .closed(
                [JSONSchema.Property("delay", DelayDistribution.schema), rate.property, uploadRate.property] + rest
            ),
            .closed([rate.required().property, uploadRate.property] + rest),
            .closed([uploadRate.required().property] + rest),
        ])
    }

    /// Tells whether no request arrives at all.
    package var losesEverything: Bool { (profile?.loss ?? 0) >= 1 }

    /// Draws the wait before the first byte.
    package func draw(_ stream: inout SeededStream) -> Interval {
        var length = delay?.draw(&stream) ?? .zero
        guard let loss = profile?.loss, loss > 0 else { return length }
        // The request and the response can both be lost, each time for another second.
        for _ in 0..<2 {
            var losses = 0
            while losses < LatencyProfile.mostLosses, stream.fraction() < loss { losses += 1 }
            length = length + .milliseconds(Int64(Double(losses) * LatencyProfile.retransmission))
        }
        return length
    }
}

/// The latencies of a world: the one set by the control API, and those of its scenarios; a part of its value.
package struct LatencyRegistry: Sendable {
    package struct Entry: Sendable {
        package var latency: Latency
        package var origin: Fault.Origin
        /// The API that the call, which set it, was narrowed to.
        package var scope: String?

        package init(latency: Latency, origin: Fault.Origin, scope: String? = nil) {
            self.latency = latency
            self.origin = origin
            self.scope = scope
        }
    }

    package private(set) var entries: [Entry] = []
    /// The draws so far, for each API by itself.
    package private(set) var draws = Counters()

    package init() {}

    /// Restores existing latencies.
    package init(_ entries: [Entry], draws: Counters) {
        self.entries = entries
        self.draws = draws
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Tells whether one of them limits what clients send.
    package var hasUploads: Bool { entries.contains { $0.latency.uploadBytesPerSecond != nil } }

    /// Returns the latency of a scope: the newest of its own and of those for all APIs, as for a request.
    package func current(scope: String?) -> Latency? {
        entries.last { entry in
            guard entry.scope == nil, let scope else { return entry.scope == scope }
            return entry.latency.matcher.api == nil || entry.latency.matcher.api == scope
        }?.latency
    }

    /// Sets the latency of a scope; nil clears it, with those of scenarios and narrower ones.
    package mutating func set(_ latency: Latency?, _ origin: Fault.Origin, scope: String?) {
        guard let latency else {
            entries.removeAll { scope == nil || $0.scope == scope }
            return
        }
        entries.removeAll { $0.scope == scope && !$0.origin.isScenario && !origin.isScenario }
        entries.append(Entry(latency: latency, origin: origin, scope: scope))
    }

    /// Removes the latency of a scenario.
    package mutating func remove(_ origin: Fault.Origin) { entries.removeAll { $0.origin == origin } }

    /// Removes the latency of one API and restarts its draws, whatever they are for.
    package mutating func restart(api: String) {
        entries.removeAll { ($0.scope ?? $0.latency.matcher.api) == api }
        draws.remove(api)
    }

    package var matchers: [Matcher] { entries.map(\.latency.matcher) }

    package var load: MatchLoad {
        var load = MatchLoad()
        for matcher in matchers { load.add(matcher) }
        return load
    }

    /// Returns the newest latency that matches a request.
    package func latency(for subject: MatchSubject) -> Latency? {
        entries.last { $0.latency.matcher.matches(subject) }?.latency
    }

    /// Returns the stream of the next draw for an API.
    package mutating func stream(_ api: String, seed: UInt64) -> SeededStream {
        SeededStream(seed: seed, purpose: "latency", ordinal: draws.next(api))
    }
}

extension Fault.Origin {
    var isScenario: Bool {
        if case .scenario = self { return true }
        return false
    }
}
