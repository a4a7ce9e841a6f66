/// The effect of a fault, as a client sees it (control contract, section 8).
///
/// A builder stands for each order that the contract has:
///
///     try await world.add(Fault(.status(503, retryAfter: 5), when: Fault.When(times: 2)))
public struct Effect: Sendable, Codable {
    /// The effect in the form of the contract.
    public let value: JSONValue

    /// Writes the effect in the form of the contract.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    /// Reads an effect in the form of the contract.
    public init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

    /// Creates an effect in the form of the contract, for what has no builder.
    ///
    ///     let effect = Effect(["connection": "reset", "afterBytes": 100])
    public init(_ value: JSONValue) { self.value = value }

    /// An effect of members by their paths, such as `stream.gapMs`; those without a value are left out.
    init(members: KeyValuePairs<String, (any EffectValue)?>) {
        var object: [String: JSONValue] = [:]
        for case (let path, let value?) in members {
            Self.insert(value.json, at: path.split(separator: ".")[...], into: &object)
        }
        value = .object(object)
    }

    private static func insert(
        _ value: JSONValue,
        at path: ArraySlice<Substring>,
        into members: inout [String: JSONValue]
    ) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else { return members[name] = value }
        var inner: [String: JSONValue] = [:]
        if case .object(let present)? = members[name] { inner = present }
        insert(value, at: path.dropFirst(), into: &inner)
        members[name] = .object(inner)
    }
}

/// A value that a builder puts into an order.
protocol EffectValue {
    var json: JSONValue { get }
}

extension Int: EffectValue { var json: JSONValue { .number(Double(self)) } }
extension String: EffectValue { var json: JSONValue { .string(self) } }
extension Bool: EffectValue { var json: JSONValue { .bool(self) } }
extension JSONValue: EffectValue { var json: JSONValue { self } }
extension Array<[String]>: EffectValue {
    var json: JSONValue { .array(map { .array($0.map { .string($0) }) }) }
}
extension Latency.Delay: EffectValue { var json: JSONValue { value } }
