import Backend
import Conditions
import JSON

/// The matchers of an order, kept as the text that they were read from.
///
/// A thousand calls may wait with a thousand matchers each, and each call uses one at a time.
struct MatcherList: Sendable {
    private let apis: [String]
    private let scope: String?
    private var text: [UInt8] = []
    /// The end of each matcher in the text.
    private var ends: [Int32] = []

    init(apis: [String], scope: String?) {
        self.apis = apis
        self.scope = scope
    }

    var count: Int { ends.count }
    var isEmpty: Bool { ends.isEmpty }

    /// Adds a valid matcher.
    mutating func append(_ object: JSONObject) {
        text += JSON.object(object).serialized()
        ends.append(Int32(clamping: text.count))
    }

    subscript(place: Int) -> Matcher {
        let start = place == 0 ? 0 : Int(ends[place - 1])
        let options = JSONReader.Options(maxDepth: 512, maxValues: .max)
        guard case .object(let object)? = try? JSONReader.read(Array(text[start..<Int(ends[place])]), options: options)
        else { return Matcher() }
        var check = BodyCheck(object)
        return Matcher(&check, apis: apis, scope: scope)
    }
}
