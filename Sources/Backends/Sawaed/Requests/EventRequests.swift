import Backend
import JSON

struct RegisterRequest: RequestModel {
    var quantity: Int64 = 1
    var notes: String?

    static let shape = RequestSchema<Self>(
        "Register",
        nulls: .value,
        [
            .optional("quantity", .coercedCount) { $0.quantity = $1 },
            .optional("notes", .string(.atMost(500, .utf16))) { $0.notes = $1 },
        ]
    )
}

extension RequestValue where Output == Int64 {
    /// A whole number from 1, after JavaScript's coercion.
    fileprivate static var coercedCount: Self {
        Self(.integer(minimum: 1, maximum: 9_007_199_254_740_991)) { json, issues in
            guard let number = JavaScriptNumber.of(json), number >= 1, number <= 9_007_199_254_740_991,
                number == number.rounded(.down)
            else {
                issues.note(.wrongType(.other("a whole number from 1")), json)
                return nil
            }
            return Int64(number)
        }
    }
}
