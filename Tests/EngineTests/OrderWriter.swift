import JSON
import TestSupport

/// Writes random orders by a schema, about half of them with a mistake.
///
/// The writer keeps to rules that both the schema and the reader have. Only the reader knows the upper bounds of
/// counts, the paths of a drift, the order of two bounds, null for an absent member, and `false` where a mistake is to
/// be left out.
struct OrderWriter {
    var random: SeededGenerator
    /// The current order still has to get a mistake.
    private var isToBreak = false

    init(random: SeededGenerator) { self.random = random }

    mutating func order(of schema: JSONSchema) -> JSON {
        isToBreak = Bool.random(using: &random)
        return value(of: schema)
    }

    private mutating func pick<Element>(_ items: [Element]) -> Element {
        items[Int.random(in: 0..<items.count, using: &random)]
    }

    /// Tells whether this is the place for the mistake.
    private mutating func breaks() -> Bool {
        guard isToBreak, Int.random(in: 0..<3, using: &random) == 0 else { return false }
        isToBreak = false
        return true
    }

    private mutating func value(of schema: JSONSchema) -> JSON {
        switch schema {
        case .oneOf(let forms): return value(of: pick(forms))
        case .object(let object): return .object(members(of: object))
        case .array(let element, let minimum, _):
            let count = breaks() ? pick([0, 1, 3]) : minimum ?? 2
            let items = (0..<count).map { _ in value(of: element) }
            return .array(items.sorted { ($0.doubleValue ?? 0) < ($1.doubleValue ?? 0) })
        case .integer(let minimum, let maximum):
            let low = minimum ?? 0
            if breaks() {
                return pick(
                    [.integer(low - 1), .string("5"), 2.5, true, .array([])]
                        + (maximum.map { [.integer($0 + 1)] } ?? [])
                )
            }
            return .integer(Int64.random(in: low...min(maximum ?? 10_000, low + 10_000), using: &random))
        case .boundedNumber(let minimum, let maximum):
            if breaks() { return pick([-1, "5", .object(JSONObject())] + (maximum.map { [.double($0 + 1)] } ?? [])) }
            return .double((minimum ?? 0) + Double(Int.random(in: 1...1_000, using: &random)) / 4)
        case .string(_, let words?, _, _, _):
            return breaks() ? pick(["nothing", "", 1, .string(pick(words).uppercased())]) : .string(pick(words))
        case .string:
            return breaks() ? pick([1, true, .array([])]) : .string(pick(["a", "a.b", "a[0].b", "items.*.b"]))
        case .boolean: return breaks() ? pick([1, "true"]) : true
        default: return pick([.null, 1, "text", ["a": .null], [1, 2]])
        }
    }

    private mutating func members(of object: JSONSchema.Object) -> JSONObject {
        var members = JSONObject()
        for property in object.properties where property.isRequired || Bool.random(using: &random) {
            if property.isRequired, breaks() { continue }
            members.append(property.name, value(of: property.schema))
        }
        if breaks() { members.append(pick(["x", "delay", "afterBytes", "gapMs", "ms"]), pick([1, "a"])) }
        // The second of two bounds is not below the first.
        if let low = members["median"]?.doubleValue, let high = members["p95"]?.doubleValue, high < low {
            (members["median"], members["p95"]) = (members["p95"], members["median"])
        }
        return members
    }
}
