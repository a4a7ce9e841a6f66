import Backend
import CivilTime
import JSON

struct SyncRequest: RequestModel {
    struct LocalMeal: RequestModel {
        var localId = ""
        var name = ""
        var carbEstimate = 0
        /// Hundredths.
        var confidence = 100
        var createdAt = Instant.epoch

        static let shape = RequestSchema<Self>(
            "LocalMeal",
            [
                .required("localId", .string(.filled, .atMost(128, .utf16))) { $0.localId = $1 },
                .required("name", .string(.filled, .atMost(200, .utf16))) { $0.name = $1 },
                // Half up, which is away from zero here (D25).
                .required("carbEstimate", .number(in: 0...1_000)) {
                    $0.carbEstimate = Int($1.rounded(.toNearestOrAwayFromZero))
                },
                .optional("confidenceLevel", .confidence) {
                    $0.confidence = Int(($1 * 100).rounded(.toNearestOrAwayFromZero))
                },
                .required("createdAt", .instant) { $0.createdAt = $1 },
            ]
        )

        /// Tells whether the stored meal equals the one in the request.
        func isSame(as meal: Meal, _ epoch: Epoch) -> Bool {
            meal.name.utf8.elementsEqual(name.utf8) && meal.carbEstimate == carbEstimate
                && meal.confidence == confidence && meal.createdAt.resolved(in: epoch) == createdAt
        }
    }

    var lastSync: Instant?
    var meals: [LocalMeal] = []

    static let shape = RequestSchema<Self>(
        "SyncRequest",
        [
            .optional("lastSyncTimestamp", .instant) { $0.lastSync = $1 },
            .optional("localMeals", .array(of: .object(LocalMeal.self), counts: 0...500)) { $0.meals = $1 },
        ]
    )
}

extension RequestValue where Output == Double {
    /// A share of one, as a number or as a text that contains one.
    ///
    /// The document shows how the texts are usually written; other spellings of JSON numbers are read too.
    fileprivate static var confidence: Self {
        let text = JSONSchema.string(pattern: #"^(0(\.[0-9]+)?|1(\.0+)?)$"#)
        return Self(.oneOf([.boundedNumber(minimum: 0, maximum: 1), text])) { json, issues in
            var number = json.doubleValue
            if let text = json.stringValue {
                guard let written = JSONNumber(text: text) else {
                    issues.note(.wrongFormat("number"), json)
                    return nil
                }
                number = written.double
            }
            guard let number else {
                issues.note(.wrongType(.number(0...1)), json)
                return nil
            }
            guard (0...1).contains(number) else {
                issues.note(.outOfRange(.number(0...1)), json)
                return nil
            }
            return number
        }
    }
}
