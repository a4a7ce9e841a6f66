package import Backend
package import HTTPMessage
package import JSON

/// The members of a fault, from which its schema follows and by which it is read (control contract, section 8).
extension FaultSpec {
    package enum Member {
        package static let name = BodyMember("name", .string())
        package static let phase = BodyMember("phase", .choice(Phase.self))
        /// The clocks that end the waits.
        package static let waiting = BodyMember(
            "on",
            RequestValue.choice(ClockName.self).map { $0 == .world ? Waiting.world : .either }
        )
        package static let enabled = BodyMember("enabled", .boolean)
        package static let effect = JSONSchema.Property("effect", FaultEffects.schema)
        package static let when = JSONSchema.Property("when", When.schema, isRequired: false)
    }

    private enum ClockName: String, CaseIterable { case real, world }
}

extension FaultSpec.When {
    private static let skip = BodyMember("skip", .count())
    private static let times = BodyMember("times", .count(from: 1))
    private static let every = BodyMember("every", .count(from: 1))
    private static let probability = BodyMember("probability", .number(in: 0...1))
    private static let from = BodyMember("from", .timestamp)
    private static let until = BodyMember("until", .timestamp)

    package static let schema = JSONSchema.closed(
        skip.property,
        times.property,
        every.property,
        probability.property,
        from.property,
        until.property
    )

    /// Reads a `when` object; mistakes are noted in `check`.
    static func read(_ check: inout BodyCheck) -> Self? {
        var when = Self()
        when.skip = check.read(skip) ?? 0
        when.times = check.read(times)
        when.every = check.read(every) ?? 1
        when.probability = check.read(probability) ?? 1
        when.from = check.read(from)
        when.until = check.read(until)
        if let from = when.from, let until = when.until, from.isKnownNotBefore(until) {
            check.fault("until", "must be later than from, or the fault never acts")
        }
        return when
    }
}

extension RequestValue where Output == Timestamp {
    /// An instant of a world, or a distance from its start.
    fileprivate static var timestamp: Self {
        RequestValue<String>.string()
            .map(orIssue: .rule("must be an ISO 8601 instant such as 2025-01-01T12:00:00Z, or T0+PT5M")) {
                Timestamp($0)
            }
    }
}
