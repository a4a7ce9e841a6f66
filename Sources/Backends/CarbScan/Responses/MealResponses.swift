import Backend

/// A meal of the history (section 7.12).
struct MealResponse: ResponseModel {
    var meal: Meal

    static let shape = ResponseSchema<Self>(
        "Meal",
        [
            .integer("id") { $0.meal.number },
            .string("name") { $0.meal.name },
            .integer("carbEstimate") { $0.meal.carbEstimate },
            // A text with two decimals here, a number in the analysis (D11).
            .string("confidenceLevel") { $0.meal.confidence.asHundredths },
            .time("createdAt") { $0.meal.createdAt },
        ]
    )
}

struct MealPage: ResponseModel {
    struct Pagination: ResponseModel {
        var limit: Int
        var offset: Int
        var total: Int
        var hasMore: Bool

        static let shape = ResponseSchema<Self>(
            "Pagination",
            [
                .integer("limit") { $0.limit },
                .integer("offset") { $0.offset },
                .integer("total") { $0.total },
                .boolean("hasMore") { $0.hasMore },
            ]
        )
    }

    var meals: [MealResponse]
    var pagination: Pagination

    static let shape = ResponseSchema<Self>(
        "MealPage",
        [.array("meals") { $0.meals }, .object("pagination") { $0.pagination }]
    )
}

/// The response to a sync (section 7.13).
struct SyncResponse: ResponseModel {
    /// A meal with four fields; `confidenceLevel` is left out.
    struct Modified: ResponseModel {
        var meal: Meal

        static let shape = ResponseSchema<Self>(
            "ModifiedMeal",
            [
                .integer("id") { $0.meal.number },
                .string("name") { $0.meal.name },
                .integer("carbEstimate") { $0.meal.carbEstimate },
                .time("createdAt") { $0.meal.createdAt },
            ]
        )
    }

    struct Synced: ResponseModel {
        var localId: String
        var serverId: Int

        static let shape = ResponseSchema<Self>(
            "SyncedMeal",
            [.string("localId") { $0.localId }, .integer("serverId") { $0.serverId }]
        )
    }

    var modified: [Modified]
    var synced: [Synced]
    var serverTimestamp: Timestamp

    static let shape = ResponseSchema<Self>(
        "SyncResult",
        [
            .array("modifiedMeals") { $0.modified },
            .array("syncedLocalMeals") { $0.synced },
            .time("serverTimestamp") { $0.serverTimestamp },
            .string("conflictResolution", oneOf: ["server_wins"]) { _ in "server_wins" },
        ]
    )
}

extension Int {
    /// A number of hundredths as text: `85` as `0.85`.
    var asHundredths: String { "\(self / 100).\(self % 100 < 10 ? "0" : "")\(self % 100)" }
}
