package import Backend
package import CivilTime
package import JSON

/// The length of a delay, fixed or drawn (control contract, section 9).
package struct DelayDistribution: Sendable {
    package enum Kind: Sendable, Equatable {
        case fixed(milliseconds: Double)
        /// Every length between the two is equally likely.
        case uniform(from: Double, to: Double)
        /// Half of the draws are below the median, 95 percent below `p95`.
        case lognormal(median: Double, p95: Double)
        case exponential(mean: Double)
    }

    /// The longest delay, a day.
    package static let longest = 86_400_000.0
    /// The point of the standard normal distribution that 95 percent of the draws are below.
    private static let point95 = 1.644_853_626_951_472

    package var kind: Kind
    /// The maximum in milliseconds; a longer draw is cut to it.
    package var maximum: Double?

    package init(_ kind: Kind, maximum: Double? = nil) {
        self.kind = kind
        self.maximum = maximum
    }

    /// Draws one length from a stream; a fixed length draws nothing.
    package func draw(_ stream: inout SeededStream) -> Interval {
        let drawn: Double
        switch kind {
        case .fixed(let milliseconds): drawn = milliseconds
        case .uniform(let low, let high): drawn = low + (high - low) * stream.fraction()
        case .lognormal(let median, let p95):
            let spread = SteadyMath.logarithm(p95 / median) / Self.point95
            // Half a step above 0, which is outside of the distribution's domain.
            let share = stream.fraction() + 0x1p-54
            drawn = median * SteadyMath.exponential(spread * SteadyMath.normalQuantile(share))
        case .exponential(let mean): drawn = -mean * SteadyMath.logarithm(1 - stream.fraction())
        }
        let bounded = min(max(drawn, 0), maximum ?? Self.longest, Self.longest)
        return .microseconds(Int64((bounded * 1_000).rounded()))
    }

    // MARK: JSON

    /// Reads `{"ms":n}`, `{"uniform":[min,max]}`, `{"lognormal":{…}}` or `{"exponential":{…}}`, each with `max`.
    package static func read(_ check: inout BodyCheck) -> DelayDistribution? {
        let range = 0...longest
        var kinds: [Kind] = []
        let before = check.items.count
        var named = 0
        if check.value("ms") != nil {
            named += 1
            if let milliseconds = check.number("ms", in: range) { kinds.append(.fixed(milliseconds: milliseconds)) }
        }
        if let value = check.value("uniform") {
            named += 1
            if let bounds = value.arrayValue, bounds.count == 2, let low = bounds[0].doubleValue,
                let high = bounds[1].doubleValue, range.contains(low), range.contains(high), low <= high
            {
                kinds.append(.uniform(from: low, to: high))
            } else {
                check.fault("uniform", "must be [min, max], two numbers of milliseconds from 0 to 86400000 in order")
            }
        }
        if check.value("lognormal") != nil {
            named += 1
            let kind = check.inner("lognormal") { inner -> Kind? in
                let median = required("median", &inner)
                let p95 = required("p95", &inner)
                guard let median, let p95 else { return nil }
                guard p95 >= median else {
                    inner.fault("p95", "must not be below the median")
                    return nil
                }
                return .lognormal(median: median, p95: p95)
            }
            if let kind { kinds.append(kind) }
        }
        if check.value("exponential") != nil {
            named += 1
            if let mean = check.inner("exponential", { required("mean", &$0) }) {
                kinds.append(.exponential(mean: mean))
            }
        }
        let maximum = check.number("max", in: range)
        guard named == 1 else {
            check.fault("must have exactly one of ms, uniform, lognormal, exponential")
            return nil
        }
        guard let kind = kinds.first, check.items.count == before else { return nil }
        return DelayDistribution(kind, maximum: maximum)
    }

    /// A number above 0.
    private static func required(_ name: String, _ check: inout BodyCheck) -> Double? {
        guard check.value(name) != nil else {
            check.fault(name, "is required")
            return nil
        }
        guard let number = check.number(name, in: 0...longest) else { return nil }
        guard number > 0 else {
            check.fault(name, "must be above 0")
            return nil
        }
        return number
    }

    /// The schema of the form that `read` reads.
    package static let schema: JSONSchema = {
        let number = JSONSchema.boundedNumber(minimum: 0, maximum: longest)
        return .oneOf([
            .closed([("ms", number)], optional: [("max", number)]),
            .closed([("uniform", .array(number, minItems: 2, maxItems: 2))], optional: [("max", number)]),
            .closed([("lognormal", .closed([("median", number), ("p95", number)]))], optional: [("max", number)]),
            .closed([("exponential", .closed([("mean", number)]))], optional: [("max", number)]),
        ])
    }()

    /// The form that `read` reads.
    package var json: JSON {
        var object: JSONObject =
            switch kind {
            case .fixed(let milliseconds): ["ms": .double(milliseconds)]
            case .uniform(let low, let high): ["uniform": [.double(low), .double(high)]]
            case .lognormal(let median, let p95): ["lognormal": ["median": .double(median), "p95": .double(p95)]]
            case .exponential(let mean): ["exponential": ["mean": .double(mean)]]
            }
        if let maximum { object.append("max", .double(maximum)) }
        return .object(object)
    }
}
